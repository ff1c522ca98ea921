// The page: recordings in, a player out.
import { decode } from "./decode.js";
import { Player } from "./player.js";

const app = document.getElementById("app");

function bytesOf(base64) {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
}

function start(recordings) {
    app.classList.remove("empty");
    window.abut = new Player(app, recordings);
}

function refuse(error) {
    app.classList.add("empty");
    document.getElementById("drop-problem").textContent = error.message;
}

async function open(files) {
    try {
        const chosen = [...files].slice(0, 2);
        start(await Promise.all(chosen.map(async (f) => decode(new Uint8Array(await f.arrayBuffer()), f.name))));
    } catch (error) {
        refuse(error);
    }
}

const inside = [...document.querySelectorAll("script.recording")];
if (inside.length > 0) {
    try {
        const recordings = inside.map((e) => decode(bytesOf(e.textContent), e.dataset.name, e.dataset.problem));
        for (const e of inside) e.remove();
        const empty = recordings.find((r) => r.steps === 0);
        if (empty) throw new Error(`${empty.name || "The recording"} has no steps. ${empty.problem}`);
        start(recordings);
    } catch (error) {
        refuse(error);
    }
} else {
    document.getElementById("files").addEventListener("change", (e) => open(e.target.files));
    document.addEventListener("dragover", (e) => e.preventDefault());
    document.addEventListener("drop", (e) => {
        e.preventDefault();
        open(e.dataTransfer.files);
    });
}
