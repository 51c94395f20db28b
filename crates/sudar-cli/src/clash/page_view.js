// The 3-D view of one clash. Names reach the page as text only, never as markup.
const byId = id => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const { parts, clashes } = data.document;
const { meshes, marks } = data.drawing;
const places = data.drawing.parts;

// A view shows no more triangles of one part than this: those nearest to the clash.
const SHOWN = 20000;
// Beyond this ratio of place to size, 32-bit numbers would show steps: the axes then count from the clash.
const FAR = 5000;

const view = (() => {
  let current = null, near = false, solid = false, failed = null;
  const stage = byId("stage");

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
    const line = { x: [], y: [], z: [] };
    for (const { p, q, n } of sides.values()) {
      const bend = n.length === 2 ? Math.abs(n[0][0] * n[1][0] + n[0][1] * n[1][1] + n[0][2] * n[1][2]) : 0;
      if (bend > 0.9) continue;
      for (const i of [p, q]) add(line, v[3 * i], v[3 * i + 1], v[3 * i + 2]);
      add(line, null, null, null);
    }
    return line;
  }

  function normal(v, [a, b, c]) {
    const d = k => v[3 * b + k] - v[3 * a + k], e = k => v[3 * c + k] - v[3 * a + k];
    const n = [d(1) * e(2) - d(2) * e(1), d(2) * e(0) - d(0) * e(2), d(0) * e(1) - d(1) * e(0)];
    const size = Math.hypot(...n) || 1;
    return n.map(x => x / size);
  }

  function add(line, x, y, z) { line.x.push(x); line.y.push(y); line.z.push(z); }

  function boxEdges(b, from) {
    const line = { x: [], y: [], z: [] };
    const at = i => [0, 1, 2].map(k => (i >> k & 1 ? b.max : b.min)[k] - from[k]);
    for (let i = 0; i < 8; i++) for (const bit of [1, 2, 4]) if (!(i & bit)) {
      add(line, ...at(i)); add(line, ...at(i | bit)); add(line, null, null, null);
    }
    return line;
  }

  const color = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  const quiet = { hoverinfo: "skip", showlegend: false };
  const light = { ambient: 0.62, diffuse: 0.7, specular: 0.12, roughness: 0.7, fresnel: 0.1, facenormalsepsilon: 0, vertexnormalsepsilon: 0 };

  function surface(m, v, chosen, paint, opacity, name) {
    const pick = k => Array.from(chosen, i => m.t[3 * i + k]);
    const axis = k => Array.from({ length: v.length / 3 }, (_, i) => v[3 * i + k]);
    return {
      type: "mesh3d", x: axis(0), y: axis(1), z: axis(2), i: pick(0), j: pick(1), k: pick(2),
      color: paint, opacity, flatshading: true, lighting: light, name, hovertemplate: "%{x:.6g}, %{y:.6g}, %{z:.6g}<extra></extra>",
      showlegend: false,
    };
  }

  function lines(line, paint, width, name) {
    return { type: "scatter3d", mode: "lines", ...line, line: { color: paint, width }, name, ...quiet };
  }

  // The traces of one part, and what is left out.
  function part(number, side, from, at, hit) {
    const paint = color(side), place = places[number], traces = [], cuts = [];
    const m = place.mesh === undefined ? null : mesh(place.mesh);
    const name = parts[number].name;
    if (m && m.t.length) {
      const v = world(m, place.pose, from), shown = nearest(m, v, at);
      traces.push(surface(m, v, shown, paint, solid ? 1 : 0.28, side));
      traces.push({ ...lines(edges(m, v, shown), paint, 1.5, side + " edges"), opacity: 0.55 });
      if (hit && hit.length) traces.push(surface(m, v, hit, color("hit"), solid ? 1 : 0.22, side + " hit"));
      if (shown.length < m.triangles) cuts.push(`${name}: ${count(shown.length)} of ${count(m.triangles)} triangles shown, those around its clashes; its box is outlined`);
    } else {
      cuts.push(`${name}: none of ${count(parts[number].triangles)} triangles shown, to keep the file small; its box is outlined`);
    }
    if (cuts.length) traces.push(lines(boxEdges(parts[number].bounds, from), paint, 2, side + " box"));
    return { traces, cuts };
  }

  const count = n => n.toLocaleString("en");

  function scene(entry) {
    const { clash, mark, a, b } = entry;
    const point = clash.point || mid(parts[a].bounds), union = join(parts[a].bounds, parts[b].bounds);
    const size = Math.max(...[0, 1, 2].map(k => union.max[k] - union.min[k]));
    const reach = Math.max(...union.min.concat(union.max).map(Math.abs));
    const shifted = reach > FAR * size, from = shifted ? point : [0, 0, 0];
    const at = point.map((x, k) => x - from[k]);
    const hit = mark ? mark.hit.map(text => numbers(text, Uint32Array)) : [null, null];
    const both = [part(a, "a", from, at, hit[0]), part(b, "b", from, at, hit[1])];
    const traces = both.flatMap(p => p.traces), cuts = both.flatMap(p => p.cuts);
    if (mark) traces.push(...marked(mark, at, from, cuts));
    traces.push({
      type: "scatter3d", mode: "markers", x: [at[0]], y: [at[1]], z: [at[2]], name: "point",
      marker: { color: color("hit"), size: 5, symbol: mark ? "circle" : "circle-open", line: { color: color("card"), width: 1 } }, ...quiet,
    });
    return { traces, cuts, from, shifted, union, at, focus: mark ? mark.focus : { min: point, max: point } };
  }

  function marked(mark, at, from, cuts) {
    const curve = numbers(mark.curve, Float32Array), line = { x: [], y: [], z: [] }, traces = [];
    for (let i = 0; i < curve.length; i += 6) {
      for (const j of [i, i + 3]) add(line, curve[j] + at[0], curve[j + 1] + at[1], curve[j + 2] + at[2]);
      add(line, null, null, null);
    }
    if (line.x.length) traces.push(lines(line, color("hit"), 6, "curve"));
    if (mark.gap) {
      const ends = { x: [], y: [], z: [] };
      for (const p of mark.gap) add(ends, ...p.map((x, k) => x - from[k]));
      traces.push({ type: "scatter3d", mode: "lines+markers", ...ends, line: { color: color("hit"), width: 8 }, marker: { color: color("hit"), size: 4 }, name: "gap", ...quiet });
    }
    const [all, shown] = mark.pairs;
    if (shown < all) cuts.push(`Where they meet: ${count(shown)} of ${count(all)} pairs of triangles marked`);
    return traces;
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

  function layout(made, entry) {
    const ranges = near ? zoomed(made, entry) : around(made);
    const sizes = ranges.map(([low, high]) => high - low), most = Math.max(...sizes);
    const ink = color("quiet"), grid = color("line");
    const axis = (name, k) => ({
      title: { text: made.shifted ? `${name} − ${made.from[k].toPrecision(9)}` : name }, color: ink, gridcolor: grid, zeroline: false,
      showbackground: false, showspikes: false, nticks: 5, tickfont: { size: 10 }, range: ranges[k],
    });
    return {
      width: stage.clientWidth, height: stage.clientHeight, autosize: false,
      paper_bgcolor: "rgba(0,0,0,0)", margin: { l: 0, r: 0, t: 0, b: 0 }, showlegend: false, uirevision: entry.id + near,
      font: { family: "system-ui, sans-serif", size: 11, color: ink },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: ink, activecolor: color("ink") },
      scene: {
        xaxis: axis("x", 0), yaxis: axis("y", 1), zaxis: axis("z", 2), aspectmode: "manual", dragmode: "orbit",
        // All axes at one scale, and the longest side as long as the view is wide.
        aspectratio: { x: 1.25 * sizes[0] / most, y: 1.25 * sizes[1] / most, z: 1.25 * sizes[2] / most },
        annotations: [label(made, entry)],
        camera: { eye: { x: 1.1, y: -1.25, z: 0.8 }, center: { x: 0, y: 0, z: -0.08 }, projection: { type: "perspective" } },
      },
    };
  }

  // A label lies over everything, so that the place is seen also inside of parts. Its text is never a name.
  function label(made, entry) {
    const { kind, distance } = entry.clash, [x, y, z] = made.at, paint = color("hit");
    const text = entry.status === "gone" ? "gone: " + kind : kind === "clearance" ? "gap " + Number(distance.toPrecision(4)) : kind;
    return {
      x, y, z, text, ax: 56, ay: -48, showarrow: true, arrowcolor: paint, arrowhead: 6, arrowsize: 0.8, arrowwidth: 1.5,
      font: { color: paint, size: 12 }, bgcolor: color("card"), bordercolor: paint, borderpad: 3, opacity: 0.95,
    };
  }

  function hasWebGL() {
    try {
      const canvas = document.createElement("canvas");
      return Boolean(canvas.getContext("webgl2") || canvas.getContext("webgl"));
    } catch { return false; }
  }

  function say(text) {
    byId("no-view").textContent = text || "";
    byId("no-view").hidden = !text;
  }

  async function draw(entry) {
    current = entry;
    const cuts = byId("cuts");
    cuts.replaceChildren();
    if (!entry) return say("No clash is chosen.");
    if (entry.a === null || entry.b === null) return say("A part of this clash is no longer there, so there is nothing to draw.");
    if (failed === null) failed = !hasWebGL();
    if (failed) return say("This browser draws no WebGL, so the view is left out. The table and the figures below need none.");
    say("");
    const made = scene(entry);
    cuts.replaceChildren(...made.cuts.map(text => Object.assign(document.createElement("li"), { textContent: text })));
    const config = { displaylogo: false, modeBarButtonsToRemove: ["tableRotation", "hoverClosest3d"], plotlyServerURL: "", showSendToCloud: false };
    try {
      await Plotly.react("view", made.traces, layout(made, entry), config);
      byId("view").dataset.drawn = entry.id;
    } catch (error) {
      failed = true;
      say("The view cannot be drawn: " + error.message);
    }
  }

  function toggle(id, change) {
    byId(id).addEventListener("click", () => {
      byId(id).setAttribute("aria-pressed", String(change()));
      draw(current);
    });
  }
  new ResizeObserver(() => {
    if (byId("view").dataset.drawn) Plotly.relayout("view", { width: stage.clientWidth, height: stage.clientHeight });
  }).observe(stage);
  toggle("near", () => (near = !near));
  toggle("solid", () => (solid = !solid));

  return { draw, again: () => draw(current) };
})();
