/* playground.h - what the scenes of the page share

   A scene is one file: it makes a world, says before each step what sliders, keys and the pointer
   do to it, and may draw more than the library does. The same files are compiled to WebAssembly,
   for the page, and to a native program that tells the hashes of their default runs. They need no
   library, and their numbers come from IEEE arithmetic alone: so the hashes are the same.
*/
#ifndef PLAYGROUND_H
#define PLAYGROUND_H

#include "../../spherecontact.h"

#define SLIDERS 3
#define TRAILS 4
#define NUMBERS 4
#define RUN_STEPS 1200     /* of the default run */
#define RUN_STEP 1.0 / 240 /* their length [s] */

typedef struct slider {
    const char *label; /* NULL: there is none */
    const char *unit;
    double least, most, step, value;
    bool restarts; /* it is read when the scene is made, and only then */
} slider;

typedef struct playground {
    spc_world *world;
    double h; /* length of a step [s] */
    double slider[SLIDERS];
    double x, y;                  /* of pointer and keys: a direction in G, each from -1 to 1 */
    double number[NUMBERS];       /* of the scene; kept with snapshots */
    spc_body body;                /* which keys push, and the camera may follow */
    spc_body floor;               /* the tray, or the table */
    spc_constraint trail[TRAILS]; /* their contact points leave trails */
    int trails;
    spc_vec3 to_G; /* where the pointer pulls to, in G [m] */
    bool aims;     /* it pulls a cue back from the body */
} playground;

typedef struct scene {
    const char *id, *title, *text;
    slider sliders[SLIDERS];
    double side, height, distance; /* of the camera [degrees, m]: from (0, 90) one looks down */
    spc_vec3 centre;               /* of the picture, in G [m] */
    bool follows;                  /* the camera goes with the body over the ground */
    bool tilts;                    /* the pointer is a tilt: it neither pulls nor pushes */
    bool round;                    /* the floor that moves is a round table */
    bool crowded;                  /* many contacts: spc_step alone, states for snapshots; its balls
                                      are drawn by its own draw() */
    bool boxes;                    /* bodies are drawn as boxes of their mass and inertia */
    double newton;                 /* length of a force of 1 N [m] */
    double push;                   /* force of a key [N], which acts */
    spc_vec3 push_B;               /* here in the body [m] */
    double pull;                   /* stiffness of the pointer's spring [N/m] */
    void (*make)(playground *p);
    void (*control)(playground *p);       /* before each step; NULL: nothing */
    bool (*strike)(playground *p);        /* the body by a cue, and was it; NULL: there is none */
    bool (*is_over)(const playground *p); /* NULL: never */
    void (*draw)(const playground *p);    /* what the library does not; NULL: nothing */
} scene;

extern const scene tray_scene, billiards_scene, turntable_scene, coin_scene, bicycle_scene,
    ballbot_scene, wagon_scene, chain_scene;

/* core.c: keeps the first status that is not SPC_OK */
void check(spc_status status);

/* an empty world under gravity; one with memory for a dense net of contacts */
void make_world(playground *p, int bodies, int constraints);
void make_dense_world(playground *p, int bodies, int constraints, size_t solver_bytes);

/* the rotation by so many degrees about a unit axis */
spc_quat turned(double degrees, spc_vec3 axis);

/* a number, or the nearest one from -most to most */
double limited(double x, double most);

/* shapes.c: a round bar; a thin line, over it all; a box, around its frame; a ball, which stands
   for the box of a body, or of ground for none; a level rectangle around a point, of which the
   first one is the floor, and others are painted on it, as a disc is. Colors are bytes 0xrrggbb. */
void draw_bar(spc_vec3 a_G, spc_vec3 b_G, double radius, unsigned color);
void draw_line(spc_vec3 a_G, spc_vec3 b_G, unsigned color);
void draw_box(spc_transform X_G, spc_vec3 half_lengths, unsigned color);
void draw_ball(spc_body body, spc_transform X_G, double radius, unsigned color);
void draw_rectangle(spc_vec3 at, double half_x, double half_y, unsigned color);
void draw_disc(spc_vec3 at, double radius, unsigned color);

/* module.c or native.c: memory for the scene's world, all that there is of it */
void *scene_memory(size_t bytes);

#endif
