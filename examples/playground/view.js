'use strict';
/* view.js - paints records (see picture.c) on a canvas: a camera, a floor with shadows, bodies from
   far to near, and over them forces and joints. Vectors are arrays of three numbers [m], from the
   camera's focus on. */

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (s, a) => [s * a[0], s * a[1], s * a[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross =
    (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = a => Math.sqrt(dot(a, a));
const unit = a => scale(1 / (norm(a) || 1), a);
const mix = (a, b, s) => a.map((x, i) => x + s * (b[i] - x));
const css = (c, alpha = 1) =>
    `rgba(${c.map(x => Math.round(Math.max(0, Math.min(255, x)))).join()},${alpha})`;
const bytes = text => [1, 3, 5].map(i => parseInt(text.slice(i, i + 2), 16));

const NO_BODY = 100000; // and above: of no body
const LINE = 0, CIRCLE = 1, BALL = 2, PLANE = 3, BAR = 4, DISC = 5;
const PART = {
    plane: 1,
    ball: 2,
    disc: 4,
    joint: 8,
    contact: 16,
    force: 32,
    mass: 64
};
const LIGHT = [0.3, 0.2, -1]; // the way that it goes
const PAINTS = ['#e2703a', '#2f83c0', '#e3aa2b', '#4a9e5c', '#8a5fb0', '#d14f68'].map(bytes);
const WHITE = [255, 255, 255], BLACK = [0, 0, 0];

class View {
    constructor(canvas) {
        this.canvas = canvas;
        this.g = canvas.getContext('2d');
        this.side = this.height = 0;
        this.distance = 1;
        this.focus = [0, 0, 0]; // in G
        this.items = [];
    }

    /* The camera's axes, and the colors of the page. */
    begin() {
        const ratio = Math.min(window.devicePixelRatio || 1, 2),
              box = this.canvas.getBoundingClientRect();
        const w = Math.max(1, Math.round(box.width * ratio)),
              h = Math.max(1, Math.round(box.height * ratio));
        if (this.canvas.width !== w || this.canvas.height !== h) {
            this.canvas.width = w;
            this.canvas.height = h;
        }
        const a = this.side * Math.PI / 180, e = this.height * Math.PI / 180;
        this.ratio = ratio;
        this.right = [Math.cos(a), -Math.sin(a), 0];
        this.ahead = [Math.sin(a) * Math.cos(e), Math.cos(a) * Math.cos(e), -Math.sin(e)];
        this.up = cross(this.right, this.ahead);
        this.eye = scale(-this.distance, this.ahead);
        this.lens = 1.55 * Math.min(w * 0.96, h);
        this.middle = [w / 2, h * 0.54];
        const style = getComputedStyle(document.documentElement);
        this.color = name => bytes(style.getPropertyValue('--' + name).trim());
        this.ink = this.color('ink');
        this.dark = dot(this.ink, [1, 1, 1]) > 380;
        this.g.clearRect(0, 0, w, h);
        this.g.lineCap = this.g.lineJoin = 'round';
    }

    /* On the canvas: x, y, and the depth [m]. */
    at(p) {
        const d = sub(p, this.eye), z = Math.max(dot(d, this.ahead), 0.02 * this.distance);
        return [
            this.middle[0] + this.lens * dot(d, this.right) / z,
            this.middle[1] - this.lens * dot(d, this.up) / z, z
        ];
    }

    size(length, z) {
        return this.lens * length / z;
    }

    /* The point at a depth under a place on the page. */
    under(x, y, z) {
        const box = this.canvas.getBoundingClientRect();
        const u = (x - box.left) * this.ratio - this.middle[0],
              v = (y - box.top) * this.ratio - this.middle[1];
        return add(this.eye, add(scale(z, this.ahead), add(scale(u * z / this.lens, this.right),
                                                           scale(-v * z / this.lens, this.up))));
    }

    /* And at a height over the ground, or, beyond the horizon, at the depth z. */
    level(x, y, z, height) {
        const d = sub(this.under(x, y, 1), this.eye);
        return d[2] < -0.05 ? add(this.eye, scale((height - this.eye[2]) / d[2], d))
                            : this.under(x, y, z);
    }

    path(points, closed = true) {
        this.g.beginPath();
        points.forEach((p, i) => i ? this.g.lineTo(p[0], p[1]) : this.g.moveTo(p[0], p[1]));
        if (closed)
            this.g.closePath();
    }

    fill(points, color) {
        this.path(points);
        this.g.fillStyle = color;
        this.g.fill();
    }

    stroke(points, color, width, closed = false) {
        this.path(points, closed);
        this.g.strokeStyle = color;
        this.g.lineWidth = width;
        this.g.stroke();
    }

    /* A curve through the middles of a line's pieces. */
    smooth(p, color, width) {
        const g = this.g, n = p.length - 1;
        g.beginPath();
        g.moveTo(p[0][0], p[0][1]);
        for (let i = 1; i < n; i++)
            g.quadraticCurveTo(p[i][0], p[i][1], (p[i][0] + p[i + 1][0]) / 2,
                               (p[i][1] + p[i + 1][1]) / 2);
        g.lineTo(p[n][0], p[n][1]);
        g.strokeStyle = color;
        g.lineWidth = width;
        g.lineCap = 'butt'; // pieces follow each other
        g.stroke();
        g.lineCap = 'round';
    }

    /* ------------------------------------------------------------------------ what there is --- */

    read(records) {
        const items = this.items = [], lines = [], boxes = new Map(), round = new Set();
        this.plane = null;
        this.flat = [];
        for (let i = 0; 16 * i < records.length; i++) {
            const r = records.subarray(16 * i, 16 * i + 16);
            if (!r.every(x => Math.abs(x) < 1e6)) // beyond the picture, or not a number
                continue;
            const item = {
                kind: r[0],
                part: r[1],
                body: r[2],
                constraint: r[3],
                color: [255 * r[4], 255 * r[5], 255 * r[6]],
                a: [r[7], r[8], r[9]],
                b: [r[10], r[11], r[12]],
                c: [r[13], r[14], r[15]]
            };
            if (item.kind === DISC || item.kind === PLANE && this.plane && !item.part) {
                this.flat.push(item);
            } else if (item.kind === PLANE) {
                this.plane = item;
            } else if (item.kind === LINE && item.part === PART.mass) {
                boxes.set(item.body, (boxes.get(item.body) || []).concat(item));
            } else if (item.kind === LINE) {
                if (item.part !== PART.disc)
                    lines.push(item);
            } else {
                if (item.body && item.kind !== BAR)
                    round.add(item.body);
                const last = items[items.length - 1];
                if (item.kind === CIRCLE && last && last.kind === CIRCLE &&
                    last.constraint === item.constraint)
                    last.other = item.a; // the other rim
                else
                    items.push(item);
            }
        }
        for (const [body, axes] of boxes)
            if (axes.length === 3 && !round.has(body))
                items.push({
                    kind: 'box',
                    body,
                    color: axes[0].color,
                    a: scale(0.5, add(axes[0].a, axes[0].b)),
                    sides: axes.map(l => scale(0.5, sub(l.b, l.a)))
                });
        for (const item of items) {
            item.centre = item.kind === BAR ? scale(0.5, add(item.a, item.b))
                          : item.other      ? scale(0.5, add(item.a, item.other))
                                            : item.a;
            item.z = dot(sub(item.centre, this.eye), this.ahead);
            if (item.body >= NO_BODY &&
                this.plane) // a wall of the tray: behind all that is on it, or before
                item.z = this.looksIn(item) ? 1e9 + item.z : item.z - 1e9;
        }
        items.sort((a, b) => b.z - a.z);
        this.lines = lines;
    }

    /* Is the eye on the inner side of a wall? */
    looksIn(wall) {
        const middle = add(this.plane.a, scale(0.5, add(this.plane.b, this.plane.c)));
        const side = p => dot(wall.sides[1], sub(p, wall.a));
        return side(middle) * side(this.eye) > 0;
    }

    circle(centre, x, y, n = 40) {
        const points = [];
        for (let i = 0; i < n; i++) {
            const t = 2 * Math.PI * i / n;
            points.push(add(centre, add(scale(Math.cos(t), x), scale(Math.sin(t), y))));
        }
        return points;
    }

    corners(box) {
        const points = [];
        for (let i = 0; i < 8; i++)
            points.push(
                box.sides.reduce((p, s, k) => add(p, scale(i >> k & 1 ? 1 : -1, s)), box.a));
        return points;
    }

    /* ------------------------------------------------------------------------ the floor ------- */

    /* Lines of the ground, which fade with the distance; they stand still in G. */
    grid(z) {
        const wide = 1.7 * this.distance,
              field = [0.05, 0.1, 0.25, 0.5, 1, 2].find(f => f > this.distance / 12) || 5;
        const pieces = 14, batches = Array.from({length: 6}, () => new Path2D());
        for (let axis = 0; axis < 2; axis++) {
            const first = Math.ceil((this.focus[axis] - wide) / field) * field - this.focus[axis];
            for (let at = first; at < wide; at += field)
                for (let i = 0; i < pieces; i++) {
                    const p = [at, wide * (2 * i / pieces - 1)],
                          q = [at, wide * (2 * (i + 1) / pieces - 1)];
                    const r = Math.hypot(at, (p[1] + q[1]) / 2) / wide;
                    if (r >= 1)
                        continue;
                    const place = v => axis ? [v[1], v[0], z] : [v[0], v[1], z];
                    const a = this.at(place(p)), b = this.at(place(q));
                    if (a[2] < 0.1 * this.distance || b[2] < 0.1 * this.distance)
                        continue;
                    const batch = batches[Math.floor((1 - r * r) * 5.99)];
                    batch.moveTo(a[0], a[1]);
                    batch.lineTo(b[0], b[1]);
                }
        }
        batches.forEach((batch, i) => {
            this.g.strokeStyle = css(this.ink, (this.dark ? 0.028 : 0.03) * (i + 1));
            this.g.lineWidth = this.ratio;
            this.g.stroke(batch);
        });
    }

    /* A floor that moves: a round table, or a square tray. Returns its outline, for shadows. */
    table(plane, round) {
        const x = scale(0.5, plane.b), y = scale(0.5, plane.c), n = unit(cross(x, y));
        const middle = add(plane.a, add(x, y)), deep = scale(-0.05 * norm(x), n);
        const rim = round ? this.circle(middle, x, y, 72)
                          : [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(
                                s => add(middle, add(scale(s[0], x), scale(s[1], y))));
        const top = rim.map(p => this.at(p)), below = rim.map(p => this.at(add(p, deep)));
        const wood = !plane.part ? plane.color : this.dark ? [74, 84, 98] : [214, 221, 229];
        this.fill(hull(top.concat(below)), css(mix(wood, BLACK, 0.3)));
        this.fill(top, css(wood));
        this.g.lineWidth = this.ratio;
        for (let i = 0; round && i < 12; i += 2) {
            const piece = [middle];
            for (let k = 0; k <= 6; k++)
                piece.push(rim[(6 * i + k) % 72]);
            this.fill(piece.map(p => this.at(p)), css(mix(wood, this.dark ? WHITE : BLACK, 0.06)));
        }
        for (let i = 0; plane.part && i < (round ? 6 : 9); i++) {
            const t = Math.PI * i / 6, s = (i - 4) / 5;
            const ends =
                round
                    ? [[Math.cos(t), Math.sin(t)], [-Math.cos(t), -Math.sin(t)]].map(
                          d => add(middle, add(scale(d[0], x), scale(d[1], y))))
                    : [[s, -1], [s, 1]].map(d => add(middle, add(scale(d[0], x), scale(d[1], y))));
            this.stroke(ends.map(p => this.at(p)), css(this.ink, 0.16), this.ratio);
            if (!round)
                this.stroke([[-1, s], [1, s]].map(
                                d => this.at(add(middle, add(scale(d[0], x), scale(d[1], y))))),
                            css(this.ink, 0.16), this.ratio);
        }
        if (round) {
            this.fill(this.circle(add(middle, scale(0.82, x)), scale(0.06, x), scale(0.06, y), 20)
                          .map(p => this.at(p)),
                      css(this.color('accent'), 0.8));
            this.stroke(this.circle(middle, scale(0.5, x), scale(0.5, y), 60).map(p => this.at(p)),
                        css(this.ink, 0.16), this.ratio, true);
        }
        return {rim: top, p: middle, n};
    }

    /* What is painted on the floor. */
    floor(item) {
        const {a, b, c} = item;
        const rim = item.kind === DISC ? this.circle(a, b, c)
                                       : [a, add(a, b), add(a, add(b, c)), add(a, c)];
        this.fill(rim.map(p => this.at(p)), css(item.color));
    }

    /* One path of all outlines, wound alike, so that where they overlap is as dark as elsewhere. */
    shadows(floor) {
        const down = dot(LIGHT, floor.n), path = new Path2D();
        const fall = p => this.at(sub(p, scale(dot(sub(p, floor.p), floor.n) / down, LIGHT)));
        const put = points => {
            const turn = points.reduce((s, p, i) => {
                const q = points[(i + 1) % points.length];
                return s + p[0] * q[1] - p[1] * q[0];
            }, 0);
            (turn < 0 ? points.reverse() : points)
                .forEach((p, i) => i ? path.lineTo(p[0], p[1]) : path.moveTo(p[0], p[1]));
            path.closePath();
        };
        const x = unit(cross(LIGHT, [0, 1, 0])), y = unit(cross(LIGHT, x));
        for (const item of this.items)
            if (item.kind === BALL) {
                put(this.circle(item.a, scale(norm(item.b), x), scale(norm(item.b), y), 24)
                        .map(fall));
            } else if (item.kind === CIRCLE) {
                const rims = [item.a].concat(item.other ? [item.other] : []);
                if (item.other)
                    put(hull(rims.flatMap(c => this.circle(c, item.b, item.c, 28).map(fall))));
                else
                    this.wheelRing(item).forEach(points => put(points.map(fall)));
            } else if (item.kind === 'box') {
                put(hull(this.corners(item).map(fall)));
            } else if (dot(sub(item.centre, floor.p), floor.n) > 2 * item.c[0]) {
                const a = fall(item.a), b = fall(item.b),
                      l = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
                const r = this.size(item.c[0], a[2]),
                      u = [(a[1] - b[1]) / l * r, (b[0] - a[0]) / l * r];
                put([
                    [a[0] + u[0], a[1] + u[1]], [b[0] + u[0], b[1] + u[1]],
                    [b[0] - u[0], b[1] - u[1]], [a[0] - u[0], a[1] - u[1]]
                ]);
            }
        this.g.save();
        if (floor.rim) {
            this.path(floor.rim);
            this.g.clip();
        }
        this.g.fillStyle = this.dark ? 'rgba(0,0,0,.42)' : 'rgba(25,35,55,.2)';
        this.g.fill(path);
        this.g.restore();
    }

    /* A tyre's shadow, as pieces of a ring. */
    wheelRing(wheel) {
        const out = this.circle(wheel.a, wheel.b, wheel.c, 36);
        const inner = this.circle(wheel.a, scale(0.93, wheel.b), scale(0.93, wheel.c), 36);
        return out.map((p, i) => [p, out[(i + 1) % 36], inner[(i + 1) % 36], inner[i]]);
    }

    /* ------------------------------------------------------------------------ bodies ---------- */

    /* Eight fields, four of each color. */
    ball(item) {
        const g = this.g, r = norm(item.b), c = this.at(item.a), size = this.size(r, c[2]);
        const v = unit(sub(this.eye, item.a)), e1 = unit(cross(this.up, v)), e2 = cross(v, e1);
        const axes = [item.b, item.c, scale(1 / r, cross(item.b, item.c))].map(
            a => [dot(a, e1) / r, dot(a, e2) / r, dot(a, v) / r]);
        const paint =
            item.part ? PAINTS[(item.body + PAINTS.length - 2) % PAINTS.length] : item.color;
        g.beginPath();
        g.arc(c[0], c[1], size, 0, 2 * Math.PI);
        g.fillStyle = css(paint);
        g.fill();
        for (let k = 0; k < 8; k++) {
            const s = [k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1];
            if (s[0] * s[1] * s[2] > 0)
                continue;
            const edge = [];
            for (let i = 0; i < 3; i++)
                for (let t = 0; t < 7; t++) {
                    const a = Math.PI / 2 * t / 7, j = (i + 1) % 3;
                    edge.push(add(scale(Math.cos(a) * s[i], axes[i]),
                                  scale(Math.sin(a) * s[j], axes[j])));
                }
            const points = inFront(edge).map(p => [c[0] + size * p[0], c[1] - size * p[1]]);
            if (points.length < 3)
                continue;
            this.fill(points, css(mix(paint, WHITE, 0.82)));
        }
        const shade = g.createRadialGradient(c[0] - 0.35 * size, c[1] - 0.45 * size, 0.05 * size,
                                             c[0] - 0.1 * size, c[1] - 0.15 * size, 1.15 * size);
        shade.addColorStop(0, 'rgba(255,255,255,.6)');
        shade.addColorStop(0.3, 'rgba(255,255,255,.08)');
        shade.addColorStop(0.6, 'rgba(0,0,0,.05)');
        shade.addColorStop(1, 'rgba(0,0,0,.5)');
        g.beginPath();
        g.arc(c[0], c[1], size + 0.5, 0, 2 * Math.PI);
        g.fillStyle = shade;
        g.fill();
    }

    /* With a width: an edge and the face that is seen; without one: a tyre with spokes. */
    wheel(item) {
        const r = norm(item.b), z = this.at(item.centre)[2], x = item.b, y = item.c;
        const ring = (s, c) => this.circle(c, scale(s, x), scale(s, y), 48).map(p => this.at(p));
        const spokes = (n, from, to, c, color, width) => {
            for (let i = 0; i < n; i++) {
                const t = 2 * Math.PI * i / n,
                      d = add(scale(Math.cos(t), x), scale(Math.sin(t), y));
                this.stroke([this.at(add(c, scale(from, d))), this.at(add(c, scale(to, d)))], color,
                            width);
            }
        };
        if (!item.other) {
            const metal = this.dark ? [178, 188, 200] : [112, 122, 136];
            spokes(12, 0.06, 0.93, item.a, css(metal, 0.8), Math.max(1, this.size(0.012 * r, z)));
            this.stroke(ring(0.955, item.a), css(this.dark ? [150, 160, 172] : [38, 43, 52]),
                        this.size(0.085 * r, z), true);
            this.stroke(ring(0.9, item.a), css(metal), this.size(0.03 * r, z), true);
            this.fill(ring(0.07, item.a), css(metal));
            return;
        }
        const n = unit(cross(x, y)), side = sub(item.other, item.a);
        const near = dot(n, sub(this.eye, item.centre)) * dot(n, side) > 0 ? item.other : item.a;
        const color = item.color, lit = 0.12 + 0.25 * Math.abs(dot(n, unit(LIGHT)));
        this.fill(hull(ring(1, item.a).concat(ring(1, item.other))), css(mix(color, BLACK, 0.42)));
        this.fill(ring(1, near), css(mix(color, WHITE, lit)));
        this.stroke(ring(0.86, near), css(mix(color, BLACK, 0.35), 0.8), this.size(0.035 * r, z),
                    true);
        spokes(5, 0.16, 0.74, near, css(mix(color, BLACK, 0.35), 0.75), this.size(0.09 * r, z));
        this.fill(ring(0.12, near), css(mix(color, BLACK, 0.35)));
    }

    box(item) {
        for (let i = 0; i < 3; i++)
            for (let s = -1; s <= 1; s += 2) {
                const n = scale(s, item.sides[i]), u = item.sides[(i + 1) % 3],
                      v = item.sides[(i + 2) % 3];
                const c = add(item.a, n);
                if (dot(n, sub(this.eye, c)) <= 0)
                    continue;
                const face = [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(
                    k => this.at(add(c, add(scale(k[0], u), scale(k[1], v)))));
                const lit = -dot(unit(n), unit(LIGHT));
                this.fill(face, css(lit > 0 ? mix(item.color, WHITE, 0.45 * lit)
                                            : mix(item.color, BLACK, -0.4 * lit + 0.12)));
                if (item.body < NO_BODY)
                    this.stroke(face, css(mix(item.color, BLACK, 0.35), 0.55), this.ratio, true);
            }
    }

    bar(item) {
        const a = this.at(item.a), b = this.at(item.b),
              width = Math.max(this.size(2 * item.c[0], (a[2] + b[2]) / 2), this.ratio);
        this.stroke([a, b], css(mix(item.color, BLACK, 0.18)), width);
        if (width > 3)
            this.stroke([[a[0], a[1] - 0.16 * width], [b[0], b[1] - 0.16 * width]],
                        css(mix(item.color, WHITE, 0.35), 0.7), 0.35 * width);
    }

    /* ------------------------------------------------------------------------ over it all ----- */

    arrow(item) {
        const a = this.at(item.a), b = this.at(item.b), l = Math.hypot(b[0] - a[0], b[1] - a[1]);
        const color = css(item.color), width = (item.part === PART.force ? 3 : 1.5) * this.ratio;
        if (l < 1)
            return;
        this.stroke([a, b], color, width);
        if (item.part !== PART.force || l < 6 * this.ratio)
            return;
        const u = [(b[0] - a[0]) / l, (b[1] - a[1]) / l], s = 9 * this.ratio;
        this.fill(
            [
                [b[0] + s * u[0], b[1] + s * u[1]],
                [b[0] - 0.55 * s * u[1], b[1] + 0.55 * s * u[0]],
                [b[0] + 0.55 * s * u[1], b[1] - 0.55 * s * u[0]]
            ],
            color);
    }

    /* Points in G, oldest first. */
    trail(points, k) {
        const parts = 10, n = points.length;
        const color = this.plane && !this.plane.body ? this.color(k % 2 ? 'k1' : 'k0')
                                                     : PAINTS[k % PAINTS.length];
        for (let i = 0; i < parts; i++) {
            const piece =
                points.slice(Math.floor(i * n / parts), Math.floor((i + 1) * n / parts) + 1);
            if (piece.length > 1)
                this.smooth(piece.map(p => this.at(sub(p, this.focus))),
                            css(color, 0.08 + 0.08 * i), 2 * this.ratio);
        }
    }

    paint(records, round, trails) {
        const floorless = [0, 0, -this.focus[2]];
        this.read(records);
        const plane = this.plane, moves = plane && plane.body;
        const floor =
            moves ? this.table(plane, round) : {p: plane ? plane.a : floorless, n: [0, 0, 1]};
        if (!moves)
            this.grid(floor.p[2]);
        this.flat.forEach(item => this.floor(item));
        trails.forEach((points, k) => this.trail(points, k));
        this.shadows(floor);
        for (const item of this.items)
            if (item.kind === BALL)
                this.ball(item);
            else if (item.kind === CIRCLE)
                this.wheel(item);
            else if (item.kind === BAR)
                this.bar(item);
            else
                this.box(item);
        this.lines.forEach(l => this.arrow(l));
    }

    /* The body nearest to a place on the page: { body, centre, point, z }, or null. One that is
       likely counts as nearer than it is. */
    pick(x, y, likely) {
        const box = this.canvas.getBoundingClientRect(),
              at = [(x - box.left) * this.ratio, (y - box.top) * this.ratio];
        let best = null, least = 16 * this.ratio;
        for (const item of this.items) {
            if (!item.body || item.body >= NO_BODY || item.kind === BAR)
                continue;
            const long =
                item.sides ? item.sides.reduce((a, b) => norm(a) > norm(b) ? a : b) : [0, 0, 0];
            const thick = item.sides ? Math.min(...item.sides.map(norm)) : norm(item.b);
            for (let s = -1; s <= 1; s += 0.125) {
                const p = add(item.centre, scale(s, long)), c = this.at(p);
                const bonus = item.body === likely ? 24 * this.ratio : 0;
                const far = Math.max(-bonus, Math.hypot(c[0] - at[0], c[1] - at[1]) -
                                                 this.size(thick, c[2]) - bonus);
                if (far <= least) {
                    least = far;
                    best = {body: item.body, centre: p, z: c[2]};
                }
            }
        }
        if (best)
            best.point = this.under(x, y, best.z);
        return best;
    }
}

/* What is seen of a closed curve on a ball, as points [x, y] of the unit circle: where it goes
   behind it follows the outline, the short way, to where it comes back. */
function inFront(edge) {
    const points = [], n = edge.length,
          first = edge.findIndex((p, i) => p[2] >= 0 && edge[(i + n - 1) % n][2] < 0);
    let left = null;
    if (first < 0)
        return edge[0][2] >= 0 ? edge : [];
    const cross = (p, q) => {
        const s = p[2] / (p[2] - q[2]), x = p[0] + s * (q[0] - p[0]), y = p[1] + s * (q[1] - p[1]);
        return Math.atan2(y, x);
    };
    for (let k = 0; k < n; k++) {
        const p = edge[(first + k) % n], q = edge[(first + k + 1) % n];
        if (p[2] >= 0)
            points.push(p);
        if (p[2] >= 0 && q[2] < 0) {
            left = cross(p, q);
        } else if (p[2] < 0 && q[2] >= 0) {
            const way = cross(p, q) - left,
                  turn = way - 2 * Math.PI * Math.round(way / (2 * Math.PI));
            for (let i = 0; i <= 8; i++)
                points.push([Math.cos(left + turn * i / 8), Math.sin(left + turn * i / 8)]);
        }
    }
    return points;
}

/* The convex hull of points on the canvas (Andrew's monotone chain). */
function hull(points) {
    const p = points.slice().sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const half = list => {
        const out = [];
        for (const q of list) {
            while (out.length > 1) {
                const a = out[out.length - 2], b = out[out.length - 1];
                if ((b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0]) > 0)
                    break;
                out.pop();
            }
            out.push(q);
        }
        out.pop();
        return out;
    };
    return half(p).concat(half(p.reverse()));
}
