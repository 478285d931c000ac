/* marbles.c - marbles on a tray, drawn with raylib: the game of examples/sdl2

   The pointer tilts the tray. R goes back by 2 s, F shows the forces, N begins anew, Esc ends.

   build: cc -O2 examples/raylib/marbles.c $(pkg-config --cflags --libs raylib) -lm -o marbles
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../sdl2/marbles.h"

#include <raylib.h>
#include <stdio.h>

#define WIDTH 960
#define HEIGHT 640

/* raylib's y is up. */
static Vector3 up(spc_vec3 p)
{
    const Vector3 v = { (float)p.x, (float)p.z, (float)-p.y };
    return v;
}

static void line(void *user, const spc_drawn *what, spc_vec3 a, spc_vec3 b)
{
    const spc_color c = game_color(what);
    const Vector4 rgba = { (float)c.r, (float)c.g, (float)c.b, 1 };
    (void)user;
    DrawLine3D(up(a), up(b), ColorFromNormalized(rgba));
}

int main(void)
{
    const Camera3D camera = { { 0, 2.2f, 2.2f }, { 0, 0, 0 }, { 0, 1, 0 }, 45, CAMERA_PERSPECTIVE };
    spc_drawing drawing = spc_drawing_default();
    game g;
    spc_status status = game_begin(&g);
    drawing.line = line;
    drawing.parts = SPC_PART_PLANE | SPC_PART_BALL;
    drawing.newton = 1; /* a marble weighs 0.1 N */
    InitWindow(WIDTH, HEIGHT, "Marbles: pointer, R, F, N");
    SetTargetFPS(60);
    while (!status && !WindowShouldClose()) {
        g.aim = spc_vec3_make(STEEPEST * (2.0 * GetMouseY() / HEIGHT - 1),
                              STEEPEST * (2.0 * GetMouseX() / WIDTH - 1), 0);
        if (IsKeyPressed(KEY_R))
            game_rewind(&g);
        if (IsKeyPressed(KEY_F))
            drawing.parts ^= SPC_PART_FORCE;
        if (IsKeyPressed(KEY_N)) {
            game_end(&g);
            status = game_begin(&g);
        }
        spc_status_keep(&status, game_frame(&g, GetFrameTime()));
        BeginDrawing();
        ClearBackground(BLACK);
        BeginMode3D(camera);
        spc_status_keep(&status, spc_world_draw(game_show(&g), &drawing));
        EndMode3D();
        EndDrawing();
    }
    CloseWindow();
    game_end(&g);
    return status ? (puts(spc_status_text(status)), 1) : 0;
}
