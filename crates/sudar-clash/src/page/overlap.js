// Which area of two surfaces is in the overlap: what of one lies in the other where that is convex, and otherwise what of
// the triangles that meet lies in the boxes of the regions.
const overlap = (() => {
  // Larger meshes are not looked at for being convex.
  const FACES = 400;

  // A polygon, three coordinates a corner, cut to where n·p ≤ d for every plane [n, d].
  function clipped(polygon, planes) {
    for (const [x, y, z, d] of planes) {
      const out = [], count = polygon.length / 3, above = i => polygon[3 * i] * x + polygon[3 * i + 1] * y + polygon[3 * i + 2] * z - d;
      for (let i = 0; i < count; i++) {
        const j = (i + 1) % count, s = above(i), e = above(j);
        if (s <= 0) out.push(polygon[3 * i], polygon[3 * i + 1], polygon[3 * i + 2]);
        if (s < 0 && e > 0 || s > 0 && e < 0) for (let k = 0; k < 3; k++) out.push(polygon[3 * i + k] + (polygon[3 * j + k] - polygon[3 * i + k]) * s / (s - e));
      }
      polygon = out;
      if (polygon.length < 9) return [];
    }
    return polygon;
  }

  const boxPlanes = b => AXES.flatMap(k => {
    const way = AXES.map(j => Number(j === k));
    return [[...way, b.max[k]], [...way.map(x => -x), -b.min[k]]];
  });

  // The planes of the faces of a convex solid; null if it is none, or too large.
  function convex(side, room) {
    const { m, v } = side;
    if (!side.closed || m.kept !== m.triangles || m.kept > FACES) return null;
    const planes = [];
    for (let i = 0; i < m.kept; i++) {
      const n = meshes.normal(v, m.t, i), on = 3 * m.t[3 * i];
      if (!n.some(Boolean)) continue;
      const d = n[0] * v[on] + n[1] * v[on + 1] + n[2] * v[on + 2];
      let low = Infinity, high = -Infinity;
      for (let p = 0; p < v.length; p += 3) {
        const at = n[0] * v[p] + n[1] * v[p + 1] + n[2] * v[p + 2] - d;
        low = Math.min(low, at); high = Math.max(high, at);
      }
      if (high > room && low < -room) return null;
      planes.push(high <= room ? [...n, d + room] : [...n.map(x => -x), -d + room]);
    }
    return planes;
  }

  function cornersOf({ m, v }, i) {
    const out = [];
    for (let c = 0; c < 3; c++) for (let k = 0; k < 3; k++) out.push(v[3 * m.t[3 * i + c] + k]);
    return out;
  }

  function around(points) {
    const min = [Infinity, Infinity, Infinity], max = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < points.length; i++) {
      min[i % 3] = Math.min(min[i % 3], points[i]);
      max[i % 3] = Math.max(max[i % 3], points[i]);
    }
    return { min, max };
  }
  const grown = (b, by) => ({ min: b.min.map(x => x - by), max: b.max.map(x => x + by) });
  const meets = (s, t) => AXES.every(k => s.min[k] <= t.max[k] && t.min[k] <= s.max[k]);
  const holds = (s, t) => AXES.every(k => s.min[k] <= t.min[k] && t.max[k] <= s.max[k]);

  // The boxes around the connected pieces of a curve of segments, six coordinates each, with their neighbourhood.
  function pieces(curve) {
    const parent = new Map(), key = i => curve.slice(i, i + 3).map(x => x.toPrecision(5)).join(" ");
    const root = name => { while (parent.get(name) !== name) name = parent.get(name); return name; };
    for (let i = 0; i < curve.length; i += 3) if (!parent.has(key(i))) parent.set(key(i), key(i));
    for (let i = 0; i < curve.length; i += 6) parent.set(root(key(i)), root(key(i + 3)));
    const boxes = new Map();
    for (let i = 0; i < curve.length; i += 3) {
      const name = root(key(i)), point = around(curve.slice(i, i + 3));
      boxes.set(name, boxes.has(name) ? join(boxes.get(name), point) : point);
    }
    return [...boxes.values()].map(b => grown(b, 0.1 * extent(b)));
  }

  // The triangles, nine coordinates each, of one side in the overlap. A side has its mesh `m`, its vertices `v`, whether
  // it is `closed`, and the numbers of the triangles that are `hit`.
  function area(side, other, boxes, room) {
    const out = [], planes = convex(other, room), hit = new Set(side.hit), all = grown(around(other.v), room);
    const add = polygon => { for (let i = 3; i + 5 < polygon.length; i += 3) out.push(...polygon.slice(0, 3), ...polygon.slice(i, i + 6)); };
    for (let i = 0; i < side.m.kept; i++) {
      const corners = cornersOf(side, i), box = around(corners);
      if (!meets(all, box)) continue;
      if (planes) add(clipped(corners, planes));
      else for (const region of boxes) {
        if (holds(region, box)) add(corners);
        else if (hit.has(i) && meets(region, box)) add(clipped(corners, boxPlanes(region)));
        else continue;
        // Where regions lie in each other one is enough.
        if (holds(region, box)) break;
      }
    }
    return new Float32Array(out);
  }

  // Of both sides; `regions` are boxes, `curve` segments, both from the same origin as the vertices.
  return (sides, regions, curve) => {
    const room = 2 * Math.max(sides[0].m.step, sides[1].m.step) + 1e-9 * Math.max(...sides.map(side => extent(around(side.v))));
    const boxes = (regions.length ? regions : pieces(curve)).map(b => grown(b, room));
    return [area(sides[0], sides[1], boxes, room), area(sides[1], sides[0], boxes, room)];
  };
})();
