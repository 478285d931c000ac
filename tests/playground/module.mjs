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

// a refused step changes nothing
m.start(0);
m.set_step(NaN);
const before = hash(), status = m.step(1);
check(status !== 0 && text(m.status_text(status)).length > 0, 'a bad step is refused');
check(hash() === before, 'and changes nothing');
console.log(`module: ${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
