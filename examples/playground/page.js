/* page.js - runs a scene of the module: time, input, plots, and the comparison of hashes */

const $ = id => document.getElementById(id);
const canvas = $('picture'), view = new View(canvas);
const RATES = [30, 60, 120, 240, 480, 960]; // steps in a second
const MEASURES =
    ['time', 'kinetic', 'potential', 'slip', 'gap', 'rows', 'redundant', 'bodies', 'bytes'];

let module, checker; // two instances: the scene that is seen, and default runs
let scene = null, scenes = [];
const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
let playing = !calm;
let stepLength = 1 / 240, perFrame = 4; // steps before each snapshot
let owed = 0, before = 0;               // time that is to be stepped through, of the last picture
let frames = [], most = 600;             // snapshots, in a ring of so many
let oldest = 0, newest = 0, shown = 0;  // which of them there are; the one that is seen
let cost = {ms: 0, steps: 0, last: 0};
let held = null, turning = null, keys = new Set(), phone = null, pointed = null;

const text = (m, at) => {
    const memory = new Uint8Array(m.memory.buffer);
    return at ? new TextDecoder().decode(memory.slice(at, memory.indexOf(0, at))) : '';
};
const hex = n => BigInt.asUintN(64, n).toString(16).padStart(16, '0');

/* ------------------------------------------------------------------------------ the module ---- */

async function load() {
    const packed =
        Uint8Array.from(atob($('module').textContent.replace(/\s/g, '')), c => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    const compiled = await WebAssembly.compile(await new Response(stream).arrayBuffer());
    module = (await WebAssembly.instantiate(compiled, {})).exports;
    checker = (await WebAssembly.instantiate(compiled, {})).exports;
    most = module.frame_count();
    for (let i = 0; module.text(i, 0); i++)
        scenes.push(readScene(i));
    const nav = $('scenes');
    for (const s of scenes) {
        const link = document.createElement('a');
        link.href = '#' + s.id;
        link.textContent = s.title;
        nav.append(link);
        s.link = link;
    }
    readSettings();
    window.addEventListener('hashchange', open);
    open();
    requestAnimationFrame(tick);
}

function readScene(i) {
    const of = which => text(module, module.text(i, which)),
          number = which => module.number(i, which);
    const s = {
        i,
        id: of(0),
        title: of(1),
        text: of(2),
        side: number(0),
        height: number(1),
        distance: number(2),
        follows: number(3),
        tilts: number(4),
        round: number(5),
        push: number(6),
        pull: number(7),
        struck: number(8), // the body that the cue strikes; 0: there is no cue
        crowded: number(9),
        sliders: []
    };
    for (let k = 0; k < 3 && of(3 + 2 * k); k++) {
        const [least, largest, step, value, restarts] =
            [0, 1, 2, 3, 4].map(j => number(10 + 6 * k + j));
        s.sliders.push(
            {label: of(3 + 2 * k), unit: of(4 + 2 * k), least, largest, step, value, restarts});
    }
    return s;
}

/* ------------------------------------------------------------------------------ scenes -------- */

/* The scene of the page's address. */
function open() {
    scene = scenes.find(s => '#' + s.id === location.hash) || scenes[0];
    for (const s of scenes)
        s === scene ? s.link.setAttribute('aria-current', 'page')
                    : s.link.removeAttribute('aria-current');
    document.title = `${scene.title}: spherecontact.h`;
    $('told').textContent = scene.text;
    canvas.setAttribute('aria-label', `${scene.title}: ${scene.text}`);
    view.side = scene.side;
    view.height = scene.height;
    view.distance = scene.distance;
    $('how').innerHTML =
        scene.tilts    ? ''
        : scene.struck ? '<i>Arrow keys aim, Enter strikes.</i>'
                       : 'Drag a body to pull it' +
              `<i>; arrow keys ${scene.push ? 'push' : 'steer'}</i>.`;
    scene.link.scrollIntoView({block: 'nearest', inline: 'center'});
    $('tilt').hidden = !(scene.tilts && 'DeviceOrientationEvent' in window &&
                         matchMedia('(pointer: coarse)').matches);
    $('method').disabled = scene.crowded;
    makeSliders();
    restart();
    $('trails').disabled = frames[0].trail.length === 0;
    const isJoint = (number, i) => i % 16 === 1 && number === PART.joint;
    $('joints').disabled = !drawn(PART.joint).some(isJoint);
    play(!calm);
    setTimeout(compare, 60);
}

function makeSliders() {
    $('sliders').replaceChildren(...scene.sliders.map((s, k) => {
        const label = document.createElement('label'), name = document.createElement('span');
        const value = document.createElement('output'), input = document.createElement('input');
        const show = () => {
            value.textContent = `${Number((+input.value).toFixed(2))} ${s.unit}`;
            module.set_slider(k, +input.value);
        };
        label.className = 'slider';
        name.textContent = s.label;
        Object.assign(input,
                      {type: 'range', min: s.least, max: s.largest, step: s.step, value: s.value});
        input.addEventListener('input', () => {
            show();
            if (s.restarts)
                restart();
        });
        label.append(name, value, input);
        show();
        return label;
    }));
}

function restart() {
    notice('');
    held = null;
    module.let_go();
    const status = module.start(scene.i);
    if (status)
        return fail(status);
    oldest = newest = shown = 0;
    frames = [];
    owed = 0;
    keep(0);
    canvas.classList.remove('holds');
}

/* ------------------------------------------------------------------------------ time ---------- */

function measured() {
    const at = module.measured(), list = new Float64Array(module.memory.buffer, at, 25), m = {};
    MEASURES.forEach((name, i) => m[name] = list[i]);
    m.focus = Array.from(list.subarray(9, 12));
    m.trail =
        Array.from({length: list[12]}, (_, k) => Array.from(list.subarray(13 + 3 * k, 16 + 3 * k)));
    return m;
}

function keep(i) {
    oldest = Math.max(oldest, i - most + 1);
    module.save(i % most);
    frames[i % most] = measured();
}

/* Steps, and then a snapshot; what was wound back is forgotten. */
function advance(steps) {
    newest = shown;
    point();
    const start = performance.now(), status = module.step(steps);
    cost.ms += performance.now() - start;
    cost.steps += steps;
    if (status)
        return fail(status);
    newest = ++shown;
    keep(shown);
    if (module.is_over())
        stop('It has fallen. Wind back, or restart.');
    else if (frames[shown % most].gap > 0.4 * scene.distance)
        stop('It has come apart: this method needs shorter steps here. Wind back, or restart.');
}

function fail(status) {
    const words = text(module, module.status_text(status));
    stop(`Refused, and nothing is changed: ${words}. Wind back, or restart.`);
}

function stop(words) {
    play(false);
    notice(words);
}

function notice(words) {
    $('notice').textContent = words;
    $('notice').hidden = !words;
}

function play(on) {
    playing = on;
    owed = 0;
    if (on)
        notice('');
    $('play').innerHTML =
        `<svg viewBox="0 0 16 16" width="16" height="16" fill="currentColor"><path d="${
            on ? 'M3 2h4v12H3zM9 2h4v12H9z' : 'M4 2l10 6-10 6z'}"/></svg>`;
    $('play').setAttribute('aria-label', on ? 'Pause' : 'Play');
}

function windTo(i) {
    play(false);
    notice('');
    shown = Math.max(oldest, Math.min(newest, i));
    const status = module.load(shown % most);
    if (status)
        fail(status);
    readSettings(); // a snapshot has the T that it was made with
}

function tick(t) {
    requestAnimationFrame(tick);
    const length = perFrame * stepLength, passed = Math.min((t - before) / 1000, 0.1);
    before = t;
    if (playing) {
        owed += passed;
        for (let i = 0; i < 6 && playing && owed > length - 0.002; i++) {
            owed -= length;
            advance(perFrame);
        }
        owed = Math.min(owed, length);
    }
    paint();
}

/* ------------------------------------------------------------------------------ input --------- */

/* Until somebody touches it the tray goes around. */
function idle() {
    const t = frames[shown % most].time;
    return [0.4 * Math.sin(1.4 * t), 0.4 * Math.sin(1.1 * t + 1)];
}

/* The direction of keys, pointer or phone, turned with the camera, in G. */
function point() {
    const on = key => keys.has(key) ? 1 : 0;
    let x = on('ArrowRight') - on('ArrowLeft'), y = on('ArrowUp') - on('ArrowDown');
    if (scene.struck)
        return module.point(x, y);
    if (!x && !y && scene.tilts)
        [x, y] = phone || pointed || idle();
    const a = view.side * Math.PI / 180, l = Math.max(1, Math.hypot(x, y));
    module.point((x * Math.cos(a) + y * Math.sin(a)) / l, (y * Math.cos(a) - x * Math.sin(a)) / l);
}

/* Two fingers zoom; one, or the mouse, holds a body, turns the view, or tilts. */
const fingers = new Map();
let apart = 0;
const between = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
};

canvas.addEventListener('pointerdown', e => {
    canvas.focus({preventScroll: true});
    canvas.setPointerCapture(e.pointerId);
    fingers.set(e.pointerId, [e.clientX, e.clientY]);
    if (fingers.size === 2) {
        release();
        apart = between();
        return;
    }
    held = !scene.tilts && e.button === 0 ? view.pick(e.clientX, e.clientY, scene.struck) : null;
    if (held && held.body === scene.struck)
        held.from = onTable(e);
    if (held)
        module.grab(held.body, ...held.point);
    else if (!scene.tilts || e.button !== 0)
        turning = [e.clientX, e.clientY];
    canvas.classList.toggle('holds', held !== null);
    aim(e);
});

canvas.addEventListener('pointermove', e => {
    if (fingers.has(e.pointerId))
        fingers.set(e.pointerId, [e.clientX, e.clientY]);
    if (fingers.size === 2) {
        zoom(apart / between());
        apart = between();
    } else if (turning) {
        turn(turning[0] - e.clientX, e.clientY - turning[1]);
        turning = [e.clientX, e.clientY];
    } else {
        aim(e);
    }
});

/* By so many pixels. */
function turn(x, y) {
    view.side += 0.35 * x;
    view.height = Math.max(2, Math.min(88, view.height + 0.3 * y));
}

function zoom(by) {
    const [least, largest] = [0.4 * scene.distance, 3 * scene.distance];
    view.distance = Math.max(least, Math.min(largest, view.distance * by));
}

/* A cue is pulled level with the ball. */
const onTable = e => view.level(e.clientX, e.clientY, held.z, held.centre[2]);

/* Where the pointer is: over the tray a tilt, else where the body is pulled to. */
function aim(e) {
    const box = canvas.getBoundingClientRect(), half = 0.4 * Math.min(box.width, box.height);
    const limit = v => Math.max(-1, Math.min(1, v / half));
    if (scene.tilts)
        pointed = [
            limit(e.clientX - box.left - box.width / 2), limit(box.top + box.height / 2 - e.clientY)
        ];
    if (held) {
        held.to = held.body === scene.struck ? add(held.centre, sub(onTable(e), held.from))
                                             : view.under(e.clientX, e.clientY, held.z);
        module.pull_to(...held.to);
    }
}

function release() {
    held = turning = null;
    pointed = [0, 0];
    module.let_go();
    canvas.classList.remove('holds');
}
canvas.addEventListener('pointerup', e => {
    fingers.delete(e.pointerId);
    if (held && held.body === scene.struck)
        strike();
    if (e.pointerType === 'mouse' && scene.tilts)
        turning = null;
    else
        release();
});
canvas.addEventListener('pointercancel', e => {
    fingers.delete(e.pointerId);
    release();
});
canvas.addEventListener('pointerleave', () => scene.tilts && (pointed = [0, 0]));
canvas.addEventListener('contextmenu', e => e.preventDefault());
canvas.addEventListener('wheel', e => {
    e.preventDefault();
    zoom(Math.exp(0.001 * e.deltaY));
}, {passive: false});

$('tilt').addEventListener('click', async () => {
    const ask = DeviceOrientationEvent.requestPermission;
    if (ask && await ask.call(DeviceOrientationEvent).catch(() => 'denied') !== 'granted')
        return notice('The browser does not allow it: drag on the tray instead.');
    window.addEventListener('deviceorientation', e => {
        if (e.gamma !== null)
            phone = [e.gamma / 30, -e.beta / 30].map(v => Math.max(-1, Math.min(1, v)));
    });
    $('tilt').hidden = true;
});

const commands = {
    ' ': () => play(!playing),
    '.': () => oneStep(),
    '[': () => windTo(shown - 6),
    ']': () => windTo(shown + 6),
    r: () => restart(),
    f: () => $('forces').click(),
    k: () => knock(),
    Enter: () => strike(),
    '+': () => zoom(0.9),
    '-': () => zoom(1 / 0.9),
};
window.addEventListener('keydown', e => {
    const inField = e.target.matches('input, select, button, a');
    if (e.ctrlKey || e.metaKey || e.altKey)
        return;
    if (e.key.startsWith('Arrow') && !e.target.matches('input, select')) {
        if (e.shiftKey)
            turn(...{Left: [-20, 0], Right: [20, 0], Up: [0, 20], Down: [0, -20]}[e.key.slice(5)]);
        else
            keys.add(e.key);
        e.preventDefault();
    } else if (e.key in commands && !(inField && [' ', 'Enter'].includes(e.key))) {
        commands[e.key]();
        e.preventDefault();
    } else if (scenes[e.key - 1] && !e.target.matches('select')) {
        location.hash = scenes[e.key - 1].id;
    }
});
window.addEventListener('keyup', e => keys.delete(e.key));
window.addEventListener('blur', () => keys.clear());

function oneStep() {
    play(false);
    notice('');
    advance(1);
}

/* As the cue is aimed; without one nothing happens. */
function strike() {
    if (module.hit())
        play(true);
}

function knock() {
    const status = module.lift();
    if (status)
        return fail(status);
    play(true);
}

$('play').addEventListener('click', () => play(!playing));
$('step').addEventListener('click', oneStep);
$('restart').addEventListener('click', () => {
    restart();
    play(true);
});
$('knock').addEventListener('click', knock);
$('back').addEventListener('input', e => windTo(newest + +e.target.value));

/* ------------------------------------------------------------------------------ settings ------ */

function readSettings() {
    const rate = RATES[$('h').value],
          T = $('t').value > 0 ? +(10 ** ($('t').value / 10 - 3)).toPrecision(2) : 0;
    stepLength = 1 / rate;
    perFrame = Math.max(1, Math.round(rate / 60));
    module.set_step(stepLength);
    module.set_method($('method').selectedIndex);
    module.set_time_constant_to(T);
    $('h-value').textContent = `1/${rate} s`;
    $('t-value').textContent = T ? `${T} s` : 'off';
}
for (const id of ['h', 't', 'method'])
    $(id).addEventListener('input', readSettings);

/* ------------------------------------------------------------------------------ the same bits - */

/* Runs the scene's default run beside the one that is seen, and compares with the native hash. */
function compare() {
    const line = $('native')
                     .textContent.trim()
                     .split('\n')
                     .map(l => l.split(' '))
                     .find(l => l[0] === scene.id);
    const status = checker.run(scene.i), here = hex(checker.hash());
    const same = !status && line && +line[1] === checker.run_steps() && line[2] === here;
    $('verdict').className = same ? 'same' : 'differ';
    $('verdict').textContent =
        same ? `✓ ${checker.run_steps().toLocaleString('en')} steps: the same bits`
             : '✗ The bits differ';
    list($('hashes'), {native: line ? line[2] : 'none', here, 'as you see it': ''});
    document.body.dataset.verdict = same ? 'same' : 'differ';
    document.body.dataset.scene = scene.id;
}

function list(into, entries) {
    const names = Object.keys(entries);
    if (into.children.length !== 2 * names.length || into.firstChild.textContent !== names[0])
        into.replaceChildren(...names.flatMap(n => {
            const t = document.createElement('dt'), d = document.createElement('dd');
            t.textContent = n;
            return [t, d];
        }));
    names.forEach((n, i) => into.children[2 * i + 1].textContent = entries[n]);
}

/* ------------------------------------------------------------------------------ the picture --- */

/* A number of three digits, with its exponent if it is small. */
const short = x => x === 0               ? '0'
                   : Math.abs(x) < 0.001 ? x.toExponential(1)
                                         : (+x.toPrecision(3)).toString();

const drawn = parts => {
    const count = module.draw(parts);
    return new Float32Array(module.memory.buffer, module.records(), 16 * count);
};

function paint() {
    const now = frames[shown % most];
    if (!now)
        return;
    const parts = PART.plane | PART.ball | PART.disc | ($('joints').checked ? PART.joint : 0) |
                  ($('forces').checked ? PART.contact | PART.force : 0);
    const trails = now.trail.map(() => []);
    for (let i = Math.max(oldest, shown - 400); $('trails').checked && i <= shown; i++)
        frames[i % most].trail.forEach((p, k) => trails[k].push(p));
    view.focus = now.focus;
    view.begin();
    view.paint(drawn(parts), scene.round, trails.map(cut));
    if (held && held.to)
        spring();
    showTime(now);
    plots();
}

/* Only what came after the last leap: something was put back. */
function cut(points) {
    for (let i = points.length - 1; i > 0; i--)
        if (norm(sub(points[i], points[i - 1])) > 0.15 * scene.distance)
            return points.slice(i);
    return points;
}

function spring() {
    const item = view.items.find(i => i.body === held.body && i.kind !== BAR);
    if (!item)
        return;
    const a = view.at(item.centre), b = view.at(held.to), color = css(view.color('accent'));
    view.g.setLineDash([6 * view.ratio, 5 * view.ratio]);
    view.stroke([a, b], color, 2 * view.ratio);
    view.g.setLineDash([]);
    view.fill(view.circle([0, 0, 0], [5, 0, 0], [0, 5, 0], 16)
                  .map(p => [b[0] + p[0] * view.ratio, b[1] + p[1] * view.ratio]),
              color);
}

function showTime(now) {
    const back = $('back');
    back.min = oldest - newest;
    back.value = shown - newest;
    back.setAttribute('aria-valuetext',
                      `${(frames[newest % most].time - now.time).toFixed(1)} s back`);
    $('clock').textContent = `${now.time.toFixed(2)} s`;
    const t = performance.now();
    if (t - cost.last < 250)
        return;
    if (cost.steps > 40) {
        cost.text = `${short(1000 * cost.ms / cost.steps)} µs`;
        cost.ms = cost.steps = 0;
    }
    cost.last = t;
    list($('numbers'), {
        'time of a step': cost.text || '…',
        'bodies, rows':
            `${now.bodies}, ${now.rows}` + (now.redundant ? ` (${now.redundant} redundant)` : ''),
        'slip, at most': now.slip < 0 ? 'no contact' : `${short(now.slip)} m/s`,
        'gap, at most': `${short(now.gap)} m`,
        'a snapshot': `${(now.bytes / 1024).toFixed(1)} KiB`,
    });
    const last = $('hashes').lastChild;
    if (last)
        last.textContent = hex(module.hash());
}

/* ------------------------------------------------------------------------------ plots --------- */

function plot(id, series, range, marks) {
    const c = $(id), g = c.getContext('2d'), ratio = view.ratio, box = c.getBoundingClientRect();
    const w = c.width = Math.round(box.width * ratio),
          h = c.height = Math.round(box.height * ratio);
    const left = 44 * ratio, x = i => left + (w - left) * (i - (shown - most + 1)) / (most - 1);
    const y = v => h - 5 * ratio - (h - 10 * ratio) * (v - range[0]) / (range[1] - range[0] || 1);
    g.font = `${10.5 * ratio}px system-ui, sans-serif`;
    g.textAlign = 'right';
    g.textBaseline = 'middle';
    for (const [v, name] of marks) {
        g.fillStyle = css(view.color('faint'));
        g.fillText(name, left - 6 * ratio, y(v));
        g.fillStyle = css(view.color('line'));
        g.fillRect(left, y(v), w - left, ratio);
    }
    series.forEach((of, k) => {
        g.beginPath();
        for (let i = Math.max(oldest, shown - most + 1), first = true; i <= shown;
             i++, first = false)
            first ? g.moveTo(x(i), y(of(frames[i % most])))
                  : g.lineTo(x(i), y(of(frames[i % most])));
        g.strokeStyle = css(view.color('k' + k));
        g.lineWidth = 1.6 * ratio;
        g.stroke();
    });
}

function plots() {
    let low = 0, high = 1e-3;
    for (let i = oldest; i <= shown; i++) {
        const f = frames[i % most];
        low = Math.min(low, f.potential, f.kinetic + f.potential);
        high = Math.max(high, f.kinetic, f.potential, f.kinetic + f.potential);
    }
    plot('energy', [f => f.kinetic, f => f.potential, f => f.kinetic + f.potential], [low, high],
         [[low, short(low)], [high, short(high)]]);
    const log = v => Math.max(-18, Math.min(0, Math.log10(v || 1e-18)));
    plot('errors', [f => f.slip < 0 ? NaN : log(f.slip), f => log(f.gap)], [-18, 0],
         [[-18, '≤1e-18'], [-9, '1e-9'], [0, '1']]);
}

load().catch(error => {
    notice('This browser cannot run the page: it needs WebAssembly and DecompressionStream.');
    console.error(error);
});
