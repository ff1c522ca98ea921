// Reads a recording (docs/recording.md) into flat arrays, one row a step.

const MAGIC = [0x89, 0x61, 0x62, 0x75, 0x74, 0x0d, 0x0a, 0x1a];
const VERSION = 1;
const STEP_WORDS = 9;
const CONTACT_WORDS = 15;
const DROP_IMPULSE = 7;
const DROP_SHORT = 12;

export const SHAPES = ["sphere", "capsule", "box", "cylinder", "ellipsoid", "plane", "convex", "mesh", "heightfield"];
const JOINT_KINDS = ["fixed", "hinge", "slide", "ball", "other"];
export const STATES = ["open", "slide", "edge", "stick"];
export const OUTCOMES = ["solved", "ray", "infeasible", "limit", "failed"];

class Cursor {
    constructor(bytes, at, end) {
        this.bytes = bytes;
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        this.at = at;
        this.end = end;
        this.zeros = 0;
    }
    varint() {
        let byte = this.bytes[this.at++];
        if (byte < 128) return byte;
        let value = byte & 127;
        let unit = 128;
        do {
            byte = this.bytes[this.at++];
            value += (byte & 127) * unit;
            unit *= 128;
        } while (byte >= 128);
        return value;
    }
    f32() {
        this.at += 4;
        return this.view.getFloat32(this.at - 4, true);
    }
    f64() {
        this.at += 8;
        return this.view.getFloat64(this.at - 8, true);
    }
    f64s(count) {
        return Array.from({ length: count }, () => this.f64());
    }
    f32s(count) {
        const values = new Float32Array(count);
        for (let i = 0; i < count; i++) values[i] = this.f32();
        return values;
    }
    text() {
        const length = this.varint();
        this.at += length;
        return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
    }
    // A difference: zigzag, with runs of zeros.
    difference() {
        if (this.zeros > 0) {
            this.zeros--;
            return 0;
        }
        const code = this.varint();
        if (code === 0) {
            this.zeros = this.varint() - 1;
            return 0;
        }
        return code % 2 ? -(code + 1) / 2 : code / 2;
    }
}

const floats = new Float32Array(1);
const bits = new Uint32Array(floats.buffer);
function floatOf(word, drop) {
    bits[0] = Math.abs(word) * (1 << drop);
    return word < 0 ? -floats[0] : floats[0];
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; k++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
    return n >>> 0;
});
function crc32(bytes, from, to) {
    let crc = 0xffffffff;
    for (let i = from; i < to; i++) crc = (crc >>> 8) ^ crcTable[(crc ^ bytes[i]) & 255];
    return ~crc >>> 0;
}

// The pieces that are whole, as [kind, begin, end] of their payloads.
function wholePieces(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const pieces = [];
    let at = MAGIC.length;
    while (at + 9 <= bytes.length) {
        const length = view.getUint32(at + 1, true);
        const end = at + 5 + length;
        if (end + 4 > bytes.length || crc32(bytes, at, end) !== view.getUint32(end, true)) break;
        pieces.push([String.fromCharCode(bytes[at]), at + 5, end]);
        at = end + 4;
    }
    return pieces;
}

function readShape(c) {
    const shape = { body: c.varint() - 1, kind: SHAPES[c.varint()], name: c.text() };
    shape.size = c.f64s(3);
    shape.position = c.f64s(3);
    shape.orientation = c.f64s(4);
    shape.colour = Array.from(c.f32s(4));
    if (shape.kind === "convex" || shape.kind === "mesh") {
        const vertices = c.varint();
        const triangles = c.varint();
        shape.vertices = c.f32s(3 * vertices);
        shape.triangles = Uint32Array.from({ length: 3 * triangles }, () => c.varint());
    }
    if (shape.kind === "heightfield") {
        shape.rows = c.varint();
        shape.columns = c.varint();
        shape.heights = c.f32s(shape.rows * shape.columns);
    }
    return shape;
}

function readScene(bytes, pieces) {
    const [kind, begin, end] = pieces[0] ?? [];
    if (kind !== "H") throw new Error("The recording ends within its head.");
    const c = new Cursor(bytes, begin, end);
    const version = c.varint();
    if (version !== VERSION) throw new Error(`A recording of version ${version}; this viewer reads version ${VERSION}.`);
    const scene = { title: c.text(), caption: c.text(), model: c.text(), solver: c.text(), step: c.f64() };
    scene.gravity = c.f64s(3);
    scene.resolution = c.f64();
    scene.bodies = [];
    scene.shapes = [];
    scene.joints = [];
    const joints = [c.varint(), c.varint(), c.varint()][2];
    for (const [what, from, to] of pieces) {
        const p = new Cursor(bytes, from, to);
        if (what === "B") scene.bodies.push({ name: p.text(), mass: p.f64() });
        if (what === "S") scene.shapes.push(readShape(p));
        if (what === "J")
            scene.joints.push({
                bodies: [p.varint() - 1, p.varint() - 1],
                kind: JOINT_KINDS[p.varint()] ?? "other",
                name: p.text(),
                anchor: p.f64s(3),
                axis: p.f64s(3),
            });
    }
    if (scene.joints.length !== joints) throw new Error("The recording ends within its scene.");
    return scene;
}

// Arrays with room for every step and contact.
function makeArrays(scene, steps, contacts) {
    return {
        time: new Float64Array(steps),
        kinetic: new Float32Array(steps),
        potential: new Float32Array(steps),
        residual: new Float32Array(steps),
        pivots: new Int32Array(steps),
        stage: new Uint8Array(steps),
        micros: new Float32Array(steps),
        outcome: new Uint8Array(steps),
        islands: new Int32Array(steps),
        poses: new Float32Array(steps * scene.bodies.length * 7),
        joints: new Float32Array(steps * scene.joints.length * 2),
        first: new Uint32Array(steps + 1), // contacts of step i: first[i] .. first[i + 1]
        body: new Int32Array(2 * contacts),
        point: new Float32Array(3 * contacts),
        frame: new Int16Array(3 * contacts), // normal on the octahedron, angle of the tangent
        impulse: new Float32Array(3 * contacts),
        friction: new Float32Array(contacts),
        directions: new Uint8Array(contacts),
        state: new Uint8Array(contacts),
        gap: new Float32Array(contacts),
    };
}

function storeStep(a, i, w, scene) {
    a.time[i] = w[0] * 1e-9;
    a.kinetic[i] = floatOf(w[1], 0);
    a.potential[i] = floatOf(w[2], 0);
    a.residual[i] = floatOf(w[3], DROP_SHORT);
    a.pivots[i] = w[4];
    a.stage[i] = w[5];
    a.micros[i] = floatOf(w[6], DROP_SHORT);
    a.outcome[i] = w[7];
    a.islands[i] = w[8];
    let from = STEP_WORDS;
    let to = i * scene.bodies.length * 7;
    for (let b = 0; b < scene.bodies.length; b++, from += 7, to += 7) {
        const length = Math.hypot(w[from + 3], w[from + 4], w[from + 5], w[from + 6]) || 1;
        for (let k = 0; k < 3; k++) a.poses[to + k] = w[from + k] * scene.resolution;
        for (let k = 3; k < 7; k++) a.poses[to + k] = w[from + k] / length;
    }
    to = i * scene.joints.length * 2;
    for (let j = 0; j < scene.joints.length; j++, from += 2, to += 2) {
        a.joints[to] = floatOf(w[from], 0);
        a.joints[to + 1] = floatOf(w[from + 1], DROP_IMPULSE);
    }
}

function storeContact(a, n, w, o, resolution) {
    a.body[2 * n] = w[o];
    a.body[2 * n + 1] = w[o + 1];
    for (let k = 0; k < 3; k++) {
        a.point[3 * n + k] = w[o + 2 + k] * resolution;
        a.impulse[3 * n + k] = floatOf(w[o + 8 + k], DROP_IMPULSE);
    }
    a.frame[3 * n] = w[o + 5];
    a.frame[3 * n + 1] = w[o + 6];
    a.frame[3 * n + 2] = w[o + 7];
    a.friction[n] = floatOf(w[o + 11], 0);
    a.directions[n] = w[o + 12];
    a.state[n] = w[o + 13];
    a.gap[n] = (w[o + 14] * resolution) / 256;
}

// Decodes all steps; the guesses are those of src/record/code.c.
function readSteps(bytes, stepPieces, scene, arrays, counts) {
    const fixed = STEP_WORDS + 7 * scene.bodies.length + 2 * scene.joints.length;
    const moving = STEP_WORDS + 7 * scene.bodies.length;
    const most = counts.reduce((a, b) => Math.max(a, b), 0);
    let last = new Float64Array(fixed);
    let before = new Float64Array(fixed);
    let contacts = new Float64Array(most * CONTACT_WORDS);
    let previous = new Float64Array(most * CONTACT_WORDS);
    let previousCount = 0;
    let n = 0;
    for (let i = 0; i < stepPieces.length; i++) {
        const c = new Cursor(bytes, stepPieces[i][1], stepPieces[i][2]);
        const count = c.varint();
        const now = before; // its words are used before they are replaced
        for (let k = 0; k < fixed; k++) {
            const moves = k === 0 || (k >= STEP_WORDS && k < moving);
            now[k] = (moves ? 2 * last[k] - before[k] : last[k]) + c.difference();
        }
        storeStep(arrays, i, now, scene);
        before = last;
        last = now;
        if (i === 0) before.set(now);
        let place = -1;
        arrays.first[i] = n;
        for (let k = 0; k < count; k++, n++) {
            const from = (place + 1 < previousCount ? place + 1 : -1) + c.difference();
            const o = k * CONTACT_WORDS;
            const p = from * CONTACT_WORDS;
            for (let j = 0; j < CONTACT_WORDS; j++) contacts[o + j] = (from < 0 ? 0 : previous[p + j]) + c.difference();
            if (from >= 0) place = from;
            storeContact(arrays, n, contacts, o, scene.resolution);
        }
        previousCount = count;
        [contacts, previous] = [previous, contacts];
    }
    arrays.first[stepPieces.length] = n;
}

// A recording from its bytes; throws an Error with a sentence when not even the scene is whole.
export function decode(bytes, name = "", problem = "") {
    if (MAGIC.some((b, i) => bytes[i] !== b)) throw new Error("This is no recording of abut.");
    const pieces = wholePieces(bytes);
    const scene = readScene(bytes, pieces);
    const stepPieces = pieces.filter((p) => p[0] === "T");
    const counts = stepPieces.map((p) => new Cursor(bytes, p[1], p[2]).varint());
    const contacts = counts.reduce((a, b) => a + b, 0);
    const arrays = makeArrays(scene, stepPieces.length, contacts);
    const stages = pieces.filter((p) => p[0] === "N").map((p) => new Cursor(bytes, p[1], p[2]).text());
    readSteps(bytes, stepPieces, scene, arrays, counts);
    const complete = pieces.length > 0 && pieces[pieces.length - 1][0] === "E";
    if (!complete && !problem) problem = "The run was interrupted; this is what came before.";
    return { name, problem, scene, stages, steps: stepPieces.length, ...arrays };
}

// Two axes across a unit vector, as the writer has them.
function across(n) {
    const sign = n[2] < 0 || Object.is(n[2], -0) ? -1 : 1;
    const a = -1 / (sign + n[2]);
    const b = n[0] * n[1] * a;
    return [
        [1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]],
        [b, sign + n[1] * n[1] * a, -n[1]],
    ];
}

// Everything about contact n of a recording.
export function contactAt(r, n) {
    let u = r.frame[3 * n] / 32767;
    let v = r.frame[3 * n + 1] / 32767;
    const w = 1 - Math.abs(u) - Math.abs(v);
    if (w < 0) [u, v] = [(1 - Math.abs(v)) * (u < 0 ? -1 : 1), (1 - Math.abs(u)) * (v < 0 ? -1 : 1)];
    const length = Math.hypot(u, v, w);
    const normal = [u / length, v / length, w / length];
    const [x, y] = across(normal);
    const angle = ((r.frame[3 * n + 2] & 65535) * Math.PI) / 32768;
    const tangent = x.map((_, k) => Math.cos(angle) * x[k] + Math.sin(angle) * y[k]);
    const other = [
        normal[1] * tangent[2] - normal[2] * tangent[1],
        normal[2] * tangent[0] - normal[0] * tangent[2],
        normal[0] * tangent[1] - normal[1] * tangent[0],
    ];
    const impulse = [r.impulse[3 * n], r.impulse[3 * n + 1], r.impulse[3 * n + 2]];
    const friction = tangent.map((_, k) => tangent[k] * impulse[1] + other[k] * impulse[2]);
    return {
        bodies: [r.body[2 * n], r.body[2 * n + 1]],
        point: [r.point[3 * n], r.point[3 * n + 1], r.point[3 * n + 2]],
        normal,
        tangent,
        other,
        impulse,
        total: normal.map((_, k) => normal[k] * impulse[0] + friction[k]),
        sideways: friction,
        coefficient: r.friction[n],
        directions: r.directions[n],
        state: r.state[n],
        gap: r.gap[n],
    };
}

// The last step that is not after `time`.
export function stepAt(r, time) {
    let low = 0;
    let high = r.steps - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (r.time[middle] <= time + 1e-10) low = middle;
        else high = middle - 1;
    }
    return low;
}
