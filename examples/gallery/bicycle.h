/* bicycle.h - the benchmark bicycle, for the gallery and for the page: what includes it has
   check() */

#define FALLEN 0.6 /* cosine of the lean */

enum { REAR_WHEEL, REAR_FRAME, FRONT_FRAME, FRONT_WHEEL, BODIES };

/* Meijaard, Papadopoulos, Ruina & Schwab 2007, upright; see examples/bicycle.c. [kg, m, kg m^2] */
static const struct part {
    double mass, x, z, xx, yy, zz, xz, radius;
} parts[BODIES] = {
    { 2, 0, 0.3, 0.0603, 0.12, 0.0603, 0, 0.3 },
    { 85, 0.3, 0.9, 9.2, 11, 2.8, -2.4, 0 },
    { 4, 0.9, 0.7, 0.05892, 0.06, 0.00708, 0.00756, 0 },
    { 3, 1.02, 0.35, 0.1405, 0.28, 0.1405, 0, 0.35 },
};

static spc_body bodies[BODIES];
static spc_constraint contacts[BODIES]; /* of the wheels */

static spc_vec3 place(int i)
{
    return spc_vec3_make(parts[i].x, 0, parts[i].z);
}

static void add_hinge(spc_world *world, int a, int b, spc_vec3 p_G, spc_vec3 axis)
{
    const spc_transform X_GA = spc_transform_make(spc_quat_identity(), place(a));
    const spc_transform X_GB = spc_transform_make(spc_quat_identity(), place(b));
    spc_attachment_desc hinge = spc_attachment_desc_default();
    spc_constraint c;
    hinge.a = bodies[a];
    hinge.b = bodies[b];
    check(spc_attachment_at(&X_GA, &X_GB, p_G, axis, SPC_HINGE, &hinge.shape));
    check(spc_attachment_add(world, &hinge, &c));
}

/* Upright, with a speed and a rate of lean: velocities about the line of the contacts. */
static void add_bicycle(spc_world *world, double speed, double lean_rate)
{
    const spc_vec3 steer_axis = spc_vec3_make(0.30901699437494742, 0, -0.95105651629515357);
    const spc_vec3 left = spc_vec3_make(0, 1, 0);
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    int i;
    roll.shape.axis_B = spc_vec3_make(0, 1, 0);
    roll.shape.width = 0;
    roll.shape.half_width = 10;
    for (i = 0; i < BODIES; i++) {
        const struct part *p = &parts[i];
        const spc_inertia inertia = { p->xx, p->yy, p->zz, 0, p->xz, 0 };
        spc_body_desc body = spc_body_desc_default();
        body.mass.mass = p->mass;
        body.mass.inertia = inertia;
        body.state.X_GB.p = place(i);
        body.state.V_GB.linear = spc_vec3_make(speed, -lean_rate * p->z, 0);
        body.state.V_GB.angular.x = lean_rate;
        if (p->radius > 0)
            body.state.V_GB.angular.y = speed / p->radius;
        check(spc_body_add(world, &body, &bodies[i]));
        roll.disc = bodies[i];
        roll.shape.radius = p->radius;
        if (p->radius > 0)
            check(spc_rolling_disc_add(world, &roll, &contacts[i]));
    }
    add_hinge(world, REAR_FRAME, REAR_WHEEL, place(REAR_WHEEL), left);
    add_hinge(world, FRONT_FRAME, FRONT_WHEEL, place(FRONT_WHEEL), left);
    add_hinge(world, REAR_FRAME, FRONT_FRAME, spc_vec3_make(1.1 - 0.27, 0, 0.83), steer_axis);
    check(spc_world_project_velocities(world));
}

static bool has_fallen(const spc_world *world)
{
    spc_state state;
    check(spc_body_get_state(world, bodies[REAR_FRAME], &state));
    return spc_rotate(state.X_GB.q, spc_vec3_make(0, 0, 1)).z < FALLEN;
}
