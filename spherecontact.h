/* spherecontact.h - v0.11.0 - balls, wheels and coins that truly roll, in one C file
   SPDX-License-Identifier: MIT OR Unlicense

   For games, robots and notebooks: the rolling constraints that most physics engines leave out. A
   sphere or a disc is held on a plane, or a sphere on or in a sphere, which may move, and rolls
   without slip or slides without friction; joints hold bodies together. Beside them errors,
   multipliers, forces and power, and around them bodies, stabilization, time steps and a constraint
   solver, sparse, or dense for coordinates of your own. No dependency, no allocation, no hidden
   state.

   QUICK START (compiles as pasted: cc ball.c -lm)

       #define SPHERECONTACT_IMPLEMENTATION      // in exactly one source file
       #include "spherecontact.h"
       #include <stdio.h>

       int main(void)
       {
           static double memory[800];                           // the world's: nothing is allocated
           spc_world_desc desc = spc_world_desc_default(1, 1);  // one body, one constraint
           spc_ball_desc ball = spc_ball_desc_default();        // on the ground, z = 0
           spc_world *world = NULL;
           spc_body body = { 0, 0 };

           desc.gravity = spc_vec3_make(1, 0, -9.81);           // a slope: 1 m/s^2 of it along x
           ball.mass = spc_mass_solid_sphere(1, ball.radius = 0.1);
           spc_status status = spc_world_create(memory, sizeof memory, &desc, &world);
           spc_status_keep(&status, spc_ball_add(world, &ball, &body, NULL));
           for (int i = 0; i < 60; i++) spc_status_keep(&status, spc_step(world, 1.0 / 60));
           printf("x = %.6f m after 1 s\n", spc_body_position(world, body).x);
           return status ? (puts(spc_status_text(status)), 1) : 0;  // x = 0.357143 m after 1 s
       }

   A ball that slides comes 1/2 m far in this time; one that rolls 5/7 of that, since it must turn,
   too. The implementation takes gcc and clang some 10 s to compile at -O2, below 2 s at -O0; the
   declarations take next to nothing. So put it into a file of its own, of two lines:

       #define SPHERECONTACT_IMPLEMENTATION
       #include "spherecontact.h"

   TABLE OF CONTENTS (search for the tag)

       [0]    FRONT PAGE
       [1]    CONFIGURATION
       [2]    MATH
       [3]    BODIES
       [4]    CONSTRAINT KERNELS
       [4.1]  SPHERE ON PLANE
       [4.2]  ROLLING DISC
       [4.3]  ATTACHMENT
       [4.4]  SPHERE ON SPHERE
       [5]    STABILIZATION
       [5.1]  CONTACT LAW
       [6]    SOLVER
       [7]    WORLD
       [7.1]  WORLD: BODIES
       [7.2]  WORLD: CONSTRAINTS
       [7.3]  WORLD: MOTION
       [7.4]  WORLD: DRAWING
       [7.5]  WORLD: STATES
       [2i]   MATH, IMPLEMENTATION
       [3i]   BODIES, IMPLEMENTATION
       [4i]   CONSTRAINT KERNELS, IMPLEMENTATION
       [4i.1] SPHERE ON PLANE, IMPLEMENTATION
       [4i.2] ROLLING DISC, IMPLEMENTATION
       [4i.3] ATTACHMENT, IMPLEMENTATION
       [4i.4] SPHERE ON SPHERE, IMPLEMENTATION
       [4i.9] TABLE OF KINDS
       [5i]   STABILIZATION, IMPLEMENTATION
       [5i.1] CONTACT LAW, IMPLEMENTATION
       [6i]   SOLVER, IMPLEMENTATION
       [6i.1] SOLVER: STRUCTURE
       [6i.2] SOLVER: NUMBERS
       [6i.3] SOLVER: DENSE
       [6i.4] SOLVER: CONTACTS
       [7i]   WORLD, IMPLEMENTATION
       [7i.1] WORLD: BODIES, IMPLEMENTATION
       [7i.2] WORLD: CONSTRAINTS, IMPLEMENTATION
       [7i.3] WORLD: MOTION, IMPLEMENTATION
       [7i.4] WORLD: DRAWING, IMPLEMENTATION
       [7i.5] WORLD: STATES, IMPLEMENTATION
       [8]    HISTORY AND LICENSE
*/
#ifndef SPHERECONTACT_H
#define SPHERECONTACT_H

/* ======================================================================== [0] FRONT PAGE ====== */
/*
   CONVENTIONS

   - Right handed; SI units (m, kg, s, N, rad); any consistent set of units works. Units that differ
     by powers of two give the same motion to the last digit.
   - Frames: G ground, F floor body, B ball or disc body, P plane, J1 a disc's joint frame; of two
     spheres A and B the bodies; of an attachment, too, with F the frame on A, M the frame on B.
     Points: S centre of sphere or disc, C contact point, Bo origin of B, Bc its centre of mass.
   - X_AB maps B coordinates to A's: p_A = R_AB p_B + p_AB. Quaternions are (w, x, y, z), unit, body
     to parent. p_AB goes from A's origin to B's, expressed in A; p_BS_G is p_BS expressed in G.
   - A spatial vector is (angular, linear). Velocity, acceleration and force of a body are at its
     origin Bo, expressed in G: force.angular is the torque about Bo.
   - The plane's normal is the z axis Pz of its frame P. A sphere has rows in the order x y z
     of P: two tangential (rolling) rows and the normal one; on a sphere it has x y n; a disc in the
     order lateral, longitudinal, normal; an attachment tx ty tz rx ry rz along and about the axes
     of F.
   - A multiplier is the opposite of the force on body B (the ball, the disc) along its row
     (Simbody's sign).
   - All contact forces act at C, the lowest point of sphere or disc over the plane, on both bodies,
     whether or not C lies in the plane. [4.4] says where C is between two spheres.
   - Ground is body 0, always there, fixed; a zeroed spc_body names it.

   ERRORS

   Calls that can fail return spc_status; SPC_OK is 0: the call has done its work. Every other code
   is positive and refuses: the call leaves its outputs and the world as they were. Nothing is
   printed, nothing aborts. Constraints that contradict each other are no error: they are met by
   least squares, and spc_world_get_report tells. What does not converge is an error.

   WHAT IT DOES NOT DO

   Collision detection, meshes. A contact is a constraint that you declare, and holds in both
   directions unless it is one_sided: then it presses, slips, rolls and bounces by a law, [5.1], and
   lets go. A disc has no width: a coin that has one is two of them, [4.2]. -ffast-math is refused:
   the checks for NaN and infinity need IEEE arithmetic.
*/

/* ===================================================================== [1] CONFIGURATION ====== */
/*
   SPHERECONTACT_IMPLEMENTATION  define in exactly one source file: the code is compiled there.
   SPHERECONTACT_STATIC          define with the above, in as many files as you like: each gets a
                                 private copy, no symbol is exported.
   SPC_USE_FLOAT                 single precision. Functions and structs have other names for the
                                 linker: files that call each other must agree, or they do not
                                 link; files that do not may differ. Not with tcc up to 0.9.27,
                                 which loses floats across calls.
   SPC_SQRT(x)                   square root for spc_real; default: sqrt of <math.h>. With it
                                 defined the object needs no C library, but for calls of memcpy and
                                 memset that a compiler makes of copies of structs (clang at -O0;
                                 gcc for ARM; neither for x86-64 from -O1 on).
   SPC_ASSERT(x)                 check for mistakes inside the library; default: off.
   SPC_API                       linkage of the public functions, for example
                                 __declspec(dllexport); default: extern. In C++ it is that of C in
                                 any case. Not together with SPHERECONTACT_STATIC.

   The first inclusion in a file decides: SPC_USE_FLOAT and SPHERECONTACT_STATIC must be the same at
   the others.

   Compilers: C99 or C++, with IEEE arithmetic. What macros tell of is refused here: C89, fast math,
   numbers with excess digits (give -msse2 -mfpmath=sse for 32-bit x86), a double of 4 bytes (define
   SPC_USE_FLOAT), an int of 2. What no macro tells of spc_arithmetic_is_ieee finds when the program
   runs: clang's -ffp-contract=fast, Intel's default (give -fp-model=precise), denormal numbers that
   are flushed to zero.
*/
#define SPHERECONTACT_VERSION_MAJOR 0
#define SPHERECONTACT_VERSION_MINOR 11
#define SPHERECONTACT_VERSION_PATCH 0

/* What cannot be compiled is refused by one sentence. */
#if !defined(__cplusplus) && !defined(_MSC_VER) && \
    (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L)
#define SPCI_REFUSED
#error "spherecontact.h needs C99 or later: give -std=c99"
#elif defined(_MSC_VER) && _MSC_VER < 1900
#define SPCI_REFUSED
#error "spherecontact.h needs Visual Studio 2015 or later"
#elif defined(__FAST_MATH__) || defined(_M_FP_FAST) || defined(__ASSOCIATIVE_MATH__) || \
    defined(__RECIPROCAL_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
#define SPCI_REFUSED
#error "spherecontact.h needs IEEE arithmetic: leave out -ffast-math, /fp:fast and their parts"
#elif (defined(__FLT_EVAL_METHOD__) && (__FLT_EVAL_METHOD__ == 2 || __FLT_EVAL_METHOD__ < 0)) || \
    (defined(_M_IX86_FP) && _M_IX86_FP < 2) || (defined(__TINYC__) && defined(__i386__))
#define SPCI_REFUSED
#error "spherecontact.h needs numbers without excess digits: give -msse2 -mfpmath=sse, /arch:SSE2"
#elif defined(__SIZEOF_DOUBLE__) && __SIZEOF_DOUBLE__ < 8 && !defined(SPC_USE_FLOAT)
#define SPCI_REFUSED
#error "spherecontact.h needs a double of 8 bytes: define SPC_USE_FLOAT, or give -mdouble=64"
#elif defined(__SIZEOF_INT__) && __SIZEOF_INT__ < 4
#define SPCI_REFUSED
#error "spherecontact.h needs an int of 4 bytes"
#elif defined(__TINYC__) && __TINYC__ <= 927 && defined(SPC_USE_FLOAT)
#define SPCI_REFUSED
#error "this version of tcc computes wrongly with structs of floats: leave out SPC_USE_FLOAT"
#elif defined(SPHERECONTACT_STATIC) && defined(SPC_API)
#define SPCI_REFUSED
#error "SPHERECONTACT_STATIC and SPC_API both say what linkage functions have: define one of them"
#endif

#ifndef SPCI_REFUSED

#include <stdbool.h>
#include <stddef.h>

#ifdef SPHERECONTACT_STATIC
#define SPCI_STATIC
#define SPC_API static inline
#elif !defined(SPC_API)
#define SPC_API extern
#endif

/* The real number type, and a literal of that type. */
#ifdef SPC_USE_FLOAT
#define SPCI_FLOAT
typedef float spc_real;
#else
typedef double spc_real;
#endif
#define SPC_R(x) ((spc_real)(x))

/* Single precision has other names: of functions, so that mixing precisions is a link error, and of
   structs, so that C++ takes them for other types and both can live in one program. */
#ifdef SPC_USE_FLOAT
#define spc_arithmetic_is_ieee spc_arithmetic_is_ieee_f
#define spc_attachment spc_attachment_f
#define spc_attachment_add spc_attachment_add_f
#define spc_attachment_at spc_attachment_at_f
#define spc_attachment_check spc_attachment_check_f
#define spc_attachment_default spc_attachment_default_f
#define spc_attachment_desc spc_attachment_desc_f
#define spc_attachment_desc_default spc_attachment_desc_default_f
#define spc_attachment_get spc_attachment_get_f
#define spc_attachment_rows spc_attachment_rows_f
#define spc_attachment_set spc_attachment_set_f
#define spc_ball_add spc_ball_add_f
#define spc_ball_desc spc_ball_desc_f
#define spc_ball_desc_default spc_ball_desc_default_f
#define spc_body spc_body_f
#define spc_body_add spc_body_add_f
#define spc_body_add_force spc_body_add_force_f
#define spc_body_add_torque spc_body_add_torque_f
#define spc_body_clear_forces spc_body_clear_forces_f
#define spc_body_desc spc_body_desc_f
#define spc_body_desc_default spc_body_desc_default_f
#define spc_body_exists spc_body_exists_f
#define spc_body_find_id spc_body_find_id_f
#define spc_body_get_acceleration spc_body_get_acceleration_f
#define spc_body_get_id spc_body_get_id_f
#define spc_body_get_mass spc_body_get_mass_f
#define spc_body_get_state spc_body_get_state_f
#define spc_body_move_to spc_body_move_to_f
#define spc_body_next spc_body_next_f
#define spc_body_position spc_body_position_f
#define spc_body_remove spc_body_remove_f
#define spc_body_set_acceleration spc_body_set_acceleration_f
#define spc_body_set_id spc_body_set_id_f
#define spc_body_set_mass spc_body_set_mass_f
#define spc_body_set_pose spc_body_set_pose_f
#define spc_body_set_velocity spc_body_set_velocity_f
#define spc_color spc_color_f
#define spc_constraint spc_constraint_f
#define spc_constraint_add_baumgarte spc_constraint_add_baumgarte_f
#define spc_constraint_exists spc_constraint_exists_f
#define spc_constraint_find_id spc_constraint_find_id_f
#define spc_constraint_find_name spc_constraint_find_name_f
#define spc_constraint_get_acceleration_errors spc_constraint_get_acceleration_errors_f
#define spc_constraint_get_contact spc_constraint_get_contact_f
#define spc_constraint_get_forces spc_constraint_get_forces_f
#define spc_constraint_get_info spc_constraint_get_info_f
#define spc_constraint_get_law spc_constraint_get_law_f
#define spc_constraint_get_multipliers spc_constraint_get_multipliers_f
#define spc_constraint_get_rows spc_constraint_get_rows_f
#define spc_constraint_get_stabilization spc_constraint_get_stabilization_f
#define spc_constraint_get_system spc_constraint_get_system_f
#define spc_constraint_info spc_constraint_info_f
#define spc_constraint_next spc_constraint_next_f
#define spc_constraint_remove spc_constraint_remove_f
#define spc_constraint_set_conditional spc_constraint_set_conditional_f
#define spc_constraint_set_enabled spc_constraint_set_enabled_f
#define spc_constraint_set_id spc_constraint_set_id_f
#define spc_constraint_set_law spc_constraint_set_law_f
#define spc_constraint_set_name spc_constraint_set_name_f
#define spc_constraint_set_stabilization spc_constraint_set_stabilization_f
#define spc_contact_event_next spc_contact_event_next_f
#define spc_contact_force spc_contact_force_f
#define spc_contact_impulse spc_contact_impulse_f
#define spc_contact_info spc_contact_info_f
#define spc_contact_law spc_contact_law_f
#define spc_contact_law_check spc_contact_law_check_f
#define spc_contact_law_default spc_contact_law_default_f
#define spc_contact_motion spc_contact_motion_f
#define spc_contact_motion_default spc_contact_motion_default_f
#define spc_contact_solution spc_contact_solution_f
#define spc_dense_forward_dynamics spc_dense_forward_dynamics_f
#define spc_dense_impulse spc_dense_impulse_f
#define spc_dense_work_count spc_dense_work_count_f
#define spc_disc_contact spc_disc_contact_f
#define spc_drawing spc_drawing_f
#define spc_drawing_default spc_drawing_default_f
#define spc_drawn spc_drawn_f
#define spc_energy_momentum spc_energy_momentum_f
#define spc_inertia spc_inertia_f
#define spc_mass spc_mass_f
#define spc_mass_box spc_mass_box_f
#define spc_mass_check spc_mass_check_f
#define spc_mass_cylinder spc_mass_cylinder_f
#define spc_mass_disc spc_mass_disc_f
#define spc_mass_hollow_sphere spc_mass_hollow_sphere_f
#define spc_mass_ring spc_mass_ring_f
#define spc_mass_solid_sphere spc_mass_solid_sphere_f
#define spc_mat3 spc_mat3_f
#define spc_norm spc_norm_f
#define spc_normalize spc_normalize_f
#define spc_quat spc_quat_f
#define spc_quat_from_half_angle spc_quat_from_half_angle_f
#define spc_quat_from_mat3 spc_quat_from_mat3_f
#define spc_quat_from_rotation_vector spc_quat_from_rotation_vector_f
#define spc_quat_from_two_vectors spc_quat_from_two_vectors_f
#define spc_quat_integrate spc_quat_integrate_f
#define spc_quat_normalize spc_quat_normalize_f
#define spc_rolling_disc spc_rolling_disc_f
#define spc_rolling_disc_add spc_rolling_disc_add_f
#define spc_rolling_disc_check spc_rolling_disc_check_f
#define spc_rolling_disc_contact spc_rolling_disc_contact_f
#define spc_rolling_disc_default spc_rolling_disc_default_f
#define spc_rolling_disc_desc spc_rolling_disc_desc_f
#define spc_rolling_disc_desc_default spc_rolling_disc_desc_default_f
#define spc_rolling_disc_get spc_rolling_disc_get_f
#define spc_rolling_disc_get_contact spc_rolling_disc_get_contact_f
#define spc_rolling_disc_rows spc_rolling_disc_rows_f
#define spc_rolling_disc_set spc_rolling_disc_set_f
#define spc_rows spc_rows_f
#define spc_rows_forces spc_rows_forces_f
#define spc_rows_mul spc_rows_mul_f
#define spc_rows_power spc_rows_power_f
#define spc_rows_to_generalized spc_rows_to_generalized_f
#define spc_spatial spc_spatial_f
#define spc_sphere_on_plane spc_sphere_on_plane_f
#define spc_sphere_on_plane_add spc_sphere_on_plane_add_f
#define spc_sphere_on_plane_check spc_sphere_on_plane_check_f
#define spc_sphere_on_plane_default spc_sphere_on_plane_default_f
#define spc_sphere_on_plane_desc spc_sphere_on_plane_desc_f
#define spc_sphere_on_plane_desc_default spc_sphere_on_plane_desc_default_f
#define spc_sphere_on_plane_get spc_sphere_on_plane_get_f
#define spc_sphere_on_plane_rows spc_sphere_on_plane_rows_f
#define spc_sphere_on_plane_set spc_sphere_on_plane_set_f
#define spc_sphere_on_sphere spc_sphere_on_sphere_f
#define spc_sphere_on_sphere_add spc_sphere_on_sphere_add_f
#define spc_sphere_on_sphere_check spc_sphere_on_sphere_check_f
#define spc_sphere_on_sphere_default spc_sphere_on_sphere_default_f
#define spc_sphere_on_sphere_desc spc_sphere_on_sphere_desc_f
#define spc_sphere_on_sphere_desc_default spc_sphere_on_sphere_desc_default_f
#define spc_sphere_on_sphere_get spc_sphere_on_sphere_get_f
#define spc_sphere_on_sphere_rows spc_sphere_on_sphere_rows_f
#define spc_sphere_on_sphere_set spc_sphere_on_sphere_set_f
#define spc_stabilization spc_stabilization_f
#define spc_stabilization_default spc_stabilization_default_f
#define spc_stabilization_terms spc_stabilization_terms_f
#define spc_state spc_state_f
#define spc_status_text spc_status_text_f
#define spc_step spc_step_f
#define spc_step_begin spc_step_begin_f
#define spc_step_end spc_step_end_f
#define spc_step_rk4 spc_step_rk4_f
#define spc_step_share spc_step_share_f
#define spc_transform spc_transform_f
#define spc_vec3 spc_vec3_f
#define spc_wheel_add spc_wheel_add_f
#define spc_wheel_desc spc_wheel_desc_f
#define spc_wheel_desc_default spc_wheel_desc_default_f
#define spc_world spc_world_f
#define spc_world_apply_impulses spc_world_apply_impulses_f
#define spc_world_assemble spc_world_assemble_f
#define spc_world_column_count spc_world_column_count_f
#define spc_world_correct spc_world_correct_f
#define spc_world_create spc_world_create_f
#define spc_world_desc spc_world_desc_f
#define spc_world_desc_default spc_world_desc_default_f
#define spc_world_displace spc_world_displace_f
#define spc_world_draw spc_world_draw_f
#define spc_world_end_motion spc_world_end_motion_f
#define spc_world_fitting_desc spc_world_fitting_desc_f
#define spc_world_forward_dynamics spc_world_forward_dynamics_f
#define spc_world_free_motion spc_world_free_motion_f
#define spc_world_get_compliance spc_world_get_compliance_f
#define spc_world_get_energy_momentum spc_world_get_energy_momentum_f
#define spc_world_get_position_violation spc_world_get_position_violation_f
#define spc_world_get_report spc_world_get_report_f
#define spc_world_get_stabilization spc_world_get_stabilization_f
#define spc_world_get_violation spc_world_get_violation_f
#define spc_world_gravity spc_world_gravity_f
#define spc_world_hash spc_world_hash_f
#define spc_world_impact spc_world_impact_f
#define spc_world_load_state spc_world_load_state_f
#define spc_world_open spc_world_open_f
#define spc_world_project_velocities spc_world_project_velocities_f
#define spc_world_report spc_world_report_f
#define spc_world_row_count spc_world_row_count_f
#define spc_world_save_state spc_world_save_state_f
#define spc_world_run spc_world_run_f
#define spc_world_set_gravity spc_world_set_gravity_f
#define spc_world_set_stabilization spc_world_set_stabilization_f
#define spc_world_set_time spc_world_set_time_f
#define spc_world_size spc_world_size_f
#define spc_world_snapshot_size spc_world_snapshot_size_f
#define spc_world_solver_bytes spc_world_solver_bytes_f
#define spc_world_state_size spc_world_state_size_f
#define spc_world_time spc_world_time_f
#endif

/* Bits must not depend on whether the target fuses a multiplication with an addition: contraction
   is off in this file, and as it was behind it. For clang the first line of a function says it; gcc
   has options for regions (its vectorizer of straight code fuses sums and differences in pairs all
   the same); MSVC's default, which was on before Visual Studio 2022, is set again. Nor may they
   depend on expressions of floats that are evaluated in double, as gcc does for s390x when it
   follows the standard. */
#if defined(__clang__)
#define SPCI_UNFUSED _Pragma("STDC FP_CONTRACT OFF")
#else
#define SPCI_UNFUSED
#endif
#if defined(__GNUC__) && !defined(__clang__) &&                                             \
    (defined(__FP_FAST_FMA) || defined(__FP_FAST_FMAF) || defined(__FMA__) || defined(__FMA4__))
#define SPCI_GCC_FUSES
#elif defined(_MSC_VER) && !defined(__clang__)
#define SPCI_MSVC_FUSES
#endif
#ifdef SPCI_GCC_FUSES
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off", "no-tree-slp-vectorize")
#if __FLT_EVAL_METHOD__ == 1
#pragma GCC optimize("excess-precision=fast")
#endif
#elif defined(SPCI_MSVC_FUSES)
#pragma fp_contract(off)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What a call reports. SPC_OK is zero: the call has done its work. Every other code is positive,
   one for each check, and refuses: nothing is changed. */
typedef enum spc_status {
    SPC_OK = 0,
    SPC_ERROR_NULL,              /* a pointer that must not be NULL is */
    SPC_ERROR_NOT_FINITE,        /* a number is, or an answer would be, NaN or infinite */
    SPC_ERROR_ZERO_VECTOR,       /* a vector that needs a direction has none */
    SPC_ERROR_ZERO_QUATERNION,   /* a quaternion that needs a rotation has zero length */
    SPC_ERROR_BAD_CAPACITY,      /* a count in a world description is negative or too large */
    SPC_ERROR_MEMORY_TOO_SMALL,  /* fewer bytes than spc_world_size asks for, or than a state has */
    SPC_ERROR_MEMORY_MISALIGNED, /* the address is not a multiple of SPC_WORLD_ALIGNMENT */
    SPC_ERROR_NOT_A_WORLD,       /* the bytes do not hold a world of this version and build */
    SPC_ERROR_BODIES_FULL,       /* no room for another body */
    SPC_ERROR_CONSTRAINTS_FULL,  /* no room for another constraint */
    SPC_ERROR_ROWS_FULL,         /* no room for the constraint's rows */
    SPC_ERROR_SOLVER_FULL,     /* a dense net of constraints needs more .solver_bytes */
    SPC_ERROR_STALE_BODY,        /* the handle's body does not exist (any more) */
    SPC_ERROR_STALE_CONSTRAINT,  /* the handle's constraint does not exist (any more) */
    SPC_ERROR_BODY_IN_USE,       /* a constraint still refers to the body */
    SPC_ERROR_SAME_BODY,         /* both ends of a constraint are the same body */
    SPC_ERROR_GROUND,            /* ground cannot be moved, loaded or removed */
    SPC_ERROR_WRONG_BODY_KIND,   /* the body is not of the kind that the call is for */
    SPC_ERROR_WRONG_CONSTRAINT_KIND, /* the constraint is not of the kind that the call is for */
    SPC_ERROR_BAD_MASS,          /* the mass is not positive */
    SPC_ERROR_BAD_INERTIA,       /* no body has this inertia */
    SPC_ERROR_BAD_RADIUS,        /* a radius is not positive, or a bowl no larger than its ball */
    SPC_ERROR_BAD_WIDTH,         /* a width or half width is negative */
    SPC_ERROR_BAD_TIME_CONSTANT, /* T is not positive, or 1/T^2 overflows */
    SPC_ERROR_BAD_STEP,          /* h is not positive, or 1/h or the time overflows; or spc_step
                                    would need more parts than there may be */
    SPC_ERROR_BAD_TOLERANCE,     /* the tolerance is not positive */
    SPC_ERROR_BAD_COUNT,         /* a vector does not have the length that it must have */
    SPC_ERROR_BAD_OPTION,        /* an enumerator or a bit mask is out of range */
    SPC_ERROR_BAD_NAME,          /* the name has more than SPC_MAX_NAME characters */
    SPC_ERROR_BAD_MOTION,        /* a motion callback gave a state that is not one */
    SPC_ERROR_NO_CONTACT_POINT,  /* a disc's axis is, or within a step would be, parallel to the
                                    plane's normal; or the centres of two spheres coincide */
    SPC_ERROR_OPPOSED_AXES,      /* a twist is locked about axes that point against each other */
    SPC_ERROR_NOT_FOUND,         /* nothing has this name or id */
    SPC_ERROR_NOT_DEFINITE,      /* a mass matrix is not positive definite */
    SPC_ERROR_STATE_NOT_FINITE,  /* the state would overflow; the one before is kept */
    SPC_ERROR_NOT_ASSEMBLED,     /* assembly or projection does not converge from here */
    SPC_ERROR_BAD_FRICTION,      /* friction or a resistance is negative */
    SPC_ERROR_BAD_RESTITUTION,   /* the restitution is not from 0 to 1, or its speed is negative */
    SPC_ERROR_JAMMED,            /* friction jams (Painleve): no forces obey the law */
    SPC_ERROR_ONE_SIDED,         /* a call that one-sided contacts have no part in */
    SPC_ERROR_NOT_A_STATE,       /* the bytes do not hold a state of this version and precision */
    SPC_ERROR_OTHER_STRUCTURE,   /* the state is of other bodies, constraints or rows in use */
    SPC_ERROR_NO_STEP,           /* no step has begun, or a share of it was left out */
    SPC_STATUS_COUNT             /* how many codes there are; no call returns it */
} spc_status;

/* The status as an English text, never NULL. */
SPC_API const char *spc_status_text(spc_status status);

/* Keeps the first refusal of a row of calls, so that they can be checked once at the end: with
   status = SPC_OK before, spc_status_keep(&status, spc_step(world, h)); and so on. Set the pointer
   to the world to NULL and handles to zero before: what depends on a refused call is refused, too,
   or is about ground. The caller keeps it and not the world: a refused call changes no bit of that,
   and a snapshot that is restored does not forget it.
   out:    first  untouched if it holds a refusal
   returns the second status */
static inline spc_status spc_status_keep(spc_status *first, spc_status status)
{
    if (*first == SPC_OK)
        *first = status;
    return status;
}

/* ============================================================================== [2] MATH ====== */
/*
   Small values in, small values out. Functions without a prefix of a type are those of 3-vectors.
   What needs a square root is compiled with the implementation; the rest is inline.
*/

typedef struct spc_vec3 { spc_real x, y, z; } spc_vec3;    /* a vector; its frame is in its name */
typedef struct spc_quat { spc_real w, x, y, z; } spc_quat; /* unit, q_AB: v_A = q v_B q* */
typedef struct spc_mat3 { spc_vec3 x, y, z; } spc_mat3;    /* columns; of R_AB: B's axes in A */

/* X_AB: v_A = R(q) v_B + p */
typedef struct spc_transform { spc_quat q; spc_vec3 p; } spc_transform;

/* Inertia about a point, in some axes [kg m^2]. xy, xz, yz are the matrix entries, which are minus
   the products of inertia (-integral of x y dm, ...). */
typedef struct spc_inertia { spc_real xx, yy, zz, xy, xz, yz; } spc_inertia;

static inline spc_vec3 spc_vec3_make(spc_real x, spc_real y, spc_real z)
{
    spc_vec3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

/* Whether numbers are rounded as IEEE 754 has it: once after each operation, to the nearest
   spc_real, denormal numbers too. Where they are not, the last digits are others than elsewhere.
   What spoils it: options that [1] names, or modes of the processor, which each thread has for
   itself. */
SPC_API bool spc_arithmetic_is_ieee(void);

/* a + b */
static inline spc_vec3 spc_add(spc_vec3 a, spc_vec3 b)
{
    return spc_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

/* a - b */
static inline spc_vec3 spc_sub(spc_vec3 a, spc_vec3 b)
{
    return spc_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

/* s a */
static inline spc_vec3 spc_scale(spc_real s, spc_vec3 a)
{
    return spc_vec3_make(s * a.x, s * a.y, s * a.z);
}

/* a . b */
static inline spc_real spc_dot(spc_vec3 a, spc_vec3 b)
{
    SPCI_UNFUSED
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

/* a x b */
static inline spc_vec3 spc_cross(spc_vec3 a, spc_vec3 b)
{
    SPCI_UNFUSED
    return spc_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/* |a|; 0 for a zero vector. Safe from overflow and underflow. */
SPC_API spc_real spc_norm(spc_vec3 a);

/* Unit vector along a.
   out:    unit  a / |a|
   errors: SPC_ERROR_NULL; SPC_ERROR_NOT_FINITE; SPC_ERROR_ZERO_VECTOR (unit untouched) */
SPC_API spc_status spc_normalize(spc_vec3 a, spc_vec3 *unit);

static inline spc_quat spc_quat_make(spc_real w, spc_real x, spc_real y, spc_real z)
{
    spc_quat q;
    q.w = w;
    q.x = x;
    q.y = y;
    q.z = z;
    return q;
}

static inline spc_quat spc_quat_identity(void)
{
    return spc_quat_make(1, 0, 0, 0);
}

/* The inverse rotation, q_BA. */
static inline spc_quat spc_quat_conjugate(spc_quat q)
{
    return spc_quat_make(q.w, -q.x, -q.y, -q.z);
}

/* q_AB q_BC = q_AC */
static inline spc_quat spc_quat_mul(spc_quat a, spc_quat b)
{
    SPCI_UNFUSED
    return spc_quat_make(((a.w * b.w - a.x * b.x) - a.y * b.y) - a.z * b.z,
                         ((a.w * b.x + a.x * b.w) + a.y * b.z) - a.z * b.y,
                         ((a.w * b.y - a.x * b.z) + a.y * b.w) + a.z * b.x,
                         ((a.w * b.z + a.x * b.y) - a.y * b.x) + a.z * b.w);
}

/* v_A = R_AB v_B, from q_AB; v + 2 w (u x v) + 2 u x (u x v) with u the vector part */
static inline spc_vec3 spc_rotate(spc_quat q, spc_vec3 v)
{
    const spc_vec3 u = spc_vec3_make(q.x, q.y, q.z);
    const spc_vec3 t = spc_scale(2, spc_cross(u, v));
    return spc_add(v, spc_add(spc_scale(q.w, t), spc_cross(u, t)));
}

/* v_B = R_AB^T v_A, from q_AB */
static inline spc_vec3 spc_unrotate(spc_quat q, spc_vec3 v)
{
    return spc_rotate(spc_quat_conjugate(q), v);
}

/* Unit quaternion along q.
   errors: SPC_ERROR_NULL; SPC_ERROR_NOT_FINITE; SPC_ERROR_ZERO_QUATERNION (unit untouched) */
SPC_API spc_status spc_quat_normalize(spc_quat q, spc_quat *unit);

/* The rotation by angle |v| about v [rad]: a rotation by an angle about a unit axis is
   spc_quat_from_rotation_vector(spc_scale(angle, axis)). Needs no sine: a power series, after
   halving the angle until it converges. Rounding grows with the number of turns. */
SPC_API spc_quat spc_quat_from_rotation_vector(spc_vec3 v);

/* The rotation about a unit axis whose half angle has this cosine and sine, for callers who have
   them; (c, s) need not be a unit pair, but not both zero.
   errors: SPC_ERROR_NULL; SPC_ERROR_NOT_FINITE; SPC_ERROR_ZERO_VECTOR (axis);
           SPC_ERROR_ZERO_QUATERNION (c and s) */
SPC_API spc_status spc_quat_from_half_angle(spc_vec3 axis, spc_real c, spc_real s, spc_quat *q);

/* The shortest rotation that takes the direction of a to that of b; for opposite directions a half
   turn about an axis across them.
   errors: SPC_ERROR_NULL; SPC_ERROR_NOT_FINITE; SPC_ERROR_ZERO_VECTOR (q untouched) */
SPC_API spc_status spc_quat_from_two_vectors(spc_vec3 a, spc_vec3 b, spc_quat *q);

/* Orientation after turning for h [s] with the constant angular velocity w_AB [rad/s], in A: exact.
   q_AB must be unit; the result is unit to rounding, however often it is repeated. */
SPC_API spc_quat spc_quat_integrate(spc_quat q_AB, spc_vec3 w_AB, spc_real h);

/* R_AB from q_AB */
static inline spc_mat3 spc_mat3_from_quat(spc_quat q)
{
    SPCI_UNFUSED
    const spc_real x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    const spc_real xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    const spc_real xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    const spc_real wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    spc_mat3 R;
    R.x = spc_vec3_make(1 - (yy + zz), xy + wz, xz - wy);
    R.y = spc_vec3_make(xy - wz, 1 - (xx + zz), yz + wx);
    R.z = spc_vec3_make(xz + wy, yz - wx, 1 - (xx + yy));
    return R;
}

/* q_AB, with w >= 0, from a rotation matrix R_AB (orthonormal, determinant +1: not checked). */
SPC_API spc_quat spc_quat_from_mat3(spc_mat3 R);

/* R v */
static inline spc_vec3 spc_mat3_mul(spc_mat3 R, spc_vec3 v)
{
    return spc_add(spc_add(spc_scale(v.x, R.x), spc_scale(v.y, R.y)), spc_scale(v.z, R.z));
}

/* R^T v */
static inline spc_vec3 spc_mat3_transpose_mul(spc_mat3 R, spc_vec3 v)
{
    return spc_vec3_make(spc_dot(R.x, v), spc_dot(R.y, v), spc_dot(R.z, v));
}

static inline spc_transform spc_transform_make(spc_quat q, spc_vec3 p)
{
    spc_transform X;
    X.q = q;
    X.p = p;
    return X;
}

static inline spc_transform spc_transform_identity(void)
{
    return spc_transform_make(spc_quat_identity(), spc_vec3_make(0, 0, 0));
}

/* X_AB X_BC = X_AC */
static inline spc_transform spc_transform_mul(spc_transform X_AB, spc_transform X_BC)
{
    return spc_transform_make(spc_quat_mul(X_AB.q, X_BC.q),
                              spc_add(X_AB.p, spc_rotate(X_AB.q, X_BC.p)));
}

/* X_BA from X_AB */
static inline spc_transform spc_transform_inverse(spc_transform X_AB)
{
    return spc_transform_make(spc_quat_conjugate(X_AB.q),
                              spc_scale(-1, spc_unrotate(X_AB.q, X_AB.p)));
}

/* A point's coordinates in A from those in B. */
static inline spc_vec3 spc_transform_point(spc_transform X_AB, spc_vec3 p_B)
{
    return spc_add(X_AB.p, spc_rotate(X_AB.q, p_B));
}

/* I v */
static inline spc_vec3 spc_inertia_mul(spc_inertia inertia, spc_vec3 v)
{
    SPCI_UNFUSED
    return spc_vec3_make((inertia.xx * v.x + inertia.xy * v.y) + inertia.xz * v.z,
                         (inertia.xy * v.x + inertia.yy * v.y) + inertia.yz * v.z,
                         (inertia.xz * v.x + inertia.yz * v.y) + inertia.zz * v.z);
}

/* R I R^T: inertia about the same point in axes of A, from that in axes of B, with R = R_AB. */
static inline spc_inertia spc_inertia_rotate(spc_mat3 R, spc_inertia inertia)
{
    const spc_vec3 rx = spc_vec3_make(R.x.x, R.y.x, R.z.x);
    const spc_vec3 ry = spc_vec3_make(R.x.y, R.y.y, R.z.y);
    const spc_vec3 rz = spc_vec3_make(R.x.z, R.y.z, R.z.z);
    const spc_vec3 Irx = spc_inertia_mul(inertia, rx), Iry = spc_inertia_mul(inertia, ry);
    spc_inertia out;
    out.xx = spc_dot(rx, Irx);
    out.xy = spc_dot(ry, Irx);
    out.xz = spc_dot(rz, Irx);
    out.yy = spc_dot(ry, Iry);
    out.yz = spc_dot(rz, Iry);
    out.zz = spc_dot(rz, spc_inertia_mul(inertia, rz));
    return out;
}

/* Parallel axes: inertia of mass m [kg] about a point at p [m] from the centre of mass, in the same
   axes, from the one about the centre of mass: I + m (p.p 1 - p p^T). A negative m goes back. */
static inline spc_inertia spc_inertia_shift(spc_inertia inertia, spc_real m, spc_vec3 p)
{
    SPCI_UNFUSED
    inertia.xx += m * (p.y * p.y + p.z * p.z);
    inertia.yy += m * (p.x * p.x + p.z * p.z);
    inertia.zz += m * (p.x * p.x + p.y * p.y);
    inertia.xy -= m * (p.x * p.y);
    inertia.xz -= m * (p.x * p.z);
    inertia.yz -= m * (p.y * p.z);
    return inertia;
}

/* ============================================================================ [3] BODIES ====== */
/*
   A rigid body: what it weighs (spc_mass), where it is and how it moves (spc_state), how it
   accelerates and what pushes it (spc_spatial).
*/

/* Velocity, acceleration or force: angular part, then linear part of the body's origin. */
typedef struct spc_spatial { spc_vec3 angular, linear; } spc_spatial;

typedef struct spc_state {
    spc_transform X_GB; /* pose: body coordinates to ground's [m] */
    spc_spatial V_GB;   /* angular velocity [rad/s] and velocity of Bo [m/s], in G */
} spc_state;

typedef struct spc_mass {
    spc_real mass;       /* [kg], > 0 */
    spc_vec3 p_BBc;      /* centre of mass, in B [m] */
    spc_inertia inertia; /* about Bc, in axes of B [kg m^2] */
} spc_mass;

/* Spatial vector from its two parts. */
static inline spc_spatial spc_spatial_make(spc_vec3 angular, spc_vec3 linear)
{
    spc_spatial s;
    s.angular = angular;
    s.linear = linear;
    return s;
}

/* The identity pose, at rest. */
static inline spc_state spc_state_identity(void)
{
    spc_state s;
    const spc_vec3 zero = spc_vec3_make(0, 0, 0);
    s.X_GB = spc_transform_identity();
    s.V_GB = spc_spatial_make(zero, zero);
    return s;
}

/* Mass properties of uniform bodies of mass m [kg] with Bc = Bo; sizes in m. Axes of disc, ring and
   cylinder: the body's z. Sizes that are no sizes are refused when the body is added. */
SPC_API spc_mass spc_mass_solid_sphere(spc_real m, spc_real radius);   /* 2/5 m r^2 */
SPC_API spc_mass spc_mass_hollow_sphere(spc_real m, spc_real radius);  /* thin shell: 2/3 m r^2 */
SPC_API spc_mass spc_mass_disc(spc_real m, spc_real radius);           /* thin: 1/2, 1/4 m r^2 */
SPC_API spc_mass spc_mass_ring(spc_real m, spc_real radius);           /* thin: 1, 1/2 m r^2 */
SPC_API spc_mass spc_mass_box(spc_real m, spc_vec3 half_lengths);      /* m/3 (b^2 + c^2), ... */
SPC_API spc_mass spc_mass_cylinder(spc_real m, spc_real radius, spc_real half_length);

/* Can a body have these mass properties? The world asks this of every body that is added.
   errors: SPC_ERROR_NULL; SPC_ERROR_NOT_FINITE; SPC_ERROR_BAD_MASS; SPC_ERROR_BAD_INERTIA: not
           positive definite, or a principal moment larger than the sum of the others */
SPC_API spc_status spc_mass_check(const spc_mass *mass);

/* ================================================================ [4] CONSTRAINT KERNELS ====== */
/*
   A kernel takes a constraint's parameters and the states of its two bodies A and B, and gives its
   rows: Jacobian, errors by level, J'V, contact frame. It is a pure function and needs no world: a
   caller with a model and a solver of their own starts and ends here.

   With V and the accelerations A of both bodies (of their origins, in G), and a holonomic row i:
       position error   e_i
       velocity error   s_i = J_a V_a + J_b V_b  = de_i/dt      ([4.3] has two exceptions,
       accel. error     J_a A_a + J_b A_b + jdot_v_i = ds_i/dt   [4.4] one; a constraint asks for 0)
       body forces      F_a = -J_a^T lambda, F_b = -J_b^T lambda

   A solver of your own, with the mass matrix M and the applied forces f, finds the multipliers from

       (J M^-1 J^T) lambda = J M^-1 f + jdot_v - terms,    M A = f - J^T lambda

   with the terms of spc_stabilization_terms, or 0. Leave out rows that are not enforced: they are
   zero, and would make the matrix singular.
*/

#define SPC_MAX_ROWS 6 /* no constraint has more rows */

/* What a kernel gives. A row that is off has a Jacobian and a jdot_v of 0, and tells its errors all
   the same: how fast slips what is free to slide. Rotations that are off have none: they read 0. */
typedef struct spc_rows {
    int count;                             /* rows of this kind, on or off */
    unsigned enforced;                     /* bit i: row i is on */
    unsigned holonomic;                    /* bit i: row i is on and has a position error */
    spc_vec3 p_GC;                         /* contact point, where the forces act [m] */
    spc_vec3 arm_a, arm_b;                 /* from the origins of A and B to C, in G [m] */
    spc_mat3 R_GP;                         /* contact frame: rows are along its columns */
    spc_real separation;                   /* height of C above the plane, gap of spheres [m] */
    spc_real position_errors[SPC_MAX_ROWS]; /* 0 for rows without a position level [m] */
    spc_real velocity_errors[SPC_MAX_ROWS]; /* slip [m/s]; rotations: [-], [1/s], [1/s^2] */
    spc_real jdot_v[SPC_MAX_ROWS];         /* acceleration errors at zero acceleration [m/s^2] */
    spc_spatial jacobian_a[SPC_MAX_ROWS];  /* w.r.t. the spatial velocity of A (the floor), in G */
    spc_spatial jacobian_b[SPC_MAX_ROWS];  /* the same for B (the ball, the disc) */
} spc_rows;

/* Rows times spatial velocities or accelerations: out_i = J_a,i V_a + J_b,i V_b.
   in:     V_a, V_b  of the bodies' origins, in G; NULL for a body at rest
   out:    out       rows->count numbers: velocity errors, or acceleration errors less jdot_v
   source: the definition in [4] */
SPC_API void spc_rows_mul(const spc_rows *rows, const spc_spatial *V_a, const spc_spatial *V_b,
                          spc_real *out);

/* Forces on the bodies from multipliers: F_a = -J_a^T lambda, F_b = -J_b^T lambda. These are
   applied forces: Simbody's constraint force vectors have the opposite sign.
   in:     lambda    rows->count multipliers [N]; those of rows that are off do not count
   out:    F_a, F_b  torque about the body's origin [N m], force [N], in G; NULL: not wanted
   source: the definition in [4]; the minus sign is the multipliers' */
SPC_API void spc_rows_forces(const spc_rows *rows, const spc_real *lambda, spc_spatial *F_a,
                             spc_spatial *F_b);

/* Power that the multipliers' forces bring into the system of both bodies [W]: -lambda . s of the
   rows that are on. It is zero when their velocity errors are, whatever moves.
   source: (4.9) */
SPC_API spc_real spc_rows_power(const spc_rows *rows, const spc_real *lambda);

/* Rows in use as rows of a system with generalized coordinates q of a caller's own: with the body
   Jacobians V_a = S_a q', V_b = S_b q' they are G = J_a S_a + J_b S_b, and ds/dt = G q'' + jdot_v.
   in:     S_a, S_b  6 x n by rows: angular velocity, then velocity of the body's origin, in G; NULL
                     for a body at rest
           A_a, A_b  the bodies' accelerations at q'' = 0, S' q'; NULL: zero
           terms     what ds/dt is wanted to be, rows->count numbers: those of
                     spc_stabilization_terms; NULL: zero
           n         number of coordinates
   out:    G         by rows, n numbers for each row in use, in the kind's order
           gamma     as many numbers: terms - jdot_v, what spc_dense_forward_dynamics takes
   returns how many rows were written */
SPC_API int spc_rows_to_generalized(const spc_rows *rows, const spc_real *S_a,
                                    const spc_spatial *A_a, const spc_real *S_b,
                                    const spc_spatial *A_b, const spc_real *terms, int n,
                                    spc_real *G, spc_real *gamma);

/* ------------------------------------------------------------------ [4.1] SPHERE ON PLANE ----- */
/*
   Body A is the floor F with a plane fixed to it, body B the ball: whatever body carries the
   sphere, at any place. Both may move, either may be ground. The normal row keeps the sphere's
   lowest point C in the plane and has a position level; with `rolling` two more rows keep the
   sphere from slipping, at velocity level. Rows x, y, z are along the axes of P. The derivation is
   in [4i.1].
*/
typedef struct spc_sphere_on_plane {
    spc_transform X_FP;  /* plane frame in the floor body; its z axis is the normal [m] */
    spc_vec3 p_BS;       /* sphere centre in the ball body [m] */
    spc_real radius;     /* [m], > 0 */
    bool rolling;        /* false: frictionless, rows x and y are off */
    spc_real half_width; /* of the plane's picture, >= 0; 0: none [m] */
} spc_sphere_on_plane;

/* The plane z = 0 of the floor body, the centre in the ball's origin, rolling, half width 1 m; the
   radius is 0 and must be set. */
SPC_API spc_sphere_on_plane spc_sphere_on_plane_default(void);

/* Are these parameters a sphere on a plane? (A world makes the quaternion of X_FP unit; a caller of
   the kernel does it with spc_quat_normalize.)
   errors: SPC_ERROR_NULL; SPC_ERROR_NOT_FINITE; SPC_ERROR_ZERO_QUATERNION (of X_FP);
           SPC_ERROR_BAD_RADIUS; SPC_ERROR_BAD_WIDTH */
SPC_API spc_status spc_sphere_on_plane_check(const spc_sphere_on_plane *shape);

/* The rows of a sphere on a plane at given states of its bodies.
   in:     shape        parameters that pass the check; X_FP.q unit
           floor, ball  X_GB and V_GB of F and of B, with unit quaternions
   out:    rows         3 rows x y z in P; see spc_rows
   errors: SPC_ERROR_NOT_FINITE (a row would be); every pose has a contact point
   source: (4.2) to (4.8) */
SPC_API spc_status spc_sphere_on_plane_rows(const spc_sphere_on_plane *shape,
                                            const spc_state *floor, const spc_state *ball,
                                            spc_rows *rows);

/* --------------------------------------------------------------------- [4.2] ROLLING DISC ----- */
/*
   Body A is the floor F with a plane fixed to it, body B the disc's body: a coin, a wheel. The disc
   is a circle of no width, at any place of B, about an axis fixed in B. Both bodies may move,
   either may be ground. Directions follow the disc:

       n       the plane's normal Pz
       w1      the disc's axis
       w2      = w1 x n / |w1 x n|, longitudinal: along the plane and the disc
       w3      = w1 x w2, from the centre S to the contact point C = S + r w3, the lowest of the rim
       w_lat   = n x w2, lateral: the axis as the plane sees it from above

   Rows lateral, longitudinal, normal are along J1 = [w_lat w2 n], whose columns are left handed:
   w_lat x w2 = -n. They say that the material points of disc and floor at C do not move against
   each other. Each can be off: lateral alone is a skate, normal alone a disc on ice. The normal row
   has a position level, which keeps C in the plane. Where the axis is parallel to the normal (a
   coin that lies flat) every point of the rim is lowest, and there are no rows; only a one-sided
   disc of a world lies on its side there, see [7.3]. Near that, with a
   small sine between axis and normal, directions are good to some 5 epsilon / sine [rad], what
   depends on their rates (jdot_v, trail, and with them accelerations and forces) to as much in
   epsilon / sine^2; heights do not suffer. The derivation is in [4i.2].

   A coin with a width is two one-sided discs on one body and one plane, one for each rim:

       for (k = 0; k < 2; k++) {
           d.shape.p_BS = spc_vec3_make(0, 0, k ? width / 2 : -width / 2);
           status = spc_rolling_disc_add(world, &d, &rim[k]);
       }

   Upright it stands on both, and falls over where its centre of mass is no longer above what is
   between them; leaning it rolls on the lower one, and lying that bears it all around.
*/

/* A color for drawing, kept as it is given: components from 0 to 1; of a constraint a negative r
   stands for the default color. */
typedef struct spc_color { spc_real r, g, b, a; } spc_color;

typedef struct spc_rolling_disc {
    spc_transform X_FP; /* plane frame in the floor body; its z axis is the normal [m] */
    spc_vec3 p_BS;      /* disc's centre in its body [m] */
    spc_vec3 axis_B;    /* disc's axis in its body, unit */
    spc_real radius;    /* [m], > 0 */
    bool lateral;       /* row 0 is on: no sliding along w_lat */
    bool longitudinal;  /* row 1 is on: no slip along w2 */
    bool normal;        /* row 2 is on: C stays in the plane */
    bool show;          /* the disc is drawn, see [7.4] */
    spc_real width;     /* of its picture, >= 0: the disc that rolls has none [m] */
    spc_color color;    /* of its picture */
    spc_real half_width; /* of the plane's picture, >= 0; 0: none [m] */
} spc_rolling_disc;

/* The plane z = 0 of the floor body, the centre in the body's origin, the axis along its x, all
   rows on, shown with width 0.1 m in the default color on a plane of half width 1 m; the radius is
   0 and must be set. (The mass helpers' discs and rings have their axis along z.) */
SPC_API spc_rolling_disc spc_rolling_disc_default(void);

/* Are these parameters a rolling disc? (A world makes the quaternion of X_FP and the axis unit; a
   caller of the kernel does it with spc_quat_normalize and spc_normalize.)
   errors: SPC_ERROR_NULL; SPC_ERROR_NOT_FINITE; SPC_ERROR_ZERO_QUATERNION (of X_FP);
           SPC_ERROR_ZERO_VECTOR (axis); SPC_ERROR_BAD_RADIUS; SPC_ERROR_BAD_WIDTH */
SPC_API spc_status spc_rolling_disc_check(const spc_rolling_disc *shape);

/* The rows of a rolling disc at given states of its bodies.
   in:     shape        parameters that pass the check; X_FP.q and axis_B unit
           floor, disc  X_GB and V_GB of F and of B, with unit quaternions
   out:    rows         3 rows lateral, longitudinal, normal in J1, which is R_GP; see spc_rows
   errors: SPC_ERROR_NO_CONTACT_POINT (the axis is parallel to the normal); SPC_ERROR_NOT_FINITE (a
           row would be)
   source: (4.2) to (4.8), (4.11) to (4.15) */
SPC_API spc_status spc_rolling_disc_rows(const spc_rolling_disc *shape, const spc_state *floor,
                                         const spc_state *disc, spc_rows *rows);

typedef struct spc_disc_contact {
    spc_vec3 p_GC;           /* contact point [m] */
    spc_vec3 v_GC;           /* its velocity d/dt p_GC: C travels along the rim, too [m/s] */
    spc_vec3 trail_velocity; /* v_GC less the velocity of the floor's material point at C, in G: how
                                the trail is drawn on the floor [m/s] */
    spc_mat3 R_GJ1;          /* columns w_lat, w2, n (left handed) */
    spc_mat3 R_GD1;          /* columns w1, w2, w3: a rotation */
} spc_disc_contact;

/* Where the disc's contact point is, how it travels, and the frames of floor and disc there.
   in, errors: as spc_rolling_disc_rows
   source: (4.11) to (4.16) */
SPC_API spc_status spc_rolling_disc_contact(const spc_rolling_disc *shape, const spc_state *floor,
                                            const spc_state *disc, spc_disc_contact *contact);

/* ------------------------------------------------------------------------ [4.3] ATTACHMENT --- */
/*
   Joins a frame M on body B to a frame F on body A: any of the three translations of M along and
   the three rotations of M about F's axes can be locked. Both bodies may move, either may be
   ground. Rows are tx ty tz rx ry rz, along and about the axes of F, positive where B moves against
   A; both forces act at M's origin, which is C.

   Position errors of translations are F^T (p_M - p_F) - rest. Those of rotations are twice the
   sine of half an angle, which is zero only at alignment and grows up to 180 degrees:
       three locked   of the rotation R_FM, along its axis
       two locked     of the angle between the free axis of F and that of M, along the turn between
                      them: a hinge may turn about its axis as far as it likes
       one locked     of the twist about the axis: of what is left of R_FM when M's axis is swung
                      back onto F's by the shortest way
   Velocity errors of two and three locked are their derivatives, up to 170 degrees: rows of
   rotations are about the axes of F at alignment, and about others away from it. Two exceptions
   from [4]: the velocity error of one locked is the rate t' of the twist t, while its position
   error 2 sin(t/2) changes by cos(t/2) t'. Acceleration errors of two locked are derivatives in
   axes that turn with the joint, as RBDL's are: ds/dt less p k x s, with p the rate of the twist
   about the free axis k. That is ds/dt where s is zero. The derivation is in [4i.3].
*/

/* Bits of what is locked, and joints by name. The axis of a joint is the z axis of F. */
#define SPC_LOCK_TX 1u
#define SPC_LOCK_TY 2u
#define SPC_LOCK_TZ 4u
#define SPC_LOCK_RX 8u
#define SPC_LOCK_RY 16u
#define SPC_LOCK_RZ 32u
#define SPC_BALL_JOINT 7u      /* a point of B on a point of A */
#define SPC_HINGE 31u          /* turns about z */
#define SPC_SLIDER 59u         /* slides along z */
#define SPC_CYLINDRICAL 27u    /* slides along z and turns about it */
#define SPC_UNIVERSAL 39u      /* a ball joint that does not twist about z */
#define SPC_WELD 63u           /* nothing moves */
#define SPC_POINT_ON_LINE 3u   /* a point of B on the line along z */
#define SPC_POINT_ON_PLANE 4u  /* a point of B on the plane across z */

typedef struct spc_attachment {
    spc_transform X_AF; /* frame F in body A [m] */
    spc_transform X_BM; /* frame M in body B [m] */
    spc_vec3 rest;      /* where M's origin is kept, in F [m] */
    unsigned locked;    /* bits SPC_LOCK_... */
} spc_attachment;

/* Both frames at the bodies' origins, rest 0, a ball joint. */
SPC_API spc_attachment spc_attachment_default(void);

/* A joint where the bodies are now: both frames at a point, with their z axes along an axis.
   in:     X_GA, X_GB  the bodies' poses
           p_G, z_G    the point, and the axis (any length but 0), in G
           locked      bits SPC_LOCK_...
   out:    shape       an attachment without errors at these poses
   errors: SPC_ERROR_NULL; SPC_ERROR_NOT_FINITE; SPC_ERROR_ZERO_VECTOR; SPC_ERROR_BAD_OPTION */
SPC_API spc_status spc_attachment_at(const spc_transform *X_GA, const spc_transform *X_GB,
                                     spc_vec3 p_G, spc_vec3 z_G, unsigned locked,
                                     spc_attachment *shape);

/* Are these parameters an attachment? (A world makes the quaternions unit; a caller of the kernel
   does it with spc_quat_normalize.)
   errors: SPC_ERROR_NULL; SPC_ERROR_NOT_FINITE; SPC_ERROR_ZERO_QUATERNION; SPC_ERROR_BAD_OPTION
           (bits beyond the six) */
SPC_API spc_status spc_attachment_check(const spc_attachment *shape);

/* The rows of an attachment at given states of its bodies.
   in:     shape  parameters that pass the check; quaternions unit
           a, b   X_GB and V_GB of A and of B, with unit quaternions
   out:    rows   6 rows tx ty tz rx ry rz in F, which is R_GP (those of rotations at alignment);
                  see spc_rows
   errors: SPC_ERROR_OPPOSED_AXES (one rotation is locked, and its axes point against each other);
           SPC_ERROR_NOT_FINITE (a row would be)
   source: (4.2) to (4.8), (4.17) to (4.21) */
SPC_API spc_status spc_attachment_rows(const spc_attachment *shape, const spc_state *a,
                                       const spc_state *b, spc_rows *rows);

/* ----------------------------------------------------------------- [4.4] SPHERE ON SPHERE ----- */
/*
   Two spheres, one on each body, at any place of it: a ball on a ball or, where A's is hollow, a
   ball in a bowl. Both bodies may move, either may be ground. With the distance r of the centres
   and the radii ra and rb:

       outside    e = r - ra - rb,    n from the centre of A's sphere to that of B's
       inside     e = ra - rb - r,    n from the centre of B's sphere to that of A's

   so that e is the gap, positive when they are apart, n points from A's surface into B's sphere,
   and the normal multiplier is negative where they press on each other. The contact point C is on
   the line through both centres. Outside it shares a gap or an overlap in proportion to the radii,
   and is on neither sphere then; inside it is on B's sphere. Rows are x y n: the normal one has a
   position level; with `rolling` two more, across n, keep the spheres from slipping, at velocity
   level. Where the centres coincide there are no rows.

   The axes x and y are those of body A, turned by the shortest turn that takes A's z axis to n:
   they are continuous but where n points against A's z. Acceleration errors of the rolling rows
   are derivatives in axes that do not turn about n against A, as Simbody's are. That is ds/dt where
   s is zero, as is any other choice of axes. The derivation is in [4i.4].
*/
typedef struct spc_sphere_on_sphere {
    spc_vec3 p_ASa;    /* centre of A's sphere in body A [m] */
    spc_vec3 p_BSb;    /* centre of B's sphere in body B [m] */
    spc_real radius_a; /* [m], > 0; if hollow, > radius_b */
    spc_real radius_b; /* [m], > 0 */
    bool hollow;       /* A's sphere is hollow, and B's is inside of it */
    bool rolling;      /* false: frictionless, rows x and y are off */
} spc_sphere_on_sphere;

/* Centres in the bodies' origins, outside of each other, rolling; the radii are 0 and must be
   set. */
SPC_API spc_sphere_on_sphere spc_sphere_on_sphere_default(void);

/* Are these parameters two spheres on each other?
   errors: SPC_ERROR_NULL; SPC_ERROR_NOT_FINITE; SPC_ERROR_BAD_RADIUS */
SPC_API spc_status spc_sphere_on_sphere_check(const spc_sphere_on_sphere *shape);

/* The rows of two spheres at given states of their bodies.
   in:     shape  parameters that pass the check
           a, b   X_GB and V_GB of A and of B, with unit quaternions
   out:    rows   3 rows x y n along R_GP, separation e; see spc_rows
   errors: SPC_ERROR_NO_CONTACT_POINT (the centres coincide, but for rounding);
           SPC_ERROR_NOT_FINITE (a row would be)
   source: (4.3) to (4.8), (4.31) to (4.34) */
SPC_API spc_status spc_sphere_on_sphere_rows(const spc_sphere_on_sphere *shape, const spc_state *a,
                                             const spc_state *b, spc_rows *rows);

/* ===================================================================== [5] STABILIZATION ====== */
/*
   What becomes of position errors e and velocity errors s that are there, with a time constant T.

   Accelerations (spc_world_forward_dynamics, spc_step_rk4) are stabilized by Baumgarte's terms:
   instead of s' = 0 an enforced row asks for
       s' = -2/T s - 1/T^2 e
   which is RBDL's alpha = beta = 1/T. A position error then decays as (1 + t/T) exp(-t/T). A row
   without a position level has the velocity part alone, and its error decays as exp(-2 t/T): in
   half the time.

   spc_step adds no such terms. It takes velocity errors out in one step, to second order, enabled
   or not. Where it is enabled, it moves poses to close position errors: those that are drift at
   once; of a constraint that came apart by h/T of them, so that they decay by e' = -e/T. Neither
   leaves a velocity behind. Drift is what is small beside 0.01 rad and 0.01 of the arm, the longest
   from a moving body's centre of mass to the constraint's point. At these the step is halfway
   between both, (7.4); without an arm, lengths count as come apart.
*/
typedef struct spc_stabilization {
    bool enabled;              /* false: no terms are added, spc_step moves no poses; the time
                                  constant is kept */
    spc_real time_constant;    /* T [s], > 0; may be 0 while not enabled */
    unsigned ignore_position;  /* bit i: position errors of row i do not count, anywhere */
    unsigned ignore_velocity;  /* bit i: neither position nor velocity errors of row i count: it is
                                  enforced at acceleration level alone */
} spc_stabilization;

/* On, T = 0.1 (of whatever is the unit of time: 0.1 s), nothing ignored. */
SPC_API spc_stabilization spc_stabilization_default(void);

/* What stabilization adds to the right-hand side of the rows: -2/T s - 1/T^2 e.
   in:     rows, stabilization (its masks included); step h [s]: a T below 2 h counts as 2 h, which
           keeps the error's recurrence inside the stable limits h/T < 2.785 of spc_step_rk4 and
           < 0.828 of a semi-implicit Euler step of the caller's own; 0 for no step
   out:    out   rows->count accelerations [m/s^2]; 0 for rows that are off, or if not enabled
   source: Baumgarte 1972; the limits are those of the integrators' recurrences for
           e'' + 2/T e' + 1/T^2 e = 0: |z| < 1 for semi-implicit Euler gives 2 sqrt(2) - 2 */
SPC_API void spc_stabilization_terms(const spc_stabilization *stabilization, const spc_rows *rows,
                                     spc_real h, spc_real *out);

/* --------------------------------------------------------------------- [5.1] CONTACT LAW ------ */
/*
   What one contact does that presses but does not pull, slips beyond a limit, and bounces: the law
   of a world's one-sided contacts (spc_constraint_set_law), and a pure function for an engine of
   your own.

   u are the velocities of the contact's rows x y n, two across the normal and one along it, as a
   kernel's velocity_errors are: of body B against A at C. Where rolling or spinning is resisted
   three rows follow them, the angular velocities of B against A about the same axes x y n: their
   Jacobians are (axis, 0) for B and (-axis, 0) for A. p are the impulses on B in these rows, those
   of the last three angular; multipliers are the opposite. With the compliance W = G M^-1 G^T of
   the rows G, in which joints may be eliminated, and without the contact's own impulse the
   velocities u_free, they are afterwards

       u+ = u_free + W p

   The law, with n the normal, t the two tangential rows, rt the rotations about x and y, rn that
   about n, and u- the velocities before:

       p_n >= 0, u_n+ + e u_n- >= 0, one of them 0      e = restitution, 0 where -u_n- is not above
                                                        restitution_speed
       |p_t| <= friction p_n                            opposite to d = u_t+ - surface_velocity
       |p_rt| <= rolling_resistance p_n                 opposite to u_rt+
       |p_rn| <= spinning_resistance p_n                opposite to u_rn+

   each of the last three at its limit where what it is opposite to is not 0. There is a solution
   for any W that is positive definite, whatever the friction; see [5i.1].

   - An impact: u_before = u_free = the velocities at contact.
   - A time step h: u_free are the velocities with the impulses of all other forces, h M^-1 f, in
     them; mean_slip makes it second order. A velocity that the normal row shall have afterwards is
     taken from u_free and added to the answer.
   - Forces at a contact that is closed (u_n = 0): u_before 0, surface_velocity 0, accelerations in
     the place of u_free; p are forces. That holds where nothing slips or turns. Where something
     does, friction is opposite to the slip of the moment: give u + h a for u_free, with an h so
     short that h a does not show beside the slip, and divide p by h. If p / h grows without bound
     as h gets shorter, friction jams (Painleve), and p is an impulse.
*/
typedef struct spc_contact_law {
    bool grip;                     /* true: no limit of friction, which does not count then */
    bool passive;                  /* true: restitution is lowered until the impact brings in no
                                      energy, which it may with friction (Kane's paradox); in a
                                      world, that of all impacts of an island at once */
    bool propagates;               /* of several contacts in a world. true: this one is struck when
                                      its bodies approach, one after the other, and passive does
                                      not count; false: all are struck at once */
    spc_real friction;             /* coefficient, >= 0 [-] */
    spc_real restitution;          /* 0 to 1 [-] */
    spc_real restitution_speed;    /* at or below it nothing bounces, >= 0 [m/s] */
    spc_real rolling_resistance;   /* an arm of the normal force, >= 0 [m] */
    spc_real spinning_resistance;  /* the same about the normal, >= 0 [m] */
    spc_real surface_velocity[2];  /* of A's surface against A, a belt's, along x and y [m/s] */
    bool bounded;                  /* true: a plane of a world ends */
    spc_real half_length[2];       /* where it does: it carries C up to so far from its origin along
                                      x and y, from the side of its normal, >= 0 [m] */
} spc_contact_law;

/* Grip, no restitution (restitution_speed 0), no resistance, a surface that does not move, and does
   not end. */
SPC_API spc_contact_law spc_contact_law_default(void);

/* Are these numbers a contact law?
   errors: SPC_ERROR_NULL; SPC_ERROR_NOT_FINITE; SPC_ERROR_BAD_FRICTION (negative friction or
           resistance); SPC_ERROR_BAD_RESTITUTION (not from 0 to 1, or a negative speed);
           SPC_ERROR_BAD_WIDTH (a negative length) */
SPC_API spc_status spc_contact_law_check(const spc_contact_law *law);

/* How a contact moves; six numbers each, of the rows x y n and the rotations about them. */
typedef struct spc_contact_motion {
    unsigned enforced;     /* bit i: row i is on and may have an impulse; bit 2, n, always */
    bool mean_slip;        /* true: friction and resistances of what slides or turns are opposite to
                              the mean of u_start and u+ */
    spc_real u_before[6];  /* its normal number decides about restitution [m/s], [rad/s] */
    spc_real u_free[6];    /* without the contact's impulse [m/s], [rad/s] */
    spc_real u_start[6];   /* at the start of the step; for mean_slip alone; n does not count */
} spc_contact_motion;

/* Rows x y n on, the rotations off, velocities 0. */
SPC_API spc_contact_motion spc_contact_motion_default(void);

typedef enum spc_contact_state {
    SPC_CONTACT_OPEN = 0, /* it does not press */
    SPC_CONTACT_SLIDING,  /* friction is at its limit, or there is none */
    SPC_CONTACT_ROLLING   /* it presses and does not slip */
} spc_contact_state;

typedef struct spc_contact_solution {
    spc_contact_state state;
    spc_real impulse[6];   /* p, on body B [N s], [N m s] */
    spc_real u_after[6];   /* u+; what sticks has the velocity of the surface, to the last digit */
    spc_real restitution;  /* e that was used [-] */
    spc_real residual;     /* what is left of the law's equations, beside their largest terms [-] */
    int iterations;        /* factorizations that it took */
} spc_contact_solution;

/* The impulses of one contact.
   in:     law     passes its check
           W       compliance, symmetric, by rows; the lower triangle is read: 3 x 3 of rows x y n
                   [1/kg], or, where a rotation is on, 6 x 6 [1/kg], [1/(kg m)], [1/(kg m^2)]
           motion  see there
   errors: SPC_ERROR_NULL; SPC_ERROR_NOT_FINITE (of what goes in or comes out); those of
           spc_contact_law_check; SPC_ERROR_BAD_OPTION (rows that there are not, no normal row, or a
           resistance without rows of rotation); SPC_ERROR_NOT_DEFINITE (W)
   source: (5.1) to (5.9) */
SPC_API spc_status spc_contact_impulse(const spc_contact_law *law, const spc_real *W,
                                       const spc_contact_motion *motion,
                                       spc_contact_solution *solution);

/* ============================================================================ [6] SOLVER ====== */
/*
   The world owns the solver. It factorizes, sparsely and in blocks,

       [ M   G^T ] [ a      ]   [ f  ]      M  masses and inertias, G  rows of all constraints,
       [ G    0  ] [ lambda ] = [ -b ]      f  forces, b  J'V

   once for each configuration, island by island, and uses the factor for accelerations, impulses
   and displacements. Bodies are eliminated together with the constraints, from the leaves of each
   island's tree to its root. Work and memory grow linearly with the number of bodies for chains,
   trees and stars, and for loops that are small. Three things are told apart.

   - Constraints that hang bodies on each other as a tree are never redundant, and never asked
     whether they are, whatever their masses and lengths: a chain of hinges may end in a mass a
     million times its own (in single precision ten thousand times).
   - Rows that close loops may say what the others say already: a door on three hinges, four wheels
     under a chassis. A row that only rounding tells from these is left to the others; accelerations
     are those without it, and multipliers those of least norm (in the units at hand, where forces
     and torques are mixed).
   - Rows that would be redundant but for drift, since a hinge has opened by a rounding or by a
     step's error, count as redundant, and come back by degrees as drift no longer explains them.

   Rows that contradict each other are met in the sense of least squares. The call has done its work
   and returns SPC_OK; spc_world_get_report tells which constraint it is, and by how much.
   spc_constraint_info tells the same of each constraint, and which of its rows are redundant.
   Derivation in [6i].

   Beside it stands a dense solver for a caller with generalized coordinates of their own, n of
   them, under m rows (from spc_rows_to_generalized, or from anywhere). Redundant rows get
   multipliers of least norm, contradictions are met by least squares (gamma - G q'' tells them).
   Rows below 32 roundings of the largest (in the metric of M) count as zero. Matrices are dense and
   by rows.
*/

/* How many numbers (spc_real), not bytes, `work` of the two calls below has; 0 if n < 1 or m < 0,
   (size_t)-1 if no memory holds so many. */
SPC_API size_t spc_dense_work_count(int n, int m);

/* Accelerations and multipliers from H q'' + C = tau - G^T lambda, G q'' = gamma.
   in:     H       n x n mass matrix, symmetric, positive definite: its lower triangle is read
           C, tau  n numbers each; NULL: zeros
           G       m x n; gamma  m numbers; NULL: zeros
           work    spc_dense_work_count(n, m) numbers
   out:    qddot   n numbers; lambda  m multipliers, as spc_rows_forces takes them
   errors: SPC_ERROR_NULL; SPC_ERROR_BAD_COUNT; SPC_ERROR_NOT_DEFINITE; SPC_ERROR_NOT_FINITE (of
           what goes in or comes out)
   source: (6.9) to (6.11) */
SPC_API spc_status spc_dense_forward_dynamics(int n, int m, const spc_real *H, const spc_real *C,
                                              const spc_real *tau, const spc_real *G,
                                              const spc_real *gamma, spc_real *work,
                                              spc_real *qddot, spc_real *lambda);

/* Velocities after an impact from H (q'+ - q'-) = -G^T impulses, G q'+ = v_plus.
   in:     qdot_minus  n numbers; v_plus  m numbers; NULL: zeros; the others as above
   out:    qdot_plus   n numbers, may be qdot_minus; impulses  m numbers with the multipliers' sign
   errors: as spc_dense_forward_dynamics */
SPC_API spc_status spc_dense_impulse(int n, int m, const spc_real *H, const spc_real *qdot_minus,
                                     const spc_real *G, const spc_real *v_plus, spc_real *work,
                                     spc_real *qdot_plus, spc_real *impulses);

/* ============================================================================= [7] WORLD ====== */
/*
   Bodies and constraints in memory that the caller gives, and what moves them. A world holds no
   pointer into itself: copying its spc_world_snapshot_size() bytes is a snapshot, and copying them
   back, to any aligned address, restores it (spc_world_open gives the pointer at a new address).
   [7.5] has states, which are smaller.
   Pointers of the caller's, to motion callbacks and their data, are copied as they are. What was
   made after a snapshot is gone with its restore: drop the handles of it. Worlds share nothing:
   several may run in several threads. spc_step_begin lets threads share the steps of one.
*/
typedef struct spc_world spc_world;

/* Handles; a handle whose object was removed is stale, and calls refuse it. They do not tell worlds
   apart, nor times of one: a restored snapshot knows nothing of what was made after it, and the
   handles of that may come to name what is made next. */
typedef struct spc_body { unsigned index, generation; } spc_body;             /* zeroed: ground */
typedef struct spc_constraint { unsigned index, generation; } spc_constraint; /* zeroed: none */

#define SPC_WORLD_ALIGNMENT 8 /* a world's address is a multiple of this [bytes] */

typedef struct spc_world_desc {
    int bodies;                      /* most bodies at a time, ground not counted */
    int constraints;                 /* most constraints at a time */
    int rows;                        /* most constraint rows: 3 for each sphere, disc or ball joint,
                                        5 for a hinge or slider, 6 for a weld */
    size_t solver_bytes;             /* bytes for dense nets of constraints; see below */
    spc_vec3 gravity;                /* in G [m/s^2] */
    spc_stabilization stabilization; /* what a new constraint starts with; of the masks the bits of
                                        its rows */
} spc_world_desc;

/* A description for so many bodies and constraints: 6 rows for each constraint up to 32 of them, 3
   for each further one, zero gravity, stabilization on with T = 0.1 s. Many hinges and welds need
   more rows: SPC_ERROR_ROWS_FULL tells when they are added.
   The solver's memory is reckoned from bodies, constraints and rows. These bring room for chains,
   trees and stars of any constraints, and for rings of one kind of joint, of any length;
   solver_bytes may then be 0. Nets that are denser need some for what their constraints have to do
   with each other. The default lets any eight constraints be connected in any way, and has room for
   four-bars and wagons of up to six wheels, however many, for a wagon of twelve, and for twelve
   hinges between two bodies. Wide nets need many times as much. Before the first step
   spc_world_solver_bytes tells how much it is: if .solver_bytes is less, calls that solve are
   refused with SPC_ERROR_SOLVER_FULL, and change nothing. */
SPC_API spc_world_desc spc_world_desc_default(int bodies, int constraints);

/* Bytes for a world; 0 if the description is not valid. Grows linearly with each count. */
SPC_API size_t spc_world_size(const spc_world_desc *desc);

/* Makes an empty world at time 0 in memory of the caller, who keeps it alive and frees it.
   out:    world  the world, at the address of the memory: free(world) frees what malloc gave
   errors: SPC_ERROR_NULL; SPC_ERROR_BAD_CAPACITY; SPC_ERROR_NOT_FINITE (gravity);
           SPC_ERROR_BAD_TIME_CONSTANT; SPC_ERROR_BAD_OPTION (masks);
           SPC_ERROR_MEMORY_MISALIGNED; SPC_ERROR_MEMORY_TOO_SMALL */
SPC_API spc_status spc_world_create(void *memory, size_t bytes, const spc_world_desc *desc,
                                    spc_world **world);

/* The world in memory that a snapshot was copied to. It opens in builds of the same version,
   precision, byte order and layout of structs (size of pointers, alignment), and in no other. These
   are checked, and counts and offsets; what stands behind them is taken as it is.
   errors: SPC_ERROR_NULL; SPC_ERROR_MEMORY_MISALIGNED; SPC_ERROR_NOT_A_WORLD;
           SPC_ERROR_MEMORY_TOO_SMALL (world untouched) */
SPC_API spc_status spc_world_open(void *memory, size_t bytes, spc_world **world);

/* The spc_world_desc.solver_bytes that the present constraints need, be there more or less; 0 if
   the room suffices that bodies, constraints and rows bring. Calls that solve are refused if there
   is less. Where the room does not even suffice to find out, it is a guess: make a world with so
   much and ask again. 0 for NULL. */
SPC_API size_t spc_world_solver_bytes(spc_world *world);

/* The description of a world that what is in this one just fits into: so many bodies, constraints
   and rows, and the .solver_bytes that they need, with gravity and stabilization of this world.
   spc_world_size tells its bytes. So fill a world that has room enough, and ask; or, where a call
   finds a world full, ask, add what is to come, and make a larger one.
   out:    desc  of the constraints as they are enabled now, to be added in the same order; where
                 the present room does not suffice to find out .solver_bytes, these are a guess
   errors: SPC_ERROR_NULL */
SPC_API spc_status spc_world_fitting_desc(spc_world *world, spc_world_desc *desc);

/* How many bytes a snapshot copies. */
SPC_API size_t spc_world_snapshot_size(const spc_world *world);

/* Hash of the clock and of the poses and velocities of all bodies: equal states, equal hashes, on
   any machine with IEEE arithmetic. Forces, parameters and results do not count. */
SPC_API unsigned long long spc_world_hash(const spc_world *world);

/* Gravity, in G [m/s^2]. errors: SPC_ERROR_NULL; SPC_ERROR_NOT_FINITE */
SPC_API spc_status spc_world_set_gravity(spc_world *world, spc_vec3 gravity);
SPC_API spc_vec3 spc_world_gravity(const spc_world *world);

/* The stabilization that new constraints start with, of which the masks are the bits of their rows.
   Those that are there keep theirs.
   errors: SPC_ERROR_NULL; set: those of spc_constraint_set_stabilization (mask bits beyond
           SPC_MAX_ROWS) */
SPC_API spc_status spc_world_get_stabilization(const spc_world *world,
                                               spc_stabilization *stabilization);
SPC_API spc_status spc_world_set_stabilization(spc_world *world,
                                               const spc_stabilization *stabilization);

/* The world's clock [s], which motion callbacks see; steps advance it. It keeps what rounding takes
   from its sum: n steps of h come to n h but for one rounding, however many they are. (That is
   0.0001 s after an hour in single precision.) Setting it forgets that, and asks the callbacks.
   errors: SPC_ERROR_NULL; SPC_ERROR_NOT_FINITE; SPC_ERROR_BAD_MOTION */
SPC_API spc_status spc_world_set_time(spc_world *world, spc_real time);
SPC_API spc_real spc_world_time(const spc_world *world);

/* ------------------------------------------------------------------- [7.1] WORLD: BODIES ------ */

typedef enum spc_body_kind {
    SPC_DYNAMIC = 0, /* moved by forces and constraints */
    SPC_KINEMATIC    /* its motion is prescribed, by setters or by a callback; no force moves it */
} spc_body_kind;

/* Prescribed motion: fills state (pose with a unit quaternion, velocity) and acceleration of the
   body's origin, in G, at a time [s]. It must be a pure function of its arguments. */
typedef void (*spc_motion)(spc_real time, void *user, spc_state *state, spc_spatial *acceleration);

typedef struct spc_body_desc {
    spc_body_kind kind;
    spc_mass mass;   /* dynamic bodies only */
    spc_state state; /* pose and velocity; of a body with a motion callback: ignored */
    spc_motion motion; /* kinematic bodies only; NULL: the setters prescribe the motion */
    void *user;      /* for the callback */
    unsigned id;     /* a number of the caller's; 0: none */
} spc_body_desc;

/* Dynamic, at the origin, at rest, without a number; the mass is 0 and must be set. */
SPC_API spc_body_desc spc_body_desc_default(void);

/* Adds a body.
   in:     desc   the quaternion of its pose need not be normalized
   out:    body   its handle
   errors: SPC_ERROR_NULL; SPC_ERROR_BAD_OPTION (kind); SPC_ERROR_NOT_FINITE; SPC_ERROR_BAD_MASS;
           SPC_ERROR_BAD_INERTIA; SPC_ERROR_ZERO_QUATERNION; SPC_ERROR_WRONG_BODY_KIND (a dynamic
           body with a callback); SPC_ERROR_BAD_MOTION; SPC_ERROR_BODIES_FULL */
SPC_API spc_status spc_body_add(spc_world *world, const spc_body_desc *desc, spc_body *body);

/* Removes a body that no constraint refers to.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_BODY; SPC_ERROR_GROUND; SPC_ERROR_BODY_IN_USE */
SPC_API spc_status spc_body_remove(spc_world *world, spc_body body);

/* Does the handle name ground or a body of this world? (One from after a snapshot that was restored
   is not to be asked: see spc_body.) */
SPC_API bool spc_body_exists(const spc_world *world, spc_body body);

/* The next body in the order of handles' index, whatever its kind; ground is none of them. It
   begins with a zeroed handle. Bodies may be removed on the way: a stale handle goes on, too.
   out:    body    the next one, and true; false: there is no further one (body untouched), or a
                   pointer is NULL */
SPC_API bool spc_body_next(const spc_world *world, spc_body *body);

/* Marks a body with a number of the caller's; 0 is no number. Ground has none.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_BODY; set: SPC_ERROR_GROUND */
SPC_API spc_status spc_body_set_id(spc_world *world, spc_body body, unsigned id);
SPC_API spc_status spc_body_get_id(const spc_world *world, spc_body body, unsigned *id);

/* The first body, in the order of handles' index, with a number.
   errors: SPC_ERROR_NULL; SPC_ERROR_NOT_FOUND (also of 0) */
SPC_API spc_status spc_body_find_id(const spc_world *world, unsigned id, spc_body *body);

/* Pose and velocity of a body, or of ground. errors: SPC_ERROR_NULL; SPC_ERROR_STALE_BODY */
SPC_API spc_status spc_body_get_state(const spc_world *world, spc_body body, spc_state *state);

/* Where its origin Bo is, in G [m]; zero of ground, of a stale handle and without a world. */
SPC_API spc_vec3 spc_body_position(const spc_world *world, spc_body body);

/* Acceleration of Bo and angular acceleration, in G [m/s^2, rad/s^2]: of a dynamic body as the last
   spc_world_forward_dynamics or spc_step_rk4 found it (spc_step finds none), of a kinematic one as
   prescribed.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_BODY */
SPC_API spc_status spc_body_get_acceleration(const spc_world *world, spc_body body,
                                             spc_spatial *acceleration);

/* Moves a body; its quaternion need not be normalized. Constraints are not made to fit: see
   spc_world_assemble.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_BODY; SPC_ERROR_GROUND; SPC_ERROR_NOT_FINITE;
           SPC_ERROR_ZERO_QUATERNION; SPC_ERROR_WRONG_BODY_KIND (moved by a callback) */
SPC_API spc_status spc_body_set_pose(spc_world *world, spc_body body, spc_transform X_GB);

/* Velocity of a body (angular, then of Bo, in G). For a kinematic body this is the motion that it
   keeps, changed only by its acceleration; spc_step lets contacts and joints follow at once.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_BODY; SPC_ERROR_GROUND; SPC_ERROR_NOT_FINITE;
           SPC_ERROR_WRONG_BODY_KIND (moved by a callback) */
SPC_API spc_status spc_body_set_velocity(spc_world *world, spc_body body, spc_spatial V_GB);

/* Prescribed acceleration of a kinematic body (angular, then of Bo, in G), constant until changed.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_BODY; SPC_ERROR_GROUND; SPC_ERROR_NOT_FINITE;
           SPC_ERROR_WRONG_BODY_KIND (dynamic, or moved by a callback) */
SPC_API spc_status spc_body_set_acceleration(spc_world *world, spc_body body, spc_spatial A_GB);

/* Gives a kinematic body the velocity that takes it from its pose to another one in h [s], straight
   on and by the shortest turn at constant rates, and no acceleration. A spc_step of h, or several
   that come to h, end there to rounding (spc_step_rk4: to its order in the turn). It does not stop
   there: call this before every step, or spc_body_set_velocity.
   in:     X_GB  where it is to be after h; its quaternion need not be normalized [m]. Of the two
                 half turns there it takes the one about the axis whose first number that is not
                 zero is positive
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_BODY; SPC_ERROR_GROUND; SPC_ERROR_WRONG_BODY_KIND
           (dynamic, or moved by a callback); SPC_ERROR_BAD_STEP; SPC_ERROR_NOT_FINITE (the pose, or
           the velocity would be); SPC_ERROR_ZERO_QUATERNION
   source: v = (p1 - p0) / h, and w h the logarithm of q1 q0^-1 */
SPC_API spc_status spc_body_move_to(spc_world *world, spc_body body, spc_transform X_GB,
                                    spc_real h);

/* Mass properties of a dynamic body, as they were given. errors: as spc_body_set_mass */
SPC_API spc_status spc_body_get_mass(const spc_world *world, spc_body body, spc_mass *mass);

/* Changes the mass properties of a dynamic body; pose and velocity of Bo stay.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_BODY; SPC_ERROR_GROUND; SPC_ERROR_WRONG_BODY_KIND;
           those of spc_mass_check */
SPC_API spc_status spc_body_set_mass(spc_world *world, spc_body body, const spc_mass *mass);

/* How long an applied force acts. */
typedef enum spc_duration {
    SPC_ONE_STEP = 0, /* through the next step that succeeds; forward dynamics sees it until then */
    SPC_LASTING       /* until spc_body_clear_forces */
} spc_duration;

/* Adds a force on a dynamic body, on top of gravity and of what was added before.
   in:     force_G  [N], in G, constant in G during a step
           p_B      the point where it acts, in the body's frame [m]: zero for Bo
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_BODY; SPC_ERROR_GROUND; SPC_ERROR_WRONG_BODY_KIND;
           SPC_ERROR_BAD_OPTION; SPC_ERROR_NOT_FINITE
   The torque about Bo is taken at the present pose. */
SPC_API spc_status spc_body_add_force(spc_world *world, spc_body body, spc_vec3 force_G,
                                      spc_vec3 p_B, spc_duration duration);

/* Adds a torque on a dynamic body [N m], in G. errors: as spc_body_add_force */
SPC_API spc_status spc_body_add_torque(spc_world *world, spc_body body, spc_vec3 torque_G,
                                       spc_duration duration);

/* Forgets all forces and torques applied to a body, of both durations.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_BODY; SPC_ERROR_GROUND; SPC_ERROR_WRONG_BODY_KIND */
SPC_API spc_status spc_body_clear_forces(spc_world *world, spc_body body);

/* -------------------------------------------------------------- [7.2] WORLD: CONSTRAINTS ------ */

typedef enum spc_constraint_kind {
    SPC_SPHERE_ON_PLANE = 0,
    SPC_ROLLING_DISC,
    SPC_ATTACHMENT,
    SPC_SPHERE_ON_SPHERE
} spc_constraint_kind;

#define SPC_MAX_NAME 31 /* most characters of a constraint's name */

typedef struct spc_sphere_on_plane_desc {
    spc_body floor, ball;      /* different bodies; zeroed handles are ground */
    spc_sphere_on_plane shape;
    bool enabled;              /* false: it starts disabled */
    bool conditional;          /* a mark of the caller's: the constraint is meant to be switched by
                                  conditions; the library does not act on it */
    const char *name;          /* at most SPC_MAX_NAME characters, copied; NULL: none */
    bool one_sided;            /* it presses and does not pull, by the law; else it holds in both
                                  directions, without limits */
    spc_contact_law law;       /* of [5.1]; without one_sided it waits */
} spc_sphere_on_plane_desc;

/* Ground on ground with spc_sphere_on_plane_default, enabled: at least one body and the radius must
   be set. */
SPC_API spc_sphere_on_plane_desc spc_sphere_on_plane_desc_default(void);

/* Adds a sphere on a plane, with the world's default stabilization.
   in:     desc        the quaternion of its plane frame need not be normalized
   out:    constraint  its handle
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_BODY; SPC_ERROR_SAME_BODY; those of
           spc_sphere_on_plane_check; SPC_ERROR_BAD_NAME; SPC_ERROR_CONSTRAINTS_FULL;
           SPC_ERROR_ROWS_FULL */
SPC_API spc_status spc_sphere_on_plane_add(spc_world *world, const spc_sphere_on_plane_desc *desc,
                                           spc_constraint *constraint);

/* A ball that rolls over the plane of a floor: a body and its sphere on the plane in one. */
typedef struct spc_ball_desc {
    spc_mass mass;      /* the sphere's centre is Bo; spc_mass_solid_sphere, or any other */
    spc_real radius;    /* [m], > 0 */
    spc_body floor;     /* zeroed: ground */
    spc_transform X_FP; /* plane frame in the floor body; its z axis is the normal [m] */
    spc_real x, y;      /* where it touches the plane, in P [m] */
    spc_real v_x, v_y;  /* velocity of its centre over the floor, in P [m/s] */
    spc_real spin;      /* angular velocity over the floor's about the normal [rad/s] */
    bool one_sided;     /* these two: as those of spc_sphere_on_plane_desc */
    spc_contact_law law;
} spc_ball_desc;

/* At the origin of the plane z = 0 of ground, at rest; mass and radius are 0 and must be set. */
SPC_API spc_ball_desc spc_ball_desc_default(void);

/* Adds a dynamic body and a sphere on a plane, both or neither: on the plane, with the axes of P,
   and with the velocity that rolls, whatever the floor does.
   out:    ball     the body's handle
           contact  the constraint's handle; may be NULL
   errors: SPC_ERROR_NULL; those of spc_sphere_on_plane_check; SPC_ERROR_NOT_FINITE;
           SPC_ERROR_STALE_BODY (floor); SPC_ERROR_BAD_MASS; SPC_ERROR_BAD_INERTIA;
           SPC_ERROR_BODIES_FULL; SPC_ERROR_CONSTRAINTS_FULL; SPC_ERROR_ROWS_FULL; those of
           spc_contact_law_check
   source: over the floor w = (-v_y, v_x, r spin) / r, in P */
SPC_API spc_status spc_ball_add(spc_world *world, const spc_ball_desc *desc, spc_body *ball,
                                spc_constraint *contact);

/* Parameters of a sphere on a plane, to read and to change at any time.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT; SPC_ERROR_WRONG_CONSTRAINT_KIND; set:
           those of spc_sphere_on_plane_check */
SPC_API spc_status spc_sphere_on_plane_get(const spc_world *world, spc_constraint constraint,
                                           spc_sphere_on_plane *shape);
SPC_API spc_status spc_sphere_on_plane_set(spc_world *world, spc_constraint constraint,
                                           const spc_sphere_on_plane *shape);

typedef struct spc_rolling_disc_desc {
    spc_body floor, disc;      /* different bodies; zeroed handles are ground */
    spc_rolling_disc shape;
    bool enabled;              /* these five: as those of spc_sphere_on_plane_desc */
    bool conditional;
    const char *name;
    bool one_sided;
    spc_contact_law law;
} spc_rolling_disc_desc;

/* Ground on ground with spc_rolling_disc_default, enabled: at least one body and the radius must be
   set. */
SPC_API spc_rolling_disc_desc spc_rolling_disc_desc_default(void);

/* Adds a rolling disc, with the world's default stabilization. Its axis must not be parallel to the
   plane's normal at the present poses, even if it starts disabled; but one that is one_sided may
   lie on its side, and takes six of the world's rows, others three.
   in:     desc        the quaternion of its plane frame and its axis need not be normalized
   out:    constraint  its handle
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_BODY; SPC_ERROR_SAME_BODY; those of
           spc_rolling_disc_check; SPC_ERROR_BAD_NAME; SPC_ERROR_CONSTRAINTS_FULL;
           SPC_ERROR_ROWS_FULL; SPC_ERROR_NO_CONTACT_POINT */
SPC_API spc_status spc_rolling_disc_add(spc_world *world, const spc_rolling_disc_desc *desc,
                                        spc_constraint *constraint);

/* A wheel, a coin, a hoop that rolls over the plane of a floor: a body and its rolling disc in one.
   The disc's axis is the body's z, as that of spc_mass_disc and spc_mass_ring; an upright wheel has
   it to the left of where it is heading, and the body's x ahead. */
typedef struct spc_wheel_desc {
    spc_mass mass;      /* the disc's centre is Bo */
    spc_real radius;    /* [m], > 0 */
    spc_body floor;     /* zeroed: ground */
    spc_transform X_FP; /* plane frame in the floor body; its z axis is the normal [m] */
    spc_real x, y;      /* the contact point, in P [m] */
    spc_real heading;   /* where it rolls to, from x of P towards y [rad] */
    spc_real lean;      /* to the right of that; 0: upright; between -pi/2 and pi/2 [rad] */
    spc_real speed;     /* of the contact point over the floor, ahead [m/s] */
    spc_real lean_rate; /* of change of lean [rad/s] */
    spc_real turn_rate; /* of change of heading; the trail's curvature is this over speed [rad/s] */
    bool one_sided;     /* these two: as those of spc_rolling_disc_desc */
    spc_contact_law law;
} spc_wheel_desc;

/* Upright at the origin of the plane z = 0 of ground, heading along x, at rest; mass and radius are
   0 and must be set. */
SPC_API spc_wheel_desc spc_wheel_desc_default(void);

/* Adds a dynamic body and a rolling disc, both or neither: on the plane, and with the velocity that
   rolls, whatever the floor does.
   out:    wheel    the body's handle
           contact  the constraint's handle; may be NULL
   errors: as spc_ball_add, those of spc_rolling_disc_check instead of a sphere's;
           SPC_ERROR_NO_CONTACT_POINT (lean)
   source: over the floor, with n the normal, h ahead, a the axis and u from the contact point to
           the centre, w = turn_rate n + lean_rate h + speed / r a and v = w x r u, so that
           d/dt (p_GC) = speed h */
SPC_API spc_status spc_wheel_add(spc_world *world, const spc_wheel_desc *desc, spc_body *wheel,
                                 spc_constraint *contact);

/* Parameters of a rolling disc, to read and to change at any time, rows to switch on and off. Where
   new parameters leave no contact point, what needs one will say so.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT; SPC_ERROR_WRONG_CONSTRAINT_KIND; set:
           those of spc_rolling_disc_check */
SPC_API spc_status spc_rolling_disc_get(const spc_world *world, spc_constraint constraint,
                                        spc_rolling_disc *shape);
SPC_API spc_status spc_rolling_disc_set(spc_world *world, spc_constraint constraint,
                                        const spc_rolling_disc *shape);

/* The disc's contact at the present state, disabled or not: see spc_rolling_disc_contact. The force
   there is that of spc_constraint_get_forces.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT; SPC_ERROR_WRONG_CONSTRAINT_KIND; those of the
           kernel */
SPC_API spc_status spc_rolling_disc_get_contact(const spc_world *world, spc_constraint constraint,
                                                spc_disc_contact *contact);

typedef struct spc_attachment_desc {
    spc_body a, b;             /* different bodies; zeroed handles are ground */
    spc_attachment shape;
    bool keep_pose;            /* M is made from F and the bodies' present poses, so that they keep
                                  them: it is where F is, which X_AF says (on ground: in G), not
                                  where B is; shape.X_BM and shape.rest are ignored */
    bool enabled;              /* these five: as those of spc_sphere_on_plane_desc */
    bool conditional;
    const char *name;
    bool one_sided;
    spc_contact_law law;
} spc_attachment_desc;

/* Ground on ground with spc_attachment_default, enabled: at least one body must be set. */
SPC_API spc_attachment_desc spc_attachment_desc_default(void);

/* Adds an attachment, with the world's default stabilization. It takes as many of the world's rows
   as it locks motions.
   in:     desc        the quaternions of its frames need not be normalized
   out:    constraint  its handle
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_BODY; SPC_ERROR_SAME_BODY; those of
           spc_attachment_check; SPC_ERROR_BAD_NAME; SPC_ERROR_CONSTRAINTS_FULL;
           SPC_ERROR_ROWS_FULL; SPC_ERROR_OPPOSED_AXES */
SPC_API spc_status spc_attachment_add(spc_world *world, const spc_attachment_desc *desc,
                                      spc_constraint *constraint);

/* Parameters of an attachment, to read and to change at any time.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT; SPC_ERROR_WRONG_CONSTRAINT_KIND; set:
           those of spc_attachment_check; SPC_ERROR_ROWS_FULL (more is locked than before) */
SPC_API spc_status spc_attachment_get(const spc_world *world, spc_constraint constraint,
                                      spc_attachment *shape);
SPC_API spc_status spc_attachment_set(spc_world *world, spc_constraint constraint,
                                      const spc_attachment *shape);

typedef struct spc_sphere_on_sphere_desc {
    spc_body a, b;             /* different bodies; zeroed handles are ground */
    spc_sphere_on_sphere shape;
    bool enabled;              /* these five: as those of spc_sphere_on_plane_desc */
    bool conditional;
    const char *name;
    bool one_sided;
    spc_contact_law law;
} spc_sphere_on_sphere_desc;

/* Ground on ground with spc_sphere_on_sphere_default, enabled: at least one body and the radii must
   be set. */
SPC_API spc_sphere_on_sphere_desc spc_sphere_on_sphere_desc_default(void);

/* Adds a sphere on a sphere, with the world's default stabilization. The centres must not coincide
   at the present poses, even if it starts disabled.
   out:    constraint  its handle
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_BODY; SPC_ERROR_SAME_BODY; those of
           spc_sphere_on_sphere_check; SPC_ERROR_BAD_NAME; SPC_ERROR_CONSTRAINTS_FULL;
           SPC_ERROR_ROWS_FULL; SPC_ERROR_NO_CONTACT_POINT */
SPC_API spc_status spc_sphere_on_sphere_add(spc_world *world, const spc_sphere_on_sphere_desc *desc,
                                            spc_constraint *constraint);

/* Parameters of a sphere on a sphere, to read and to change at any time. Where new ones leave no
   contact point, what needs one will say so.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT; SPC_ERROR_WRONG_CONSTRAINT_KIND; set:
           those of spc_sphere_on_sphere_check */
SPC_API spc_status spc_sphere_on_sphere_get(const spc_world *world, spc_constraint constraint,
                                            spc_sphere_on_sphere *shape);
SPC_API spc_status spc_sphere_on_sphere_set(spc_world *world, spc_constraint constraint,
                                            const spc_sphere_on_sphere *shape);

/* Removes a constraint of any kind. errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT */
SPC_API spc_status spc_constraint_remove(spc_world *world, spc_constraint constraint);

/* Does the handle name a constraint of this world? (As with spc_body_exists.) */
SPC_API bool spc_constraint_exists(const spc_world *world, spc_constraint constraint);

/* The next constraint in the order of handles' index, of any kind, disabled or not: as
   spc_body_next. */
SPC_API bool spc_constraint_next(const spc_world *world, spc_constraint *constraint);

/* Switches a constraint on or off. Enabling does not make the state fit: see spc_world_assemble and
   spc_world_apply_impulses. If it is the only one of a body that is alone, this costs no more than
   what it touches, as adding and removing it do, and adding a body; else the next call that solves
   finds the order of elimination anew, for all bodies.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT */
SPC_API spc_status spc_constraint_set_enabled(spc_world *world, spc_constraint constraint,
                                              bool enabled);

/* Sets the caller's mark. errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT */
SPC_API spc_status spc_constraint_set_conditional(spc_world *world, spc_constraint constraint,
                                                  bool conditional);

/* Names a constraint, for the caller's use; NULL: no name. spc_constraint_get_info tells it.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT; SPC_ERROR_BAD_NAME (too long) */
SPC_API spc_status spc_constraint_set_name(spc_world *world, spc_constraint constraint,
                                           const char *name);

/* Marks a constraint with a number of the caller's; 0, with which it starts, is no number.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT */
SPC_API spc_status spc_constraint_set_id(spc_world *world, spc_constraint constraint, unsigned id);

/* The first constraint, in the order of handles' index, of a name or with a number.
   errors: SPC_ERROR_NULL; SPC_ERROR_NOT_FOUND (also of an empty name, and of 0) */
SPC_API spc_status spc_constraint_find_name(const spc_world *world, const char *name,
                                            spc_constraint *constraint);
SPC_API spc_status spc_constraint_find_id(const spc_world *world, unsigned id,
                                          spc_constraint *constraint);

/* Stabilization of one constraint. To switch it off and on, change `enabled` alone.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT; set: SPC_ERROR_NOT_FINITE;
           SPC_ERROR_BAD_TIME_CONSTANT; SPC_ERROR_BAD_OPTION (mask bits beyond the rows of its
           kind) */
SPC_API spc_status spc_constraint_get_stabilization(const spc_world *world,
                                                    spc_constraint constraint,
                                                    spc_stabilization *stabilization);
SPC_API spc_status spc_constraint_set_stabilization(spc_world *world, spc_constraint constraint,
                                                    const spc_stabilization *stabilization);

/* Whether a constraint is one-sided, and its law. It may be changed at any time: what is set counts
   from the next call on. A sphere on a plane, a disc or a sphere on a sphere is one-sided in its
   normal row, and its law's friction acts in those of its rows x and y that are on: without
   `rolling` there is none. An attachment is a point on a plane then: the origin of M above the
   plane z = 0 of F, with friction along its x and y; it must lock z alone.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT; set: those of spc_contact_law_check;
           SPC_ERROR_BAD_OPTION (one-sided without a normal row, or an attachment that locks other
           than z); SPC_ERROR_ROWS_FULL (a point on a plane takes three rows, a disc six) */
SPC_API spc_status spc_constraint_get_law(const spc_world *world, spc_constraint constraint,
                                          bool *one_sided, spc_contact_law *law);
SPC_API spc_status spc_constraint_set_law(spc_world *world, spc_constraint constraint,
                                          bool one_sided, const spc_contact_law *law);

typedef struct spc_contact_info {
    spc_contact_state state; /* after the last step; of a contact that is bilateral: rolling */
    bool began, ended;       /* in the last step it closed, it opened; both: it bounced */
    spc_real separation;     /* now; negative where they overlap [m] */
    spc_real normal_speed;   /* at which it grows now [m/s] */
    spc_real slip[2];        /* now, along x and y, against the surface [m/s] */
    spc_real force[3];       /* on B along x y n, minus the multipliers: of the last step its mean
                                [N]; of spc_world_impact the impulse [N s] */
    spc_real moment[3];      /* of resistances, about x y n [N m], [N m s] */
    spc_real grip_used;      /* |p_t| / (friction p_n); 1 and a little rounding where it slides; 0
                                with grip, or without friction or force [-] */
    spc_real hit_speed;      /* at which the bodies met in the last step; 0 if they did not [m/s] */
} spc_contact_info;

/* How a contact with one normal row is.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT; SPC_ERROR_WRONG_CONSTRAINT_KIND (an
           attachment that is not one-sided); those of the kernel; SPC_ERROR_NOT_FINITE */
SPC_API spc_status spc_constraint_get_contact(const spc_world *world, spc_constraint constraint,
                                              spc_contact_info *info);

/* The next contact that closed, opened or bounced in the last step, of those alone; a zeroed handle
   begins. False: there is no further one. */
SPC_API bool spc_contact_event_next(const spc_world *world, spc_constraint *constraint);

typedef struct spc_constraint_info {
    spc_constraint_kind kind;
    spc_body a, b;       /* of contacts with a plane: floor, and ball or disc */
    bool enabled;
    bool conditional;
    int position_rows;     /* rows in use by the level that they are enforced from: Simbody's mp, */
    int velocity_rows;     /* mv (without the derivatives of position rows) */
    int acceleration_rows; /* and ma; all 0 while disabled */
    int row_index;         /* of its first row in constraint-space vectors; -1 while disabled */
    char name[SPC_MAX_NAME + 1];
    unsigned id;
    unsigned redundant;     /* bit i: the last call that solved left row i to the others */
    spc_real contradiction; /* as that of spc_world_report, for this constraint; 0: none */
} spc_constraint_info;

/* What a constraint is. errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT */
SPC_API spc_status spc_constraint_get_info(const spc_world *world, spc_constraint constraint,
                                           spc_constraint_info *info);

/* The constraint's kernel at the present state, disabled or not, stabilization masks not applied.
   Rows that are off tell their errors: how fast a ball slides that does not roll.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT; those of the kernel */
SPC_API spc_status spc_constraint_get_rows(const spc_world *world, spc_constraint constraint,
                                           spc_rows *rows);

/* Columns of a system Jacobian: 6 for each body, angular then linear of Bo; those of the body with
   handle index i begin at 6 (i - 1). */
SPC_API int spc_world_column_count(const spc_world *world);

/* A constraint's rows in use as rows of the system G A = gamma of all bodies' accelerations.
   in:     row       where its first row goes, such as spc_constraint_info.row_index
           rows      how many rows the system has
   out:    G         rows x spc_world_column_count, by rows
           gamma     minus jdot_v, without stabilization [m/s^2]
           e, s      position and velocity errors; 0 where stabilization masks leave them out
                     each may be NULL; only elements of the constraint's own rows are written
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT; SPC_ERROR_BAD_COUNT (its rows do not lie
           within the system); those of the kernel */
SPC_API spc_status spc_constraint_get_system(const spc_world *world, spc_constraint constraint,
                                             int row, int rows, spc_real *G, spc_real *gamma,
                                             spc_real *e, spc_real *s);

/* Adds the constraint's stabilization terms to its elements of a gamma; nothing where they are
   zero, since it is not enabled or masked. in, errors: as spc_constraint_get_system, and
   SPC_ERROR_NOT_FINITE (of a sum) */
SPC_API spc_status spc_constraint_add_baumgarte(const spc_world *world,
                                                    spc_constraint constraint, int row, int rows,
                                                    spc_real *gamma);

/* Multipliers in the kind's row order, SPC_MAX_ROWS numbers [N], 0 for rows that are off and while
   disabled; those of a one-sided contact along x y n and about them [N m]. They are those of the
   last spc_world_forward_dynamics, of the last stage of spc_step_rk4 (with projection: at its end),
   or the impulses of spc_step, in its middle, over its length.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT */
SPC_API spc_status spc_constraint_get_multipliers(const spc_world *world, spc_constraint constraint,
                                                  spc_real *multipliers);

/* Acceleration errors at the present state and accelerations, SPC_MAX_ROWS numbers [m/s^2], 0 for
   rows that are off. After forward dynamics they are what stabilization asks for, or 0 without it.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT; those of the kernel; SPC_ERROR_NOT_FINITE (an
           error would be)
   source: (4.7) */
SPC_API spc_status spc_constraint_get_acceleration_errors(const spc_world *world,
                                                          spc_constraint constraint,
                                                          spc_real *errors);

typedef struct spc_contact_force {
    spc_vec3 p_GC;       /* where it acts: the contact point at the present state [m] */
    spc_vec3 force_G;    /* on body B (ball, disc); A gets the opposite at C [N] */
    spc_vec3 force_P;    /* the same along the contact frame's axes: minus the multipliers [N] */
    spc_spatial on_a;    /* the same as torque about the origin and force: on the floor, in G */
    spc_spatial on_b;    /* and on the ball or disc */
    spc_spatial on_a_A;  /* on_a and on_b in the axes of A and of B */
    spc_spatial on_b_B;
    spc_real power;      /* into the system, both bodies [W] */
} spc_contact_force;

/* What the constraint's multipliers do to its bodies; all zero but p_GC while disabled. Of
   one-sided contacts moments of resistances count in torques and power.
   errors: SPC_ERROR_NULL; SPC_ERROR_STALE_CONSTRAINT; those of the kernel; SPC_ERROR_NOT_FINITE (a
           force, a torque or the power would be)
   source: (4.8), (4.9) */
SPC_API spc_status spc_constraint_get_forces(const spc_world *world, spc_constraint constraint,
                                             spc_contact_force *forces);

/* Length of constraint-space vectors: rows in use of all enabled constraints, in the order of their
   handles' index, each in its kind's row order without the rows that are off. */
SPC_API int spc_world_row_count(const spc_world *world);

/* ------------------------------------------------------------------- [7.3] WORLD: MOTION ------ */

/* Accelerations and multipliers at the present state: nothing moves. Stabilization terms count as
   they are set, whatever the step. Results: spc_body_get_acceleration,
   spc_constraint_get_multipliers, spc_constraint_get_forces.
   One-sided contacts that touch, to 1e-9 of their arms, press, stick and slip by their law with
   accelerations in the place of velocities; the others do nothing.
   errors: SPC_ERROR_NULL; SPC_ERROR_SOLVER_FULL; those of the kernels; SPC_ERROR_JAMMED (friction
           at a slip that no forces obey the law with); SPC_ERROR_STATE_NOT_FINITE */
SPC_API spc_status spc_world_forward_dynamics(spc_world *world);

/* One step of length h [s], for games and for anything that runs long: a midpoint scheme of second
   order in h, with one factorization of each island; exact for uniform balls on planes that do not
   turn, under constant forces.

   Half a drift: poses move freely with the velocities, free rotation by the implicit midpoint rule,
   in parts where one turn does not settle. In the middle forces act through h, and impulses turn
   the velocities so that those at the end of the other half of the drift satisfy the rows, to
   second order: errors of velocity that were there before are gone. Poses are displaced so that the
   step leaves an error of third order of its own. Position errors that were there before go at once
   where they are drift, and decay by e' = -e/T, T at least 2 h, where a constraint came apart, see
   [5]; neither leaves a velocity behind. Without stabilization nothing is displaced, and drift
   stays.

   Kept to rounding: energy and momenta of free bodies at any spin, momenta of islands that hang on
   nothing fixed. Balls, discs and wagons, hanging chains and shut doors that rest do so bit for
   bit; on slopes from the 16th step on, when poses have been rounded onto the constraints. Joints,
   rolling discs and spheres on spheres take or give energy at second order; where impulses would
   give an island more than a thousandth of its kinetic energy in one step, some of the errors of
   velocity before it are turned around instead of removed, (7.7), which leaves two thousandths at
   most as long as bodies turn by less than a radian in h; those that turn faster may gain more.

   An island with joints takes the step in equal parts, at most 32, each with a factorization,
   where h is too long for it: where a body turns its arms by more than 0.4 rad in a part, or what
   it is jointed to by more than a radian, and less where that yields to it, (7.11); and where f
   pulls at an arm a from the centre of a body with the moment I, and h sqrt(f a / I) comes near the
   limit of 1.4. A wheel on a hinge is stable up to a radian. Where more parts were needed the step
   is refused with SPC_ERROR_BAD_STEP: beyond 3 to 32 rad in h; of a pull, only where the body that
   is pulled turns by more than 0.2 rad, so that what hangs still or turns slowly goes on. A blow,
   which takes errors of velocity out, is not divided. Kinematic bodies move through the parts, and
   callbacks are asked for times in between.

   One-sided contacts press and slip by their law, [5.1], with the restitution and the friction that
   it has: where bodies meet within h, at the time when they do, so that heights and times of a
   bounce are right at any h, on what rests, too, and a bounce comes to rest by itself. Where
   impacts propagate, three bodies or more that bounce on each other do so only if some
   restitution_speed is too slow for them. Friction is opposite to the mean of the slip before and
   after the step. Where slipping begins or ends within h, places are of second order. Bodies that
   may rest do, bit for bit.

   All contacts of an island are solved at once, or in turn where impacts propagate, to rounding, or
   with many of them as well as a bounded number of turns does: spc_world_get_report tells the
   residual. Impulses that are not determined, as those of four feet, are those nearest to the step
   before. Newton's restitution of several contacts at once, or off the centre, may bring in energy
   (Kane's paradox). But what bounces at several times of h, or closes after a blow in it, does so
   one after the other, spheres where blows have sent them, (7.22): a gas in a box keeps its energy.
   Spheres on a way of more than half of both radii take the step in parts, (7.21), at most 32,
   beyond which they count as unsolved in the report, and may pass each other.
   Where something bounces that hangs on joints, or is struck beside its centre, as feet, discs and
   off-centre balls are, the bounce divides the step of its island, (7.24): each costs some
   factorizations more. Up to 16 in h do; beyond, the island counts as unsolved, too.
   Balls of a rack that touch are struck at once; with gaps between them, however small, in turn, so
   that those in its corners leave it first.

   A disc alone on ground that turns by a radian or more in h, or its axis by a quarter of its angle
   to the normal, takes the step in parts: one more than there are radians or quarters, at most 32,
   and twice as many as long as they do not leave it on its plane. Where a disc would turn over its
   flat position the step is refused: there the contact point leaps across the disc. Multipliers are
   the impulses over h.

   A one-sided disc comes to lie on its side there instead: a wheel that falls over, a coin that is
   dropped flat, or one that spins down on a table, when it precesses faster than 128 parts could
   follow. That takes energy only, and momenta stay. Its centre is C then, in the axes of P, and it
   rests, slides or spins by its law, with the pressure anywhere within its rim: it tips, by a pull
   or a blow, where that would have to be outside. Friction about the normal is that of a rim that
   presses all around, friction times p_n times the radius, whether it slides or not. A disc that
   lies stays so, bit for bit. Of two rims of a body, as a coin with a width has them, one that is
   higher by more than a quarter of the distance between them waits for what the other does, and
   does not lie down.
   errors: SPC_ERROR_NULL; SPC_ERROR_BAD_STEP, too, where h is too long for what turns;
           SPC_ERROR_SOLVER_FULL; SPC_ERROR_BAD_MOTION; those of the kernels;
           SPC_ERROR_NO_CONTACT_POINT, too, where a disc that is not one-sided would turn over its
           flat position within the step; SPC_ERROR_STATE_NOT_FINITE
   source: derivation (7.1) to (7.11), (7.13) to (7.15), (7.21), (7.22), (7.24), (6.12) to (6.15) */
SPC_API spc_status spc_step(spc_world *world, spc_real h);

/* The same step in shares, for threads of the caller's: it begins; each share is done once, in any
   order or all at the same time; it ends. The bits are those of spc_step, whatever the number of
   shares and threads. A share has some of the bodies, island by island; four for each thread keep
   all busy. An island that kinematic bodies carry waits for spc_step_end where it takes the step in
   parts. Callbacks are asked by spc_step_begin and spc_step_end alone.

       status = spc_step_begin(world, h, shares);
       if (!status) {
           #pragma omp parallel for schedule(dynamic)
           for (int i = 0; i < shares; i++)
               (void)spc_step_share(world, i);
           status = spc_step_end(world);
       }

   The world stands as it was until the end. In between only these and queries (calls with a const
   spc_world) may be called on it. Who calls spc_step_end has to wait for the threads before, as
   the loop above does.
   in:     shares  how many, at least 1; those of fewer bodies than that do nothing
           share   which, from 0 to shares - 1
   errors: begin: those of spc_step that it finds; SPC_ERROR_BAD_COUNT (shares). No step has begun
           share: SPC_ERROR_NULL; SPC_ERROR_NO_STEP; SPC_ERROR_BAD_COUNT (share); what it refuses
           the step with, which spc_step_end tells again
           end: SPC_ERROR_NULL; SPC_ERROR_NO_STEP, too, where a share was left out, or bodies or
           constraints were changed since: the step is given up; those of spc_step, of the first
           share that has one. The world is then as it was before */
SPC_API spc_status spc_step_begin(spc_world *world, spc_real h, int shares);
SPC_API spc_status spc_step_share(spc_world *world, int share);
SPC_API spc_status spc_step_end(spc_world *world);
/* Takes so many steps of spc_step, and writes where each leads to: one call for a caller whose
   calls cost, such as a script.
   out:    states  those of all bodies in the order of spc_body_next, after each step: so many times
                   steps of them; may be NULL
   returns how many steps were taken. If they are fewer, the next one is refused, spc_step tells
   why, and the states of those that are left are untouched. 0 for NULL. */
SPC_API int spc_world_run(spc_world *world, spc_real h, int steps, spc_state *states);

/* What spc_step_rk4 does about the drift of the constraints. */
typedef enum spc_drift {
    SPC_DRIFT_STABILIZE = 0, /* each constraint's own stabilization; T at least 2 h */
    SPC_DRIFT_PROJECT        /* none; poses, then velocities, are projected at the end, until the
                                constraints hold to some roundings of the coordinates or, where they
                                contradict each other, are met by least squares */
} spc_drift;

/* One step of length h [s] of the classical Runge-Kutta method on the constrained accelerations:
   fourth order. Accelerations and multipliers are left as the last stage finds them, which is at
   the end of the step to third order; with projection, as they are at its end. Projection moves
   poses and velocities, mass-weighted, by no more than the method's error.

   With one-sided contacts the step is taken in parts, for all bodies at once, that end where
   something happens: where bodies meet, part or come to the end of a plane, slip begins or ends, or
   what rolls or spins against a resistance comes to rest. The time of that is found to rounding by
   some ten trials, and motion between is of fourth order. At most 64 times a step; what is left
   then is one more part, in which contacts stay as they are. From the 32nd time on a bounce that
   would land again within the step rests, as in spc_step, and slip that is nearly none is none.
   Where contacts change at once again and again, or cannot stay as they are, as feet may that come
   to rest together, the step is one of spc_step instead, of second order, in 16 parts. Where
   friction jams (SPC_ERROR_JAMMED of forward dynamics) the contacts get the impulse that stops the
   slip, without a meeting; if that does not help, the step is one of those, too. Where slip turns,
   parts are so short, up to 256 in a step, that what slides errs by no more than 1e-7 in each
   (float: 1e-5), in parts of what accelerations without forces do in a step, and by 1e-4 in parts
   below a 16th of it. Contacts that press are projected, those that are open are not; forces and
   states are those at the end. What is at rest before the step and after it keeps its pose, bit for
   bit. A step in which a disc comes to lie on its side, or tips, is one of spc_step, of second
   order.
   errors: as spc_step, of the kernels at the method's four stages; SPC_ERROR_BAD_OPTION (drift);
           SPC_ERROR_NOT_ASSEMBLED (the projection does not converge)
   source: (7.16) to (7.18), (7.20), (7.23) */
SPC_API spc_status spc_step_rk4(spc_world *world, spc_real h, spc_drift drift);

/* Moves dynamic bodies until no position error of an enabled constraint exceeds the tolerance [m]
   (twice the sine of half an angle, for rotations), by Newton's method: each of its steps is as
   small as possible, mass-weighted, and none turns a body by more than half a radian. The smallest
   tolerance that can be met is some ten roundings of the largest coordinate. Where it fails it
   starts once more, with turning made harder than moving. A state within the tolerance is left
   untouched, bit for bit, and so is one from which Newton's method does not converge. Constraints
   that contradict each other are met in the sense of least squares: SPC_OK, with what is left as
   the residual, and spc_world_get_report tells.
   out:    residual  largest absolute position error: of the state that is left or, where it failed,
                     of the best that was found; may be NULL
   errors: SPC_ERROR_NULL; SPC_ERROR_BAD_TOLERANCE; SPC_ERROR_SOLVER_FULL;
           those of the kernels (residual untouched); SPC_ERROR_STATE_NOT_FINITE;
           SPC_ERROR_NOT_ASSEMBLED */
SPC_API spc_status spc_world_assemble(spc_world *world, spc_real tolerance, spc_real *residual);

/* Impulses that bring the velocity errors to given values: for a contact that closes (0), for a
   bounce. Rows enforced at acceleration level alone keep theirs.
   in:     v_plus    velocity errors after [m/s], a constraint-space vector; NULL: zeros
           count     its length and that of impulses: spc_world_row_count
   out:    impulses  with the multipliers' sign [N s], a constraint-space vector; may be NULL
   One-sided contacts that touch press against what would go through them, by their law but without
   restitution; v_plus does not count for them.
   errors: SPC_ERROR_NULL; SPC_ERROR_BAD_COUNT; SPC_ERROR_NOT_FINITE; SPC_ERROR_SOLVER_FULL;
           those of the kernels; SPC_ERROR_STATE_NOT_FINITE */
SPC_API spc_status spc_world_apply_impulses(spc_world *world, const spc_real *v_plus,
                                            spc_real *impulses, int count);

/* Makes velocities satisfy the constraints: the nearest ones, mass-weighted. The same as impulses
   to zero velocity errors. To start a ball rolling with a given velocity v or angular velocity w
   instead, set both: v = arm x w with arm = spc_rows.arm_b, or w = Pz x v / r, on a floor at rest.
   errors: as spc_world_apply_impulses */
SPC_API spc_status spc_world_project_velocities(spc_world *world);

/* The impact of all one-sided contacts that are enabled, whatever their gap, at the present poses:
   each by its law with restitution, [5.1], at once or, where it propagates, in turn; all other
   constraints hold. Their impulses and events are told as those of a step; states as the impulses
   have them, of what bounces, too.
   errors: as spc_world_apply_impulses */
SPC_API spc_status spc_world_impact(spc_world *world);

/* What the last call had to do that solved and was not refused: forward dynamics, a step (of the
   parts of one: nothing), impulses, assembly. */
typedef struct spc_world_report {
    int factorizations; /* of islands; a contact alone needs none */
    int substitutions;  /* passes through a factor, forward and back */
    int redundant_rows; /* rows that were left to the others; spc_constraint_info tells which */
    int contradictory;  /* constraints whose rows ask for what those of others forbid, and by more
                           than drift explains */
    spc_constraint worst;   /* of these; zeroed: none */
    spc_real contradiction; /* what its rows ask for in vain: of a step or of assembly a position
                               error [m] or, if there is none, a velocity [m/s]; of impulses [m/s];
                               of accelerations [m/s^2]; of rotations times the longest arm */
    spc_real residual; /* of one-sided contacts: the largest part of an island's velocities that
                          the law is missed by */
    int unsolved;      /* islands in which that is more than 1e-9 (in single precision 1e-4), or
                          spheres that strike others are too fast for h */
} spc_world_report;

/* The report. errors: SPC_ERROR_NULL */
SPC_API spc_status spc_world_get_report(const spc_world *world, spc_world_report *report);

/* The parts of spc_step, for a solver of the caller's own. One step is
       spc_world_free_motion             to the middle: half a drift, then forces through h
       spc_world_get_violation           what the velocities then lack
       spc_world_get_position_violation  and what the poses do
       spc_world_get_compliance          W, which the multipliers act through
       W lambda = violation, W mu = position violation: your solves
       spc_world_correct                 velocities take the impulses of lambda
       spc_world_displace                poses take the displacements of mu
       spc_world_end_motion              to the end: half a drift
   Vectors are constraint-space vectors of spc_world_row_count numbers. With an exact solve this is
   spc_step to rounding, but for what the parts leave out: (7.7), which limits what impulses add to
   the energy; the division of a step; and the look ahead to where a disc would turn over. A
   call that is refused leaves the world where the parts before have brought it. One-sided contacts
   have no part in it: the four that move a world refuse it with SPC_ERROR_ONE_SIDED. */

/* Moves poses and clock through half a step of length h [s], and velocities by the forces of a
   whole one, as if there were no constraints.
   out:    velocity_target  velocity errors wanted in the middle: minus what the free drift has
                            changed them by, (7.3), (7.8); may be NULL
           position_target  position errors wanted there, (7.4); may be NULL
                            both 0 for constraints without a dynamic body
   errors: as spc_step (SPC_ERROR_STATE_NOT_FINITE where a target would be, too), and
           SPC_ERROR_BAD_COUNT */
SPC_API spc_status spc_world_free_motion(spc_world *world, spc_real h, spc_real *velocity_target,
                                         spc_real *position_target, int count);

/* By how much the velocity errors differ from those wanted: s - target or, without a target,
   s + e/h: deadbeat, the position error over the step. Rows without a position level have no e.
   [m/s]
   errors: SPC_ERROR_NULL; SPC_ERROR_BAD_COUNT; SPC_ERROR_BAD_STEP; those of the kernels;
           SPC_ERROR_NOT_FINITE (of the violation) */
SPC_API spc_status spc_world_get_violation(const spc_world *world, spc_real h,
                                           const spc_real *target, spc_real *violation, int count);

/* By how much the position errors differ from those wanted: e - target, or e without one; 0 for
   rows without a position level, or whose position errors stabilization ignores. [m]
   errors: SPC_ERROR_NULL; SPC_ERROR_BAD_COUNT; those of the kernels; SPC_ERROR_NOT_FINITE (of the
           violation) */
SPC_API spc_status spc_world_get_position_violation(const spc_world *world, const spc_real *target,
                                                    spc_real *violation, int count);

/* The compliance (Delassus) matrix W = h G M^-1 G^T of the rows in use of chosen constraints.
   in:     chosen  n constraints, in the order of W's rows; NULL (n is ignored): all, as in
                   constraint-space vectors
           count   rows and columns of W
   out:    W       count x count, by rows
   errors: SPC_ERROR_NULL; SPC_ERROR_BAD_STEP; SPC_ERROR_STALE_CONSTRAINT; SPC_ERROR_BAD_COUNT;
           SPC_ERROR_SOLVER_FULL; those of the kernels; SPC_ERROR_NOT_FINITE (of W) */
SPC_API spc_status spc_world_get_compliance(spc_world *world, spc_real h,
                                            const spc_constraint *chosen, int n, spc_real *W,
                                            int count);

/* Velocities take the impulses -h lambda: V -= h M^-1 G^T lambda. The multipliers are kept for
   queries.
   errors: SPC_ERROR_NULL; SPC_ERROR_BAD_STEP; SPC_ERROR_BAD_COUNT; SPC_ERROR_NOT_FINITE;
           SPC_ERROR_SOLVER_FULL; those of the kernels; SPC_ERROR_STATE_NOT_FINITE */
SPC_API spc_status spc_world_correct(spc_world *world, spc_real h, const spc_real *lambda,
                                     int count);

/* Poses take the displacements -h M^-1 G^T mu, an island's all shortened alike where one turns by
   more than half a radian; velocities of the centres of mass and angular velocities stay, but for a
   rigid rotation of an island that hangs on nothing fixed, which keeps its angular momentum.
   errors: as spc_world_correct */
SPC_API spc_status spc_world_displace(spc_world *world, spc_real h, const spc_real *mu, int count);

/* Moves poses and clock freely through the other half of a step of length h.
   errors: SPC_ERROR_NULL; SPC_ERROR_BAD_STEP; SPC_ERROR_SOLVER_FULL; SPC_ERROR_BAD_MOTION;
           SPC_ERROR_STATE_NOT_FINITE */
SPC_API spc_status spc_world_end_motion(spc_world *world, spc_real h);

typedef struct spc_energy_momentum {
    spc_real kinetic;   /* energy [J] */
    spc_real potential; /* energy in gravity, 0 for a centre of mass at ground's origin [J] */
    spc_vec3 linear;    /* momentum, in G [kg m/s] */
    spc_vec3 angular;   /* momentum about ground's origin, in G [kg m^2/s] */
} spc_energy_momentum;

/* Energies and momenta of all dynamic bodies. errors: SPC_ERROR_NULL; SPC_ERROR_NOT_FINITE (one of
   them would be) */
SPC_API spc_status spc_world_get_energy_momentum(const spc_world *world, spc_energy_momentum *out);

/* ------------------------------------------------------------------ [7.4] WORLD: DRAWING ------ */
/*
   Shows what is in a world: where the library thinks that planes, balls, discs and joints are, how
   contacts push, which joint is open. It calls functions of yours, of which one that draws a line
   is enough. All is in G and in metres; no axis is up. Balls and discs have lines that turn with
   them, so that rolling is seen. What is disabled is grey. A line without length, and what is not
   finite, is left out.
*/

/* Bits of what is drawn. Colors are suggestions. */
#define SPC_PART_PLANE 1u    /* a square with a grid, grey; once for constraints in turn that have
                                the same */
#define SPC_PART_BALL 2u     /* a sphere: three great circles, orange */
#define SPC_PART_DISC 4u     /* two rims, half the width to either side, and a spoke; blue or own */
#define SPC_PART_JOINT 8u    /* axes x y z of F, and half as long of M, red, green, blue; lines from
                                the origins of A and B (but ground's), grey; a line to M's origin
                                from where it is to be, red, but of a point on a plane, which is
                                drawn as a contact */
#define SPC_PART_CONTACT 16u /* a cross at C, and the normal there; green where the contact presses,
                                violet where it does and is one-sided and slides, red where it
                                pulls, grey where it is open or without force */
#define SPC_PART_FORCE 32u   /* the force on B at C: its normal part, colored as the contact, and
                                its tangential part, orange; of a joint all of it, orange */
#define SPC_PART_MASS 64u    /* through Bc the axes of a box of the body's mass and inertia, blue */
#define SPC_PART_NAME 128u   /* names of constraints, at S of a ball or disc, at M's origin */
#define SPC_PART_ALL 255u

/* What a callback is told of the thing that it draws. */
typedef struct spc_drawn {
    unsigned part;             /* one bit SPC_PART_... */
    spc_color color;           /* opaque, unless a disc's own color is not */
    spc_body body;             /* that it moves with: a plane's floor; B of contacts and forces */
    spc_constraint constraint; /* that it is of; zeroed for a body's mass */
} spc_drawn;

/* How to draw. Each callback gets `user` first. */
typedef struct spc_drawing {
    unsigned parts;  /* bits SPC_PART_... */
    spc_real newton; /* length of a force of 1 N; negative: forces on A [m/N] */
    spc_real frame;  /* length of the axes of F, and of a contact's normal [m] */
    int segments;    /* of a circle that is drawn by lines, >= 3 */
    void *user;
    void (*line)(void *user, const spc_drawn *what, spc_vec3 a_G, spc_vec3 b_G); /* required */
    /* Around the origin of X_G, in its plane of x and y. NULL: by lines. */
    void (*circle)(void *user, const spc_drawn *what, spc_transform X_G, spc_real radius);
    /* Around the origin of X_G, which turns with the body. NULL: by circles about x, y and z. */
    void (*sphere)(void *user, const spc_drawn *what, spc_transform X_G, spc_real radius);
    /* NULL: no texts. */
    void (*text)(void *user, const spc_drawn *what, spc_vec3 p_G, const char *text);
} spc_drawing;

/* All parts but masses and names, 0.01 m for a newton, frames of 0.1 m, 32 segments; all callbacks
   are NULL: line must be set. */
SPC_API spc_drawing spc_drawing_default(void);

/* Draws a world as it is: masses in the order of bodies, then all constraints in theirs. Forces are
   those of spc_constraint_get_forces. The callbacks must not change the world.
   errors: SPC_ERROR_NULL (line, too); SPC_ERROR_BAD_OPTION (parts, segments); SPC_ERROR_NOT_FINITE
           (newton, frame). Nothing is drawn then. */
SPC_API spc_status spc_world_draw(const spc_world *world, const spc_drawing *drawing);

/* ------------------------------------------------------------------- [7.5] WORLD: STATES ------ */
/*
   A state is what the next step reads and a step changes: the clock and what rounding has taken
   from it; pose and velocity of each body; accelerations that are prescribed; applied forces of
   both durations; multipliers. It is a tenth of a snapshot and less: in single precision a ball
   with its contact takes 65 bytes of it, in double 129; forces on a body take 48 or 96 more. So
   many steps can be kept, to go back to, or be sent to who has the same world.

   It is loaded into a world of the same structure: that it was saved from, a copy of it, or one
   whose bodies and constraints were added and removed by the same calls. The handles that exist
   must be the same, the kinds of bodies, which of them callbacks move, and the constraints that are
   enabled, with their bodies and rows in use. What the caller sets and no step changes is not in it
   (masses, shapes, stabilization, gravity, names): what follows is the same to the last bit if that
   is, too. Nor are results but multipliers: accelerations of dynamic bodies and the report are what
   the last call of the world found.

   Its bytes are the same on every machine, and need no alignment. The first eight are "SPCS", the
   version, and the bytes of a real: builds of the same version and precision read it, and no other.
   Then follow, lowest byte first, numbers of eight bytes: one for the structure, a hash of what is
   behind them, how many bytes there are. Equal states have equal hashes.
*/

/* How many bytes the present state has; 0 for NULL. It changes with bodies, with constraints and
   their rows in use, and with the number of bodies that forces act on. */
SPC_API size_t spc_world_state_size(const spc_world *world);

/* Writes the present state.
   out:    memory  spc_world_state_size bytes
   errors: SPC_ERROR_NULL; SPC_ERROR_MEMORY_TOO_SMALL */
SPC_API spc_status spc_world_save_state(const spc_world *world, void *memory, size_t bytes);

/* Goes back, or on, to a state. Callbacks are not asked.
   in:     memory  the state, and what may stand behind it
   errors: SPC_ERROR_NULL; SPC_ERROR_NOT_A_STATE (also where bytes are not what was written);
           SPC_ERROR_MEMORY_TOO_SMALL; SPC_ERROR_OTHER_STRUCTURE */
SPC_API spc_status spc_world_load_state(spc_world *world, const void *memory, size_t bytes);

#ifdef __cplusplus
}
#endif

#ifdef SPCI_GCC_FUSES
#pragma GCC pop_options
#elif defined(SPCI_MSVC_FUSES) && \
    (defined(_M_FP_CONTRACT) || (_MSC_VER < 1930 && !defined(_M_FP_STRICT)))
#pragma fp_contract(on)
#endif

#endif /* SPCI_REFUSED */
#endif /* SPHERECONTACT_H */

/* Every inclusion has the configuration of the first. */
#if !defined(SPCI_REFUSED) && (defined(SPC_USE_FLOAT) != defined(SPCI_FLOAT) || \
                               defined(SPHERECONTACT_STATIC) != defined(SPCI_STATIC))
#define SPCI_REFUSED
#error "SPC_USE_FLOAT and SPHERECONTACT_STATIC must be as at the first inclusion of spherecontact.h"
#endif

#if defined(SPHERECONTACT_IMPLEMENTATION) && !defined(SPHERECONTACT_IMPLEMENTED) && \
    !defined(SPCI_REFUSED)
#define SPHERECONTACT_IMPLEMENTED

#ifndef SPC_SQRT
#include <math.h>
#ifdef SPC_USE_FLOAT
#define SPC_SQRT(x) sqrtf(x)
#else
#define SPC_SQRT(x) sqrt(x)
#endif
#endif

#ifndef SPC_ASSERT
#define SPC_ASSERT(x) ((void)0)
#endif

/* As above. clang has its settings back behind the implementation by float_control; for targets
   where it ignores that (for some versions ARM, RISC-V) those of the command line. */
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wignored-pragmas"
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#pragma float_control(push)
#pragma clang diagnostic pop
#pragma STDC FP_CONTRACT OFF
#elif defined(SPCI_GCC_FUSES)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off", "no-tree-slp-vectorize")
#if __FLT_EVAL_METHOD__ == 1
#pragma GCC optimize("excess-precision=fast")
#endif
#elif defined(SPCI_MSVC_FUSES)
#pragma fp_contract(off)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Structs of single precision have other names in here, too. */
#ifdef SPC_USE_FLOAT
#define spci_alignment spci_alignment_f
#define spci_balls spci_balls_f
#define spci_body spci_body_f
#define spci_cargo spci_cargo_f
#define spci_clock spci_clock_f
#define spci_clumps spci_clumps_f
#define spci_common spci_common_f
#define spci_constraint spci_constraint_f
#define spci_contact_start spci_contact_start_f
#define spci_course spci_course_f
#define spci_definite spci_definite_f
#define spci_demand spci_demand_f
#define spci_dense spci_dense_f
#define spci_disc spci_disc_f
#define spci_edge spci_edge_f
#define spci_extent spci_extent_f
#define spci_island spci_island_f
#define spci_krylov spci_krylov_f
#define spci_ladder spci_ladder_f
#define spci_rung spci_rung_f
#define spci_search_state spci_search_state_f
#define spci_late spci_late_f
#define spci_law spci_law_f
#define spci_lone_kind spci_lone_kind_f
#define spci_lone_queue spci_lone_queue_f
#define spci_lones spci_lones_f
#define spci_node spci_node_f
#define spci_pace spci_pace_f
#define spci_moved spci_moved_f
#define spci_path spci_path_f
#define spci_refusal spci_refusal_f
#define spci_pen spci_pen_f
#define spci_plane spci_plane_f
#define spci_planes spci_planes_f
#define spci_reach spci_reach_f
#define spci_real_bits spci_real_bits_f
#define spci_shape spci_shape_f
#define spci_side spci_side_f
#define spci_states spci_states_f
#define spci_stretch spci_stretch_f
#define spci_structure spci_structure_f
#define spci_sums spci_sums_f
#define spci_touch_point spci_touch_point_f
#define spci_touches spci_touches_f
#define spci_trial spci_trial_f
#define spci_turns spci_turns_f
#define spci_whole spci_whole_f
#define spci_work spci_work_f
#endif

/* Rounding unit, largest and least normal number of spc_real. */
#ifdef SPC_USE_FLOAT
#define SPCI_EPSILON SPC_R(1.1920928955078125e-07)
#define SPCI_MAX SPC_R(3.4028234663852886e+38)
#define SPCI_LEAST_NORMAL SPC_R(1.1754943508222875e-38)
#else
#define SPCI_EPSILON SPC_R(2.2204460492503131e-16)
#define SPCI_MAX SPC_R(1.7976931348623157e+308)
#define SPCI_LEAST_NORMAL SPC_R(2.2250738585072014e-308)
#endif

SPC_API const char *spc_status_text(spc_status status)
{
    static const char text[SPC_STATUS_COUNT + 1][64] = {
        "ok",
        "a required pointer is NULL",
        "a number is not finite",
        "a vector has no direction",
        "a quaternion has zero length",
        "a capacity is negative or too large",
        "the memory is smaller than a world or a state needs",
        "the memory is not aligned to SPC_WORLD_ALIGNMENT",
        "the memory holds no world of this version and build",
        "no room for another body",
        "no room for another constraint",
        "no room for the constraint's rows",
        "coupled constraints need more spc_world_desc.solver_bytes",
        "the body does not exist",
        "the constraint does not exist",
        "a constraint still refers to the body",
        "both ends of the constraint are the same body",
        "ground cannot be moved, loaded or removed",
        "the body is of another kind",
        "the constraint is of another kind",
        "the mass is not positive",
        "no body has this inertia",
        "a radius is not positive, or a bowl no larger than its ball",
        "the width is negative",
        "the time constant is not positive",
        "the time step is not positive, or too long for what turns",
        "the tolerance is not positive",
        "the vector has a wrong length",
        "an option is out of range",
        "the name is too long",
        "the motion callback gave no valid state",
        "no contact point: axis along the normal, or centres coincide",
        "a twist about opposed axes is not defined",
        "nothing has this name or id",
        "the mass matrix is not positive definite",
        "the state would not stay finite",
        "the constraints cannot be met from here",
        "friction or a resistance is negative",
        "the restitution is not from 0 to 1, or its speed is negative",
        "friction jams: no forces obey the law",
        "one-sided contacts have no part in this call",
        "the memory holds no state of this version and precision",
        "the state is of other bodies, constraints or rows in use",
        "no step has begun, or a share of it was left out",
        "unknown status"
    };
    const int i = (int)status;
    return text[i >= 0 && i < (int)SPC_STATUS_COUNT ? i : (int)SPC_STATUS_COUNT];
}

/* ===================================================== [2i] MATH, IMPLEMENTATION ============== */

/* Functions whose frames would add up on the stack if they were compiled into their only caller,
   and those that compilers are to see alone. */
#if defined(__GNUC__)
#define SPCI_NO_INLINE __attribute__((__noinline__))
#else
#define SPCI_NO_INLINE
#endif

static bool spci_finite(spc_real x)
{
    return x >= -SPCI_MAX && x <= SPCI_MAX;
}

/* a b + c, as the sums of products elsewhere are compiled. */
static SPCI_NO_INLINE spc_real spci_product_sum(spc_real a, spc_real b, spc_real c)
{
    return a * b + c;
}

SPC_API bool spc_arithmetic_is_ieee(void)
{
    /* volatile, so that the processor computes and not the compiler */
    const volatile spc_real one = 1, least = SPCI_LEAST_NORMAL, unit = SPCI_EPSILON;
    const spc_real e = unit, large = 2 / e;
    /* (1 + e)^2 rounds to 1 + 2 e: what is fused, or has more digits, leaves e^2 */
    const spc_real fused = spci_product_sum(one + e, one + e, -(one + 2 * e));
    /* 2/e + 1 lies between two numbers and rounds to the even one; regrouped it leaves 1 */
    const spc_real regrouped = (large + one) - large;
    /* a quarter of the distance to the next number is lost beside 1 */
    const spc_real up = spci_product_sum(e, SPC_R(0.25), one);
    const spc_real down = spci_product_sum(e, SPC_R(-0.125), one);
    const spc_real denormal = least / 2;
    return (fused > 0) + (regrouped > 0) + (up > 1) + (down < 1) + (denormal <= 0) == 0;
}

/* a = b, of numbers that are no NaN */
static bool spci_equal(spc_real a, spc_real b)
{
    return !(a < b) && !(a > b);
}

/* A function that is compiled into its callers, where constants among its arguments drop what they
   do not need. */
#if defined(__GNUC__) && defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#define SPCI_FORCE_INLINE inline __attribute__((__always_inline__))
#else
#define SPCI_FORCE_INLINE inline
#endif

/* |x|; as a built-in function where there is one, because a comparison costs a branch. */
static inline spc_real spci_abs(spc_real x)
{
#if defined(__GNUC__) && defined(SPC_USE_FLOAT)
    return __builtin_fabsf(x);
#elif defined(__GNUC__)
    return __builtin_fabs(x);
#else
    return x < 0 ? -x : x;
#endif
}

/* NaN is not zero. */
static inline bool spci_is_zero_vec3(spc_vec3 v)
{
    return (spci_abs(v.x) + spci_abs(v.y)) + spci_abs(v.z) <= 0;
}

static bool spci_finite_vec3(spc_vec3 v)
{
    return spci_finite(v.x) && spci_finite(v.y) && spci_finite(v.z);
}

static bool spci_finite_quat(spc_quat q)
{
    return spci_finite(q.w) && spci_finite(q.x) && spci_finite(q.y) && spci_finite(q.z);
}

static bool spci_finite_spatial(spc_spatial s)
{
    return spci_finite_vec3(s.angular) && spci_finite_vec3(s.linear);
}

static bool spci_finite_numbers(const spc_real *x, size_t count)
{
    size_t i;
    for (i = 0; x && i < count; i++)
        if (!spci_finite(x[i]))
            return false;
    return true;
}

static spc_real spci_max(spc_real a, spc_real b)
{
    return a > b ? a : b;
}

/* x = 0; volatile, because a compiler would make it a call of memset, as it would any loop that may
   do nothing but clear. */
static void spci_clear(spc_real *x, int n)
{
    volatile spc_real *out = x;
    int i;
    for (i = 0; i < n; i++)
        out[i] = 0;
}

/* The same of a copy. */
static void spci_copy(spc_real *out, const spc_real *x, int n)
{
    volatile spc_real *to = out;
    int i;
    for (i = 0; i < n; i++)
        to[i] = x[i];
}

static spc_spatial spci_spatial_zero(void)
{
    return spc_spatial_make(spc_vec3_make(0, 0, 0), spc_vec3_make(0, 0, 0));
}

static inline spc_spatial spci_spatial_add(spc_spatial a, spc_spatial b)
{
    return spc_spatial_make(spc_add(a.angular, b.angular), spc_add(a.linear, b.linear));
}

static inline spc_spatial spci_spatial_scale(spc_real s, spc_spatial a)
{
    return spc_spatial_make(spc_scale(s, a.angular), spc_scale(s, a.linear));
}

static spc_real spci_spatial_dot(spc_spatial a, spc_spatial b)
{
    return spc_dot(a.angular, b.angular) + spc_dot(a.linear, b.linear);
}

static spc_real spci_max_abs(spc_vec3 a)
{
    return spci_max(spci_abs(a.x), spci_max(spci_abs(a.y), spci_abs(a.z)));
}

SPC_API spc_real spc_norm(spc_vec3 a)
{
    const spc_real m = spci_max_abs(a);
    if (!(m > 0 && m <= SPCI_MAX)) /* 0, infinity, and NaN, which m may have missed */
        return (spci_abs(a.x) + spci_abs(a.y)) + spci_abs(a.z);
    a = spc_vec3_make(a.x / m, a.y / m, a.z / m);
    return m * SPC_SQRT(spc_dot(a, a));
}

SPC_API spc_status spc_normalize(spc_vec3 a, spc_vec3 *unit)
{
    const spc_real m = spci_max_abs(a);
    spc_real n;
    if (!unit)
        return SPC_ERROR_NULL;
    if (!spci_finite_vec3(a))
        return SPC_ERROR_NOT_FINITE;
    if (!(m > 0))
        return SPC_ERROR_ZERO_VECTOR;
    a = spc_vec3_make(a.x / m, a.y / m,
                      a.z / m); /* the largest entry is 1: no over- or underflow */
    n = SPC_SQRT(spc_dot(a, a));
    *unit = spc_vec3_make(a.x / n, a.y / n, a.z / n);
    return SPC_OK;
}

/* R(q) v where v is often zero (centres at origins) or q the identity (floors fixed to ground): the
   same numbers without the arithmetic. */
static inline spc_vec3 spci_rotate_offset(spc_quat q, spc_vec3 v)
{
    if (spci_is_zero_vec3(spc_vec3_make(q.x, q.y, q.z)) || spci_is_zero_vec3(v))
        return v;
    return spc_rotate(q, v);
}

static inline spc_quat spci_turn_frame(spc_quat q, spc_quat frame)
{
    return spci_is_zero_vec3(spc_vec3_make(q.x, q.y, q.z)) ? frame : spc_quat_mul(q, frame);
}

static inline spc_real spci_quat_dot(spc_quat a, spc_quat b)
{
    return ((a.w * b.w + a.x * b.x) + a.y * b.y) + a.z * b.z;
}

static inline spc_quat spci_quat_scale(spc_real s, spc_quat q)
{
    return spc_quat_make(s * q.w, s * q.x, s * q.y, s * q.z);
}

/* The quaternion is unit to within the rounding of its own entries: leave its bits alone. */
static bool spci_quat_is_unit(spc_quat q)
{
    return spci_abs(spci_quat_dot(q, q) - 1) <= 4 * SPCI_EPSILON;
}

SPC_API spc_status spc_quat_normalize(spc_quat q, spc_quat *unit)
{
    const spc_vec3 u = spc_vec3_make(q.x, q.y, q.z);
    const spc_real m = spci_max(spci_abs(q.w), spci_max_abs(u));
    spc_real n;
    if (!unit)
        return SPC_ERROR_NULL;
    if (!spci_finite_quat(q))
        return SPC_ERROR_NOT_FINITE;
    if (!(m > 0))
        return SPC_ERROR_ZERO_QUATERNION;
    if (!spci_quat_is_unit(q)) {
        q = spc_quat_make(q.w / m, q.x / m, q.y / m, q.z / m);
        n = SPC_SQRT(spci_quat_dot(q, q));
        q = spc_quat_make(q.w / n, q.x / n, q.y / n, q.z / n);
    }
    *unit = q;
    return SPC_OK;
}

/* One Newton step of 1 / sqrt(q . q) from 1: exact to rounding for a q that is nearly unit. */
static inline spc_quat spci_quat_renormalize(spc_quat q)
{
    return spci_quat_scale(SPC_R(1.5) - SPC_R(0.5) * spci_quat_dot(q, q), q);
}

/* cos x and sin(x) / x for s = x^2 up to 1/16, where the series end with terms under 1.5e-16. */
static SPCI_FORCE_INLINE spc_real spci_cosine(spc_real s)
{
    const spc_real c =
        SPC_R(1.0 / 40320) + s * (SPC_R(-1.0 / 3628800) + s * SPC_R(1.0 / 479001600));
    return 1 + s * (SPC_R(-0.5) + s * (SPC_R(1.0 / 24) + s * (SPC_R(-1.0 / 720) + s * c)));
}

static SPCI_FORCE_INLINE spc_real spci_sinc(spc_real s)
{
    const spc_real c =
        SPC_R(-1.0 / 5040) + s * (SPC_R(1.0 / 362880) - s * SPC_R(1.0 / 39916800));
    return 1 + s * (SPC_R(-1.0 / 6) + s * (SPC_R(1.0 / 120) + s * c));
}

/* The square of a unit quaternion (c, u). */
static SPCI_FORCE_INLINE void spci_square(spc_real *c, spc_vec3 *u)
{
    const spc_real c2 = *c * *c - spc_dot(*u, *u);
    const spc_real unit = SPC_R(1.5) - SPC_R(0.5) * (*c * *c + spc_dot(*u, *u));
    *u = spc_scale(unit * (*c + *c), *u);
    *c = unit * c2;
}

/* Enough for every angle whose square is finite; the others end as NaN. */
#define SPCI_MOST_DOUBLINGS 600

static inline spc_quat spci_exponential(spc_vec3 v)
{
    /* With x = |v| / 2 and s = x^2: q = (cos x, v / 2 sin(x) / x). Larger angles are halved first,
       the result squared. */
    spc_real scale = SPC_R(0.5), s, c;
    int doublings = 0;
    spc_vec3 u = spc_scale(scale, v);
    s = spc_dot(u, u);
    while (s > SPC_R(0.0625) && doublings < SPCI_MOST_DOUBLINGS) {
        s *= SPC_R(0.25);
        scale *= SPC_R(0.5);
        doublings++;
    }
    c = spci_cosine(s);
    u = spc_scale(scale * spci_sinc(s), v);
    for (; doublings > 0; doublings--)
        spci_square(&c, &u);
    return spc_quat_make(c, u.x, u.y, u.z);
}

SPC_API spc_quat spc_quat_from_rotation_vector(spc_vec3 v)
{
    return spci_exponential(v);
}

/* Is q the one of q and -q whose w is positive, or, for a half turn, the first other number that is
   not zero? */
static bool spci_quat_is_short(spc_quat q)
{
    if (!spci_equal(q.w, 0))
        return q.w > 0;
    if (!spci_equal(q.x, 0))
        return q.x > 0;
    return spci_equal(q.y, 0) ? q.z >= 0 : q.y > 0;
}

/* The rotation vector, of at most half a turn, of a unit quaternion: what spci_exponential turns
   into q or -q. */
static spc_vec3 spci_logarithm(spc_quat q)
{
    /* With x half the angle, v = sin(x) times the axis, and s = sin(x)^2 the vector is 2 x / sin(x)
       v. The series of asin(y) / y in s = y^2 leaves out less than 1e-18 for s <= 1/64; larger x
       are halved first, by cos(x/2)^2 = (1 + cos(x)) / 2 and sin(x) = 2 sin(x/2) cos(x/2). */
    const spc_real sign = SPC_R(spci_quat_is_short(q) ? 1 : -1);
    const spc_vec3 v = spc_scale(sign, spc_vec3_make(q.x, q.y, q.z));
    spc_real c = sign * q.w, s = spc_dot(v, v), scale = 2, sum;
    while (s > SPC_R(0.015625)) { /* four times at most */
        s /= 2 * (1 + c);
        c = SPC_SQRT((1 + c) / 2);
        scale /= c;
    }
    sum = SPC_R(231.0 / 13312) + s * (SPC_R(143.0 / 10240) + s * SPC_R(6435.0 / 557056));
    sum = SPC_R(35.0 / 1152) + s * (SPC_R(63.0 / 2816) + s * sum);
    sum = SPC_R(1.0 / 6) + s * (SPC_R(3.0 / 40) + s * (SPC_R(5.0 / 112) + s * sum));
    return spc_scale(scale * (1 + s * sum), v);
}

SPC_API spc_status spc_quat_from_half_angle(spc_vec3 axis, spc_real c, spc_real s, spc_quat *q)
{
    spc_status status;
    spc_vec3 u;
    if (!q)
        return SPC_ERROR_NULL;
    if (!spci_finite(c) || !spci_finite(s))
        return SPC_ERROR_NOT_FINITE;
    status = spc_normalize(axis, &u);
    if (status)
        return status;
    return spc_quat_normalize(spc_quat_make(c, s * u.x, s * u.y, s * u.z), q);
}

/* The unit vector along axis k: x for 0, y for 1, z for 2. */
static inline spc_vec3 spci_unit(int k)
{
    spc_vec3 e = spc_vec3_make(0, 0, 0);
    if (k == 0)
        e.x = 1;
    else if (k == 1)
        e.y = 1;
    else
        e.z = 1;
    return e;
}

/* Axis k of a frame, in G. */
static inline spc_vec3 spci_axis(spc_quat q, int k)
{
    return spc_rotate(q, spci_unit(k));
}

/* A unit vector across the unit vector u: from the axis of the smallest coordinate. */
static spc_vec3 spci_perpendicular(spc_vec3 u)
{
    const spc_real x = spci_abs(u.x), y = spci_abs(u.y), z = spci_abs(u.z);
    const spc_vec3 n = spc_cross(u, spci_unit(x <= y && x <= z ? 0 : y <= z ? 1 : 2));
    return spc_scale(1 / SPC_SQRT(spc_dot(n, n)), n);
}

SPC_API spc_status spc_quat_from_two_vectors(spc_vec3 a, spc_vec3 b, spc_quat *q)
{
    spc_vec3 u, v, h, n;
    spc_real c;
    spc_status status;
    if (!q)
        return SPC_ERROR_NULL;
    status = spc_normalize(a, &u);
    if (status)
        return status;
    status = spc_normalize(b, &v);
    if (status)
        return status;
    if (spc_dot(u, v) >= 0) {
        /* h halfway: the half angle has cosine u . h and sine |u x h| */
        (void)spc_normalize(spc_add(u, v), &h);
        n = spc_cross(u, h);
        return spc_quat_normalize(spc_quat_make(spc_dot(u, h), n.x, n.y, n.z), q);
    }
    /* Beyond a right angle the sum u + v is small: its rounding along the difference, which is not,
       is taken out, and where nothing is left any axis across them is as good. */
    (void)spc_normalize(spc_sub(u, v), &n);
    h = spc_add(u, v);
    h = spc_sub(h, spc_scale(spc_dot(n, h), n));
    c = SPC_R(0.5) * spc_norm(h);
    if (!(c > SPCI_EPSILON)) {
        c = 0;
        h = spci_perpendicular(n);
    }
    (void)spc_normalize(h, &h);
    n = spc_scale(SPC_R(0.5) * spc_norm(spc_sub(u, v)), spc_cross(n, h));
    return spc_quat_normalize(spc_quat_make(c, n.x, n.y, n.z), q);
}

static inline spc_quat spci_turned(spc_quat q, spc_vec3 w, spc_real h)
{
    return spci_quat_renormalize(spc_quat_mul(spci_exponential(spc_scale(h, w)), q));
}

SPC_API spc_quat spc_quat_integrate(spc_quat q_AB, spc_vec3 w_AB, spc_real h)
{
    return spci_turned(q_AB, w_AB, h);
}

SPC_API spc_quat spc_quat_from_mat3(spc_mat3 R)
{
    /* 4 w^2 = 1 + trace and its cyclic relatives; the largest of the four is divided by. */
    const spc_real w = (R.x.x + R.y.y) + R.z.z;
    spc_quat q;
    if (w >= R.x.x && w >= R.y.y && w >= R.z.z)
        q = spc_quat_make(1 + w, R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x);
    else if (R.x.x >= R.y.y && R.x.x >= R.z.z)
        q = spc_quat_make(R.y.z - R.z.y, 1 + R.x.x - R.y.y - R.z.z, R.x.y + R.y.x, R.x.z + R.z.x);
    else if (R.y.y >= R.z.z)
        q = spc_quat_make(R.z.x - R.x.z, R.x.y + R.y.x, 1 + R.y.y - R.x.x - R.z.z, R.y.z + R.z.y);
    else
        q = spc_quat_make(R.x.y - R.y.x, R.x.z + R.z.x, R.y.z + R.z.y, 1 + R.z.z - R.x.x - R.y.y);
    return spci_quat_scale(SPC_R(q.w < 0 ? -1 : 1) / SPC_SQRT(spci_quat_dot(q, q)), q);
}

/* ==================================================== [3i] BODIES, IMPLEMENTATION ============= */

/* Relative to the trace: inertias typed with six digits may miss the triangle inequality by this;
   in single precision the determinant of a slender body's second moments needs more room. */
#ifdef SPC_USE_FLOAT
#define SPCI_INERTIA_TOLERANCE SPC_R(3e-4)
#else
#define SPCI_INERTIA_TOLERANCE SPC_R(2.5e-6)
#endif

static spc_inertia spci_inertia_diagonal(spc_real xx, spc_real yy, spc_real zz)
{
    spc_inertia inertia;
    inertia.xx = xx;
    inertia.yy = yy;
    inertia.zz = zz;
    inertia.xy = inertia.xz = inertia.yz = 0;
    return inertia;
}

static spc_mass spci_mass_centred(spc_real m, spc_real xx, spc_real yy, spc_real zz)
{
    spc_mass mass;
    mass.mass = m;
    mass.p_BBc = spc_vec3_make(0, 0, 0);
    mass.inertia = spci_inertia_diagonal(m * xx, m * yy, m * zz);
    return mass;
}

/* The square of a size; negative for a negative one, so that spc_mass_check refuses what comes of
   it. */
static spc_real spci_size_squared(spc_real size)
{
    return size * spci_abs(size);
}

/* Of several sizes one that is negative must not hide behind the others: -1 then, else 1. */
static spc_real spci_sign_of_sizes(spc_real x, spc_real y, spc_real z)
{
    return x < 0 || y < 0 || z < 0 ? SPC_R(-1) : SPC_R(1);
}

SPC_API spc_mass spc_mass_solid_sphere(spc_real m, spc_real radius)
{
    const spc_real k = SPC_R(0.4) * spci_size_squared(radius);
    return spci_mass_centred(m, k, k, k);
}

SPC_API spc_mass spc_mass_hollow_sphere(spc_real m, spc_real radius)
{
    const spc_real k = 2 * spci_size_squared(radius) / 3;
    return spci_mass_centred(m, k, k, k);
}

SPC_API spc_mass spc_mass_disc(spc_real m, spc_real radius)
{
    const spc_real k = spci_size_squared(radius) / 4;
    return spci_mass_centred(m, k, k, k + k);
}

SPC_API spc_mass spc_mass_ring(spc_real m, spc_real radius)
{
    const spc_real k = spci_size_squared(radius) / 2;
    return spci_mass_centred(m, k, k, k + k);
}

SPC_API spc_mass spc_mass_box(spc_real m, spc_vec3 half_lengths)
{
    const spc_real sign = spci_sign_of_sizes(half_lengths.x, half_lengths.y, half_lengths.z);
    const spc_real x = sign * (half_lengths.x * half_lengths.x) / 3;
    const spc_real y = sign * (half_lengths.y * half_lengths.y) / 3;
    const spc_real z = sign * (half_lengths.z * half_lengths.z) / 3;
    return spci_mass_centred(m, y + z, x + z, x + y);
}

SPC_API spc_mass spc_mass_cylinder(spc_real m, spc_real radius, spc_real half_length)
{
    const spc_real sign = spci_sign_of_sizes(radius, half_length, 0);
    const spc_real k = sign * (radius * radius) / 4;
    const spc_real l = sign * (half_length * half_length) / 3;
    return spci_mass_centred(m, k + l, k + l, k + k);
}

/* spc_inertia_rotate, compiled into its caller */
static SPCI_FORCE_INLINE spc_inertia spci_rotated_inertia(spc_mat3 R, spc_inertia inertia)
{
    const spc_vec3 rx = spc_vec3_make(R.x.x, R.y.x, R.z.x);
    const spc_vec3 ry = spc_vec3_make(R.x.y, R.y.y, R.z.y);
    const spc_vec3 rz = spc_vec3_make(R.x.z, R.y.z, R.z.z);
    const spc_vec3 Irx = spc_inertia_mul(inertia, rx), Iry = spc_inertia_mul(inertia, ry);
    spc_inertia out;
    out.xx = spc_dot(rx, Irx);
    out.xy = spc_dot(ry, Irx);
    out.xz = spc_dot(rz, Irx);
    out.yy = spc_dot(ry, Iry);
    out.yz = spc_dot(rz, Iry);
    out.zz = spc_dot(rz, spc_inertia_mul(inertia, rz));
    return out;
}

/* Cofactors of a symmetric matrix: adj(I), with I adj(I) = det(I) 1. */
static spc_inertia spci_inertia_adjugate(spc_inertia inertia)
{
    spc_inertia A;
    A.xx = inertia.yy * inertia.zz - inertia.yz * inertia.yz;
    A.yy = inertia.xx * inertia.zz - inertia.xz * inertia.xz;
    A.zz = inertia.xx * inertia.yy - inertia.xy * inertia.xy;
    A.xy = inertia.xz * inertia.yz - inertia.xy * inertia.zz;
    A.xz = inertia.xy * inertia.yz - inertia.xz * inertia.yy;
    A.yz = inertia.xy * inertia.xz - inertia.yz * inertia.xx;
    return A;
}

static spc_real spci_inertia_determinant(spc_inertia inertia, spc_inertia adjugate)
{
    return (inertia.xx * adjugate.xx + inertia.xy * adjugate.xy) + inertia.xz * adjugate.xz;
}

static SPCI_FORCE_INLINE spc_inertia spci_inertia_scale(spc_real s, spc_inertia inertia)
{
    inertia.xx *= s;
    inertia.yy *= s;
    inertia.zz *= s;
    inertia.xy *= s;
    inertia.xz *= s;
    inertia.yz *= s;
    return inertia;
}

/* I^-1; entries are scaled to the size of one first, so that the determinant neither over- nor
   underflows. I must be positive definite. */
static spc_inertia spci_inertia_inverse(spc_inertia inertia)
{
    const spc_real s = 1 / (inertia.xx + inertia.yy + inertia.zz);
    const spc_inertia J = spci_inertia_scale(s, inertia);
    const spc_inertia A = spci_inertia_adjugate(J);
    return spci_inertia_scale(s / spci_inertia_determinant(J, A), A);
}

/* Are all principal minors of a symmetric matrix of trace about 1 above a bound? */
static bool spci_minors_above(spc_inertia inertia, spc_real bound)
{
    const spc_inertia A = spci_inertia_adjugate(inertia);
    return inertia.xx > bound && inertia.yy > bound && inertia.zz > bound && A.xx > bound &&
           A.yy > bound && A.zz > bound && spci_inertia_determinant(inertia, A) > bound;
}

static bool spci_inertia_finite(spc_inertia inertia)
{
    return spci_finite(inertia.xx) && spci_finite(inertia.yy) && spci_finite(inertia.zz) &&
           spci_finite(inertia.xy) && spci_finite(inertia.xz) && spci_finite(inertia.yz);
}

SPC_API spc_status spc_mass_check(const spc_mass *mass)
{
    spc_inertia inertia, second;
    spc_real trace;
    if (!mass)
        return SPC_ERROR_NULL;
    if (!spci_finite(mass->mass) || !spci_finite_vec3(mass->p_BBc) ||
        !spci_inertia_finite(mass->inertia))
        return SPC_ERROR_NOT_FINITE;
    if (!(mass->mass > 0) || !spci_finite(1 / mass->mass))
        return SPC_ERROR_BAD_MASS;
    inertia = mass->inertia;
    trace = inertia.xx + inertia.yy + inertia.zz;
    if (!(trace > 0) || !spci_finite(trace) || !spci_finite(1 / trace))
        return SPC_ERROR_BAD_INERTIA;
    inertia = spci_inertia_scale(1 / trace, inertia);
    /* A body's second moments, integral of x x^T dm = trace/2 1 - I, are positive semidefinite:
       this is the triangle inequality in every axes. With the tolerance on the diagonal the moments
       may be smaller by it, in every axes alike. */
    second = spci_inertia_scale(-1, inertia);
    second.xx += SPC_R(0.5) + SPCI_INERTIA_TOLERANCE;
    second.yy += SPC_R(0.5) + SPCI_INERTIA_TOLERANCE;
    second.zz += SPC_R(0.5) + SPCI_INERTIA_TOLERANCE;
    if (!spci_minors_above(inertia, SPCI_EPSILON) || !spci_minors_above(second, 0))
        return SPC_ERROR_BAD_INERTIA;
    if (!spci_inertia_finite(spci_inertia_inverse(mass->inertia)))
        return SPC_ERROR_BAD_INERTIA;
    return SPC_OK;
}

/* ======================================== [4i] CONSTRAINT KERNELS, IMPLEMENTATION ============= */

SPC_API void spc_rows_mul(const spc_rows *rows, const spc_spatial *V_a, const spc_spatial *V_b,
                          spc_real *out)
{
    const spc_spatial a = V_a ? *V_a : spci_spatial_zero(), b = V_b ? *V_b : spci_spatial_zero();
    int i;
    for (i = 0; i < rows->count; i++)
        out[i] =
            spci_spatial_dot(rows->jacobian_a[i], a) + spci_spatial_dot(rows->jacobian_b[i], b);
}

SPC_API void spc_rows_forces(const spc_rows *rows, const spc_real *lambda, spc_spatial *F_a,
                             spc_spatial *F_b)
{
    spc_spatial a = spci_spatial_zero(), b = a;
    int i;
    for (i = 0; i < rows->count; i++) {
        a = spci_spatial_add(a, spci_spatial_scale(-lambda[i], rows->jacobian_a[i]));
        b = spci_spatial_add(b, spci_spatial_scale(-lambda[i], rows->jacobian_b[i]));
    }
    if (F_a)
        *F_a = a;
    if (F_b)
        *F_b = b;
}

SPC_API spc_real spc_rows_power(const spc_rows *rows, const spc_real *lambda)
{
    spc_real power = 0;
    int i;
    for (i = 0; i < rows->count; i++)
        power -= rows->enforced >> i & 1u ? lambda[i] * rows->velocity_errors[i] : 0;
    return power;
}

static int spci_count_bits(unsigned bits)
{
    int count = 0;
    for (; bits; bits >>= 1)
        count += (int)(bits & 1u);
    return count;
}

/* sum of row[i] S[i][k] over the six rows of S */
static spc_real spci_row_times_column(spc_spatial row, const spc_real *S, int n, int k)
{
    const spc_vec3 w = spc_vec3_make(S[k], S[n + k], S[2 * n + k]);
    const spc_vec3 v = spc_vec3_make(S[3 * n + k], S[4 * n + k], S[5 * n + k]);
    return spc_dot(row.angular, w) + spc_dot(row.linear, v);
}

SPC_API int spc_rows_to_generalized(const spc_rows *rows, const spc_real *S_a,
                                    const spc_spatial *A_a, const spc_real *S_b,
                                    const spc_spatial *A_b, const spc_real *terms, int n,
                                    spc_real *G, spc_real *gamma)
{
    spc_real drift[SPC_MAX_ROWS];
    int written = 0, i, k;
    spc_rows_mul(rows, A_a, A_b, drift);
    for (i = 0; i < rows->count; i++) {
        spc_real *row = G + (size_t)written * (size_t)(n > 0 ? n : 0);
        if (!(rows->enforced >> i & 1u))
            continue;
        if (S_a && S_b)
            for (k = 0; k < n; k++)
                row[k] = spci_row_times_column(rows->jacobian_a[i], S_a, n, k) +
                         spci_row_times_column(rows->jacobian_b[i], S_b, n, k);
        else if (S_a || S_b)
            for (k = 0; k < n; k++)
                row[k] = 0 + spci_row_times_column(S_a ? rows->jacobian_a[i] : rows->jacobian_b[i],
                                                   S_a ? S_a : S_b, n, k);
        else
            spci_clear(row, n);
        gamma[written++] = (terms ? terms[i] : 0) - (rows->jdot_v[i] + drift[i]);
    }
    return written;
}

/* Parts of the rows that callers inside the library may go without. */
#define SPCI_NEED_LINES 1u /* Jacobians of translations, which follow from R_GP and the arms */
#define SPCI_NEED_TURNS 2u /* Jacobians of rotations */
#define SPCI_NEED_JDOT_V 4u /* jdot_v */
#define SPCI_NEED_ALL 7u
#define SPCI_NEED_OFF 8u /* errors of rows that are off, which the library itself reads as 0 */

static inline void spci_put_vec3(spc_vec3 v, spc_real *out)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static inline spc_vec3 spci_get_vec3(const spc_real *v)
{
    return spc_vec3_make(v[0], v[1], v[2]);
}

/* The rows of a point contact that have a position level: the normal one. */
#define SPCI_CONTACT_LEVELS 4u

/*
   A point contact keeps a point of body B on a plane of the floor body F. S is a point of B, the
   contact point

       C = S + q                                                                         (4.1)

   is where B is lowest over the plane; it moves in the body, which rolls on. The plane frame P has
   its origin Po and its normal Pz. Position error and separation are the height of C,

       e = (C - Po) . Pz                                                                 (4.2)

   Velocities are taken relative to F. The material points of B and F at C have the relative
   velocity

       u = v_FS + w_FB x q                                                               (4.3)
         = [v_B + w_B x (C - Bo)] - [v_F + w_F x (C - Fo)]                               (4.4)

   with v_FS = v_S - v_F - w_F x (S - Fo) and w_FB = w_B - w_F. (4.4) follows because the floor's
   point is taken at C, not below it in the plane. The velocity errors are s = J^T u along the axes
   J of the contact frame, whose last is Pz. C is lowest, so that turning moves it along the plane
   only, and s_z = de/dt. The coefficients of the velocities give the Jacobian rows, for an axis n:

       J_B = ((C - Bo) x n, n),    J_F = -((C - Fo) x n, n)                              (4.5)

   For their derivative take that of u in F. With d = S - Fo and p = S - Bo,

       a_FS = a_S - a_F - b_F x d - w_F x (w_F x d) - 2 w_F x v_FS
       a_S  = a_B + b_B x p + w_B x (w_B x p)
       b_FB = b_B - b_F - w_F x w_B

   are the relative acceleration of S and the derivative of w_FB in F. With q' the derivative of q
   in F, and for axes that turn in F with t,

       ds/dt = J^T (a_FS + b_FB x q + w_FB x q') + (t x J)^T u                           (4.6)

   This is not the acceleration of a material point: C changes place in the body. Without the parts
   that (4.5) multiplies with the accelerations jdot_v remains:

       jdot_v = J^T [w_B x (w_B x p) - w_F x (w_F x d) - 2 w_F x v_FS - (w_F x w_B) x q
                   + w_FB x q'] + (t x J)^T u                                            (4.7)

   A multiplier vector l is a force -J l on B at C, and the opposite on F at the same point, which
   is F = -J^T l with the J of (4.5).                                                    (4.8)
   Its power is F_B . V_B + F_F . V_F = -l . s: zero if the errors are zero, moving floor or not.
   (4.9)
*/

/* What positions alone determine: contact point, arms, separation. q is C - S in G, and C lies
   `below` S along Pz, the last column of R_GP, which is set already. Returns S - Po in G. */
static SPCI_FORCE_INLINE spc_vec3 spci_contact_place(const spc_transform *X_GF,
                                                     const spc_transform *X_GB, spc_vec3 p_FPo,
                                                     spc_vec3 p_BS, spc_vec3 q, spc_real below,
                                                     spc_rows *rows)
{
    const spc_vec3 p_BS_G = spci_rotate_offset(X_GB->q, p_BS);
    const spc_vec3 p_FPo_G = spci_rotate_offset(X_GF->q, p_FPo);
    const spc_vec3 p_FS = spc_add(spc_sub(X_GB->p, X_GF->p), p_BS_G);
    const spc_vec3 p_PoS = spc_sub(p_FS, p_FPo_G);
    rows->arm_a = spc_add(p_FS, q);
    rows->arm_b = spc_add(p_BS_G, q);
    rows->p_GC = spc_add(X_GB->p, rows->arm_b);              /* (4.1) */
    rows->separation = spc_dot(p_PoS, rows->R_GP.z) - below; /* (4.2) */
    return p_PoS;
}

/* Velocity of a body's point at r from its origin; of those at rest without the arithmetic. */
static inline spc_vec3 spci_velocity_at(const spc_spatial *V, spc_vec3 r)
{
    if (spci_is_zero_vec3(V->angular))
        return V->linear;
    return spc_add(V->linear, spc_cross(V->angular, r));
}

/* u of (4.4) */
static SPCI_FORCE_INLINE spc_vec3 spci_contact_slip(const spc_rows *rows, const spc_spatial *V_F,
                                            const spc_spatial *V_B)
{
    const spc_vec3 ball = spc_add(V_B->linear, spc_cross(V_B->angular, rows->arm_b));
    return spc_sub(ball, spci_velocity_at(V_F, rows->arm_a));
}

/* s = J^T u */
static inline spc_vec3 spci_contact_velocity(const spc_rows *rows, const spc_spatial *V_F,
                                             const spc_spatial *V_B)
{
    return spc_mat3_transpose_mul(rows->R_GP, spci_contact_slip(rows, V_F, V_B));
}

/* (4.7) for axes and q that are fixed in F */
static spc_vec3 spci_contact_jdot_v(const spc_rows *rows, spc_vec3 q, const spc_spatial *V_F,
                                  const spc_spatial *V_B)
{
    const spc_vec3 p = spc_sub(rows->arm_b, q), d = spc_sub(rows->arm_a, q);
    const spc_vec3 w_F = V_F->angular, w_B = V_B->angular;
    const spc_vec3 wp = spc_cross(w_B, p), wd = spc_cross(w_F, d);
    const spc_vec3 v_FS = spc_sub(spc_sub(spc_add(V_B->linear, wp), V_F->linear), wd);
    const spc_vec3 floor = spc_cross(w_F, spc_add(wd, spc_scale(2, v_FS)));
    const spc_vec3 turn = spc_cross(spc_cross(w_F, w_B), q);
    return spc_mat3_transpose_mul(rows->R_GP, spc_sub(spc_sub(spc_cross(w_B, wp), floor), turn));
}

/* (4.5), three rows of B and of F */
static void spci_contact_jacobian_b(const spc_mat3 *J, spc_vec3 arm, spc_spatial *J_B)
{
    J_B[0] = spc_spatial_make(spc_cross(arm, J->x), J->x);
    J_B[1] = spc_spatial_make(spc_cross(arm, J->y), J->y);
    J_B[2] = spc_spatial_make(spc_cross(arm, J->z), J->z);
}

static void spci_contact_jacobian_a(const spc_mat3 *J, spc_vec3 arm, spc_spatial *J_F)
{
    J_F[0] = spc_spatial_make(spc_cross(J->x, arm), spc_scale(-1, J->x));
    J_F[1] = spc_spatial_make(spc_cross(J->y, arm), spc_scale(-1, J->y));
    J_F[2] = spc_spatial_make(spc_cross(J->z, arm), spc_scale(-1, J->z));
}

/* The velocity errors of a contact in its place. */
static inline void spci_contact_errors(const spc_spatial *V_F, const spc_spatial *V_B,
                                       spc_rows *rows)
{
    spci_put_vec3(spci_contact_velocity(rows, V_F, V_B), rows->velocity_errors);
}

/* The rows of a contact in its place but for jdot_v; rows that are off are not cleared yet. */
static SPCI_FORCE_INLINE void spci_contact_rows(unsigned enforced, const spc_spatial *V_F,
                                        const spc_spatial *V_B, unsigned need, spc_rows *rows)
{
    spci_contact_errors(V_F, V_B, rows);
    rows->count = 3;
    rows->enforced = enforced;
    rows->holonomic = enforced & SPCI_CONTACT_LEVELS;
    rows->position_errors[0] = rows->position_errors[1] = 0;
    rows->position_errors[2] = rows->separation;
    if (!(need & SPCI_NEED_LINES))
        return;
    spci_contact_jacobian_a(&rows->R_GP, rows->arm_a, rows->jacobian_a);
    spci_contact_jacobian_b(&rows->R_GP, rows->arm_b, rows->jacobian_b);
}

/* Clears the rows that are off. Rotations that are off have no errors. */
static void spci_rows_off(unsigned need, spc_rows *rows)
{
    int i;
    for (i = 0; i < rows->count; i++) {
        if (rows->enforced >> i & 1u)
            continue;
        if (!(need & SPCI_NEED_OFF) || i >= 3)
            rows->position_errors[i] = rows->velocity_errors[i] = 0;
        rows->jdot_v[i] = 0;
        if (need)
            rows->jacobian_a[i] = rows->jacobian_b[i] = spci_spatial_zero();
    }
}

/* Sets jdot_v of a contact; clears what is off and what is behind its three rows. */
static inline void spci_contact_finish(spc_vec3 jdot_v, unsigned need, spc_rows *rows)
{
    int i;
    spci_put_vec3(jdot_v, rows->jdot_v);
    for (i = 3; i < SPC_MAX_ROWS; i++)
        rows->position_errors[i] = rows->velocity_errors[i] = rows->jdot_v[i] = 0;
    if (rows->enforced != 7u)
        spci_rows_off(need, rows);
}

/* Rows of states and shapes whose squares sum up to no more than this are finite: they are sums of
   products of three such numbers, over the square of a sine that is no less than SPCI_PARALLEL. */
#ifdef SPC_USE_FLOAT
#define SPCI_MODERATE SPC_R(1e12)
#else
#define SPCI_MODERATE SPC_R(1e160)
#endif

static spc_real spci_squares_of_pose(const spc_transform *X)
{
    return spci_quat_dot(X->q, X->q) + spc_dot(X->p, X->p);
}

static spc_real spci_squares_of_state(const spc_state *s)
{
    return spci_squares_of_pose(&s->X_GB) + spc_dot(s->V_GB.angular, s->V_GB.angular) +
           spc_dot(s->V_GB.linear, s->V_GB.linear);
}

/* 0 for a finite vector, NaN for others. */
static spc_real spci_nan_of(spc_vec3 v)
{
    return ((v.x - v.x) + (v.y - v.y)) + (v.z - v.z);
}

static spc_real spci_nan_of_spatial(spc_spatial s)
{
    return spci_nan_of(s.angular) + spci_nan_of(s.linear);
}

/* Are all numbers of rows finite? */
static bool spci_finite_rows(const spc_rows *rows)
{
    spc_real sum = spci_nan_of(rows->p_GC) + (rows->separation - rows->separation) +
                   spci_nan_of(rows->arm_a) + spci_nan_of(rows->arm_b);
    int i;
    for (i = 0; i < rows->count; i++) {
        sum += rows->position_errors[i] - rows->position_errors[i];
        sum += rows->velocity_errors[i] - rows->velocity_errors[i];
        sum += rows->jdot_v[i] - rows->jdot_v[i];
        sum += spci_nan_of_spatial(rows->jacobian_a[i]) + spci_nan_of_spatial(rows->jacobian_b[i]);
    }
    return sum >= 0;
}

/* ------------------------------------------------ [4i.1] SPHERE ON PLANE, IMPLEMENTATION ------ */
/*
   A point contact whose S is the sphere's centre, with

       q = -r Pz,    e = (S - Po) . Pz - r                                               (4.10)

   The contact frame is P. It and q are fixed in F: t and q' are zero in (4.7). Nothing here is
   singular: every pose of both bodies has a contact point.
*/

static SPCI_FORCE_INLINE spc_vec3 spci_sphere_on_plane_place(const spc_sphere_on_plane *shape,
                                                     const spc_transform *X_GF,
                                                     const spc_transform *X_GB, spc_rows *rows)
{
    spc_vec3 q;
    rows->R_GP = spc_mat3_from_quat(spci_turn_frame(X_GF->q, shape->X_FP.q));
    q = spc_scale(-shape->radius, rows->R_GP.z); /* (4.10) */
    (void)spci_contact_place(X_GF, X_GB, shape->X_FP.p, shape->p_BS, q, shape->radius, rows);
    return q;
}

/* The sum of squares of a shape's numbers. */
static spc_real spci_sphere_on_plane_squares(const spc_sphere_on_plane *shape)
{
    return spci_squares_of_pose(&shape->X_FP) + spc_dot(shape->p_BS, shape->p_BS) +
           shape->radius * shape->radius;
}

/* Rows may be switched at any time: there is room for all. */
static int spci_sphere_on_plane_size(const spc_sphere_on_plane *shape)
{
    (void)shape;
    return 3;
}

static unsigned spci_sphere_on_plane_enforced(const spc_sphere_on_plane *shape)
{
    return shape->rolling ? 7u : 4u;
}

static SPCI_FORCE_INLINE spc_status spci_sphere_on_plane_rows(const spc_sphere_on_plane *shape,
                                                      const spc_state *floor, const spc_state *ball,
                                                      unsigned need, spc_rows *rows)
{
    const spc_vec3 q = spci_sphere_on_plane_place(shape, &floor->X_GB, &ball->X_GB, rows);
    spc_vec3 jdot_v = spc_vec3_make(0, 0, 0);
    spci_contact_rows(spci_sphere_on_plane_enforced(shape), &floor->V_GB, &ball->V_GB, need, rows);
    if (need & SPCI_NEED_JDOT_V)
        jdot_v = spci_contact_jdot_v(rows, q, &floor->V_GB, &ball->V_GB);
    spci_contact_finish(jdot_v, need, rows);
    return SPC_OK;
}

SPC_API spc_sphere_on_plane spc_sphere_on_plane_default(void)
{
    spc_sphere_on_plane shape;
    shape.X_FP = spc_transform_identity();
    shape.p_BS = spc_vec3_make(0, 0, 0);
    shape.radius = 0;
    shape.rolling = true;
    shape.half_width = 1;
    return shape;
}

SPC_API spc_status spc_sphere_on_plane_check(const spc_sphere_on_plane *shape)
{
    spc_quat unit;
    if (!shape)
        return SPC_ERROR_NULL;
    if (!spci_finite_vec3(shape->X_FP.p) || !spci_finite_vec3(shape->p_BS) ||
        !spci_finite(shape->radius) || !spci_finite(shape->half_width))
        return SPC_ERROR_NOT_FINITE;
    if (!(shape->radius > 0))
        return SPC_ERROR_BAD_RADIUS;
    if (!(shape->half_width >= 0))
        return SPC_ERROR_BAD_WIDTH;
    return spc_quat_normalize(shape->X_FP.q, &unit);
}

/* A world's bytes have no padding of the caller's: structs that have some are copied by fields. */
static void spci_sphere_on_plane_copy(const spc_sphere_on_plane *from, spc_sphere_on_plane *to)
{
    to->X_FP = from->X_FP;
    to->p_BS = from->p_BS;
    to->radius = from->radius;
    to->rolling = from->rolling;
    to->half_width = from->half_width;
}

/* Parameters as a world keeps them: checked, quaternions unit. */
static spc_status spci_sphere_on_plane_accept(const spc_sphere_on_plane *shape,
                                              spc_sphere_on_plane *kept)
{
    const spc_status status = spc_sphere_on_plane_check(shape);
    if (status)
        return status;
    spci_sphere_on_plane_copy(shape, kept);
    return spc_quat_normalize(shape->X_FP.q, &kept->X_FP.q);
}

/* --------------------------------------------------- [4i.2] ROLLING DISC, IMPLEMENTATION ------ */
/*
   A point contact whose S is the disc's centre. With the sine a = |w1 x n| and the cosine
   c = w1 . n of the angle between axis and normal, the directions of [4.2] are related by

       w1 = a w_lat + c n,    w3 = c w_lat - a n                                         (4.11)

   so that C = S + r w3 lies r a below S:

       q = r (c w_lat - a n),    e = (S - Po) . n - r a                                  (4.12)

   The contact frame is J1 = [w_lat w2 n]. Everything turns with w = w_FB as seen from F, where n is
   fixed: w1' = w x w1. Hence c' = (w x w1) . n = a w . w2, and a' = -c w . w2 from a^2 + c^2 = 1.
   Differentiating (4.11), with w_lat . w_lat' = 0 and n . w_lat' = 0, leaves for the horizontal
   directions

       w_lat' = y w2,    w2' = -y w_lat,    y = w . w3 / a                               (4.13)

   which is J1's rate: it turns in F with t = -y n. (J1 is left handed: n x w_lat = -w2.) Then

       w3' = c' w_lat + c y w2 - a' n = (w . w2) w1 + c y w2                             (4.14)

   while the rim's material point there moves with w x w3 = (w . w2) w1 - (w . w1) w2: they differ
   along w2 alone, so that s_z = de/dt as (4.2) ff. ask. What (4.7) needs besides q is

       q' = r w3',    (t x J1)^T u = y (s_longitudinal, -s_lateral, 0)                   (4.15)

   with all errors s, those of rows that are off included: (4.15) holds row by row.
   The contact point travels over the floor, as seen from F, with

       S' + q' = u + r (w . w1 + c y) w2                                                 (4.16)

   and in G with that and the velocity of the floor's material point at C.

   A disc that lies on its side presses on the plane anywhere within its rim, and carries no more
   than that can. With u_S the velocity of its centre, which is C then, and w_t that of its turn
   about axes across n,

       e = (S - Po) . n,    u = u_S,    q = 0                                            (4.35)

   are its rows, in the axes of P. No point of the rim goes through the plane where u_n >= r |w_t|,
   and pressures all over the disc add up to an impulse p_n at S and a moment m_t about it with

       |m_t| <= r p_n,                                                                   (4.36)

   to any such pair and to no other. That is what resists rolling with the arm r, in the law of
   [5.1], as long as w_t = 0. Where (4.36) is at its limit and w_t is not 0, all pressure is in one
   point of the rim, in the direction d = n x m_t / |m_t| from S, and the disc tips about it: its
   rows are those of a point there, q = r d. About n a rim that presses all around resists with the
   moment friction r p_n. A step lays a disc on its side that would go over a = 0 within it, if
   (4.36) bears what stops it: p_n from what falls, and from gravity's push h m g. A thin coin that
   precesses with the rate y, nearly flat, has a y^2 = 4 g / r, so that it bears it where y h >= 1:
   where a step does not follow any more.

   Nothing of (4.11) to (4.16) exists at a = 0. The difference w1 x n, of the size a, carries the
   rounding epsilon of both vectors: w2 is off by epsilon / a in direction. w_lat and, once more, w2
   are made from it as cross products with n, which keeps J1 orthogonal to rounding at any a.
*/

/* A one-sided disc whose axis is so close to the normal (sine) lies on its side: nearer than some
   roundings its rim has no direction to speak of. */
#define SPCI_FLAT (64 * SPCI_EPSILON)

/* Sines below this are rounding of the two vectors; in single precision it leaves room for 1e-6. */
#ifdef SPC_USE_FLOAT
#define SPCI_PARALLEL (8 * SPCI_EPSILON)
#else
#define SPCI_PARALLEL (16 * SPCI_EPSILON)
#endif

typedef struct spci_disc {
    spc_vec3 w1, w3;
    spc_real sine, cosine; /* of the angle between axis and normal */
} spci_disc;

/* Directions and place; refused, with rows as they were, where there is no contact point. */
static SPCI_FORCE_INLINE spc_status spci_rolling_disc_place(const spc_rolling_disc *shape,
                                                    const spc_transform *X_GF,
                                                    const spc_transform *X_GB, spci_disc *disc,
                                                    spc_rows *rows)
{
    const spc_vec3 n = spc_mat3_from_quat(spci_turn_frame(X_GF->q, shape->X_FP.q)).z;
    const spc_vec3 w1 = spci_rotate_offset(X_GB->q, shape->axis_B), along = spc_cross(w1, n);
    const spc_real sine = SPC_SQRT(spc_dot(along, along)), cosine = spc_dot(w1, n);
    spc_vec3 lateral;
    if (sine <= SPCI_PARALLEL) /* NaN goes on, for the callers' own checks */
        return SPC_ERROR_NO_CONTACT_POINT;
    lateral = spc_cross(n, spc_scale(1 / sine, along));
    disc->w1 = w1;
    disc->sine = sine;
    disc->cosine = cosine;
    disc->w3 = spc_sub(spc_scale(cosine, lateral), spc_scale(sine, n)); /* (4.11) */
    rows->R_GP.x = lateral;
    rows->R_GP.y = spc_cross(lateral, n);
    rows->R_GP.z = n;
    (void)spci_contact_place(X_GF, X_GB, shape->X_FP.p, shape->p_BS,
                             spc_scale(shape->radius, disc->w3), shape->radius * sine, rows);
    return SPC_OK;
}

static spc_real spci_rolling_disc_squares(const spc_rolling_disc *shape)
{
    return spci_squares_of_pose(&shape->X_FP) + spc_dot(shape->p_BS, shape->p_BS) +
           spc_dot(shape->axis_B, shape->axis_B) + shape->radius * shape->radius;
}

static int spci_rolling_disc_size(const spc_rolling_disc *shape)
{
    (void)shape;
    return 3;
}

static unsigned spci_rolling_disc_enforced(const spc_rolling_disc *shape)
{
    return (shape->lateral ? 1u : 0u) | (shape->longitudinal ? 2u : 0u) | (shape->normal ? 4u : 0u);
}

/* y of (4.13) */
static inline spc_real spci_disc_turn(const spci_disc *disc, spc_vec3 w)
{
    return spc_dot(w, disc->w3) / disc->sine;
}

/* w_FB x q' and the turn of the axes, on top of what q and axes fixed in F give: (4.15) */
static spc_vec3 spci_rolling_disc_jdot_v(const spc_rolling_disc *shape, const spci_disc *disc,
                                       const spc_rows *rows, spc_vec3 w)
{
    const spc_real y = spci_disc_turn(disc, w);
    const spc_vec3 w2 = rows->R_GP.y;
    const spc_vec3 w3_rate =
        spc_add(spc_scale(spc_dot(w, w2), disc->w1), spc_scale(disc->cosine * y, w2)); /* (4.14) */
    const spc_vec3 jdot_v =
        spc_mat3_transpose_mul(rows->R_GP, spc_cross(w, spc_scale(shape->radius, w3_rate)));
    return spc_vec3_make(jdot_v.x + y * rows->velocity_errors[1],
                         jdot_v.y - y * rows->velocity_errors[0], jdot_v.z);
}

static SPCI_FORCE_INLINE spc_status spci_rolling_disc_rows(const spc_rolling_disc *shape,
                                                   const spc_state *floor, const spc_state *body,
                                                   unsigned need, spc_rows *rows)
{
    const spc_spatial *V_F = &floor->V_GB, *V_B = &body->V_GB;
    spc_vec3 jdot_v = spc_vec3_make(0, 0, 0);
    spci_disc disc;
    const spc_status status =
        spci_rolling_disc_place(shape, &floor->X_GB, &body->X_GB, &disc, rows);
    if (status)
        return status;
    spci_contact_rows(spci_rolling_disc_enforced(shape), V_F, V_B, need, rows);
    if (need & SPCI_NEED_JDOT_V)
        jdot_v = spc_add(
            spci_contact_jdot_v(rows, spc_scale(shape->radius, disc.w3), V_F, V_B),
            spci_rolling_disc_jdot_v(shape, &disc, rows, spc_sub(V_B->angular, V_F->angular)));
    spci_contact_finish(jdot_v, need, rows);
    return SPC_OK;
}

/* The axis of a disc, to the side of the normal that it is nearest to, times the normal: what turns
   it flat, its sine long. */
static spc_vec3 spci_disc_tilt(const spc_rolling_disc *shape, const spc_transform *X_GF,
                               const spc_transform *X_GB, spc_vec3 *n)
{
    const spc_vec3 w1 = spci_rotate_offset(X_GB->q, shape->axis_B);
    *n = spc_mat3_from_quat(spci_turn_frame(X_GF->q, shape->X_FP.q)).z;
    return spc_scale(spc_dot(w1, *n) < 0 ? -1 : 1, spc_cross(w1, *n));
}

/* (4.35): the rows of a disc's side, whatever its tilt, in the axes of P; or, with a direction from
   its centre along the plane, of its rim there. */
static void spci_flat_disc_rows(const spc_rolling_disc *shape, const spc_state *floor,
                                const spc_state *body, const spc_vec3 *rim, unsigned need,
                                spc_rows *rows)
{
    spc_vec3 jdot_v = spc_vec3_make(0, 0, 0), q = jdot_v;
    rows->R_GP = spc_mat3_from_quat(spci_turn_frame(floor->X_GB.q, shape->X_FP.q));
    if (rim)
        q = spc_scale(shape->radius, *rim);
    (void)spci_contact_place(&floor->X_GB, &body->X_GB, shape->X_FP.p, shape->p_BS, q, 0, rows);
    spci_contact_rows(spci_rolling_disc_enforced(shape), &floor->V_GB, &body->V_GB, need, rows);
    if (need & SPCI_NEED_JDOT_V)
        jdot_v = spci_contact_jdot_v(rows, q, &floor->V_GB, &body->V_GB);
    spci_contact_finish(jdot_v, need, rows);
}

SPC_API spc_status spc_rolling_disc_contact(const spc_rolling_disc *shape, const spc_state *floor,
                                            const spc_state *disc, spc_disc_contact *contact)
{
    const spc_spatial *V_F = &floor->V_GB, *V_B = &disc->V_GB;
    const spc_vec3 w = spc_sub(V_B->angular, V_F->angular);
    spc_vec3 u, at_floor, trail, v_GC;
    spc_real travel;
    spci_disc d;
    spc_rows rows;
    const spc_status status = spci_rolling_disc_place(shape, &floor->X_GB, &disc->X_GB, &d, &rows);
    if (status)
        return status;
    u = spci_contact_slip(&rows, V_F, V_B);
    travel = shape->radius * (spc_dot(w, d.w1) + d.cosine * spci_disc_turn(&d, w));
    at_floor = spci_velocity_at(V_F, rows.arm_a);
    trail = spc_add(u, spc_scale(travel, rows.R_GP.y)); /* (4.16) */
    v_GC = spc_add(trail, at_floor);
    if (!(spci_nan_of(rows.p_GC) + spci_nan_of(trail) + spci_nan_of(v_GC) >= 0))
        return SPC_ERROR_NOT_FINITE;
    contact->p_GC = rows.p_GC;
    contact->trail_velocity = trail;
    contact->v_GC = v_GC;
    contact->R_GJ1 = rows.R_GP;
    contact->R_GD1.x = d.w1;
    contact->R_GD1.y = rows.R_GP.y;
    contact->R_GD1.z = d.w3;
    return SPC_OK;
}

SPC_API spc_rolling_disc spc_rolling_disc_default(void)
{
    spc_rolling_disc shape;
    shape.X_FP = spc_transform_identity();
    shape.p_BS = spc_vec3_make(0, 0, 0);
    shape.axis_B = spc_vec3_make(1, 0, 0);
    shape.radius = 0;
    shape.lateral = shape.longitudinal = shape.normal = true;
    shape.show = true;
    shape.width = SPC_R(0.1);
    shape.color.r = shape.color.g = shape.color.b = shape.color.a = -1;
    shape.half_width = 1;
    return shape;
}

SPC_API spc_status spc_rolling_disc_check(const spc_rolling_disc *shape)
{
    spc_status status;
    spc_quat unit;
    spc_vec3 axis;
    if (!shape)
        return SPC_ERROR_NULL;
    if (!spci_finite_vec3(shape->X_FP.p) || !spci_finite_vec3(shape->p_BS) ||
        !spci_finite(shape->radius) || !spci_finite(shape->width) || !spci_finite(shape->color.r) ||
        !spci_finite(shape->color.g) || !spci_finite(shape->color.b) ||
        !spci_finite(shape->color.a) || !spci_finite(shape->half_width))
        return SPC_ERROR_NOT_FINITE;
    if (!(shape->radius > 0))
        return SPC_ERROR_BAD_RADIUS;
    if (!(shape->width >= 0) || !(shape->half_width >= 0))
        return SPC_ERROR_BAD_WIDTH;
    status = spc_normalize(shape->axis_B, &axis);
    return status ? status : spc_quat_normalize(shape->X_FP.q, &unit);
}

static void spci_rolling_disc_copy(const spc_rolling_disc *from, spc_rolling_disc *to)
{
    to->X_FP = from->X_FP;
    to->p_BS = from->p_BS;
    to->axis_B = from->axis_B;
    to->radius = from->radius;
    to->lateral = from->lateral;
    to->longitudinal = from->longitudinal;
    to->normal = from->normal;
    to->show = from->show;
    to->width = from->width;
    to->color = from->color;
    to->half_width = from->half_width;
}

static spc_status spci_rolling_disc_accept(const spc_rolling_disc *shape, spc_rolling_disc *kept)
{
    const spc_status status = spc_rolling_disc_check(shape);
    if (status)
        return status;
    spci_rolling_disc_copy(shape, kept);
    (void)spc_normalize(shape->axis_B, &kept->axis_B);
    return spc_quat_normalize(shape->X_FP.q, &kept->X_FP.q);
}

/* ----------------------------------------------------- [4i.3] ATTACHMENT, IMPLEMENTATION ------ */
/*
   Translations are the rows of a point contact whose S is M's origin, with the body A in the place
   of F's, the axes of F as contact frame and q = 0: C = M's origin, and

       e = F^T (p_M - p_F) - rest,    s = F^T (v_M - v_A - w_A x (C - Ao)) = de/dt        (4.17)

   exactly, whichever of the bodies turn. Rotations, with w = w_B - w_A and the axes f_i of F, which
   turn with A: in F the derivative of w at zero accelerations is t = w x w_A. Where two or three
   are locked, errors are twice the vector part of a unit quaternion (c, u): c >= 0 is the cosine of
   half an angle, u the axis times its sine. Three locked: that of R_FM. By (0, w) q = 2 q' in F,

       e = 2 u,    c' = -w . u / 2,    s = c w + w x u = de/dt
       J_B,i = (c f_i + u x f_i, 0),    J_A = -J_B,    jdot_v_i = J_B,i . t - |w|^2 u_i / 2 (4.18)

   Two locked, with k the free axis of F and m that of M: the shortest turn from k to m. R_FM, with
   the quaternion (q, v) and v_ = v - (v . k) k, is a turn about k followed by that one, for which

       c = sqrt(q^2 + (v . k)^2),    u = (q v_ - (v . k) v_ x k) / c                      (4.19)

   This c^2 is (1 + k . m) / 2, and u is k x m / (2 c), but nothing cancels here. By m' = w x m in F

       e = 2 u,    c' = -w . u / 2,    s = c w_ + (r . w) n = de/dt
       J_B,i = (c f_i + n_i r, 0),    J_A = -J_B,    n = k x u,    r = 2 k - n / c
       ds_i/dt = J_B,i . (b_B - b_A + t) + c' w_i + (r . w) n'_i + (r' . w) n_i
       n' = k x s / 2,    jdot_v_i = J_B,i . t + c' w_i + (n . w) / c n'_i + (r' . w) n_i   (4.20)

   for the two i across k. J_B m = 0: M may turn about its own axis. J'V is that of ds/dt less
   p k x s with the rate p = (r - k) . w of the twist, (4.21): that of s in axes that turn with the
   joint. It is ds/dt where s = 0, and at alignment it is f_i . t, which is RBDL's. Both at once is
   not to be had: f_i . w, the rows at every aligned pose, is not the derivative of anything.

   At alignment all these rows are f_i . w. At 180 degrees, c = 0, e jumps from one side to the
   other, and the rows would have no part about u, and those of (4.20) an infinite one across it. So
   c is no less than 1/16 in the rows: beyond 172.8 degrees s has the right signs, but is not de/dt.

   One locked, the rotation about an axis k of F and m of M: w . k = 0 alone would not do. It is not
   the derivative of anything: a body that swings around in a cone would come back twisted. The
   twist about the axis is the angle t that remains when m is swung onto k by the shortest turn, and
   for the quaternion above t/2 has cosine and sine proportional to c and v . k. By (0, w) q = 2 q'
   in F its derivative is

       s = t' = j . w,    j = (k + m) / d,    d = 1 + k . m                               (4.21)
       e = 2 sin(t/2),    jdot_v = [(w_A x k + w_B x m) . w - s (m x k) . w] / d

   j is along the bisector of both axes, as in a joint of constant velocity, and singular only where
   the axes point against each other, d = 0. It is f_k at alignment.
*/

/* The least cosine of half an angle in the rows of locked rotations. */
#define SPCI_LEAST_COSINE SPC_R(0.0625)

/* 2 sin of half the angle whose half has cosine and sine along c and v, c >= 0. */
static spc_real spci_twist_error(spc_real c, spc_real v)
{
    const spc_real size = SPC_SQRT(c * c + v * v);
    return size > 0 ? 2 * v / size : 0;
}

static spc_real spci_component(spc_vec3 v, int k)
{
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

/* The one axis whose bit is in a mask of three; -1 if there is not exactly one. */
static int spci_only_axis(unsigned mask)
{
    return mask == 1u ? 0 : mask == 2u ? 1 : mask == 4u ? 2 : -1;
}

static void spci_set_rotation_row(spc_rows *rows, int k, spc_vec3 axis, spc_real e, spc_real s,
                                  spc_real jdot_v)
{
    const spc_vec3 none = spc_vec3_make(0, 0, 0);
    rows->position_errors[3 + k] = e;
    rows->velocity_errors[3 + k] = s;
    rows->jdot_v[3 + k] = jdot_v;
    rows->jacobian_b[3 + k] = spc_spatial_make(axis, none);
    rows->jacobian_a[3 + k] = spc_spatial_make(spc_scale(-1, axis), none);
}

/* Axis k of the contact frame, in G. */
static inline spc_vec3 spci_column(const spc_mat3 *R, int k)
{
    return k == 0 ? R->x : k == 1 ? R->y : R->z;
}

/* (4.18) */
static SPCI_NO_INLINE void spci_orientation_rows(spc_quat q, spc_vec3 w_A, spc_vec3 w,
                                                 spc_rows *rows)
{
    const spc_real sign = SPC_R(q.w < 0 ? -1 : 1), c = spci_max(sign * q.w, SPCI_LEAST_COSINE);
    const bool held = sign * q.w < SPCI_LEAST_COSINE; /* then c' is zero */
    const spc_vec3 u_F = spc_scale(sign, spc_vec3_make(q.x, q.y, q.z)), t = spc_cross(w, w_A);
    const spc_vec3 u = spc_mat3_mul(rows->R_GP, u_F);
    const spc_vec3 along = spc_scale(held ? spc_dot(u, w) : 0, w);
    const spc_vec3 bend = spc_scale(SPC_R(0.5), spc_sub(along, spc_scale(spc_dot(w, w), u)));
    int k;
    for (k = 0; k < 3; k++) {
        const spc_vec3 f = spci_column(&rows->R_GP, k);
        const spc_vec3 j = spc_add(spc_scale(c, f), spc_cross(u, f));
        spci_set_rotation_row(rows, k, j, 2 * spci_component(u_F, k), spc_dot(j, w),
                              spc_dot(j, t) + spc_dot(f, bend));
    }
}

/* (4.19), in F; c is given out. */
static spc_vec3 spci_swing(spc_quat q, int axis, spc_real *c)
{
    const spc_vec3 k = spci_unit(axis), v = spc_vec3_make(q.x, q.y, q.z);
    const spc_real about = spc_dot(v, k), size = SPC_SQRT(q.w * q.w + about * about);
    const spc_vec3 across = spc_sub(v, spc_scale(about, k));
    *c = size;
    if (!(size > SPCI_EPSILON)) /* opposed: about any axis across k */
        return across;
    return spc_sub(spc_scale(q.w / size, across), spc_scale(about / size, spc_cross(across, k)));
}

/* (4.20); the row of the free axis is off. */
static SPCI_NO_INLINE void spci_swing_rows(spc_quat q, int free_axis, spc_vec3 w_A, spc_vec3 w,
                                       unsigned need, spc_rows *rows)
{
    spc_real cosine;
    const spc_vec3 u_F = spci_swing(q, free_axis, &cosine), t = spc_cross(w, w_A);
    const spc_vec3 k_F = spci_unit(free_axis), n_F = spc_cross(k_F, u_F);
    const spc_vec3 w_F = spc_mat3_transpose_mul(rows->R_GP, w);
    const bool held = cosine < SPCI_LEAST_COSINE;
    const spc_real c = spci_max(cosine, SPCI_LEAST_COSINE);
    const spc_real c_rate = held ? 0 : SPC_R(-0.5) * spc_dot(w_F, u_F);
    const spc_vec3 r_F = spc_sub(spc_scale(2, k_F), spc_scale(1 / c, n_F));
    const spc_vec3 r = spc_mat3_mul(rows->R_GP, r_F);
    const spc_real rw = spc_dot(r_F, w_F);
    const spc_vec3 s = spc_add(spc_scale(c, w_F), spc_scale(rw, n_F)); /* across k */
    spc_vec3 bend = spc_vec3_make(0, 0, 0);
    int i;
    spci_put_vec3(spc_scale(2, u_F), rows->position_errors + 3);
    spci_put_vec3(s, rows->velocity_errors + 3);
    if (!(need & (SPCI_NEED_TURNS | SPCI_NEED_JDOT_V)))
        return;
    if (need & SPCI_NEED_JDOT_V) {
        const spc_vec3 n_rate = spc_scale(SPC_R(0.5), spc_cross(k_F, s));
        const spc_vec3 r_rate = spc_scale(1 / c, spc_sub(spc_scale(c_rate / c, n_F), n_rate));
        bend = spc_add(spc_add(spc_scale(c_rate, w_F), spc_scale(spc_dot(n_F, w_F) / c, n_rate)),
                       spc_scale(spc_dot(r_rate, w_F), n_F));
    }
    for (i = 0; i < 3; i++) {
        const spc_vec3 f = spci_column(&rows->R_GP, i);
        const spc_vec3 j = spc_add(spc_scale(c, f), spc_scale(spci_component(n_F, i), r));
        spci_set_rotation_row(rows, i, j, rows->position_errors[3 + i],
                              rows->velocity_errors[3 + i],
                              spc_dot(j, t) + spci_component(bend, i));
    }
}

/* (4.21) */
static SPCI_NO_INLINE void spci_twist_row(spc_quat q_GF, spc_quat q_GM, int axis, spc_vec3 w_A,
                                      spc_vec3 w_B, spc_rows *rows)
{
    const spc_vec3 k = spci_axis(q_GF, axis), m = spci_axis(q_GM, axis), w = spc_sub(w_B, w_A);
    const spc_real d = 1 + spc_dot(k, m);
    const spc_quat q = spc_quat_mul(spc_quat_conjugate(q_GF), q_GM);
    const spc_vec3 j = spc_scale(1 / d, spc_add(k, m));
    const spc_vec3 turn = spc_add(spc_cross(w_A, k), spc_cross(w_B, m));
    const spc_real s = spc_dot(j, w), v = spci_component(spc_vec3_make(q.x, q.y, q.z), axis);
    const spc_real e = spci_twist_error(spci_abs(q.w), q.w < 0 ? -v : v);
    const spc_real jdot_v = (spc_dot(turn, w) - s * spc_dot(spc_cross(m, k), w)) / d;
    spci_set_rotation_row(rows, axis, j, e, s, jdot_v);
}

/* Is there no twist about an axis of both frames, because they point against each other? */
static bool spci_axes_are_opposed(spc_quat q_GF, spc_quat q_GM, int axis)
{
    return 1 + spc_dot(spci_axis(q_GF, axis), spci_axis(q_GM, axis)) <= SPCI_PARALLEL;
}

static spc_real spci_attachment_squares(const spc_attachment *shape)
{
    return spci_squares_of_pose(&shape->X_AF) + spci_squares_of_pose(&shape->X_BM) +
           spc_dot(shape->rest, shape->rest);
}

static int spci_attachment_size(const spc_attachment *shape)
{
    return spci_count_bits(shape->locked);
}

static unsigned spci_attachment_enforced(const spc_attachment *shape)
{
    return shape->locked;
}

/* Its locked rotations, whose frame is gone when the others follow. */
static SPCI_NO_INLINE void spci_turn_rows(unsigned turns, spc_quat q_GF, spc_quat q_GM,
                                      const spc_spatial *V_A, const spc_spatial *V_B,
                                      unsigned need, spc_rows *rows)
{
    const int twist = spci_only_axis(turns), free_axis = spci_only_axis(7u & ~turns);
    const spc_quat q_FM = spc_quat_mul(spc_quat_conjugate(q_GF), q_GM);
    const spc_vec3 w = spc_sub(V_B->angular, V_A->angular);
    if (twist >= 0)
        spci_twist_row(q_GF, q_GM, twist, V_A->angular, V_B->angular, rows);
    else if (free_axis >= 0)
        spci_swing_rows(q_FM, free_axis, V_A->angular, w, need, rows);
    else
        spci_orientation_rows(q_FM, V_A->angular, w, rows);
}

static inline spc_status spci_attachment_rows(const spc_attachment *shape, const spc_state *a,
                                              const spc_state *b, unsigned need, spc_rows *rows)
{
    const unsigned turns = shape->locked >> 3;
    const int twist = spci_only_axis(turns);
    const spc_quat q_GF = spci_turn_frame(a->X_GB.q, shape->X_AF.q);
    const spc_quat q_GM = turns ? spci_turn_frame(b->X_GB.q, shape->X_BM.q) : q_GF;
    const spc_vec3 none = spc_vec3_make(0, 0, 0);
    spc_vec3 e, jdot_v = none;
    if (twist >= 0 && spci_axes_are_opposed(q_GF, q_GM, twist))
        return SPC_ERROR_OPPOSED_AXES;
    rows->R_GP = spc_mat3_from_quat(q_GF);
    e = spci_contact_place(&a->X_GB, &b->X_GB, shape->X_AF.p, shape->X_BM.p, none, 0, rows);
    e = spc_sub(spc_mat3_transpose_mul(rows->R_GP, e), shape->rest); /* (4.17) */
    spci_contact_rows(shape->locked, &a->V_GB, &b->V_GB, need, rows);
    rows->count = 6;
    rows->holonomic = shape->locked;
    spci_put_vec3(e, rows->position_errors);
    rows->separation = e.z;
    if (need & SPCI_NEED_JDOT_V)
        jdot_v = spci_contact_jdot_v(rows, none, &a->V_GB, &b->V_GB);
    if (turns)
        spci_turn_rows(turns, q_GF, q_GM, &a->V_GB, &b->V_GB, need, rows);
    spci_put_vec3(jdot_v, rows->jdot_v);
    spci_rows_off(need, rows);
    return SPC_OK;
}

SPC_API spc_attachment spc_attachment_default(void)
{
    spc_attachment shape;
    shape.X_AF = shape.X_BM = spc_transform_identity();
    shape.rest = spc_vec3_make(0, 0, 0);
    shape.locked = SPC_BALL_JOINT;
    return shape;
}

SPC_API spc_status spc_attachment_check(const spc_attachment *shape)
{
    spc_status status;
    spc_quat unit;
    if (!shape)
        return SPC_ERROR_NULL;
    if (!spci_finite_vec3(shape->X_AF.p) || !spci_finite_vec3(shape->X_BM.p) ||
        !spci_finite_vec3(shape->rest))
        return SPC_ERROR_NOT_FINITE;
    status = spc_quat_normalize(shape->X_AF.q, &unit);
    if (!status)
        status = spc_quat_normalize(shape->X_BM.q, &unit);
    if (status)
        return status;
    return shape->locked > SPC_WELD ? SPC_ERROR_BAD_OPTION : SPC_OK;
}

static void spci_attachment_copy(const spc_attachment *from, spc_attachment *to)
{
    to->X_AF = from->X_AF;
    to->X_BM = from->X_BM;
    to->rest = from->rest;
    to->locked = from->locked;
}

static spc_status spci_attachment_accept(const spc_attachment *shape, spc_attachment *kept)
{
    const spc_status status = spc_attachment_check(shape);
    if (status)
        return status;
    spci_attachment_copy(shape, kept);
    (void)spc_quat_normalize(shape->X_AF.q, &kept->X_AF.q);
    return spc_quat_normalize(shape->X_BM.q, &kept->X_BM.q);
}

SPC_API spc_status spc_attachment_at(const spc_transform *X_GA, const spc_transform *X_GB,
                                     spc_vec3 p_G, spc_vec3 z_G, unsigned locked,
                                     spc_attachment *shape)
{
    spc_attachment made = spc_attachment_default();
    spc_transform X_GF;
    spc_status status;
    if (!X_GA || !X_GB || !shape)
        return SPC_ERROR_NULL;
    status = spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), z_G, &X_GF.q);
    if (status)
        return status;
    X_GF.p = p_G;
    made.X_AF = spc_transform_mul(spc_transform_inverse(*X_GA), X_GF);
    made.X_BM = spc_transform_mul(spc_transform_inverse(*X_GB), X_GF);
    made.locked = locked;
    return spci_attachment_accept(&made, shape);
}

/* ----------------------------------------------- [4i.4] SPHERE ON SPHERE, IMPLEMENTATION ------ */
/*
   A point contact with the body A in the place of F's. S = Sb is the centre of B's sphere, d = S -
   Sa, and r = |d| has a sign: it is negative where A's sphere is hollow, and so is its radius ra.
   Then

       n = d / r,    e = r - (ra + rb)                                                   (4.31)

   are the n and e of [4.4], outside and inside. Outside a gap is shared, C = Sa + ra/(ra + rb) d;
   inside C is on B's sphere:

       q = -rb/(ra + rb) d    or    q = -rb n                                            (4.32)

   C is on the line through both centres, so that n . u = n . d' = de/dt. What (4.7) needs besides
   is, as seen from A, where d' = v_FS,

       n' = (d' - (n . d') n) / r,    q' = -rb/(ra + rb) d'    or    q' = -rb n'         (4.33)

   and the turn of the axes, t = n x n': they follow n without turning about it against A. (In G
   they turn with (w_A . n) n + n x dn/dt.) With s = J^T u and m = J^T n'

       (t x J)^T u = (-m_x s_n, -m_y s_n, m_x s_x + m_y s_y)                             (4.34)

   No axes that a pose determines turn so: where n goes round a triangle they come back turned. Nor
   are there any without a jump. Those of A, turned by the shortest turn from A's z axis to n, leap
   at n = -z alone. The choice is seen in single rows off the velocity constraint, and there alone:
   their sum along the axes does not depend on it.
*/

/* q or q' from d and n, or their derivatives: (4.32), (4.33) */
static spc_vec3 spci_sphere_on_sphere_q(const spc_sphere_on_sphere *shape, spc_vec3 d, spc_vec3 n)
{
    if (shape->hollow)
        return spc_scale(-shape->radius_b, n);
    return spc_scale(-shape->radius_b / (shape->radius_a + shape->radius_b), d);
}

/* Place, axes, q and r; refused, with the place written, where rounding alone tells the centres
   apart: spc_sphere_on_sphere_rows tries first. */
static SPCI_NO_INLINE spc_status spci_sphere_on_sphere_place(const spc_sphere_on_sphere *shape,
                                                         const spc_transform *X_GA,
                                                         const spc_transform *X_GB, spc_vec3 *q,
                                                         spc_real *r, spc_rows *rows)
{
    const spc_real ra = shape->hollow ? -shape->radius_a : shape->radius_a;
    const spc_vec3 none = spc_vec3_make(0, 0, 0);
    spc_quat turn = spc_quat_identity();
    spc_real size, largest;
    spc_vec3 d, n;
    rows->R_GP.z = none; /* without q and n: the place of S */
    d = spci_contact_place(X_GA, X_GB, shape->p_ASa, shape->p_BSb, none, 0, rows);
    size = spc_norm(d);
    largest = spci_max(spci_max(spci_max_abs(X_GA->p), spci_max_abs(X_GB->p)),
                       spci_max(spci_max_abs(shape->p_ASa), spci_max_abs(shape->p_BSb)));
    if (size <= SPCI_PARALLEL * largest)
        return SPC_ERROR_NO_CONTACT_POINT; /* NaN goes on, for the callers' own checks */
    *r = ra < 0 ? -size : size;
    n = spc_scale(1 / *r, d);
    *q = spci_sphere_on_sphere_q(shape, d, n);
    rows->arm_a = spc_add(rows->arm_a, *q);
    rows->arm_b = spc_add(rows->arm_b, *q);
    rows->p_GC = spc_add(rows->p_GC, *q);
    rows->separation = *r - (ra + shape->radius_b); /* (4.31) */
    (void)spc_quat_from_two_vectors(spci_axis(X_GA->q, 2), n, &turn);
    rows->R_GP = spc_mat3_from_quat(spc_quat_mul(turn, X_GA->q));
    rows->R_GP.z = n;
    return SPC_OK;
}

/* Rows have quotients by r, which no shape bounds: a caller's are always tried first. */
static spc_real spci_sphere_on_sphere_squares(const spc_sphere_on_sphere *shape)
{
    (void)shape;
    return SPCI_MAX;
}

static int spci_sphere_on_sphere_size(const spc_sphere_on_sphere *shape)
{
    (void)shape;
    return 3;
}

static unsigned spci_sphere_on_sphere_enforced(const spc_sphere_on_sphere *shape)
{
    return shape->rolling ? 7u : 4u;
}

/* w_BA x q' and the turn of the axes, on top of what q and axes fixed in A give: (4.33), (4.34) */
static SPCI_NO_INLINE spc_vec3 spci_sphere_on_sphere_jdot_v(const spc_sphere_on_sphere *shape,
                                                      const spc_rows *rows, spc_vec3 q, spc_real r,
                                                      const spc_spatial *V_A,
                                                      const spc_spatial *V_B)
{
    const spc_vec3 n = rows->R_GP.z, w = spc_sub(V_B->angular, V_A->angular);
    const spc_vec3 d_rate = spc_sub(spci_velocity_at(V_B, spc_sub(rows->arm_b, q)),
                                    spci_velocity_at(V_A, spc_sub(rows->arm_a, q)));
    const spc_vec3 n_rate = spc_scale(1 / r, spc_sub(d_rate, spc_scale(spc_dot(n, d_rate), n)));
    const spc_vec3 q_rate = spci_sphere_on_sphere_q(shape, d_rate, n_rate);
    const spc_vec3 jdot_v = spc_mat3_transpose_mul(rows->R_GP, spc_cross(w, q_rate));
    const spc_vec3 m = spc_mat3_transpose_mul(rows->R_GP, n_rate);
    const spc_real *s = rows->velocity_errors;
    return spc_vec3_make(jdot_v.x - m.x * s[2], jdot_v.y - m.y * s[2],
                         jdot_v.z + (m.x * s[0] + m.y * s[1]));
}

static SPCI_NO_INLINE spc_status spci_sphere_on_sphere_rows(const spc_sphere_on_sphere *shape,
                                                        const spc_state *a, const spc_state *b,
                                                        unsigned need, spc_rows *rows)
{
    spc_vec3 q, jdot_v = spc_vec3_make(0, 0, 0);
    spc_real r;
    const spc_status status = spci_sphere_on_sphere_place(shape, &a->X_GB, &b->X_GB, &q, &r, rows);
    if (status)
        return status;
    spci_contact_rows(spci_sphere_on_sphere_enforced(shape), &a->V_GB, &b->V_GB, need, rows);
    if (need & SPCI_NEED_JDOT_V)
        jdot_v = spc_add(spci_contact_jdot_v(rows, q, &a->V_GB, &b->V_GB),
                       spci_sphere_on_sphere_jdot_v(shape, rows, q, r, &a->V_GB, &b->V_GB));
    spci_contact_finish(jdot_v, need, rows);
    return SPC_OK;
}

SPC_API spc_sphere_on_sphere spc_sphere_on_sphere_default(void)
{
    spc_sphere_on_sphere shape;
    shape.p_ASa = shape.p_BSb = spc_vec3_make(0, 0, 0);
    shape.radius_a = shape.radius_b = 0;
    shape.hollow = false;
    shape.rolling = true;
    return shape;
}

SPC_API spc_status spc_sphere_on_sphere_check(const spc_sphere_on_sphere *shape)
{
    if (!shape)
        return SPC_ERROR_NULL;
    if (!spci_finite_vec3(shape->p_ASa) || !spci_finite_vec3(shape->p_BSb) ||
        !spci_finite(shape->radius_a) || !spci_finite(shape->radius_b))
        return SPC_ERROR_NOT_FINITE;
    if (!(shape->radius_b > 0) || !(shape->radius_a > (shape->hollow ? shape->radius_b : 0)))
        return SPC_ERROR_BAD_RADIUS;
    return SPC_OK;
}

static void spci_sphere_on_sphere_copy(const spc_sphere_on_sphere *from, spc_sphere_on_sphere *to)
{
    to->p_ASa = from->p_ASa;
    to->p_BSb = from->p_BSb;
    to->radius_a = from->radius_a;
    to->radius_b = from->radius_b;
    to->hollow = from->hollow;
    to->rolling = from->rolling;
}

static spc_status spci_sphere_on_sphere_accept(const spc_sphere_on_sphere *shape,
                                               spc_sphere_on_sphere *kept)
{
    const spc_status status = spc_sphere_on_sphere_check(shape);
    if (!status)
        spci_sphere_on_sphere_copy(shape, kept);
    return status;
}

/* ------------------------------------------------------------- [4i.9] TABLE OF KINDS ---------- */
/*
   One line for each kind: enumerator, name, its rows, and those that have a position level. A kind
   brings

       struct spc_NAME          its parameters
       spci_NAME_rows           the kernel, public as spc_NAME_rows; a pose may have no rows
       spci_NAME_squares        the sum of squares of its numbers
       spci_NAME_size           for how many rows room is kept
       spci_NAME_enforced       which rows are on
       spci_NAME_accept         checks parameters and copies them as a world keeps them
       spci_NAME_copy           copies them by fields: a world's bytes have no padding of a caller's
       spci_NAME_draw           its picture, in [7i.4]

   and a public call to add it, a wrapper of spci_constraint_add; spc_NAME_rows, _get and _set come
   of the table.
*/
#define SPCI_KINDS(KIND)                                                \
    KIND(SPC_SPHERE_ON_PLANE, sphere_on_plane, 7u, SPCI_CONTACT_LEVELS) \
    KIND(SPC_ROLLING_DISC, rolling_disc, 7u, SPCI_CONTACT_LEVELS)       \
    KIND(SPC_ATTACHMENT, attachment, SPC_WELD, SPC_WELD)                \
    KIND(SPC_SPHERE_ON_SPHERE, sphere_on_sphere, 7u, SPCI_CONTACT_LEVELS)

/* spc_NAME_rows of every kind. What may overflow is tried first: a refusal leaves rows as they
   were. */
#define SPCI_KIND_ROWS_TOLD(id, name, all, levels)                                                 \
    static SPCI_NO_INLINE spc_status spci_##name##_told(                                           \
        const spc_##name *shape, const spc_state *a, const spc_state *b, spc_rows *rows)           \
    {                                                                                              \
        return spci_##name##_rows(shape, a, b, SPCI_NEED_ALL | SPCI_NEED_OFF, rows);               \
    }                                                                                              \
                                                                                                   \
    SPC_API spc_status spc_##name##_rows(const spc_##name *shape, const spc_state *a,              \
                                         const spc_state *b, spc_rows *rows)                       \
    {                                                                                              \
        const spc_real squares = spci_squares_of_state(a) + spci_squares_of_state(b);              \
        spc_status status = SPC_OK;                                                                \
        if (!(squares + spci_##name##_squares(shape) <= SPCI_MODERATE)) {                          \
            spc_rows found;                                                                        \
            status = spci_##name##_told(shape, a, b, &found);                                      \
            if (!status && !spci_finite_rows(&found))                                              \
                status = SPC_ERROR_NOT_FINITE;                                                     \
        }                                                                                          \
        return status ? status : spci_##name##_told(shape, a, b, rows);                            \
    }
SPCI_KINDS(SPCI_KIND_ROWS_TOLD)

#define SPCI_KIND_MEMBER(id, name, all, levels) spc_##name name;
typedef union spci_shape {
    SPCI_KINDS(SPCI_KIND_MEMBER)
} spci_shape;

/* For how many rows room is kept. */
static int spci_size(spc_constraint_kind kind, const spci_shape *shape)
{
#define SPCI_KIND_SIZE(id, name, all, levels) \
    case id:                                  \
        return spci_##name##_size(&shape->name);
    switch (kind) {
        SPCI_KINDS(SPCI_KIND_SIZE)
    }
    return 0;
}

/* The rows of a kind, on or off: bit i for row i. */
static unsigned spci_kind_rows(spc_constraint_kind kind)
{
#define SPCI_KIND_ROWS(id, name, all, levels) \
    case id:                                  \
        return all;
    switch (kind) {
        SPCI_KINDS(SPCI_KIND_ROWS)
    }
    return 0;
}

/* The rows that have a position level: bit i for row i. */
static unsigned spci_kind_levels(spc_constraint_kind kind)
{
#define SPCI_KIND_LEVELS(id, name, all, levels) \
    case id:                                    \
        return levels;
    switch (kind) {
        SPCI_KINDS(SPCI_KIND_LEVELS)
    }
    return 0;
}

/* The rows that are on. */
static unsigned spci_enforced(spc_constraint_kind kind, const spci_shape *shape)
{
#define SPCI_KIND_ENFORCED(id, name, all, levels) \
    case id:                                      \
        return spci_##name##_enforced(&shape->name);
    switch (kind) {
        SPCI_KINDS(SPCI_KIND_ENFORCED)
    }
    return 0;
}

static void spci_shape_copy(spc_constraint_kind kind, const spci_shape *from, spci_shape *to)
{
#define SPCI_KIND_COPY(id, name, all, levels)       \
    case id:                                        \
        spci_##name##_copy(&from->name, &to->name); \
        break;
    switch (kind) {
        SPCI_KINDS(SPCI_KIND_COPY)
    }
}

/* The kernel; what a refusal leaves in rows is not to be read. */
static spc_status spci_rows(spc_constraint_kind kind, const spci_shape *shape, const spc_state *a,
                            const spc_state *b, unsigned need, spc_rows *rows)
{
#define SPCI_KIND_KERNEL(id, name, all, levels) \
    case id:                                    \
        return spci_##name##_rows(&shape->name, a, b, need, rows);
    switch (kind) {
        SPCI_KINDS(SPCI_KIND_KERNEL)
    }
    return SPC_ERROR_WRONG_CONSTRAINT_KIND;
}

/* The same for a caller: rows that are finite, those that are off with their errors. */
static spc_status spci_rows_told(spc_constraint_kind kind, const spci_shape *shape,
                                 const spc_state *a, const spc_state *b, spc_rows *rows)
{
#define SPCI_KIND_TELL(id, name, all, levels) \
    case id:                                  \
        return spc_##name##_rows(&shape->name, a, b, rows);
    switch (kind) {
        SPCI_KINDS(SPCI_KIND_TELL)
    }
    return SPC_ERROR_WRONG_CONSTRAINT_KIND;
}

/* ============================================= [5i] STABILIZATION, IMPLEMENTATION ============= */

SPC_API spc_stabilization spc_stabilization_default(void)
{
    spc_stabilization s;
    s.enabled = true;
    s.time_constant = SPC_R(0.1);
    s.ignore_position = 0;
    s.ignore_velocity = 0;
    return s;
}

static void spci_copy_stabilization(const spc_stabilization *from, spc_stabilization *to)
{
    to->enabled = from->enabled;
    to->time_constant = from->time_constant;
    to->ignore_position = from->ignore_position;
    to->ignore_velocity = from->ignore_velocity;
}

/* all: the rows that masks may name. */
static spc_status spci_stabilization_check(const spc_stabilization *s, unsigned all)
{
    if (!spci_finite(s->time_constant))
        return SPC_ERROR_NOT_FINITE;
    if (s->enabled ? !(s->time_constant > 0) : !(s->time_constant >= 0))
        return SPC_ERROR_BAD_TIME_CONSTANT;
    if (s->enabled && !spci_finite(1 / (s->time_constant * s->time_constant)))
        return SPC_ERROR_BAD_TIME_CONSTANT;
    if ((s->ignore_position | s->ignore_velocity) & ~all)
        return SPC_ERROR_BAD_OPTION;
    return SPC_OK;
}

/* Rows by the level that their errors count from: of the holonomic ones, and of those on. */
static unsigned spci_position_rows(const spc_stabilization *s, unsigned holonomic)
{
    return holonomic & ~(s->ignore_position | s->ignore_velocity);
}

static unsigned spci_velocity_rows(const spc_stabilization *s, unsigned enforced)
{
    return enforced & ~s->ignore_velocity;
}

static spc_real spci_rate(const spc_stabilization *s, spc_real h)
{
    return 1 / spci_max(s->time_constant, 2 * h);
}

SPC_API void spc_stabilization_terms(const spc_stabilization *stabilization, const spc_rows *rows,
                                     spc_real h, spc_real *out)
{
    const unsigned position = spci_position_rows(stabilization, rows->holonomic);
    const unsigned velocity = spci_velocity_rows(stabilization, rows->enforced);
    const spc_real rate = stabilization->enabled ? spci_rate(stabilization, h) : 0;
    int i;
    for (i = 0; i < rows->count; i++) {
        const spc_real s = velocity >> i & 1u ? rows->velocity_errors[i] : 0;
        const spc_real e = position >> i & 1u ? rows->position_errors[i] : 0;
        out[i] = -(2 * rate * s + rate * rate * e);
    }
}

/* ------------------------------------------------------- [5i.1] CONTACT LAW, IMPLEMENTATION --- */
/*
   Velocities count from where the law compares them: g is u_free less the surface's velocity in the
   tangential rows, and u_free_n + e u_n- in the normal one, so that

       u = g + W p                                                                        (5.1)

   is what friction and resistances are opposite to, and u_n >= 0. The contact is open if g_n >= 0.
   Else u_n = 0 and with x = (p_t, p_rt, p_rn), the five impulses beside p_n, w the column of W
   between x and n, and p_0 = -g_n / W_nn,

       p_n = p_0 - w^T x / W_nn,   u_x = h + S x,
       S = W_xx - w w^T / W_nn,    h = g_x + w p_0                                        (5.2)

   Friction, rolling and spinning are three blocks i of x. What a block says is that it is opposite
   to its velocity by some factor: u_i = -l_i x_i with l_i >= 0, so that with L = diag(l)

       (S + L) x = -h,   c_i = a_i p_n - b_i |x_i|:   l_i >= 0, c_i >= 0, one of them 0   (5.3)

   with a / b the block's limit for p_n = 1. Grip is b = 0. So there are no more than three unknowns
   l. The quotients c_i / |x_i| are nearly linear in l_i, exactly so for a block that is isotropic
   and alone (a centred ball), and are what Newton's method finds the zeros of. With E_j the unit
   matrix in block j, the derivatives are those of x and p_n:

       dx / dl_j = -(S + L)^-1 E_j x                                                      (5.4)

   One block alone has a bracket: c < 0 at l = 0 where it does not stick, and c > 0 for large l,
   where x vanishes. Blocks that couple strongly may mislead Newton's method. For a given p_n, with

       (W_xx + L) x = -(g_x + w p_n),    c_i = a_i p_n - b_i |x_i|                        (5.5)

   x is the minimum of a convex function over discs of given sizes, l are the variables of its dual
   problem, and to raise or lower them in turn until their c_i is 0 ascends there. What remains is
   a search for p_n. The normal velocity

       u_n(p_n) = g_n + W_nn p_n + w^T x(p_n)                                             (5.6)

   is continuous and negative at 0. It grows beyond any limit. For the large p_n that g is nothing
   beside, x = p_n y with y the minimum of y^T W_xx y / 2 + w^T y over discs. These contain 0, hence
   w^T y <= -|y|^2 in the norm of W_xx; there |y| <= |w| in the norm of its inverse, and |w|^2 is
   below W_nn for a definite W, so w^T y >= -|w| |y| > -W_nn. So a solution exists for any limits.

   In the end blocks at their limits are put on it, x_i = (a_i / b_i) p_n e_i with e_i the direction
   of x_i, and u_n = 0 gives

       p_n = (W_nn p_0 - sum w_i . x_i of those that stick)
             / (W_nn + sum (a_i / b_i) w_i . e_i of the others)                           (5.7)

   but where that divisor is small: there friction nearly jams.

   Mean slip: what sticks under the law as it stands sticks. The others have u_start added to their
   h, so that u_start + u is opposite to x. Blocks that do not bear to stick any more, because p_n
   is another, slide too, and it is solved again, three times at most.                    (5.8)

   The energy that the impact brings in is p . (u_free + u+) / 2, taken against the surface. With
   u+ = u_free + W p it is p . u+ - p . W p / 2, below 0 for e = 0, and above it for some e up to 1
   where friction couples the rows. There e is lowered until it is 0.                     (5.9)

   Where W is diagonal, with 1/m along n, 1/m_t across it, and nothing resists rotations, as for a
   centred ball, all this is in closed form,

       p_n = -m g_n,    p_t = -m_t g_t, or -friction p_n e                               (5.10)

   if that is less, with e the direction of h: of g_t, or of g_t + u_start, which friction may not
   turn around.
*/

/* Bounds: evaluations along one l, Newton steps of all, rounds of both, the same for a given p_n,
   points of the search for it, rounds in a row that lead nowhere. Reached where W is singular but
   for rounding. */
#define SPCI_MOST_LAW_ROOT 64
#define SPCI_MOST_LAW_NEWTON 9
#define SPCI_MOST_LAW_ROUNDS 4
#define SPCI_MOST_LAW_GIVEN 100
#define SPCI_MOST_LAW_SEARCH 64
#define SPCI_MOST_LAW_VAIN 8

/* Below this, against the sum of its terms' sizes, a number is rounding. */
#define SPCI_LAW_ROUNDING (16 * SPCI_EPSILON)

/* Below this Newton's method halves what is missed, unless that is rounding. */
#ifdef SPC_USE_FLOAT
#define SPCI_LAW_NEARLY SPC_R(1e-5)
#else
#define SPCI_LAW_NEARLY SPC_R(1e-10)
#endif

/* The least part of W_nn that (5.7) divides by. */
#define SPCI_LAW_JAMMED SPC_R(0.1)

/* Squares between these are exact but for rounding. */
#ifdef SPC_USE_FLOAT
#define SPCI_LAW_LEAST_SQUARE SPC_R(7.888609052210118e-31)  /* 2^-100 */
#define SPCI_LAW_MOST_SQUARE SPC_R(1.2676506002282294e+30)  /* 2^100 */
#define SPCI_LAW_SCALE SPC_R(1125899906842624)              /* 2^50 */
#else
#define SPCI_LAW_LEAST_SQUARE SPC_R(1.2446030555722283e-241) /* 2^-800 */
#define SPCI_LAW_MOST_SQUARE SPC_R(6.668014432879854e+240)   /* 2^800 */
#define SPCI_LAW_SCALE SPC_R(2.5822498780869086e+120)        /* 2^400 */
#endif

typedef struct spci_law {
    const spc_real *W;         /* the caller's */
    bool mean;                 /* slip, with start */
    spc_real g[6], start[6];   /* (5.1); u_start, counted likewise */
    int size, n, blocks;       /* of W, of x, and how many blocks that is */
    unsigned rows, on;         /* bit j: x_j may be other than 0: by the law, and now */
    unsigned sliding;          /* bit i: block i has u_start in its h */
    unsigned sticking;         /* bit i: block i has no limit */
    int iterations;
    spc_real a[3], b[3];       /* limits */
    spc_real inverse, p_0;     /* 1 / W_nn or, with a given p_n, 0 and p_n */
    spc_real S[5][5], h[5], w[5], weight[5], speed[5]; /* (5.2); what h and S are sums of */
    spc_real lambda[3];        /* l */
    spc_real L[5][5], D[5];    /* S + L as unit lower triangle and diagonal */
    spc_real x[5], p_n, length[3];
    spc_real change[6], terms[6]; /* W p, and the sizes of its terms */
    unsigned blocked;          /* bit i: u_i is not 0, whatever x_i is: it cannot stick */
    bool indefinite;
} spci_law;

/* The row of x_j. */
static int spci_law_row(int j)
{
    return j < 2 ? j : j + 1;
}

static int spci_law_block(int j)
{
    return j / 2;
}

static spc_real spci_law_compliance(const spci_law *f, int i, int j)
{
    return f->W[i > j ? i * f->size + j : j * f->size + i];
}

/* Of a vector of two; powers of two come out as they go in. */
static spc_real spci_law_norm(spc_real x, spc_real y)
{
    spc_real s = x * x + y * y, scale = 1;
    if (s > SPCI_LAW_LEAST_SQUARE && s < SPCI_LAW_MOST_SQUARE)
        return SPC_SQRT(s);
    scale = s < 1 ? SPCI_LAW_SCALE : 1 / SPCI_LAW_SCALE;
    x *= scale;
    y *= scale;
    return SPC_SQRT(x * x + y * y) / scale;
}

static spc_real spci_law_length(const spc_real *x, int block)
{
    return block < 2 ? spci_law_norm(x[2 * block], x[2 * block + 1]) : spci_abs(x[4]);
}

/* (5.2), or (5.5) for a given p_n. Rows that are off are 0. */
static void spci_law_reduce(spci_law *f, bool given, spc_real p_n)
{
    int j, k;
    f->inverse = given ? 0 : 1 / f->W[2 * f->size + 2];
    f->p_0 = given ? p_n : -f->g[2] * f->inverse;
    for (j = 0; j < f->n; j++) {
        const int row = spci_law_row(j);
        const spc_real on = SPC_R(f->on >> j & 1u), w = on * spci_law_compliance(f, row, 2);
        f->w[j] = given ? 0 : w;
        f->weight[j] = on * spci_law_compliance(f, row, row);
        f->h[j] = on * f->g[row] + w * f->p_0;
        f->speed[j] = on * spci_abs(f->g[row]) + spci_abs(w * f->p_0);
        if (f->sliding >> spci_law_block(j) & 1u) {
            f->h[j] += on * f->start[row];
            f->speed[j] += on * spci_abs(f->start[row]);
        }
        for (k = 0; k <= j; k++) {
            const spc_real both = on * SPC_R(f->on >> k & 1u);
            f->S[j][k] = both * spci_law_compliance(f, row, spci_law_row(k)) -
                         f->w[j] * f->inverse * f->w[k];
        }
    }
}

/* S + L = L D L^T. What only rounding tells from 0 is 0; no pivot is below its l. */
static void spci_law_factorize(spci_law *f)
{
    int j, k, i;
    for (j = 0; j < f->n; j++) {
        const spc_real lambda = f->lambda[spci_law_block(j)];
        const spc_real rounding = SPCI_LAW_ROUNDING * f->weight[j];
        spc_real d = f->S[j][j] + lambda;
        for (k = 0; k < j; k++) {
            spc_real t = f->S[j][k];
            for (i = 0; i < k; i++)
                t -= f->L[j][i] * f->D[i] * f->L[k][i];
            f->L[j][k] = f->D[k] > 0 ? t / f->D[k] : 0;
            d -= f->L[j][k] * t;
        }
        if (!(lambda > 0) && d <= rounding) {
            f->indefinite |= !(d >= -rounding);
            d = 0;
        }
        f->D[j] = spci_max(d, lambda);
    }
}

/* The second half of a solve, D and L^T; D = 0 gives 0. */
static void spci_law_finish_solve(const spci_law *f, spc_real *x)
{
    int j, k;
    for (j = 0; j < f->n; j++)
        x[j] = f->D[j] > 0 ? x[j] / f->D[j] : 0;
    for (j = f->n - 1; j >= 0; j--)
        for (k = j + 1; k < f->n; k++)
            x[j] -= f->L[k][j] * x[k];
}

/* x, p_n and lengths for these l. */
static void spci_law_evaluate(spci_law *f)
{
    spc_real speed[5];
    int i, j, k;
    f->iterations++;
    f->blocked = 0;
    spci_law_factorize(f);
    for (j = 0; j < f->n; j++) {
        f->x[j] = -f->h[j];
        speed[j] = f->speed[j];
        for (k = 0; k < j; k++) {
            f->x[j] -= f->L[j][k] * f->x[k];
            speed[j] += spci_abs(f->L[j][k]) * speed[k];
        }
    }
    for (j = 0; j < f->n; j++)
        if (!(f->D[j] > 0) && !(spci_abs(f->x[j]) <= SPCI_LAW_ROUNDING * speed[j]))
            f->blocked |= 1u << spci_law_block(j);
    spci_law_finish_solve(f, f->x);
    f->p_n = f->p_0;
    for (j = 0; j < f->n; j++)
        f->p_n -= f->inverse * f->w[j] * f->x[j];
    for (i = 0; i < f->blocks; i++)
        f->length[i] = spci_law_length(f->x, i);
}

/* c_i of (5.3); negative: beyond the limit. */
static spc_real spci_law_within(const spci_law *f, int i)
{
    if (f->sticking >> i & 1u)
        return 0;
    return f->blocked >> i & 1u ? -1 : f->a[i] * f->p_n - f->b[i] * f->length[i];
}

/* The sizes of what c_i is the sum of. */
static spc_real spci_law_size(const spci_law *f, int i)
{
    spc_real sum = spci_abs(f->p_0);
    int j;
    for (j = 0; j < f->n; j++)
        sum += spci_abs(f->inverse * f->w[j] * f->x[j]);
    return f->a[i] * sum + f->b[i] * f->length[i];
}

/* By how much block i misses (5.3), beside its size. */
static spc_real spci_law_miss(const spci_law *f, int i)
{
    const spc_real c = spci_law_within(f, i), size = spci_law_size(f, i);
    if (c >= 0 && !(f->lambda[i] > 0))
        return 0;
    if (f->blocked >> i & 1u)
        return 1;
    return size > 0 ? spci_abs(c) / size : 0;
}

/* Whether to end with a miss of this size: it is rounding, or so small that what does not halve the
   one before it is. */
static bool spci_law_settled(spc_real miss, spc_real before)
{
    return miss <= SPCI_LAW_ROUNDING || (miss <= SPCI_LAW_NEARLY && miss > before / 2);
}

/* The derivatives of c_i / |x_i| with l_j, times |x_i|. */
static void spci_law_slopes(const spci_law *f, int j, spc_real *slope)
{
    spc_real v[5], p = 0;
    int i, k;
    for (k = 0; k < f->n; k++) {
        v[k] = spci_law_block(k) == j ? -f->x[k] : 0;
        for (i = 0; i < k; i++)
            v[k] -= f->L[k][i] * v[i];
    }
    spci_law_finish_solve(f, v);
    for (k = 0; k < f->n; k++)
        p -= f->inverse * f->w[k] * v[k];
    for (i = 0; i < f->blocks; i++) {
        const spc_real e = f->length[i];
        spc_real stretch = 0; /* of x_i, in parts of its length */
        for (k = 2 * i; k < 2 * i + 2 && k < f->n && e > 0; k++)
            stretch += f->x[k] / e * (v[k] / e);
        slope[i] = e > 0 ? f->a[i] * (p - f->p_n * stretch) : 0;
    }
}

/* An l to begin with: the one that alone would make h_i the limit. */
static spc_real spci_law_begin(const spci_law *f, int i)
{
    const spc_real first = f->b[i] * spci_law_length(f->h, i) / (f->a[i] * f->p_0);
    const spc_real weight = f->weight[2 * i] + (i < 2 ? f->weight[2 * i + 1] : 0);
    const spc_real start = f->b[i] > 0 ? first : weight;
    return start <= SPCI_MAX ? start : SPCI_MAX;
}

/* Searches the zero of c_i along l_i: Newton's method in a bracket, as far as one is known. At
   most so many evaluations. */
static void spci_law_root(spci_law *f, int i, int most)
{
    spc_real low = 0, high = 0, slope[3], last = SPCI_MAX;
    bool outside = false; /* at low */
    for (; most > 0; most--) {
        const spc_real l = f->lambda[i], c = spci_law_within(f, i), miss = spci_law_miss(f, i);
        spc_real next = -1;
        if (spci_law_settled(miss, last))
            return;
        last = miss;
        if (c < 0) {
            low = l;
            outside = true;
        } else {
            high = l;
        }
        if (high > 0 && high - low <= 2 * SPCI_EPSILON * high)
            return;
        spci_law_slopes(f, i, slope);
        if (slope[i] > 0 && !(f->blocked >> i & 1u))
            next = l - c / slope[i];
        if (!(next > low && (!(high > 0) || next < high))) {
            if (high > 0 && !outside)
                next = 0;
            else if (high > 0)
                next = low + (high - low) / SPC_R(high > 16 * low ? 8 : 2);
            else
                next = low > 0 ? 8 * low : spci_law_begin(f, i);
        }
        if (!(next <= SPCI_MAX) || (spci_equal(next, l)))
            return;
        f->lambda[i] = next;
        spci_law_evaluate(f);
    }
}

/* b = A^-1 b of up to three. Rows and columns have units of their own: nothing is exchanged. */
static bool spci_law_solve(spc_real A[3][3], spc_real *b, int n)
{
    int i, j, k;
    for (k = 0; k < n; k++)
        for (i = k + 1; i < n; i++) {
            const spc_real part = A[i][k] / A[k][k];
            for (j = k + 1; j < n; j++)
                A[i][j] -= part * A[k][j];
            b[i] -= part * b[k];
        }
    for (i = n - 1; i >= 0; i--) {
        for (j = i + 1; j < n; j++)
            b[i] -= A[i][j] * b[j];
        b[i] /= A[i][i];
        if (!spci_finite(b[i]))
            return false;
    }
    return true;
}

/* A Newton step of all l, (5.4). Those that would come below 0 stick if they are within their
   limit. */
static bool spci_law_step(spci_law *f)
{
    spc_real A[3][3], b[3];
    unsigned active = 0;
    int i, j;
    for (i = 0; i < f->blocks; i++) {
        const spc_real c = spci_law_within(f, i);
        b[i] = 0;
        if ((f->lambda[i] > 0 || c < 0) && !(f->blocked >> i & 1u)) {
            active |= 1u << i;
            b[i] = -c;
        }
    }
    for (j = 0; j < f->blocks; j++) {
        spc_real slope[3] = { 0, 0, 0 };
        if (active >> j & 1u)
            spci_law_slopes(f, j, slope);
        for (i = 0; i < f->blocks; i++)
            A[i][j] = active >> i & active >> j & 1u ? slope[i] : SPC_R(i == j);
    }
    if (!spci_law_solve(A, b, f->blocks))
        return false;
    for (i = 0; i < f->blocks; i++) {
        const spc_real next = f->lambda[i] + b[i];
        if (f->blocked >> i & 1u)
            f->lambda[i] = spci_law_begin(f, i);
        else if (active >> i & 1u && !(next > 0) && spci_law_within(f, i) < 0)
            f->lambda[i] = f->lambda[i] > 0 ? f->lambda[i] / 8 : spci_law_begin(f, i);
        else if (active >> i & 1u)
            f->lambda[i] = next > 0 ? next : 0;
    }
    spci_law_evaluate(f);
    return true;
}

/* By how much the block is missed that is missed by most. */
static spc_real spci_law_worst(const spci_law *f)
{
    spc_real miss = 0;
    int i;
    for (i = 0; i < f->blocks; i++)
        miss = spci_max(miss, spci_law_miss(f, i));
    return miss;
}

/* Newton's method for all l; false if it does not end, l being as before. */
static bool spci_law_newton(spci_law *f)
{
    spc_real before[3], last = SPCI_MAX;
    int i, k;
    for (i = 0; i < 3; i++)
        before[i] = f->lambda[i];
    for (k = 0;; k++) {
        const spc_real miss = spci_law_worst(f);
        if (spci_law_settled(miss, last))
            return true;
        last = miss;
        if (k == SPCI_MOST_LAW_NEWTON || !spci_law_step(f))
            break;
    }
    for (i = 0; i < 3; i++)
        f->lambda[i] = before[i];
    spci_law_evaluate(f);
    return false;
}

/* Rounds of `most` evaluations along each l, and Newton's method, as long as they lead on; none for
   what has no solution. */
static bool spci_law_rounds(spci_law *f, int most, int rounds)
{
    spc_real least = SPCI_MAX;
    int i, vain = 0;
    for (; rounds > 0 && vain < SPCI_MOST_LAW_VAIN && !f->indefinite; rounds--) {
        spc_real miss;
        for (i = 0; i < f->blocks; i++)
            spci_law_root(f, i, most);
        if (spci_law_newton(f))
            return true;
        miss = spci_law_worst(f);
        vain = miss < least ? 0 : vain + 1;
        least = miss < least ? miss : least;
    }
    return false;
}

/* u_n(p_n) of (5.6) */
static spc_real spci_law_normal_speed(spci_law *f, spc_real p_n)
{
    spc_real u = f->g[2] + f->W[2 * f->size + 2] * p_n;
    int j;
    spci_law_reduce(f, true, p_n);
    spci_law_evaluate(f);
    (void)spci_law_rounds(f, SPCI_MOST_LAW_ROOT, SPCI_MOST_LAW_GIVEN);
    for (j = 0; j < f->n; j++)
        u += spci_law_compliance(f, spci_law_row(j), 2) * f->x[j];
    return u;
}

/* Searches p_n in a bracket (regula falsi, halving the end that stays), and ends with l there. */
static void spci_law_search(spci_law *f)
{
    const spc_real W_nn = f->W[2 * f->size + 2];
    spc_real low = 0, u_low = f->g[2], high = 0, u_high = 0, p = -f->g[2] / W_nn;
    int k, side = 0;
    for (k = 0; k < SPCI_MOST_LAW_SEARCH && !f->indefinite; k++) {
        const spc_real u = spci_law_normal_speed(f, p);
        if (spci_abs(u) <= 4 * SPCI_EPSILON * (spci_abs(f->g[2]) + W_nn * p))
            break;
        if (u < 0) {
            u_high /= side < 0 ? 2 : 1;
            low = p;
            u_low = u;
        } else {
            u_low /= side > 0 ? 2 : 1;
            high = p;
            u_high = u;
        }
        side = u < 0 ? -1 : 1;
        if (high > 0 && high - low <= 2 * SPCI_EPSILON * high)
            break;
        p = high > 0 ? low + (high - low) * (u_low / (u_low - u_high)) : 4 * p;
        if (high > 0 && !(p > low && p < high))
            p = low + (high - low) / 2;
    }
    spci_law_reduce(f, false, 0);
    spci_law_evaluate(f);
    (void)spci_law_newton(f);
}

/* Solves (5.3) for friction alone. */
static void spci_law_run_friction(spci_law *f)
{
    f->on = f->rows & 3u;
    spci_clear(f->lambda, 3);
    spci_law_reduce(f, false, 0);
    spci_law_evaluate(f);
    spci_law_root(f, 0, SPCI_MOST_LAW_ROOT);
}

/* Solves (5.3). Grip that slips does so without a normal impulse, and then nothing resists
   rotations. If it sticks without resistances, it does with them for some p_n > 0. */
static void spci_law_run(spci_law *f)
{
    const bool grip = f->on & 3u && !(f->b[0] > 0);
    if (f->blocks == 1 || grip)
        spci_law_run_friction(f);
    if (f->blocks == 1 || (grip && f->lambda[0] > 0))
        return;
    f->on = f->rows;
    f->sticking |= grip ? 1u : 0;
    spci_clear(f->lambda, 3);
    spci_law_reduce(f, false, 0);
    spci_law_evaluate(f);
    if (!spci_law_rounds(f, 1, SPCI_MOST_LAW_ROUNDS))
        spci_law_search(f);
}

/* (5.7); grip that slips has p_n = 0. */
static void spci_law_put_on_limits(spci_law *f)
{
    const spc_real W_nn = f->W[2 * f->size + 2];
    spc_real above = -f->g[2], below = W_nn, part[3];
    int i, j;
    if (f->lambda[0] > 0 && !(f->b[0] > 0)) {
        f->p_n = 0;
        return;
    }
    for (i = 0; i < f->blocks; i++) {
        const bool limited = f->lambda[i] > 0 && f->length[i] > 0;
        part[i] = limited ? f->a[i] / f->b[i] / f->length[i] : 0;
    }
    for (j = 0; j < f->n; j++) {
        i = spci_law_block(j);
        if (part[i] > 0)
            below += part[i] * f->w[j] * f->x[j];
        else
            above -= f->w[j] * f->x[j];
    }
    f->p_n = spci_max(below > SPCI_LAW_JAMMED * W_nn ? above / below : f->p_n, 0);
    for (j = 0; j < f->n && below > SPCI_LAW_JAMMED * W_nn; j++)
        if (part[spci_law_block(j)] > 0)
            f->x[j] *= part[spci_law_block(j)] * f->p_n;
}

/* Bit i: block i slides or turns. */
static unsigned spci_law_loose(const spci_law *f)
{
    unsigned loose = f->sliding;
    int i;
    for (i = 0; i < f->blocks; i++)
        loose |= f->lambda[i] > 0 ? 1u << i : 0;
    return loose;
}

/* (5.8); solved without u_start before. */
static void spci_law_mean(spci_law *f)
{
    unsigned loose = spci_law_loose(f);
    while (loose & ~f->sliding) {
        int i;
        f->sliding = loose;
        f->sticking = ~loose;
        spci_law_run(f);
        f->sticking = 0;
        for (i = 0; i < f->blocks; i++)
            if (!(loose >> i & 1u) && spci_law_within(f, i) < 0 &&
                !(spci_law_miss(f, i) <= SPCI_LAW_ROUNDING))
                loose |= 1u << i;
    }
}

/* p of row i */
static spc_real spci_law_impulse(const spci_law *f, int i)
{
    if (i == 2)
        return f->p_n;
    return i < f->size ? f->x[i < 2 ? i : i - 1] : 0;
}

/* W p, and the sums of its terms' sizes. */
static void spci_law_change(spci_law *f)
{
    int i, k;
    for (i = 0; i < f->size; i++) {
        f->change[i] = f->terms[i] = 0;
        for (k = 0; k < f->size; k++) {
            const spc_real term = spci_law_compliance(f, i, k) * spci_law_impulse(f, k);
            f->change[i] += term;
            f->terms[i] += spci_abs(term);
        }
    }
}

/* (5.9); u_free counted from the surface. */
static spc_real spci_law_work(const spci_law *f, const spc_real *u_free)
{
    spc_real work = 0;
    int i;
    for (i = 0; i < f->size; i++)
        work += spci_law_impulse(f, i) * (u_free[i] + f->change[i] / 2);
    return work;
}

/* Solves for a closing speed g_n < 0. */
static void spci_law_close(spci_law *f, spc_real g_n)
{
    f->g[2] = g_n;
    f->on = f->rows;
    f->sliding = f->sticking = 0;
    spci_law_run(f);
    if (f->mean)
        spci_law_mean(f);
    spci_law_put_on_limits(f);
    spci_law_change(f);
}

/* Solves with the restitution e of u_n- = u, or, if it has to be passive, a lower one; gives it. */
static spc_real spci_law_bounce(spci_law *f, const spc_real *u_free, spc_real u, spc_real e,
                                bool passive)
{
    spc_real low = 0, high = e, work;
    spci_law_close(f, u_free[2] + e * u);
    work = spci_law_work(f, u_free);
    if (!passive || !(work > 0) || !(e > 0))
        return e;
    while (high - low > 4 * SPCI_EPSILON * e) {
        const spc_real middle = low + (high - low) / 2;
        spci_law_close(f, u_free[2] + middle * u);
        if (spci_law_work(f, u_free) > 0)
            high = middle;
        else
            low = middle;
    }
    spci_law_close(f, u_free[2] + low * u);
    return low;
}

/* By how much x_i misses what the law makes of x_i - r u_i, which is x_i; beside the velocities
   that u_i is the sum of. */
static spc_real spci_law_block_residual(const spci_law *f, int i)
{
    const bool loose = f->sliding >> i & 1u;
    const int count = i < 2 ? 2 : 1;
    const spc_real limit = f->b[i] > 0 ? f->a[i] / f->b[i] * f->p_n : f->length[i];
    spc_real z[2] = { 0, 0 }, miss[2] = { 0, 0 }, weight = 0, size = 0, length;
    int k;
    for (k = 0; k < count; k++)
        weight += f->weight[2 * i + k];
    for (k = 0; k < count && weight > 0; k++) {
        const int j = 2 * i + k, row = spci_law_row(j);
        const spc_real start = loose ? f->start[row] : 0;
        if (!(f->on >> j & 1u))
            continue;
        z[k] = f->x[j] - (f->g[row] + f->change[row] + start) / weight;
        size += spci_abs(f->g[row]) + f->terms[row] + spci_abs(start);
    }
    length = count == 2 ? spci_law_norm(z[0], z[1]) : spci_abs(z[0]);
    for (k = 0; k < count; k++)
        miss[k] = f->x[2 * i + k] - (length > limit ? limit / length : 1) * z[k];
    return size > 0 ? spci_law_norm(miss[0], miss[1]) * weight / size : 0;
}

static spc_real spci_law_residual(const spci_law *f)
{
    const spc_real u = f->g[2] + f->change[2];
    spc_real most = f->p_n > 0 || u < 0 ? spci_abs(u) / (spci_abs(f->g[2]) + f->terms[2]) : 0;
    int i;
    for (i = 0; i < f->blocks; i++)
        most = spci_max(most, spci_law_block_residual(f, i));
    return most;
}

/* Whether row i has the velocity that the law gives it: what sticks, and the normal one. */
static bool spci_law_holds(const spci_law *f, int i)
{
    const int j = i < 2 ? i : i - 1;
    return i == 2 || (f->on >> j & 1u && !(spci_law_loose(f) >> spci_law_block(j) & 1u));
}

/* (5.10): p_t of a contact that presses with p_n. start: before, where friction is opposite to the
   mean slip, or NULL. Does it stick? */
static bool spci_law_slip(const spc_contact_law *law, spc_real m_t, const spc_real *g,
                          const spc_real *start, spc_real p_n, spc_real *p)
{
    const spc_real most = law->friction * p_n, sticks = m_t * spci_law_norm(g[0], g[1]);
    spc_real x = g[0], y = g[1], all = sticks;
    if (law->grip || sticks - most <= SPCI_LAW_ROUNDING * (sticks + most)) {
        p[0] = -m_t * x;
        p[1] = -m_t * y;
        return true;
    }
    if (start) {
        x += start[0];
        y += start[1];
        all = m_t * spci_law_norm(x, y);
    }
    m_t *= all > most ? most / all : 1;
    p[0] = -m_t * x;
    p[1] = -m_t * y;
    return false;
}

SPC_API spc_contact_law spc_contact_law_default(void)
{
    spc_contact_law law;
    law.grip = true;
    law.passive = law.propagates = false;
    law.friction = law.restitution = 0;
    law.restitution_speed = 0;
    law.rolling_resistance = law.spinning_resistance = 0;
    law.surface_velocity[0] = law.surface_velocity[1] = 0;
    law.bounded = false;
    law.half_length[0] = law.half_length[1] = 0;
    return law;
}

SPC_API spc_status spc_contact_law_check(const spc_contact_law *law)
{
    if (!law)
        return SPC_ERROR_NULL;
    if (!spci_finite(law->friction) || !spci_finite(law->restitution) ||
        !spci_finite(law->restitution_speed) || !spci_finite(law->rolling_resistance) ||
        !spci_finite(law->spinning_resistance) || !spci_finite_numbers(law->surface_velocity, 2) ||
        !spci_finite_numbers(law->half_length, 2))
        return SPC_ERROR_NOT_FINITE;
    if (law->friction < 0 || law->rolling_resistance < 0 || law->spinning_resistance < 0)
        return SPC_ERROR_BAD_FRICTION;
    if (law->restitution < 0 || law->restitution > 1 || law->restitution_speed < 0)
        return SPC_ERROR_BAD_RESTITUTION;
    return law->half_length[0] >= 0 && law->half_length[1] >= 0 ? SPC_OK : SPC_ERROR_BAD_WIDTH;
}

SPC_API spc_contact_motion spc_contact_motion_default(void)
{
    spc_contact_motion motion;
    motion.enforced = 7u;
    motion.mean_slip = false;
    spci_clear(motion.u_before, 6);
    spci_clear(motion.u_free, 6);
    spci_clear(motion.u_start, 6);
    return motion;
}

/* What spc_contact_impulse refuses at once. */
static spc_status spci_law_check(const spc_contact_law *law, const spc_real *W,
                                 const spc_contact_motion *motion)
{
    const spc_status status = spc_contact_law_check(law);
    int i, n = 3;
    if (status)
        return status;
    if (!W || !motion)
        return SPC_ERROR_NULL;
    if (motion->enforced >> 6 || !(motion->enforced >> 2 & 1u))
        return SPC_ERROR_BAD_OPTION;
    if (motion->enforced >> 3)
        n = 6;
    else if (law->rolling_resistance > 0 || law->spinning_resistance > 0)
        return SPC_ERROR_BAD_OPTION;
    for (i = 0; i < n; i++)
        if (!spci_finite_numbers(W + i * n, (size_t)i + 1))
            return SPC_ERROR_NOT_FINITE;
    if (!spci_finite_numbers(motion->u_before, 6) || !spci_finite_numbers(motion->u_free, 6) ||
        !spci_finite_numbers(motion->u_start, 6))
        return SPC_ERROR_NOT_FINITE;
    return W[2 * n + 2] > 0 ? SPC_OK : SPC_ERROR_NOT_DEFINITE;
}

/* Grip about the normal is so much friction. */
#define SPCI_GRIPS SPC_R(1e6)

/* The limit of the resistance in block 1, rolling, or 2, spinning, for p_n = 1: of a point, or of
   what lies on a patch of some radius, (4.36). */
static spc_real spci_law_arm(const spc_contact_law *law, spc_real patch, int block)
{
    if (block == 1)
        return law->rolling_resistance + patch;
    return law->spinning_resistance + (law->grip ? SPCI_GRIPS : law->friction) * patch;
}

/* The parts of a law that do not depend on restitution. */
static void spci_law_load(const spc_contact_law *law, const spc_real *W, unsigned rows, bool mean,
                          spc_real patch, spci_law *f)
{
    const bool full = rows >> 3;
    int j;
    f->W = W;
    f->mean = mean;
    f->size = full ? 6 : 3;
    f->n = full ? 5 : 2;
    f->blocks = full ? 3 : 1;
    f->iterations = 0;
    f->sliding = f->sticking = 0;
    f->indefinite = false;
    f->a[0] = law->grip || law->friction > 1 ? 1 : law->friction;
    f->b[0] = law->grip ? 0 : law->friction > 1 ? 1 / law->friction : 1;
    f->a[1] = spci_law_arm(law, patch, 1);
    f->a[2] = spci_law_arm(law, patch, 2);
    f->b[1] = f->b[2] = 1;
    for (f->rows = 0, j = 0; j < f->n; j++)
        if (rows >> spci_law_row(j) & 1u && f->a[spci_law_block(j)] > 0)
            f->rows |= 1u << j;
}

/* Whether W is definite but for rounding; of an open contact, whose impulse is 0. */
static bool spci_law_open(spci_law *f)
{
    f->on = f->rows;
    spci_clear(f->lambda, 3);
    spci_law_reduce(f, false, 0);
    spci_law_evaluate(f);
    f->p_n = 0;
    spci_clear(f->x, 5);
    return !f->indefinite;
}

SPC_API spc_status spc_contact_impulse(const spc_contact_law *law, const spc_real *W,
                                       const spc_contact_motion *motion,
                                       spc_contact_solution *solution)
{
    const spc_status status = spci_law_check(law, W, motion);
    spc_real u[6], u_free[6], e = 0, residual = 0, u_n;
    bool closed;
    spci_law f;
    int i;
    if (status || !solution)
        return status ? status : SPC_ERROR_NULL;
    spci_law_load(law, W, motion->enforced, motion->mean_slip, 0, &f);
    for (i = 0; i < 6; i++) {
        const spc_real surface = i < 2 ? law->surface_velocity[i] : 0;
        f.g[i] = motion->u_free[i] - surface;
        f.start[i] = motion->u_start[i] - surface;
    }
    u_n = motion->u_before[2];
    if (-u_n > law->restitution_speed)
        e = law->restitution;
    closed = motion->u_free[2] + e * u_n < 0;
    if (closed) {
        spci_copy(u_free, f.g, 6);
        e = spci_law_bounce(&f, u_free, u_n, e, law->passive);
        residual = spci_law_residual(&f);
    }
    if (closed ? f.indefinite : !spci_law_open(&f))
        return SPC_ERROR_NOT_DEFINITE;
    for (i = 0; i < 6; i++) {
        u[i] = motion->u_free[i] + (closed && i < f.size ? f.change[i] : 0);
        if (closed && i < f.size && spci_law_holds(&f, i))
            u[i] = i < 2 ? law->surface_velocity[i] : i == 2 && e > 0 ? -e * u_n : 0;
    }
    if (!spci_finite_numbers(u, 6) || !spci_finite_numbers(f.x, (size_t)f.n) ||
        !spci_finite(f.p_n) || !spci_finite(residual))
        return SPC_ERROR_NOT_FINITE;
    for (i = 0; i < 6; i++)
        solution->impulse[i] = spci_law_impulse(&f, i);
    spci_copy(solution->u_after, u, 6);
    solution->restitution = closed ? e : 0;
    solution->residual = residual;
    solution->iterations = f.iterations;
    solution->state = SPC_CONTACT_OPEN;
    if (closed)
        solution->state = spci_law_holds(&f, 0) || spci_law_holds(&f, 1) ? SPC_CONTACT_ROLLING
                                                                         : SPC_CONTACT_SLIDING;
    return SPC_OK;
}

/* ==================================================== [6i] SOLVER, IMPLEMENTATION ============= */
/*
   With M block diagonal at the centres of mass, a = a0 + da splits off the motion a0 = M^-1 f
   without constraints, and what the constraints add obeys

       M da + G^T l = 0,    G da = rho,    rho = -b - G a0                                (6.1)

   The same equations serve impulses (da a change of velocity, rho the wanted change of velocity
   errors) and displacements (da a displacement, rho the wanted change of position errors).

   Order. Constraints span the bodies with a tree, from ground or, where an island hangs on nothing,
   from the body of most constraints, breadth first. A constraint of the tree is a joint between a
   body and its parent; the others close loops. Bodies are eliminated from the leaves to the root,
   behind each its joint; a loop follows as soon as all bodies of its cycle are gone but the
   topmost, which the relative motion in the cycle does not need. With r_c the rows of a joint at
   child and parent, this is

       H_p = M_p + sum over children c of J_p^T (J_c H_c^-1 J_c^T)^-1 J_p                 (6.2)

   which adds and never subtracts: a chain of any length, with masses that differ by any factor,
   loses nothing, and no joint of a tree is ever asked whether it is redundant. It never is. A loop
   with rows G has the pivot block

       sum over bodies of G H^-1 G^T  -  sum over joints and earlier loops                (6.3)

   the only difference; where it vanishes, the loop's row says what the others say already.
   A body without children needs no node of its own, since its H is M: it couples its constraints by
   G M^-1 G^T. Bodies with children are hubs, nodes of six rows. With s = 1 for hubs, -1 for
   constraints, the matrix is K = U S D S U^T, where P_j = s_j K_jj = L D L^T for a block on the
   diagonal and U_ij = K_ij L^-T for those below. The work is linear in the number of bodies for
   trees, and for loops that are small.

   Noise. The rounding of a pivot d_j of a hub or joint is epsilon times what it was before its
   block, P_j, subtracted from it, and nothing is lost behind it. That of a loop's row j comes from
   what is subtracted, with the columns l_ij of the factor

       n_i = sum over earlier j of l_ij^2 n_j,    n_j = epsilon P_jj of hubs and joints   (6.4)

   since d(K_ii - K_ij^2 / d_j) / d(d_j) = l_ij^2. This is quick, and too much where noises go
   around in loops that follow each other: a pivot that does not stand out from it is asked again,
   with the sum of epsilon z_k^2 K_kk for the z below. In a block of a loop the row goes first that
   keeps most of its first sum in (6.3), its gross.

   Drift. Loops that are redundant in exact positions are not quite so where positions are off by
   drift: hinges that have opened by a rounding or by a step's error let the wheels of a robot
   fight. What the row of pivot i asks of the rows before it is z = L^-T e_i, a load that they
   balance but for the pivot d_i = |G^T z|^2 in the metric of M^-1. If errors of the relative size
   delta_j (an angle, or a length against the arm) may have changed the rows, a load that is really
   balanced shows up as

       g = sum over bodies of m_b |sum_j z_j G_jb|^2                                      (6.5)
       m = sum over bodies of m_b sum_j z_j^2 delta_j^2 |G_jb|^2

   with g up to c^2 m: the pivot is then explained by drift. With q = g / (c^2 m), 1 / d_i counts by

       phi = 0 for q <= 1,    (q - 1) / 3 up to q = 4,    then 1                          (6.6)

   without a cliff, and the factor m_b keeps a heavy body on light legs, whose pivot is small, too,
   from being let go of. (Backward errors: Oettli and Prager 1964.) Errors beyond a hundredth are no
   drift but a joint that came apart, which is to be closed: delta fades there.

   Rows with phi = 0 are left out: 1 / d = 0. Their z span what the multipliers can be changed by
   without moving anything. With Z these columns, P = Z (Z^T Z)^-1 Z^T takes the part off that a
   solution of least norm does not have,

       l <- l - P l                                                                       (6.7)

   by conjugate gradients: Z w is the backward half of a substitution, Z^T v the forward half.

   Arms. Rows at a point far from a body, in units of its radius of gyration, nearly say the same:
   all are about the arm. So the linear rows of an attachment with an arm p to its point that is
   long are exchanged for combinations, with axes e_i of their own in the place of F's and rotations
   j_l that are locked taken off,

       row_i = sum of Q_ik row_k - sum of x_il rotation_l
       p x e_i = sum of x_il j_l + m_i                                                    (6.8)

   so that the moments m_i are none, or one: of a ball joint e_1 is along p; of a hinge e_1 alone
   has a moment, about the free axis; of a weld none has. With T these combinations rho becomes T
   rho, and l is T^T times what is solved for.

   Contradictions. If rows contradict each other, those left out are not met: n = P (rho - G da)
   is the part of rho that no motion meets, and rho - n is solved for, by least squares.
*/

/* A pivot of less than so many times its noise is noise: (6.4) leaves out that errors add up. */
#ifdef SPC_USE_FLOAT
#define SPCI_PIVOT_NOISE 1024
#else
#define SPCI_PIVOT_NOISE 256
#endif

/* c of (6.6) squared: random changes of rows have been seen to explain pivots of 2 m; what is not
   redundant was above 60 m. */
#define SPCI_DRIFT_FACTOR 9

/* Pivots that are more than this times delta^2 of their gross are not asked (6.5) about. */
#define SPCI_DRIFT_FILTER 100

/* Relative drift beyond this is no drift. */
#define SPCI_MOST_DRIFT SPC_R(0.01)

/* Rows contradict each other if no motion meets more than this part of what they ask for. Less is
   rounding, drift, or legs of not quite the same length. */
#define SPCI_CONTRADICTION SPC_R(1e-3)

/* The same of a step's velocities, which closing drift turns against each other for a while. */
#define SPCI_STEP_CONTRADICTION SPC_R(0.05)

/* The part of rho that a substitution may leave before it is refined; of accelerations less. */
#define SPCI_LEFT_OVER_EXACT (16 * SPCI_EPSILON)
#ifdef SPC_USE_FLOAT
#define SPCI_LEFT_OVER (64 * SPCI_EPSILON)
#else
#define SPCI_LEFT_OVER (1024 * SPCI_EPSILON)
#endif

/* How often, at most. */
#define SPCI_MOST_REFINEMENTS 2

/* Multipliers of least norm may leave this part of the loads on a body unbalanced. */
#ifdef SPC_USE_FLOAT
#define SPCI_UNBALANCED SPC_R(1e-4)
#else
#define SPCI_UNBALANCED SPC_R(1e-7)
#endif

/* An arm is long if its moments are so many times the mass in a row's entry in A. */
#define SPCI_LONG_ARM 64

/* Conjugate gradients of (6.7) end at this part of the beginning, or after so many turns. */
#ifdef SPC_USE_FLOAT
#define SPCI_LEAST_NORM (64 * SPCI_EPSILON)
#else
#define SPCI_LEAST_NORM (1024 * SPCI_EPSILON)
#endif
#define SPCI_MOST_TURNS 100

static const spc_state spci_ground = { { { 1, 0, 0, 0 }, { 0, 0, 0 } },
                                       { { 0, 0, 0 }, { 0, 0, 0 } } };

/* Symmetry of a body's inertia: of a top about an axis of B, of a ball about all. */
typedef enum spci_symmetry {
    SPCI_ASYMMETRIC,
    SPCI_TOP_X,
    SPCI_TOP_Y,
    SPCI_TOP_Z,
    SPCI_SPHERICAL
} spci_symmetry;

/* What is kept of a body. */
typedef struct spci_body {
    spc_spatial A_GB;              /* acceleration: last found, or prescribed */
    spc_spatial one_step, lasting; /* applied forces at Bo, in G */
    spc_mass mass;
    spc_real inv_mass;
    spc_inertia inv_inertia; /* about Bc, in axes of B */
    spc_motion motion;
    void *user;
    spc_body_kind kind;
    unsigned generation; /* odd: in use; even: free */
    int uses;            /* constraints that refer to the body, or the next free slot */
    spci_symmetry symmetry;
    unsigned id;
    bool centred; /* Bo is Bc */
    bool forced;  /* there are applied forces */
} spci_body;

/* See spci_slides_room. */
#define SPCI_SLIDES 48

/* What a step makes of a one-sided ball in a lane: its spc_contact_state and whether it has met,
   which its spci_side tells more of; or that it is none. */
enum { SPCI_FOUND_STATE = 3, SPCI_FOUND_MEETING = 4, SPCI_NOT_ONE_SIDED = 8 };

/* As many numbers side by side as a vector of 32 bytes has. */
#define SPCI_LANES ((int)(32 / sizeof(spc_real)))

typedef spc_real spci_lane[32 / sizeof(spc_real)];

/* The states of so many bodies in neighbouring slots. */
typedef struct spci_states {
    spci_lane q[4], p[3], w[3], v[3];
    spci_lane lambda[3]; /* multipliers of those whose contact is in spci_balls */
} spci_states;

/* What a step needs besides of the balls among them whose only constraint is a contact with a floor
   that does not move freely, and whose mass is theirs of a ball: centred, with equal moments. */
typedef struct spci_balls {
    spci_lane mass, inv_mass, inv_inertia, radius;
    spci_lane grip;           /* 1 / (1/m + r^2/I); 0 if it does not roll */
    spci_lane keep[3];        /* 1 if a velocity error stays, else 0 */
    spci_lane displace, time; /* of stabilization: 1 or 0; T */
    spci_lane q_FP[4], p_FP[3];
    spci_lane force[3], torque[3];
    int constraint[32 / sizeof(spc_real)]; /* its slot and 1 more; 0: none of these balls */
    int floor[32 / sizeof(spc_real)];
    unsigned found; /* four bits a lane: what a step makes of it if it is one-sided */
    unsigned char count, moving, sides; /* balls; those whose floor is not ground; one-sided ones */
    bool fresh;                         /* all this is what it is to be */
    bool one_plane;                     /* of all */
    bool same_planes;                   /* as in the group before, lane by lane */
} spci_balls;

/* What a solve needs of a body, which stands together, and what steps put aside. */
typedef struct spci_work {
    spc_state state; /* while a call moves the body; then its own is set to it */
    spc_inertia inv_inertia_G;
    spc_inertia I_G; /* of a hub: about Bc in G, in K */
    spc_real inv_mass;
    spc_vec3 p_BBc_G;
    spc_spatial delta; /* da of (6.1), at Bc */
    spc_spatial push;  /* what forces alone add to the velocity in a step, at Bc */
    spc_spatial shift; /* displacement of a step, at Bc; of a kinematic body: what its velocity
                          changes by from the middle of a step to its end */
    spc_spatial A;     /* acceleration of Bo being found */
    spc_real lever;    /* largest change of angular velocity that an impulse of its mass makes */
    spc_real explained; /* its part of m, (6.5) */
    int first;         /* its constraint nodes, linked; -1: none */
    int degree, island;
    int hub;            /* its node; -1: none, since it has one constraint at most */
    int edges;          /* of its hub with each of its nodes (pool) */
    int joint;          /* the node to its parent in the tree; -1: none */
    int depth, rank;    /* in the tree, or where a clump's nodes end; place in the island's order */
    int child, sibling; /* bodies; 0: none; or how many bodies and nodes a clump has */
    int loops;          /* nodes that follow it, linked by next; -1: none; or where a clump's bodies
                           end */
    int clump;          /* while contacts are solved for: a body of its clump, which leads to the
                           one that stands for it; */
    int live;           /* constraints that bind it */
} spci_work;

/* Runge-Kutta sums of the rates of a body's q, p, V. */
typedef struct spci_sums {
    spc_quat q;
    spc_vec3 p;
    spc_spatial V;
} spci_sums;

typedef struct spci_constraint {
    spci_shape shape;
    spc_stabilization stabilization;
    spc_real multipliers[SPC_MAX_ROWS];
    spc_constraint_kind kind;
    int a, b;            /* bodies; 0 is ground */
    unsigned generation; /* odd: in use; even: free */
    int next_free;
    bool enabled, conditional;
    char name[SPC_MAX_NAME + 1]; /* zeros behind its end */
    unsigned id;
    unsigned redundant;     /* rows that were left out by the last call that solved */
    spc_real contradiction; /* of its demands, see spc_world_report */
    spc_contact_law law;
    spc_real hit_speed;       /* at which the bodies met in the last step */
    int next_event;           /* slot and 1 more of the next one in the world's list */
    unsigned char wait, tries; /* of rest, see spci_side */
    unsigned char state;      /* spc_contact_state */
    bool one_sided, began, ended;
    bool flat; /* of a disc: it lay on its side as the last step ended */
} spci_constraint;

/* What a one-sided contact is while a call solves for it. Numbers of its six rows: along x y n, and
   about them. */
typedef struct spci_side {
    spc_mat3 R;              /* its axes in G */
    spc_vec3 arm_a, arm_b;   /* from Bo, as those of rows */
    spc_vec3 p_a, p_b;       /* from Bc of dynamic bodies */
    spc_real p[6], best[6];  /* impulses on B; those of the best solution so far */
    spc_real g[6], start[6]; /* what the law compares: without impulses; before the step */
    spc_real weight[4];      /* compliance along n, t, and about t, n */
    spc_real W[5];           /* of its rows if it has three: xx, xy, yy, xn, yn */
    spc_real load[6];        /* impulses that sweeps go on from; others that go before p */
    spc_real slope[6];       /* of what slides and turns: along the limits, for p_n = 1 */
    spc_real x[2], y[2];     /* the direction of friction, and of what resists rolling */
    spc_real soft[2];        /* compliance across it; below 0: nothing holds it there */
    spc_real shift, at, hit; /* displacement; when and how fast the bodies meet in the step */
    spc_real driven[2];      /* k, l of (7.14) */
    spc_real restitution, gap;
    spc_real foot[2];        /* C in the plane's frame as the step began */
    spc_real sum[6], met;    /* of the parts of a step: impulses, fastest meeting */
    spc_real u[6];           /* of a step in the normal row before the push, and the push behind it;
                                of accelerations: the velocities of the rows, */
    spc_real size, slow;     /* accelerations without forces; speeds that are none beside them, */
    spc_real tiny, none;     /* or are rounding; gaps that are */
    spc_real high, inside;   /* the gap as a part of a step began; how far the plane's end is */
    union {
        spc_vec3 first[3];   /* of blocks that slide through a part of a step: where to */
        spc_real carried[6]; /* of rounds, in no such part: impulses of those that are over */
    } of;
    spc_vec3 last[3];        /* where to in the end; the last one of a disc that tips: to where its
                                rim is down */
    spc_real began[3];       /* how fast as it began */
    spc_real rate[2];        /* of a step of second order what would lay a disc flat, about x, y */
    spc_real fastest;        /* meeting of the step */
    spc_real struck[5];      /* of impacts that propagate, (7.19): c, s; p_n times when; fastest;
                                what supports it */
    unsigned still;          /* bit i: what block i slips by slowly is none */
    unsigned rows;           /* bit i: row i may have an impulse */
    unsigned loose;          /* bit i: block i of the law is opposite to a mean of velocities */
    unsigned firm;           /* bit i: it has turned out not to be */
    unsigned char state;     /* spc_contact_state that is found, */
    unsigned char found;     /* and what a part of a step that may be in vain has found */
    unsigned char wait, tries; /* of rest: steps before the next, and how many were in vain */
    bool takes_part, closed; /* in the step; at its beginning */
    bool placed;             /* it has rows at all */
    bool mean : 1;           /* friction is opposite to the mean slip */
    bool leaves : 1;         /* it meets, and is gone at the end of the step */
    bool distant : 1;        /* it is so far off that nobody asks for its rows, */
    bool apart : 1;          /* nor for anything in a part of a step */
    bool flat : 1, was_flat : 1; /* a disc lies on its side; it did as a part of a step began, */
    bool over : 1, tips : 1;     /* goes over that position in it; or tips, whatever its place */
    bool waits : 1, rests : 1;   /* to be struck; and its bodies did not move before */
    bool quiet : 1;              /* at rest, and no blow of a round has reached it */
    bool turned : 1, blown : 1;  /* its rows are those of where spheres meet after blows; and its
                                    bodies' sums are what rounds have done */
    bool late : 1, fresh : 1;    /* it has joined by the impulses of others; since its clump was
                                    solved for */
    bool upper : 1;              /* the other rim of its body is clearly lower */
    bool touches : 1, beyond : 1; /* its gap is none; its plane has ended */
    bool due : 1;            /* its bounce ends a part of a step, in which it takes no part */
    bool presses;            /* mode of a Newton step; */
    unsigned slides;         /* bit i: block i is at its limit */
} spci_side;

/* A constraint or a hub in the elimination. Offsets are into the pool [reals]. First what every
   solve reads. */
typedef struct spci_node {
    int constraint;        /* -1 for a hub */
    int a, b;              /* dynamic bodies, 0 where there is none; a hub's body is a */
    int J_a, J_b;          /* Jacobians at Bc, 6 reals a row; -1: none */
    int diagonal;          /* P_j */
    int vectors, stride;   /* its part of the island's vectors: of the first, and to the next */
    int own, own_stride;   /* of a loop: the same of vectors that loops alone have */
    int mix;               /* T of (6.8), 6 reals for each linear row; -1: no room, no need */
    unsigned char size, active; /* most rows, rows now */
    signed char sign;
    bool mixed;  /* T is there */
    bool loop : 1;  /* closes a loop */
    bool cycle : 1; /* the same, or a loop is below it */
    bool yields; /* has rows that do */
    unsigned char order[SPC_MAX_ROWS]; /* of a loop: the row of pivot j */
    int below, below_count; /* (U offset, node) of the blocks below, then targets of updates */
    int next_a, next_b;     /* the next node of body a and of body b */
    unsigned mask;          /* the active rows */
    unsigned dropped;       /* of a loop: bit j, pivot j is left out */
    int position;           /* in the order of elimination; -1: not eliminated */
    int among;              /* while a blow's reach is found: where it stands in its clump */
    int first;              /* position from which on something is eliminated into it */
    spc_real reach;         /* its longest arm, from the Bc of what moves [m] */
    spc_real swing;         /* of (7.10), over h f: its arm times 1/I across it [1/(kg m)] */
    spc_real drift;         /* delta of (6.5) */
    spc_real contradiction; /* what its rows ask for and cannot have, as a length */
    spc_real soft[SPC_MAX_ROWS]; /* compliance of its active rows, if they yield */
    spc_vec3 across;        /* of spci_across, as the step began */
    int first_edge;         /* while edges are found, as the next two: */
    int sibling, mark;      /* another node with the same first neighbour; the last that met it.
                               Then its vectors, position and first while its island is whole */
    int next;               /* in the list of loops of a body, then of its island */
} spci_node;

/* Two nodes that meet; after ordering a is eliminated later, and the block is that of rows of a. */
typedef struct spci_edge {
    int a, b;
    int next_a, next_b;
    int values;
} spci_edge;

typedef struct spci_island {
    int first_body, body_count; /* in body_order */
    int first_node, node_count; /* in node_order */
    int vectors, length;        /* vectors of so many reals: hubs, joints, then loops; */
    int own;                    /* behind them those of the loops alone */
    int stride, own_stride;     /* from one to the next */
    int hubs, joints;           /* where hubs end, and joints */
    int first_loop;             /* those in the order of elimination, linked by next; -1: none */
    bool grounded;              /* some constraint has an end that is not dynamic */
    bool spare;                 /* a node stands by that a lone body's constraint has left */
    bool in_lane;               /* it is a ball of spci_balls */
    bool vacant;                /* its body has been removed */
    bool dropped;               /* some pivot is left out */
    bool one_sided;             /* some constraint is, as it was planned */
    bool marked;                /* blocks that are 0 are marked */
    bool noted;                 /* some node has something to say in the report */
    bool put_off;               /* of a step: kinematic bodies are to move through its parts */
    unsigned char parts;        /* that it takes a step in; 0: one */
    int factorizations, halves; /* of the call so far; halves of substitutions */
    spc_real residual;          /* of one-sided contacts, likewise */
    spc_real speed;             /* of rounds: of the clump; 0: none of its own */
    int unsolved;               /* how often it was too large */
    spc_real reach;             /* longest arm of its nodes */
    spc_real drift;             /* largest delta of (6.5) */
} spci_island;

/* What follows from the topology, and what the last call did. */
typedef struct spci_structure {
    unsigned topology; /* of the world when this was found; 0: never */
    int islands, nodes, dynamic_bodies, bodies;
    int others;   /* islands that are not in a lane: how many are listed */
    bool planned; /* lanes and list are up to date */
    bool settled; /* decisions (6.4) to (6.6) of the last factor are kept */
    bool remarks; /* some constraint has something to say in the report */
    bool noted;   /* so may islands and nodes, till the report is kept */
    int pool_used;
    int shares;                     /* of a step that has begun; 0: none has */
    spc_real stiffness;             /* of rotation against translation in assembly; else 1 */
    unsigned long long pool_needed; /* or, if the edges found no room, a guess */
    spc_real step;                  /* length of the step that the call takes; 0: none */
    spc_world_report report;        /* of the last call that did its work */
    bool one_sided;                 /* some island is */
    bool many;                      /* there have been many of them */
    bool events, held;              /* a step looks for them; contacts keep their modes, */
    spc_real part;                  /* through so much of it [s] */
} spci_structure;

/* Bytes in front of a world that tell what build can read it. */
#define SPCI_HEAD 16

/* A clock, and what rounding has taken from it: their sum is the time. */
typedef struct spci_clock {
    spc_real time, rest;
} spci_clock;

struct spc_world {
    unsigned char head[SPCI_HEAD];
    int body_capacity, constraint_capacity, row_capacity, node_capacity, pool_capacity;
    int body_slots, free_body, constraint_slots, free_constraint; /* free: -1 for none */
    int rows;                                                     /* reserved by live constraints */
    unsigned topology;    /* changes with what the structure depends on; never 0 */
    bool one_step_forces; /* some body has some */
    int now;              /* which of two sets of states holds: a step of lanes writes the other */
    bool lanes_tell;      /* multipliers of balls in lanes stand there */
    int events;           /* slot and 1 more of the first contact that changed in the last step */
    size_t states_at, balls_at, others_at, constraints_at, row_sums_at, structure_at, work_at;
    size_t sums_at, nodes_at, sides_at, slides_at;
    size_t islands_at, body_order_at, node_order_at, node_of_at, queue_at, pool_at, bytes;
    spci_clock clock;
    spc_vec3 gravity;
    spc_stabilization stabilization;
};

/* The arrays behind the world, by their offsets. What stands before structure_at is the state;
   the rest is derived from it or scratch. */
static void *spci_at(spc_world *w, size_t offset)
{
    return (void *)((char *)w + offset);
}

static const void *spci_const_at(const spc_world *w, size_t offset)
{
    return (const void *)((const char *)w + offset);
}

static spci_body *spci_body_at(spc_world *w, int i)
{
    return (spci_body *)spci_at(w, sizeof(spc_world)) + (i - 1);
}

static const spci_body *spci_const_body_at(const spc_world *w, int i)
{
    return (const spci_body *)spci_const_at(w, sizeof(spc_world)) + (i - 1);
}

static spci_constraint *spci_constraint_at(spc_world *w, int i)
{
    SPC_ASSERT(i >= 0 && i < w->constraint_capacity);
    return (spci_constraint *)spci_at(w, w->constraints_at) + i;
}

static const spci_constraint *spci_const_constraint_at(const spc_world *w, int i)
{
    SPC_ASSERT(i >= 0 && i < w->constraint_capacity);
    return (const spci_constraint *)spci_const_at(w, w->constraints_at) + i;
}

/* Sums of rows in use: that of i > 0 is over so many slots up to slot i - 1 as the lowest bit of i
   says. Those before a slot, and those that it is in, are one for each bit (Fenwick 1994). */
static int *spci_row_sum(spc_world *w, int i)
{
    SPC_ASSERT(i > 0 && i <= w->constraint_capacity);
    return (int *)spci_at(w, w->row_sums_at) + (i - 1);
}

static int spci_const_row_sum(const spc_world *w, int i)
{
    SPC_ASSERT(i > 0 && i <= w->constraint_capacity);
    return ((const int *)spci_const_at(w, w->row_sums_at))[i - 1];
}

static spci_structure *spci_structure_of(spc_world *w)
{
    return (spci_structure *)spci_at(w, w->structure_at);
}

static const spci_structure *spci_const_structure_of(const spc_world *w)
{
    return (const spci_structure *)spci_const_at(w, w->structure_at);
}

static spci_work *spci_work_at(spc_world *w, int i)
{
    SPC_ASSERT(i > 0 && i <= w->body_capacity);
    return (spci_work *)spci_at(w, w->work_at) + (i - 1);
}

static spci_sums *spci_sums_at(spc_world *w, int i)
{
    return (spci_sums *)spci_at(w, w->sums_at) + (i - 1);
}

static spci_node *spci_node_at(spc_world *w, int i)
{
    SPC_ASSERT(i >= 0 && i <= w->node_capacity); /* the next one to be, too */
    return (spci_node *)spci_at(w, w->nodes_at) + i;
}

static spci_island *spci_island_at(spc_world *w, int i)
{
    return (spci_island *)spci_at(w, w->islands_at) + i;
}

static int *spci_body_order(spc_world *w)
{
    return (int *)spci_at(w, w->body_order_at);
}

static int *spci_node_order(spc_world *w)
{
    return (int *)spci_at(w, w->node_order_at);
}

/* The node of the constraint in a slot; -1 if it has none. */
static int *spci_node_of(spc_world *w, int slot)
{
    return (int *)spci_at(w, w->node_of_at) + slot;
}

/* The one-sided contact in a slot. */
static spci_side *spci_side_at(spc_world *w, int slot)
{
    return (spci_side *)spci_at(w, w->sides_at) + slot;
}

/* The numbers that there is room for in what finds how contacts slide. */
static int spci_slides_room(int constraints)
{
    const int n = constraints < SPCI_SLIDES ? constraints : SPCI_SLIDES;
    return n * (n + 1);
}

/* As many bodies as there may be, while the structure is found; what the shares of a step come to,
   while it lasts. */
static int *spci_queue(spc_world *w)
{
    return (int *)spci_at(w, w->queue_at);
}

static spc_real *spci_pool(spc_world *w, int offset)
{
    return (spc_real *)spci_at(w, w->pool_at) + offset;
}

static int *spci_pool_ints(spc_world *w, int offset)
{
    return (int *)(void *)spci_pool(w, offset);
}

/* Vectors of an island: right-hand side, multipliers (of a hub: its part of da), residual or
   scratch, what is solved for beside it, the right-hand side that waits, the velocity errors before
   a step, and the impulses of the parts of one. Where contacts are one-sided BEFORE are the joints'
   multipliers so far, BESIDE the best ones, CARRIED impulses of rounds that are over, and what
   joints ask of velocities and positions waits. Behind a node's active rows they are 0. Its loops
   have further ones: gross and noise of their rows, or, by pivots, weights and vectors of the
   search for the least norm. */
enum {
    SPCI_RHO,
    SPCI_LAMBDA,
    SPCI_R,
    SPCI_BESIDE, /* follows R */
    SPCI_NEXT,
    SPCI_BEFORE,
    SPCI_IMPULSE,
    SPCI_ASKED,
    SPCI_POSITION,
    SPCI_CARRIED, /* the last one; whatever rows are active */
    SPCI_VECTORS,
    SPCI_KEPT = SPCI_BEFORE - SPCI_LAMBDA /* see spci_place_vector */
};
enum {
    SPCI_GROSS,
    SPCI_NOISE,
    SPCI_SUM,
    SPCI_LEFT,
    SPCI_ALONG,
    SPCI_LOOP_VECTORS,
    SPCI_WEIGHT = SPCI_GROSS
};

static spc_real *spci_vector(spc_world *w, const spci_node *node, int which)
{
    return spci_pool(w, node->vectors) + which * node->stride;
}

/* One that loops alone have. */
static spc_real *spci_own(spc_world *w, const spci_node *node, int which)
{
    return spci_pool(w, node->own) + which * node->own_stride;
}

/* The same of an island, from its first hub; and from its first loop. */
static spc_real *spci_all(spc_world *w, const spci_island *island, int which)
{
    return spci_pool(w, island->vectors) + which * island->stride;
}

static spc_real *spci_own_all(spc_world *w, const spci_island *island, int which)
{
    return spci_pool(w, island->own) + which * island->own_stride;
}

static spci_edge *spci_edge_at(spc_world *w, int offset)
{
    return (spci_edge *)(void *)spci_pool(w, offset);
}

static SPCI_FORCE_INLINE spc_vec3 spci_lane_vec3(const spci_lane *a, int l)
{
    return spc_vec3_make(a[0][l], a[1][l], a[2][l]);
}

static SPCI_FORCE_INLINE void spci_put_lane(spc_vec3 v, spci_lane *a, int l)
{
    a[0][l] = v.x;
    a[1][l] = v.y;
    a[2][l] = v.z;
}

static SPCI_FORCE_INLINE spc_quat spci_lane_quat(const spci_lane *a, int l)
{
    return spc_quat_make(a[0][l], a[1][l], a[2][l], a[3][l]);
}

static SPCI_FORCE_INLINE void spci_put_quat_lane(spc_quat q, spci_lane *a, int l)
{
    a[0][l] = q.w;
    a[1][l] = q.x;
    a[2][l] = q.y;
    a[3][l] = q.z;
}

/* The lane of a body in its group. */
static int spci_lane_of(int body)
{
    return (body - 1) % SPCI_LANES;
}

static int spci_groups(int bodies)
{
    return (bodies + SPCI_LANES - 1) / SPCI_LANES;
}

/* The groups of one of the two sets of states. */
static spci_states *spci_states_at(spc_world *w, int set)
{
    return (spci_states *)spci_at(w, w->states_at) + (set & 1) * spci_groups(w->body_capacity);
}

static const spci_states *spci_const_states_at(const spc_world *w, int set)
{
    return (const spci_states *)spci_const_at(w, w->states_at) +
           (set & 1) * spci_groups(w->body_capacity);
}

static spci_balls *spci_balls_at(spc_world *w, int group)
{
    return (spci_balls *)spci_at(w, w->balls_at) + group;
}

static int *spci_others(spc_world *w)
{
    return (int *)spci_at(w, w->others_at);
}

static unsigned spci_found(const spci_balls *b, int l)
{
    return b->found >> 4 * l & 15u;
}

static void spci_set_found(spci_balls *b, int l, unsigned found)
{
    b->found = (b->found & ~(15u << 4 * l)) | found << 4 * l;
}

static bool spci_is_side(const spci_balls *b, int l)
{
    return spci_found(b, l) != SPCI_NOT_ONE_SIDED;
}

static spc_state spci_from_lane(const spci_states *s, int l)
{
    spc_state state;
    state.X_GB.q = spci_lane_quat(s->q, l);
    state.X_GB.p = spci_lane_vec3(s->p, l);
    state.V_GB = spc_spatial_make(spci_lane_vec3(s->w, l), spci_lane_vec3(s->v, l));
    return state;
}

static void spci_to_lane(const spc_state *state, spci_states *s, int l)
{
    spci_put_quat_lane(state->X_GB.q, s->q, l);
    spci_put_lane(state->X_GB.p, s->p, l);
    spci_put_lane(state->V_GB.angular, s->w, l);
    spci_put_lane(state->V_GB.linear, s->v, l);
}

/* A body's state: what the last call has left it in. */
static spc_state spci_get_state(const spc_world *w, int i)
{
    return i == 0 ? spci_ground
                  : spci_from_lane(spci_const_states_at(w, w->now) + (i - 1) / SPCI_LANES,
                                   spci_lane_of(i));
}

static void spci_set_state(spc_world *w, int i, const spc_state *state)
{
    spci_to_lane(state, spci_states_at(w, w->now) + (i - 1) / SPCI_LANES, spci_lane_of(i));
}

static void spci_set_pose(spc_world *w, int i, spc_transform X_GB)
{
    spc_state state = spci_get_state(w, i);
    state.X_GB = X_GB;
    spci_set_state(w, i, &state);
}

static void spci_set_velocity(spc_world *w, int i, spc_spatial V_GB)
{
    spc_state state = spci_get_state(w, i);
    state.V_GB = V_GB;
    spci_set_state(w, i, &state);
}

/* The same while a call moves it. */
static const spc_state *spci_state(spc_world *w, int i)
{
    return i == 0 ? &spci_ground : &spci_work_at(w, i)->state;
}

static bool spci_in_use(unsigned generation)
{
    return (generation & 1u) != 0;
}

static bool spci_is_dynamic(const spc_world *w, int i)
{
    return i != 0 && spci_const_body_at(w, i)->kind == SPC_DYNAMIC;
}

/* ----------------------------------------------------------- [6i.1] SOLVER: STRUCTURE --------- */
/*
   Found once for a topology: islands, their trees and loops, the order of elimination and where
   every block stands. Nothing here looks at a number.
*/

/* Offset of so many reals of the pool; -1 if they are not there. */
static int spci_reserve(spc_world *w, int reals)
{
    spci_structure *s = spci_structure_of(w);
    const int offset = s->pool_used;
    if (reals > w->pool_capacity - offset)
        return -1;
    s->pool_used = offset + reals;
    return offset;
}

/* Reals in the pool that stand for so many bytes. */
static int spci_reals_of(size_t bytes)
{
    return (int)((bytes + sizeof(spc_real) - 1) / sizeof(spc_real));
}

/* The same for ints and edges, in whole reals. */
static int spci_reserve_bytes(spc_world *w, size_t bytes)
{
    return spci_reserve(w, spci_reals_of(bytes));
}

static int spci_next_node(const spci_node *node, int body)
{
    return node->a == body ? node->next_a : node->next_b;
}

/* The body at the other end; 0 if that is not dynamic. */
static int spci_other_body(const spci_node *node, int body)
{
    return node->a == body ? node->b : node->a;
}

static int spci_other_node(const spci_edge *edge, int node)
{
    return edge->a == node ? edge->b : edge->a;
}

/* Where a node's list of edges goes on. */
static int *spci_edge_link(spci_edge *edge, int node)
{
    return edge->a == node ? &edge->next_a : &edge->next_b;
}

static int spci_next_edge(spci_edge *edge, int node)
{
    return *spci_edge_link(edge, node);
}

static void spci_link(spc_world *w, int node, int body, int *next)
{
    spci_work *work = spci_work_at(w, body);
    *next = work->first;
    work->first = node;
    work->degree++;
}

static void spci_node_clear(spci_node *node)
{
    int i;
    node->constraint = -1;
    node->a = node->b = 0;
    node->next_a = node->next_b = -1;
    node->J_a = node->J_b = node->mix = -1;
    node->mixed = false;
    node->size = node->active = 6;
    node->mask = node->dropped = 0;
    node->sign = 1;
    node->loop = node->cycle = false;
    node->below = -1;
    node->below_count = 0;
    node->position = node->first = -1;
    node->reach = node->swing = node->drift = node->contradiction = 0;
    node->yields = false;
    node->first_edge = -1;
    node->sibling = node->mark = -1;
    for (i = 0; i < SPC_MAX_ROWS; i++)
        node->order[i] = 0;
}

/* May one of this shape be one-sided? */
static bool spci_may_be_one_sided(spc_constraint_kind kind, const spci_shape *shape)
{
    const unsigned on = spci_enforced(kind, shape);
    return kind == SPC_ATTACHMENT ? on == 4u : (on & 4u) != 0;
}

/* For how many rows room is kept. */
static int spci_room_of(spc_constraint_kind kind, const spci_shape *shape, bool one_sided,
                        const spc_contact_law *law)
{
    if (!one_sided)
        return spci_size(kind, shape);
    if (kind == SPC_ROLLING_DISC)
        return 6; /* it may come to lie on its side */
    return law->rolling_resistance > 0 || law->spinning_resistance > 0 ? 6 : 3;
}

/* Makes node n that of the constraint in a slot, linked to its bodies; false if it has none, which
   is disabled or without a dynamic body. */
static bool spci_make_node(spc_world *w, int slot, int n)
{
    const spci_constraint *c = spci_constraint_at(w, slot);
    const bool a = c->enabled && spci_is_dynamic(w, c->a);
    const bool b = c->enabled && spci_is_dynamic(w, c->b);
    spci_node *node = spci_node_at(w, n);
    *spci_node_of(w, slot) = a || b ? n : -1;
    if (!a && !b)
        return false;
    spci_node_clear(node);
    node->constraint = slot;
    node->size = (unsigned char)spci_room_of(c->kind, &c->shape, c->one_sided, &c->law);
    node->sign = -1;
    node->a = a ? c->a : 0;
    node->b = b ? c->b : 0;
    if (a)
        spci_link(w, n, c->a, &node->next_a);
    if (b)
        spci_link(w, n, c->b, &node->next_b);
    return true;
}

static void spci_work_clear(spci_work *work)
{
    work->first = work->hub = work->edges = work->island = -1;
    work->joint = work->depth = work->loops = -1;
    work->degree = work->child = work->sibling = 0;
}

/* Nodes of all constraints, in the order of their slots. */
static void spci_find_nodes(spc_world *w)
{
    spci_structure *s = spci_structure_of(w);
    int i;
    for (i = 1; i <= w->body_slots; i++)
        spci_work_clear(spci_work_at(w, i));
    for (i = 0; i < w->constraint_slots; i++)
        s->nodes += spci_make_node(w, i, s->nodes);
}

/* Appends a body to the list of bodies of an island, once. */
static void spci_island_add(spc_world *w, int island, int body)
{
    spci_work *work = spci_work_at(w, body);
    if (work->island >= 0)
        return;
    work->island = island;
    spci_body_order(w)[spci_structure_of(w)->bodies++] = body;
}

/* Appends the nodes of a body that are not in the list yet, and the bodies at their other ends. */
static void spci_island_add_nodes(spc_world *w, int island, int body, int *nodes)
{
    int n;
    for (n = spci_work_at(w, body)->first; n >= 0; n = spci_next_node(spci_node_at(w, n), body)) {
        spci_node *node = spci_node_at(w, n);
        if (node->first == 0)
            continue; /* listed from its other end */
        node->first = 0;
        spci_node_order(w)[(*nodes)++] = n;
        if (node->a)
            spci_island_add(w, island, node->a);
        if (node->b)
            spci_island_add(w, island, node->b);
    }
}

/* A body's parent in the tree; 0 for ground, and above a root. */
static int spci_parent(spc_world *w, int body)
{
    const int joint = spci_work_at(w, body)->joint;
    return joint < 0 ? 0 : spci_other_body(spci_node_at(w, joint), body);
}

/* Hangs a body on a node, or on this one instead if its joint goes to the same parent with fewer
   rows. Is the body new in the tree? */
static bool spci_hang(spc_world *w, int body, int n, int depth)
{
    spci_work *work = spci_work_at(w, body);
    if (work->depth < 0) {
        work->depth = depth;
        work->joint = n;
        return true;
    }
    if (work->joint >= 0 && spci_parent(w, body) == spci_other_body(spci_node_at(w, n), body) &&
        spci_node_at(w, n)->size > spci_node_at(w, work->joint)->size)
        work->joint = n;
    return false;
}

/* The bodies of an island that begin its tree: those with a constraint to what does not move
   freely, else the one of most constraints. Returns how many. */
static int spci_find_roots(spc_world *w, spci_island *island, int *queue)
{
    const int *bodies = spci_body_order(w) + island->first_body;
    int roots = 0, root = bodies[0], i;
    for (i = 0; i < island->node_count; i++) {
        const int n = spci_node_order(w)[island->first_node + i];
        const spci_node *node = spci_node_at(w, n);
        const int body = node->a ? node->a : node->b;
        if (!(node->a && node->b) && spci_hang(w, body, n, 0))
            queue[roots++] = body;
    }
    island->grounded = roots > 0;
    if (roots > 0)
        return roots;
    for (i = 1; i < island->body_count; i++)
        if (spci_work_at(w, bodies[i])->degree > spci_work_at(w, root)->degree)
            root = bodies[i];
    spci_work_at(w, root)->depth = 0;
    queue[0] = root;
    return 1;
}

/* Grows the tree of an island breadth first. Returns its first root; others are its siblings. */
static int spci_grow_tree(spc_world *w, spci_island *island)
{
    int *queue = spci_queue(w);
    int tail = spci_find_roots(w, island, queue), head, n, root = 0;
    for (head = 0; head < tail; head++) {
        const spci_work *work = spci_work_at(w, queue[head]);
        for (n = work->first; n >= 0; n = spci_next_node(spci_node_at(w, n), queue[head])) {
            const int other = spci_other_body(spci_node_at(w, n), queue[head]);
            if (other && spci_hang(w, other, n, work->depth + 1))
                queue[tail++] = other;
        }
    }
    for (head = tail - 1; head >= 0; head--) {
        const int parent = spci_parent(w, queue[head]);
        int *list = parent ? &spci_work_at(w, parent)->child : &root;
        spci_work_at(w, queue[head])->sibling = *list;
        *list = queue[head];
    }
    return root;
}

/* Lists the bodies of an island anew, children before parents and each branch together. */
static void spci_list_tree(spc_world *w, const spci_island *island, int body)
{
    int *order = spci_body_order(w) + island->first_body;
    int rank = 0;
    while (body) {
        while (spci_work_at(w, body)->child)
            body = spci_work_at(w, body)->child;
        for (;;) {
            spci_work *work = spci_work_at(w, body);
            order[rank] = body;
            work->rank = rank++;
            body = work->sibling ? work->sibling : spci_parent(w, body);
            if (work->sibling || !body)
                break;
        }
    }
    SPC_ASSERT(rank == island->body_count);
}

/* ---- fill

   Bodies may go in any order that has children before parents; the tree's own is as good as any for
   a tree, and may be poor for what has many loops, as a heap has. What has gone and hangs together
   is a cluster, and what leads from it to bodies that are left is open: blocks of all open nodes
   with each other are the fill. A body that goes joins the clusters around it to one, which has

       o = sum over these of o_c  -  links between them and the body  +  its links to others  (6.40)

   open. The body of the least o goes next, where what closes with it counts again, since that is
   eliminated right behind it. (Minimum degree: Markowitz 1957, George and Liu 1989; where clusters
   are all that there is, its degrees are exact.)
*/

/* The order of the tree stays if its mean of o^2 is no more than this, or if that of another one is
   not so many times smaller. */
#define SPCI_LITTLE_FILL 16
#define SPCI_LESS_FILL 2

/* A body in the search for an order. */
typedef struct spci_rung {
    int body;
    int next, prev; /* in the list of those with as much open; -1: none */
    int count;      /* which that is */
    int cluster;    /* a rung of its cluster, which leads to the one that stands for it; -1: left */
    int open;       /* of a cluster: o, and its open nodes, linked by sibling */
    int first, last;
    int waits;      /* children that are left */
    int seen, met;  /* by the last turn, and by the last rung that went */
    int place;      /* in the new order */
} spci_rung;

/* rung: by ranks in the tree's order; list: the first rung with so much open, or with most. */
typedef struct spci_ladder {
    spci_rung *rung;
    int *list;
    int count, least, turn;
} spci_ladder;

static int spci_cluster_of(const spci_ladder *f, int i)
{
    while (f->rung[i].cluster != i)
        i = f->rung[i].cluster = f->rung[f->rung[i].cluster].cluster;
    return i;
}

/* o of (6.40) if a body goes; closed: how many nodes close. */
static int spci_open_of(spc_world *w, spci_ladder *f, int i, int *closed)
{
    const int body = f->rung[i].body;
    int n, k, sum = 0;
    *closed = 0;
    f->turn++;
    for (n = spci_work_at(w, body)->first; n >= 0; n = spci_next_node(spci_node_at(w, n), body)) {
        const int other = spci_other_body(spci_node_at(w, n), body);
        if (!other)
            continue;
        k = spci_work_at(w, other)->rank;
        if (f->rung[k].cluster < 0) {
            sum++;
            continue;
        }
        k = spci_cluster_of(f, k);
        sum += f->rung[k].seen == f->turn ? 0 : f->rung[k].open;
        f->rung[k].seen = f->turn;
        sum--;
        ++*closed;
    }
    return sum;
}

/* A body goes. Returns what the new cluster has open, squared. */
static unsigned long long spci_go(spc_world *w, spci_ladder *f, int i)
{
    spci_rung *r = f->rung + i;
    int n, k;
    r->open = spci_open_of(w, f, i, &k);
    r->cluster = i;
    for (n = spci_work_at(w, r->body)->first; n >= 0;
         n = spci_next_node(spci_node_at(w, n), r->body)) {
        const int other = spci_other_body(spci_node_at(w, n), r->body);
        int first = n, last = n;
        if (!other)
            continue;
        k = spci_work_at(w, other)->rank;
        if (f->rung[k].cluster >= 0) {
            k = spci_cluster_of(f, k);
            if (k == i)
                continue;
            f->rung[k].cluster = i;
            first = f->rung[k].first;
            last = f->rung[k].last;
        }
        if (first < 0)
            continue;
        spci_node_at(w, last)->sibling = r->first;
        r->last = r->last < 0 ? last : r->last;
        r->first = first;
    }
    return (unsigned long long)r->open * (unsigned)r->open;
}

/* Takes a rung out of its list. */
static void spci_take_rung(spci_ladder *f, int i)
{
    const spci_rung *r = f->rung + i;
    if (r->next >= 0)
        f->rung[r->next].prev = r->prev;
    if (r->prev >= 0)
        f->rung[r->prev].next = r->next;
    else
        f->list[r->count] = r->next;
}

/* Puts one that nothing has to go before into that of what it would have open. */
static void spci_put_rung(spc_world *w, spci_ladder *f, int i)
{
    spci_rung *r = f->rung + i;
    int closed;
    const int open = spci_open_of(w, f, i, &closed) + closed;
    r->count = open < f->count ? open : f->count - 1;
    r->prev = -1;
    r->next = f->list[r->count];
    if (r->next >= 0)
        f->rung[r->next].prev = i;
    f->list[r->count] = i;
    f->least = r->count < f->least ? r->count : f->least;
}

/* What a cluster's open nodes lead to has its place anew; nodes that are not open leave them. */
static void spci_climb(spc_world *w, spci_ladder *f, int i)
{
    int *link = &f->rung[i].first;
    f->rung[i].last = -1;
    while (*link >= 0) {
        spci_node *node = spci_node_at(w, *link);
        int k = spci_work_at(w, node->a)->rank;
        if (f->rung[k].cluster >= 0)
            k = spci_work_at(w, node->b)->rank;
        if (f->rung[k].cluster >= 0) {
            *link = node->sibling;
            continue;
        }
        if (f->rung[k].met != i && f->rung[k].waits == 0) {
            spci_take_rung(f, k);
            spci_put_rung(w, f, k);
        }
        f->rung[k].met = i;
        f->rung[i].last = *link;
        link = &node->sibling;
    }
}

/* All bodies of an island are left. */
static void spci_begin_ladder(spc_world *w, const spci_island *island, spci_ladder *f)
{
    int i;
    for (i = 0; i < f->count; i++) {
        spci_rung *r = f->rung + i;
        r->body = spci_body_order(w)[island->first_body + i];
        r->cluster = r->first = r->last = r->seen = r->met = -1;
        r->waits = 0;
        f->list[i] = -1;
    }
    f->turn = 0;
    f->least = f->count;
    for (i = 0; i < f->count; i++) {
        const int parent = spci_parent(w, f->rung[i].body);
        if (parent)
            f->rung[spci_work_at(w, parent)->rank].waits++;
    }
}

/* Finds the places of (6.40). Returns the sum of squares. */
static unsigned long long spci_find_places(spc_world *w, spci_ladder *f)
{
    unsigned long long sum = 0;
    int i, place;
    for (i = f->count - 1; i >= 0; i--)
        if (f->rung[i].waits == 0)
            spci_put_rung(w, f, i);
    for (place = 0; place < f->count; place++) {
        int parent;
        while (f->list[f->least] < 0)
            f->least++;
        i = f->list[f->least];
        spci_take_rung(f, i);
        sum += spci_go(w, f, i);
        f->rung[i].place = place;
        spci_climb(w, f, i);
        parent = spci_parent(w, f->rung[i].body);
        if (!parent)
            continue;
        parent = spci_work_at(w, parent)->rank;
        if (--f->rung[parent].waits == 0)
            spci_put_rung(w, f, parent);
    }
    return sum;
}

/* Lists the bodies of an island anew if that makes much less fill; does it? The pool is empty yet,
   and has room for more than this. */
static bool spci_lessen_fill(spc_world *w, const spci_island *island)
{
    const int lists = spci_reals_of((size_t)island->body_count * sizeof(spci_rung));
    unsigned long long sum = 0;
    spci_ladder f;
    int i;
    f.count = island->body_count;
    SPC_ASSERT(lists + spci_reals_of((size_t)f.count * sizeof(int)) <= w->pool_capacity ||
               f.count == 1);
    if (f.count == 1)
        return false;
    f.rung = (spci_rung *)(void *)spci_pool(w, 0);
    f.list = spci_pool_ints(w, lists);
    spci_begin_ladder(w, island, &f);
    for (i = 0; i < f.count; i++)
        sum += spci_go(w, &f, i);
    if (sum <= (unsigned long long)SPCI_LITTLE_FILL * (unsigned)f.count)
        return false;
    spci_begin_ladder(w, island, &f);
    if (SPCI_LESS_FILL * spci_find_places(w, &f) > sum)
        return false;
    for (i = 0; i < f.count; i++) {
        spci_work_at(w, f.rung[i].body)->rank = f.rung[i].place;
        spci_body_order(w)[island->first_body + f.rung[i].place] = f.rung[i].body;
    }
    return true;
}

static bool spci_is_joint(spc_world *w, int n)
{
    const spci_node *node = spci_node_at(w, n);
    return (node->a && spci_work_at(w, node->a)->joint == n) ||
           (node->b && spci_work_at(w, node->b)->joint == n);
}

/* The last body of a loop's cycle to be eliminated, its topmost not counted. */
static int spci_closing_body(spc_world *w, const spci_node *node)
{
    int a = node->a, b = node->b, last = 0;
    while (a != b) {
        const int depth_a = a ? spci_work_at(w, a)->depth : -1;
        const int depth_b = b ? spci_work_at(w, b)->depth : -1;
        int *deeper = depth_a >= depth_b ? &a : &b;
        if (!last || spci_work_at(w, *deeper)->rank > spci_work_at(w, last)->rank)
            last = *deeper;
        *deeper = spci_parent(w, *deeper);
    }
    return last;
}

/* The loops that follow each body. ends: those without another body come first, which are nobody
   else's. */
static void spci_find_loops(spc_world *w, spci_island *island, bool ends)
{
    int turn, i;
    for (turn = 0; turn <= (int)ends; turn++)
        for (i = island->node_count - 1; i >= 0; i--) {
            const int n = spci_node_order(w)[island->first_node + i];
            spci_node *node = spci_node_at(w, n);
            spci_work *work;
            if (spci_is_joint(w, n) || (ends && turn != !(node->a && node->b)))
                continue;
            node->loop = true;
            work = spci_work_at(w, spci_closing_body(w, node));
            node->next = work->loops;
            work->loops = n;
        }
}

/* Hubs of the bodies of an island with two constraints or more. */
static void spci_find_hubs(spc_world *w, const spci_island *island)
{
    spci_structure *s = spci_structure_of(w);
    int i;
    for (i = 0; i < island->body_count; i++) {
        const int body = spci_body_order(w)[island->first_body + i];
        if (spci_work_at(w, body)->degree < 2)
            continue;
        SPC_ASSERT(s->nodes < w->node_capacity);
        spci_node_clear(spci_node_at(w, s->nodes));
        spci_node_at(w, s->nodes)->a = body;
        spci_work_at(w, body)->hub = s->nodes++;
    }
}

/* Lists the nodes of an island in the order of elimination. */
static void spci_list_nodes(spc_world *w, spci_island *island)
{
    int *order = spci_node_order(w) + island->first_node;
    int i, n;
    island->node_count = 0;
    for (i = 0; i < island->body_count; i++) {
        const spci_work *work = spci_work_at(w, spci_body_order(w)[island->first_body + i]);
        if (work->hub >= 0)
            order[island->node_count++] = work->hub;
        if (work->joint >= 0)
            order[island->node_count++] = work->joint;
        for (n = work->loops; n >= 0; n = spci_node_at(w, n)->next)
            order[island->node_count++] = n;
    }
}

/* Links the loops of an island in the order of elimination. */
static void spci_link_loops(spc_world *w, spci_island *island)
{
    int i;
    island->first_loop = -1;
    for (i = island->node_count - 1; i >= 0; i--) {
        const int n = spci_node_order(w)[island->first_node + i];
        if (!spci_node_at(w, n)->loop)
            continue;
        spci_node_at(w, n)->next = island->first_loop;
        island->first_loop = n;
    }
}

/* Lists bodies and nodes island by island: those that hang together with each dynamic body that is
   in none yet. Other bodies stand behind them. */
static void spci_find_islands(spc_world *w)
{
    spci_structure *s = spci_structure_of(w);
    int nodes = 0, i, next;
    for (i = 1; i <= w->body_slots; i++) {
        spci_island *island = spci_island_at(w, s->islands);
        if (!spci_in_use(spci_body_at(w, i)->generation) || !spci_is_dynamic(w, i) ||
            spci_work_at(w, i)->island >= 0)
            continue;
        island->first_body = s->bodies;
        island->first_node = nodes;
        island->dropped = false;
        island->spare = island->in_lane = island->vacant = island->marked = false;
        spci_island_add(w, s->islands, i);
        for (next = island->first_body; next < s->bodies; next++)
            spci_island_add_nodes(w, s->islands, spci_body_order(w)[next], &nodes);
        island->body_count = s->bodies - island->first_body;
        island->node_count = nodes - island->first_node;
        spci_list_tree(w, island, spci_grow_tree(w, island));
        spci_find_loops(w, island, spci_lessen_fill(w, island));
        spci_find_hubs(w, island);
        spci_list_nodes(w, island);
        spci_link_loops(w, island);
        nodes = island->first_node + island->node_count;
        s->islands++;
    }
    s->dynamic_bodies = s->bodies;
    for (i = 1; i <= w->body_slots; i++)
        if (spci_in_use(spci_body_at(w, i)->generation) && !spci_is_dynamic(w, i))
            spci_body_order(w)[s->bodies++] = i;
}

/* Makes the edge between two nodes that have none; -1 if there is no room. */
static int spci_add_edge(spc_world *w, int u, int v)
{
    spci_node *a = spci_node_at(w, u), *b = spci_node_at(w, v);
    const int e = spci_reserve_bytes(w, sizeof(spci_edge));
    spci_edge *edge;
    if (e < 0)
        return -1;
    edge = spci_edge_at(w, e);
    edge->a = u;
    edge->b = v;
    edge->next_a = a->first_edge;
    edge->next_b = b->first_edge;
    edge->values = -1;
    a->first_edge = b->first_edge = e;
    return e;
}

/* How many edges a body makes: of its hub with each of its nodes. */
static int spci_body_edge_count(const spci_work *work)
{
    return work->hub >= 0 ? work->degree : 0;
}

static bool spci_body_edges(spc_world *w, int body)
{
    spci_work *work = spci_work_at(w, body);
    const int count = spci_body_edge_count(work);
    int n, at = 0;
    if (count == 0)
        return true;
    work->edges = spci_reserve_bytes(w, (size_t)count * sizeof(int));
    if (work->edges < 0)
        return false;
    for (n = work->first; n >= 0; n = spci_next_node(spci_node_at(w, n), body)) {
        const int e = spci_add_edge(w, n, work->hub);
        if (e < 0)
            return false;
        spci_pool_ints(w, work->edges)[at++] = e;
    }
    return true;
}

/* Leaves in a node's list the edges to nodes that are not eliminated. */
static void spci_prune_edges(spc_world *w, int n)
{
    int *link = &spci_node_at(w, n)->first_edge;
    while (*link >= 0) {
        spci_edge *edge = spci_edge_at(w, *link);
        if (spci_node_at(w, spci_other_node(edge, n))->position < 0)
            link = spci_edge_link(edge, n);
        else
            *link = spci_next_edge(edge, n);
    }
}

/* Finds the later neighbours of a node when the earlier nodes are eliminated: its own, and those of
   each earlier node that it is the first later neighbour of, which has passed on what still earlier
   ones have left to it. Its list keeps the edges to them, which are the blocks below its diagonal.
   below lists the earlier nodes till then, linked by sibling; first is the place in the order. */
static bool spci_eliminate(spc_world *w, int n)
{
    spci_node *node = spci_node_at(w, n);
    int e, c, v, next = -1;
    spci_prune_edges(w, n);
    node->mark = n;
    for (e = node->first_edge; e >= 0; e = spci_next_edge(spci_edge_at(w, e), n))
        spci_node_at(w, spci_other_node(spci_edge_at(w, e), n))->mark = n;
    for (c = node->below; c >= 0; c = spci_node_at(w, c)->sibling)
        for (e = spci_node_at(w, c)->first_edge; e >= 0;
             e = spci_next_edge(spci_edge_at(w, e), c)) {
            v = spci_other_node(spci_edge_at(w, e), c);
            if (spci_node_at(w, v)->mark == n)
                continue;
            spci_node_at(w, v)->mark = n;
            if (spci_add_edge(w, n, v) < 0)
                return false;
        }
    for (e = node->first_edge; e >= 0; e = spci_next_edge(spci_edge_at(w, e), n)) {
        v = spci_other_node(spci_edge_at(w, e), n);
        if (next < 0 || spci_node_at(w, v)->first < spci_node_at(w, next)->first)
            next = v;
    }
    if (next >= 0) {
        node->sibling = spci_node_at(w, next)->below;
        spci_node_at(w, next)->below = n;
    }
    return true;
}

/* Edges of all islands, those that elimination makes included; false if the pool has no room. */
static bool spci_find_edges(spc_world *w)
{
    const spci_structure *s = spci_structure_of(w);
    int i;
    for (i = 0; i < s->dynamic_bodies; i++)
        if (!spci_body_edges(w, spci_body_order(w)[i]))
            return false;
    for (i = 0; i < s->nodes; i++)
        spci_node_at(w, spci_node_order(w)[i])->first = i;
    for (i = 0; i < s->nodes; i++) {
        const int n = spci_node_order(w)[i];
        spci_node_at(w, n)->position = i;
        if (!spci_eliminate(w, n))
            return false;
    }
    return true;
}

/* Ints in the list of a node with so many blocks below: two for each, one for each pair. */
static int spci_list_length(int count)
{
    return 2 * count + count * (count - 1) / 2;
}

/* Makes a the later node of an edge, of whose rows its block is. */
static void spci_turn_edge(spci_edge *edge, int early)
{
    const int later = spci_other_node(edge, early), next = spci_next_edge(edge, early);
    const int next_later = spci_next_edge(edge, later);
    edge->a = later;
    edge->b = early;
    edge->next_a = next_later;
    edge->next_b = next;
}

/* Places the blocks below a node's diagonal and lists them in the order of elimination. */
static void spci_list_below(spc_world *w, int n)
{
    spci_node *node = spci_node_at(w, n);
    int *list, e, i, count = 0;
    for (e = node->first_edge; e >= 0; e = spci_next_edge(spci_edge_at(w, e), n))
        count++;
    node->below_count = count;
    node->below = spci_reserve_bytes(w, (size_t)spci_list_length(count) * sizeof(int));
    list = spci_pool_ints(w, node->below);
    for (count = 0, e = node->first_edge; e >= 0; e = spci_next_edge(spci_edge_at(w, e), n)) {
        spci_edge *edge = spci_edge_at(w, e);
        const int u = spci_other_node(edge, n), position = spci_node_at(w, u)->position;
        spci_turn_edge(edge, n);
        edge->values = spci_reserve(w, node->size * spci_node_at(w, u)->size);
        for (i = count++; i > 0 && spci_node_at(w, list[2 * i - 1])->position > position; i--) {
            list[2 * i] = list[2 * i - 2];
            list[2 * i + 1] = list[2 * i - 1];
        }
        list[2 * i] = edge->values;
        list[2 * i + 1] = u;
    }
}

/* For each pair of blocks below a node, lists the block that their product updates: one of those
   below the earlier of the two, in the same order. */
static void spci_list_targets(spc_world *w, const spci_node *node)
{
    const int *list = spci_pool_ints(w, node->below);
    int *targets = spci_pool_ints(w, node->below) + 2 * node->below_count;
    int i, j;
    for (j = 0; j + 1 < node->below_count; j++) {
        const int *below = spci_pool_ints(w, spci_node_at(w, list[2 * j + 1])->below);
        int *target = targets + j * (j + 1) / 2 + j;
        for (i = j + 1; i < node->below_count; target += i++, below += 2) {
            while (below[1] != list[2 * i + 1])
                below += 2;
            *target = below[0];
        }
    }
}

/* May the rows of a node be mixed? */
static bool spci_may_mix(spc_world *w, const spci_node *node)
{
    return node->constraint >= 0 &&
           spci_constraint_at(w, node->constraint)->kind == SPC_ATTACHMENT && node->size > 1;
}

/* Reals of a node: T, Jacobians, block on the diagonal; then its part of vectors. */
static int spci_node_reals(spc_world *w, const spci_node *node)
{
    const int ends = node->constraint < 0 ? 0 : (node->a != 0) + (node->b != 0);
    const int vectors = (int)SPCI_VECTORS + (node->loop ? (int)SPCI_LOOP_VECTORS : 0);
    return node->size * (6 * ends + node->size + vectors) + (spci_may_mix(w, node) ? 18 : 0);
}

/* Lets them begin at an offset of the pool. Returns where its part of vectors may stand. */
static int spci_node_place(spc_world *w, spci_node *node, int at)
{
    if (spci_may_mix(w, node)) {
        node->mix = at;
        at += 18;
    }
    if (node->constraint >= 0 && node->a) {
        node->J_a = at;
        at += 6 * node->size;
    }
    if (node->constraint >= 0 && node->b) {
        node->J_b = at;
        at += 6 * node->size;
    }
    node->diagonal = at;
    return at + node->size * node->size;
}

/* Lets a node's part of vectors begin at an offset of the pool; move: of those that contacts keep,
   which stand in those before them for a while. */
static void spci_place_vector(spc_world *w, spci_node *node, int at, bool move)
{
    int k;
    for (k = SPCI_BEFORE; move && k < (int)SPCI_CARRIED; k++)
        spci_copy(spci_pool(w, at) + k * node->stride,
                  spci_vector(w, node, k - (int)SPCI_KEPT), node->size);
    node->vectors = at;
}

/* How long the vectors of an island are: hubs, joints, and all. */
static void spci_measure_vectors(spc_world *w, spci_island *island)
{
    const int *order = spci_node_order(w) + island->first_node;
    int i;
    island->hubs = island->joints = island->length = 0;
    for (i = 0; i < island->node_count; i++) {
        const spci_node *node = spci_node_at(w, order[i]);
        island->hubs += node->constraint < 0 ? node->size : 0;
        island->joints += node->loop ? 0 : node->size;
        island->length += node->size;
    }
}

/* Vectors of an island, of which the first begins at an offset of the pool, and the first that
   loops alone have at another. */
static void spci_place_vectors(spc_world *w, spci_island *island, int at, int own, bool move)
{
    const int *order = spci_node_order(w) + island->first_node;
    int end[3] = { 0, 0, 0 }, i;
    spci_measure_vectors(w, island);
    end[1] = island->hubs;
    end[2] = island->joints;
    for (i = 0; i < island->node_count; i++) {
        spci_node *node = spci_node_at(w, order[i]);
        const int sort = node->constraint < 0 ? 0 : node->loop ? 2 : 1;
        spci_place_vector(w, node, at + end[sort], move);
        node->own = own + (sort == 2 ? end[2] - island->joints : 0);
        end[sort] += node->size;
    }
    island->vectors = at;
    island->own = own;
}

/* The same of a whole island. */
static void spci_place_all_vectors(spc_world *w, spci_island *island, int at)
{
    int i, own;
    spci_place_vectors(w, island, at, at, false);
    own = (int)SPCI_VECTORS * island->length;
    island->own += own;
    island->stride = island->length;
    island->own_stride = island->length - island->joints;
    for (i = 0; i < island->node_count; i++) {
        spci_node *node = spci_node_at(w, spci_node_order(w)[island->first_node + i]);
        node->own += own;
        node->stride = island->stride;
        node->own_stride = island->own_stride;
    }
}

/* Reals of the pool that a node needs when the edges are known: its own, its list, and the blocks
   below it. */
static unsigned long long spci_node_needs(spc_world *w, int n)
{
    const spci_node *node = spci_node_at(w, n);
    unsigned long long reals = (unsigned)spci_node_reals(w, node);
    int e, count = 0;
    for (e = node->first_edge; e >= 0; e = spci_next_edge(spci_edge_at(w, e), n), count++)
        reals +=
            (unsigned)(node->size * spci_node_at(w, spci_other_node(spci_edge_at(w, e), n))->size);
    return reals + (unsigned)spci_reals_of((size_t)spci_list_length(count) * sizeof(int));
}

/* Gives the blocks and vectors of an island their places. */
static void spci_place_island(spc_world *w, spci_island *island)
{
    const int *order = spci_node_order(w) + island->first_node;
    int i, vectors = 0;
    for (i = 0; i < island->node_count; i++) {
        spci_node *node = spci_node_at(w, order[i]);
        const int reals = spci_node_reals(w, node), at = spci_reserve(w, 0);
        const int own = spci_node_place(w, node, at) - at;
        (void)spci_reserve(w, own);
        vectors += reals - own;
        spci_list_below(w, order[i]);
    }
    spci_place_all_vectors(w, island, spci_reserve(w, vectors));
}

/* Gives every block its place, and tells each node what is eliminated into it. */
static void spci_place_blocks(spc_world *w)
{
    const spci_structure *s = spci_structure_of(w);
    int i, k;
    for (i = 0; i < s->islands; i++)
        spci_place_island(w, spci_island_at(w, i));
    for (i = 0; i < s->nodes; i++) {
        spci_node *node = spci_node_at(w, spci_node_order(w)[i]);
        spci_list_targets(w, node);
        node->cycle = node->loop;
        for (k = 0; k < node->below_count; k++)
            node->cycle = node->cycle ||
                          spci_node_at(w, spci_pool_ints(w, node->below)[2 * k + 1])->loop;
        if (node->below_count > 0) {
            spci_node *next = spci_node_at(w, spci_pool_ints(w, node->below)[1]);
            next->first = node->first < next->first ? node->first : next->first;
        }
    }
}

/* Notes where a node stands while its island is whole. */
static void spci_note_place(spci_node *node)
{
    node->first_edge = node->vectors;
    node->sibling = node->position;
    node->mark = node->first;
}

/* Forgets what a call before has found, which may have been refused. */
static void spci_forget_notes(spc_world *w)
{
    spci_structure *s = spci_structure_of(w);
    int i;
    for (i = 0; i < s->nodes; i++) {
        spci_node_at(w, i)->contradiction = 0;
        spci_node_at(w, i)->dropped = 0;
    }
    for (i = 0; i < s->islands; i++) {
        spci_island *island = spci_island_at(w, i);
        island->dropped = island->noted = island->put_off = false;
        island->factorizations = island->halves = island->unsolved = 0;
        island->residual = island->speed = 0;
        island->parts = 0;
    }
}

/* A ball's multipliers leave its lane. */
static void spci_forget_multipliers(spc_world *w, int body)
{
    const int group = (body - 1) / SPCI_LANES, l = spci_lane_of(body);
    const int slot = spci_balls_at(w, group)->constraint[l] - 1;
    const spci_states *s = spci_states_at(w, w->now) + group;
    if (slot < 0 || !w->lanes_tell)
        return;
    spci_put_vec3(spci_lane_vec3(s->lambda, l), spci_constraint_at(w, slot)->multipliers);
    spci_clear(spci_constraint_at(w, slot)->multipliers + 3, 3);
}

/* What a body's lane has been filled from changes. */
static void spci_forget_lane(spc_world *w, int body)
{
    spci_balls *b = spci_balls_at(w, (body - 1) / SPCI_LANES);
    spci_forget_multipliers(w, body);
    b->constraint[spci_lane_of(body)] = 0;
    b->fresh = false;
    spci_structure_of(w)->planned = false;
}

/* The same of the balls of a constraint. */
static void spci_forget_lanes(spc_world *w, const spci_constraint *c)
{
    if (c->a)
        spci_forget_lane(w, c->a);
    if (c->b)
        spci_forget_lane(w, c->b);
}

/* Brings the structure up to date with the topology. */
static spc_status spci_find_structure(spc_world *w)
{
    spci_structure *s = spci_structure_of(w);
    unsigned long long needed;
    int i;
    s->stiffness = 1;
    s->settled = false;
    s->step = 0;
    s->shares = 0;
    if (s->noted)
        spci_forget_notes(w);
    s->noted = true;
    if (s->topology == w->topology)
        return SPC_OK;
    s->topology = 0;
    for (i = 1; i <= w->body_slots; i++)
        spci_forget_lane(w, i);
    s->islands = s->nodes = s->dynamic_bodies = s->bodies = s->pool_used = 0;
    spci_find_nodes(w);
    spci_find_islands(w);
    s->pool_needed =
        2ull * (unsigned)w->pool_capacity + 64; /* more than all, for the edges alone */
    if (!spci_find_edges(w))
        return SPC_ERROR_SOLVER_FULL;
    needed = (unsigned)s->pool_used;
    for (i = 0; i < s->nodes; i++)
        needed += spci_node_needs(w, i);
    s->pool_needed = needed;
    if (needed > (unsigned)w->pool_capacity)
        return SPC_ERROR_SOLVER_FULL;
    spci_place_blocks(w);
    for (i = 0; i < s->nodes; i++)
        spci_note_place(spci_node_at(w, i));
    SPC_ASSERT((unsigned)s->pool_used == needed);
    s->topology = w->topology;
    return SPC_OK;
}

/* The island that a removed body has left in its slot; -1: none. */
static int spci_vacant_island(spc_world *w, int body)
{
    const spci_structure *s = spci_structure_of(w);
    const int i = spci_work_at(w, body)->island;
    const spci_island *island = spci_island_at(w, i);
    return s->topology == w->topology && i >= 0 && i < s->islands && island->vacant &&
                   spci_body_order(w)[island->first_body] == body
               ? i
               : -1;
}

/* Leaves the island of a lone dynamic body without constraints to the next body in its slot; till
   then it stands there at rest and nobody asks for it. False if it is not such a body. */
static bool spci_detach_body(spc_world *w, int body)
{
    spci_body *b = spci_body_at(w, body);
    spci_island *island;
    if (spci_structure_of(w)->topology != w->topology || !spci_is_dynamic(w, body))
        return false;
    island = spci_island_at(w, spci_work_at(w, body)->island);
    if (island->body_count > 1 || island->node_count > 0)
        return false;
    spci_forget_lane(w, body);
    b->mass.p_BBc = spc_vec3_make(0, 0, 0); /* nothing of it can overflow */
    b->symmetry = SPCI_SPHERICAL;
    b->centred = true;
    b->forced = false;
    island->vacant = true;
    island->in_lane = false;
    return true;
}

/* Takes a new body into the structure, behind all others of its kind: an island of its own if it is
   dynamic. False if the structure is not up to date. */
static bool spci_attach_body(spc_world *w, int body)
{
    spci_structure *s = spci_structure_of(w);
    spci_work *work = spci_work_at(w, body);
    const int vacant = spci_vacant_island(w, body);
    int *order = spci_body_order(w);
    spci_island *island;
    if (s->topology != w->topology || (vacant >= 0 && !spci_is_dynamic(w, body)))
        return false;
    spci_work_clear(work);
    spci_forget_lane(w, body);
    work->depth = work->rank = 0;
    work->island = vacant;
    if (vacant >= 0) {
        spci_island_at(w, vacant)->vacant = false;
        return true;
    }
    order[s->bodies++] = body;
    if (!spci_is_dynamic(w, body))
        return true;
    order[s->bodies - 1] = order[s->dynamic_bodies];
    order[s->dynamic_bodies] = body;
    work->island = s->islands++;
    island = spci_island_at(w, work->island);
    island->first_body = s->dynamic_bodies++;
    island->body_count = 1;
    island->in_lane = island->vacant = island->marked = false;
    island->first_node = island->node_count = 0;
    island->vectors = island->length = island->hubs = island->joints = 0;
    island->own = island->stride = island->own_stride = 0;
    island->first_loop = -1;
    island->grounded = island->spare = island->dropped = false;
    return true;
}

/* The island of the one dynamic body that a constraint refers to, if no other body is in it and the
   structure is up to date; else NULL. */
static spci_island *spci_lone_island(spc_world *w, const spci_constraint *c)
{
    const bool a = spci_is_dynamic(w, c->a), b = spci_is_dynamic(w, c->b);
    spci_island *island;
    if (spci_structure_of(w)->topology != w->topology || a == b)
        return NULL;
    island = spci_island_at(w, spci_work_at(w, a ? c->a : c->b)->island);
    return island->body_count == 1 ? island : NULL;
}

/* Takes the constraint in a slot into the structure, in place: that of a lone body without others.
   What is solved is what would be if all were found anew; it takes the node that one before has
   left, or a new one while there is room. False if that is not the case. */
static bool spci_attach(spc_world *w, int slot)
{
    const spci_constraint *c = spci_constraint_at(w, slot);
    spci_structure *s = spci_structure_of(w);
    spci_island *island = spci_lone_island(w, c);
    int n, at = 0, room = 0, reals;
    spci_node *node;
    if (!island || island->node_count > 0 || (!island->spare && s->nodes == w->node_capacity))
        return false;
    if (!island->spare) {
        island->first_node = s->nodes;
        spci_node_order(w)[s->nodes] = s->nodes;
        s->nodes++;
    }
    n = spci_node_order(w)[island->first_node];
    node = spci_node_at(w, n);
    if (island->spare) {
        at = node->mix >= 0 ? node->mix : node->J_a >= 0 ? node->J_a : node->J_b;
        room = node->vectors + (int)SPCI_VECTORS * node->stride - at;
    }
    (void)spci_make_node(w, slot, n);
    reals = spci_node_reals(w, node);
    if (reals > room)
        at = spci_reserve(w, reals);
    if (at < 0)
        return false;
    island->node_count = 1;
    spci_place_all_vectors(w, island, spci_node_place(w, node, at));
    s->pool_needed += (unsigned)reals;
    node->position = node->first = island->first_node;
    spci_note_place(node);
    spci_work_at(w, node->a ? node->a : node->b)->joint = n;
    island->grounded = true;
    return true;
}

/* Takes it out again; false if it is not a lone body's only one. */
static bool spci_detach(spc_world *w, int slot)
{
    spci_island *island = spci_lone_island(w, spci_constraint_at(w, slot));
    spci_node *node;
    spci_work *work;
    if (!island || island->node_count != 1)
        return false;
    node = spci_node_at(w, *spci_node_of(w, slot));
    work = spci_work_at(w, node->a ? node->a : node->b);
    spci_structure_of(w)->pool_needed -= (unsigned)spci_node_reals(w, node);
    node->constraint = -1;
    work->first = work->joint = -1;
    work->degree = 0;
    island->node_count = island->length = island->joints = 0;
    island->grounded = false;
    island->spare = true;
    *spci_node_of(w, slot) = -1;
    return true;
}

/* ------------------------------------------------------------- [6i.2] SOLVER: NUMBERS --------- */

/* Before loops of a constant number of turns, up to six: what is computed stays the same. */
#if defined(__GNUC__) && __GNUC__ >= 8 && defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#define SPCI_UNROLL _Pragma("GCC unroll 8")
#else
#define SPCI_UNROLL
#endif

/* Compiled into its caller like SPCI_FORCE_INLINE; where size counts apart, so that its frame is
   gone when its caller goes on. */
#if defined(__GNUC__) && defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#define SPCI_PASSING SPCI_FORCE_INLINE
#else
#define SPCI_PASSING SPCI_NO_INLINE
#endif

/* P = L D L^T in place, n x n by rows: the strict lower triangle becomes L, the diagonal 1 / D. A
   pivot that rounding has taken, which only extreme numbers do, is replaced by 1. */
static SPCI_FORCE_INLINE void spci_factor_regular(spc_real *P, int n)
{
    int i, j, k;
    SPCI_UNROLL
    for (j = 0; j < n; j++) {
        spc_real column[SPC_MAX_ROWS];
        const spc_real d = P[j * n + j];
        P[j * n + j] = 1 / (d > 0 ? d : 1);
        SPCI_UNROLL
        for (i = j + 1; i < n; i++) {
            column[i] = P[i * n + j];
            P[i * n + j] = column[i] * P[j * n + j];
            SPCI_UNROLL
            for (k = j + 1; k <= i; k++)
                P[i * n + k] -= P[i * n + j] * column[k];
        }
    }
}

/* x = L^-1 x */
static SPCI_FORCE_INLINE void spci_forward(const spc_real *P, int n, spc_real *x)
{
    int i, j;
    SPCI_UNROLL
    for (i = 1; i < n; i++) {
        spc_real sum = x[i];
        SPCI_UNROLL
        for (j = 0; j < i; j++)
            sum -= P[i * n + j] * x[j];
        x[i] = sum;
    }
}

/* x = L^-T x */
static SPCI_FORCE_INLINE void spci_backward(const spc_real *P, int n, spc_real *x)
{
    int i, j;
    SPCI_UNROLL
    for (i = n - 1; i >= 0; i--) {
        spc_real sum = x[i];
        SPCI_UNROLL
        for (j = i + 1; j < n; j++)
            sum -= P[j * n + i] * x[j];
        x[i] = sum;
    }
}

/* a . b of rows of a block */
static SPCI_FORCE_INLINE spc_real spci_dot_row(const spc_real *a, const spc_real *b, int n)
{
    spc_real sum = 0;
    int i;
    if (n == 3)
        return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
    SPCI_UNROLL
    for (i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* s / D, s of 1 or -1; 1 / D in P. */
static SPCI_FORCE_INLINE void spci_over_pivots(const spc_real *P, int n, spc_real s, spc_real *d)
{
    int c;
    SPCI_UNROLL
    for (c = 0; c < n; c++)
        d[c] = s * P[c * n + c];
}

/* A row of a block below a node of n columns, times s / D */
static SPCI_FORCE_INLINE void spci_scale_row(const spc_real *row, const spc_real *d, int n,
                                             spc_real *scaled)
{
    int c;
    SPCI_UNROLL
    for (c = 0; c < n; c++)
        scaled[c] = row[c] * d[c];
}

/* U = U L^-T for a block of m rows below a node of n columns, W = s U D^-1, and the lower triangle
   of target += W U^T. */
static SPCI_FORCE_INLINE void spci_update_own(spc_real *target, spc_real *U, int m,
                                              const spc_real *P, int n, spc_real s, spc_real *W)
{
    spc_real *row = U, d[SPC_MAX_ROWS];
    int i, j;
    spci_over_pivots(P, n, s, d);
    SPCI_UNROLL
    for (i = 0; i < m; i++, row += n, W += n, target += m) {
        const spc_real *before = U;
        spci_forward(P, n, row);
        spci_scale_row(row, d, n, W);
        SPCI_UNROLL
        for (j = 0; j <= i; j++, before += n)
            target[j] += spci_dot_row(W, before, n);
    }
}

/* y -= H^T x for n rows of six */
static SPCI_FORCE_INLINE void spci_take_columns(const spc_real *H, const spc_real *x, int n,
                                                spc_real *y)
{
    spc_real sum[6] = { 0 };
    int i, c;
    SPCI_UNROLL
    for (i = 0; i < n; i++)
        SPCI_UNROLL
        for (c = 0; c < 6; c++)
            sum[c] += H[6 * i + c] * x[i];
    SPCI_UNROLL
    for (c = 0; c < 6; c++)
        y[c] -= sum[c];
}

/* The same as spci_update_own for a hub, whose block is kept as its transpose, H = U^T, so that six
   numbers stand side by side: its sign is another one. */
static SPCI_FORCE_INLINE void spci_update_hub(spc_real *target, spc_real *H, const spc_real *P,
                                              int n, spc_real s, spc_real *W)
{
    spc_real d[SPC_MAX_ROWS];
    int i, j, c;
    spci_over_pivots(P, n, s, d);
    SPCI_UNROLL
    for (i = 0; i < n; i++) {
        SPCI_UNROLL
        for (j = 0; j < i; j++)
            SPCI_UNROLL
            for (c = 0; c < 6; c++)
                H[6 * i + c] -= P[i * n + j] * H[6 * j + c];
        SPCI_UNROLL
        for (c = 0; c < 6; c++)
            W[6 * i + c] = H[6 * i + c] * d[i];
    }
    SPCI_UNROLL
    for (i = 0; i < 6; i++, target += 6) {
        spc_real sum[6] = { 0 };
        SPCI_UNROLL
        for (c = 0; c < n; c++)
            SPCI_UNROLL
            for (j = 0; j <= i; j++)
                sum[j] += W[6 * c + i] * H[6 * c + j];
        SPCI_UNROLL
        for (j = 0; j <= i; j++)
            target[j] -= sum[j];
    }
}

/* target -= W V^T for blocks below the same node, of which u is eliminated later. */
static SPCI_FORCE_INLINE void spci_update_block(spc_real *target, const spci_node *u,
                                                const spc_real *W, const spci_node *v,
                                                const spc_real *V, int n)
{
    const bool is_hub = u->constraint < 0, both = is_hub && v->constraint < 0;
    const spc_real *H = is_hub ? W : V, *rows = is_hub ? V : W;
    const int m = is_hub ? v->active : u->active;
    spc_real x[SPC_MAX_ROWS] = { 0 };
    int i, j;
    for (i = 0; i < m && (is_hub || v->constraint < 0); i++, target += 6) {
        SPCI_UNROLL
        for (j = 0; j < n; j++)
            x[j] = both ? rows[6 * j + i] : rows[i * n + j];
        spci_take_columns(H, x, n, target);
    }
    for (; i < m; i++, W += n, target += v->active)
        for (j = 0; j < v->active; j++)
            target[j] -= spci_dot_row(W, V + j * n, n);
}

/* Pivots as they were before their block subtracted from them, over what they are. */
static SPCI_FORCE_INLINE void spci_block_gross(const spc_real *P, int n, spc_real *gross)
{
    spc_real d[SPC_MAX_ROWS];
    int i, k;
    SPCI_UNROLL
    for (i = 0; i < n; i++) {
        spc_real sum = d[i] = 1 / P[i * n + i];
        SPCI_UNROLL
        for (k = 0; k < i; k++)
            sum += P[i * n + k] * P[i * n + k] * d[k];
        gross[i] = sum * P[i * n + i];
    }
}

/* What a node brings into the gross and the noise of a loop below it, (6.3) and (6.4); grown: the
   gross of its own block, if it is no loop. */
static SPCI_FORCE_INLINE void spci_update_noise(spc_world *w, const spci_node *node,
                                        const spci_node *loop, const spc_real *U, int n,
                                        const spc_real *grown)
{
    const spc_real *P = spci_pool(w, node->diagonal);
    spc_real *gross = spci_own(w, loop, SPCI_GROSS), *noise = spci_own(w, loop, SPCI_NOISE);
    const spc_real *before = node->loop ? spci_own(w, node, SPCI_NOISE) : NULL;
    int i, c;
    for (i = 0; i < loop->active; i++, U += n) {
        spc_real own = 0, rounding = 0, sum = noise[i];
        if (before)
            SPCI_UNROLL
            for (c = 0; c < n; c++) {
                const spc_real l = U[c] * P[c * n + c];
                sum += l * l * before[node->order[c]];
            }
        else
            SPCI_UNROLL
            for (c = 0; c < n; c++) {
                const spc_real part = U[c] * (U[c] * P[c * n + c]);
                own += part;
                rounding += grown[c] * part;
            }
        noise[i] = sum + SPCI_EPSILON * rounding;
        if (node->constraint < 0)
            gross[i] += own;
    }
}

/* The axis of a top, in G. */
static inline spc_vec3 spci_top_axis(const spci_body *body, spc_quat q_GB)
{
    return spci_axis(q_GB, (int)body->symmetry - (int)SPCI_TOP_X);
}

/* Moments of a top in I: about its axis and across it. */
static inline spc_real spci_top_about(const spci_body *body, spc_inertia inertia)
{
    return body->symmetry == SPCI_TOP_X   ? inertia.xx
           : body->symmetry == SPCI_TOP_Y ? inertia.yy
                                          : inertia.zz;
}

static inline spc_real spci_top_across(const spci_body *body, spc_inertia inertia)
{
    return body->symmetry == SPCI_TOP_X ? inertia.yy : inertia.xx;
}

/* a 1 + f e^T of parallel vectors */
static SPCI_FORCE_INLINE spc_inertia spci_unit_plus(spc_real a, spc_vec3 f, spc_vec3 e)
{
    spc_inertia inertia;
    inertia.xx = a + f.x * e.x;
    inertia.yy = a + f.y * e.y;
    inertia.zz = a + f.z * e.z;
    inertia.xy = f.x * e.y;
    inertia.xz = f.x * e.z;
    inertia.yz = f.y * e.z;
    return inertia;
}

/* I^-1 of a top in G: a 1 + (c - a) e e^T. */
static inline spc_inertia spci_top_inverse(const spci_body *body, spc_quat q_GB)
{
    const spc_vec3 e = spci_top_axis(body, q_GB);
    const spc_real a = spci_top_across(body, body->inv_inertia);
    return spci_unit_plus(a, spc_scale(spci_top_about(body, body->inv_inertia) - a, e), e);
}

/* p_BBc in G */
static inline spc_vec3 spci_centre(const spci_body *body, spc_quat q_GB)
{
    return body->centred ? body->mass.p_BBc : spc_rotate(q_GB, body->mass.p_BBc);
}

/* What the solver needs of a dynamic body at its present pose. */
static inline void spci_body_frame(const spci_body *body, spci_work *work)
{
    const spc_quat q = work->state.X_GB.q;
    work->p_BBc_G = spci_centre(body, q);
    work->inv_mass = body->inv_mass;
    if (body->symmetry == SPCI_SPHERICAL)
        work->inv_inertia_G = body->inv_inertia;
    else if (body->symmetry != SPCI_ASYMMETRIC)
        work->inv_inertia_G = spci_top_inverse(body, q);
    else
        work->inv_inertia_G = spc_inertia_rotate(spc_mat3_from_quat(q), body->inv_inertia);
}

/* v of Bc from that of Bo, and back; c = p_BBc in G. */
static inline spc_vec3 spci_to_centre(const spci_body *body, spc_vec3 v, spc_vec3 w, spc_vec3 c)
{
    return body->centred ? v : spc_add(v, spc_cross(w, c));
}

static inline spc_vec3 spci_to_origin(const spci_body *body, spc_vec3 v, spc_vec3 w, spc_vec3 c)
{
    return body->centred ? v : spc_sub(v, spc_cross(w, c));
}

/* I^-1 t */
static inline spc_vec3 spci_over_inertia(const spci_body *body, const spci_work *work, spc_vec3 t)
{
    return body->symmetry == SPCI_SPHERICAL ? spc_scale(body->inv_inertia.xx, t)
                                            : spc_inertia_mul(work->inv_inertia_G, t);
}

/* The rows in the mask of a body at Bc, from those at Bo, (4.5), whose rounding they share: c is
   p_BBc. s: 1 for body B, -1 for A. Rotations are at any point what they are at Bo. */
static SPCI_FORCE_INLINE void spci_load_jacobian(const spc_rows *rows, unsigned mask, spc_vec3 c,
                                         spc_real s, spc_real *J)
{
    const spc_vec3 arm = s > 0 ? rows->arm_b : rows->arm_a;
    const bool centred = spci_is_zero_vec3(c);
    int i;
    SPCI_UNROLL
    for (i = 0; i < 3; i++) {
        const spc_vec3 axis = spc_scale(s, spci_column(&rows->R_GP, i));
        if (!(mask >> i & 1u))
            continue;
        spci_put_vec3(centred ? spc_cross(arm, axis)
                              : spc_sub(spc_cross(arm, axis), spc_cross(c, axis)),
                      J);
        spci_put_vec3(axis, J + 3);
        J += 6;
    }
    for (; mask >> i; i++) {
        if (!(mask >> i & 1u))
            continue;
        spci_put_vec3(spc_scale(s, rows->jacobian_b[i].angular), J);
        spci_put_vec3(spc_vec3_make(0, 0, 0), J + 3);
        J += 6;
    }
}

/* How many of a node's active rows are translations. */
static inline int spci_linear_rows(const spci_node *node)
{
    return (int)(node->mask & 1u) + (int)(node->mask >> 1 & 1u) + (int)(node->mask >> 2 & 1u);
}

static spc_vec3 spci_angular(const spc_real *J)
{
    return spc_vec3_make(J[0], J[1], J[2]);
}

static spc_vec3 spci_linear(const spc_real *J)
{
    return spc_vec3_make(J[3], J[4], J[5]);
}

/* J M^-1 of a row at Bc */
static inline spc_spatial spci_over_mass(const spci_work *work, const spc_real *J)
{
    return spc_spatial_make(spc_inertia_mul(work->inv_inertia_G, spci_angular(J)),
                            spc_scale(work->inv_mass, spci_linear(J)));
}

static inline spc_real spci_dot_spatial(const spc_real *J, spc_spatial V)
{
    return spc_dot(spci_angular(J), V.angular) + spc_dot(spci_linear(J), V.linear);
}

/* target += s J M^-1 K^T for the rows of two nodes (m and k) at one body. */
static void spci_add_coupling(const spci_work *work, const spc_real *J, int m, const spc_real *K,
                              int k, spc_real s, spc_real *target)
{
    int i, j;
    for (i = 0; i < m; i++) {
        const spc_spatial row = spci_over_mass(work, J + 6 * i);
        for (j = 0; j < k; j++)
            target[i * k + j] += s * spci_dot_spatial(K + 6 * j, row);
    }
}

/* Lower triangle of target += J M^-1 J^T. */
static void spci_add_own(const spci_work *work, const spc_real *J, int m, spc_real *target)
{
    int i, j;
    for (i = 0; i < m; i++) {
        const spc_spatial row = spci_over_mass(work, J + 6 * i);
        for (j = 0; j <= i; j++)
            target[i * m + j] += spci_dot_spatial(J + 6 * j, row);
    }
}

static const spc_real *spci_jacobian_of(spc_world *w, const spci_node *node, int body)
{
    return spci_pool(w, node->a == body ? node->J_a : node->J_b);
}

static spci_node *spci_island_node(spc_world *w, const spci_island *island, int i)
{
    return spci_node_at(w, spci_node_order(w)[island->first_node + i]);
}

/* The block of a constraint on the diagonal: what bodies without a hub bring; of a loop, too, where
   gross and noise begin. */
static void spci_assemble_constraint(spc_world *w, spci_node *node)
{
    const int n = node->active;
    spc_real *P = spci_pool(w, node->diagonal);
    int end, i;
    spci_clear(P, n * n);
    for (end = 0; end < 2; end++) {
        const int body = end ? node->b : node->a;
        if (body && spci_work_at(w, body)->hub < 0)
            spci_add_own(spci_work_at(w, body), spci_jacobian_of(w, node, body), n, P);
    }
    for (i = 0; i < n && node->yields; i++)
        P[i * n + i] += node->soft[i];
    for (i = 0; node->loop && i < n; i++) {
        spci_own(w, node, SPCI_GROSS)[i] = P[i * n + i];
        spci_own(w, node, SPCI_NOISE)[i] = SPCI_EPSILON * P[i * n + i];
    }
}

/* The arm from Bc, whose size is noted as a change of angular velocity, of a unit of impulse over
   mass. reach: the longest arm. */
static spc_vec3 spci_note_lever(spc_world *w, int body, spc_vec3 arm, spc_real *reach)
{
    spci_work *work = spci_work_at(w, body);
    const spc_inertia J = work->inv_inertia_G;
    const spc_real most = spci_max(J.xx, spci_max(J.yy, J.zz));
    const spc_vec3 p = spc_sub(arm, work->p_BBc_G);
    const spc_real size = SPC_SQRT(spc_dot(p, p));
    work->lever = spci_max(work->lever, most * size / work->inv_mass);
    *reach = spci_max(*reach, size);
    return p;
}

/* delta of (6.5) from a constraint's position errors. */
static void spci_note_drift(const spc_rows *rows, spci_node *node)
{
    spc_real shift = 0, turn = 0, delta, excess;
    int i;
    for (i = 0; i < rows->count; i++) {
        const spc_real e = spci_abs(rows->position_errors[i]);
        if (i < 3)
            shift = spci_max(shift, e);
        else
            turn = spci_max(turn, e);
    }
    delta = spci_max(turn, node->reach > 0 ? shift / node->reach : 0);
    excess = delta / SPCI_MOST_DRIFT;
    node->drift = delta / (1 + (excess * excess) * (excess * excess));
}

/* How many times its mass a body's moments are in the rows at an arm: the trace of m [p] I^-1
   [p]^T; 0 of a body that does not move. */
static spc_real spci_arm_ratio(spc_world *w, int body, spc_vec3 p)
{
    const spci_work *work = body ? spci_work_at(w, body) : NULL;
    spc_inertia J;
    if (!body)
        return 0;
    J = work->inv_inertia_G;
    return ((J.xx + J.yy + J.zz) * spc_dot(p, p) - spc_dot(p, spc_inertia_mul(J, p))) /
           work->inv_mass;
}

/* The part of v in the span of n orthonormal axes. */
static spc_vec3 spci_within(spc_vec3 v, const spc_vec3 *axes, int n)
{
    spc_vec3 sum = spc_vec3_make(0, 0, 0);
    int i;
    if (n == 3)
        return v;
    for (i = 0; i < n; i++)
        sum = spc_add(sum, spc_scale(spc_dot(axes[i], v), axes[i]));
    return sum;
}

/* Turns two or three orthonormal axes within their span, so that the first is along u, which is in
   it. */
static void spci_turn_axes(spc_vec3 u, spc_vec3 *axes, int n)
{
    spc_vec3 normal, first;
    if (n < 2 || spc_normalize(u, &first))
        return;
    normal = n == 2 ? spc_cross(axes[0], axes[1]) : spci_perpendicular(first);
    axes[0] = first;
    axes[1] = spc_cross(normal, first);
    if (n == 3)
        axes[2] = normal;
}

/* x of v = sum of x_l j_l + x_n n for n up to three axes; of fewer, what is left is across them. */
static void spci_take_apart(spc_vec3 v, const spc_vec3 *j, int n, spc_real *x)
{
    spc_vec3 k;
    if (n == 1)
        x[0] = spc_dot(j[0], v) / spc_dot(j[0], j[0]);
    if (n < 2)
        return;
    k = n == 2 ? spc_cross(j[0], j[1]) : j[2];
    x[0] = spc_dot(v, spc_cross(j[1], k)) / spc_dot(j[0], spc_cross(j[1], k));
    x[1] = spc_dot(v, spc_cross(k, j[0])) / spc_dot(j[1], spc_cross(k, j[0]));
    if (n == 3)
        x[2] = spc_dot(v, spc_cross(j[0], j[1])) / spc_dot(k, spc_cross(j[0], j[1]));
}

static void spci_put_row(spc_vec3 angular, spc_vec3 linear, spc_real s, spc_real *J)
{
    spci_put_vec3(spc_scale(s, angular), J);
    spci_put_vec3(spc_scale(s, linear), J + 3);
}

/* (6.8) for an attachment whose rows are loaded: p is the long arm, of body B or, if not far_is_b,
   of A; u is p less the other body's arm. */
static void spci_mix_rows(spc_world *w, spci_node *node, spc_vec3 p, spc_vec3 u, bool far_is_b)
{
    const int n = spci_linear_rows(node), turns = node->active - n;
    spc_real *J_far = spci_pool(w, far_is_b ? node->J_b : node->J_a);
    spc_real *T = spci_pool(w, node->mix);
    spc_real *other = (far_is_b ? node->a : node->b)
                          ? spci_pool(w, far_is_b ? node->J_a : node->J_b)
                          : NULL;
    const spc_real sign = far_is_b ? 1 : -1;
    spc_vec3 f[3], e[3], j[3], along, within, free = spc_vec3_make(0, 0, 0);
    int i, k;
    for (i = 0; i < n; i++)
        e[i] = f[i] = spc_scale(sign, spci_linear(J_far + 6 * i));
    for (i = 0; i < turns; i++)
        j[i] = spc_scale(sign, spci_angular(J_far + 6 * (n + i)));
    if (turns == 2)
        (void)spc_normalize(spc_cross(j[0], j[1]), &free);
    along = turns == 3 ? u : turns == 2 ? spc_cross(free, p) : p;
    within = spci_within(along, f, n);
    spci_turn_axes(within, e, n);
    for (i = 0; i < n; i++) {
        /* of the first axis, what is along it has no moment */
        const spc_vec3 arm = i == 0 && n > 1 && turns < 2 ? spc_sub(p, within) : p;
        const spc_vec3 rest = i == 0 && n > 1 && turns == 3 ? spc_sub(u, within) : u;
        spc_vec3 moment = spc_cross(arm, e[i]);
        spc_real x[3] = { 0, 0, 0 };
        spci_take_apart(spc_cross(p, e[i]), j, turns, x);
        if (turns == 3)
            moment = spc_vec3_make(0, 0, 0);
        else if (turns == 2)
            moment = spc_scale(i == 0 || n == 1 ? spc_dot(free, spc_cross(p, e[i])) : 0, free);
        else if (turns == 1)
            moment = spc_sub(moment, spc_scale(spc_dot(j[0], moment) / spc_dot(j[0], j[0]), j[0]));
        for (k = 0; k < n; k++)
            T[6 * i + k] = spc_dot(e[i], f[k]);
        for (k = 0; k < turns; k++)
            T[6 * i + n + k] = -x[k];
        spci_put_row(moment, e[i], sign, J_far + 6 * i);
        if (other)
            spci_put_row(spc_sub(moment, spc_cross(rest, e[i])), e[i], -sign, other + 6 * i);
    }
    node->mixed = true;
}

/* The same if one of its arms from the Bc is long. */
static void spci_mix_long_arms(spc_world *w, spci_node *node, spc_vec3 p_a, spc_vec3 p_b)
{
    const spc_real a = spci_arm_ratio(w, node->a, p_a), b = spci_arm_ratio(w, node->b, p_b);
    if (!(spci_max(a, b) > SPCI_LONG_ARM))
        return;
    if (b >= a)
        spci_mix_rows(w, node, p_b, node->a ? spc_sub(p_b, p_a) : p_b, true);
    else
        spci_mix_rows(w, node, p_a, node->b ? spc_sub(p_a, p_b) : p_a, false);
}

/* x = T x, or T^T x, of a vector of a node with T. */
static void spci_mix_vector(spc_world *w, const spci_node *node, int which, bool transposed)
{
    const int linear = spci_linear_rows(node);
    const spc_real *T = spci_pool(w, node->mix);
    spc_real sum[SPC_MAX_ROWS], *x = spci_vector(w, node, which);
    int i, k;
    spci_clear(sum, linear);
    spci_copy(sum + linear, x + linear, node->active - linear);
    for (i = 0; i < linear; i++)
        for (k = 0; k < node->active; k++) {
            if (transposed)
                sum[k] += T[6 * i + k] * x[i];
            else
                sum[i] += T[6 * i + k] * x[k];
        }
    spci_copy(x, sum, node->active);
}

static inline void spci_mix_node(spc_world *w, const spci_node *node, int which, bool transposed)
{
    if (node->mixed)
        spci_mix_vector(w, node, which, transposed);
}

/* The same of all nodes of an island. */
static void spci_mix(spc_world *w, const spci_island *island, int which, bool transposed)
{
    int n;
    for (n = 0; n < island->node_count; n++)
        spci_mix_node(w, spci_island_node(w, island, n), which, transposed);
}

/* A node of no rows. */
static void spci_unload(spc_world *w, spci_node *node)
{
    int i;
    node->mixed = node->yields = false;
    node->mask = 0;
    node->active = 0;
    node->reach = node->drift = 0;
    for (i = 0; i < (int)SPCI_CARRIED; i++)
        spci_clear(spci_vector(w, node, i), node->size);
}

/* The arms of a node's rows from the Bc of what moves, noted. */
static inline void spci_note_arms(spc_world *w, spci_node *node, const spc_rows *rows,
                                  spc_vec3 *p_a, spc_vec3 *p_b)
{
    *p_a = rows->arm_a;
    *p_b = rows->arm_b;
    node->reach = 0;
    if (node->a)
        *p_a = spci_note_lever(w, node->a, *p_a, &node->reach);
    if (node->b)
        *p_b = spci_note_lever(w, node->b, *p_b, &node->reach);
}

/* Takes the rows in the mask into the solver, as they are. */
static inline void spci_load_rows(spc_world *w, spci_node *node, const spc_rows *rows,
                                  unsigned mask, spc_vec3 *p_a, spc_vec3 *p_b)
{
    int i;
    node->mixed = node->yields = false;
    node->mask = mask;
    node->active = (unsigned char)spci_count_bits(mask);
    for (i = 0; node->active < node->size && i < (int)SPCI_CARRIED; i++)
        spci_clear(spci_vector(w, node, i) + node->active, node->size - node->active);
    spci_note_arms(w, node, rows, p_a, p_b);
    if (node->a)
        spci_load_jacobian(rows, mask, spci_work_at(w, node->a)->p_BBc_G, -1,
                           spci_pool(w, node->J_a));
    if (node->b)
        spci_load_jacobian(rows, mask, spci_work_at(w, node->b)->p_BBc_G, 1,
                           spci_pool(w, node->J_b));
    spci_note_drift(rows, node);
}

/* The same; mix: as they are best solved for, (6.8). */
static void spci_load(spc_world *w, spci_node *node, const spc_rows *rows, unsigned mask, bool mix)
{
    spc_vec3 p_a, p_b;
    spci_load_rows(w, node, rows, mask, &p_a, &p_b);
    if (mix && node->mix >= 0 && (mask & 7u))
        spci_mix_long_arms(w, node, p_a, p_b);
}

/* Inertia of a body about Bc in G, times a factor. */
static spc_inertia spci_inertia_G(const spci_body *body, spc_quat q_GB, spc_real stiffness)
{
    return spci_inertia_scale(stiffness,
                              body->symmetry == SPCI_SPHERICAL
                                  ? body->mass.inertia
                                  : spc_inertia_rotate(spc_mat3_from_quat(q_GB),
                                                       body->mass.inertia));
}

/* Diagonal block of a hub: inertia and mass about Bc, in G, lower triangle. */
static void spci_assemble_hub(spc_world *w, const spci_node *node)
{
    const spci_body *body = spci_body_at(w, node->a);
    const spc_inertia inertia =
        spci_inertia_G(body, spci_state(w, node->a)->X_GB.q, spci_structure_of(w)->stiffness);
    spc_real *P = spci_pool(w, node->diagonal);
    int i;
    spci_work_at(w, node->a)->I_G = inertia;
    P[0] = inertia.xx;
    P[7] = inertia.yy;
    P[14] = inertia.zz;
    P[6] = inertia.xy;
    P[12] = inertia.xz;
    P[13] = inertia.yz;
    for (i = 18; i < 36; i += 6)
        P[i] = P[i + 1] = P[i + 2] = 0;
    P[27] = P[33] = P[34] = 0;
    P[21] = P[28] = P[35] = body->mass.mass;
}

/* The blocks of K off the diagonal that a body makes; J^T, where its hub is the later node, is kept
   as J. */
static void spci_assemble_edges(spc_world *w, int body)
{
    const spci_work *work = spci_work_at(w, body);
    const int count = spci_body_edge_count(work);
    int at, i, j;
    for (at = 0; at < count; at++) {
        const spci_edge *edge = spci_edge_at(w, spci_pool_ints(w, work->edges)[at]);
        const spci_node *node = spci_node_at(w, edge->a == work->hub ? edge->b : edge->a);
        const spc_real *J = spci_jacobian_of(w, node, body);
        spc_real *K = spci_pool(w, edge->values);
        for (j = 0; j < node->active; j++, J += 6, K += 6)
            SPCI_UNROLL
            for (i = 0; i < 6; i++)
                K[i] = J[i];
    }
}

/* A node in the list of those below another: ~n where the block between them is 0. */
static int spci_below(int entry)
{
    return entry < 0 ? ~entry : entry;
}

/* K of an island. */
static void spci_assemble_island(spc_world *w, spci_island *island)
{
    int n, i;
    island->reach = island->drift = 0;
    for (n = 0; n < island->node_count; n++) {
        spci_node *node = spci_island_node(w, island, n);
        island->reach = spci_max(island->reach, node->reach);
        island->drift = spci_max(island->drift, node->drift);
        if (node->constraint < 0)
            spci_assemble_hub(w, node);
        else
            spci_assemble_constraint(w, node);
        for (i = 0; i < node->below_count; i++) {
            const int *below = spci_pool_ints(w, node->below) + 2 * i;
            const spci_node *u = spci_node_at(w, spci_below(below[1]));
            if ((node->loop || u->loop) && u->position >= 0) /* others are one Jacobian each */
                spci_clear(spci_pool(w, below[0]), u->active * node->active);
        }
    }
    for (i = 0; i < island->body_count; i++)
        spci_assemble_edges(w, spci_body_order(w)[island->first_body + i]);
    if (!(island->reach > 0)) { /* no arms: the size of a body */
        const spci_body *body = spci_body_at(w, spci_body_order(w)[island->first_body]);
        const spc_inertia inertia = body->mass.inertia;
        island->reach = SPC_SQRT((inertia.xx + inertia.yy + inertia.zz) * body->inv_mass);
    }
}

static bool spci_is_empty_block(const spc_real *block, int count)
{
    int i = 0;
    while (i < count && spci_equal(block[i], 0))
        i++;
    return i == count;
}

/* Marks the blocks below a node that are 0, as those between bodies are whose contacts are open;
   all as they are not if nothing is. */
static void spci_mark_empty(spc_world *w, const spci_node *node, bool some)
{
    int *below = spci_pool_ints(w, node->below);
    int i;
    for (i = 0; i < node->below_count; i++, below += 2) {
        const int n = spci_below(below[1]);
        const spci_node *u = spci_node_at(w, n);
        const bool empty = u->position < 0 ||
                           spci_is_empty_block(spci_pool(w, below[0]), u->active * node->active);
        below[1] = some && empty ? ~n : n;
    }
}

/* The columns of a block's row in the order of a loop's pivots. */
static inline void spci_permute(const spci_node *node, spc_real *row)
{
    spc_real copy[SPC_MAX_ROWS];
    int i;
    for (i = 0; i < node->active; i++)
        copy[i] = row[node->order[i]];
    spci_copy(row, copy, node->active);
}

/* The same of a block as U or, of a hub, U^T. */
static void spci_permute_block(const spci_node *node, const spci_node *u, spc_real *U)
{
    spc_real copy[SPC_MAX_ROWS * 6];
    const int n = node->active;
    int i;
    if (u->constraint < 0)
        spci_copy(copy, U, 6 * n);
    for (i = 0; i < n && u->constraint < 0; i++)
        spci_copy(U + 6 * i, copy + 6 * node->order[i], 6);
    for (i = 0; i < u->active && u->constraint >= 0; i++)
        spci_permute(node, U + i * n);
}

/* Carries a factorized node's blocks into those of the nodes below it. */
static SPCI_FORCE_INLINE void spci_update_below_of(spc_world *w, const spci_node *node, int n)
{
    const spc_real *P = spci_pool(w, node->diagonal);
    const int *below = spci_pool_ints(w, node->below), *target = below + 2 * node->below_count;
    const spc_real s = (spc_real)node->sign;
    spc_real grown[SPC_MAX_ROWS] = { 0 }, W[SPC_MAX_ROWS * SPC_MAX_ROWS];
    bool known = node->loop;
    int i, j;
    for (i = 0; i < node->below_count; i++) {
        const spci_node *u = spci_node_at(w, spci_below(below[2 * i + 1]));
        spc_real *U = spci_pool(w, below[2 * i]), *own = spci_pool(w, u->diagonal);
        if (below[2 * i + 1] < 0) {
            target += i;
            continue;
        }
        if (node->loop)
            spci_permute_block(node, u, U);
        if (u->constraint < 0)
            spci_update_hub(own, U, P, n, s, W);
        else if (n == 6 && u->active == 3)
            spci_update_own(own, U, 3, P, n, s, W);
        else if (n == 6 && u->active == 5)
            spci_update_own(own, U, 5, P, n, s, W);
        else
            spci_update_own(own, U, u->active, P, n, s, W);
        if (u->loop && !known)
            spci_block_gross(P, n, grown);
        known = known || u->loop;
        if (u->loop)
            spci_update_noise(w, node, u, U, n, grown);
        for (j = 0; j < i; j++, target++) {
            const int v = below[2 * j + 1];
            if (v >= 0)
                spci_update_block(spci_pool(w, *target), u, W, spci_node_at(w, v),
                                  spci_pool(w, below[2 * j]), n);
        }
    }
}

/* y -= U x for a block of m rows, by threes as they come most. */
static SPCI_FORCE_INLINE void spci_take_rows(const spc_real *U, int m, const spc_real *x, int n,
                                     spc_real *y)
{
    int j;
    for (; m >= 3; m -= 3, U += 3 * n, y += 3)
        SPCI_UNROLL
        for (j = 0; j < 3; j++)
            y[j] -= spci_dot_row(U + j * n, x, n);
    for (j = 0; j < m; j++, U += n)
        y[j] -= spci_dot_row(U, x, n);
}

/* sum += U^T y for a block of m rows. */
static SPCI_FORCE_INLINE void spci_add_rows(const spc_real *U, int m, const spc_real *y, int n,
                                    spc_real *sum)
{
    int j, c;
    for (j = 0; j < m; j++, U += n)
        SPCI_UNROLL
        for (c = 0; c < n; c++)
            sum[c] += U[c] * y[j];
}

/* sum += H y of a hub's block */
static SPCI_FORCE_INLINE void spci_add_columns(const spc_real *H, const spc_real *y, int n,
                                               spc_real *sum)
{
    int i, c;
    SPCI_UNROLL
    for (c = 0; c < n; c++)
        SPCI_UNROLL
        for (i = 0; i < 6; i++)
            sum[c] += H[6 * c + i] * y[i];
}

/* Carries what a node of R, or of R and BESIDE, has into the nodes below it; x becomes L^-1 x, in
   the order of the pivots. */
static SPCI_FORCE_INLINE void spci_forward_node(spc_world *w, const spci_node *node, int n,
                                                int vectors)
{
    const spc_real *P = spci_pool(w, node->diagonal);
    const int *below = spci_pool_ints(w, node->below), *end = below + 2 * node->below_count;
    spc_real *x = spci_vector(w, node, SPCI_R), scaled[2][SPC_MAX_ROWS], d[SPC_MAX_ROWS];
    int k;
    spci_over_pivots(P, n, (spc_real)node->sign, d);
    for (k = 0; k < vectors; k++, x += node->stride) {
        if (node->loop)
            spci_permute(node, x);
        spci_forward(P, n, x);
        spci_scale_row(x, d, n, scaled[k]);
    }
    for (; below < end; below += 2) {
        const spc_real *U;
        const spci_node *u;
        spc_real *y;
        if (below[1] < 0)
            continue;
        U = spci_pool(w, below[0]);
        u = spci_node_at(w, below[1]);
        y = spci_vector(w, u, SPCI_R);
        for (k = 0; k < vectors; k++, y += u->stride) {
            if (u->constraint < 0)
                spci_take_columns(U, scaled[k], n, y);
            else
                spci_take_rows(U, u->active, scaled[k], n, y);
        }
    }
}

/* x = L^-T (S^-1 D^-1 x - U^T y), y of the nodes below up to a position; scaled: with S^-1 D^-1,
   else without. */
static SPCI_FORCE_INLINE void spci_backward_node(spc_world *w, const spci_node *node, int n,
                                                 int last, bool scaled, int vectors)
{
    const spc_real *P = spci_pool(w, node->diagonal);
    const int *below = spci_pool_ints(w, node->below), *end = below + 2 * node->below_count;
    spc_real *x = spci_vector(w, node, SPCI_R), sum[2][SPC_MAX_ROWS];
    int c, k;
    for (k = 0; k < vectors; k++)
        spci_clear(sum[k], n);
    for (; below < end; below += 2) {
        const spc_real *U, *y;
        const spci_node *u;
        if (below[1] < 0)
            continue;
        u = spci_node_at(w, below[1]);
        if (u->position > last)
            continue;
        U = spci_pool(w, below[0]);
        y = spci_vector(w, u, SPCI_R);
        for (k = 0; k < vectors; k++, y += u->stride) {
            if (u->constraint < 0)
                spci_add_columns(U, y, n, sum[k]);
            else
                spci_add_rows(U, u->active, y, n, sum[k]);
        }
    }
    for (k = 0; k < vectors; k++, x += node->stride) {
        SPCI_UNROLL
        for (c = 0; c < n; c++) {
            const spc_real part = (spc_real)node->sign * P[c * n + c];
            x[c] = scaled ? part * (x[c] - sum[k][c]) : x[c] - part * sum[k][c];
        }
        spci_backward(P, n, x);
        if (node->loop) { /* back to the order of rows */
            spci_copy(sum[k], x, n);
            for (c = 0; c < n; c++)
                x[node->order[c]] = sum[k][c];
        }
    }
}

/* The same, compiled for the sizes of joints and hubs. */
static void spci_update_below(spc_world *w, const spci_node *node)
{
    switch (node->active) {
    case 3: spci_update_below_of(w, node, 3); break;
    case 5: spci_update_below_of(w, node, 5); break;
    case 6: spci_update_below_of(w, node, 6); break;
    default: spci_update_below_of(w, node, node->active); break;
    }
}

static void spci_forward_any(spc_world *w, const spci_node *node, int vectors)
{
    switch (node->active) {
    case 0: break;
    case 3: spci_forward_node(w, node, 3, vectors); break;
    case 5: spci_forward_node(w, node, 5, vectors); break;
    case 6: spci_forward_node(w, node, 6, vectors); break;
    default: spci_forward_node(w, node, node->active, vectors); break;
    }
}

static void spci_backward_any(spc_world *w, const spci_node *node, int last, bool scaled,
                              int vectors)
{
    switch (node->active) {
    case 0: break;
    case 3: spci_backward_node(w, node, 3, last, scaled, vectors); break;
    case 5: spci_backward_node(w, node, 5, last, scaled, vectors); break;
    case 6: spci_backward_node(w, node, 6, last, scaled, vectors); break;
    default: spci_backward_node(w, node, node->active, last, scaled, vectors); break;
    }
}

/* An island that a solve of it may write notes on. Other islands may be solved at the same time. */
static spci_island *spci_notes_of(spc_world *w, const spci_island *island)
{
    return spci_island_at(w, (int)(island - spci_island_at(w, 0)));
}

/* The halves of a substitution on R of an island's nodes, or on R and BESIDE; cycles: on those of
   loops alone, and of what they go through. */
static void spci_forward_half(spc_world *w, const spci_island *island, bool cycles, int vectors)
{
    int i;
    spci_notes_of(w, island)->halves += vectors;
    for (i = 0; i < island->node_count; i++) {
        const spci_node *node = spci_island_node(w, island, i);
        if (node->cycle || !cycles)
            spci_forward_any(w, node, vectors);
    }
}

static void spci_backward_half(spc_world *w, const spci_island *island, bool cycles, bool scaled,
                               int vectors)
{
    const int last = island->first_node + island->node_count - 1;
    int i;
    spci_notes_of(w, island)->halves += vectors;
    for (i = last; i >= island->first_node; i--) {
        const spci_node *node = spci_node_at(w, spci_node_order(w)[i]);
        if (node->cycle || !cycles)
            spci_backward_any(w, node, last, scaled, vectors);
    }
}

/* |x|^2 of a load at Bc in the metric of M^-1 */
static spc_real spci_load_squared(const spci_work *work, const spc_real *x)
{
    return spci_dot_spatial(x, spci_over_mass(work, x));
}

/* Adds the load of a node's rows, times R, to those of its bodies: the sums of (6.5). */
static void spci_add_loads(spc_world *w, const spci_node *node)
{
    const spc_real *z = spci_vector(w, node, SPCI_R);
    int end, i;
    for (end = 0; end < 2; end++) {
        const int body = end ? node->b : node->a;
        spci_work *work;
        if (!body)
            continue;
        work = spci_work_at(w, body);
        for (i = 0; i < node->active; i++) {
            const spc_real *J = spci_jacobian_of(w, node, body) + 6 * i;
            const spc_real part = z[i] * node->drift;
            work->delta.angular = spc_add(work->delta.angular, spc_scale(z[i], spci_angular(J)));
            work->delta.linear = spc_add(work->delta.linear, spc_scale(z[i], spci_linear(J)));
            work->explained += part * part * spci_load_squared(work, J);
        }
    }
}

/* z of pivot j of a loop, as R of the nodes up to it. */
static void spci_load_of_pivot(spc_world *w, const spci_island *island, const spci_node *loop,
                               int j)
{
    const spc_real *P = spci_pool(w, loop->diagonal);
    spc_real y[SPC_MAX_ROWS] = { 0 };
    int i, k;
    for (i = loop->first; i < loop->position; i++)
        spci_clear(spci_vector(w, spci_node_at(w, spci_node_order(w)[i]), SPCI_R),
                   spci_node_at(w, spci_node_order(w)[i])->active);
    y[j] = 1;
    for (i = j - 1; i >= 0; i--)
        for (k = i + 1; k <= j; k++)
            y[i] -= P[k * loop->active + i] * y[k];
    for (i = 0; i < loop->active; i++)
        spci_vector(w, loop, SPCI_R)[loop->order[i]] = y[i];
    spci_notes_of(w, island)->halves++;
    for (i = loop->position - 1; i >= loop->first; i--)
        spci_backward_any(w, spci_node_at(w, spci_node_order(w)[i]), loop->position, false, 1);
}

/* The noise of pivot j from its z: an error of K_kk changes the pivot by z_k^2 times that. */
static spc_real spci_sharp_noise(spc_world *w, const spci_node *loop)
{
    spc_real sum = 0;
    int i, k, c;
    for (i = loop->first; i <= loop->position; i++) {
        const spci_node *node = spci_node_at(w, spci_node_order(w)[i]);
        const spc_real *z = spci_vector(w, node, SPCI_R), *P = spci_pool(w, node->diagonal);
        const int n = node->active;
        for (c = 0; c < n; c++) {
            spc_real K = node->loop ? spci_own(w, node, SPCI_GROSS)[c] : 1 / P[c * n + c];
            for (k = 0; k < c && !node->loop; k++)
                K += P[c * n + k] * P[c * n + k] / P[k * n + k];
            sum += z[c] * z[c] * K;
        }
    }
    return SPCI_EPSILON * sum;
}

/* Clears the sums of (6.5) of a node's bodies; take: after adding them to g and m, each once. */
static void spci_take_loads(spc_world *w, const spci_node *node, bool take, spc_real *g,
                            spc_real *m)
{
    spc_real load[6];
    int end;
    for (end = 0; end < 2; end++) {
        const int body = end ? node->b : node->a;
        spci_work *work;
        if (!body)
            continue;
        work = spci_work_at(w, body);
        if (take) {
            spci_put_vec3(work->delta.angular, load);
            spci_put_vec3(work->delta.linear, load + 3);
            *g += spci_load_squared(work, load) / work->inv_mass;
            *m += work->explained / work->inv_mass;
        }
        work->delta = spci_spatial_zero();
        work->explained = 0;
    }
}

/* phi of (6.6) for the pivot of a loop whose z is there. */
static spc_real spci_kept_part(spc_world *w, const spci_node *loop)
{
    spc_real g = 0, m = 0, q;
    int i, pass;
    for (pass = 0; pass < 3; pass++)
        for (i = loop->first; i <= loop->position; i++) {
            const spci_node *node = spci_node_at(w, spci_node_order(w)[i]);
            if (node->constraint < 0)
                continue;
            if (pass == 1)
                spci_add_loads(w, node);
            else
                spci_take_loads(w, node, pass == 2, &g, &m);
        }
    if (!(m > 0))
        return 1;
    q = g / (SPCI_DRIFT_FACTOR * m);
    return q <= 1 ? 0 : q >= 4 ? 1 : (q - 1) / 3;
}

/* Exchanges pivots i < j of a block's lower triangle. */
static void spci_exchange(spci_node *node, spc_real *P, int i, int j)
{
    const int n = node->active;
    const unsigned char row = node->order[i];
    int k;
    node->order[i] = node->order[j];
    node->order[j] = row;
    for (k = 0; k < n; k++) {
        spc_real *x, *y, z;
        if (k == i || k == j)
            continue;
        x = k < i ? P + i * n + k : P + k * n + i;
        y = k < j ? P + j * n + k : P + k * n + j;
        z = *x;
        *x = *y;
        *y = z;
    }
    {
        const spc_real z = P[i * n + i];
        P[i * n + i] = P[j * n + j];
        P[j * n + j] = z;
    }
}

/* The row that becomes pivot j of a loop: the one that keeps most of its gross. */
static int spci_best_pivot(spc_world *w, const spci_node *node, const spc_real *P, int j)
{
    const spc_real *gross = spci_own(w, node, SPCI_GROSS);
    spc_real most = -1;
    int i, best = j;
    for (i = j; i < node->active; i++) {
        const spc_real whole = gross[node->order[i]];
        const spc_real part = whole > 0 ? P[i * node->active + i] / whole : 0;
        if (part > most) {
            most = part;
            best = i;
        }
    }
    return best;
}

/* phi of pivot j of a loop with the value d. */
static spc_real spci_part_of_pivot(spc_world *w, const spci_island *island, const spci_node *node,
                                   int j, spc_real d)
{
    const int row = node->order[j];
    const spc_real gross = spci_own(w, node, SPCI_GROSS)[row];
    const spc_real noise = spci_own(w, node, SPCI_NOISE)[row];
    const bool settled = spci_structure_of(w)->settled;
    const bool doubtful = !(d > SPCI_PIVOT_NOISE * noise);
    const bool drifted = !settled && island->drift > 0 &&
                         d < SPCI_DRIFT_FILTER * (island->drift * island->drift) * gross;
    if (node->yields)
        return d > 0 ? 1 : 0;
    if (!(d > SPCI_PIVOT_NOISE * SPCI_EPSILON * gross) ||
        (settled && (node->dropped >> j & 1u)))
        return 0;
    if (!doubtful && !drifted)
        return 1;
    spci_load_of_pivot(w, island, node, j);
    if (doubtful && !(d > SPCI_PIVOT_NOISE * spci_sharp_noise(w, node)))
        return 0;
    return drifted ? spci_kept_part(w, node) : 1;
}

/* The block of a loop, with pivots in an order of its own, and those that say nothing left out. */
static void spci_factor_loop(spc_world *w, spci_island *island, spci_node *node)
{
    spc_real *P = spci_pool(w, node->diagonal), *noise = spci_own(w, node, SPCI_NOISE);
    const bool settled = spci_structure_of(w)->settled;
    int wanted[SPC_MAX_ROWS];
    unsigned dropped = 0;
    const int n = node->active;
    int i, j, k;
    for (i = 0; i < n; i++) {
        wanted[i] = node->order[i];
        node->order[i] = (unsigned char)i;
    }
    for (j = 0; j < n; j++) {
        spc_real column[SPC_MAX_ROWS], phi;
        int best = spci_best_pivot(w, node, P, j);
        for (i = j; settled && i < n; i++)
            if (node->order[i] == wanted[j])
                best = i;
        if (best != j)
            spci_exchange(node, P, j, best);
        phi = spci_part_of_pivot(w, island, node, j, P[j * n + j]);
        if (!(phi > 0)) {
            dropped |= 1u << j;
            island->dropped = true;
        }
        P[j * n + j] = phi > 0 ? phi / P[j * n + j] : 0;
        for (i = j + 1; i < n; i++) {
            column[i] = P[i * n + j];
            P[i * n + j] = column[i] * P[j * n + j];
            noise[node->order[i]] += P[i * n + j] * P[i * n + j] * noise[node->order[j]];
            for (k = j + 1; k <= i; k++)
                P[i * n + k] -= P[i * n + j] * column[k];
        }
    }
    node->dropped = dropped;
}

/* Factorizes K of an island. */
static void spci_factor(spc_world *w, spci_island *island)
{
    int i;
    if (island->node_count == 0)
        return;
    island->factorizations++;
    island->dropped = false;
    spci_assemble_island(w, island);
    for (i = 0; i < island->node_count; i++) {
        spci_node *node = spci_island_node(w, island, i);
        spc_real *P = spci_pool(w, node->diagonal);
        if (node->loop)
            spci_factor_loop(w, island, node);
        else if (node->active == 3)
            spci_factor_regular(P, 3);
        else if (node->active == 6)
            spci_factor_regular(P, 6);
        else
            spci_factor_regular(P, node->active);
        if (island->one_sided || island->marked)
            spci_mark_empty(w, node, island->one_sided);
        if (node->below_count)
            spci_update_below(w, node);
    }
    island->marked = island->one_sided;
    island->noted = island->noted || island->dropped;
}

/* delta = -M^-1 G^T lambda of a body. */
static void spci_delta_of_lambda(spc_world *w, int body)
{
    spci_work *work = spci_work_at(w, body);
    spc_vec3 angular = spc_vec3_make(0, 0, 0), linear = angular;
    int n, i;
    for (n = work->first; n >= 0; n = spci_next_node(spci_node_at(w, n), body)) {
        const spci_node *node = spci_node_at(w, n);
        const spc_real *J = spci_jacobian_of(w, node, body);
        const spc_real *y = spci_vector(w, node, SPCI_LAMBDA);
        for (i = 0; i < node->active; i++) {
            angular = spc_sub(angular, spc_scale(y[i], spci_angular(J + 6 * i)));
            linear = spc_sub(linear, spc_scale(y[i], spci_linear(J + 6 * i)));
        }
    }
    work->delta.angular = spc_inertia_mul(work->inv_inertia_G, angular);
    work->delta.linear = spc_scale(work->inv_mass, linear);
}

/* delta of an island's bodies: of hubs what was solved for. */
static void spci_find_delta(spc_world *w, const spci_island *island)
{
    int i;
    for (i = 0; i < island->body_count; i++) {
        const int body = spci_body_order(w)[island->first_body + i];
        const int hub = spci_work_at(w, body)->hub;
        const spc_real *x = hub < 0 ? NULL : spci_vector(w, spci_node_at(w, hub), SPCI_LAMBDA);
        if (x)
            spci_work_at(w, body)->delta = spc_spatial_make(spci_angular(x), spci_linear(x));
        else
            spci_delta_of_lambda(w, body);
    }
}

/* G delta of a node */
static void spci_gather_delta(spc_world *w, const spci_node *node, spc_real *out)
{
    const int n = node->active;
    int end, i;
    spci_clear(out, n);
    for (end = 0; end < 2; end++) {
        const int body = end ? node->b : node->a;
        const spc_real *J = body ? spci_pool(w, end ? node->J_b : node->J_a) : NULL;
        for (i = 0; J && i < n; i++)
            out[i] += spci_dot_spatial(J + 6 * i, spci_work_at(w, body)->delta);
    }
}

/* The largest entries of a vector of an island's constraints: along axes, and about them. */
typedef struct spci_extent {
    spc_real linear, angular;
} spci_extent;

static inline void spci_measure_node(const spci_node *node, const spc_real *x, spci_extent *size)
{
    const int linear = spci_linear_rows(node), n = node->active;
    spc_real along = size->linear, about = size->angular;
    int i;
    for (i = 0; i < linear; i++)
        along = spci_max(along, spci_abs(x[i]));
    for (; i < n; i++)
        about = spci_max(about, spci_abs(x[i]));
    size->linear = along;
    size->angular = about;
}

static spci_extent spci_measure(spc_world *w, const spci_island *island, int which)
{
    spci_extent size = { 0, 0 };
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        if (node->constraint >= 0)
            spci_measure_node(node, spci_vector(w, node, which), &size);
    }
    return size;
}

/* The same of a node's residual, but for rows whose pivots are left out. */
static inline void spci_measure_kept(const spci_node *node, const spc_real *r, spci_extent *size)
{
    const int linear = spci_linear_rows(node);
    int i;
    if (!node->loop || !node->dropped) {
        spci_measure_node(node, r, size);
        return;
    }
    for (i = 0; i < node->active; i++) {
        const int row = node->order[i];
        spc_real *most = row < linear ? &size->linear : &size->angular;
        if (!(node->dropped >> i & 1u))
            *most = spci_max(*most, spci_abs(r[row]));
    }
}

/* A length for both. */
static spc_real spci_length_of(spci_extent size, spc_real reach)
{
    return spci_max(size.linear, reach * size.angular);
}

/* Is a larger than a part of b? */
static bool spci_exceeds(spci_extent a, spci_extent b, spc_real part, spc_real reach)
{
    return spci_length_of(a, reach) > part * spci_length_of(b, reach);
}

/* r -= J^T lambda of n rows at a hub. */
static void spci_take_load(const spc_real *J, const spc_real *lambda, int n, spc_real *r)
{
    spc_real sum[6];
    int i, c;
    SPCI_UNROLL
    for (c = 0; c < 6; c++)
        sum[c] = r[c];
    for (i = 0; i < n; i++, J += 6)
        SPCI_UNROLL
        for (c = 0; c < 6; c++)
            sum[c] -= J[c] * lambda[i];
    SPCI_UNROLL
    for (c = 0; c < 6; c++)
        r[c] = sum[c];
}

/* The hub of a body that moves freely; NULL if there is none. */
static spci_node *spci_hub_of(spc_world *w, int body)
{
    const int hub = body ? spci_work_at(w, body)->hub : -1;
    return hub < 0 ? NULL : spci_node_at(w, hub);
}

/* r = -(M delta + G^T lambda) of hubs */
static void spci_residual_of_hubs(spc_world *w, const spci_island *island)
{
    int n, end;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        spc_real *r = spci_vector(w, node, SPCI_R);
        const spci_work *work;
        if (node->constraint >= 0)
            continue;
        work = spci_work_at(w, node->a);
        spci_put_vec3(spc_scale(-1, spc_inertia_mul(work->I_G, work->delta.angular)), r);
        spci_put_vec3(spc_scale(-spci_body_at(w, node->a)->mass.mass, work->delta.linear), r + 3);
    }
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spc_real *lambda = spci_vector(w, node, SPCI_LAMBDA);
        for (end = 0; end < 2 && node->constraint >= 0; end++) {
            const spci_node *hub = spci_hub_of(w, end ? node->b : node->a);
            if (hub)
                spci_take_load(spci_pool(w, end ? node->J_b : node->J_a), lambda, node->active,
                               spci_vector(w, hub, SPCI_R));
        }
    }
}

/* That, and r = rho - G delta of constraints, which is measured but for what is left out. */
static spci_extent spci_residual(spc_world *w, const spci_island *island)
{
    spci_extent kept = { 0, 0 };
    int n, i;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        spc_real *r = spci_vector(w, node, SPCI_R);
        const spc_real *rho = spci_vector(w, node, SPCI_RHO);
        if (node->constraint < 0)
            continue;
        spci_gather_delta(w, node, r);
        for (i = 0; i < node->active; i++)
            r[i] = rho[i] - r[i];
        for (i = 0; i < node->active && node->yields; i++)
            r[i] += node->soft[i] * spci_vector(w, node, SPCI_LAMBDA)[i];
        spci_measure_kept(node, r, &kept);
    }
    spci_residual_of_hubs(w, island);
    return kept;
}

/* r = K^-1 r, and the same beside it. */
static void spci_substitute(spc_world *w, const spci_island *island, int vectors)
{
    spci_forward_half(w, island, false, vectors);
    spci_backward_half(w, island, false, true, vectors);
}

/* lambda += r, and delta; first: lambda has been 0. */
static void spci_add_solution(spc_world *w, const spci_island *island, bool first)
{
    const spc_real *r = spci_all(w, island, SPCI_R);
    spc_real *lambda = spci_all(w, island, SPCI_LAMBDA);
    int i;
    if (first)
        spci_copy(lambda, r, island->length);
    for (i = 0; i < island->length && !first; i++)
        lambda[i] += r[i];
    spci_find_delta(w, island);
}

/* The residual of hubs as accelerations. */
static spci_extent spci_measure_hubs(spc_world *w, const spci_island *island)
{
    spci_extent size = { 0, 0 };
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        spc_spatial a;
        if (node->constraint >= 0)
            continue;
        a = spci_over_mass(spci_work_at(w, node->a), spci_vector(w, node, SPCI_R));
        size.linear = spci_max(size.linear, spci_max_abs(a.linear));
        size.angular = spci_max(size.angular, spci_max_abs(a.angular));
    }
    return size;
}

/* to = from, of constraints. */
static void spci_copy_vector(spc_world *w, const spci_island *island, int from, int to)
{
    const int first = island->hubs;
    spci_copy(spci_all(w, island, to) + first, spci_all(w, island, from) + first,
              island->length - first);
}

/* A vector of constraints as r, or beside it, with 0 for hubs. */
static void spci_begin_solution(spc_world *w, const spci_island *island, int from, int to)
{
    spci_clear(spci_all(w, island, to), island->hubs);
    spci_copy_vector(w, island, from, to);
}

/* lambda, delta from rho: one substitution, and further ones for what rounding left over; begun:
   the first is done and in r. Is the residual of the solution in R? */
static bool spci_solve_once(spc_world *w, const spci_island *island, spc_real left_over,
                            spci_extent whole, bool begun)
{
    int turn;
    if (!begun) {
        spci_begin_solution(w, island, SPCI_RHO, SPCI_R);
        spci_substitute(w, island, 1);
    }
    spci_add_solution(w, island, true);
    if (island->node_count == 1 || (island->first_loop < 0 && left_over > SPCI_LEFT_OVER_EXACT))
        return false;
    for (turn = 0; turn < SPCI_MOST_REFINEMENTS; turn++) {
        const spci_extent kept = spci_residual(w, island);
        if (!spci_exceeds(spci_measure_hubs(w, island), whole, left_over, island->reach) &&
            !spci_exceeds(kept, whole, left_over, island->reach))
            return true;
        spci_substitute(w, island, 1);
        spci_add_solution(w, island, false);
    }
    return false;
}

/* The pivots of an island's loops that are left out as weights: 1, for rows about axes a square; 0
   of others. */
static void spci_weigh_dropped(spc_world *w, const spci_island *island, spc_real square)
{
    int n, j;
    for (n = island->first_loop; n >= 0; n = spci_node_at(w, n)->next) {
        const spci_node *node = spci_node_at(w, n);
        const int linear = spci_linear_rows(node);
        spc_real *weight = spci_own(w, node, SPCI_WEIGHT);
        for (j = 0; j < node->size; j++)
            weight[j] = node->dropped >> j & 1u ? (node->order[j] < linear ? 1 : square) : 0;
    }
}

/* Sum of W x^2 for a vector of the pivots. */
static spc_real spci_weighed(spc_world *w, const spci_island *island, const spc_real *x)
{
    const spc_real *weight = spci_own_all(w, island, SPCI_WEIGHT);
    spc_real sum = 0;
    int i;
    for (i = 0; i < island->length - island->joints; i++)
        sum += weight[i] * (x[i] * x[i]);
    return sum;
}

/* r = Z y for a vector y of the pivots that are left out. cycles: within these alone, for what
   hangs on them has no part in multipliers that balance each other there, but what rounding and
   drift leave of that. */
static void spci_span(spc_world *w, const spci_island *island, int y, bool cycles)
{
    spci_clear(spci_all(w, island, SPCI_R), island->joints);
    spci_copy(spci_all(w, island, SPCI_R) + island->joints, spci_own_all(w, island, y),
              island->length - island->joints);
    spci_backward_half(w, island, cycles, false, 1);
}

/* y = Z^T r, of the loops' pivots */
static void spci_span_transposed(spc_world *w, const spci_island *island, bool cycles)
{
    spci_clear(spci_all(w, island, SPCI_R), island->hubs);
    spci_forward_half(w, island, cycles, 1);
}

/* r . W r of the constraints, and r = W r, where W divides what is about axes by a square. */
static spc_real spci_weigh(spc_world *w, const spci_island *island, spc_real square)
{
    spc_real sum = 0;
    int n, i;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const int linear = spci_linear_rows(node);
        spc_real *r = spci_vector(w, node, SPCI_R);
        for (i = 0; node->constraint >= 0 && i < node->active; i++) {
            const spc_real x = i < linear ? r[i] : r[i] / square;
            sum += x * r[i];
            r[i] = x;
        }
    }
    return sum;
}

/* r = P r of (6.7), of the constraints: of multipliers or, if not, of rho, where angles count times
   the longest arm, so that a contradiction is met alike in all units. Multipliers and the result of
   the former are as mixed, of the latter as the rows are. */
static void spci_take_null_part(spc_world *w, const spci_island *island, bool multipliers)
{
    const spc_real square = multipliers ? 1 : island->reach * island->reach;
    const spc_real *y = spci_all(w, island, SPCI_R) + island->joints;
    spc_real *weight = spci_own_all(w, island, SPCI_WEIGHT);
    spc_real *sum = spci_own_all(w, island, SPCI_SUM), *rest = spci_own_all(w, island, SPCI_LEFT);
    spc_real *along = spci_own_all(w, island, SPCI_ALONG);
    const int count = island->length - island->joints;
    spc_real left, whole, before, step;
    int turn, i;
    if (multipliers) {
        spci_mix(w, island, SPCI_R, true);
        spci_mix(w, island, SPCI_R, false);
    }
    spci_weigh_dropped(w, island, square);
    spci_span_transposed(w, island, multipliers);
    for (i = 0; i < count; i++) {
        rest[i] = weight[i] > 0 ? y[i] : 0;
        along[i] = weight[i] * rest[i];
        sum[i] = 0;
    }
    whole = left = spci_weighed(w, island, rest);
    for (turn = 1; left > SPCI_LEAST_NORM * SPCI_LEAST_NORM * whole; turn++) {
        spci_span(w, island, SPCI_ALONG, multipliers);
        spci_mix(w, island, SPCI_R, true);
        step = spci_weigh(w, island, square);
        if (!(step > 0))
            break;
        step = left / step;
        for (i = 0; i < count; i++)
            sum[i] += step * along[i];
        if (turn == SPCI_MOST_TURNS)
            break;
        spci_mix(w, island, SPCI_R, false);
        spci_span_transposed(w, island, multipliers);
        for (i = 0; i < count; i++)
            rest[i] -= weight[i] > 0 ? step * y[i] : 0;
        before = left;
        left = spci_weighed(w, island, rest);
        for (i = 0; i < count; i++)
            along[i] = weight[i] * rest[i] + left / before * along[i];
    }
    spci_span(w, island, SPCI_SUM, multipliers);
    if (!multipliers) {
        spci_mix(w, island, SPCI_R, true);
        (void)spci_weigh(w, island, square);
    }
}

/* x = x + s r, of the constraints. */
static void spci_add_r(spc_world *w, const spci_island *island, int x, spc_real s)
{
    const spc_real *r = spci_all(w, island, SPCI_R);
    spc_real *sum = spci_all(w, island, x);
    int i;
    for (i = island->hubs; i < island->length; i++)
        sum[i] += s * r[i];
}

/* What is asked: changes of velocity in a step, and by impulses, accelerations, displacements. */
typedef enum spci_question {
    SPCI_VELOCITIES,
    SPCI_IMPULSES,
    SPCI_ACCELERATIONS,
    SPCI_DISPLACEMENTS,
    SPCI_CONTACTS /* on the way to impulses: what contradicts is not told */
} spci_question;

/* The velocity or acceleration that is there in an island, or its size over a step, as a length:
   that of turning bodies at their own arms. */
static spc_real spci_scale_of(spc_world *w, const spci_island *island, spci_question question,
                              spc_real part)
{
    spc_real speed = 0, effort = 0;
    int i, end;
    if (question == SPCI_DISPLACEMENTS)
        return part * island->reach;
    for (i = 0; i < island->node_count; i++) {
        const spci_node *node = spci_island_node(w, island, i);
        for (end = 0; end < 2 && node->constraint >= 0; end++) {
            const int k = end ? node->b : node->a;
            const spc_spatial V = spci_state(w, k)->V_GB;
            const spci_work *work = k ? spci_work_at(w, k) : NULL;
            const spc_real spin = spci_max_abs(V.angular);
            spc_real v;
            if (!work)
                continue;
            v = spci_max(spci_max(spci_max_abs(V.linear), spin * node->reach),
                         spci_max_abs(work->push.linear));
            effort = spci_max(spci_max(effort, spin * v),
                              spci_max(spci_max_abs(work->A.linear),
                                       spci_max_abs(work->A.angular) * node->reach));
            speed = spci_max(speed, v);
        }
    }
    return question == SPCI_ACCELERATIONS ? effort : speed;
}

/* The length of the parts in which an island takes a step. */
static spc_real spci_part_of_step(spc_world *w, const spci_island *island)
{
    const spc_real h = spci_structure_of(w)->step;
    return island->parts > 1 ? h / (spc_real)island->parts : h;
}

/* What stabilization makes of an island's size: over its time constant, or the square of that. */
static spc_real spci_pull_of(spc_world *w, const spci_island *island, spci_question question)
{
    spc_real rate = 0;
    int i;
    for (i = 0; i < island->node_count; i++) {
        const int k = spci_island_node(w, island, i)->constraint;
        if (k >= 0 && spci_constraint_at(w, k)->stabilization.enabled)
            rate = spci_max(rate, spci_rate(&spci_constraint_at(w, k)->stabilization,
                                            spci_part_of_step(w, island)));
    }
    return (question == SPCI_ACCELERATIONS ? rate * rate : rate) * island->reach;
}

/* Is what no motion meets more than a small part of what rows ask for, and of what is there? Drift
   turns rows against each other; and an island at rest is held together by stabilization. */
static bool spci_is_contradiction(spc_world *w, const spci_island *island, spci_question question,
                                  spc_real part, spci_extent whole, spci_extent left)
{
    const spc_real drift = 10 * island->drift;
    const spc_real least =
        (question == SPCI_VELOCITIES ? SPCI_STEP_CONTRADICTION : SPCI_CONTRADICTION) + drift;
    const spc_real pull = question == SPCI_DISPLACEMENTS ? 0 : spci_pull_of(w, island, question);
    const spc_real most =
        spci_max(least * spci_scale_of(w, island, question, part),
                 (drift < SPCI_CONTRADICTION ? drift : SPCI_CONTRADICTION) * pull);
    return left.linear > spci_max(most, least * whole.linear) ||
           island->reach * left.angular > spci_max(most, least * island->reach * whole.angular);
}

/* Remembers by how much the demands of the nodes contradict each other: r, over a part. Where
   positions do, velocities that do are not told. */
static void spci_note_contradiction(spc_world *w, const spci_island *island, spci_question question,
                                    spc_real part)
{
    const spc_real all = spci_length_of(spci_measure(w, island, SPCI_R), island->reach);
    int n, i;
    for (n = 0; n < island->node_count; n++) {
        spci_node *node = spci_island_node(w, island, n);
        const int linear = spci_linear_rows(node);
        spc_real most = 0;
        for (i = 0; node->constraint >= 0 && i < node->active; i++) {
            const spc_real left = spci_abs(spci_vector(w, node, SPCI_R)[i]);
            most = spci_max(most, i < linear ? left : island->reach * left);
        }
        if (!(most > SPCI_CONTRADICTION * all))
            continue; /* rounding of what others want */
        if (question == SPCI_DISPLACEMENTS || !(node->contradiction > 0))
            node->contradiction = most / part;
        spci_notes_of(w, island)->noted = true;
    }
}

/* lambda and delta from rho, which has been mixed with its rows; begun: its substitution is in r.
   Where rows are left out, their demands may contradict those of others. */
static void spci_solve(spc_world *w, const spci_island *island, spci_question question,
                       spc_real part, bool begun)
{
    const spc_real left_over =
        question == SPCI_ACCELERATIONS ? SPCI_LEFT_OVER_EXACT : SPCI_LEFT_OVER;
    spci_extent whole = { 0, 0 }, left;
    bool known;
    if (island->node_count == 0)
        return;
    if (island->first_loop >= 0 || question == SPCI_ACCELERATIONS) /* else nobody asks */
        whole = spci_measure(w, island, SPCI_RHO);
    known = spci_solve_once(w, island, left_over, whole, begun);
    if (!island->dropped)
        return;
    if (!known)
        (void)spci_residual(w, island);
    left = spci_measure(w, island, SPCI_R);
    if (!spci_exceeds(left, whole, SPCI_CONTRADICTION, island->reach))
        return;
    spci_take_null_part(w, island, false);
    left = spci_measure(w, island, SPCI_R);
    if (question != SPCI_CONTACTS &&
        spci_is_contradiction(w, island, question, part, whole, left))
        spci_note_contradiction(w, island, question, part);
    spci_mix(w, island, SPCI_R, false);
    spci_add_r(w, island, SPCI_RHO, -1);
    (void)spci_solve_once(w, island, left_over, spci_measure(w, island, SPCI_RHO), false);
}

/* Is a hub's residual more than a part of the loads on it, which are summed up as its NEXT? */
static bool spci_is_unbalanced(spc_world *w, const spci_island *island, spc_real part)
{
    bool unbalanced = false;
    int n, i, c, end;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        if (node->constraint < 0)
            spci_clear(spci_vector(w, node, SPCI_NEXT), 6);
    }
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        for (end = 0; end < 2 && node->constraint >= 0; end++) {
            const int body = end ? node->b : node->a;
            const int hub = body ? spci_work_at(w, body)->hub : -1;
            const spc_real *J = spci_pool(w, end ? node->J_b : node->J_a);
            for (i = 0; hub >= 0 && i < node->active; i++)
                for (c = 0; c < 6; c++)
                    spci_vector(w, spci_node_at(w, hub), SPCI_NEXT)[c] +=
                        spci_abs(J[6 * i + c] * spci_vector(w, node, SPCI_LAMBDA)[i]);
        }
    }
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spc_real *r = spci_vector(w, node, SPCI_R), *load = spci_vector(w, node, SPCI_NEXT);
        for (c = 0; node->constraint < 0 && c < 6; c += 3)
            unbalanced = unbalanced || spci_max_abs(spci_get_vec3(r + c)) >
                                           part * spci_max_abs(spci_get_vec3(load + c));
    }
    return unbalanced;
}

/* Takes a solution's lambda to its least norm. Z is known to the noise of the pivots that are left
   out, and may be a load that the rows do not balance: the others take up what that disturbs, and
   where they cannot, nor drift explains it, lambda stays. The motion is as it was. */
static void spci_take_least_norm(spc_world *w, const spci_island *island)
{
    const spci_extent whole = spci_measure(w, island, SPCI_RHO);
    spci_extent left;
    int turn;
    spci_copy_vector(w, island, SPCI_LAMBDA, SPCI_NEXT);
    for (turn = 0; turn <= SPCI_MOST_REFINEMENTS; turn++) {
        spci_copy_vector(w, island, SPCI_LAMBDA, SPCI_R);
        spci_take_null_part(w, island, true);
        spci_add_r(w, island, SPCI_LAMBDA, -1);
        spci_residual_of_hubs(w, island);
        left = spci_measure_hubs(w, island);
        if (!spci_exceeds(left, whole, SPCI_LEFT_OVER, island->reach))
            return;
        spci_clear(spci_all(w, island, SPCI_R) + island->hubs, island->length - island->hubs);
        spci_substitute(w, island, 1);
        spci_add_r(w, island, SPCI_LAMBDA, 1);
        if (!spci_exceeds(left, whole, 10 * SPCI_UNBALANCED, island->reach))
            return;
    }
    spci_residual_of_hubs(w, island);
    if (spci_exceeds(spci_measure_hubs(w, island), whole, SPCI_UNBALANCED, island->reach) &&
        spci_is_unbalanced(w, island, SPCI_UNBALANCED + 10 * island->drift))
        spci_copy_vector(w, island, SPCI_NEXT, SPCI_LAMBDA);
}

/* Makes of a solution's lambda the multipliers of the rows as they are, of least norm. */
static void spci_finish_multipliers(spc_world *w, const spci_island *island)
{
    if (island->dropped)
        spci_take_least_norm(w, island);
    spci_mix(w, island, SPCI_LAMBDA, true);
}

/* Mobility of a body's point at p from Bc: the velocity that it takes from a unit of impulse there,
   1/m 1 - [p] I^-1 [p] with [p] v = p x v. */
static SPCI_FORCE_INLINE spc_inertia spci_mobility_of(spc_real inv_mass, spc_inertia J, spc_vec3 p)
{
    /* columns of I^-1 [p] */
    const spc_vec3 x = spc_inertia_mul(J, spc_vec3_make(0, p.z, -p.y));
    const spc_vec3 y = spc_inertia_mul(J, spc_vec3_make(-p.z, 0, p.x));
    const spc_vec3 z = spc_inertia_mul(J, spc_vec3_make(p.y, -p.x, 0));
    spc_inertia K;
    K.xx = inv_mass + (p.z * x.y - p.y * x.z);
    K.yy = inv_mass + (p.x * y.z - p.z * y.x);
    K.zz = inv_mass + (p.y * z.x - p.x * z.y);
    K.xy = p.z * y.y - p.y * y.z;
    K.xz = p.z * z.y - p.y * z.z;
    K.yz = p.x * z.z - p.z * z.x;
    return K;
}

static spc_inertia spci_mobility(const spci_body *body, const spci_work *work, spc_vec3 p)
{
    return spci_mobility_of(body->inv_mass, work->inv_inertia_G, p);
}

/* L D L^T of a positive definite matrix: i is 1 / d. */
typedef struct spci_definite {
    spc_real i0, i1, d2, l10, l20, l21;
} spci_definite;

static SPCI_FORCE_INLINE spci_definite spci_factor_definite(spc_inertia K)
{
    spci_definite f;
    spc_real b21;
    f.i0 = 1 / K.xx;
    f.l10 = K.xy * f.i0;
    f.l20 = K.xz * f.i0;
    f.i1 = 1 / (K.yy - f.l10 * K.xy);
    b21 = K.yz - f.l20 * K.xy;
    f.l21 = b21 * f.i1;
    f.d2 = (K.zz - f.l20 * K.xz) - f.l21 * b21;
    return f;
}

/* x with K x = r */
static SPCI_FORCE_INLINE spc_vec3 spci_solve_definite(const spci_definite *f, spc_vec3 r)
{
    const spc_real y = r.y - f->l10 * r.x;
    const spc_real z = ((r.z - f->l20 * r.x) - f->l21 * y) / f->d2, v = y * f->i1 - f->l21 * z;
    return spc_vec3_make((r.x * f->i0 - f->l10 * v) - f->l20 * z, v, z);
}

/* delta of a body from an impulse at p from Bc */
static inline void spci_take_impulse(const spci_body *body, spci_work *work, spc_vec3 p,
                                     spc_vec3 impulse)
{
    work->delta.linear = spc_scale(body->inv_mass, impulse);
    work->delta.angular = spci_over_inertia(body, work, spc_cross(p, impulse));
}

/* lambda of a contact from the impulse on B */
static SPCI_FORCE_INLINE void spci_lambda_of(const spc_mat3 *R_GP, spc_vec3 on_b, spc_real *lambda)
{
    lambda[0] = -spc_dot(R_GP->x, on_b);
    lambda[1] = -spc_dot(R_GP->y, on_b);
    lambda[2] = -spc_dot(R_GP->z, on_b);
}

/* K of the rows that are on, along the axes of the contact; 1 for those that are off. */
static spc_inertia spci_mobility_on(spc_inertia K, const spc_mat3 *R_GP, unsigned on)
{
    const spc_vec3 x = spc_inertia_mul(K, R_GP->x), y = spc_inertia_mul(K, R_GP->y);
    spc_inertia A;
    A.xx = on & 1u ? spc_dot(R_GP->x, x) : 1;
    A.yy = on & 2u ? spc_dot(R_GP->y, y) : 1;
    A.zz = on & 4u ? spc_dot(R_GP->z, spc_inertia_mul(K, R_GP->z)) : 1;
    A.xy = (on & 3u) == 3u ? spc_dot(R_GP->y, x) : 0;
    A.xz = (on & 5u) == 5u ? spc_dot(R_GP->z, x) : 0;
    A.yz = (on & 6u) == 6u ? spc_dot(R_GP->z, y) : 0;
    return A;
}

/* One body under one contact: A is P^T K P with the mobility K of its point, which is regular, and
   neither Jacobian nor pool nor order are needed. is_b: which end the body is. For equal moments
   1/j K is (1/m + j p.p) 1 - j p p^T, whose inverse is known; i0 is then 1 / (1/m + j p.p). */
static SPCI_PASSING spci_definite spci_factor_contact(const spci_body *body,
                                                      const spci_work *work, const spc_rows *rows,
                                                      bool is_b)
{
    const spc_vec3 p = spc_sub(is_b ? rows->arm_b : rows->arm_a, work->p_BBc_G);
    if (rows->enforced == 7u && body->symmetry == SPCI_SPHERICAL) {
        spci_definite f = { 0, 0, 0, 0, 0, 0 };
        f.i0 = 1 / (body->inv_mass + body->inv_inertia.xx * spc_dot(p, p));
        return f;
    }
    if (rows->enforced == 7u)
        return spci_factor_definite(spci_mobility(body, work, p));
    return spci_factor_definite(
        spci_mobility_on(spci_mobility(body, work, p), &rows->R_GP, rows->enforced));
}

/* The impulse at p from Bc that changes the velocity there by r, all rows on. */
static inline spc_vec3 spci_impulse_at(const spci_body *body, const spci_definite *f, spc_vec3 p,
                                       spc_vec3 r)
{
    if (body->symmetry != SPCI_SPHERICAL)
        return spci_solve_definite(f, r);
    return spc_scale(
        f->i0, spc_add(r, spc_scale(body->mass.mass * body->inv_inertia.xx * spc_dot(p, r), p)));
}

/* delta and lambda from rho, of all three rows, of which those that are off do not count; lambda:
   of those that are on, one behind the other. */
static SPCI_FORCE_INLINE void spci_solve_contact(const spci_body *body, spci_work *work,
                                         const spc_rows *rows, bool is_b, const spci_definite *f,
                                         spc_vec3 rho, spc_real *lambda)
{
    const spc_vec3 p = spc_sub(is_b ? rows->arm_b : rows->arm_a, work->p_BBc_G);
    spc_vec3 on_b;
    spc_real all[3];
    int i, k;
    if (rows->enforced == 7u) {
        on_b = spci_impulse_at(body, f, p, spc_mat3_mul(rows->R_GP, rho));
        spci_lambda_of(&rows->R_GP, on_b, lambda);
    } else {
        const spc_vec3 y = spci_solve_definite(
            f, spc_vec3_make(rows->enforced & 1u ? rho.x : 0, rows->enforced & 2u ? rho.y : 0,
                             rows->enforced & 4u ? rho.z : 0));
        on_b = spc_mat3_mul(rows->R_GP, y);
        spci_put_vec3(spc_scale(-1, y), all);
        for (i = k = 0; i < 3; i++)
            if (rows->enforced >> i & 1u)
                lambda[k++] = all[i];
    }
    spci_take_impulse(body, work, p, is_b ? on_b : spc_scale(-1, on_b));
    work->lever =
        body->mass.mass * spci_max_abs(p) *
        spci_max(body->inv_inertia.xx, spci_max(body->inv_inertia.yy, body->inv_inertia.zz));
}

/* What the push of such a body changes the errors of its contact by. */
static SPCI_PASSING spc_vec3 spci_contact_push(const spc_rows *rows, bool is_b,
                                               const spci_work *work)
{
    const spc_vec3 p = spc_sub(is_b ? rows->arm_b : rows->arm_a, work->p_BBc_G);
    const spc_vec3 v =
        spc_add(work->push.linear, spci_is_zero_vec3(work->push.angular)
                                       ? spc_vec3_make(0, 0, 0)
                                       : spc_cross(work->push.angular, p));
    return spc_mat3_transpose_mul(rows->R_GP, is_b ? v : spc_scale(-1, v));
}

/* ------------------------------------------------------------- [6i.3] SOLVER: DENSE ----------- */
/*
   H q'' + C = tau - G^T l, G q'' = gamma. With H = L L^T, Y = G L^-T, z = L^-1 (tau - C) it is

       q'' = L^-T (z - Y^T l),    Y Y^T l = rho,    rho = Y z - gamma                     (6.9)

   Y Y^T is never formed, since that would square its condition. Instead the columns of Y^T are
   orthogonalized by reflections, those first that stand out most from the ones before, against
   their own length; where nothing stands out any more the rank r is found:

       Y^T P = Q R,    R r x m,    and then    R^T = Z T                                  (6.10)

   with T triangular. So P^T (Y Y^T) P = Z T T^T Z^T, of which l takes the least-norm solution and
   q'' the least-squares one:

       t = T^-1 Z^T P^T rho,    Y^T l = Q t,    l = P Z T^-T t                            (6.11)

   The part of P^T rho outside the range of Z is what no motion meets.
*/

/* A column that stands out less than this from the others, against its length, is dependent. */
#ifdef SPC_USE_FLOAT
#define SPCI_DENSE_TOLERANCE SPC_R(2e-5)
#else
#define SPCI_DENSE_TOLERANCE SPC_R(1e-10)
#endif

/* Rows of G that should be zero are sums of some ten terms that cancel. */
#define SPCI_DENSE_ROUNDING (32 * SPCI_EPSILON)

typedef struct spci_dense {
    int n, m, rank;
    spc_real *L;     /* n x n */
    spc_real *Y;     /* m rows of n: Y, then reflections of Q and columns of R */
    spc_real *T;     /* m rows of m: rows of R, then reflections of Z and columns of T */
    spc_real *z;     /* n */
    spc_real *x;     /* n */
    spc_real *rho;   /* m, permuted as Y's rows */
    spc_real *alpha; /* m, diagonal of R */
    spc_real *beta;  /* m, diagonal of T */
    spc_real *norm;  /* m, lengths of Y's rows */
    spc_real *place; /* m, where a row of Y came from */
    spc_real floor;  /* a row of Y below this is rounding of the largest */
} spci_dense;

/* Lays it out in working memory; gives how many numbers that takes. */
static size_t spci_dense_place(spci_dense *d, int n, int m, spc_real *work)
{
    const size_t N = (size_t)n, M = (size_t)m;
    size_t at = 0;
    d->n = n;
    d->m = m;
    d->rank = 0;
    d->L = work + at;
    at += N * N;
    d->Y = work + at;
    at += M * N;
    d->T = work + at;
    at += M * M;
    d->z = work + at;
    d->x = work + (at += N);
    d->rho = work + (at += N);
    d->alpha = work + (at += M);
    d->beta = work + (at += M);
    d->norm = work + (at += M);
    d->place = work + (at += M);
    return at + M;
}

static spc_real *spci_dense_row(spc_real *A, int i, int n)
{
    return A + (size_t)i * (size_t)n;
}

static spc_real spci_dense_dot(const spc_real *a, const spc_real *b, int n)
{
    spc_real sum = 0;
    int i;
    for (i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* L of H = L L^T from the lower triangle of H, in place; false if H is not definite beyond the
   rounding of its sums. */
static bool spci_cholesky(spc_real *A, int n)
{
    int i, j;
    for (j = 0; j < n; j++) {
        spc_real *row = spci_dense_row(A, j, n);
        const spc_real d = row[j] - spci_dense_dot(row, row, j);
        if (!(d > 4 * SPCI_EPSILON * (spc_real)n * row[j]))
            return false;
        row[j] = SPC_SQRT(d);
        for (i = j + 1; i < n; i++) {
            spc_real *below = spci_dense_row(A, i, n);
            below[j] = (below[j] - spci_dense_dot(below, row, j)) / row[j];
        }
    }
    return true;
}

/* x = L^-1 x */
static void spci_dense_lower(spc_real *L, int n, spc_real *x)
{
    int i;
    for (i = 0; i < n; i++) {
        const spc_real *row = spci_dense_row(L, i, n);
        x[i] = (x[i] - spci_dense_dot(row, x, i)) / row[i];
    }
}

/* x = L^-T x */
static void spci_dense_upper(spc_real *L, int n, spc_real *x)
{
    int i, j;
    for (i = n - 1; i >= 0; i--) {
        const spc_real *row = spci_dense_row(L, i, n);
        x[i] /= row[i];
        for (j = 0; j < i; j++)
            x[j] -= row[j] * x[i];
    }
}

/* Makes v, which is not zero, the reflection that takes it to (alpha, 0, ...); gives alpha. */
static spc_real spci_reflection(spc_real *v, int n)
{
    const spc_real size = SPC_SQRT(spci_dense_dot(v, v, n)), alpha = v[0] > 0 ? -size : size;
    v[0] -= alpha;
    return alpha;
}

/* y reflected */
static void spci_reflect(const spc_real *v, spc_real alpha, int n, spc_real *y)
{
    const spc_real s = spci_dense_dot(v, y, n) / (alpha * v[0]);
    int i;
    for (i = 0; i < n; i++)
        y[i] += s * v[i];
}

static void spci_swap(spc_real *a, spc_real *b, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        const spc_real x = a[i];
        a[i] = b[i];
        b[i] = x;
    }
}

/* Brings to place k the row of Y that stands out most behind its first k numbers; false if none
   does. */
static bool spci_dense_pivot(spci_dense *d, int k)
{
    spc_real most = SPCI_DENSE_TOLERANCE;
    int best = -1, j;
    for (j = k; j < d->m; j++) {
        const spc_real *rest = spci_dense_row(d->Y, j, d->n) + k;
        const spc_real size = SPC_SQRT(spci_dense_dot(rest, rest, d->n - k));
        if (size > most * d->norm[j] && size > d->floor) {
            most = size / d->norm[j];
            best = j;
        }
    }
    if (best < 0)
        return false;
    spci_swap(spci_dense_row(d->Y, k, d->n), spci_dense_row(d->Y, best, d->n), d->n);
    spci_swap(d->rho + k, d->rho + best, 1);
    spci_swap(d->norm + k, d->norm + best, 1);
    spci_swap(d->place + k, d->place + best, 1);
    return true;
}

/* (6.10): Q, R and the rank; Z and T only of dependent rows. */
static void spci_dense_decompose(spci_dense *d)
{
    int j, k;
    for (k = 0; k < d->n && k < d->m && spci_dense_pivot(d, k); k++) {
        spc_real *v = spci_dense_row(d->Y, k, d->n) + k;
        d->alpha[k] = spci_reflection(v, d->n - k);
        for (j = k + 1; j < d->m; j++)
            spci_reflect(v, d->alpha[k], d->n - k, spci_dense_row(d->Y, j, d->n) + k);
    }
    d->rank = k;
    for (k = 0; k < d->rank && d->rank < d->m; k++) {
        spc_real *row = spci_dense_row(d->T, k, d->m);
        for (j = 0; j < d->m; j++)
            row[j] = j < k ? 0 : j == k ? d->alpha[k] : spci_dense_row(d->Y, j, d->n)[k];
    }
    for (k = 0; k < d->rank && d->rank < d->m; k++) {
        spc_real *v = spci_dense_row(d->T, k, d->m) + k;
        d->beta[k] = spci_reflection(v, d->m - k);
        for (j = k + 1; j < d->rank; j++)
            spci_reflect(v, d->beta[k], d->m - k, spci_dense_row(d->T, j, d->m) + k);
    }
}

/* x = Q t for the first `rank` numbers of t */
static void spci_dense_turn(spci_dense *d, const spc_real *t)
{
    int k;
    spci_copy(d->x, t, d->rank);
    spci_clear(d->x + d->rank, d->n - d->rank);
    for (k = d->rank - 1; k >= 0; k--)
        spci_reflect(spci_dense_row(d->Y, k, d->n) + k, d->alpha[k], d->n - k, d->x + k);
}

/* Independent rows: R^T t = P^T rho, x = Q t, R P^T lambda = t, which no scale of the rows hurts;
   lambda takes the place of rho. */
static void spci_dense_independent(spci_dense *d)
{
    const int m = d->m;
    spc_real *t = d->rho;
    int j, k;
    for (k = 0; k < m; k++) {
        const spc_real *column = spci_dense_row(d->Y, k, d->n);
        t[k] = (t[k] - spci_dense_dot(column, t, k)) / d->alpha[k];
    }
    spci_dense_turn(d, t);
    for (k = m - 1; k >= 0; k--) {
        for (j = k + 1; j < m; j++)
            t[k] -= spci_dense_row(d->Y, j, d->n)[k] * t[j];
        t[k] /= d->alpha[k];
    }
}

/* (6.11): x, and lambda in the place of rho. */
static void spci_dense_dependent(spci_dense *d)
{
    const int m = d->m, r = d->rank;
    spc_real *t = d->rho;
    int j, k;
    for (k = 0; k < r; k++)
        spci_reflect(spci_dense_row(d->T, k, m) + k, d->beta[k], m - k, t + k);
    for (k = r - 1; k >= 0; k--) { /* T t = */
        for (j = k + 1; j < r; j++)
            t[k] -= spci_dense_row(d->T, j, m)[k] * t[j];
        t[k] /= d->beta[k];
    }
    spci_dense_turn(d, t);
    for (k = 0; k < m; k++) { /* T^T s = t */
        for (j = 0; j < k && k < r; j++)
            t[k] -= spci_dense_row(d->T, k, m)[j] * t[j];
        t[k] = k < r ? t[k] / d->beta[k] : 0;
    }
    for (k = r - 1; k >= 0; k--)
        spci_reflect(spci_dense_row(d->T, k, m) + k, d->beta[k], m - k, t + k);
}

/* Copies H and G, factorizes H; z is there. Gives a status. */
static spc_status spci_dense_begin(spci_dense *d, const spc_real *H, const spc_real *G)
{
    const int n = d->n;
    int i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j <= i; j++)
            spci_dense_row(d->L, i, n)[j] = H[(size_t)i * (size_t)n + (size_t)j];
    if (!spci_cholesky(d->L, n))
        return SPC_ERROR_NOT_DEFINITE;
    for (i = 0; i < d->m; i++) {
        spc_real *row = spci_dense_row(d->Y, i, n);
        for (j = 0; j < n; j++)
            row[j] = G[(size_t)i * (size_t)n + (size_t)j];
        spci_dense_lower(d->L, n, row);
        d->norm[i] = SPC_SQRT(spci_dense_dot(row, row, n));
        d->place[i] = (spc_real)i;
    }
    for (d->floor = 0, i = 0; i < d->m; i++)
        d->floor = spci_max(d->floor, SPCI_DENSE_ROUNDING * d->norm[i]);
    spci_dense_lower(d->L, n, d->z);
    return SPC_OK;
}

/* Solves with rho = Y z - gamma; the result stands in x. */
static spc_status spci_dense_solve(spci_dense *d, const spc_real *H, const spc_real *G,
                                   const spc_real *gamma, spc_real *lambda)
{
    int i;
    const spc_status status = spci_dense_begin(d, H, G);
    if (status)
        return status;
    for (i = 0; i < d->m; i++) {
        const spc_real free = spci_dense_dot(spci_dense_row(d->Y, i, d->n), d->z, d->n);
        d->rho[i] = free - (gamma ? gamma[i] : 0);
    }
    spci_dense_decompose(d);
    if (d->rank == d->m)
        spci_dense_independent(d);
    else
        spci_dense_dependent(d);
    for (i = 0; i < d->m; i++)
        lambda[(int)d->place[i]] = d->rho[i];
    for (i = 0; i < d->n; i++)
        d->x[i] = d->z[i] - d->x[i];
    spci_dense_upper(d->L, d->n, d->x);
    return SPC_OK;
}

/* What both calls refuse. */
static spc_status spci_dense_check(int n, int m, const spc_real *H, const spc_real *G,
                                   const spc_real *work, const spc_real *out,
                                   const spc_real *lambda)
{
    int i;
    if (n < 1 || m < 0)
        return SPC_ERROR_BAD_COUNT;
    if (!H || !work || !out || (m > 0 && (!G || !lambda)))
        return SPC_ERROR_NULL;
    for (i = 0; i < n; i++)
        if (!spci_finite_numbers(H + (size_t)i * (size_t)n, (size_t)i + 1))
            return SPC_ERROR_NOT_FINITE;
    return spci_finite_numbers(G, (size_t)m * (size_t)n) ? SPC_OK : SPC_ERROR_NOT_FINITE;
}

SPC_API size_t spc_dense_work_count(int n, int m)
{
    const unsigned long long N = (unsigned)n, M = (unsigned)m;
    const unsigned long long numbers = N * N + M * N + M * M + 2 * N + 6 * M;
    if (n < 1 || m < 0)
        return 0;
    return (size_t)numbers == numbers ? (size_t)numbers : (size_t)-1;
}

SPC_API spc_status spc_dense_forward_dynamics(int n, int m, const spc_real *H, const spc_real *C,
                                              const spc_real *tau, const spc_real *G,
                                              const spc_real *gamma, spc_real *work,
                                              spc_real *qddot, spc_real *lambda)
{
    spci_dense d;
    spc_status status = spci_dense_check(n, m, H, G, work, qddot, lambda);
    spc_real *found;
    int i;
    if (status)
        return status;
    if (!spci_finite_numbers(C, (size_t)n) || !spci_finite_numbers(tau, (size_t)n) ||
        !spci_finite_numbers(gamma, (size_t)m))
        return SPC_ERROR_NOT_FINITE;
    found = work + spci_dense_place(&d, n, m, work);
    if (tau)
        spci_copy(d.z, tau, n);
    else
        spci_clear(d.z, n);
    for (i = 0; i < n && C; i++)
        d.z[i] -= C[i];
    status = spci_dense_solve(&d, H, G, gamma, found);
    if (status > 0)
        return status;
    if (!spci_finite_numbers(d.x, (size_t)n) || !spci_finite_numbers(found, (size_t)m))
        return SPC_ERROR_NOT_FINITE;
    for (i = 0; i < n; i++)
        qddot[i] = d.x[i];
    for (i = 0; i < m; i++)
        lambda[i] = found[i];
    return status;
}

SPC_API spc_status spc_dense_impulse(int n, int m, const spc_real *H, const spc_real *qdot_minus,
                                     const spc_real *G, const spc_real *v_plus, spc_real *work,
                                     spc_real *qdot_plus, spc_real *impulses)
{
    spci_dense d;
    spc_status status = spci_dense_check(n, m, H, G, work, qdot_plus, impulses);
    spc_real *found, *missing;
    int i;
    if (status)
        return status;
    if (!spci_finite_numbers(qdot_minus, (size_t)n) || !spci_finite_numbers(v_plus, (size_t)m))
        return SPC_ERROR_NOT_FINITE;
    found = work + spci_dense_place(&d, n, m, work);
    missing = d.beta; /* free until the decomposition, which comes after its use */
    spci_clear(d.z, n);
    for (i = 0; i < m; i++)
        missing[i] = (v_plus ? v_plus[i] : 0) -
                     (qdot_minus ? spci_dense_dot(G + (size_t)i * (size_t)n, qdot_minus, n) : 0);
    status = spci_dense_solve(&d, H, G, missing, found);
    if (status > 0)
        return status;
    for (i = 0; i < n; i++)
        d.x[i] += qdot_minus ? qdot_minus[i] : 0;
    if (!spci_finite_numbers(d.x, (size_t)n) || !spci_finite_numbers(found, (size_t)m))
        return SPC_ERROR_NOT_FINITE;
    for (i = 0; i < n; i++)
        qdot_plus[i] = d.x[i];
    for (i = 0; i < m; i++)
        impulses[i] = found[i];
    return status;
}

/* ------------------------------------------------------------- [6i.4] SOLVER: CONTACTS -------- */
/*
   An island whose contacts press and slip asks for impulses p that obey (5.3) at each of them, and
   its joints, of which the rows are J, for J V+ = asked. With the velocities u = g + W p, r_n =
   1 / W_nn and r_t = 2 / (W_xx + W_yy), what a contact wants is that p does not change when it is
   projected on what the law allows,

       z = p - r u,    p_n = max(z_n, 0),    p_t = z_t, at most friction p_n long          (6.12)

   and its residual is by how much p does, over r: a velocity.

   Newton's method on (6.12) is the solution with joints for modes that z tells: open contacts have
   no rows; those that stick have all; those that slide have the normal one, and one across the
   direction d = z_t / |z_t|, which turns,

       u_m + s p_m' = 0,    s = (1 - b) / (b r_t),    b = friction z_n / |z_t| < 1         (6.13)

   where p_m' is what has turned away from d: a compliance on the diagonal of (6.2). What they press
   along d, friction p_n, is a load that depends on p_n. With Z_j, the response of all normal
   impulses to a unit of it, that is one more equation for each contact that slides,

       p_n = p_n0 + sum of Z_j friction_j p_n,j                                            (6.14)

   A substitution gives the sum for any p_n, so that the equations are solved in the space of
   responses to responses, with as many of those as the step needs to be as good as Newton's
   method makes it: a step takes a factorization, and a substitution for each contact that
   slides, or fewer, and two more. Modes that a step finds may be wrong in many ways. Contacts
   that stick around loops may ask for velocities that contradict each other a little, and the
   step then goes far along impulses that balance each other. The next ones may come back from
   there by themselves, since modes are others then; steps that are held short stay where they are
   instead. A residual counts over the velocities that its own impulses make: where contacts close
   one after the other, as in a column, both grow. Where three steps in a row do not lead on,
   Newton's method goes in circles. Then each contact in turn gets what (5.1) to (5.9) say exactly,
   others being as they are, in sweeps to and fro, and behind each of them all joints at once what
   makes their rows right, by a factor of joints alone. That goes downhill, slowly, and not in each
   sweep; the next sweeps go on from where the last ones, or Newton's method from there, came to,
   since from the best solution they would do the same again. What joints hold may turn friction
   so far that these sweeps go in circles, too: so the first ones have joints in the contacts' own
   W, and once they begin from no impulses at all. The best solution is kept. Where
   impulses are not determined, as those of four feet, the factor leaves out what is redundant, and
   changes of least norm keep them nearest to those of the last step, with which all begins.

   Rest and collapse of a pile may both obey the law, and Newton's method finds the one that is
   near. So where all that is there is slow, rest is looked for before: impulses k that the law
   allows, of all that leave no velocity behind. With k nearest to x of those that it allows,

       y = 2 k - x,    x <- x + y - A^-1 (W y + g) - k                                    (6.15)

   with the factor A of all contacts that stick (Douglas and Rachford 1956): one substitution each.
   If it takes too many, it is tried again only after 2, 4, 8 steps.

   A single contact is solved by (5.3) alone, exactly, and needs no factor.
*/

/* So many turns of (6.15), and the longest time that it is not tried again [steps, as a power of
   two]. Slow is what gravity makes in so many steps. */
#define SPCI_MOST_REST 100
#define SPCI_LONGEST_WAIT 6
#define SPCI_SLOW 4

/* Most Newton steps, bad ones in a row, and sweeps: at first, at most at a time, about as many in
   all. The part of the residual to which (6.14) is solved in a step. */
#define SPCI_MOST_NEWTON 300
#define SPCI_MOST_BAD 3
#define SPCI_FIRST_SWEEPS 16
#define SPCI_MOST_SWEEPS 256
#define SPCI_ALL_SWEEPS 16384

/* So many sweeps at a time have joints in them, and of so many contacts: each row takes a
   substitution. */
#define SPCI_JOINED_SWEEPS 64
#define SPCI_MOST_JOINED 16
#define SPCI_LEFT_SLIDES SPC_R(0.01)

/* Vectors that (6.14) is solved with; of fewer contacts as many as there are. */
#define SPCI_LEAST_SEARCH 8
#define SPCI_MOST_SEARCH 16

/* Steps of Newton's method to where spheres meet. */
#define SPCI_MOST_MEETING 12

/* How often it is looked for slip that changes sides, and for what lands; for contacts that close
   late, of which each may close the next. */
#define SPCI_MOST_LOOKS 3
#define SPCI_MOST_LATE 64

/* Rows of contacts yield in a Newton step by this part of their compliance, around the impulses
   that are there: what is redundant needs no judgement then, and moves least. */
#ifdef SPC_USE_FLOAT
#define SPCI_PROXIMAL SPC_R(1e-4)
#else
#define SPCI_PROXIMAL SPC_R(1e-8)
#endif

/* A displacement of so many times what contacts ask for is a leap; rows of contacts that yield by
   this part of their compliance give of what is asked no more than 1 / (2 sqrt of it) times. */
#define SPCI_MOST_LEAP 4
#define SPCI_LEAP_YIELDS SPC_R(0.02)

/* Residuals below these parts of the velocities are rounding; or no longer helped by Newton. */
#define SPCI_SIDES_SOLVED (64 * SPCI_EPSILON)
#ifdef SPC_USE_FLOAT
#define SPCI_SIDES_NEARLY SPC_R(1e-4)
#else
#define SPCI_SIDES_NEARLY SPC_R(1e-9)
#endif

/* So many times the velocities without impulses is what these change, where residuals are small
   beside it: more than bodies of most different masses need, and less than what is nearly solved
   by its own impulses alone. */
#ifdef SPC_USE_FLOAT
#define SPCI_MOST_PUSHED SPC_R(1e2)
#else
#define SPCI_MOST_PUSHED SPC_R(1e6)
#endif

/* Velocities of a contact's six rows, less those of the surface. */
static void spci_side_motion(const spci_constraint *c, const spc_state *a, const spc_state *b,
                             const spc_rows *rows, spc_real *u)
{
    const spc_real *belt = c->law.surface_velocity;
    spci_put_vec3(spci_contact_velocity(rows, &a->V_GB, &b->V_GB), u);
    spci_put_vec3(spc_mat3_transpose_mul(rows->R_GP,
                                         spc_sub(b->V_GB.angular, a->V_GB.angular)),
                  u + 3);
    if (c->kind == SPC_ROLLING_DISC) { /* the belt is along the plane's axes, which it turns from */
        const spc_quat q = spci_turn_frame(a->X_GB.q, c->shape.rolling_disc.X_FP.q);
        const spc_vec3 v = spc_rotate(q, spc_vec3_make(belt[0], belt[1], 0));
        u[0] -= spc_dot(rows->R_GP.x, v);
        u[1] -= spc_dot(rows->R_GP.y, v);
    } else {
        u[0] -= belt[0];
        u[1] -= belt[1];
    }
}

/* The rows of a one-sided constraint that may have impulses. */
static unsigned spci_side_rows(const spci_constraint *c)
{
    unsigned rows = c->kind == SPC_ATTACHMENT ? 7u : spci_enforced(c->kind, &c->shape) & 7u;
    if (!c->law.grip && !(c->law.friction > 0))
        rows &= 4u;
    if (c->law.rolling_resistance > 0)
        rows |= 24u;
    if (c->law.spinning_resistance > 0)
        rows |= 32u;
    return rows;
}

/* Is it a disc that may lie on its side, and does it? One that did as a step ended does on, but for
   more than drift. */
static bool spci_is_coin(const spci_constraint *c)
{
    return c->one_sided && c->kind == SPC_ROLLING_DISC;
}

static bool spci_lies_flat(const spci_constraint *c, const spc_state *a, const spc_state *b)
{
    const spc_real most = c->flat ? SPCI_MOST_DRIFT : SPCI_FLAT;
    spc_vec3 n, tilt;
    if (!spci_is_coin(c))
        return false;
    tilt = spci_disc_tilt(&c->shape.rolling_disc, &a->X_GB, &b->X_GB, &n);
    return spc_dot(tilt, tilt) <= most * most;
}

/* The rows of a constraint, those of its side for a disc that lies on it. */
static spc_status spci_rows_of(const spci_constraint *c, const spc_state *a, const spc_state *b,
                               unsigned need, spc_rows *rows)
{
    if (!spci_lies_flat(c, a, b))
        return spci_rows(c->kind, &c->shape, a, b, need, rows);
    spci_flat_disc_rows(&c->shape.rolling_disc, a, b, NULL, need, rows);
    return SPC_OK;
}

/* The radius of what a contact lies on, (4.36); 0: a point. */
static spc_real spci_patch(const spci_constraint *c, const spci_side *side)
{
    return side->flat ? c->shape.rolling_disc.radius : 0;
}

/* What a contact lies on, and which rows it has. */
static void spci_lay_side(const spci_constraint *c, bool flat, spci_side *side)
{
    side->flat = flat;
    side->rows = spci_side_rows(c);
    if (flat)
        side->rows |= spci_law_arm(&c->law, spci_patch(c, side), 2) > 0 ? 56u : 24u;
}

/* The same at poses where it lies on its side if it is flat, but for one that tips: that has its
   rim down there. */
static spc_status spci_side_pose(const spci_constraint *c, const spc_state *a, const spc_state *b,
                                 unsigned need, spci_side *side, spc_rows *rows)
{
    const bool flat = spci_lies_flat(c, a, b);
    if (flat || side->flat)
        spci_lay_side(c, flat && !side->tips, side);
    if (!flat)
        return spci_rows(c->kind, &c->shape, a, b, need, rows);
    spci_flat_disc_rows(&c->shape.rolling_disc, a, b, side->tips ? &side->last[2] : NULL, need,
                        rows);
    return SPC_OK;
}

/* The constraint of a node if it is one-sided; else NULL. */
static spci_constraint *spci_one_sided_of(spc_world *w, const spci_node *node)
{
    spci_constraint *c =
        node->constraint >= 0 ? spci_constraint_at(w, node->constraint) : (spci_constraint *)NULL;
    return c && c->one_sided ? c : NULL;
}

/* The state that a call finds a contact in: one that an impact has thrown apart, which told in what
   state that was, is open. */
static unsigned char spci_state_left(const spci_constraint *c)
{
    return c->ended ? (unsigned char)SPC_CONTACT_OPEN : c->state;
}

/* Row i of a contact at a body's Bc. */
static spc_spatial spci_side_row(const spci_side *side, int i, bool is_b)
{
    const spc_vec3 axis = spc_scale(is_b ? 1 : -1, spci_column(&side->R, i % 3));
    if (i > 2)
        return spc_spatial_make(axis, spc_vec3_make(0, 0, 0));
    return spc_spatial_make(spc_cross(is_b ? side->p_b : side->p_a, axis), axis);
}

static spc_spatial spci_over_mass_of(const spci_work *work, spc_spatial F)
{
    return spc_spatial_make(spc_inertia_mul(work->inv_inertia_G, F.angular),
                            spc_scale(work->inv_mass, F.linear));
}

static spc_real spci_dot_spatials(spc_spatial a, spc_spatial b)
{
    return spc_dot(a.angular, b.angular) + spc_dot(a.linear, b.linear);
}

/* W of n rows, 3 or 6, by rows: its lower triangle. */
static void spci_side_compliance(spc_world *w, const spci_node *node, const spci_side *side, int n,
                                 spc_real *W)
{
    spc_spatial rows[6];
    int end, i, k;
    spci_clear(W, n * n);
    for (end = 0; end < 2; end++) {
        const int body = end ? node->b : node->a;
        for (i = 0; body && i < n; i++) {
            spc_spatial row;
            rows[i] = spci_side_row(side, i, end);
            row = spci_over_mass_of(spci_work_at(w, body), rows[i]);
            for (k = 0; k <= i; k++)
                W[i * n + k] += spci_dot_spatials(rows[k], row);
        }
    }
}

/* Adds what impulses on B change the velocities of a contact's bodies by, to their delta. */
static void spci_side_push(spc_world *w, const spci_node *node, const spci_side *side,
                           const spc_real *p, int n)
{
    spc_vec3 linear = spc_mat3_mul(side->R, spci_get_vec3(p)), angular = spc_vec3_make(0, 0, 0);
    int end;
    if (n > 3)
        angular = spc_mat3_mul(side->R, spci_get_vec3(p + 3));
    for (end = 0; end < 2; end++) {
        const int body = end ? node->b : node->a;
        const spc_real s = end ? 1 : -1;
        spci_work *work = body ? spci_work_at(w, body) : NULL;
        spc_spatial F;
        if (!work)
            continue;
        F.linear = spc_scale(s, linear);
        F.angular =
            spc_add(spc_scale(s, angular), spc_cross(end ? side->p_b : side->p_a, F.linear));
        work->delta = spci_spatial_add(work->delta, spci_over_mass_of(work, F));
    }
}

/* What delta changes the velocities of a contact's rows by. */
static void spci_side_change(spc_world *w, const spci_node *node, const spci_side *side, int n,
                             spc_real *u)
{
    spc_vec3 linear = spc_vec3_make(0, 0, 0), angular = linear;
    int end;
    for (end = 0; end < 2; end++) {
        const int body = end ? node->b : node->a;
        const spc_real s = end ? 1 : -1;
        const spc_spatial *d = body ? &spci_work_at(w, body)->delta : NULL;
        if (!d)
            continue;
        linear = spc_add(linear, spc_scale(s, spc_add(d->linear,
                                                      spc_cross(d->angular,
                                                                end ? side->p_b : side->p_a))));
        angular = spc_add(angular, spc_scale(s, d->angular));
    }
    spci_put_vec3(spc_mat3_transpose_mul(side->R, linear), u);
    if (n > 3)
        spci_put_vec3(spc_mat3_transpose_mul(side->R, angular), u + 3);
}

/* How many rows a contact's compliance has. */
static int spci_side_size(const spci_side *side)
{
    return side->rows >> 3 ? 6 : 3;
}

/* u of (6.12) with delta: all six rows, those that have none 0. */
static void spci_side_velocity(spc_world *w, const spci_node *node, const spci_side *side,
                               spc_real *u)
{
    int i;
    spci_clear(u, 6);
    spci_side_change(w, node, side, spci_side_size(side), u);
    for (i = 0; i < 6; i++)
        u[i] = side->rows >> i & 1u ? u[i] + side->g[i] : 0;
}

/* 1 / r of a contact's blocks. */
static void spci_weigh_side(spc_world *w, const spci_node *node, spci_side *side)
{
    const int n = spci_side_size(side);
    spc_real W[36];
    spci_side_compliance(w, node, side, n, W);
    side->W[0] = W[0];
    spci_copy(side->W + 1, W + n, 2);
    spci_copy(side->W + 3, W + 2 * n, 2);
    side->weight[0] = W[2 * n + 2];
    side->weight[1] = (W[0] + W[n + 1]) / 2;
    side->weight[2] = n > 3 ? (W[3 * n + 3] + W[4 * n + 4]) / 2 : 0;
    side->weight[3] = n > 3 ? W[5 * n + 5] : 0;
}

/* The rows of a block, and the block of a row but n. */
static unsigned spci_block_rows(int block)
{
    return block == 0 ? 3u : block == 1 ? 24u : 32u;
}

static int spci_row_block(int row)
{
    return row < 3 ? 0 : row < 5 ? 1 : 2;
}

/* The limit of a block's impulse for p_n. */
static spc_real spci_side_limit(const spci_constraint *c, const spci_side *side, int block,
                                spc_real p_n)
{
    const spc_contact_law *law = &c->law;
    if (block == 0)
        return law->grip ? (p_n > 0 ? SPCI_MAX : 0) : law->friction * p_n;
    return spci_law_arm(law, spci_patch(c, side), block) * p_n;
}

/* z of (6.12) in the rows of a block. */
static void spci_side_aim(const spci_side *side, const spc_real *u, int block, spc_real *z)
{
    const int first = block == 0 ? 0 : block == 1 ? 3 : 5, count = block < 2 ? 2 : 1;
    const bool loose = side->loose >> block & 1u;
    int i;
    z[0] = z[1] = 0;
    for (i = 0; i < count; i++) {
        const int row = first + i;
        if (side->rows >> row & 1u)
            z[i] = side->p[row] -
                   (u[row] + (loose ? side->start[row] : 0)) / side->weight[block + 1];
    }
}

/* By how much grip that slips without a normal impulse, as (5.3) has it, misses that it is opposite
   to its slip, and that bodies do not part: a velocity; 0 for an impulse of 0. */
static spc_real spci_grip_miss(const spci_side *side, const spc_real *u)
{
    const bool loose = side->loose & 1u;
    const spc_real x = u[0] + (loose ? side->start[0] : 0), y = u[1] + (loose ? side->start[1] : 0);
    const spc_real length = spci_law_norm(side->p[0], side->p[1]);
    const spc_real along = length > 0 ? side->p[0] / length * x + side->p[1] / length * y : 0;
    const spc_real across = length > 0 ? side->p[0] / length * y - side->p[1] / length * x : 0;
    return length > 0 ? spci_abs(u[2]) + spci_abs(across) + spci_max(along, 0) : 0;
}

/* The residual of (6.12). */
static spc_real spci_side_residual(spc_world *w, const spci_node *node, const spci_side *side,
                                   const spci_constraint *c)
{
    const spc_real r = side->weight[0];
    spc_real u[6], z_n, most;
    int block;
    spci_side_velocity(w, node, side, u);
    z_n = spci_max(side->p[2] - u[2] / r, 0);
    most = spci_abs(side->p[2] - z_n) * r;
    for (block = 0; block < 3; block++) {
        const int first = block == 0 ? 0 : block == 1 ? 3 : 5, count = block < 2 ? 2 : 1;
        const spc_real limit = spci_side_limit(c, side, block, z_n);
        spc_real z[2], length, part;
        int i;
        if (!(side->rows >> first & (block < 2 ? 3u : 1u)))
            continue;
        if (block == 0 && c->law.grip && !(side->p[2] > 0)) {
            const spc_real miss = spci_grip_miss(side, u);
            most = miss <= most ? most : miss;
            continue;
        }
        spci_side_aim(side, u, block, z);
        length = spci_law_norm(z[0], z[1]);
        part = length > limit ? limit / length : 1;
        for (i = 0; i < count; i++) {
            const spc_real miss = spci_abs(side->p[first + i] - part * z[i]);
            most = miss <= 0 || miss * side->weight[block + 1] <= most
                       ? most
                       : miss * side->weight[block + 1];
        }
    }
    return most + (z_n - z_n);
}

/* Does a disc on its side tip, with all impulses? Its rim is down then where the pressure is. */
static bool spci_side_tips(spc_world *w, const spci_node *node, spci_side *side,
                           const spci_constraint *c, spc_real still)
{
    const spc_real limit = spci_side_limit(c, side, 1, side->p[2]);
    const spc_real length = spci_law_norm(side->p[3], side->p[4]);
    spc_real u[6], turn;
    spc_vec3 along;
    if (!side->flat || !side->takes_part || side->tips)
        return false;
    spci_side_velocity(w, node, side, u);
    turn = spci_patch(c, side) * spci_law_norm(u[3], u[4]);
    if (side->p[2] > 0 ? !(length >= limit * (1 - SPCI_SIDES_NEARLY) && turn > still)
                       : !(turn > still && turn > u[2]))
        return false;
    along = spc_add(spc_scale(side->p[3], side->R.x), spc_scale(side->p[4], side->R.y));
    if (!(side->p[2] > 0 && length > 0))
        along = spc_add(spc_scale(-u[3], side->R.x), spc_scale(-u[4], side->R.y));
    along = spc_cross(side->R.z, along);
    side->last[2] = spc_scale(1 / SPC_SQRT(spc_dot(along, along)), along);
    side->tips = true;
    return true;
}

/* W of a contact's rows by its bodies alone. */
static void spci_side_matrix(spc_world *w, const spci_node *node, const spci_side *side,
                             spc_real *W)
{
    const int n = spci_side_size(side);
    if (n > 3) {
        spci_side_compliance(w, node, side, n, W);
    } else {
        W[0] = side->W[0];
        spci_copy(W + 3, side->W + 1, 2);
        spci_copy(W + 6, side->W + 3, 2);
        W[8] = side->weight[0];
    }
}

/* Gives a contact what the law makes of it with W, all else being as it is. alone: friction may
   turn from the slip after the step to the mean slip, or back; else only back, where it would stick
   to the mean. */
static void spci_solve_side(spc_world *w, const spci_node *node, spci_side *side,
                            const spci_constraint *c, const spc_real *W, bool alone)
{
    const bool mean = side->mean && alone;
    const int n = spci_side_size(side);
    spc_real u[6], change[6];
    spci_law f;
    int i, k;
    spci_side_velocity(w, node, side, u);
    for (i = 0; i < n; i++) {
        for (k = 0; k < n; k++)
            u[i] -= (i > k ? W[i * n + k] : W[k * n + i]) * side->p[k];
        if (!mean && i != 2 && side->loose >> spci_row_block(i) & 1u)
            u[i] += side->start[i];
    }
    for (;;) {
        spci_law_load(&c->law, W, side->rows | 4u, mean, spci_patch(c, side), &f);
        spci_copy(f.g, u, 6);
        spci_copy(f.start, side->start, 6);
        if (u[2] < 0)
            spci_law_close(&f, u[2]);
        if (mean || !side->mean || !(side->loose & ~f.sliding) || !(u[2] < 0))
            break;
        for (i = 0; i < 6; i++)
            if (i != 2 && (side->loose & ~f.sliding) >> spci_row_block(i) & 1u)
                u[i] -= side->start[i];
        side->loose &= f.sliding;
    }
    if (mean)
        side->loose = u[2] < 0 ? f.sliding : 0;
    for (i = 0; i < 6; i++) {
        const spc_real p = u[2] < 0 && side->rows >> i & 1u ? spci_law_impulse(&f, i) : 0;
        change[i] = p - side->p[i];
        side->p[i] = p;
    }
    spci_side_push(w, node, side, change, n);
}

/* Adds what impulses x in a joint's rows change the velocities of its bodies by, to their delta. */
static void spci_joint_push(spc_world *w, const spci_node *node, const spc_real *x)
{
    int end, i;
    for (end = 0; end < 2; end++) {
        const int body = end ? node->b : node->a;
        const spc_real *J = body ? spci_jacobian_of(w, node, body) : NULL;
        spci_work *work = body ? spci_work_at(w, body) : NULL;
        spc_spatial F = spci_spatial_zero();
        for (i = 0; J && i < node->active; i++) {
            F.angular = spc_add(F.angular, spc_scale(x[i], spci_angular(J + 6 * i)));
            F.linear = spc_add(F.linear, spc_scale(x[i], spci_linear(J + 6 * i)));
        }
        if (work)
            work->delta = spci_spatial_add(work->delta, spci_over_mass_of(work, F));
    }
}

/* The largest residual of an island with delta: of contacts, and of joints. NaN stays. */
static spc_real spci_sides_residual(spc_world *w, const spci_island *island)
{
    spc_real most = 0;
    int n, i;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_constraint *c = spci_one_sided_of(w, node);
        spc_real e = 0;
        if (c && spci_side_at(w, node->constraint)->takes_part) {
            e = spci_side_residual(w, node, spci_side_at(w, node->constraint), c);
        } else if (!c && node->constraint >= 0) {
            const spc_real *asked = spci_vector(w, node, SPCI_ASKED);
            spc_real s[SPC_MAX_ROWS];
            spci_gather_delta(w, node, s);
            for (i = 0; i < node->active; i++)
                if (!(spci_abs(asked[i] - s[i]) * (i < spci_linear_rows(node) ? 1 : node->reach) <=
                      e))
                    e = spci_abs(asked[i] - s[i]) *
                        (i < spci_linear_rows(node) ? 1 : node->reach);
        }
        most = e <= most ? most : e;
    }
    return most;
}

/* Velocities of an island without impulses, or what joints ask for; pushed: and what impulses
   change. */
static spc_real spci_sides_speed(spc_world *w, const spci_island *island, spc_real *pushed)
{
    spc_real most = island->speed;
    int n, i;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_side *side = spci_one_sided_of(w, node)
                                    ? spci_side_at(w, node->constraint)
                                    : (const spci_side *)NULL;
        if (!side && node->constraint >= 0)
            for (i = 0; i < node->active; i++)
                most = spci_max(most, spci_abs(spci_vector(w, node, SPCI_ASKED)[i]) *
                                          (i < spci_linear_rows(node) ? 1 : node->reach));
        if (!side || !side->takes_part)
            continue;
        *pushed = spci_max(*pushed, side->weight[0] * spci_abs(side->p[2]));
        for (i = 0; i < 3; i++)
            if (side->rows >> i & 1u)
                most = spci_max(most, spci_abs(side->g[i]));
    }
    return most;
}

/* What residuals are small beside: all of these. */
static spc_real spci_sides_scale(spc_world *w, const spci_island *island)
{
    spc_real pushed = 0;
    const spc_real speed = spci_sides_speed(w, island, &pushed);
    return spci_max(speed, pushed);
}

/* The residual of an island over its velocities. What jams has no solution, and impulses that
   balance each other grow without end: they do not make their residual small. */
static spc_real spci_sides_left(spc_world *w, const spci_island *island)
{
    spc_real pushed = 0;
    const spc_real most = spci_sides_residual(w, island);
    const spc_real speed = spci_sides_speed(w, island, &pushed);
    const spc_real scale =
        pushed > SPCI_MOST_PUSHED * speed && speed > 0 ? SPCI_MOST_PUSHED * speed
                                                       : spci_max(speed, pushed);
    return scale > 0 ? most / scale : most; /* 0 where nothing presses any more */
}

static void spci_clear_delta(spc_world *w, const spci_island *island)
{
    int i;
    for (i = 0; i < island->body_count; i++)
        spci_work_at(w, spci_body_order(w)[island->first_body + i])->delta = spci_spatial_zero();
}

/* delta of an island's bodies from all impulses, without the rounding of how they were found. */
static void spci_sum_impulses(spc_world *w, const spci_island *island)
{
    spc_real x[SPC_MAX_ROWS];
    int n, i;
    spci_clear_delta(w, island);
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        if (spci_one_sided_of(w, node)) {
            const spci_side *side = spci_side_at(w, node->constraint);
            if (side->takes_part)
                spci_side_push(w, node, side, side->p, spci_side_size(side));
        } else if (node->constraint >= 0) {
            for (i = 0; i < node->active; i++)
                x[i] = -spci_vector(w, node, SPCI_BEFORE)[i];
            spci_joint_push(w, node, x);
        }
    }
}

/* Keeps the impulses of an island's contacts as the best, or as those that sweeps go on from; or
   goes back to them. */
static void spci_keep_impulses(spc_world *w, const spci_island *island, bool best, bool back)
{
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        spci_side *side = spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint)
                                                     : (spci_side *)NULL;
        spc_real *kept = side ? (best ? side->best : side->load) : (spc_real *)NULL;
        if (side)
            spci_copy(back ? side->p : kept, back ? kept : side->p, 6);
    }
}

/* The best ones with those of joints, and what all of them do. */
static void spci_keep_best(spc_world *w, const spci_island *island, bool back)
{
    spci_keep_impulses(w, island, true, back);
    spci_copy_vector(w, island, back ? SPCI_BESIDE : SPCI_BEFORE,
                     back ? SPCI_BEFORE : SPCI_BESIDE);
    if (back)
        spci_sum_impulses(w, island);
}

/* Those that sweeps go on from; joints are solved for with them. */
static void spci_keep_place(spc_world *w, const spci_island *island, bool back)
{
    spci_keep_impulses(w, island, false, back);
}

/* A sweep over an island's contacts. */
static void spci_sweep(spc_world *w, const spci_island *island, bool backwards)
{
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node =
            spci_island_node(w, island, backwards ? island->node_count - 1 - n : n);
        const spci_constraint *c = spci_one_sided_of(w, node);
        if (c && spci_side_at(w, node->constraint)->takes_part) {
            spci_side *side = spci_side_at(w, node->constraint);
            spc_real W[36];
            spci_side_matrix(w, node, side, W);
            spci_solve_side(w, node, side, c, W, island->node_count == 1);
        }
    }
}

/* Block i of a contact at its limit in a Newton step, with z beyond it. */
static void spci_slide_block(spci_side *side, int block, const spc_real *z, spc_real length,
                             spc_real limit, spc_real slope)
{
    const int first = block == 0 ? 0 : block == 1 ? 3 : 5, count = block < 2 ? 2 : 1;
    const spc_real part = spci_max(limit / length, SPCI_EPSILON);
    spc_real along = 0;
    int i;
    side->slides |= 1u << block;
    for (i = 0; i < count; i++) {
        side->slope[first + i] = slope * (z[i] / length);
        along += side->p[first + i] * (z[i] / length);
    }
    for (i = 0; i < count; i++)
        side->p[first + i] += side->slope[first + i] * side->p[2] - along * (z[i] / length);
    if (block == 2)
        return;
    side->x[block] = z[0] / length;
    side->y[block] = z[1] / length;
    side->soft[block] = (1 - part) / part * side->weight[block + 1];
}

/* The mode of a contact in a Newton step, and what of its impulse is known then, which it gets.
   What would stick to the mean of its velocities does not slip: it sticks to 0. */
static void spci_find_mode(spc_world *w, const spci_node *node, spci_side *side,
                           const spci_constraint *c)
{
    spc_real u[6], z[2], z_n, length, limit;
    int i;
    spci_side_velocity(w, node, side, u);
    z_n = side->p[2] - u[2] / side->weight[0];
    side->presses = z_n > 0;
    side->slides = 0;
    for (i = 0; i < 6; i++) {
        side->p[i] = side->presses ? side->p[i] : 0;
        side->slope[i] = 0;
    }
    for (i = 0; i < 3 && side->presses; i++) {
        if (!(side->rows & spci_block_rows(i)))
            continue;
        limit = spci_side_limit(c, side, i, z_n);
        spci_side_aim(side, u, i, z);
        length = spci_law_norm(z[0], z[1]);
        if (!(length > limit) && side->mean && side->loose >> i & 1u) {
            side->loose &= ~(1u << i);
            spci_side_aim(side, u, i, z);
            length = spci_law_norm(z[0], z[1]);
        }
        if (length > limit)
            spci_slide_block(side, i, z, length, limit, spci_side_limit(c, side, i, 1));
    }
}

/* What lies on a patch has an arm of its radius, too. */
static void spci_note_patch(spc_world *w, spci_node *node, const spci_side *side)
{
    spc_vec3 x, y;
    spc_real r;
    int end;
    if (!side->flat)
        return;
    r = spci_patch(spci_constraint_at(w, node->constraint), side);
    x = spc_scale(r, side->R.x);
    y = spc_scale(r, side->R.y);
    for (end = 0; end < 2; end++) {
        const int body = end ? node->b : node->a;
        const spc_vec3 c = body ? spci_work_at(w, body)->p_BBc_G : spc_vec3_make(0, 0, 0);
        if (body) {
            (void)spci_note_lever(w, body, spc_add(c, x), &node->reach);
            (void)spci_note_lever(w, body, spc_add(c, y), &node->reach);
        }
    }
}

/* Takes the rows of a contact's mode into the solver; those of none if it is open. */
static void spci_load_mode(spc_world *w, spci_node *node, const spci_side *side)
{
    unsigned mask = 0;
    spc_vec3 p_a, p_b;
    spc_rows rows;
    int i, k = 0;
    if (!side->takes_part) { /* its arms are noted, if it has any */
        const spc_real reach = node->reach;
        spci_unload(w, node);
        node->reach = reach;
        return;
    }
    rows.count = 3;
    spci_clear(rows.position_errors, 3);
    rows.arm_a = side->arm_a;
    rows.arm_b = side->arm_b;
    rows.R_GP = side->R;
    for (i = 0; i < 3; i++)
        rows.jacobian_b[3 + i].angular = spci_column(&side->R, i);
    if (side->presses)
        mask = side->rows;
    for (i = 0; i < 3 && mask; i++) {
        const unsigned both = spci_block_rows(i);
        if (side->slides >> i & 1u)
            mask = (mask & ~both) |
                   (i < 2 && (mask & both) == both && side->soft[i] >= 0 ? both & 18u : 0);
    }
    if (mask && side->slides & 1u)
        rows.R_GP.y = spc_sub(spc_scale(side->x[0], side->R.y), spc_scale(side->y[0], side->R.x));
    if (mask && side->slides & 2u)
        rows.jacobian_b[4].angular =
            spc_sub(spc_scale(side->x[1], side->R.y), spc_scale(side->y[1], side->R.x));
    spci_load_rows(w, node, &rows, mask, &p_a, &p_b);
    spci_note_patch(w, node, side);
    for (i = 0; i < 6; i++) {
        const int block = spci_row_block(i);
        const bool across = i % 3 == 1 && side->slides >> block & 1u;
        if (mask >> i & 1u)
            node->soft[k++] =
                SPCI_PROXIMAL * side->weight[i == 2 ? 0 : block + 1] +
                (across ? side->soft[block] : 0);
    }
    node->yields = true;
}

/* g of a contact's active rows in a Newton step. */
static void spci_mode_velocity(const spci_side *side, unsigned mask, spc_real *g)
{
    spc_real all[6];
    int i;
    for (i = 0; i < 6; i++) {
        const bool loose = i != 2 && side->loose >> spci_row_block(i) & 1u;
        all[i] = side->g[i] + (loose ? side->start[i] : 0);
    }
    for (i = 0; i < 2; i++)
        if (side->slides >> i & 1u)
            all[3 * i + 1] =
                (side->x[i] * all[3 * i + 1] - side->y[i] * all[3 * i]) +
                side->soft[i] * (side->x[i] * side->p[3 * i + 1] - side->y[i] * side->p[3 * i]);
    for (i = 0; i < 6; i++)
        if (mask >> i & 1u)
            *g++ = all[i];
}

/* rho of an island's rows with delta: what they ask for, whole or but for what they begin with. */
static void spci_ask(spc_world *w, const spci_island *island, bool whole)
{
    int n, i;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        spc_real *rho = spci_vector(w, node, SPCI_RHO), asked[SPC_MAX_ROWS] = { 0 };
        if (node->constraint < 0 || node->active == 0)
            continue;
        spci_gather_delta(w, node, rho);
        if (whole && spci_one_sided_of(w, node))
            spci_mode_velocity(spci_side_at(w, node->constraint), node->mask, asked);
        for (i = 0; i < node->active; i++) {
            if (whole && !spci_one_sided_of(w, node))
                asked[i] = -spci_vector(w, node, SPCI_ASKED)[i];
            rho[i] = -(asked[i] + rho[i]);
        }
    }
}

/* delta = A, or A = delta, of an island's bodies. */
static void spci_keep_delta(spc_world *w, const spci_island *island, bool back)
{
    int i;
    for (i = 0; i < island->body_count; i++) {
        spci_work *work = spci_work_at(w, spci_body_order(w)[island->first_body + i]);
        if (back)
            work->delta = work->A;
        else
            work->A = work->delta;
    }
}

/* The contact that slides in a Newton step and comes next behind a place; the number of nodes if
   there is none. */
static int spci_next_slide(spc_world *w, const spci_island *island, int n)
{
    for (n++; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_side *side = spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint)
                                                           : (const spci_side *)NULL;
        if (side && side->takes_part && side->presses && side->slides)
            break;
    }
    return n;
}

/* Normal impulses of the first k contacts that slide, as they have been solved for. */
static void spci_read_slides(spc_world *w, const spci_island *island, int k, spc_real *out)
{
    int n = -1, i;
    for (i = 0; i < k; i++) {
        const spci_node *node;
        n = spci_next_slide(w, island, n);
        node = spci_island_node(w, island, n);
        out[i] = -spci_vector(w, node, SPCI_LAMBDA)[spci_linear_rows(node) - 1];
    }
}

/* Adds what the first k contacts that slide have along their limits for normal impulses x to
   delta; take: and to their impulses. */
static void spci_push_slides(spc_world *w, const spci_island *island, int k, const spc_real *x,
                             bool take)
{
    int n = -1, i, j;
    for (i = 0; i < k; i++) {
        const spci_node *node;
        spci_side *side;
        spc_real load[6];
        n = spci_next_slide(w, island, n);
        node = spci_island_node(w, island, n);
        side = spci_side_at(w, node->constraint);
        for (j = 0; j < 6; j++) {
            load[j] = side->slope[j] * x[i];
            side->p[j] += take ? load[j] : 0;
        }
        spci_side_push(w, node, side, load, spci_side_size(side));
    }
}

static spc_real spci_dot_numbers(const spc_real *x, const spc_real *y, int n)
{
    spc_real sum = 0;
    int i;
    for (i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* out = x - Z x of (6.14) */
static void spci_slides_of(spc_world *w, const spci_island *island, int k, const spc_real *x,
                           spc_real *out)
{
    int i;
    spci_clear_delta(w, island);
    spci_push_slides(w, island, k, x, false);
    spci_ask(w, island, false);
    if (island->dropped) {
        spci_solve(w, island, SPCI_CONTACTS, 1, false);
    } else {
        spci_begin_solution(w, island, SPCI_RHO, SPCI_R);
        spci_substitute(w, island, 1);
        spci_add_solution(w, island, true);
    }
    spci_read_slides(w, island, k, out);
    for (i = 0; i < k; i++)
        out[i] = x[i] - out[i];
}

/* The triangular factor of (6.14) in the space that has been searched, column by column down to the
   diagonal, and what is to be met. */
typedef struct spci_krylov {
    spc_real H[SPCI_MOST_SEARCH * (SPCI_MOST_SEARCH + 1) / 2];
    spc_real c[SPCI_MOST_SEARCH], s[SPCI_MOST_SEARCH], left[SPCI_MOST_SEARCH + 1];
} spci_krylov;

/* Takes a vector, of which all but the part H in the space is taken off, into it. V: that vector
   behind the m + 1 before. Gives what is left over. */
static spc_real spci_search(spci_krylov *f, spc_real *V, int m, int k)
{
    spc_real *v = V + (m + 1) * k, *h = f->H + m * (m + 1) / 2, length, x, y;
    int i, j;
    for (j = 0; j <= m; j++) {
        h[j] = spci_dot_numbers(v, V + j * k, k);
        for (i = 0; i < k; i++)
            v[i] -= h[j] * V[j * k + i];
    }
    length = SPC_SQRT(spci_dot_numbers(v, v, k));
    for (i = 0; i < k && length > 0; i++)
        v[i] /= length;
    for (j = 0; j < m; j++) {
        x = h[j];
        y = h[j + 1];
        h[j] = f->c[j] * x + f->s[j] * y;
        h[j + 1] = f->c[j] * y - f->s[j] * x;
    }
    x = h[m];
    y = SPC_SQRT(x * x + length * length);
    f->c[m] = y > 0 ? x / y : 1;
    f->s[m] = y > 0 ? length / y : 0;
    h[m] = y;
    f->left[m + 1] = -f->s[m] * f->left[m];
    f->left[m] *= f->c[m];
    return spci_abs(f->left[m + 1]);
}

/* (6.14): loads contacts that slide or turn at their limits, as far as there is room for equations.
   They are solved in the space that responses to responses span (Saad, Schultz 1986), but for this
   part of what is without them. */
static void spci_load_slides(spc_world *w, const spci_island *island, spc_real left_over)
{
    const int room = spci_slides_room(w->constraint_capacity);
    spc_real *V = (spc_real *)spci_at(w, w->slides_at), *x = V, size, left;
    spci_krylov f;
    int n, i, j, k = 0, m, most;
    for (n = spci_next_slide(w, island, -1); n < island->node_count; k++) {
        const int least = k < SPCI_LEAST_SEARCH ? k + 1 : SPCI_LEAST_SEARCH;
        if ((least + 1) * (k + 1) > room)
            break;
        n = spci_next_slide(w, island, n);
    }
    if (k == 0)
        return;
    most = room / k - 1;
    most = most > k ? k : most;
    most = most > SPCI_MOST_SEARCH ? SPCI_MOST_SEARCH : most;
    spci_ask(w, island, true);
    spci_solve(w, island, SPCI_CONTACTS, 1, false);
    spci_read_slides(w, island, k, V);
    left = size = f.left[0] = SPC_SQRT(spci_dot_numbers(V, V, k));
    for (i = 0; i < k && size > 0; i++)
        V[i] /= size;
    for (m = 0; m < most && left > left_over * size; m++) {
        spci_slides_of(w, island, k, V + m * k, V + (m + 1) * k);
        left = spci_search(&f, V, m, k);
    }
    for (j = m - 1; j >= 0; j--) {
        for (i = j + 1; i < m; i++)
            f.left[j] -= f.H[i * (i + 1) / 2 + j] * f.left[i];
        size = f.H[j * (j + 1) / 2 + j];
        f.left[j] = size > 0 ? f.left[j] / size : 0;
    }
    spci_keep_delta(w, island, true);
    if (m == 0)
        return; /* none of them presses */
    for (i = 0; i < k; i++) {
        spc_real sum = V[i] * f.left[0];
        for (j = 1; j < m; j++)
            sum += V[j * k + i] * f.left[j];
        x[i] = sum;
    }
    spci_push_slides(w, island, k, x, true);
    spci_keep_delta(w, island, false);
}

/* Adds what has been solved for in a contact's rows to its impulses. */
static void spci_take_rows_of(const spci_node *node, const spc_real *lambda, spci_side *side)
{
    int i;
    for (i = 0; i < 6; i++) {
        const int block = spci_row_block(i);
        if (!(node->mask >> i & 1u))
            continue;
        if (i % 3 == 1 && side->slides >> block & 1u) {
            side->p[i - 1] += side->y[block] * *lambda;
            side->p[i] -= side->x[block] * *lambda++;
        } else {
            side->p[i] -= *lambda++;
        }
    }
}

/* Adds what a Newton step has solved for to the impulses. */
static void spci_take_step(spc_world *w, const spci_island *island)
{
    int n, i;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spc_real *lambda = spci_vector(w, node, SPCI_LAMBDA);
        if (node->constraint < 0)
            continue;
        if (!spci_one_sided_of(w, node)) {
            for (i = 0; i < node->active; i++)
                spci_vector(w, node, SPCI_BEFORE)[i] += lambda[i];
            continue;
        }
        spci_take_rows_of(node, lambda, spci_side_at(w, node->constraint));
    }
    for (i = 0; i < island->body_count; i++) {
        spci_work *work = spci_work_at(w, spci_body_order(w)[island->first_body + i]);
        work->delta = spci_spatial_add(work->A, work->delta);
    }
}

/* Gives the rows that have been factorized what they ask for, beside delta, which A keeps. */
static void spci_meet_modes(spc_world *w, const spci_island *island)
{
    spci_ask(w, island, true);
    spci_solve(w, island, SPCI_CONTACTS, 1, false);
    if (island->dropped)
        spci_take_least_norm(w, island);
    spci_take_step(w, island);
}

/* A Newton step of (6.12). residual: before it, over the velocities. */
static SPCI_NO_INLINE void spci_newton(spc_world *w, spci_island *island, spc_real residual)
{
    const spc_real left_over =
        spci_max(SPCI_SIDES_SOLVED, SPCI_LEFT_SLIDES * (residual < 1 ? residual : 1));
    int n;
    spci_sum_impulses(w, island);
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_constraint *c = spci_one_sided_of(w, node);
        if (c && spci_side_at(w, node->constraint)->takes_part)
            spci_find_mode(w, node, spci_side_at(w, node->constraint), c);
    }
    spci_sum_impulses(w, island);
    for (n = 0; n < island->node_count; n++) {
        spci_node *node = spci_island_node(w, island, n);
        if (spci_one_sided_of(w, node))
            spci_load_mode(w, node, spci_side_at(w, node->constraint));
    }
    spci_factor(w, island);
    spci_keep_delta(w, island, false);
    spci_load_slides(w, island, left_over);
    spci_keep_delta(w, island, true);
    spci_meet_modes(w, island);
}

/* The impulse nearest to x that the law allows. */
static void spci_allow(const spci_side *side, const spc_contact_law *law, const spc_real *x,
                       spc_real *p)
{
    const spc_real length = spci_law_norm(x[0], x[1]), mu = law->friction;
    spc_real part = 1;
    p[2] = spci_max(x[2], 0);
    if (!law->grip && side->rows & 3u && !(length <= mu * x[2])) {
        p[2] = spci_max((x[2] + mu * length) / (1 + mu * mu), 0);
        part = mu * p[2] / length;
    } else if (law->grip && !(x[2] > 0)) {
        part = 0;
    }
    p[0] = part * x[0];
    p[1] = part * x[1];
}

/* Sets the impulses of all contacts of an island that take part to what the law allows of x, which
   is their load, or to y. */
static void spci_set_rest(spc_world *w, const spci_island *island, bool turned)
{
    int n, i;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_constraint *c = spci_one_sided_of(w, node);
        spci_side *side = c ? spci_side_at(w, node->constraint) : (spci_side *)NULL;
        if (!side || !side->takes_part)
            continue;
        spci_allow(side, &c->law, side->load, side->p);
        for (i = 0; i < 3 && turned; i++)
            side->p[i] = 2 * side->p[i] - side->load[i];
    }
    spci_sum_impulses(w, island);
}

/* Loads all contacts of an island that take part as if they stuck; false if some resists rotation,
   or joins too late. */
static bool spci_begin_rest(spc_world *w, spci_island *island)
{
    int n, i;
    for (n = 0; n < island->node_count; n++) {
        spci_node *node = spci_island_node(w, island, n);
        spci_side *side = spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint)
                                                     : (spci_side *)NULL;
        if (side && side->takes_part && (side->rows >> 3 || side->hit > 0))
            return false;
    }
    for (n = 0; n < island->node_count; n++) {
        spci_node *node = spci_island_node(w, island, n);
        spci_side *side = spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint)
                                                     : (spci_side *)NULL;
        if (!side)
            continue;
        side->presses = true;
        side->slides = side->loose = 0;
        for (i = 0; i < 3; i++)
            side->load[i] = side->p[i];
        spci_load_mode(w, node, side);
    }
    spci_factor(w, island);
    return true;
}

/* (6.15): does an island come to rest? */
static bool spci_find_rest(spc_world *w, spci_island *island, spc_real scale)
{
    int turn, n, i;
    if (!spci_begin_rest(w, island))
        return false;
    for (turn = 0; turn < SPCI_MOST_REST; turn++) {
        spci_set_rest(w, island, false);
        if (spci_sides_residual(w, island) <= SPCI_SIDES_SOLVED * scale)
            return true;
        spci_set_rest(w, island, true);
        spci_keep_delta(w, island, false);
        spci_ask(w, island, true);
        spci_solve(w, island, SPCI_CONTACTS, 1, false);
        spci_take_step(w, island);
        for (n = 0; n < island->node_count; n++) {
            const spci_node *node = spci_island_node(w, island, n);
            const spci_constraint *c = spci_one_sided_of(w, node);
            spci_side *side = c ? spci_side_at(w, node->constraint) : (spci_side *)NULL;
            spc_real k[3];
            if (!side || !side->takes_part)
                continue;
            spci_allow(side, &c->law, side->load, k);
            for (i = 0; i < 3; i++)
                side->load[i] += side->p[i] - k[i];
        }
    }
    return false;
}

/* Is an island so slow that it may rest, and may that be tried? */
static bool spci_may_rest(spc_world *w, const spci_island *island)
{
    spc_real speed = 0, push = 0;
    int i;
    for (i = 0; i < island->body_count; i++) {
        const int k = spci_body_order(w)[island->first_body + i];
        const spci_work *work = spci_work_at(w, k);
        const spc_vec3 v = work->state.V_GB.linear;
        speed = spci_max(speed, spci_max_abs(v));
        push = spci_max(push, spci_max_abs(work->push.linear));
    }
    return speed <= SPCI_SLOW * push;
}

/* Factorizes the joints of an island alone; false if there are none. */
static bool spci_factor_joints(spc_world *w, spci_island *island)
{
    bool any = false;
    int n;
    for (n = 0; n < island->node_count; n++) {
        spci_node *node = spci_island_node(w, island, n);
        if (spci_one_sided_of(w, node)) {
            spci_side_at(w, node->constraint)->presses = false;
            spci_load_mode(w, node, spci_side_at(w, node->constraint));
        } else {
            any = any || node->constraint >= 0;
        }
    }
    if (any)
        spci_factor(w, island);
    return any;
}

/* W of a contact's rows as its bodies and all joints of the island have it, which are factorized:
   its lower triangle, and on the diagonal a little more, as rows of a Newton step yield. delta is
   lost. */
static void spci_joined_matrix(spc_world *w, const spci_island *island, const spci_node *node,
                               const spci_side *side, spc_real *W)
{
    const int n = spci_side_size(side);
    spc_real p[6], u[6];
    int i, k;
    for (i = 0; i < n; i++) {
        spci_clear(p, 6);
        p[i] = 1;
        spci_clear_delta(w, island);
        spci_side_push(w, node, side, p, n);
        spci_keep_delta(w, island, false);
        spci_ask(w, island, false);
        spci_solve(w, island, SPCI_CONTACTS, 1, false);
        for (k = 0; k < island->body_count; k++) {
            spci_work *work = spci_work_at(w, spci_body_order(w)[island->first_body + k]);
            work->delta = spci_spatial_add(work->A, work->delta);
        }
        spci_side_change(w, node, side, n, u);
        spci_copy(W + i * n, u, i + 1);
        W[i * n + i] += SPCI_PROXIMAL * side->weight[i == 2 ? 0 : spci_row_block(i) + 1];
    }
}

/* Sweeps in which joints give way as a contact pushes, not behind it: what they hold may turn the
   sweeps of contacts alone away from the solution. */
static void spci_sweep_joined(spc_world *w, const spci_island *island, int sweeps)
{
    spc_real W[36];
    int i, n;
    for (i = 0; i < sweeps; i++)
        for (n = 0; n < island->node_count; n++) {
            const spci_node *node =
                spci_island_node(w, island, i & 1 ? island->node_count - 1 - n : n);
            const spci_constraint *c = spci_one_sided_of(w, node);
            if (!c || !spci_side_at(w, node->constraint)->takes_part)
                continue;
            spci_joined_matrix(w, island, node, spci_side_at(w, node->constraint), W);
            spci_sum_impulses(w, island);
            spci_solve_side(w, node, spci_side_at(w, node->constraint), c, W, false);
            spci_keep_delta(w, island, false);
            spci_meet_modes(w, island);
        }
}

/* How many contacts of an island take part. */
static int spci_count_sides(spc_world *w, const spci_island *island)
{
    int n, count = 0;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        count += spci_one_sided_of(w, node) && spci_side_at(w, node->constraint)->takes_part;
    }
    return count;
}

/* Takes their impulses away. */
static void spci_clear_impulses(spc_world *w, const spci_island *island)
{
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        if (spci_one_sided_of(w, node))
            spci_clear(spci_side_at(w, node->constraint)->p, 6);
    }
}

/* So many sweeps, from the impulses of contacts that are kept; or, anew, if joints are in them,
   from none, since Newton's method may have gone far along what balances. Are they? */
static bool spci_sweep_on(spc_world *w, spci_island *island, int sweeps, bool anew)
{
    const bool any = spci_factor_joints(w, island);
    const bool joined = any && (anew || sweeps <= SPCI_JOINED_SWEEPS) &&
                        spci_count_sides(w, island) <= SPCI_MOST_JOINED;
    int i;
    spci_keep_place(w, island, true);
    if (joined) {
        if (anew)
            spci_clear_impulses(w, island);
        spci_sum_impulses(w, island);
        spci_keep_delta(w, island, false);
        spci_meet_modes(w, island);
        spci_sweep_joined(w, island, anew ? SPCI_JOINED_SWEEPS : sweeps);
        sweeps = 0;
    }
    for (i = 0; i <= sweeps; i++) {
        if (i == 0 || i == sweeps)
            spci_sum_impulses(w, island);
        if (any) {
            spci_keep_delta(w, island, false);
            spci_meet_modes(w, island);
        }
        if (i < sweeps)
            spci_sweep(w, island, i & 1);
    }
    return joined;
}

/* How the search for an island's impulses stands: residuals over the velocities, of the best ones
   of those that sweeps go on from, and of those that are there; how often what has been done. */
typedef struct spci_search_state {
    spc_real best, last, now;
    int steps, sweeps, all;
} spci_search_state;

/* Notes the impulses that are there, and keeps them if they are better than others. */
static void spci_note_sides(spc_world *w, const spci_island *island, spci_search_state *f)
{
    const spc_real e = f->now = spci_sides_left(w, island);
    if (e < f->last) {
        f->last = e;
        spci_keep_place(w, island, false);
    }
    if (e < f->best) {
        f->best = e;
        spci_keep_best(w, island, false);
    }
}

/* Newton steps from the impulses that are there, until some in a row do not halve the residual; far
   from the solution until they do not make it smaller. Have they come to an end? */
static bool spci_chase(spc_world *w, spci_island *island, spci_search_state *f)
{
    int bad = 0;
    while (bad < SPCI_MOST_BAD && f->steps < SPCI_MOST_NEWTON && !(f->best <= SPCI_SIDES_SOLVED)) {
        const spc_real last = f->last;
        spci_newton(w, island, last);
        spci_note_sides(w, island, f);
        f->steps++;
        if (f->now < last / 2)
            bad = 0;
        else if (f->now < last && !(last <= SPCI_SIDES_NEARLY))
            bad = 1;
        else
            bad = f->now <= SPCI_MAX ? bad + 1 : SPCI_MOST_BAD;
    }
    return f->best <= (bad < SPCI_MOST_BAD ? SPCI_SIDES_SOLVED : SPCI_SIDES_NEARLY) ||
           f->steps >= SPCI_MOST_NEWTON || f->all >= SPCI_ALL_SWEEPS;
}

/* The impulses of an island, from those that are there, with delta. Gives the residual over the
   velocities. */
static spc_real spci_solve_sides(spc_world *w, spci_island *island)
{
    spci_search_state f = { 0, 0, 0, 0, SPCI_FIRST_SWEEPS, 0 };
    bool gains = false; /* do sweeps that joints are in lead on, where Newton's method does not? */
    bool anew;
    int round = 0;
    f.best = f.last = f.now = spci_sides_left(w, island);
    if (f.best <= SPCI_SIDES_SOLVED)
        return 0;
    if (island->node_count == 1 && spci_one_sided_of(w, spci_island_node(w, island, 0))) {
        spci_sweep(w, island, false);
        return spci_sides_left(w, island);
    }
    spci_keep_best(w, island, false);
    spci_keep_place(w, island, false);
    for (;;) {
        const spc_real before = f.last, best = f.best;
        if (spci_chase(w, island, &f) && !(gains && f.best > SPCI_SIDES_SOLVED))
            break;
        if (!(f.last < before / 10) && f.sweeps < SPCI_MOST_SWEEPS)
            f.sweeps *= 2;
        anew = round++ == 2 && !(f.best <= SPCI_SIDES_NEARLY);
        gains = spci_sweep_on(w, island, f.sweeps, anew);
        f.all += f.sweeps;
        f.last = SPCI_MAX;
        spci_note_sides(w, island, &f);
        gains = gains && f.best < best / 2 && f.all < SPCI_ALL_SWEEPS;
        if (!(f.now < SPCI_MAX))
            break;
    }
    if (!(f.now <= f.best))
        spci_keep_best(w, island, true);
    return f.best;
}

/* ---- clumps

   Contacts that are open bind nothing. What hangs together by others is a clump, and is solved for
   by itself: while that is done, its bodies and nodes stand together behind the orders, in the
   same order of elimination, so that no block is wanted that there is none of. A body that one
   constraint binds needs no hub then, and a contact that is alone no factor. What follows is the
   work of a moment, and nothing of it is kept.
*/

/* A part of an island, or all of it. */
typedef struct spci_stretch {
    int first_body, body_count, first_node, node_count;
    int vectors, own, length, hubs, joints, first_loop;
    bool dropped;
} spci_stretch;

/* The clumps of an island: where the next ones begin, and where bodies end. */
typedef struct spci_clumps {
    spci_stretch whole;
    int body, node, vectors, own, end;
    int place; /* where its nodes stand in their order, and those of clumps behind the orders */
    bool dropped, joined; /* some pivot is left out; there are joints, whose vectors move along */
} spci_clumps;

static void spci_get_span(const spci_island *island, spci_stretch *span)
{
    span->first_body = island->first_body;
    span->body_count = island->body_count;
    span->first_node = island->first_node;
    span->node_count = island->node_count;
    span->vectors = island->vectors;
    span->own = island->own;
    span->length = island->length;
    span->hubs = island->hubs;
    span->joints = island->joints;
    span->first_loop = island->first_loop;
    span->dropped = island->dropped;
}

static void spci_set_span(spci_island *island, const spci_stretch *span)
{
    island->first_body = span->first_body;
    island->body_count = span->body_count;
    island->first_node = span->first_node;
    island->node_count = span->node_count;
    island->vectors = span->vectors;
    island->own = span->own;
    island->length = span->length;
    island->hubs = span->hubs;
    island->joints = span->joints;
    island->first_loop = span->first_loop;
    island->dropped = span->dropped;
}

/* Does a constraint bind its bodies? */
static bool spci_binds(spc_world *w, const spci_node *node)
{
    return node->constraint >= 0 && (!spci_one_sided_of(w, node) ||
                                     spci_side_at(w, node->constraint)->takes_part);
}

/* The body that stands for the clump of a body. */
static int spci_clump_of(spc_world *w, int body)
{
    while (spci_work_at(w, body)->clump != body) {
        spci_work *work = spci_work_at(w, body);
        work->clump = spci_work_at(w, work->clump)->clump;
        body = work->clump;
    }
    return body;
}

/* The clump that a node is in; 0: none. */
static int spci_clump_of_node(spc_world *w, const spci_node *node)
{
    const int body = node->a ? node->a : node->b;
    if (node->constraint < 0 ? spci_work_at(w, body)->live < 2 : !spci_binds(w, node))
        return 0;
    return spci_clump_of(w, body);
}

/* Finds which bodies hang together. The one of an island's clump that comes first stands for it. */
static void spci_join_bodies(spc_world *w, const spci_island *island)
{
    int i, end;
    for (i = 0; i < island->body_count; i++) {
        const int body = spci_body_order(w)[island->first_body + i];
        spci_work *work = spci_work_at(w, body);
        work->clump = body;
        work->live = work->child = work->sibling = 0;
    }
    for (i = 0; i < island->node_count; i++) {
        const spci_node *node = spci_island_node(w, island, i);
        int a, b;
        if (!spci_binds(w, node))
            continue;
        for (end = 0; end < 2; end++)
            if (end ? node->b : node->a)
                spci_work_at(w, end ? node->b : node->a)->live++;
        if (!node->a || !node->b)
            continue;
        a = spci_clump_of(w, node->a);
        b = spci_clump_of(w, node->b);
        if (spci_work_at(w, a)->rank < spci_work_at(w, b)->rank)
            spci_work_at(w, b)->clump = a;
        else
            spci_work_at(w, a)->clump = b;
    }
}

/* Lists an island's bodies and nodes clump by clump; place: of its nodes in their order. Returns
   where bodies end. */
static int spci_list_clumps(spc_world *w, const spci_island *island, int place)
{
    int *bodies = spci_body_order(w), *nodes = spci_node_order(w), i, c;
    int end = w->body_capacity + island->first_body;
    int end_nodes = w->node_capacity + place;
    for (i = 0; i < island->body_count; i++)
        spci_work_at(w, spci_clump_of(w, bodies[island->first_body + i]))->child++;
    for (i = 0; i < island->node_count; i++) {
        c = spci_clump_of_node(w, spci_island_node(w, island, i));
        if (c)
            spci_work_at(w, c)->sibling++;
    }
    for (i = 0; i < island->body_count; i++) {
        const int body = bodies[island->first_body + i];
        spci_work *work = spci_work_at(w, spci_clump_of(w, body));
        if (work->live == 0)
            continue;
        if (work == spci_work_at(w, body)) {
            work->loops = end;
            work->depth = end_nodes;
            end += work->child;
            end_nodes += work->sibling;
        }
        bodies[work->loops++] = body;
    }
    for (i = 0; i < island->node_count; i++) {
        c = spci_clump_of_node(w, spci_island_node(w, island, i));
        if (c)
            nodes[spci_work_at(w, c)->depth++] = nodes[island->first_node + i];
    }
    return end;
}

/* Where an island's nodes stand in the order of elimination, and what is eliminated into each. */
static void spci_place_order(spc_world *w, const spci_island *island)
{
    int i, k;
    for (i = 0; i < island->node_count; i++) {
        spci_node *node = spci_island_node(w, island, i);
        node->position = node->first = island->first_node + i;
    }
    for (i = 0; i + 1 < island->node_count; i++) { /* behind the last there is none */
        const spci_node *node = spci_island_node(w, island, i);
        const int *below = spci_pool_ints(w, node->below) + 1;
        for (k = 0; k < node->below_count; k++, below += 2) {
            spci_node *u = spci_node_at(w, spci_below(*below));
            if (u->position < island->first_node)
                continue;
            u->first = node->first < u->first ? node->first : u->first;
            break;
        }
    }
}

/* Goes to the next clump of an island, which the island is then; place: and gives it its place.
   False if that was the last; the island is whole again. */
static bool spci_next_clump(spc_world *w, spci_island *island, spci_clumps *clumps, bool place)
{
    const spci_work *first;
    clumps->dropped = clumps->dropped || island->dropped;
    if (clumps->body == clumps->end) {
        spci_set_span(island, &clumps->whole);
        island->dropped = clumps->dropped;
        return false;
    }
    first = spci_work_at(w, spci_clump_of(w, spci_body_order(w)[clumps->body]));
    island->dropped = false;
    island->first_body = clumps->body;
    island->body_count = first->child;
    island->first_node = clumps->node;
    island->node_count = first->sibling;
    if (place) {
        spci_place_vectors(w, island, clumps->vectors, clumps->own, clumps->joined);
        spci_place_order(w, island);
    } else {
        island->vectors = clumps->vectors;
        island->own = clumps->own;
        spci_measure_vectors(w, island);
    }
    spci_link_loops(w, island);
    clumps->body += island->body_count;
    clumps->node += island->node_count;
    clumps->vectors += island->length;
    clumps->own += island->length - island->joints;
    return true;
}

/* Before the first clump. */
static void spci_begin_clumps(const spc_world *w, spci_island *island, spci_clumps *clumps)
{
    clumps->body = w->body_capacity + clumps->whole.first_body;
    clumps->node = w->node_capacity + clumps->place;
    clumps->vectors = clumps->whole.vectors;
    clumps->own = clumps->whole.own;
    clumps->dropped = island->dropped = false;
}

/* Vectors that are kept stand in those before them for a while, of which nothing is left then. */
static void spci_lift_vectors(spc_world *w, const spci_island *island)
{
    spci_copy(spci_all(w, island, SPCI_LAMBDA), spci_all(w, island, SPCI_BEFORE),
              (int)SPCI_KEPT * island->stride);
}

static void spci_lower_vectors(spc_world *w, const spci_island *island)
{
    spci_clear(spci_all(w, island, SPCI_RHO), (int)SPCI_BEFORE * island->stride);
}

/* Divides an island that is whole into its clumps. */
static void spci_find_clumps(spc_world *w, spci_island *island, spci_clumps *clumps)
{
    int i, vectors, own;
    spci_join_bodies(w, island);
    clumps->end = spci_list_clumps(w, island, clumps->place);
    clumps->joined = false;
    for (i = 0; i < island->node_count; i++) {
        spci_node *node = spci_island_node(w, island, i);
        const int body = node->a;
        clumps->joined =
            clumps->joined || (node->constraint >= 0 && !spci_one_sided_of(w, node));
        node->position = -1;
        node->dropped = 0;
        if (node->constraint < 0)
            spci_work_at(w, body)->hub = spci_work_at(w, body)->live < 2
                                             ? -1
                                             : spci_node_order(w)[island->first_node + i];
    }
    spci_get_span(island, &clumps->whole);
    if (clumps->joined)
        spci_lift_vectors(w, island);
    spci_begin_clumps(w, island, clumps);
    while (spci_next_clump(w, island, clumps, true))
        ;
    vectors = clumps->vectors;
    own = clumps->own;
    for (i = 0; i < island->node_count; i++) { /* others stand behind them */
        spci_node *node = spci_island_node(w, island, i);
        if (node->position >= 0)
            continue;
        spci_place_vector(w, node, vectors, clumps->joined);
        node->own = own;
        vectors += node->size;
        own += node->loop ? node->size : 0;
    }
    if (clumps->joined)
        spci_lower_vectors(w, island);
}

/* Makes an island one again. */
static void spci_join_clumps(spc_world *w, spci_island *island, const spci_clumps *clumps)
{
    int i;
    if (clumps->joined)
        spci_lift_vectors(w, island);
    spci_place_vectors(w, island, island->vectors, island->own, clumps->joined);
    if (clumps->joined)
        spci_lower_vectors(w, island);
    spci_place_order(w, island);
    spci_link_loops(w, island);
    for (i = 0; i < island->node_count; i++) {
        const spci_node *node = spci_island_node(w, island, i);
        if (node->constraint < 0)
            spci_work_at(w, node->a)->hub = spci_node_order(w)[island->first_node + i];
    }
}

/* ===================================================== [7i] WORLD, IMPLEMENTATION ============= */

#if SPHERECONTACT_VERSION_MAJOR > 255 || SPHERECONTACT_VERSION_MINOR > 255 || \
    SPHERECONTACT_VERSION_PATCH > 255
#error "a number of the version needs more than a byte in the head of a world"
#endif

/* More of anything is refused: offsets into the pool are ints. */
#define SPCI_MOST_OBJECTS 16777216
#define SPCI_MOST_SOLVER_BYTES 1073741824u
#define SPCI_MOST_REALS 2147483647u

/* Places `count` objects of `size` bytes at the aligned end, and moves the end behind them. */
static size_t spci_place(unsigned long long *end, int count, size_t size)
{
    const unsigned long long at = *end;
    const unsigned long long bytes = (unsigned long long)count * size;
    *end = at + (bytes + SPC_WORLD_ALIGNMENT - 1) / SPC_WORLD_ALIGNMENT * SPC_WORLD_ALIGNMENT;
    return (size_t)at;
}

static spc_status spci_world_desc_check(const spc_world_desc *d)
{
    if (!d)
        return SPC_ERROR_NULL;
    if (d->bodies < 0 || d->bodies > SPCI_MOST_OBJECTS || d->constraints < 0 ||
        d->constraints > SPCI_MOST_OBJECTS || d->rows < 0 || d->rows > SPCI_MOST_OBJECTS ||
        d->solver_bytes > SPCI_MOST_SOLVER_BYTES)
        return SPC_ERROR_BAD_CAPACITY;
    if (!spci_finite_vec3(d->gravity))
        return SPC_ERROR_NOT_FINITE;
    return spci_stabilization_check(&d->stabilization, (1u << SPC_MAX_ROWS) - 1);
}

/* How many constraints the default lets be connected in any way, and how many it has all rows
   for. */
#define SPCI_CLUSTER 8
#define SPCI_ALL_ROWS 32

/* Reals in the pool for trees of so many bodies, constraints and rows, and for rings. Of a tree
   each row has one or two of the Jacobian, two of blocks below hubs or joints, one of the diagonal
   block, and the vectors; each hub its block and vectors; each constraint T, two edges, and lists.
   A ring brings a loop to each of its hubs and joints, with as many rows as these: two blocks for
   each constraint, of six rows and its own, with two edges, and three ints more in either list. */
static unsigned long long spci_base_pool(int bodies, int constraints, int rows)
{
    const unsigned long long widest = (unsigned)(rows < SPC_MAX_ROWS ? rows : SPC_MAX_ROWS);
    const unsigned long long joints = (unsigned)constraints, n = (unsigned)rows;
    const unsigned long long own =
        n * ((bodies > 1 ? 12 : 6) + widest + SPCI_VECTORS) + 18 * joints;
    const int ends = bodies < constraints ? bodies : constraints;
    const unsigned long long hubs = ends > 0 ? (unsigned)ends - 1 : 0; /* one is a leaf */
    const unsigned long long edge = (unsigned)spci_reals_of(sizeof(spci_edge));
    const unsigned long long one = (unsigned)spci_reals_of(sizeof(int));
    if (constraints < 2)
        return own;
    return own + n * (12 + 6 + widest) + hubs * (36 + 6 * SPCI_VECTORS) + joints * 4 * edge +
           (hubs + joints) * (unsigned)spci_reals_of(2 * sizeof(int)) + (hubs + 2 * joints) * one +
           joints * 2 * (unsigned)spci_reals_of(3 * sizeof(int));
}

/* Bytes for SPCI_CLUSTER constraints that are connected in any way, beside those of spci_base_pool.
   C constraints with b bodies have b - 1 joints at least, and L = C - b + 1 loops at most, each of
   which meets b hubs, b - 1 joints and the other loops. Its rows have brought room for four blocks,
   so that L (2b - 5) + L (L - 1) / 2 are left, which is less than (2C - 3)^2 / 6 for any L. */
static size_t spci_cluster_bytes(int constraints)
{
    const size_t n = (size_t)(constraints < SPCI_CLUSTER ? constraints : SPCI_CLUSTER);
    const size_t blocks = (2 * n - 3) * (2 * n - 3) / 6 + 1, nodes = 2 * n;
    const size_t loops = n * SPC_MAX_ROWS * (size_t)SPCI_LOOP_VECTORS;
    const size_t ints = nodes * (nodes - 1) * (nodes + 4) / 6; /* of pairs, and two for each */
    const size_t hub = 36 + 6 * (size_t)SPCI_VECTORS;
    if (n < 2)
        return 0;
    return (blocks * (36 + (size_t)spci_reals_of(sizeof(spci_edge))) + loops + hub) *
               sizeof(spc_real) +
           (ints + 2 * nodes) * sizeof(int);
}

/* Where everything stands; false if it cannot be addressed. */
static bool spci_layout(const spc_world_desc *d, spc_world *w)
{
    unsigned long long end = 0, pool;
    (void)spci_place(&end, 1, sizeof(spc_world));
    w->body_capacity = d->bodies;
    w->constraint_capacity = d->constraints;
    w->row_capacity = d->rows;
    w->node_capacity = d->constraints; /* and hubs, which are bodies of two constraints or more */
    if (d->constraints > 1)
        w->node_capacity += d->bodies < d->constraints ? d->bodies : d->constraints;
    pool = spci_base_pool(d->bodies, d->constraints, d->rows) + d->solver_bytes / sizeof(spc_real);
    if (pool > SPCI_MOST_REALS)
        return false;
    w->pool_capacity = (int)pool;
    (void)spci_place(&end, d->bodies, sizeof(spci_body));
    w->states_at = spci_place(&end, 2 * spci_groups(d->bodies), sizeof(spci_states));
    w->constraints_at = spci_place(&end, d->constraints, sizeof(spci_constraint));
    w->row_sums_at = spci_place(&end, d->constraints, sizeof(int));
    w->structure_at = spci_place(&end, 1, sizeof(spci_structure));
    w->work_at = spci_place(&end, d->bodies, sizeof(spci_work));
    w->sums_at = spci_place(&end, d->bodies, sizeof(spci_sums));
    w->nodes_at = spci_place(&end, w->node_capacity, sizeof(spci_node));
    w->sides_at = spci_place(&end, d->constraints, sizeof(spci_side));
    w->slides_at = spci_place(&end, spci_slides_room(d->constraints), sizeof(spc_real));
    w->islands_at = spci_place(&end, d->bodies, sizeof(spci_island));
    w->balls_at = spci_place(&end, spci_groups(d->bodies), sizeof(spci_balls));
    w->others_at = spci_place(&end, d->bodies, sizeof(int));
    w->body_order_at = spci_place(&end, 3 * d->bodies, sizeof(int));
    w->node_order_at = spci_place(&end, 3 * w->node_capacity, sizeof(int));
    w->node_of_at = spci_place(&end, d->constraints, sizeof(int));
    w->queue_at = spci_place(&end, d->bodies, sizeof(int));
    w->pool_at = spci_place(&end, w->pool_capacity, sizeof(spc_real));
    w->bytes = (size_t)end;
    return end < (unsigned long long)((size_t)-1) / 2;
}

SPC_API spc_world_desc spc_world_desc_default(int bodies, int constraints)
{
    spc_world_desc d;
    const bool valid = constraints >= 0 && constraints <= SPCI_MOST_OBJECTS / 3 - SPCI_ALL_ROWS;
    const int all = constraints < SPCI_ALL_ROWS ? constraints : SPCI_ALL_ROWS;
    d.bodies = bodies;
    d.constraints = constraints;
    d.rows = valid ? 3 * (constraints + all) : -1;
    d.solver_bytes = valid ? spci_cluster_bytes(constraints) : 0;
    d.gravity = spc_vec3_make(0, 0, 0);
    d.stabilization = spc_stabilization_default();
    return d;
}

SPC_API size_t spc_world_size(const spc_world_desc *desc)
{
    spc_world w;
    if (spci_world_desc_check(desc) || !spci_layout(desc, &w))
        return 0;
    return w.bytes;
}

/* How the types that a world is made of are aligned: by the offsets. */
typedef struct spci_alignment {
    char before_real;
    spc_real number;
    char before_size;
    size_t size;
    char before_pointer;
    void *pointer;
    char before_long;
    unsigned long long longest;
    char before_int;
    int integer;
} spci_alignment;

/* A number for the layout of a world (FNV-1a): sizes and alignment of what it is made of, and sizes
   of the structs. It differs between builds that place anything differently. */
static unsigned spci_layout_number(void)
{
    static const size_t parts[] = {
        sizeof(int),
        sizeof(size_t),
        sizeof(bool),
        sizeof(spc_motion),
        sizeof(spc_body_kind),
        sizeof(spc_constraint_kind),
        sizeof(spci_symmetry),
        offsetof(spci_alignment, number),
        offsetof(spci_alignment, size),
        offsetof(spci_alignment, pointer),
        offsetof(spci_alignment, longest),
        offsetof(spci_alignment, integer),
        sizeof(spc_world),
        sizeof(spc_state),
        sizeof(spci_states),
        sizeof(spci_balls),
        sizeof(spci_body),
        sizeof(spci_shape),
        sizeof(spci_constraint),
        sizeof(spci_structure),
        sizeof(spci_work),
        sizeof(spci_sums),
        sizeof(spci_node),
        sizeof(spci_edge),
        sizeof(spci_island),
        sizeof(spci_side),
        SPCI_SLIDES,
        SPCI_VECTORS
    };
    unsigned number = 2166136261u;
    size_t i;
    for (i = 0; i < sizeof parts / sizeof *parts; i++)
        number = (number ^ (unsigned)parts[i]) * 16777619u;
    return number;
}

/* The head of a world of this build. Byte by byte, so that every build reads the same. */
static void spci_head(unsigned char *head)
{
    const unsigned one = 1, layout = spci_layout_number();
    head[0] = 'S';
    head[1] = 'P';
    head[2] = 'C';
    head[3] = 'W';
    head[4] = SPHERECONTACT_VERSION_MAJOR;
    head[5] = SPHERECONTACT_VERSION_MINOR;
    head[6] = SPHERECONTACT_VERSION_PATCH;
    head[7] = (unsigned char)sizeof(spc_real);
    head[8] = (unsigned char)sizeof(void *);
    head[9] = *(const unsigned char *)&one; /* 1 where the lowest byte comes first, else 0 */
    head[10] = head[11] = 0;
    head[12] = (unsigned char)(layout & 255u);
    head[13] = (unsigned char)(layout >> 8 & 255u);
    head[14] = (unsigned char)(layout >> 16 & 255u);
    head[15] = (unsigned char)(layout >> 24 & 255u);
}

/* Is this the head of a world of this build? */
static bool spci_is_head(const unsigned char *head)
{
    unsigned char own[SPCI_HEAD];
    unsigned off = 0;
    int i;
    spci_head(own);
    for (i = 0; i < SPCI_HEAD; i++)
        off |= (unsigned)(head[i] ^ own[i]);
    return off == 0;
}

/* Do all offsets follow from the capacities? */
static bool spci_is_laid_out(const spc_world *w)
{
    spc_world_desc d;
    spc_world own;
    unsigned long long base;
    size_t off;
    d.bodies = w->body_capacity;
    d.constraints = w->constraint_capacity;
    d.rows = w->row_capacity;
    d.solver_bytes = 0;
    d.gravity = spc_vec3_make(0, 0, 0);
    d.stabilization = spc_stabilization_default();
    if (spci_world_desc_check(&d) || w->pool_capacity < 0)
        return false;
    base = spci_base_pool(d.bodies, d.constraints, d.rows);
    if ((unsigned)w->pool_capacity < base)
        return false;
    d.solver_bytes = (size_t)((unsigned)w->pool_capacity - base) * sizeof(spc_real);
    if (spci_world_desc_check(&d) || !spci_layout(&d, &own))
        return false;
    off = (w->constraints_at ^ own.constraints_at) | (w->structure_at ^ own.structure_at) |
          (w->work_at ^ own.work_at) | (w->states_at ^ own.states_at) | (w->sums_at ^ own.sums_at) |
          (w->balls_at ^ own.balls_at) | (w->others_at ^ own.others_at) |
          (w->nodes_at ^ own.nodes_at) | (w->islands_at ^ own.islands_at) |
          (w->body_order_at ^ own.body_order_at) | (w->node_order_at ^ own.node_order_at) |
          (w->sides_at ^ own.sides_at) | (w->slides_at ^ own.slides_at) |
          (w->queue_at ^ own.queue_at) | (w->pool_at ^ own.pool_at) | (w->bytes ^ own.bytes) |
          (size_t)(unsigned)(w->node_capacity ^ own.node_capacity) |
          (size_t)(unsigned)(w->pool_capacity ^ own.pool_capacity);
    return off == 0;
}

static bool spci_in_range(int i, int least, int most)
{
    return i >= least && i <= most;
}

/* Are as many bodies, constraints and rows there as there is room for? Ground is no free body. */
static bool spci_counts_fit(const spc_world *w)
{
    return spci_in_range(w->body_slots, 0, w->body_capacity) &&
           spci_in_range(w->constraint_slots, 0, w->constraint_capacity) &&
           spci_in_range(w->rows, 0, w->row_capacity) &&
           spci_in_range(w->free_body, -1, w->body_slots) && w->free_body != 0 &&
           spci_in_range(w->free_constraint, -1, w->constraint_slots - 1);
}

static bool spci_is_aligned(const void *memory)
{
    return (size_t)memory % SPC_WORLD_ALIGNMENT == 0;
}

SPC_API spc_status spc_world_create(void *memory, size_t bytes, const spc_world_desc *desc,
                                    spc_world **world)
{
    /* volatile: the loop must not become a call of a C library */
    volatile unsigned char *out = (volatile unsigned char *)memory;
    spc_world *w = (spc_world *)memory;
    const spc_status status = spci_world_desc_check(desc);
    const size_t size = spc_world_size(desc);
    size_t i;
    if (!memory || !world)
        return SPC_ERROR_NULL;
    if (status)
        return status;
    if (size == 0)
        return SPC_ERROR_BAD_CAPACITY;
    if (!spci_is_aligned(memory))
        return SPC_ERROR_MEMORY_MISALIGNED;
    if (bytes < size)
        return SPC_ERROR_MEMORY_TOO_SMALL;
    for (i = 0; i < size; i++)
        out[i] = 0;
    (void)spci_layout(desc, w);
    spci_head(w->head);
    w->free_body = w->free_constraint = -1;
    w->topology = 1;
    w->gravity = desc->gravity;
    spci_copy_stabilization(&desc->stabilization, &w->stabilization);
    *world = w;
    return SPC_OK;
}

SPC_API spc_status spc_world_open(void *memory, size_t bytes, spc_world **world)
{
    spc_world *w = (spc_world *)memory;
    if (!memory || !world)
        return SPC_ERROR_NULL;
    if (!spci_is_aligned(memory))
        return SPC_ERROR_MEMORY_MISALIGNED;
    if (bytes < SPCI_HEAD)
        return SPC_ERROR_MEMORY_TOO_SMALL;
    if (!spci_is_head((const unsigned char *)memory)) /* whose world may be smaller */
        return SPC_ERROR_NOT_A_WORLD;
    if (bytes < sizeof *w)
        return SPC_ERROR_MEMORY_TOO_SMALL;
    if (!spci_is_laid_out(w) || !spci_counts_fit(w))
        return SPC_ERROR_NOT_A_WORLD;
    if (bytes < w->bytes)
        return SPC_ERROR_MEMORY_TOO_SMALL;
    *world = w;
    return SPC_OK;
}

/* Bytes that the structure needs beside so many reals of the pool. */
static size_t spci_solver_bytes(const spc_world *w, unsigned long long base)
{
    const unsigned long long needed = spci_const_structure_of(w)->pool_needed;
    return needed > base ? (size_t)(needed - base) * sizeof(spc_real) : 0;
}

SPC_API size_t spc_world_solver_bytes(spc_world *world)
{
    if (!world)
        return 0;
    (void)spci_find_structure(world);
    return spci_solver_bytes(world, spci_base_pool(world->body_capacity, world->constraint_capacity,
                                                   world->row_capacity));
}

SPC_API spc_status spc_world_fitting_desc(spc_world *world, spc_world_desc *desc)
{
    spc_body body = { 0, 0 };
    spc_constraint constraint = { 0, 0 };
    unsigned long long base;
    if (!world || !desc)
        return SPC_ERROR_NULL;
    (void)spci_find_structure(world);
    desc->bodies = desc->constraints = 0;
    while (spc_body_next(world, &body))
        desc->bodies++;
    while (spc_constraint_next(world, &constraint))
        desc->constraints++;
    desc->rows = world->rows;
    base = spci_base_pool(desc->bodies, desc->constraints, desc->rows);
    desc->solver_bytes = spci_solver_bytes(world, base);
    desc->gravity = world->gravity;
    spci_copy_stabilization(&world->stabilization, &desc->stabilization);
    return SPC_OK;
}

SPC_API size_t spc_world_snapshot_size(const spc_world *world)
{
    return world ? world->bytes : 0;
}

/* A hash begins with this (FNV-1a by words, with a shift that carries high bits down). */
#define SPCI_HASH 14695981039346656037ull

static unsigned long long spci_hash_word(unsigned long long hash, unsigned long long word)
{
    hash = (hash ^ word) * 1099511628211ull;
    return hash ^ (hash >> 29);
}

/* A number by its bits. */
typedef union spci_real_bits {
    spc_real number;
#ifdef SPC_USE_FLOAT
    unsigned bits;
#else
    unsigned long long bits;
#endif
} spci_real_bits;

static unsigned long long spci_hash_real(unsigned long long hash, spc_real x)
{
    spci_real_bits u;
    u.number = x + 0; /* -0 becomes 0 */
    return spci_hash_word(hash, u.bits);
}

static unsigned long long spci_hash_vec3(unsigned long long hash, spc_vec3 v)
{
    return spci_hash_real(spci_hash_real(spci_hash_real(hash, v.x), v.y), v.z);
}

SPC_API unsigned long long spc_world_hash(const spc_world *world)
{
    unsigned long long hash = SPCI_HASH;
    int i;
    if (!world)
        return 0;
    hash = spci_hash_real(hash, world->clock.time);
    hash = spci_hash_real(hash, world->clock.rest);
    for (i = 1; i <= world->body_slots; i++) {
        spc_state state;
        if (!spci_in_use(spci_const_body_at(world, i)->generation))
            continue;
        state = spci_get_state(world, i);
        hash = spci_hash_real(hash, (spc_real)i);
        hash = spci_hash_real(hash, state.X_GB.q.w);
        hash = spci_hash_real(hash, state.X_GB.q.x);
        hash = spci_hash_real(hash, state.X_GB.q.y);
        hash = spci_hash_real(hash, state.X_GB.q.z);
        hash = spci_hash_vec3(hash, state.X_GB.p);
        hash = spci_hash_vec3(hash, state.V_GB.angular);
        hash = spci_hash_vec3(hash, state.V_GB.linear);
    }
    return hash;
}

SPC_API spc_status spc_world_set_gravity(spc_world *world, spc_vec3 gravity)
{
    if (!world)
        return SPC_ERROR_NULL;
    if (!spci_finite_vec3(gravity))
        return SPC_ERROR_NOT_FINITE;
    world->gravity = gravity;
    return SPC_OK;
}

SPC_API spc_vec3 spc_world_gravity(const spc_world *world)
{
    return world ? world->gravity : spc_vec3_make(0, 0, 0);
}

SPC_API spc_status spc_world_get_stabilization(const spc_world *world,
                                               spc_stabilization *stabilization)
{
    if (!world || !stabilization)
        return SPC_ERROR_NULL;
    *stabilization = world->stabilization;
    return SPC_OK;
}

SPC_API spc_status spc_world_set_stabilization(spc_world *world,
                                               const spc_stabilization *stabilization)
{
    spc_status status;
    if (!world || !stabilization)
        return SPC_ERROR_NULL;
    status = spci_stabilization_check(stabilization, (1u << SPC_MAX_ROWS) - 1);
    if (!status)
        spci_copy_stabilization(stabilization, &world->stabilization);
    return status;
}

SPC_API spc_real spc_world_time(const spc_world *world)
{
    return world ? world->clock.time : 0;
}

/* The clock after h: the rounding of a sum of two numbers is a number (Knuth 1998, 4.2.2), so that
   nothing of h is lost. */
static spci_clock spci_clock_after(const spc_world *w, spc_real h)
{
    const spc_real t = w->clock.time, sum = t + h, added = sum - t;
    const spc_real lost = (t - (sum - added)) + (h - added), rest = w->clock.rest + lost;
    spci_clock after;
    after.time = sum + rest;
    after.rest = rest - (after.time - sum);
    return after;
}

/* The structure must be found again. */
static void spci_touch(spc_world *w)
{
    w->topology++;
    if (w->topology == 0)
        w->topology = 1;
}

/* --------------------------------------------- [7i.1] WORLD: BODIES, IMPLEMENTATION ----------- */

SPC_API spc_body_desc spc_body_desc_default(void)
{
    spc_body_desc d;
    d.kind = SPC_DYNAMIC;
    d.mass = spci_mass_centred(0, 0, 0, 0);
    d.state = spc_state_identity();
    d.motion = NULL;
    d.user = NULL;
    d.id = 0;
    return d;
}

static spc_body spci_body_handle(const spc_world *w, int i)
{
    spc_body body;
    body.index = (unsigned)i;
    body.generation = i ? spci_const_body_at(w, i)->generation : 0;
    return body;
}

SPC_API bool spc_body_exists(const spc_world *world, spc_body body)
{
    if (!world)
        return false;
    if (body.index == 0)
        return body.generation == 0;
    return body.index <= (unsigned)world->body_slots && spci_in_use(body.generation) &&
           spci_const_body_at(world, (int)body.index)->generation == body.generation;
}

SPC_API bool spc_body_next(const spc_world *world, spc_body *body)
{
    unsigned i;
    if (!world || !body)
        return false;
    for (i = body->index; i < (unsigned)world->body_slots; i++) {
        if (!spci_in_use(spci_const_body_at(world, (int)i + 1)->generation))
            continue;
        *body = spci_body_handle(world, (int)i + 1);
        return true;
    }
    return false;
}

SPC_API spc_status spc_body_get_id(const spc_world *world, spc_body body, unsigned *id)
{
    if (!world || !id)
        return SPC_ERROR_NULL;
    if (!spc_body_exists(world, body))
        return SPC_ERROR_STALE_BODY;
    *id = body.index ? spci_const_body_at(world, (int)body.index)->id : 0;
    return SPC_OK;
}

SPC_API spc_status spc_body_find_id(const spc_world *world, unsigned id, spc_body *body)
{
    spc_body b;
    b.index = b.generation = 0;
    if (!world || !body)
        return SPC_ERROR_NULL;
    while (spc_body_next(world, &b)) {
        if (id == 0 || spci_const_body_at(world, (int)b.index)->id != id)
            continue;
        *body = b;
        return SPC_OK;
    }
    return SPC_ERROR_NOT_FOUND;
}

/* A state and an acceleration that a body can take; makes the quaternion unit. */
static spc_status spci_accept_pose(spc_transform *X)
{
    if (!spci_finite_vec3(X->p))
        return SPC_ERROR_NOT_FINITE;
    return spc_quat_normalize(X->q, &X->q);
}

/* Asks a motion callback. */
static spc_status spci_ask_motion(spc_motion motion, void *user, spc_real time, spc_state *state,
                                  spc_spatial *A_GB)
{
    spc_state s = spc_state_identity();
    spc_spatial A = spci_spatial_zero();
    motion(time, user, &s, &A);
    if (spci_accept_pose(&s.X_GB) || !spci_finite_spatial(s.V_GB) || !spci_finite_spatial(A))
        return SPC_ERROR_BAD_MOTION;
    *state = s;
    *A_GB = A;
    return SPC_OK;
}

static spc_status spci_body_desc_check(const spc_world *w, const spc_body_desc *d, spc_state *state,
                                       spc_spatial *A_GB)
{
    spc_status status;
    if (d->kind != SPC_DYNAMIC && d->kind != SPC_KINEMATIC)
        return SPC_ERROR_BAD_OPTION;
    if (d->kind == SPC_DYNAMIC && d->motion)
        return SPC_ERROR_WRONG_BODY_KIND;
    if (d->motion)
        return spci_ask_motion(d->motion, d->user, w->clock.time, state, A_GB);
    if (d->kind == SPC_DYNAMIC) {
        status = spc_mass_check(&d->mass);
        if (status)
            return status;
    }
    *A_GB = spci_spatial_zero();
    *state = d->state;
    if (!spci_finite_spatial(state->V_GB))
        return SPC_ERROR_NOT_FINITE;
    return spci_accept_pose(&state->X_GB);
}

static spci_symmetry spci_symmetry_of(spc_inertia inertia)
{
    const bool xy = spci_equal(inertia.xx, inertia.yy), yz = spci_equal(inertia.yy, inertia.zz);
    if (!spci_equal(inertia.xy, 0) || !spci_equal(inertia.xz, 0) || !spci_equal(inertia.yz, 0))
        return SPCI_ASYMMETRIC;
    if (xy && yz)
        return SPCI_SPHERICAL;
    if (xy)
        return SPCI_TOP_Z;
    if (yz)
        return SPCI_TOP_X;
    return spci_equal(inertia.xx, inertia.zz) ? SPCI_TOP_Y : SPCI_ASYMMETRIC;
}

static void spci_body_take_mass(spci_body *body, const spc_mass *mass)
{
    const spc_inertia inertia = mass->inertia;
    body->mass = *mass;
    body->inv_mass = 1 / mass->mass;
    body->inv_inertia = spci_inertia_inverse(inertia);
    body->symmetry = spci_symmetry_of(inertia);
    body->centred = spci_is_zero_vec3(mass->p_BBc);
    if (body->symmetry == SPCI_SPHERICAL)
        body->inv_inertia = spci_inertia_diagonal(1 / inertia.xx, 1 / inertia.xx, 1 / inertia.xx);
}

static bool spci_bodies_full(const spc_world *w)
{
    return w->free_body < 0 && w->body_slots == w->body_capacity;
}

SPC_API spc_status spc_body_add(spc_world *world, const spc_body_desc *desc, spc_body *body)
{
    spc_state state;
    spc_spatial A_GB;
    spc_status status;
    spci_body *b;
    int i;
    if (!world || !desc || !body)
        return SPC_ERROR_NULL;
    status = spci_body_desc_check(world, desc, &state, &A_GB);
    if (status)
        return status;
    if (spci_bodies_full(world))
        return SPC_ERROR_BODIES_FULL;
    i = world->free_body > 0 ? world->free_body : ++world->body_slots;
    b = spci_body_at(world, i);
    world->free_body = world->free_body > 0 ? b->uses : -1;
    b->generation++;
    b->uses = 0;
    b->kind = desc->kind;
    spci_set_state(world, i, &state);
    b->A_GB = A_GB;
    b->one_step = b->lasting = spci_spatial_zero();
    b->centred = b->forced = false;
    b->motion = desc->motion;
    b->user = desc->user;
    b->id = desc->id;
    b->symmetry = SPCI_ASYMMETRIC;
    if (desc->kind == SPC_DYNAMIC)
        spci_body_take_mass(b, &desc->mass);
    if (!spci_attach_body(world, i))
        spci_touch(world);
    body->index = (unsigned)i;
    body->generation = b->generation;
    return SPC_OK;
}

/* The slot of a handle that must not be ground's. */
static spc_status spci_find_body(const spc_world *w, spc_body body, int *i)
{
    if (!w)
        return SPC_ERROR_NULL;
    if (!spc_body_exists(w, body))
        return SPC_ERROR_STALE_BODY;
    if (body.index == 0)
        return SPC_ERROR_GROUND;
    *i = (int)body.index;
    return SPC_OK;
}

/* The same for a body of one kind without a motion callback. */
static spc_status spci_find_body_of(const spc_world *w, spc_body body, spc_body_kind kind, int *i)
{
    const spc_status status = spci_find_body(w, body, i);
    if (status)
        return status;
    if (spci_const_body_at(w, *i)->kind != kind || spci_const_body_at(w, *i)->motion)
        return SPC_ERROR_WRONG_BODY_KIND;
    return SPC_OK;
}

SPC_API spc_status spc_body_set_id(spc_world *world, spc_body body, unsigned id)
{
    int i = 0;
    const spc_status status = spci_find_body(world, body, &i);
    if (!status)
        spci_body_at(world, i)->id = id;
    return status;
}

SPC_API spc_status spc_body_remove(spc_world *world, spc_body body)
{
    int i = 0;
    const spc_status status = spci_find_body(world, body, &i);
    spci_body *b;
    if (status)
        return status;
    b = spci_body_at(world, i);
    if (b->uses > 0)
        return SPC_ERROR_BODY_IN_USE;
    b->generation++;
    b->uses = world->free_body;
    world->free_body = i;
    if (!spci_detach_body(world, i))
        spci_touch(world);
    return SPC_OK;
}

SPC_API spc_status spc_body_get_state(const spc_world *world, spc_body body, spc_state *state)
{
    if (!world || !state)
        return SPC_ERROR_NULL;
    if (!spc_body_exists(world, body))
        return SPC_ERROR_STALE_BODY;
    *state = spci_get_state(world, (int)body.index);
    return SPC_OK;
}

SPC_API spc_vec3 spc_body_position(const spc_world *world, spc_body body)
{
    if (!spc_body_exists(world, body))
        return spc_vec3_make(0, 0, 0);
    return spci_get_state(world, (int)body.index).X_GB.p;
}

SPC_API spc_status spc_body_get_acceleration(const spc_world *world, spc_body body,
                                             spc_spatial *acceleration)
{
    if (!world || !acceleration)
        return SPC_ERROR_NULL;
    if (!spc_body_exists(world, body))
        return SPC_ERROR_STALE_BODY;
    *acceleration =
        body.index ? spci_const_body_at(world, (int)body.index)->A_GB : spci_spatial_zero();
    return SPC_OK;
}

SPC_API spc_status spc_body_set_pose(spc_world *world, spc_body body, spc_transform X_GB)
{
    int i = 0;
    spc_status status = spci_find_body(world, body, &i);
    if (status)
        return status;
    if (spci_body_at(world, i)->motion)
        return SPC_ERROR_WRONG_BODY_KIND;
    status = spci_accept_pose(&X_GB);
    if (status)
        return status;
    spci_set_pose(world, i, X_GB);
    return SPC_OK;
}

SPC_API spc_status spc_body_set_velocity(spc_world *world, spc_body body, spc_spatial V_GB)
{
    int i = 0;
    const spc_status status = spci_find_body(world, body, &i);
    if (status)
        return status;
    if (spci_body_at(world, i)->motion)
        return SPC_ERROR_WRONG_BODY_KIND;
    if (!spci_finite_spatial(V_GB))
        return SPC_ERROR_NOT_FINITE;
    spci_set_velocity(world, i, V_GB);
    return SPC_OK;
}

SPC_API spc_status spc_body_set_acceleration(spc_world *world, spc_body body, spc_spatial A_GB)
{
    int i = 0;
    const spc_status status = spci_find_body_of(world, body, SPC_KINEMATIC, &i);
    if (status)
        return status;
    if (!spci_finite_spatial(A_GB))
        return SPC_ERROR_NOT_FINITE;
    spci_body_at(world, i)->A_GB = A_GB;
    return SPC_OK;
}

/* A length that a step of any kind can have. */
static bool spci_is_step(spc_real h)
{
    return h > 0 && spci_finite(h) && spci_finite(1 / h);
}

SPC_API spc_status spc_body_move_to(spc_world *world, spc_body body, spc_transform X_GB, spc_real h)
{
    int i = 0;
    spc_status status = spci_find_body_of(world, body, SPC_KINEMATIC, &i);
    spc_transform now;
    spc_vec3 turn, way;
    spc_spatial V;
    if (status)
        return status;
    if (!spci_is_step(h))
        return SPC_ERROR_BAD_STEP;
    status = spci_accept_pose(&X_GB);
    if (status)
        return status;
    now = spci_get_state(world, i).X_GB;
    turn = spci_logarithm(spc_quat_mul(X_GB.q, spc_quat_conjugate(now.q)));
    way = spc_sub(X_GB.p, now.p);
    V = spc_spatial_make(spc_vec3_make(turn.x / h, turn.y / h, turn.z / h),
                         spc_vec3_make(way.x / h, way.y / h, way.z / h));
    if (!spci_finite_spatial(V))
        return SPC_ERROR_NOT_FINITE;
    spci_set_velocity(world, i, V);
    spci_body_at(world, i)->A_GB = spci_spatial_zero();
    return SPC_OK;
}

SPC_API spc_status spc_body_get_mass(const spc_world *world, spc_body body, spc_mass *mass)
{
    int i = 0;
    const spc_status status = spci_find_body_of(world, body, SPC_DYNAMIC, &i);
    if (status)
        return status;
    if (!mass)
        return SPC_ERROR_NULL;
    *mass = spci_const_body_at(world, i)->mass;
    return SPC_OK;
}

SPC_API spc_status spc_body_set_mass(spc_world *world, spc_body body, const spc_mass *mass)
{
    int i = 0;
    spc_status status = spci_find_body_of(world, body, SPC_DYNAMIC, &i);
    if (status)
        return status;
    status = spc_mass_check(mass);
    if (status)
        return status;
    spci_body_take_mass(spci_body_at(world, i), mass);
    spci_forget_lane(world, i);
    return SPC_OK;
}

/* A body's forces, in its lane. */
static void spci_fill_forces(spc_world *w, int i)
{
    const spci_body *body = spci_body_at(w, i);
    spci_balls *b = spci_balls_at(w, (i - 1) / SPCI_LANES);
    const spc_spatial F = spci_spatial_add(body->one_step, body->lasting);
    spci_put_lane(F.linear, b->force, spci_lane_of(i));
    spci_put_lane(F.angular, b->torque, spci_lane_of(i));
}

/* Adds to the applied forces; at_Bo is about the body's origin. */
static spc_status spci_apply(spc_world *w, int i, spc_spatial at_Bo, spc_duration duration)
{
    spci_body *b = spci_body_at(w, i);
    spc_spatial *applied = duration == SPC_LASTING ? &b->lasting : &b->one_step;
    const spc_spatial sum = spci_spatial_add(*applied, at_Bo);
    if (duration != SPC_ONE_STEP && duration != SPC_LASTING)
        return SPC_ERROR_BAD_OPTION;
    if (!spci_finite_spatial(sum))
        return SPC_ERROR_NOT_FINITE;
    *applied = sum;
    b->forced = true;
    spci_fill_forces(w, i);
    w->one_step_forces = w->one_step_forces || duration == SPC_ONE_STEP;
    return SPC_OK;
}

SPC_API spc_status spc_body_add_force(spc_world *world, spc_body body, spc_vec3 force_G,
                                      spc_vec3 p_B, spc_duration duration)
{
    int i = 0;
    const spc_status status = spci_find_body_of(world, body, SPC_DYNAMIC, &i);
    spc_vec3 arm;
    if (status)
        return status;
    arm = spc_rotate(spci_get_state(world, i).X_GB.q, p_B);
    return spci_apply(world, i, spc_spatial_make(spc_cross(arm, force_G), force_G), duration);
}

SPC_API spc_status spc_body_add_torque(spc_world *world, spc_body body, spc_vec3 torque_G,
                                       spc_duration duration)
{
    int i = 0;
    const spc_status status = spci_find_body_of(world, body, SPC_DYNAMIC, &i);
    if (status)
        return status;
    return spci_apply(world, i, spc_spatial_make(torque_G, spc_vec3_make(0, 0, 0)), duration);
}

SPC_API spc_status spc_body_clear_forces(spc_world *world, spc_body body)
{
    int i = 0;
    const spc_status status = spci_find_body_of(world, body, SPC_DYNAMIC, &i);
    if (status)
        return status;
    spci_body_at(world, i)->one_step = spci_body_at(world, i)->lasting = spci_spatial_zero();
    spci_body_at(world, i)->forced = false;
    spci_fill_forces(world, i);
    return SPC_OK;
}

/* ---------------------------------------- [7i.2] WORLD: CONSTRAINTS, IMPLEMENTATION ----------- */

/* Length of a name; more than SPC_MAX_NAME if it is too long. */
static int spci_name_length(const char *name)
{
    int n = 0;
    while (name && n <= SPC_MAX_NAME && name[n])
        n++;
    return n;
}

static void spci_constraint_take_name(spci_constraint *c, const char *name)
{
    const int length = spci_name_length(name);
    volatile char *out = c->name; /* else the loop might become a call of a C library */
    int i;
    for (i = 0; i < length; i++)
        out[i] = name[i];
    for (; i <= SPC_MAX_NAME; i++)
        out[i] = 0;
}

/* What the descriptions of all kinds say. */
typedef struct spci_common {
    spc_body a, b;
    bool enabled, conditional, one_sided;
    const char *name;
    const spc_contact_law *law;
} spci_common;

static spci_common spci_common_make(spc_body a, spc_body b, bool enabled, bool conditional,
                                    const char *name)
{
    spci_common common;
    common.a = a;
    common.b = b;
    common.enabled = enabled;
    common.conditional = conditional;
    common.name = name;
    common.one_sided = false;
    common.law = NULL;
    return common;
}

/* Rows in use of a constraint: 0 while disabled. */
static int spci_rows_in_use(const spci_constraint *c)
{
    return c->enabled ? spci_count_bits(spci_enforced(c->kind, &c->shape)) : 0;
}

/* The constraint in a slot has so many rows more in use. */
static void spci_count_rows(spc_world *w, int slot, int more)
{
    int i;
    for (i = slot + 1; i <= w->constraint_capacity; i += i & -i)
        *spci_row_sum(w, i) += more;
}

/* A constraint has been enabled, or is about to be disabled. */
static void spci_enter(spc_world *w, int slot)
{
    spci_forget_lanes(w, spci_constraint_at(w, slot));
    if (!spci_attach(w, slot))
        spci_touch(w);
}

static void spci_leave(spc_world *w, int slot)
{
    spci_forget_lanes(w, spci_constraint_at(w, slot));
    if (!spci_detach(w, slot))
        spci_touch(w);
}

/* May a constraint of this kind and accepted shape have this law? */
static spc_status spci_law_fits(spc_constraint_kind kind, const spci_shape *shape,
                                const spci_common *common)
{
    const spc_status status = spc_contact_law_check(common->law);
    if (!status && common->one_sided && !spci_may_be_one_sided(kind, shape))
        return SPC_ERROR_BAD_OPTION;
    return status;
}

/* Is there room for a constraint of this kind and accepted shape, and has it rows at these states
   of its bodies? */
static spc_status spci_constraint_fits(const spc_world *w, spc_constraint_kind kind,
                                       const spci_shape *shape, const spci_common *common,
                                       const spc_state *state_a, const spc_state *state_b)
{
    spc_rows rows;
    if (w->free_constraint < 0 && w->constraint_slots == w->constraint_capacity)
        return SPC_ERROR_CONSTRAINTS_FULL;
    if (spci_room_of(kind, shape, common->one_sided, common->law) > w->row_capacity - w->rows)
        return SPC_ERROR_ROWS_FULL;
    if (kind == SPC_ROLLING_DISC && common->one_sided)
        return SPC_OK; /* it may lie on its side */
    return spci_rows(kind, shape, state_a, state_b, 0, &rows);
}

/* May a constraint of this kind and accepted shape be added? */
static spc_status spci_constraint_room(const spc_world *w, spc_constraint_kind kind,
                                       const spci_shape *shape, const spci_common *common)
{
    const spc_body a = common->a, b = common->b;
    const spc_status status = spci_law_fits(kind, shape, common);
    spc_state state_a, state_b;
    if (status)
        return status;
    if (!spc_body_exists(w, a) || !spc_body_exists(w, b))
        return SPC_ERROR_STALE_BODY;
    if (a.index == b.index)
        return SPC_ERROR_SAME_BODY;
    if (spci_name_length(common->name) > SPC_MAX_NAME)
        return SPC_ERROR_BAD_NAME;
    state_a = spci_get_state(w, (int)a.index);
    state_b = spci_get_state(w, (int)b.index);
    return spci_constraint_fits(w, kind, shape, common, &state_a, &state_b);
}

static void spci_law_copy(const spc_contact_law *from, spc_contact_law *to)
{
    to->grip = from->grip;
    to->passive = from->passive;
    to->propagates = from->propagates;
    to->friction = from->friction;
    to->restitution = from->restitution;
    to->restitution_speed = from->restitution_speed;
    to->rolling_resistance = from->rolling_resistance;
    to->spinning_resistance = from->spinning_resistance;
    to->surface_velocity[0] = from->surface_velocity[0];
    to->surface_velocity[1] = from->surface_velocity[1];
    to->bounded = from->bounded;
    to->half_length[0] = from->half_length[0];
    to->half_length[1] = from->half_length[1];
}

/* A constraint has done nothing yet. */
static void spci_forget_contact(spci_constraint *c)
{
    int i;
    for (i = 0; i < SPC_MAX_ROWS; i++)
        c->multipliers[i] = 0;
    c->state = SPC_CONTACT_OPEN;
    c->began = c->ended = c->flat = false;
    c->wait = c->tries = 0;
    c->hit_speed = 0;
}

/* Adds a constraint of a kind with an accepted shape. */
static spc_status spci_constraint_add(spc_world *w, spc_constraint_kind kind,
                                      const spci_shape *shape, const spci_common *common,
                                      spc_constraint *handle)
{
    const spc_status status = spci_constraint_room(w, kind, shape, common);
    spci_constraint *c;
    int i;
    if (status)
        return status;
    i = w->free_constraint >= 0 ? w->free_constraint : w->constraint_slots++;
    c = spci_constraint_at(w, i);
    w->free_constraint = w->free_constraint >= 0 ? c->next_free : -1;
    c->generation++;
    c->kind = kind;
    c->a = (int)common->a.index;
    c->b = (int)common->b.index;
    spci_shape_copy(kind, shape, &c->shape);
    spci_copy_stabilization(&w->stabilization, &c->stabilization);
    c->stabilization.ignore_position &= spci_kind_rows(kind);
    c->stabilization.ignore_velocity &= spci_kind_rows(kind);
    c->enabled = common->enabled;
    c->conditional = common->conditional;
    spci_constraint_take_name(c, common->name);
    c->id = 0;
    c->one_sided = common->one_sided;
    spci_law_copy(common->law, &c->law);
    spci_forget_contact(c);
    if (c->a)
        spci_body_at(w, c->a)->uses++;
    if (c->b)
        spci_body_at(w, c->b)->uses++;
    w->rows += spci_room_of(kind, shape, c->one_sided, &c->law);
    spci_count_rows(w, i, spci_rows_in_use(c));
    *spci_node_of(w, i) = -1;
    if (c->enabled)
        spci_enter(w, i);
    handle->index = (unsigned)i + 1;
    handle->generation = c->generation;
    return SPC_OK;
}

SPC_API bool spc_constraint_exists(const spc_world *world, spc_constraint constraint)
{
    return world && constraint.index > 0 && constraint.index <= (unsigned)world->constraint_slots &&
           spci_in_use(constraint.generation) &&
           spci_const_constraint_at(world, (int)constraint.index - 1)->generation ==
               constraint.generation;
}

SPC_API bool spc_constraint_next(const spc_world *world, spc_constraint *constraint)
{
    unsigned i;
    if (!world || !constraint)
        return false;
    for (i = constraint->index; i < (unsigned)world->constraint_slots; i++) {
        const unsigned generation = spci_const_constraint_at(world, (int)i)->generation;
        if (!spci_in_use(generation))
            continue;
        constraint->index = i + 1;
        constraint->generation = generation;
        return true;
    }
    return false;
}

static spc_status spci_find_constraint(const spc_world *w, spc_constraint constraint,
                                       const spci_constraint **c)
{
    if (!w)
        return SPC_ERROR_NULL;
    if (!spc_constraint_exists(w, constraint))
        return SPC_ERROR_STALE_CONSTRAINT;
    *c = spci_const_constraint_at(w, (int)constraint.index - 1);
    return SPC_OK;
}

/* The same for a constraint of one kind, and for a call with a pointer that must not be NULL. */
static spc_status spci_find_constraint_of(const spc_world *w, spc_constraint constraint,
                                          spc_constraint_kind kind, const void *required,
                                          const spci_constraint **c)
{
    const spc_status status = spci_find_constraint(w, constraint, c);
    if (status)
        return status;
    if (!required)
        return SPC_ERROR_NULL;
    return (*c)->kind == kind ? SPC_OK : SPC_ERROR_WRONG_CONSTRAINT_KIND;
}

/* Replaces a shape by an accepted one of its kind, which may need more rows. */
static spc_status spci_constraint_set_shape(spc_world *w, spc_constraint constraint,
                                            spc_constraint_kind kind, const spci_shape *shape)
{
    spci_constraint *c = spci_constraint_at(w, (int)constraint.index - 1);
    const int more = spci_room_of(kind, shape, c->one_sided, &c->law) -
                     spci_room_of(kind, &c->shape, c->one_sided, &c->law);
    const int slot = (int)constraint.index - 1, in_use = spci_rows_in_use(c);
    const bool anew = more != 0 && c->enabled;
    if (c->one_sided && !spci_may_be_one_sided(kind, shape))
        return SPC_ERROR_BAD_OPTION;
    if (more > w->row_capacity - w->rows)
        return SPC_ERROR_ROWS_FULL;
    w->rows += more;
    if (anew)
        spci_leave(w, slot);
    spci_forget_lanes(w, c);
    spci_shape_copy(kind, shape, &c->shape);
    if (anew)
        spci_enter(w, slot);
    spci_count_rows(w, slot, spci_rows_in_use(c) - in_use);
    return SPC_OK;
}

/* spc_NAME_get and spc_NAME_set of every kind. */
#define SPCI_KIND_GET_SET(id, name, all, levels)                                             \
    SPC_API spc_status spc_##name##_get(const spc_world *world, spc_constraint constraint,   \
                                        spc_##name *shape)                                   \
    {                                                                                        \
        const spci_constraint *c = NULL;                                                     \
        const spc_status status = spci_find_constraint_of(world, constraint, id, shape, &c); \
        if (!status)                                                                         \
            spci_##name##_copy(&c->shape.name, shape);                                       \
        return status;                                                                       \
    }                                                                                        \
                                                                                             \
    SPC_API spc_status spc_##name##_set(spc_world *world, spc_constraint constraint,         \
                                        const spc_##name *shape)                             \
    {                                                                                        \
        spci_shape kept;                                                                     \
        const spci_constraint *c = NULL;                                                     \
        spc_status status = spci_find_constraint_of(world, constraint, id, shape, &c);       \
        if (!status)                                                                         \
            status = spci_##name##_accept(shape, &kept.name);                                \
        return status ? status : spci_constraint_set_shape(world, constraint, id, &kept);    \
    }
SPCI_KINDS(SPCI_KIND_GET_SET)

SPC_API spc_sphere_on_plane_desc spc_sphere_on_plane_desc_default(void)
{
    spc_sphere_on_plane_desc d;
    d.floor.index = d.floor.generation = d.ball.index = d.ball.generation = 0;
    d.shape = spc_sphere_on_plane_default();
    d.enabled = true;
    d.conditional = false;
    d.name = NULL;
    d.one_sided = false;
    d.law = spc_contact_law_default();
    return d;
}

SPC_API spc_status spc_sphere_on_plane_add(spc_world *world, const spc_sphere_on_plane_desc *desc,
                                           spc_constraint *constraint)
{
    spci_shape shape;
    spci_common common;
    spc_status status;
    if (!world || !desc || !constraint)
        return SPC_ERROR_NULL;
    status = spci_sphere_on_plane_accept(&desc->shape, &shape.sphere_on_plane);
    if (status)
        return status;
    common =
        spci_common_make(desc->floor, desc->ball, desc->enabled, desc->conditional, desc->name);
    common.one_sided = desc->one_sided;
    common.law = &desc->law;
    return spci_constraint_add(world, SPC_SPHERE_ON_PLANE, &shape, &common, constraint);
}

/* Takes a body whose pose and velocity are in P, and over the floor, to G. */
static void spci_from_floor(const spc_transform *X_FP, const spc_state *floor, spc_state *body)
{
    const spc_transform X_GP = spc_transform_mul(floor->X_GB, *X_FP);
    const spc_spatial over = body->V_GB;
    body->X_GB = spc_transform_mul(X_GP, body->X_GB);
    body->V_GB.angular = spc_add(floor->V_GB.angular, spc_rotate(X_GP.q, over.angular));
    body->V_GB.linear =
        spc_add(spci_velocity_at(&floor->V_GB, spc_sub(body->X_GB.p, floor->X_GB.p)),
                spc_rotate(X_GP.q, over.linear));
}

/* Adds a body and a constraint of an accepted shape with body A, both or neither; its state is
   given in P, and over the floor. */
static spc_status spci_add_on_floor(spc_world *w, spc_constraint_kind kind, const spci_shape *shape,
                                    spci_common *common, spc_body_desc *d, spc_body *body,
                                    spc_constraint *contact)
{
    spc_constraint unasked;
    spc_state state_f, state_b;
    spc_spatial A_GB;
    spc_status status = spci_law_fits(kind, shape, common);
    if (status)
        return status;
    if (!spc_body_exists(w, common->a))
        return SPC_ERROR_STALE_BODY;
    state_f = spci_get_state(w, (int)common->a.index);
    spci_from_floor(kind == SPC_ROLLING_DISC ? &shape->rolling_disc.X_FP
                                             : &shape->sphere_on_plane.X_FP,
                    &state_f, &d->state);
    status = spci_body_desc_check(w, d, &state_b, &A_GB);
    if (!status && spci_bodies_full(w))
        status = SPC_ERROR_BODIES_FULL;
    if (!status)
        status = spci_constraint_fits(w, kind, shape, common, &state_f, &state_b);
    if (!status)
        status = spc_body_add(w, d, &common->b);
    if (status)
        return status;
    *body = common->b;
    return spci_constraint_add(w, kind, shape, common, contact ? contact : &unasked);
}

SPC_API spc_ball_desc spc_ball_desc_default(void)
{
    spc_ball_desc d;
    d.mass = spci_mass_centred(0, 0, 0, 0);
    d.radius = 0;
    d.floor.index = d.floor.generation = 0;
    d.X_FP = spc_transform_identity();
    d.x = d.y = d.v_x = d.v_y = d.spin = 0;
    d.one_sided = false;
    d.law = spc_contact_law_default();
    return d;
}

SPC_API spc_status spc_ball_add(spc_world *world, const spc_ball_desc *desc, spc_body *ball,
                                spc_constraint *contact)
{
    spc_sphere_on_plane given = spc_sphere_on_plane_default();
    spc_body_desc d = spc_body_desc_default();
    spci_common common;
    spci_shape shape;
    spc_real r;
    spc_status status;
    if (!world || !desc || !ball)
        return SPC_ERROR_NULL;
    r = given.radius = desc->radius;
    given.X_FP = desc->X_FP;
    status = spci_sphere_on_plane_accept(&given, &shape.sphere_on_plane);
    if (status)
        return status;
    d.mass = desc->mass;
    d.state.X_GB.p = spc_vec3_make(desc->x, desc->y, r);
    d.state.V_GB.linear = spc_vec3_make(desc->v_x, desc->v_y, 0);
    d.state.V_GB.angular = spc_vec3_make(-desc->v_y / r, desc->v_x / r, desc->spin);
    common = spci_common_make(desc->floor, desc->floor, true, false, NULL);
    common.one_sided = desc->one_sided;
    common.law = &desc->law;
    return spci_add_on_floor(world, SPC_SPHERE_ON_PLANE, &shape, &common, &d, ball, contact);
}

SPC_API spc_rolling_disc_desc spc_rolling_disc_desc_default(void)
{
    spc_rolling_disc_desc d;
    d.floor.index = d.floor.generation = d.disc.index = d.disc.generation = 0;
    d.shape = spc_rolling_disc_default();
    d.enabled = true;
    d.conditional = false;
    d.name = NULL;
    d.one_sided = false;
    d.law = spc_contact_law_default();
    return d;
}

SPC_API spc_status spc_rolling_disc_add(spc_world *world, const spc_rolling_disc_desc *desc,
                                        spc_constraint *constraint)
{
    spci_shape shape;
    spci_common common;
    spc_status status;
    if (!world || !desc || !constraint)
        return SPC_ERROR_NULL;
    status = spci_rolling_disc_accept(&desc->shape, &shape.rolling_disc);
    if (status)
        return status;
    common =
        spci_common_make(desc->floor, desc->disc, desc->enabled, desc->conditional, desc->name);
    common.one_sided = desc->one_sided;
    common.law = &desc->law;
    return spci_constraint_add(world, SPC_ROLLING_DISC, &shape, &common, constraint);
}

SPC_API spc_wheel_desc spc_wheel_desc_default(void)
{
    spc_wheel_desc d;
    d.mass = spci_mass_centred(0, 0, 0, 0);
    d.radius = 0;
    d.floor.index = d.floor.generation = 0;
    d.X_FP = spc_transform_identity();
    d.x = d.y = d.heading = d.lean = d.speed = d.lean_rate = d.turn_rate = 0;
    d.one_sided = false;
    d.law = spc_contact_law_default();
    return d;
}

#define SPCI_SQRT_HALF SPC_R(0.70710678118654752440)
#define SPCI_QUARTER_TURN SPC_R(1.57079632679489661923) /* [rad] */

/* State of a wheel over its floor, in P: turned by its heading, by its lean, and by a quarter from
   its own axes (axis z) to those of an upright wheel (axis y). */
static spc_state spci_wheel_state(const spc_wheel_desc *d)
{
    const spc_quat upright = spc_quat_make(SPCI_SQRT_HALF, -SPCI_SQRT_HALF, 0, 0);
    const spc_vec3 n = spc_vec3_make(0, 0, 1);
    const spc_quat ahead = spc_quat_from_rotation_vector(spc_scale(d->heading, n));
    const spc_vec3 h = spc_rotate(ahead, spc_vec3_make(1, 0, 0));
    const spc_quat q =
        spc_quat_mul(ahead, spc_quat_from_rotation_vector(spc_vec3_make(d->lean, 0, 0)));
    const spc_vec3 a = spc_rotate(q, spc_vec3_make(0, 1, 0));
    const spc_vec3 ru = spc_scale(d->radius, spc_rotate(q, n));
    spc_state s;
    s.X_GB.q = spc_quat_mul(q, upright);
    s.X_GB.p = spc_add(spc_vec3_make(d->x, d->y, 0), ru);
    s.V_GB.angular = spc_add(spc_scale(d->turn_rate, n), spc_scale(d->lean_rate, h));
    s.V_GB.angular = spc_add(s.V_GB.angular, spc_scale(d->speed / d->radius, a));
    s.V_GB.linear = spc_cross(s.V_GB.angular, ru);
    return s;
}

SPC_API spc_status spc_wheel_add(spc_world *world, const spc_wheel_desc *desc, spc_body *wheel,
                                 spc_constraint *contact)
{
    spc_rolling_disc given = spc_rolling_disc_default();
    spc_body_desc d = spc_body_desc_default();
    spci_common common;
    spci_shape shape;
    spc_status status;
    if (!world || !desc || !wheel)
        return SPC_ERROR_NULL;
    given.radius = desc->radius;
    given.X_FP = desc->X_FP;
    given.axis_B = spc_vec3_make(0, 0, 1);
    status = spci_rolling_disc_accept(&given, &shape.rolling_disc);
    if (status)
        return status;
    if (!spci_finite(desc->heading) || !spci_finite(desc->lean))
        return SPC_ERROR_NOT_FINITE;
    if (!(spci_abs(desc->lean) < SPCI_QUARTER_TURN))
        return SPC_ERROR_NO_CONTACT_POINT;
    d.mass = desc->mass;
    d.state = spci_wheel_state(desc);
    common = spci_common_make(desc->floor, desc->floor, true, false, NULL);
    common.one_sided = desc->one_sided;
    common.law = &desc->law;
    return spci_add_on_floor(world, SPC_ROLLING_DISC, &shape, &common, &d, wheel, contact);
}

SPC_API spc_status spc_rolling_disc_get_contact(const spc_world *world, spc_constraint constraint,
                                                spc_disc_contact *contact)
{
    const spci_constraint *c = NULL;
    const spc_status status =
        spci_find_constraint_of(world, constraint, SPC_ROLLING_DISC, contact, &c);
    spc_state a, b;
    if (status)
        return status;
    a = spci_get_state(world, c->a);
    b = spci_get_state(world, c->b);
    return spc_rolling_disc_contact(&c->shape.rolling_disc, &a, &b, contact);
}

SPC_API spc_attachment_desc spc_attachment_desc_default(void)
{
    spc_attachment_desc d;
    d.a.index = d.a.generation = d.b.index = d.b.generation = 0;
    d.shape = spc_attachment_default();
    d.enabled = true;
    d.keep_pose = d.conditional = false;
    d.name = NULL;
    d.one_sided = false;
    d.law = spc_contact_law_default();
    return d;
}

SPC_API spc_status spc_attachment_add(spc_world *world, const spc_attachment_desc *desc,
                                      spc_constraint *constraint)
{
    spc_attachment *kept, given;
    spci_shape shape;
    spci_common common;
    spc_status status;
    if (!world || !desc || !constraint)
        return SPC_ERROR_NULL;
    kept = &shape.attachment;
    spci_attachment_copy(&desc->shape, &given);
    if (desc->keep_pose) {
        given.X_BM = spc_transform_identity();
        given.rest = spc_vec3_make(0, 0, 0);
    }
    status = spci_attachment_accept(&given, kept);
    if (status)
        return status;
    if (!spc_body_exists(world, desc->a) || !spc_body_exists(world, desc->b))
        return SPC_ERROR_STALE_BODY;
    if (desc->keep_pose) {
        const spc_transform X_GB = spci_get_state(world, (int)desc->b.index).X_GB;
        const spc_transform X_GF =
            spc_transform_mul(spci_get_state(world, (int)desc->a.index).X_GB, kept->X_AF);
        kept->X_BM = spc_transform_mul(spc_transform_inverse(X_GB), X_GF);
        status = spci_attachment_accept(kept, kept);
        if (status)
            return status;
    }
    common = spci_common_make(desc->a, desc->b, desc->enabled, desc->conditional, desc->name);
    common.one_sided = desc->one_sided;
    common.law = &desc->law;
    return spci_constraint_add(world, SPC_ATTACHMENT, &shape, &common, constraint);
}

SPC_API spc_sphere_on_sphere_desc spc_sphere_on_sphere_desc_default(void)
{
    spc_sphere_on_sphere_desc d;
    d.a.index = d.a.generation = d.b.index = d.b.generation = 0;
    d.shape = spc_sphere_on_sphere_default();
    d.enabled = true;
    d.conditional = false;
    d.name = NULL;
    d.one_sided = false;
    d.law = spc_contact_law_default();
    return d;
}

SPC_API spc_status spc_sphere_on_sphere_add(spc_world *world, const spc_sphere_on_sphere_desc *desc,
                                            spc_constraint *constraint)
{
    spci_shape shape;
    spci_common common;
    spc_status status;
    if (!world || !desc || !constraint)
        return SPC_ERROR_NULL;
    status = spci_sphere_on_sphere_accept(&desc->shape, &shape.sphere_on_sphere);
    if (status)
        return status;
    common = spci_common_make(desc->a, desc->b, desc->enabled, desc->conditional, desc->name);
    common.one_sided = desc->one_sided;
    common.law = &desc->law;
    return spci_constraint_add(world, SPC_SPHERE_ON_SPHERE, &shape, &common, constraint);
}

SPC_API spc_status spc_constraint_remove(spc_world *world, spc_constraint constraint)
{
    const spci_constraint *found = NULL;
    const spc_status status = spci_find_constraint(world, constraint, &found);
    spci_constraint *c;
    int slot;
    if (status)
        return status;
    slot = (int)constraint.index - 1;
    c = spci_constraint_at(world, slot);
    spci_count_rows(world, slot, -spci_rows_in_use(c));
    if (c->enabled)
        spci_leave(world, slot);
    c->generation++;
    c->enabled = false;
    c->next_free = world->free_constraint;
    world->free_constraint = slot;
    world->rows -= spci_room_of(c->kind, &c->shape, c->one_sided, &c->law);
    if (c->a)
        spci_body_at(world, c->a)->uses--;
    if (c->b)
        spci_body_at(world, c->b)->uses--;
    return SPC_OK;
}

SPC_API spc_status spc_constraint_set_enabled(spc_world *world, spc_constraint constraint,
                                              bool enabled)
{
    const spci_constraint *found = NULL;
    const spc_status status = spci_find_constraint(world, constraint, &found);
    spci_constraint *c;
    int slot;
    if (status || found->enabled == enabled)
        return status;
    slot = (int)constraint.index - 1;
    c = spci_constraint_at(world, slot);
    spci_count_rows(world, slot, -spci_rows_in_use(c));
    if (!enabled)
        spci_leave(world, slot);
    c->enabled = enabled;
    if (enabled)
        spci_enter(world, slot);
    spci_count_rows(world, slot, spci_rows_in_use(c));
    c->redundant = 0;
    c->contradiction = 0;
    spci_forget_contact(c);
    return SPC_OK;
}

SPC_API spc_status spc_constraint_set_conditional(spc_world *world, spc_constraint constraint,
                                                  bool conditional)
{
    const spci_constraint *found = NULL;
    const spc_status status = spci_find_constraint(world, constraint, &found);
    if (!status)
        spci_constraint_at(world, (int)constraint.index - 1)->conditional = conditional;
    return status;
}

SPC_API spc_status spc_constraint_set_name(spc_world *world, spc_constraint constraint,
                                           const char *name)
{
    const spci_constraint *found = NULL;
    const spc_status status = spci_find_constraint(world, constraint, &found);
    if (status)
        return status;
    if (spci_name_length(name) > SPC_MAX_NAME)
        return SPC_ERROR_BAD_NAME;
    spci_constraint_take_name(spci_constraint_at(world, (int)constraint.index - 1), name);
    return SPC_OK;
}

SPC_API spc_status spc_constraint_set_id(spc_world *world, spc_constraint constraint, unsigned id)
{
    const spci_constraint *found = NULL;
    const spc_status status = spci_find_constraint(world, constraint, &found);
    if (!status)
        spci_constraint_at(world, (int)constraint.index - 1)->id = id;
    return status;
}

static bool spci_has_name(const spci_constraint *c, const char *name)
{
    int i = 0;
    while (i < SPC_MAX_NAME && name[i] && name[i] == c->name[i])
        i++;
    return i > 0 && name[i] == c->name[i];
}

/* The first constraint that has a name or, without one, an id. */
static spc_status spci_find_marked(const spc_world *w, const char *name, unsigned id,
                                   spc_constraint *constraint)
{
    spc_constraint next;
    next.index = next.generation = 0;
    while (spc_constraint_next(w, &next)) {
        const spci_constraint *c = spci_const_constraint_at(w, (int)next.index - 1);
        if (!(name ? spci_has_name(c, name) : id && c->id == id))
            continue;
        *constraint = next;
        return SPC_OK;
    }
    return SPC_ERROR_NOT_FOUND;
}

SPC_API spc_status spc_constraint_find_name(const spc_world *world, const char *name,
                                            spc_constraint *constraint)
{
    if (!world || !name || !constraint)
        return SPC_ERROR_NULL;
    return spci_find_marked(world, name, 0, constraint);
}

SPC_API spc_status spc_constraint_find_id(const spc_world *world, unsigned id,
                                          spc_constraint *constraint)
{
    if (!world || !constraint)
        return SPC_ERROR_NULL;
    return spci_find_marked(world, NULL, id, constraint);
}

SPC_API spc_status spc_constraint_get_stabilization(const spc_world *world,
                                                    spc_constraint constraint,
                                                    spc_stabilization *stabilization)
{
    const spci_constraint *c = NULL;
    const spc_status status = spci_find_constraint(world, constraint, &c);
    if (status)
        return status;
    if (!stabilization)
        return SPC_ERROR_NULL;
    *stabilization = c->stabilization;
    return SPC_OK;
}

SPC_API spc_status spc_constraint_set_stabilization(spc_world *world, spc_constraint constraint,
                                                    const spc_stabilization *stabilization)
{
    const spci_constraint *c = NULL;
    spc_status status = spci_find_constraint(world, constraint, &c);
    if (status)
        return status;
    if (!stabilization)
        return SPC_ERROR_NULL;
    status = spci_stabilization_check(stabilization, spci_kind_rows(c->kind));
    if (status)
        return status;
    spci_forget_lanes(world, c);
    spci_copy_stabilization(
        stabilization, &spci_constraint_at(world, (int)constraint.index - 1)->stabilization);
    return SPC_OK;
}

SPC_API spc_status spc_constraint_get_law(const spc_world *world, spc_constraint constraint,
                                          bool *one_sided, spc_contact_law *law)
{
    const spci_constraint *c = NULL;
    const spc_status status = spci_find_constraint(world, constraint, &c);
    if (status)
        return status;
    if (!one_sided || !law)
        return SPC_ERROR_NULL;
    *one_sided = c->one_sided;
    spci_law_copy(&c->law, law);
    return SPC_OK;
}

SPC_API spc_status spc_constraint_set_law(spc_world *world, spc_constraint constraint,
                                          bool one_sided, const spc_contact_law *law)
{
    const spci_constraint *found = NULL;
    spc_status status = spci_find_constraint(world, constraint, &found);
    spci_constraint *c;
    int slot, more;
    if (!status)
        status = spc_contact_law_check(law);
    if (status)
        return status;
    if (one_sided && !spci_may_be_one_sided(found->kind, &found->shape))
        return SPC_ERROR_BAD_OPTION;
    more = spci_room_of(found->kind, &found->shape, one_sided, law) -
           spci_room_of(found->kind, &found->shape, found->one_sided, &found->law);
    if (more > world->row_capacity - world->rows)
        return SPC_ERROR_ROWS_FULL;
    slot = (int)constraint.index - 1;
    c = spci_constraint_at(world, slot);
    world->rows += more;
    if (more != 0 && c->enabled)
        spci_leave(world, slot);
    spci_forget_lanes(world, c);
    spci_law_copy(law, &c->law);
    if (c->one_sided != one_sided) {
        c->one_sided = one_sided;
        spci_forget_contact(c);
    }
    if (more != 0 && c->enabled)
        spci_enter(world, slot);
    return SPC_OK;
}

/* A constraint's rows where the call has moved its bodies. */
static spc_status spci_constraint_rows(spc_world *w, const spci_constraint *c, spc_rows *rows)
{
    return spci_rows_of(c, spci_state(w, c->a), spci_state(w, c->b), SPCI_NEED_ALL, rows);
}

/* Those at its bodies' states, for a caller. */
static spc_status spci_constraint_told(const spc_world *w, const spci_constraint *c, spc_rows *rows)
{
    const spc_state a = spci_get_state(w, c->a), b = spci_get_state(w, c->b);
    spc_rows found;
    if (!spci_lies_flat(c, &a, &b))
        return spci_rows_told(c->kind, &c->shape, &a, &b, rows);
    spci_flat_disc_rows(&c->shape.rolling_disc, &a, &b, NULL, SPCI_NEED_ALL | SPCI_NEED_OFF,
                        &found);
    if (!spci_finite_rows(&found))
        return SPC_ERROR_NOT_FINITE;
    spci_flat_disc_rows(&c->shape.rolling_disc, &a, &b, NULL, SPCI_NEED_ALL | SPCI_NEED_OFF, rows);
    return SPC_OK;
}

/* The same for a copy of our own, which may be left half done. */
static SPCI_NO_INLINE spc_status spci_constraint_found(const spc_world *w, const spci_constraint *c,
                                                   spc_rows *rows)
{
    const spc_state a = spci_get_state(w, c->a), b = spci_get_state(w, c->b);
    const spc_status status = spci_rows_of(c, &a, &b, SPCI_NEED_ALL | SPCI_NEED_OFF, rows);
    return !status && !spci_finite_rows(rows) ? SPC_ERROR_NOT_FINITE : status;
}

/* Rows in use of all constraints before slot i. */
static int spci_rows_before(const spc_world *w, int i)
{
    int sum = 0;
    for (; i > 0; i &= i - 1)
        sum += spci_const_row_sum(w, i);
    return sum;
}

SPC_API int spc_world_row_count(const spc_world *world)
{
    return world ? spci_rows_before(world, world->constraint_slots) : 0;
}

SPC_API spc_status spc_constraint_get_info(const spc_world *world, spc_constraint constraint,
                                           spc_constraint_info *info)
{
    const spci_constraint *c = NULL;
    const spc_status status = spci_find_constraint(world, constraint, &c);
    unsigned enforced, position, velocity;
    int i;
    if (status)
        return status;
    if (!info)
        return SPC_ERROR_NULL;
    enforced = c->enabled ? spci_enforced(c->kind, &c->shape) : 0;
    position = spci_position_rows(&c->stabilization, enforced & spci_kind_levels(c->kind));
    velocity = spci_velocity_rows(&c->stabilization, enforced);
    info->kind = c->kind;
    info->a = spci_body_handle(world, c->a);
    info->b = spci_body_handle(world, c->b);
    info->enabled = c->enabled;
    info->conditional = c->conditional;
    info->position_rows = spci_count_bits(position);
    info->velocity_rows = spci_count_bits(velocity & ~position);
    info->acceleration_rows = spci_count_bits(enforced & ~velocity);
    info->row_index = c->enabled ? spci_rows_before(world, (int)constraint.index - 1) : -1;
    for (i = 0; i <= SPC_MAX_NAME; i++)
        info->name[i] = c->name[i];
    info->id = c->id;
    info->redundant = c->redundant;
    info->contradiction = c->contradiction;
    return SPC_OK;
}

SPC_API spc_status spc_constraint_get_rows(const spc_world *world, spc_constraint constraint,
                                           spc_rows *rows)
{
    const spci_constraint *c = NULL;
    const spc_status status = spci_find_constraint(world, constraint, &c);
    if (status)
        return status;
    if (!rows)
        return SPC_ERROR_NULL;
    return spci_constraint_told(world, c, rows);
}

SPC_API int spc_world_column_count(const spc_world *world)
{
    return world ? 6 * world->body_slots : 0;
}

/* Finds a constraint and its rows; do those in use fit a system's from `row` on? */
static spc_status spci_rows_of_system(const spc_world *w, spc_constraint constraint, int row,
                                      int rows, const spci_constraint **c, spc_rows *found)
{
    spc_status status = spci_find_constraint(w, constraint, c);
    if (status)
        return status;
    if (row < 0 || rows < 0 ||
        spci_count_bits(spci_enforced((*c)->kind, &(*c)->shape)) > rows - row)
        return SPC_ERROR_BAD_COUNT;
    return spci_constraint_told(w, *c, found);
}

/* Puts a row of one body into its columns. */
static void spci_put_columns(spc_real *row, int body, spc_spatial J)
{
    spc_real *out = row + 6 * (body - 1);
    if (body == 0)
        return;
    out[0] = J.angular.x;
    out[1] = J.angular.y;
    out[2] = J.angular.z;
    out[3] = J.linear.x;
    out[4] = J.linear.y;
    out[5] = J.linear.z;
}

SPC_API spc_status spc_constraint_get_system(const spc_world *world, spc_constraint constraint,
                                             int row, int rows, spc_real *G, spc_real *gamma,
                                             spc_real *e, spc_real *s)
{
    const int width = spc_world_column_count(world);
    const spci_constraint *c = NULL;
    spc_rows found;
    unsigned position, velocity;
    int i;
    const spc_status status = spci_rows_of_system(world, constraint, row, rows, &c, &found);
    if (status)
        return status;
    position = spci_position_rows(&c->stabilization, found.holonomic);
    velocity = spci_velocity_rows(&c->stabilization, found.enforced);
    for (i = 0; i < found.count; i++) {
        if (!(found.enforced >> i & 1u))
            continue;
        if (G) {
            spc_real *line = G + (size_t)row * (size_t)width;
            spci_clear(line, width);
            spci_put_columns(line, c->a, found.jacobian_a[i]);
            spci_put_columns(line, c->b, found.jacobian_b[i]);
        }
        if (gamma)
            gamma[row] = -found.jdot_v[i];
        if (e)
            e[row] = position >> i & 1u ? found.position_errors[i] : 0;
        if (s)
            s[row] = velocity >> i & 1u ? found.velocity_errors[i] : 0;
        row++;
    }
    return SPC_OK;
}

SPC_API spc_status spc_constraint_add_baumgarte(const spc_world *world,
                                                    spc_constraint constraint, int row, int rows,
                                                    spc_real *gamma)
{
    const spci_constraint *c = NULL;
    spc_real terms[SPC_MAX_ROWS];
    spc_rows found;
    int i, k;
    const spc_status status = spci_rows_of_system(world, constraint, row, rows, &c, &found);
    if (status)
        return status;
    if (!gamma)
        return SPC_ERROR_NULL;
    spc_stabilization_terms(&c->stabilization, &found, 0, terms);
    for (i = k = 0; i < found.count; i++)
        if (found.enforced >> i & 1u && !spci_finite(gamma[row + k++] + terms[i]))
            return SPC_ERROR_NOT_FINITE;
    for (i = 0; i < found.count; i++)
        if (found.enforced >> i & 1u)
            gamma[row++] += terms[i];
    return SPC_OK;
}

/* Is a constraint the contact of a ball in a lane? */
static bool spci_is_in_lane(const spc_world *w, const spci_constraint *c)
{
    const spci_balls *b = (const spci_balls *)spci_const_at(w, w->balls_at);
    const int slot = (int)(c - spci_const_constraint_at(w, 0));
    return c->b && b[(c->b - 1) / SPCI_LANES].constraint[spci_lane_of(c->b)] == slot + 1;
}

/* A constraint's multipliers; rows may have been switched off since they were found. */
static void spci_multipliers(const spc_world *w, const spci_constraint *c, spc_real *out)
{
    const unsigned enforced = spci_enforced(c->kind, &c->shape);
    const spci_states *s = spci_const_states_at(w, w->now);
    int i;
    for (i = 0; i < SPC_MAX_ROWS; i++)
        out[i] = c->one_sided || enforced >> i & 1u ? c->multipliers[i] : 0;
    if (!w->lanes_tell || !spci_is_in_lane(w, c))
        return;
    spci_put_vec3(spci_lane_vec3(s[(c->b - 1) / SPCI_LANES].lambda, spci_lane_of(c->b)), out);
    spci_clear(out + 3, 3);
}

SPC_API spc_status spc_constraint_get_multipliers(const spc_world *world, spc_constraint constraint,
                                                  spc_real *multipliers)
{
    const spci_constraint *c = NULL;
    const spc_status status = spci_find_constraint(world, constraint, &c);
    if (status)
        return status;
    if (!multipliers)
        return SPC_ERROR_NULL;
    spci_multipliers(world, c, multipliers);
    return SPC_OK;
}

static spc_spatial spci_acceleration(const spc_world *w, int i)
{
    return i ? spci_const_body_at(w, i)->A_GB : spci_spatial_zero();
}

SPC_API spc_status spc_constraint_get_acceleration_errors(const spc_world *world,
                                                          spc_constraint constraint,
                                                          spc_real *errors)
{
    const spci_constraint *c = NULL;
    spc_status status = spci_find_constraint(world, constraint, &c);
    spc_real found[SPC_MAX_ROWS];
    spc_spatial A_a, A_b;
    spc_rows rows;
    int i;
    if (status)
        return status;
    if (!errors)
        return SPC_ERROR_NULL;
    status = spci_constraint_told(world, c, &rows);
    if (status)
        return status;
    A_a = spci_acceleration(world, c->a);
    A_b = spci_acceleration(world, c->b);
    spc_rows_mul(&rows, &A_a, &A_b, found);
    for (i = 0; i < SPC_MAX_ROWS; i++)
        found[i] = i < rows.count ? found[i] + rows.jdot_v[i] : 0;
    if (!spci_finite_numbers(found, SPC_MAX_ROWS))
        return SPC_ERROR_NOT_FINITE;
    spci_copy(errors, found, SPC_MAX_ROWS);
    return SPC_OK;
}

static spc_spatial spci_unrotate_spatial(spc_quat q, spc_spatial s)
{
    return spc_spatial_make(spc_unrotate(q, s.angular), spc_unrotate(q, s.linear));
}

/* A force in axes of a body. */
static SPCI_NO_INLINE spc_spatial spci_in_axes_of(const spc_world *w, int body, spc_spatial F)
{
    return spci_unrotate_spatial(spci_get_state(w, body).X_GB.q, F);
}

SPC_API spc_status spc_constraint_get_contact(const spc_world *world, spc_constraint constraint,
                                              spc_contact_info *info)
{
    const spci_constraint *c = NULL;
    spc_status status = spci_find_constraint(world, constraint, &c);
    spc_real u[6], p[SPC_MAX_ROWS], limit, slip;
    spc_state a, b;
    spc_rows rows;
    int i;
    if (status)
        return status;
    if (!info)
        return SPC_ERROR_NULL;
    if (c->kind == SPC_ATTACHMENT && !c->one_sided)
        return SPC_ERROR_WRONG_CONSTRAINT_KIND;
    status = spci_constraint_found(world, c, &rows);
    if (status)
        return status;
    a = spci_get_state(world, c->a);
    b = spci_get_state(world, c->b);
    spci_side_motion(c, &a, &b, &rows, u);
    spci_multipliers(world, c, p);
    for (i = 0; i < SPC_MAX_ROWS; i++)
        p[i] = 0 - p[i];
    slip = spci_law_norm(p[0], p[1]);
    limit = c->law.grip ? 0 : c->law.friction * p[2];
    if (!spci_finite_numbers(u, 6) || !spci_finite(slip))
        return SPC_ERROR_NOT_FINITE;
    info->state = c->one_sided ? (spc_contact_state)c->state : SPC_CONTACT_ROLLING;
    info->began = c->began;
    info->ended = c->ended;
    info->separation = rows.separation;
    info->normal_speed = u[2];
    spci_copy(info->slip, u, 2);
    spci_copy(info->force, p, 3);
    spci_copy(info->moment, p + 3, 3);
    info->grip_used = limit > 0 ? slip / limit : 0;
    info->hit_speed = c->hit_speed;
    return SPC_OK;
}

SPC_API bool spc_contact_event_next(const spc_world *world, spc_constraint *constraint)
{
    int slot;
    if (!world || !constraint || constraint->index > (unsigned)world->constraint_slots)
        return false;
    slot = constraint->index
               ? spci_const_constraint_at(world, (int)constraint->index - 1)->next_event
               : world->events;
    for (; slot > 0; slot = spci_const_constraint_at(world, slot - 1)->next_event) {
        const spci_constraint *c = spci_const_constraint_at(world, slot - 1);
        if (!spci_in_use(c->generation) || !(c->began || c->ended))
            continue;
        constraint->index = (unsigned)slot;
        constraint->generation = c->generation;
        return true;
    }
    return false;
}

/* What a constraint's multipliers do to its bodies. Gives the power. A one-sided contact has
   friction in rows that are off, too, and the moments of its resistances. */
static spc_real spci_told_forces(const spc_world *w, const spci_constraint *c,
                                 const spc_rows *rows, const spc_real *lambda, spc_spatial *on_a,
                                 spc_spatial *on_b)
{
    const spc_vec3 F = spc_scale(-1, spc_mat3_mul(rows->R_GP, spci_get_vec3(lambda)));
    const spc_vec3 M = spc_scale(-1, spc_mat3_mul(rows->R_GP, spci_get_vec3(lambda + 3)));
    const spc_spatial V_a = spci_get_state(w, c->a).V_GB, V_b = spci_get_state(w, c->b).V_GB;
    if (!c->one_sided) {
        spc_rows_forces(rows, lambda, on_a, on_b);
        return spc_rows_power(rows, lambda);
    }
    on_a->angular = spc_scale(-1, spc_add(spc_cross(rows->arm_a, F), M));
    on_a->linear = spc_scale(-1, F);
    on_b->angular = spc_add(spc_cross(rows->arm_b, F), M);
    on_b->linear = F;
    return spc_dot(F, spci_contact_slip(rows, &V_a, &V_b)) +
           spc_dot(M, spc_sub(V_b.angular, V_a.angular));
}

SPC_API spc_status spc_constraint_get_forces(const spc_world *world, spc_constraint constraint,
                                             spc_contact_force *forces)
{
    const spci_constraint *c = NULL;
    spc_status status = spci_find_constraint(world, constraint, &c);
    spc_real lambda[SPC_MAX_ROWS], power;
    spc_spatial on_a, on_b;
    spc_rows rows;
    if (status)
        return status;
    if (!forces)
        return SPC_ERROR_NULL;
    status = spci_constraint_found(world, c, &rows);
    if (status)
        return status;
    spci_multipliers(world, c, lambda);
    power = spci_told_forces(world, c, &rows, lambda, &on_a, &on_b);
    if (!((power - power) + spci_nan_of_spatial(on_a) + spci_nan_of_spatial(on_b) +
              spci_nan_of_spatial(spci_in_axes_of(world, c->a, on_a)) +
              spci_nan_of_spatial(spci_in_axes_of(world, c->b, on_b)) >=
          0))
        return SPC_ERROR_NOT_FINITE;
    forces->p_GC = rows.p_GC;
    forces->force_G = on_b.linear;
    forces->force_P = spc_vec3_make(0 - lambda[0], 0 - lambda[1], 0 - lambda[2]); /* no -0 */
    forces->on_a = on_a;
    forces->on_b = on_b;
    forces->on_a_A = spci_in_axes_of(world, c->a, on_a);
    forces->on_b_B = spci_in_axes_of(world, c->b, on_b);
    forces->power = power;
    return SPC_OK;
}

/* --------------------------------------------- [7i.3] WORLD: MOTION, IMPLEMENTATION ----------- */
/*
   One step h of spc_step takes each dynamic body, with its centre of mass c = p_BBc, from (q, p, V)
   to the end of the step by half a drift, a kick in the middle, and half a drift. The rows of the
   constraints have the errors e0, s0 at the beginning.

   Drift through h/2. Turn: the free rotation by the implicit midpoint rule in B, for a time k with
   x the mean angular velocity,

       I (x - w) + k/2 x x I x = 0,    w' = 2 x - w,    q' = q cay(k x)                   (7.1)

   where cay(u) is the rotation of the quaternion (1, u/2) made unit. The rule keeps w . I w, and
   together with Cayley's map the angular momentum R I w in G, exactly; so do turns by parts of h,
   into which h is divided where the equation is not solved at once. Bodies with equal moments
   turn by the exponential map with w' = w. For a top, of moments A across an axis e and C about it,
   (7.1) is linear, since it keeps x . e:

       x = s e + (v + a e x v) / (1 + a^2)                                               (7.6)

   with s = w . e, v = w - s e, a = k/2 (C/A - 1) s. Seen from G, w' is 2 x - w turned by cay(k x).
   Move: the centre of mass goes on with its velocity,

       p' = p + k v_c + (R c - R' c)                                                      (7.2)

   Kick, in the middle, where the rows have the errors e1, s1 and the Jacobian G, of which there is
   one factorization. What the free drift has changed, k = s1 - s0, is the curvature of the rows
   over half a step. Forces push through h, and impulses -h l give the velocities

       V' = V + h M^-1 (f - G^T l),    G V' = -k                                          (7.3)

   so that the other half of the drift, which changes the errors by k again to second order, ends
   at s = 0. Mirrored so, the velocity keeps its size in a free turn about a joint: impulses do work
   on the mean of the velocities before and after, which is along the constraints. Rows whose
   velocity errors stabilization is to ignore keep theirs: G V' = s0 - k. Of two spheres that roll
   s0 is their slip before, along the axes of the middle.

   What moves a kinematic body need not do so evenly. By the velocities that it has at the place of
   the constraint before the step, in the middle, and at the end, which its callback tells, the
   second half changes the rows by d more than the first: k is s1 - s0 + d in (7.3), and
   s1 - s0 + 7/6 d in (7.4), as acceleration grows evenly.

   Where a body turns about the free axis z of a joint, at a rate p, as a wheel in its fork, errors
   turn with it: e' = w + p z x e, of which w is what the rows of an aligned joint are. A kick by
   about -2 s1 changes e'' of the free drift by p z x (-2 s1), and the half drifts before and after
   it leave no error to the third order if the kick takes that in,

       G V' = -k + 2 p z x (e1 - e0)                                                      (7.8)

   Displace, with the same factor: poses move by d, velocities stay,

       G d = -(e1 - e0 - h/4 k) - part e0                                                 (7.4)
       part = h/T + (1 - h/T) / (1 + (delta / 0.01)^4),    T >= 2 h

   for rows with a position level that stabilization does not ignore, 0 for others. h/4 k is how far
   a curve of the right ends is from the rows in its middle; the rest of e1 - e0 is this step's own
   error, which goes at once, with the drift that velocity errors before the step have caused. So
   does what was there before, as far as it is drift; beyond a hundredth, of the arms or of a radian
   (delta), it is a joint that came apart, and closes by e' = -e/T. A displacement leaves no
   velocity behind. It changes the angular momentum of what hangs on nothing fixed, since masses
   move at fixed velocities; a rigid rotation of the island gives that back, which no row inside
   notices.

   Energy. The impulses move the velocities from s1 to G V', before the push, so that without it a
   step gains -h l . (s1 + G V') / 2 = -h l . s0 / 2: nothing if the velocities have met the rows
   before, which they have to second order. Where a chain cracks like a whip and this is more than
   a small part of the energy, some of s0 is mirrored instead of removed,

       G V' = -k - c s0,    with 0 < c <= 1 such that -l . s0 = 0, or c = 1              (7.7)

   which one more substitution finds, as l depends on c linearly.

   Parts. An arm that turns by an angle u in half a step changes the velocity of its end by the
   part |k| / |w x a| = 2 sin(u/2) of it; a top's nutates, too. Where that is more than a fifth, an
   impulse that mirrors k leaves errors that grow from step to step (measured: a crank from 0.6 rad
   a step on). The step is divided into n parts,

       n > |k| / (0.2 |w x a|), but no more than h |w| / 0.2                               (7.9)

   the bound for places where the velocity just vanishes. A body that is pulled along an arm a by f
   swings about the axes e across it with the square of the rate f a sum(1/I_e) at most, of which
   the scheme is stable below 2/h^2 or so:

       n^2 > h^2 f a sum(1/I_e) / 1.5                                                     (7.10)

   of f as it is solved for, not of least norm, which depends on the unit of length. A body on one
   joint alone turns about that, with I_e + m a^2 for I_e. Errors across the axis of a hinge turn by
   the spin p of B in A, and by the nutation that the spin makes of A and B together, of which the
   slower body has the part of its own sum(1/I_e):

       n > h p,    n > 8 h p j / (j_a + j_b)                                              (7.11)

   Measured on rotors with moments in ratios from 0.3 to 1.9, on bodies of any mass: stable to 1.0
   and 1/7. All three are looked at again in each part.

   All of this is of second order in h, and exact for uniform balls on planes that do not turn,
   under constant forces: their rows do not curve. A velocity that results from a difference which
   is only rounding counts as zero                                                        (7.5)
   as does a displacement of no more than rounding, so that rest stays rest: gravity's push and the
   impulse against it need not cancel to the last bit.
*/

/* Sums whose parts cancel down to this many units of rounding are zero, (7.5): the correction
   itself carries the roundings of a solve. */
#define SPCI_CANCELLED (64 * SPCI_EPSILON)

/* Position errors up to so many units of rounding of the coordinates are rounding. */
#define SPCI_NO_ERROR (16 * SPCI_EPSILON)

/* A disc whose axis is so close to the normal is nearly flat (sine); the cosine of the angle
   through which its contact may run on the plane then, in the time that is looked at. */
#define SPCI_NEARLY_FLAT SPC_R(0.25)
#define SPCI_MOST_SWERVE SPC_R(0.85)

/* The part of an island's kinetic energy that the impulses of a step may bring in, (7.7). */
#define SPCI_GAIN SPC_R(1e-3)

/* What a step of an island follows: (7.9), where the way that k makes in h is more than a part of
   the arm; (7.10); (7.11). Parts that are made may need a little more than one. A blow is a step
   whose impulses do more than this part of their work on errors that were there before. */
#define SPCI_MOST_BEND SPC_R(0.2)
#define SPCI_NO_BEND SPC_R(1e-4)
#define SPCI_MOST_SWING SPC_R(1.5)
#define SPCI_BLOW SPC_R(0.5)
#define SPCI_MOST_GYRATION 8
#define SPCI_SLACK SPC_R(1.25)

/* Spheres whose centres are no farther apart than this, in sums of their radii, are next to each
   other where blows go through a heap. How far they come towards each other in a part, in the same,
   (7.21), and on what way a blow without restitution may be taken for one at once. */
#define SPCI_BESIDE_EACH SPC_R(1.05)
#define SPCI_NO_WAY SPC_R(0.03)
#define SPCI_MOST_WAY SPC_R(0.5)

/* The most that a displacement turns a body at a time [rad]. */
#define SPCI_MOST_TURN SPC_R(0.5)

/* Newton steps for the midpoint rule; two or three do for h w < 1. The method converges
   quadratically: after a step of this part of x only rounding is left. Where so many do not do, the
   turn is divided, by two again and again, into up to so many parts. */
#define SPCI_MOST_TURN_ITERATIONS 20
#define SPCI_MOST_TURN_PARTS 256
#ifdef SPC_USE_FLOAT
#define SPCI_TURN_TOLERANCE SPC_R(1e-4)
#else
#define SPCI_TURN_TOLERANCE SPC_R(1e-9)
#endif

/* Finite, with a quaternion that is still one. x - x is 0 for finite x and NaN otherwise: one
   comparison does for all numbers. */
static inline bool spci_finite_state(const spc_state *s)
{
    const spc_real off = spci_abs(spci_quat_dot(s->X_GB.q, s->X_GB.q) - 1);
    const spc_vec3 p = spc_sub(s->X_GB.p, s->X_GB.p), v = spc_sub(s->V_GB.linear, s->V_GB.linear);
    const spc_vec3 w = spc_sub(s->V_GB.angular, s->V_GB.angular);
    return off <= SPC_R(0.5) &&
           ((p.x + p.y) + (p.z + v.x)) + ((v.y + v.z) + (w.x + w.y)) + w.z >= 0;
}

/* A column of the derivative of (7.1), for an axis e: I e + h/2 (e x I x + x x I e). */
static SPCI_FORCE_INLINE spc_vec3 spci_midpoint_column(spc_vec3 Ie, spc_vec3 e_Ix, spc_vec3 x,
                                               spc_real half)
{
    return spc_add(Ie, spc_scale(half, spc_add(e_Ix, spc_cross(x, Ie))));
}

/* A Newton step towards x of (7.1): what it takes off. */
static SPCI_FORCE_INLINE spc_vec3 spci_improve_spin(spc_inertia inertia, spc_vec3 Iw, spc_real half,
                                            spc_vec3 *x)
{
    const spc_vec3 Ix = spc_inertia_mul(inertia, *x);
    const spc_vec3 f = spc_add(spc_sub(Ix, Iw), spc_scale(half, spc_cross(*x, Ix)));
    const spc_vec3 a =
        spci_midpoint_column(spc_vec3_make(inertia.xx, inertia.xy, inertia.xz),
                             spc_vec3_make(0, -Ix.z, Ix.y), *x, half);
    const spc_vec3 b =
        spci_midpoint_column(spc_vec3_make(inertia.xy, inertia.yy, inertia.yz),
                             spc_vec3_make(Ix.z, 0, -Ix.x), *x, half);
    const spc_vec3 c =
        spci_midpoint_column(spc_vec3_make(inertia.xz, inertia.yz, inertia.zz),
                             spc_vec3_make(-Ix.y, Ix.x, 0), *x, half);
    const spc_vec3 bc = spc_cross(b, c), ca = spc_cross(c, a), ab = spc_cross(a, b);
    const spc_real det = spc_dot(a, bc);
    const spc_vec3 d =
        spc_vec3_make(spc_dot(f, bc) / det, spc_dot(f, ca) / det, spc_dot(f, ab) / det);
    *x = spc_sub(*x, d);
    return d;
}

/* x of (7.1), all in B; false if Newton's method does not settle. */
static bool spci_midpoint_spin(spc_inertia inertia, spc_vec3 w, spc_real h, spc_vec3 *mean)
{
    const spc_real half = SPC_R(0.5) * h;
    spc_vec3 x = w, Iw;
    int i;
    /* keeps determinants in range */
    inertia = spci_inertia_scale(1 / (inertia.xx + inertia.yy + inertia.zz), inertia);
    Iw = spc_inertia_mul(inertia, w);
    for (i = 0; i < SPCI_MOST_TURN_ITERATIONS; i++) {
        const spc_vec3 d = spci_improve_spin(inertia, Iw, half, &x);
        if (spci_max_abs(d) <= SPCI_TURN_TOLERANCE * spci_max_abs(x)) {
            *mean = x;
            return true;
        }
    }
    return false;
}

/* (7.1) in so many equal parts of h, with w in B; false if one of them does not settle. */
static bool spci_turn_in_parts(spc_inertia inertia, int parts, spc_real h, spc_quat *q_GB,
                               spc_vec3 *w)
{
    const spc_real part = h / (spc_real)parts;
    spc_vec3 x;
    spc_quat q;
    int i;
    for (i = 0; i < parts; i++) {
        if (!spci_midpoint_spin(inertia, *w, part, &x))
            return false;
        *w = spc_sub(spc_scale(2, x), *w);
        x = spc_scale(SPC_R(0.5) * part, x);
        q = spc_quat_mul(*q_GB, spc_quat_make(1, x.x, x.y, x.z));
        *q_GB = spci_quat_scale(1 / SPC_SQRT(spci_quat_dot(q, q)), q);
    }
    return true;
}

/* A turn that does not settle at once, with w in B. Where most parts do not do, the body turns as a
   whole about its angular momentum, with the rate that it has about it on the mean: that keeps
   momentum and energy, too. A spin whose momentum, or the square of whose angle, is not finite ends
   as NaN. */
static SPCI_NO_INLINE void spci_turn_divided(spc_inertia inertia, spc_real h, spc_quat *q_GB,
                                         spc_vec3 *w)
{
    const spc_quat q_before = *q_GB;
    const spc_vec3 w_before = *w;
    const spc_vec3 L = spc_inertia_mul(inertia, *w);
    const spc_real size = spc_norm(L);
    const spc_vec3 axis = spc_vec3_make(L.x / size, L.y / size, L.z / size);
    int parts;
    for (parts = 2; parts <= SPCI_MOST_TURN_PARTS; parts *= 2) {
        if (spci_turn_in_parts(inertia, parts, h, q_GB, w))
            return;
        *q_GB = q_before;
        *w = w_before;
    }
    *q_GB = spci_quat_renormalize(
        spc_quat_mul(*q_GB, spci_exponential(spc_scale(h * spc_dot(axis, *w), axis))));
}

/* (7.6), all in G: turns a top. */
static inline void spci_turn_top(const spci_body *body, spc_state *s, spc_real h)
{
    const spc_inertia inertia = body->inv_inertia;
    const spc_vec3 e = spci_top_axis(body, s->X_GB.q), w = s->V_GB.angular;
    const spc_real spin = spc_dot(w, e), half = SPC_R(0.5) * h;
    const spc_real k =
        half * (spci_top_across(body, inertia) / spci_top_about(body, inertia) - 1) * spin;
    const spc_vec3 about = spc_scale(spin, e), across = spc_sub(w, about);
    const spc_vec3 turned = spc_add(across, spc_scale(k, spc_cross(e, across)));
    const spc_vec3 x = spc_add(about, spc_scale(1 / (1 + k * k), turned));
    const spc_vec3 u = spc_scale(half, x), y = spc_sub(spc_scale(2, x), w), uy = spc_cross(u, y);
    const spc_quat q = spc_quat_mul(spc_quat_make(1, u.x, u.y, u.z), s->X_GB.q);
    s->X_GB.q = spci_quat_scale(1 / SPC_SQRT(spci_quat_dot(q, q)), q);
    s->V_GB.angular = spc_add(y, spc_scale(2 / (1 + spc_dot(u, u)), spc_add(uy, spc_cross(u, uy))));
}

/* (7.1): turns a body freely, with its angular velocity. */
static inline void spci_turn(const spci_body *body, spc_state *s, spc_real h)
{
    spc_vec3 w;
    if (spci_is_zero_vec3(s->V_GB.angular))
        return;
    if (body->symmetry == SPCI_SPHERICAL) {
        s->X_GB.q = spci_turned(s->X_GB.q, s->V_GB.angular, h);
        return;
    }
    if (body->symmetry != SPCI_ASYMMETRIC) {
        spci_turn_top(body, s, h);
        return;
    }
    w = spc_unrotate(s->X_GB.q, s->V_GB.angular);
    if (!spci_turn_in_parts(body->mass.inertia, 1, h, &s->X_GB.q, &w))
        spci_turn_divided(body->mass.inertia, h, &s->X_GB.q, &w);
    s->V_GB.angular = spc_rotate(s->X_GB.q, w);
}

/* Force on a body at Bc: torque about it, force without gravity. */
static inline spc_spatial spci_force_at_centre(const spci_body *body, const spci_work *work)
{
    const spc_spatial F = spci_spatial_add(body->one_step, body->lasting);
    return spc_spatial_make(spc_sub(F.angular, spc_cross(work->p_BBc_G, F.linear)), F.linear);
}

/* (7.1) and (7.2): a body moves freely through a time. */
static void spci_drift(const spci_body *body, spc_state *s, spc_real h)
{
    const spc_vec3 before = spci_centre(body, s->X_GB.q);
    const spc_vec3 v = spci_to_centre(body, s->V_GB.linear, s->V_GB.angular, before);
    spc_vec3 after;
    spci_turn(body, s, h);
    after = spci_centre(body, s->X_GB.q);
    s->X_GB.p = spc_add(s->X_GB.p, spc_add(spc_scale(h, v), spc_sub(before, after)));
    s->V_GB.linear = spci_to_origin(body, v, s->V_GB.angular, after);
}

/* The gravity that acts on a body; a slot that its body has left stands at rest. */
static SPCI_FORCE_INLINE spc_vec3 spci_gravity(const spc_world *w, const spci_body *body)
{
    return spci_in_use(body->generation) ? w->gravity : spc_vec3_make(0, 0, 0);
}

/* What forces add to the velocity of a body in a time, at Bc. */
static SPCI_FORCE_INLINE spc_spatial spci_push(const spc_world *w, const spci_body *body,
                                       const spci_work *work, spc_real h)
{
    spc_spatial push =
        spc_spatial_make(spc_vec3_make(0, 0, 0), spc_scale(h, spci_gravity(w, body)));
    if (body->forced) {
        const spc_spatial F = spci_force_at_centre(body, work);
        push.angular = spc_scale(h, spci_over_inertia(body, work, F.angular));
        push.linear = spc_add(push.linear, spc_scale(h * body->inv_mass, F.linear));
    }
    return push;
}

static inline spc_real spci_clean(spc_real x, spc_real scale)
{
    return spci_abs(x) < SPCI_CANCELLED * scale ? 0 : x; /* infinity and NaN stay */
}

static inline spc_vec3 spci_clean_vec3(spc_vec3 v, spc_real scale)
{
    return spc_vec3_make(spci_clean(v.x, scale), spci_clean(v.y, scale), spci_clean(v.z, scale));
}

/* Adds push and delta to a velocity, (7.5). Rounding of an impulse at an arm turns the body. */
static SPCI_FORCE_INLINE void spci_kick(const spci_body *body, spci_work *work)
{
    spc_spatial *V = &work->state.V_GB;
    const spc_vec3 v = spci_to_centre(body, V->linear, V->angular, work->p_BBc_G);
    const spc_real speed = spci_max_abs(work->push.linear) + spci_max_abs(work->delta.linear);
    const spc_real spin = (spci_max_abs(work->push.angular) + spci_max_abs(work->delta.angular)) +
                          work->lever * speed;
    V->angular = spci_clean_vec3(
        spc_add(V->angular, spc_add(work->push.angular, work->delta.angular)), spin);
    V->linear = spci_to_origin(
        body, spci_clean_vec3(spc_add(v, spc_add(work->push.linear, work->delta.linear)), speed),
        V->angular, work->p_BBc_G);
}

/* The bodies of an island through half a step h. */
static SPCI_NO_INLINE void spci_drift_island(spc_world *w, const spci_island *island, spc_real h)
{
    const int *bodies = spci_body_order(w) + island->first_body;
    int i;
    for (i = 0; i < island->body_count; i++)
        spci_drift(spci_body_at(w, bodies[i]), &spci_work_at(w, bodies[i])->state,
                   SPC_R(0.5) * h);
}

static SPCI_NO_INLINE void spci_kick_island(spc_world *w, const spci_island *island)
{
    const int *bodies = spci_body_order(w) + island->first_body;
    int i;
    for (i = 0; i < island->body_count; i++)
        spci_kick(spci_body_at(w, bodies[i]), spci_work_at(w, bodies[i]));
}

/* Adds the solver's change of velocity alone. */
static void spci_correct(const spci_body *body, spci_work *work)
{
    work->push = spci_spatial_zero();
    spci_kick(body, work);
}

/* Adds a part of a displacement at Bc to a pose. */
static void spci_displace(const spci_body *body, spci_work *work, spc_spatial d, spc_real part)
{
    spc_transform *X = &work->state.X_GB;
    spc_vec3 c;
    if (spci_is_zero_vec3(d.angular) && spci_is_zero_vec3(d.linear))
        return;
    if (!spci_is_zero_vec3(d.angular))
        X->q = spc_quat_integrate(X->q, d.angular, part);
    c = spci_centre(body, X->q);
    X->p = spc_add(X->p, spc_add(spc_scale(part, d.linear), spc_sub(work->p_BBc_G, c)));
}

/* The part of displacements that turns nothing by more than SPCI_MOST_TURN. */
static inline spc_real spci_bounded_part(spc_real angle)
{
    return angle > SPCI_MOST_TURN ? SPCI_MOST_TURN / angle : 1;
}

/* The same within a step: the velocities of Bc stay. */
static void spci_displace_moving(const spci_body *body, spci_work *work, spc_real part)
{
    spc_spatial *V = &work->state.V_GB;
    const spc_vec3 v = spci_to_centre(body, V->linear, V->angular, work->p_BBc_G);
    spci_displace(body, work, work->shift, part);
    V->linear = spci_to_origin(body, v, V->angular, spci_centre(body, work->state.X_GB.q));
}

/* Moves a kinematic body through h; at the time `after` if a callback does it. */
static spc_status spci_move_kinematic(spci_body *body, spc_state *s, spc_real h, spc_real after)
{
    const spc_vec3 dw = spc_scale(h, body->A_GB.angular), dv = spc_scale(h, body->A_GB.linear);
    spc_vec3 mean;
    if (body->motion)
        return spci_ask_motion(body->motion, body->user, after, s, &body->A_GB);
    mean = spc_add(s->V_GB.angular, spc_scale(SPC_R(0.5), dw));
    if (!spci_is_zero_vec3(mean))
        s->X_GB.q = spc_quat_integrate(s->X_GB.q, mean, h);
    s->X_GB.p =
        spc_add(s->X_GB.p, spc_scale(h, spc_add(s->V_GB.linear, spc_scale(SPC_R(0.5), dv))));
    s->V_GB = spci_spatial_add(s->V_GB, spc_spatial_make(dw, dv));
    return spci_finite_state(s) ? SPC_OK : SPC_ERROR_STATE_NOT_FINITE;
}

/* What its velocity changes by from the middle of a step, or of a part, to its end `later`. */
static spc_status spci_foresee(const spci_body *body, spci_work *work, spc_real half,
                               spc_real later)
{
    spc_spatial A = spci_spatial_scale(half, body->A_GB);
    spc_state end;
    if (body->motion) {
        const spc_status status = spci_ask_motion(body->motion, body->user, later, &end, &A);
        if (status)
            return status;
        A = spci_spatial_add(end.V_GB, spci_spatial_scale(-1, work->state.V_GB));
    }
    work->shift = A;
    return SPC_OK;
}

/* Where such a body is then, not turned, and its velocity. */
static spc_state spci_foreseen(const spci_work *work, spc_real half)
{
    spc_state s = work->state;
    const spc_vec3 mean =
        spc_add(s.V_GB.linear, spc_scale(SPC_R(0.5), work->shift.linear));
    s.X_GB.p = spc_add(s.X_GB.p, spc_scale(half, mean));
    s.V_GB = spci_spatial_add(s.V_GB, work->shift);
    return s;
}

/* An island of one body under one contact? */
static inline bool spci_island_is_contact(spc_world *w, const spci_island *island)
{
    return island->node_count == 1 && island->body_count == 1 &&
           spci_constraint_at(w, spci_island_node(w, island, 0)->constraint)->kind !=
               SPC_ATTACHMENT;
}

/* Is an island a ball that lanes are made for? */
static bool spci_is_ball(spc_world *w, const spci_island *island)
{
    const spci_constraint *c;
    const spci_body *body;
    if (!spci_island_is_contact(w, island))
        return false;
    c = spci_constraint_at(w, spci_island_node(w, island, 0)->constraint);
    if (c->kind != SPC_SPHERE_ON_PLANE || !spci_is_dynamic(w, c->b) ||
        (c->one_sided && (c->law.bounded || spci_side_rows(c) >> 3)))
        return false;
    body = spci_body_at(w, c->b);
    return body->centred && body->symmetry == SPCI_SPHERICAL &&
           spci_is_zero_vec3(c->shape.sphere_on_plane.p_BS);
}

/* The lane of such a ball. */
static void spci_fill_lane(spc_world *w, spci_balls *b, int l, int slot)
{
    const spci_constraint *c = spci_constraint_at(w, slot);
    const spci_body *body = spci_body_at(w, c->b);
    const spc_sphere_on_plane *shape = &c->shape.sphere_on_plane;
    const spc_stabilization *stab = &c->stabilization;
    const spc_real j = body->inv_inertia.xx, r = shape->radius;
    const bool rolls = c->one_sided ? (spci_side_rows(c) & 3u) != 0 : shape->rolling;
    int i;
    b->constraint[l] = slot + 1;
    b->floor[l] = c->a;
    b->moving = (unsigned char)(b->moving + (c->a != 0));
    b->mass[l] = body->mass.mass;
    b->inv_mass[l] = body->inv_mass;
    b->inv_inertia[l] = j;
    b->radius[l] = r;
    b->grip[l] = rolls ? 1 / (body->inv_mass + j * (r * r)) : 0;
    for (i = 0; i < 3; i++)
        b->keep[i][l] = SPC_R(stab->ignore_velocity >> i & 1u);
    b->displace[l] = stab->enabled && (spci_position_rows(stab, 4u) & 4u) ? 1 : 0;
    b->time[l] = stab->time_constant;
    spci_put_quat_lane(shape->X_FP.q, b->q_FP, l);
    spci_put_lane(shape->X_FP.p, b->p_FP, l);
    spci_set_found(b, l, c->one_sided ? 0 : SPCI_NOT_ONE_SIDED);
    b->sides = (unsigned char)(b->sides + c->one_sided);
    spci_fill_forces(w, c->b);
    spci_put_lane(spci_get_vec3(c->multipliers),
                  spci_states_at(w, w->now)[(c->b - 1) / SPCI_LANES].lambda, l);
}

/* A lane of no ball: numbers that no operation of a step is invalid with. */
static void spci_idle_lane(spci_balls *b, int l)
{
    int i;
    b->floor[l] = 0;
    spci_set_found(b, l, SPCI_NOT_ONE_SIDED);
    b->mass[l] = b->inv_mass[l] = b->inv_inertia[l] = b->grip[l] = b->displace[l] = 0;
    b->radius[l] = b->time[l] = 1;
    for (i = 0; i < 3; i++)
        b->keep[i][l] = 0;
    spci_put_quat_lane(spci_ground.X_GB.q, b->q_FP, l);
    spci_put_lane(spci_ground.X_GB.p, b->p_FP, l);
}

/* All lanes of a group, for the bodies from `first` on. */
static void spci_fill_lanes(spc_world *w, spci_balls *b, int first)
{
    int l;
    b->count = b->moving = b->sides = 0;
    b->fresh = true;
    for (l = 0; l < SPCI_LANES; l++) {
        const int body = first + l;
        spci_island *island;
        spci_idle_lane(b, l);
        if (body > w->body_slots || !spci_in_use(spci_body_at(w, body)->generation) ||
            !spci_is_dynamic(w, body))
            continue;
        island = spci_island_at(w, spci_work_at(w, body)->island);
        island->in_lane = spci_is_ball(w, island);
        if (island->in_lane) {
            if (b->constraint[l] > 0)
                spci_forget_multipliers(w, body);
            spci_fill_lane(w, b, l, spci_island_node(w, island, 0)->constraint);
            island->one_sided = spci_is_side(b, l);
            b->count++;
        }
    }
}

/* Do two lanes have the same plane of the same floor? */
static bool spci_is_same_plane(const spci_balls *a, int i, const spci_balls *b, int k)
{
    const spc_quat q = spci_lane_quat(a->q_FP, i), other = spci_lane_quat(b->q_FP, k);
    return a->floor[i] == b->floor[k] && spci_equal(q.w, other.w) && spci_equal(q.x, other.x) &&
           spci_equal(q.y, other.y) && spci_equal(q.z, other.z) &&
           spci_is_zero_vec3(spc_sub(spci_lane_vec3(a->p_FP, i), spci_lane_vec3(b->p_FP, k)));
}

/* Up to so many balls of a group are computed one by one. */
#ifdef __OPTIMIZE_SIZE__
#define SPCI_FEW_LANES SPCI_LANES
#else
#define SPCI_SIDE_BY_SIDE
#define SPCI_FEW_LANES (SPCI_LANES / 2)
#endif

/* So are those of a group of which some have floors that move, or are one-sided, and others are
   not. */
static bool spci_are_few(const spci_balls *b)
{
    return b->count <= SPCI_FEW_LANES || (b->moving > 0 && b->moving < b->count) ||
           (b->sides > 0 && b->sides < b->count);
}

/* Idle lanes get the plane of one that is not. before: the group before; NULL: none. */
static void spci_compare_planes(spci_balls *b, const spci_balls *before)
{
    const spci_balls *own = b;
    int l, used = 0;
    for (l = 0; l < SPCI_LANES; l++)
        used = b->constraint[l] ? l : used;
    b->one_plane = true;
    b->same_planes = before && before->count > 0 && !spci_are_few(before) &&
                     (before->moving > 0) == (b->moving > 0);
    for (l = 0; l < SPCI_LANES; l++) {
        const int from = b->constraint[l] ? l : used;
        b->floor[l] = b->floor[from];
        spci_put_quat_lane(spci_lane_quat(own->q_FP, from), b->q_FP, l);
        spci_put_lane(spci_lane_vec3(own->p_FP, from), b->p_FP, l);
        b->one_plane = b->one_plane && spci_is_same_plane(b, l, b, 0);
        b->same_planes = b->same_planes && spci_is_same_plane(b, l, before, l);
    }
}

/* Is some constraint of an island one-sided? */
static bool spci_is_one_sided(spc_world *w, const spci_island *island)
{
    bool found = false;
    int i;
    for (i = 0; i < island->node_count && !found; i++) {
        const int k = spci_island_node(w, island, i)->constraint;
        found = k >= 0 && spci_constraint_at(w, k)->one_sided;
    }
    return found;
}

/* Which island is stepped how. */
static void spci_plan(spc_world *w)
{
    spci_structure *s = spci_structure_of(w);
    bool changed = false;
    int i;
    if (s->planned)
        return;
    for (i = 0; i < spci_groups(w->body_slots); i++) {
        spci_balls *b = spci_balls_at(w, i);
        const bool fresh = b->fresh;
        if (!fresh)
            spci_fill_lanes(w, b, SPCI_LANES * i + 1);
        if (!fresh || changed)
            spci_compare_planes(b, i > 0 ? spci_balls_at(w, i - 1) : NULL);
        changed = !fresh;
    }
    s->one_sided = false;
    for (i = s->others = 0; i < s->islands; i++) {
        spci_island *island = spci_island_at(w, i);
        if (!island->in_lane)
            island->one_sided = !island->vacant && spci_is_one_sided(w, island);
        s->one_sided = s->one_sided || island->one_sided;
        if (!island->in_lane && !island->vacant)
            spci_others(w)[s->others++] = i;
    }
    s->planned = true;
}

/* Calls that know bilateral constraints alone end with it. */
static spc_status spci_refuse_one_sided(spc_world *w)
{
    return spci_structure_of(w)->one_sided ? SPC_ERROR_ONE_SIDED : SPC_OK;
}

/* Calls that solve begin with it. */
static spc_status spci_prepare(spc_world *w)
{
    const spc_status status = spci_find_structure(w);
    if (!status)
        spci_plan(w);
    return status;
}

/* With what a call finds a body of the order; a slot that its body has left stands at rest. */
static spc_state spci_begun_state(const spc_world *w, int i)
{
    return spci_in_use(spci_const_body_at(w, i)->generation) ? spci_get_state(w, i) : spci_ground;
}

/* The bodies at the places `from` up to `to` of the order, as a call begins with them: states, and
   the accelerations that are prescribed. */
static void spci_take_states(spc_world *w, int from, int to)
{
    int i;
    for (i = from; i < to; i++) {
        const int k = spci_body_order(w)[i];
        spci_work_at(w, k)->state = spci_begun_state(w, k);
        spci_work_at(w, k)->A = spci_body_at(w, k)->A_GB;
    }
}

/* The end of a call that has done its work. */
static void spci_give_states(spc_world *w, int from, int to)
{
    int i;
    for (i = from; i < to; i++) {
        const int k = spci_body_order(w)[i];
        spci_set_state(w, k, &spci_work_at(w, k)->state);
    }
}

/* The multipliers of one-sided balls in lanes stand with their contacts, too, for calls that begin
   with them. */
static void spci_bring_multipliers(spc_world *w)
{
    const int groups = spci_structure_of(w)->one_sided ? spci_groups(w->body_slots) : 0;
    int i, l;
    for (i = 0; i < groups; i++)
        for (l = 0; l < SPCI_LANES && spci_balls_at(w, i)->sides > 0; l++)
            if (spci_is_side(spci_balls_at(w, i), l))
                spci_forget_multipliers(w, SPCI_LANES * i + l + 1);
}

/* What calls begin with that work on all bodies. */
static spc_status spci_begin_call(spc_world *w)
{
    const spc_status status = spci_prepare(w);
    if (status)
        return status;
    spci_take_states(w, 0, spci_structure_of(w)->bodies);
    spci_bring_multipliers(w);
    return SPC_OK;
}

/* Of one that has not: callbacks have said other accelerations. */
static void spci_take_back(spc_world *w)
{
    const spci_structure *s = spci_structure_of(w);
    int i;
    for (i = s->dynamic_bodies; i < s->bodies; i++) {
        const int k = spci_body_order(w)[i];
        spci_body_at(w, k)->A_GB = spci_work_at(w, k)->A;
    }
}

SPC_API spc_status spc_world_set_time(spc_world *world, spc_real time)
{
    spc_status status = SPC_OK;
    int i;
    if (!world)
        return SPC_ERROR_NULL;
    if (!spci_finite(time))
        return SPC_ERROR_NOT_FINITE;
    for (i = 1; i <= world->body_slots && !status; i++) {
        spci_body *body = spci_body_at(world, i);
        if (!spci_in_use(body->generation) || !body->motion)
            continue;
        spci_work_at(world, i)->A = body->A_GB;
        status = spci_move_kinematic(body, &spci_work_at(world, i)->state, 0, time);
    }
    for (i--; i > 0; i--) {
        spci_body *body = spci_body_at(world, i);
        if (!spci_in_use(body->generation) || !body->motion)
            continue;
        if (status)
            body->A_GB = spci_work_at(world, i)->A;
        else
            spci_set_state(world, i, &spci_work_at(world, i)->state);
    }
    if (!status) {
        world->clock.time = time;
        world->clock.rest = 0;
    }
    return status;
}

/* The state of a body before the step, or before a part of one that an island takes in several:
   kinematic bodies have moved already. */
static spc_state spci_state_before(spc_world *w, int i, bool in_parts)
{
    spc_state before;
    if (i == 0 || spci_is_dynamic(w, i))
        return *spci_state(w, i);
    if (!in_parts)
        return spci_get_state(w, i);
    before.X_GB = spc_transform_make(spci_sums_at(w, i)->q, spci_sums_at(w, i)->p);
    before.V_GB = spci_sums_at(w, i)->V;
    return before;
}

/* The velocity of a body at a place in G. */
static inline spc_vec3 spci_velocity_of(const spc_state *s, spc_vec3 place)
{
    return spci_velocity_at(&s->V_GB, spc_sub(place, s->X_GB.p));
}

/* What prescribed motion changes the velocity of B in A by, at the constraint, in either half of a
   step whose half this is. False if none of them is driven. */
static bool spci_find_driven(spc_world *w, const spci_constraint *c, const spc_rows *rows,
                             bool in_parts, spc_real half, spc_spatial driven[2])
{
    bool found = false;
    int end, k;
    for (end = 0; end < 2; end++) {
        const int body = end ? c->b : c->a;
        const spc_state *now = spci_state(w, body);
        const spc_vec3 place = spc_add(now->X_GB.p, end ? rows->arm_b : rows->arm_a);
        if (body == 0 || spci_is_dynamic(w, body))
            continue;
        for (k = 0; k < 2; k++) {
            const spc_state then = k ? spci_foreseen(spci_work_at(w, body), half)
                                     : spci_state_before(w, body, in_parts);
            const spc_spatial change = spc_spatial_make(
                spc_sub(then.V_GB.angular, now->V_GB.angular),
                spc_sub(spci_velocity_of(&then, place), spci_velocity_of(now, place)));
            driven[k] = spci_spatial_add(found ? driven[k] : spci_spatial_zero(),
                                         spci_spatial_scale(SPC_R(end == k ? 1 : -1), change));
        }
        found = true;
    }
    return found;
}

/* By how much more than the first half of a step the second changes velocities of rows, since what
   drives them does not do so evenly. */
static void spci_find_uneven(spc_world *w, const spci_constraint *c, const spc_rows *rows,
                             bool in_parts, spc_real half, spc_real *uneven)
{
    spc_spatial driven[2], more;
    int i;
    spci_clear(uneven, rows->count);
    if (!spci_find_driven(w, c, rows, in_parts, half, driven))
        return;
    more = spci_spatial_add(driven[1], spci_spatial_scale(-1, driven[0]));
    spci_put_vec3(spc_mat3_transpose_mul(rows->R_GP, more.linear), uneven);
    for (i = 3; i < rows->count; i++)
        uneven[i] = spc_dot(rows->jacobian_b[i].angular, more.angular);
}

/* What a constraint's rows have been before the step, what they are in its middle, and what the
   impulses and the displacement are to change: all rows of the kind. */
typedef struct spci_demand {
    spc_real velocity[SPC_MAX_ROWS], position[SPC_MAX_ROWS];
    spc_real part; /* of (7.4); 0 if no position is to change */
} spci_demand;

/* Position errors of linear rows up to this are rounding of the coordinates. */
static inline spc_real spci_no_error(const spc_rows *rows)
{
    return SPCI_NO_ERROR *
           (spci_max_abs(rows->p_GC) + (spci_max_abs(rows->arm_a) + spci_max_abs(rows->arm_b)));
}

/* The part of the errors before the step that goes at once, (7.4): all of drift, h/T of what has
   come apart. e0: of all rows; arm: the longest. */
static inline spc_real spci_part(const spc_stabilization *stab, const spc_real *e0, int count,
                                 spc_real arm, spc_real h)
{
    const spc_real part = h * spci_rate(stab, h);
    spc_real shift = 0, drift = 0;
    int i;
    for (i = 0; i < count; i++) {
        spc_real *most = i < 3 ? &shift : &drift;
        *most = spci_max(*most, spci_abs(e0[i]));
    }
    if (shift > 0)
        drift = arm > 0 ? spci_max(drift, shift / arm) : 1;
    drift = drift * drift / (SPCI_MOST_DRIFT * SPCI_MOST_DRIFT);
    return part + (1 - part) / (1 + drift * drift);
}

/* (7.4) for a row that has a position level, with its errors before and in the middle; none: what
   is rounding. */
static inline spc_real spci_displacement(spc_real e1, spc_real e0, spc_real curve, spc_real part,
                                         spc_real h, spc_real none)
{
    const spc_real own = (e1 - e0) - SPC_R(0.25) * h * curve;
    const spc_real d = -(own + part * e0);
    return spci_abs(d) <= none ? 0 : d;
}

/* What (7.8) adds for a joint with one free rotation; w: of B in A. */
static void spci_demand_of_spin(const spc_rows *rows, const spc_real *e0, spc_vec3 w,
                                spci_demand *out)
{
    const int k = spci_only_axis(7u & ~(rows->enforced >> 3));
    const int x = 3 + (k + 1) % 3, y = 3 + (k + 2) % 3;
    spc_real p;
    if (rows->count < SPC_MAX_ROWS || k < 0)
        return;
    p = 2 * spc_dot(spci_column(&rows->R_GP, k), w);
    out->velocity[x] -= p * (rows->position_errors[y] - e0[y]);
    out->velocity[y] += p * (rows->position_errors[x] - e0[x]);
}

/* (7.3), without what the push adds, and (7.4); s0, e0: of the rows before, w: of B in A. */
static void spci_demand_of(const spc_stabilization *stab, const spc_rows *rows, const spc_real *s0,
                           const spc_real *e0, const spc_real *uneven, spc_vec3 w, spc_real arm,
                           spc_real h, spci_demand *out)
{
    const unsigned position = stab->enabled ? spci_position_rows(stab, rows->holonomic) : 0;
    const spc_real part = stab->enabled ? spci_part(stab, e0, rows->count, arm, h) : 0;
    const spc_real none = spci_no_error(rows);
    bool displaced = false;
    int i;
    for (i = 0; i < rows->count; i++) {
        const spc_real s1 = rows->velocity_errors[i], curve = s1 - s0[i] + uneven[i];
        const spc_real kept = stab->ignore_velocity >> i & 1u ? s0[i] : 0;
        out->velocity[i] = (kept - curve) - s1;
        out->position[i] =
            position >> i & 1u
                ? spci_displacement(rows->position_errors[i], e0[i], curve + uneven[i] / 6, part, h,
                                    i < 3 ? none : SPCI_NO_ERROR)
                : 0;
        displaced = displaced || out->position[i] < 0 || out->position[i] > 0;
    }
    spci_demand_of_spin(rows, e0, w, out);
    out->part = displaced ? part : 0;
}

/* The same for a contact. Rows that are off have no errors. */
static SPCI_PASSING spc_vec3 spci_contact_demand(const spc_stabilization *stab,
                                                 const spc_rows *rows, spc_vec3 s0, spc_real e0,
                                                 spc_vec3 uneven, spc_real arm, spc_real h,
                                                 spc_real *position)
{
    const spc_vec3 s1 = spci_get_vec3(rows->velocity_errors);
    const spc_vec3 curve = spc_add(spc_sub(s1, s0), uneven);
    spc_vec3 velocity = spc_scale(-1, spc_add(curve, s1));
    *position = 0;
    if (stab->enabled && (spci_position_rows(stab, rows->holonomic) & 4u)) {
        const spc_real part = spci_part(stab, &e0, 1, arm, h);
        *position = spci_displacement(rows->position_errors[2], e0, curve.z + uneven.z / 6, part, h,
                                      spci_no_error(rows));
    }
    if (stab->ignore_velocity & 1u)
        velocity.x += s0.x;
    if (stab->ignore_velocity & 2u)
        velocity.y += s0.y;
    if (stab->ignore_velocity & 4u)
        velocity.z += s0.z;
    return velocity;
}

/* From the centre of a disc to its contact point. */
static inline spc_vec3 spci_disc_radius(const spci_constraint *c, const spc_state *disc,
                                        const spc_rows *rows)
{
    return spc_sub(rows->arm_b, spci_rotate_offset(disc->X_GB.q, c->shape.rolling_disc.p_BS));
}

/* Is a disc's contact point no longer where the step looked for it? Its direction from the centre,
   as the plane sees it, must not turn over: a coin that falls flat gets up on its other side, which
   no step across it can tell. Nearly flat it may only swerve. */
static bool spci_turned_over(const spci_constraint *c, const spc_state *disc, const spc_rows *rows,
                             spc_vec3 before)
{
    spc_real down;
    if (c->kind != SPC_ROLLING_DISC)
        return false;
    down = -spc_dot(spci_disc_radius(c, disc, rows), rows->R_GP.z);
    return !(spc_dot(rows->R_GP.x, before) >
             (down < SPCI_NEARLY_FLAT * c->shape.rolling_disc.radius ? SPCI_MOST_SWERVE : 0));
}

/* The same of one that may have begun so high that it does not matter: its axis was none then. */
static bool spci_has_turned_over(const spci_constraint *c, const spc_state *disc,
                                 const spc_rows *rows, spc_vec3 before)
{
    return !spci_is_zero_vec3(before) && spci_turned_over(c, disc, rows, before);
}

/* Will it be in h more? The sine a between axis and normal changes by -c w . w2, with the cosine c,
   (4.12). rows: of the disc at its present place. */
static SPCI_PASSING bool spci_will_turn_over(const spci_constraint *c, const spc_state *floor,
                                             const spc_state *disc, const spc_rows *rows,
                                             spc_real h)
{
    spc_vec3 q, w;
    if (c->kind != SPC_ROLLING_DISC)
        return false;
    q = spci_disc_radius(c, disc, rows);
    w = spc_sub(disc->V_GB.angular, floor->V_GB.angular);
    return !(spc_dot(q, rows->R_GP.z) +
                 h * spc_dot(q, rows->R_GP.x) * spc_dot(w, rows->R_GP.y) <
             0);
}

/* What the middle of a step needs of a contact's axes before it: the first one, as spci_turned_over
   has it; of two spheres, whose axes turn about n as (4.34) does not, their slip. */
static inline spc_vec3 spci_across(const spci_constraint *c, const spc_rows *rows)
{
    if (c->kind != SPC_SPHERE_ON_SPHERE)
        return rows->R_GP.x;
    return spc_add(spc_scale(rows->velocity_errors[0], rows->R_GP.x),
                   spc_scale(rows->velocity_errors[1], rows->R_GP.y));
}

/* The slip of two spheres that roll as errors s0 along the axes of now. */
static inline void spci_follow_axes(const spci_constraint *c, const spc_rows *rows, spc_vec3 across,
                                    spc_real *s0)
{
    if (c->kind != SPC_SPHERE_ON_SPHERE || rows->enforced != 7u)
        return;
    s0[0] = spc_dot(rows->R_GP.x, across);
    s0[1] = spc_dot(rows->R_GP.y, across);
}

/* Multipliers of the constraints of nodes, in their order, from the solver's times a factor. step:
   after one; contacts that have been apart have none, and had none. */
static void spci_keep_multipliers(spc_world *w, int first, int count, spc_real factor, bool step)
{
    unsigned mask;
    int n, i, k;
    for (n = first; n < first + count; n++) {
        const spci_node *node = spci_node_at(w, spci_node_order(w)[n]);
        const spc_real *lambda;
        spci_constraint *c;
        if (node->constraint < 0)
            continue;
        c = spci_constraint_at(w, node->constraint);
        if (step && c->one_sided && spci_side_at(w, node->constraint)->apart)
            continue;
        if (c->one_sided) {
            const spc_real *sum = spci_side_at(w, node->constraint)->sum;
            for (i = 0; i < SPC_MAX_ROWS; i++)
                c->multipliers[i] = 0 - factor * sum[i];
            continue;
        }
        lambda = spci_vector(w, node, SPCI_LAMBDA);
        mask = node->mask;
        for (i = k = 0; i < 3; i++)
            c->multipliers[i] = mask >> i & 1u ? factor * lambda[k++] : 0;
        for (; i < SPC_MAX_ROWS; i++)
            c->multipliers[i] = mask >> i & 1u ? factor * lambda[k++] : 0;
    }
}

/* Those of all, which then stand with the constraints. */
static void spci_keep_all_multipliers(spc_world *w)
{
    spci_keep_multipliers(w, 0, spci_structure_of(w)->nodes, 1, false);
    w->lanes_tell = false;
}

/* Rows of the kind whose pivots are left out. */
static unsigned spci_redundant_rows(const spci_node *node)
{
    unsigned rows = 0, active = 0, mask;
    int i, k = 0, j;
    for (j = 0; j < node->active; j++)
        if (node->dropped >> j & 1u)
            active |= 1u << node->order[j];
    for (i = 0, mask = node->mask; mask; mask >>= 1, i++)
        if (mask & 1u)
            rows |= (active >> k++ & 1u) << i;
    return rows;
}

/* What islands have counted and noted, for the report: all, or those that are not in lanes, which
   is where steps solve. Has one left out rows? */
static bool spci_take_notes(spc_world *w, bool all)
{
    spci_structure *s = spci_structure_of(w);
    const int count = all ? s->islands : s->others;
    bool dropped = false;
    int i, halves = 0;
    s->report.factorizations = s->report.unsolved = 0;
    s->report.residual = 0;
    s->noted = false;
    for (i = 0; i < count; i++) {
        spci_island *island = spci_island_at(w, all ? i : spci_others(w)[i]);
        if (!(island->residual <= s->report.residual))
            s->report.residual = island->residual;
        s->report.unsolved += island->unsolved;
        island->residual = 0;
        island->unsolved = 0;
        if (island->factorizations == 0)
            continue; /* a contact alone */
        s->report.factorizations += island->factorizations;
        halves += island->halves;
        s->noted = s->noted || island->noted;
        dropped = dropped || island->dropped;
        island->factorizations = island->halves = island->parts = 0;
        island->noted = false;
    }
    s->report.substitutions = (halves + 1) / 2;
    return dropped;
}

/* What a call that has done its work tells, see spc_world_report; all: it may have solved all
   islands. */
static spc_status spci_keep_report(spc_world *w, bool all)
{
    spci_structure *s = spci_structure_of(w);
    spc_world_report *r = &s->report;
    const bool dropped = spci_take_notes(w, all), remarks = s->remarks || dropped;
    int i;
    r->redundant_rows = r->contradictory = 0;
    r->worst.index = r->worst.generation = 0;
    r->contradiction = 0;
    s->remarks = false;
    for (i = 0; i < s->nodes && remarks; i++) {
        const spci_node *node = spci_node_at(w, i);
        spci_constraint *c;
        if (node->constraint < 0)
            continue;
        c = spci_constraint_at(w, node->constraint);
        c->redundant = node->loop ? spci_redundant_rows(node) : 0;
        c->contradiction = node->contradiction;
        s->remarks = s->remarks || c->redundant || c->contradiction > 0;
        r->redundant_rows += spci_count_bits(c->redundant);
        r->contradictory += c->contradiction > 0;
        if (!(c->contradiction > r->contradiction))
            continue;
        r->contradiction = c->contradiction;
        r->worst.index = (unsigned)node->constraint + 1;
        r->worst.generation = c->generation;
    }
    return SPC_OK;
}

/* Forces of one step have acted. */
static void spci_end_one_step(spc_world *w)
{
    int i;
    if (!w->one_step_forces)
        return;
    for (i = 1; i <= w->body_slots; i++) {
        spci_body *body = spci_body_at(w, i);
        body->one_step = spci_spatial_zero();
        if (!body->forced)
            continue;
        body->forced =
            !spci_is_zero_vec3(body->lasting.angular) || !spci_is_zero_vec3(body->lasting.linear);
        spci_fill_forces(w, i);
    }
    w->one_step_forces = false;
}

/* Do an island's multipliers, times the factor by which they are kept, stay finite? */
static bool spci_finite_multipliers(spc_world *w, const spci_island *island, spc_real factor)
{
    const spc_real *lambda = spci_all(w, island, SPCI_LAMBDA);
    spc_real most = 0;
    int i;
    for (i = island->hubs; i < island->length; i++)
        most += spci_abs(lambda[i]); /* a sum, because a maximum may lose NaN */
    return spci_finite(factor * most);
}

static bool spci_island_finite(spc_world *w, const spci_island *island, spc_real factor)
{
    int i;
    for (i = 0; i < island->body_count; i++)
        if (!spci_finite_state(spci_state(w, spci_body_order(w)[island->first_body + i])))
            return false;
    return spci_finite_multipliers(w, island, factor);
}

/* Do the multipliers of a contact alone, over a time? */
static inline bool spci_finite_contact(const spc_real *lambda, unsigned mask, spc_real h)
{
    spc_real most = spci_abs(lambda[0]);
    int i;
    for (i = 1, mask &= mask - 1; mask; mask &= mask - 1)
        most += spci_abs(lambda[i++]);
    return most <= SPCI_MAX * h || most <= 0;
}

/* Are the states of the bodies at the places `from` up to `to` of the order finite? */
static bool spci_finite_bodies(spc_world *w, int from, int to)
{
    int i;
    for (i = from; i < to; i++)
        if (!spci_finite_state(spci_state(w, spci_body_order(w)[i])))
            return false;
    return true;
}

/*
   Balls in lanes. For a centred ball with equal moments velocities do not change while it drifts,
   and its compliance at C is 1 / m along the normal n and 1 / m_t = 1/m + r^2/I across it. So the
   midpoint step of (7.2) to (7.5) is in closed form. With errors s0, e0 of the rows before the step
   and s1, e1 at the midpoint,

       curve = s1 - s0,   s' = k s0 - curve,   p = -m (s' - s1 - push)                    (7.12)
       d = -(e1 - e0 - h/4 curve_n + part e0)

   with d of (7.3) in curve. On ground that is at rest curve is 0, and e1 - e0 = h/2 s0_n. Both
   halves of the drift turn it at once: the product of two rotations by a, then b, is that by
   a + b + b x a / 2 to third order.

   One-sided ones take (7.13) to (7.15) and (5.10), see there.

   Balls are computed as many side by side as a vector has numbers, so that compilers make of each
   operation one on vectors. No lane knows of the others, and nothing branches: what does not apply
   is multiplied by 0. Lanes without a ball compute what nobody reads.
*/

/* Pointers that lead to what no other pointer of a function leads to. */
#if defined(__GNUC__) || defined(_MSC_VER)
#define SPCI_ALONE __restrict
#else
#define SPCI_ALONE
#endif

#ifdef SPC_USE_FLOAT
typedef unsigned spci_bits; /* as many as spc_real has */
#else
typedef unsigned long long spci_bits;
#endif

/* The planes of a group's balls in G, and the velocities of the floors' points at their origins. */
typedef struct spci_planes {
    spci_lane x[3], y[3], z[3], p[3], w[3], v[3];
} spci_planes;

/* What the lanes of a step hand on. */
typedef struct spci_turns {
    spci_lane turn[3], angle; /* rotation vector; its square */
    spci_lane sound;          /* NaN if something is not finite, else 0 */
} spci_turns;

/* max(|x|, |y|, |z|) to rounding */
static SPCI_FORCE_INLINE spc_real spci_lane_max(spc_vec3 v)
{
    const spc_real x = spci_abs(v.x), y = spci_abs(v.y), z = spci_abs(v.z);
    const spc_real most = SPC_R(0.5) * ((x + y) + spci_abs(x - y));
    return SPC_R(0.5) * ((most + z) + spci_abs(most - z));
}

/* x if a < b is not so, else 0: by the sign of a - b, since a comparison may become a branch. NaN
   has any sign: who calls looks for it. */
static SPCI_FORCE_INLINE spc_real spci_lane_unless(spc_real a, spc_real b, spc_real x)
{
    union {
        spc_real number;
        spci_bits bits;
    } sign, kept;
    sign.number = a - b;
    kept.number = x;
    kept.bits &= (sign.bits >> (8 * sizeof(spc_real) - 1)) - 1;
    return kept.number;
}

/* (7.5) */
static SPCI_FORCE_INLINE spc_vec3 spci_lane_clean(spc_vec3 v, spc_real scale)
{
    const spc_real least = SPCI_CANCELLED * scale;
    return spc_vec3_make(spci_lane_unless(spci_abs(v.x), least, v.x),
                         spci_lane_unless(spci_abs(v.y), least, v.y),
                         spci_lane_unless(spci_abs(v.z), least, v.z));
}

/* One of them. */
typedef struct spci_plane {
    spc_mat3 R;
    spc_vec3 p, w, v;
} spci_plane;

static SPCI_FORCE_INLINE spci_plane spci_lane_plane(const spci_planes *planes, int l)
{
    spci_plane plane;
    plane.R.x = spci_lane_vec3(planes->x, l);
    plane.R.y = spci_lane_vec3(planes->y, l);
    plane.R.z = spci_lane_vec3(planes->z, l);
    plane.p = spci_lane_vec3(planes->p, l);
    plane.w = spci_lane_vec3(planes->w, l);
    plane.v = spci_lane_vec3(planes->v, l);
    return plane;
}

/* The contact of a ball: its errors, its arm, and how far C is from the plane's origin. */
typedef struct spci_touch_point {
    spc_vec3 s, arm, place;
    spc_real e;
} spci_touch_point;

static SPCI_FORCE_INLINE spci_touch_point spci_lane_contact(const spci_plane *plane, spc_vec3 p,
                                                            spc_vec3 w, spc_vec3 v, spc_real r,
                                                            bool moving)
{
    const spc_vec3 away = spc_sub(p, plane->p);
    spci_touch_point c;
    spc_vec3 u;
    c.arm = spc_scale(-r, plane->R.z);
    c.place = spc_add(away, c.arm);
    c.e = spc_dot(away, plane->R.z) - r;
    u = spc_add(v, spc_cross(w, c.arm));
    if (moving)
        u = spc_sub(u, spc_add(plane->v, spc_cross(plane->w, c.place)));
    c.s = spc_mat3_transpose_mul(plane->R, u);
    return c;
}

/* What a floor's motion changes the velocity of a ball's point C, as it sees it, by in either half
   of a step. */
static SPCI_FORCE_INLINE void spci_lane_driven(const spci_planes *planes, int l, spc_vec3 place,
                                               spc_vec3 *first, spc_vec3 *second)
{
    const spci_plane b = spci_lane_plane(planes, l), now = spci_lane_plane(planes + 1, l);
    const spci_plane e = spci_lane_plane(planes + 2, l);
    const spc_vec3 C = spc_add(now.p, place);
    const spc_vec3 u = spc_add(now.v, spc_cross(now.w, place));
    const spc_vec3 u0 = spc_add(b.v, spc_cross(b.w, spc_sub(C, b.p)));
    const spc_vec3 u1 = spc_add(e.v, spc_cross(e.w, spc_sub(C, e.p)));
    *first = spc_mat3_transpose_mul(now.R, spc_sub(u0, u));
    *second = spc_mat3_transpose_mul(now.R, spc_sub(u, u1));
}

/* (7.4) along the normal; own: what the step adds to the error e by itself. */
static SPCI_FORCE_INLINE spc_real spci_lane_shift(const spci_balls *b, int l, spc_real e,
                                                  spc_real own, spc_real none, spc_real h)
{
    const spc_real angle = e / (b->radius[l] * SPCI_MOST_DRIFT);
    const spc_real twice = b->time[l] - 2 * h;
    const spc_real part = h / (SPC_R(0.5) * ((b->time[l] + 2 * h) + spci_abs(twice)));
    const spc_real all = part + (1 - part) / (1 + (angle * angle) * (angle * angle));
    const spc_real d = -(own + all * e);
    return b->displace[l] * spci_lane_unless(spci_abs(d), none, d);
}

/* What forces add to the velocities of a lane's ball. */
static SPCI_FORCE_INLINE spc_spatial spci_lane_push(const spci_balls *b, spc_vec3 gravity,
                                                    spc_real h, int l)
{
    const spc_vec3 a = spc_add(gravity, spc_scale(b->inv_mass[l], spci_lane_vec3(b->force, l)));
    const spc_vec3 turns = spc_scale(h * b->inv_inertia[l], spci_lane_vec3(b->torque, l));
    return spc_spatial_make(turns, spc_scale(h, a));
}

/* What impulses do to a lane's ball, in the axes of its plane, and a displacement along its normal;
   impulses across it act so long before the middle. */
typedef struct spci_moved {
    spc_vec3 on_b;
    spc_real d, ahead;
} spci_moved;

/* The end of a lane's step but for its rotation; no impulse is ahead if it is not late. */
static SPCI_FORCE_INLINE void spci_move_ball(const spci_states *s, const spci_balls *b,
                                             const spc_mat3 *R, spc_spatial push, spci_moved by,
                                             spc_real h, bool late, int l, spci_states *out,
                                             spci_turns *turns)
{
    const spc_real r = b->radius[l], m = b->mass[l], j = b->inv_inertia[l];
    const spc_real half = SPC_R(0.5) * h;
    const spc_vec3 p = spci_lane_vec3(s->p, l), w = spci_lane_vec3(s->w, l);
    const spc_vec3 v = spci_lane_vec3(s->v, l), arm = spc_scale(-r, R->z);
    const spc_vec3 along = spc_add(spc_scale(by.on_b.x, R->x), spc_scale(by.on_b.y, R->y));
    const spc_vec3 dv = spc_scale(b->inv_mass[l], spc_add(along, spc_scale(by.on_b.z, R->z)));
    const spc_vec3 dw = spc_scale(j, spc_cross(arm, along));
    const spc_real speed = spci_lane_max(push.linear) + spci_lane_max(dv);
    const spc_real spins = (spci_lane_max(push.angular) + spci_lane_max(dw)) + (m * j * r) * speed;
    const spc_vec3 w2 = spci_lane_clean(spc_add(w, spc_add(push.angular, dw)), spins);
    const spc_vec3 v2 = spci_lane_clean(spc_add(v, spc_add(push.linear, dv)), speed);
    const spc_vec3 before = spc_scale(half, w), after = spc_scale(half, w2);
    const spc_vec3 between = spc_scale(late ? by.ahead : 0, dw);
    spc_vec3 lambda = spc_scale(-1 / h, by.on_b);
    spc_vec3 p2 = spc_add(spc_add(p, spc_scale(by.d, R->z)), spc_scale(half, spc_add(v, v2)));
    spc_vec3 turn = spc_add(spc_scale(half, spc_add(w, w2)),
                            spc_scale(SPC_R(0.5) * half * half, spc_cross(w2, w)));
    spc_vec3 none;
    if (late) {
        lambda = spc_add(lambda, spc_vec3_make(0, 0, 0)); /* no -0 */
        p2 = spc_add(p2, spc_scale(by.ahead * b->inv_mass[l], along));
        turn = spc_add(
            turn,
            spc_add(between, spc_scale(SPC_R(0.5), spc_cross(spc_sub(after, before), between))));
    }
    none = spc_add(spc_add(spc_sub(p2, p2), spc_sub(v2, v2)),
                   spc_add(spc_sub(w2, w2), spc_sub(lambda, lambda)));
    spci_put_lane(lambda, out->lambda, l);
    spci_put_lane(p2, out->p, l);
    spci_put_lane(v2, out->v, l);
    spci_put_lane(w2, out->w, l);
    spci_put_lane(turn, turns->turn, l);
    turns->angle[l] = spc_dot(turn, turn);
    turns->sound[l] = ((none.x + none.y) + none.z) + ((speed - speed) + (spins - spins));
}

/* One lane of a step but for its rotation. */
static SPCI_FORCE_INLINE void spci_step_ball(const spci_states *s, const spci_balls *b,
                                     const spci_planes *planes, spc_vec3 gravity, spc_real h,
                                     bool moving, int l, spci_states *out, spci_turns *turns)
{
    const spc_real r = b->radius[l], m = b->mass[l], m_t = b->grip[l];
    const spc_real half = SPC_R(0.5) * h;
    const spc_vec3 p = spci_lane_vec3(s->p, l), w = spci_lane_vec3(s->w, l);
    const spc_vec3 v = spci_lane_vec3(s->v, l), p1 = spc_add(p, spc_scale(half, v));
    const spc_spatial push = spci_lane_push(b, gravity, h, l);
    const spci_plane before = spci_lane_plane(planes, l);
    const spci_plane plane = moving ? spci_lane_plane(planes + 1, l) : before;
    const spci_touch_point c0 = spci_lane_contact(&before, p, w, v, r, moving);
    const spci_touch_point c = spci_lane_contact(&plane, p1, w, v, r, moving);
    const spc_vec3 at_C =
        spc_mat3_transpose_mul(plane.R, spc_add(push.linear, spc_cross(push.angular, c.arm)));
    const spc_vec3 s0 = c0.s, s1 = moving ? c.s : s0;
    const spc_real size = spci_lane_max(p) + (moving ? r + spci_lane_max(c.place) : r);
    spc_vec3 curve = spc_sub(s1, s0), first, second, uneven, demand;
    spc_real own = half * s0.z;
    spci_moved by;
    if (moving) {
        spci_lane_driven(planes, l, c.place, &first, &second);
        uneven = spc_sub(second, first);
        curve = spc_add(curve, uneven);
        own = (c.e - c0.e) - SPC_R(0.25) * h * (curve.z + uneven.z / 6);
    }
    demand = spc_sub(
        spc_sub(spc_vec3_make(b->keep[0][l] * s0.x, b->keep[1][l] * s0.y, b->keep[2][l] * s0.z),
                curve),
        spc_add(s1, at_C));
    by.on_b = spc_vec3_make(m_t * demand.x, m_t * demand.y, m * demand.z);
    by.d = spci_lane_shift(b, l, c0.e, own, SPCI_NO_ERROR * size, h);
    by.ahead = 0;
    spci_move_ball(s, b, &plane.R, push, by, h, false, l, out, turns);
}

/* The rotation, of up to a radian; none, or the square of rounding, leaves q bit for bit. */
static SPCI_FORCE_INLINE void spci_turn_ball(const spci_states *s, const spci_turns *turns, int l,
                                     spci_states *out)
{
    const spc_real least = (SPCI_EPSILON * SPCI_EPSILON) * (SPCI_EPSILON * SPCI_EPSILON);
    const spc_real x2 = SPC_R(0.0625) * turns->angle[l];
    const spc_quat q = spci_lane_quat(s->q, l);
    spc_vec3 u = spc_scale(SPC_R(0.25) * spci_sinc(x2), spci_lane_vec3(turns->turn, l));
    spc_real c = spci_cosine(x2), unit;
    spc_quat turned;
    spci_square(&c, &u);
    turned = spc_quat_mul(spc_quat_make(c, u.x, u.y, u.z), q);
    unit = SPC_R(0.5) - SPC_R(0.5) * spci_quat_dot(turned, turned);
    unit = 1 + spci_lane_unless(turns->angle[l], least, unit);
    spci_put_quat_lane(spci_quat_scale(unit, turned), out->q, l);
}

#ifdef SPCI_SIDE_BY_SIDE
/* All lanes of a group, on planes at rest and on others. */
static SPCI_NO_INLINE void spci_step_at_rest(const spci_states *SPCI_ALONE s,
                                         const spci_balls *SPCI_ALONE b,
                                         const spci_planes *SPCI_ALONE planes, spc_vec3 gravity,
                                         spc_real h, spci_states *SPCI_ALONE out,
                                         spci_turns *SPCI_ALONE turns)
{
    int l;
    for (l = 0; l < SPCI_LANES; l++)
        spci_step_ball(s, b, planes, gravity, h, false, l, out, turns);
}

static SPCI_NO_INLINE void spci_step_in_motion(const spci_states *SPCI_ALONE s,
                                           const spci_balls *SPCI_ALONE b,
                                           const spci_planes *SPCI_ALONE planes, spc_vec3 gravity,
                                           spc_real h, spci_states *SPCI_ALONE out,
                                           spci_turns *SPCI_ALONE turns)
{
    int l;
    for (l = 0; l < SPCI_LANES; l++)
        spci_step_ball(s, b, planes, gravity, h, true, l, out, turns);
}

static SPCI_NO_INLINE void spci_turn_all(const spci_states *SPCI_ALONE s,
                                     const spci_turns *SPCI_ALONE turns,
                                     spci_states *SPCI_ALONE out)
{
    int l;
    for (l = 0; l < SPCI_LANES; l++)
        spci_turn_ball(s, turns, l, out);
}

#endif /* SPCI_SIDE_BY_SIDE */

/* One lane: quicker where balls are few, and where there are no vectors. */
static SPCI_NO_INLINE void spci_step_alone(const spci_states *s, const spci_balls *b,
                                       const spci_planes *planes, spc_vec3 gravity, spc_real h,
                                       int l, spci_states *out, spci_turns *turns)
{
    if (b->floor[l])
        spci_step_ball(s, b, planes, gravity, h, true, l, out, turns);
    else
        spci_step_ball(s, b, planes, gravity, h, false, l, out, turns);
    spci_turn_ball(s, turns, l, out);
}

static void spci_step_group(const spci_states *s, const spci_balls *b, const spci_planes *planes,
                            spc_vec3 gravity, spc_real h, spci_states *out, spci_turns *turns)
{
    int l;
#ifdef SPCI_SIDE_BY_SIDE
    if (!spci_are_few(b)) {
        if (b->moving > 0)
            spci_step_in_motion(s, b, planes, gravity, h, out, turns);
        else
            spci_step_at_rest(s, b, planes, gravity, h, out, turns);
        spci_turn_all(s, turns, out);
        return;
    }
#endif
    for (l = 0; l < SPCI_LANES; l++)
        if (b->constraint[l] && !spci_is_side(b, l))
            spci_step_alone(s, b, planes, gravity, h, l, out, turns);
}

static SPCI_NO_INLINE void spci_find_plane(const spci_balls *b, int l, const spc_state *floor,
                                       spci_plane *plane)
{
    const spc_vec3 arm = spci_rotate_offset(floor->X_GB.q, spci_lane_vec3(b->p_FP, l));
    plane->R = spc_mat3_from_quat(spci_turn_frame(floor->X_GB.q, spci_lane_quat(b->q_FP, l)));
    plane->p = spc_add(floor->X_GB.p, arm);
    plane->w = floor->V_GB.angular;
    plane->v = spc_add(floor->V_GB.linear, spc_cross(plane->w, arm));
}

static void spci_find_plane_of_ground(const spci_balls *b, int l, spci_plane *plane)
{
    const spc_vec3 origin = spc_vec3_make(0, 0, 0);
    plane->R = spc_mat3_from_quat(spci_lane_quat(b->q_FP, l));
    plane->p = spc_add(origin, spci_lane_vec3(b->p_FP, l));
    plane->w = plane->v = origin;
}

static void spci_put_plane(const spci_plane *plane, int l, spci_planes *planes)
{
    spci_put_lane(plane->R.x, planes->x, l);
    spci_put_lane(plane->R.y, planes->y, l);
    spci_put_lane(plane->R.z, planes->z, l);
    spci_put_lane(plane->p, planes->p, l);
    spci_put_lane(plane->w, planes->w, l);
    spci_put_lane(plane->v, planes->v, l);
}

/* The planes of a group's balls before the step and, if some move, at its midpoint and its end,
   there but for their places. */
static SPCI_NO_INLINE void spci_take_planes(spc_world *w, const spci_balls *b, spc_real h,
                                            spci_planes *planes)
{
    const bool few = spci_are_few(b);
    const int times = b->moving > 0 ? 3 : 1;
    spci_plane plane[3];
    bool found = false;
    int l, k;
    for (l = 0; l < SPCI_LANES; l++) {
        if (few && !b->constraint[l])
            continue;
        if (!found || !b->one_plane) {
            const int floor = b->floor[l];
            if (floor) {
                spc_state other = spci_get_state(w, floor);
                spci_find_plane(b, l, &other, &plane[0]);
                spci_find_plane(b, l, spci_state(w, floor), &plane[1]);
                other = spci_foreseen(spci_work_at(w, floor), SPC_R(0.5) * h);
                spci_find_plane(b, l, &other, &plane[2]);
            } else {
                for (k = 0; k < times; k++)
                    spci_find_plane_of_ground(b, l, &plane[k]);
            }
            found = true;
        }
        for (k = 0; k < times; k++)
            spci_put_plane(&plane[k], l, planes + k);
    }
}

/* Turns by more than a radian, and whether all is finite. */
static bool spci_finish_lanes(const spci_states *s, const spci_balls *b, const spci_turns *turns,
                              spci_states *out)
{
    bool sound = true;
    int l;
    for (l = 0; l < SPCI_LANES; l++) {
        if (!b->constraint[l])
            continue;
        if (!(turns->angle[l] <= 1))
            spci_put_quat_lane(
                spci_turned(spci_lane_quat(s->q, l), spci_lane_vec3(turns->turn, l), 1), out->q, l);
        sound = sound && turns->sound[l] >= 0 && turns->angle[l] <= SPCI_MAX;
    }
    return sound;
}

/* The kernel of a contact alone, compiled for itself if it is a disc's with ground. */
static SPCI_FORCE_INLINE spc_status spci_contact_rows_of(const spci_constraint *c, bool disc,
                                                 const spc_state *a, const spc_state *b,
                                                 spc_rows *rows)
{
    const spc_state ground = spc_state_identity();
    if (disc)
        return spci_rolling_disc_rows(&c->shape.rolling_disc, &ground, b, 0, rows);
    return spci_rows(c->kind, &c->shape, a, b, 0, rows);
}

/* What the middle of a step needs of such a contact's beginning. */
typedef struct spci_contact_start {
    spc_real s0[3], e0;
    spc_vec3 across;
} spci_contact_start;

/* s: of the body that moves; is_b: which end it is. */
static SPCI_PASSING spc_status spci_contact_before(spc_world *w, const spci_constraint *c,
                                                   bool disc, const spc_state *s, bool is_b,
                                                   spci_contact_start *start)
{
    const spc_state other = disc ? spci_ground : spci_state_before(w, is_b ? c->a : c->b, false);
    spc_rows rows;
    const spc_status status =
        spci_contact_rows_of(c, disc, is_b ? &other : s, is_b ? s : &other, &rows);
    if (status)
        return status;
    spci_put_vec3(spci_get_vec3(rows.velocity_errors), start->s0);
    start->e0 = rows.position_errors[2];
    start->across = spci_across(c, &rows);
    return SPC_OK;
}

/* The kick and the displacement in the middle. */
static SPCI_PASSING spc_status spci_contact_middle(spc_world *w, spci_node *node,
                                                   const spci_constraint *c, bool disc,
                                                   const spci_body *body, spci_work *work,
                                                   bool is_b, spci_contact_start *start,
                                                   spc_real h)
{
    const spc_state *a = disc ? &spci_ground : spci_state(w, c->a);
    const spc_state *b = spci_state(w, c->b);
    spc_real *lambda = spci_vector(w, node, SPCI_LAMBDA), shift, arm, uneven[SPC_MAX_ROWS];
    spc_vec3 rho, p;
    spci_definite f;
    spc_rows rows;
    spc_status status = spci_contact_rows_of(c, disc, a, b, &rows);
    if (!status && spci_turned_over(c, b, &rows, start->across))
        status = SPC_ERROR_NO_CONTACT_POINT;
    if (status)
        return status;
    spci_body_frame(body, work);
    p = spc_sub(is_b ? rows.arm_b : rows.arm_a, work->p_BBc_G);
    arm = SPC_SQRT(spc_dot(p, p));
    spci_follow_axes(c, &rows, start->across, start->s0);
    spci_find_uneven(w, c, &rows, false, SPC_R(0.5) * h, uneven);
    rho = spci_contact_demand(&c->stabilization, &rows, spci_get_vec3(start->s0), start->e0,
                              spci_get_vec3(uneven), arm, h, &shift);
    work->push = spci_push(w, body, work, h);
    node->mask = rows.enforced;
    f = spci_factor_contact(body, work, &rows, is_b);
    if (shift < 0 || shift > 0) {
        spci_solve_contact(body, work, &rows, is_b, &f, spc_vec3_make(0, 0, shift), lambda);
        work->shift = work->delta;
    }
    rho = spc_sub(rho, spci_contact_push(&rows, is_b, work));
    spci_solve_contact(body, work, &rows, is_b, &f, rho, lambda);
    spci_kick(body, work);
    if (spci_will_turn_over(c, a, b, &rows, SPC_R(0.5) * h))
        return SPC_ERROR_NO_CONTACT_POINT;
    if (shift < 0 || shift > 0)
        spci_displace_moving(body, work, spci_bounded_part(spc_norm(work->shift.angular)));
    return SPC_OK;
}

/* (7.1) to (7.5) for such an island, without the pool. disc: it is a disc's contact with ground. */
static SPCI_FORCE_INLINE spc_status spci_step_contact_of(spc_world *w, spci_node *node,
                                                 const spci_constraint *c, bool disc, spc_real h)
{
    const bool is_b = disc || node->b != 0;
    const spc_real half = SPC_R(0.5) * h;
    const spci_body *body = spci_body_at(w, is_b ? c->b : c->a);
    spci_work *work = spci_work_at(w, is_b ? c->b : c->a);
    spci_contact_start start;
    spc_status status = spci_contact_before(w, c, disc, &work->state, is_b, &start);
    if (status)
        return status;
    spci_drift(body, &work->state, half);
    status = spci_contact_middle(w, node, c, disc, body, work, is_b, &start, h);
    if (status)
        return status;
    spci_drift(body, &work->state, half);
    return spci_finite_state(&work->state) &&
                   spci_finite_contact(spci_vector(w, node, SPCI_LAMBDA), node->mask, h)
               ? SPC_OK
               : SPC_ERROR_STATE_NOT_FINITE;
}

/* A disc on ground that turns by more than a radian in a step, or its axis by a quarter of its
   angle to the normal, wobbles faster than a step can follow; it takes several, up to so many. */
#define SPCI_MOST_PARTS 32

/* One-sided ones, which are laid flat where that is not enough. */
#define SPCI_MOST_DISC_PARTS 128

/* What such a step may add to its distance from the plane, in radii. */
#define SPCI_MOST_GAP SPC_R(5e-4)

static SPCI_NO_INLINE spc_real spci_wobble(const spc_rolling_disc *shape, const spc_state *disc,
                                       spc_real h)
{
    const spc_vec3 n = spc_rotate(shape->X_FP.q, spci_unit(2)), w = disc->V_GB.angular;
    const spc_vec3 axis = spci_rotate_offset(disc->X_GB.q, shape->axis_B);
    const spc_vec3 along = spc_cross(axis, n), rate = spc_cross(w, axis);
    const spc_real turn = h * h * spc_dot(w, w), sine = spc_dot(along, along);
    const spc_real tilt = 16 * h * h * spc_dot(rate, rate);
    if (turn < 1 && tilt < sine)
        return 0;
    return SPC_SQRT(spci_max(turn, tilt / sine));
}

/* Compiled once, for whole steps and for parts. */
static SPCI_NO_INLINE spc_status spci_step_disc_once(spc_world *w, spci_node *node,
                                                     const spci_constraint *c, spc_real h)
{
    return spci_step_contact_of(w, node, c, true, h);
}

static spc_status spci_step_disc_in_parts(spc_world *w, spci_node *node, const spci_constraint *c,
                                          spc_real h, int parts)
{
    spc_real *lambda = spci_vector(w, node, SPCI_LAMBDA), sum[3] = { 0, 0, 0 };
    spc_status status = SPC_OK;
    int i, k;
    for (k = 0; k < parts && !status; k++) {
        status = spci_step_disc_once(w, node, c, h / (spc_real)parts);
        for (i = 0; i < 3; i++)
            sum[i] += lambda[i];
    }
    for (i = 0; i < 3; i++)
        lambda[i] = sum[i];
    return status;
}

/* Does a disc that is nearly flat precess faster than a step can follow? */
static bool spci_is_fast(const spci_constraint *c, const spc_state *a, const spc_state *b,
                         spc_real h)
{
    spc_vec3 n, tilt = spci_disc_tilt(&c->shape.rolling_disc, &a->X_GB, &b->X_GB, &n);
    return spc_dot(tilt, tilt) < SPCI_NEARLY_FLAT * SPCI_NEARLY_FLAT && c->a == 0 &&
           spci_wobble(&c->shape.rolling_disc, b, h) >= 1;
}

/* How far a disc is off its plane, in radii. */
static spc_real spci_disc_gap(const spci_constraint *c, const spc_state *disc)
{
    spc_rows rows;
    if (spci_rows(c->kind, &c->shape, &spci_ground, disc, 0, &rows))
        return 0; /* flat: another step tells */
    return spci_abs(rows.position_errors[2]) / c->shape.rolling_disc.radius;
}

/* The parts are doubled until they leave the disc on its plane. */
static spc_status spci_step_disc(spc_world *w, spci_node *node, const spci_constraint *c,
                                 spc_real h)
{
    spc_state *s = &spci_work_at(w, c->b)->state;
    const spc_real wobble = spci_wobble(&c->shape.rolling_disc, s, h);
    int parts = wobble < SPCI_MOST_PARTS ? 1 + (int)wobble : SPCI_MOST_PARTS;
    spc_state before;
    spc_status status;
    spc_real most;
    if (!(wobble >= 1))
        return spci_step_disc_once(w, node, c, h);
    before = *s;
    most = spci_disc_gap(c, &before) + SPCI_MOST_GAP;
    for (;;) {
        bool off;
        status = spci_step_disc_in_parts(w, node, c, h, parts);
        off = !status && spci_disc_gap(c, s) > most;
        if (!off && status != SPC_ERROR_NO_CONTACT_POINT)
            return status;
        if (parts >= SPCI_MOST_PARTS)
            return SPC_ERROR_NO_CONTACT_POINT;
        parts *= 2;
        *s = before;
    }
}

static SPCI_NO_INLINE spc_status spci_step_contact(spc_world *w, const spci_island *island,
                                                   spc_real h)
{
    spci_node *node = spci_island_node(w, island, 0);
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    spci_take_states(w, island->first_body, island->first_body + 1);
    if (c->a == 0 && c->kind == SPC_ROLLING_DISC)
        return spci_step_disc(w, node, c, h);
    return spci_step_contact_of(w, node, c, false, h);
}

/* What the first island comes to, in their order, whose step is refused. */
typedef struct spci_refusal {
    spc_status status;
    int island;
} spci_refusal;

static void spci_note_refusal(spci_refusal *first, spc_status status, int island)
{
    if (status && (!first->status || island < first->island)) {
        first->status = status;
        first->island = island;
    }
}

/* ---- contacts alone, side by side

   Where as many bodies as a vector has numbers have one contact each, and roll on ground, a step
   takes them through spci_step_contact_of side by side. A lane computes what that does for its
   body, operation by operation, so that it has the same bits: which bodies are computed together,
   and whether any are, does not matter. Where that branches a lane chooses one of two numbers;
   where what is rare happens a lane is spoilt, and its body takes the step by itself. Square roots
   stand between the loops, since compilers that have errno set make no vectors of them. */
#ifdef SPCI_SIDE_BY_SIDE

/* What such bodies are: spheres with equal moments, whose Bc is not at Bo; others; discs, whose
   moments are not equal. */
enum {
    SPCI_NO_LONE,
    SPCI_LONE_ROUND,
    SPCI_LONE_TOP,
    SPCI_LONE_BODY,
    SPCI_LONE_DISC,
    SPCI_LONE_ODD_DISC,
    SPCI_LONE_KINDS
};

/* What those that are computed together have in common. */
typedef struct spci_lone_kind {
    bool disc, spherical, top;
    bool aside, apart; /* some S is not at Bo; nor some Bc */
} spci_lone_kind;

/* Those of a kind that wait till they fill all lanes. */
typedef struct spci_lone_queue {
    spci_node *node[32 / sizeof(spc_real)];
    int count;
} spci_lone_queue;

/* Is Bc of no lane at Bo, of all, or of some? */
typedef enum spci_apart { SPCI_ALL_APART, SPCI_NONE_APART, SPCI_SOME_APART } spci_apart;

/* So many of them: what they are, */
typedef struct spci_lones {
    spci_lane q[4], p[3], w[3], v[3]; /* states */
    spci_lane mass, inv_mass, inertia[6], inv_inertia[6];
    spci_lane stiffest;        /* the largest moment of inv_inertia */
    spci_lane p_BBc[3], apart; /* apart: 1 if Bc is not Bo, else 0 */
    spci_lane p_BS[3], radius, q_FP[4], p_FP[3];
    spci_lane axis_B[3];       /* of a disc */
    spci_lane top[3];          /* of a top: its axis in B; */
    spci_lane ratio;           /* A / C - 1 of its moments of I^-1, A across the axis, */
    spci_lane across, excess;  /* A and C - A */
    spci_lane displaces, part; /* 1 or 0; h/T */
    /* and what a step finds */
    spci_lane x[3], y[3], z[3];                         /* R_GP */
    spci_lane centre[3], p_BS_G[3], arm_b[3], lever[3]; /* Bc, S, C from Bo, C from Bc */
    spci_lane axis[3], along[3], cosine;                /* of a disc: w1, w1 x n, w1 . n, */
    spci_lane before[3];                                /* and its R.x before the step */
    spci_lane root;                                     /* a square, then its root */
    spci_lane e0, e1, s0[3], s1[3];       /* errors before the step and in its middle */
    spci_lane none;                       /* displacements that are rounding */
    spci_lane J[6];                       /* I^-1 in G */
    spci_lane turned[4], spun[3];         /* q' of (7.1) before it is unit; w, then w' */
    spci_lane moments[6], Iw[3], mean[3]; /* I, I w and x of (7.1); */
    spci_lane left;                       /* 1 while x is looked for, else 0 */
    spci_lane lambda[3], shift;
    spci_lane spoilt; /* 0 if all this is what a body alone does */
} spci_lones;

/* x if a < b, else y */
static SPCI_FORCE_INLINE spc_real spci_lane_choose(spc_real a, spc_real b, spc_real x, spc_real y)
{
    union {
        spc_real number;
        spci_bits bits;
    } sign, first, second;
    sign.number = a - b;
    sign.bits = (sign.bits >> (8 * sizeof(spc_real) - 1)) - 1; /* all bits for the second */
    first.number = x;
    second.number = y;
    first.bits = (first.bits & ~sign.bits) | (second.bits & sign.bits);
    return first.number;
}

static SPCI_FORCE_INLINE spc_vec3 spci_lane_choose_vec3(spc_real a, spc_real b, spc_vec3 x,
                                                        spc_vec3 y)
{
    return spc_vec3_make(spci_lane_choose(a, b, x.x, y.x), spci_lane_choose(a, b, x.y, y.y),
                         spci_lane_choose(a, b, x.z, y.z));
}

static SPCI_FORCE_INLINE spc_quat spci_lane_choose_quat(spc_real a, spc_real b, spc_quat x,
                                                        spc_quat y)
{
    return spc_quat_make(spci_lane_choose(a, b, x.w, y.w), spci_lane_choose(a, b, x.x, y.x),
                         spci_lane_choose(a, b, x.y, y.y), spci_lane_choose(a, b, x.z, y.z));
}

/* |x| + |y| + |z|, which is 0 for zero alone. */
static SPCI_FORCE_INLINE spc_real spci_lane_sum(spc_vec3 v)
{
    return (spci_abs(v.x) + spci_abs(v.y)) + spci_abs(v.z);
}

/* spci_max_abs, to the bit */
static SPCI_FORCE_INLINE spc_real spci_lane_most(spc_vec3 v)
{
    const spc_real x = spci_abs(v.x), y = spci_abs(v.y), z = spci_abs(v.z);
    const spc_real most = spci_lane_choose(x, y, y, x);
    return spci_lane_choose(most, z, z, most);
}

static SPCI_FORCE_INLINE spc_inertia spci_lane_inertia(const spci_lane *a, int l)
{
    spc_inertia inertia;
    inertia.xx = a[0][l];
    inertia.yy = a[1][l];
    inertia.zz = a[2][l];
    inertia.xy = a[3][l];
    inertia.xz = a[4][l];
    inertia.yz = a[5][l];
    return inertia;
}

static SPCI_FORCE_INLINE void spci_put_inertia_lane(spc_inertia inertia, spci_lane *a, int l)
{
    a[0][l] = inertia.xx;
    a[1][l] = inertia.yy;
    a[2][l] = inertia.zz;
    a[3][l] = inertia.xy;
    a[4][l] = inertia.xz;
    a[5][l] = inertia.yz;
}

static SPCI_FORCE_INLINE spc_mat3 spci_lane_axes(const spci_lones *g, int l)
{
    spc_mat3 R;
    R.x = spci_lane_vec3(g->x, l);
    R.y = spci_lane_vec3(g->y, l);
    R.z = spci_lane_vec3(g->z, l);
    return R;
}

static SPCI_FORCE_INLINE void spci_put_axes_lane(spc_mat3 R, spci_lones *g, int l)
{
    spci_put_lane(R.x, g->x, l);
    spci_put_lane(R.y, g->y, l);
    spci_put_lane(R.z, g->z, l);
}

/* spci_rotate_offset */
static SPCI_FORCE_INLINE spc_vec3 spci_lane_offset(spc_quat q, spc_vec3 v)
{
    const spc_vec3 u = spc_vec3_make(q.x, q.y, q.z);
    spc_vec3 turned = spci_lane_choose_vec3(0, spci_lane_sum(u), spc_rotate(q, v), v);
    return spci_lane_choose_vec3(0, spci_lane_sum(v), turned, v);
}

/* x where Bc is not at Bo, else y */
static SPCI_FORCE_INLINE spc_vec3 spci_lane_if_apart(const spci_lones *g, spci_apart apart,
                                                     spc_vec3 x, spc_vec3 y, int l)
{
    if (apart == SPCI_SOME_APART)
        return spci_lane_choose_vec3(0, g->apart[l], x, y);
    return apart == SPCI_ALL_APART ? x : y;
}

/* spci_centre */
static SPCI_FORCE_INLINE spc_vec3 spci_lane_centre(const spci_lones *g, spci_apart apart,
                                                   spc_quat q, int l)
{
    const spc_vec3 p = spci_lane_vec3(g->p_BBc, l);
    return spci_lane_if_apart(g, apart, spc_rotate(q, p), p, l);
}

/* spci_to_centre, spci_to_origin */
static SPCI_FORCE_INLINE spc_vec3 spci_lane_to_centre(const spci_lones *g, spci_apart apart,
                                                      spc_vec3 v, spc_vec3 w, spc_vec3 c, int l)
{
    return spci_lane_if_apart(g, apart, spc_add(v, spc_cross(w, c)), v, l);
}

static SPCI_FORCE_INLINE spc_vec3 spci_lane_to_origin(const spci_lones *g, spci_apart apart,
                                                      spc_vec3 v, spc_vec3 w, spc_vec3 c, int l)
{
    return spci_lane_if_apart(g, apart, spc_sub(v, spc_cross(w, c)), v, l);
}

/* spci_turned, for up to a radian */
static SPCI_FORCE_INLINE spc_quat spci_lane_turned(spc_quat q, spc_vec3 v, spc_real *spoilt)
{
    const spc_vec3 half = spc_scale(SPC_R(0.5), v);
    const spc_real s = spc_dot(half, half);
    const spc_vec3 u = spc_scale(SPC_R(0.5) * spci_sinc(s), v);
    *spoilt += spci_lane_choose(s, SPC_R(0.0625), 0, 1);
    return spci_quat_renormalize(spc_quat_mul(spc_quat_make(spci_cosine(s), u.x, u.y, u.z), q));
}

static SPCI_NO_INLINE void spci_lone_roots(spci_lones *g)
{
    int l;
    for (l = 0; l < SPCI_LANES; l++)
        g->root[l] = SPC_SQRT(g->root[l]);
}

/* The centres of the spheres, and of discs, where some are not at Bo. */
static SPCI_NO_INLINE void spci_lone_offsets(spci_lones *g)
{
    const spci_lones *in = g;
    int l;
    for (l = 0; l < SPCI_LANES; l++)
        spci_put_lane(spci_lane_offset(spci_lane_quat(in->q, l), spci_lane_vec3(in->p_BS, l)),
                      g->p_BS_G, l);
}

/* The first part of spci_rolling_disc_place, whose sine is a root. */
static SPCI_NO_INLINE void spci_lone_tilts(spci_lones *g)
{
    const spci_lones *in = g;
    int l;
    for (l = 0; l < SPCI_LANES; l++) {
        const spc_vec3 n = spci_lane_vec3(in->z, l);
        const spc_vec3 w1 =
            spci_lane_offset(spci_lane_quat(in->q, l), spci_lane_vec3(in->axis_B, l));
        const spc_vec3 along = spc_cross(w1, n);
        spci_put_lane(w1, g->axis, l);
        spci_put_lane(along, g->along, l);
        g->cosine[l] = spc_dot(w1, n);
        g->root[l] = spc_dot(along, along);
    }
}

/* The kernels of spheres and of discs: axes and place, with the errors e and s. */
static SPCI_FORCE_INLINE spc_vec3 spci_lane_place(spci_lones *g, bool disc, int l, spc_real *e,
                                                  spc_vec3 *s)
{
    const spci_lones *in = g;
    const spc_vec3 p = spci_lane_vec3(in->p, l), p_BS_G = spci_lane_vec3(in->p_BS_G, l);
    const spc_vec3 p_FS = spc_add(p, p_BS_G), p_PoS = spc_sub(p_FS, spci_lane_vec3(in->p_FP, l));
    spc_real below = g->radius[l];
    spc_mat3 R = spci_lane_axes(g, l);
    spc_vec3 q, arm_b;
    if (disc) {
        const spc_vec3 along = spci_lane_vec3(in->along, l);
        const spc_vec3 lateral = spc_cross(R.z, spc_scale(1 / g->root[l], along));
        R.x = lateral;
        R.y = spc_cross(lateral, R.z);
        q = spc_scale(below, spc_sub(spc_scale(g->cosine[l], lateral),
                                     spc_scale(g->root[l], R.z))); /* (4.11) */
        below *= g->root[l];
        spci_put_axes_lane(R, g, l);
    } else {
        q = spc_scale(-below, R.z); /* (4.10) */
    }
    arm_b = spc_add(p_BS_G, q);
    *e = spc_dot(p_PoS, R.z) - below;
    *s = spc_mat3_transpose_mul(
        R, spc_add(spci_lane_vec3(in->v, l), spc_cross(spci_lane_vec3(in->w, l), arm_b)));
    spci_put_lane(arm_b, g->arm_b, l);
    return spc_add(p_FS, q);
}

/* spci_contact_before; a disc is not to wobble nearly as fast as spci_wobble asks for parts. */
static SPCI_FORCE_INLINE void spci_lane_before(spci_lones *g, bool disc, spc_real h, int l)
{
    const spci_lones *in = g;
    spc_vec3 s, w, along, rate;
    spc_real sine;
    (void)spci_lane_place(g, disc, l, &g->e0[l], &s);
    spci_put_lane(s, g->s0, l);
    g->spoilt[l] = 0;
    if (!disc)
        return;
    spci_put_lane(spci_lane_vec3(in->x, l), g->before, l);
    w = spci_lane_vec3(in->w, l);
    along = spci_lane_vec3(in->along, l);
    sine = SPC_R(0.99) * spc_dot(along, along);
    rate = spc_cross(w, spci_lane_vec3(in->axis, l));
    g->spoilt[l] += spci_lane_choose((h * h) * spc_dot(w, w), SPC_R(0.99), 0, 1);
    g->spoilt[l] += spci_lane_choose(16 * h * h * spc_dot(rate, rate), sine, 0, 1);
    g->spoilt[l] += spci_lane_choose(2 * SPCI_PARALLEL, g->root[l], 0, 1);
}

static SPCI_NO_INLINE void spci_lone_spheres_before(spci_lones *g, spc_real h)
{
    int l;
    for (l = 0; l < SPCI_LANES; l++)
        spci_lane_before(g, false, h, l);
}

static SPCI_NO_INLINE void spci_lone_discs_before(spci_lones *g, spc_real h)
{
    int l;
    for (l = 0; l < SPCI_LANES; l++)
        spci_lane_before(g, true, h, l);
}

/* The axes of planes, and the centres of mass. */
static SPCI_NO_INLINE void spci_lone_begin(spci_lones *g)
{
    const spci_lones *in = g;
    int l;
    for (l = 0; l < SPCI_LANES; l++) {
        spci_put_axes_lane(spc_mat3_from_quat(spci_lane_quat(in->q_FP, l)), g, l);
        spci_put_lane(spci_lane_centre(g, SPCI_SOME_APART, spci_lane_quat(in->q, l), l), g->centre,
                      l);
    }
}

/* The end of spci_drift, from the orientation and the angular velocity then. */
static SPCI_FORCE_INLINE void spci_lane_drift(spci_lones *g, spci_apart apart, spc_quat q,
                                              spc_vec3 w, spc_real h, int l)
{
    const spci_lones *in = g;
    const spc_vec3 before = spci_lane_vec3(in->centre, l);
    const spc_vec3 after = spci_lane_centre(g, apart, q, l);
    const spc_vec3 v = spci_lane_to_centre(g, apart, spci_lane_vec3(in->v, l),
                                           spci_lane_vec3(in->w, l), before, l);
    const spc_vec3 moved = spc_add(spc_scale(h, v), spc_sub(before, after));
    spci_put_lane(spc_add(spci_lane_vec3(in->p, l), moved), g->p, l);
    spci_put_lane(spci_lane_to_origin(g, apart, v, w, after, l), g->v, l);
    spci_put_lane(w, g->w, l);
    spci_put_quat_lane(q, g->q, l);
    spci_put_lane(after, g->centre, l);
}

/* spci_drift of bodies with equal moments */
static SPCI_NO_INLINE void spci_lone_drift_round(spci_lones *g, spc_real h)
{
    const spci_lones *in = g;
    int l;
    for (l = 0; l < SPCI_LANES; l++) {
        const spc_quat q = spci_lane_quat(in->q, l);
        const spc_vec3 w = spci_lane_vec3(in->w, l);
        const spc_quat turned = spci_lane_turned(q, spc_scale(h, w), &g->spoilt[l]);
        spci_lane_drift(g, SPCI_ALL_APART, spci_lane_choose_quat(0, spci_lane_sum(w), turned, q), w,
                        h, l);
    }
}

/* spci_turn_top: a turn up to its root, and the rest */
static SPCI_FORCE_INLINE spc_vec3 spci_lane_spin_top(const spci_lones *g, spc_quat q, spc_vec3 w,
                                                     spc_real h, spc_vec3 *u, int l)
{
    const spc_vec3 e = spc_rotate(q, spci_lane_vec3(g->top, l));
    const spc_real spin = spc_dot(w, e), half = SPC_R(0.5) * h;
    const spc_real k = half * g->ratio[l] * spin;
    const spc_vec3 about = spc_scale(spin, e), across = spc_sub(w, about);
    const spc_vec3 turned = spc_add(across, spc_scale(k, spc_cross(e, across)));
    const spc_vec3 x = spc_add(about, spc_scale(1 / (1 + k * k), turned));
    const spc_vec3 y = spc_sub(spc_scale(2, x), w);
    spc_vec3 uy;
    *u = spc_scale(half, x);
    uy = spc_cross(*u, y);
    return spc_add(y, spc_scale(2 / (1 + spc_dot(*u, *u)), spc_add(uy, spc_cross(*u, uy))));
}

static SPCI_NO_INLINE void spci_lone_spin_tops(spci_lones *g, spc_real h)
{
    const spci_lones *in = g;
    int l;
    for (l = 0; l < SPCI_LANES; l++) {
        const spc_quat q = spci_lane_quat(in->q, l);
        spc_quat turned;
        spc_vec3 u;
        spci_put_lane(spci_lane_spin_top(g, q, spci_lane_vec3(in->w, l), h, &u, l), g->spun, l);
        turned = spc_quat_mul(spc_quat_make(1, u.x, u.y, u.z), q);
        spci_put_quat_lane(turned, g->turned, l);
        g->root[l] = spci_quat_dot(turned, turned);
    }
}

/* What spci_midpoint_spin begins with. */
static SPCI_NO_INLINE void spci_lone_begin_spin(spci_lones *g)
{
    const spci_lones *in = g;
    int l;
    for (l = 0; l < SPCI_LANES; l++) {
        const spc_vec3 w = spc_unrotate(spci_lane_quat(in->q, l), spci_lane_vec3(in->w, l));
        spc_inertia inertia = spci_lane_inertia(in->inertia, l);
        inertia = spci_inertia_scale(1 / (inertia.xx + inertia.yy + inertia.zz), inertia);
        spci_put_inertia_lane(inertia, g->moments, l);
        spci_put_lane(spc_inertia_mul(inertia, w), g->Iw, l);
        spci_put_lane(w, g->spun, l);
        spci_put_lane(w, g->mean, l);
        g->left[l] = 1;
    }
}

/* A Newton step of spci_midpoint_spin of those that have not settled. */
static SPCI_NO_INLINE void spci_lone_improve_spin(spci_lones *g, spc_real h)
{
    const spci_lones *in = g;
    int l;
    for (l = 0; l < SPCI_LANES; l++) {
        const spc_vec3 old = spci_lane_vec3(in->mean, l);
        spc_vec3 x = old;
        const spc_vec3 d = spci_improve_spin(spci_lane_inertia(in->moments, l),
                                             spci_lane_vec3(in->Iw, l), SPC_R(0.5) * h, &x);
        const spc_real none = SPCI_TURN_TOLERANCE * spci_lane_most(x);
        spci_put_lane(spci_lane_choose_vec3(0, g->left[l], x, old), g->mean, l);
        g->left[l] = spci_lane_choose(none, spci_lane_most(d), g->left[l], 0);
    }
}

/* The rest of spci_turn_in_parts but for the root. */
static SPCI_NO_INLINE void spci_lone_end_spin(spci_lones *g, spc_real h)
{
    const spci_lones *in = g;
    int l;
    for (l = 0; l < SPCI_LANES; l++) {
        const spc_vec3 mean = spci_lane_vec3(in->mean, l);
        const spc_vec3 x = spc_scale(SPC_R(0.5) * h, mean);
        const spc_quat q = spc_quat_mul(spci_lane_quat(in->q, l), spc_quat_make(1, x.x, x.y, x.z));
        spci_put_lane(spc_sub(spc_scale(2, mean), spci_lane_vec3(in->spun, l)), g->spun, l);
        spci_put_quat_lane(q, g->turned, l);
        g->root[l] = spci_quat_dot(q, q);
        g->spoilt[l] += g->left[l];
    }
}

/* How often that is done in lanes at most: what takes longer is rare. */
#define SPCI_MOST_LANE_ITERATIONS 5

static SPCI_NO_INLINE void spci_lone_spin(spci_lones *g, spc_real h)
{
    bool left = true;
    int i, l;
    spci_lone_begin_spin(g);
    for (i = 0; i < SPCI_MOST_LANE_ITERATIONS && left; i++) {
        spci_lone_improve_spin(g, h);
        for (l = 0, left = false; l < SPCI_LANES; l++)
            left = left || g->left[l] > 0;
    }
    spci_lone_end_spin(g, h);
}

/* The end of a drift: of a top w' is in G, else in B. */
static SPCI_FORCE_INLINE void spci_lane_end_turn(spci_lones *g, bool top, spci_apart apart,
                                                 spc_real h, int l)
{
    const spci_lones *in = g;
    const spc_vec3 w = spci_lane_vec3(in->w, l), spun = spci_lane_vec3(in->spun, l);
    const spc_real some = spci_lane_sum(w);
    const spc_quat unit = spci_quat_scale(1 / g->root[l], spci_lane_quat(in->turned, l));
    const spc_quat q = spci_lane_choose_quat(0, some, unit, spci_lane_quat(in->q, l));
    const spc_vec3 turned = top ? spun : spc_rotate(unit, spun);
    spci_lane_drift(g, apart, q, spci_lane_choose_vec3(0, some, turned, w), h, l);
}

static SPCI_NO_INLINE void spci_lone_end_turn_of_tops(spci_lones *g, bool apart, spc_real h)
{
    int l;
    if (apart)
        for (l = 0; l < SPCI_LANES; l++)
            spci_lane_end_turn(g, true, SPCI_SOME_APART, h, l);
    else
        for (l = 0; l < SPCI_LANES; l++)
            spci_lane_end_turn(g, true, SPCI_NONE_APART, h, l);
}

static SPCI_NO_INLINE void spci_lone_end_turn(spci_lones *g, bool apart, spc_real h)
{
    int l;
    if (apart)
        for (l = 0; l < SPCI_LANES; l++)
            spci_lane_end_turn(g, false, SPCI_SOME_APART, h, l);
    else
        for (l = 0; l < SPCI_LANES; l++)
            spci_lane_end_turn(g, false, SPCI_NONE_APART, h, l);
}

/* spci_drift */
static void spci_lone_drift(spci_lones *g, const spci_lone_kind *kind, spc_real h)
{
    if (kind->spherical) {
        spci_lone_drift_round(g, h);
        return;
    }
    if (kind->top)
        spci_lone_spin_tops(g, h);
    else
        spci_lone_spin(g, h);
    spci_lone_roots(g);
    if (kind->top)
        spci_lone_end_turn_of_tops(g, kind->apart, h);
    else
        spci_lone_end_turn(g, kind->apart, h);
}

/* spci_body_frame: what it makes of moments that are not equal. */
static SPCI_NO_INLINE void spci_lone_frames_of_tops(spci_lones *g)
{
    const spci_lones *in = g;
    int l;
    for (l = 0; l < SPCI_LANES; l++) {
        const spc_vec3 e = spc_rotate(spci_lane_quat(in->q, l), spci_lane_vec3(in->top, l));
        const spc_vec3 f = spc_scale(g->excess[l], e);
        spci_put_inertia_lane(spci_unit_plus(g->across[l], f, e), g->J, l);
    }
}

static SPCI_NO_INLINE void spci_lone_frames(spci_lones *g)
{
    const spci_lones *in = g;
    int l;
    for (l = 0; l < SPCI_LANES; l++) {
        const spc_mat3 R = spc_mat3_from_quat(spci_lane_quat(in->q, l));
        const spc_inertia J = spci_lane_inertia(in->inv_inertia, l);
        spci_put_inertia_lane(spci_rotated_inertia(R, J), g->J, l);
    }
}

/* The contact in the middle of a step; a disc's is not to have turned over nearly, as in
   spci_turned_over. */
static SPCI_FORCE_INLINE void spci_lane_middle(spci_lones *g, bool disc, int l)
{
    const spci_lones *in = g;
    spc_vec3 s, lever, arm_b, arm_a = spci_lane_place(g, disc, l, &g->e1[l], &s);
    const spc_vec3 p = spci_lane_vec3(in->p, l);
    spc_real size;
    arm_b = spci_lane_vec3(in->arm_b, l);
    lever = spc_sub(arm_b, spci_lane_vec3(in->centre, l));
    spci_put_lane(s, g->s1, l);
    spci_put_lane(lever, g->lever, l);
    g->root[l] = spc_dot(lever, lever);
    size = spci_lane_most(arm_a) + spci_lane_most(arm_b);
    g->none[l] = SPCI_NO_ERROR * (spci_lane_most(spc_add(p, arm_b)) + size);
    if (disc) {
        const spc_vec3 radius = spc_sub(arm_b, spci_lane_vec3(in->p_BS_G, l));
        const spc_real down = -spc_dot(radius, spci_lane_vec3(in->z, l));
        const spc_real turned = spc_dot(spci_lane_vec3(in->x, l), spci_lane_vec3(in->before, l));
        const spc_real least =
            spci_lane_choose(down, SPCI_NEARLY_FLAT * g->radius[l], SPCI_MOST_SWERVE, 0);
        g->spoilt[l] += spci_lane_choose(least, turned, 0, 1);
    }
}

static SPCI_NO_INLINE void spci_lone_spheres_middle(spci_lones *g)
{
    int l;
    for (l = 0; l < SPCI_LANES; l++)
        spci_lane_middle(g, false, l);
}

static SPCI_NO_INLINE void spci_lone_discs_middle(spci_lones *g)
{
    int l;
    for (l = 0; l < SPCI_LANES; l++)
        spci_lane_middle(g, true, l);
}

/* What the errors of a contact are to change by: the displacement, and the velocity before the
   push, see spci_contact_demand. */
static SPCI_FORCE_INLINE spc_vec3 spci_lane_demand(const spci_lones *g, spc_real h, int l,
                                                   spc_real *shift)
{
    const spc_vec3 s0 = spci_lane_vec3(g->s0, l), s1 = spci_lane_vec3(g->s1, l);
    const spc_vec3 curve = spc_add(spc_sub(s1, s0), spc_vec3_make(0, 0, 0));
    const spc_real e0 = g->e0[l], part = g->part[l], bend = curve.z + 0;
    const spc_real off = spci_abs(e0) / g->root[l];
    const spc_real drift = off * off / (SPCI_MOST_DRIFT * SPCI_MOST_DRIFT);
    const spc_real all = part + (1 - part) / (1 + drift * drift);
    const spc_real d = -(((g->e1[l] - e0) - SPC_R(0.25) * h * bend) + all * e0);
    *shift = spci_lane_choose(g->none[l], spci_abs(d), d, 0);
    *shift = spci_lane_choose(0, g->displaces[l], *shift, 0);
    return spc_scale(-1, spc_add(curve, s1));
}

/* The factor of a lane's contact, and the impulse of spci_impulse_at. */
static SPCI_FORCE_INLINE spci_definite spci_lane_factor(const spci_lones *g, bool spherical, int l)
{
    const spc_vec3 p = spci_lane_vec3(g->lever, l);
    spci_definite f = { 0, 0, 0, 0, 0, 0 };
    if (!spherical)
        return spci_factor_definite(
            spci_mobility_of(g->inv_mass[l], spci_lane_inertia(g->J, l), p));
    f.i0 = 1 / (g->inv_mass[l] + g->inv_inertia[0][l] * spc_dot(p, p));
    return f;
}

static SPCI_FORCE_INLINE spc_vec3 spci_lane_impulse(const spci_lones *g, const spci_definite *f,
                                                    bool spherical, spc_vec3 r, int l)
{
    const spc_vec3 p = spci_lane_vec3(g->lever, l);
    if (!spherical)
        return spci_solve_definite(f, r);
    return spc_scale(f->i0,
                     spc_add(r, spc_scale(g->mass[l] * g->inv_inertia[0][l] * spc_dot(p, r), p)));
}

/* What it changes velocities by. */
static SPCI_FORCE_INLINE spc_spatial spci_lane_changes(const spci_lones *g, bool spherical,
                                                       spc_vec3 on_b, int l)
{
    const spc_vec3 turn = spc_cross(spci_lane_vec3(g->lever, l), on_b);
    return spc_spatial_make(spherical ? spc_scale(g->inv_inertia[0][l], turn)
                                      : spc_inertia_mul(spci_lane_inertia(g->J, l), turn),
                            spc_scale(g->inv_mass[l], on_b));
}

/* spci_kick by the push of gravity and by an impulse. */
static SPCI_FORCE_INLINE void spci_lane_kick(spci_lones *g, spci_apart apart, spc_vec3 push,
                                             spc_spatial delta, int l)
{
    const spci_lones *in = g;
    const spc_vec3 none = spc_vec3_make(0, 0, 0), centre = spci_lane_vec3(in->centre, l);
    const spc_vec3 w = spci_lane_vec3(in->w, l);
    const spc_vec3 v = spci_lane_to_centre(g, apart, spci_lane_vec3(in->v, l), w, centre, l);
    const spc_real lever =
        g->mass[l] * spci_lane_most(spci_lane_vec3(in->lever, l)) * g->stiffest[l];
    const spc_real speed = spci_lane_most(push) + spci_lane_most(delta.linear);
    const spc_real spin = spci_lane_most(delta.angular) + lever * speed;
    const spc_vec3 w2 = spci_lane_clean(spc_add(w, spc_add(none, delta.angular)), spin);
    const spc_vec3 v2 = spci_lane_clean(spc_add(v, spc_add(push, delta.linear)), speed);
    spci_put_lane(w2, g->w, l);
    spci_put_lane(spci_lane_to_origin(g, apart, v2, w2, centre, l), g->v, l);
}

/* The rest of spci_contact_middle but for the displacement; a disc is not to turn over nearly, as
   in spci_will_turn_over. */
static SPCI_FORCE_INLINE void spci_lane_solve(spci_lones *g, bool disc, spci_apart apart,
                                              spc_vec3 push, spc_real h, int l)
{
    const spci_lones *in = g;
    const bool spherical = apart == SPCI_ALL_APART;
    const spc_mat3 R = spci_lane_axes(g, l);
    const spci_definite f = spci_lane_factor(g, spherical, l);
    const spc_vec3 demand = spci_lane_demand(g, h, l, &g->shift[l]);
    const spc_vec3 rho =
        spc_sub(demand, spc_mat3_transpose_mul(R, spc_add(push, spc_vec3_make(0, 0, 0))));
    const spc_vec3 on_b = spci_lane_impulse(g, &f, spherical, spc_mat3_mul(R, rho), l);
    spc_real lambda[3];
    spci_lambda_of(&R, on_b, lambda);
    spci_put_lane(spci_get_vec3(lambda), g->lambda, l);
    spci_lane_kick(g, apart, push, spci_lane_changes(g, spherical, on_b, l), l);
    if (disc) {
        const spc_vec3 q = spc_sub(spci_lane_vec3(in->arm_b, l), spci_lane_vec3(in->p_BS_G, l));
        const spc_real turn = spc_dot(spci_lane_vec3(in->w, l), R.y);
        const spc_real down = spc_dot(q, R.z) + SPC_R(0.5) * h * spc_dot(q, R.x) * turn;
        g->spoilt[l] += spci_lane_choose(down, -SPCI_EPSILON * g->radius[l], 0, 1);
    }
}

static SPCI_NO_INLINE void spci_lone_solve_round(spci_lones *g, spc_vec3 push, spc_real h)
{
    int l;
    for (l = 0; l < SPCI_LANES; l++)
        spci_lane_solve(g, false, SPCI_ALL_APART, push, h, l);
}

static SPCI_NO_INLINE void spci_lone_solve(spci_lones *g, spc_vec3 push, spc_real h)
{
    int l;
    for (l = 0; l < SPCI_LANES; l++)
        spci_lane_solve(g, false, SPCI_SOME_APART, push, h, l);
}

static SPCI_NO_INLINE void spci_lone_solve_discs(spci_lones *g, spc_vec3 push, spc_real h)
{
    int l;
    for (l = 0; l < SPCI_LANES; l++)
        spci_lane_solve(g, true, SPCI_SOME_APART, push, h, l);
}

/* spci_displace_moving, where there is a shift. */
static SPCI_FORCE_INLINE void spci_lane_displace(spci_lones *g, spci_apart apart, int l)
{
    const spci_lones *in = g;
    const bool spherical = apart == SPCI_ALL_APART;
    const spc_vec3 along = spc_vec3_make(0, 0, g->shift[l]);
    const spc_vec3 demand = spc_mat3_mul(spci_lane_axes(g, l), along);
    const spci_definite f = spci_lane_factor(g, spherical, l);
    const spc_vec3 on_b = spci_lane_impulse(g, &f, spherical, demand, l);
    const spc_spatial d = spci_lane_changes(g, spherical, on_b, l);
    const spc_real some = spci_abs(g->shift[l]), turns = spci_lane_sum(d.angular);
    const spc_real all = spci_lane_choose(0, some, turns + spci_lane_sum(d.linear), 0);
    const spc_vec3 p = spci_lane_vec3(in->p, l), w = spci_lane_vec3(in->w, l);
    const spc_vec3 v = spci_lane_vec3(in->v, l), before = spci_lane_vec3(in->centre, l);
    const spc_quat old = spci_lane_quat(in->q, l);
    spc_real spoilt = 0;
    const spc_quat turned = spci_lane_turned(old, d.angular, &spoilt);
    const spc_quat q = spci_lane_choose_quat(0, turns, turned, old);
    const spc_vec3 after = spci_lane_centre(g, apart, q, l);
    const spc_vec3 moved = spc_add(p, spc_add(d.linear, spc_sub(before, after)));
    const spc_vec3 centre = spci_lane_choose_vec3(0, all, after, before);
    const spc_vec3 v_c = spci_lane_to_centre(g, apart, v, w, before, l);
    const spc_vec3 kept = spci_lane_to_origin(g, apart, v_c, w, centre, l);
    spci_put_lane(spci_lane_choose_vec3(0, all, moved, p), g->p, l);
    spci_put_lane(spci_lane_choose_vec3(0, some, kept, v), g->v, l);
    spci_put_quat_lane(spci_lane_choose_quat(0, all, q, old), g->q, l);
    spci_put_lane(centre, g->centre, l);
    g->spoilt[l] += spci_lane_choose(0, all, spoilt, 0);
}

static SPCI_NO_INLINE void spci_lone_displace_round(spci_lones *g)
{
    int l;
    for (l = 0; l < SPCI_LANES; l++)
        spci_lane_displace(g, SPCI_ALL_APART, l);
}

static SPCI_NO_INLINE void spci_lone_displace(spci_lones *g, bool apart)
{
    int l;
    if (apart)
        for (l = 0; l < SPCI_LANES; l++)
            spci_lane_displace(g, SPCI_SOME_APART, l);
    else
        for (l = 0; l < SPCI_LANES; l++)
            spci_lane_displace(g, SPCI_NONE_APART, l);
}

static bool spci_are_lones_shifted(const spci_lones *g)
{
    int l;
    for (l = 0; l < SPCI_LANES; l++)
        if (g->shift[l] < 0 || g->shift[l] > 0)
            return true;
    return false;
}

/* spci_contact_before */
static void spci_lone_before(spci_lones *g, const spci_lone_kind *kind, spc_real h)
{
    spci_lone_begin(g);
    if (kind->aside)
        spci_lone_offsets(g);
    if (kind->disc) {
        spci_lone_tilts(g);
        spci_lone_roots(g);
        spci_lone_discs_before(g, h);
    } else {
        spci_lone_spheres_before(g, h);
    }
}

/* spci_contact_middle */
static void spci_lone_middle(spci_lones *g, const spci_lone_kind *kind, spc_vec3 push, spc_real h)
{
    if (kind->aside)
        spci_lone_offsets(g);
    if (kind->disc) {
        spci_lone_tilts(g);
        spci_lone_roots(g);
        spci_lone_discs_middle(g);
    } else {
        spci_lone_spheres_middle(g);
    }
    if (kind->top)
        spci_lone_frames_of_tops(g);
    else if (!kind->spherical)
        spci_lone_frames(g);
    spci_lone_roots(g);
    if (kind->spherical)
        spci_lone_solve_round(g, push, h);
    else if (kind->disc)
        spci_lone_solve_discs(g, push, h);
    else
        spci_lone_solve(g, push, h);
    if (!spci_are_lones_shifted(g))
        return;
    if (kind->spherical)
        spci_lone_displace_round(g);
    else
        spci_lone_displace(g, kind->apart);
}

/* Spoils what is not finite, as spci_finite_state and spci_finite_contact see it. */
static SPCI_NO_INLINE void spci_lone_end(spci_lones *g, spc_real h)
{
    const spci_lones *in = g;
    int l;
    for (l = 0; l < SPCI_LANES; l++) {
        const spc_quat q = spci_lane_quat(in->q, l);
        const spc_real off = spci_abs(spci_quat_dot(q, q) - 1);
        const spc_real most = spci_lane_sum(spci_lane_vec3(in->lambda, l));
        g->spoilt[l] += spci_lane_choose(off, SPC_R(0.5), 0, 1);
        g->spoilt[l] += spci_lane_choose(SPCI_MAX * h, most, 1, 0) + (most - most);
        g->spoilt[l] +=
            spci_nan_of(spci_lane_vec3(in->p, l)) + spci_nan_of(spci_lane_vec3(in->v, l));
        g->spoilt[l] += spci_nan_of(spci_lane_vec3(in->w, l)) + (off - off);
    }
}

/* As what an island may be a lane. */
static SPCI_FORCE_INLINE int spci_lone_kind_of(spc_world *w, const spci_island *island)
{
    const spci_constraint *c;
    const spci_body *body;
    bool odd;
    if (island->one_sided || !spci_island_is_contact(w, island))
        return SPCI_NO_LONE;
    c = spci_constraint_at(w, spci_island_node(w, island, 0)->constraint);
    body = spci_body_at(w, c->b);
    if (c->a != 0 || c->stabilization.ignore_velocity || body->forced ||
        !spci_in_use(body->generation))
        return SPCI_NO_LONE;
    odd = body->symmetry == SPCI_ASYMMETRIC;
    if (c->kind == SPC_ROLLING_DISC) {
        if (spci_rolling_disc_enforced(&c->shape.rolling_disc) != 7u ||
            body->symmetry == SPCI_SPHERICAL)
            return SPCI_NO_LONE;
        return odd ? SPCI_LONE_ODD_DISC : SPCI_LONE_DISC;
    }
    if (c->kind != SPC_SPHERE_ON_PLANE || !c->shape.sphere_on_plane.rolling)
        return SPCI_NO_LONE;
    if (body->symmetry == SPCI_SPHERICAL)
        return body->centred ? SPCI_NO_LONE : SPCI_LONE_ROUND;
    return odd ? SPCI_LONE_BODY : SPCI_LONE_TOP;
}

/* A body and its contact as a lane. */
static SPCI_NO_INLINE void spci_load_lone(const spci_body *body, const spci_constraint *c,
                                          const spci_states *s, spc_real h, spci_lones *g, int l)
{
    const bool disc = c->kind == SPC_ROLLING_DISC;
    const spc_sphere_on_plane *sphere = &c->shape.sphere_on_plane;
    const spc_rolling_disc *rim = &c->shape.rolling_disc;
    const spc_transform *X_FP = disc ? &rim->X_FP : &sphere->X_FP;
    const spc_stabilization *stab = &c->stabilization;
    const spc_inertia J = body->inv_inertia;
    const int own = spci_lane_of(c->b);
    spci_put_quat_lane(spci_lane_quat(s->q, own), g->q, l);
    spci_put_lane(spci_lane_vec3(s->p, own), g->p, l);
    spci_put_lane(spci_lane_vec3(s->w, own), g->w, l);
    spci_put_lane(spci_lane_vec3(s->v, own), g->v, l);
    g->mass[l] = body->mass.mass;
    g->inv_mass[l] = body->inv_mass;
    g->stiffest[l] = spci_max(J.xx, spci_max(J.yy, J.zz));
    spci_put_inertia_lane(J, g->inv_inertia, l);
    spci_put_lane(body->mass.p_BBc, g->p_BBc, l);
    g->apart[l] = body->centred ? 0 : 1;
    spci_put_lane(disc ? rim->p_BS : sphere->p_BS, g->p_BS, l);
    spci_put_lane(disc ? rim->p_BS : sphere->p_BS, g->p_BS_G, l);
    g->radius[l] = disc ? rim->radius : sphere->radius;
    if (disc)
        spci_put_lane(rim->axis_B, g->axis_B, l);
    spci_put_quat_lane(X_FP->q, g->q_FP, l);
    spci_put_lane(X_FP->p, g->p_FP, l);
    g->displaces[l] = stab->enabled && (spci_position_rows(stab, 4u) & 4u) ? 1 : 0;
    g->part[l] = stab->enabled ? h * spci_rate(stab, h) : 0;
    if (body->symmetry == SPCI_ASYMMETRIC) {
        spci_put_inertia_lane(body->mass.inertia, g->inertia, l);
    } else if (body->symmetry != SPCI_SPHERICAL) {
        g->across[l] = spci_top_across(body, J);
        g->excess[l] = spci_top_about(body, J) - g->across[l];
        g->ratio[l] = g->across[l] / spci_top_about(body, J) - 1;
        spci_put_lane(spci_unit((int)body->symmetry - (int)SPCI_TOP_X), g->top, l);
    }
}

/* The end of a lane's step; false: it is spoilt. */
static SPCI_FORCE_INLINE bool spci_keep_lone(spc_world *w, const spci_lones *g, int l,
                                             spci_node *node)
{
    spc_state *s = &spci_work_at(w, node->b)->state;
    if (!(g->spoilt[l] <= 0))
        return false;
    s->X_GB = spc_transform_make(spci_lane_quat(g->q, l), spci_lane_vec3(g->p, l));
    s->V_GB = spc_spatial_make(spci_lane_vec3(g->w, l), spci_lane_vec3(g->v, l));
    spci_put_vec3(spci_lane_vec3(g->lambda, l), spci_vector(w, node, SPCI_LAMBDA));
    node->mask = 7u;
    return true;
}

static bool spci_is_aside(const spci_lones *g, int l)
{
    return !spci_is_zero_vec3(spci_lane_vec3(g->p_BS, l));
}

/* One that does what lanes do not. */
static SPCI_NO_INLINE void spci_step_spoilt(spc_world *w, const spci_node *node, spc_real h,
                                            spci_refusal *first)
{
    const int island = spci_work_at(w, node->b)->island;
    spci_note_refusal(first, spci_step_contact(w, spci_island_at(w, island), h), island);
}

/* The loading of all. */
static spci_lone_kind spci_load_lones(spc_world *w, const spci_lone_queue *queue, int which,
                                      spc_real h, spci_lones *g)
{
    spci_lone_kind kind;
    int l;
    kind.disc = which >= SPCI_LONE_DISC;
    kind.spherical = which == SPCI_LONE_ROUND;
    kind.top = which == SPCI_LONE_TOP || which == SPCI_LONE_DISC;
    kind.aside = kind.apart = false;
    for (l = 0; l < SPCI_LANES; l++) {
        const spci_constraint *c = spci_constraint_at(w, queue->node[l]->constraint);
        const spci_body *body = spci_body_at(w, c->b);
        spci_load_lone(body, c, spci_states_at(w, w->now) + (c->b - 1) / SPCI_LANES, h, g, l);
        kind.apart = kind.apart || !body->centred;
        kind.aside = kind.aside || spci_is_aside(g, l);
    }
    return kind;
}

/* Steps as many as there are lanes. */
static SPCI_NO_INLINE void spci_step_lones(spc_world *w, const spci_lone_queue *queue, int which,
                                           spc_real h, spci_refusal *first)
{
    spci_lones g;
    const spci_lone_kind kind = spci_load_lones(w, queue, which, h, &g);
    int l;
    spci_lone_before(&g, &kind, h);
    spci_lone_drift(&g, &kind, SPC_R(0.5) * h);
    spci_lone_middle(&g, &kind, spc_scale(h, w->gravity), h);
    spci_lone_drift(&g, &kind, SPC_R(0.5) * h);
    spci_lone_end(&g, h);
    for (l = 0; l < SPCI_LANES; l++) {
        spci_node *node = queue->node[l];
        if (!spci_keep_lone(w, &g, l, node))
            spci_step_spoilt(w, node, h, first);
    }
}

#endif /* SPCI_SIDE_BY_SIDE */

/* ---- one-sided contacts in a step

   Half a drift leads to the middle, where a contact has the gap g, the velocities u, and with the
   push of forces u_f. It takes part if

       g + h/2 u_f < 2 |a| h^2                                                            (7.13)

   since otherwise the free motion ends apart. Prescribed motion changes u by k in the first half
   of the step and by l in the second, with an acceleration that is taken to grow evenly; to that of
   the push over h it adds a = (3 k - l) / h at the beginning, and grows by j = 4 (l - k) / h^2. One
   that was not closed before the step, and ends apart, must not cross: u' >= -2 g/h - (k + 5 l)/12.
   The others meet within the step: from the gap g_0 = max(0, g - h/2 u + h (5 k + l)/24) at its
   beginning the bodies fall together by the time t,

       g_0 + u_0 t + a t^2 / 2 + j t^3 / 6 = 0,    u_0 = u - k,
       u_b = u_0 + a t + j t^2 / 2,                u_a = -e u_b                           (7.14)

   and what is left of the step, r = h - t, leads to the velocity and the gap

       u' = u_a + (a + j t) r + j r^2 / 2,    g' = u_a r + (a + j t) r^2 / 2 + j r^3 / 6   (7.15)

   where the normal row is sent: in the middle u' - l as its velocity, and as its displacement
   g' - g - h/2 (u' - l) - h (k + 5 l)/24: a bounce is where it is, at any rate. If g' is not
   positive, though something is left of the step, it would land again in it, and rests: u' = 0,
   gap 0. The impulses across the normal act from t on, which displaces by (h/2 - t) of what they
   change velocities by. Friction is opposite to the mean of the slip before and after a step; where
   the bodies meet, to that after.

   One that was closed, or put there at rest, goes on as the rows of (7.3) and (7.4) do, but that it
   presses only, and with l in the second half. Where a, with what its curve adds, comes to pull
   within the step, it lets go at t = -a / j, with u_a = 0, and (7.15) tells where to.

   Impulses may close contacts that did not take part. Where such a contact would end, with what
   impulses of impacts displace bodies by, is looked at when all are solved for, and it joins: it
   must not cross, or is struck then if spheres meet. Spheres and planes that are farther apart than
   a few times what their speeds and gravity do in a step are not even asked for their rows till
   then.

   Spheres turn about each other on their way: t is where their gap along it is 0, and rows are
   those of the poses at t. Impulses that act there have a moment about where the bodies are in the
   middle, which the displacement takes back.

   Bodies that meet at several times of a step, with restitution or on ways that are not short
   beside spheres, are struck in that order, as in (7.19), and so is what these blows close: where
   the straight way that a sphere goes after its blow ends in another, or leads through it, they
   touch on it, with rows of the poses there. With one pair of spheres all that are next to each
   other are asked, as blows go on through a heap. A way is short beside the spheres if the step is
   divided into

       n > 2 h max(-u_b, |dv|) / (r_a + r_b)                                              (7.21)

   parts, dv what impulses change the velocity of a centre by. Spheres of a pair that is alone need
   none. Of racks of 15 at 2 to 54 m/s no two were seen to overlap by more than 0.027 of a radius at
   the end of a step, and that with e = 0 alone, which without parts and order they do by 1.8; e = 1
   keeps the energy to 1e-15.
*/

/* Is a disc so high above its plane that it needs no contact point? It may be flat, or turn over
   then. That an upright one is on its plane is no matter of rounding: where it has a contact point,
   that counts. */
static bool spci_disc_is_high(const spci_constraint *c, const spc_state *a, const spc_state *b)
{
    const spc_rolling_disc *shape = &c->shape.rolling_disc;
    spc_transform X_GP;
    if (c->kind != SPC_ROLLING_DISC)
        return false;
    X_GP = spc_transform_mul(a->X_GB, shape->X_FP);
    return spc_dot(spc_rotate(X_GP.q, spci_unit(2)),
                   spc_sub(spc_transform_point(b->X_GB, shape->p_BS), X_GP.p)) > shape->radius;
}

/* Where C is along the axes of a contact's plane; false if its plane has no end, or is none. */
static bool spci_foot(const spci_constraint *c, const spc_state *a, const spc_rows *rows,
                      spc_real *foot)
{
    const spc_transform *X_AP = &c->shape.attachment.X_AF;
    spc_vec3 p;
    if (!c->law.bounded || c->kind == SPC_SPHERE_ON_SPHERE)
        return false;
    if (c->kind == SPC_SPHERE_ON_PLANE)
        X_AP = &c->shape.sphere_on_plane.X_FP;
    if (c->kind == SPC_ROLLING_DISC)
        X_AP = &c->shape.rolling_disc.X_FP;
    p = spc_sub(rows->p_GC, spc_transform_point(a->X_GB, X_AP->p));
    p = spc_unrotate(X_AP->q, spc_unrotate(a->X_GB.q, p));
    foot[0] = p.x;
    foot[1] = p.y;
    return true;
}

/* Is a contact beyond the end of its plane, or below it? Between the gap e0 at side->foot and that
   of the rows it crosses the plane where the line between both does. */
static bool spci_is_beyond(const spci_constraint *c, const spc_state *a, const spc_rows *rows,
                           spc_real e0, spc_real reach, const spci_side *side)
{
    const spc_real gap = rows->position_errors[2];
    const spc_real part = e0 > 0 && gap < 0 ? e0 / (e0 - gap) : 1;
    spc_real foot[2];
    int i;
    if (!spci_foot(c, a, rows, foot))
        return false;
    for (i = 0; i < 2; i++)
        foot[i] = part < 1 ? side->foot[i] + part * (foot[i] - side->foot[i]) : foot[i];
    return e0 < -reach || spci_abs(foot[0]) > c->law.half_length[0] ||
           spci_abs(foot[1]) > c->law.half_length[1];
}

/* How an island takes a step h: in equal parts, and by how many times more of them what turns and
   swings in it asks for, (7.9) and (7.10); up to most it is as it should be. Bounces divide these
   further, (7.24). */
typedef struct spci_pace {
    spc_real h, part; /* of the step, of a part [s] */
    spc_real from;    /* when the part begins */
    int parts;
    int at;           /* how many parts and bounces have been before */
    int bounces;
    spc_real soon;    /* from the part's beginning the first bounce that is due, about */
    bool alone;       /* kinematic bodies may move through the parts */
    bool divided;     /* by a bounce */
    bool dues;        /* some bounce may end the part; */
    bool cut;         /* it has come up in this try, which is given up */
    bool plain;       /* bounces are no more to divide it */
    int first_node, nodes; /* of the island with the contacts that are apart, */
    int hubs, loops, own;  /* where its hubs end; its vectors of loops begin, and their own */
    bool joined;           /* it has joints */
    spc_real more, most;
    bool wild;
    bool wobbles; /* it is a disc that asks for parts */
    bool lays;    /* discs that precess faster than all parts could follow are laid flat */
    bool outruns; /* spheres are faster than that */
} spci_pace;

static inline bool spci_in_parts(const spci_pace *pace)
{
    return pace->parts > 1 || pace->divided;
}

/* What the first try of a step, or one in more parts, begins with. */
static void spci_begin_pace(spci_pace *pace)
{
    pace->more = pace->from = 0;
    pace->at = pace->bounces = 0;
    pace->wobbles = pace->divided = pace->plain = pace->dues = pace->cut = false;
}

/* Is it a contact of spheres, one on the other? */
static bool spci_is_pair(const spci_constraint *c)
{
    return c->kind == SPC_SPHERE_ON_SPHERE && !c->shape.sphere_on_sphere.hollow;
}

/* No less than the speed of a body's point at p; pushed: after forces and impulses. */
static spc_real spci_most_speed(spc_world *w, int body, spc_vec3 p, bool pushed)
{
    const spci_work *work = body ? spci_work_at(w, body) : NULL;
    spc_real speed, turn, arm;
    if (!body)
        return 0;
    speed = spci_max_abs(work->state.V_GB.linear);
    turn = spci_max_abs(work->state.V_GB.angular);
    arm = spci_max_abs(p) +
          (spci_body_at(w, body)->centred ? 0 : spci_max_abs(spci_body_at(w, body)->mass.p_BBc));
    if (pushed) {
        speed += spci_max_abs(work->push.linear) + spci_max_abs(work->delta.linear);
        turn += spci_max_abs(work->push.angular) + spci_max_abs(work->delta.angular);
    }
    return 2 * speed + 3 * turn * arm;
}

/* Does a body move freely, by gravity alone, or not at all? */
static bool spci_moves_plainly(spc_world *w, int body)
{
    return body == 0 || (spci_is_dynamic(w, body) && !spci_body_at(w, body)->forced);
}

/* A body's point in G, of which many are its origin. */
static spc_vec3 spci_point_of(const spc_transform *X_GB, spc_vec3 p)
{
    return spci_is_zero_vec3(p) ? X_GB->p : spc_transform_point(*X_GB, p);
}

/* Is it clear without its rows that a contact of a sphere is so far from closing that it does not
   take part in a time h? pushed: in the middle of a step, with the impulses that there are. */
static bool spci_is_distant(spc_world *w, const spci_constraint *c, spc_real h, bool pushed)
{
    const spc_sphere_on_sphere *pair = &c->shape.sphere_on_sphere;
    const spc_sphere_on_plane *plane = &c->shape.sphere_on_plane;
    const spc_state *b = spci_state(w, c->b);
    const spc_real fall = pushed ? 0 : 6 * h * h * spci_max_abs(w->gravity);
    const spc_real part = pushed ? h : 6 * h;
    spc_real reach;
    spc_vec3 apart;
    if (!spci_moves_plainly(w, c->a) || !spci_moves_plainly(w, c->b))
        return false;
    if (c->kind == SPC_SPHERE_ON_SPHERE && !pair->hollow) {
        reach = spci_most_speed(w, c->a, pair->p_ASa, pushed) +
                spci_most_speed(w, c->b, pair->p_BSb, pushed);
        reach = part * reach + fall + SPC_R(1.01) * (pair->radius_a + pair->radius_b);
        apart = spc_sub(spci_point_of(&b->X_GB, pair->p_BSb),
                        spci_point_of(&spci_state(w, c->a)->X_GB, pair->p_ASa));
        return spc_dot(apart, apart) > reach * reach;
    }
    if (c->kind != SPC_SPHERE_ON_PLANE || c->a != 0 || c->law.bounded)
        return false;
    reach = part * spci_most_speed(w, c->b, plane->p_BS, pushed) + fall +
            SPC_R(1.01) * plane->radius;
    apart = spc_sub(spci_point_of(&b->X_GB, plane->p_BS), plane->X_FP.p);
    return spc_dot(apart, spci_axis(plane->X_FP.q, 2)) > reach;
}

/* Nothing has been struck in rounds, of this step or one before. */
static void spci_forget_rounds(spci_side *side)
{
    side->waits = side->quiet = side->turned = side->blown = side->late = side->fresh = false;
}

/* A contact that does not take part yet, without impulses. */
static void spci_clear_side(const spci_constraint *c, spci_side *side)
{
    side->rows = spci_side_rows(c);
    side->takes_part = side->mean = side->closed = side->leaves = false;
    side->loose = side->firm = 0;
    side->hit = side->shift = side->at = 0;
    spci_clear(side->p, 6);
    spci_clear(side->start, 6);
    side->presses = false;
    side->slides = 0;
    side->flat = side->was_flat = side->apart = side->due = false;
    side->wait = c->wait;
    side->tries = c->tries;
    spci_forget_rounds(side);
}

/* Nobody asks for anything of contacts that are apart: of spheres about the centres of free bodies,
   and of planes of ground, that are open, with nothing to tell, and farther from closing than
   6 h times the bounds of the bodies' speeds and 10 |g| h^2 before the step. Where no impulse and
   push together is more than half the speed and 2.5 |g| h, the test for a distant contact in the
   middle of the step, half a drift on, has the same answer. */
#define SPCI_APART_FALL 10

/* No less than the speed of a free body's centre, times 1.15; below 0: it is none. */
static inline spc_real spci_centre_speed(spc_world *w, int body)
{
    if (body == 0)
        return 0;
    if (!spci_is_dynamic(w, body) || spci_body_at(w, body)->forced ||
        !spci_body_at(w, body)->centred)
        return -1;
    return 2 * spci_max_abs(spci_work_at(w, body)->state.V_GB.linear);
}

/* Is a contact apart in a time h, of which fall is what gravity needs? */
static bool spci_is_apart(spc_world *w, const spci_constraint *c, spc_real h, spc_real fall)
{
    const spc_sphere_on_sphere *pair = &c->shape.sphere_on_sphere;
    const spc_sphere_on_plane *plane = &c->shape.sphere_on_plane;
    const bool spheres = c->kind == SPC_SPHERE_ON_SPHERE;
    spc_real a, b, reach;
    spc_vec3 apart;
    if ((!spheres && c->kind != SPC_SPHERE_ON_PLANE) || c->state != SPC_CONTACT_OPEN || c->began ||
        c->ended || c->hit_speed > 0 || c->multipliers[2] < 0 || c->multipliers[2] > 0)
        return false;
    a = spci_centre_speed(w, c->a);
    b = spci_centre_speed(w, c->b);
    if (!(a >= 0) || !(b >= 0))
        return false;
    reach = 6 * h * (a + b) + fall;
    apart = spci_state(w, c->b)->X_GB.p;
    if (!spheres) {
        reach += SPC_R(1.01) * plane->radius;
        return c->a == 0 && !c->law.bounded && spci_is_zero_vec3(plane->p_BS) &&
               spc_dot(spc_sub(apart, plane->X_FP.p), spci_axis(plane->X_FP.q, 2)) > reach;
    }
    reach += SPC_R(1.01) * (pair->radius_a + pair->radius_b);
    apart = spc_sub(apart, spci_state(w, c->a)->X_GB.p);
    return spc_dot(apart, apart) > reach * reach && !pair->hollow &&
           spci_is_zero_vec3(pair->p_ASa) && spci_is_zero_vec3(pair->p_BSb);
}

static bool spci_node_is_apart(spc_world *w, const spci_node *node)
{
    return spci_one_sided_of(w, node) && spci_side_at(w, node->constraint)->apart;
}

/* Where the nodes of an island that are not apart are listed: in the second half of what there is
   for its clumps, which have room before them if these are not more than half of all. */
static int spci_near_place(const spc_world *w, const spci_pace *pace)
{
    return w->node_capacity + pace->first_node + pace->nodes - pace->nodes / 2;
}

/* An island has no others till it is whole again. */
static void spci_list_near(spc_world *w, spci_island *island, const spci_pace *pace)
{
    const int *from = spci_node_order(w) + pace->first_node;
    int *to = spci_node_order(w) + spci_near_place(w, pace), i;
    island->first_node = spci_near_place(w, pace);
    for (i = 0; i < pace->nodes; i++)
        if (!spci_node_is_apart(w, spci_node_at(w, from[i])))
            *to++ = from[i];
}

/* A contact that has been apart: it is distant, has no impulses, and has had none before in the
   step. */
static void spci_end_apart(const spci_constraint *c, spci_side *side)
{
    side->distant = true;
    side->state = SPC_CONTACT_OPEN;
    side->placed = side->over = side->tips = false;
    side->met = 0;
    spci_clear(side->sum, 6);
    spci_clear_side(c, side);
}

/* Is a node's contact apart in this part of a step? It is no more if it has not been in one
   before. */
static bool spci_goes_apart(spc_world *w, spci_node *node, spci_pace *pace, spc_real fall)
{
    const spci_constraint *c = spci_one_sided_of(w, node);
    spci_side *side = c ? spci_side_at(w, node->constraint) : (spci_side *)NULL;
    bool before;
    if (!side) {
        pace->joined = pace->joined || node->constraint >= 0;
        return false;
    }
    before = pace->at == 0 || side->apart;
    side->apart = before && pace->nodes > 1 && spci_is_apart(w, c, pace->part, fall);
    if (pace->at > 0 && before && !side->apart)
        spci_end_apart(c, side);
    if (side->apart && node->active > 0)
        spci_unload(w, node);
    return side->apart;
}

/* Leaves an island in a part of a step without the contacts that are apart, if these are no less
   than half of its nodes. */
static void spci_leave_apart(spc_world *w, spci_island *island, spci_pace *pace)
{
    const spc_real h = pace->part, fall = SPCI_APART_FALL * h * h * spci_max_abs(w->gravity);
    int *list = spci_node_order(w) + spci_near_place(w, pace);
    int n, nearby = 0;
    for (n = 0; n < pace->nodes; n++) {
        spci_node *node = spci_island_node(w, island, n);
        if (spci_goes_apart(w, node, pace, fall))
            continue;
        if (nearby < pace->nodes / 2)
            list[nearby] = spci_node_order(w)[island->first_node + n];
        nearby++;
    }
    if (nearby <= pace->nodes / 2) {
        island->first_node = spci_near_place(w, pace);
        island->node_count = nearby;
        return;
    }
    for (n = 0; n < pace->nodes && nearby < pace->nodes; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        if (spci_node_is_apart(w, node))
            spci_end_apart(spci_one_sided_of(w, node), spci_side_at(w, node->constraint));
    }
}

/* Is an island's part of a step without contacts that are apart? */
static bool spci_is_part(const spci_island *island, const spci_pace *pace)
{
    return island->node_count < pace->nodes;
}

/* It is whole again. */
static void spci_be_whole(spci_island *island, const spci_pace *pace)
{
    island->first_node = pace->first_node;
    island->node_count = pace->nodes;
    island->hubs = pace->hubs;
    island->joints = pace->loops - island->vectors;
    island->length = island->stride;
}

/* A one-sided contact as a step, or a part of one, begins. */
static spc_status spci_side_before(spc_world *w, spci_node *node, const spci_pace *pace)
{
    const bool in_parts = spci_in_parts(pace);
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    spci_side *side = spci_side_at(w, node->constraint);
    spc_status status;
    spc_state a, b;
    spc_rows rows;
    bool high;
    spci_forget_rounds(side);
    side->due = pace->dues && side->due;
    if (pace->at == 0) {
        side->state = spci_state_left(c);
        side->wait = c->wait;
        side->tries = c->tries;
    }
    side->closed = side->state != SPC_CONTACT_OPEN;
    side->distant = !side->closed && spci_is_distant(w, c, pace->part, false);
    if (side->distant) {
        side->flat = side->was_flat = side->over = side->tips = false;
        return SPC_OK;
    }
    a = spci_state_before(w, c->a, in_parts);
    b = spci_state_before(w, c->b, in_parts);
    side->flat = false;
    status = spci_side_pose(c, &a, &b, 0, side, &rows);
    high = spci_disc_is_high(c, &a, &b);
    side->takes_part = !status;
    side->was_flat = side->flat;
    if (status)
        return high ? SPC_OK : status;
    spci_side_motion(c, &a, &b, &rows, side->start);
    side->shift = rows.position_errors[2];
    (void)spci_foot(c, &a, &rows, side->foot);
    node->across = high ? spc_vec3_make(0, 0, 0) : rows.R_GP.x;
    if (c->kind == SPC_SPHERE_ON_SPHERE)
        node->across = spc_add(spc_scale(side->start[0], rows.R_GP.x),
                               spc_scale(side->start[1], rows.R_GP.y));
    return SPC_OK;
}

/* a + j t of (7.14), and j. */
static inline spc_real spci_pull_at(const spci_side *side, spc_real t, spc_real h, spc_real *j)
{
    const spc_real k = side->driven[0], l = side->driven[1];
    *j = h > 0 ? 4 * (l - k) / (h * h) : 0;
    return h > 0 ? (side->u[3] + 3 * k - l) / h + *j * t : 0;
}

/* What (7.14) adds to g_0 by the time t, and the velocity then. */
static spc_real spci_way(const spci_side *side, spc_real t, spc_real h, spc_real *speed)
{
    spc_real j;
    const spc_real start = side->u[2] - side->driven[0], a = spci_pull_at(side, 0, h, &j);
    *speed = start + t * (a + SPC_R(0.5) * j * t);
    return t * (start + t * (SPC_R(0.5) * a + j * t / 6));
}

/* By how much what is driven takes the gap at the beginning of the step, or at its end, from where
   the velocity in the middle leads. */
static inline spc_real spci_bend(const spci_side *side, bool end, spc_real h)
{
    return h * (5 * side->driven[end] + side->driven[!end]) / 24;
}

static inline spc_real spci_first_gap(const spci_side *side, spc_real h)
{
    const spc_real gap = side->gap - SPC_R(0.5) * h * side->u[2] + spci_bend(side, false, h);
    return side->turned ? gap : spci_max(gap, 0);
}

/* (7.15): bodies part at t with the velocity u_a, or press on each other from then on; g of their
   normal row and its displacement. */
static void spci_part_with(spc_real u_a, spc_real t, spc_real h, spci_side *side)
{
    const spc_real free = side->u[2] + side->u[3], rest = h - t;
    spc_real j;
    const spc_real a = spci_pull_at(side, t, h, &j);
    const spc_real end = rest * (u_a + rest * (SPC_R(0.5) * a + j * rest / 6));
    side->leaves = end > 0 || (!(rest > 0) && u_a > 0);
    u_a = (side->leaves ? u_a + rest * (a + SPC_R(0.5) * j * rest) : 0) - side->driven[1];
    side->g[2] = free - u_a;
    side->shift = (side->leaves ? end : 0) - side->gap - SPC_R(0.5) * h * u_a -
                  spci_bend(side, true, h);
}

/* Bodies meet at t with the velocity u_b. */
static void spci_part_bodies(const spc_contact_law *law, spc_real u_b, spc_real t, spc_real h,
                             spci_side *side)
{
    side->restitution = -u_b > law->restitution_speed ? law->restitution : 0;
    side->hit = spci_max(0 - u_b, 0);
    side->at = t;
    spci_part_with(u_b < 0 ? -side->restitution * u_b : 0, t, h, side);
}

/* (7.14): do bodies meet within the step? u: before the push. With an even acceleration when is in
   closed form; from there by Newton's method, whose third step leaves what is rounding. */
static bool spci_meet(const spc_contact_law *law, spc_real u, spc_real push, spc_real h,
                      spci_side *side)
{
    const spc_real k = side->driven[0], l = side->driven[1];
    const spc_real a = (push + k + l) / h, start = u - k;
    spc_real before, square, root, t, speed;
    bool early;
    int turn;
    side->u[2] = u;
    side->u[3] = push;
    before = spci_first_gap(side, h);
    square = start * start - 2 * a * before;
    root = SPC_SQRT(spci_max(square, 0));
    t = before > 0 ? 2 * before / (root - start) : 0;
    early = before > 0 && square >= 0 && t >= 0 && t <= h;
    for (turn = 0; turn < 3 && early && !spci_equal(k, l); turn++) {
        const spc_real gap = before + spci_way(side, t, h, &speed);
        if (!(speed < 0))
            break;
        t = spci_max(t - gap / speed, 0);
        t = t < h ? t : h;
    }
    if (!early && side->gap + SPC_R(0.5) * h * (u + push) + spci_bend(side, true, h) > 0)
        return false;
    if (!(t >= 0 && t <= h))
        t = h;
    (void)spci_way(side, t, h, &speed);
    spci_part_bodies(law, speed, t, h, side);
    return true;
}

/* g of bodies that do not meet: they must not cross. */
static inline spc_real spci_stay_apart(const spci_side *side, spc_real h)
{
    return side->u[2] + side->u[3] + 2 * (side->gap + spci_bend(side, true, h)) / h;
}

/* Goes on as it was, but that motion drives it, and lets go where that comes to pull. e0: gap
   before the step; curve: what its velocity has changed by in the first half. */
static void spci_go_on(const spci_constraint *c, spc_real e0, spc_real curve, spc_real arm,
                       spc_real h, spci_side *side)
{
    const spc_real k = side->driven[0], l = side->driven[1], push = side->u[3];
    const spc_real second = curve - k + l, bend = second + (l - k) / 6;
    const spc_real first = push + 3 * curve - second, last = push - curve + 3 * second;
    side->g[2] = side->u[2] + push + second;
    if (c->stabilization.enabled &&
        !((c->stabilization.ignore_position | c->stabilization.ignore_velocity) & 4u))
        side->shift =
            spci_displacement(side->gap, e0, bend,
                              spci_part(&c->stabilization, &e0, 1, arm, h), h, side->none);
    if (first < 0 && last > 0) {
        const spc_real rest = last / (last - first) * h, gain = SPC_R(0.5) * last * rest / h;
        side->leaves = true;
        side->g[2] -= gain;
        side->shift += gain * (rest / 3 - SPC_R(0.5) * h);
    }
}

/* The normal row of a contact in the middle, where its gap is, with that before the step as its
   shift: g of it, and its displacement. u, push: of the row. False if it does not take part. */
static bool spci_aim_side(const spci_constraint *c, spc_real u, spc_real push, spc_real arm,
                          spc_real h, spci_side *side)
{
    const spc_real gap = side->gap, none = side->none, free = u + push;
    const spc_real curve = u - side->start[2], e0 = side->shift;
    const spc_real fall = spci_abs(push) + spci_abs(curve);
    side->mean = true;
    side->leaves = false;
    side->at = side->hit = side->shift = 0;
    side->u[2] = u;
    side->u[3] = push;
    if (!(gap + SPC_R(0.5) * h * free <= 2 * h * fall + none))
        return false;
    /* faster than forces can have made it in a few steps: it has been pushed */
    if (side->closed && side->start[2] < -4 * fall && -side->start[2] > c->law.restitution_speed)
        side->closed = false;
    if (spci_abs(e0) <= none && spci_abs(side->start[2]) * h <= none)
        side->closed = true; /* put there */
    if (side->closed) {
        spci_go_on(c, e0, curve, arm, h, side);
        return true;
    }
    side->mean = false;
    if (gap <= none && gap >= -none && u >= 0)
        side->g[2] = free;
    else if (!spci_meet(&c->law, u, push, h, side))
        side->g[2] = spci_stay_apart(side, h);
    return true;
}

/* One-sided balls take a step in three parts: where they touch, side by side; what the law makes of
   it, one by one, as the branches that it has are quicker than all that may be at once; and where
   that leads. */
typedef struct spci_touches {
    spci_lane s0[3], s1[3], push[3]; /* velocities in the plane's axes: before the step, in its
                                        middle, and what forces add */
    spci_lane e0, e1, none;          /* gaps, and what is none */
    spci_lane driven[6];             /* what either half drives it by; along n k and l of (7.14) */
    spci_lane on_b[3], d, ahead;     /* as in spci_moved */
} spci_touches;

/* The first part. */
static SPCI_FORCE_INLINE void spci_touch_ball(const spci_states *s, const spci_balls *b,
                                              const spci_planes *planes, spc_vec3 gravity,
                                              spc_real h, bool moving, int l, spci_touches *t)
{
    const spc_real r = b->radius[l];
    const spc_vec3 p = spci_lane_vec3(s->p, l), w = spci_lane_vec3(s->w, l);
    const spc_vec3 v = spci_lane_vec3(s->v, l), p1 = spc_add(p, spc_scale(SPC_R(0.5) * h, v));
    const spc_spatial push = spci_lane_push(b, gravity, h, l);
    const spci_plane before = spci_lane_plane(planes, l);
    const spci_plane plane = moving ? spci_lane_plane(planes + 1, l) : before;
    const spci_touch_point c0 = spci_lane_contact(&before, p, w, v, r, moving);
    const spci_touch_point c = spci_lane_contact(&plane, p1, w, v, r, moving);
    const spc_vec3 at_C = spc_add(push.linear, spc_cross(push.angular, c.arm));
    spc_vec3 first = spc_vec3_make(0, 0, 0), second = first;
    spci_put_lane(c0.s, t->s0, l);
    spci_put_lane(moving ? c.s : c0.s, t->s1, l);
    spci_put_lane(spc_mat3_transpose_mul(plane.R, at_C), t->push, l);
    t->e0[l] = c0.e;
    t->e1[l] = c.e;
    if (moving)
        spci_lane_driven(planes, l, c.place, &first, &second);
    spci_put_lane(first, t->driven, l);
    spci_put_lane(second, t->driven + 3, l);
    t->none[l] = SPCI_NO_ERROR * (spci_lane_max(p) + (moving ? r + spci_lane_max(c.place) : r));
}

/* The third part. planes: in the middle of the step. */
static SPCI_FORCE_INLINE void spci_press_ball(const spci_states *s, const spci_balls *b,
                                              const spci_planes *planes, spc_vec3 gravity,
                                              spc_real h, int l, const spci_touches *t,
                                              spci_states *out, spci_turns *turns)
{
    const spci_plane plane = spci_lane_plane(planes, l);
    spci_moved by;
    by.on_b = spci_lane_vec3(t->on_b, l);
    by.d = t->d[l];
    by.ahead = t->ahead[l];
    spci_move_ball(s, b, &plane.R, spci_lane_push(b, gravity, h, l), by, h, true, l, out, turns);
}

#ifdef SPCI_SIDE_BY_SIDE
/* The first part of one-sided ones, and the third. */
static SPCI_NO_INLINE void spci_touch_at_rest(const spci_states *SPCI_ALONE s,
                                              const spci_balls *SPCI_ALONE b,
                                              const spci_planes *SPCI_ALONE planes,
                                              spc_vec3 gravity, spc_real h,
                                              spci_touches *SPCI_ALONE t)
{
    int l;
    for (l = 0; l < SPCI_LANES; l++)
        spci_touch_ball(s, b, planes, gravity, h, false, l, t);
}

static SPCI_NO_INLINE void spci_touch_in_motion(const spci_states *SPCI_ALONE s,
                                                const spci_balls *SPCI_ALONE b,
                                                const spci_planes *SPCI_ALONE planes,
                                                spc_vec3 gravity, spc_real h,
                                                spci_touches *SPCI_ALONE t)
{
    int l;
    for (l = 0; l < SPCI_LANES; l++)
        spci_touch_ball(s, b, planes, gravity, h, true, l, t);
}

static SPCI_NO_INLINE void spci_press_all(const spci_states *SPCI_ALONE s,
                                          const spci_balls *SPCI_ALONE b,
                                          const spci_planes *SPCI_ALONE planes, spc_vec3 gravity,
                                          spc_real h, const spci_touches *SPCI_ALONE t,
                                          spci_states *SPCI_ALONE out, spci_turns *SPCI_ALONE turns)
{
    int l;
    for (l = 0; l < SPCI_LANES; l++)
        spci_press_ball(s, b, planes, gravity, h, l, t, out, turns);
}

#endif /* SPCI_SIDE_BY_SIDE */

/* The parts of one that is one-sided. */
static SPCI_NO_INLINE void spci_touch_alone(const spci_states *s, const spci_balls *b,
                                            const spci_planes *planes, spc_vec3 gravity, spc_real h,
                                            int l, spci_touches *t)
{
    if (b->floor[l])
        spci_touch_ball(s, b, planes, gravity, h, true, l, t);
    else
        spci_touch_ball(s, b, planes, gravity, h, false, l, t);
}

static SPCI_NO_INLINE void spci_press_alone(const spci_states *s, const spci_balls *b,
                                            const spci_planes *planes, spc_vec3 gravity, spc_real h,
                                            int l, const spci_touches *t, spci_states *out,
                                            spci_turns *turns)
{
    spci_press_ball(s, b, planes + (b->floor[l] ? 1 : 0), gravity, h, l, t, out, turns);
    spci_turn_ball(s, turns, l, out);
}

/* The second part: spci_aim_side along the normal, (5.10) across it. side: for the time
   being. Gives what is found. */
static unsigned spci_decide(const spci_constraint *c, const spci_balls *b, int l, spc_real h,
                            spci_touches *t, spci_side *side)
{
    const spc_real m_t = b->grip[l], r = b->radius[l];
    const spc_real ease = b->inv_mass[l] + b->inv_inertia[l] * (r * r);
    spc_real u[3], g[3], uneven[2], p[3] = { 0, 0, 0 };
    unsigned found = 0; /* open */
    bool sticks = false, takes_part;
    int i;
    for (i = 0; i < 3; i++) {
        const spc_real belt = i < 2 ? c->law.surface_velocity[i] : 0;
        side->start[i] = t->s0[i][l] - belt;
        u[i] = t->s1[i][l] - belt;
    }
    side->closed = spci_state_left(c) != SPC_CONTACT_OPEN;
    side->turned = false;
    side->shift = t->e0[l];
    side->gap = t->e1[l];
    side->none = t->none[l];
    side->driven[0] = t->driven[2][l];
    side->driven[1] = t->driven[5][l];
    takes_part = spci_aim_side(c, u[2], t->push[2][l], r, h, side);
    if (takes_part && side->g[2] < 0) {
        for (i = 0; i < 2; i++) {
            uneven[i] = t->driven[3 + i][l] - t->driven[i][l];
            g[i] = (u[i] + t->push[i][l]) +
                   (side->closed ? u[i] - side->start[i] + uneven[i] : 0);
        }
        g[2] = side->g[2];
        p[2] = -b->mass[l] * g[2];
        if (m_t > 0)
            sticks = spci_law_slip(&c->law, m_t, g, side->mean ? side->start : NULL, p[2], p);
        if (m_t > 0 && !sticks)
            sticks = spci_law_norm(g[0] + ease * p[0], g[1] + ease * p[1]) <=
                     4 * SPCI_SIDES_SOLVED * spci_max_abs(spci_get_vec3(g));
    }
    for (i = 0; i < 3; i++)
        t->on_b[i][l] = p[i];
    t->d[l] = p[2] > 0 || (takes_part && side->shift > 0) ? side->shift : 0;
    t->ahead[l] = p[2] > 0 && side->hit > 0 ? SPC_R(0.5) * h - side->at : 0;
    if (p[2] > 0 && !side->leaves)
        found = sticks ? SPC_CONTACT_ROLLING : SPC_CONTACT_SLIDING;
    if (p[2] > 0 && side->hit > 0)
        found |= SPCI_FOUND_MEETING;
    return found;
}

static SPCI_NO_INLINE void spci_decide_all(spc_world *w, spci_balls *b, spc_real h, spci_touches *t)
{
    spci_side side;
    int l;
    for (l = 0; l < SPCI_LANES; l++) {
        const int slot = b->constraint[l] - 1;
        t->on_b[0][l] = t->on_b[1][l] = t->on_b[2][l] = 0;
        t->d[l] = t->ahead[l] = 0;
        if (!spci_is_side(b, l))
            continue;
        spci_set_found(b, l, spci_decide(spci_constraint_at(w, slot), b, l, h, t, &side));
        if (spci_found(b, l) & SPCI_FOUND_MEETING)
            spci_side_at(w, slot)->met = side.hit;
    }
}

/* The one-sided balls of a group. */
static SPCI_NO_INLINE void spci_press_group(spc_world *w, const spci_states *s, spci_balls *b,
                                            const spci_planes *planes, spc_real h, spci_states *out,
                                            spci_turns *turns)
{
    spci_touches t;
    int l;
#ifdef SPCI_SIDE_BY_SIDE
    if (!spci_are_few(b)) {
        if (b->moving > 0)
            spci_touch_in_motion(s, b, planes, w->gravity, h, &t);
        else
            spci_touch_at_rest(s, b, planes, w->gravity, h, &t);
        spci_decide_all(w, b, h, &t);
        spci_press_all(s, b, planes + (b->moving > 0 ? 1 : 0), w->gravity, h, &t, out, turns);
        spci_turn_all(s, turns, out);
        return;
    }
#endif
    for (l = 0; l < SPCI_LANES; l++)
        if (spci_is_side(b, l))
            spci_touch_alone(s, b, planes, w->gravity, h, l, &t);
    spci_decide_all(w, b, h, &t);
    for (l = 0; l < SPCI_LANES; l++)
        if (spci_is_side(b, l))
            spci_press_alone(s, b, planes, w->gravity, h, l, &t, out, turns);
}

/* The balls in lanes of some groups through a step, from one set of states to the other. */
static SPCI_NO_INLINE spc_status spci_step_balls(spc_world *w, spc_real h, int from, int to)
{
    spci_planes planes[3];
    spci_turns turns;
    bool sound = true;
    int i, last = -1;
    for (i = from; i < to && sound; i++) {
        const spci_states *s = spci_states_at(w, w->now) + i;
        spci_balls *b = spci_balls_at(w, i);
        spci_states *out = spci_states_at(w, 1 - w->now) + i;
        if (b->count == 0)
            continue;
        if (!b->same_planes || last != i - 1)
            spci_take_planes(w, b, h, planes);
        last = i;
        if (b->sides < b->count)
            spci_step_group(s, b, planes, w->gravity, h, out, &turns);
        if (b->sides > 0)
            spci_press_group(w, s, b, planes, h, out, &turns);
        sound = spci_finish_lanes(s, b, &turns, out);
    }
    return sound ? SPC_OK : SPC_ERROR_STATE_NOT_FINITE;
}

/* A body's state before a part of a step, where it stands; of a kinematic one, which is not the
   body at that end of the node, in a room for it. */
static inline const spc_state *spci_look_before(spc_world *w, int body, int end, bool in_parts,
                                                spc_state *room)
{
    if (body == end)
        return spci_state(w, body);
    *room = spci_state_before(w, body, in_parts);
    return room;
}

/* The errors of an island's rows before the step, in the nodes' BEFORE and R. */
static spc_status spci_load_before(spc_world *w, const spci_island *island, const spci_pace *pace)
{
    const bool in_parts = spci_in_parts(pace);
    spc_status status = SPC_OK;
    int n, i, k;
    for (n = 0; n < island->node_count && !status; n++) {
        spci_node *node = spci_island_node(w, island, n);
        spc_real *before = spci_vector(w, node, SPCI_BEFORE), *r = spci_vector(w, node, SPCI_R);
        const spci_constraint *c;
        spc_state room[2];
        spc_rows rows;
        if (node->constraint < 0)
            continue;
        c = spci_constraint_at(w, node->constraint);
        if (c->one_sided) {
            spci_side_at(w, node->constraint)->over = false;
            spci_side_at(w, node->constraint)->tips = false;
            status = spci_side_before(w, node, pace);
            continue;
        }
        status = spci_rows(c->kind, &c->shape,
                           spci_look_before(w, c->a, node->a, in_parts, room),
                           spci_look_before(w, c->b, node->b, in_parts, room + 1), 0,
                           &rows);
        if (status)
            return status;
        node->across = spci_across(c, &rows);
        for (i = k = 0; i < rows.count; i++) {
            if (!(rows.enforced >> i & 1u))
                continue;
            before[k] = rows.velocity_errors[i];
            r[k++] = rows.position_errors[i];
        }
    }
    return status;
}

/* Sum of 1/I of a dynamic body about the axes across a direction; 0 for others. */
static SPCI_PASSING spc_real spci_ease(spc_world *w, int body, spc_vec3 along)
{
    const spc_real size = spc_dot(along, along);
    const spc_inertia *J = body ? &spci_work_at(w, body)->inv_inertia_G : NULL;
    if (!J || !(size > 0))
        return 0;
    return ((J->xx + J->yy) + J->zz) - spc_dot(along, spc_inertia_mul(*J, along)) / size;
}

/* (7.11): what a turn of B in A counts for, where the slower body yields to the other. */
static spc_real spci_gyration(spc_world *w, const spci_node *node, spc_vec3 w_a, spc_vec3 w_b)
{
    const spc_vec3 w_AB = spc_sub(w_b, w_a);
    const spc_real a = spci_ease(w, node->a, w_AB), b = spci_ease(w, node->b, w_AB);
    const spc_real slower = spc_dot(w_a, w_a) < spc_dot(w_b, w_b) ? a : b;
    return slower > 0 ? SPCI_MOST_GYRATION * SPC_SQRT(spc_dot(w_AB, w_AB)) * slower / (a + b) : 0;
}

/* Arms of a constraint's rows, from the Bc of what moves. */
static inline void spci_arms_of(spc_world *w, const spci_node *node, const spc_rows *rows,
                                spc_vec3 *p_a, spc_vec3 *p_b)
{
    *p_a = node->a ? spc_sub(rows->arm_a, spci_work_at(w, node->a)->p_BBc_G) : rows->arm_a;
    *p_b = node->b ? spc_sub(rows->arm_b, spci_work_at(w, node->b)->p_BBc_G) : rows->arm_b;
}

/* What a pull along an arm does to a body, (7.10): about its joint if that is all that holds it. */
static SPCI_PASSING spc_real spci_swing_ease(spc_world *w, int body, spc_vec3 p)
{
    const spc_real ease = spci_ease(w, body, p);
    if (!body || spci_work_at(w, body)->degree > 1)
        return ease;
    return ease / (1 + SPC_R(0.5) * spci_body_at(w, body)->mass.mass * spc_dot(p, p) * ease);
}

/* Of (7.10), for an attachment that lets its bodies turn. */
static inline void spci_note_swing(spc_world *w, spci_node *node, const spc_rows *rows)
{
    spc_vec3 p_a, p_b;
    node->swing = 0;
    if (spci_constraint_at(w, node->constraint)->kind != SPC_ATTACHMENT ||
        (rows->enforced & 56u) == 56u)
        return;
    spci_arms_of(w, node, rows, &p_a, &p_b);
    node->swing = node->reach *
                  spci_max(spci_swing_ease(w, node->a, p_a), spci_swing_ease(w, node->b, p_b));
}

/* Into how many parts (7.9) and (7.11) divide h for a constraint, with its rows in the middle, that
   turns by an angle. s0: the velocity errors before. */
static SPCI_NO_INLINE spc_real spci_turns_of(spc_world *w, const spci_node *node,
                                             const spc_rows *rows, const spc_real *s0, spc_real h,
                                             spc_real turn)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    const spc_vec3 w_a = spci_state(w, c->a)->V_GB.angular;
    const spc_vec3 w_b = spci_state(w, c->b)->V_GB.angular;
    spc_real speed, curve = 0, parts = 0;
    spc_vec3 p_a, p_b;
    int i;
    spci_arms_of(w, node, rows, &p_a, &p_b);
    speed = spci_max(spci_max_abs(spc_cross(w_a, p_a)), spci_max_abs(spc_cross(w_b, p_b)));
    for (i = 0; i < 3; i++)
        if (rows->enforced >> i & 1u)
            curve = spci_max(curve, spci_abs(rows->velocity_errors[i] - s0[i]));
    if (h * curve > SPCI_NO_BEND * node->reach)
        parts = (curve < turn * speed ? curve / speed : turn) / SPCI_MOST_BEND;
    if (rows->enforced >> 3)
        parts = spci_max(parts, h * spci_gyration(w, node, w_a, w_b));
    if (rows->enforced >> 3 ||
        (c->kind == SPC_ATTACHMENT && h * speed > SPCI_NO_BEND * node->reach))
        parts = spci_max(parts, turn);
    return parts;
}

/* What the push adds to the velocity of a node's body at Bo. */
static spc_spatial spci_push_at_origin(spc_world *w, int body)
{
    const spci_work *work = body ? spci_work_at(w, body) : NULL;
    spc_spatial V = spci_spatial_zero();
    if (!body)
        return V;
    V = work->push;
    V.linear = spci_to_origin(spci_body_at(w, body), V.linear, V.angular, work->p_BBc_G);
    return V;
}

/* Takes what the push changes the velocities of a node's rows by off what is asked of them. */
static void spci_take_push(spc_world *w, const spci_node *node, const spc_rows *rows, spc_real *s)
{
    const spc_spatial a = spci_push_at_origin(w, node->a), b = spci_push_at_origin(w, node->b);
    const spc_vec3 turn = spc_sub(b.angular, a.angular);
    int i;
    spci_put_vec3(spc_sub(spci_get_vec3(s), spci_contact_velocity(rows, &a, &b)), s);
    for (i = 3; i < rows->count && !spci_is_zero_vec3(turn); i++)
        s[i] -= spc_dot(rows->jacobian_b[i].angular, turn);
}

/* Rows of a node in the middle of the step, the demand on its displacement as rho, that on its
   velocities as NEXT. part: the largest of (7.4) so far; 0 without displacements. */
static spc_status spci_load_middle(spc_world *w, spci_node *node, spci_pace *pace, spc_real *part)
{
    const spc_real h = pace->part;
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    const spc_state *a = spci_state(w, c->a), *b = spci_state(w, c->b);
    const spc_real *before = spci_vector(w, node, SPCI_BEFORE), *r = spci_vector(w, node, SPCI_R);
    spc_real *next = spci_vector(w, node, SPCI_NEXT), *rho = spci_vector(w, node, SPCI_RHO);
    spc_real s0[SPC_MAX_ROWS], e0[SPC_MAX_ROWS], uneven[SPC_MAX_ROWS], turn;
    spci_demand demand;
    spc_rows rows;
    int i, k;
    const spc_status status = spci_rows(c->kind, &c->shape, a, b, SPCI_NEED_TURNS, &rows);
    if (status)
        return status;
    if (spci_turned_over(c, b, &rows, node->across) ||
        spci_will_turn_over(c, a, b, &rows, SPC_R(0.5) * h))
        return SPC_ERROR_NO_CONTACT_POINT;
    spci_follow_axes(c, &rows, node->across, spci_vector(w, node, SPCI_BEFORE));
    for (i = k = 0; i < rows.count; i++) {
        const bool on = rows.enforced >> i & 1u;
        s0[i] = on ? before[k] : 0;
        e0[i] = on ? r[k++] : 0;
    }
    spci_load(w, node, &rows, rows.enforced, true);
    if (c->a == node->a && c->b == node->b) /* nothing is driven */
        spci_clear(uneven, rows.count);
    else
        spci_find_uneven(w, c, &rows, spci_in_parts(pace), SPC_R(0.5) * h, uneven);
    spci_demand_of(&c->stabilization, &rows, s0, e0, uneven,
                   spc_sub(b->V_GB.angular, a->V_GB.angular), node->reach, h, &demand);
    spci_take_push(w, node, &rows, demand.velocity);
    *part = spci_max(*part, demand.part);
    spci_note_swing(w, node, &rows);
    turn = spci_max(spc_dot(a->V_GB.angular, a->V_GB.angular),
                    spc_dot(b->V_GB.angular, b->V_GB.angular));
    if (h * h * turn > SPCI_MOST_BEND * SPCI_MOST_BEND)
        pace->more = spci_max(pace->more,
                              spci_turns_of(w, node, &rows, s0, h, h * SPC_SQRT(turn)));
    for (i = 0; i < rows.count; i++) {
        if (!(rows.enforced >> i & 1u))
            continue;
        *rho++ = demand.position[i];
        *next++ = demand.velocity[i];
    }
    spci_mix_node(w, node, SPCI_RHO, false);
    spci_mix_node(w, node, SPCI_NEXT, false);
    spci_mix_node(w, node, SPCI_BEFORE, false);
    return SPC_OK;
}

/* Mass and momentum of an island; moments of its mass, and of its displacements; its inertia; and
   what displacements take of its angular momentum. */
typedef struct spci_whole {
    spc_real mass;
    spc_vec3 momentum, moment, moved, lost;
    spc_inertia inertia;
} spci_whole;

/* Displaces a body and adds its part to the whole; about: the point of the moments. */
static void spci_displace_part(const spci_body *body, spci_work *work, spc_real part,
                               spc_vec3 about, spci_whole *whole)
{
    const spc_transform *X = &work->state.X_GB;
    const spc_vec3 spin = work->state.V_GB.angular, before = spc_add(X->p, work->p_BBc_G);
    const spc_vec3 v = spci_to_centre(body, work->state.V_GB.linear, spin, work->p_BBc_G);
    const spc_real m = body->mass.mass;
    spc_inertia inertia = spci_inertia_G(body, X->q, 1), *sum = &whole->inertia;
    spc_vec3 r, d, L = spc_vec3_make(0, 0, 0);
    const bool turns = body->symmetry != SPCI_SPHERICAL;
    if (turns)
        L = spc_inertia_mul(inertia, spin);
    spci_displace_moving(body, work, part);
    if (turns) {
        inertia = spci_inertia_G(body, X->q, 1);
        L = spc_sub(L, spc_inertia_mul(inertia, spin));
    }
    r = spc_add(X->p, spci_centre(body, X->q));
    d = spc_scale(m, spc_sub(r, before));
    r = spc_sub(r, about);
    whole->mass += m;
    whole->momentum = spc_add(whole->momentum, spc_scale(m, v));
    whole->moment = spc_add(whole->moment, spc_scale(m, r));
    whole->moved = spc_add(whole->moved, d);
    whole->lost = spc_add(whole->lost, spc_sub(L, spc_cross(d, v)));
    *sum = spc_inertia_shift(*sum, m, r);
    sum->xx += inertia.xx;
    sum->yy += inertia.yy;
    sum->zz += inertia.zz;
    sum->xy += inertia.xy;
    sum->xz += inertia.xz;
    sum->yz += inertia.yz;
}

/* The angular momentum that impulses have taken which act where spheres meet, not where these are
   in the middle of a step, of an island that hangs on nothing fixed: what presses joins two of its
   bodies. */
static spc_vec3 spci_twist(spc_world *w, const spci_island *island)
{
    spc_vec3 sum = spc_vec3_make(0, 0, 0);
    int n, end;
    for (n = 0; n < island->body_count; n++)
        sum = spc_sub(sum, spci_sums_at(w, spci_body_order(w)[island->first_body + n])->p);
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_side *side =
            spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint) : (spci_side *)NULL;
        if (!side || !side->takes_part || side->blown || !(side->hit > 0) || !(side->p[2] > 0))
            continue;
        for (end = 0; end < 2; end++) {
            const spci_work *work = spci_work_at(w, end ? node->b : node->a);
            const spc_vec3 F =
                spc_scale(end ? -1 : 1, spc_mat3_mul(side->R, spci_get_vec3(side->p)));
            sum = spc_add(sum, spc_cross(spc_add(spc_add(work->state.X_GB.p, work->p_BBc_G),
                                                 end ? side->p_b : side->p_a),
                                         F));
        }
    }
    return sum;
}

/* Displaces an island that hangs on nothing fixed, and turns it as a whole so that its angular
   momentum stays: moments are taken about a point of its first body, and then about its centre. */
static void spci_displace_free(spc_world *w, const spci_island *island, spc_real part)
{
    const int *bodies = spci_body_order(w) + island->first_body;
    const spc_vec3 about = spci_work_at(w, bodies[0])->state.X_GB.p, none = spc_vec3_make(0, 0, 0);
    spci_whole all;
    spc_vec3 centre, turn;
    int i;
    all.mass = 0;
    all.momentum = all.moment = all.moved = all.lost = none;
    all.inertia = spci_inertia_diagonal(0, 0, 0);
    if (island->one_sided)
        all.lost = spci_twist(w, island);
    for (i = 0; i < island->body_count; i++)
        spci_displace_part(spci_body_at(w, bodies[i]), spci_work_at(w, bodies[i]), part, about,
                           &all);
    centre = spc_scale(1 / all.mass, all.moment);
    turn = spc_add(all.lost, spc_cross(spc_scale(1 / all.mass, all.moved), all.momentum));
    turn = spc_inertia_mul(
        spci_inertia_inverse(spc_inertia_shift(all.inertia, -all.mass, centre)), turn);
    centre = spc_add(about, centre);
    for (i = 0; i < island->body_count; i++) {
        spc_state *s = &spci_work_at(w, bodies[i])->state;
        s->V_GB.linear =
            spc_add(s->V_GB.linear, spc_cross(turn, spc_sub(s->X_GB.p, centre)));
        s->V_GB.angular = spc_add(s->V_GB.angular, turn);
    }
}

/* Does nothing hold an island to what does not move freely? */
static bool spci_hangs_free(spc_world *w, const spci_island *island)
{
    int i;
    for (i = 0; island->grounded && i < island->node_count; i++) {
        const spci_node *node = spci_island_node(w, island, i);
        if (node->constraint >= 0 && node->active > 0 && !(node->a && node->b))
            return false;
    }
    return true;
}

/* Adds the displacements of an island's bodies, at most so far that none turns too much. */
static SPCI_NO_INLINE void spci_displace_island(spc_world *w, const spci_island *island)
{
    const int *bodies = spci_body_order(w) + island->first_body;
    spc_real angle = 0, part;
    int i;
    for (i = 0; i < island->body_count; i++) {
        const spc_vec3 turned = spci_work_at(w, bodies[i])->shift.angular;
        angle = spci_max(angle, spc_dot(turned, turned));
    }
    part = spci_bounded_part(SPC_SQRT(angle));
    if (spci_hangs_free(w, island)) {
        spci_displace_free(w, island, part);
        return;
    }
    for (i = 0; i < island->body_count; i++)
        spci_displace_moving(spci_body_at(w, bodies[i]), spci_work_at(w, bodies[i]), part);
}

/* The displacements of an island's bodies from rho; beside, the substitution for their velocities,
   from NEXT. What rounding leaves over of a displacement the next step sees. */
static void spci_find_shift(spc_world *w, const spci_island *island, spc_real part)
{
    const int *bodies = spci_body_order(w) + island->first_body;
    int i;
    spci_begin_solution(w, island, SPCI_RHO, SPCI_R);
    spci_begin_solution(w, island, SPCI_NEXT, SPCI_BESIDE);
    spci_substitute(w, island, 2);
    if (island->dropped)
        spci_solve(w, island, SPCI_DISPLACEMENTS, part, true);
    else
        spci_add_solution(w, island, true);
    for (i = 0; i < island->body_count; i++)
        spci_work_at(w, bodies[i])->shift = spci_work_at(w, bodies[i])->delta;
}

/* The bodies of an island through half a drift, with what a solve needs of them in the middle. */
static void spci_begin_island(spc_world *w, const spci_island *island, spc_real h)
{
    int i;
    spci_drift_island(w, island, h);
    for (i = 0; i < island->body_count; i++) {
        const int k = spci_body_order(w)[island->first_body + i];
        spci_work *work = spci_work_at(w, k);
        spci_body_frame(spci_body_at(w, k), work);
        work->push = spci_push(w, spci_body_at(w, k), work, h);
        work->delta = work->shift = work->A = spci_spatial_zero();
        work->lever = 0;
    }
}

/* Sum of -lambda . s0, and of |lambda . rho|, of an island's rows. */
static spc_real spci_gain(spc_world *w, const spci_island *island, spc_real *size)
{
    const spc_real *lambda = spci_all(w, island, SPCI_LAMBDA);
    const spc_real *before = spci_all(w, island, SPCI_BEFORE);
    const spc_real *next = spci_all(w, island, SPCI_NEXT);
    spc_real gain = 0, sum = 0;
    int i;
    for (i = island->hubs; i < island->length; i++) {
        gain -= lambda[i] * before[i];
        sum += spci_abs(lambda[i] * next[i]);
    }
    *size = sum;
    return gain;
}

/* Twice the kinetic energy of an island. */
static spc_real spci_island_energy(spc_world *w, const spci_island *island)
{
    spc_real sum = 0;
    int i;
    for (i = 0; i < island->body_count; i++) {
        const int k = spci_body_order(w)[island->first_body + i];
        const spci_body *body = spci_body_at(w, k);
        const spc_spatial V = spci_state(w, k)->V_GB;
        const spc_vec3 v =
            spci_to_centre(body, V.linear, V.angular, spci_work_at(w, k)->p_BBc_G);
        sum += body->mass.mass * spc_dot(v, v) +
               spc_dot(V.angular, spc_inertia_mul(spci_inertia_G(body, spci_state(w, k)->X_GB.q, 1),
                                                  V.angular));
    }
    return sum;
}

/* Takes of the velocity errors before the step what would bring in energy, and mirrors it. (7.7)
   most: the part that may come in. Is it a blow, whose impulses take errors out above all? */
static SPCI_NO_INLINE bool spci_mirror(spc_world *w, const spci_island *island, spc_real most)
{
    const int *bodies = spci_body_order(w) + island->first_body;
    spc_real size, energy, other, c;
    const spc_real gain = spci_gain(w, island, &size);
    spc_real *lambda = spci_all(w, island, SPCI_LAMBDA);
    const spc_real *kept = spci_all(w, island, SPCI_NEXT);
    const bool blow = spci_abs(gain) > SPCI_BLOW * size;
    int i;
    if (!(gain > most * size)) /* size: no less than the energy that impulses move */
        return blow;
    energy = spci_island_energy(w, island);
    if (!(gain > most * energy))
        return blow;
    spci_copy_vector(w, island, SPCI_LAMBDA, SPCI_NEXT);
    for (i = 0; i < island->body_count; i++)
        spci_work_at(w, bodies[i])->A = spci_work_at(w, bodies[i])->delta;
    spci_copy_vector(w, island, SPCI_BEFORE, SPCI_RHO);
    spci_solve(w, island, SPCI_VELOCITIES, 1, false);
    other = spci_gain(w, island, &size);
    c = (1 - most * energy / gain) * (gain < other ? gain / other : 1);
    for (i = island->hubs; i < island->length; i++)
        lambda[i] = kept[i] - c * lambda[i];
    for (i = 0; i < island->body_count; i++) {
        spci_work *work = spci_work_at(w, bodies[i]);
        work->delta = spci_spatial_add(work->A, spci_spatial_scale(-c, work->delta));
    }
    return blow;
}

/* (7.10) for a constraint with its multipliers. No more than the most parts are asked for: as long
   as what is pulled turns slowly, its swing is small. */
static spc_real spci_swings_of(spc_world *w, const spci_node *node, spci_pace *pace)
{
    const spc_real *lambda = spci_vector(w, node, SPCI_LAMBDA);
    const int rows = spci_linear_rows(node);
    const spc_real swing = pace->part * node->swing;
    spc_real pull = 0, turn = 0, parts, enough;
    int i;
    for (i = 0; i < rows && swing > 0; i++)
        pull += lambda[i] * lambda[i];
    if (!(swing * swing * pull > SPCI_MOST_SWING * SPCI_MOST_SWING))
        return 0;
    parts = SPC_SQRT(swing * SPC_SQRT(pull) / SPCI_MOST_SWING);
    enough = (spc_real)SPCI_MOST_PARTS / (spc_real)pace->parts;
    if (node->a)
        turn = spci_max_abs(spci_state(w, node->a)->V_GB.angular);
    if (node->b)
        turn = spci_max(turn, spci_max_abs(spci_state(w, node->b)->V_GB.angular));
    pace->wild = pace->wild || (parts > SPCI_SLACK && pace->h * turn > SPCI_MOST_BEND);
    return parts < enough ? parts : enough;
}

/* The parts that the joints of an island ask for with their multipliers. */
static void spci_ask_for_swings(spc_world *w, const spci_island *island, spci_pace *pace)
{
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        if (node->constraint >= 0 && !spci_one_sided_of(w, node))
            pace->more = spci_max(pace->more, spci_swings_of(w, node, pace));
    }
}

/* Axes and arms of a contact from its rows. */
static void spci_place_side(spc_world *w, spci_node *node, const spc_rows *rows, spci_side *side)
{
    side->R = rows->R_GP;
    side->arm_a = rows->arm_a;
    side->arm_b = rows->arm_b;
    side->presses = false;
    side->slides = 0;
    spci_unload(w, node);
    spci_note_arms(w, node, rows, &side->p_a, &side->p_b);
    spci_note_patch(w, node, side);
}

/* Velocities of a one-sided contact's rows in the middle of a step, and what forces change them
   by. */
static void spci_side_speeds(spc_world *w, const spci_node *node, const spc_rows *rows, spc_real *u,
                             spc_real *push)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    const spc_spatial V_a = spci_push_at_origin(w, node->a);
    const spc_spatial V_b = spci_push_at_origin(w, node->b);
    spci_side_motion(c, spci_state(w, c->a), spci_state(w, c->b), rows, u);
    spci_put_vec3(spci_contact_velocity(rows, &V_a, &V_b), push);
    spci_put_vec3(spc_mat3_transpose_mul(rows->R_GP, spc_sub(V_b.angular, V_a.angular)), push + 3);
}

/* A body, or ground, a time after the middle of a step, or before it. */
static spc_state spci_state_after(spc_world *w, int body, spc_real time)
{
    spc_state s = *spci_state(w, body);
    if (body && spci_is_dynamic(w, body))
        spci_drift(spci_body_at(w, body), &s, time);
    else
        s.X_GB.p = spc_add(s.X_GB.p, spc_scale(time, s.V_GB.linear));
    return s;
}

/* The rows of a contact of spheres at a time of the step, with their velocities; gives the gap. */
static spc_real spci_gap_at(spc_world *w, const spci_node *node, spc_real t, spc_real h,
                            spc_rows *rows, spc_real *u, spc_real *push)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    const spc_state a = spci_state_after(w, c->a, t - SPC_R(0.5) * h);
    const spc_state b = spci_state_after(w, c->b, t - SPC_R(0.5) * h);
    if (spci_rows(c->kind, &c->shape, &a, &b, 0, rows))
        return SPCI_MAX; /* they have one centre */
    spci_side_speeds(w, node, rows, u, push);
    return rows->position_errors[2] + SPC_R(0.5) * push[2] / h * t * t;
}

/* Spheres turn about each other as they come: goes to where they meet, by Newton's method on the
   gap, with rows, u and push there. False if they do not; then the gap is so that it ends as it
   does. */
static bool spci_find_meeting(spc_world *w, spci_node *node, spc_real h, spc_rows *rows,
                              spc_real *u, spc_real *push)
{
    spci_side *side = spci_side_at(w, node->constraint);
    const spc_real half = SPC_R(0.5) * h, free = u[2] + push[2];
    spc_real t = side->at, gap, speed, u_t[6], push_t[6];
    int turn;
    for (turn = 0; turn < SPCI_MOST_MEETING; turn++) {
        gap = spci_gap_at(w, node, t, h, rows, u_t, push_t);
        speed = u_t[2] + push_t[2] / h * t;
        if ((t <= 0 && !(speed < 0)) || (t >= h && gap > 0))
            break;
        if (spci_abs(gap) <= spci_no_error(rows) || (t <= 0 && gap < 0)) {
            spci_place_side(w, node, rows, side);
            side->gap = gap + u_t[2] * (half - t) - SPC_R(0.5) * push_t[2] / h * t * t;
            spci_copy(u, u_t, 6);
            spci_copy(push, push_t, 6);
            return true;
        }
        t = speed < 0 ? spci_max(t - gap / speed, 0) : 0;
        t = t < h ? t : h;
    }
    side->gap = spci_gap_at(w, node, h, h, rows, u_t, push_t) - half * free;
    return false;
}

/* A contact that is far from closing. */
static void spci_keep_apart(spc_world *w, spci_node *node, spci_side *side)
{
    side->rows = spci_side_rows(spci_constraint_at(w, node->constraint));
    side->placed = side->takes_part = side->mean = side->leaves = false;
    side->hit = side->shift = side->at = 0;
    side->presses = false;
    side->slides = 0;
    if (node->active > 0)
        spci_unload(w, node);
}

/* What turns a disc that is to lie flat from the middle of a step, about the axes of its contact: a
   rotation vector, from its sine, with the arc sine's series. */
static void spci_aim_tilt(const spci_constraint *c, const spc_state *a, const spc_state *b,
                          const spc_real *curve, spc_real h, spci_side *side)
{
    const unsigned out = c->stabilization.ignore_position | c->stabilization.ignore_velocity;
    spc_real square, part;
    spc_vec3 n, tilt;
    side->rate[0] = side->rate[1] = 0;
    if (!side->flat || (side->was_flat && (!c->stabilization.enabled || (out & 4u))))
        return;
    tilt = spci_disc_tilt(&c->shape.rolling_disc, &a->X_GB, &b->X_GB, &n);
    square = spc_dot(tilt, tilt);
    part = 1 + square * (1 / SPC_R(6) + square * (3 / SPC_R(40) + square * (5 / SPC_R(112))));
    side->rate[0] = part * spc_dot(side->R.x, tilt) + SPC_R(0.25) * h * curve[0];
    side->rate[1] = part * spc_dot(side->R.y, tilt) + SPC_R(0.25) * h * curve[1];
    if (spci_law_norm(side->rate[0], side->rate[1]) <= SPCI_NO_ERROR)
        side->rate[0] = side->rate[1] = 0;
}

/* How high the lowest point of a disc is over a plane. */
static spc_real spci_rim_height(const spc_rolling_disc *shape, const spc_transform *X_GB,
                                const spc_transform *X_GP)
{
    const spc_vec3 n = spci_axis(X_GP->q, 2), S = spci_point_of(X_GB, shape->p_BS);
    const spc_vec3 tilt = spc_cross(spci_rotate_offset(X_GB->q, shape->axis_B), n);
    return spc_dot(n, spc_sub(S, X_GP->p)) - shape->radius * SPC_SQRT(spc_dot(tilt, tilt));
}

/* Have two constraints the same plane of the same body? */
static bool spci_has_plane_of(const spci_constraint *c, const spci_constraint *other)
{
    const spc_transform *X = &c->shape.rolling_disc.X_FP, *Y = &other->shape.rolling_disc.X_FP;
    return c->a == other->a && spci_is_zero_vec3(spc_sub(X->p, Y->p)) &&
           spci_is_zero_vec3(spc_sub(spci_axis(X->q, 2), spci_axis(Y->q, 2)));
}

/* The part of the distance between two rims of a body by which one is clearly higher. */
#define SPCI_HIGHER SPC_R(0.25)

/* Is a disc the upper one of two rims of its body, as a coin with a width has them? Both may seem
   to meet their plane in a step that ends far below it, but what stops the lower one keeps the
   other off: it waits for what impulses do. */
static bool spci_is_upper_rim(spc_world *w, const spci_node *node, const spci_constraint *c)
{
    const int body = node->b ? node->b : node->a;
    const spc_rolling_disc *shape = &c->shape.rolling_disc;
    const spc_transform *X_GB = &spci_state(w, c->b)->X_GB;
    spc_transform X_GP;
    int n;
    for (n = spci_work_at(w, body)->first; n >= 0; n = spci_next_node(spci_node_at(w, n), body)) {
        const spci_constraint *other = spci_one_sided_of(w, spci_node_at(w, n));
        const spc_rolling_disc *rim = other ? &other->shape.rolling_disc : shape;
        spc_real higher;
        if (!other || other == c || !spci_is_coin(other) || other->b != c->b ||
            other->law.bounded || !spci_has_plane_of(c, other))
            continue;
        X_GP = spc_transform_mul(spci_state(w, c->a)->X_GB, shape->X_FP);
        higher = spci_rim_height(shape, X_GB, &X_GP) - spci_rim_height(rim, X_GB, &X_GP);
        if (higher > SPCI_HIGHER * spc_norm(spc_sub(shape->p_BS, rim->p_BS)))
            return true;
    }
    return false;
}

/* The rows of a contact in the middle of a step. A disc that lay on its side does so on, one that
   goes over that position, or precesses faster than a step can follow, is laid there; but those
   that tip. */
static spc_status spci_side_place(spc_world *w, const spci_node *node, const spci_pace *pace,
                                  spci_side *side, spc_rows *rows)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    const spc_state *a = spci_state(w, c->a), *b = spci_state(w, c->b);
    spc_status status;
    bool flat;
    side->upper = spci_is_coin(c) && spci_is_upper_rim(w, node, c);
    flat = spci_lies_flat(c, a, b);
    if (flat && side->tips)
        return spci_side_pose(c, a, b, 0, side, rows);
    if (!flat) {
        status = spci_rows(c->kind, &c->shape, a, b, 0, rows);
        if (status || side->tips || side->upper || !spci_is_coin(c))
            return status;
        if (!side->was_flat && !side->over) {
            side->over = !spci_disc_is_high(c, a, b) &&
                         (spci_has_turned_over(c, b, rows, node->across) ||
                          spci_will_turn_over(c, a, b, rows, SPC_R(0.5) * pace->part));
            if ((side->over || pace->lays) && spci_is_fast(c, a, b, pace->part))
                side->over = pace->lays;
        }
        if (!side->was_flat && !side->over)
            return SPC_OK;
    }
    spci_lay_side(c, true, side);
    spci_flat_disc_rows(&c->shape.rolling_disc, a, b, NULL, 0, rows);
    return SPC_OK;
}

/* A contact that has changed what it lies on within a step: it begins with the velocities of now,
   and one that tips or has gone over anew. */
static void spci_change_side(const spc_rows *rows, const spc_real *u, spci_side *side)
{
    spci_copy(side->start, u, 6);
    side->shift = rows->position_errors[2];
    if (!side->flat && !side->was_flat)
        side->closed = false;
}

/* A disc on ground asks for parts; nearly flat for many. */
static void spci_ask_parts(const spci_constraint *c, const spc_state *a, const spc_state *b,
                           const spci_side *side, spci_pace *pace)
{
    const spc_real wobble = spci_wobble(&c->shape.rolling_disc, b, pace->part);
    const bool goes_over = side->tips && pace->lays; /* in parts, too */
    if (!(wobble > pace->more) || goes_over)
        return;
    pace->more = wobble;
    pace->wobbles = spci_is_fast(c, a, b, pace->part);
}

/* What one-sided contacts take of spci_find_driven. */
static void spci_find_side_driven(spc_world *w, const spci_constraint *c, const spc_rows *rows,
                                  const spci_pace *pace, spci_side *side, spc_real *uneven)
{
    const spc_real half = SPC_R(0.5) * pace->part;
    spc_spatial driven[2];
    spc_vec3 u;
    int i;
    if (!spci_find_driven(w, c, rows, spci_in_parts(pace), half, driven)) {
        side->driven[0] = side->driven[1] = 0;
        spci_clear(uneven, 6);
        return;
    }
    for (i = 0; i < 2; i++)
        side->driven[i] = spc_dot(rows->R_GP.z, driven[i].linear);
    u = spc_sub(driven[1].linear, driven[0].linear);
    spci_put_vec3(spc_mat3_transpose_mul(rows->R_GP, u), uneven);
    u = spc_sub(driven[1].angular, driven[0].angular);
    spci_put_vec3(spc_mat3_transpose_mul(rows->R_GP, u), uneven + 3);
}

/* Is the axis of a disc nearer to the normal than 30 degrees? An upper rim is far off then. */
static bool spci_leans_far(const spci_constraint *c, const spc_state *a, const spc_state *b)
{
    spc_vec3 n;
    const spc_vec3 tilt = spci_disc_tilt(&c->shape.rolling_disc, &a->X_GB, &b->X_GB, &n);
    return spc_dot(tilt, tilt) < SPC_R(0.25);
}

/* Slip before the step, as kept in G, along the axes that rows of spheres have now. */
static void spci_start_across(const spci_node *node, const spc_rows *rows, spci_side *side)
{
    side->start[0] = spc_dot(rows->R_GP.x, node->across);
    side->start[1] = spc_dot(rows->R_GP.y, node->across);
}

/* ---- bounces that divide a step

   (7.15) takes what a body does after a bounce from the rows in the middle of the step, and (7.3)
   from a curve that has turned with the velocities before. For spheres that are struck along a line
   through their centres that is exact. Where joints take part, or a contact point is beside a
   centre, energy and path would be wrong at first order: there a bounce ends a part of the step.
   The part is taken without the contact, up to the time t when its gap e vanishes, by Newton's
   method

       t <- t - e(t) / e'(t)                                                              (7.24)

   from where free motion leads, with the turn in its first half going on in the second. Then bodies
   have an impact, at the poses of that time, and the next part begins with the velocities after it.
   What would come down again within what is left of the step, and an eighth of it, divides nothing:
   it goes to rest as (7.15) says. So many bounces at most divide a step, and so many times t is
   looked for; what is left is taken in one.
*/
#define SPCI_MOST_BOUNCES 16
#define SPCI_MOST_SOUGHT 12

/* What meets within this part of a step meets at once: more than rounding leaves of (7.24). */
#ifdef SPC_USE_FLOAT
#define SPCI_SAME_TIME SPC_R(1e-4)
#else
#define SPCI_SAME_TIME SPC_R(1e-9)
#endif

/* Is a body struck along a line through its centre of mass where a sphere about p is? */
static bool spci_is_struck_centrally(spc_world *w, int body, spc_vec3 p, spc_real radius)
{
    return !spci_is_dynamic(w, body) ||
           spci_max_abs(spc_sub(p, spci_body_at(w, body)->mass.p_BBc)) <= SPCI_NO_ERROR * radius;
}

/* Are both bodies of a contact? */
static bool spci_is_central(spc_world *w, const spci_constraint *c)
{
    const spc_sphere_on_sphere *pair = &c->shape.sphere_on_sphere;
    const spc_sphere_on_plane *plane = &c->shape.sphere_on_plane;
    if (c->kind == SPC_SPHERE_ON_PLANE)
        return !spci_is_dynamic(w, c->a) &&
               spci_is_struck_centrally(w, c->b, plane->p_BS, plane->radius);
    return c->kind == SPC_SPHERE_ON_SPHERE &&
           spci_is_struck_centrally(w, c->a, pair->p_ASa, pair->radius_a) &&
           spci_is_struck_centrally(w, c->b, pair->p_BSb, pair->radius_b);
}

/* When a gap e0 that grows with u0, and a more in each second, first vanishes within h, if so. */
static bool spci_closes(spc_real e0, spc_real u0, spc_real a, spc_real h, spc_real *t)
{
    const spc_real square = u0 * u0 - 2 * a * e0, root = SPC_SQRT(spci_max(square, 0));
    *t = 0;
    if (square < 0 || (!(u0 < 0) && !(a < 0)))
        return false;
    if (!(u0 < 0))
        *t = (u0 + root) / -a;
    else if (e0 > 0)
        *t = 2 * e0 / (root - u0);
    return *t < h;
}

/* Does a contact bounce in a part h of a step, in free motion, and stay off through what is left of
   it, or an eighth? e0, u0: gap and speed before. Then when; what (7.14) has found counts, too. */
static bool spci_will_bounce(const spc_contact_law *law, const spci_side *side, spc_real e0,
                             spc_real u0, spc_real h, spc_real *t)
{
    const spc_real a = (2 * (side->u[2] - u0) + side->u[3]) / h;
    spc_real down, rest;
    if (side->closed || side->upper || side->flat || !(law->restitution > 0))
        return false;
    if (!spci_closes(e0, u0, a, h, t)) {
        *t = side->at;
        return side->takes_part && side->hit > 0 && side->restitution > 0 && side->leaves;
    }
    down = -(u0 + a * *t);
    rest = h - *t < h / 8 ? h - *t : h / 8;
    return down > law->restitution_speed && law->restitution * down + SPC_R(0.5) * a * rest > 0;
}

/* The same of one that the impulses of others close after its free way h/2 u, by what it is then
   beyond its end. */
static bool spci_bounces_late(const spc_contact_law *law, const spci_side *side, spc_real h)
{
    const spc_real down = -2 * side->load[0] / h;
    spc_real rest;
    if (!side->late || !side->takes_part || !(side->p[2] > 0) || !(law->restitution > 0) ||
        !(down > law->restitution_speed))
        return false;
    rest = spci_abs(side->struck[1]) / down;
    rest = rest < h ? rest : h;
    return 2 * law->restitution * down * h > spci_abs(side->u[3]) * rest;
}

/* Is a contact's bounce to divide a step? */
static bool spci_may_divide(spc_world *w, const spci_constraint *c, const spci_pace *pace)
{
    return !pace->plain && (pace->joined || !spci_is_central(w, c));
}

/* A bounce is due from now on, after t: this try of a part of a step is given up. */
static void spci_await(spci_side *side, spc_real t, spci_pace *pace)
{
    side->due = pace->dues = pace->cut = true;
    pace->soon = t < pace->soon ? t : pace->soon;
}

/* g of all rows but the normal one, in the middle of a step. */
static void spci_aim_rows(const spci_constraint *c, const spc_state *a, const spc_state *b,
                          const spc_real *u, const spc_real *push, const spc_real *uneven,
                          spc_real h, spci_side *side)
{
    spc_real curve[6];
    int i;
    for (i = 0; i < 6; i++)
        curve[i] = side->closed ? u[i] - side->start[i] + uneven[i] : 0;
    spci_aim_tilt(c, a, b, curve + 3, h, side);
    for (i = 0; i < 6; i++) {
        if (i != 2)
            side->g[i] = u[i] + push[i] + curve[i];
        side->g[i] = side->rows >> i & 1u ? side->g[i] : 0;
        side->start[i] = side->mean ? side->start[i] : u[i];
    }
}

/* One look at a one-sided contact in the middle of a step. */
static spc_status spci_side_look(spc_world *w, spci_node *node, spci_pace *pace)
{
    const spc_real h = pace->part;
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    const spc_state *a = spci_state(w, c->a), *b = spci_state(w, c->b);
    spci_side *side = spci_side_at(w, node->constraint);
    spc_real u[6], push[6], uneven[6], e0, t;
    spc_status status;
    spc_rows rows;
    side->flat = false;
    side->rows = spci_side_rows(c);
    status = spci_side_place(w, node, pace, side, &rows);
    side->placed = side->takes_part && !status;
    if (!side->placed) {
        side->takes_part = false;
        spci_unload(w, node);
        return spci_disc_is_high(c, a, b) ? SPC_OK : status;
    }
    spci_place_side(w, node, &rows, side);
    if (spci_is_beyond(c, a, &rows, side->shift, node->reach, side)) {
        side->placed = side->takes_part = false;
        return SPC_OK;
    }
    if (c->kind == SPC_SPHERE_ON_SPHERE)
        spci_start_across(node, &rows, side);
    spci_side_speeds(w, node, &rows, u, push);
    if (side->flat != side->was_flat || side->over)
        spci_change_side(&rows, u, side);
    spci_find_side_driven(w, c, &rows, pace, side, uneven);
    side->gap = rows.position_errors[2];
    side->none = spci_no_error(&rows);
    e0 = side->shift;
    side->takes_part = spci_aim_side(c, u[2], push[2], node->reach, h, side) && !side->upper;
    if (spci_will_bounce(&c->law, side, e0, side->start[2], h, &t) && spci_may_divide(w, c, pace))
        spci_await(side, t, pace);
    if (side->flat && !side->was_flat && side->takes_part && side->closed)
        side->shift = -side->gap; /* at once */
    if (side->takes_part && !side->closed && c->kind == SPC_SPHERE_ON_SPHERE)
        side->takes_part = spci_find_meeting(w, node, h, &rows, u, push) &&
                           spci_meet(&c->law, u[2], push[2], h, side);
    if (!side->takes_part) {
        side->mean = side->closed = side->leaves = false;
        side->hit = side->shift = 0;
        side->g[2] = u[2] + push[2];
        side->placed = !side->upper || !spci_leans_far(c, a, b);
    }
    spci_aim_rows(c, a, b, u, push, uneven, h, side);
    if (side->takes_part)
        spci_weigh_side(w, node, side);
    if (c->kind == SPC_ROLLING_DISC && c->a == 0 && side->closed && !side->flat)
        spci_ask_parts(c, a, b, side, pace);
    return SPC_OK;
}

/* A one-sided contact in the middle of a step. A disc whose side does not come down within it is
   looked at once more, by its rim. */
static spc_status spci_side_middle(spc_world *w, spci_node *node, spci_pace *pace)
{
    spci_side *side = spci_side_at(w, node->constraint);
    spc_status status;
    if (side->distant || side->due) {
        spci_keep_apart(w, node, side);
        return SPC_OK;
    }
    status = spci_side_look(w, node, pace);
    if (status || !side->flat || side->takes_part || !side->placed || side->upper)
        return status;
    side->tips = true;
    side->last[2] = side->R.x;
    status = spci_side_before(w, node, pace);
    return status ? status : spci_side_look(w, node, pace);
}

/* Nothing has been solved for in rounds. */
static void spci_forget_blows(spc_world *w, const spci_island *island)
{
    int n;
    for (n = 0; n < island->body_count; n++) {
        spci_sums *sums = spci_sums_at(w, spci_body_order(w)[island->first_body + n]);
        sums->p = spc_vec3_make(0, 0, 0);
        sums->V = spci_spatial_zero();
    }
    for (n = 0; n < island->node_count; n++)
        if (spci_one_sided_of(w, spci_island_node(w, island, n)))
            spci_side_at(w, spci_island_node(w, island, n)->constraint)->blown = false;
}

/* Impulses to begin with, those of the last step, and what they do to the bodies. */
static void spci_begin_sides(spc_world *w, const spci_island *island, spc_real h)
{
    int n, i;
    spci_clear_delta(w, island);
    spci_forget_blows(w, island);
    spci_clear(spci_all(w, island, SPCI_BEFORE), island->length);
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_constraint *c = spci_one_sided_of(w, node);
        spci_side *side = c ? spci_side_at(w, node->constraint) : (spci_side *)NULL;
        if (!side)
            continue;
        for (i = 0; i < 6; i++) {
            const bool kept = side->takes_part && side->closed && !(c->hit_speed > 0) &&
                              side->flat == side->was_flat && (side->rows >> i & 1u);
            side->p[i] = kept ? -h * c->multipliers[i] : 0;
        }
        side->loose = side->mean && side->state == SPC_CONTACT_SLIDING ? side->rows & 1u : 0;
        side->firm = 0;
        spci_forget_rounds(side);
        side->struck[4] = 0;
        if (side->takes_part)
            spci_side_push(w, node, side, side->p, spci_side_size(side));
    }
}

/* Is a block of a contact rightly opposite to the mean of its velocities, or not? Changes it if
   not, each but once back. */
static bool spci_relax_block(spci_side *side, const spci_constraint *c, const spc_real *u,
                             int block)
{
    const int first = block == 0 ? 0 : block == 1 ? 3 : 5, count = block < 2 ? 2 : 1;
    const spc_real limit = spci_side_limit(c, side, block, side->p[2]);
    const unsigned bit = 1u << block;
    spc_real z[2], length, ahead = 0;
    int i;
    spci_side_aim(side, u, block, z);
    length = spci_law_norm(z[0], z[1]);
    for (i = first; i < first + count; i++)
        ahead += u[i] * (u[i] + side->start[i]);
    if (side->loose & bit ? length > limit && ahead >= 0
                          : side->firm & bit || !(length > limit * (1 + SPCI_CANCELLED)))
        return false;
    side->firm |= side->loose & bit;
    side->loose ^= bit;
    return true;
}

/* The same of all contacts of an island. */
static bool spci_relax_slip(spc_world *w, const spci_island *island)
{
    bool changed = false;
    int n, i;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_constraint *c = spci_one_sided_of(w, node);
        spci_side *side = c ? spci_side_at(w, node->constraint) : (spci_side *)NULL;
        spc_real u[6];
        if (!side || !side->takes_part || !side->mean || !(side->p[2] > 0))
            continue;
        spci_side_velocity(w, node, side, u);
        for (i = 0; i < 3; i++)
            if (side->rows & spci_block_rows(i) && spci_relax_block(side, c, u, i))
                changed = true;
    }
    return changed;
}

/* Looks at a contact that was far from closing before impulses: where it is in the middle of the
   step, as if it had come there straight. */
static void spci_come_near(spc_world *w, spci_node *node, spci_pace *pace)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    const spc_state *a = spci_state(w, c->a), *b = spci_state(w, c->b);
    spci_side *side = spci_side_at(w, node->constraint);
    spc_rows rows;
    side->distant = false;
    if (spci_rows(c->kind, &c->shape, a, b, 0, &rows))
        return;
    spci_side_motion(c, a, b, &rows, side->start);
    side->shift = rows.position_errors[2];
    side->takes_part = true;
    node->across = spc_vec3_make(0, 0, 0);
    if (spci_side_middle(w, node, pace))
        side->placed = side->takes_part = false;
}

/* Adds what rounds have displaced a clump's bodies by to delta. */
static void spci_load_blows(spc_world *w, const spci_island *island)
{
    int n;
    for (n = 0; n < island->body_count; n++) {
        const int body = spci_body_order(w)[island->first_body + n];
        spci_work *work = spci_work_at(w, body);
        work->delta = spci_spatial_add(work->delta, spci_sums_at(w, body)->V);
    }
}

/* delta becomes what impulses of impacts, which act before the middle of a step or after it,
   displace bodies by; A keeps it. */
static void spci_load_late(spc_world *w, const spci_island *island, spc_real h)
{
    spc_real load[6];
    int n, i;
    spci_keep_delta(w, island, false);
    spci_clear_delta(w, island);
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_side *side = spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint)
                                                           : (const spci_side *)NULL;
        if (!side || !side->takes_part || !(side->hit > 0) || side->blown)
            continue;
        for (i = 0; i < 6; i++)
            load[i] = (SPC_R(0.5) * h - side->at) * side->p[i];
        spci_side_push(w, node, side, load, spci_side_size(side));
    }
    spci_load_blows(w, island);
}

/* Are a free body's impulses and push so small that what was apart needs no second look? */
static bool spci_is_calm(spc_world *w, const spci_island *island, spc_real h)
{
    const spc_real fall = SPCI_APART_FALL * h * spci_max_abs(w->gravity) / 2;
    int i;
    for (i = 0; i < island->body_count; i++) {
        const spci_work *work = spci_work_at(w, spci_body_order(w)[island->first_body + i]);
        const spc_real kick =
            spci_max_abs(work->push.linear) + spci_max_abs(work->delta.linear);
        if (!(2 * kick <= spci_max_abs(work->state.V_GB.linear) + fall))
            return false;
    }
    return true;
}

/* Contacts that are apart no longer, with impulses: they come near, behind the others till these
   are placed anew. If not all others have room then, all come. */
static void spci_look_apart(spc_world *w, spci_island *island, spci_pace *pace)
{
    int n, i, all, vectors = island->vectors, own = island->own, nearby = island->node_count;
    for (n = 0; n < island->node_count; n++) {
        vectors += spci_island_node(w, island, n)->size;
        own += spci_island_node(w, island, n)->loop ? spci_island_node(w, island, n)->size : 0;
    }
    for (all = 0; all < 2; all++)
        for (i = 0; i < pace->nodes && (!all || nearby > pace->nodes / 2); i++) {
            spci_node *node =
                spci_node_at(w, spci_node_order(w)[pace->first_node + i]);
            const spci_constraint *c = spci_one_sided_of(w, node);
            if (!spci_node_is_apart(w, node) ||
                (!all && spci_is_distant(w, c, pace->part, true)))
                continue;
            spci_end_apart(c, spci_side_at(w, node->constraint));
            node->position = -1;
            node->own = own;
            spci_place_vector(w, node, vectors, false);
            vectors += node->size;
            own += node->loop ? node->size : 0;
            nearby++;
        }
    if (nearby == island->node_count)
        return;
    island->node_count = nearby;
    if (nearby < pace->nodes)
        spci_list_near(w, island, pace);
    else
        spci_be_whole(island, pace);
}

/* How the centre of a sphere, or that of one of two seen from the other's, gets from r in the
   middle of a step to its end, how fast it is then, and for how long it has been, with impulses
   that change velocities by A, and displace by delta. */
typedef struct spci_late {
    spc_vec3 r, way, v;
    spc_real since;
} spci_late;

static void spci_get_late(spc_world *w, int body, spc_vec3 p_BS, spc_real h, spci_late *late)
{
    const spc_state *s = spci_state(w, body);
    const spc_vec3 arm = spci_rotate_offset(s->X_GB.q, p_BS);
    const spci_work *work;
    spc_vec3 p, blow, shift;
    spc_real square;
    late->r = spc_add(s->X_GB.p, arm);
    late->v = spc_add(s->V_GB.linear, spc_cross(s->V_GB.angular, arm));
    late->way = spc_scale(SPC_R(0.5) * h, late->v);
    late->since = h;
    if (!body || !spci_is_dynamic(w, body))
        return;
    work = spci_work_at(w, body);
    p = spc_sub(arm, work->p_BBc_G);
    blow = spc_add(work->A.linear, spc_cross(work->A.angular, p));
    shift = spc_add(work->delta.linear, spc_cross(work->delta.angular, p));
    late->v = spc_add(late->v, spc_add(work->push.linear, spc_cross(work->push.angular, p)));
    late->v = spc_add(late->v, blow);
    late->way = spc_add(spc_scale(SPC_R(0.5) * h, late->v), shift);
    square = spc_dot(blow, blow);
    if (square > 0)
        late->since = spci_max(SPC_R(0.5) * h + spc_dot(shift, blow) / square, 0);
}

static void spci_get_late_pair(spc_world *w, const spci_constraint *c, spc_real h, spci_late *late)
{
    const spc_sphere_on_sphere *pair = &c->shape.sphere_on_sphere;
    spci_late a;
    spci_get_late(w, c->a, pair->p_ASa, h, &a);
    spci_get_late(w, c->b, pair->p_BSb, h, late);
    late->r = spc_sub(late->r, a.r);
    late->way = spc_sub(late->way, a.way);
    late->v = spc_sub(late->v, a.v);
    late->since = late->since < a.since ? late->since : a.since;
}

/* Do spheres overlap at the end of a step h, or pass through each other on their straight way
   there? Then how long before its end they come to touch. */
static bool spci_touch_late(const spci_late *late, spc_real reach, spc_real h, spc_real *back)
{
    const spc_vec3 end = spc_add(late->r, late->way);
    const spc_real square = spc_dot(late->v, late->v), ahead = spc_dot(end, late->v);
    const spc_real left = spc_dot(end, end) - reach * reach, root = ahead * ahead - square * left;
    *back = square > 0 && root > 0 ? (ahead + SPC_SQRT(root)) / square : 0;
    if (left < 0) {
        *back = *back < h ? *back : h;
        return true;
    }
    return ahead > 0 && root > 0 && *back < late->since;
}

/* Do spheres, one on the other, touch by the impulses that there are? Then with the rows of where
   they do. Or, if that is asked, are they next to each other? */
static bool spci_meet_late(spc_world *w, spci_node *node, const spci_pace *pace,
                           const spci_late *late, bool next)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    const spc_sphere_on_sphere *pair = &c->shape.sphere_on_sphere;
    const spc_real reach = pair->radius_a + pair->radius_b, most = SPCI_BESIDE_EACH * reach;
    spci_side *side = spci_side_at(w, node->constraint);
    spc_state b = *spci_state(w, c->b);
    spc_real u[6], push[6], gap, back = 0;
    spc_vec3 end;
    spc_rows rows;
    int i;
    if (next ? !(spc_dot(late->r, late->r) < most * most)
             : !spci_touch_late(late, reach, pace->part, &back))
        return false;
    if (!next)
        b.X_GB.p = spc_add(b.X_GB.p, spc_sub(late->way, spc_scale(back, late->v)));
    if (spci_rows(c->kind, &c->shape, spci_state(w, c->a), &b, 0, &rows))
        return false;
    spci_place_side(w, node, &rows, side);
    spci_side_speeds(w, node, &rows, u, push);
    spci_find_side_driven(w, c, &rows, pace, side, side->start);
    side->turned = !next;
    side->gap = spc_dot(side->R.z, late->r) - reach;
    side->none = spci_no_error(&rows);
    side->u[2] = u[2];
    side->u[3] = push[2];
    for (i = 0; i < 6; i++) {
        side->g[i] = side->rows >> i & 1u ? u[i] + push[i] : 0;
        side->start[i] = u[i];
    }
    end = spc_add(late->r, late->way);
    gap = (next ? spc_norm(end) : spc_dot(side->R.z, end)) - reach -
          SPC_R(0.5) * pace->part * spc_dot(side->R.z, late->v);
    side->g[2] += gap > 0 ? 2 * gap / pace->part : 0; /* if it is not struck */
    side->struck[1] = spc_dot(side->R.z, end) - reach;
    return true;
}

/* Does a contact close along its normal? It must not cross: it may come as far as it is apart. */
static bool spci_cross_late(spc_world *w, const spci_node *node, spc_real h)
{
    spci_side *side = spci_side_at(w, node->constraint);
    spc_real u[6];
    spci_side_change(w, node, side, 3, u);
    u[2] += side->gap;
    side->struck[1] = u[2] + side->load[0];
    if (!(side->struck[1] < 0))
        return false;
    side->g[2] += u[2] > 0 ? 2 * u[2] / h : 0;
    return true;
}

/* Does a contact close by the impulses that there are? next: is it of spheres next to each other?
   Those that go far beside their radii may come to touch anywhere on each other. */
static bool spci_close_late(spc_world *w, spci_node *node, const spci_pace *pace, bool next)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    const spc_sphere_on_sphere *pair = &c->shape.sphere_on_sphere;
    spc_real short_way;
    spci_late late;
    if (!spci_is_pair(c))
        return !next && spci_cross_late(w, node, pace->part);
    spci_get_late_pair(w, c, pace->part, &late);
    short_way = SPCI_NO_WAY * (pair->radius_a + pair->radius_b);
    if (!next && !(spc_dot(late.way, late.way) > short_way * short_way))
        return spci_cross_late(w, node, pace->part);
    return spci_meet_late(w, node, pace, &late, next);
}

/* A contact that does not take part is looked at again, in three turns: the way that its velocity
   takes it; whether it closes; if spheres do, whether it is next to where they may go on to. */
static bool spci_look_late(spc_world *w, spci_node *node, spci_pace *pace, int turn)
{
    const spci_constraint *c = spci_one_sided_of(w, node);
    spci_side *side = c ? spci_side_at(w, node->constraint) : (spci_side *)NULL;
    spc_real u[6];
    if (side && turn == 0 && side->distant && !spci_is_distant(w, c, pace->part, true))
        spci_come_near(w, node, pace);
    if (!side || !side->placed || side->takes_part)
        return false;
    if (turn == 0) {
        spci_side_velocity(w, node, side, u);
        side->load[0] = SPC_R(0.5) * pace->part * u[2];
        return false;
    }
    if (!spci_close_late(w, node, pace, turn == 2))
        return false;
    side->takes_part = side->late = side->fresh = true;
    side->struck[3] = side->struck[4] = 0;
    spci_weigh_side(w, node, side);
    return true;
}

/* Contacts that did not take part, but that the impulses of others close within the step. */
static bool spci_look_again(spc_world *w, spci_island *island, spci_pace *pace)
{
    bool changed = false, pairs = false;
    int n, turn;
    if (spci_is_part(island, pace) && !spci_is_calm(w, island, pace->part))
        spci_look_apart(w, island, pace);
    for (turn = 0; turn < 3; turn++) {
        if (turn == 1)
            spci_load_late(w, island, pace->part);
        for (n = 0; n < island->node_count && (turn < 2 || pairs); n++) {
            spci_node *node = spci_island_node(w, island, n);
            if (!spci_look_late(w, node, pace, turn))
                continue;
            changed = true;
            pairs = pairs || spci_is_pair(spci_one_sided_of(w, node));
        }
    }
    spci_keep_delta(w, island, true);
    return changed;
}

/* For the report. */
static void spci_note_residual(spci_island *island, spc_real residual)
{
    island->residual = residual <= island->residual ? island->residual : residual;
    island->unsolved += !(residual <= SPCI_SIDES_NEARLY);
}

/* The contact of an island that keeps when rest is to be looked for: the one in the first slot;
   NULL: there are joints alone. */
static spci_side *spci_first_side(spc_world *w, const spci_island *island)
{
    int n, slot = -1;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        if (spci_one_sided_of(w, node) && (slot < 0 || node->constraint < slot))
            slot = node->constraint;
    }
    return slot < 0 ? (spci_side *)NULL : spci_side_at(w, slot);
}

/* Looks for rest, unless the last step's impulses do already, or it has been in vain. */
static bool spci_try_rest(spc_world *w, spci_island *island)
{
    spci_side *first = spci_first_side(w, island);
    spc_real scale;
    bool found;
    if (!first || island->node_count == 1 || !spci_may_rest(w, island))
        return false;
    if (first->wait > 0) {
        first->wait--;
        return false;
    }
    scale = spci_sides_scale(w, island);
    if (spci_sides_residual(w, island) <= SPCI_SIDES_SOLVED * scale)
        return false;
    spci_keep_best(w, island, false);
    found = spci_find_rest(w, island, scale);
    first->tries = (unsigned char)(found ? 0 : first->tries + 1);
    if (first->tries > SPCI_LONGEST_WAIT)
        first->tries = SPCI_LONGEST_WAIT;
    first->wait = (unsigned char)(found ? 0 : 1u << first->tries);
    if (!found)
        spci_keep_best(w, island, true);
    return found;
}

/* The work of an island's impacts, p . (u- + u+)/2, beside its terms; h: of the step, or 0. */
static spc_real spci_sides_work(spc_world *w, const spci_island *island, spc_real h)
{
    spc_real work = 0, size = 0;
    int n, i;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_side *side =
            spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint) : (spci_side *)NULL;
        const spc_real share = h > 0 && side ? side->at / h : 0;
        spc_real u[6];
        if (!side || !side->takes_part || !(side->p[2] > 0) || (h > 0 && !(side->hit > 0)))
            continue;
        spci_side_velocity(w, node, side, u);
        for (i = 0; i < 6; i++) {
            const spc_real normal = side->hit > 0 ? -side->hit : side->g[2];
            const spc_real before =
                i == 2 ? normal : side->start[i] + share * (side->g[i] - side->start[i]);
            const spc_real support = i == 2 && h > 0 ? side->struck[4] : 0;
            work += side->p[i] * (before + (u[i] - side->g[i] - support) / 2);
            size += spci_abs(side->p[i] * before);
        }
    }
    return size > 0 ? work / size : 0;
}

/* Leaves a part of the restitution of an island's passive contacts. Is there any? */
static bool spci_leave_restitution(spc_world *w, const spci_island *island, spc_real h,
                                   spc_real left)
{
    spc_contact_law law;
    bool any = false;
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_constraint *c = spci_one_sided_of(w, node);
        spci_side *side = c ? spci_side_at(w, node->constraint) : (spci_side *)NULL;
        if (!side || !c->law.passive || !side->takes_part || !(side->hit > 0) ||
            !(c->law.restitution > 0))
            continue;
        any = true;
        spci_law_copy(&c->law, &law);
        law.restitution *= left;
        if (h > 0) {
            (void)spci_meet(&law, side->u[2], side->u[3], h, side);
            side->g[2] -= side->struck[4]; /* as spci_feel_support has it */
        } else if (side->restitution > 0) {
            side->g[2] = -(1 + law.restitution) * side->hit;
        }
    }
    return any;
}

/* Lowers the restitution of passive contacts until an island's impacts, which have been solved for,
   bring no energy in: their work is continuous in it, and not positive without. Gives the residual,
   or what it was. */
static SPCI_NO_INLINE spc_real spci_be_passive(spc_world *w, spci_island *island, spc_real h,
                                               spc_real residual)
{
    spc_real low = 0, high = 1;
    if (!(spci_sides_work(w, island, h) > SPCI_SIDES_SOLVED) ||
        !spci_leave_restitution(w, island, h, 1))
        return residual;
    while (high - low > SPCI_SIDES_SOLVED) {
        const spc_real middle = (low + high) / 2;
        (void)spci_leave_restitution(w, island, h, middle);
        (void)spci_solve_sides(w, island);
        if (spci_sides_work(w, island, h) > SPCI_SIDES_SOLVED)
            high = middle;
        else
            low = middle;
    }
    (void)spci_leave_restitution(w, island, h, low);
    return spci_solve_sides(w, island);
}

/* ---- impacts that propagate

   Newton's law for all contacts at once knows no order: of five balls in a row that touch, struck
   by the first, it lets several go. A contact whose impacts propagate waits until its bodies
   approach, as do bodies that were apart where they meet at several times of a step, whatever
   their law. What meets first is struck by itself, as if no other that waits were there, and
   changes the velocities; so it goes on, in rounds. With c what impulses so far have changed the
   normal velocity of a contact by, and s the same times when, its bodies have at t, as in (7.14),

       the velocity u_b + c    and the gap g_0 + u_0 t + a t^2 / 2 + j t^3 / 6 + c t - s    (7.19)

   At a contact that was closed nothing falls: its velocity is c, its gap c t - s; what it does
   against forces through the step, with joints, is solved for first and counts among them, in a.
   Contacts that do not wait, and joints, take part in each round. When nothing approaches any more
   all do, in a last one, where nothing may cross.

   Spheres that have been struck meet others elsewhere on each other than they would have. With b
   the sum of what blows have changed a body's velocity by, m that of the same times when, and a the
   acceleration by forces and supports, its place at t is

       p_0 + v_0 t + a t^2 / 2 + b t - m                                                   (7.22)

   and a pair of which one has been struck meets where these paths say, with the rows of there. So
   each blow acts along the line of centres where it happens, and neither energy nor angular
   momentum have anything to be given back. At the end of the step bodies are displaced by
   h/2 b - m from where (7.2) leads.
*/

/* So many rounds at most before the last one. */
#define SPCI_MOST_ROUNDS 256

/* A contact of a node that takes part in an impact or waits; NULL: none. */
static spci_side *spci_struck_side(spc_world *w, const spci_node *node)
{
    spci_side *side =
        spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint) : (spci_side *)NULL;
    return side && (side->takes_part || side->waits || side->quiet) ? side : NULL;
}

/* Does a contact wait to be struck, if any of its clump does? */
static bool spci_must_wait(const spci_constraint *c, const spci_side *side)
{
    return c->law.propagates || !side->closed;
}

/* Does a contact bounce, or do its spheres meet on a way that is not short beside them? */
static bool spci_is_blow(const spci_constraint *c, const spci_side *side, spc_real h)
{
    const spc_sphere_on_sphere *pair = &c->shape.sphere_on_sphere;
    if (!(side->hit > 0))
        return false;
    return (side->restitution > 0 && side->leaves) ||
           (spci_is_pair(c) && h * side->hit > SPCI_NO_WAY * (pair->radius_a + pair->radius_b));
}

/* Do bodies of a clump meet at several times of a step, with blows? */
static bool spci_meets_in_turn(spc_world *w, const spci_island *island, spc_real h)
{
    bool turns = false, blow = false;
    spc_real t = -1;
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_constraint *c = spci_one_sided_of(w, node);
        const spci_side *side = c ? spci_side_at(w, node->constraint) : (const spci_side *)NULL;
        if (!side || !side->takes_part)
            continue;
        blow = blow || spci_is_blow(c, side, h) || (side->late && side->turned);
        turns = turns || side->late;
        if (!(side->hit > 0))
            continue;
        turns = turns || (t >= 0 && spci_abs(side->at - t) > SPCI_SIDES_SOLVED * h);
        t = side->at;
    }
    return turns && blow;
}

/* Is a clump struck where impacts propagate, and not so slowly that nothing bounces? Or does, of
   any island, a contact wait? */
static bool spci_is_struck(spc_world *w, const spci_island *island, bool waits)
{
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_constraint *c = spci_one_sided_of(w, node);
        const spci_side *side = c ? spci_side_at(w, node->constraint) : (const spci_side *)NULL;
        if (side && (waits ? side->waits
                           : side->takes_part && side->hit > 0 && c->law.propagates &&
                                 (side->restitution > 0 || !(c->law.restitution > 0))))
            return true;
    }
    return false;
}

/* The gap of (7.19) at t: of a contact that was closed as if nothing fell, if that is asked for. */
static spc_real spci_struck_gap(const spci_side *side, bool rests, spc_real t, spc_real h)
{
    spc_real speed;
    const spc_real path = rests ? 0 : spci_first_gap(side, h) + spci_way(side, t, h, &speed);
    return path + side->struck[0] * t - side->struck[1];
}

/* Do bodies meet, no sooner than at *t, with at least a speed? Then when, and their velocity. A
   call without a step has h = 0: all that approaches meets. */
static bool spci_strikes(const spci_side *side, spc_real h, spc_real slow, spc_real *t,
                         spc_real *v)
{
    const spc_real gap = h > 0 ? spci_struck_gap(side, side->rests, *t, h) : 0;
    spc_real root, j, speed;
    const spc_real a = side->rests ? 0 : spci_pull_at(side, SPC_R(0.5) * (*t + h), h, &j);
    (void)spci_way(side, *t, h, &speed);
    *v = (side->rests ? 0 : speed) + side->struck[0];
    if (!(gap > side->none))
        return *v < -slow;
    root = SPC_SQRT(spci_max(*v * *v - 2 * a * gap, 0));
    if (!(root > slow) || !(root > *v))
        return false;
    *t += 2 * gap / (root - *v);
    if (*t > h && spci_struck_gap(side, side->rests, h, h) > side->none)
        return false;
    *t = *t < h ? *t : h;
    *v = -root;
    return true;
}

/* Adds what delta is to the velocities that a node's rows have without impulses, or takes it
   away. */
static void spci_carry_velocity(spc_world *w, const spci_node *node, spc_real sign)
{
    spci_side *side = spci_struck_side(w, node);
    spc_real x[6];
    int i;
    if (side) {
        spci_clear(x, 6);
        spci_side_change(w, node, side, spci_side_size(side), x);
        for (i = 0; i < 6; i++)
            side->g[i] += side->rows >> i & 1u ? sign * x[i] : 0;
        side->struck[0] += sign > 0 ? x[2] : 0;
    } else if (node->constraint >= 0 && !spci_one_sided_of(w, node)) {
        spci_gather_delta(w, node, x);
        for (i = 0; i < node->active; i++)
            spci_vector(w, node, SPCI_ASKED)[i] -= sign * x[i];
    }
}

/* The impulses of a node's contact or joint are carried, or come back. */
static void spci_carry_impulses(spc_world *w, const spci_node *node, bool back)
{
    spci_side *side = spci_struck_side(w, node);
    spc_real *carried = side ? side->of.carried : spci_vector(w, node, SPCI_CARRIED);
    spc_real *p = side ? side->p : spci_vector(w, node, SPCI_BEFORE);
    int i;
    if (!side && (node->constraint < 0 || spci_one_sided_of(w, node)))
        return;
    for (i = 0; i < (side ? 6 : node->active); i++) {
        if (back)
            p[i] += carried[i];
        else
            carried[i] += p[i];
        p[i] = back ? p[i] : 0;
    }
}

/* Impulses are those of before from now on. */
static void spci_carry_body(spc_world *w, int body)
{
    spci_work *work = spci_work_at(w, body);
    work->shift = spci_spatial_add(work->shift, work->delta);
    work->delta = spci_spatial_zero();
}

static void spci_carry_all(spc_world *w, const spci_island *island)
{
    int n;
    for (n = 0; n < island->node_count; n++) {
        spci_carry_impulses(w, spci_island_node(w, island, n), false);
        spci_carry_velocity(w, spci_island_node(w, island, n), 1);
    }
    for (n = 0; n < island->body_count; n++)
        spci_carry_body(w, spci_body_order(w)[island->first_body + n]);
}

/* ---- the reach of a blow

   A round moves what its blows reach. A contact that rests and whose bodies they do not press on
   each other has no impulse in it: it is quiet, and no part of its equations. So a round begins
   with what is struck alone; what that presses joins, until nothing more does. In a heap of a
   thousand this is some tens. What is reached stands behind the clumps, in the same order of
   elimination; work->depth counts what binds a body in it, work->loops is the hub that it has in
   its clump.
*/

typedef struct spci_reach {
    spci_stretch clump;
    int bodies, nodes; /* how many are reached */
    int looked;        /* bodies whose joints are, too */
    bool joined;       /* there are joints, whose vectors stay where they are */
} spci_reach;

static int *spci_reached_bodies(spc_world *w, const spci_reach *r)
{
    return spci_body_order(w) + w->body_capacity + r->clump.first_body;
}

static int *spci_reached_nodes(spc_world *w, const spci_reach *r)
{
    return spci_node_order(w) + w->node_capacity + r->clump.first_node;
}

/* A node is not in the equations. side: what is struck; NULL: it is none. */
static void spci_fall_quiet(spci_node *node, spci_side *side)
{
    node->position = -1;
    if (!side)
        return;
    node->active = 0;
    side->quiet = !side->waits;
    side->takes_part = false;
}

/* A clump falls quiet. */
static void spci_begin_reach(spc_world *w, const spci_island *island, bool joined, spci_reach *r)
{
    int i;
    spci_get_span(island, &r->clump);
    r->bodies = r->nodes = r->looked = 0;
    r->joined = joined;
    for (i = 0; i < island->body_count; i++) {
        spci_work *work = spci_work_at(w, spci_body_order(w)[island->first_body + i]);
        work->depth = 0;
        work->loops = work->hub;
    }
    for (i = 0; i < island->node_count; i++) {
        spci_node *node = spci_island_node(w, island, i);
        spci_side *side = spci_struck_side(w, node);
        node->among = i;
        spci_fall_quiet(node, side);
    }
    for (i = 0; i < (int)SPCI_BEFORE && joined; i++)
        spci_clear(spci_all(w, island, i), island->length);
    for (i = 0; i < (int)SPCI_LOOP_VECTORS && joined; i++)
        spci_clear(spci_own_all(w, island, i), island->length - island->joints);
}

/* All of it takes part again. */
static void spci_end_reach(spc_world *w, spci_island *island, const spci_reach *r)
{
    int i;
    spci_set_span(island, &r->clump);
    for (i = 0; i < island->body_count; i++) {
        spci_work *work = spci_work_at(w, spci_body_order(w)[island->first_body + i]);
        work->hub = work->loops;
    }
    for (i = 0; i < island->node_count; i++) {
        const spci_node *node = spci_island_node(w, island, i);
        spci_side *side = spci_struck_side(w, node);
        if (side && side->quiet) {
            side->quiet = false;
            side->takes_part = true;
        }
    }
    if (!r->joined)
        spci_place_vectors(w, island, island->vectors, island->own, false);
    spci_place_order(w, island);
    spci_link_loops(w, island);
}

static void spci_reach_body(spc_world *w, int body, spci_reach *r)
{
    if (body && spci_work_at(w, body)->depth++ == 0)
        spci_reached_bodies(w, r)[r->bodies++] = body;
}

static void spci_reach_node(spc_world *w, int n, spci_reach *r)
{
    spci_node *node = spci_node_at(w, n);
    spci_reached_nodes(w, r)[r->nodes++] = n;
    node->position = 0;
    if (node->constraint < 0)
        return;
    spci_reach_body(w, node->a, r);
    spci_reach_body(w, node->b, r);
}

/* What joints hold is reached with them. */
static void spci_reach_joints(spc_world *w, spci_reach *r)
{
    int n;
    for (; r->looked < r->bodies && r->joined; r->looked++) {
        const int body = spci_reached_bodies(w, r)[r->looked];
        for (n = spci_work_at(w, body)->first; n >= 0;
             n = spci_next_node(spci_node_at(w, n), body)) {
            const spci_node *node = spci_node_at(w, n);
            if (node->position < 0 && !spci_one_sided_of(w, node))
                spci_reach_node(w, n, r);
        }
    }
}

/* Sorts nodes by where they stand in their clump (Shell 1959). */
static void spci_sort_reached(spc_world *w, int *nodes, int count)
{
    int step, i, k;
    for (step = count / 2; step > 0; step /= 2)
        for (i = step; i < count; i++) {
            const int n = nodes[i], among = spci_node_at(w, n)->among;
            for (k = i; k >= step && spci_node_at(w, nodes[k - step])->among > among; k -= step)
                nodes[k] = nodes[k - step];
            nodes[k] = n;
        }
}

/* The island is what is reached. */
static void spci_lay_reach(spc_world *w, spci_island *island, spci_reach *r)
{
    int i;
    spci_reach_joints(w, r);
    for (i = 0; i < r->bodies; i++) {
        spci_work *work = spci_work_at(w, spci_reached_bodies(w, r)[i]);
        work->hub = work->depth < 2 ? -1 : work->loops;
        if (work->hub >= 0 && spci_node_at(w, work->hub)->position < 0)
            spci_reach_node(w, work->hub, r);
    }
    spci_sort_reached(w, spci_reached_nodes(w, r), r->nodes);
    island->first_body = w->body_capacity + r->clump.first_body;
    island->body_count = r->bodies;
    island->first_node = w->node_capacity + r->clump.first_node;
    island->node_count = r->nodes;
    if (!r->joined)
        spci_place_vectors(w, island, r->clump.vectors, r->clump.own, false);
    spci_place_order(w, island);
    spci_link_loops(w, island);
}

/* Is a node of a body that is reached to be looked at from there, and not from its other one? */
static bool spci_looks_from(spc_world *w, const spci_node *node, int body)
{
    return (body == node->a || !node->a || spci_work_at(w, node->a)->depth == 0) &&
           !spci_node_is_apart(w, node);
}

/* What is pressed, faster than least, is reached, too. Is there anything? */
static bool spci_reach_on(spc_world *w, spc_real least, spci_reach *r)
{
    const int bodies = r->bodies, nodes = r->nodes;
    int i, n;
    for (i = 0; i < bodies; i++) {
        const int body = spci_reached_bodies(w, r)[i];
        for (n = spci_work_at(w, body)->first; n >= 0;
             n = spci_next_node(spci_node_at(w, n), body)) {
            const spci_node *node = spci_node_at(w, n);
            spci_side *side = node->position < 0 && !spci_node_is_apart(w, node)
                                  ? spci_struck_side(w, node)
                                  : (spci_side *)NULL;
            spc_real x[6];
            if (!side || !side->quiet)
                continue;
            spci_side_change(w, node, side, 3, x);
            if (!(side->g[2] + x[2] < -least))
                continue;
            side->quiet = false;
            side->takes_part = true;
            spci_reach_node(w, n, r);
        }
    }
    return r->nodes > nodes;
}

/* Impulses of a round, at t, are carried, and all falls quiet. */
static void spci_carry_reach(spc_world *w, spc_real t, spci_reach *r)
{
    int i, n;
    for (i = 0; i < r->bodies; i++) {
        const int body = spci_reached_bodies(w, r)[i];
        for (n = spci_work_at(w, body)->first; n >= 0;
             n = spci_next_node(spci_node_at(w, n), body)) {
            const spci_node *node = spci_node_at(w, n);
            spci_side *side = spci_struck_side(w, node);
            spc_real x[6];
            if (!spci_looks_from(w, node, body))
                continue;
            if (side) {
                spci_side_change(w, node, side, 3, x);
                side->struck[1] += x[2] * t;
                side->struck[2] += side->p[2] * t;
            }
            spci_carry_impulses(w, node, false);
            spci_carry_velocity(w, node, 1);
        }
    }
    for (i = 0; i < r->nodes; i++) {
        spci_node *node = spci_node_at(w, spci_reached_nodes(w, r)[i]);
        spci_side *side = spci_struck_side(w, node);
        int k;
        spci_fall_quiet(node, side);
        for (k = 0; k < (int)SPCI_BEFORE && r->joined; k++)
            spci_clear(spci_vector(w, node, k), node->size);
        for (k = 0; k < (int)SPCI_LOOP_VECTORS && r->joined && node->loop; k++)
            spci_clear(spci_own(w, node, k), node->size);
    }
    for (i = 0; i < r->bodies; i++) {
        const int body = spci_reached_bodies(w, r)[i];
        spci_work *work = spci_work_at(w, body);
        spc_spatial *sum = &spci_sums_at(w, body)->V;
        *sum = spci_spatial_add(*sum, spci_spatial_scale(t, work->delta));
        spci_carry_body(w, body);
        work->depth = 0;
    }
    r->bodies = r->nodes = r->looked = 0;
}

/* Solves for a round. Gives the residual. */
static spc_real spci_solve_reach(spc_world *w, spci_island *island, spc_real speed, spci_reach *r)
{
    spc_real residual;
    island->speed = speed;
    do {
        spci_lay_reach(w, island, r);
        residual = spci_solve_sides(w, island);
    } while (spci_reach_on(w, SPCI_SIDES_SOLVED * speed, r));
    island->speed = 0;
    spci_set_span(island, &r->clump);
    return residual;
}

/* What blows have done to a body: its sums' V is m of (7.22), and their p what supports it changes
   its velocity by. After the rounds V is what they displace it by, and p the angular momentum that
   they have brought. Before the first round there are none; or, if it goes on, those of before. */
static void spci_begin_blows(spc_world *w, int body, spc_real h, bool first)
{
    spci_sums *sums = spci_sums_at(w, body);
    const spc_spatial all = spci_spatial_scale(SPC_R(0.5) * h, spci_work_at(w, body)->delta);
    sums->p = spc_vec3_make(0, 0, 0);
    sums->V = first ? spci_spatial_zero() : spci_spatial_add(all, spci_spatial_scale(-1, sums->V));
}

static void spci_end_blows(spc_world *w, int body, spc_real h)
{
    spci_sums *sums = spci_sums_at(w, body);
    const spc_spatial all = spci_spatial_scale(SPC_R(0.5) * h, spci_work_at(w, body)->delta);
    sums->V = spci_spatial_add(all, spci_spatial_scale(-1, sums->V));
}

/* A contact before the rounds; joins: it has joined too late for those that there have been. */
static void spci_begin_struck(spc_world *w, const spci_node *node, spci_side *side, spc_real h,
                              bool joins)
{
    spc_real x[6];
    if (joins) {
        const spc_real end = side->struck[1];
        spci_side_change(w, node, side, 3, x);
        side->struck[0] = x[2];
        side->struck[1] = side->struck[2] = 0;
        side->struck[1] = spci_struck_gap(side, false, h, h) - end;
        side->rests = false;
    }
    side->struck[0] = -side->struck[4]; /* with it, is carried */
}

/* Before the rounds: without impulses; or, where contacts have joined late, with those that there
   are. What waits does not take part until it is struck. */
static void spci_begin_rounds(spc_world *w, const spci_island *island, spc_real h, bool first)
{
    int n;
    for (n = 0; n < island->body_count && h > 0; n++)
        spci_begin_blows(w, spci_body_order(w)[island->first_body + n], h, first);
    for (n = 0; n < island->body_count; n++)
        spci_work_at(w, spci_body_order(w)[island->first_body + n])->shift = spci_spatial_zero();
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_constraint *c = spci_one_sided_of(w, node);
        spci_side *side = spci_struck_side(w, node);
        spci_clear(spci_vector(w, node, SPCI_CARRIED), node->size);
        if (first && !c)
            spci_clear(spci_vector(w, node, SPCI_BEFORE), node->size);
        if (!side)
            continue;
        side->blown = h > 0;
        if (first) {
            spci_clear(side->p, 6);
            side->u[3] -= side->struck[4]; /* of the last time */
            spci_clear(side->struck, 5);
            spci_clear(side->of.carried, 6);
            side->rests = h > 0 && side->closed;
        } else {
            spci_clear(side->of.carried, 6);
            spci_begin_struck(w, node, side, h, c->law.propagates && !side->waits);
        }
        side->waits = spci_must_wait(c, side);
    }
    if (first)
        spci_clear_delta(w, island);
    else
        spci_carry_all(w, island);
}

/* What contacts at rest and joints do against forces through the step, before anything is struck: a
   part of the push. Gives the residual. */
static spc_real spci_support(spc_world *w, spci_island *island)
{
    spc_real residual;
    int n;
    for (n = 0; n < island->node_count; n++) {
        spci_side *side = spci_struck_side(w, spci_island_node(w, island, n));
        if (side) {
            side->takes_part = side->closed;
            side->waits = true;
        }
    }
    residual = spci_solve_sides(w, island);
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        spci_side *side = spci_struck_side(w, node);
        spc_real x[6];
        if (!side)
            continue;
        spci_side_change(w, node, side, 3, x);
        side->u[3] += x[2];
        side->struck[4] = x[2];
        side->takes_part = true;
        side->waits = spci_must_wait(spci_constraint_at(w, node->constraint), side);
    }
    return residual;
}

/* May something bounce in a clump, in a step, on what rests on something else, or hangs on it? */
static bool spci_bounces_on_others(spc_world *w, const spci_island *island)
{
    bool bounces = false, rests = false;
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_constraint *c = spci_one_sided_of(w, node);
        const spci_side *side = c ? spci_side_at(w, node->constraint) : (const spci_side *)NULL;
        if (!side || (side->takes_part && side->closed))
            rests = true;
        else if (side->takes_part && c->law.restitution > 0)
            bounces = true;
    }
    return bounces && rests;
}

/* Where impacts are solved for at once: what supports bodies moves them until they meet, too. So
   (7.14) is asked again, with it in the push. */
static void spci_feel_support(spc_world *w, spci_island *island, spc_real h)
{
    int n;
    (void)spci_support(w, island);
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        spci_side *side = spci_struck_side(w, node);
        if (!side)
            continue;
        side->waits = false;
        if (side->closed) {
            side->u[3] -= side->struck[4];
            side->struck[4] = 0;
            continue;
        }
        side->leaves = false;
        side->at = side->hit = side->shift = 0;
        if (!spci_meet(&spci_constraint_at(w, node->constraint)->law, side->u[2], side->u[3], h,
                       side))
            side->g[2] = spci_stay_apart(side, h);
        side->g[2] -= side->struck[4];
    }
}

/* The same where they propagate: it is carried. */
static spc_real spci_begin_supported(spc_world *w, spci_island *island, spc_real h)
{
    const spc_real residual = spci_support(w, island);
    int n;
    for (n = 0; n < island->node_count; n++) {
        spci_side *side = spci_struck_side(w, spci_island_node(w, island, n));
        if (side)
            side->struck[0] = -side->struck[4];
    }
    for (n = 0; n < island->body_count; n++) {
        const int body = spci_body_order(w)[island->first_body + n];
        const spc_spatial delta = spci_work_at(w, body)->delta;
        spci_sums_at(w, body)->p = delta.linear;
        spci_sums_at(w, body)->V = spci_spatial_scale(SPC_R(0.5) * h, delta);
    }
    spci_carry_all(w, island);
    return residual;
}

/* Where a sphere's centre is as a step h begins, or that of one seen from another's, and its
   velocity and acceleration, as if blows so far had been then: what they displace it by is in r. */
typedef struct spci_path {
    spc_vec3 r, v, a;
} spci_path;

static void spci_get_path(spc_world *w, int body, spc_vec3 p_BS, spc_real h, spci_path *path)
{
    const spc_state *s = spci_state(w, body);
    const spc_vec3 arm = spci_rotate_offset(s->X_GB.q, p_BS);
    const spci_work *work;
    const spci_sums *sums;
    spc_vec3 p, part;
    path->v = spc_add(s->V_GB.linear, spc_cross(s->V_GB.angular, arm));
    path->r = spc_sub(spc_add(s->X_GB.p, arm), spc_scale(SPC_R(0.5) * h, path->v));
    path->a = spc_vec3_make(0, 0, 0);
    if (!body || !spci_is_dynamic(w, body))
        return;
    work = spci_work_at(w, body);
    sums = spci_sums_at(w, body);
    p = spc_sub(arm, work->p_BBc_G);
    part = spc_add(work->push.linear, spc_cross(work->push.angular, p));
    path->a = spc_scale(1 / h, spc_add(part, sums->p));
    part = spc_add(work->shift.linear, spc_cross(work->shift.angular, p));
    path->v = spc_add(path->v, spc_sub(part, sums->p));
    part = spc_add(sums->V.linear, spc_cross(sums->V.angular, p));
    path->r = spc_add(path->r, spc_sub(spc_scale(SPC_R(0.5) * h, sums->p), part));
}

static void spci_get_pair_path(spc_world *w, const spci_constraint *c, spc_real h, spci_path *path)
{
    spci_path a;
    spci_get_path(w, c->a, c->shape.sphere_on_sphere.p_ASa, h, &a);
    spci_get_path(w, c->b, c->shape.sphere_on_sphere.p_BSb, h, path);
    path->r = spc_sub(path->r, a.r);
    path->v = spc_sub(path->v, a.v);
    path->a = spc_sub(path->a, a.a);
}

static spc_vec3 spci_path_at(const spci_path *path, spc_real t, spc_vec3 *v)
{
    *v = spc_add(path->v, spc_scale(t, path->a));
    return spc_add(path->r,
                   spc_add(spc_scale(t, path->v), spc_scale(SPC_R(0.5) * t * t, path->a)));
}

/* Do spheres whose centres have a path come to touch in a step, no sooner than at *t, at least with
   a speed? Then when, and how fast. Newton's method from where they would with the velocity of *t;
   none: a gap that is rounding. */
static bool spci_meet_on_path(const spci_path *path, spc_real reach, spc_real none, spc_real h,
                              spc_real slow, spc_real *t, spc_real *speed)
{
    spc_vec3 v, r = spci_path_at(path, *t, &v);
    spc_real ahead = -spc_dot(r, v), square = spc_dot(v, v), root, length = spc_norm(r);
    int turn;
    if (!(ahead > slow * length))
        return false;
    root = ahead * ahead - square * (length - reach) * (length + reach);
    if (!(root > 0) && length > reach + none)
        return false;
    if (length > reach + none)
        *t += (length - reach) * (length + reach) / (ahead + SPC_SQRT(root));
    for (turn = 0; turn < SPCI_MOST_MEETING && length > reach + none; turn++) {
        if (!(*t <= h))
            return false;
        r = spci_path_at(path, *t, &v);
        length = spc_norm(r);
        ahead = -spc_dot(r, v);
        if (spci_abs(length - reach) <= none)
            break;
        if (!(ahead > 0))
            return false;
        *t += (length - reach) * length / ahead;
    }
    *speed = -ahead / length;
    return *speed < -slow;
}

/* Has a blow of these rounds, or of those before, turned a pair out of its way? */
static bool spci_is_turned(spc_world *w, const spci_constraint *c, const spci_side *side)
{
    int end;
    if (!spci_is_pair(c))
        return false;
    for (end = 0; end < 2; end++) {
        const int body = end ? c->b : c->a;
        if (body && spci_is_dynamic(w, body) &&
            !spci_is_zero_vec3(spc_sub(spci_work_at(w, body)->shift.linear,
                                       spci_sums_at(w, body)->p)))
            return true;
    }
    return side->turned || side->late;
}

/* As spci_strikes, of a pair that has been turned. */
static bool spci_strikes_on_path(spc_world *w, const spci_node *node, spc_real h, spc_real slow,
                                 spc_real *t, spc_real *v)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    const spc_sphere_on_sphere *pair = &c->shape.sphere_on_sphere;
    spci_path path;
    spci_get_pair_path(w, c, h, &path);
    return spci_meet_on_path(&path, pair->radius_a + pair->radius_b,
                             spci_side_at(w, node->constraint)->none, h, slow, t, v);
}

/* What a body's delta is for a moment: what has been carried; that times when; what supports it. */
static void spci_show_sum(spc_world *w, int body, int which)
{
    spci_work *work = body ? spci_work_at(w, body) : NULL;
    if (!work)
        return;
    work->delta = which == 0   ? work->shift
                  : which == 1 ? spci_sums_at(w, body)->V
                               : spci_spatial_zero();
    if (which == 2)
        work->delta.linear = spci_sums_at(w, body)->p;
}

/* Velocities of a pair's rows with what has been carried, and c, s of (7.19) along its normal. */
static void spci_carry_turned(spc_world *w, const spci_node *node, spc_real h, const spc_real *u,
                              const spc_real *push)
{
    spci_side *side = spci_side_at(w, node->constraint);
    spc_real sum[3][6];
    int i;
    for (i = 0; i < 3; i++) {
        spci_show_sum(w, node->a, i);
        spci_show_sum(w, node->b, i);
        spci_clear(sum[i], 6);
        spci_side_change(w, node, side, spci_side_size(side), sum[i]);
    }
    spci_show_sum(w, node->a, 3); /* none of them */
    spci_show_sum(w, node->b, 3);
    for (i = 0; i < 6; i++) {
        side->g[i] = side->rows >> i & 1u ? u[i] + push[i] + sum[0][i] : 0;
        side->start[i] = u[i];
    }
    side->u[2] = u[2];
    side->u[3] = push[2] + sum[2][2];
    side->struck[0] = sum[0][2] - sum[2][2];
    side->struck[1] = sum[1][2] - SPC_R(0.5) * h * sum[2][2];
    side->struck[4] = sum[2][2];
}

/* The rows of a pair where its path is at a time; false if there are none. */
static bool spci_turn_pair(spc_world *w, spci_node *node, const spci_pace *pace, spc_real t)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    const spc_sphere_on_sphere *pair = &c->shape.sphere_on_sphere;
    const spc_transform *X_a = &spci_state(w, c->a)->X_GB;
    spci_side *side = spci_side_at(w, node->constraint);
    spc_state b = *spci_state(w, c->b);
    spc_real u[6], push[6];
    spc_vec3 r, v, middle;
    spci_path path;
    spc_rows rows;
    spci_get_pair_path(w, c, pace->part, &path);
    r = spci_path_at(&path, t, &v);
    middle = spc_sub(spc_add(b.X_GB.p, spci_rotate_offset(b.X_GB.q, pair->p_BSb)),
                     spc_add(X_a->p, spci_rotate_offset(X_a->q, pair->p_ASa)));
    b.X_GB.p = spc_add(b.X_GB.p, spc_sub(r, middle));
    if (spci_rows(c->kind, &c->shape, spci_state(w, c->a), &b, 0, &rows))
        return false;
    spci_place_side(w, node, &rows, side);
    node->active = 0;
    spci_side_speeds(w, node, &rows, u, push);
    spci_find_side_driven(w, c, &rows, pace, side, side->start);
    side->turned = true;
    side->gap = spc_dot(side->R.z, middle) - (pair->radius_a + pair->radius_b);
    side->none = spci_no_error(&rows);
    spci_carry_turned(w, node, pace->part, u, push);
    spci_weigh_side(w, node, side);
    return true;
}

/* What meets next takes part, the others that wait do not. When; below 0: nothing meets. */
static spc_real spci_next_round(spc_world *w, const spci_island *island, const spci_pace *pace,
                                spc_real slow, spc_real from, spci_reach *r)
{
    const spc_real h = pace ? pace->part : 0;
    spc_real first = -1, t, v = 0;
    int n, turn;
    for (turn = 0; turn < 2; turn++) {
        for (n = 0; n < island->node_count; n++) {
            spci_node *node = spci_island_node(w, island, n);
            spci_side *side = spci_struck_side(w, node);
            bool turned;
            if (!side || !side->waits)
                continue;
            t = from;
            side->takes_part = false;
            turned = h > 0 && spci_is_turned(w, spci_constraint_at(w, node->constraint), side);
            if (turned ? !spci_strikes_on_path(w, node, h, slow, &t, &v)
                       : !spci_strikes(side, h, slow, &t, &v))
                continue;
            if (turn == 0) {
                first = first < 0 || t < first ? t : first;
            } else if (t - first <= SPCI_SIDES_SOLVED * h) {
                if (turned && !spci_turn_pair(w, node, pace, t))
                    continue;
                side->takes_part = true;
                side->closed = side->mean = false;
                spci_part_bodies(&spci_constraint_at(w, node->constraint)->law, v, t, h, side);
                side->g[2] += side->struck[0];
                side->struck[3] = spci_max(side->struck[3], side->hit);
                spci_reach_node(w, spci_node_order(w)[island->first_node + n], r);
            }
        }
        if (first < 0)
            break;
    }
    return first;
}

/* The gap at the end of a step. Where a contact came to rest nothing falls any more. */
static spc_real spci_struck_end(const spci_side *side, spc_real h)
{
    const spc_real end = h > 0 ? spci_struck_gap(side, false, h, h) : 0;
    const bool rests = side->struck[3] > 0 && !side->leaves;
    return rests && end <= h * spci_abs(side->u[3] + side->driven[0] + side->driven[1]) ? 0 : end;
}

/* All take part in the last round. Its impulses act in the middle of a step: bodies may approach as
   far as they are apart at its end. */
static void spci_join_round(spc_world *w, const spci_island *island, const spci_pace *pace)
{
    const spc_real h = pace ? pace->part : 0;
    int n;
    for (n = 0; n < island->node_count; n++) {
        spci_node *node = spci_island_node(w, island, n);
        spci_side *side = spci_struck_side(w, node);
        spc_real end;
        if (!side || !side->waits)
            continue;
        side->takes_part = true;
        if (side->rests && !(side->struck[3] > 0))
            continue;
        if (h > 0 && spci_is_turned(w, spci_constraint_at(w, node->constraint), side))
            (void)spci_turn_pair(w, node, pace, h);
        end = spci_struck_end(side, h);
        if (end > side->none) {
            side->g[2] = 2 * end / h;
        } else {
            spci_part_bodies(&spci_constraint_at(w, node->constraint)->law, 0, side->at, h, side);
            side->g[2] += side->struck[0];
        }
    }
}

/* A contact after the rounds, with what all of them have done: where it is at the step's end. */
static void spci_end_struck(const spc_contact_law *law, spc_real change, spc_real h,
                            spci_side *side)
{
    const spc_real half = SPC_R(0.5) * h;
    spc_real end;
    side->struck[1] += (change - side->struck[0]) * half;
    side->struck[0] = change;
    if (side->rests && !(side->struck[3] > 0))
        return;
    side->hit = side->struck[3];
    side->restitution = side->hit > law->restitution_speed ? law->restitution : 0;
    side->at = side->p[2] > 0 ? side->struck[2] / side->p[2] : half;
    end = spci_struck_end(side, h);
    side->leaves = end > side->none;
    side->shift = (side->leaves ? end : 0) - side->gap -
                  half * (side->u[2] + side->u[3] + change) - spci_bend(side, true, h);
}

/* The angular momentum about a point that delta changes a body's by. */
static spc_vec3 spci_moment_of(spc_world *w, int body, spc_vec3 about)
{
    const spci_body *own = spci_body_at(w, body);
    const spci_work *work = spci_work_at(w, body);
    const spc_vec3 r = spc_sub(spc_add(work->state.X_GB.p, work->p_BBc_G), about);
    return spc_add(spc_cross(r, spc_scale(own->mass.mass, work->delta.linear)),
                   spc_inertia_mul(spci_inertia_G(own, work->state.X_GB.q, 1),
                                   work->delta.angular));
}

/* After the rounds: impulses and delta of all of them. */
static void spci_end_rounds(spc_world *w, const spci_island *island, spc_real h)
{
    const spc_vec3 about =
        spci_work_at(w, spci_body_order(w)[island->first_body])->state.X_GB.p;
    int n, turn;
    for (turn = 0; turn < 2; turn++) {
        for (n = 0; n < island->body_count; n++) {
            const int body = spci_body_order(w)[island->first_body + n];
            spci_work *work = spci_work_at(w, body);
            const spc_spatial last = work->delta;
            work->delta = turn ? spci_spatial_add(work->shift, last) : work->shift;
            if (turn == 0 && h > 0)
                spci_end_blows(w, body, h);
            work->shift = turn ? spci_spatial_zero() : last;
            if (turn == 1 && h > 0)
                spci_sums_at(w, body)->p = spci_moment_of(w, body, about);
        }
        for (n = 0; n < island->node_count && turn == 0; n++)
            spci_carry_velocity(w, spci_island_node(w, island, n), -1);
    }
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        spci_side *side = spci_struck_side(w, node);
        spc_real x[6];
        if (side && side->waits)
            side->struck[2] += SPC_R(0.5) * h * side->p[2];
        spci_carry_impulses(w, node, true);
        if (!side || !side->waits)
            continue;
        spci_side_change(w, node, side, 3, x);
        spci_end_struck(&spci_constraint_at(w, node->constraint)->law, x[2] - side->struck[4], h,
                        side);
    }
}

/* Impulses of a clump in which impacts propagate, in a step h or without. Gives the residual. */
static SPCI_NO_INLINE spc_real spci_strike(spc_world *w, spci_island *island,
                                           const spci_pace *pace, bool first, bool joined)
{
    const spc_real h = pace ? pace->part : 0;
    const spc_real speed = spci_sides_scale(w, island), slow = 4 * SPCI_SIDES_SOLVED * speed;
    spc_real residual = 0, e, t = 0;
    spci_reach reach;
    int round;
    spci_begin_rounds(w, island, h, first);
    if (first && h > 0)
        residual = spci_begin_supported(w, island, h);
    spci_begin_reach(w, island, joined, &reach);
    for (round = 0; round < SPCI_MOST_ROUNDS; round++) {
        t = spci_next_round(w, island, pace, slow, t, &reach);
        if (t < 0)
            break;
        e = spci_solve_reach(w, island, speed, &reach);
        residual = e <= residual ? residual : e;
        spci_carry_reach(w, t, &reach);
    }
    spci_end_reach(w, island, &reach);
    spci_join_round(w, island, pace);
    e = spci_solve_sides(w, island);
    spci_end_rounds(w, island, h);
    return e <= residual ? residual : e;
}

/* Has a clump been struck in rounds, at an earlier look? */
static bool spci_is_blown(spc_world *w, const spci_island *island)
{
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        if (spci_one_sided_of(w, node) && spci_side_at(w, node->constraint)->blown)
            return true;
    }
    return false;
}

/* Has a contact joined a clump since it was solved for? */
static bool spci_is_fresh(spc_world *w, const spci_island *island)
{
    bool fresh = false;
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        if (!spci_one_sided_of(w, node))
            continue;
        fresh = fresh || spci_side_at(w, node->constraint)->fresh;
        spci_side_at(w, node->constraint)->fresh = false;
    }
    return fresh;
}

/* What contacts and joints of a clump do in a part of a step, as delta; first: they have not been
   solved for; alone: the island has no other contact. Gives the residual. */
static spc_real spci_press_clump(spc_world *w, spci_island *island, const spci_pace *pace,
                                 bool first, bool alone, bool joined)
{
    const spc_real h = pace->part;
    const bool fresh = spci_is_fresh(w, island) || first;
    spc_real residual;
    int slip;
    if (!alone && spci_is_struck(w, island, false))
        return spci_strike(w, island, pace, first, joined);
    if (!alone && (spci_is_blown(w, island) || spci_meets_in_turn(w, island, h)))
        return fresh ? spci_strike(w, island, pace, true, joined) : 0;
    spci_forget_blows(w, island);
    if (first && !alone && spci_bounces_on_others(w, island))
        spci_feel_support(w, island, h);
    else if (first)
        (void)spci_try_rest(w, island);
    residual = spci_solve_sides(w, island);
    for (slip = 0; slip < SPCI_MOST_LOOKS && island->node_count > 1 && spci_relax_slip(w, island);
         slip++)
        residual = spci_solve_sides(w, island);
    return spci_be_passive(w, island, h, residual);
}

/* The contact of a node, if it is of spheres that press on each other; NULL: it is not. */
static const spci_side *spci_pressing_pair(spc_world *w, const spci_node *node)
{
    const spci_constraint *c = spci_one_sided_of(w, node);
    const spci_side *side = c ? spci_side_at(w, node->constraint) : (const spci_side *)NULL;
    if (!side || !spci_is_pair(c) || !side->takes_part || !(side->p[2] > 0))
        return NULL;
    return side;
}

/* Does a body meet anything else in a step than the sphere of a node, or press on another one? */
static bool spci_meets_more(spc_world *w, const spci_node *node, int body)
{
    int i;
    for (i = body ? spci_work_at(w, body)->first : -1; i >= 0;
         i = spci_next_node(spci_node_at(w, i), body)) {
        const spci_node *other = spci_node_at(w, i);
        const spci_side *side = spci_one_sided_of(w, other) ? spci_side_at(w, other->constraint)
                                                            : (const spci_side *)NULL;
        if (other != node && side && side->takes_part && side->p[2] > 0 &&
            (!side->closed || spci_pressing_pair(w, other)))
            return true;
    }
    return false;
}

/* (7.21) for all pairs of an island, but no more than the most parts. */
static void spci_ask_for_pairs(spc_world *w, const spci_island *island, spci_pace *pace)
{
    const spc_real enough = (spc_real)SPCI_MOST_PARTS / (spc_real)pace->parts;
    spc_real most = 0;
    int n, end;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_side *side = spci_pressing_pair(w, node);
        const spc_sphere_on_sphere *pair;
        spc_real way;
        if (!side || side->closed)
            continue;
        way = side->hit;
        for (end = 0; end < 2; end++) {
            const int body = end ? node->b : node->a;
            if (body)
                way = spci_max(way, spci_max_abs(spci_work_at(w, body)->delta.linear));
        }
        pair = &spci_constraint_at(w, node->constraint)->shape.sphere_on_sphere;
        way *= pace->part / (SPCI_MOST_WAY * (pair->radius_a + pair->radius_b));
        if (way > 1 && way > most &&
            (spci_meets_more(w, node, node->a) || spci_meets_more(w, node, node->b)))
            most = way;
    }
    pace->more = spci_max(pace->more, most < enough ? most : enough);
    pace->outruns = most > enough * SPCI_SLACK;
}

/* What contacts and joints of an island do in a part of a step, which then has the clumps in which
   it was solved for; unless more parts are needed. */
static spc_real spci_press(spc_world *w, spci_island *island, spci_pace *pace,
                           spci_clumps *clumps)
{
    const bool alone = island->node_count == 1;
    spc_real residual = 0;
    int look, most = SPCI_MOST_LATE;
    clumps->place = pace->first_node;
    spci_begin_sides(w, island, pace->part);
    for (look = 0;; look++) {
        spci_find_clumps(w, island, clumps);
        spci_begin_clumps(w, island, clumps);
        while (spci_next_clump(w, island, clumps, false)) {
            const spc_real e = spci_press_clump(w, island, pace, look == 0, alone, clumps->joined);
            residual = e <= residual ? residual : e;
        }
        if (look == SPCI_MOST_LATE && spci_is_struck(w, island, true))
            most = island->node_count; /* what waits goes on */
        spci_ask_for_pairs(w, island, pace);
        if (pace->more > pace->most || look == most || !spci_look_again(w, island, pace))
            break;
        spci_join_clumps(w, island, clumps);
    }
    spci_get_span(island, &clumps->whole); /* contacts may have come near */
    return residual;
}

/* Is a disc that is to lie flat to be turned? */
static bool spci_is_tilted(const spci_side *side)
{
    return side->flat && spci_law_norm(side->rate[0], side->rate[1]) > 0;
}

/* What a contact asks of the displacement in the middle of a step, whose load begins with what
   impulses of an impact have done before the middle: is there anything? */
static bool spci_ask_shift(spc_world *w, const spci_node *node, spci_side *side, spc_real h)
{
    const bool late = side->takes_part && side->hit > 0 && side->p[2] > 0;
    spc_real load[6];
    int i;
    side->presses = side->p[2] > 0 || (side->takes_part && side->shift > 0);
    side->slides = 0;
    for (i = 0; i < 6; i++)
        load[i] = i == 2 ? 0 : (SPC_R(0.5) * h - side->at) * side->p[i];
    if (late && !side->blown)
        spci_side_push(w, node, side, load, spci_side_size(side));
    return late || (side->takes_part && side->presses &&
                    (side->shift < 0 || side->shift > 0 || spci_is_tilted(side)));
}

/* rho of the displacement of a node's rows, with the load as delta. */
static void spci_load_shift(spc_world *w, const spci_node *node)
{
    const spci_side *side =
        spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint) : (const spci_side *)NULL;
    spc_real *rho = spci_vector(w, node, SPCI_RHO), own[SPC_MAX_ROWS];
    int i, k = 0;
    spci_gather_delta(w, node, own);
    for (i = 0; i < node->active && !side; i++)
        rho[i] = spci_vector(w, node, SPCI_POSITION)[i] - own[i];
    for (i = 0; i < 5 && side; i++) {
        const spc_real asked = i < 2 ? 0 : i == 2 ? side->shift : side->rate[i - 3];
        if (node->mask >> i & 1u)
            rho[k] = asked - own[k];
        k += (int)(node->mask >> i & 1u);
    }
}

/* Takes the rows of contacts that are displaced into the solver, and factors. soft: what a row
   yields, in parts of its bodies' compliance; 0: no more than in a solution for impulses. */
static void spci_load_displaced(spc_world *w, spci_island *island, spc_real soft)
{
    int n, i;
    for (n = 0; n < island->node_count; n++) {
        spci_node *node = spci_island_node(w, island, n);
        spci_side *side = spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint)
                                                     : (spci_side *)NULL;
        const unsigned rows = side ? side->rows : 0;
        if (!side)
            continue;
        side->rows &= (side->found == SPC_CONTACT_ROLLING && !(side->hit > 0) ? 7u : 4u) |
                      (side->flat ? 24u : 0);
        spci_load_mode(w, node, side);
        side->rows = rows;
        for (i = 0; i < node->active && soft > 0; i++)
            node->soft[i] *= soft / SPCI_PROXIMAL;
    }
    spci_factor(w, island);
}

/* How far an island is displaced, by A. */
static spc_real spci_displaced(spc_world *w, const spci_island *island)
{
    spc_real most = 0;
    int i;
    for (i = 0; i < island->body_count; i++) {
        const spci_work *work = spci_work_at(w, spci_body_order(w)[island->first_body + i]);
        most = spci_max(most, spci_max_abs(work->A.linear));
        most = spci_max(most, island->reach * spci_max_abs(work->A.angular));
    }
    return most;
}

/* Solves for a displacement, as A, which begins as what impulses have displaced by. A second turn
   takes what rows have yielded. Gives the most that a row asks for. */
static spc_real spci_solve_displacement(spc_world *w, spci_island *island, int turns)
{
    spc_real asked = 0;
    int i, n, k;
    for (i = 0; i < turns; i++) {
        for (n = 0; n < island->node_count; n++) {
            const spci_node *node = spci_island_node(w, island, n);
            if (node->constraint < 0)
                continue;
            spci_load_shift(w, node);
            for (k = 0; k < node->active && i == 0; k++)
                asked = spci_max(asked, spci_abs(spci_vector(w, node, SPCI_RHO)[k]));
        }
        spci_solve(w, island, SPCI_CONTACTS, 1, false);
        for (n = 0; n < island->body_count; n++) {
            spci_work *work = spci_work_at(w, spci_body_order(w)[island->first_body + n]);
            work->delta = work->A = spci_spatial_add(work->A, work->delta);
        }
    }
    return asked;
}

/* Is some constraint of an island no one-sided contact? */
static bool spci_is_jointed(spc_world *w, const spci_island *island)
{
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        if (node->constraint >= 0 && !spci_one_sided_of(w, node))
            return true;
    }
    return false;
}

/* The displacement of an island as A, with contacts that yield or do not; false if nothing asks for
   any. Does it leap? With joints it may: a short lever moves far what is at its end. */
static bool spci_find_displacement(spc_world *w, spci_island *island, bool asked, spc_real soft,
                                   spc_real h, bool *leaps)
{
    spc_real most;
    int n;
    spci_clear_delta(w, island);
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        if (spci_one_sided_of(w, node) &&
            spci_ask_shift(w, node, spci_side_at(w, node->constraint), h))
            asked = true;
    }
    *leaps = false;
    if (!asked)
        return false;
    spci_load_blows(w, island);
    spci_keep_delta(w, island, false);
    spci_load_displaced(w, island, soft); /* which finds its reach, too */
    most = spci_displaced(w, island);
    most += spci_solve_displacement(w, island, soft > 0 ? 1 : 2);
    *leaps = !(spci_displaced(w, island) <= SPCI_MOST_LEAP * most) && !spci_is_jointed(w, island);
    return true;
}

/* The displacement of an island in the middle of a step: joints as they ask, contacts that press to
   where they are sent. Contacts that nearly depend on each other may ask for what only a leap would
   give: they yield, and the next steps bring them there. */
static void spci_displace_sides(spc_world *w, spci_island *island, spc_real part, spc_real h)
{
    bool leaps;
    int i;
    if (!spci_find_displacement(w, island, part > 0, 0, h, &leaps))
        return;
    if (leaps)
        (void)spci_find_displacement(w, island, true, SPCI_LEAP_YIELDS, h, &leaps);
    for (i = 0; i < island->body_count; i++) {
        spci_work *work = spci_work_at(w, spci_body_order(w)[island->first_body + i]);
        work->shift = work->A;
        work->A = spci_spatial_zero();
    }
    spci_displace_island(w, island);
}

/* The states that contacts of an island are found in after a part of a step, or an impact. What
   slips no faster than rounding does not. */
static void spci_end_sides(spc_world *w, const spci_island *island)
{
    const spc_real still = 4 * SPCI_SIDES_SOLVED * spci_sides_scale(w, island);
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_constraint *c = spci_one_sided_of(w, node);
        spci_side *side = c ? spci_side_at(w, node->constraint) : (spci_side *)NULL;
        spc_real u[6];
        if (!side)
            continue;
        side->found = SPC_CONTACT_OPEN;
        if (!side->takes_part || !(side->p[2] > 0) || side->leaves)
            continue;
        spci_side_velocity(w, node, side, u);
        side->found = side->rows & 3u && spci_law_norm(u[0], u[1]) <= still
                          ? SPC_CONTACT_ROLLING
                          : SPC_CONTACT_SLIDING;
    }
}

/* These are their states, and their impulses count; at: how many parts have before. */
static void spci_sum_sides(spc_world *w, const spci_island *island, int at)
{
    int n, i;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        spci_side *side = spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint)
                                                     : (spci_side *)NULL;
        if (!side || side->apart)
            continue;
        side->state = side->found;
        for (i = 0; i < 6; i++)
            side->sum[i] = (at > 0 ? side->sum[i] : 0) + (side->takes_part ? side->p[i] : 0);
        side->met = at > 0 ? side->met : 0;
        if (side->p[2] > 0)
            side->met = spci_max(side->met, side->hit);
    }
}

/* Will a disc that leans be over its flat position in h more, with all impulses and what displaces
   it? */
static bool spci_side_falls_over(spc_world *w, const spci_node *node, const spci_side *side,
                                 spc_real h)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    const spc_state *b = spci_state(w, c->b);
    spc_vec3 q, turn = spc_vec3_make(0, 0, 0);
    int end;
    if (!spci_is_coin(c) || side->flat || side->tips || !side->takes_part || !(side->p[2] > 0))
        return false;
    q = spc_sub(side->arm_b, spci_rotate_offset(b->X_GB.q, c->shape.rolling_disc.p_BS));
    for (end = 0; end < 2; end++) {
        const int body = end ? node->b : node->a;
        const spci_work *work = body ? spci_work_at(w, body) : NULL;
        const spc_real part = end ? h : -h;
        spc_vec3 v = spc_scale(part, spci_state(w, end ? c->b : c->a)->V_GB.angular);
        if (work) {
            const spc_vec3 moment = spc_cross(end ? side->p_b : side->p_a, side->R.z);
            const spc_vec3 kick = spc_add(work->push.angular, work->delta.angular);
            v = spc_add(v, spc_scale(part, kick));
            v = spc_add(v, spc_scale(side->shift / side->weight[0],
                                     spc_inertia_mul(work->inv_inertia_G, moment)));
        }
        turn = spc_add(turn, v);
    }
    return !(spc_dot(q, side->R.z) + spc_dot(q, side->R.x) * spc_dot(turn, side->R.y) < 0);
}

/* Discs that do not bear their impulses are looked at anew, each once of a kind: those on their
   sides that tip, by their rims, and those that fall over by the end of a part of a step on their
   sides. Are there any? */
static spc_status spci_turn_sides(spc_world *w, const spci_island *island, spci_pace *pace,
                                  bool *any)
{
    spc_real still = -1;
    spc_status status = SPC_OK;
    int n;
    *any = false;
    for (n = 0; n < island->node_count && !status; n++) {
        spci_node *node = spci_island_node(w, island, n);
        const spci_constraint *c = spci_one_sided_of(w, node);
        spci_side *side = c ? spci_side_at(w, node->constraint) : (spci_side *)NULL;
        if (!side || !spci_is_coin(c))
            continue;
        if (still < 0)
            still = 4 * SPCI_SIDES_SOLVED * spci_sides_scale(w, island);
        if (!spci_side_tips(w, node, side, c, still)) {
            if (side->over || !spci_side_falls_over(w, node, side, SPC_R(0.5) * pace->part))
                continue;
            side->over = true;
        }
        *any = true;
        status = spci_side_before(w, node, pace);
        if (!status)
            status = spci_side_middle(w, node, pace);
    }
    return status;
}

/* Nodes of an island without joints stand where they do while it is whole, which it is again. */
static void spci_take_places(spc_world *w, spci_island *island, const spci_pace *pace)
{
    int n;
    for (n = 0; n < island->node_count; n++) {
        spci_node *node = spci_island_node(w, island, n);
        node->vectors = node->first_edge;
        node->position = node->sibling;
        node->first = node->mark;
        node->own = pace->own;
        if (node->loop)
            node->own += node->vectors - pace->loops;
        if (node->constraint < 0)
            spci_work_at(w, node->a)->hub = (int)(node - spci_node_at(w, 0));
    }
    spci_be_whole(island, pace);
    spci_link_loops(w, island);
}

/* An island is whole again after a part of a step, with the multipliers of its joints. */
static void spci_make_whole(spc_world *w, spci_island *island, const spci_pace *pace,
                            const spci_clumps *clumps)
{
    const bool part = spci_is_part(island, pace);
    int n;
    if (!pace->joined) {
        spci_take_places(w, island, pace);
        spci_clear(spci_all(w, island, SPCI_LAMBDA), island->length);
        return;
    }
    spci_be_whole(island, pace);
    spci_join_clumps(w, island, clumps);
    for (n = 0; n < island->node_count && part; n++)
        if (spci_node_is_apart(w, spci_island_node(w, island, n)))
            spci_unload(w, spci_island_node(w, island, n));
    spci_copy_vector(w, island, SPCI_BEFORE, SPCI_LAMBDA);
    spci_mix(w, island, SPCI_LAMBDA, true);
}

/* Are there bounces, by the impulses of others, that are to divide a part of a step? */
static bool spci_await_late(spc_world *w, const spci_island *island, spci_pace *pace)
{
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_constraint *c = spci_one_sided_of(w, node);
        spci_side *side = c ? spci_side_at(w, node->constraint) : (spci_side *)NULL;
        if (side && spci_bounces_late(&c->law, side, pace->part) && spci_may_divide(w, c, pace))
            spci_await(side, pace->part, pace);
    }
    return pace->cut;
}

/* Has a contact of an island closed in a part of a step? What joints bear then is a blow, of which
   (7.10) knows nothing. */
static bool spci_is_met(spc_world *w, const spci_island *island)
{
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_side *side = spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint)
                                                           : (const spci_side *)NULL;
        if (side && side->takes_part && !side->closed && side->p[2] > 0)
            return true;
    }
    return false;
}

/* (7.1) to (7.5) and (7.13) to (7.15) for the rest of a part of a step of an island with one-sided
   contacts, whose rows are loaded. */
static SPCI_NO_INLINE spc_status spci_step_sides(spc_world *w, spci_island *island,
                                                 spci_pace *pace, spc_real part)
{
    spci_clumps clumps;
    spc_status status;
    spc_real residual;
    bool turned, divided;
    if (pace->joined) {
        spci_copy_vector(w, island, SPCI_NEXT, SPCI_ASKED);
        spci_copy_vector(w, island, SPCI_RHO, SPCI_POSITION);
    }
    for (;;) {
        residual = spci_press(w, island, pace, &clumps);
        status = spci_turn_sides(w, island, pace, &turned);
        divided = pace->more > pace->most || (!turned && spci_await_late(w, island, pace));
        if (!status && !turned && !divided)
            break;
        if (status || divided)
            spci_be_whole(island, pace);
        spci_join_clumps(w, island, &clumps);
        if (status || divided)
            return status;
    }
    spci_note_residual(island, residual);
    island->unsolved += pace->outruns;
    spci_end_sides(w, island);
    spci_kick_island(w, island);
    spci_begin_clumps(w, island, &clumps);
    while (spci_next_clump(w, island, &clumps, false))
        spci_displace_sides(w, island, part, pace->part);
    spci_make_whole(w, island, pace, &clumps);
    if (pace->joined && !spci_is_met(w, island))
        spci_ask_for_swings(w, island, pace);
    spci_drift_island(w, island, pace->part);
    if (!pace->joined)
        return spci_finite_bodies(w, island->first_body, island->first_body + island->body_count)
                   ? SPC_OK
                   : SPC_ERROR_STATE_NOT_FINITE;
    return spci_island_finite(w, island, 1 / pace->part) ? SPC_OK : SPC_ERROR_STATE_NOT_FINITE;
}

/* Multipliers of a contact's rows in use, as its node's lambda. */
static void spci_tell_side(spc_world *w, spci_node *node)
{
    const spci_constraint *c = spci_one_sided_of(w, node);
    const unsigned on = c ? spci_enforced(c->kind, &c->shape) : 0;
    spc_real *lambda = spci_vector(w, node, SPCI_LAMBDA);
    int i;
    for (i = 0; i < 3; i++)
        if (on >> i & 1u)
            *lambda++ = 0 - spci_side_at(w, node->constraint)->sum[i];
}

/* Discs of an island are taken for flat where they are. */
static void spci_forget_tips(spc_world *w, const spci_island *island)
{
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        if (spci_one_sided_of(w, node))
            spci_side_at(w, node->constraint)->tips = false;
    }
}

/* Those that tip, with all impulses, no longer: are there any? */
static bool spci_note_tips(spc_world *w, const spci_island *island)
{
    const spc_real still = 4 * SPCI_SIDES_SOLVED * spci_sides_scale(w, island);
    bool any = false;
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_constraint *c = spci_one_sided_of(w, node);
        if (c && spci_is_coin(c) &&
            spci_side_tips(w, node, spci_side_at(w, node->constraint), c, still))
            any = true;
    }
    return any;
}

/* Solves for an island whose contacts are set up, with their p to begin with, and whose joints ask
   for rho: lambda, delta. */
static void spci_solve_joined(spc_world *w, spci_island *island, bool impact)
{
    spc_real residual;
    int n;
    spci_copy_vector(w, island, SPCI_RHO, SPCI_ASKED);
    spci_clear_delta(w, island);
    spci_clear(spci_all(w, island, SPCI_BEFORE), island->length);
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_side *side =
            spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint) : (spci_side *)NULL;
        if (side && side->takes_part)
            spci_side_push(w, node, side, side->p, spci_side_size(side));
    }
    if (impact && island->node_count > 1 && spci_is_struck(w, island, false)) {
        residual = spci_strike(w, island, NULL, true, true);
    } else {
        residual = spci_solve_sides(w, island);
        residual = impact ? spci_be_passive(w, island, 0, residual) : residual;
    }
    spci_note_residual(island, residual);
    spci_copy_vector(w, island, SPCI_BEFORE, SPCI_LAMBDA);
    spci_mix(w, island, SPCI_LAMBDA, true);
    spci_end_sides(w, island);
}

/* The same outside of steps: what contacts are then counts, and lambda has their multipliers. */
static void spci_find_states(spc_world *w, spci_island *island, bool impact)
{
    int n;
    spci_solve_joined(w, island, impact);
    spci_sum_sides(w, island, 0);
    for (n = 0; n < island->node_count; n++)
        spci_tell_side(w, spci_island_node(w, island, n));
}

/* The last step's events are over. */
static void spci_forget_events(spc_world *w)
{
    while (w->events) {
        spci_constraint *c = spci_constraint_at(w, w->events - 1);
        c->state = spci_state_left(c);
        c->began = c->ended = false;
        w->events = c->next_event;
    }
}

/* What a step or an impact has made of a one-sided contact: its state, and how fast it met. */
static void spci_keep_contact(spc_world *w, int slot, unsigned char state, spc_real met,
                              bool bounced)
{
    spci_constraint *c = spci_constraint_at(w, slot);
    const bool before = c->state != SPC_CONTACT_OPEN, after = state != SPC_CONTACT_OPEN;
    c->state = state;
    c->hit_speed = met;
    c->began = met > 0 || (after && !before);
    c->ended = (!after && (before || met > 0)) || bounced;
    if (!c->began && !c->ended)
        return;
    c->next_event = w->events;
    w->events = slot + 1;
}

/* The same of an island's; an impact tells in what state those were that bounced. */
static void spci_keep_sides(spc_world *w, const spci_island *island, bool impact)
{
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        spci_constraint *c = spci_one_sided_of(w, node);
        const spci_side *side = c ? spci_side_at(w, node->constraint) : (const spci_side *)NULL;
        if (!side || (!impact && side->apart))
            continue;
        c->flat = side->flat && side->state != SPC_CONTACT_OPEN;
        c->wait = side->wait;
        c->tries = side->tries;
        spci_keep_contact(w, node->constraint, side->state, side->met,
                          impact && side->restitution > 0 && side->met > 0);
    }
}

/* The same of all balls in lanes. */
static void spci_keep_balls(spc_world *w)
{
    const int groups = spci_structure_of(w)->one_sided ? spci_groups(w->body_slots) : 0;
    int i, l;
    for (i = 0; i < groups; i++) {
        const spci_balls *b = spci_balls_at(w, i);
        for (l = 0; l < SPCI_LANES && b->sides > 0; l++) {
            const int slot = b->constraint[l] - 1;
            const unsigned found = spci_found(b, l);
            const bool met = (found & SPCI_FOUND_MEETING) != 0;
            if (spci_is_side(b, l))
                spci_keep_contact(w, slot, (unsigned char)(found & SPCI_FOUND_STATE),
                                  met ? spci_side_at(w, slot)->met : 0, false);
        }
    }
}

/* (7.1) to (7.5) for an island through a part of a step, which is not at its end where more parts
   are needed. After that, or a refusal, go back to its bodies' saved states. */
static SPCI_NO_INLINE spc_status spci_step_part(spc_world *w, spci_island *island, spci_pace *pace)
{
    const spc_real h = pace->part;
    spc_real part = 0;
    spc_status status;
    int i;
    pace->nodes = island->node_count;
    pace->first_node = island->first_node;
    pace->hubs = island->hubs;
    pace->loops = island->vectors + island->joints;
    pace->own = island->own;
    pace->joined = pace->cut = false;
    pace->soon = pace->part;
    if (island->one_sided)
        spci_leave_apart(w, island, pace);
    status = spci_load_before(w, island, pace);
    if (!status)
        spci_begin_island(w, island, h);
    for (i = 0; i < island->node_count && !status; i++) {
        spci_node *node = spci_island_node(w, island, i);
        if (spci_one_sided_of(w, node))
            status = spci_side_middle(w, node, pace);
        else if (node->constraint >= 0)
            status = spci_load_middle(w, node, pace, &part);
    }
    if (status || pace->more > pace->most ||
        pace->cut) {
        spci_be_whole(island, pace);
        return status;
    }
    if (island->one_sided)
        return spci_step_sides(w, island, pace, part);
    spci_factor(w, island);
    if (part > 0) {
        spci_find_shift(w, island, part);
        spci_copy(spci_all(w, island, SPCI_R), spci_all(w, island, SPCI_BESIDE), island->length);
    }
    spci_copy_vector(w, island, SPCI_NEXT, SPCI_RHO);
    spci_solve(w, island, SPCI_VELOCITIES, 1, part > 0);
    if (!spci_mirror(w, island, SPCI_GAIN / (spc_real)pace->parts))
        spci_ask_for_swings(w, island, pace);
    if (pace->more > pace->most)
        return SPC_OK;
    spci_finish_multipliers(w, island);
    spci_kick_island(w, island);
    if (part > 0)
        spci_displace_island(w, island);
    spci_drift_island(w, island, h);
    return spci_island_finite(w, island, 1 / h) ? SPC_OK : SPC_ERROR_STATE_NOT_FINITE;
}

/* The kinematic body at an end of a node's constraint; 0: none. */
static int spci_driver_of(spc_world *w, const spci_node *node, int end)
{
    const spci_constraint *c;
    int i;
    if (node->constraint < 0)
        return 0;
    c = spci_constraint_at(w, node->constraint);
    i = end ? c->b : c->a;
    return i && spci_body_at(w, i)->kind == SPC_KINEMATIC ? i : 0;
}

/* A kinematic body as a part of the step has it before, in its sums, and in its middle: at two
   times of the step. */
static spc_status spci_drive(spc_world *w, int i, spc_real before, spc_real middle)
{
    const spc_state start = spci_get_state(w, i);
    spc_state *state = &spci_work_at(w, i)->state;
    spci_body *body = spci_body_at(w, i);
    spci_sums *sums = spci_sums_at(w, i);
    spc_status status = SPC_OK;
    *state = start;
    if (before > 0)
        status = spci_move_kinematic(body, state, before, spci_clock_after(w, before).time);
    sums->q = state->X_GB.q;
    sums->p = state->X_GB.p;
    sums->V = state->V_GB;
    *state = start;
    if (!status)
        status = spci_move_kinematic(body, state, middle, spci_clock_after(w, middle).time);
    return status ? status
                  : spci_foresee(body, spci_work_at(w, i), middle - before,
                                 spci_clock_after(w, 2 * middle - before).time);
}

/* The same for all of an island's, also where one fails. */
static spc_status spci_drive_all(spc_world *w, const spci_island *island, spc_real before,
                                 spc_real middle)
{
    spc_status status = SPC_OK;
    int n;
    for (n = 0; n < 2 * island->node_count; n++) {
        const int i = spci_driver_of(w, spci_island_node(w, island, n / 2), n % 2);
        const spc_status one = i ? spci_drive(w, i, before, middle) : SPC_OK;
        status = status ? status : one;
    }
    return status;
}

/* What the solver needs of the dynamic bodies at the places `from` up to `to` of the order, at
   their present poses. */
static void spci_load_frames(spc_world *w, int from, int to)
{
    int i;
    for (i = from; i < to; i++) {
        const int k = spci_body_order(w)[i];
        spci_body_frame(spci_body_at(w, k), spci_work_at(w, k));
        spci_work_at(w, k)->lever = 0;
        spci_work_at(w, k)->push = spci_work_at(w, k)->A = spci_spatial_zero();
    }
}

/* Loads a node's rows; rho is what is missing to v_plus (active rows in order; NULL: zeros). */
static spc_status spci_load_velocities(spc_world *w, spci_node *node, const spc_real *v_plus)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    spc_real *rho = spci_vector(w, node, SPCI_RHO);
    spc_rows rows;
    int i;
    const spc_status status = spci_constraint_rows(w, c, &rows);
    if (status)
        return status;
    spci_load(w, node, &rows, rows.enforced, true);
    for (i = 0; i < rows.count; i++) {
        const spc_real wanted = v_plus && (rows.enforced >> i & 1u) ? *v_plus++ : 0;
        if (!(rows.enforced >> i & 1u))
            continue;
        *rho++ = c->stabilization.ignore_velocity >> i & 1u ? 0 : wanted - rows.velocity_errors[i];
    }
    spci_mix_node(w, node, SPCI_RHO, false);
    return SPC_OK;
}

/* A one-sided contact at the present states, for an impact; or, without restitution, for velocities
   that it bears. */
static spc_status spci_side_meets(spc_world *w, spci_node *node, bool impact)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    const spc_state *a = spci_state(w, c->a), *b = spci_state(w, c->b);
    spci_side *side = spci_side_at(w, node->constraint);
    spc_real u[6];
    spc_status status = SPC_OK;
    spc_rows rows;
    int i;
    spci_clear_side(c, side);
    status = spci_side_pose(c, a, b, 0, side, &rows);
    if (status) {
        spci_unload(w, node);
        return !impact && spci_disc_is_high(c, a, b) ? SPC_OK : status;
    }
    spci_place_side(w, node, &rows, side);
    spci_side_motion(c, a, b, &rows, u);
    side->takes_part = (impact || rows.position_errors[2] <= spci_no_error(&rows)) &&
                       !spci_is_beyond(c, a, &rows, rows.position_errors[2], node->reach, side);
    for (i = 0; i < 6; i++)
        side->g[i] = side->rows >> i & 1u ? u[i] : 0;
    side->restitution =
        impact && -u[2] > c->law.restitution_speed ? c->law.restitution : 0;
    side->hit = impact && u[2] < 0 ? -u[2] : 0;
    side->u[2] = u[2];
    side->u[3] = side->driven[0] = side->driven[1] = 0;
    side->g[2] += side->restitution * u[2];
    spci_copy(side->start, side->g, 6);
    if (side->takes_part)
        spci_weigh_side(w, node, side);
    return SPC_OK;
}

/* Kinematic bodies for a part of a step. */
static SPCI_NO_INLINE spc_status spci_begin_part(spc_world *w, const spci_island *island,
                                             const spci_pace *pace)
{
    if (!spci_in_parts(pace))
        return SPC_OK;
    return spci_drive_all(w, island, pace->from, pace->from + SPC_R(0.5) * pace->part);
}

/* Adds the impulses of a part up, or of a bounce behind it. */
static SPCI_NO_INLINE void spci_end_part(spc_world *w, const spci_island *island, spci_pace *pace)
{
    const spc_real *lambda = spci_all(w, island, SPCI_LAMBDA);
    spc_real *sum = spci_all(w, island, SPCI_IMPULSE);
    int i;
    for (i = 0; i < island->length; i++)
        sum[i] = (pace->at ? sum[i] : 0) + lambda[i];
    pace->at++;
}

/* Impulses of all parts; kinematic bodies in the middle of the whole step, as other islands want
   them. */
static SPCI_NO_INLINE spc_status spci_end_parts(spc_world *w, const spci_island *island,
                                            const spci_pace *pace)
{
    const spc_status status = spci_drive_all(w, island, 0, SPC_R(0.5) * pace->h);
    spci_copy_vector(w, island, SPCI_IMPULSE, SPCI_LAMBDA);
    if (status)
        return status;
    return spci_finite_multipliers(w, island, 1 / pace->h) ? SPC_OK : SPC_ERROR_STATE_NOT_FINITE;
}

/* More parts, as they are asked for; false if these are too many. */
static bool spci_divide(spci_pace *pace)
{
    const int most = pace->wobbles ? SPCI_MOST_DISC_PARTS : SPCI_MOST_PARTS;
    const spc_real needed = pace->more * (spc_real)pace->parts;
    if (!(needed < (spc_real)(most + 1)))
        return false;
    pace->parts = needed < (spc_real)most ? 1 + (int)needed : most;
    pace->most = SPCI_SLACK;
    return true;
}

/* Does a kinematic body carry an island? */
static SPCI_NO_INLINE bool spci_is_driven(spc_world *w, const spci_island *island)
{
    int n;
    for (n = 0; n < 2 * island->node_count; n++)
        if (spci_driver_of(w, spci_island_node(w, island, n / 2), n % 2))
            return true;
    return false;
}

/* An island's bodies as a part of a step begins, to come back to: they stand where the step leaves
   them in the end. */
static void spci_mark_bodies(spc_world *w, const spci_island *island, bool back)
{
    int i;
    for (i = 0; i < island->body_count; i++) {
        const int k = spci_body_order(w)[island->first_body + i];
        spci_states *to = spci_states_at(w, 1 - w->now) + (k - 1) / SPCI_LANES;
        if (back)
            spci_work_at(w, k)->state = spci_from_lane(to, spci_lane_of(k));
        else
            spci_to_lane(&spci_work_at(w, k)->state, to, spci_lane_of(k));
    }
}

/* Looks at a contact at the end of a part of a step that may end with a bounce: does it touch?
   Gives when it bounces, from the part's beginning, if that is due; below 0: it cannot tell. */
static spc_real spci_look_at_end(spc_world *w, const spci_node *node, const spci_pace *pace)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    spci_side *side = spci_side_at(w, node->constraint);
    spc_real gap, speed, at_once;
    spc_rows rows;
    side->touches = !side->apart &&
                    (pace->part > 0 ? side->found : side->state) != SPC_CONTACT_OPEN;
    if (side->apart || (side->distant && !side->due))
        return SPCI_MAX;
    if (spci_rows(c->kind, &c->shape, spci_state(w, c->a), spci_state(w, c->b), 0, &rows))
        return side->due ? -1 : SPCI_MAX;
    gap = rows.position_errors[2];
    speed = rows.velocity_errors[2];
    at_once = SPCI_SAME_TIME * pace->h * spci_abs(speed) + spci_no_error(&rows);
    side->touches = side->touches || gap <= at_once;
    if (!side->due || (!(speed < 0) && gap >= -at_once))
        return SPCI_MAX;
    if (!(speed < 0))
        return -1;
    return spci_abs(gap) <= at_once ? pace->part : spci_max(pace->part - gap / speed, 0);
}

/* (7.24): when the first of the bounces that are due comes, seen from the end of a part. */
static spc_status spci_look_for_bounce(spc_world *w, const spci_island *island,
                                       const spci_pace *pace, spc_real *t)
{
    const spc_real end = pace->from + pace->part;
    const spc_status status = spci_drive_all(w, island, end, end);
    int n;
    *t = SPCI_MAX;
    for (n = 0; n < island->node_count && !status; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        spc_real one;
        if (!spci_one_sided_of(w, node))
            continue;
        one = spci_look_at_end(w, node, pace);
        *t = one < *t ? one : *t;
    }
    return status;
}

/* A contact in an impact that ends a part of a step. What pressed does on, without a bounce. */
static spc_status spci_side_is_due(spc_world *w, spci_node *node)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    spci_side *side = spci_side_at(w, node->constraint);
    spc_status status;
    if (side->apart)
        spci_end_apart(c, side);
    if (!side->touches) {
        spci_clear_side(c, side);
        spci_unload(w, node);
        return SPC_OK;
    }
    status = spci_side_meets(w, node, true);
    if (side->state != SPC_CONTACT_OPEN) {
        side->g[2] = side->u[2];
        side->restitution = side->hit = 0;
    }
    return status;
}

/* What pressed before an impact and is not pulled off by it presses on. */
static void spci_keep_closed(spc_world *w, const spci_island *island)
{
    const spc_real still = 4 * SPCI_SIDES_SOLVED * spci_sides_scale(w, island);
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        spci_side *side = spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint)
                                                     : (spci_side *)NULL;
        spc_real u[6];
        if (!side)
            continue;
        if (side->takes_part && side->restitution > 0)
            side->found = SPC_CONTACT_OPEN;
        if (!side->takes_part || side->state == SPC_CONTACT_OPEN || side->found != SPC_CONTACT_OPEN)
            continue;
        spci_side_velocity(w, node, side, u);
        if (u[2] <= still)
            side->found = side->state;
    }
}

/* The impact that ends a part of a step of an island. */
static SPCI_NO_INLINE spc_status spci_end_with_bounce(spc_world *w, spci_island *island,
                                                  spci_pace *pace)
{
    spc_status status = SPC_OK;
    int n, i;
    spci_load_frames(w, island->first_body, island->first_body + island->body_count);
    spci_forget_tips(w, island);
    for (n = 0; n < island->node_count && !status; n++) {
        spci_node *node = spci_island_node(w, island, n);
        if (spci_one_sided_of(w, node))
            status = spci_side_is_due(w, node);
        else if (node->constraint >= 0)
            status = spci_load_velocities(w, node, NULL);
    }
    if (status)
        return status;
    spci_solve_joined(w, island, true);
    spci_keep_closed(w, island);
    spci_sum_sides(w, island, pace->at);
    for (i = island->first_body; i < island->first_body + island->body_count; i++)
        spci_correct(spci_body_at(w, spci_body_order(w)[i]),
                     spci_work_at(w, spci_body_order(w)[i]));
    spci_end_part(w, island, pace);
    pace->bounces++;
    pace->plain = pace->bounces == SPCI_MOST_BOUNCES;
    island->unsolved += pace->plain;
    return spci_island_finite(w, island, 1 / pace->h) ? SPC_OK : SPC_ERROR_STATE_NOT_FINITE;
}

/* A part of a step up to the first bounce in it: does it end with one? */
static spc_status spci_step_to_bounce(spc_world *w, spci_island *island, spci_pace *pace,
                                      bool *bounce)
{
    const spc_real rest = pace->part;
    spc_status status;
    int sought;
    *bounce = pace->dues = false;
    for (sought = 0;; sought++) {
        spc_real t = pace->part;
        status = spci_begin_part(w, island, pace);
        if (!status && pace->part > 0)
            status = spci_step_part(w, island, pace);
        if (status || pace->more > pace->most || !pace->dues)
            return status;
        pace->divided = true;
        island->put_off = !pace->alone && spci_is_driven(w, island);
        if (island->put_off)
            return SPC_OK;
        if (pace->cut)
            t = pace->soon;
        else
            status = spci_look_for_bounce(w, island, pace, &t);
        *bounce = !pace->cut && spci_equal(t, pace->part);
        if (status || *bounce || (!pace->cut && t > rest && !(pace->part < rest)))
            return status;
        pace->plain = t < 0 || sought == SPCI_MOST_SOUGHT;
        pace->dues = !pace->plain;
        pace->part = pace->plain || t > rest ? rest : t > SPCI_SAME_TIME * pace->h ? t : 0;
        spci_mark_bodies(w, island, true);
    }
}

/* An island through one of the equal parts of a step, and the bounces in it. */
static spc_status spci_step_through(spc_world *w, spci_island *island, spci_pace *pace,
                                    spc_real end)
{
    spc_status status = SPC_OK;
    bool bounce = false;
    pace->wild = pace->cut = false;
    while (pace->from < end && !status) {
        const spc_real rest = end - pace->from;
        if (island->one_sided)
            spci_mark_bodies(w, island, false);
        pace->part = rest;
        status = spci_step_to_bounce(w, island, pace, &bounce);
        if (status || pace->more > pace->most || island->put_off)
            return status;
        if (pace->part > 0 && island->one_sided)
            spci_sum_sides(w, island, pace->at);
        if (pace->part > 0 && spci_in_parts(pace))
            spci_end_part(w, island, pace);
        pace->from = pace->part < rest ? pace->from + pace->part : end;
        if (bounce)
            status = spci_end_with_bounce(w, island, pace);
    }
    return status;
}

/* A step of an island, in as many parts as (7.9) to (7.11), (7.21), (7.24) ask for. Kinematic
   bodies, which others read at the same time, move through the parts only if it is alone; else it
   is put off, and goes on from there. */
static SPCI_NO_INLINE spc_status spci_step_island(spc_world *w, spci_island *island, spc_real h,
                                                  bool alone)
{
    const int first = island->first_body, last = first + island->body_count;
    spci_pace pace;
    spc_status status, end;
    int k, wild;
    spci_take_states(w, first, last);
    pace.h = h;
    pace.alone = alone;
    pace.parts = alone ? island->parts : 1;
    pace.most = pace.parts > 1 ? SPCI_SLACK : 1;
    island->parts = (unsigned char)pace.parts;
    island->put_off = pace.lays = false;
    for (;;) {
        const spc_real part = h / (spc_real)pace.parts;
        status = SPC_OK;
        spci_begin_pace(&pace);
        for (k = wild = 0; k < pace.parts && !status && !(pace.more > pace.most); k++) {
            status = spci_step_through(w, island, &pace,
                                       k + 1 < pace.parts ? (spc_real)(k + 1) * part : h);
            if (island->put_off)
                return status;
            wild += pace.wild;
        }
        if (spci_in_parts(&pace)) {
            end = spci_end_parts(w, island, &pace);
            status = status ? status : end;
        }
        if (status)
            return status;
        if (!(pace.more > pace.most))
            return 2 * wild > pace.parts ? SPC_ERROR_BAD_STEP : SPC_OK;
        if (!spci_divide(&pace)) {
            if (pace.lays || !island->one_sided)
                return SPC_ERROR_BAD_STEP;
            pace.lays = true;
            pace.parts = 1;
            pace.most = 1;
        }
        island->parts = (unsigned char)pace.parts;
        island->put_off = !alone && spci_is_driven(w, island);
        if (island->put_off)
            return SPC_OK;
        spci_take_states(w, first, last);
    }
}

static inline spc_status spci_step_any(spc_world *w, spci_island *island, spc_real h)
{
    if (spci_island_is_contact(w, island) && !island->one_sided)
        return spci_step_contact(w, island, h);
    if (island->one_sided && island->node_count > 1 && spci_structure_of(w)->shares > 1) {
        island->put_off = true; /* friction of several needs memory that there is once */
        island->parts = 1;
        return SPC_OK;
    }
    return spci_step_island(w, island, h, false);
}

#ifdef SPCI_SIDE_BY_SIDE
/* Is an island kept waiting till as many of its kind are there as there are lanes? They take the
   step then. */
static bool spci_waits(spc_world *w, const spci_island *island, spc_real h, spci_lone_queue *queues,
                       spci_refusal *first)
{
    const int which = spci_lone_kind_of(w, island);
    spci_lone_queue *queue = queues + which;
    if (which == SPCI_NO_LONE)
        return false;
    queue->node[queue->count++] = spci_island_node(w, island, 0);
    if (queue->count == SPCI_LANES) {
        spci_step_lones(w, queue, which, h, first);
        queue->count = 0;
    }
    return true;
}
#endif

/* Those at the places `from` up to `to` of their list, up to one that is refused; of those that
   wait, which stand before it, another one may be. */
static spc_status spci_step_others(spc_world *w, int from, int to)
{
    const spc_real h = spci_structure_of(w)->step;
    spci_refusal first = { SPC_OK, 0 };
    int k;
#ifdef SPCI_SIDE_BY_SIDE
    spci_lone_queue queues[SPCI_LONE_KINDS];
    int l;
    for (k = 0; k < SPCI_LONE_KINDS; k++)
        queues[k].count = 0;
#endif
    for (k = from; k < to && !first.status; k++) {
        const int i = spci_others(w)[k];
        spci_island *island = spci_island_at(w, i);
#ifdef SPCI_SIDE_BY_SIDE
        if (to - from >= SPCI_LANES && spci_waits(w, island, h, queues, &first))
            continue;
#endif
        spci_note_refusal(&first, spci_step_any(w, island, h), i);
    }
#ifdef SPCI_SIDE_BY_SIDE
    for (k = 0; k < SPCI_LONE_KINDS; k++)
        for (l = 0; l < queues[k].count; l++)
            spci_step_spoilt(w, queues[k].node[l], h, &first);
#endif
    return first.status;
}

/* What all steps begin with; the clock at the end. */
static spc_status spci_begin_step(spc_world *w, spc_real h, spci_clock *after)
{
    spc_status status;
    if (!w)
        return SPC_ERROR_NULL;
    *after = spci_clock_after(w, h);
    if (!spci_is_step(h) || !spci_finite(after->time))
        return SPC_ERROR_BAD_STEP;
    status = spci_prepare(w);
    spci_structure_of(w)->step = h;
    return status;
}

/* Kinematic bodies through a time, to another. */
static spc_status spci_move_all_kinematic(spc_world *w, spc_real h, spc_real after)
{
    const spci_structure *s = spci_structure_of(w);
    spc_status status = SPC_OK;
    int i;
    for (i = s->dynamic_bodies; i < s->bodies && !status; i++) {
        const int k = spci_body_order(w)[i];
        status = spci_move_kinematic(spci_body_at(w, k), &spci_work_at(w, k)->state, h, after);
    }
    return status;
}

/* The same through half a step, with what the other half does, to its end at the time `after`. */
static spc_status spci_move_to_middle(spc_world *w, spc_real half, spc_real after)
{
    const spci_structure *s = spci_structure_of(w);
    spc_status status = spci_move_all_kinematic(w, half, spci_clock_after(w, half).time);
    int i;
    for (i = s->dynamic_bodies; i < s->bodies && !status; i++) {
        const int k = spci_body_order(w)[i];
        status = spci_foresee(spci_body_at(w, k), spci_work_at(w, k), half, after);
    }
    return status;
}

/* Has a step begun, of the bodies and constraints of now? */
static bool spci_has_begun(const spc_world *w)
{
    const spci_structure *s = spci_const_structure_of(w);
    return s->shares > 0 && s->planned && s->topology == w->topology;
}

/* How many shares of a step have work; what they come to stands for each body at most. */
static int spci_shares(const spci_structure *s)
{
    return s->shares < s->dynamic_bodies ? s->shares : s->dynamic_bodies;
}

/* What a share comes to before it is done. */
#define SPCI_LEFT_OUT (-1)

/* Where a share begins among so many. */
static int spci_share_of(int count, int share, int shares)
{
    if (shares == 1) /* a division is no small part of the step of one ball */
        return share * count;
    return (int)((unsigned long long)(unsigned)count * (unsigned)share / (unsigned)shares);
}

/* The first of the islands beside lanes, which stand in the order of their bodies, that has none in
   front of a place. */
static int spci_first_other(spc_world *w, int place)
{
    const spci_structure *s = spci_structure_of(w);
    int low = 0, high = place > 0 ? s->others : 0;
    if (place >= s->dynamic_bodies)
        return s->others;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (spci_island_at(w, spci_others(w)[middle])->first_body < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

SPC_API spc_status spc_step_begin(spc_world *world, spc_real h, int shares)
{
    const spc_real half = SPC_R(0.5) * h;
    spci_structure *s;
    spci_clock after;
    spc_status status;
    int k;
    if (world && shares < 1)
        return SPC_ERROR_BAD_COUNT;
    status = spci_begin_step(world, h, &after);
    if (status)
        return status;
    s = spci_structure_of(world);
    if (s->dynamic_bodies < s->bodies) {
        spci_take_states(world, s->dynamic_bodies, s->bodies);
        status = spci_move_to_middle(world, half, after.time);
        spci_take_back(world);
        if (status)
            return status;
    }
    s->shares = shares;
    for (k = 0; k < spci_shares(s); k++)
        spci_queue(world)[k] = SPCI_LEFT_OUT;
    return SPC_OK;
}

SPC_API spc_status spc_step_share(spc_world *world, int share)
{
    const spci_structure *s;
    spc_status status;
    int shares, groups, k, last;
    if (!world)
        return SPC_ERROR_NULL;
    if (!spci_has_begun(world))
        return SPC_ERROR_NO_STEP;
    s = spci_structure_of(world);
    if (share < 0 || share >= s->shares)
        return SPC_ERROR_BAD_COUNT;
    shares = spci_shares(s);
    if (share >= shares)
        return SPC_OK;
    groups = spci_groups(world->body_slots);
    status = spci_step_balls(world, s->step, spci_share_of(groups, share, shares),
                             spci_share_of(groups, share + 1, shares));
    k = spci_first_other(world, spci_share_of(s->dynamic_bodies, share, shares));
    last = spci_first_other(world, spci_share_of(s->dynamic_bodies, share + 1, shares));
    if (!status && k < last)
        status = spci_step_others(world, k, last);
    spci_queue(world)[share] = (int)status;
    return status;
}

/* What shares come to, each with the islands that it has put off, and kinematic bodies at the
   end. */
static spc_status spci_finish_shares(spc_world *w, spc_real after)
{
    const spci_structure *s = spci_structure_of(w);
    const int shares = spci_shares(s);
    spc_status status = SPC_OK;
    int share, k = 0;
    for (share = 0; share < shares && !status; share++) {
        const int last = spci_first_other(w, spci_share_of(s->dynamic_bodies, share + 1, shares));
        const int own = spci_queue(w)[share];
        for (; k < last && !status; k++) {
            spci_island *island = spci_island_at(w, spci_others(w)[k]);
            if (island->put_off)
                status = spci_step_island(w, island, s->step, true);
        }
        if (!status)
            status = own == SPCI_LEFT_OUT ? SPC_ERROR_NO_STEP : (spc_status)own;
    }
    if (status || s->dynamic_bodies == s->bodies)
        return status;
    return spci_move_all_kinematic(w, SPC_R(0.5) * s->step, after);
}

SPC_API spc_status spc_step_end(spc_world *world)
{
    spci_structure *s;
    spci_clock after;
    spc_status status;
    int k;
    if (!world)
        return SPC_ERROR_NULL;
    if (!spci_has_begun(world))
        return SPC_ERROR_NO_STEP;
    s = spci_structure_of(world);
    after = spci_clock_after(world, s->step);
    status = spci_finish_shares(world, after.time);
    s->shares = 0;
    if (status) {
        spci_take_back(world);
        return status;
    }
    world->now = 1 - world->now;
    spci_forget_events(world);
    spci_keep_balls(world);
    for (k = 0; k < s->others; k++) {
        const spci_island *island = spci_island_at(world, spci_others(world)[k]);
        spci_give_states(world, island->first_body, island->first_body + island->body_count);
        spci_keep_multipliers(world, island->first_node, island->node_count, 1 / s->step, true);
        if (island->one_sided)
            spci_keep_sides(world, island, false);
    }
    spci_give_states(world, s->dynamic_bodies, s->bodies);
    world->lanes_tell = true;
    world->clock = after;
    spci_end_one_step(world);
    return spci_keep_report(world, false);
}

SPC_API spc_status spc_step(spc_world *world, spc_real h)
{
    const spc_status status = spc_step_begin(world, h, 1);
    if (status)
        return status;
    (void)spc_step_share(world, 0);
    return spc_step_end(world);
}

SPC_API int spc_world_run(spc_world *world, spc_real h, int steps, spc_state *states)
{
    int i;
    for (i = 0; i < steps && !spc_step(world, h); i++) {
        spc_body body = { 0, 0 };
        while (states && spc_body_next(world, &body))
            *states++ = spci_get_state(world, (int)body.index);
    }
    return i;
}

/* A vector of the nodes as a constraint-space vector; 0 for constraints without a node. */
static void spci_give(spc_world *w, int which, spc_real *out)
{
    int k;
    for (k = 0; k < w->constraint_slots; k++) {
        const int n = *spci_node_of(w, k);
        const int count = spci_rows_in_use(spci_constraint_at(w, k));
        if (n >= 0)
            spci_copy(out, spci_vector(w, spci_node_at(w, n), which), count);
        else
            spci_clear(out, count);
        out += count;
    }
}

/* The other way. */
static void spci_take(spc_world *w, int which, const spc_real *in)
{
    int i, k;
    for (k = 0; k < w->constraint_slots; k++) {
        const int n = *spci_node_of(w, k);
        const int count = spci_rows_in_use(spci_constraint_at(w, k));
        for (i = 0; i < count && n >= 0; i++)
            spci_vector(w, spci_node_at(w, n), which)[i] = in[i];
        in += count;
    }
}

/* What the rows of a node's constraint are to be in the middle of a step, before the push: velocity
   errors as rho, position errors as lambda, for spc_world_free_motion. */
static spc_status spci_load_targets(spc_world *w, spci_node *node, spc_real h)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    spc_real s0[SPC_MAX_ROWS] = { 0 }, e0[SPC_MAX_ROWS] = { 0 }, uneven[SPC_MAX_ROWS], arm = 0;
    spci_demand demand;
    spc_vec3 w_AB;
    spc_rows rows;
    int i, k;
    const spc_status status = spci_constraint_rows(w, c, &rows);
    if (status)
        return status;
    if (spci_turned_over(c, spci_state(w, c->b), &rows, node->across))
        return SPC_ERROR_NO_CONTACT_POINT;
    spci_follow_axes(c, &rows, node->across, spci_vector(w, node, SPCI_BEFORE));
    for (i = k = 0; i < rows.count; i++)
        if (rows.enforced >> i & 1u) {
            s0[i] = spci_vector(w, node, SPCI_BEFORE)[k];
            e0[i] = spci_vector(w, node, SPCI_R)[k++];
        }
    if (node->a)
        (void)spci_note_lever(w, node->a, rows.arm_a, &arm);
    if (node->b)
        (void)spci_note_lever(w, node->b, rows.arm_b, &arm);
    w_AB = spc_sub(spci_state(w, c->b)->V_GB.angular, spci_state(w, c->a)->V_GB.angular);
    spci_find_uneven(w, c, &rows, false, SPC_R(0.5) * h, uneven);
    spci_demand_of(&c->stabilization, &rows, s0, e0, uneven, w_AB, arm, h, &demand);
    for (i = k = 0; i < rows.count; i++)
        if (rows.enforced >> i & 1u) {
            spci_vector(w, node, SPCI_RHO)[k] = demand.velocity[i] + rows.velocity_errors[i];
            spci_vector(w, node, SPCI_LAMBDA)[k++] = rows.position_errors[i] + demand.position[i];
        }
    return spci_finite_numbers(spci_vector(w, node, SPCI_RHO), (size_t)k) &&
                   spci_finite_numbers(spci_vector(w, node, SPCI_LAMBDA), (size_t)k)
               ? SPC_OK
               : SPC_ERROR_STATE_NOT_FINITE;
}

/* The first half of a step of all islands, without constraints. */
static spc_status spci_free_islands(spc_world *w, spc_real h)
{
    const spci_structure *s = spci_structure_of(w);
    spc_status status = SPC_OK;
    spci_pace pace;
    int i, k;
    pace.h = pace.part = h;
    pace.parts = 1;
    spci_begin_pace(&pace);
    for (k = 0; k < s->islands && !status; k++) {
        const spci_island *island = spci_island_at(w, k);
        status = spci_load_before(w, island, &pace);
        if (!status)
            spci_begin_island(w, island, h);
        for (i = 0; i < island->node_count && !status; i++)
            if (spci_island_node(w, island, i)->constraint >= 0)
                status = spci_load_targets(w, spci_island_node(w, island, i), h);
    }
    for (i = 0; i < s->dynamic_bodies && !status; i++) {
        k = spci_body_order(w)[i];
        spci_kick(spci_body_at(w, k), spci_work_at(w, k));
        if (!spci_finite_state(spci_state(w, k)))
            status = SPC_ERROR_STATE_NOT_FINITE;
    }
    return status;
}

SPC_API spc_status spc_world_free_motion(spc_world *world, spc_real h, spc_real *velocity_target,
                                         spc_real *position_target, int count)
{
    spci_clock after;
    spc_status status;
    if (world && (velocity_target || position_target) && count != spc_world_row_count(world))
        return SPC_ERROR_BAD_COUNT;
    status = spci_begin_step(world, h, &after);
    if (!status)
        status = spci_refuse_one_sided(world);
    if (status)
        return status;
    spci_take_states(world, 0, spci_structure_of(world)->bodies);
    status = spci_move_to_middle(world, SPC_R(0.5) * h, after.time);
    if (!status)
        status = spci_free_islands(world, h);
    if (status) {
        spci_take_back(world);
        return status;
    }
    spci_give_states(world, 0, spci_structure_of(world)->bodies);
    if (velocity_target)
        spci_give(world, SPCI_RHO, velocity_target);
    if (position_target)
        spci_give(world, SPCI_LAMBDA, position_target);
    world->clock = spci_clock_after(world, SPC_R(0.5) * h);
    spci_end_one_step(world);
    return SPC_OK;
}

SPC_API spc_status spc_world_end_motion(spc_world *world, spc_real h)
{
    const spc_real half = SPC_R(0.5) * h;
    spci_clock after;
    spc_status status = spci_begin_step(world, h, &after);
    int i;
    if (!status)
        status = spci_refuse_one_sided(world);
    if (status)
        return status;
    after = spci_clock_after(world, half);
    spci_take_states(world, 0, spci_structure_of(world)->bodies);
    for (i = 0; i < spci_structure_of(world)->dynamic_bodies && !status; i++) {
        const int k = spci_body_order(world)[i];
        spci_drift(spci_body_at(world, k), &spci_work_at(world, k)->state, half);
        if (!spci_finite_state(spci_state(world, k)))
            status = SPC_ERROR_STATE_NOT_FINITE;
    }
    if (!status)
        status = spci_move_all_kinematic(world, half, after.time);
    if (status) {
        spci_take_back(world);
        return status;
    }
    spci_give_states(world, 0, spci_structure_of(world)->bodies);
    world->clock = after;
    return SPC_OK;
}

/* Violation of one constraint's rows in use: of velocities against a target, or deadbeat. */
static void spci_violation(const spci_constraint *c, const spc_rows *rows, spc_real h,
                           const spc_real *target, spc_real *out)
{
    const spc_stabilization *stab = &c->stabilization;
    const unsigned position = spci_position_rows(stab, rows->holonomic);
    const unsigned velocity = spci_velocity_rows(stab, rows->enforced);
    int i;
    for (i = 0; i < rows->count; i++) {
        if (!(rows->enforced >> i & 1u))
            continue;
        if (target)
            *out++ = rows->velocity_errors[i] - *target++;
        else
            *out++ = (velocity >> i & 1u ? rows->velocity_errors[i] : 0) +
                     (position >> i & 1u ? rows->position_errors[i] / h : 0);
    }
}

/* The same of positions; rows without a position level have none. */
static void spci_position_violation(const spci_constraint *c, const spc_rows *rows,
                                    const spc_real *target, spc_real *out)
{
    const unsigned position = spci_position_rows(&c->stabilization, rows->holonomic);
    int i;
    for (i = 0; i < rows->count; i++) {
        if (!(rows->enforced >> i & 1u))
            continue;
        *out++ = position >> i & 1u ? rows->position_errors[i] - (target ? *target : 0) : 0;
        target = target ? target + 1 : NULL;
    }
}

/* Both, of all constraints; h is 0 for positions. */
static spc_status spci_get_violation(const spc_world *w, spc_real h, const spc_real *target,
                                     spc_real *violation, int count)
{
    spc_status status = SPC_OK;
    spc_real found[SPC_MAX_ROWS] = { 0 };
    spc_state state_a, state_b;
    spc_rows rows;
    int k, pass;
    if (count != spc_world_row_count(w))
        return SPC_ERROR_BAD_COUNT;
    for (pass = 0; pass < 2 && !status; pass++) { /* all can be had before anything is written */
        const spc_real *wanted = target;
        for (k = 0; k < w->constraint_slots && !status; k++) {
            const spci_constraint *c = spci_const_constraint_at(w, k);
            const int used = spci_rows_in_use(c);
            spc_real *out = pass ? violation : found;
            if (!c->enabled)
                continue;
            state_a = spci_get_state(w, c->a);
            state_b = spci_get_state(w, c->b);
            status = spci_rows(c->kind, &c->shape, &state_a, &state_b, 0, &rows);
            if (status)
                continue;
            if (h > 0)
                spci_violation(c, &rows, h, wanted, out);
            else
                spci_position_violation(c, &rows, wanted, out);
            if (!spci_finite_numbers(out, (size_t)used))
                status = SPC_ERROR_NOT_FINITE;
            violation += pass ? used : 0;
            wanted = wanted ? wanted + used : NULL;
        }
    }
    return status;
}

SPC_API spc_status spc_world_get_violation(const spc_world *world, spc_real h,
                                           const spc_real *target, spc_real *violation, int count)
{
    if (!world || !violation)
        return SPC_ERROR_NULL;
    if (!spci_is_step(h))
        return SPC_ERROR_BAD_STEP;
    return spci_get_violation(world, h, target, violation, count);
}

SPC_API spc_status spc_world_get_position_violation(const spc_world *world, const spc_real *target,
                                                    spc_real *violation, int count)
{
    if (!world || !violation)
        return SPC_ERROR_NULL;
    return spci_get_violation(world, 0, target, violation, count);
}

/* Loads the rows in use of all nodes, and what bodies bring to a solve. */
static spc_status spci_load_all(spc_world *w)
{
    const spci_structure *s = spci_structure_of(w);
    spc_status status = SPC_OK;
    int i;
    spci_load_frames(w, 0, spci_structure_of(w)->dynamic_bodies);
    for (i = 0; i < s->nodes && !status; i++) {
        spci_node *node = spci_node_at(w, i);
        spc_rows rows;
        if (node->constraint < 0)
            continue;
        status = spci_constraint_rows(w, spci_constraint_at(w, node->constraint), &rows);
        if (!status)
            spci_load(w, node, &rows, rows.enforced, false);
    }
    return status;
}

/* block = h J M^-1 K^T of two nodes, m x k */
static void spci_compliance_block(spc_world *w, int u, int v, spc_real h, spc_real *block)
{
    const spci_node *a = spci_node_at(w, u), *b = spci_node_at(w, v);
    int end;
    spci_clear(block, a->active * b->active);
    for (end = 0; end < 2; end++) {
        const int body = end ? a->b : a->a;
        if (body && (b->a == body || b->b == body))
            spci_add_coupling(spci_work_at(w, body), spci_jacobian_of(w, a, body), a->active,
                              spci_jacobian_of(w, b, body), b->active, h, block);
    }
}

/* Puts it at (row, column) of W with `count` columns. */
static void spci_put_block(const spc_real *block, int m, int k, spc_real *W, int row, int column,
                           int count)
{
    volatile spc_real *out = W; /* else the loop might become a call of a C library */
    int i, j;
    for (i = 0; i < m; i++)
        for (j = 0; j < k; j++)
            out[(size_t)(row + i) * (size_t)count + (size_t)(column + j)] = block[i * k + j];
}

/* The slot of the i-th chosen constraint; all: of the i-th slot. */
static int spci_chosen(const spc_constraint *chosen, int i)
{
    return chosen ? (int)chosen[i].index - 1 : i;
}

/* W of chosen constraints, or NULL to find out whether it is finite. */
static bool spci_compliance(spc_world *w, spc_real h, const spc_constraint *chosen, int n,
                            spc_real *W, int count)
{
    spc_real block[SPC_MAX_ROWS * SPC_MAX_ROWS];
    int i, j, row, column;
    for (i = row = 0; i < n; i++) {
        const int slot = spci_chosen(chosen, i), u = *spci_node_of(w, slot);
        const int m = spci_rows_in_use(spci_constraint_at(w, slot));
        for (j = column = 0; j < n; j++) {
            const int other = spci_chosen(chosen, j), v = *spci_node_of(w, other);
            const int k = spci_rows_in_use(spci_constraint_at(w, other));
            spci_clear(block, m * k);
            if (u >= 0 && v >= 0)
                spci_compliance_block(w, u, v, h, block);
            if (!spci_finite_numbers(block, (size_t)m * (size_t)k))
                return false;
            if (W)
                spci_put_block(block, m, k, W, row, column, count);
            column += k;
        }
        row += m;
    }
    return true;
}

SPC_API spc_status spc_world_get_compliance(spc_world *world, spc_real h,
                                            const spc_constraint *chosen, int n, spc_real *W,
                                            int count)
{
    spc_status status;
    int i, sum = 0;
    if (!world || !W)
        return SPC_ERROR_NULL;
    if (!spci_is_step(h))
        return SPC_ERROR_BAD_STEP;
    if (chosen && n < 0)
        return SPC_ERROR_BAD_COUNT;
    n = chosen ? n : world->constraint_slots;
    for (i = 0; i < n; i++) {
        if (chosen && !spc_constraint_exists(world, chosen[i]))
            return SPC_ERROR_STALE_CONSTRAINT;
        sum += spci_rows_in_use(spci_constraint_at(world, spci_chosen(chosen, i)));
    }
    if (count != sum)
        return SPC_ERROR_BAD_COUNT;
    status = spci_begin_call(world);
    if (!status)
        status = spci_load_all(world);
    if (status)
        return status;
    if (!spci_compliance(world, h, chosen, n, NULL, count))
        return SPC_ERROR_NOT_FINITE;
    (void)spci_compliance(world, h, chosen, n, W, count);
    return SPC_OK;
}

/* What both calls below begin with: the caller's multipliers in the nodes, and the changes of the
   bodies, -h M^-1 G^T lambda, in delta. */
static spc_status spci_take_multipliers(spc_world *w, spc_real h, const spc_real *lambda, int count)
{
    spc_status status;
    int i;
    if (!w || !lambda)
        return SPC_ERROR_NULL;
    if (!spci_is_step(h))
        return SPC_ERROR_BAD_STEP;
    if (count != spc_world_row_count(w))
        return SPC_ERROR_BAD_COUNT;
    for (i = 0; i < count; i++)
        if (!spci_finite(lambda[i]))
            return SPC_ERROR_NOT_FINITE;
    status = spci_begin_call(w);
    if (!status)
        status = spci_refuse_one_sided(w);
    if (!status)
        status = spci_load_all(w);
    if (status)
        return status;
    spci_take(w, SPCI_LAMBDA, lambda);
    for (i = 0; i < spci_structure_of(w)->dynamic_bodies; i++) {
        const int k = spci_body_order(w)[i];
        spci_delta_of_lambda(w, k);
        spci_work_at(w, k)->delta = spci_spatial_scale(h, spci_work_at(w, k)->delta);
    }
    return SPC_OK;
}

SPC_API spc_status spc_world_correct(spc_world *world, spc_real h, const spc_real *lambda,
                                     int count)
{
    spc_status status = spci_take_multipliers(world, h, lambda, count);
    int i, k;
    if (status)
        return status;
    for (i = 0; i < spci_structure_of(world)->dynamic_bodies; i++) {
        k = spci_body_order(world)[i];
        if (spci_work_at(world, k)->first >= 0)
            spci_correct(spci_body_at(world, k), spci_work_at(world, k));
    }
    for (k = 0; k < spci_structure_of(world)->islands && !status; k++)
        if (!spci_island_finite(world, spci_island_at(world, k), 1))
            status = SPC_ERROR_STATE_NOT_FINITE;
    if (status)
        return status;
    spci_give_states(world, 0, spci_structure_of(world)->dynamic_bodies);
    spci_keep_all_multipliers(world);
    return SPC_OK;
}

SPC_API spc_status spc_world_displace(spc_world *world, spc_real h, const spc_real *mu, int count)
{
    spc_status status = spci_take_multipliers(world, h, mu, count);
    int i, k;
    if (status)
        return status;
    for (i = 0; i < spci_structure_of(world)->dynamic_bodies; i++) {
        spci_work *work = spci_work_at(world, spci_body_order(world)[i]);
        work->shift = work->delta;
    }
    for (k = 0; k < spci_structure_of(world)->islands; k++)
        spci_displace_island(world, spci_island_at(world, k));
    if (!spci_finite_bodies(world, 0, spci_structure_of(world)->dynamic_bodies))
        return SPC_ERROR_STATE_NOT_FINITE;
    spci_give_states(world, 0, spci_structure_of(world)->dynamic_bodies);
    return SPC_OK;
}

/* Acceleration of Bo without constraints: Newton and Euler at Bc. */
static SPCI_NO_INLINE void spci_free_acceleration(const spc_world *w, const spci_body *body,
                                              spci_work *work)
{
    const spc_vec3 v_w = work->state.V_GB.angular, c = work->p_BBc_G;
    spc_vec3 torque = spc_vec3_make(0, 0, 0), a = spci_gravity(w, body);
    if (body->forced) {
        const spc_spatial F = spci_force_at_centre(body, work);
        torque = F.angular;
        a = spc_add(a, spc_scale(body->inv_mass, F.linear));
    }
    if (body->symmetry != SPCI_SPHERICAL) {
        const spc_quat q = work->state.X_GB.q;
        const spc_vec3 Iw =
            spc_rotate(q, spc_inertia_mul(body->mass.inertia, spc_unrotate(q, v_w)));
        torque = spc_sub(torque, spc_cross(v_w, Iw));
    }
    work->A.angular = spci_over_inertia(body, work, torque);
    if (!body->centred)
        a = spc_sub(spc_sub(a, spc_cross(work->A.angular, c)), spc_cross(v_w, spc_cross(v_w, c)));
    work->A.linear = a;
}

/* Acceleration of a body while accelerations are being found. */
static spc_spatial spci_acceleration_now(spc_world *w, int i)
{
    if (i == 0)
        return spci_spatial_zero();
    return spci_is_dynamic(w, i) ? spci_work_at(w, i)->A : spci_body_at(w, i)->A_GB;
}

/* Rows of a constraint for accelerations, with rho of (6.1) in its node. A contact alone needs no
   Jacobians: the accelerations take the place of velocities in (4.4). */
static spc_status spci_dynamics_rows(spc_world *w, spci_node *node, spc_real h, bool stabilize,
                                     bool alone, spc_rows *rows)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    const spc_spatial A_a = spci_acceleration_now(w, c->a), A_b = spci_acceleration_now(w, c->b);
    spc_real free[SPC_MAX_ROWS] = { 0 }, terms[SPC_MAX_ROWS] = { 0 };
    spc_real *rho = spci_vector(w, node, SPCI_RHO);
    int i;
    const spc_status status =
        spci_rows(c->kind, &c->shape, spci_state(w, c->a), spci_state(w, c->b),
                  alone ? SPCI_NEED_JDOT_V : SPCI_NEED_ALL, rows);
    if (status)
        return status;
    if (!spci_structure_of(w)->settled)
        node->across = rows->R_GP.x;
    else if (spci_turned_over(c, spci_state(w, c->b), rows, node->across))
        return SPC_ERROR_NO_CONTACT_POINT;
    if (alone)
        spci_put_vec3(spci_contact_velocity(rows, &A_a, &A_b), free);
    else
        spc_rows_mul(rows, &A_a, &A_b, free);
    if (stabilize)
        spc_stabilization_terms(&c->stabilization, rows, h, terms);
    for (i = 0; i < rows->count; i++)
        if (rows->enforced >> i & 1u)
            *rho++ = terms[i] - (free[i] + rows->jdot_v[i]);
    return SPC_OK;
}

/* The same in the solver. */
static SPCI_NO_INLINE spc_status spci_load_dynamics(spc_world *w, spci_node *node, spc_real h,
                                                    bool stabilize)
{
    spc_rows rows;
    const spc_status status = spci_dynamics_rows(w, node, h, stabilize, false, &rows);
    if (status)
        return status;
    spci_load(w, node, &rows, rows.enforced, true);
    spci_mix_node(w, node, SPCI_RHO, false);
    return SPC_OK;
}

/* A contact whose gap is no more than this part of its longest arm touches, if its acceleration
   takes no more way than that to stop it. What is slower does not slip. */
#ifdef SPC_USE_FLOAT
#define SPCI_TOUCHES SPC_R(1e-4)
#else
#define SPCI_TOUCHES SPC_R(1e-9)
#endif

/* In a step of fourth order: slip below this part of the velocities is rounding, and so is what the
   law is missed by in parts of its limits; contacts that are closed may move so many times faster
   than a touch, and stray by its square. */
#define SPCI_NO_SLIP (256 * SPCI_EPSILON)
#define SPCI_STRAYS 32

/* Slip below this part of what it began with has no direction of its own; and so often the forces
   of given modes are solved for. */
#define SPCI_LITTLE_SLIP SPC_R(1e-3)
#define SPCI_HELD_TURNS 3

/* What lengths of a contact count beside: its longest arm; without one, as at the centre of a
   particle, a radius of gyration. */
static spc_real spci_side_reach(spc_world *w, const spci_node *node, const spci_side *side)
{
    const spc_real arm = spci_max(node->reach, spci_max_abs(side->arm_b));
    const spci_work *work = spci_work_at(w, node->b ? node->b : node->a);
    const spc_inertia *J = &work->inv_inertia_G;
    return arm > 0 ? arm : SPC_SQRT(3 * work->inv_mass / (J->xx + (J->yy + J->zz)));
}

/* Forces that are so many times what accelerations ask for are none. */
#define SPCI_JAMS SPC_R(1e6)

/* In a step of fourth order forces do not come so near to where they have no bound. */
#define SPCI_NEARLY_JAMS SPC_R(1e5)

/* The rows of a one-sided contact, with those that are on for friction alone. */
static SPCI_NO_INLINE spc_status spci_side_kernel(const spci_constraint *c, const spc_state *a,
                                                  const spc_state *b, bool held, spci_side *side,
                                                  spc_rows *rows)
{
    spc_attachment point;
    if (spci_is_coin(c) && !held)
        return spci_side_pose(c, a, b, SPCI_NEED_JDOT_V, side, rows);
    if (side->flat) {
        spci_flat_disc_rows(&c->shape.rolling_disc, a, b, NULL, SPCI_NEED_JDOT_V, rows);
        return SPC_OK;
    }
    if (c->kind != SPC_ATTACHMENT)
        return spci_rows(c->kind, &c->shape, a, b, SPCI_NEED_JDOT_V, rows);
    spci_attachment_copy(&c->shape.attachment, &point);
    point.locked = SPC_BALL_JOINT;
    return spci_attachment_rows(&point, a, b, SPCI_NEED_JDOT_V, rows);
}

/* A block of a contact that slips faster than `speed`: its force is opposite to the slip of now,
   beside which accelerations are nothing. */
static void spci_fix_block(spci_side *side, int block, const spc_real *u, spc_real size,
                           spc_real speed)
{
    const int first = block == 0 ? 0 : block == 1 ? 3 : 5, count = block < 2 ? 2 : 1;
    const spc_real slip = spci_law_norm(u[first], count > 1 ? u[first + 1] : 0);
    int i;
    if (!(side->rows & spci_block_rows(block)) || !(slip > speed))
        return;
    side->loose |= 1u << block;
    for (i = first; i < first + count; i++)
        side->start[i] = size / SPCI_EPSILON * (u[i] / slip);
}

/* Whether C is where its plane carries it, and how far from its end. */
static void spci_side_ends(const spci_constraint *c, const spc_state *a, const spc_rows *rows,
                           spc_real reach, bool held, spci_side *side)
{
    spc_real foot[2];
    int i;
    side->beyond = spci_is_beyond(c, a, rows, held ? side->high : side->gap, reach, side);
    side->inside = reach;
    if (!spci_foot(c, a, rows, foot))
        return;
    for (i = 0; i < 2; i++) {
        const spc_real left = c->law.half_length[i] - spci_abs(foot[i]);
        side->inside = left < side->inside ? left : side->inside;
        side->foot[i] = held ? side->foot[i] : foot[i];
    }
}

/* What a one-sided contact's rows have without its forces: velocities, and accelerations with
   Baumgarte's terms. None if it is not near. */
static spc_status spci_side_asks(spc_world *w, spci_node *node, spc_real h, bool stabilize)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    const spc_state *a = spci_state(w, c->a), *b = spci_state(w, c->b);
    const spc_spatial A_a = spci_acceleration_now(w, c->a), A_b = spci_acceleration_now(w, c->b);
    const bool stabilized = stabilize && c->stabilization.enabled;
    const spc_real rate = stabilized ? spci_rate(&c->stabilization, h) : 0;
    const bool high = spci_disc_is_high(c, a, b);
    spci_side *side = spci_side_at(w, node->constraint);
    spc_real reach, speed;
    spc_rows rows;
    const spc_status status =
        spci_side_kernel(c, a, b, spci_structure_of(w)->held, side, &rows);
    int i;
    side->placed = !status;
    side->takes_part = side->touches = false;
    if (status) {
        node->across = spc_vec3_make(0, 0, 0);
        spci_unload(w, node);
        return high && !side->presses ? SPC_OK : status;
    }
    if (side->flat)
        node->across = spc_vec3_make(0, 0, 0);
    else if (!spci_structure_of(w)->settled)
        node->across = high ? spc_vec3_make(0, 0, 0) : rows.R_GP.x;
    else if (!high && spci_has_turned_over(c, b, &rows, node->across))
        return SPC_ERROR_NO_CONTACT_POINT;
    spci_place_side(w, node, &rows, side);
    spci_side_motion(c, a, b, &rows, side->u);
    spci_put_vec3(spc_add(spci_contact_velocity(&rows, &A_a, &A_b), spci_get_vec3(rows.jdot_v)),
                  side->g);
    spci_put_vec3(spc_mat3_transpose_mul(rows.R_GP, spc_sub(A_b.angular, A_a.angular)),
                  side->g + 3);
    side->size = spci_max_abs(spci_get_vec3(side->g));
    if (node->a && node->b) /* both may fall alike, and do not when one is held */
        side->size = spci_max(side->size,
                              spci_max(spci_max_abs(A_a.linear), spci_max_abs(A_b.linear)));
    reach = spci_side_reach(w, node, side);
    side->slow = SPC_SQRT(2 * SPCI_TOUCHES * reach * side->size);
    speed = (spci_max_abs(a->V_GB.linear) + spci_max_abs(b->V_GB.linear)) +
            reach * (spci_max_abs(a->V_GB.angular) + spci_max_abs(b->V_GB.angular));
    side->tiny = SPCI_NO_SLIP * (speed + h * side->size);
    side->gap = rows.position_errors[2];
    side->none = spci_no_error(&rows);
    spci_side_ends(c, a, &rows, reach, spci_structure_of(w)->held, side);
    for (i = 0; i < 6; i++) {
        side->u[i] = side->rows >> i & 1u ? side->u[i] : 0; /* what has no row slips freely */
        side->g[i] = side->rows >> i & 1u ? side->g[i] + 2 * rate * side->u[i] : 0;
    }
    side->g[2] += rate * rate * side->gap;
    return SPC_OK;
}

/* Does a disc that lies on its side touch all around? A step of fourth order does not turn it. */
static bool spci_touches_flat(spc_world *w, const spci_constraint *c)
{
    spc_vec3 n;
    const spc_vec3 tilt = spci_disc_tilt(&c->shape.rolling_disc, &spci_state(w, c->a)->X_GB,
                                         &spci_state(w, c->b)->X_GB, &n);
    return spc_dot(tilt, tilt) <= SPCI_TOUCHES * SPCI_TOUCHES;
}

/* A one-sided contact as its accelerations are asked for. One that was closed in a step of fourth
   order may have strayed. */
static spc_status spci_side_accelerates(spc_world *w, spci_node *node, spc_real h, bool stabilize)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    const bool events = spci_structure_of(w)->events;
    const bool exact = events && !spci_structure_of(w)->many;
    spci_side *side = spci_side_at(w, node->constraint);
    const spc_real stray = SPC_R(events && side->state != SPC_CONTACT_OPEN ? SPCI_STRAYS : 1);
    spc_real reach;
    spc_status status;
    int i;
    spci_clear_side(c, side);
    status = spci_side_asks(w, node, h, stabilize);
    if (status || !side->placed)
        return status;
    if (events && side->flat && !spci_touches_flat(w, c))
        return SPC_ERROR_NO_CONTACT_POINT;
    reach = spci_side_reach(w, node, side);
    side->touches = !side->beyond && side->gap <= stray * stray * SPCI_TOUCHES * reach;
    side->takes_part = side->touches && side->u[2] <= stray * side->slow;
    for (i = 0; i < 3; i++) {
        const spc_real speed = exact && !(side->still >> i & 1u) ? side->tiny : side->slow;
        spci_fix_block(side, i, side->u, side->size, i == 0 ? speed : speed / reach);
    }
    for (i = 0; i < 6 && side->takes_part; i++)
        side->p[i] = c->state != SPC_CONTACT_OPEN && !(c->hit_speed > 0) && side->rows >> i & 1u
                         ? -c->multipliers[i]
                         : 0;
    if (side->takes_part)
        spci_weigh_side(w, node, side);
    return SPC_OK;
}

/* Are the forces of an island's contacts of the size of what makes them? */
static bool spci_is_jammed(spc_world *w, const spci_island *island)
{
    spc_real asked = 0, most = 0;
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_side *side =
            spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint) : (spci_side *)NULL;
        if (!side || !side->takes_part)
            continue;
        asked = spci_max(asked, spci_max_abs(spci_get_vec3(side->g)));
        most = spci_max(most, side->p[2] * side->weight[0]);
        if (spci_structure_of(w)->events &&
            side->p[2] * side->weight[0] > SPCI_NEARLY_JAMS * side->size)
            return true;
    }
    return most > SPCI_JAMS * asked;
}

/* Components of a block's rows as a vector in G. */
static spc_vec3 spci_block_vector(const spci_side *side, int block, const spc_real *u)
{
    const spc_real *x = block == 0 ? u : u + 3;
    return spc_mat3_mul(side->R, block < 2 ? spc_vec3_make(x[0], x[1], 0)
                                           : spc_vec3_make(0, 0, x[2]));
}

/* Loads a block of a contact that keeps its mode, and slides: opposite to its slip, or where there
   is none left to speak of, to where that has been turning to. */
static void spci_slope_block(spc_world *w, const spci_node *node, spci_side *side,
                             const spci_constraint *c, int block)
{
    const spc_real least = block == 0 ? side->tiny : side->tiny / spci_side_reach(w, node, side);
    const spc_vec3 v = spci_block_vector(side, block, side->u);
    const spc_real limit = spci_side_limit(c, side, block, 1);
    const bool slips =
        spc_dot(v, side->last[block]) > spci_max(least, SPCI_LITTLE_SLIP * side->began[block]);
    spc_vec3 d = spc_sub(spc_scale(2, side->last[block]), side->of.first[block]);
    spc_real x[3], length;
    if (slips)
        d = v;
    length = spc_norm(d);
    d = spc_scale(1 / length, d); /* of two units once less another, or of slip: not 0 */
    if (slips)
        side->last[block] = d;
    spci_put_vec3(spc_mat3_transpose_mul(side->R, d), x);
    if (block == 2) {
        side->slope[5] = -limit * x[2];
        return;
    }
    side->x[block] = x[0];
    side->y[block] = x[1];
    side->soft[block] = spci_max(spc_dot(v, d), 0);
    side->slope[3 * block] = side->rows >> 3 * block & 1u ? -limit * x[0] : 0;
    side->slope[3 * block + 1] = side->rows >> 3 * block & 2u ? -limit * x[1] : 0;
}

/* (7.18): the compliance across the slip of a contact that keeps its mode, one of so many that
   slide. Its soft is the slip. */
static void spci_soften(spc_world *w, spci_side *side, const spci_constraint *c, int count)
{
    const spc_real half = SPC_R(0.5) * spci_structure_of(w)->part;
    int i;
    for (i = 0; i < 2; i++) {
        const spc_real push = spci_side_limit(c, side, i, side->p[2]), slip = side->soft[i];
        const spc_real rate = push * side->weight[i + 1] * (spc_real)count;
        if (!(side->slides >> i & 1u) || slip < 0)
            continue;
        side->soft[i] = -1;
        if (half * rate > slip)
            side->soft[i] = slip > 0 ? slip / (push * (half - slip / rate)) : 0;
    }
}

/* A one-sided contact that keeps its mode, as its accelerations are asked for. One that presses is
   placed, or that is refused. */
static spc_status spci_side_stays(spc_world *w, spci_node *node, spc_real h, bool stabilize)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    spci_side *side = spci_side_at(w, node->constraint);
    const bool presses = side->presses;
    const unsigned slides = side->slides;
    const spc_status status = spci_side_asks(w, node, h, stabilize);
    int i;
    side->presses = side->takes_part = presses;
    side->slides = slides;
    if (status || !side->takes_part)
        return status;
    spci_copy(side->p, side->best, 6);
    spci_clear(side->slope, 6);
    for (i = 0; i < 3; i++)
        if (slides >> i & 1u)
            spci_slope_block(w, node, side, c, i);
    return SPC_OK;
}

/* Solves for an island whose contacts keep their modes, as spci_solve_joined: rows of what sticks
   hold in both directions, and what slides is loaded along its slope. */
static void spci_solve_held(spc_world *w, spci_island *island)
{
    int n, i, turn, count = 0;
    spci_copy_vector(w, island, SPCI_RHO, SPCI_ASKED);
    spci_clear(spci_all(w, island, SPCI_BEFORE), island->length);
    for (n = spci_next_slide(w, island, -1); n < island->node_count; count++)
        n = spci_next_slide(w, island, n);
    for (n = 0; n < island->node_count; n++) {
        spci_node *node = spci_island_node(w, island, n);
        const spci_constraint *c = spci_one_sided_of(w, node);
        spci_side *side = c ? spci_side_at(w, node->constraint) : (spci_side *)NULL;
        if (!side)
            continue;
        side->loose = 0;
        if (side->takes_part)
            spci_weigh_side(w, node, side);
        else
            spci_clear(side->p, 6);
        spci_soften(w, side, c, count);
        for (i = 0; i < 6; i++)
            if (i != 2 && side->slides >> spci_row_block(i) & 1u)
                side->p[i] = side->slope[i] * side->p[2];
        spci_load_mode(w, node, side);
    }
    spci_factor(w, island);
    for (turn = 0; turn < SPCI_HELD_TURNS; turn++) { /* later ones take what rows have yielded */
        spci_sum_impulses(w, island);
        spci_keep_delta(w, island, false);
        spci_load_slides(w, island, SPCI_SIDES_SOLVED);
        spci_keep_delta(w, island, true);
        spci_ask(w, island, true);
        spci_solve(w, island, SPCI_CONTACTS, 1, false);
        if (island->dropped)
            spci_take_least_norm(w, island);
        spci_take_step(w, island);
    }
    spci_copy_vector(w, island, SPCI_BEFORE, SPCI_LAMBDA);
    spci_mix(w, island, SPCI_LAMBDA, true);
    for (n = 0; n < island->node_count; n++) {
        spci_node *node = spci_island_node(w, island, n);
        if (!spci_one_sided_of(w, node))
            continue;
        spci_copy(spci_side_at(w, node->constraint)->sum, spci_side_at(w, node->constraint)->p, 6);
        spci_tell_side(w, node);
    }
}

/* Sets up an island with one-sided contacts for accelerations, and solves for it: by their law, or
   with the modes that they keep. */
static spc_status spci_solve_sides_once(spc_world *w, spci_island *island, spc_real h,
                                        bool stabilize)
{
    const bool held = spci_structure_of(w)->held;
    spc_status status = SPC_OK;
    int i;
    for (i = 0; i < island->node_count && !status; i++) {
        spci_node *node = spci_island_node(w, island, i);
        if (spci_one_sided_of(w, node))
            status = held ? spci_side_stays(w, node, h, stabilize)
                          : spci_side_accelerates(w, node, h, stabilize);
        else if (node->constraint >= 0)
            status = spci_load_dynamics(w, node, h, stabilize);
    }
    if (status)
        return status;
    for (i = 0; i < island->body_count; i++) {
        spci_work *work = spci_work_at(w, spci_body_order(w)[island->first_body + i]);
        work->shift = work->A;
    }
    if (held)
        spci_solve_held(w, island);
    else
        spci_find_states(w, island, false);
    for (i = 0; i < island->body_count; i++) {
        spci_work *work = spci_work_at(w, spci_body_order(w)[island->first_body + i]);
        work->A = work->shift;
    }
    return SPC_OK;
}

/* Accelerations of an island with one-sided contacts. A disc that tips has no contact point for
   what goes on from there. */
static spc_status spci_constrain_sides(spc_world *w, spci_island *island, spc_real h,
                                       bool stabilize)
{
    const spci_structure *s = spci_structure_of(w);
    spc_status status;
    if (!s->held)
        spci_forget_tips(w, island);
    do {
        status = spci_solve_sides_once(w, island, h, stabilize);
        if (status)
            return status;
        if (!s->held && spci_is_jammed(w, island))
            return SPC_ERROR_JAMMED;
        if (s->held || !spci_note_tips(w, island))
            break;
        status = s->events ? SPC_ERROR_NO_CONTACT_POINT : SPC_OK;
    } while (!status);
    if (status)
        return status;
    return spci_finite_multipliers(w, island, 1) ? SPC_OK : SPC_ERROR_STATE_NOT_FINITE;
}

/* Accelerations of an island's bodies by (6.1), from those without constraints. */
static spc_status spci_constrain(spc_world *w, spci_island *island, spc_real h, bool stabilize)
{
    int i;
    for (i = 0; i < island->node_count; i++) {
        spci_node *node = spci_island_node(w, island, i);
        const spc_status status =
            node->constraint < 0 ? SPC_OK : spci_load_dynamics(w, node, h, stabilize);
        if (status)
            return status;
    }
    spci_factor(w, island);
    spci_solve(w, island, SPCI_ACCELERATIONS, 1, false);
    spci_finish_multipliers(w, island);
    return spci_finite_multipliers(w, island, 1) ? SPC_OK : SPC_ERROR_STATE_NOT_FINITE;
}

/* The same for a contact alone. */
static spc_status spci_constrain_contact(spc_world *w, const spci_island *island, spc_real h,
                                         bool stabilize)
{
    spci_node *node = spci_island_node(w, island, 0);
    const int i = node->a ? node->a : node->b;
    spc_real *lambda = spci_vector(w, node, SPCI_LAMBDA), *rho = spci_vector(w, node, SPCI_RHO);
    spc_real all[3] = { 0, 0, 0 };
    spci_definite f;
    spc_rows rows;
    int k;
    const spc_status status = spci_dynamics_rows(w, node, h, stabilize, true, &rows);
    if (status)
        return status;
    node->mask = rows.enforced;
    for (k = 0; k < 3; k++)
        if (rows.enforced >> k & 1u)
            all[k] = *rho++;
    f = spci_factor_contact(spci_body_at(w, i), spci_work_at(w, i), &rows, node->b != 0);
    spci_solve_contact(spci_body_at(w, i), spci_work_at(w, i), &rows, node->b != 0, &f,
                       spci_get_vec3(all), lambda);
    return spci_finite_contact(lambda, node->mask, 1) ? SPC_OK : SPC_ERROR_STATE_NOT_FINITE;
}

/* Accelerations of an island's bodies into work->A, multipliers into its nodes. */
static spc_status spci_accelerate_island(spc_world *w, spci_island *island, spc_real h,
                                         bool stabilize)
{
    const int *bodies = spci_body_order(w) + island->first_body;
    spc_status status = SPC_OK;
    int i;
    for (i = 0; i < island->body_count; i++) {
        spci_body_frame(spci_body_at(w, bodies[i]), spci_work_at(w, bodies[i]));
        spci_free_acceleration(w, spci_body_at(w, bodies[i]), spci_work_at(w, bodies[i]));
        spci_work_at(w, bodies[i])->delta = spci_work_at(w, bodies[i])->push = spci_spatial_zero();
        spci_work_at(w, bodies[i])->lever = 0;
    }
    if (island->one_sided)
        status = spci_constrain_sides(w, island, h, stabilize);
    else if (spci_island_is_contact(w, island))
        status = spci_constrain_contact(w, island, h, stabilize);
    else if (island->node_count > 0)
        status = spci_constrain(w, island, h, stabilize);
    for (i = 0; i < island->body_count && !status; i++) {
        spci_work *work = spci_work_at(w, bodies[i]);
        const spc_spatial d = work->delta;
        work->A.angular = spc_add(work->A.angular, d.angular);
        work->A.linear =
            spc_add(work->A.linear,
                    spci_to_origin(spci_body_at(w, bodies[i]), d.linear, d.angular, work->p_BBc_G));
        if (!spci_finite_spatial(work->A))
            status = SPC_ERROR_STATE_NOT_FINITE;
    }
    return status;
}

static spc_status spci_accelerate(spc_world *w, spc_real h, bool stabilize)
{
    spc_status status = SPC_OK;
    int k;
    for (k = 0; k < spci_structure_of(w)->islands && !status; k++)
        status = spci_accelerate_island(w, spci_island_at(w, k), h, stabilize);
    return status;
}

/* What spci_accelerate found becomes what the queries tell. */
static void spci_keep_accelerations(spc_world *w)
{
    int i;
    for (i = 0; i < spci_structure_of(w)->dynamic_bodies; i++) {
        const int k = spci_body_order(w)[i];
        spci_body_at(w, k)->A_GB = spci_work_at(w, k)->A;
    }
    spci_keep_all_multipliers(w);
}

SPC_API spc_status spc_world_forward_dynamics(spc_world *world)
{
    spc_status status;
    if (!world)
        return SPC_ERROR_NULL;
    status = spci_begin_call(world);
    if (!status)
        status = spci_accelerate(world, 0, true);
    if (status)
        return status;
    spci_keep_accelerations(world);
    return spci_keep_report(world, true);
}

/* One stage: adds weight times the rates at the present state to the sums, then sets the state to
   saved + reach * rates (reach 0: leaves it). */
static SPCI_PASSING void spci_rk4_stage(spc_world *w, int i, spc_real weight, spc_real reach)
{
    const spc_state saved = spci_begun_state(w, i);
    spci_sums *sums = spci_sums_at(w, i);
    spc_state *s = &spci_work_at(w, i)->state;
    const spc_spatial V = s->V_GB, A = spci_acceleration_now(w, i);
    const spc_quat spin = spc_quat_make(0, V.angular.x, V.angular.y, V.angular.z);
    const spc_quat rate = spci_quat_scale(SPC_R(0.5), spc_quat_mul(spin, s->X_GB.q));
    const spc_quat q0 = saved.X_GB.q;
    spc_quat *sum = &sums->q, q;
    *sum = spc_quat_make(sum->w + weight * rate.w, sum->x + weight * rate.x,
                         sum->y + weight * rate.y, sum->z + weight * rate.z);
    sums->p = spc_add(sums->p, spc_scale(weight, V.linear));
    sums->V = spci_spatial_add(sums->V, spci_spatial_scale(weight, A));
    q = spc_quat_make(q0.w + reach * rate.w, q0.x + reach * rate.x, q0.y + reach * rate.y,
                      q0.z + reach * rate.z);
    s->X_GB.q = spci_quat_scale(1 / SPC_SQRT(spci_quat_dot(q, q)), q);
    s->X_GB.p = spc_add(saved.X_GB.p, spc_scale(reach, V.linear));
    s->V_GB = spci_spatial_add(saved.V_GB, spci_spatial_scale(reach, A));
}

static void spci_rk4_begin(spci_sums *sums)
{
    sums->q = spc_quat_make(0, 0, 0, 0);
    sums->p = spc_vec3_make(0, 0, 0);
    sums->V = spci_spatial_zero();
}

/* The state after the step from the sums. */
static SPCI_PASSING void spci_rk4_end(spc_world *w, int i)
{
    const spc_state saved = spci_begun_state(w, i);
    const spci_sums *sums = spci_sums_at(w, i);
    spc_state *s = &spci_work_at(w, i)->state;
    const spc_quat q0 = saved.X_GB.q, d = sums->q;
    const spc_quat q = spc_quat_make(q0.w + d.w, q0.x + d.x, q0.y + d.y, q0.z + d.z);
    s->X_GB.q = q0;
    if (!spci_equal(spci_quat_dot(d, d), 0))
        s->X_GB.q = spci_quat_scale(1 / SPC_SQRT(spci_quat_dot(q, q)), q);
    s->X_GB.p = spc_add(saved.X_GB.p, sums->p);
    s->V_GB = spci_spatial_add(saved.V_GB, sums->V);
}

/* All four stages; states are those after the step. whole: of which it may be a part. */
static spc_status spci_rk4(spc_world *w, spc_real h, spc_real whole, bool stabilize)
{
    static const int sixths[4] = { 1, 2, 2, 1 }, halves[5] = { 0, 1, 1, 2, 0 };
    const spci_structure *s = spci_structure_of(w);
    const int *order = spci_body_order(w);
    spc_status status = SPC_OK;
    int stage, i;
    for (i = 0; i < s->bodies; i++)
        spci_rk4_begin(spci_sums_at(w, order[i]));
    for (stage = 0; stage < 4; stage++) {
        const spc_real part = SPC_R(0.5) * (spc_real)halves[stage] * h;
        const spc_real now = spci_clock_after(w, part).time;
        for (i = s->dynamic_bodies; i < s->bodies && !status; i++)
            if (spci_body_at(w, order[i])->motion)
                status = spci_move_kinematic(spci_body_at(w, order[i]),
                                             &spci_work_at(w, order[i])->state, 0, now);
        if (!status)
            status = spci_accelerate(w, whole, stabilize);
        if (status)
            return status;
        spci_structure_of(w)->settled = true; /* the other stages are off by the step's curvature */
        for (i = 0; i < s->bodies; i++)
            if (!spci_body_at(w, order[i])->motion)
                spci_rk4_stage(w, order[i], (spc_real)sixths[stage] * h / 6,
                               SPC_R(0.5) * (spc_real)halves[stage + 1] * h);
    }
    for (i = 0; i < s->bodies; i++)
        if (!spci_body_at(w, order[i])->motion)
            spci_rk4_end(w, order[i]);
    return SPC_OK;
}

/* Near singular positions poses would have to go far for little: what a relative change of rows by
   this explains, (6.5), is left as it is. */
#ifdef SPC_USE_FLOAT
#define SPCI_SINGULAR SPC_R(1e-3)
#else
#define SPCI_SINGULAR SPC_R(4e-5)
#endif

/* Does a contact keep its mode, and is that open? */
static bool spci_keeps_open(spc_world *w, int slot)
{
    return spci_structure_of(w)->held && spci_constraint_at(w, slot)->one_sided &&
           !spci_side_at(w, slot)->presses;
}

/* Is nothing wrong with a gap, as those of one-sided contacts that do not keep their mode? */
static bool spci_may_be_apart(spc_world *w, const spci_constraint *c, int slot,
                              const spc_rows *rows)
{
    const spc_real gap = rows->position_errors[2];
    return c->one_sided && !spci_structure_of(w)->held &&
           (gap > 0 || spci_is_beyond(c, spci_state(w, c->a), rows, gap,
                                      spci_max_abs(rows->arm_b), spci_side_at(w, slot)));
}

/* Loads the rows of a node that have a position level; rho takes their errors away. */
static spc_status spci_load_positions(spc_world *w, spci_node *node)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    spc_real *rho = spci_vector(w, node, SPCI_RHO);
    unsigned mask;
    spc_rows rows;
    int i;
    spc_status status;
    if (spci_keeps_open(w, node->constraint)) {
        spci_load_mode(w, node, spci_side_at(w, node->constraint));
        return SPC_OK;
    }
    status = spci_constraint_rows(w, c, &rows);
    if (status)
        return status;
    mask = spci_position_rows(&c->stabilization, rows.holonomic);
    if (spci_may_be_apart(w, c, node->constraint, &rows))
        mask = 0;
    spci_load(w, node, &rows, mask, true);
    node->drift = SPCI_SINGULAR; /* errors are what it is about */
    node->contradiction = 0;
    for (i = 0; i < rows.count; i++)
        if (mask >> i & 1u)
            *rho++ = -rows.position_errors[i];
    spci_mix_node(w, node, SPCI_RHO, false);
    return SPC_OK;
}

/* Largest position error of the enabled constraints, or one that is not finite; and the same as a
   multiple of rounding, of the coordinates that it comes from or, of rotations, of 1. */
static spc_status spci_position_residual(spc_world *w, spc_real *most, spc_real *roundings)
{
    int k, i;
    *most = *roundings = 0;
    for (k = 0; k < w->constraint_slots; k++) {
        const spci_constraint *c = spci_const_constraint_at(w, k);
        spc_status status;
        spc_real size;
        spc_rows rows;
        unsigned mask;
        if (!c->enabled || spci_keeps_open(w, k))
            continue;
        status = spci_constraint_rows(w, c, &rows);
        if (status && !spci_is_dynamic(w, c->a) && !spci_is_dynamic(w, c->b))
            continue; /* nothing asks for it elsewhere */
        if (status)
            return status;
        mask = spci_position_rows(&c->stabilization, rows.holonomic);
        if (spci_may_be_apart(w, c, k, &rows))
            continue;
        size = spci_max_abs(rows.p_GC) + (spci_max_abs(rows.arm_a) + spci_max_abs(rows.arm_b));
        for (i = 0; i < rows.count; i++) {
            const spc_real e = mask >> i & 1u ? spci_abs(rows.position_errors[i]) : 0;
            const spc_real unit = SPCI_EPSILON * (i < 3 ? size : 1);
            if (e > 0)
                *roundings = spci_max(*roundings, unit > 0 ? e / unit : SPCI_MAX);
            if (spci_finite(*most))
                *most = spci_finite(e) ? spci_max(*most, e) : e;
        }
    }
    return SPC_OK;
}

/* One Newton step on the positions of all islands; moved: the largest displacement. */
static spc_status spci_position_step(spc_world *w, spc_real *moved)
{
    const spci_structure *s = spci_structure_of(w);
    spc_status status = SPC_OK;
    spc_real angle = 0, part;
    int i, k;
    spci_load_frames(w, 0, spci_structure_of(w)->dynamic_bodies);
    for (i = 0; i < s->dynamic_bodies; i++) {
        spci_work *work = spci_work_at(w, spci_body_order(w)[i]);
        work->inv_inertia_G = spci_inertia_scale(1 / s->stiffness, work->inv_inertia_G);
        work->delta = spci_spatial_zero();
    }
    for (i = 0; i < s->nodes && !status; i++)
        if (spci_node_at(w, i)->constraint >= 0)
            status = spci_load_positions(w, spci_node_at(w, i));
    if (status)
        return status;
    for (i = 0; i < s->islands; i++) {
        spci_factor(w, spci_island_at(w, i));
        spci_solve(w, spci_island_at(w, i), SPCI_DISPLACEMENTS, 1, false);
    }
    *moved = 0;
    for (k = 0; k < s->islands; k++) {
        const spci_island *island = spci_island_at(w, k);
        for (i = island->first_body; i < island->first_body + island->body_count; i++) {
            const spc_spatial d = spci_work_at(w, spci_body_order(w)[i])->delta;
            const spc_real turn = spc_norm(d.angular);
            angle = spci_max(angle, turn);
            *moved = spci_max(*moved, spci_max(spci_max_abs(d.linear), island->reach * turn));
        }
    }
    part = spci_bounded_part(angle);
    for (i = 0; i < s->dynamic_bodies; i++) {
        const int body = spci_body_order(w)[i];
        spci_displace(spci_body_at(w, body), spci_work_at(w, body),
                      spci_work_at(w, body)->delta, part);
    }
    return SPC_OK;
}

/* A step of less than this part of the errors changes nothing. */
#ifdef SPC_USE_FLOAT
#define SPCI_STILL SPC_R(1e-4)
#else
#define SPCI_STILL SPC_R(1e-9)
#endif

/* The same in parts of the longest arm. */
#define SPCI_NO_MOVE (65536 * SPCI_EPSILON)

/* Did the last step move nothing to speak of, and leave out rows that it would have to move more
   for? Then what is left of the errors is what they contradict each other by, be it a rounding of a
   singular position. */
static bool spci_is_least(spc_world *w, spc_real moved, spc_real left)
{
    spc_real reach = 0;
    bool dropped = false;
    int i;
    for (i = 0; i < spci_structure_of(w)->islands; i++) {
        const spci_island *island = spci_island_at(w, i);
        dropped = dropped || island->dropped;
        if (island->node_count > 0)
            reach = spci_max(reach, island->reach);
    }
    return dropped && (moved <= SPCI_STILL * left || moved <= SPCI_NO_MOVE * reach);
}

/* Where turning as easily as moving leads nowhere, as it may with a disc deep under a plane, which
   would turn flat, turning is made so much harder. */
#define SPCI_ASSEMBLY_STIFFNESS SPC_R(1e4)

/* Projection aims at position errors of so many units of rounding of the coordinates; where
   Newton's steps no longer find less, it makes do with so many times more. */
#define SPCI_PROJECTED 16
#define SPCI_NO_LESS 64

/* More Newton steps than this find nothing. */
#define SPCI_MOST_ASSEMBLY_STEPS 100

/* Newton's method on the positions until no error exceeds the tolerance, or so many roundings; or,
   where constraints contradict each other, until the bodies stand where the sum of the squares of
   the errors is least. */
static spc_status spci_assemble_positions(spc_world *w, spc_real tolerance, spc_real roundings,
                                          spc_real *best)
{
    spc_real left, units, moved;
    spc_status status = spci_position_residual(w, &left, &units);
    bool done = left <= tolerance || units <= roundings;
    int i;
    *best = left;
    for (i = 0; i < SPCI_MOST_ASSEMBLY_STEPS && !done && !status; i++) {
        const spc_real before = units;
        status = spci_position_step(w, &moved);
        if (!status)
            status = spci_position_residual(w, &left, &units);
        if (status)
            break;
        *best = left < *best ? left : *best;
        done = left <= tolerance || units <= roundings ||
               (units <= SPCI_NO_LESS * roundings && units > SPC_R(0.5) * before);
        if (!done && spci_is_least(w, moved, left)) {
            *best = left;
            done = true;
        }
    }
    if (status)
        return status;
    if (!spci_finite(left) || !spci_finite_bodies(w, 0, spci_structure_of(w)->bodies))
        return SPC_ERROR_STATE_NOT_FINITE;
    return done ? SPC_OK : SPC_ERROR_NOT_ASSEMBLED;
}

SPC_API spc_status spc_world_assemble(spc_world *world, spc_real tolerance, spc_real *residual)
{
    spc_real best = 0;
    spc_status status;
    if (!world)
        return SPC_ERROR_NULL;
    if (!(tolerance > 0) || !spci_finite(tolerance))
        return SPC_ERROR_BAD_TOLERANCE;
    status = spci_begin_call(world);
    if (status)
        return status;
    status = spci_assemble_positions(world, tolerance, 0, &best);
    if (status) {
        spc_real stiff = best;
        spc_status again;
        spci_take_states(world, 0, spci_structure_of(world)->bodies);
        spci_structure_of(world)->stiffness = SPCI_ASSEMBLY_STIFFNESS;
        again = spci_assemble_positions(world, tolerance, 0, &stiff);
        best = stiff < best ? stiff : best;
        status = again ? status : again;
    }
    if (residual &&
        (!status || status == SPC_ERROR_NOT_ASSEMBLED || status == SPC_ERROR_STATE_NOT_FINITE))
        *residual = best;
    if (status)
        return status;
    spci_give_states(world, 0, spci_structure_of(world)->dynamic_bodies);
    return spci_keep_report(world, true);
}

/* A one-sided contact that keeps its mode, for velocities that fit it. */
static spc_status spci_side_fits(spc_world *w, spci_node *node)
{
    spci_side *side = spci_side_at(w, node->constraint);
    const bool presses = side->presses;
    const unsigned slides = side->slides;
    const spc_status status = spci_side_meets(w, node, false);
    side->presses = side->takes_part = presses;
    side->slides = slides;
    side->soft[0] = side->soft[1] = -1;
    spci_clear(side->slope, 6);
    return status;
}

/* The impulses of an island with one-sided contacts, whose joints have been loaded, with rho. */
static spc_status spci_change_sides(spc_world *w, spci_island *island, bool impact)
{
    const bool held = spci_structure_of(w)->held;
    spc_status status = SPC_OK;
    int n;
    if (!held)
        spci_forget_tips(w, island);
    do {
        for (n = 0; n < island->node_count && !status; n++)
            if (spci_one_sided_of(w, spci_island_node(w, island, n)))
                status = held ? spci_side_fits(w, spci_island_node(w, island, n))
                              : spci_side_meets(w, spci_island_node(w, island, n), impact);
        if (status)
            return status;
        if (held)
            spci_solve_held(w, island);
        else
            spci_find_states(w, island, impact);
    } while (!held && spci_note_tips(w, island));
    return SPC_OK;
}

/* Brings the velocity errors of all islands to v_plus; lambda of the nodes are the impulses. */
static spc_status spci_change_velocities(spc_world *w, const spc_real *v_plus, bool impact)
{
    const spci_structure *s = spci_structure_of(w);
    spc_status status = SPC_OK;
    int i, k;
    spci_load_frames(w, 0, spci_structure_of(w)->dynamic_bodies);
    for (k = 0; k < w->constraint_slots; k++) {
        const int n = *spci_node_of(w, k);
        if (n >= 0 && !spci_constraint_at(w, k)->one_sided)
            status = spci_load_velocities(w, spci_node_at(w, n), v_plus);
        if (status)
            return status;
        v_plus = v_plus ? v_plus + spci_rows_in_use(spci_constraint_at(w, k)) : NULL;
    }
    for (k = 0; k < s->islands; k++) {
        spci_island *island = spci_island_at(w, k);
        if (island->node_count == 0)
            continue;
        if (island->one_sided) {
            status = spci_change_sides(w, island, impact);
            if (status)
                return status;
        } else {
            spci_factor(w, island);
            spci_solve(w, island, SPCI_IMPULSES, 1, false);
            spci_finish_multipliers(w, island);
        }
        for (i = island->first_body; i < island->first_body + island->body_count; i++)
            spci_correct(spci_body_at(w, spci_body_order(w)[i]),
                         spci_work_at(w, spci_body_order(w)[i]));
        if (!spci_island_finite(w, island, 1))
            return SPC_ERROR_STATE_NOT_FINITE;
    }
    return SPC_OK;
}

SPC_API spc_status spc_world_apply_impulses(spc_world *world, const spc_real *v_plus,
                                            spc_real *impulses, int count)
{
    spc_status status;
    int i;
    if (!world)
        return SPC_ERROR_NULL;
    if ((v_plus || impulses) && count != spc_world_row_count(world))
        return SPC_ERROR_BAD_COUNT;
    for (i = 0; v_plus && i < count; i++)
        if (!spci_finite(v_plus[i]))
            return SPC_ERROR_NOT_FINITE;
    status = spci_begin_call(world);
    if (!status)
        status = spci_change_velocities(world, v_plus, false);
    if (status)
        return status;
    spci_give_states(world, 0, spci_structure_of(world)->dynamic_bodies);
    if (impulses)
        spci_give(world, SPCI_LAMBDA, impulses);
    return spci_keep_report(world, true);
}

SPC_API spc_status spc_world_project_velocities(spc_world *world)
{
    return spc_world_apply_impulses(world, NULL, NULL, 0);
}

SPC_API spc_status spc_world_impact(spc_world *world)
{
    const spci_structure *s;
    spc_status status;
    int k;
    if (!world)
        return SPC_ERROR_NULL;
    status = spci_begin_call(world);
    if (!status)
        status = spci_change_velocities(world, NULL, true);
    if (status)
        return status;
    s = spci_structure_of(world);
    spci_give_states(world, 0, s->dynamic_bodies);
    spci_keep_all_multipliers(world);
    spci_forget_events(world);
    for (k = 0; k < s->islands; k++)
        if (spci_island_at(world, k)->one_sided)
            spci_keep_sides(world, spci_island_at(world, k), true);
    return spci_keep_report(world, true);
}

/* Poses, then velocities, onto the constraints. */
static spc_status spci_project(spc_world *w)
{
    spc_real left;
    const spc_status status = spci_assemble_positions(w, 0, SPCI_PROJECTED, &left);
    return status ? status : spci_change_velocities(w, NULL, false);
}

/* Has no disc turned over since the step began? */
static spc_status spci_check_discs(spc_world *w)
{
    int i;
    for (i = 0; i < spci_structure_of(w)->nodes; i++) {
        const spci_node *node = spci_node_at(w, i);
        const int k = node->constraint;
        const spci_constraint *c = k < 0 ? NULL : spci_constraint_at(w, k);
        spc_status status;
        spc_rows rows;
        if (!c || c->kind != SPC_ROLLING_DISC ||
            (c->one_sided && (spci_is_zero_vec3(node->across) ||
                              spci_disc_is_high(c, spci_state(w, c->a), spci_state(w, c->b)))))
            continue;
        status = spci_rows(c->kind, &c->shape, spci_state(w, c->a), spci_state(w, c->b), 0, &rows);
        if (status)
            return status;
        if (spci_turned_over(c, spci_state(w, c->b), &rows, node->across))
            return SPC_ERROR_NO_CONTACT_POINT;
    }
    return SPC_OK;
}

/*
   A step of fourth order with one-sided contacts is taken in parts that end where something
   happens. As a part begins, what meets bounces, and the law on accelerations tells each contact's
   mode: open, or closed, and of friction and the resistances, whether they hold or give way.
   Through the part modes are kept, and the motion is smooth: open contacts have no rows; closed
   ones hold, in both directions, along n and in what sticks; what slides is loaded by p_n,

       p_t = - friction p_n u_t / |u_t|                                                    (7.16)

   or, where u_t = 0, along the direction that the law has found. The part ends well if afterwards

       gap >= 0 of open ones,    p_n >= 0 of closed ones, whose plane has not ended,
       u_t . d > 0 of those that slide,    friction p_n >= |p_t| of those that stick       (7.17)

   and so for the resistances; d is the direction that the slip had last. Else the first time at
   which one of them does not hold is found between, by secants and halves, each with the part taken
   anew from its beginning, and the next part begins there.

   Slip that is slow turns fast: what is across it dies away by r = friction p_n W_tt / |u_t|, and a
   part t that is long for it, r t > 2, would turn it to and fro. Then friction is opposite to where
   the slip will be after s = t/2 - 1/r more: that is a compliance across it, as in (6.13),

       a_m + |u_t| / (friction p_n s) p_m = 0                                              (7.18)

   which leaves slip along a line as it is. But where slip turns, neither that nor the method is
   exact. What slides through a part of t errs in its velocity by less than

    t |A_4 - A_5| / 6                                                                   (7.20)

   with the accelerations of the last stage and at the end: so far is from it the method of third
   order with the same stages, of which the last is taken at the end. A part in which that is too
   much is taken anew, shorter by its fourth root, and so the next one is not longer than what the
   last erred by allows. Where slip is slow and turns, as at the foot of a body on a slope that
   slides across it, parts are short beside |u_t| / (friction p_n W_tt), and grow with the slip.

   A bounce that would not rise by a touch, or of which there have been many and that would land
   again within the step, rests. Where there have been many events slip that its acceleration would
   stop within a touch is none: else feet of which one has to slip by rounding, as of a box that
   stabilization lifts, do so by turns until no more events are looked for, and then gain energy.
   Where the law on accelerations has no solution with the slip of the moment (Painleve), the
   contacts get the impulse that stops the slip or turns it around, as if they met with nearly no
   speed, (5.3).

   Modes may have no part to be kept through. Feet that stick while a body is lifted or tips ask for
   accelerations that contradict each other a little, by the heights that they differ in; forces
   that obey the law then balance each other on the limits of friction, are hard to find, and allow
   no mode for longer than some roundings. So contacts chatter where more than five events in a row
   that are no bounces come as soon after the one before as

       t <= h / 1000                                                                       (7.23)

   Then, and where (7.17) does not hold in the part behind the last event that is looked for, all
   is taken back. The step is one of second order, which asks for velocities instead, in 16 parts:
   it errs by a 256th of what it would in one, brings no energy in beyond that, and costs so many
   solutions.
*/

/* Most events in a step, and from when on a bounce that ends in it rests. */
#define SPCI_MOST_EVENTS 64
#define SPCI_MANY_EVENTS 32

/* What slides may err by so much in a part, as a part of what accelerations without forces do in a
   step; in shorter parts than one of so many, by more. No part is shortened once there have been
   so many. */
#ifdef SPC_USE_FLOAT
#define SPCI_FINE SPC_R(1e-5)
#else
#define SPCI_FINE SPC_R(1e-7)
#endif
#define SPCI_COARSE SPC_R(1e-4)
#define SPCI_FINE_PARTS 16
#define SPCI_MOST_DIVISIONS 256
#define SPCI_SAFE_PART SPC_R(0.9) /* of the longest that is allowed */
#define SPCI_MOST_EQUAL 65536 /* of parts that the rest of a step is divided into in thought */

/* Most trials for one of them, and the part of the step, or of (7.17), that is rounding. */
#define SPCI_MOST_TRIALS 80
#define SPCI_NO_PART (64 * SPCI_EPSILON)

/* (7.23): so many events are no chatter yet; each comes within this part of the step. An island's
   step of second order that is taken instead has so many parts. */
#define SPCI_MOST_SUDDEN 5
#define SPCI_AT_ONCE SPC_R(0.001)
#define SPCI_INSTEAD_PARTS 16

/* What a step of fourth order follows. */
typedef struct spci_course {
    spc_real h, done; /* the step, and what has been taken of it [s] */
    spc_real part;    /* how long the next part may be, by how the last one erred [s] */
    int events, parts; /* so far */
    int sudden;        /* events in a row that came at once without a bounce */
    bool stabilize;
    bool bounced;      /* something has as the part began */
} spci_course;

/* By how much (7.17) holds for a block of a contact that is closed, in parts of what is there. */
static spc_real spci_block_margin(spc_world *w, const spci_node *node, const spci_side *side,
                                  int block, spc_real tau)
{
    const spci_constraint *c = spci_constraint_at(w, node->constraint);
    const spc_real arm = block == 0 ? 1 : spci_side_reach(w, node, side);
    const spc_real limit = spci_side_limit(c, side, block, side->p[2]);
    const int first = block == 0 ? 0 : block == 1 ? 3 : 5;
    spc_real length, slip;
    if (!(side->rows & spci_block_rows(block)) || (block == 0 && c->law.grip))
        return 1;
    if (side->slides >> block & 1u) {
        slip = spc_dot(spci_block_vector(side, block, side->u), side->last[block]);
        return (arm * slip + side->tiny) /
               (arm * side->began[block] + tau * side->size + side->tiny);
    }
    length = spci_law_norm(side->p[first], block < 2 ? side->p[first + 1] : 0);
    return (limit * (1 + 64 * SPCI_NO_PART) - length) *
               (arm * side->weight[block + 1] / side->size) +
           SPCI_NO_PART;
}

/* The same for p_n, which is not to come near to where friction jams, either. */
static spc_real spci_press_margin(const spci_side *side)
{
    const spc_real push = side->p[2] * side->weight[0] / side->size;
    const spc_real bound = 1 - push / (2 * SPCI_NEARLY_JAMS);
    return push < bound ? push + SPCI_NO_PART : bound;
}

/* The least of (7.17) of all contacts, with p of the end of a part that took a time. NaN stays. */
static spc_real spci_margin(spc_world *w, spc_real tau)
{
    spc_real least = 1;
    int n, i;
    for (n = 0; n < spci_structure_of(w)->nodes; n++) {
        const spci_node *node = spci_node_at(w, n);
        const spci_constraint *c = spci_one_sided_of(w, node);
        const spci_side *side = c ? spci_side_at(w, node->constraint) : (const spci_side *)NULL;
        spc_real all[5] = { 1, 1, 1, 1, 1 };
        if (!side || !side->placed || (side->beyond && !side->presses))
            continue;
        if (!side->presses)
            all[3] = (side->gap - side->shift) / spci_side_reach(w, node, side);
        else if (side->size > 0)
            all[3] = spci_press_margin(side);
        if (side->presses)
            all[4] = side->inside / spci_side_reach(w, node, side);
        for (i = 0; i < 3 && side->presses && side->size > 0; i++)
            all[i] = spci_block_margin(w, node, side, i, tau);
        for (i = 0; i < 5; i++)
            least = least <= all[i] ? least : all[i];
    }
    return least;
}

/* What a part of a step that has been tried comes to: the least of (7.17), and the error of what
   slides, in parts of what is allowed. */
typedef struct spci_trial {
    spc_real margin, error;
} spci_trial;

/* |A_4 - A_5| of (7.20), of a body of a contact, whose sums have A_4. */
static spc_real spci_body_error(spc_world *w, int body, spc_real reach)
{
    const spc_spatial was = spci_sums_at(w, body)->V, A = spci_acceleration_now(w, body);
    return spc_norm(spc_sub(A.linear, was.linear)) +
           reach * spc_norm(spc_sub(A.angular, was.angular));
}

/* The most of (7.20) of what slides through a part, in parts of what is allowed. */
static spc_real spci_part_error(spc_world *w, const spci_course *course, spc_real tau)
{
    const spc_real part = SPCI_FINE_PARTS * tau < course->h ? SPCI_COARSE : SPCI_FINE;
    spc_real most = 0;
    int n;
    for (n = 0; n < spci_structure_of(w)->nodes; n++) {
        const spci_node *node = spci_node_at(w, n);
        const spci_side *side = spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint)
                                                           : (const spci_side *)NULL;
        spc_real e = 0, reach;
        if (!side || !side->presses || !side->slides)
            continue;
        reach = spci_side_reach(w, node, side);
        e += node->a ? spci_body_error(w, node->a, reach) : 0;
        e += node->b ? spci_body_error(w, node->b, reach) : 0;
        most = spci_max(most, tau / 6 * e / (part * course->h * side->size + side->tiny));
    }
    return most;
}

/* A part of a step, from its bodies' saved states: states and accelerations at its end, and what
   comes of it; (7.17) is below 0, too, where that cannot be reached. */
static spc_status spci_try_part(spc_world *w, const spci_course *course, spc_real tau,
                                spci_trial *trial)
{
    spci_structure *s = spci_structure_of(w);
    spc_status status;
    int n, i;
    for (i = 0; i < s->bodies; i++)
        spci_work_at(w, spci_body_order(w)[i])->state = spci_begun_state(w, spci_body_order(w)[i]);
    for (n = 0; n < s->nodes; n++) {
        const spci_node *node = spci_node_at(w, n);
        spci_side *side = spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint)
                                                     : (spci_side *)NULL;
        for (i = 0; i < 3 && side; i++)
            side->last[i] = side->of.first[i];
    }
    s->settled = false;
    s->part = tau;
    trial->margin = -1;
    trial->error = 0;
    status = spci_rk4(w, tau, course->h, course->stabilize);
    if (!status && !spci_finite_bodies(w, 0, s->bodies))
        status = SPC_ERROR_STATE_NOT_FINITE;
    if (!status)
        status = spci_check_discs(w);
    for (i = 0; i < s->dynamic_bodies && !status; i++)
        spci_sums_at(w, spci_body_order(w)[i])->V = spci_work_at(w, spci_body_order(w)[i])->A;
    if (!status)
        status = spci_accelerate(w, course->h, course->stabilize);
    if (!status) {
        trial->margin = spci_margin(w, tau);
        trial->error = course->parts > SPCI_MOST_DIVISIONS ? 0 : spci_part_error(w, course, tau);
    }
    return status;
}

/* The part of a step up to the first event, or to its end at a limit: so long it is. Looks no
   further where a trial is too coarse. */
static spc_status spci_find_event(spc_world *w, const spci_course *course, spc_real limit,
                                  spci_trial *trial, spc_real *tau)
{
    spc_real before = 0, after, end = limit, start = 0;
    spc_status status = spci_try_part(w, course, limit, trial);
    int turn;
    *tau = limit;
    after = trial->margin;
    if (course->events >= SPCI_MOST_EVENTS)
        return status;
    for (turn = 1; turn < SPCI_MOST_TRIALS && end - start > SPCI_NO_PART * course->h &&
                   !(trial->error > 1) && !(!status && after > -SPCI_NO_PART);
         turn++) {
        *tau = SPC_R(0.5) * (start + end);
        if (before > 0 && turn % 3)
            *tau = start + (end - start) * (before / (before - after));
        if (!(*tau > start && *tau < end))
            *tau = SPC_R(0.5) * (start + end);
        status = spci_try_part(w, course, *tau, trial);
        if (!status && trial->margin >= 0) {
            start = *tau;
            before = trial->margin;
        } else {
            end = *tau;
            after = trial->margin;
        }
    }
    if (*tau < end && !(trial->error > 1)) { /* the last trial was a good one */
        *tau = end;
        status = spci_try_part(w, course, end, trial);
    }
    trial->margin = after;
    return status;
}

/* Counts what a part ended with. Refuses where contacts chatter, and where there have been so many
   events that the part is one in which modes do not hold. */
static spc_status spci_count_event(spci_course *course, const spci_trial *trial, spc_real tau)
{
    const bool ended = trial->margin >= 0, last = course->events >= SPCI_MOST_EVENTS;
    if (!course->bounced)
        course->sudden = !ended && tau <= SPCI_AT_ONCE * course->h ? course->sudden + 1 : 0;
    course->events += !ended && !last;
    return course->sudden > SPCI_MOST_SUDDEN || (last && !(trial->margin >= -SPCI_NO_PART))
               ? SPC_ERROR_JAMMED
               : SPC_OK;
}

/* The part of a step up to the first event, to its end, or as long as (7.20) allows: so long it
   is. What that allows after it is taken to be the same. */
static spc_status spci_find_part(spc_world *w, spci_course *course, spc_real *tau)
{
    const spc_real rest = course->h - course->done;
    const spc_real part = spci_max(course->part, rest / SPCI_MOST_EQUAL);
    const int equal = part < rest ? (int)(rest / part) + 1 : 1;
    spc_real limit = rest / (spc_real)equal;
    spc_status status;
    spci_trial trial;
    course->parts++;
    do {
        status = spci_find_event(w, course, limit, &trial, tau);
        course->part = course->h;
        if (trial.error > 0)
            limit = *tau * spci_max(SPCI_SAFE_PART / SPC_SQRT(SPC_SQRT(trial.error)), SPC_R(0.1));
        if (trial.error > 0 && limit < course->h)
            course->part = limit;
    } while (trial.error > 1);
    return status ? status : spci_count_event(course, &trial, *tau);
}

/* Does a contact meet that has just been asked for accelerations? */
static bool spci_side_lands(const spci_side *side)
{
    return side->touches &&
           side->u[2] < (side->state != SPC_CONTACT_OPEN ? -side->slow : -side->tiny);
}

static bool spci_some_side_lands(spc_world *w, const spci_island *island)
{
    bool lands = false;
    int n;
    for (n = 0; n < island->node_count && !lands; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        lands = spci_one_sided_of(w, node) && spci_side_lands(spci_side_at(w, node->constraint));
    }
    return lands;
}

/* The speed with which contacts of an island that jam as if meet: so little of its fastest slip
   that is more than what the law may be missed by, which of one alone is rounding. */
static spc_real spci_jam_speed(spc_world *w, const spci_island *island)
{
    spc_real most = 0;
    int n;
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        const spci_side *side = spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint)
                                                           : (const spci_side *)NULL;
        if (side && side->takes_part)
            most = spci_max(most, spci_law_norm(side->u[0], side->u[1]));
    }
    return (island->node_count == 1 ? 4 * SPCI_SIDES_SOLVED : 100 * SPCI_SIDES_NEARLY) * most;
}

/* A one-sided contact as some of its island meet; or, with a speed, jam. It has a contact point:
   accelerations have asked for it at this pose. */
static void spci_side_bounces(spc_world *w, spci_node *node, const spci_course *course,
                              spc_real jam)
{
    spci_side *side = spci_side_at(w, node->constraint);
    const bool jams = jam > 0 && side->p[2] * side->weight[0] > SPCI_NEARLY_JAMS * side->size;
    const spc_real fall = -side->g[2], rest = course->h - course->done;
    spc_real up;
    if (!side->touches) {
        spci_clear_side(spci_constraint_at(w, node->constraint), side);
        spci_unload(w, node);
        return;
    }
    (void)spci_side_meets(w, node, true);
    up = side->restitution * side->hit;
    if (up <= side->slow || jam > 0 ||
        (course->events >= SPCI_MANY_EVENTS && 2 * up < rest * fall)) {
        side->restitution = 0;
        side->g[2] = side->u[2];
    }
    if (jam > 0)
        side->hit = 0;
    if (jams)
        side->g[2] = -jam;
}

/* The impact of the contacts of an island that touch; or an impulse without one where they jam. */
static spc_status spci_bounce(spc_world *w, spci_island *island, spci_course *course,
                              bool jams)
{
    const spc_real jam = jams ? spci_jam_speed(w, island) : 0;
    int n, i;
    spci_load_frames(w, 0, spci_structure_of(w)->dynamic_bodies);
    spci_forget_tips(w, island);
    for (n = 0; n < island->node_count; n++) { /* nor are joints refused, for the same reason */
        spci_node *node = spci_island_node(w, island, n);
        if (spci_one_sided_of(w, node))
            spci_side_bounces(w, node, course, jam);
        else if (node->constraint >= 0)
            (void)spci_load_velocities(w, node, NULL);
    }
    spci_find_states(w, island, true);
    if (spci_note_tips(w, island))
        return SPC_ERROR_NO_CONTACT_POINT;
    for (i = island->first_body; i < island->first_body + island->body_count; i++)
        spci_correct(spci_body_at(w, spci_body_order(w)[i]),
                     spci_work_at(w, spci_body_order(w)[i]));
    for (n = 0; n < island->node_count; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        spci_side *side = spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint)
                                                     : (spci_side *)NULL;
        if (!side)
            continue;
        side->still = side->state == SPC_CONTACT_ROLLING ? 7u : 0;
        side->fastest = spci_max(side->fastest, side->met);
        if (side->hit > 0 && side->restitution > 0) {
            side->state = SPC_CONTACT_OPEN;
            course->bounced = true;
        }
    }
    return spci_island_finite(w, island, 1) ? SPC_OK : SPC_ERROR_STATE_NOT_FINITE;
}

/* The mode of a contact as the law has found it on accelerations, to be kept. */
static void spci_keep_mode(spc_world *w, const spci_node *node, const spci_constraint *c)
{
    spci_side *side = spci_side_at(w, node->constraint);
    spc_real u[6];
    int i;
    spci_side_velocity(w, node, side, u);
    side->presses = side->takes_part && side->p[2] > 0;
    side->slides = 0;
    side->high = side->placed ? side->gap : 0;
    side->shift = (side->high < 0 ? side->high : 0) - side->none;
    for (i = 0; i < 3 && side->presses; i++) {
        const spc_real limit = spci_side_limit(c, side, i, side->p[2]);
        const spc_vec3 v = spci_block_vector(side, i, side->u);
        const spc_vec3 p = spci_block_vector(side, i, side->p);
        const spc_real arm = i == 0 ? 1 : spci_side_reach(w, node, side), length = spc_norm(p);
        const bool loose = side->loose >> i & 1u;
        if (!(side->rows & spci_block_rows(i)) || !(length > 0))
            continue;
        if (!loose && !(length >= limit * (1 - SPCI_TOUCHES) &&
                        arm * spc_norm(spci_block_vector(side, i, u)) >
                            SPCI_NO_PART * (side->size / 4 + arm * limit * side->weight[i + 1])))
            continue;
        side->slides |= 1u << i;
        side->began[i] = spc_norm(v);
        side->of.first[i] = loose ? spc_scale(1 / side->began[i], v) : spc_scale(-1 / length, p);
    }
    spci_copy(side->best, side->p, 6);
    side->state = SPC_CONTACT_OPEN;
    if (side->presses)
        side->state = side->rows & 3u && !(side->slides & 1u) ? SPC_CONTACT_ROLLING
                                                              : SPC_CONTACT_SLIDING;
}

/* The modes of an island as a part begins, after what meets there. */
static spc_status spci_begin_modes(spc_world *w, spci_island *island, spci_course *course)
{
    spc_status status;
    int turn, n;
    for (turn = 0;; turn++) {
        bool lands;
        status = spci_accelerate_island(w, island, course->h, course->stabilize);
        if (!island->one_sided || (status && status != SPC_ERROR_JAMMED))
            return status;
        lands = spci_some_side_lands(w, island);
        if (turn == SPCI_MOST_LOOKS || (!status && !lands))
            break;
        status = spci_bounce(w, island, course, !lands);
        if (status)
            return status;
    }
    for (n = 0; n < island->node_count && !status; n++) {
        const spci_node *node = spci_island_node(w, island, n);
        if (spci_one_sided_of(w, node))
            spci_keep_mode(w, node, spci_one_sided_of(w, node));
    }
    return status;
}

/* What contacts bring into a step; or, at its end, what they are left as. */
static void spci_bring_sides(spc_world *w, bool end)
{
    int k;
    for (k = 0; k < w->constraint_slots; k++) {
        const spci_constraint *c = spci_constraint_at(w, k);
        spci_side *side = spci_side_at(w, k);
        if (end) {
            side->met = side->fastest;
            continue;
        }
        side->state = spci_state_left(c);
        side->wait = c->wait;
        side->tries = c->tries;
        side->still = side->state == SPC_CONTACT_ROLLING ? 1u : 0;
        side->presses = side->placed = side->flat = side->tips = false;
        side->fastest = 0;
    }
}

/* What has no slip left at the end of a part. */
static void spci_keep_still(spc_world *w)
{
    int n, i;
    for (n = 0; n < spci_structure_of(w)->nodes; n++) {
        const spci_node *node = spci_node_at(w, n);
        spci_side *side = spci_one_sided_of(w, node) ? spci_side_at(w, node->constraint)
                                                     : (spci_side *)NULL;
        if (!side)
            continue;
        side->still = 0;
        for (i = 0; i < 3 && side->presses; i++) {
            const spc_real arm = i == 0 ? 1 : spci_side_reach(w, node, side);
            const spc_vec3 v = spci_block_vector(side, i, side->u);
            if (!(side->slides >> i & 1u) ||
                arm * spc_norm(v) <= spci_max(4 * side->tiny, SPCI_TOUCHES * arm * side->began[i]))
                side->still |= 1u << i;
        }
    }
}

/* One part: modes, motion, projection. */
static spc_status spci_take_part(spc_world *w, spci_course *course, spc_drift drift)
{
    spci_structure *s = spci_structure_of(w);
    spc_status status = SPC_OK;
    spc_real tau = 0;
    int i, k;
    s->held = s->settled = false;
    s->many = course->events >= SPCI_MANY_EVENTS;
    course->bounced = false;
    for (i = s->dynamic_bodies; i < s->bodies && !status; i++) {
        const int body = spci_body_order(w)[i];
        if (spci_body_at(w, body)->motion)
            status = spci_move_kinematic(spci_body_at(w, body), &spci_work_at(w, body)->state, 0,
                                         w->clock.time);
    }
    for (k = 0; k < s->islands && !status; k++)
        status = spci_begin_modes(w, spci_island_at(w, k), course);
    if (status)
        return status;
    spci_give_states(w, 0, s->bodies);
    s->held = true;
    status = spci_find_part(w, course, &tau);
    spci_keep_still(w);
    s->settled = false;
    if (!status && drift == SPC_DRIFT_PROJECT) {
        status = spci_project(w);
        if (!status)
            status = spci_accelerate(w, course->h, false);
    }
    course->done += tau;
    return status;
}

/* A step of fourth order from event to event. The states that parts begin with stand in the set
   that does not hold. */
static spc_status spci_rk4_events(spc_world *w, spc_real h, spc_drift drift)
{
    spci_structure *s = spci_structure_of(w);
    const spci_clock start = w->clock;
    spc_status status = SPC_OK;
    spci_course course;
    course.h = h;
    course.done = 0;
    course.part = h;
    course.events = course.parts = course.sudden = 0;
    course.stabilize = drift == SPC_DRIFT_STABILIZE;
    spci_bring_sides(w, false);
    w->now = 1 - w->now;
    s->events = true;
    while (!status && h - course.done > SPCI_NO_PART * h) {
        status = spci_take_part(w, &course, drift);
        w->clock = start;
        w->clock = spci_clock_after(w, course.done);
    }
    s->events = s->held = s->many = false;
    w->now = 1 - w->now;
    w->clock = start;
    spci_bring_sides(w, true);
    return status;
}

/* The same without one-sided contacts. */
static spc_status spci_rk4_smooth(spc_world *w, spc_real h, spc_drift drift)
{
    spci_structure *s = spci_structure_of(w);
    spc_status status = spci_rk4(w, h, h, drift == SPC_DRIFT_STABILIZE);
    if (!status && !spci_finite_bodies(w, 0, s->bodies))
        status = SPC_ERROR_STATE_NOT_FINITE;
    if (!status)
        status = spci_check_discs(w);
    s->settled = false;
    if (!status && drift == SPC_DRIFT_PROJECT) {
        status = spci_project(w);
        if (!status)
            status = spci_accelerate(w, h, false);
    }
    return status;
}

/* Is there a disc that may lie on its side? */
static bool spci_has_coin(spc_world *w)
{
    int n;
    for (n = 0; n < spci_structure_of(w)->nodes; n++) {
        const spci_constraint *c = spci_one_sided_of(w, spci_node_at(w, n));
        if (c && spci_is_coin(c))
            return true;
    }
    return false;
}

/* A vector without its denormal numbers: projections leave a small part of a velocity that is to
   vanish, and of those what rounding makes of it, for ever. */
static spc_vec3 spci_normal_vec3(spc_vec3 v)
{
    v.x = spci_abs(v.x) < SPCI_LEAST_NORMAL ? 0 : v.x;
    v.y = spci_abs(v.y) < SPCI_LEAST_NORMAL ? 0 : v.y;
    v.z = spci_abs(v.z) < SPCI_LEAST_NORMAL ? 0 : v.z;
    return v;
}

/* Is a body at rest before a step and after it, in the same place but for rounding? */
static bool spci_has_rested(const spc_state *before, const spc_state *after)
{
    const spc_quat q = before->X_GB.q, r = after->X_GB.q;
    const spc_real most = 4 * SPCI_EPSILON * spci_max_abs(before->X_GB.p);
    return spci_is_zero_vec3(before->V_GB.angular) && spci_is_zero_vec3(before->V_GB.linear) &&
           spci_is_zero_vec3(after->V_GB.angular) && spci_is_zero_vec3(after->V_GB.linear) &&
           spci_max_abs(spc_sub(after->X_GB.p, before->X_GB.p)) <= most &&
           spci_max(spci_max(spci_abs(q.w - r.w), spci_abs(q.x - r.x)),
                    spci_max(spci_abs(q.y - r.y), spci_abs(q.z - r.z))) <= 4 * SPCI_EPSILON;
}

/* What comes to rest on contacts in a step of fourth order does, and keeps its pose from then on:
   a quaternion that is made unit may change each time. */
static void spci_come_to_rest(spc_world *w)
{
    int i;
    for (i = 0; i < spci_structure_of(w)->dynamic_bodies; i++) {
        const int k = spci_body_order(w)[i];
        const spc_state before = spci_get_state(w, k);
        spc_state *s = &spci_work_at(w, k)->state;
        s->V_GB.angular = spci_normal_vec3(s->V_GB.angular);
        s->V_GB.linear = spci_normal_vec3(s->V_GB.linear);
        if (spci_has_rested(&before, s))
            s->X_GB = before.X_GB;
    }
}

/* Adds what was counted before to the report of what has come after it. */
static void spci_count_before(spc_world *w, const spc_world_report *before)
{
    spc_world_report *r = &spci_structure_of(w)->report;
    r->factorizations += before->factorizations;
    r->substitutions += before->substitutions;
}

/* A step of second order, with so many parts of islands with one-sided contacts to begin with. */
static spc_status spci_step_parts(spc_world *w, spc_real h, int parts)
{
    const spci_structure *s = spci_structure_of(w);
    spc_status status = spc_step_begin(w, h, 1);
    int k;
    if (status)
        return status;
    status = spci_step_balls(w, h, 0, spci_groups(w->body_slots));
    for (k = 0; k < s->others && !status; k++) {
        spci_island *island = spci_island_at(w, spci_others(w)[k]);
        island->parts = (unsigned char)parts;
        island->put_off = island->one_sided; /* until others have read what kinematic bodies do */
        if (!island->put_off)
            status = spci_step_any(w, island, h);
    }
    spci_queue(w)[0] = (int)status;
    return spc_step_end(w);
}

/* A step of second order instead of one of fourth that has been given up, and the accelerations at
   its end. The report is of the last of them that did its work, but counts what all have done. */
static spc_status spci_step_instead(spc_world *w, spc_real h, int parts)
{
    spc_world_report *report = &spci_structure_of(w)->report;
    const spc_world_report last = *report;
    spc_world_report before;
    spc_status status;
    (void)spci_take_notes(w, true);
    before = *report;
    status = spci_step_parts(w, h, parts);
    if (status) {
        *report = last;
        return status;
    }
    spci_count_before(w, &before);
    before = *report;
    if (!spc_world_forward_dynamics(w))
        spci_count_before(w, &before);
    return SPC_OK;
}

SPC_API spc_status spc_step_rk4(spc_world *world, spc_real h, spc_drift drift)
{
    spc_status status;
    spci_structure *s;
    spci_clock after;
    int k;
    if (world && drift != SPC_DRIFT_STABILIZE && drift != SPC_DRIFT_PROJECT)
        return SPC_ERROR_BAD_OPTION;
    status = spci_begin_step(world, h, &after);
    if (status)
        return status;
    s = spci_structure_of(world);
    spci_take_states(world, 0, s->bodies);
    spci_bring_multipliers(world);
    status = spci_refuse_one_sided(world) ? spci_rk4_events(world, h, drift)
                                          : spci_rk4_smooth(world, h, drift);
    if (status) {
        spci_take_back(world);
        if (status == SPC_ERROR_JAMMED)
            return spci_step_instead(world, h, SPCI_INSTEAD_PARTS);
        if (status == SPC_ERROR_NO_CONTACT_POINT && spci_has_coin(world))
            return spci_step_instead(world, h, 1); /* what lies down or tips is of its order */
        return status;
    }
    if (s->one_sided)
        spci_come_to_rest(world);
    spci_give_states(world, 0, s->bodies);
    spci_keep_accelerations(world);
    spci_forget_events(world);
    for (k = 0; k < s->islands; k++)
        if (spci_island_at(world, k)->one_sided)
            spci_keep_sides(world, spci_island_at(world, k), false);
    world->clock = after;
    spci_end_one_step(world);
    return spci_keep_report(world, true);
}

SPC_API spc_status spc_world_get_report(const spc_world *world, spc_world_report *report)
{
    if (!world || !report)
        return SPC_ERROR_NULL;
    *report = spci_const_structure_of(world)->report;
    return SPC_OK;
}

SPC_API spc_status spc_world_get_energy_momentum(const spc_world *world, spc_energy_momentum *out)
{
    spc_energy_momentum m;
    int i;
    if (!world || !out)
        return SPC_ERROR_NULL;
    m.kinetic = m.potential = 0;
    m.linear = m.angular = spc_vec3_make(0, 0, 0);
    for (i = 1; i <= world->body_slots; i++) {
        const spci_body *b = spci_const_body_at(world, i);
        spc_vec3 w, c, v, L, P;
        spc_state state;
        spc_quat q;
        if (!spci_in_use(b->generation) || b->kind != SPC_DYNAMIC)
            continue;
        state = spci_get_state(world, i);
        q = state.X_GB.q;
        w = state.V_GB.angular;
        c = spc_rotate(q, b->mass.p_BBc);
        v = spc_add(state.V_GB.linear, spc_cross(w, c));
        L = spc_rotate(q, spc_inertia_mul(b->mass.inertia, spc_unrotate(q, w)));
        P = spc_scale(b->mass.mass, v);
        c = spc_add(state.X_GB.p, c);
        m.kinetic += SPC_R(0.5) * (spc_dot(P, v) + spc_dot(L, w));
        m.potential -= b->mass.mass * spc_dot(world->gravity, c);
        m.linear = spc_add(m.linear, P);
        m.angular = spc_add(m.angular, spc_add(L, spc_cross(c, P)));
    }
    if (!((m.kinetic - m.kinetic) + (m.potential - m.potential) + spci_nan_of(m.linear) +
              spci_nan_of(m.angular) >=
          0))
        return SPC_ERROR_NOT_FINITE;
    *out = m;
    return SPC_OK;
}

/* -------------------------------------------- [7i.4] WORLD: DRAWING, IMPLEMENTATION ----------- */

typedef enum spci_shade {
    SPCI_GREY,
    SPCI_ORANGE,
    SPCI_BLUE,
    SPCI_RED,
    SPCI_GREEN,
    SPCI_VIOLET
} spci_shade;

/* What draws: the callbacks, what they are told next, and what is known on the way. */
typedef struct spci_pen {
    const spc_world *world;
    const spc_drawing *drawing;
    spc_drawn what;
    spc_transform X; /* X_G of the frame in which coordinates are given */
    spc_quat step;   /* turn from one segment of a circle to the next */
    bool enabled;    /* what is drawn acts */
    int floor;       /* body of the last plane; -1: none */
    spc_real half_width;
    spc_transform X_FP;
} spci_pen;

/* Takes a color that is told from white and from black alike; grey for what does not act. */
static SPCI_NO_INLINE void spci_draw_shade(spci_pen *pen, spci_shade shade)
{
    static const unsigned char rgb[6][3] = {
        { 136, 136, 136 }, { 187, 119, 0 }, { 68, 136, 204 }, { 221, 51, 51 }, { 34, 153, 68 },
        { 168, 108, 200 }
    };
    const unsigned char *c = rgb[pen->enabled ? shade : SPCI_GREY];
    pen->what.color.r = (spc_real)c[0] / 255;
    pen->what.color.g = (spc_real)c[1] / 255;
    pen->what.color.b = (spc_real)c[2] / 255;
    pen->what.color.a = 1;
}

/* Begins a part of a body, in a frame of the body; is it wanted? */
static SPCI_NO_INLINE bool spci_draw_begin(spci_pen *pen, unsigned part, int body, spci_shade shade,
                                       const spc_transform *X_B)
{
    pen->what.part = part;
    pen->what.body = spci_body_handle(pen->world, body);
    pen->X = spc_transform_mul(spci_get_state(pen->world, body).X_GB, *X_B);
    spci_draw_shade(pen, shade);
    return (pen->drawing->parts & part) != 0;
}

static SPCI_NO_INLINE void spci_draw_line(const spci_pen *pen, spc_vec3 a, spc_vec3 b)
{
    a = spc_transform_point(pen->X, a);
    b = spc_transform_point(pen->X, b);
    if (spci_finite_vec3(a) && spci_finite_vec3(b) && !spci_is_zero_vec3(spc_sub(b, a)))
        pen->drawing->line(pen->drawing->user, &pen->what, a, b);
}

/* From the origin of the frame. */
static void spci_draw_to(const spci_pen *pen, spc_real x, spc_real y, spc_real z)
{
    spci_draw_line(pen, spc_vec3_make(0, 0, 0), spc_vec3_make(x, y, z));
}

/* Through the origin, to both sides. */
static void spci_draw_through(const spci_pen *pen, spc_real x, spc_real y, spc_real z)
{
    spci_draw_line(pen, spc_vec3_make(-x, -y, -z), spc_vec3_make(x, y, z));
}

/* Axes x y z, red, green and blue. */
static void spci_draw_axes(spci_pen *pen, spc_real length)
{
    spci_draw_shade(pen, SPCI_RED);
    spci_draw_to(pen, length, 0, 0);
    spci_draw_shade(pen, SPCI_GREEN);
    spci_draw_to(pen, 0, length, 0);
    spci_draw_shade(pen, SPCI_BLUE);
    spci_draw_to(pen, 0, 0, length);
}

/* Around the origin, by lines if there is nothing better. */
static SPCI_NO_INLINE void spci_draw_circle(const spci_pen *pen, spc_real radius)
{
    const spc_drawing *d = pen->drawing;
    const spc_vec3 first = spc_vec3_make(radius, 0, 0);
    spc_vec3 a = first, b;
    int i;
    if (!spci_finite_vec3(pen->X.p))
        return;
    if (d->circle) {
        d->circle(d->user, &pen->what, pen->X, radius);
        return;
    }
    for (i = 1; i <= d->segments; i++) {
        b = i < d->segments ? spc_rotate(pen->step, a) : first;
        spci_draw_line(pen, a, b);
        a = b;
    }
}

/* Around the origin: circles about z, x and y in the place of a sphere. */
static void spci_draw_sphere(spci_pen *pen, spc_real radius)
{
    const spc_quat turn = spc_quat_make(SPC_R(0.5), SPC_R(0.5), SPC_R(0.5), SPC_R(0.5));
    const spc_drawing *d = pen->drawing;
    int i;
    if (d->sphere) {
        if (spci_finite_vec3(pen->X.p))
            d->sphere(d->user, &pen->what, pen->X, radius);
        return;
    }
    for (i = 0; i < 3; i++) {
        spci_draw_circle(pen, radius);
        pen->X.q = spc_quat_mul(pen->X.q, turn);
    }
}

static bool spci_drawn_before(const spc_transform *X, const spc_transform *Y)
{
    return spci_is_zero_vec3(spc_sub(X->p, Y->p)) && spci_equal(X->q.w, Y->q.w) &&
           spci_equal(X->q.x, Y->q.x) && spci_equal(X->q.y, Y->q.y) && spci_equal(X->q.z, Y->q.z);
}

/* The square of a plane, unless it was the last one, too: whether it acts does not matter. */
static SPCI_NO_INLINE void spci_draw_plane(spci_pen *pen, int floor, const spc_transform *X_FP,
                                       spc_real half)
{
    int i;
    if (!spci_draw_begin(pen, SPC_PART_PLANE, floor, SPCI_GREY, X_FP) ||
        (floor == pen->floor && spci_equal(half, pen->half_width) &&
         spci_drawn_before(X_FP, &pen->X_FP)))
        return;
    pen->floor = floor;
    pen->half_width = half;
    pen->X_FP = *X_FP;
    for (i = -5; i <= 5; i++) {
        const spc_real at = half * (spc_real)i / 5;
        spci_draw_line(pen, spc_vec3_make(-half, at, 0), spc_vec3_make(half, at, 0));
        spci_draw_line(pen, spc_vec3_make(at, -half, 0), spc_vec3_make(at, half, 0));
    }
}

/* The name of a constraint, at a frame of body B. */
static SPCI_NO_INLINE void spci_draw_name(spci_pen *pen, const spci_constraint *c,
                                      const spc_transform *X_B)
{
    const spc_drawing *d = pen->drawing;
    if (spci_draw_begin(pen, SPC_PART_NAME, c->b, SPCI_GREY, X_B) && d->text && c->name[0] &&
        spci_finite_vec3(pen->X.p))
        d->text(d->user, &pen->what, pen->X.p, c->name);
}

/* A contact by what its normal force does, and whether it slides. */
static spci_shade spci_drawn_shade(const spci_constraint *c, spc_real normal_force)
{
    if (normal_force > 0)
        return c->one_sided && c->state == SPC_CONTACT_SLIDING ? SPCI_VIOLET : SPCI_GREEN;
    return normal_force < 0 ? SPCI_RED : SPCI_GREY;
}

/* The point where a constraint acts, with the axes of its rows, right handed, and what it does to B
   there, in these axes, as the drawing scales it; false if there is none. */
static SPCI_NO_INLINE bool spci_draw_frame(spci_pen *pen, const spci_constraint *c, spc_vec3 *force)
{
    spc_real lambda[SPC_MAX_ROWS];
    spc_spatial on_a, on_b;
    spc_rows rows;
    if (spci_constraint_found(pen->world, c, &rows))
        return false;
    spci_multipliers(pen->world, c, lambda);
    (void)spci_told_forces(pen->world, c, &rows, lambda, &on_a, &on_b);
    rows.R_GP.x = spc_cross(rows.R_GP.y, rows.R_GP.z);
    pen->X = spc_transform_make(spc_quat_from_mat3(rows.R_GP), rows.p_GC);
    *force = spc_scale(pen->drawing->newton, spc_unrotate(pen->X.q, on_b.linear));
    return true;
}

/* The point where a contact's forces act, the normal there, and the forces. */
static SPCI_NO_INLINE void spci_draw_contact(spci_pen *pen, const spci_constraint *c)
{
    const spc_real normal = pen->drawing->frame, cross = normal / 4;
    spc_real lambda[SPC_MAX_ROWS];
    spci_shade shade;
    spc_vec3 force;
    spci_multipliers(pen->world, c, lambda);
    shade = spci_drawn_shade(c, -lambda[2]);
    if (spci_draw_begin(pen, SPC_PART_CONTACT, c->b, shade, &spci_ground.X_GB) &&
        spci_draw_frame(pen, c, &force)) {
        spci_draw_through(pen, cross, 0, 0);
        spci_draw_through(pen, 0, cross, 0);
        spci_draw_to(pen, 0, 0, normal);
    }
    if (spci_draw_begin(pen, SPC_PART_FORCE, c->b, shade, &spci_ground.X_GB) &&
        spci_draw_frame(pen, c, &force)) {
        spci_draw_to(pen, 0, 0, force.z);
        spci_draw_shade(pen, SPCI_ORANGE);
        spci_draw_to(pen, force.x, force.y, 0);
    }
}

static SPCI_NO_INLINE void spci_sphere_on_plane_draw(spci_pen *pen, const spci_constraint *c,
                                                 const spc_sphere_on_plane *shape)
{
    const spc_transform X_BS = spc_transform_make(spc_quat_identity(), shape->p_BS);
    spci_draw_plane(pen, c->a, &shape->X_FP, shape->half_width);
    if (spci_draw_begin(pen, SPC_PART_BALL, c->b, SPCI_ORANGE, &X_BS))
        spci_draw_sphere(pen, shape->radius);
    spci_draw_name(pen, c, &X_BS);
}

/* A spoke in the middle, and the rims to either side of it, or one. */
static void spci_draw_disc(spci_pen *pen, const spc_rolling_disc *shape)
{
    const spc_transform X = pen->X;
    const spc_real side = shape->width / 2;
    if (shape->color.r >= 0 && pen->enabled)
        pen->what.color = shape->color;
    spci_draw_to(pen, shape->radius, 0, 0);
    pen->X.p = spc_transform_point(X, spc_vec3_make(0, 0, side));
    spci_draw_circle(pen, shape->radius);
    pen->X.p = spc_transform_point(X, spc_vec3_make(0, 0, -side));
    if (side > 0)
        spci_draw_circle(pen, shape->radius);
}

static SPCI_NO_INLINE void spci_rolling_disc_draw(spci_pen *pen, const spci_constraint *c,
                                              const spc_rolling_disc *shape)
{
    spc_transform X_BD = spc_transform_make(spc_quat_identity(), shape->p_BS);
    (void)spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), shape->axis_B, &X_BD.q);
    spci_draw_plane(pen, c->a, &shape->X_FP, shape->half_width);
    if (shape->show && spci_draw_begin(pen, SPC_PART_DISC, c->b, SPCI_BLUE, &X_BD))
        spci_draw_disc(pen, shape);
    spci_draw_name(pen, c, &X_BD);
}

/* A joint's frame of one body, and where it is fixed. */
static SPCI_NO_INLINE void spci_draw_joint_frame(spci_pen *pen, int body, const spc_transform *X_B,
                                             spc_real length)
{
    if (!spci_draw_begin(pen, SPC_PART_JOINT, body, SPCI_GREY, &spci_ground.X_GB))
        return;
    if (body)
        spci_draw_to(pen, X_B->p.x, X_B->p.y, X_B->p.z);
    pen->X = spc_transform_mul(pen->X, *X_B);
    spci_draw_axes(pen, length);
}

static SPCI_NO_INLINE void spci_sphere_on_sphere_draw(spci_pen *pen, const spci_constraint *c,
                                                  const spc_sphere_on_sphere *shape)
{
    const spc_transform X_A = spc_transform_make(spc_quat_identity(), shape->p_ASa);
    const spc_transform X_B = spc_transform_make(spc_quat_identity(), shape->p_BSb);
    if (spci_draw_begin(pen, SPC_PART_BALL, c->a, SPCI_ORANGE, &X_A))
        spci_draw_sphere(pen, shape->radius_a);
    if (spci_draw_begin(pen, SPC_PART_BALL, c->b, SPCI_ORANGE, &X_B))
        spci_draw_sphere(pen, shape->radius_b);
    spci_draw_name(pen, c, &X_B);
}

static SPCI_NO_INLINE void spci_attachment_draw(spci_pen *pen, const spci_constraint *c,
                                            const spc_attachment *shape)
{
    const unsigned locked = shape->locked;
    spc_vec3 M, force, to;
    spci_draw_joint_frame(pen, c->a, &shape->X_AF, pen->drawing->frame);
    spci_draw_joint_frame(pen, c->b, &shape->X_BM, pen->drawing->frame / 2);
    M = pen->X.p;
    if (!c->one_sided && spci_draw_begin(pen, SPC_PART_JOINT, c->a, SPCI_RED, &shape->X_AF)) {
        pen->what.body = spci_body_handle(pen->world, c->b);
        M = spc_unrotate(pen->X.q, spc_sub(M, pen->X.p));
        to = spc_vec3_make(locked & SPC_LOCK_TX ? shape->rest.x : M.x,
                           locked & SPC_LOCK_TY ? shape->rest.y : M.y,
                           locked & SPC_LOCK_TZ ? shape->rest.z : M.z);
        spci_draw_line(pen, to, M);
    }
    if (!c->one_sided &&
        spci_draw_begin(pen, SPC_PART_FORCE, c->b, SPCI_ORANGE, &spci_ground.X_GB) &&
        spci_draw_frame(pen, c, &force))
        spci_draw_to(pen, force.x, force.y, force.z);
    spci_draw_name(pen, c, &shape->X_BM);
}

/* The rotation to principal axes, and the moments about them, by turns about z, x and y that each
   take away what is off the diagonal (Jacobi 1846), unless it is mere rounding: six about each are
   more than enough. */
static spc_quat spci_drawn_axes(spc_inertia *inertia)
{
    const spc_quat cycle = spc_quat_make(SPC_R(0.5), SPC_R(0.5), SPC_R(0.5), SPC_R(0.5));
    spc_quat q = spc_quat_identity();
    int i;
    for (i = 0; i < 18; i++) {
        spc_quat turn = spc_quat_identity();
        if (spci_abs(inertia->xy) > 16 * SPCI_EPSILON * (inertia->xx + inertia->yy)) {
            const spc_real cotangent = (inertia->xx - inertia->yy) / (2 * inertia->xy);
            const spc_real size = spci_abs(cotangent) + SPC_SQRT(1 + cotangent * cotangent);
            const spc_real tangent = SPC_R(cotangent < 0 ? -1 : 1) / size;
            turn.z = tangent / (1 + SPC_SQRT(1 + tangent * tangent));
            (void)spc_quat_normalize(turn, &turn);
        }
        turn = spc_quat_mul(turn, cycle);
        q = spc_quat_mul(q, turn);
        *inertia = spc_inertia_rotate(spc_mat3_from_quat(spc_quat_conjugate(turn)), *inertia);
    }
    return q;
}

/* Half a side of a box from its moments over 2/3 of its mass, the one about the side and those
   across: spc_mass_box solved for it. */
static spc_real spci_drawn_side(spc_real along, spc_real across1, spc_real across2)
{
    return SPC_SQRT(spci_max((across1 + across2) - along, 0));
}

static SPCI_NO_INLINE void spci_draw_mass(spci_pen *pen, int i)
{
    const spc_mass *mass = &spci_const_body_at(pen->world, i)->mass;
    spc_inertia moments = spci_inertia_scale(SPC_R(1.5) / mass->mass, mass->inertia);
    spc_transform X_BBc;
    X_BBc.p = mass->p_BBc;
    X_BBc.q = spci_drawn_axes(&moments);
    (void)spci_draw_begin(pen, SPC_PART_MASS, i, SPCI_BLUE, &X_BBc);
    spci_draw_through(pen, spci_drawn_side(moments.xx, moments.yy, moments.zz), 0, 0);
    spci_draw_through(pen, 0, spci_drawn_side(moments.yy, moments.zz, moments.xx), 0);
    spci_draw_through(pen, 0, 0, spci_drawn_side(moments.zz, moments.xx, moments.yy));
}

static void spci_draw_masses(spci_pen *pen)
{
    spc_body body;
    body.index = body.generation = 0;
    while (spc_body_next(pen->world, &body))
        if (spci_is_dynamic(pen->world, (int)body.index))
            spci_draw_mass(pen, (int)body.index);
}

/* spci_NAME_draw of every kind. */
static void spci_draw_constraint(spci_pen *pen, const spci_constraint *c)
{
#define SPCI_KIND_DRAW(id, name, all, levels)       \
    case id:                                        \
        spci_##name##_draw(pen, c, &c->shape.name); \
        break;
    pen->enabled = c->enabled;
    switch (c->kind) {
        SPCI_KINDS(SPCI_KIND_DRAW)
    }
    if (c->kind != SPC_ATTACHMENT || c->one_sided)
        spci_draw_contact(pen, c);
}

SPC_API spc_drawing spc_drawing_default(void)
{
    spc_drawing d;
    d.parts = SPC_PART_ALL & ~(SPC_PART_MASS | SPC_PART_NAME);
    d.newton = SPC_R(0.01);
    d.frame = SPC_R(0.1);
    d.segments = 32;
    d.user = NULL;
    d.line = NULL;
    d.circle = NULL;
    d.sphere = NULL;
    d.text = NULL;
    return d;
}

SPC_API spc_status spc_world_draw(const spc_world *world, const spc_drawing *drawing)
{
    const spc_real turn = SPC_R(6.28318530717958648);
    spci_pen pen;
    if (!world || !drawing || !drawing->line)
        return SPC_ERROR_NULL;
    if (drawing->parts & ~SPC_PART_ALL || drawing->segments < 3)
        return SPC_ERROR_BAD_OPTION;
    if (!spci_finite(drawing->newton) || !spci_finite(drawing->frame))
        return SPC_ERROR_NOT_FINITE;
    pen.world = world;
    pen.drawing = drawing;
    pen.enabled = true;
    pen.floor = -1;
    pen.step =
        spc_quat_from_rotation_vector(spc_vec3_make(0, 0, turn / (spc_real)drawing->segments));
    pen.what.constraint.index = pen.what.constraint.generation = 0;
    if (drawing->parts & SPC_PART_MASS)
        spci_draw_masses(&pen);
    while (spc_constraint_next(world, &pen.what.constraint))
        spci_draw_constraint(&pen,
                             spci_const_constraint_at(world, (int)pen.what.constraint.index - 1));
    return SPC_OK;
}

/* --------------------------------------------- [7i.5] WORLD: STATES, IMPLEMENTATION ----------- */
/*
   A state is a head, and behind it, without gaps: the clock and its rest; a byte, is some force for
   one step; of each body in the order of slots q, p, w, v, then of a kinematic one its
   acceleration, of a dynamic one a byte, do forces act, and if so these; of each constraint that is
   enabled what spci_save_constraint writes. Numbers are written by their bits, lowest byte first.
*/

/* Bytes of a head: what build can read it, structure, hash, length. */
#define SPCI_STATE_HEAD 32

/* Bytes of a state that are read, or written, up to a place; neither: they are counted. */
typedef struct spci_cargo {
    const unsigned char *in;
    unsigned char *out;
    size_t at, size;
    unsigned long long hash; /* of all so far */
    bool sound;              /* all that was read was there, and is what it can be */
    bool kept;               /* what is read goes into the world */
} spci_cargo;

static void spci_cargo_begin(spci_cargo *c, const unsigned char *in, unsigned char *out,
                             size_t size)
{
    c->in = in;
    c->out = out;
    c->at = SPCI_STATE_HEAD;
    c->size = size;
    c->hash = SPCI_HASH;
    c->sound = true;
    c->kept = false;
}

static SPCI_PASSING void spci_put_bytes(unsigned long long bits, unsigned char *out, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++)
        out[i] = (unsigned char)(bits >> 8 * i & 255u);
}

static SPCI_PASSING unsigned long long spci_get_bytes(const unsigned char *in, size_t count)
{
    unsigned long long bits = 0;
    size_t i;
    for (i = 0; i < count; i++)
        bits |= (unsigned long long)in[i] << 8 * i;
    return bits;
}

/* Some bytes more. */
static SPCI_PASSING void spci_save_bytes(spci_cargo *c, unsigned long long bits, size_t count)
{
    if (c->out) {
        spci_put_bytes(bits, c->out + c->at, count);
        c->hash = spci_hash_word(c->hash, bits);
    }
    c->at += count;
}

/* The next ones; 0 if they are not there. */
static SPCI_PASSING unsigned long long spci_load_bytes(spci_cargo *c, size_t count)
{
    unsigned long long bits;
    c->sound = c->sound && count <= c->size - c->at;
    if (!c->sound)
        return 0;
    bits = spci_get_bytes(c->in + c->at, count);
    c->hash = spci_hash_word(c->hash, bits);
    c->at += count;
    return bits;
}

static void spci_save_flag(spci_cargo *c, bool flag)
{
    spci_save_bytes(c, flag ? 1u : 0u, 1);
}

static bool spci_load_flag(spci_cargo *c)
{
    return spci_load_bytes(c, 1) != 0;
}

static void spci_save_real(spci_cargo *c, spc_real x)
{
    spci_real_bits u;
    u.number = x;
    spci_save_bytes(c, u.bits, sizeof x);
}

static spc_real spci_load_real(spci_cargo *c)
{
    spci_real_bits u;
#ifdef SPC_USE_FLOAT
    const unsigned bits = (unsigned)spci_load_bytes(c, sizeof(spc_real));
#else
    const unsigned long long bits = spci_load_bytes(c, sizeof(spc_real));
#endif
    u.bits = bits;
    c->sound = c->sound && spci_finite(u.number);
    return u.number;
}

static void spci_save_vec3(spci_cargo *c, spc_vec3 v)
{
    spci_save_real(c, v.x);
    spci_save_real(c, v.y);
    spci_save_real(c, v.z);
}

static spc_vec3 spci_load_vec3(spci_cargo *c)
{
    spc_vec3 v;
    v.x = spci_load_real(c);
    v.y = spci_load_real(c);
    v.z = spci_load_real(c);
    return v;
}

static void spci_save_spatial(spci_cargo *c, spc_spatial s)
{
    spci_save_vec3(c, s.angular);
    spci_save_vec3(c, s.linear);
}

static spc_spatial spci_load_spatial(spci_cargo *c)
{
    spc_spatial s;
    s.angular = spci_load_vec3(c);
    s.linear = spci_load_vec3(c);
    return s;
}

static void spci_save_pose(spci_cargo *c, const spc_transform *X)
{
    spci_save_real(c, X->q.w);
    spci_save_vec3(c, spc_vec3_make(X->q.x, X->q.y, X->q.z));
    spci_save_vec3(c, X->p);
}

static spc_transform spci_load_pose(spci_cargo *c)
{
    const spc_real q_w = spci_load_real(c);
    const spc_vec3 u = spci_load_vec3(c), p = spci_load_vec3(c);
    return spc_transform_make(spc_quat_make(q_w, u.x, u.y, u.z), p);
}

static void spci_save_body(const spc_world *w, int i, spci_cargo *c)
{
    const spci_body *body = spci_const_body_at(w, i);
    const spc_state state = spci_get_state(w, i);
    spci_save_pose(c, &state.X_GB);
    spci_save_spatial(c, state.V_GB);
    if (body->kind == SPC_KINEMATIC) {
        spci_save_spatial(c, body->A_GB);
        return;
    }
    spci_save_flag(c, body->forced);
    if (body->forced) {
        spci_save_spatial(c, body->one_step);
        spci_save_spatial(c, body->lasting);
    }
}

/* Reads a body, and sets it if what is read is kept. */
static void spci_load_body(spc_world *w, int i, spci_cargo *c)
{
    spci_body *body = spci_body_at(w, i);
    spc_spatial A = spci_spatial_zero(), one_step = A, lasting = A;
    bool forced = false;
    spc_state state;
    state.X_GB = spci_load_pose(c);
    state.V_GB = spci_load_spatial(c);
    c->sound = c->sound && spci_finite_state(&state);
    if (body->kind == SPC_KINEMATIC)
        A = spci_load_spatial(c);
    else
        forced = spci_load_flag(c);
    if (forced) {
        one_step = spci_load_spatial(c);
        lasting = spci_load_spatial(c);
    }
    if (!c->kept)
        return;
    spci_set_state(w, i, &state);
    if (body->kind == SPC_KINEMATIC) {
        body->A_GB = A;
        return;
    }
    body->one_step = one_step;
    body->lasting = lasting;
    body->forced = forced;
    spci_fill_forces(w, i);
}

/* The rows of an enabled constraint that a state has the multipliers of: those that are on. */
static unsigned spci_saved_rows(const spci_constraint *c)
{
    if (c->one_sided && c->kind == SPC_ROLLING_DISC)
        return 63u;
    return c->one_sided ? spci_side_rows(c) : spci_enforced(c->kind, &c->shape);
}

/* What the next step reads of an enabled constraint's past, and who asks for it: multipliers, and
   of a one-sided one how its contact is. */
static void spci_save_constraint(const spc_world *w, int i, spci_cargo *c)
{
    const spci_constraint *constraint = spci_const_constraint_at(w, i);
    const unsigned rows = spci_saved_rows(constraint);
    spc_real lambda[SPC_MAX_ROWS];
    int k;
    spci_multipliers(w, constraint, lambda);
    for (k = 0; k < SPC_MAX_ROWS; k++)
        if (rows >> k & 1u)
            spci_save_real(c, lambda[k]);
    if (!constraint->one_sided)
        return;
    spci_save_real(c, constraint->hit_speed);
    spci_save_bytes(c, spci_state_left(constraint) + (constraint->flat ? 4u : 0), 1);
    spci_save_bytes(c, constraint->wait, 1);
    spci_save_bytes(c, constraint->tries, 1);
}

/* Reads it, and sets it if what is read is kept: multipliers of a ball's contact may stand in its
   lane. */
static void spci_load_constraint(spc_world *w, int i, spci_cargo *c)
{
    spci_constraint *constraint = spci_constraint_at(w, i);
    const unsigned rows = spci_saved_rows(constraint);
    const int group = (constraint->b - 1) / SPCI_LANES;
    const bool one_sided = constraint->one_sided;
    spc_real lambda[SPC_MAX_ROWS] = { 0 }, hit_speed;
    unsigned long long state, wait, tries;
    int k;
    for (k = 0; k < SPC_MAX_ROWS; k++)
        if (rows >> k & 1u)
            lambda[k] = spci_load_real(c);
    hit_speed = one_sided ? spci_load_real(c) : 0;
    state = one_sided ? spci_load_bytes(c, 1) : 0;
    wait = one_sided ? spci_load_bytes(c, 1) : 0;
    tries = one_sided ? spci_load_bytes(c, 1) : 0;
    c->sound = c->sound && (state & ~4ull) <= SPC_CONTACT_ROLLING && tries <= SPCI_LONGEST_WAIT;
    if (!c->kept)
        return;
    constraint->hit_speed = hit_speed;
    constraint->state = (unsigned char)(state & 3u);
    constraint->flat = state >> 2 & 1u;
    constraint->wait = (unsigned char)wait;
    constraint->tries = (unsigned char)tries;
    spci_copy(constraint->multipliers, lambda, SPC_MAX_ROWS);
    if (spci_is_in_lane(w, constraint))
        spci_put_lane(spci_get_vec3(lambda), spci_states_at(w, w->now)[group].lambda,
                      spci_lane_of(constraint->b));
}

/* All of a world behind the head. */
static void spci_save_behind(const spc_world *w, spci_cargo *c)
{
    int i;
    spci_save_real(c, w->clock.time);
    spci_save_real(c, w->clock.rest);
    spci_save_flag(c, w->one_step_forces);
    for (i = 1; i <= w->body_slots; i++)
        if (spci_in_use(spci_const_body_at(w, i)->generation))
            spci_save_body(w, i, c);
    for (i = 0; i < w->constraint_slots; i++)
        if (spci_const_constraint_at(w, i)->enabled)
            spci_save_constraint(w, i, c);
}

static void spci_load_behind(spc_world *w, spci_cargo *c)
{
    const spc_real time = spci_load_real(c), rest = spci_load_real(c);
    const bool one_step = spci_load_flag(c);
    int i;
    if (c->kept) {
        spci_forget_events(w);
        w->clock.time = time;
        w->clock.rest = rest;
        w->one_step_forces = one_step;
    }
    for (i = 1; i <= w->body_slots; i++)
        if (spci_in_use(spci_const_body_at(w, i)->generation))
            spci_load_body(w, i, c);
    for (i = 0; i < w->constraint_slots; i++)
        if (spci_const_constraint_at(w, i)->enabled)
            spci_load_constraint(w, i, c);
}

/* A number for the bodies, constraints and rows that a state is of. */
static unsigned long long spci_structure_number(const spc_world *w)
{
    unsigned long long hash = SPCI_HASH;
    int i;
    for (i = 1; i <= w->body_slots; i++) {
        const spci_body *body = spci_const_body_at(w, i);
        if (!spci_in_use(body->generation))
            continue;
        hash = spci_hash_word(hash, (unsigned long long)i << 32 | body->generation);
        hash = spci_hash_word(hash, (unsigned)body->kind << 1 | (body->motion ? 1u : 0u));
    }
    for (i = 0; i < w->constraint_slots; i++) {
        const spci_constraint *c = spci_const_constraint_at(w, i);
        if (!spci_in_use(c->generation))
            continue;
        hash = spci_hash_word(hash, (unsigned long long)i << 32 | c->generation);
        hash = spci_hash_word(hash, (unsigned long long)c->a << 32 | (unsigned)c->b);
        hash = spci_hash_word(hash, (unsigned)c->kind << 8 |
                                        (c->enabled ? 128u | (c->one_sided ? 64u : 0u) |
                                                          spci_saved_rows(c)
                                                    : 0u));
    }
    return hash;
}

/* What the first bytes of a state of this build are. */
static unsigned long long spci_state_head(void)
{
    unsigned char head[SPCI_HEAD];
    spci_head(head);
    head[3] = 'S';
    return spci_get_bytes(head, 8);
}

SPC_API size_t spc_world_state_size(const spc_world *world)
{
    spci_cargo c;
    if (!world)
        return 0;
    spci_cargo_begin(&c, NULL, NULL, 0);
    spci_save_behind(world, &c);
    return c.at;
}

SPC_API spc_status spc_world_save_state(const spc_world *world, void *memory, size_t bytes)
{
    unsigned char *out = (unsigned char *)memory;
    spci_cargo c;
    if (!world || !memory)
        return SPC_ERROR_NULL;
    if (bytes < spc_world_state_size(world))
        return SPC_ERROR_MEMORY_TOO_SMALL;
    spci_cargo_begin(&c, NULL, out, bytes);
    spci_save_behind(world, &c);
    spci_put_bytes(spci_state_head(), out, 8);
    spci_put_bytes(spci_structure_number(world), out + 8, 8);
    spci_put_bytes(c.hash, out + 16, 8);
    spci_put_bytes(c.at, out + 24, 8);
    return SPC_OK;
}

SPC_API spc_status spc_world_load_state(spc_world *world, const void *memory, size_t bytes)
{
    const unsigned char *in = (const unsigned char *)memory;
    unsigned long long size;
    spci_cargo c;
    if (!world || !memory)
        return SPC_ERROR_NULL;
    if (bytes < SPCI_STATE_HEAD)
        return SPC_ERROR_MEMORY_TOO_SMALL;
    size = spci_get_bytes(in + 24, 8);
    if (spci_get_bytes(in, 8) != spci_state_head() || size < SPCI_STATE_HEAD)
        return SPC_ERROR_NOT_A_STATE;
    if (bytes < size)
        return SPC_ERROR_MEMORY_TOO_SMALL;
    if (spci_get_bytes(in + 8, 8) != spci_structure_number(world))
        return SPC_ERROR_OTHER_STRUCTURE;
    spci_cargo_begin(&c, in, NULL, (size_t)size);
    spci_load_behind(world, &c);
    if (!c.sound || c.at != c.size || c.hash != spci_get_bytes(in + 16, 8))
        return SPC_ERROR_NOT_A_STATE;
    spci_cargo_begin(&c, in, NULL, (size_t)size);
    c.kept = true;
    spci_structure_of(world)->shares = 0; /* a step that has begun is given up */
    spci_load_behind(world, &c);
    return SPC_OK;
}

#ifdef __cplusplus
}
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT DEFAULT
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wignored-pragmas"
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#pragma float_control(pop)
#pragma clang diagnostic pop
#elif defined(SPCI_GCC_FUSES)
#pragma GCC pop_options
#elif defined(SPCI_MSVC_FUSES) && \
    (defined(_M_FP_CONTRACT) || (_MSC_VER < 1930 && !defined(_M_FP_STRICT)))
#pragma fp_contract(on)
#endif

#endif /* SPHERECONTACT_IMPLEMENTATION */

/* =============================================================== [8] HISTORY AND LICENSE ====== */
/*
   Changes: [api] the interface, [numbers] results beyond rounding, [fix] a defect.

   0.11.0 [fix] bounces of what hangs on joints, and of boxes, coins and off-centre balls, divide
          the step: energy and path were off at first order. Of two balls on a joint in an elastic
          box a bounce changed the energy by up to 5 % at 60 Hz and 0.4 % at 1,000, of a coin by
          4 %. It is rounding now for single bodies; a path through bounces is of second order
          [fix] what came to rest within a step, but not at the time of its neighbours, was struck
          as if it did not: boxes that lay down hopped by up to 0.2 mm
          [numbers] joints beside contacts ask for parts of a step as others do, (7.10)
   0.10.0 [fix] spheres that are struck meet others where that has sent them: elastic balls in a box
          lost half of their energy in 2,000 steps of 1/60 s, with ok. Now they are where a
          simulation from blow to blow has them, to rounding, however many meet in a step
          [fix] supports counted twice where a step of blows was looked at again; a clump that had
          been struck could be solved for as if it had not
          [fix] a jam, in which no impulses obey the law, counts as unsolved in the report, however
          large the impulses are that balance each other; grip that slips where its plane would
          have to pull does not
          [fix] sweeps have the joints in each contact's compliance, which solves impacts of chains
          and wagons that were left unsolved
          [fix] a step of spc_step_rk4 whose contacts change at once again and again, or jam for
          good, is one of spc_step in 16 parts, where it gained energy, took tens of thousands of
          factorizations or was refused
          [numbers] heaps of balls are up to 20 times as fast: a round of blows is solved for what
          they reach; nets with many loops are eliminated in an order with much less fill, so that a
          heap of 1,000 needs no solver_bytes; the last digits of such heaps change
          [numbers] off-centre balls, bodies with any moments and discs, each alone on ground, are
          stepped side by side like balls, in half the time, with the same bits
   0.9.0  [api] one sign for all multipliers: lambda of spc_dense_forward_dynamics and what
          spc_dense_impulse gives were the opposite. Old -> new:
              H q'' + C = tau + G^T lambda        H q'' + C = tau - G^T lambda
              H (q'+ - q'-) = G^T impulse         H (q'+ - q'-) = -G^T impulses
          q'' and q'+ have the same bits; lambda goes into spc_rows_forces as it is
          [api] other names, old -> new:
              .disabled of descriptions           .enabled: the opposite, true by default
              spc_dense_size                      spc_dense_work_count: it counts numbers, not bytes
              spc_contact_info.gap                separation, as in spc_rows
          [fix] balls passed each other within a step, and balls of racks and crowds were up to 1.8
          radii deep in each other at its end; what bounced at several times of a step did so at
          once. It does so one after the other now, and fast spheres take the step in parts
          [fix] of a coin that is two discs on one body, both lay down at once, half through the
          plane; what was passive and came down onto a foot, beside one that bears, went under it
          [numbers] spc_step_rk4 divides its parts where slip turns: a slow slip was off by up to
          25 %, a coin that slips by 1.1e-7 m at 240 Hz; feet that hardly slip gained energy
          [numbers] spc_step_rk4 keeps the bits of what rests on contacts
   0.8.0  [numbers] spc_step knows how a callback moves a body up to the end of the step: lift-off
          from a shaken floor and bounces on it are of third order in h
          [fix] what bounced on a body that rests did not feel what supports that
          [numbers] of 2,448 islands with many contacts 18 are not solved for an impact, before 108
          [numbers] open contacts of balls that are far apart leave a step: a break in half the time
          [api] drawing: contacts that slide have a color of their own
   0.7.0  [api] spc_contact_law.propagates: contacts that are struck one after the other
          [fix] contacts that nearly depend on each other moved balls by metres in a step at 60 Hz;
          what met at the very end of a step did not bounce; spc_step_rk4 refused columns of balls
          that come to rest as jammed
          [numbers] finding the structure of an island in which all meet all, 30 times as fast
   0.6.0  [api] other names, old -> new:
              spc_rows.bias                      jdot_v
              spc_rows_project                   spc_rows_to_generalized
              spc_constraint_add_stabilization   spc_constraint_add_baumgarte
              spc_world_bytes                    spc_world_snapshot_size
              spc_world_desc.coupling            solver_bytes
              spc_world_coupling_needed          spc_world_solver_bytes
              SPC_ERROR_COUPLING_FULL            SPC_ERROR_SOLVER_FULL
          [api] one-sided contacts in worlds: one_sided and law of all descriptions,
          spc_constraint_set_law, _get_law, _get_contact, spc_contact_event_next, spc_world_impact;
          a point on a plane; planes that end. spc_step places impacts inside of the step, solves
          all contacts of an island at once, and rests bit for bit; forward dynamics have the law
          [numbers] one-sided discs lie on their sides: wheels that fall over, coins that are
          dropped or spin down, in both steps; they rest, slide and tip. They take six rows
          [api] spc_world_save_state, spc_world_load_state, spc_world_state_size: what the next step
          reads, as bytes that are the same on every machine, for rollback over a network
          [api] spc_step_begin, spc_step_share, spc_step_end: a step that threads of the caller's
          share, with the bits of spc_step for any number of them
          [api] [numbers] spc_step_rk4 takes worlds with one-sided contacts: what happens within
          a step (impacts, lift-off, slip that begins or ends, resistances that stop, ends of
          planes, jams) is found and taken where it is, with fourth order between
          [api] spc_ball_add, spc_wheel_add put a ball or a wheel on a floor, rolling from the
          start; spc_body_position; spc_status_keep keeps the first refusal; spc_world_fitting_desc
          gives the description that just fits; spc_world_run takes many steps
          [api] spc_world_report.residual and unsolved; SPC_ERROR_NOT_A_STATE, _OTHER_STRUCTURE,
          _NO_STEP, _JAMMED, _ONE_SIDED
          [fix] a removed body whose slot is empty stops no call on the whole world
   0.5.2  [api] spc_sphere_on_sphere: a sphere on a sphere, or in a hollow one (a ball in a bowl),
          rolling or frictionless
          [api] spc_contact_law, spc_contact_impulse: the law of one contact that presses, slips,
          bounces and resists rolling and spinning, for engines of one's own
          [api] spc_world_draw shows planes, balls, discs, joints, contacts, forces, masses and
          names by callbacks, of which one that draws a line is enough; half_width, show, width and
          color are what it draws; discs have a half_width, too
          [api] spc_body_next, spc_constraint_next; numbers of bodies: spc_body_desc.id,
          spc_body_set_id, _get_id, _find_id; spc_world_get_stabilization, _set_stabilization
          [numbers] centred balls with one contact are stepped side by side; two to four times
          faster, with any masks, on floors that move, too
          [numbers] [fix] spc_step takes islands whose joints turn fast or are pulled hard through h
          in up to 32 parts; where more are needed it returns SPC_ERROR_BAD_STEP and changes
          nothing, instead of SPC_OK with nonsense
          [numbers] steps of trees are not refined, since their elimination only adds; general
          islands take 2 to 13 % fewer instructions
          [fix] removing a lone body costs what it touches; make install with quotes in a path
   0.5.1  [api] spc_arithmetic_is_ieee; C89, fast math, x87 arithmetic, a double of 4 bytes and an
          int of 2 are refused by one sentence, and so is a configuration that differs from that of
          the first inclusion, and SPHERECONTACT_STATIC together with SPC_API
          [api] structs of single precision have other names for the linker: both precisions can
          live in one C++ program; SPC_API keeps C linkage in C++
          [api] spc_world_open refuses snapshots of another version, precision, byte order or
          layout; bits of stabilization masks beyond a kind's rows are refused; queries and kernels
          whose answer would not be finite are refused with SPC_ERROR_NOT_FINITE; rows that are off
          tell their errors
          [api] defaults have 6 rows for each of the first 32 constraints; memory for trees and
          rings is reckoned from bodies, constraints and rows; the default coupling lets any eight
          constraints be connected in any way
          [numbers] the noise of loops' pivots counts what blocks subtract from themselves, and
          least norm is repeated where once does not do: fewer misjudged rows by ten times
          [numbers] the clock keeps what rounding takes from it, and the hash counts that
          [fix] compiles behind <complex.h> and macros of others; MSVC before 2022 does not
          contract; the file that includes the header keeps its own contraction; no calls of memset
          at -O3; make install with spaces, make uninstall
          [fix] clocks and motion callbacks in single precision; keep_pose refused what it ignores;
          boxes and cylinders with one small negative size were accepted
          [fix] defaults for millions of constraints are valid; raised rows bring their own room for
          loops; row indices are looked up, a compliance matrix costs its numbers; adding a body,
          and switching, adding or removing the only constraint of a lone one, costs what it touches
          [fix] README and header tell what is so; each claim names its test
   0.5.0  [api] SPC_CONTRADICTORY is gone: a step that was taken returns SPC_OK, and what
          contradicts, by how much, and what is redundant is asked for with spc_world_get_report and
          spc_constraint_info; what does not converge is refused, SPC_DRIFT_PROJECT, too, with
          SPC_ERROR_NOT_ASSEMBLED; a disc that turns over its flat position with
          SPC_ERROR_NO_CONTACT_POINT
          [api] the parts of a step: spc_world_free_motion goes to the middle of the step and gives
          two targets; spc_world_get_position_violation, spc_world_displace, spc_world_end_motion
          [api] spc_body_move_to
          [numbers] spc_step is of second order; drift goes at once, and what came apart closes by
          e' = -e/T without a velocity left behind; impulses bring in little energy; islands that
          hang on nothing fixed keep their momenta; a lone disc that turns fast divides a step
          [numbers] two and three locked rotations have rows that are the derivatives of their
          position errors
          [numbers] the solver keeps bodies in the elimination: constraints in a tree are never
          taken for redundant, rows of loops are judged by rounding and by drift; units that differ
          by powers of two give the same digits; trees need no coupling
          [fix] robots on hinges that have opened by drift; chains with heavy ends, long beams,
          joints far from their bodies; wheels that fell through the floor in single precision
          [fix] a lone ball joint is stabilized along all axes; a body at rest on a tilted plane
          rests; fast turns keep their angular momentum; kinematic floors are followed at once
   0.4.0  [api] spc_rows_project takes the terms of stabilization and gives gamma; tcc up to 0.9.27
          is refused in single precision; spc_dense_size where size_t is too small
          [fix] hinges with axes that are opposed but for a denormal number; the same bits from gcc
          for s390x, which evaluates floats in double
          islands of one contact, and stars of contacts, go short ways in steps and in forward
          dynamics
   0.3.0  [api] attachments; the dense solver, rows of a system, the parts of a step; ids and
          look-up of constraints; spc_world_coupling_needed; SPC_CONTRADICTORY
          [fix] rank by the noise of pivots; assembly of discs from deep below a plane; the same
          bits from gcc's vectorizer
          [fix] the order of elimination is found in linear time for bodies with many constraints
   0.2.0  [api] the rolling disc; names of constraints; spc_contact_force.force_P; kernels return a
          status; SPC_ERROR_BAD_HALF_WIDTH is SPC_ERROR_BAD_WIDTH
          [numbers] bodies that are symmetric about an axis of theirs turn in closed form
   0.1.0  first version: math, bodies, sphere on plane, stabilization, solver, world

   This file may be used under either of two licenses.

   ALTERNATIVE A - MIT License

   Copyright (c) 2026 the spherecontact.h authors

   Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
   associated documentation files (the "Software"), to deal in the Software without restriction,
   including without limitation the rights to use, copy, modify, merge, publish, distribute,
   sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
   furnished to do so, subject to the following conditions:

   The above copyright notice and this permission notice shall be included in all copies or
   substantial portions of the Software.

   THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
   NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
   NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
   DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
   OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

   ALTERNATIVE B - Public domain (unlicense.org)

   This is free and unencumbered software released into the public domain.

   Anyone is free to copy, modify, publish, use, compile, sell, or distribute this software, either
   in source code form or as a compiled binary, for any purpose, commercial or non-commercial, and
   by any means.

   In jurisdictions that recognize copyright laws, the author or authors of this software dedicate
   any and all copyright interest in the software to the public domain. We make this dedication for
   the benefit of the public at large and to the detriment of our heirs and successors. We intend
   this dedication to be an overt act of relinquishment in perpetuity of all present and future
   rights to this software under copyright law.

   THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
   NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
   NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
   LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
   CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
*/
