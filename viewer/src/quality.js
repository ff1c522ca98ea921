// How finely the picture is drawn while it moves: as coarsely as thirty frames a second ask for, and no coarser. At rest it is
// always drawn in full.
const DETAIL = [1, 0.7, 0.5, 0.35, 0.25]; // pixels drawn for a pixel of the screen, in each direction
const SLOW = 30; // ms a frame: coarser
const FAST = 18; // ms a frame: finer, if that was not too slow before
const FRAMES = 4; // looked at before it becomes coarser
const MANY = 90; // and before it becomes finer

export class Quality {
    constructor() {
        this.level = 0;
        this.best = 0; // the finest that was not too slow
        this.moving = false;
        this.times = [];
    }

    get detail() {
        return this.moving ? DETAIL[this.level] : 1;
    }

    // A frame of motion, so many ms after the one before. Whether the detail has changed.
    move(passed) {
        const before = this.detail;
        if (this.moving) this.times.push(passed);
        this.moving = true;
        const mean = (count) => this.times.slice(-count).reduce((a, b) => a + b, 0) / count;
        if (this.times.length >= FRAMES && mean(FRAMES) > SLOW && this.level < DETAIL.length - 1) {
            this.best = ++this.level;
            this.times = [];
        } else if (this.times.length >= MANY) {
            if (mean(MANY) < FAST && this.level > this.best) this.level--;
            this.times = [];
        }
        return this.detail !== before;
    }

    // Nothing moves any more. Whether the detail has changed.
    rest() {
        const before = this.detail;
        this.moving = false;
        this.times = [];
        return this.detail !== before;
    }
}
