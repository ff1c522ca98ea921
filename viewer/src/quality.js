// How finely the picture is drawn while it moves: as coarsely as a fluent motion asks for, and no coarser. At rest it is always drawn
// in full.
const DETAIL = [1, 0.7, 0.5, 0.35, 0.25]; // pixels drawn for a pixel of the screen, in each direction
const SLOW = 26; // ms a frame: coarser. Thirty frames a second leave 33
const FAST = 18; // ms a frame: finer
const FRAMES = 4; // looked at before it becomes coarser
const MANY = 90; // and before it becomes finer; twice as many each time that this was too fine
const MOST = 1440;

// Whether the processor draws, for want of a graphics card. It would pay for smooth edges at every frame that moves; they come at rest
// instead, from twice as many pixels.
export function drawnByProcessor() {
    const gl = document.createElement("canvas").getContext("webgl2");
    if (!gl) return false;
    const info = gl.getExtension("WEBGL_debug_renderer_info");
    const name = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
    gl.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Quality {
    constructor(slow) {
        this.full = slow ? 1.5 : 1; // the detail at rest
        this.level = slow ? 2 : 0;
        this.patience = MANY;
        this.moving = false;
        this.count = 0; // frames at this level, and their ms
        this.sum = 0;
        this.recent = []; // ms of the last ones
    }

    get detail() {
        return this.moving ? DETAIL[this.level] : this.full;
    }

    begin(level) {
        this.level = level;
        this.count = this.sum = 0;
        this.recent.length = 0;
    }

    // A frame of motion, so many ms after the one before (0: the first). Whether the detail has changed.
    move(passed) {
        const before = this.detail;
        if (passed > 0) this.look(passed);
        this.moving = true;
        return this.detail !== before;
    }

    look(passed) {
        this.count++;
        this.sum += passed;
        this.recent.push(passed);
        if (this.recent.length > FRAMES) this.recent.shift();
        const slow = this.recent.length === FRAMES && this.recent.reduce((a, b) => a + b) > FRAMES * SLOW;
        if (slow && this.level < DETAIL.length - 1) {
            this.patience = Math.min(MOST, 2 * this.patience);
            this.begin(this.level + 1);
        } else if (this.count >= this.patience) {
            this.begin(this.sum < this.count * FAST ? Math.max(0, this.level - 1) : this.level);
        }
    }

    // Nothing moves any more. Whether the detail has changed.
    rest() {
        const before = this.detail;
        this.moving = false;
        this.begin(this.level);
        return this.detail !== before;
    }
}
