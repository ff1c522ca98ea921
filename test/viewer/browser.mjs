// node browser.mjs CHROMIUM PACKAGES FOLDER: the pages in FOLDER (peg.html, gripper.html, compare.html, large.html) in a real browser.
// Each check says what it saw; the program ends with 1 when one failed.
import { mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { processorTime } from "./cpu.mjs";

const [, , executablePath, packages, folder] = process.argv;
const { chromium } = createRequire(join(packages, "package.json"))("playwright-core");
let failures = 0;
function check(right, what) {
    console.log(`${right ? "ok    " : "FAILED"} ${what}`);
    if (!right) failures++;
}

const context = await chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), "abut-viewer-")), {
    executablePath,
    headless: true,
    viewport: { width: 1000, height: 640 },
    args: [
        "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
        "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    ],
});

// Opens a page, and notes what it complains about and what it asks the network for.
async function open(name, hash) {
    const page = await context.newPage();
    page.complaints = [];
    page.requests = [];
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && !/GPU stall|GL Driver Message/.test(m.text()) && page.complaints.push(m.text()));
    page.on("pageerror", (e) => page.complaints.push(e.message));
    page.on("request", (r) => /^(file|data|blob):/.test(r.url()) || page.requests.push(r.url()));
    await page.goto(`${pathToFileURL(join(folder, name))}#${hash}`);
    await page.waitForFunction(() => window.abut?.frames > 0, null, { timeout: 60000 });
    return page;
}

async function close(page, name) {
    check(page.complaints.length === 0, `${name}: no complaints in the console ${page.complaints.slice(0, 3).join(" | ")}`);
    check(page.requests.length === 0, `${name}: nothing is asked of the network ${page.requests.slice(0, 3).join(" ")}`);
    await page.close();
}

// Pixels of stage i at rest: how many colours there are, and how many pixels have nearly the given one.
async function pixels(page, i, colour) {
    await page.evaluate(() => window.abut.draw());
    await page.waitForFunction(() => !window.abut.quality.moving && !window.abut.dirty, null, { timeout: 60000 });
    return page.evaluate(([which, rgb]) => {
        window.abut.draw();
        const { renderer } = window.abut.stages[which];
        const gl = renderer.getContext();
        window.abut.stages[which].render();
        const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
        const data = new Uint8Array(4 * w * h);
        gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, data);
        const colours = new Set();
        let near = 0;
        for (let k = 0; k < data.length; k += 4) {
            colours.add((data[k] << 16) | (data[k + 1] << 8) | data[k + 2]);
            if (rgb && Math.abs(data[k] - rgb[0]) + Math.abs(data[k + 1] - rgb[1]) + Math.abs(data[k + 2] - rgb[2]) < 24) near++;
        }
        return { colours: colours.size, near };
    }, [i, colour]);
}
const SLIDE = [0xf9, 0x73, 0x16];
const RING = [0x7c, 0x8c, 0xff];
const time = (page) => page.evaluate(() => window.abut.time);

// The ring of the first cone is as high over its contact as the normal force and `friction` times as wide; the polygon's
// corners lie on it.
async function coneIsToScale(page) {
    const wrong = await page.evaluate(() => {
        const [s] = window.abut.stages;
        const r = window.abut.recordings[0];
        let n = r.first[s.step];
        while (!(r.impulse[3 * n] > 0)) n++;
        const scale = s.impulseScale * window.abut.options.arrowScale;
        const height = r.impulse[3 * n] * scale;
        const off = (lines, k) => {
            const at = lines.geometry.attributes.position;
            const d = [at.getX(k) - r.point[3 * n], at.getY(k) - r.point[3 * n + 1], at.getZ(k) - r.point[3 * n + 2]];
            return Math.abs(Math.hypot(...d) / (height * Math.hypot(1, r.friction[n])) - 1);
        };
        return Math.max(off(s.contacts.rings.mesh, 0), off(s.contacts.rings.mesh, 62), off(s.contacts.edges.mesh, 0), off(s.contacts.edges.mesh, 2));
    });
    check(wrong < 1e-3, `cone and polygon are to scale, to ${wrong.toExponential(0)}`);
}

// Without a pointer: Tab reaches every control, what has the focus shows it, and keys do there what they say.
async function byKeyboard(page) {
    await page.evaluate(() => document.activeElement.blur());
    const reached = new Set();
    let unseen = "";
    for (let k = 0; k < 40; k++) {
        await page.keyboard.press("Tab");
        const [id, seen] = await page.evaluate(() => {
            const e = document.activeElement;
            return [e.id || e.dataset?.option || e.className || e.localName, e === document.body || getComputedStyle(e).outlineStyle !== "none"];
        });
        if (!seen) unseen += ` ${id}`;
        reached.add(id);
    }
    const wanted = await page.evaluate(() =>
        [...document.querySelectorAll("header button, #panel input, #panel button, #panel select, footer button, footer input, footer select")].map((e) => e.id || e.dataset.option));
    const missed = wanted.filter((id) => !reached.has(id));
    check(missed.length === 0 && reached.has("canvas") && reached.has("table"), `Tab reaches all ${wanted.length} controls, the scene and the table ${missed.join(" ")}`);
    check(unseen === "", `what has the focus shows it${unseen}`);
    await page.locator("#slider").focus();
    const before = await page.evaluate(() => window.abut.seek(1) ?? (window.abut.draw(), window.abut.stages[0].step));
    await page.locator("#slider").evaluate((e, step) => (e.value = String(step)), before);
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((step) => window.abut.stages[0].step === step, before + 1, { timeout: 20000 });
    await page.keyboard.press("Space");
    const plays = await page.evaluate(() => window.abut.playing);
    await page.keyboard.press("Space");
    check(plays && !(await page.evaluate(() => window.abut.playing)), "on the slider arrows step and space plays");
}

// ---- one recording ----
{
    const page = await open("peg.html", "t=1.5&paused&theme=dark");
    check((await page.title()).includes("peg"), "the page has the title of the recording");
    const first = await pixels(page, 0, SLIDE);
    check(first.colours > 300, `the scene is not blank: ${first.colours} colours`);
    await page.keyboard.press("f");
    await page.keyboard.press("r");
    const without = await pixels(page, 0, SLIDE);
    check(first.near > without.near + 100, `arrows appear: ${without.near} pixels without, ${first.near} with forces`);
    await page.keyboard.press("f");
    await page.keyboard.press("k");
    const shown = await pixels(page, 0, RING);
    check(shown.near > 20, `K shows friction cones, the true ones as rings: ${shown.near} pixels`);
    await coneIsToScale(page);

    await page.click("#forward-button");
    check(Math.abs((await time(page)) - 1.502) < 1e-6, `one step on: ${await time(page)} s`);
    await page.locator("#slider").fill("250");
    check(Math.abs((await time(page)) - 0.502) < 1e-6, `the slider scrubs: ${await time(page)} s`);
    const plot = await page.locator(".plot canvas").first().boundingBox();
    await page.mouse.click(plot.x + plot.width / 2, plot.y + 20);
    check(Math.abs((await time(page)) - 2.0) < 0.05, `a plot scrubs: ${await time(page)} s`);

    const contact = await page.evaluate(() => {
        const { stages, recordings } = window.abut;
        window.abut.seek(1.5);
        window.abut.draw();
        const r = recordings[0];
        const [s] = stages;
        for (let n = r.first[s.step]; n < r.first[s.step + 1]; n++)
            if (r.state[n] === 1) {
                const [x, y] = s.project([r.point[3 * n], r.point[3 * n + 1], r.point[3 * n + 2]]);
                const box = s.canvas.getBoundingClientRect();
                return { x: x + box.left, y: y + box.top, index: n - r.first[s.step], newton: r.impulse[3 * n] / r.scene.step };
            }
        return null;
    });
    await page.mouse.move(contact.x, contact.y);
    await page.waitForSelector("#tooltip:not([hidden])");
    check((await page.locator("#tooltip").innerText()).includes("normal force"), "the pointer over a contact shows its force");
    await page.mouse.click(contact.x, contact.y);
    await page.waitForSelector(".numbers");
    const reading = await page.locator("#reading-body").innerText();
    const digits = Number(contact.newton.toPrecision(3)).toString();
    check(reading.includes(`Contact ${contact.index}`) && reading.includes(digits), `a click reads contact ${contact.index}: ${digits} N`);
    check((await page.locator("#contact-rows tr").count()) >= 16, "the table lists the contacts");
    check((await page.locator('#contact-rows tr[aria-selected="true"]').count()) === 1, "the chosen contact is marked in the table");
    await page.locator("canvas").first().focus();
    await page.keyboard.press("n");
    const next = await page
        .waitForFunction((n) => document.getElementById("reading-body").innerText.includes(`Contact ${n + 1}`), contact.index, { timeout: 20000 })
        .then(() => true, () => false);
    check(next, "N goes to the next contact");

    const before = await time(page);
    await page.keyboard.press("Space");
    await page.waitForFunction((t) => window.abut.playing && window.abut.time > t + 0.02, before);
    await page.keyboard.press("Space");
    check(!(await page.evaluate(() => window.abut.playing)), "space plays and pauses");
    await page.keyboard.press("d");
    check((await page.evaluate(() => document.documentElement.dataset.theme)) === "light", "D makes it light");
    await page.keyboard.press("Shift+?");
    check(await page.evaluate(() => document.getElementById("help").open), "? opens the help");
    await page.keyboard.press("Escape");
    await page.evaluate(() => (document.getElementById("follow-select").value = "0"));
    await page.evaluate(() => window.abut.follow(0));
    const away = () => page.evaluate(() => window.abut.stages[0].controls.target.z - window.abut.stages[0].bodies[0].position.z);
    await page.evaluate(() => { window.abut.seek(0.1); window.abut.draw(); window.abut.seek(3); window.abut.draw(); });
    check(Math.abs(await away()) < 1e-3, "the camera follows a body");
    const names = await page.evaluate(() =>
        [...document.querySelectorAll("button, select, input")].filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label"))).map((e) => e.id));
    check(names.length === 0, `every control has a name ${names.join(" ")}`);
    await byKeyboard(page);
    await page.setViewportSize({ width: 844, height: 390 });
    await page.reload();
    await page.waitForFunction(() => window.abut?.frames > 0, null, { timeout: 60000 });
    const aside = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, canvas: window.abut.stages[0].canvas.clientHeight }));
    check(aside.wide <= 844 && aside.canvas > 200, `on a phone on its side nothing overflows and the scene is ${aside.canvas} px high`);
    await page.setViewportSize({ width: 390, height: 780 });
    await page.reload();
    await page.waitForFunction(() => window.abut?.frames > 0, null, { timeout: 60000 });
    const phone = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth, canvas: window.abut.stages[0].canvas.clientHeight,
        panel: document.getElementById("panel").offsetParent !== null }));
    check(phone.wide <= 390 && phone.canvas > 200 && !phone.panel, `on a phone nothing overflows and the scene is ${phone.canvas} px high`);
    await close(page, "peg");
}

// ---- joints: a hand of 0.9 kg with what it holds, at rest, hangs on its lift ----
{
    const page = await open("gripper.html", "t=2.5&paused");
    const read = (words) =>
        page.waitForFunction((all) => all.every((w) => document.getElementById("reading-body").innerText.includes(w)), words, { timeout: 20000 })
            .then(() => true, () => false);
    const carried = await page.evaluate(() => {
        const [r] = window.abut.recordings;
        const [s] = window.abut.stages;
        return r.joints[2 * s.step * r.scene.joints.length + 1] / r.scene.step;
    });
    check(Math.abs(carried / (0.9 * 9.81) - 1) < 1e-3, `the lift carries ${carried.toFixed(3)} N`);
    const place = await page.evaluate(() => {
        const [s] = window.abut.stages;
        const [x, y] = s.project(s.joints.at(0));
        const box = s.canvas.getBoundingClientRect();
        return { x: x + box.left, y: y + box.top };
    });
    await page.mouse.click(place.x, place.y);
    check(await read(["lift", "slide", "hand and world", "8.83 N"]), "a click on a joint reads what it carries");
    await page.locator("canvas").first().focus();
    await page.keyboard.press("m");
    check(await read(["finger_left", "finger_left and hand"]), "M goes to the next joint");
    await page.evaluate(() => window.abut.select({ kind: "body", index: 0 }));
    check(await read(["hand", "its joints carry", "8.83 N"]), "a body tells what its joints carry");
    await close(page, "gripper");
}

// ---- two, side by side ----
{
    const page = await open("compare.html", "t=4.2&paused");
    check((await page.locator(".pane").count()) === 2, "two recordings, two panes");
    const [a, b] = [await pixels(page, 0), await pixels(page, 1)];
    check(a.colours > 200 && b.colours > 200, `neither is blank: ${a.colours}, ${b.colours} colours`);
    const steps = await page.evaluate(() => window.abut.stages.map((s, i) => window.abut.recordings[i].time[s.step]));
    check(Math.abs(steps[0] - steps[1]) < 1e-9, `they are in step: ${steps.join(", ")} s`);
    const heights = await page.evaluate(() => window.abut.stages.map((s) => s.bodies[3].position.z));
    check(heights[1] - heights[0] > 0.02, `with slip the block falls, without it stays: ${heights.map((h) => h.toFixed(3)).join(", ")} m`);
    await page.locator("canvas").first().focus();
    await page.keyboard.press("3");
    await page.waitForTimeout(300);
    const cameras = await page.evaluate(() => window.abut.stages.map((s) => s.camera.position.toArray().map((x) => x.toFixed(6)).join()));
    check(cameras[0] === cameras[1], "they are looked at from the same place");
    await close(page, "compare");
}

// ---- 10,000 steps of 50 bodies, scrubbed: frames shown in a second, the best of some, since other programs may have the processor; and
// what a frame takes of it. Where they have so much of it that no second shows thirty, the processor time of a frame must leave room
// for them. ----
{
    const page = await open("large.html", "paused");
    await page.setViewportSize({ width: 640, height: 420 }); // without a graphics card the browser itself is slow to show a page
    check((await page.evaluate(() => window.abut.lead.steps)) === 10000, "10,000 steps are there");
    const scrub = async (seconds) => {
        const before = processorTime();
        const [frames, passed] = await page.evaluate((ms) => new Promise((done) => {
            const slider = document.getElementById("slider");
            const start = performance.now();
            const first = window.abut.frames;
            let k = 0;
            const next = () => {
                slider.value = String((k++ * 397) % 10000);
                slider.dispatchEvent(new Event("input"));
                const passed = performance.now() - start;
                if (passed < ms) requestAnimationFrame(next);
                else done([window.abut.frames - first, passed]);
            };
            requestAnimationFrame(next);
        }), 1000 * seconds);
        return { rate: (1000 * frames) / passed, cost: (processorTime() - before) / frames };
    };
    await scrub(1.5); // in which it finds how finely it can draw
    let rate = 0;
    let cost = Infinity;
    for (let k = 0; k < 12 && (k < 3 || rate < 30); k++) {
        const now = await scrub(1);
        rate = Math.max(rate, now.rate);
        if (!(now.cost > cost)) cost = now.cost;
    }
    const detail = await page.evaluate(() => window.abut.quality.detail);
    await page.waitForFunction(() => !window.abut.quality.moving, null, { timeout: 20000 });
    const rest = await page.evaluate(() => ({ detail: window.abut.stages[0].detail, ratio: window.abut.stages[0].renderer.getPixelRatio() }));
    check(rest.detail >= 1 && rest.ratio >= 1, `at rest it is drawn in full: ${rest.ratio} pixels a pixel`);
    const own = await page.evaluate(() => {
        const { abut } = window;
        for (const s of abut.stages) s.render = () => {};
        const times = Array.from({ length: 60 }, (_, k) => {
            const start = performance.now();
            abut.seek(abut.begin + ((k * 17) % 60) / 60 * (abut.end - abut.begin));
            abut.draw();
            return performance.now() - start;
        });
        return times.sort((a, b) => a - b)[30];
    });
    const calls = await page.evaluate(() => window.abut.stages[0].renderer.info.render.calls);
    const drawer = await page.evaluate(() => {
        const gl = window.abut.stages[0].renderer.getContext();
        return gl.getParameter(gl.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER);
    });
    const cores = availableParallelism();
    const crowded = loadavg()[0] > 1.5 * cores;
    console.log(`scrubbing: ${rate.toFixed(0)} frames a second at detail ${detail}; a frame takes ${cost.toFixed(0)} ms of ${cores} processors, ${own.toFixed(1)} ms of it are the page's own; ${drawer}, load ${loadavg()[0].toFixed(1)}`);
    check(own < 8, `a scrub takes the page ${own.toFixed(1)} ms`);
    check(calls <= 12, `the scene is drawn in ${calls} calls`);
    check(rate >= 30 || (crowded && cost < 33 * cores), `scrubbing shows ${rate.toFixed(0)} frames a second`);
    await close(page, "large");
}

await context.close();
console.log(`${failures} failures`);
process.exit(failures ? 1 : 0);
