/* core.h - what runs a scene: for the page (module.c) and for the hashes (native.c) */
#ifndef CORE_H
#define CORE_H

#include "playground.h"

/* The scene that runs, and the first status of its calls that was not SPC_OK. */
typedef struct core {
    const scene *scene;
    playground p;
    spc_status status;
    int method;           /* 0: spc_step; 1, 2: spc_step_rk4 that stabilizes, that projects */
    double time_constant; /* of stabilization [s]; 0: none */
    spc_body pulled;      /* by the pointer; ground: none */
    spc_vec3 pulled_B;    /* at this point in it, to p.to_G [m] */
} core;

extern core now;

/* What the page shows of a state. */
typedef struct measures {
    double time, kinetic, potential;
    double slip; /* largest velocity error of contacts [m/s]; -1: there is none */
    double gap;  /* and position error of contacts and joints [m] */
    double rows, redundant, bodies, bytes;
    double focus[3];                 /* of the camera, in G [m] */
    double trails, trail[TRAILS][3]; /* contact points that leave trails, in G [m] */
} measures;

/* core.c */
const scene *scene_at(int i); /* NULL after the last one */
void open_scene(int i);
void set_time_constant(void);
spc_status take_step(void);

/* hands.c */
void pull(void);
bool strike(void);
void knock(void);

/* run.c */
spc_status default_run(int i);

/* measure.c */
void measure(measures *m);

/* picture.c: draws the parts of the world, and what the scene adds, into records of 16 numbers;
   returns how many there are. */
int draw_records(unsigned parts);
float *picture_records(void);

/* A record is: kind, part, body, constraint, three of color; then nine numbers [m]: of a line both
   ends, of a bar its radius, too; of a circle, a ball or a disc on the floor the centre, and its
   axes x and y, as long as the radius; of a plane a corner, and both sides. Points are in axes of
   G, from the camera's focus on, so that they keep their digits far from the origin. */
enum kind { LINE, CIRCLE, BALL, PLANE, BAR, DISC };
void add_line(enum kind kind, const spc_drawn *what, spc_vec3 a_G, spc_vec3 b_G, double radius);
void add_plane(const spc_drawn *what, spc_vec3 corner_G, spc_vec3 x, spc_vec3 y);
void add_round(enum kind kind, const spc_drawn *what, spc_transform X_G, double radius);
int next_record(void);

/* module.c: memory behind the scene's world; module_frames.c */
void *take(size_t bytes);
void make_frames(void);

/* What the page calls. */
#define EXPORT(name) __attribute__((export_name(#name))) name

#endif
