// What is known about a contact, a body or a shape at one step, as rows of text.
import { STATE_COLOURS } from "./contacts.js";
import { contactAt, STATES } from "./decode.js";
import { JOINT_COLOUR } from "./joints.js";
import { formatNumber } from "./plots.js";

const STATE_WORDS = { open: "open: carries nothing", slide: "slides", edge: "on an edge of its polygon", stick: "sticks" };

export const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const triple = (v, digits = 3) => v.map((x) => formatNumber(Math.abs(x) < 1e-9 ? 0 : x, digits)).join(", ");

export function bodyName(r, body) {
    return body < 0 ? "world" : r.scene.bodies[body].name || `body ${body}`;
}

// Millimetres or metres, whichever reads better.
export function formatLength(metres) {
    const size = Math.abs(metres);
    if (size >= 1) return `${formatNumber(metres)} m`;
    if (size >= 1e-2) return `${formatNumber(metres * 100)} cm`;
    if (size >= 1e-3) return `${formatNumber(metres * 1e3)} mm`;
    return size < 1e-12 ? "0 mm" : `${formatNumber(metres * 1e6)} µm`;
}

function contactRows(r, step, index) {
    const n = r.first[step] + index;
    if (n >= r.first[step + 1]) return null;
    const c = contactAt(r, n);
    const h = r.scene.step;
    const sideways = Math.hypot(c.impulse[1], c.impulse[2]);
    const limit = c.coefficient * c.impulse[0];
    const used = limit > 0 ? sideways / limit : 0;
    return {
        title: `Contact ${index}`,
        colour: STATE_COLOURS[c.state],
        gauge: limit > 0 ? used : undefined,
        rows: [
            ["between", `${bodyName(r, c.bodies[0])} and ${bodyName(r, c.bodies[1])}`],
            ["state", STATE_WORDS[STATES[c.state]]],
            ["normal force", `${formatNumber(c.impulse[0] / h)} N`],
            ["friction force", `${formatNumber(sideways / h)} N`],
            ["of what friction can", limit > 0 ? `${Math.round(100 * used)} %` : "–"],
            ["coefficient", formatNumber(c.coefficient)],
            ["cone", c.directions ? `polygon, ${c.directions} corners` : "round"],
            ["gap", formatLength(c.gap)],
            ["point", `${triple(c.point, 4)} m`],
            ["normal", triple(c.normal)],
        ],
    };
}

function jointPlace(joint, position) {
    if (joint.kind === "hinge") return `${formatNumber((180 / Math.PI) * position)}°`;
    return joint.kind === "slide" ? formatLength(position) : "–";
}

function jointRows(r, step, index) {
    const joint = r.scene.joints[index];
    const at = 2 * (step * r.scene.joints.length + index);
    return {
        title: joint.name || `Joint ${index}`,
        colour: JOINT_COLOUR,
        rows: [
            ["joint", joint.kind],
            ["between", `${bodyName(r, joint.bodies[0])} and ${bodyName(r, joint.bodies[1])}`],
            ["carries", `${formatNumber(r.joints[at + 1] / r.scene.step)} N`],
            ["position", jointPlace(joint, r.joints[at])],
        ],
    };
}

// What the joints that a body hangs on carry; the joints of one body carry the same.
function carriedBy(r, step, body) {
    const index = r.scene.joints.findIndex((joint) => joint.bodies[0] === body);
    return index < 0 ? undefined : r.joints[2 * (step * r.scene.joints.length + index) + 1] / r.scene.step;
}

function bodyRows(r, step, body, shape) {
    const count = r.scene.bodies.length;
    const pose = (s) => r.poses.subarray((s * count + body) * 7, (s * count + body) * 7 + 7);
    const now = pose(step);
    const before = pose(Math.max(0, step - 1));
    const passed = step > 0 ? r.time[step] - r.time[step - 1] : 0;
    const speed = passed > 0 ? Math.hypot(now[0] - before[0], now[1] - before[1], now[2] - before[2]) / passed : 0;
    const dot = Math.min(1, Math.abs(now[3] * before[3] + now[4] * before[4] + now[5] * before[5] + now[6] * before[6]));
    const spin = passed > 0 && dot < 1 - 1e-11 ? (2 * Math.acos(dot)) / passed : 0;
    let touching = 0;
    for (let n = r.first[step]; n < r.first[step + 1]; n++)
        if (r.state[n] !== 0 && (r.body[2 * n] === body || r.body[2 * n + 1] === body)) touching++;
    const rows = [
        ["mass", r.scene.bodies[body].mass > 0 ? `${formatNumber(r.scene.bodies[body].mass)} kg` : "not moved by forces"],
        ["position", `${triple([...now.subarray(0, 3)], 4)} m`],
        ["speed", `${formatNumber(speed)} m/s`],
        ["turns at", `${formatNumber(spin)} rad/s`],
        ["contacts that carry", String(touching)],
    ];
    const carried = carriedBy(r, step, body);
    if (carried !== undefined) rows.push(["its joints carry", `${formatNumber(carried)} N`]);
    if (shape !== undefined && r.scene.shapes[shape].name !== bodyName(r, body)) rows.unshift(["shape", r.scene.shapes[shape].name || r.scene.shapes[shape].kind]);
    return { title: bodyName(r, body), colour: "var(--accent)", rows };
}

export function readingOf(r, step, picked) {
    if (picked.kind === "contact") return contactRows(r, step, picked.index);
    if (picked.kind === "joint") return jointRows(r, step, picked.index);
    if (picked.kind === "body" && picked.index >= 0) return bodyRows(r, step, picked.index, picked.shape);
    if (picked.kind === "body") {
        const shape = r.scene.shapes[picked.shape];
        return { title: shape?.name || "World", colour: "var(--muted)", rows: [["shape", shape?.kind ?? "–"], ["", "fixed to the world"]] };
    }
    return null;
}

export function readingHtml(reading) {
    const gauge = reading.gauge === undefined ? "" : `<div class="gauge" style="--c:${reading.colour}"><span style="width:${Math.min(100, 100 * reading.gauge)}%"></span></div>`;
    const rows = reading.rows.map(([name, value]) => `<dt>${name}</dt><dd>${escape(value)}</dd>${name.startsWith("of what") ? gauge : ""}`).join("");
    return `<p class="numbers-title"><i style="--c:${reading.colour}"></i>${escape(reading.title)}</p><dl class="numbers">${rows}</dl>`;
}

export function tooltipHtml(reading) {
    return `<b>${escape(reading.title)}</b>${reading.rows.slice(0, 4).map(([name, value]) => `${name} ${escape(value)}`).join("<br>")}`;
}
