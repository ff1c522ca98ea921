// Numbers of marks, row by row, in the attributes of one geometry, which grows by doubling: thousands of marks cost no more
// draw calls than one. (Instances would do as well, but where the processor draws, each of them costs as much as a draw call.)
import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from "three";

// So many rows there is room for at first.
const ROOM = 64;

export class Rows {
    // `layout` names the attributes of the object's geometry and how many numbers each has.
    constructor(object, layout) {
        Object.assign(this, { object, layout, count: 0, room: 0 });
        this.grow(ROOM);
    }
    // A geometry of more room: buffers keep the size that they had when they were first drawn with.
    grow(room) {
        const old = this.object.geometry;
        const geometry = new BufferGeometry();
        this.arrays = {};
        for (const [name, size] of Object.entries(this.layout)) {
            const attribute = new BufferAttribute(new Float32Array(room * size), size).setUsage(DynamicDrawUsage);
            if (this.room > 0) attribute.array.set(old.attributes[name].array);
            geometry.setAttribute(name, attribute);
            this.arrays[name] = attribute.array;
        }
        old.dispose();
        this.object.geometry = geometry;
        this.room = room;
    }
    begin() {
        this.count = 0;
    }
    // The first of `more` rows.
    next(more = 1) {
        while (this.count + more > this.room) this.grow(2 * this.room);
        this.count += more;
        return this.count - more;
    }
    end(visible) {
        this.object.visible = visible && this.count > 0;
        if (!this.object.visible) return;
        const { geometry } = this.object;
        geometry.setDrawRange(0, this.count);
        for (const attribute of Object.values(geometry.attributes)) {
            attribute.clearUpdateRanges();
            attribute.addUpdateRange(0, this.count * attribute.itemSize);
            attribute.needsUpdate = true;
        }
    }
}
