/* README's line for a library that needs a window, or a page: it compiles as spc_drawing.line, and
   is called where that needs nothing. */
#ifdef LIBRARY
#include LIBRARY
#endif
#include "scene.h"

#include ADAPTER

int main(void)
{
    spc_drawing drawing = spc_drawing_default();
    spc_world *world = make_world();
    int failed = 0;
    drawing.line = line;
#ifdef CANVAS
    /* 22 lines of the plane, three circles, three of the contact, one of the force */
    failed = spc_world_draw(world, &drawing) != SPC_OK || line_count != 22 + 3 * 32 + 3 + 1;
    failed += (int)lines[6] != 0x888888 || (int)lines[7 * 22 + 6] != 0xbb7700;
    line_count = 8192;
    failed += spc_world_draw(world, &drawing) != SPC_OK || line_count != 8192; /* full */
    printf("Canvas: %d failed\n", failed);
#endif
    free(world);
    return failed != 0;
}
