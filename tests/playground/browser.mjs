// Opens the page in a headless Chromium, over the pipe of its devtools protocol: presses every
// button, moves what can be moved, and looks at what is drawn. node browser.mjs CHROMIUM PAGE
// PICTURES prints a line for each failure and `browser: N passed, N failed`; a picture of each
// scene goes to the folder PICTURES.
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [chromium, page, pictures] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), 'playground-'));
const browser = spawn(chromium,
                      [
                          '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
                          '--no-first-run', '--disable-dev-shm-usage', '--mute-audio',
                          `--user-data-dir=${profile}`, '--remote-debugging-pipe', 'about:blank'
                      ],
                      {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
const leave = (code, words) => {
    if (words)
        console.log(`browser: ${words}`);
    try { // its last processes may still write there
        rmSync(profile, {recursive: true, force: true, maxRetries: 10, retryDelay: 200});
    } catch (error) {
        console.log(`browser: ${profile} stays: ${error.code}`);
    }
    process.exit(code);
};
const end = code => {
    browser.removeAllListeners('exit');
    browser.on('exit', () => leave(code));
    session = undefined;
    send('Browser.close').catch(() => {});
    setTimeout(() => browser.kill('SIGKILL'), 5000);
};
browser.on('exit', () => leave(1, 'it ended by itself'));
browser.on('error', error => leave(1, error.message));
browser.stdio[3].on('error', () => leave(1, 'it does not listen'));
setTimeout(() => {
    console.log('browser: takes longer than 180 s');
    end(1);
}, 180000).unref();

// ---------------------------------------------------------------------------------- the protocol

const waiting = new Map(), errors = [], requests = [];
let ids = 0, rest = '', session;
browser.stdio[4].setEncoding('utf8').on('data', data => {
    const messages = (rest + data).split('\0');
    rest = messages.pop();
    for (const message of messages.map(m => JSON.parse(m))) {
        const {method, params} = message;
        if (message.id)
            waiting.get(message.id)(message);
        else if (method === 'Runtime.exceptionThrown')
            errors.push(params.exceptionDetails.exception?.description ||
                        params.exceptionDetails.text);
        else if (method === 'Runtime.consoleAPICalled' &&
                 ['error', 'warning', 'assert'].includes(params.type))
            errors.push(params.args.map(a => a.value || a.description).join(' '));
        else if (method === 'Log.entryAdded' && params.entry.level === 'error')
            errors.push(params.entry.text);
        else if (method === 'Network.requestWillBeSent' &&
                 !/^(file|data|blob):/.test(params.request.url))
            requests.push(params.request.url);
    }
});
const send = (method, params = {}) => new Promise((good, bad) => {
    const id = ++ids;
    waiting.set(id,
                m => m.error ? bad(new Error(`${method}: ${m.error.message}`)) : good(m.result));
    browser.stdio[3].write(JSON.stringify({id, method, params, sessionId: session}) + '\0');
});
const value = async expression => {
    const r = await send('Runtime.evaluate', {expression, returnByValue: true, awaitPromise: true});
    if (r.exceptionDetails)
        throw new Error(r.exceptionDetails.exception?.description || r.exceptionDetails.text);
    return r.result.value;
};
const wait = ms => new Promise(done => setTimeout(done, ms));
const until = async (expression, ms = 8000) => {
    for (const start = Date.now(); Date.now() - start < ms; await wait(40))
        if (await value(expression))
            return true;
    return false;
};

// ---------------------------------------------------------------------------------- hands and eyes

const mouse = (type, x, y, more = {}) =>
    send('Input.dispatchMouseEvent', {type, x, y, button: 'left', clickCount: 1, ...more});
const middle = selector => value(`(() => {
    const e = document.querySelector(${JSON.stringify(selector)});
    e.scrollIntoView({ block: 'nearest' });
    const b = e.getBoundingClientRect();
    return [b.left + b.width / 2, b.top + b.height / 2, b.width, b.height];
})()`);
const press = async selector => {
    const [x, y] = await middle(selector);
    await mouse('mouseMoved', x, y, {button: 'none'});
    await mouse('mousePressed', x, y);
    await mouse('mouseReleased', x, y);
};
const key = async (name, ms = 0) => {
    const text = name.length === 1 ? name : undefined;
    await send('Input.dispatchKeyEvent', {type: 'keyDown', key: name, text});
    await wait(ms);
    await send('Input.dispatchKeyEvent', {type: 'keyUp', key: name});
};
const slide = async (selector, part) => { // presses the track of a slider
    const [x, y, w] = await middle(selector);
    await mouse('mousePressed', x + (part - 0.5) * (w - 16), y);
    await mouse('mouseReleased', x + (part - 0.5) * (w - 16), y);
};
// how many colors, and a sum over all, of the picture on the canvas
const look = async () => {
    const seen = await value(`(() => {
        paint();
        const d = view.g.getImageData(0, 0, canvas.width, canvas.height).data, colors = new Set();
        let sum = 0;
        for (let i = 0; i < d.length; i += 4) {
            sum = (sum * 31 + d[i] + 7 * d[i + 1] + 13 * d[i + 2] + 17 * d[i + 3]) >>> 0;
            if (i % 64 === 0)
                colors.add(d[i] >> 3 << 12 | d[i + 1] >> 3 << 6 | d[i + 2] >> 3);
        }
        return [colors.size, sum];
    })()`);
    return {colors: seen[0], sum: seen[1]};
};
const clock = () => value(`frames[shown % most].time`);
const hash = () => value(`hex(module.hash())`);
const shoot = async name => {
    const {data} = await send('Page.captureScreenshot', {format: 'png'});
    writeFileSync(join(pictures, `${name}.png`), Buffer.from(data, 'base64'));
};

let passed = 0, failed = 0, where = '';
const check = (good, what) => {
    good ? passed++ : failed++;
    if (!good)
        console.log(`FAILED: ${where}: ${what}`);
};

// ---------------------------------------------------------------------------------- what is tried

async function begin() {
    const {targetId} = await send('Target.createTarget', {url: 'about:blank'});
    session = (await send('Target.attachToTarget', {targetId, flatten: true})).sessionId;
    for (const domain of ['Runtime', 'Log', 'Network', 'Page'])
        await send(`${domain}.enable`);
    await size(1400, 900, 'light');
}

async function size(width, height, scheme, more = {}) {
    await send('Emulation.setDeviceMetricsOverride',
               {width, height, deviceScaleFactor: 1, mobile: false, ...more});
    await send('Emulation.setEmulatedMedia',
               {features: [{name: 'prefers-color-scheme', value: scheme}]});
}

// where a body is on the page, or the first one
const body = (index = 0) => value(`(() => {
    paint();
    const is = i => i.body && i.body < NO_BODY && i.kind !== BAR;
    const item = view.items.find(i => is(i) && (!${index} || i.body === ${index}));
    const p = view.at(item.centre);
    const b = canvas.getBoundingClientRect();
    return [b.left + p[0] / view.ratio, b.top + p[1] / view.ratio];
})()`);

// On the tray the pointer moves; elsewhere it pulls a body to the side, or a key pushes.
async function play(scene) {
    const [x, y, w, h] = await middle('#picture');
    if (scene.tilts) {
        await mouse('mouseMoved', x + 0.15 * w, y + 0.1 * h, {button: 'none'});
        check(await until('view.plane.b[2] < -0.01 && view.plane.c[2] > 0.01', 3000),
              'the tray goes down where the pointer is, to the right and in front');
        return;
    }
    if (scene.struck)
        await value('windTo(0)'); // before the break, which would take the ball away
    const [px, py] = await body();
    await mouse('mousePressed', px, py);
    await value('play(true)');
    for (let i = 1; i <= 8; i++) {
        await mouse('mouseMoved', px + 10 * i, py - 2 * i);
        await wait(30);
    }
    check(await value('held !== null && module.pull_to(...held.to) > 0'),
          'the pointer holds a body');
    await mouse('mouseReleased', px + 80, py - 16);
    check(await value('held === null'), 'and lets it go');
    await key('ArrowRight', 100);
}

// The cue is pulled back from its ball, which then goes the other way; Enter strikes, too.
async function cue(scene) {
    await value('restart(); play(false)'); // all balls are at rest
    const place = () => value('measured().trail[0].slice(0, 2)');
    const hand = await body(scene.struck);
    const bars = () => value('paint(), view.items.filter(i => i.kind === BAR).length');
    await mouse('mousePressed', ...hand);
    await mouse('mouseMoved', hand[0] - 40, hand[1]);
    check(await value(`held.body === ${scene.struck}`), 'the pointer takes the cue');
    check(await bars() > 0, 'which is drawn');
    const before = await place();
    check(await value('measured().kinetic') < 1e-9, 'and does nothing yet');
    await mouse('mouseReleased', hand[0] - 40, hand[1]);
    check(await value('playing && measured().kinetic > 0.01'), 'it strikes');
    await until(`measured().trail[0][0] > ${before[0]} + 0.02`, 2000);
    check((await place())[0] > before[0] + 0.02, 'away from where it was pulled to');
    await value('restart(); play(false); canvas.focus()');
    await key('Enter');
    check(await value('playing && measured().kinetic > 0.01'), 'Enter strikes');
    const turned = await value(`(() => {
        restart();
        const end = keys => {
            windTo(0);
            const press = (type, key) =>
                canvas.dispatchEvent(new KeyboardEvent(type, {key, bubbles: true}));
            keys.forEach(k => press('keydown', k));
            while (frames[shown % most].time < 1.2) // the break comes after 0.7 s
                advance(perFrame);
            keys.forEach(k => press('keyup', k));
            return hex(module.hash());
        };
        return new Set([[], ['ArrowLeft'], ['ArrowRight'], ['ArrowDown']].map(end)).size;
    })()`);
    check(turned === 4, 'arrow keys aim and change the strength');
    await value('play(true)');
}

async function visit(scene) {
    where = scene.id;
    await press(`#scenes a[href="#${scene.id}"]`);
    check(await until(`document.body.dataset.scene === '${scene.id}'`), 'its button opens it');
    check(await value('location.hash') === '#' + scene.id, 'it has an address');
    check(await value('document.body.dataset.verdict') === 'same',
          'the bits are those of the native program');
    await wait(200);
    const first = await look();
    check(first.colors >= 40, `something is drawn (${first.colors} colors)`);
    await play(scene);
    await wait(200);
    check((await look()).sum !== first.sum, 'the picture moves');
    check(await until('frames[shown % most].time > 0.3', 3000), 'time goes on');
    if (scene.struck)
        await cue(scene);
    await shoot(scene.id);
}

// Takes a body at its middle, but not with the cue, and pulls it to a point.
const pull = to => `{
    paint();
    const item = view.items.find(i => i.body && i.body < NO_BODY && i.body !== scene.struck);
    module.grab(item.body, ...item.centre);
    module.pull_to(${to});
}`;

// Stops, steps, goes back, and comes to the same bits again.
async function rewind() {
    await key('r');
    await until('frames[shown % most].time > 0.7');
    await press('#play');
    const [still, time, bits] = [await look(), await clock(), await hash()];
    await wait(150);
    check((await look()).sum === still.sum && await clock() === time,
          'it stands still when it is stopped');
    await press('#step');
    check(Math.abs(await clock() - time - 1 / 240) < 1e-9, 'one step is a step');
    await slide('#back', 0.3);
    const back = await clock();
    check(back < time - 0.2, `it is wound back (from ${time} s to ${back} s)`);
    check(await hash() !== bits && (await look()).sum !== still.sum, 'to another state');
    await value(`while (frames[shown % most].time < ${time} - 1e-9) advance(perFrame)`);
    check(await hash() === bits, 'and comes to the same bits again');
    await value(`windTo(shown - 12); ${pull('0.5, 0, 0.5')};
        while (frames[shown % most].time < ${time} - 1e-9) advance(perFrame); module.let_go()`);
    check(await hash() !== bits, 'but not where it is pulled');
    await press('#play');
    await until(`frames[shown % most].time > ${time} + 0.2`, 3000);
    check(await clock() > time + 0.2, 'it goes on');
    const there = await value(`(() => {
        for (let i = 0; i < 700; i++)
            advance(perFrame);
        windTo(shown - 400);
        for (let i = 0; i < 50; i++)
            advance(perFrame);
        windTo(0);
        const times = [];
        for (let i = oldest; i <= newest; i++)
            times.push(frames[i % most].time);
        return { count: times.length, rise: times.every((t, i) => i === 0 || t > times[i - 1]),
                 first: Math.abs(spcTime() - times[0]) < 1e-12 };
        function spcTime() { return measured().time; }
    })()`);
    check(there.count > 200 && there.count <= 600 && there.rise && there.first,
          `what is wound back and run anew stays in order (${JSON.stringify(there)})`);
}

// From one state, whose constraints are open, each setting goes another way.
async function reaches() {
    await value('play(false); module.lift(); keep(shown)');
    const start = await value('shown');
    const set = (id, to) =>
        `$('${id}').value = ${to}; $('${id}').dispatchEvent(new Event('input'))`;
    const [T, h] = await value(`[+$('t').value, +$('h').value]`);
    const load = await value(`+document.querySelector('#sliders input').value`);
    const slider = to => `{ const e = document.querySelector('#sliders input'); e.value = ${to};
        e.dispatchEvent(new Event('input')); }`;
    const method = to => `$('method').selectedIndex = ${to};
        $('method').dispatchEvent(new Event('input'))`;
    const ways = {
        nothing: ['', ''],
        T: [set('t', 3), set('t', T)],
        h: [set('h', h - 1), set('h', h)],
        'spc_step_rk4': [method(1), method(0)],
        'spc_step_rk4 that projects': [method(2), method(0)],
        'a slider': [slider(load / 2), slider(load)],
        'a key': [`keys.add('ArrowRight')`, 'keys.clear()'],
        'another key': [`keys.add('ArrowUp')`, 'keys.clear()'],
        'a pull': [pull('1, 0, 1'), 'module.let_go()'],
        'a pull elsewhere': [pull('-1, 0, 1'), 'module.let_go()'],
    };
    const ends = new Map(), time = await clock();
    const arrive = async name => {
        const end = await hash();
        check(!ends.has(end), `${name} goes another way than ${ends.get(end)}`);
        check(Math.abs(await clock() - time - 0.2) < 1e-9, `${name}: 12 pictures are 0.2 s`);
        ends.set(end, name);
    };
    for (const [name, [before, after]] of Object.entries(ways)) {
        await value(`windTo(${start}); ${before}; for (let i = 0; i < 12; i++) advance(perFrame); ${
            after}`);
        await arrive(name);
    }
    for (const far of [0, 120]) {
        await value(`windTo(${start})`);
        const [x, y] = await body();
        await mouse('mousePressed', x, y);
        await mouse('mouseMoved', x + far, y);
        await value(`for (let i = 0; i < 12; i++) advance(perFrame)`);
        await mouse('mouseReleased', x + far, y);
        await arrive(`the mouse, moved by ${far} pixels,`);
    }
    await value(`windTo(${start}); for (let i = 0; i < 12; i++) advance(perFrame)`);
    check(ends.get(await hash()) === 'nothing', 'and what is set back is set back');
}

// The tray goes down where the phone does: to the left and away from whoever holds it.
async function sensor(scene) {
    await value(`location.hash = '${scene.id}'`);
    await until(`document.body.dataset.scene === '${scene.id}'`);
    await press('#tilt');
    await send('DeviceOrientation.setDeviceOrientationOverride', {alpha: 0, beta: -20, gamma: -15});
    check(await until('view.plane.b[2] > 0.01 && view.plane.c[2] < -0.01'),
          `${scene.id}: the phone tilts the tray`);
}

// Who does not like motion begins with a picture that stands still.
async function calm() {
    where = 'reduced motion';
    await send('Emulation.setEmulatedMedia',
               {features: [{name: 'prefers-reduced-motion', value: 'reduce'}]});
    await send('Page.reload');
    await wait(200);
    check(await until(`document.body && document.body.dataset.verdict === 'same'`), 'it starts');
    check(await value('!playing') && await clock() === 0, 'it waits');
}

// Keys alone do what buttons do.
async function keyboard() {
    where = 'keyboard';
    await key('3');
    check(await until(`document.body.dataset.scene === 'turntable'`), 'a number opens a scene');
    await value('canvas.focus()');
    await send('Input.dispatchKeyEvent', {type: 'keyDown', key: 'ArrowRight'});
    check(await value(`keys.has('ArrowRight')`), 'an arrow is held');
    await send('Input.dispatchKeyEvent', {type: 'keyUp', key: 'ArrowRight'});
    check(await value('keys.size === 0'), 'and let go');
    const [side, far] = await value('[view.side, view.distance]');
    await send('Input.dispatchKeyEvent', {type: 'keyDown', key: 'ArrowRight', modifiers: 8});
    await send('Input.dispatchKeyEvent', {type: 'keyUp', key: 'ArrowRight', modifiers: 8});
    await key('+');
    check(await value('view.side') > side && await value('view.distance') < far,
          'shift turns the view, plus zooms');
    await key(' ');
    check(await value('!playing'), 'space stops');
    const time = await clock();
    await key('.');
    check(Math.abs(await clock() - time - 1 / 240) < 1e-9, 'a full stop is one step');
    await key('[');
    check(await clock() < time || time < 0.02, 'a bracket winds back');
    await key('f');
    check(await value(`$('forces').checked`), 'f shows forces');
    await key('f');
    await key(' ');
    check(await value('playing'), 'space goes on');
}

async function settings(scene) {
    await value('play(false)');
    const boxes = await value(`['forces', 'joints', 'trails'].filter(b => !$(b).disabled)`);
    for (const box of boxes) {
        const was = await value(`$('${box}').checked`), before = await look();
        await press(`#${box}`);
        check(await value(`$('${box}').checked`) !== was, `${box} can be switched`);
        check((await look()).sum !== before.sum, `${box} are seen`);
    }
    await value('play(true)');
    await shoot(`${scene.id}_forces`);
    for (const at of [0.05, 0.95, 0.5])
        for (let k = 0; k < scene.sliders; k++) {
            const of = `#sliders label:nth-child(${k + 1}) `;
            const was = await value(`document.querySelector('${of} output').textContent`);
            await slide(`${of} input`, at);
            check(await value(`document.querySelector('${of} output').textContent`) !== was,
                  `slider ${k} moves to ${at}`);
            await wait(40);
        }
    const knocked = await clock(), high = await value('measured().potential');
    await press('#knock');
    const opened = scene.crowded ? `f.potential > ${high} + 0.05` : 'f.gap > 1e-4';
    check(await until(`frames.some(f => f.time >= ${knocked} && ${opened})`, 2000),
          'a knock opens a constraint, or lifts a ball');
    for (const [id, part] of [['t', 0], ['t', 0.5], ['h', 0], ['h', 0.99], ['h', 0.61]]) {
        const was = await value(`$('${id}-value').textContent`);
        await slide(`#${id}`, part);
        check(await value(`$('${id}-value').textContent`) !== was, `${id} moves`);
    }
    for (let i = 1; i >= 0; i--) {
        await value(
            `$('method').selectedIndex = ${i}; $('method').dispatchEvent(new Event('input'))`);
        await wait(40);
    }
    for (const box of boxes)
        await press(`#${box}`);
    await press('#restart');
    await wait(60);
    check(await clock() < 1 && await value('playing'), 'it begins anew');
}

// A phone in the dark, by touch.
async function phone(scenes) {
    where = 'phone';
    await size(390, 844, 'dark', {deviceScaleFactor: 2, mobile: true});
    await send('Emulation.setTouchEmulationEnabled', {enabled: true});
    for (const scene of scenes) {
        await value(`location.hash = '${scene.id}'`);
        await until(`document.body.dataset.scene === '${scene.id}'`);
        await wait(100);
        const [x, y] = await middle('#picture'), before = await look();
        await send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: [{x, y}]});
        for (let i = 1; i < 6; i++) {
            await send('Input.dispatchTouchEvent',
                       {type: 'touchMove', touchPoints: [{x: x + 12 * i, y: y - 6 * i}]});
            await wait(30);
        }
        await send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
        check((await look()).sum !== before.sum, `${scene.id}: a touch is seen`);
        await value('scrollTo(0, 0)');
        await shoot(`phone_${scene.id}`);
        if (scene.struck) {
            await value('restart(); play(false)');
            const [bx, by] = await body(scene.struck);
            const touches = {touchStart: 0, touchMove: 40, touchEnd: NaN}; // beside the ball
            for (const [type, to] of Object.entries(touches)) {
                const touchPoints = to >= 0 ? [{x: bx - 20 - to, y: by + 15}] : [];
                await send('Input.dispatchTouchEvent', {type, touchPoints});
            }
            check(await value('playing && measured().kinetic > 0.01'), `${scene.id}: it is struck`);
        }
        const far = await value('view.distance');
        for (let i = 0; i < 4; i++) {
            const touchPoints = [-1, 1].map((s, id) => ({x: x + s * (40 + 20 * i), y: y - 60, id}));
            const type = i ? 'touchMove' : 'touchStart';
            await send('Input.dispatchTouchEvent', {type, touchPoints});
        }
        await send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
        check(await value('view.distance') < 0.7 * far, `${scene.id}: two fingers zoom`);
        check(await value('held === null && fingers.size === 0'), `${scene.id}: and let go`);
        check(await value('document.documentElement.scrollWidth') <= 390,
              `${scene.id}: nothing is wider than the screen`);
    }
}

try {
    await begin();
    await send('Page.navigate', {url: pathToFileURL(resolve(page)).href});
    where = 'page';
    check(await until(`document.body && document.body.dataset.verdict`, 15000), 'it starts');
    const scenes =
        await value(`scenes.map(s => ({ id: s.id, tilts: s.tilts, struck: s.struck,
            crowded: s.crowded, sliders: s.sliders.length }))`);
    check(scenes.length >= 8, `it has scenes (${scenes.length})`);
    for (const scene of scenes) {
        await visit(scene);
        await settings(scene);
    }
    where = 'wound back';
    for (const id of ['coin', 'chain']) { // sliders are where they begin
        await value(`location.hash = '${id}'`);
        await until(`document.body.dataset.scene === '${id}'`);
    }
    await rewind();
    await reaches();
    await value(`location.hash = 'billiards'`);
    await until(`document.body.dataset.scene === 'billiards'`);
    await rewind();
    await keyboard();
    await phone(scenes);
    await calm();
    where = 'page';
    check(errors.length === 0, `no error is logged: ${errors.slice(0, 3).join('; ')}`);
    check(requests.length === 0,
          `nothing is asked of a network: ${requests.slice(0, 3).join(' ')}`);
} catch (error) {
    failed++;
    console.log(`FAILED: ${where}: ${error.message}`);
    errors.slice(0, 3).forEach(e => console.log(e));
}
console.log(`browser: ${passed} passed, ${failed} failed`);
end(failed ? 1 : 0);
