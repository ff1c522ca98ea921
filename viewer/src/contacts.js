// Contacts of one step: points coloured by state, arrows of forces, friction cones. All instanced, so that hundreds of
// them cost a handful of draw calls.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, InstancedMesh, Matrix4, MeshBasicMaterial } from "three";
import { Arrows } from "./arrows.js";
import { contactAt } from "./decode.js";
import { Dots } from "./dots.js";
import { Strokes } from "./strokes.js";

// Open, slide, edge, stick; told apart without seeing red and green, too.
export const STATE_COLOURS = ["#98a2b3", "#f97316", "#fbbf24", "#22b8cf"];
export const FRICTION_COLOUR = "#e64980";
export const CONE_COLOUR = "#7c8cff";
const SELECTED = new Color("#ffffff");

// So many instances a mesh has room for at first; it grows by doubling.
const ROOM = 64;
// Strokes that a ring is made of.
const SIDES = 40;

const basis = new Matrix4();

// Geometry, material and a group: an InstancedMesh that grows.
class Instances {
    constructor(group, geometry, material, order) {
        Object.assign(this, { group, geometry, material, order, count: 0, room: 0, mesh: null });
        this.grow(ROOM);
    }
    grow(room) {
        const old = this.mesh;
        this.mesh = new InstancedMesh(this.geometry, this.material, room);
        this.mesh.setColorAt(0, SELECTED);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = this.order;
        if (old) {
            this.mesh.instanceMatrix.array.set(old.instanceMatrix.array);
            this.mesh.instanceColor.array.set(old.instanceColor.array);
            this.group.remove(old);
            old.dispose();
        }
        this.group.add(this.mesh);
        this.room = room;
    }
    begin() {
        this.count = 0;
    }
    add(transform, colour) {
        if (this.count === this.room) this.grow(2 * this.room);
        this.mesh.setMatrixAt(this.count, transform);
        this.mesh.setColorAt(this.count, colour);
        this.count++;
    }
    end(visible) {
        this.mesh.count = this.count;
        this.mesh.visible = visible && this.count > 0;
        this.mesh.instanceMatrix.needsUpdate = true;
        this.mesh.instanceColor.needsUpdate = true;
    }
}

// Always seen, also inside bodies: contacts are what the page is about.
function onTop(options = {}) {
    return new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true, toneMapped: false, ...options });
}

export class Contacts {
    constructor() {
        this.group = new Group();
        this.points = new Dots(this.group, 30);
        this.arrows = new Arrows(this.group, 20);
        this.cones = new Map(); // by number of directions; 0 is the round one
        this.edges = new Strokes(this.group, { order: 11, colour: "#ffffff", opacity: 0.6, pixels: 1 });
        this.rings = new Strokes(this.group, { order: 12, colour: CONE_COLOUR, opacity: 1, pixels: 2 });
        this.colours = STATE_COLOURS.map((c) => new Color(c));
        this.frictionColour = new Color(FRICTION_COLOUR);
    }

    cone(directions) {
        const corners = directions === 0 ? 48 : Math.max(directions, 2);
        if (!this.cones.has(corners)) {
            // A pyramid with its tip at the origin, one high along z, its first corner along x.
            const positions = [];
            for (let j = 0; j < corners; j++) {
                for (const k of [j, (j + 1) % corners]) {
                    const a = (2 * Math.PI * k) / corners;
                    positions.push(Math.cos(a), Math.sin(a), 1);
                }
                positions.push(0, 0, 0);
            }
            const geometry = new BufferGeometry();
            geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
            const material = onTop({ opacity: 0.26, side: DoubleSide });
            this.cones.set(corners, new Instances(this.group, geometry, material, 10));
        }
        return this.cones.get(corners);
    }

    // An impulse to scale, unless it is shorter than `least`.
    arrow(from, impulse, look, width, least, colour) {
        const [x, y, z] = impulse;
        if (Math.hypot(x, y, z) * look.scale > least) this.arrows.add(from, x * look.scale, y * look.scale, z * look.scale, width, colour);
    }

    // Fills the instances from one step. `look` has scale (m per N s), unit (m: what is small in this scene), size (how large a
    // mark is beside others, 1 where there are few), and what to show.
    update(recording, step, look, selected) {
        const all = [this.points, this.arrows, this.rings, this.edges, ...this.cones.values()];
        for (const i of all) i.begin();
        const begin = recording.first[step];
        const end = recording.first[step + 1];
        for (let n = begin; n < end; n++) {
            const c = contactAt(recording, n);
            if (c.state === 0 && !look.open) continue;
            const colour = this.colours[c.state];
            const chosen = n - begin === selected;
            const radius = look.unit * look.size * (c.state === 0 ? 0.011 : 0.0175) * (chosen ? 1.5 : 1);
            this.points.add(c.point, radius, colour, chosen ? SELECTED : look.rim);
            const width = look.unit * look.size * 0.0055;
            if (look.forces) this.arrow(c.point, c.total, look, width, 1e-9, colour);
            if (look.friction) this.arrow(c.point, c.sideways, look, width, look.unit * 0.004, this.frictionColour);
            if (look.cones && c.impulse[0] > 0 && c.coefficient > 0) this.addCone(c, look, colour);
        }
        this.points.end(look.points);
        this.arrows.end(true);
        for (const i of this.cones.values()) i.end(look.cones);
        this.edges.uniforms.colour.value.copy(look.line);
        for (const i of [this.rings, this.edges]) i.end(look.cones);
    }

    // The polygon that was solved for as a pyramid with its edges, and the circle that it stands for as a ring; both as high as
    // the normal force and `friction` times as wide.
    addCone(c, look, colour) {
        const height = c.impulse[0] * look.scale;
        const radius = c.coefficient * height;
        const [t, o, n, p] = [c.tangent, c.other, c.normal, c.point];
        basis.set(
            t[0] * radius, o[0] * radius, n[0] * height, p[0],
            t[1] * radius, o[1] * radius, n[1] * height, p[1],
            t[2] * radius, o[2] * radius, n[2] * height, p[2],
            0, 0, 0, 1,
        );
        this.cone(c.directions).add(basis, colour);
        const corner = (a) => p.map((x, k) => x + n[k] * height + (t[k] * Math.cos(a) + o[k] * Math.sin(a)) * radius);
        const round = (sides, each) => {
            let last = corner(0);
            for (let j = 1; j <= sides; j++) {
                const next = corner((2 * Math.PI * j) / sides);
                each(last, next);
                last = next;
            }
        };
        round(SIDES, (a, b) => this.rings.add(a, b));
        round(c.directions, (a, b) => {
            this.edges.add(a, b);
            this.edges.add(p, a);
        });
    }
}
