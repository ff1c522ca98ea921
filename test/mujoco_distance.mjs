// node mujoco_distance.mjs FOLDER INPUT OUTPUT: signed distances of pairs of geoms by MuJoCo (npm package @mujoco/mujoco in
// FOLDER). INPUT: a line "pair TYPE SIZE SIZE SIZE TYPE SIZE SIZE SIZE COUNT" and COUNT lines of two poses (position and
// quaternion) each; OUTPUT: one distance a line.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, input, output] = process.argv.slice(2);
const entry = path.resolve(folder, 'node_modules/@mujoco/mujoco/mujoco.js');
const mujoco = await (await import(pathToFileURL(entry))).default();
const lines = fs.readFileSync(input, 'utf8').trim().split('\n');
const distances = [];
const body = (type, size) => `<body><freejoint/><geom type="${type}" size="${size}"/></body>`;

for (let at = 0; at < lines.length;) {
  const [, a, a0, a1, a2, b, b0, b1, b2, count] = lines[at++].split(' ');
  const xml = `<mujoco><option ccd_tolerance="1e-10" ccd_iterations="500"/><worldbody>
    ${body(a, `${a0} ${a1} ${a2}`)}${body(b, `${b0} ${b1} ${b2}`)}</worldbody></mujoco>`;
  const model = mujoco.MjModel.from_xml_string(xml);
  const data = new mujoco.MjData(model);
  const ends = new Float64Array(6);
  for (let i = 0; i < Number(count); i++) {
    const pose = lines[at++].split(' ').map(Number);
    const qpos = data.qpos;
    for (let k = 0; k < 14; k++) qpos[k] = pose[k];
    mujoco.mj_kinematics(model, data);
    distances.push(mujoco.mj_geomDistance(model, data, 0, 1, 10, ends));
  }
  data.delete();
  model.delete();
}
fs.writeFileSync(output, distances.join('\n') + '\n');
