/* marbles.c - marbles on a tray, drawn with SDL2

   The pointer or the arrows tilt the tray. R goes back by 2 s, F shows the forces, N begins anew,
   Esc ends. With a number the program plays by itself for so many frames, without a screen, and
   prints hashes of the world, the same on every machine, and of the last picture, SDL 2.26's.

   build: cc -O2 examples/sdl2/marbles.c $(sdl2-config --cflags --libs) -lm -o marbles
   run:   SDL_VIDEODRIVER=dummy ./marbles 600
   last line: marbles: world 85a93050d3cc0443, picture 8b5596174bce9ee1
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "marbles.h"

#include <SDL.h>
#include <stdio.h>

#define WIDTH 960
#define HEIGHT 640
#define SCALE 300 /* pixels for a metre */

typedef struct view {
    SDL_Renderer *renderer;
    spc_quat q_CG; /* camera: x right, y up, z to the viewer */
} view;

/* The projection: two lines, p and q; orthographic. */
static void line(void *user, const spc_drawn *what, spc_vec3 a, spc_vec3 b)
{
    const view *v = (const view *)user;
    const spc_vec3 p = spc_rotate(v->q_CG, a), q = spc_rotate(v->q_CG, b);
    const spc_color c = game_color(what);
    SDL_SetRenderDrawColor(v->renderer, (Uint8)(255 * c.r), (Uint8)(255 * c.g), (Uint8)(255 * c.b),
                           SDL_ALPHA_OPAQUE);
    SDL_RenderDrawLine(v->renderer, (int)(WIDTH / 2 + SCALE * p.x), (int)(HEIGHT / 2 - SCALE * p.y),
                       (int)(WIDTH / 2 + SCALE * q.x), (int)(HEIGHT / 2 - SCALE * q.y));
}

/* What the player does; 0 to go on. */
static int handle(game *g, spc_drawing *drawing)
{
    SDL_Event e;
    while (SDL_PollEvent(&e)) {
        const SDL_Keycode key = e.type == SDL_KEYDOWN ? e.key.keysym.sym : 0;
        if (e.type == SDL_QUIT || key == SDLK_ESCAPE)
            return 1;
        if (e.type == SDL_MOUSEMOTION) /* the side that is pointed at goes down */
            g->aim = spc_vec3_make(STEEPEST * (2.0 * e.motion.y / HEIGHT - 1),
                                   STEEPEST * (2.0 * e.motion.x / WIDTH - 1), 0);
        g->aim.x += 0.04 * ((key == SDLK_DOWN) - (key == SDLK_UP));
        g->aim.y += 0.04 * ((key == SDLK_RIGHT) - (key == SDLK_LEFT));
        if (key == SDLK_r)
            game_rewind(g);
        if (key == SDLK_f)
            drawing->parts ^= SPC_PART_FORCE;
        if (key == SDLK_n) {
            game_end(g);
            return game_begin(g) != SPC_OK;
        }
    }
    return 0;
}

/* FNV-1a of what is on the screen. */
static unsigned long long picture(SDL_Renderer *renderer)
{
    static unsigned char pixels[WIDTH * HEIGHT * 4];
    unsigned long long hash = 14695981039346656037ull;
    size_t i;
    if (SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_RGBA32, pixels, WIDTH * 4))
        return 0;
    for (i = 0; i < sizeof pixels; i++)
        hash = (hash ^ pixels[i]) * 1099511628211ull;
    return hash;
}

int main(int argc, char **argv)
{
    const int frames = argc > 1 ? atoi(argv[1]) : 0; /* 0: a player plays */
    spc_drawing drawing = spc_drawing_default();
    SDL_Window *window = NULL;
    view v;
    game g;
    Uint64 last, now;
    int frame, ends = SDL_Init(SDL_INIT_VIDEO) || game_begin(&g);
    if (!ends)
        window = SDL_CreateWindow("Marbles: pointer, R, F, N", SDL_WINDOWPOS_CENTERED,
                                  SDL_WINDOWPOS_CENTERED, WIDTH, HEIGHT, 0);
    v.renderer = SDL_CreateRenderer(window, -1, frames ? SDL_RENDERER_SOFTWARE
                                                       : SDL_RENDERER_PRESENTVSYNC);
    if (!v.renderer)
        return printf("marbles: %s\n", SDL_GetError()), 1;
    v.q_CG = spc_quat_from_rotation_vector(spc_vec3_make(-0.6, 0, 0)); /* from the front, above */
    drawing.line = line;
    drawing.user = &v;
    drawing.parts = SPC_PART_PLANE | SPC_PART_BALL;
    drawing.newton = 1; /* a marble weighs 0.1 N */
    last = SDL_GetPerformanceCounter();
    for (frame = 0; !ends && (!frames || frame < frames); frame++) {
        now = SDL_GetPerformanceCounter();
        if (frames ? game_play(&g, frame, &drawing) : handle(&g, &drawing))
            break;
        ends = game_frame(&g, frames ? 1.0 / 60 : (double)(now - last) /
                                                      (double)SDL_GetPerformanceFrequency());
        last = now;
        SDL_SetRenderDrawColor(v.renderer, 24, 26, 30, SDL_ALPHA_OPAQUE);
        SDL_RenderClear(v.renderer);
        ends = ends || spc_world_draw(game_show(&g), &drawing);
        if (frame == frames - 1)
            printf("marbles: world %016llx, picture %016llx\n", spc_world_hash(g.world),
                   picture(v.renderer));
        SDL_RenderPresent(v.renderer);
    }
    game_end(&g);
    SDL_DestroyRenderer(v.renderer);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return ends != 0;
}
