/* Two files that use the library, for the linking checks of check.sh. */
#ifndef USE_H
#define USE_H
#include "../../spherecontact.h"
#ifdef __cplusplus
extern "C" {
#endif
/* Height of a ball of radius 1 over ground after one second under gravity: made in one file, ... */
spc_real use_fall(void);
/* ... and the hash of a rolling world after 100 steps. */
unsigned long long use_roll(void);
#ifdef __cplusplus
}
#endif
#endif
