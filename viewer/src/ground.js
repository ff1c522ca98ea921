// The ground: a disc that fades into the background, with a grid whose lines stay one pixel wide.
import { CircleGeometry, Color, DoubleSide, Group, Mesh, MeshStandardMaterial, ShaderMaterial } from "three";

const vertexShader = `
varying vec2 place;
void main() {
    place = position.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const fragmentShader = `
varying vec2 place;
uniform vec3 line;
uniform float cell;
uniform float radius;
float lines(float spacing) {
    vec2 p = place / spacing;
    vec2 width = fwidth(p);
    vec2 d = abs(fract(p - 0.5) - 0.5) / width;
    float fade = 1.0 - smoothstep(0.15, 0.6, max(width.x, width.y));
    return (1.0 - min(min(d.x, d.y), 1.0)) * fade;
}
void main() {
    float strength = max(0.2 * lines(cell), 0.42 * lines(cell * 5.0));
    float far = 1.0 - smoothstep(0.15, 1.0, length(place) / radius);
    gl_FragColor = vec4(line, strength * far * far);
}`;

// A decimal cell size near `wanted`.
export function niceLength(wanted) {
    const power = 10 ** Math.floor(Math.log10(wanted));
    const digits = wanted / power;
    return power * (digits < 1.5 ? 1 : digits < 3.5 ? 2 : digits < 7.5 ? 5 : 10);
}

function fadingDisc(radius) {
    const material = new MeshStandardMaterial({ roughness: 0.95, metalness: 0, transparent: true, side: DoubleSide });
    material.onBeforeCompile = (shader) => {
        shader.uniforms.discRadius = { value: radius };
        shader.vertexShader = shader.vertexShader
            .replace("#include <common>", "#include <common>\nvarying vec2 discPlace;")
            .replace("#include <begin_vertex>", "#include <begin_vertex>\ndiscPlace = position.xy;");
        shader.fragmentShader = shader.fragmentShader
            .replace("#include <common>", "#include <common>\nvarying vec2 discPlace;\nuniform float discRadius;")
            .replace(
                "#include <color_fragment>",
                "#include <color_fragment>\nfloat discFar = 1.0 - smoothstep(0.15, 1.0, length(discPlace) / discRadius);\ndiffuseColor.a *= discFar * discFar;",
            );
    };
    const mesh = new Mesh(new CircleGeometry(radius, 96), material);
    mesh.receiveShadow = true;
    return mesh;
}

export class Ground {
    // `size`: the size of the scene; `solid`: whether there is a plane, or only a grid to look at.
    constructor(size, solid) {
        const radius = 9 * size;
        this.group = new Group();
        this.disc = solid ? fadingDisc(radius) : null;
        this.grid = new Mesh(
            new CircleGeometry(radius, 96),
            new ShaderMaterial({
                uniforms: {
                    line: { value: new Color() },
                    cell: { value: niceLength(size / 8) },
                    radius: { value: radius },
                },
                vertexShader,
                fragmentShader,
                transparent: true,
                depthWrite: false,
                side: DoubleSide,
                polygonOffset: true,
                polygonOffsetFactor: -1,
                polygonOffsetUnits: -1,
            }),
        );
        this.grid.position.z = size * 2e-4;
        this.grid.renderOrder = 2;
        if (this.disc) {
            this.disc.renderOrder = 1;
            this.group.add(this.disc);
        }
        this.group.add(this.grid);
    }
    theme({ ground, gridLine }) {
        this.disc?.material.color.set(ground);
        this.grid.material.uniforms.line.value.set(gridLine);
    }
}
