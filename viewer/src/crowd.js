// Bodies that look alike but for place, size and colour, drawn together: one draw call for all boxes of a scene. Their vertices are
// one geometry, and say whose they are; where each body is stands in a small texture.
import {
    BufferAttribute, BufferGeometry, DataTexture, FloatType, Mesh, MeshDepthMaterial, MeshStandardMaterial, NearestFilter, RGBADepthPacking, RGBAFormat,
} from "three";
import { edged } from "./edges.js";

// So many vertices are drawn together at most; what has more of them is worth a call.
const VERTICES_MAX = 120000;

const declarations = `#include <common>
attribute float member;
attribute vec3 tint;
uniform sampler2D poses;
mat4 pose() {
    int row = int(member);
    vec4 x = texelFetch(poses, ivec2(0, row), 0), y = texelFetch(poses, ivec2(1, row), 0), z = texelFetch(poses, ivec2(2, row), 0);
    return mat4(x.x, y.x, z.x, 0.0, x.y, y.y, z.y, 0.0, x.z, y.z, z.z, 0.0, x.w, y.w, z.w, 1.0);
}`;

// The vertex shader of a material, with vertices where their body is.
function posed(material, poses) {
    material.onBeforeCompile = (shader) => {
        shader.uniforms.poses = { value: poses };
        shader.vertexShader = shader.vertexShader
            .replace("#include <common>", declarations)
            .replace("#include <beginnormal_vertex>", `#include <beginnormal_vertex>
    mat3 turn = mat3(pose());
    objectNormal = normalize(turn * (objectNormal / vec3(dot(turn[0], turn[0]), dot(turn[1], turn[1]), dot(turn[2], turn[2]))));`)
            .replace("#include <begin_vertex>", "vec3 transformed = (pose() * vec4(position, 1.0)).xyz;")
            .replace("#include <color_vertex>", "vColor = vec4(tint, 1.0);");
    };
    return material;
}

// The geometry so many times, each vertex with its member and colour.
function merged(geometry, meshes) {
    const { position, normal, uv } = geometry.attributes;
    const index = geometry.index ?? { count: position.count, getX: (i) => i };
    const total = position.count * meshes.length;
    const all = { position: new Float32Array(3 * total), normal: new Float32Array(3 * total), tint: new Float32Array(3 * total), uv: new Float32Array(2 * total), member: new Float32Array(total) };
    const indices = new Uint32Array(index.count * meshes.length);
    meshes.forEach((mesh, m) => {
        const first = m * position.count;
        all.position.set(position.array, 3 * first);
        all.normal.set(normal.array, 3 * first);
        if (uv) all.uv.set(uv.array, 2 * first);
        all.member.fill(m, first, first + position.count);
        for (let v = first; v < first + position.count; v++) mesh.material.color.toArray(all.tint, 3 * v);
        for (let i = 0; i < index.count; i++) indices[m * index.count + i] = first + index.getX(i);
    });
    const made = new BufferGeometry();
    for (const [name, array] of Object.entries(all)) made.setAttribute(name, new BufferAttribute(array, array.length / total));
    return made.setIndex(new BufferAttribute(indices, 1));
}

// The meshes stay what is placed, measured and picked; they are drawn one by one where they are chosen or seen through.
class Crowd {
    constructor(meshes) {
        this.meshes = meshes;
        this.poses = new DataTexture(new Float32Array(12 * meshes.length), 3, meshes.length, RGBAFormat, FloatType);
        this.poses.minFilter = this.poses.magFilter = NearestFilter;
        const { geometry, material } = meshes[0];
        const { roughness, metalness, side } = material;
        this.fine = merged(geometry, meshes);
        this.coarse = geometry.userData.coarse ? merged(geometry.userData.coarse, meshes) : this.fine;
        const look = posed(new MeshStandardMaterial({ roughness, metalness, side, vertexColors: true }), this.poses);
        this.together = new Mesh(this.fine, meshes[0].userData.box ? edged(look, "boxes") : look);
        this.together.customDepthMaterial = posed(new MeshDepthMaterial({ depthPacking: RGBADepthPacking }), this.poses);
        this.together.castShadow = this.together.receiveShadow = true;
        this.together.frustumCulled = false;
    }
    // Poses of the meshes are known. `alone`: whether one is drawn by itself; `coarse`: whether round ones need not be as round.
    update(alone, coarse) {
        const { data } = this.poses.image;
        let k = 0;
        for (const mesh of this.meshes) {
            mesh.visible = alone(mesh);
            const { elements } = mesh.matrixWorld;
            // What is drawn by itself has no size here.
            for (let row = 0; row < 3; row++) for (let column = 0; column < 4; column++) data[k++] = mesh.visible ? 0 : elements[4 * column + row];
        }
        this.poses.needsUpdate = true;
        this.together.geometry = coarse ? this.coarse : this.fine;
    }
}

// The crowds of meshes that can be drawn together: opaque ones that cast shadows, two of a kind at least.
export function crowdsOf(meshes) {
    const alike = new Map();
    for (const mesh of meshes) {
        const { userData, geometry, castShadow, children } = mesh;
        if (userData.opacity < 1 || !castShadow || children.length > 0) continue;
        if (!alike.has(geometry)) alike.set(geometry, []);
        alike.get(geometry).push(mesh);
    }
    const fits = (group) => group.length > 1 && group.length * group[0].geometry.attributes.position.count <= VERTICES_MAX;
    return [...alike.values()].filter(fits).map((group) => new Crowd(group));
}
