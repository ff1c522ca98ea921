// How much of the processor the browser takes, whatever else the machine does.
import { readdirSync, readFileSync } from "node:fs";

// Processes that this one started, and those that they started.
function descendants() {
    const children = new Map();
    for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
        try {
            const parent = readFileSync(`/proc/${id}/stat`, "utf8").replace(/^.*\) /s, "").split(" ")[1];
            children.set(parent, [...(children.get(parent) ?? []), id]);
        } catch {
            // It has ended.
        }
    }
    const all = [];
    const add = (id) => (children.get(id) ?? []).forEach((child) => (all.push(child), add(child)));
    add(String(process.pid));
    return all;
}

// ms of processor time that they have taken so far; NaN where the system does not tell.
export function processorTime() {
    try {
        let sum = 0;
        for (const id of descendants())
            for (const thread of readdirSync(`/proc/${id}/task`)) sum += Number(readFileSync(`/proc/${id}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
        return sum / 1e6;
    } catch {
        return NaN;
    }
}
