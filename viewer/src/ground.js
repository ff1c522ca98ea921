// The ground: a disc that fades into the background, with a grid whose lines stay one pixel wide. Where the scene has no plane
// there is the grid alone, to look at.
import { CircleGeometry, Color, DoubleSide, Group, Mesh, MeshLambertMaterial, ShaderMaterial } from "three";

// How strong the grid is at a place, and how much of the ground is left there.
const gridLines = `
varying vec2 place;
uniform vec3 line;
uniform float cell;
uniform float radius;
uniform float strength;
float lines(float spacing) {
    vec2 p = place / spacing;
    vec2 width = fwidth(p);
    vec2 d = abs(fract(p - 0.5) - 0.5) / width;
    float fade = 1.0 - smoothstep(0.15, 0.6, max(width.x, width.y));
    return (1.0 - min(min(d.x, d.y), 1.0)) * fade;
}
float grid() {
    return strength * max(0.2 * lines(cell), 0.42 * lines(cell * 5.0));
}
float near() {
    float far = 1.0 - smoothstep(0.15, 1.0, length(place) / radius);
    return far * far;
}`;
const vertexShader = `
varying vec2 place;
void main() {
    place = position.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const fragmentShader = `${gridLines}
void main() {
    gl_FragColor = vec4(line, grid() * near());
    #include <colorspace_fragment>
}`;

// A decimal cell size near `wanted`.
export function niceLength(wanted) {
    const power = 10 ** Math.floor(Math.log10(wanted));
    const digits = wanted / power;
    return power * (digits < 1.5 ? 1 : digits < 3.5 ? 2 : digits < 7.5 ? 5 : 10);
}

function solidMaterial(uniforms) {
    const material = new MeshLambertMaterial({ transparent: true, side: DoubleSide });
    material.onBeforeCompile = (shader) => {
        Object.assign(shader.uniforms, uniforms);
        shader.vertexShader = shader.vertexShader
            .replace("#include <common>", "#include <common>\nvarying vec2 place;")
            .replace("#include <begin_vertex>", "#include <begin_vertex>\nplace = position.xy;");
        shader.fragmentShader = shader.fragmentShader
            .replace("#include <common>", `#include <common>\n${gridLines}`)
            .replace("#include <color_fragment>", "#include <color_fragment>\ndiffuseColor.a *= near();")
            .replace("#include <opaque_fragment>", "#include <opaque_fragment>\ngl_FragColor.rgb = mix(gl_FragColor.rgb, line, grid());");
    };
    return material;
}

export class Ground {
    // `size`: the size of the scene; `solid`: whether there is a plane, or only a grid to look at.
    constructor(size, solid) {
        const radius = 9 * size;
        this.group = new Group();
        this.uniforms = { line: { value: new Color() }, cell: { value: niceLength(size / 8) }, radius: { value: radius }, strength: { value: 1 } };
        this.solid = solid;
        const material = solid
            ? solidMaterial(this.uniforms)
            : new ShaderMaterial({ uniforms: this.uniforms, vertexShader, fragmentShader, transparent: true, depthWrite: false, side: DoubleSide });
        this.disc = new Mesh(new CircleGeometry(radius, 96), material);
        this.disc.receiveShadow = solid;
        this.disc.renderOrder = 1;
        this.group.add(this.disc);
    }
    showGrid(on) {
        this.uniforms.strength.value = on ? 1 : 0;
    }
    theme({ ground, gridLine }) {
        if (this.solid) this.disc.material.color.set(ground);
        this.uniforms.line.value.set(gridLine);
    }
}
