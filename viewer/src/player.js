// Time, pointer and keys: what moves the stages, the plots and the readings.
import { CONE_COLOUR, FRICTION_COLOUR, STATE_COLOURS } from "./contacts.js";
import { OUTCOMES, stepAt } from "./decode.js";
import { niceLength } from "./ground.js";
import { JOINT_COLOUR } from "./joints.js";
import { formatNumber, Plot, SERIES } from "./plots.js";
import { drawnByProcessor, Quality } from "./quality.js";
import { bodyName, escape, formatLength, readingHtml, readingOf, tooltipHtml } from "./reading.js";
import { Stage } from "./stage.js";
import { ContactTable } from "./table.js";

const SWITCHES = [
    ["points", "Contacts", "c", true],
    ["forces", "Forces", "f", true],
    ["friction", "Friction", "r", true],
    ["cones", "Cones", "k", false],
    ["open", "Open contacts", "o", true],
    ["xray", "See through", "x", false],
    ["grid", "Grid", "g", true],
    ["shadows", "Shadows", "h", true],
    ["joints", "Joints", "j", true],
];

const SHORTCUTS = [
    ["Space", "play, pause"], ["← →", "one step"], ["Shift ← →", "a tenth of a second"], ["Home End", "first, last step"],
    ["[ ]", "slower, faster"], ["L", "loop"], ["C", "contacts"], ["F", "forces"], ["R", "friction part"], ["K", "friction cones"],
    ["O", "open contacts"], ["X", "see through bodies"], ["G", "grid"], ["H", "shadows"], ["− +", "shorter, longer arrows"],
    ["N B", "next, previous contact"], ["M", "next joint"], ["V", "follow the chosen body"], ["0", "show all"], ["1 2 3", "from the front, side, top"],
    ["P", "panel"], ["T", "plots"], ["D", "dark, light"], ["Esc", "choose nothing"], ["?", "this page"],
];
const POINTER = [["drag", "turn"], ["right drag", "move"], ["wheel, pinch", "nearer, farther"], ["click", "choose and read"]];

const STILL = 150; // ms without a change after which the picture is at rest

const $ = (id) => document.getElementById(id);

export class Player {
    constructor(app, recordings) {
        this.app = app;
        this.recordings = recordings;
        this.options = Object.fromEntries(SWITCHES.map(([name, , , on]) => [name, on]));
        this.options.arrowScale = 1;
        this.options.follow = false;
        this.playing = false;
        this.loop = true;
        this.speed = 1;
        this.begin = Math.min(...recordings.map((r) => r.time[0]));
        this.end = Math.max(...recordings.map((r) => r.time[r.steps - 1]));
        this.lead = recordings.reduce((a, b) => (b.steps > a.steps ? b : a));
        this.time = this.begin;
        this.dirty = true;
        this.selected = { kind: "none", index: -1 };
        this.frames = 0;
        this.slow = drawnByProcessor();
        this.quality = new Quality(this.slow);
        this.drawn = 0; // when the last frame was
        this.moved = false; // whether the tick before drew
        this.readingDue = 0;
        this.readingLate = false;
        this.describe();
        this.makePanes();
        this.makePlots();
        this.theme(matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
        this.makeControls();
        this.fromHash();
        new ResizeObserver(() => this.resize()).observe($("panes"));
        this.resize();
        for (const s of this.stages) s.frame();
        this.last = performance.now();
        requestAnimationFrame((now) => this.tick(now));
    }

    // ---- what there is ----

    describe() {
        const [a, b] = this.recordings;
        const title = b && b.scene.title !== a.scene.title ? `${a.scene.title} / ${b.scene.title}` : a.scene.title;
        document.title = `${title || a.name} – abut`;
        $("title").textContent = title || a.name || "A recording";
        $("caption").textContent = a.scene.caption;
        const problem = this.recordings.map((r) => r.problem).find(Boolean);
        const unsolved = this.recordings.map((r) => r.outcome.filter((o) => o !== 0).length);
        const steps = this.recordings.map((r) => r.steps);
        $("badge").classList.toggle("warn", Boolean(problem) || unsolved.some((u) => u > 0));
        $("badge").textContent = problem
            ? `${steps.join(" / ")} steps, then ${/cut off|end mark|interrupted/.test(problem) ? "interrupted" : "damaged"}`
            : unsolved.some((u) => u > 0)
              ? `${unsolved.join(" / ")} steps not solved`
              : `${[...new Set(steps)].join(" / ")} steps, all solved`;
        $("badge").title = problem ?? "";
    }

    paneLabel(r) {
        if (this.recordings.length < 2) return "";
        const model = [r.scene.model, r.scene.solver].filter(Boolean).join(", ");
        const other = this.recordings.find((x) => x !== r);
        return other && other.scene.model === r.scene.model && other.scene.solver === r.scene.solver ? `${r.name} (${model})` : model || r.name;
    }

    makePanes() {
        this.app.classList.toggle("comparing", this.recordings.length > 1);
        this.stages = [];
        this.recordings.forEach((r, i) => {
            const pane = document.createElement("section");
            pane.className = "pane";
            pane.innerHTML = `<canvas tabindex="0" role="img"></canvas><div class="pane-label"></div>`;
            pane.querySelector(".pane-label").textContent = this.paneLabel(r);
            $("panes").append(pane);
            const canvas = pane.querySelector("canvas");
            canvas.setAttribute("aria-label", `${r.scene.title}. ${r.scene.caption} Drag or use 0 to 3 to change the view; N reads the next contact.`);
            const stage = new Stage(canvas, r, !this.slow, this.stages[0]);
            stage.detail = this.quality.detail;
            stage.controls.addEventListener("change", () => this.cameraMoved(i));
            this.watchPointer(canvas, i);
            this.stages.push(stage);
        });
        // Compared side by side, both are drawn to one scale.
        const scale = Math.min(...this.stages.map((s) => s.impulseScale));
        for (const s of this.stages) s.impulseScale = scale;
    }

    makePlots() {
        this.table = new ContactTable($("contact-rows"), $("contact-count"));
        this.plots = Object.keys(SERIES).map((key) => new Plot($("plots"), key, this.recordings, (t) => this.seek(t)));
    }

    makeControls() {
        for (const [name, label, key] of SWITCHES) {
            if (name === "joints" && !this.lead.scene.joints.length) continue;
            const element = document.createElement("label");
            element.innerHTML = `<input type="checkbox" role="switch" data-option="${name}" title="${key.toUpperCase()}"><span>${label}</span>`;
            const input = element.firstChild;
            input.checked = this.options[name];
            input.addEventListener("change", () => this.set(name, input.checked));
            $("switches").append(element);
        }
        const states = ["open", "slides", "polygon edge", "sticks"];
        $("legend").innerHTML =
            [3, 1, 2, 0].map((s) => `<li><i style="--c:${STATE_COLOURS[s]}"></i>${states[s]}</li>`).join("") +
            `<li><i class="line" style="--c:${FRICTION_COLOUR}"></i>friction</li>` +
            (this.lead.scene.joints.length ? `<li class="joint"><i style="--c:${JOINT_COLOUR}"></i>joint</li>` : "") +
            `<li class="cone"><i class="line" style="--c:currentColor"></i>polygon</li><li class="cone"><i class="line" style="--c:${CONE_COLOUR}"></i>true cone</li>`;
const row = (keys, what) => `<dt>${keys}</dt><dd>${what}</dd>`;
        const keys = SHORTCUTS.map(([keys, what]) => row(keys.split(" ").map((k) => `<kbd>${k}</kbd>`).join(" "), what));
        $("shortcuts").innerHTML = [...keys, ...POINTER.map(([action, what]) => row(action, what))].join("");
        this.lead.scene.bodies.forEach((b, i) => b.mass > 0 && $("follow-select").add(new Option(bodyName(this.lead, i), String(i))));
        $("slider").max = String(this.lead.steps - 1);
        const click = (id, action) => $(id).addEventListener("click", action);
        click("play-button", () => this.play(!this.playing));
        click("back-button", () => this.stepBy(-1));
        click("forward-button", () => this.stepBy(1));
        click("first-button", () => this.seek(this.begin));
        click("loop-button", () => this.setLoop(!this.loop));
        click("plots-button", () => this.toggle("no-plots", "plots-button"));
        click("panel-button", () => this.togglePanel());
        click("theme-button", () => this.theme(this.themeName === "dark" ? "light" : "dark"));
        click("help-button", () => $("help").showModal());
        click("frame-button", () => this.look(0));
        $("slider").addEventListener("input", () => {
            this.play(false);
            this.seek(this.lead.time[Number($("slider").value)]);
        });
        $("speed").addEventListener("change", () => (this.speed = Number($("speed").value)));
        $("arrow-scale").addEventListener("input", () => this.set("arrowScale", 2 ** Number($("arrow-scale").value)));
        $("follow-select").addEventListener("change", () => this.follow(Number($("follow-select").value)));
        $("contact-rows").addEventListener("click", (event) => {
            const row = event.target.closest("tr");
            if (row) this.select({ kind: "contact", index: Number(row.dataset.contact) });
        });
        document.addEventListener("keydown", (event) => this.key(event));
        if (matchMedia("(max-width: 900px)").matches) this.togglePanel();
        if (matchMedia("(max-height: 500px)").matches) this.toggle("no-plots", "plots-button");
    }

    // ---- time ----

    steps() {
        return this.recordings.map((r) => stepAt(r, this.time));
    }

    seek(time) {
        this.time = Math.min(this.end, Math.max(this.begin, time));
        this.dirty = true;
    }

    stepBy(count) {
        this.play(false);
        const step = Math.min(this.lead.steps - 1, Math.max(0, stepAt(this.lead, this.time) + count));
        this.seek(this.lead.time[step]);
    }

    play(on) {
        if (on && this.time >= this.end) this.time = this.begin;
        if (on === this.playing) return;
        this.playing = on;
        this.app.classList.toggle("playing", on);
        $("play-button").setAttribute("aria-label", on ? "Pause" : "Play");
        $("reading").setAttribute("aria-live", on ? "off" : "polite"); // nobody wants to hear sixty steps a second
        this.dirty = true;
    }

    setLoop(on) {
        this.loop = on;
        $("loop-button").setAttribute("aria-pressed", String(on));
    }

    tick(now) {
        const passed = Math.min(0.1, (now - this.last) / 1000);
        this.last = now;
        if (this.playing) {
            this.time += passed * this.speed;
            if (this.time >= this.end) {
                if (this.loop) this.time = this.begin;
                else {
                    this.time = this.end;
                    this.play(false);
                }
            }
            this.dirty = true;
        }
        for (const s of this.stages) s.controls.update();
        if (this.dirty) {
            if (this.quality.move(this.moved ? now - this.drawn : 0)) this.refine();
            this.drawn = now;
            this.moved = true;
            this.draw();
        } else {
            this.moved = false;
            if (now - this.drawn > STILL && this.quality.moving) {
                if (this.quality.rest()) this.refine();
                this.readingDue = 0;
                this.draw();
            } else if (this.readingLate) this.drawReading(this.steps());
        }
        requestAnimationFrame((next) => this.tick(next));
    }

    refine() {
        for (const s of this.stages) {
            s.detail = this.quality.detail;
            s.resize();
        }
    }

    draw() {
        this.dirty = false;
        this.frames++;
        const steps = this.steps();
        const lead = steps[this.recordings.indexOf(this.lead)];
        this.stages.forEach((s, i) => {
            s.selected = this.selected;
            s.show(steps[i], this.options);
            s.render();
        });
        for (const p of this.plots) p.draw(this.time);
        if (document.activeElement !== $("slider") || this.playing) $("slider").value = String(lead);
        $("clock-time").textContent = `${this.lead.time[lead].toFixed(3)} s`;
        $("clock-step").textContent = `step ${lead}`;
        this.drawScales();
        this.drawReading(steps);
    }

    // ---- what is shown ----

    set(name, value) {
        this.options[name] = value;
        if (name === "cones") this.app.classList.toggle("cones", value);
        if (name === "joints") this.app.classList.toggle("no-joints", !value);
        const input = document.querySelector(`[data-option="${name}"]`);
        if (input) input.checked = value;
        this.dirty = true;
    }

    theme(name) {
        this.themeName = name;
        document.documentElement.dataset.theme = name;
        for (const s of this.stages) s.theme(name);
        for (const p of this.plots) p.drawBase();
        this.dirty = true;
    }

    toggle(name, button) {
        const off = this.app.classList.toggle(name);
        $(button).setAttribute("aria-pressed", String(!off));
        this.resize();
    }

    togglePanel() {
        const closed = this.app.classList.toggle("narrow-panel");
        $("panel-button").setAttribute("aria-expanded", String(!closed));
        this.resize();
    }

    resize() {
        for (const s of this.stages) s.resize();
        for (const p of this.plots) p.drawBase();
        this.draw();
    }

    cameraMoved(i) {
        this.dirty = true;
        const from = this.stages[i];
        for (const to of this.stages)
            if (to !== from) {
                to.camera.position.copy(from.camera.position);
                to.controls.target.copy(from.controls.target);
                to.camera.lookAt(to.controls.target);
            }
    }

    // 0: all of it; 1, 2, 3: along an axis.
    look(which) {
        const directions = [undefined, [0, -1, 0.02], [1, 0, 0.02], [0, -0.001, 1]];
        for (const s of this.stages) s.frame(directions[which]);
        this.dirty = true;
    }

    follow(body) {
        if (body >= 0) this.select({ kind: "body", index: body });
        this.set("follow", body >= 0);
        $("follow-select").value = String(body);
        if (body < 0) return;
        for (const s of this.stages) {
            const move = s.bodies[body].position.clone().sub(s.controls.target);
            s.controls.target.add(move);
            s.camera.position.add(move);
        }
    }

    drawScales() {
        const stage = this.stages[0];
        const pixel = stage.pixelSize();
        if (this.scaled === `${pixel} ${this.options.arrowScale}`) return;
        this.scaled = `${pixel} ${this.options.arrowScale}`;
        const length = niceLength(90 * pixel);
        $("length-bar").style.width = `${length / pixel}px`;
        $("length-text").textContent = formatLength(length);
        const newton = stage.impulseScale * this.options.arrowScale * stage.recording.scene.step; // m per N
        const force = niceLength((60 * pixel) / newton);
        $("force-bar").style.width = `${(force * newton) / pixel}px`;
        $("force-text").textContent = `${formatNumber(force)} N`;
    }

    // ---- choosing and reading ----

    select(picked) {
        this.selected = picked;
        this.readingDue = 0;
        if (this.options.follow && picked.kind !== "body") this.set("follow", this.options.follow && $("follow-select").value !== "-1");
        this.dirty = true;
    }

    // Values of the plots, and for those who listen where the slider stands.
    drawNumbers(steps) {
        for (const p of this.plots) p.read(steps);
        const lead = steps[this.recordings.indexOf(this.lead)];
        const outcome = OUTCOMES[this.lead.outcome[lead]];
        const stage = this.lead.stages[this.lead.stage[lead] - 1] ?? "";
        $("slider").setAttribute("aria-valuetext", `${this.lead.time[lead].toFixed(3)} seconds, step ${lead}, ${outcome} ${stage}`);
        $("clock").title = `${outcome} by ${stage || "–"}`;
    }

    drawReading(steps) {
        // Text that changes sixty times a second cannot be read, and costs more than the picture.
        const now = performance.now();
        if (now < this.readingDue) {
            this.readingLate = true;
            return;
        }
        this.readingDue = now + 150;
        this.readingLate = false;
        this.drawNumbers(steps);
        if ($("panel").offsetParent === null) return;
        const blocks = this.recordings.map((r, i) => {
            const reading = readingOf(r, steps[i], this.selected);
            const label = this.recordings.length > 1 ? `<p class="hint">${escape(this.paneLabel(r))}</p>` : "";
            return reading ? `<div class="versus-block">${label}${readingHtml(reading)}</div>` : "";
        });
        const text = blocks.join("");
        if (text || this.selected.kind !== "none")
            $("reading-body").innerHTML = text || `<p class="hint">There is no such contact in this step.</p>`;
        else $("reading-body").innerHTML = `<p class="hint">Click a contact, a body or a joint to read its numbers. <kbd>N</kbd> goes to the next contact.</p>`;
        const r = this.recordings[0];
        const chosen = this.selected.kind === "contact" ? this.selected.index : -1;
        this.table.update(r, steps[0], chosen, !this.quality.moving);
        $("contact-side").textContent = this.recordings.length > 1 ? this.paneLabel(r) : "";
    }

    watchPointer(canvas, i) {
        let down = null;
        const place = (event) => {
            const box = canvas.getBoundingClientRect();
            return [event.clientX - box.left, event.clientY - box.top];
        };
        canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
        canvas.addEventListener("pointerup", (event) => {
            if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 5) return;
            this.select(this.stages[i].pick(...place(event), event.pointerType === "touch" ? 26 : 14));
            if (this.selected.kind !== "none" && matchMedia("(max-width: 900px)").matches) this.hover(event, i);
        });
        canvas.addEventListener("pointermove", (event) => {
            if (event.buttons || event.pointerType === "touch") return this.hideTooltip();
            this.hover(event, i);
        });
        canvas.addEventListener("pointerleave", () => this.hideTooltip());
    }

    hover(event, i) {
        const box = this.stages[i].canvas.getBoundingClientRect();
        const picked = this.stages[i].pick(event.clientX - box.left, event.clientY - box.top, event.pointerType === "touch" ? 26 : 14);
        const reading = readingOf(this.recordings[i], this.stages[i].step, picked);
        if (!reading) return this.hideTooltip();
        const tip = $("tooltip");
        tip.innerHTML = tooltipHtml(reading);
        tip.hidden = false;
        tip.style.left = `${Math.min(event.clientX + 16, innerWidth - tip.offsetWidth - 8)}px`;
        tip.style.top = `${Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8)}px`;
    }

    hideTooltip() {
        $("tooltip").hidden = true;
    }

    // The next contact or joint of the step, or the one before.
    next(kind, by) {
        const r = this.recordings[0];
        const step = stepAt(r, this.time);
        const count = kind === "contact" ? r.first[step + 1] - r.first[step] : r.scene.joints.length;
        if (!count) return;
        const from = this.selected.kind === kind ? this.selected.index : by > 0 ? -1 : 0;
        this.select({ kind, index: (from + by + count) % count });
    }

    // ---- keys ----

    key(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
        const typed = event.target.matches("select, input[type=range]");
        const actions = {
            " ": () => this.play(!this.playing),
            ArrowLeft: () => (event.shiftKey ? this.seek(this.time - 0.1) : this.stepBy(-1)),
            ArrowRight: () => (event.shiftKey ? this.seek(this.time + 0.1) : this.stepBy(1)),
            Home: () => this.seek(this.begin),
            End: () => this.seek(this.end),
            "[": () => this.changeSpeed(-1),
            "]": () => this.changeSpeed(1),
            "-": () => this.changeArrows(-0.25),
            "+": () => this.changeArrows(0.25),
            "=": () => this.changeArrows(0.25),
            Escape: () => this.select({ kind: "none", index: -1 }),
            "?": () => $("help").showModal(),
            l: () => this.setLoop(!this.loop),
            n: () => this.next("contact", 1),
            b: () => this.next("contact", -1),
            m: () => this.next("joint", event.shiftKey ? -1 : 1),
            v: () => this.follow(this.options.follow ? -1 : this.stages[0].followedBody()),
            p: () => this.togglePanel(),
            t: () => this.toggle("no-plots", "plots-button"),
            d: () => this.theme(this.themeName === "dark" ? "light" : "dark"),
        };
        for (const which of [0, 1, 2, 3]) actions[which] = () => this.look(which);
        for (const [name, , key] of SWITCHES) actions[key] = () => this.set(name, !this.options[name]);
        const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        const pressed = event.key === " " && event.target.matches("button, select, input[type=checkbox]");
        if (!action || pressed || (typed && /^(Arrow|Home|End)/.test(event.key))) return;
        event.preventDefault();
        action();
    }

    changeSpeed(by) {
        const list = $("speed");
        list.selectedIndex = Math.min(list.length - 1, Math.max(0, list.selectedIndex + by));
        this.speed = Number(list.value);
    }

    changeArrows(by) {
        const slider = $("arrow-scale");
        slider.value = String(Number(slider.value) + by);
        this.set("arrowScale", 2 ** Number(slider.value));
    }

    // #t=1.5&paused&bare&theme=light&cones=1&xray=1: a page that opens as somebody left it, and for pictures.
    fromHash() {
        const hash = new URLSearchParams(location.hash.slice(1));
        if (hash.has("t")) this.seek(Number(hash.get("t")));
        if (hash.has("speed")) this.speed = Number(hash.get("speed"));
        if (hash.get("theme") === "light" || hash.get("theme") === "dark") this.theme(hash.get("theme"));
        if (hash.has("bare")) this.app.classList.add("bare");
        for (const [name] of SWITCHES) if (hash.has(name)) this.set(name, hash.get(name) !== "0");
        if (hash.has("arrows")) {
            $("arrow-scale").value = hash.get("arrows");
            this.set("arrowScale", 2 ** Number(hash.get("arrows")));
        }
        const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        this.play(!hash.has("paused") && !hash.has("t") && !calm);
    }
}
