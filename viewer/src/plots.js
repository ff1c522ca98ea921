// Time plots: one small canvas each, drawn once a size, and a line over it that follows the time.

export const SERIES = {
    energy: {
        title: "Energy",
        unit: "J",
        lines: [
            { name: "kinetic", colour: "--plot-a", values: (r) => r.kinetic },
            { name: "potential", colour: "--plot-b", values: (r) => r.potential },
            { name: "total", colour: "--plot-c", values: (r) => r.kinetic.map((k, i) => k + r.potential[i]) },
        ],
    },
    contacts: {
        title: "Contacts",
        unit: "",
        lines: [{ name: "contacts", colour: "--plot-d", values: (r) => Float32Array.from(r.time, (_, i) => r.first[i + 1] - r.first[i]) }],
    },
    pivots: { title: "Pivots", unit: "", lines: [{ name: "pivots", colour: "--plot-e", values: (r) => Float32Array.from(r.pivots) }] },
    micros: { title: "µs a step", unit: "", log: true, lines: [{ name: "µs", colour: "--plot-b", values: (r) => r.micros }] },
    residual: { title: "Residual", unit: "", log: true, digits: 2, lines: [{ name: "residual", colour: "--plot-a", values: (r) => r.residual }] },
};

export function formatNumber(value, digits = 3) {
    if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : value > 0 ? "∞" : "−∞";
    if (value === 0) return "0";
    const size = Math.abs(value);
    const text = size >= 1e5 || size < 1e-3 ? value.toExponential(Math.max(0, digits - 2)).replace("e+", "e") : String(Number(value.toPrecision(digits)));
    return text.replace("-", "−").replace("e-", "e−");
}

const FLOOR = 1e-17; // on a log axis zero has to be somewhere

export class Plot {
    constructor(root, key, recordings, seek) {
        Object.assign(this, { key, recordings, spec: SERIES[key] });
        this.element = document.createElement("figure");
        this.element.className = "plot";
        this.element.innerHTML = `<figcaption><span class="plot-title">${this.spec.title}${this.spec.unit ? ` <small>${this.spec.unit}</small>` : ""}</span><span class="plot-values"></span></figcaption><div class="curves"><canvas tabindex="-1" role="img"></canvas><i class="cursor"></i></div>`;
        root.append(this.element);
        this.canvas = this.element.querySelector("canvas");
        this.values = this.element.querySelector(".plot-values");
        this.cursor = this.element.querySelector(".cursor");
        this.data = recordings.map((r) => this.spec.lines.map((l) => l.values(r)));
        this.range = this.findRange();
        this.span = [Math.min(...recordings.map((r) => r.time[0])), Math.max(...recordings.map((r) => r.time[r.steps - 1]))];
        const scrub = (event) => {
            const box = this.canvas.getBoundingClientRect();
            const [begin, end] = this.span;
            seek(begin + (end - begin) * Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
        };
        this.canvas.addEventListener("pointerdown", (event) => {
            this.canvas.setPointerCapture(event.pointerId);
            scrub(event);
        });
        this.canvas.addEventListener("pointermove", (event) => event.buttons && scrub(event));
    }

    scaled(value) {
        return this.spec.log ? Math.log10(Math.max(value, FLOOR)) : value;
    }

    findRange() {
        let low = Infinity;
        let high = -Infinity;
        for (const lines of this.data)
            for (const values of lines)
                for (const v of values) {
                    if (!Number.isFinite(v) || (this.spec.log && v <= 0)) continue;
                    const s = this.scaled(v);
                    if (s < low) low = s;
                    if (s > high) high = s;
                }
        if (low > high) [low, high] = this.spec.log ? [-16, 0] : [0, 1];
        if (this.spec.log) return [Math.floor(low), Math.max(Math.ceil(high), Math.floor(low) + 1)];
        if (low > 0 && low < 0.6 * high) low = 0;
        const pad = 0.06 * (high - low) || Math.abs(high) * 0.1 || 1;
        return [low === 0 ? 0 : low - pad, high + pad];
    }

    // The curves: for every column of pixels the least and the most of its steps.
    drawBase() {
        const ratio = Math.min(window.devicePixelRatio || 1, 2);
        this.width = this.canvas.clientWidth; // asked for once: asking lays the page out
        const width = Math.max(2, Math.round(this.width * ratio));
        const height = Math.max(2, Math.round(this.canvas.clientHeight * ratio));
        [this.canvas.width, this.canvas.height] = [width, height];
        const g = this.canvas.getContext("2d");
        const style = getComputedStyle(this.element);
        const [low, high] = this.range;
        const y = (v) => height - 3 * ratio - ((v - low) / (high - low)) * (height - 6 * ratio);
        g.clearRect(0, 0, width, height);
        const texts = this.drawAxis(g, y, width, ratio, style);
        const [begin, end] = this.span;
        this.recordings.forEach((r, which) => {
            this.spec.lines.forEach((line, k) => {
                const values = this.data[which][k];
                g.strokeStyle = style.getPropertyValue(line.colour);
                g.globalAlpha = which === 0 ? 1 : 0.65;
                g.setLineDash(which === 0 ? [] : [4 * ratio, 3 * ratio]);
                g.lineWidth = 1.4 * ratio;
                g.lineJoin = "round";
                g.beginPath();
                let column = -1;
                let least = 0;
                let most = 0;
                const flush = () => {
                    if (column < 0) return;
                    g.lineTo(column, y(least));
                    if (most !== least) g.lineTo(column, y(most));
                };
                for (let i = 0; i < r.steps; i++) {
                    if (!Number.isFinite(values[i])) continue;
                    const v = Math.max(low, Math.min(high, this.scaled(values[i])));
                    const x = Math.round(((r.time[i] - begin) / (end - begin || 1)) * (width - 1));
                    if (x !== column) {
                        flush();
                        column = x;
                        least = most = v;
                    } else {
                        least = Math.min(least, v);
                        most = Math.max(most, v);
                    }
                }
                flush();
                g.stroke();
            });
        });
        g.setLineDash([]);
        g.globalAlpha = 1;
        g.font = `${10 * ratio}px system-ui, sans-serif`;
        g.lineWidth = 3 * ratio;
        g.strokeStyle = style.getPropertyValue("--solid");
        g.fillStyle = style.getPropertyValue("--muted");
        for (const [text, at] of texts) {
            g.strokeText(text, 2 * ratio, at);
            g.fillText(text, 2 * ratio, at);
        }
    }

    drawAxis(g, y, width, ratio, style) {
        const [low, high] = this.range;
        g.strokeStyle = style.getPropertyValue("--plot-grid");
        g.lineWidth = ratio;
        const texts = [];
        const step = this.spec.log ? Math.max(1, Math.ceil((high - low) / 3)) : niceStep((high - low) / 3);
        for (let v = Math.ceil(low / step) * step; v <= high + 1e-12; v += step) {
            const at = Math.round(y(v)) + 0.5;
            g.beginPath();
            g.moveTo(0, at);
            g.lineTo(width, at);
            g.stroke();
            const text = this.spec.log ? `1e${Math.round(v)}`.replace("-", "−") : formatNumber(Math.abs(v) < 1e-9 * step ? 0 : v);
            texts.push([text, Math.max(10 * ratio, at - 3 * ratio)]);
        }
        return texts;
    }

    // The line that follows the time. Its place is a transform, which moves no other element.
    draw(time) {
        const [begin, end] = this.span;
        this.cursor.style.transform = `translateX(${((time - begin) / (end - begin || 1)) * this.width}px)`;
    }

    // The values at these steps, as text.
    read(steps) {
        const several = this.spec.lines.length > 1;
        const text = this.spec.lines.map((line, k) => {
            const numbers = this.recordings.map((_, which) => formatNumber(this.data[which][k][steps[which]], this.recordings.length > 1 ? 2 : (this.spec.digits ?? 3)));
            return `<span style="--c:var(${line.colour})">${several ? `<i></i>${line.name} ` : ""}${numbers.join(' <span class="versus">|</span> ')}</span>`;
        });
        this.values.innerHTML = text.join(" ");
        this.canvas.setAttribute("aria-label", `${this.spec.title}: ${this.values.textContent} ${this.spec.unit}`);
    }
}

function niceStep(wanted) {
    const power = 10 ** Math.floor(Math.log10(wanted));
    const digits = wanted / power;
    return power * (digits <= 1 ? 1 : digits <= 2 ? 2 : digits <= 5 ? 5 : 10);
}
