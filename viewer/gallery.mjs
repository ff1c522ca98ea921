// node gallery.mjs CHROMIUM PACKAGES FOLDER NAME...: pictures of the pages FOLDER/NAME.html (NAME.jpg beside them), and the index of
// all, as index.html and as README.md.
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , executablePath, packages, folder, ...names] = process.argv;
const { chromium } = createRequire(join(packages, "package.json"))("playwright-core");
const WIDTH = 480;
const HEIGHT = 300;

const profile = mkdtempSync(join(tmpdir(), "abut-gallery-"));
const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    viewport: { width: WIDTH, height: HEIGHT },
    args: ["--no-sandbox", "--no-first-run", "--disable-background-networking", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

// The picture of a page at the moment when most moves on most contacts, or in its middle where nothing does; and what the page says of itself.
async function take(name) {
    const page = await context.newPage();
    await page.goto(`${pathToFileURL(join(folder, `${name}.html`))}#paused&bare&theme=dark&open=0&joints=0`);
    await page.waitForFunction(() => window.abut?.frames > 0, null, { timeout: 60000 });
    const about = await page.evaluate(() => {
        const { abut } = window;
        const r = abut.lead;
        const [stage] = abut.stages;
        let most = 0;
        let at = Math.floor(r.steps / 2);
        for (let i = 0; i < r.steps; i++) {
            let carry = 0;
            let longest = 0; // arrow, in sizes of the scene: blows would fill the picture
            for (let n = r.first[i]; n < r.first[i + 1]; n++) {
                carry += r.state[n] !== 0;
                longest = Math.max(longest, (r.impulse[3 * n] * stage.impulseScale) / stage.size);
            }
            if (longest < 0.5 && r.kinetic[i] > 1e-9 && r.kinetic[i] * carry > most) [most, at] = [r.kinetic[i] * carry, i];
        }
        abut.seek(r.time[at]);
        abut.draw();
        document.getElementById("overlay").style.display = "none";
        const unsolved = r.outcome.filter((o) => o !== 0).length;
        return { title: r.scene.title, caption: r.scene.caption, steps: r.steps, unsolved, problem: r.problem, seconds: r.time[r.steps - 1] };
    });
    await page.waitForFunction(() => !window.abut.dirty && !window.abut.quality.moving, null, { timeout: 60000 });
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(folder, `${name}.jpg`), type: "jpeg", quality: 82 });
    await page.close();
    return { name, ...about, bytes: statSync(join(folder, `${name}.html`)).size };
}

const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
function verdict(s) {
    const end = s.problem ? `; interrupted at ${s.seconds.toFixed(2)} s` : "";
    return (s.unsolved ? `${s.steps - s.unsolved} of ${s.steps} steps solved` : `${s.steps} steps, all solved`) + end;
}

function indexPage(scenes) {
    const cards = scenes.map((s) => `<li><a href="${s.name}.html"><img src="${s.name}.jpg" alt="${escape(s.title)}" width="${WIDTH}" height="${HEIGHT}" loading="lazy">
<h2>${escape(s.title)}</h2><p>${escape(s.caption)}</p><small>${verdict(s)}, ${(s.bytes / 1e6).toFixed(1)} MB</small></a></li>`);
    return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>abut: gallery</title><style>
:root { color-scheme: dark light; --bg: #12161d; --card: #181e27; --edge: rgba(255, 255, 255, .09); --text: #eef2f7; --muted: #9fabbc; --accent: #6ea8fe;
    font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
@media (prefers-color-scheme: light) { :root { --bg: #eef1f5; --card: #fff; --edge: rgba(15, 23, 42, .12); --text: #131a26; --muted: #55627a; --accent: #1d5fd6; } }
body { margin: 0 auto; max-width: 1500px; padding: 40px 24px 60px; background: var(--bg); color: var(--text); }
h1 { font-size: 34px; letter-spacing: -.03em; margin: 0 0 4px; }
header p { color: var(--muted); margin: 0 0 28px; max-width: 70ch; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 20px; grid-template-columns: repeat(auto-fill, minmax(280px, 1fr)); }
a { display: block; height: 100%; color: inherit; text-decoration: none; background: var(--card); border: 1px solid var(--edge); border-radius: 14px; overflow: hidden; }
a:hover, a:focus-visible { border-color: var(--accent); outline: 2px solid var(--accent); outline-offset: 1px; }
img { display: block; width: 100%; height: auto; }
h2 { font-size: 16px; margin: 12px 16px 2px; }
li p { color: var(--muted); margin: 0 16px 8px; font-size: 14px; }
small { display: block; color: var(--muted); margin: 0 16px 14px; font-size: 12px; font-variant-numeric: tabular-nums; }
</style></head><body>
<header><h1>abut</h1><p>Every scene of scenes/, simulated with exact contact. Each picture leads to a page that plays offline, with its contacts, forces and friction cones.</p></header>
<main><ul>
${cards.join("\n")}
</ul></main></body></html>
`;
}

function indexText(scenes) {
    const rows = [];
    for (let i = 0; i < scenes.length; i += 3) {
        const three = scenes.slice(i, i + 3);
        rows.push(`| ${three.map((s) => `![${s.title}](${s.name}.jpg)<br>**${s.title}** (${s.name}.xml). ${s.caption}`).join(" | ")} |`);
        if (i === 0) rows.push(`|${"---|".repeat(three.length)}`);
    }
    return `# Gallery

Every scene of scenes/, simulated with exact contact. \`make gallery\` writes this page, the pictures, and \`index.html\` with a page for each
scene that plays offline in any browser; those pages, some 0.7 MB each, are not kept here. One of them alone:
\`abut run scenes/peg.xml --html peg.html\`.

${rows.join("\n")}
`;
}

const scenes = [];
for (const name of names) scenes.push(await take(name));
await context.close();
rmSync(profile, { recursive: true, force: true });
writeFileSync(join(folder, "index.html"), indexPage(scenes));
writeFileSync(join(folder, "README.md"), indexText(scenes));
