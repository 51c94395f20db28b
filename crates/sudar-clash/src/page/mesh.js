// Meshes as the page holds them: rounded positions, corners, and the edges worth a line.
const meshes = (() => {
  const known = new Map();

  // `v` holds three coordinates a vertex, `t` three vertices a triangle; `step` is how far rounding may be off.
  function get(part) {
    const place = data.drawing.parts[part];
    if (place.mesh === undefined) return null;
    if (!known.has(place.mesh)) known.set(place.mesh, read(data.drawing.meshes[place.mesh]));
    return known.get(place.mesh);
  }

  function read({ triangles, origin, step, vertices, corners }) {
    const steps = numbers(vertices), v = new Float64Array(steps.length);
    for (let i = 0; i < v.length; i++) v[i] = origin[i % 3] + steps[i] * step[i % 3];
    const t = numbers(corners);
    return { triangles, v, t, kept: t.length / 3, step: Math.max(...step), edges: null };
  }

  // The vertices of a part in the world, from `from`.
  function placed(part, from) {
    const { v } = get(part), pose = data.drawing.parts[part].pose, out = new Float64Array(v.length);
    const [fx, fy, fz] = from;
    for (let i = 0; i < out.length; i += 3) {
      let x = v[i], y = v[i + 1], z = v[i + 2];
      if (pose) [x, y, z] = [0, 3, 6].map((r, k) => pose[r] * x + pose[r + 1] * y + pose[r + 2] * z + pose[9 + k]);
      out[i] = x - fx; out[i + 1] = y - fy; out[i + 2] = z - fz;
    }
    return out;
  }

  function normal(v, t, i) {
    const a = 3 * t[3 * i], b = 3 * t[3 * i + 1], c = 3 * t[3 * i + 2];
    const dx = v[b] - v[a], dy = v[b + 1] - v[a + 1], dz = v[b + 2] - v[a + 2];
    const ex = v[c] - v[a], ey = v[c + 1] - v[a + 1], ez = v[c + 2] - v[a + 2];
    const x = dy * ez - dz * ey, y = dz * ex - dx * ez, z = dx * ey - dy * ex, size = Math.hypot(x, y, z) || 1;
    return [x / size, y / size, z / size];
  }

  // Pairs of vertices: edges of one triangle only, or between triangles at an angle. Of all kept triangles, or of `shown`.
  function edges(m, shown) {
    if (!shown && m.edges) return m.edges;
    const list = shown || Uint32Array.from({ length: m.kept }, (_, i) => i);
    let room = 8;
    while (room < 6 * list.length) room *= 2;
    // A hash table: slots hold the number of an edge and one.
    const slots = new Int32Array(room), ends = new Uint32Array(6 * list.length), count = new Uint8Array(3 * list.length);
    const normals = new Float32Array(9 * list.length), bent = new Uint8Array(3 * list.length);
    let edges = 0;
    for (const i of list) {
      const n = normal(m.v, m.t, i);
      for (let k = 0; k < 3; k++) {
        const s = m.t[3 * i + k], e = m.t[3 * i + (k + 1) % 3], p = Math.min(s, e), q = Math.max(s, e);
        let slot = (Math.imul(p, 0x9e3779b1) ^ Math.imul(q, 0x85ebca6b)) >>> 0 & room - 1;
        while (slots[slot] && (ends[2 * slots[slot] - 2] !== p || ends[2 * slots[slot] - 1] !== q)) slot = slot + 1 & room - 1;
        if (!slots[slot]) {
          ends[2 * edges] = p; ends[2 * edges + 1] = q;
          normals.set(n, 3 * edges);
          slots[slot] = ++edges;
        }
        const at = slots[slot] - 1, same = n[0] * normals[3 * at] + n[1] * normals[3 * at + 1] + n[2] * normals[3 * at + 2];
        if (count[at] < 3) count[at]++;
        if (Math.abs(same) <= 0.9) bent[at] = 1;
      }
    }
    const out = [];
    for (let at = 0; at < edges; at++) if (count[at] !== 2 || bent[at]) out.push(ends[2 * at], ends[2 * at + 1]);
    if (!shown) m.edges = out;
    return out;
  }

  // Three coordinates of each of these vertices.
  function points(v, list) {
    const out = new Float32Array(3 * list.length);
    for (let i = 0; i < list.length; i++) for (let k = 0; k < 3; k++) out[3 * i + k] = v[3 * list[i] + k];
    return out;
  }

  // How far the positions of all meshes read so far may be off at most: half a step along each axis.
  const rounding = () => Math.max(0, ...[...known.values()].map(m => m.step * Math.sqrt(3) / 2));

  return { get, placed, normal, edges, points, rounding };
})();

// The twelve edges of a box, from `from`.
function boxEdges(b, from) {
  const ends = [], at = i => AXES.map(k => (i >> k & 1 ? b.max : b.min)[k] - from[k]);
  for (let i = 0; i < 8; i++) for (const bit of [1, 2, 4]) if (!(i & bit)) ends.push(...at(i), ...at(i | bit));
  return ends;
}
