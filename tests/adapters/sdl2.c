/* README's line for SDL2, on a surface without a screen: pixels where lines must be, and none where
   there are none. */
#include <SDL.h>

#include "scene.h"

#include ADAPTER

#define SIZE 200
#define SCALE 40 /* pixels for a metre; the middle is ground's origin */

/* 1: a pixel of about this color is within one of the place. */
static int is_there(const SDL_Surface *surface, int x, int y, int r, int g, int b)
{
    int i, k;
    for (i = x - 1; i <= x + 1; i++)
        for (k = y - 1; k <= y + 1; k++) {
            const Uint8 *p = (const Uint8 *)surface->pixels + k * surface->pitch + 4 * i;
            if (abs(p[0] - r) <= 1 && abs(p[1] - g) <= 1 && abs(p[2] - b) <= 1)
                return 1;
        }
    return 0;
}

int main(int argc, char **argv)
{
    spc_drawing drawing = spc_drawing_default();
    struct camera camera = { NULL, { 1, 0, 0, 0 }, SIZE / 2, SIZE / 2, SCALE };
    spc_world *world = make_world();
    SDL_Surface *s = SDL_CreateRGBSurfaceWithFormat(0, SIZE, SIZE, 32, SDL_PIXELFORMAT_RGBA32);
    int failed;
    (void)argc;
    (void)argv;
    camera.renderer = SDL_CreateSoftwareRenderer(s);
    if (!s || !camera.renderer)
        return 1;
    /* from the side: x to the right, z up */
    camera.q_CG = spc_quat_from_rotation_vector(spc_vec3_make(SPC_R(-1.57079632679489662), 0, 0));
    drawing.line = line;
    drawing.user = &camera;
    drawing.newton = SPC_R(0.05); /* half a metre for 10 N */
    failed = spc_world_draw(world, &drawing) != SPC_OK;
    failed += !is_there(s, 100 + 40, 100 - 40, 187, 119, 0); /* the ball's side */
    failed += !is_there(s, 100, 100 - 80, 187, 119, 0);      /* and top */
    failed += !is_there(s, 100 + 78, 100, 136, 136, 136);    /* the plane, from its edge */
    failed += !is_there(s, 100, 100 - 18, 34, 153, 68);      /* the force */
    failed += is_there(s, 100 + 60, 100 - 60, 187, 119, 0);
    failed += !is_there(s, 20, 20, 0, 0, 0);
    printf("SDL2: %d failed\n", failed);
    free(world);
    return failed != 0;
}
