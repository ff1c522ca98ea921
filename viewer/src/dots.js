// Round marks that face the camera, each with a rim: one vertex a mark, so that thousands of them cost no more than a few.
import { BufferGeometry, DynamicDrawUsage, BufferAttribute, Points, ShaderMaterial, Vector2 } from "three";

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
        group.add(this.points);
        this.grow(64);
    }
    // Room for so many, which doubles where it is not enough.
    grow(room) {
        const old = this.points.geometry;
        const geometry = new BufferGeometry();
        for (const [name, size] of [["position", 3], ["radius", 1], ["tint", 3], ["edge", 3]]) {
            const attribute = new BufferAttribute(new Float32Array(room * size), size).setUsage(DynamicDrawUsage);
            if (old.attributes[name]) attribute.array.set(old.attributes[name].array);
            geometry.setAttribute(name, attribute);
        }
        old.dispose();
        this.points.geometry = geometry;
        this.room = room;
    }
    begin() {
        this.count = 0;
    }
    // `radius` in m; the rim lies inside it.
    add(point, radius, colour, rim) {
        if (this.count === this.room) this.grow(2 * this.room);
        const { position, radius: radii, tint, edge } = this.points.geometry.attributes;
        position.setXYZ(this.count, point[0], point[1], point[2]);
        radii.setX(this.count, radius);
        tint.setXYZ(this.count, colour.r, colour.g, colour.b);
        edge.setXYZ(this.count, rim.r, rim.g, rim.b);
        this.count++;
    }
    end(visible) {
        const { geometry } = this.points;
        geometry.setDrawRange(0, this.count);
        for (const attribute of Object.values(geometry.attributes)) attribute.needsUpdate = true;
        this.points.visible = visible && this.count > 0;
    }
}
