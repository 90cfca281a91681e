/* What can be dragged in a picture, with a mouse or a finger. */
import { element } from "./elements.js";

export const GRIP = 44; // as large as a finger

/** What a finger takes hold of. Style sheets' touch-action does not reach the shapes
 * of a picture in every browser, so the touch itself is kept from scrolling. */
export function grip(attributes) {
  const node = element("rect", { class: "grip", width: GRIP, height: GRIP, ...attributes });
  node.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  return node;
}

/** A mouse drags from anywhere; a finger by a grip alone, and elsewhere it scrolls.
 *
 * `take(place, target)` tells where the thing stands that is taken (or nothing), and
 * `move(thing, place)` is called while it is dragged. */
export function drag(svg, take, move) {
  let held = null, offset = [0, 0];
  function at(event) {
    const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  }
  svg.addEventListener("pointerdown", (event) => {
    const finger = event.pointerType === "touch", place = at(event);
    if (event.button || (finger && !event.target.classList.contains("grip"))) return;
    held = take(place, event.target);
    if (!held) return;
    offset = finger ? [held[0] - place[0], held[1] - place[1]] : [0, 0];
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
    if (!finger) move(held, place); // a thing does not jump to a finger
  });
  svg.addEventListener("pointermove", (event) => {
    if (!held) return;
    const place = at(event);
    move(held, [place[0] + offset[0], place[1] + offset[1]]);
  });
  ["pointerup", "pointercancel"].forEach((name) => {
    svg.addEventListener(name, () => { held = null; });
  });
}
