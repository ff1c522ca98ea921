// Edges of boxes as fine lines, so that boxes of one colour that stand on each other are told apart. They are found within the faces, so
// that they cost no draw call of their own.

export const edgeStrength = { value: 1 }; // 0 where the picture is coarse, and a line would be broad

// A material for boxes, whose faces go from 0 to 1 in u and v. `name` tells its shader from those of other materials.
export function edged(material, name) {
    const before = material.onBeforeCompile.bind(material);
    material.onBeforeCompile = (shader, renderer) => {
        before(shader, renderer);
        shader.uniforms.edgeStrength = edgeStrength;
        shader.vertexShader = shader.vertexShader
            .replace("#include <common>", "#include <common>\nvarying vec2 onFace;")
            .replace("#include <project_vertex>", "#include <project_vertex>\nonFace = uv;");
        shader.fragmentShader = shader.fragmentShader
            .replace("#include <common>", "#include <common>\nvarying vec2 onFace;\nuniform float edgeStrength;")
            .replace("#include <color_fragment>", `#include <color_fragment>
    vec2 inside = min(onFace, 1.0 - onFace) / max(fwidth(onFace), 1e-6);
    diffuseColor.rgb *= 1.0 - 0.5 * edgeStrength * (1.0 - smoothstep(0.4, 1.6, min(inside.x, inside.y)));`);
    };
    material.customProgramCacheKey = () => name;
    return material;
}
