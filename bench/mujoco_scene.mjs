// node mujoco_scene.mjs PACKAGE SCENE.xml STEPS STEP KEYFRAME CONTROL.csv: MuJoCo's step on a scene, for `abut bench scenes`. Prints steps, p50, p99 and
// max in us, the deepest overlap of the second half (m), slip at the end and creep over the second half (m/s).
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, scene, steps, step, keyframe, control] = process.argv.slice(2);
const mujoco = await (await import(pathToFileURL(path.resolve(folder, "mujoco.js")))).default();
const model = mujoco.MjModel.from_xml_string(fs.readFileSync(scene, "utf8"), new mujoco.MjVFS());
const data = new mujoco.MjData(model);
model.opt.timestep = Number(step);
if (keyframe) {
    const key = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_KEY.value ?? mujoco.mjtObj.mjOBJ_KEY, keyframe);
    mujoco.mj_resetDataKeyframe(model, data, key);
}
const rows = control ? fs.readFileSync(control, "utf8").split("\n").map((line) => line.split(",").map(Number)).filter((row) => row.length > 1 && row.every(Number.isFinite)) : [];

// The velocity of a body at a point: cvel stands at the centre of mass of the body's tree.
function velocityAt(body, point) {
    const [wx, wy, wz, x, y, z] = data.cvel.slice(6 * body, 6 * body + 6);
    const root = 3 * model.body_rootid[body];
    const arm = [0, 1, 2].map((k) => point[k] - data.subtree_com[root + k]);
    return [x + wy * arm[2] - wz * arm[1], y + wz * arm[0] - wx * arm[2], z + wx * arm[1] - wy * arm[0]];
}
// Contacts live in the package's memory until they are deleted.
function eachContact(look) {
    const all = data.contact;
    for (let i = 0; i < data.ncon; i++) {
        const c = all.get(i);
        look(c);
        c.delete();
    }
    all.delete();
}
const places = () => Array.from(data.xpos).slice(3);
function slip() {
    let most = 0;
    eachContact((c) => {
        if (c.efc_address < 0 || c.dist > 0) return;
        const [a, b] = [c.geom1 ?? c.geom[0], c.geom2 ?? c.geom[1]].map((g) => velocityAt(model.geom_bodyid[g], c.pos));
        const n = Array.from(c.frame).slice(0, 3);
        const u = a.map((x, k) => x - b[k]);
        const along = u[0] * n[0] + u[1] * n[1] + u[2] * n[2];
        most = Math.max(most, Math.hypot(...u.map((x, k) => x - along * n[k])));
    });
    return most;
}

const times = [];
let overlap = 0;
let before = null;
let at = -1;
const half = Math.floor(steps / 2);
for (let i = 0; i < steps; i++) {
    if (i === half) before = places();
    while (at + 1 < rows.length && rows[at + 1][0] <= i * step + 1e-12) at++;
    if (at >= 0) for (let k = 0; k < model.nu; k++) data.ctrl[k] = rows[at][k + 1];
    const start = process.hrtime.bigint();
    mujoco.mj_step(model, data);
    times.push(Number(process.hrtime.bigint() - start) / 1000);
    if (i >= half) eachContact((c) => (overlap = Math.max(overlap, -c.dist)));
}
const after = places();
let far = 0;
for (let i = 0; i < after.length; i += 3) far = Math.max(far, Math.hypot(after[i] - before[i], after[i + 1] - before[i + 1], after[i + 2] - before[i + 2]));
times.sort((x, y) => x - y);
const share = (p) => times[Math.min(times.length - 1, Math.ceil(p * times.length) - 1)];
mujoco.mj_forward(model, data);
console.log([steps, share(0.5), share(0.99), times[times.length - 1], overlap, slip(), far / ((steps - half) * step)].join(" "));
