"""spherecontact.h from Python: ctypes over the shared library, and nothing else.

    cc -O2 -shared -fPIC -DSPHERECONTACT_IMPLEMENTATION -x c spherecontact.h -lm -o libspherecontact.so

    from spherecontact import *
    world = World(1, 1, gravity=(1, 0, -9.81))        # one body, one constraint
    ball, contact = world.ball(mass=spc_mass_solid_sphere(1, 0.1), radius=0.1)
    states = world.run(1 / 60, 60)                    # all steps in one call
    print(states[-1, 0, 4])                           # x: 0.357142...

Structs, constants and functions have their names of C, and are read from the header, so that they
are those of the library; -DSPC_USE_FLOAT gives single precision. A call that is refused raises
Error. A pointer takes byref() of a struct, an array, or None. SPHERECONTACT_LIBRARY and
SPHERECONTACT_HEADER say where both are, if not here, in this project, or where the system looks.
"""
import ctypes
import os
import re
from ctypes import byref

try:
    import numpy
except ImportError:
    numpy = None

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.join(HERE, os.pardir, os.pardir)


def _find(variable, name, folders):
    places = [os.environ.get(variable, '')] + [os.path.join(f, name) for f in folders]
    return next((p for p in places if p and os.path.exists(p)), name)


_library = ctypes.CDLL(os.path.abspath(_found) if os.path.exists(
    _found := _find('SPHERECONTACT_LIBRARY', 'libspherecontact.so',
                    [HERE, os.path.join(PROJECT, 'build')])) else _found)
_is_float = hasattr(_library, 'spc_step_f')
_suffix = '_f' if _is_float else ''


class Error(Exception):
    """A refused call; .status is the code, and the world is as it was."""

    def __init__(self, status, call):
        super().__init__('%s: %s' % (call, spc_status_text(status).decode()))
        self.status = status


# --------------------------------------------------------------------- the header, as ctypes

real = ctypes.c_float if _is_float else ctypes.c_double
_types = {'spc_real': real, 'int': ctypes.c_int, 'unsigned': ctypes.c_uint, 'bool': ctypes.c_bool,
          'size_t': ctypes.c_size_t, 'unsigned long long': ctypes.c_ulonglong, 'void': None,
          'char': ctypes.c_char}
__all__ = ['Error', 'World', 'byref', 'real']


def _type(text):
    """The ctypes type of a C type; pointers to what is not known here are void pointers."""
    text = ' '.join(re.sub(r'\bconst\b', ' ', text).replace('*', ' * ').split())
    if not text.endswith('*'):
        return _types[text]
    target = text[:-1].strip()
    if target == 'char':
        return ctypes.c_char_p
    known = _types.get(target)
    return ctypes.POINTER(known) if known else ctypes.c_void_p


def _parameters(text):
    """Types of parameters, whose names stand last."""
    if text.strip() in ('void', ''):
        return []
    return [_type(re.sub(r'\w+\s*$', '', p)) for p in text.split(',')]


def _members(body):
    """Names and types of the members of a struct."""
    for part in (p.strip() for p in body.split(';') if p.strip()):
        call = re.fullmatch(r'(.*?)\(\*(\w+)\)\((.*)\)', part, re.S)
        if call:
            yield call[2], ctypes.CFUNCTYPE(_type(call[1]), *_parameters(call[3]))
            continue
        kind, first = re.fullmatch(r'((?:const )?\w+[ *]+)(.*)', part, re.S).groups()
        for name in first.split(','):
            name, _, count = name.strip().rstrip(']').partition('[')
            member = _type(kind)
            if count:
                member *= eval(count, {}, globals())
            yield name, member


def _read(path):
    with open(path, encoding='utf-8') as file:
        text = re.sub(r'/\*.*?\*/', ' ', file.read(), flags=re.S)
    text = text[:text.index('#endif', text.index('SPC_API spc_status spc_world_draw'))]
    for name, value in re.findall(r'#define (SPC_[A-Z_]+) (\d+)u?\s*$', text, re.M):
        globals()[name] = int(value)
        __all__.append(name)
    text = re.sub(r'^\s*#.*(\\\n.*)*', '', text, flags=re.M)
    pattern = (r'typedef (struct|enum) (\w+) \{(.*?)\} \w+;|typedef void \(\*(\w+)\)\((.*?)\);|'
               r'SPC_API ([\w \n]+?[ *]+)(\w+)\(([^)]*)\);')
    for item in re.finditer(pattern, text, re.S):
        sort, tag, body, callback, taken, result, function, parameters = item.groups()
        if sort == 'enum':
            _types[tag] = ctypes.c_int
            names = [n.split('=')[0].strip() for n in body.split(',')]
            globals().update({n: i for i, n in enumerate(names)})
            __all__.extend(names)
        elif sort == 'struct':
            new = type(tag, (ctypes.Structure,), {'_fields_': list(_members(body))})
            _types[tag] = globals()[tag] = new
            __all__.append(tag)
        elif callback:
            _types[callback] = globals()[callback] = ctypes.CFUNCTYPE(None, *_parameters(taken))
            __all__.append(callback)
        elif hasattr(_library, function + _suffix):
            _bind(function, ' '.join(result.split()), _parameters(parameters))


def _bind(name, result, parameters):
    """A function of the library; one that returns a status raises Error instead."""
    call = getattr(_library, name + _suffix)
    call.argtypes = parameters
    call.restype = _type(result)
    if result == 'spc_status':
        def refuse(status, *_):
            if status:
                raise Error(status, name)
        call.errcheck = refuse
    globals()[name] = call
    __all__.append(name)


_read(_find('SPHERECONTACT_HEADER', 'spherecontact.h', [HERE, PROJECT]))


# ------------------------------------------------------------------------------- what is handy

def _fill(desc, values):
    """Sets members of a struct; sequences become structs of numbers."""
    for name, value in values.items():
        if not hasattr(desc, name):
            raise AttributeError('%s has no %s' % (type(desc).__name__, name))
        if isinstance(value, (tuple, list)):
            value = type(getattr(desc, name))(*value)
        setattr(desc, name, value)
    return desc


class World:
    """Memory with a world in it. It stands where functions want a pointer to a world."""

    def __init__(self, bodies, constraints, **desc):
        self.desc = _fill(spc_world_desc_default(bodies, constraints), desc)
        size = spc_world_size(byref(self.desc))
        self.memory = (ctypes.c_double * (size // 8 + 1))()
        self._as_parameter_ = ctypes.c_void_p()
        spc_world_create(self.memory, size, byref(self.desc), byref(self._as_parameter_))

    def _add(self, call, desc, values):
        body, contact = spc_body(), spc_constraint()
        call(self, byref(_fill(desc, values)), byref(body), byref(contact))
        return body, contact

    def ball(self, **desc):
        """A ball that rolls: handles of body and contact. Members of spc_ball_desc."""
        return self._add(spc_ball_add, spc_ball_desc_default(), desc)

    def wheel(self, **desc):
        """A wheel that rolls: handles of body and contact. Members of spc_wheel_desc."""
        return self._add(spc_wheel_add, spc_wheel_desc_default(), desc)

    def bodies(self):
        """Handles of all bodies, in the order of what run() gives."""
        body, found = spc_body(), []
        while spc_body_next(self, byref(body)):
            found.append(spc_body(body.index, body.generation))
        return found

    def run(self, h, steps):
        """Takes steps of h; states of all bodies after each. With numpy an array of steps x bodies
        x 13 numbers (quaternion w x y z, position, angular velocity, velocity), else lists of
        spc_state. Where a step is refused Error is raised; the world stands before that step."""
        count = len(self.bodies())
        states = (spc_state * (steps * count))()
        if spc_world_run(self, h, steps, states) < steps:
            spc_step(self, h)  # says why
        if numpy is None:
            return [states[i * count:(i + 1) * count] for i in range(steps)]
        return numpy.frombuffer(states, dtype=real).reshape(steps, count, 13)
