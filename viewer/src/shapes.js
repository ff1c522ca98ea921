// Shapes as three.js meshes. Cylinders and capsules of a recording lie along z, those of three.js along y.
import {
    BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, CylinderGeometry, DoubleSide, LineBasicMaterial,
    LineSegments, Mesh, MeshStandardMaterial, PlaneGeometry, SphereGeometry, Vector3, WireframeGeometry,
} from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import { ConvexGeometry } from "three/addons/geometries/ConvexGeometry.js";
import { edged } from "./edges.js";

// Bodies without a colour of their own: calm, and apart from the colours of contacts.
const PALETTE = ["#5b8ff9", "#e8a33d", "#7cc48d", "#c58af0", "#e57f84", "#56b8c9", "#b6a77a", "#8f9bb3"];

function triangleMesh(vertices, triangles) {
    const indexed = new BufferGeometry();
    indexed.setAttribute("position", new BufferAttribute(vertices, 3));
    indexed.setIndex(new BufferAttribute(triangles, 1));
    return toCreasedNormals(indexed, Math.PI / 6); // smooth but for edges
}

function hull(vertices) {
    const points = [];
    for (let i = 0; i < vertices.length; i += 3) points.push(new Vector3(vertices[i], vertices[i + 1], vertices[i + 2]));
    return new ConvexGeometry(points);
}

function heightfield({ rows, columns, heights, size }) {
    const geometry = new PlaneGeometry(2 * size[0], 2 * size[1], columns - 1, rows - 1);
    const position = geometry.attributes.position;
    for (let r = 0; r < rows; r++)
        for (let c = 0; c < columns; c++) position.setZ((rows - 1 - r) * columns + c, heights[r * columns + c]);
    geometry.computeVertexNormals();
    return geometry;
}

// The lines between the samples of a heightfield, without which gentle ground looks flat.
function linesOf(geometry) {
    const lines = new LineSegments(new WireframeGeometry(geometry), new LineBasicMaterial({ color: "#000000", transparent: true, opacity: 0.09 }));
    lines.raycast = () => {};
    return lines;
}

// Shapes that differ in size alone share a geometry of size one, and are scaled. Each has a coarser one to move with.
const round = (make) => Object.assign(make(1), { userData: { coarse: make(0.4) } });
const UNIT = {
    box: new BoxGeometry(2, 2, 2),
    ball: round((fine) => new SphereGeometry(1, 48 * fine, 24 * fine)),
    cylinder: round((fine) => new CylinderGeometry(1, 1, 2, 64 * fine).rotateX(Math.PI / 2)),
};
const capsules = new Map(); // by how long they are for their radius

function capsule(ratio) {
    if (!capsules.has(ratio)) capsules.set(ratio, round((fine) => new CapsuleGeometry(1, 2 * ratio, Math.ceil(12 * fine), 40 * fine).rotateX(Math.PI / 2)));
    return capsules.get(ratio);
}

// A geometry, and how it is scaled.
function geometryOf(shape) {
    const [a, b, c] = shape.size;
    switch (shape.kind) {
        case "sphere":
            return [UNIT.ball, a, a, a];
        case "capsule":
            return [capsule(b / a), a, a, a];
        case "box":
            return [UNIT.box, a, b, c];
        case "cylinder":
            return [UNIT.cylinder, a, a, b];
        case "ellipsoid":
            return [UNIT.ball, a, b, c];
        case "plane":
            return [new PlaneGeometry(2 * a || 1, 2 * b || 1), 1, 1, 1];
        case "heightfield":
            return [heightfield(shape), 1, 1, 1];
        default:
            return [shape.triangles.length > 0 ? triangleMesh(shape.vertices, shape.triangles) : hull(shape.vertices), 1, 1, 1];
    }
}

export function colourOf(shape, index) {
    if (shape.colour.some((c) => c > 0)) return new Color().setRGB(...shape.colour.slice(0, 3), "srgb");
    if (shape.body < 0) return new Color("#9aa5b5");
    return new Color(PALETTE[(shape.body >= 0 ? shape.body : index) % PALETTE.length]);
}

// The plane that is drawn as the ground: the first one of the world that faces up. Bodies touch planes without end, whatever
// size they are drawn at.
export function groundOf(shapes) {
    return shapes.find(({ kind, body, orientation: [w, x, y, z] }) => {
        const up = w || x || y || z ? w * w - x * x - y * y + z * z : 1;
        return kind === "plane" && body < 0 && up > 0.7;
    });
}

export function place(object, position, orientation) {
    const [w, x, y, z] = orientation;
    object.position.set(position[0], position[1], position[2]);
    if (w || x || y || z) object.quaternion.set(x, y, z, w).normalize();
}

export function meshOf(shape, index) {
    const opacity = shape.colour.some((c) => c > 0) ? shape.colour[3] : 1;
    const open = shape.kind === "plane" || shape.kind === "heightfield" || shape.kind === "mesh";
    const material = new MeshStandardMaterial({
        color: colourOf(shape, index),
        roughness: 0.55,
        metalness: 0.05,
        opacity,
        transparent: opacity < 1,
        side: open ? DoubleSide : 0,
    });
    const [geometry, ...scale] = geometryOf(shape);
    const mesh = new Mesh(geometry, shape.kind === "box" ? edged(material, "box") : material);
    mesh.scale.set(...scale.map((x) => x || 1e-9)); // what is flat still has a normal
    if (shape.kind === "heightfield") mesh.add(linesOf(mesh.geometry));
    mesh.castShadow = shape.kind !== "plane";
    mesh.receiveShadow = true;
    mesh.userData = { body: shape.body, shape: index, opacity, box: shape.kind === "box" };
    place(mesh, shape.position, shape.orientation);
    return mesh;
}
