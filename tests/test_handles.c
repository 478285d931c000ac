/* [7] What a world is made of and reached by: descriptions, memory, pointers that are NULL, and
   handles that are stale or of the wrong kind; all refused without a trace. */
#include "refusals.h"

#include <limits.h>

/* Bytes in front of a world that tell of what build it is. */
#define HEAD 16

/* -------------------------------------------------------------- descriptions, memory -------- */

/* Refused by spc_world_size and spc_world_create; memory and result stay. */
static void check_bad_desc(int line, const spc_world_desc *d, spc_status wanted)
{
    static double memory[2000];
    spc_world *const none = (spc_world *)(void *)memory;
    spc_world *world = none;
    memset(memory, PATTERN, sizeof memory);
    test_status(__FILE__, line, "spc_world_create",
                spc_world_create(memory, sizeof memory, d, &world), wanted);
    CHECK(spc_world_size(d) == 0);
    CHECK(world == none);
    CHECK(untouched(memory, sizeof memory));
}

static void bad_world_descriptions_are_refused(void)
{
    const spc_world_desc good = spc_world_desc_default(2, 2);
    const int most = 16777216;
    spc_world_desc d;
    int i;
    CHECK(spc_world_size(&good) > 0);
    check_bad_desc(__LINE__, NULL, SPC_ERROR_NULL);
    d = good, d.bodies = -1, check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = good, d.bodies = most + 1, check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = good, d.bodies = INT_MAX, check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = good, d.constraints = -1, check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = good, d.constraints = INT_MAX, check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = good, d.rows = -1, check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = good, d.rows = INT_MAX, check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = good, d.solver_bytes = (size_t)-1, check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = spc_world_desc_default(-1, 2), check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = spc_world_desc_default(2, -1), check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = spc_world_desc_default(2, INT_MAX), check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    for (i = 0; i < 3; i++) {
        const spc_real b = real(bad_number(i));
        d = good, d.gravity.x = b, check_bad_desc(__LINE__, &d, SPC_ERROR_NOT_FINITE);
        d = good, d.gravity.y = b, check_bad_desc(__LINE__, &d, SPC_ERROR_NOT_FINITE);
        d = good, d.gravity.z = b, check_bad_desc(__LINE__, &d, SPC_ERROR_NOT_FINITE);
        d = good, d.stabilization.time_constant = b,
        check_bad_desc(__LINE__, &d, SPC_ERROR_NOT_FINITE);
    }
    d = good, d.stabilization.time_constant = 0,
    check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_TIME_CONSTANT);
    d = good, d.stabilization.time_constant = -1,
    check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_TIME_CONSTANT);
    d = good, d.stabilization.ignore_position = 64,
    check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_OPTION);
    d = good, d.stabilization.ignore_velocity = 64,
    check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_OPTION);
    d = good, d.stabilization.ignore_velocity = 63;
    CHECK(spc_world_size(&d) > 0);
}

static void the_size_grows_linearly_with_each_count(void)
{
    size_t size[4][3];
    int i, k;
    for (i = 0; i < 3; i++)
        for (k = 0; k < 4; k++) {
            spc_world_desc d = spc_world_desc_default(2000, 2000);
            /* multiples of 2000 leave no rounding: every array is a whole number of words */
            d.bodies += k == 0 ? 2000 * i : 0;
            d.constraints += k == 1 ? 2000 * i : 0;
            d.rows += k == 2 ? 2000 * i : 0;
            d.solver_bytes += k == 3 ? (size_t)(2000 * i) : 0;
            size[k][i] = spc_world_size(&d);
        }
    for (k = 0; k < 4; k++) {
        CHECK(size[k][1] > size[k][0]);
        CHECK(size[k][2] - size[k][1] == size[k][1] - size[k][0]);
    }
    CHECK(size[3][1] - size[3][0] == 2000);
}

static void memory_must_be_aligned_and_large_enough(void)
{
    const spc_world_desc desc = spc_world_desc_default(3, 3);
    const size_t size = spc_world_size(&desc);
    /* exactly as much as asked for, so that a sanitizer sees a byte too many */
    unsigned char *memory = (unsigned char *)malloc(size),
                  *roomy = (unsigned char *)malloc(size + 16);
    spc_world *world = NULL;
    size_t i;
    CHECK(memory != NULL && roomy != NULL);
    memset(memory, PATTERN, size);
    memset(roomy, PATTERN, size + 16);
    CHECK_STATUS(spc_world_create(NULL, size, &desc, &world), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_create(memory, size, &desc, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_create(memory, size - 1, &desc, &world), SPC_ERROR_MEMORY_TOO_SMALL);
    CHECK_STATUS(spc_world_create(memory, 0, &desc, &world), SPC_ERROR_MEMORY_TOO_SMALL);
    for (i = 1; i < SPC_WORLD_ALIGNMENT; i++)
        CHECK_STATUS(spc_world_create(roomy + i, size, &desc, &world), SPC_ERROR_MEMORY_MISALIGNED);
    CHECK(world == NULL);
    CHECK(untouched(memory, size));
    CHECK(untouched(roomy, size + 16));
    CHECK_STATUS(spc_world_create(memory, size, &desc, &world), SPC_OK);
    CHECK((void *)world == (void *)memory);
    CHECK(spc_world_snapshot_size(world) == size);
    CHECK_STATUS(spc_step(world, STEP), SPC_OK);
    CHECK_STATUS(spc_world_create(roomy + SPC_WORLD_ALIGNMENT, size + 16 - SPC_WORLD_ALIGNMENT,
                                  &desc, &world),
                 SPC_OK);
    CHECK((void *)world == (void *)(roomy + SPC_WORLD_ALIGNMENT));
    CHECK(untouched(roomy, SPC_WORLD_ALIGNMENT));
    CHECK(untouched(roomy + SPC_WORLD_ALIGNMENT + size, 16 - SPC_WORLD_ALIGNMENT));
    free(memory);
    free(roomy);
}

static void a_copy_of_a_world_opens_and_goes_on_alike(void)
{
    size_t size;
    unsigned char *memory;
    spc_world *copy = NULL;
    int i;
    open_scene();
    size = spc_world_snapshot_size(s.world);
    memory = (unsigned char *)malloc(size);
    memcpy(memory, s.world, size);
    CHECK_STATUS(spc_world_open(memory, size, &copy), SPC_OK);
    CHECK((void *)copy == (void *)memory);
    CHECK(spc_world_hash(copy) == spc_world_hash(s.world));
    for (i = 0; i < 20; i++) {
        CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
        CHECK_STATUS(spc_step(copy, STEP), SPC_OK);
        CHECK(spc_world_hash(copy) == spc_world_hash(s.world));
    }
    free(memory);
    close_scene();
}

static void what_is_no_world_does_not_open(void)
{
    const spc_world_desc desc = spc_world_desc_default(3, 3);
    const size_t size = spc_world_size(&desc);
    unsigned char *memory = (unsigned char *)malloc(size),
                  *roomy = (unsigned char *)malloc(size + 8);
    spc_world *made = NULL, *world = NULL;
    size_t i;
    CHECK(memory != NULL && roomy != NULL);
    memset(memory, 0, size);
    CHECK_STATUS(spc_world_open(memory, size, &world), SPC_ERROR_NOT_A_WORLD);
    memset(memory, 0xFF, size);
    CHECK_STATUS(spc_world_open(memory, size, &world), SPC_ERROR_NOT_A_WORLD);
    for (i = 0; i < size; i++)
        memory[i] = (unsigned char)(i * 37 + 11);
    CHECK_STATUS(spc_world_open(memory, size, &world), SPC_ERROR_NOT_A_WORLD);
    CHECK_STATUS(spc_world_create(memory, size, &desc, &made), SPC_OK);
    CHECK_STATUS(spc_world_open(NULL, size, &world), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_open(memory, size, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_open(memory, 0, &world), SPC_ERROR_MEMORY_TOO_SMALL);
    for (i = 8; i <= 64; i += 8) { /* less than what is looked at behind the head of 16 bytes */
        unsigned char *scrap = (unsigned char *)malloc(i);
        CHECK(scrap != NULL);
        memset(scrap, 0, i);
        CHECK_STATUS(spc_world_open(scrap, i, &world),
                     i < HEAD ? SPC_ERROR_MEMORY_TOO_SMALL : SPC_ERROR_NOT_A_WORLD);
        memcpy(scrap, memory, i);
        CHECK_STATUS(spc_world_open(scrap, i, &world), SPC_ERROR_MEMORY_TOO_SMALL);
        free(scrap);
    }
    CHECK_STATUS(spc_world_open(memory, size - 1, &world), SPC_ERROR_MEMORY_TOO_SMALL);
    for (i = 1; i < SPC_WORLD_ALIGNMENT; i++) {
        memcpy(roomy + i, memory, size);
        CHECK_STATUS(spc_world_open(roomy + i, size, &world), SPC_ERROR_MEMORY_MISALIGNED);
    }
    CHECK(world == NULL);
    CHECK_STATUS(spc_world_open(memory, size + 100, &world), SPC_OK);
    CHECK(world == made);
    free(memory);
    free(roomy);
}

/* A world's first bytes: mark, version, sizes of a real and of a pointer, byte order, layout. */
static void the_head_tells_what_build_a_world_is_of(void)
{
    const spc_world_desc desc = spc_world_desc_default(3, 3);
    const size_t size = spc_world_size(&desc);
    const unsigned one = 1;
    unsigned char *memory = (unsigned char *)malloc(size);
    spc_world *made = NULL, *world = NULL;
    int i, bit;
    CHECK_STATUS(spc_world_create(memory, size, &desc, &made), SPC_OK);
    CHECK(memcmp(memory, "SPCW", 4) == 0);
    CHECK(memory[4] == SPHERECONTACT_VERSION_MAJOR && memory[5] == SPHERECONTACT_VERSION_MINOR &&
          memory[6] == SPHERECONTACT_VERSION_PATCH);
    CHECK(memory[7] == sizeof(spc_real));
    CHECK(memory[8] == sizeof(void *));
    CHECK(memory[9] == *(const unsigned char *)&one);
    for (i = 0; i < HEAD; i++)
        for (bit = 0; bit < 8; bit++) {
            memory[i] = (unsigned char)(memory[i] ^ 1 << bit);
            CHECK_STATUS(spc_world_open(memory, size, &world), SPC_ERROR_NOT_A_WORLD);
            CHECK(world == NULL);
            memory[i] = (unsigned char)(memory[i] ^ 1 << bit);
        }
    CHECK_STATUS(spc_world_open(memory, size, &world), SPC_OK);
    CHECK(world == made);
    free(memory);
}

/* Behind the head come capacities, counts and offsets, all within 512 bytes. Whatever a byte there
   says: a world that opens lies within its memory, and so does what asking it reads. */
static void no_count_leads_out_of_the_memory(void)
{
    static const unsigned char values[] = { 0x00, 0x01, 0x7F, 0x80, 0xFF };
    size_t size, i, k;
    unsigned char *memory, *kept;
    spc_world *world = NULL;
    int refusals = 0;
    open_scene();
    CHECK_STATUS(spc_body_remove(s.world, s.body[SPARE]), SPC_OK); /* lists of what is free */
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[SWITCHED_OFF]), SPC_OK);
    size = spc_world_snapshot_size(s.world);
    memory = (unsigned char *)malloc(size);
    kept = (unsigned char *)malloc(size);
    for (i = HEAD; i < 512; i++)
        for (k = 0; k < sizeof values; k++) {
            memcpy(memory, s.world, size);
            memory[i] = values[k];
            memcpy(kept, memory, size);
            world = NULL;
            if (spc_world_open(memory, size, &world)) {
                CHECK(world == NULL);
                refusals++;
            } else {
                spc_body body = { 8, 1 };
                CHECK(spc_world_snapshot_size(world) == size);
                (void)spc_world_hash(world);
                (void)spc_body_exists(world, body);
            }
            CHECK(is_bits(kept, memory, size));
        }
    /* at least the high bytes of 9 counts, each of which is out of range as 0x7F and as 0x80 */
    CHECK(refusals >= 18);
    free(memory);
    free(kept);
    close_scene();
}

/* All offsets and sizes behind the head follow from the capacities, and counts are within them: a
   number of 4 bytes that is one of these, or a half of it, and is increased by 8, is refused. */
static void no_offset_may_move(void)
{
    spc_world *world = NULL;
    size_t size, i;
    int refusals = 0;
    unsigned char *memory;
    open_scene();
    size = spc_world_snapshot_size(s.world);
    memory = (unsigned char *)malloc(size);
    for (i = HEAD; i < 512; i += sizeof(unsigned)) {
        unsigned word;
        memcpy(memory, s.world, size);
        memcpy(&word, memory + i, sizeof word);
        word += 8;
        memcpy(memory + i, &word, sizeof word);
        refusals += spc_world_open(memory, size, &world) != SPC_OK;
    }
    CHECK(refusals >= (int)(17 * sizeof(size_t) / sizeof(unsigned)) + 8); /* offsets, counts */
    free(memory);
    close_scene();
}

/* --------------------------------------------------------------------- NULL pointers -------- */

static void without_a_world_nothing_is_done(void)
{
    spc_world_report report;
    spc_body body, out_body;
    spc_constraint constraint, out_constraint;
    spc_state state;
    spc_spatial spatial = spc_spatial_make(zero, zero);
    spc_mass mass = spc_mass_solid_sphere(1, 1);
    spc_body_desc body_desc = spc_body_desc_default();
    spc_sphere_on_plane_desc desc = spc_sphere_on_plane_desc_default();
    spc_sphere_on_plane shape = desc.shape;
    spc_stabilization stabilization = spc_stabilization_default();
    spc_constraint_info info;
    spc_rows rows;
    spc_real numbers[SPC_MAX_ROWS];
    spc_contact_force force;
    spc_energy_momentum momentum;
    open_scene();
    body = s.body[BALL];
    constraint = s.constraint[ON_GROUND];
    body_desc.mass = mass;
    CHECK(spc_world_snapshot_size(NULL) == 0);
    CHECK(spc_world_hash(NULL) == 0);
    CHECK(spc_world_row_count(NULL) == 0);
    CHECK_NEAR(spc_world_time(NULL), 0, 0);
    CHECK_NEAR(spc_norm(spc_world_gravity(NULL)), 0, 0);
    CHECK(!spc_body_exists(NULL, body) && !spc_body_exists(NULL, ground));
    CHECK(!spc_constraint_exists(NULL, constraint));
    CHECK_STATUS(spc_world_set_gravity(NULL, zero), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_set_time(NULL, 0), SPC_ERROR_NULL);
    REFUSED_OUT(spc_body_add(NULL, &body_desc, &out_body), SPC_ERROR_NULL, out_body);
    CHECK_STATUS(spc_body_remove(NULL, body), SPC_ERROR_NULL);
    REFUSED_OUT(spc_body_get_state(NULL, body, &state), SPC_ERROR_NULL, state);
    REFUSED_OUT(spc_body_get_acceleration(NULL, body, &spatial), SPC_ERROR_NULL, spatial);
    CHECK_STATUS(spc_body_set_pose(NULL, body, spc_transform_identity()), SPC_ERROR_NULL);
    CHECK_STATUS(spc_body_set_velocity(NULL, body, spc_spatial_make(zero, zero)), SPC_ERROR_NULL);
    CHECK_STATUS(spc_body_set_acceleration(NULL, body, spc_spatial_make(zero, zero)),
                 SPC_ERROR_NULL);
    CHECK_STATUS(spc_body_move_to(NULL, body, spc_transform_identity(), 1), SPC_ERROR_NULL);
    CHECK_STATUS(spc_body_set_mass(NULL, body, &mass), SPC_ERROR_NULL);
    REFUSED_OUT(spc_body_get_mass(NULL, body, &mass), SPC_ERROR_NULL, mass);
    CHECK_STATUS(spc_body_add_force(NULL, body, zero, zero, SPC_LASTING), SPC_ERROR_NULL);
    CHECK_STATUS(spc_body_add_torque(NULL, body, zero, SPC_LASTING), SPC_ERROR_NULL);
    CHECK_STATUS(spc_body_clear_forces(NULL, body), SPC_ERROR_NULL);
    REFUSED_OUT(spc_sphere_on_plane_add(NULL, &desc, &out_constraint), SPC_ERROR_NULL,
                out_constraint);
    REFUSED_OUT(spc_sphere_on_plane_get(NULL, constraint, &shape), SPC_ERROR_NULL, shape);
    CHECK_STATUS(spc_sphere_on_plane_set(NULL, constraint, &desc.shape), SPC_ERROR_NULL);
    CHECK_STATUS(spc_constraint_remove(NULL, constraint), SPC_ERROR_NULL);
    CHECK_STATUS(spc_constraint_set_enabled(NULL, constraint, false), SPC_ERROR_NULL);
    CHECK_STATUS(spc_constraint_set_conditional(NULL, constraint, true), SPC_ERROR_NULL);
    CHECK_STATUS(spc_constraint_set_name(NULL, constraint, "name"), SPC_ERROR_NULL);
    CHECK_STATUS(spc_constraint_set_stabilization(NULL, constraint, &stabilization),
                 SPC_ERROR_NULL);
    REFUSED_OUT(spc_constraint_get_stabilization(NULL, constraint, &stabilization), SPC_ERROR_NULL,
                stabilization);
    REFUSED_OUT(spc_constraint_get_info(NULL, constraint, &info), SPC_ERROR_NULL, info);
    REFUSED_OUT(spc_constraint_get_rows(NULL, constraint, &rows), SPC_ERROR_NULL, rows);
    REFUSED_OUT(spc_constraint_get_multipliers(NULL, constraint, numbers), SPC_ERROR_NULL, numbers);
    REFUSED_OUT(spc_constraint_get_acceleration_errors(NULL, constraint, numbers), SPC_ERROR_NULL,
                numbers);
    REFUSED_OUT(spc_constraint_get_forces(NULL, constraint, &force), SPC_ERROR_NULL, force);
    CHECK_STATUS(spc_world_forward_dynamics(NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_step(NULL, STEP), SPC_ERROR_NULL);
    CHECK_STATUS(spc_step_rk4(NULL, STEP, SPC_DRIFT_STABILIZE), SPC_ERROR_NULL);
    REFUSED_OUT(spc_world_assemble(NULL, STEP, numbers), SPC_ERROR_NULL, numbers);
    REFUSED_OUT(spc_world_apply_impulses(NULL, NULL, numbers, 0), SPC_ERROR_NULL, numbers);
    CHECK_STATUS(spc_world_project_velocities(NULL), SPC_ERROR_NULL);
    REFUSED_OUT(spc_world_get_report(NULL, &report), SPC_ERROR_NULL, report);
    REFUSED_OUT(spc_world_free_motion(NULL, STEP, numbers, numbers, 0), SPC_ERROR_NULL, numbers);
    REFUSED_OUT(spc_world_get_violation(NULL, STEP, NULL, numbers, 0), SPC_ERROR_NULL, numbers);
    REFUSED_OUT(spc_world_get_position_violation(NULL, NULL, numbers, 0), SPC_ERROR_NULL, numbers);
    REFUSED_OUT(spc_world_get_compliance(NULL, STEP, NULL, 0, numbers, 0), SPC_ERROR_NULL, numbers);
    CHECK_STATUS(spc_world_correct(NULL, STEP, numbers, 0), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_displace(NULL, STEP, numbers, 0), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_end_motion(NULL, STEP), SPC_ERROR_NULL);
    REFUSED_OUT(spc_world_get_energy_momentum(NULL, &momentum), SPC_ERROR_NULL, momentum);
    close_scene();
}

static void without_the_other_pointers_nothing_is_done(void)
{
    const spc_body_desc body_desc = spc_body_desc_default();
    spc_sphere_on_plane_desc desc;
    spc_body body;
    spc_constraint constraint;
    open_scene();
    desc = contact_of(ground, s.body[SPARE]);
    REFUSED_OUT(spc_body_add(s.world, NULL, &body), SPC_ERROR_NULL, body);
    REFUSED(spc_body_add(s.world, &body_desc, NULL), SPC_ERROR_NULL);
    REFUSED(spc_body_get_state(s.world, s.body[BALL], NULL), SPC_ERROR_NULL);
    REFUSED(spc_body_get_acceleration(s.world, s.body[BALL], NULL), SPC_ERROR_NULL);
    REFUSED(spc_body_get_mass(s.world, s.body[BALL], NULL), SPC_ERROR_NULL);
    REFUSED(spc_body_set_mass(s.world, s.body[BALL], NULL), SPC_ERROR_NULL);
    REFUSED_OUT(spc_sphere_on_plane_add(s.world, NULL, &constraint), SPC_ERROR_NULL, constraint);
    REFUSED(spc_sphere_on_plane_add(s.world, &desc, NULL), SPC_ERROR_NULL);
    constraint = s.constraint[ON_GROUND];
    REFUSED(spc_sphere_on_plane_get(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_sphere_on_plane_set(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_constraint_get_stabilization(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_constraint_set_stabilization(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_constraint_get_info(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_constraint_get_rows(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_constraint_get_multipliers(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_constraint_get_acceleration_errors(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_constraint_get_forces(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_world_get_energy_momentum(s.world, NULL), SPC_ERROR_NULL);
    REFUSED(spc_world_get_report(s.world, NULL), SPC_ERROR_NULL);
    REFUSED(spc_world_get_violation(s.world, STEP, NULL, NULL, 9), SPC_ERROR_NULL);
    REFUSED(spc_world_get_position_violation(s.world, NULL, NULL, 9), SPC_ERROR_NULL);
    REFUSED(spc_world_get_compliance(s.world, STEP, NULL, 0, NULL, 9), SPC_ERROR_NULL);
    REFUSED(spc_world_correct(s.world, STEP, NULL, 9), SPC_ERROR_NULL);
    REFUSED(spc_world_displace(s.world, STEP, NULL, 9), SPC_ERROR_NULL);
    close_scene();
}

static void rolling_discs_need_all_pointers(void)
{
    spc_rolling_disc_desc desc;
    spc_rolling_disc shape;
    spc_disc_contact contact;
    spc_constraint constraint;
    open_scene();
    desc = disc_of(ground, s.body[SPARE]);
    REFUSED_OUT(spc_rolling_disc_add(NULL, &desc, &constraint), SPC_ERROR_NULL, constraint);
    REFUSED_OUT(spc_rolling_disc_add(s.world, NULL, &constraint), SPC_ERROR_NULL, constraint);
    REFUSED(spc_rolling_disc_add(s.world, &desc, NULL), SPC_ERROR_NULL);
    constraint = s.constraint[WHEELING];
    REFUSED_OUT(spc_rolling_disc_get(NULL, constraint, &shape), SPC_ERROR_NULL, shape);
    REFUSED(spc_rolling_disc_get(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_rolling_disc_set(NULL, constraint, &desc.shape), SPC_ERROR_NULL);
    REFUSED(spc_rolling_disc_set(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED_OUT(spc_rolling_disc_get_contact(NULL, constraint, &contact), SPC_ERROR_NULL, contact);
    REFUSED(spc_rolling_disc_get_contact(s.world, constraint, NULL), SPC_ERROR_NULL);
    close_scene();
}

static void spheres_on_spheres_need_all_pointers(void)
{
    spc_sphere_on_sphere_desc desc;
    spc_sphere_on_sphere shape;
    spc_constraint constraint;
    open_scene();
    desc = spheres_of(ground, s.body[SPARE]);
    REFUSED_OUT(spc_sphere_on_sphere_add(NULL, &desc, &constraint), SPC_ERROR_NULL, constraint);
    REFUSED_OUT(spc_sphere_on_sphere_add(s.world, NULL, &constraint), SPC_ERROR_NULL, constraint);
    REFUSED(spc_sphere_on_sphere_add(s.world, &desc, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_sphere_on_sphere_add(s.world, &desc, &constraint), SPC_OK);
    mark();
    REFUSED_OUT(spc_sphere_on_sphere_get(NULL, constraint, &shape), SPC_ERROR_NULL, shape);
    REFUSED(spc_sphere_on_sphere_get(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_sphere_on_sphere_set(NULL, constraint, &desc.shape), SPC_ERROR_NULL);
    REFUSED(spc_sphere_on_sphere_set(s.world, constraint, NULL), SPC_ERROR_NULL);
    close_scene();
}

/* --------------------------------------------------------------------------- handles -------- */

/* Every call with a body's handle refuses one that is stale. */
static void check_stale_body(spc_body body)
{
    const spc_spatial rest = spc_spatial_make(zero, zero);
    const spc_mass good = spc_mass_solid_sphere(1, 1);
    spc_constraint constraint;
    spc_state state;
    spc_spatial spatial;
    spc_mass mass;
    int k;
    mark();
    CHECK(!spc_body_exists(s.world, body));
    REFUSED(spc_body_remove(s.world, body), SPC_ERROR_STALE_BODY);
    REFUSED_OUT(spc_body_get_state(s.world, body, &state), SPC_ERROR_STALE_BODY, state);
    REFUSED_OUT(spc_body_get_acceleration(s.world, body, &spatial), SPC_ERROR_STALE_BODY, spatial);
    REFUSED(spc_body_set_pose(s.world, body, spc_transform_identity()), SPC_ERROR_STALE_BODY);
    REFUSED(spc_body_set_velocity(s.world, body, rest), SPC_ERROR_STALE_BODY);
    REFUSED(spc_body_set_acceleration(s.world, body, rest), SPC_ERROR_STALE_BODY);
    REFUSED(spc_body_move_to(s.world, body, spc_transform_identity(), 1), SPC_ERROR_STALE_BODY);
    REFUSED_OUT(spc_body_get_mass(s.world, body, &mass), SPC_ERROR_STALE_BODY, mass);
    REFUSED(spc_body_set_mass(s.world, body, &good), SPC_ERROR_STALE_BODY);
    REFUSED(spc_body_add_force(s.world, body, zero, zero, SPC_ONE_STEP), SPC_ERROR_STALE_BODY);
    REFUSED(spc_body_add_torque(s.world, body, zero, SPC_LASTING), SPC_ERROR_STALE_BODY);
    REFUSED(spc_body_clear_forces(s.world, body), SPC_ERROR_STALE_BODY);
    for (k = 0; k < KINDS; k++) { /* at either end */
        REFUSED_OUT(try_add(kinds[k], body, s.body[SPARE], NULL, &constraint), SPC_ERROR_STALE_BODY,
                    constraint);
        REFUSED_OUT(try_add(kinds[k], ground, body, NULL, &constraint), SPC_ERROR_STALE_BODY,
                    constraint);
    }
}

static void check_stale_disc(spc_constraint c)
{
    const spc_rolling_disc good = disc_of(ground, ground).shape;
    spc_rolling_disc shape;
    spc_disc_contact contact;
    REFUSED_OUT(spc_rolling_disc_get(s.world, c, &shape), SPC_ERROR_STALE_CONSTRAINT, shape);
    REFUSED(spc_rolling_disc_set(s.world, c, &good), SPC_ERROR_STALE_CONSTRAINT);
    REFUSED_OUT(spc_rolling_disc_get_contact(s.world, c, &contact), SPC_ERROR_STALE_CONSTRAINT,
                contact);
}

static void check_stale_spheres(spc_constraint c)
{
    const spc_sphere_on_sphere good = spheres_of(ground, ground).shape;
    spc_sphere_on_sphere shape;
    REFUSED_OUT(spc_sphere_on_sphere_get(s.world, c, &shape), SPC_ERROR_STALE_CONSTRAINT, shape);
    REFUSED(spc_sphere_on_sphere_set(s.world, c, &good), SPC_ERROR_STALE_CONSTRAINT);
}

static void check_stale_constraint(spc_constraint c)
{
    const spc_stabilization good = spc_stabilization_default();
    spc_sphere_on_plane round = spc_sphere_on_plane_default(), shape;
    spc_stabilization stabilization;
    spc_constraint_info info;
    spc_rows rows;
    spc_real numbers[SPC_MAX_ROWS];
    spc_contact_force force;
    round.radius = 1;
    mark();
    CHECK(!spc_constraint_exists(s.world, c));
    REFUSED_OUT(spc_sphere_on_plane_get(s.world, c, &shape), SPC_ERROR_STALE_CONSTRAINT, shape);
    REFUSED(spc_sphere_on_plane_set(s.world, c, &round), SPC_ERROR_STALE_CONSTRAINT);
    check_stale_disc(c);
    check_stale_spheres(c);
    REFUSED(spc_constraint_remove(s.world, c), SPC_ERROR_STALE_CONSTRAINT);
    REFUSED(spc_constraint_set_enabled(s.world, c, true), SPC_ERROR_STALE_CONSTRAINT);
    REFUSED(spc_constraint_set_conditional(s.world, c, true), SPC_ERROR_STALE_CONSTRAINT);
    REFUSED(spc_constraint_set_name(s.world, c, "name"), SPC_ERROR_STALE_CONSTRAINT);
    REFUSED_OUT(spc_constraint_get_stabilization(s.world, c, &stabilization),
                SPC_ERROR_STALE_CONSTRAINT, stabilization);
    REFUSED(spc_constraint_set_stabilization(s.world, c, &good), SPC_ERROR_STALE_CONSTRAINT);
    REFUSED_OUT(spc_constraint_get_info(s.world, c, &info), SPC_ERROR_STALE_CONSTRAINT, info);
    REFUSED_OUT(spc_constraint_get_rows(s.world, c, &rows), SPC_ERROR_STALE_CONSTRAINT, rows);
    REFUSED_OUT(spc_constraint_get_multipliers(s.world, c, numbers), SPC_ERROR_STALE_CONSTRAINT,
                numbers);
    REFUSED_OUT(spc_constraint_get_acceleration_errors(s.world, c, numbers),
                SPC_ERROR_STALE_CONSTRAINT, numbers);
    REFUSED_OUT(spc_constraint_get_forces(s.world, c, &force), SPC_ERROR_STALE_CONSTRAINT, force);
}

static void handles_that_never_were_are_stale(void)
{
    const unsigned generations[4] = { 0, 1, 2, UINT_MAX };
    unsigned i;
    open_scene();
    for (i = 0; i < 4; i++) {
        spc_body body;
        spc_constraint constraint;
        constraint.generation = body.generation = generations[i];
        constraint.index = body.index = UINT_MAX;
        check_stale_body(body);
        check_stale_constraint(constraint);
        constraint.index = body.index = INT_MAX + 1u; /* is not the number of a slot less one */
        check_stale_body(body);
        check_stale_constraint(constraint);
        body.index = (unsigned)s.bodies + 1; /* a slot that is still unused */
        constraint.index = (unsigned)s.constraints + 1;
        check_stale_body(body);
        check_stale_constraint(constraint);
        constraint.index = 0; /* none */
        check_stale_constraint(constraint);
        body.index = 0; /* ground has one generation */
        if (generations[i] != 0)
            check_stale_body(body);
        body = s.body[BALL];
        constraint = s.constraint[ON_GROUND];
        body.generation += generations[i] + 1;
        constraint.generation += generations[i] + 1;
        if (generations[i] != UINT_MAX) {
            check_stale_body(body);
            check_stale_constraint(constraint);
        }
    }
    CHECK(spc_body_exists(s.world, ground));
    close_scene();
}

/* With a constraint of a kind in the place of one of the other. */
static void check_handles_of_removed(int k)
{
    spc_body old_body, new_body, free_slot;
    spc_constraint old, fresh, free_constraint;
    spc_body_desc body_desc = spc_body_desc_default();
    open_scene();
    body_desc.mass = spc_mass_solid_sphere(1, 1);
    old_body = s.body[k ? BALL : WHEEL];
    old = s.constraint[k ? ON_GROUND : WHEELING];
    CHECK_STATUS(spc_constraint_remove(s.world, old), SPC_OK);
    CHECK_STATUS(spc_body_remove(s.world, old_body), SPC_OK);
    check_stale_body(old_body);
    check_stale_constraint(old);
    free_slot = old_body, free_slot.generation++; /* as the free slot counts */
    free_constraint = old, free_constraint.generation++;
    check_stale_body(free_slot);
    check_stale_constraint(free_constraint);
    CHECK_STATUS(spc_body_add(s.world, &body_desc, &new_body), SPC_OK);
    CHECK_STATUS(try_add(kinds[k], ground, new_body, NULL, &fresh), SPC_OK);
    CHECK(new_body.index == old_body.index && new_body.generation != old_body.generation);
    CHECK(fresh.index == old.index && fresh.generation != old.generation);
    CHECK(spc_body_exists(s.world, new_body) && spc_constraint_exists(s.world, fresh));
    check_stale_body(old_body);
    check_stale_constraint(old);
    check_stale_body(free_slot);
    check_stale_constraint(free_constraint);
    close_scene();
}

static void handles_of_removed_objects_are_stale_for_ever(void)
{
    int k;
    for (k = 0; k < KINDS; k++)
        check_handles_of_removed(k);
}

/* A restored world knows nothing of what was made after the snapshot: handles from before name what
   they named, those from after nothing until something is made again, and that from then on. */
static void handles_from_after_a_snapshot_are_to_be_dropped(void)
{
    spc_body_desc kinematic = spc_body_desc_default();
    spc_constraint joined, again;
    spc_body after, next;
    spc_state state;
    size_t size;
    void *snapshot;
    kinematic.kind = SPC_KINEMATIC;
    open_scene();
    size = spc_world_snapshot_size(s.world);
    snapshot = malloc(size);
    memcpy(snapshot, s.world, size);
    kinematic.state.X_GB.p = vec(1, 0, 0);
    CHECK_STATUS(spc_body_add(s.world, &kinematic, &after), SPC_OK);
    CHECK_STATUS(try_add(SPC_SPHERE_ON_PLANE, after, s.body[SPARE], NULL, &joined), SPC_OK);
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[ON_GROUND]), SPC_OK);
    memcpy(s.world, snapshot, size);
    CHECK(spc_constraint_exists(s.world, s.constraint[ON_GROUND]));
    CHECK(!spc_body_exists(s.world, after));
    CHECK(!spc_constraint_exists(s.world, joined));
    CHECK_STATUS(spc_body_get_state(s.world, after, &state), SPC_ERROR_STALE_BODY);
    kinematic.state.X_GB.p = vec(2, 0, 0);
    CHECK_STATUS(spc_body_add(s.world, &kinematic, &next), SPC_OK);
    CHECK_STATUS(try_add(SPC_ATTACHMENT, next, s.body[SPARE], NULL, &again), SPC_OK);
    CHECK(SAME_BITS(after, next) && SAME_BITS(joined, again));
    CHECK_STATUS(spc_body_get_state(s.world, after, &state), SPC_OK);
    CHECK_NEAR(state.X_GB.p.x, 2, 0);
    free(snapshot);
    close_scene();
}

static void constraints_of_the_wrong_kind_are_refused(void)
{
    const spc_rolling_disc disc = disc_of(ground, ground).shape;
    const spc_sphere_on_plane sphere = contact_of(ground, ground).shape;
    const spc_status wanted = SPC_ERROR_WRONG_CONSTRAINT_KIND;
    const spc_attachment joint = spc_attachment_default();
    spc_rolling_disc got_disc;
    spc_sphere_on_plane got_sphere;
    const spc_sphere_on_sphere spheres = spheres_of(ground, ground).shape;
    spc_attachment got_joint;
    spc_sphere_on_sphere got_spheres;
    spc_disc_contact contact;
    int i;
    open_scene();
    for (i = ON_GROUND; i <= WHEELING; i++) {
        REFUSED_OUT(spc_attachment_get(s.world, s.constraint[i], &got_joint), wanted, got_joint);
        REFUSED(spc_attachment_set(s.world, s.constraint[i], &joint), wanted);
        REFUSED_OUT(spc_sphere_on_sphere_get(s.world, s.constraint[i], &got_spheres), wanted,
                    got_spheres);
        REFUSED(spc_sphere_on_sphere_set(s.world, s.constraint[i], &spheres), wanted);
    }
    for (i = ON_GROUND; i < WHEELING; i++) { /* enabled and disabled */
        REFUSED_OUT(spc_rolling_disc_get(s.world, s.constraint[i], &got_disc), wanted, got_disc);
        REFUSED(spc_rolling_disc_set(s.world, s.constraint[i], &disc), wanted);
        REFUSED_OUT(spc_rolling_disc_get_contact(s.world, s.constraint[i], &contact), wanted,
                    contact);
    }
    for (i = 0; i < 2; i++) {
        REFUSED_OUT(spc_sphere_on_plane_get(s.world, s.constraint[WHEELING], &got_sphere), wanted,
                    got_sphere);
        REFUSED(spc_sphere_on_plane_set(s.world, s.constraint[WHEELING], &sphere), wanted);
        CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[WHEELING], false), SPC_OK);
        mark();
    }
    close_scene();
}

static void a_body_that_is_gone_is_not_hashed(void)
{
    spc_body_desc heavy = spc_body_desc_default();
    spc_body body;
    unsigned long long hash;
    open_scene();
    heavy.mass = spc_mass_solid_sphere(1, 1);
    hash = spc_world_hash(s.world);
    CHECK_STATUS(spc_body_add(s.world, &heavy, &body), SPC_OK);
    CHECK(spc_world_hash(s.world) != hash);
    CHECK_STATUS(spc_body_remove(s.world, body), SPC_OK);
    CHECK(spc_world_hash(s.world) == hash);
    close_scene();
}

static void switching_to_what_is_already_so_changes_nothing(void)
{
    open_scene();
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[ON_GROUND], true), SPC_OK);
    CHECK(unchanged());
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[SWITCHED_OFF], false), SPC_OK);
    CHECK(unchanged());
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[WHEELING], true), SPC_OK);
    CHECK(unchanged());
    close_scene();
}

static void a_body_in_use_is_not_removed(void)
{
    open_scene();
    REFUSED(spc_body_remove(s.world, s.body[BALL]), SPC_ERROR_BODY_IN_USE);
    REFUSED(spc_body_remove(s.world, s.body[RIDER]), SPC_ERROR_BODY_IN_USE);
    REFUSED(spc_body_remove(s.world, s.body[TRAY]), SPC_ERROR_BODY_IN_USE); /* as a floor */
    REFUSED(spc_body_remove(s.world, s.body[WHEEL]), SPC_ERROR_BODY_IN_USE);
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[ON_TRAY]), SPC_OK);
    CHECK_STATUS(spc_body_remove(s.world, s.body[TRAY]), SPC_OK);
    mark();
    REFUSED(spc_body_remove(s.world, s.body[RIDER]),
            SPC_ERROR_BODY_IN_USE); /* by a disabled constraint */
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[SWITCHED_OFF]), SPC_OK);
    CHECK_STATUS(spc_body_remove(s.world, s.body[RIDER]), SPC_OK);
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    close_scene();
}

static void ground_cannot_be_moved_loaded_or_removed(void)
{
    const spc_spatial rest = spc_spatial_make(zero, zero);
    const spc_mass good = spc_mass_solid_sphere(1, 1);
    const spc_state still = spc_state_identity();
    spc_mass mass;
    spc_state state;
    spc_spatial A;
    open_scene();
    REFUSED(spc_body_remove(s.world, ground), SPC_ERROR_GROUND);
    REFUSED(spc_body_set_pose(s.world, ground, spc_transform_identity()), SPC_ERROR_GROUND);
    REFUSED(spc_body_set_velocity(s.world, ground, rest), SPC_ERROR_GROUND);
    REFUSED(spc_body_set_acceleration(s.world, ground, rest), SPC_ERROR_GROUND);
    REFUSED(spc_body_move_to(s.world, ground, spc_transform_identity(), 1), SPC_ERROR_GROUND);
    REFUSED_OUT(spc_body_get_mass(s.world, ground, &mass), SPC_ERROR_GROUND, mass);
    REFUSED(spc_body_set_mass(s.world, ground, &good), SPC_ERROR_GROUND);
    REFUSED(spc_body_add_force(s.world, ground, zero, zero, SPC_ONE_STEP), SPC_ERROR_GROUND);
    REFUSED(spc_body_add_torque(s.world, ground, zero, SPC_LASTING), SPC_ERROR_GROUND);
    REFUSED(spc_body_clear_forces(s.world, ground), SPC_ERROR_GROUND);
    CHECK_STATUS(spc_body_get_state(s.world, ground, &state), SPC_OK);
    CHECK(SAME_BITS(state, still));
    CHECK_STATUS(spc_body_get_acceleration(s.world, ground, &A), SPC_OK);
    CHECK(SAME_BITS(A, rest));
    close_scene();
}

static void bodies_of_the_wrong_kind_are_refused(void)
{
    const spc_spatial rest = spc_spatial_make(zero, zero);
    const spc_mass good = spc_mass_solid_sphere(1, 1);
    spc_mass mass;
    int i;
    open_scene();
    for (i = TRAY; i <= SWING; i++) { /* what is moved by others carries no forces */
        REFUSED_OUT(spc_body_get_mass(s.world, s.body[i], &mass), SPC_ERROR_WRONG_BODY_KIND, mass);
        REFUSED(spc_body_set_mass(s.world, s.body[i], &good), SPC_ERROR_WRONG_BODY_KIND);
        REFUSED(spc_body_add_force(s.world, s.body[i], zero, zero, SPC_LASTING),
                SPC_ERROR_WRONG_BODY_KIND);
        REFUSED(spc_body_add_torque(s.world, s.body[i], zero, SPC_LASTING),
                SPC_ERROR_WRONG_BODY_KIND);
        REFUSED(spc_body_clear_forces(s.world, s.body[i]), SPC_ERROR_WRONG_BODY_KIND);
    }
    REFUSED(spc_body_set_pose(s.world, s.body[SWING], spc_transform_identity()),
            SPC_ERROR_WRONG_BODY_KIND);
    REFUSED(spc_body_set_velocity(s.world, s.body[SWING], rest), SPC_ERROR_WRONG_BODY_KIND);
    REFUSED(spc_body_set_acceleration(s.world, s.body[SWING], rest), SPC_ERROR_WRONG_BODY_KIND);
    REFUSED(spc_body_set_acceleration(s.world, s.body[BALL], rest), SPC_ERROR_WRONG_BODY_KIND);
    REFUSED(spc_body_move_to(s.world, s.body[SWING], spc_transform_identity(), 1),
            SPC_ERROR_WRONG_BODY_KIND);
    REFUSED(spc_body_move_to(s.world, s.body[BALL], spc_transform_identity(), 1),
            SPC_ERROR_WRONG_BODY_KIND);
    close_scene();
}

static const test_entry tests[] = {
    TEST(bad_world_descriptions_are_refused),
    TEST(the_size_grows_linearly_with_each_count),
    TEST(memory_must_be_aligned_and_large_enough),
    TEST(a_copy_of_a_world_opens_and_goes_on_alike),
    TEST(what_is_no_world_does_not_open),
    TEST(the_head_tells_what_build_a_world_is_of),
    TEST(no_count_leads_out_of_the_memory),
    TEST(no_offset_may_move),
    TEST(without_a_world_nothing_is_done),
    TEST(without_the_other_pointers_nothing_is_done),
    TEST(rolling_discs_need_all_pointers),
    TEST(spheres_on_spheres_need_all_pointers),
    TEST(handles_that_never_were_are_stale),
    TEST(handles_of_removed_objects_are_stale_for_ever),
    TEST(handles_from_after_a_snapshot_are_to_be_dropped),
    TEST(constraints_of_the_wrong_kind_are_refused),
    TEST(a_body_that_is_gone_is_not_hashed),
    TEST(switching_to_what_is_already_so_changes_nothing),
    TEST(a_body_in_use_is_not_removed),
    TEST(ground_cannot_be_moved_loaded_or_removed),
    TEST(bodies_of_the_wrong_kind_are_refused),
};

TEST_MAIN
