// All contacts of a step as a table, for reading without pointing. Rows are made once; while the time moves, those that are in view are
// filled, and all of them when it rests.
import { STATE_COLOURS } from "./contacts.js";
import { STATES } from "./decode.js";
import { formatNumber } from "./plots.js";
import { bodyName } from "./reading.js";

const ROWS_MAX = 300;
const MARGIN = 3; // rows filled beyond those in view

function makeRow(body, index) {
    const row = body.insertRow();
    row.dataset.contact = String(index);
    const texts = [0, 1, 2, 3, 4].map((k) => {
        const cell = row.insertCell();
        if (k === 2) cell.append(document.createElement("i"));
        return cell.appendChild(document.createTextNode(""));
    });
    texts[0].data = String(index);
    return { row, texts };
}

function change(node, text) {
    if (node.data !== text) node.data = text;
}

export class ContactTable {
    constructor(body, count) {
        Object.assign(this, { body, count, rows: [], shown: 0, chosen: -1 });
        this.scroller = body.closest(".table");
    }

    fill(r, n, { row, texts }) {
        const h = r.scene.step;
        const names = `${bodyName(r, r.body[2 * n])} · ${bodyName(r, r.body[2 * n + 1])}`;
        if (texts[1].data !== names) row.cells[1].title = texts[1].data = names;
        const state = r.state[n];
        if (row.dataset.state !== String(state)) {
            row.dataset.state = String(state);
            row.cells[2].style.setProperty("--c", STATE_COLOURS[state]);
            texts[2].data = STATES[state];
        }
        change(texts[3], formatNumber(r.impulse[3 * n] / h));
        change(texts[4], formatNumber(Math.hypot(r.impulse[3 * n + 1], r.impulse[3 * n + 2]) / h));
    }

    // `all`: also what is not in view.
    update(r, step, chosen, all) {
        const first = r.first[step];
        const total = r.first[step + 1] - first;
        const wanted = Math.min(total, ROWS_MAX);
        while (this.rows.length < wanted) this.rows.push(makeRow(this.body, this.rows.length));
        for (let i = this.shown; i < wanted; i++) this.rows[i].row.hidden = false;
        for (let i = wanted; i < this.shown; i++) this.rows[i].row.hidden = true;
        this.shown = wanted;
        const height = this.rows[0]?.row.offsetHeight || 24;
        const from = all ? 0 : Math.max(0, Math.floor(this.scroller.scrollTop / height) - MARGIN);
        const to = all ? wanted : Math.min(wanted, from + Math.ceil(this.scroller.clientHeight / height) + 2 * MARGIN);
        for (let i = from; i < to; i++) this.fill(r, first + i, this.rows[i]);
        this.count.textContent = total > wanted ? `${wanted} of ${total}` : String(total);
        if (chosen === this.chosen) return;
        this.rows[this.chosen]?.row.removeAttribute("aria-selected");
        this.rows[chosen]?.row.setAttribute("aria-selected", "true");
        this.chosen = chosen;
    }
}
