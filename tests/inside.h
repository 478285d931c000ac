/* What a few programs ask of a world's inside, which the file with the implementation answers. */
#ifndef SPC_INSIDE_H
#define SPC_INSIDE_H

#include "../spherecontact.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory of a world that is no state of it. */
typedef struct spc_inside_part {
    void *memory;
    size_t bytes;
} spc_inside_part;

/* All of it: the states of the other turn, what calls work in, and the structure, which is found
   anew if it is cleared. */
typedef struct spc_inside_scratch {
    spc_inside_part states, work, structure;
} spc_inside_scratch;

/* Before it is overwritten: no body is in the lanes any more. */
spc_inside_scratch spc_inside_open(spc_world *w);

/* And after: what is kept clear is clear, which contacts are in lanes, and what islands and nodes
   have to report. */
void spc_inside_close(spc_world *w);

/* As after a world's first change. */
void spc_inside_find_all_anew(spc_world *w);

/* Bodies of all islands, and where their places end. */
int spc_inside_bodies(spc_world *w);
int spc_inside_bodies_end(spc_world *w);

#ifdef __cplusplus
}
#endif

#endif /* SPC_INSIDE_H */
