// The 3-D view of one clash. Names reach the page as text only, never as markup.
const byId = id => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const { parts, clashes } = data.document;
const { meshes, marks } = data.drawing;
const places = data.drawing.parts;

// A view shows no more triangles of one part than this: those nearest to the clash.
const SHOWN = 20000;
const view = (() => {
  let current = null, near = false, solid = false, canvas = null, failed = false;

  function numbers(text, make) {
    const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    return new make(bytes.buffer);
  }

  const unpacked = new Map();
  function mesh(k) {
    if (!unpacked.has(k)) {
      const m = meshes[k];
      unpacked.set(k, { triangles: m.triangles, origin: m.origin, v: numbers(m.vertices, Float32Array), t: numbers(m.corners, Uint32Array) });
    }
    return unpacked.get(k);
  }

  // The corners of a part's mesh in the world, from `from`.
  function world(m, pose, from) {
    const out = new Float64Array(m.v.length);
    const [ox, oy, oz] = m.origin;
    for (let i = 0; i < out.length; i += 3) {
      let x = m.v[i] + ox, y = m.v[i + 1] + oy, z = m.v[i + 2] + oz;
      if (pose) {
        [x, y, z] = [0, 3, 6].map((r, k) => pose[r] * x + pose[r + 1] * y + pose[r + 2] * z + pose[9 + k]);
      }
      out[i] = x - from[0]; out[i + 1] = y - from[1]; out[i + 2] = z - from[2];
    }
    return out;
  }

  // The triangles to show: all, or those nearest to a point.
  function nearest(m, v, at) {
    const n = m.t.length / 3;
    const all = Uint32Array.from({ length: n }, (_, i) => i);
    if (n <= SHOWN) return all;
    const far = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < 3; k++) {
        const middle = (v[3 * m.t[3 * i] + k] + v[3 * m.t[3 * i + 1] + k] + v[3 * m.t[3 * i + 2] + k]) / 3;
        far[i] += (middle - at[k]) ** 2;
      }
    }
    return all.sort((i, j) => far[i] - far[j]).slice(0, SHOWN);
  }

  // Edges worth a line: of one triangle only, or between triangles at an angle.
  function edges(m, v, shown) {
    const spot = new Map(), same = new Uint32Array(v.length / 3);
    for (let i = 0; i < same.length; i++) {
      const key = v[3 * i] + " " + v[3 * i + 1] + " " + v[3 * i + 2];
      if (!spot.has(key)) spot.set(key, i);
      same[i] = spot.get(key);
    }
    const sides = new Map();
    for (const i of shown) {
      const c = [0, 1, 2].map(k => same[m.t[3 * i + k]]);
      const n = normal(v, c);
      for (let k = 0; k < 3; k++) {
        const p = Math.min(c[k], c[(k + 1) % 3]), q = Math.max(c[k], c[(k + 1) % 3]);
        const key = p * same.length + q;
        if (!sides.has(key)) sides.set(key, { p, q, n: [] });
        sides.get(key).n.push(n);
      }
    }
    const ends = [];
    for (const { p, q, n } of sides.values()) {
      const bend = n.length === 2 ? Math.abs(n[0][0] * n[1][0] + n[0][1] * n[1][1] + n[0][2] * n[1][2]) : 0;
      if (bend > 0.9) continue;
      for (const i of [p, q]) ends.push(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
    }
    return ends;
  }

  function normal(v, [a, b, c]) {
    const d = k => v[3 * b + k] - v[3 * a + k], e = k => v[3 * c + k] - v[3 * a + k];
    const n = [d(1) * e(2) - d(2) * e(1), d(2) * e(0) - d(0) * e(2), d(0) * e(1) - d(1) * e(0)];
    const size = Math.hypot(...n) || 1;
    return n.map(x => x / size);
  }

  function boxEdges(b, from) {
    const ends = [], at = i => [0, 1, 2].map(k => (i >> k & 1 ? b.max : b.min)[k] - from[k]);
    for (let i = 0; i < 8; i++) for (const bit of [1, 2, 4]) if (!(i & bit)) ends.push(...at(i), ...at(i | bit));
    return ends;
  }

  const color = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

  function surface(m, v, chosen, paint, opacity, name) {
    const points = new Float32Array(9 * chosen.length);
    chosen.forEach((i, n) => {
      for (let c = 0; c < 3; c++) for (let k = 0; k < 3; k++) points[9 * n + 3 * c + k] = v[3 * m.t[3 * i + c] + k];
    });
    return { name, points, color: paint, opacity };
  }

  const lines = (ends, paint, width, name, opacity = 1) => ({ name, ends, color: paint, width, opacity });

  // Adds one part to the picture, and what is left out of it to the cuts.
  function part(number, side, made, hit) {
    const paint = color(side), place = places[number];
    const m = place.mesh === undefined ? null : mesh(place.mesh), before = made.cuts.length;
    const name = parts[number].name;
    if (m && m.t.length) {
      const v = world(m, place.pose, made.from), shown = nearest(m, v, made.at);
      made.surfaces.push(surface(m, v, shown, paint, solid ? 1 : 0.28, side));
      made.lines.push(lines(edges(m, v, shown), paint, 1.5, side + " edges", 0.55));
      if (hit && hit.length) made.surfaces.push(surface(m, v, hit, color("hit"), solid ? 1 : 0.22, side + " hit"));
      if (shown.length < m.triangles) made.cuts.push(`${name}: ${count(shown.length)} of ${count(m.triangles)} triangles shown, those around its clashes; its box is outlined`);
    } else {
      made.cuts.push(`${name}: none of ${count(parts[number].triangles)} triangles shown, to keep the file small; its box is outlined`);
    }
    if (made.cuts.length > before) made.lines.push(lines(boxEdges(parts[number].bounds, made.from), paint, 2, side + " box"));
  }

  const count = n => n.toLocaleString("en");

  // Everything is drawn from the middle of both parts, so that 32-bit numbers will do however far off these are.
  function scene(entry) {
    const { clash, mark, a, b } = entry;
    const point = clash.point || mid(parts[a].bounds), union = join(parts[a].bounds, parts[b].bounds), from = mid(union);
    const at = point.map((x, k) => x - from[k]), hit = mark ? mark.hit.map(text => numbers(text, Uint32Array)) : [null, null];
    const made = { surfaces: [], lines: [], spots: [], cuts: [], from, at, union, focus: mark ? mark.focus : { min: point, max: point } };
    part(a, "a", made, hit[0]);
    part(b, "b", made, hit[1]);
    if (mark) marked(mark, made);
    made.spots.push({ name: "point", at, color: color("hit"), width: 9 });
    return made;
  }

  function marked(mark, made) {
    const curve = numbers(mark.curve, Float32Array).map((x, i) => x + made.at[i % 3]);
    if (curve.length) made.lines.push(lines(curve, color("hit"), 4, "curve"));
    if (mark.gap) made.lines.push(lines(mark.gap.flatMap(p => p.map((x, k) => x - made.from[k])), color("hit"), 6, "gap"));
    const [all, shown] = mark.pairs;
    if (shown < all) made.cuts.push(`Where they meet: ${count(shown)} of ${count(all)} pairs of triangles marked`);
  }

  const mid = b => b.min.map((x, k) => (x + b.max[k]) / 2);
  const join = (s, t) => ({ min: s.min.map((x, k) => Math.min(x, t.min[k])), max: s.max.map((x, k) => Math.max(x, t.max[k])) });

  // A cube around the clash, at least a part of the smaller of the two.
  function zoomed(made, entry) {
    const extent = b => Math.max(...[0, 1, 2].map(k => b.max[k] - b.min[k]));
    const small = Math.min(extent(parts[entry.a].bounds), extent(parts[entry.b].bounds));
    const half = Math.max(0.75 * extent(made.focus), 0.2 * small, 4 * (entry.clash.distance || 0)) || 1;
    const middle = mid(made.focus).map((x, k) => x - made.from[k]);
    return middle.map(x => [x - half, x + half]);
  }

  // Both parts, with a little room.
  function around(made) {
    const { min, max } = made.union, sizes = min.map((x, k) => max[k] - x), room = 0.03 * Math.max(...sizes) || 1;
    return min.map((x, k) => [x - room - made.from[k], max[k] + room - made.from[k]]);
  }

  // A label lies over everything, so that the place is seen also inside of parts. Its text is never a name.
  function label(made, entry) {
    const { kind, distance } = entry.clash;
    const text = entry.status === "gone" ? "gone: " + kind : kind === "clearance" ? "gap " + Number(distance.toPrecision(4)) : kind;
    return { at: made.at, text, color: color("hit") };
  }

  function frame(made, entry) {
    const bounds = near ? zoomed(made, entry) : around(made), short = x => String(Number(x.toPrecision(6)));
    const caption = bounds.map(([low, high], k) => `${"xyz"[k]} ${short(low + made.from[k])} … ${short(high + made.from[k])}`).join("   ");
    return { bounds, caption, key: entry.id + near, label: label(made, entry), ink: color("quiet"), card: color("card") };
  }

  function say(text) {
    byId("no-view").textContent = text || "";
    byId("no-view").hidden = !text;
  }

  function draw(entry) {
    current = entry;
    const cuts = byId("cuts");
    cuts.replaceChildren();
    if (!entry) return say("No clash is chosen.");
    if (entry.a === null || entry.b === null) return say("A part of this clash is no longer there, so there is nothing to draw.");
    const made = failed ? null : scene(entry);
    try {
      if (made) {
        canvas ||= canvas3d(byId("view"));
        canvas.draw({ ...made, ...frame(made, entry) });
      }
    } catch (error) {
      failed = true;
      console.warn(error);
    }
    if (failed) return say("This browser draws no WebGL, so the view is left out. The table and the figures below need none.");
    say("");
    cuts.replaceChildren(...made.cuts.map(text => Object.assign(document.createElement("li"), { textContent: text })));
    const shown = [...made.surfaces, ...made.lines, ...made.spots].map(piece => piece.name);
    Object.assign(byId("view").dataset, { drawn: entry.id, shown: shown.sort().join(", ") });
  }

  function toggle(id, change) {
    byId(id).addEventListener("click", () => {
      byId(id).setAttribute("aria-pressed", String(change()));
      draw(current);
    });
  }
  toggle("near", () => (near = !near));
  toggle("solid", () => (solid = !solid));

  return { draw, again: () => draw(current), picture: () => canvas.picture() };
})();
