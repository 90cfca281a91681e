/* Where the name of a curve stands: beside it, where there is most room. */

/** The best place for a name beside curve `own`: far from the other curves and names.
 * Where it stood before is preferred, so that it does not hop about. */
export function place(name, curves, own, taken, edges, before) {
  const wide = 7.2 * name.length, points = curves[own];
  const step = Math.max(1, Math.floor(points.length / 24));
  const sides = [[-wide / 2, -18], [-wide / 2, 4], [8, -7], [-wide - 8, -7]];
  let best = null;
  for (let n = 0; n < points.length; n += step) {
    for (const [side, [dx, dy]] of sides.entries()) {
      const [x, y] = points[n], key = Math.round(x / 12) + ":" + side;
      const box = [x + dx, y + dy, x + dx + wide, y + dy + 15];
      if (box[0] < edges[0] || box[1] < edges[1] || box[2] > edges[2] || box[3] > edges[3]) {
        continue;
      }
      let room = clearance(box, curves, own, best ? best.room - 8 : -Infinity);
      taken.forEach((other) => { if (distance(box, other) < 8) room -= 60; });
      room += key === before ? 8 : 0;
      if (!best || room > best.room) best = { box, key, room };
    }
  }
  return best;
}

/** How far a box is from the other curves, at most 40; less if its own crosses it, and
 * no longer looked at than it takes to see that it is worse than `enough`. */
function clearance([x0, y0, x1, y1], curves, own, enough) {
  let room = 40;
  for (let i = 0; i < curves.length; i++) {
    for (const [x, y] of curves[i]) {
      const dx = x < x0 ? x0 - x : x > x1 ? x - x1 : 0, dy = y < y0 ? y0 - y : y > y1 ? y - y1 : 0;
      if (i === own) {
        if (dx * dx + dy * dy < 1) room = Math.min(room, -20);
      } else if (dx * dx + dy * dy < room * room || room < 0) {
        room = Math.min(room, Math.sqrt(dx * dx + dy * dy));
      }
      if (room < enough) return room;
    }
  }
  return room;
}

/** Between two boxes (left, top, right, bottom); 0 where they touch. */
function distance(a, b) {
  return Math.hypot(Math.max(0, b[0] - a[2], a[0] - b[2]),
    Math.max(0, b[1] - a[3], a[1] - b[3]));
}
