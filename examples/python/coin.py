"""A coin rolls in a circle, and another one wobbles: path and energy, plotted.

    make shared && python3 examples/python/coin.py coin.png      (numpy and matplotlib)

One sees two closed and winding paths of the contact point, height of the centre, and energy that
stays but for the method's error of second order. In a notebook each `# %%` is a cell.
"""
# %%
import math
import sys

import matplotlib.pyplot as plt
import numpy as np

from spherecontact import *

MASS, RADIUS, GRAVITY, LEAN, TURN, RATE = 0.005, 0.012, 9.81, 0.27, -4.0, 4000

# %% A steady circle: what the moment of the coin's weight about C does is its angular momentum's turn
up, out = math.cos(LEAN), math.sin(LEAN)
spin = (GRAVITY * out / RADIUS + 1.25 * TURN ** 2 * out * up) / (-1.5 * TURN * up)


def roll(lean_rate):
    """States of one turn, of a coin that leans as the steady one does, but for its rate."""
    world = World(1, 1, gravity=(0, 0, -GRAVITY))
    world.wheel(mass=spc_mass_disc(MASS, RADIUS), radius=RADIUS, lean=LEAN, turn_rate=TURN,
                speed=RADIUS * spin, lean_rate=lean_rate, y=RADIUS * spin / -TURN)
    steps = round(2 * math.pi / abs(TURN) * RATE)
    return world.run(2 * math.pi / abs(TURN) / steps, steps)[:, 0]


# %% Rows are quaternion w x y z, position, angular velocity, velocity; the coin's axis is its z
def axis(q):
    w, x, y, z = q.T
    return np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)


def contact(s):
    """The lowest point of the rim."""
    a = axis(s[:, 0:4])
    down = a[:, 2:3] * a - np.array([0, 0, 1])
    return s[:, 4:7] + RADIUS * down / np.linalg.norm(down, axis=1, keepdims=True)


def energy(s):
    w, v, about = s[:, 7:10], s[:, 10:13], np.sum(axis(s[:, 0:4]) * s[:, 7:10], axis=1)
    turning = MASS * RADIUS ** 2 / 4 * (np.sum(w * w, axis=1) + about ** 2)
    return (MASS * np.sum(v * v, axis=1) + turning) / 2 + MASS * GRAVITY * s[:, 6]


# %%
steady, wobbling = roll(0), roll(3)
figure, (path, height, error) = plt.subplots(1, 3, figsize=(12, 3.6), layout='constrained')
for name, s in ('steady', steady), ('wobbling', wobbling):
    C, E = contact(s), energy(s)
    t = np.arange(1, len(s) + 1) * 2 * math.pi / abs(TURN) / len(s)
    path.plot(1000 * C[:, 0], 1000 * C[:, 1], label=name)
    height.plot(t, 1000 * s[:, 6])
    error.plot(t, E / E[0] - 1)
path.set(xlabel='x [mm]', ylabel='y [mm]', title='contact point', aspect='equal')
height.set(xlabel='t [s]', ylabel='z [mm]', title='centre')
error.set(xlabel='t [s]', ylabel='E / E(0) - 1', title='energy')
path.legend()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else 'coin.png')

# %% The steady coin is back where it began; both keep their energy, to second order in a step
back = np.linalg.norm(contact(steady)[-1] - [0, RADIUS * spin / -TURN, 0])
kept = max(abs(np.ptp(energy(s)) / energy(s)[0]) for s in (steady, wobbling))
print('coin: %s, back to %.1e m, energy to %.1e' % ('ok' if back < 1e-5 and kept < 1e-5 else 'WRONG', back, kept))
sys.exit(not (back < 1e-5 and kept < 1e-5))
