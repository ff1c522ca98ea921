// node mujoco_distance.mjs FOLDER INPUT OUTPUT: signed distances of pairs of geoms by MuJoCo (npm package @mujoco/mujoco in
// FOLDER). INPUT: lines "mesh X Y Z X Y Z ..", each a convex hull, named mesh0, mesh1, ..; then lines of two shapes (a kind or the
// name of a mesh, and three sizes) and two poses (position and quaternion). A plane is the second shape, and stands still.
// OUTPUT: a line for each of those with the distance and the two closest points; the distance is nan where MuJoCo fails.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const [folder, input, output] = process.argv.slice(2);
const entry = path.resolve(folder, 'node_modules/@mujoco/mujoco/mujoco.js');
const load = (await import(pathToFileURL(entry))).default;
const meshes = [], pairs = new Map();
let mujoco = await load(), ends = mujoco.DoubleBuffer.FromArray(new Float64Array(6));
const out = fs.openSync(output, 'w');
let answers = [];

const geom = (kind) => kind.startsWith('mesh') ? `<geom name="NAME" type="mesh" mesh="${kind}"/>`
                                               : `<geom name="NAME" type="${kind}" size="1 1 1"/>`;
const body = (kind, name) => {
  const g = geom(kind).replace('NAME', name);
  return kind === 'plane' ? g : `<body><freejoint/>${g}</body>`;
};

// The model of two kinds; sizes and poses are set for each question.
function pair(a, b) {
  const key = `${a} ${b}`;
  if (!pairs.has(key)) {
    const asset = meshes.map((points, i) => `<mesh name="mesh${i}" vertex="${points}"/>`).join('');
    const model = mujoco.MjModel.from_xml_string(`<mujoco><option ccd_tolerance="1e-10" ccd_iterations="500"/>
      <asset>${asset}</asset><worldbody>${body(a, 'a')}${body(b, 'b')}</worldbody></mujoco>`);
    const types = Array.from(model.geom_type), order = b === 'plane' ? [types.indexOf(0) === 0 ? 1 : 0, types.indexOf(0)] : [0, 1];
    pairs.set(key, { model, data: new mujoco.MjData(model), order });
  }
  return pairs.get(key);
}

function answer(words) {
  const { model, data, order } = pair(words[0], words[4]);
  const numbers = words.map(Number), size = model.geom_size, qpos = data.qpos;
  for (let g = 0; g < 2; g++) {
    if (words[4 * g].startsWith('mesh')) continue;
    for (let k = 0; k < 3; k++) size[3 * order[g] + k] = numbers[4 * g + 1 + k];
  }
  for (let k = 0; k < qpos.length; k++) qpos[k] = numbers[8 + k];
  mujoco.mj_kinematics(model, data);
  const distance = mujoco.mj_geomDistance(model, data, order[0], order[1], 10, ends);
  return `${distance} ${Array.from(ends.GetView()).join(' ')}`;
}

// MuJoCo's search in an overlap runs out of its memory now and then: such a question has no answer, and it begins anew.
async function answerOrNone(words) {
  try {
    return answer(words);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    mujoco = await load();
    ends = mujoco.DoubleBuffer.FromArray(new Float64Array(6));
    pairs.clear();
    return 'nan 0 0 0 0 0 0';
  }
}

for await (const text of readline.createInterface({ input: fs.createReadStream(input), crlfDelay: Infinity })) {
  const words = text.split(' ');
  if (words[0] === 'mesh') meshes.push(words.slice(1).join(' '));
  else answers.push(await answerOrNone(words));
  if (answers.length < 10000) continue;
  fs.writeSync(out, answers.join('\n') + '\n');
  answers = [];
}
if (answers.length) fs.writeSync(out, answers.join('\n') + '\n');
fs.closeSync(out);
