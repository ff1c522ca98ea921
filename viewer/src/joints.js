// Joints of one step: a round mark each, larger where it is chosen.
import { Color, Vector3 } from "three";
import { Dots } from "./dots.js";

export const JOINT_COLOUR = "#9b6dff";
const colour = new Color(JOINT_COLOUR);
const chosenRim = new Color("#ffffff");
const place = new Vector3();

export class Joints {
    // `bodies` are the groups that joints are fixed to.
    constructor(group, scene, bodies) {
        Object.assign(this, { joints: scene.joints, bodies, dots: new Dots(group, 15) });
    }

    // Where joint i is, in the world. Poses are known.
    at(i) {
        const { bodies, anchor } = this.joints[i];
        place.set(anchor[0], anchor[1], anchor[2]);
        if (bodies[0] >= 0) this.bodies[bodies[0]].localToWorld(place);
        return [place.x, place.y, place.z];
    }

    update(look, chosen) {
        this.dots.begin();
        for (let i = 0; i < this.joints.length && look.joints; i++)
            this.dots.add(this.at(i), look.unit * (i === chosen ? 0.015 : 0.01), colour, i === chosen ? chosenRim : look.rim);
        this.dots.end(look.joints);
    }
}
