// Compiled in double and in float, with an implementation each, for one program: structs of one name would
// share the code of containers. Exit code 1 if a sum is wrong, 0 + 3 + ... + 297 = 14850 in both.
#define SPHERECONTACT_IMPLEMENTATION
#include "spherecontact.h"
#include <vector>

static bool sum_is_right()
{
    std::vector<spc_vec3> v;
    double sum = 0;
    for (int i = 0; i < 100; i++)
        v.push_back(spc_vec3_make(spc_real(i), spc_real(2 * i), spc_real(3 * i)));
    for (std::size_t i = 0; i < v.size(); i++)
        sum += double(v[i].z);
    return spc_norm(v[4]) > 14 && sum > 14849 && sum < 14851;
}

bool sum_of_doubles_is_right();

#ifdef SPC_USE_FLOAT
int main()
{
    return !(sum_is_right() && sum_of_doubles_is_right());
}
#else
bool sum_of_doubles_is_right()
{
    return sum_is_right();
}
#endif
