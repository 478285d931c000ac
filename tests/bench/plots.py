"""Draws the tables of plots.sh: plots.py FOLDER reads FOLDER/*.csv and writes FOLDER/*.svg.

Of each other engine the better of two settings is drawn: the one whose largest error is smaller.
Grounds are transparent and colors are mid tones, which hold 3:1 on white and on near black.
"""
import csv
import math
import os
import re
import sys

import matplotlib

matplotlib.use('Agg')
import matplotlib.pyplot as plt

GREY = '#808080'
# name in the legend, color, style of the line, and what the engine's programs call their settings
ENGINES = {
    'MuJoCo': ('#a86cc8', (0, (1, 1)), {'mujoco': 'defaults', 'mujoco_tuned': 'elliptic cone',
                                        'mujoco_rk4': 'RK4'}),
    'ODE': ('#309048', (0, (6, 2)), {'ode': 'dWorldStep', 'ode_full': 'dWorldStep',
                                     'ode_quick': 'dWorldQuickStep'}),
    'Bullet': ('#bb7700', (0, (4, 1, 1, 1)), {'bullet': 'defaults', 'bullet_tuned': 'tuned'}),
    'spc_step_rk4': ('#e05060', '-', {'spc_step_rk4': ''}),
    'spc_step': ('#4488cc', '-', {'spc_step': ''}),
}
MOST_BYTES = 30000

folder = sys.argv[1]
wrong = []


def read(name):
    """The curves of a table: engine -> (times, values)."""
    curves = {}
    with open(os.path.join(folder, name + '.csv'), newline='') as f:
        for row in csv.DictReader(f):
            t, v = curves.setdefault(row['engine'], ([], []))
            t.append(float(row['time']))
            v.append(float(row['value']))
    return curves


def versions():
    """Of the other engines."""
    with open(os.path.join(folder, 'versions.csv'), newline='') as f:
        told = {row['engine']: row['version'] for row in csv.DictReader(f)}
    return ', '.join('%s %s' % (name, told[key]) for name, key in
                     [('Bullet', 'bullet'), ('ODE', 'ode'), ('MuJoCo', 'mujoco')] if key in told)


def worst(values, truth):
    """The largest error; infinite where there is no number."""
    return max((abs(v - w) if math.isfinite(v) else math.inf) for v, w in zip(values, truth))


def expect(what, value, bar):
    """What this library promises of a curve."""
    print('%s: %.3g, at most %.3g' % (what, value, bar))
    if not value <= bar:
        wrong.append(what)


def bounces(t, e=0.8, g=9.81):
    """Height over the floor of a ball that fell from 1 m."""
    lands, speed = math.sqrt(2 / g), math.sqrt(2 * g)
    if t < lands:
        return 1 - g * t * t / 2
    while speed > 1e-6:
        speed *= e
        if t < lands + 2 * speed / g:
            return speed * (t - lands) - g * (t - lands) ** 2 / 2
        lands += 2 * speed / g
    return 0


def before(curves, end):
    """The same, up to a time."""
    return {e: ([x for x in t if x < end], [x for x, y in zip(v, t) if y < end])
            for e, (t, v) in curves.items()}


def draw(axes, name, truth, scale=1, least=None, **style):
    """All curves of a table, the other engines' below; returns the errors of this library."""
    curves, mine = read(name), {}
    for engine, (color, dashes, settings) in ENGINES.items():
        there = {s: worst(curves[s][1], [truth(t) for t in curves[s][0]])
                 for s in settings if s in curves}
        if not there:
            continue
        best = min(there, key=there.get)
        t, v = curves[best]
        v = [scale * x for x in v]
        if least:
            v = [max(x, least) for x in v]
        if engine.startswith('spc'):
            mine[engine] = there[best]
        label = engine + (', ' + settings[best] if settings[best] else '')
        own = dict(style)
        if 'marker' in own and engine == 'spc_step_rk4':
            own['markersize'] = 2 * own['markersize']
            own['markerfacecolor'] = 'none'
        axes.plot(t, v, color=color, linestyle=dashes, label=label, **own)
    return mine


def decorate(axes, title, y, legend):
    axes.set_title(title, fontsize=9, color=GREY)
    axes.set_xlabel('time [s]')
    axes.set_ylabel(y)
    axes.grid(color=GREY, alpha=0.25, linewidth=0.5)
    for spine in axes.spines.values():
        spine.set_color(GREY)
    axes.tick_params(colors=GREY, which='both')
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(handles[::-1], labels[::-1], frameon=False, fontsize=8, labelcolor='linecolor',
                **legend)


def save(figure, name, title):
    """An SVG without date, with numbers of a tenth of a point, and a title for those who hear it."""
    path = os.path.join(folder, name + '.svg')
    figure.text(0.995, 0.005, versions(), ha='right', va='bottom', fontsize=7, color=GREY)
    figure.tight_layout(rect=(0, 0.025, 1, 1))
    figure.savefig(path, transparent=True, metadata={'Date': None, 'Creator': None, 'Title': title})
    plt.close(figure)
    with open(path) as f:
        text = f.read()
    text = re.sub(r'<\?xml.*?\?>\s*|<!DOCTYPE.*?>\s*|<!--.*?-->\s*', '', text, flags=re.S)
    text = re.sub(r'<metadata>.*?</metadata>', '', text, flags=re.S)
    text = re.sub(r'<g id="[^"]*">', '<g>', text)
    text = re.sub(r' transform="rotate\(-0 [^"]*"', '', text)
    text = re.sub(r' (d|x|y|width|height)="([^"]*)"', lambda m: ' %s="%s"' % (
        m[1], re.sub(r'-?\d+\.\d+', lambda n: '%g' % round(float(n[0]), 1), m[2])), text)
    styles = re.findall(r' style="([^"]*)"', text)
    often = [s for s in dict.fromkeys(styles) if styles.count(s) > 2]
    for i, style in enumerate(often):  # styles that are there more than twice become classes
        text = text.replace(' style="%s"' % style, ' class="s%d"' % i)
        text = text.replace('</style>', '.s%d{%s}</style>' % (i, style), 1)
    text = re.sub(r'\s*\n\s*', '\n', text)
    text = re.sub(r' \n(?=[MLCz"])|(?<=\d)\n(?=[MLC"])', '', text)
    groups = 1
    while groups:  # groups that say nothing
        text, groups = re.subn(r'<g>\n((?:(?!</?g[ >]).)*?)</g>\n', r'\1', text, flags=re.S)
    with open(path, 'w') as f:
        f.write(text)
    size = os.path.getsize(path)
    expect(path + ' [bytes]', size, MOST_BYTES)


def main():
    plt.rcParams.update({
        'svg.fonttype': 'none', 'svg.hashsalt': 'spherecontact', 'font.family': 'sans-serif',
        'font.sans-serif': ['DejaVu Sans', 'Verdana', 'Arial'],
        'font.size': 9, 'axes.labelcolor': GREY, 'lines.linewidth': 1.5, 'path.simplify': True,
        'path.simplify_threshold': 0.2, 'figure.dpi': 72})

    figure, axes = plt.subplots(1, 1, figsize=(8.4, 3.4))
    draw(axes, 'bounce', bounces)
    for engine, (times, heights) in before(read('bounce'), 4).items():
        if engine.startswith('spc'):  # later a bounce takes less than two steps, and it comes to rest
            expect('bounce, %s: error of the height [m]' % engine,
                   worst(heights, [bounces(t) for t in times]), 1e-10)
    decorate(axes, 'Height of a ball that fell 1 m, e = 0.8, step 1/60 s', 'height [m]',
             {'loc': 'upper right'})
    axes.set_xlim(0, 4.5)
    save(figure, 'bounce', 'Height of a ball that bounces, here and in other engines')

    figure, (left, right) = plt.subplots(1, 2, figsize=(8.4, 3.6))
    mine = draw(left, 'elastic', lambda t: 1, marker='o', markersize=3, linewidth=1)
    expect('elastic: relative error of the energy', max(mine.values()), 1e-8)
    decorate(left, 'A ball bounces with e = 1, step 1/60 s', 'energy at each apex / at the start',
             {'loc': 'upper left'})
    left.set_ylim(0.85, 1.5)
    left.set_xlim(0, 20)
    mine = draw(right, 'chain', lambda t: 0, scale=100)
    expect('chain, spc_step: energy / m g L', mine['spc_step'], 0.16)
    expect('chain, spc_step_rk4: energy / m g L', mine['spc_step_rk4'], 0.005)
    decorate(right, 'A chain of ten links falls, step 1/240 s', 'change of energy / (m g L) [%]',
             {'loc': 'lower left'})
    right.set_xlim(0, 10)
    save(figure, 'energy', 'Energy over time, here and in other engines')

    figure, (left, right) = plt.subplots(1, 2, figsize=(8.4, 3.6))
    mine = draw(left, 'turntable', lambda t: 0, least=1e-14)
    expect('turntable, spc_step [m]', mine['spc_step'], 2e-5)
    expect('turntable, spc_step_rk4 [m]', mine['spc_step_rk4'], 1e-11)
    decorate(left, 'A ball circles on a turntable, step 1/240 s', 'error of its place [m]',
             {'loc': 'center right'})
    left.set_yscale('log')
    left.set_xlim(0, 22)
    mine = draw(right, 'cube', lambda t: 0, scale=1000)
    expect('cube [m]', max(mine.values()), 1e-15)
    decorate(right, 'A cube that friction holds on a slope, step 1/240 s', 'way that it creeps [mm]',
             {'loc': 'upper left'})
    right.set_ylim(-0.15, 3)
    right.set_xlim(0, 10)
    save(figure, 'error', 'Errors of place over time, here and in other engines')
    print('plots: %d failed%s' % (len(wrong), ''.join('\n  ' + w for w in wrong)))
    return 1 if wrong else 0


sys.exit(main())
