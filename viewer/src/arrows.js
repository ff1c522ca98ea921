// Arrows that face the camera: a ribbon and a triangle each, all of them in one draw call.
import { BufferGeometry, DoubleSide, Mesh, ShaderMaterial } from "three";
import { Rows } from "./rows.js";

// Vertices of an arrow: 0 at the tail, 1 where the ribbon ends (inside the head), 2 where the head begins, 3 at the tip; and how
// far to the side, in halves of the ribbon's width or of the head's.
const CORNERS = [[0, -1], [0, 1], [1, 1], [0, -1], [1, 1], [1, -1], [2, -1], [2, 1], [3, 0]];

const vertexShader = `
attribute vec3 reach;
attribute vec3 corner;
attribute vec3 tint;
varying vec3 colour;
void main() {
    float width = corner.z;
    vec3 tail = (modelViewMatrix * vec4(position, 1.0)).xyz;
    vec3 along = mat3(modelViewMatrix) * reach;
    float size = max(length(along), 1e-20);
    float head = min(4.5 * width, 0.45 * size);
    vec3 across = cross(along / size, tail + 0.5 * along);
    across = length(across) > 1e-9 ? normalize(across) : vec3(1.0, 0.0, 0.0);
    float place = corner.x < 0.5 ? 0.0 : corner.x < 1.5 ? size - 0.7 * head : corner.x < 2.5 ? size - head : size;
    float aside = corner.y * (corner.x < 1.5 ? width : 0.42 * head);
    gl_Position = projectionMatrix * vec4(tail + along * (place / size) + across * aside, 1.0);
    colour = tint;
}`;
const fragmentShader = `
varying vec3 colour;
void main() {
    gl_FragColor = vec4(colour, 1.0);
    #include <colorspace_fragment>
}`;

export class Arrows {
    constructor(group, order) {
        const material = new ShaderMaterial({ vertexShader, fragmentShader, transparent: true, depthTest: false, depthWrite: false, toneMapped: false, side: DoubleSide });
        this.mesh = new Mesh(new BufferGeometry(), material);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = order;
        this.rows = new Rows(this.mesh, { position: 3, reach: 3, corner: 3, tint: 3 });
        group.add(this.mesh);
    }
    begin() {
        this.rows.begin();
    }
    // From a point, so far in each direction; `width` is half of the ribbon's. All in m.
    add(from, x, y, z, width, colour) {
        let k = 3 * this.rows.next(CORNERS.length);
        const { position, reach, corner, tint } = this.rows.arrays;
        for (const [along, aside] of CORNERS) {
            position[k] = from[0];
            reach[k] = x;
            corner[k] = along;
            tint[k++] = colour.r;
            position[k] = from[1];
            reach[k] = y;
            corner[k] = aside;
            tint[k++] = colour.g;
            position[k] = from[2];
            reach[k] = z;
            corner[k] = width;
            tint[k++] = colour.b;
        }
    }
    end(visible) {
        this.rows.end(visible);
    }
}
