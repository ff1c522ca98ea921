// node read.mjs PACKAGE SCENE.xml: what MuJoCo reads from a scene, as lines "key index numbers...". PACKAGE is the folder
// of the npm package @mujoco/mujoco.
import fs from 'fs';
import path from 'path';
import {pathToFileURL} from 'url';

const [folder, scene] = process.argv.slice(2);
const load = (await import(pathToFileURL(path.resolve(folder, 'mujoco.js')))).default;
const mujoco = await load();
const vfs = new mujoco.MjVFS();
const home = path.dirname(path.resolve(scene));
// Files that the scene names stand beside it, or in a folder there.
const add = (folder) => {
  for (const name of fs.readdirSync(path.join(home, folder))) {
    const inside = path.join(folder, name), full = path.join(home, inside);
    if (fs.statSync(full).isFile()) vfs.addBuffer(inside, new Uint8Array(fs.readFileSync(full)));
    else add(inside);
  }
};
add('');
let model;
try {
  model = mujoco.MjModel.from_xml_string(fs.readFileSync(scene, 'utf8'), vfs);
} catch (error) {
  console.log('refused 0');
  console.error(error.message ?? error);
  process.exit(0);
}
const say = (key, index, numbers) => console.log([key, index, ...Array.from(numbers, (x) => +x)].join(' '));
const part = (array, i, n) => Array.from(array).slice(i * n, i * n + n);
const rotation = (q) => {
  const [w, x, y, z] = q;
  return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
          [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
          [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]];
};
const inertia = (diagonal, q) => {
  const r = rotation(q), entry = (i, j) => r[i][0] * diagonal[0] * r[j][0] + r[i][1] * diagonal[1] * r[j][1] + r[i][2] * diagonal[2] * r[j][2];
  return [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)];
};

say('counts', 0, [model.nbody, model.njnt, model.ngeom, model.nu, model.neq, model.ntendon, model.nq, model.nv, model.npair, model.nkey]);
for (let i = 0; i < model.nbody; i++) {
  say('body', i, [model.body_parentid[i], model.body_mass[i], ...part(model.body_ipos, i, 3)]);
  say('inertia', i, inertia(part(model.body_inertia, i, 3), part(model.body_iquat, i, 4)));
  say('pose', i, [...part(model.body_pos, i, 3), ...rotation(part(model.body_quat, i, 4)).flat()]);
}
// Damping and armature of actuators on joints count as the joints' own.
const extra = Array.from({length: model.njnt}, () => [0, 0]);
for (let i = 0; i < model.nu; i++) {
  if (model.actuator_trntype[i] > 1) continue;
  const scale = model.actuator_gear[6 * i] ** 2, joint = extra[model.actuator_trnid[2 * i]];
  joint[0] += scale * model.actuator_damping[i];
  joint[1] += scale * model.actuator_armature[i];
}
for (let i = 0; i < model.njnt; i++) {
  const dof = model.jnt_dofadr[i];
  say('joint', i, [model.jnt_bodyid[i], model.jnt_type[i], ...part(model.jnt_pos, i, 3), ...part(model.jnt_axis, i, 3)]);
  say('spring', i, [model.jnt_stiffness[i], model.dof_damping[dof] + extra[i][0], model.dof_armature[dof] + extra[i][1], model.dof_frictionloss[dof],
                    ...part(model.jnt_range, i, 2)]);
}
for (let i = 0; i < model.ngeom; i++) {
  const type = model.geom_type[i];
  say('geom', i, [model.geom_bodyid[i], type, model.geom_contype[i], model.geom_conaffinity[i], model.geom_condim[i],
                  ...part(model.geom_friction, i, 3), model.geom_priority[i], model.geom_margin[i], model.geom_gap[i]]);
  if (type != 7 && type != 1)
    say('shape', i, [...part(model.geom_size, i, 3), ...part(model.geom_pos, i, 3), ...rotation(part(model.geom_quat, i, 4)).flat()]);
}
for (let i = 0; i < model.nu; i++) {
  say('gain', i, [...part(model.actuator_gear, i, 6), ...part(model.actuator_gainprm, i, 10).slice(0, 3),
                  model.actuator_biastype[i] == 1 ? 1 : 0, ...part(model.actuator_biasprm, i, 10).slice(0, 3), model.actuator_dyntype[i]]);
}
// Of equalities between sites the model keeps no numbers.
for (let i = 0; i < model.neq; i++) if (model.eq_objtype[i] != 6) say('equality', i, [model.eq_type[i], ...part(model.eq_data, i, 11)]);
say('qpos0', 0, model.qpos0);

// A state on the way, without constraints: mass matrix, bias, accelerations.
const data = new mujoco.MjData(model);
const control = () => { for (let i = 0; i < model.nu; i++) data.ctrl[i] = 0.2 * Math.sin(1 + i); };
control();
for (let i = 0; i < model.nv; i++) data.qvel[i] = 0.3 * Math.sin(1 + 1.7 * i);
model.opt.disableflags |= 1;  // constraints
model.opt.timestep = 0.001;
for (let i = 0; i < 10; i++) mujoco.mj_step(model, data);
control();  // which is lost where MuJoCo's step diverged
mujoco.mj_forward(model, data);
let gravcomp = 0;
for (let i = 0; i < model.nbody; i++) gravcomp += model.body_gravcomp[i];
const fluid = model.opt.density + model.opt.viscosity;
if (model.nv > 0) {
  say('qpos', 0, data.qpos);
  say('qvel', 0, data.qvel);
  if (model.na > 0) say('act', 0, data.act);
  const matrix = new mujoco.DoubleBuffer(model.nv * model.nv);
  mujoco.mj_fullM(model, data, matrix);
  const rows = matrix.GetView();
  for (let i = 0; i < model.nv; i++) say('mass', i, rows.slice(i * model.nv, (i + 1) * model.nv));
  if (gravcomp == 0) say('bias', 0, data.qfrc_bias);
  if (fluid == 0) say('acceleration', 0, data.qacc_smooth);
}
