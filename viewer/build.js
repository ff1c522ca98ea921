// node build.js OUT: bundles src/ and three.js into one page that needs nothing else. `abut view` puts recordings where
// the page says <!--recordings-->.
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "viewer.html");

async function bundle(entry) {
    const result = await build({
        entryPoints: [join(here, "src", entry)],
        bundle: true,
        minify: true,
        write: false,
        format: "iife",
        target: ["es2020"],
        legalComments: "inline",
        logLevel: "warning",
    });
    return result.outputFiles[0].text;
}

const script = (await bundle("main.js")).replaceAll("</script", "<\\/script");
const style = await bundle("style.css");
const page = readFileSync(join(here, "src", "index.html"), "utf8")
    .replace("/*style*/", () => style)
    .replace("/*script*/", () => script);
if (page.split("<!--recordings-->").length !== 2) throw new Error("expected <!--recordings--> once");
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, page);
