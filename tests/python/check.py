"""What examples/python/spherecontact.py reads from the header against what a compiler makes of it:
sizes, offsets, constants, names; and a scene against the same in C, bit for bit. Arguments: a
compiler, its flags, a folder to build in. Prints `N passed, N failed`."""
import ctypes
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, os.pardir, os.pardir, 'examples', 'python'))
import spherecontact as sc

cc, flags, out = sys.argv[1], sys.argv[2].split(), sys.argv[3]
passed = failed = 0

SCENE = '''
#include "spherecontact.h"
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    spc_world_desc desc = spc_world_desc_default(2, 3);
    spc_ball_desc ball = spc_ball_desc_default();
    spc_wheel_desc wheel = spc_wheel_desc_default();
    spc_attachment_desc rod = spc_attachment_desc_default();
    spc_constraint c;
    spc_world *world;
    desc.gravity = spc_vec3_make(1, 0, SPC_R(-9.75));
    ball.mass = spc_mass_solid_sphere(1, ball.radius = SPC_R(0.125));
    ball.v_y = 1;
    wheel.mass = spc_mass_disc(2, wheel.radius = SPC_R(0.5));
    wheel.x = 1;
    wheel.lean = SPC_R(0.25);
    wheel.speed = 2;
    if (spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world) ||
        spc_ball_add(world, &ball, &rod.a, &c) || spc_wheel_add(world, &wheel, &rod.b, &c))
        return 1;
    rod.shape.locked = SPC_POINT_ON_PLANE;
    rod.keep_pose = true;
    if (spc_attachment_add(world, &rod, &c) || spc_world_run(world, SPC_R(0.0078125), 100, NULL) < 100)
        return 1;
    printf("%llx\\n", spc_world_hash(world));
    return 0;
}
'''


def check(what, got, want):
    global passed, failed
    if got == want:
        passed += 1
    else:
        failed += 1
        print('FAILED: %s: %r, not %r' % (what, got, want))


def compiled(name, text):
    """What a C program says that has the same library, in lines."""
    source, program = os.path.join(out, name + '.c'), os.path.join(out, name)
    with open(source, 'w', encoding='utf-8') as file:
        file.write(text)
    subprocess.run([cc, *flags, '-I' + os.path.join(HERE, os.pardir, os.pardir), source, sc._library._name, '-lm', '-o',
                    program],
                   check=True)
    return subprocess.run([program], check=True, stdout=subprocess.PIPE).stdout.decode().split('\n')[:-1]


def layouts():
    """Sizes and offsets of all structs, and values of all constants, in C and here."""
    said, here = [], []
    for name in sc.__all__:
        thing = getattr(sc, name)
        if isinstance(thing, type) and issubclass(thing, ctypes.Structure):
            said.append('printf("%s %%d\\n", (int)sizeof(%s));' % (name, name))
            here.append('%s %d' % (name, ctypes.sizeof(thing)))
            for member, _ in thing._fields_:
                field = getattr(thing, member)
                said.append('printf("%s.%s %%d %%d\\n", (int)offsetof(%s, %s), (int)sizeof(((%s *)0)->%s));'
                            % (name, member, name, member, name, member))
                here.append('%s.%s %d %d' % (name, member, field.offset, field.size))
        elif isinstance(thing, int):
            said.append('printf("%s %%d\\n", (int)%s);' % (name, name))
            here.append('%s %d' % (name, thing))
    text = '#include "spherecontact.h"\n#include <stdio.h>\nint main(void)\n{\n%s\nreturn 0;\n}\n' % '\n'.join(said)
    for got, want in zip(here, compiled('layouts', text)):
        check('layout', got, want)
    check('layouts compared', len(here) > 300, True)


def names():
    """Every function that the library exports can be called here, and every struct is there."""
    exported = subprocess.run(['nm', '-D', '--defined-only', sc._library._name], check=True,
                              stdout=subprocess.PIPE).stdout.decode().split()
    exported = sorted(n[:-2] if n.endswith('_f') else n for n in exported if n.startswith('spc_'))
    check('functions', sorted(n for n in sc.__all__ if hasattr(getattr(sc, n), 'argtypes') and
                              isinstance(getattr(sc, n).argtypes, list)), exported)


def scene():
    world = sc.World(2, 3, gravity=(1, 0, -9.75))
    ball, _ = world.ball(mass=sc.spc_mass_solid_sphere(1, 0.125), radius=0.125, v_y=1)
    wheel, _ = world.wheel(mass=sc.spc_mass_disc(2, 0.5), radius=0.5, x=1, lean=0.25, speed=2)
    rod = sc._fill(sc.spc_attachment_desc_default(), {'a': ball, 'b': wheel, 'keep_pose': True})
    rod.shape.locked = sc.SPC_POINT_ON_PLANE
    sc.spc_attachment_add(world, sc.byref(rod), sc.byref(sc.spc_constraint()))
    return world, wheel


def motions():
    world, wheel = scene()
    states = world.run(2 ** -7, 100)
    check('the same bits as in C', ['%x' % sc.spc_world_hash(world)], compiled('scene', SCENE))
    p = sc.spc_body_position(world, wheel)
    last = states[-1]
    if sc.numpy:
        check('shape', states.shape, (100, 2, 13))
        check('the last of an array', tuple(last[1][4:7]), (p.x, p.y, p.z))
    else:
        check('shape', (len(states), len(last)), (100, 2))
        q = last[1].X_GB.p
        check('the last of a list', (q.x, q.y, q.z), (p.x, p.y, p.z))
    check('bodies', [b.index for b in world.bodies()], [1, 2])


def refusals():
    world, wheel = scene()
    before = sc.spc_world_hash(world)
    for call, status in ((lambda: world.run(-1, 5), sc.SPC_ERROR_BAD_STEP),
                         (lambda: world.ball(radius=1), sc.SPC_ERROR_BAD_MASS),
                         (lambda: sc.World(-1, 0), sc.SPC_ERROR_BAD_CAPACITY)):
        try:
            call()
            check('refused', None, status)
        except sc.Error as error:
            check('status', error.status, status)
    try:
        world.wheel(radios=1)
        check('an unknown member is told', False, True)
    except AttributeError:
        check('an unknown member is told', True, True)
    check('the world is as it was', sc.spc_world_hash(world), before)


layouts()
names()
motions()
refusals()
if sc.numpy:
    sc.numpy = None
    motions()
print('%d passed, %d failed' % (passed, failed))
sys.exit(failed > 0)
