// Measuring: two clicks on surfaces, and how far the two points are apart.
const measure = (() => {
  // So near to a corner on the screen, in pixels, a click means the corner.
  const SNAP = 9;
  let isOn = false, ends = [];

  // Where a line meets a triangle of nine coordinates, as a multiple of its way; infinite if nowhere (Möller and Trumbore, 1997).
  function meets(at, way, p, i, move) {
    const e = [p[i + 3] - p[i], p[i + 4] - p[i + 1], p[i + 5] - p[i + 2]], f = [p[i + 6] - p[i], p[i + 7] - p[i + 1], p[i + 8] - p[i + 2]];
    const cross = (s, t) => [s[1] * t[2] - s[2] * t[1], s[2] * t[0] - s[0] * t[2], s[0] * t[1] - s[1] * t[0]], dot = (s, t) => s[0] * t[0] + s[1] * t[1] + s[2] * t[2];
    const h = cross(way, f), a = dot(e, h);
    if (!a) return Infinity;
    const s = [at[0] - p[i] - move[0], at[1] - p[i + 1] - move[1], at[2] - p[i + 2] - move[2]], u = dot(s, h) / a;
    if (u < 0 || u > 1) return Infinity;
    const q = cross(s, e), v = dot(way, q) / a, t = dot(f, q) / a;
    return v < 0 || u + v > 1 || t <= 0 ? Infinity : t;
  }

  // Calls with each triangle of layers of faces: its points, where it begins in them, and how the layer is moved.
  function each(layers, call) {
    for (const { points, ranges, move = [0, 0, 0] } of layers) for (const [first, count] of ranges || [[0, points.length / 3]]) {
      for (let i = 3 * first; i < 3 * (first + count); i += 9) call(points, i, move);
    }
  }
  const corners = (points, i, move) => [0, 3, 6].map(c => AXES.map(k => points[i + c + k] + move[k]));

  // The nearest point along a line of sight, within the section box; at a corner if that is near on the screen. Beside an
  // outline the line meets nothing, and a corner there is taken.
  function pick(layers, cut, { at, way, off }) {
    const inside = p => !cut || AXES.every(k => p[k] >= cut[0][k] && p[k] <= cut[1][k]);
    const nearest = list => list.filter(inside).sort((s, t) => off(s) - off(t))[0];
    let best = Infinity, found = null;
    each(layers, (points, i, move) => {
      const t = meets(at, way, points, i, move);
      if (t >= best) return;
      const p = at.map((x, k) => x + t * way[k]);
      if (inside(p)) { best = t; found = { p, near: corners(points, i, move) }; }
    });
    const near = [];
    if (!found) each(layers, (points, i, move) => near.push(...corners(points, i, move).filter(p => off(p) < SNAP)));
    const end = nearest(found ? found.near : near);
    return end && off(end) < SNAP ? end : found?.p;
  }

  // A click: the first, the second, or the first of another measurement. Points are kept in the world.
  function pressed(layers, cut, from, sight) {
    if (!isOn) return;
    const p = pick(layers, cut, sight);
    if (!p) return;
    ends = [...(ends.length === 2 ? [] : ends), p.map((x, k) => x + from[k])];
    say();
    view.again();
  }

  function say() {
    const out = byId("measured"), [p, q] = ends;
    out.hidden = !isOn;
    if (!p) out.textContent = "Click a point on a part; near a corner, the corner is taken.";
    else if (!q) out.textContent = `From ${p.map(x => fine(x, extent(context.bounds))).join(", ")}${unit}: click the second point.`;
    else {
      const way = AXES.map(k => q[k] - p[k]);
      out.textContent = `${short(Math.hypot(...way), 5)}${unit} apart: ${way.map((x, k) => `${"xyz"[k]} ${short(x, 5)}`).join(", ")}${unit}. Positions are rounded by up to ${short(meshes.rounding(), 2)}${unit} here.`;
    }
  }

  // The marks to draw, from `from`.
  function marks(from) {
    if (!isOn || !ends.length) return [];
    const points = ends.map(p => p.map((x, k) => x - from[k])), color = view.color("focus");
    const spots = { name: "measured", kind: "spots", points: points.flat(), color, width: 9 };
    return points.length < 2 ? [spots] : [{ name: "measured way", kind: "strips", points: points.flat(), color, width: 3 }, spots];
  }

  byId("measure").addEventListener("click", () => {
    isOn = !isOn;
    ends = [];
    byId("measure").ariaPressed = String(isOn);
    say();
    view.again();
  });

  return { pressed, marks };
})();
