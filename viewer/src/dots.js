// Round marks that face the camera, each with a rim: one vertex a mark, so that thousands of them cost no more than a few.
import { BufferGeometry, Points, ShaderMaterial, Vector2 } from "three";
import { Rows } from "./rows.js";

// The part of a mark's radius that is its rim.
const RIM = 0.26;

const vertexShader = `
attribute float radius;
attribute vec3 tint;
attribute vec3 edge;
uniform float height;
varying vec3 inside;
varying vec3 outside;
varying float pixels;
void main() {
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    pixels = radius * projectionMatrix[1][1] * height / gl_Position.w;
    gl_PointSize = pixels + 2.0;
    inside = tint;
    outside = edge;
}`;
const fragmentShader = `
varying vec3 inside;
varying vec3 outside;
varying float pixels;
void main() {
    float far = length(gl_PointCoord - 0.5) * (pixels + 2.0) - 0.5 * pixels; // pixels beyond the circle
    float shown = clamp(0.5 - far, 0.0, 1.0);
    float rim = clamp(far + ${(0.5 * RIM).toFixed(3)} * pixels + 0.5, 0.0, 1.0);
    if (shown <= 0.0) discard;
    gl_FragColor = vec4(mix(inside, outside, rim), shown);
    #include <colorspace_fragment>
}`;

const buffer = new Vector2();

export class Dots {
    constructor(group, order) {
        const material = new ShaderMaterial({
            uniforms: { height: { value: 1 } }, vertexShader, fragmentShader, transparent: true, depthTest: false, depthWrite: false, toneMapped: false,
        });
        this.points = new Points(new BufferGeometry(), material);
        this.points.frustumCulled = false;
        this.points.renderOrder = order;
        this.points.onBeforeRender = (renderer) => (material.uniforms.height.value = renderer.getDrawingBufferSize(buffer).y);
        this.rows = new Rows(this.points, { position: 3, radius: 1, tint: 3, edge: 3 });
        group.add(this.points);
    }
    begin() {
        this.rows.begin();
    }
    // `radius` in m; the rim lies inside it.
    add(point, radius, colour, rim) {
        const i = this.rows.next();
        const { position, radius: radii, tint, edge } = this.rows.arrays;
        position.set(point, 3 * i);
        radii[i] = radius;
        colour.toArray(tint, 3 * i);
        rim.toArray(edge, 3 * i);
    }
    end(visible) {
        this.rows.end(visible);
    }
}
