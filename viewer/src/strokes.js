// Straight strokes of so many pixels of the screen, all of them in one draw call. (Lines of WebGL are one pixel wide, however fine
// the picture.)
import { BufferGeometry, Color, DoubleSide, Mesh, ShaderMaterial, Vector2 } from "three";
import { Rows } from "./rows.js";

// Each stroke is two triangles: which end a vertex is at, and on which side.
const CORNERS = [[0, -1], [0, 1], [1, 1], [0, -1], [1, 1], [1, -1]];

const vertexShader = `
attribute vec3 other;
attribute float side;
uniform vec2 screen;
uniform float pixels;
void main() {
    vec4 here = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    vec4 there = projectionMatrix * modelViewMatrix * vec4(other, 1.0);
    vec2 along = (there.xy / there.w - here.xy / here.w) * screen;
    along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
    here.xy += side * pixels * vec2(-along.y, along.x) / screen * here.w;
    gl_Position = here;
}`;
const fragmentShader = `
uniform vec3 colour;
uniform float opacity;
void main() {
    gl_FragColor = vec4(colour, opacity);
    #include <colorspace_fragment>
}`;

export class Strokes {
    constructor(group, { order, colour, opacity, pixels }) {
        this.uniforms = { colour: { value: new Color(colour) }, opacity: { value: opacity }, pixels: { value: pixels }, screen: { value: new Vector2() } };
        const material = new ShaderMaterial({ uniforms: this.uniforms, vertexShader, fragmentShader, transparent: true, depthTest: false, depthWrite: false, toneMapped: false, side: DoubleSide });
        this.mesh = new Mesh(new BufferGeometry(), material);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = order;
        this.mesh.onBeforeRender = (renderer) => renderer.getSize(this.uniforms.screen.value);
        this.rows = new Rows(this.mesh, { position: 3, other: 3, side: 1 });
        group.add(this.mesh);
    }
    begin() {
        this.rows.begin();
    }
    // From a to b, in m.
    add(a, b) {
        let i = this.rows.next(CORNERS.length);
        const { position, other, side } = this.rows.arrays;
        for (const [end, aside] of CORNERS) {
            position.set(end ? b : a, 3 * i);
            other.set(end ? a : b, 3 * i);
            side[i++] = end ? -aside : aside; // seen from its other end, the sides change
        }
    }
    end(visible) {
        this.rows.end(visible);
    }
}
