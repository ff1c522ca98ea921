// One recording in one canvas: the scene, its light, its camera, and what the pointer is over.
import {
    ACESFilmicToneMapping, Box3, Color, DirectionalLight, Group, HemisphereLight, PCFShadowMap, PerspectiveCamera,
    Raycaster, Scene, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Contacts } from "./contacts.js";
import { crowdsOf } from "./crowd.js";
import { contactAt } from "./decode.js";
import { edgeStrength } from "./edges.js";
import { Ground } from "./ground.js";
import { Joints } from "./joints.js";
import { groundOf, meshOf, place } from "./shapes.js";

const THEMES = {
    dark: { background: "#141920", ground: "#39434f", gridLine: "#76859a", line: "#ffffff", rim: "#0b0e13" },
    light: { background: "#eef1f5", ground: "#ffffff", gridLine: "#263244", line: "#101828", rim: "#ffffff" },
};

const CHOSEN = 0x1d4ed8; // how a chosen body glows
const COARSE = 0.6; // below this detail shadows and round bodies are coarse, too

export class Stage {
    constructor(canvas, recording, smooth, like) {
        this.canvas = canvas;
        this.recording = recording;
        this.step = -1;
        [this.width, this.height] = [1, 1]; // px, of the canvas
        this.detail = 1; // pixels drawn for a pixel of the screen
        this.selected = { kind: "none", index: -1 };
        this.renderer = new WebGLRenderer({ canvas, antialias: smooth, powerPreference: "high-performance" });
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.renderer.toneMapping = ACESFilmicToneMapping;
        this.renderer.toneMappingExposure = 1.15;
        this.scene = new Scene();
        this.contacts = new Contacts();
        this.scene.add(this.contacts.group);
        this.addBodies();
        this.measure(like);
        this.addGround();
        this.addLight();
        this.joints = new Joints(this.scene, recording.scene, this.bodies);
        this.camera = new PerspectiveCamera(38, 1, this.size / 200, this.size * 60);
        this.camera.up.set(0, 0, 1);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.12;
        this.controls.minDistance = this.size * 0.03;
        this.controls.maxDistance = this.size * 20;
        this.raycaster = new Raycaster();
        this.frame();
    }

    addBodies() {
        const { bodies, shapes } = this.recording.scene;
        this.bodies = bodies.map(() => new Group());
        this.world = new Group();
        this.meshes = [];
        this.endless = []; // planes without a size, which take the scene's
        this.plane = groundOf(shapes);
        for (const group of [...this.bodies, this.world]) this.scene.add(group);
        shapes.forEach((shape, i) => {
            if (shape === this.plane) return;
            const mesh = meshOf(shape, i);
            this.meshes.push(mesh);
            if (shape.kind === "plane" && !(shape.size[0] > 0 && shape.size[1] > 0)) this.endless.push([mesh, shape]);
            (shape.body >= 0 ? this.bodies[shape.body] : this.world).add(mesh);
        });
        this.crowds = crowdsOf(this.meshes);
        for (const crowd of this.crowds) this.scene.add(crowd.together);
        this.scene.matrixWorldAutoUpdate = false; // show does it
    }

    setPoses(step) {
        const { poses } = this.recording;
        let at = step * this.bodies.length * 7;
        for (const body of this.bodies) {
            body.position.set(poses[at], poses[at + 1], poses[at + 2]);
            body.quaternion.set(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 3]);
            at += 7;
        }
    }

    // The box that bodies are in over the whole recording, and what is fixed near it. What is compared is seen alike.
    measure(like) {
        const box = new Box3();
        const { steps } = this.recording;
        const looks = Math.min(steps, 24);
        for (let i = 0; i < looks; i++) {
            this.setPoses(Math.floor((i * (steps - 1)) / Math.max(looks - 1, 1)));
            this.scene.updateMatrixWorld(true);
            for (const body of this.bodies) box.expandByObject(body);
        }
        const moving = box.isEmpty() ? 0 : box.getSize(new Vector3()).length();
        for (const mesh of this.world.children) {
            const fixed = new Box3().expandByObject(mesh);
            if (moving === 0 || fixed.getSize(new Vector3()).length() < 2 * moving) box.union(fixed);
        }
        if (box.isEmpty()) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
        if (like) like.box.union(box);
        this.box = like ? like.box : box;
        this.size = like ? like.size : Math.max(box.getSize(new Vector3()).length(), 1e-6);
        this.chooseScale();
    }

    // Forces to scale: the largest of a usual step is a fifth of the scene long, or less where there are hundreds of them.
    chooseScale() {
        const r = this.recording;
        let count = 1;
        for (let i = 0; i < r.steps; i++) count = Math.max(count, r.first[i + 1] - r.first[i]);
        this.markSize = Math.max(0.3, Math.min(1, (50 / count) ** 0.45)); // hundreds of marks would hide what they mark
        const largest = [];
        for (let i = 0; i < r.steps; i += Math.max(1, Math.floor(r.steps / 500))) {
            let most = 0;
            for (let n = r.first[i]; n < r.first[i + 1]; n++)
                most = Math.max(most, Math.hypot(r.impulse[3 * n], r.impulse[3 * n + 1], r.impulse[3 * n + 2]));
            if (most > 0) largest.push(most);
        }
        largest.sort((a, b) => a - b);
        const length = 0.2 * this.size * (0.4 + 0.6 * this.markSize);
        this.impulseScale = length / (largest[Math.floor(0.6 * largest.length)] ?? 1);
    }

    addGround() {
        const { plane } = this;
        for (const [mesh, { size }] of this.endless) mesh.scale.set(size[0] > 0 ? 1 : 2 * this.size, size[1] > 0 ? 1 : 2 * this.size, 1);
        this.ground = new Ground(this.size, Boolean(plane));
        const centre = this.box.getCenter(new Vector3());
        if (plane) {
            place(this.ground.group, plane.position, plane.orientation);
            // The disc's middle goes under the scene, along the plane.
            const local = this.ground.group.worldToLocal(centre.clone());
            this.ground.group.translateX(local.x).translateY(local.y);
        } else {
            this.ground.group.position.set(centre.x, centre.y, this.box.min.z - 1e-4 * this.size);
        }
        this.scene.add(this.ground.group);
    }

    addLight() {
        this.sky = new HemisphereLight("#ffffff", "#98a4b8", 1.7);
        this.sky.position.set(0, 0, 1);
        const centre = this.box.getCenter(new Vector3());
        const sun = new DirectionalLight("#fff4e2", 2.6);
        sun.position.copy(centre).add(new Vector3(-0.55, -0.75, 1.35).multiplyScalar(1.6 * this.size));
        sun.target.position.copy(centre);
        sun.castShadow = true;
        this.sun = sun;
        this.sizeShadows();
        const reach = 0.75 * this.size;
        Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.2 * this.size, far: 5 * this.size });
        sun.shadow.normalBias = 0.002 * this.size;
        sun.shadow.bias = -0.0004;
        sun.shadow.radius = 5;
        const fill = new DirectionalLight("#bcd3ff", 0.7);
        fill.position.copy(centre).add(new Vector3(1.2, 0.9, 0.6).multiplyScalar(this.size));
        fill.target.position.copy(centre);
        this.scene.add(this.sky, sun, sun.target, fill, fill.target);
    }

    // Shadows are as fine as the picture.
    sizeShadows() {
        const wanted = this.detail < COARSE ? 512 : 2048;
        const { shadow } = this.sun;
        if (shadow.mapSize.x === wanted) return;
        shadow.mapSize.set(wanted, wanted);
        shadow.map?.dispose();
        shadow.map = null;
    }

    // The camera where all of the scene is seen, and no farther away.
    frame(direction = [0.62, -1, 0.5]) {
        const { camera, controls } = this;
        const centre = this.box.getCenter(new Vector3());
        controls.target.copy(centre);
        camera.position.copy(centre).add(new Vector3(...direction).normalize().multiplyScalar(this.size));
        camera.lookAt(centre);
        camera.updateMatrixWorld();
        const tall = Math.tan((camera.fov * Math.PI) / 360) * 0.84; // the rest is for the legend and the scales
        const wide = tall * (camera.aspect || 1);
        const turned = camera.quaternion.clone().invert();
        let away = 0;
        for (let k = 0; k < 8; k++) {
            const corner = new Vector3(
                k & 1 ? this.box.max.x : this.box.min.x, k & 2 ? this.box.max.y : this.box.min.y, k & 4 ? this.box.max.z : this.box.min.z,
            );
            const p = corner.sub(centre).applyQuaternion(turned);
            away = Math.max(away, p.z + Math.max(Math.abs(p.x) / wide, Math.abs(p.y) / tall));
        }
        camera.position.copy(centre).add(new Vector3(...direction).normalize().multiplyScalar(away));
        controls.update();
    }

    theme(name) {
        const theme = THEMES[name];
        this.colours = theme;
        this.scene.background = new Color(theme.background);
        this.ground.theme(theme);
        this.look = { ...this.look, rim: new Color(theme.rim), line: new Color(theme.line) };
    }

    // Shows step i as `options` (what to show) say.
    show(i, options) {
        const previous = this.step;
        this.step = i;
        this.options = options;
        const followed = options.follow ? this.bodies[this.followedBody()] : null;
        const before = followed?.position.clone();
        this.setPoses(i);
        if (followed && previous >= 0) {
            const moved = followed.position.clone().sub(before);
            this.controls.target.add(moved);
            this.camera.position.add(moved);
        }
        this.ground.showGrid(options.grid);
        this.renderer.shadowMap.enabled = options.shadows;
        this.scene.updateMatrixWorld();
        this.dress(options);
        const look = { ...this.look, ...options, unit: this.size, size: this.markSize, scale: this.impulseScale * options.arrowScale };
        const chosen = (kind) => (this.selected.kind === kind ? this.selected.index : -1);
        this.contacts.update(this.recording, i, look, chosen("contact"));
        this.joints.update(look, chosen("joint"));
    }

    // How bodies look: opaque or not, chosen or not, together or one by one.
    dress(options) {
        const chosen = (mesh) => this.selected.kind === "body" && mesh.userData.body === this.selected.index;
        for (const mesh of this.meshes) {
            const opacity = options.xray ? (mesh.userData.body < 0 ? 0.3 : 0.5) * mesh.userData.opacity : mesh.userData.opacity;
            const m = mesh.material;
            if (m.opacity !== opacity) {
                Object.assign(m, { opacity, transparent: opacity < 1, depthWrite: opacity >= 1, needsUpdate: true });
                mesh.castShadow = opacity >= 1;
                mesh.renderOrder = opacity < 1 ? 5 : 0; // over the ground, which fades and so is drawn late
            }
            m.emissive.set(chosen(mesh) ? CHOSEN : 0);
        }
        edgeStrength.value = this.detail < COARSE ? 0 : 1;
        for (const crowd of this.crowds) crowd.update((mesh) => options.xray || chosen(mesh), this.detail < COARSE);
    }

    followedBody() {
        if (this.selected.kind === "body" && this.selected.index >= 0) return this.selected.index;
        return Math.max(0, this.recording.scene.bodies.findIndex((b) => b.mass > 0));
    }

    resize() {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        if (!width || !height) return;
        Object.assign(this, { width, height });
        this.renderer.setPixelRatio(Math.min(Math.min(window.devicePixelRatio || 1, 2) * this.detail, 2));
        this.renderer.setSize(width, height, false);
        this.sizeShadows();
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
    }

    render() {
        this.renderer.render(this.scene, this.camera);
    }

    // m that a pixel at the target is wide.
    pixelSize() {
        const distance = this.camera.position.distanceTo(this.controls.target);
        return (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(this.height, 1);
    }

    // Where a point of the world is on the canvas, in pixels; null behind the camera.
    project(point) {
        const p = new Vector3(...point).project(this.camera);
        if (p.z > 1) return null;
        return [((p.x + 1) / 2) * this.width, ((1 - p.y) / 2) * this.height];
    }

    // What is at a pixel: the nearest contact or joint within some pixels, else a body, else nothing.
    pick(x, y, reach) {
        const r = this.recording;
        let best = { kind: "none", index: -1 };
        let nearest = reach;
        const look = (point, kind, index) => {
            const at = this.project(point);
            const distance = at ? Math.hypot(at[0] - x, at[1] - y) : Infinity;
            if (distance >= nearest) return;
            nearest = distance;
            best = { kind, index };
        };
        for (let n = r.first[this.step]; n < r.first[this.step + 1]; n++)
            if (r.state[n] !== 0 || this.options.open) look(contactAt(r, n).point, "contact", n - r.first[this.step]);
        for (let i = 0; i < r.scene.joints.length && this.options.joints; i++) look(this.joints.at(i), "joint", i);
        if (best.kind !== "none" || !this.meshes.length) return best;
        const pointer = new Vector2((2 * x) / this.width - 1, 1 - (2 * y) / this.height);
        this.raycaster.setFromCamera(pointer, this.camera);
        const hit = this.raycaster.intersectObjects(this.meshes, false)[0];
        return hit ? { kind: "body", index: hit.object.userData.body, shape: hit.object.userData.shape } : best;
    }
}
