// Runs the WebAssembly of a page in node: each scene's default run must end with the native hash,
// and what the page asks of the module must hold. node module.mjs PAGE HASHES prints a line for
// each failure and `module: N passed, N failed`.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const [page, hashes] = process.argv.slice(2).map(file => readFileSync(file, 'utf8'));
const inPage = id => page.match(new RegExp(`<script id="${id}"[^>]*>([^<]*)</script>`))[1].trim();
const compiled = new WebAssembly.Module(gunzipSync(Buffer.from(inPage('module'), 'base64')));
const { exports: m } = new WebAssembly.Instance(compiled, {});
const text = at => {
    const memory = Buffer.from(m.memory.buffer);
    return at ? memory.toString('utf8', at, memory.indexOf(0, at)) : null;
};
const hash = () => BigInt.asUintN(64, m.hash()).toString(16).padStart(16, '0');

let passed = 0, failed = 0;
const check = (good, what) => {
    good ? passed++ : failed++;
    if (!good)
        console.log(`FAILED: ${what}`);
};

check(WebAssembly.Module.imports(compiled).length === 0, 'it imports nothing');
check(inPage('native') === hashes.trim(), "the page's native hashes are the native program's");
const ids = [];
for (let i = 0; m.text(i, 0); i++)
    ids.push(text(m.text(i, 0)));
const native = hashes.trim().split('\n').map(line => line.split(' '));
check(ids.join() === native.map(n => n[0]).join(), 'it has the scenes of the native program');
native.forEach(([id, steps, wanted], i) => {
    const status = m.run(i);
    check(status === 0, `${id}: ${text(m.status_text(status))}`);
    check(m.run_steps() === +steps && hash() === wanted,
          `${id}: ${hash()} after ${steps} steps, natively ${wanted}`);
});

// a snapshot runs on with the same bits, among all that there are; what is drawn are numbers
ids.forEach((id, i) => {
    check(m.start(i) === 0 && m.step(40) === 0, `${id}: it runs`);
    m.save(m.frame_count() - 1);
    m.save(0);
    m.step(100);
    const wanted = hash();
    m.load(m.frame_count() - 1);
    check(hash() !== wanted, `${id}: the snapshot is another state`);
    m.step(100);
    check(hash() === wanted, `${id}: it runs on with the same bits`);
    const count = m.draw(255);
    const records = new Float32Array(m.memory.buffer, m.records(), 16 * count);
    check(count > 4 && records.every(Number.isFinite), `${id}: ${count} records are drawn`);
});

// the cue: its pull is from the ball, in the table's axes; x and y of the ball on the cloth
const billiards = ids.indexOf('billiards');
const ball = () => [...new Float64Array(m.memory.buffer, m.measured(), 25).subarray(13, 15)];
const shoot = (x, y, speed, up, side) => {
    m.set_step(1 / 240);
    m.start(billiards);
    [up, side, 0.2].forEach((value, k) => m.set_slider(k, value));
    const [bx, by] = ball(), focus = new Float64Array(m.memory.buffer, m.measured(), 25)[10];
    const back = speed / 9 / Math.hypot(x, y); // 9 m/s for each metre that it is pulled back
    m.grab(1, bx, by - focus, 0.03);
    m.pull_to(bx - back * x, by - back * y - focus, 0.03);
    check(m.hit() === 1, 'the ball is struck');
    m.let_go();
    return [bx, by];
};
const after = seconds => {
    check(m.step(Math.round(240 * seconds)) === 0, 'it goes on');
    return ball();
};

// straight at the first ball of the rack: high it follows, low it comes back
const [follow, stop, draw] = [0.4, 0, -0.4].map(up => {
    shoot(0.84, -0.04, 3, up, 0);
    const hit = after(0.3)[0];
    return after(0.4)[0] - hit;
});
check(follow > stop + 0.05 && stop > draw + 0.05, `follow and draw: ${[follow, stop, draw]} m`);

// straight to a cushion: side spin makes it leave to the side of the tip, and, mirrored, to the
// other; where friction stops the slip 2/7 r w = 2/7 5/2 0.4 v are 0.29 of v, which cushion and
// cloth lower
const [right, none, left] = [0.4, 0, -0.4].map(side => {
    const [x, y] = shoot(0, -1, 2, 0, side), there = after(0.5);
    check(there[1] < y && there[1] > -0.42, 'it comes back from the cushion');
    return there[0] - x;
});
check(Math.abs(none) < 1e-12 && Math.abs(left + right) < 1e-9 && right < -0.02,
      `side: ${[right, none, left]} m`);

// into a corner: the ball is put back on its spot; pulled back by nothing it is not struck
shoot(-0.42, -0.46, 2, 0, 0);
const spot = after(2);
check(Math.hypot(spot[0] + 0.42, spot[1]) < 1e-12, `a ball that is out comes back: ${spot}`);
m.grab(1, spot[0], spot[1] + 0.05, 0.03);
check(m.hit() === 0, 'a cue that is not pulled back does nothing');
m.let_go();
m.start(ids.indexOf('coin'));
check(m.hit() === 0, 'where there is no cue nothing is struck');

// a refused step changes nothing
m.start(0);
m.set_step(NaN);
const before = hash(), status = m.step(1);
check(status !== 0 && text(m.status_text(status)).length > 0, 'a bad step is refused');
check(hash() === before, 'and changes nothing');
console.log(`module: ${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
