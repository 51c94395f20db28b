// The 3-D view of one clash: both parts, the area in the overlap, where they meet, and the parts around them.
const view = (() => {
  // A view shows no more triangles of one part than this: those nearest to the clash.
  const SHOWN = 20000;
  const look = { frame: "place", context: parts.length > 2, solid: false };
  const stage = { home: byId("view"), canvas: null, around: null };
  // Made when something is printed, and kept: a page may have few of them.
  const paper = { home: make("div"), fixed: null, canvas: null, around: null };
  let current = null, failed = false;

  const color = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

  // The triangles to show: all, or those nearest to a point.
  function nearest(m, v, at) {
    const all = Uint32Array.from({ length: m.kept }, (_, i) => i);
    if (m.kept <= SHOWN) return all;
    const far = new Float64Array(m.kept);
    for (const i of all) for (const k of AXES) {
      far[i] += ((v[3 * m.t[3 * i] + k] + v[3 * m.t[3 * i + 1] + k] + v[3 * m.t[3 * i + 2] + k]) / 3 - at[k]) ** 2;
    }
    return all.sort((i, j) => far[i] - far[j]).slice(0, SHOWN);
  }

  // Adds one part to the picture, and what is left out of it to the cuts. Gives its mesh in its place, if it is kept.
  function part(number, side, made) {
    const paint = color(side), m = meshes.get(number), { name, triangles, bounds } = parts[number];
    let shown = 0, v = null;
    if (m && m.kept) {
      v = meshes.placed(number, made.from);
      const list = nearest(m, v, made.at), all = list.length === m.kept;
      shown = list.length;
      const corners = all ? m.t : Uint32Array.from([...list].flatMap(i => [...m.t.subarray(3 * i, 3 * i + 3)]));
      made.parts.push({ name: side, kind: "faces", points: meshes.points(v, corners), color: paint, opacity: look.solid ? 1 : 0.3 });
      made.edges.push({ name: side + " edges", kind: "strips", points: meshes.points(v, meshes.edges(m, all ? null : list)), color: paint, width: 1.5, opacity: 0.6 });
    }
    if (shown < triangles) {
      made.cuts.push(`${name}: ${shown ? whole(shown) : "none"} of ${whole(triangles)} triangles shown, ${shown ? "those around its clashes" : "to keep the file small"}; its box is outlined`);
      made.edges.push({ name: side + " box", kind: "strips", points: boxEdges(bounds, made.from), color: paint, width: 2 });
    }
    return v && { m, v, closed: parts[number].closed };
  }

  const offset = (b, from) => ({ min: b.min.map((x, k) => x - from[k]), max: b.max.map((x, k) => x - from[k]) });

  // Everything is drawn from the middle of both parts, so that 32-bit numbers will do however far off these are.
  function scene(entry) {
    const { clash, mark, a, b } = entry;
    const point = clash.point || mid(parts[a].bounds), union = join(parts[a].bounds, parts[b].bounds), from = mid(union);
    const made = { parts: [], area: [], edges: [], marks: [], cuts: [], from, at: point.map((x, k) => x - from[k]), union, focus: { min: point, max: point } };
    const sides = [part(a, "a", made), part(b, "b", made)];
    if (mark) marked(clash, mark, sides, made);
    made.marks.push({ name: "point", kind: "spots", points: made.at, color: color("hit"), width: 9 });
    return made;
  }

  function marked(clash, mark, sides, made) {
    const { min, max } = mark.focus, step = AXES.map(k => (max[k] - min[k]) / 65535), red = color("hit");
    const points = slice => Float32Array.from(numbers(slice), (x, i) => min[i % 3] + x * step[i % 3] - made.from[i % 3]);
    const curve = points(mark.curve), common = points(mark.area), regions = (clash.regions || []).map(region => region.bounds);
    made.focus = [mark.focus, ...regions].reduce(join);
    if (mark.gap) made.marks.push({ name: "gap", kind: "strips", points: mark.gap.flatMap(p => p.map((x, k) => x - made.from[k])), color: red, width: 6 });
    if (curve.length) made.marks.push({ name: "curve", kind: "strips", points: curve, color: red, width: 3 });
    if (common.length) made.area.push({ name: "common area", kind: "faces", points: common, color: red, lift: 0.0002 });
    // What only touches has nothing else in common.
    if (clash.kind !== "clearance" && (clash.kind !== "touch" || regions.length) && sides[0] && sides[1]) {
      sides.forEach((side, k) => (side.hit = numbers(mark.hit[k])));
      overlap(sides, regions.map(b => offset(b, made.from)), Array.from(curve)).forEach((points, k) => {
        if (points.length) made.area.push({ name: "ab"[k] + " overlap", kind: "faces", points, color: red, lift: 0.0002 });
      });
    }
    const [all, shown] = mark.pairs;
    if (shown < all) made.cuts.push(`Where they meet: ${whole(shown)} of ${whole(all)} pairs of triangles marked`);
  }

  // The parts around, made once for each canvas.
  function surroundings(entry, made, on) {
    if (!on.around) {
      const all = context.made();
      on.around = { ...all, held: { faces: on.canvas.hold("faces", all.faces), lines: on.canvas.hold("hairs", all.lines) } };
    }
    const { held, said } = on.around, move = context.from.map((x, k) => x - made.from[k]), isOn = legend.isOn();
    if (said) made.cuts.push(said);
    const opacity = { faces: isOn ? (look.solid ? 1 : 0.16) : 0.045, lines: isOn ? 0.5 : 0.2 };
    const layer = (which, { paint, has }) => ({
      name: which === "faces" ? "context" : "context edges", kind: "", held: held[which], points: on.around[which], move, color: paint, opacity: opacity[which],
      ranges: context.ranges(on.around, which, i => i !== entry.a && i !== entry.b && has(i)),
    });
    return ["faces", "lines"].flatMap(which => legend.shown().map(item => layer(which, item)));
  }

  // A cube around the clash, wide enough to see how thick the thinner part is, and no larger than both.
  function place(made, entry) {
    const boxes = [parts[entry.a].bounds, parts[entry.b].bounds], thin = Math.min(...boxes.map(b => Math.min(...AXES.map(k => b.max[k] - b.min[k]))));
    const least = Math.max(1.5 * thin, 0.03 * Math.min(...boxes.map(extent)), 4 * (entry.clash.distance || 0));
    const half = Math.min(0.6 * extent(made.union), Math.max(1.5 * extent(made.focus), least)) || 1;
    return mid(made.focus).map((x, k) => [x - half - made.from[k], x + half - made.from[k]]);
  }

  // A box with a little room.
  function roomy(b, from) {
    const room = 0.03 * extent(b) || 1;
    return AXES.map(k => [b.min[k] - room - from[k], b.max[k] + room - from[k]]);
  }

  // A label lies over everything, so that the place is seen also inside of parts. Its text is never a name.
  function label(made, entry) {
    const { kind, distance } = entry.clash;
    const text = entry.since === "gone" ? "gone: " + kind : kind === "clearance" ? "gap " + short(distance, 4) + unit : kind;
    return { at: made.at, text, color: color("hit") };
  }

  function frame(made, entry, name) {
    const bounds = name === "place" ? place(made, entry) : roomy(name === "parts" ? made.union : context.bounds, made.from);
    const across = Math.max(...bounds.map(([low, high]) => high - low)), caption = zoom => `${short(across / zoom, 3)}${unit} across`;
    return { bounds, caption, reach: diagonal(context.bounds), key: entry.id + name, label: label(made, entry), ink: color("quiet"), card: color("card") };
  }

  // Draws an entry whose parts are there.
  function onto(on, entry, name) {
    const made = scene(entry);
    on.canvas ||= canvas3d(on.home, on.fixed);
    const around = look.context ? surroundings(entry, made, on) : [];
    // In what is seen through, the area in the overlap comes after the surfaces that would dim it.
    const framed = frame(made, entry, name), layers = [...around, ...made.parts, ...made.area, ...made.edges, ...made.marks];
    if (on === stage) handled(made, framed, layers);
    on.canvas.draw({ ...framed, layers });
    return { layers, cuts: made.cuts };
  }

  // What belongs to the screen alone: the section box, and measuring.
  function handled(made, framed, layers) {
    const faces = layers.filter(layer => layer.kind === "faces" || layer.name === "context");
    framed.cut = section.cut(framed.bounds, made.from);
    framed.pressed = sight => measure.pressed(faces, framed.cut, made.from, sight);
    layers.push(...measure.marks(made.from));
  }

  function say(text) {
    byId("no-view").textContent = text || "";
    byId("no-view").hidden = !text;
  }

  function draw(entry) {
    current = entry;
    byId("cuts").replaceChildren();
    if (!entry) return say("No clash is chosen.");
    if (!isThere(entry)) return say("A part of this clash is no longer there, so there is nothing to draw.");
    let drawn = null;
    try {
      if (!failed) drawn = onto(stage, entry, look.frame);
    } catch (error) {
      failed = true;
      console.warn(error);
    }
    if (!drawn) return say("This browser draws no WebGL, so the view is left out. The table and the figures need none.");
    say("");
    byId("cuts").replaceChildren(...drawn.cuts.map(text => make("li", text)));
    Object.assign(byId("view").dataset, { drawn: entry.id, shown: drawn.layers.filter(layer => (layer.held ? layer.ranges.length : layer.points.length)).map(layer => layer.name).filter((name, i, all) => all.indexOf(name) === i).sort().join(", ") });
  }

  const isThere = entry => entry.a !== null && entry.b !== null;

  // Pictures of these entries for paper, of this size, as long as they can be drawn.
  function pictures(list, size) {
    paper.fixed = size;
    try {
      return list.filter(isThere).map(entry => {
        onto(paper, entry, "place");
        return { entry, url: paper.canvas.picture(color("card")) };
      });
    } catch (error) {
      console.warn(error);
      return [];
    }
  }

  function pressed() {
    for (const button of document.querySelectorAll("#tools [data-frame]")) button.ariaPressed = String(button.dataset.frame === look.frame);
    for (const name of ["context", "solid"]) byId(name).ariaPressed = String(look[name]);
    byId("context").hidden = parts.length <= 2;
  }
  byId("tools").addEventListener("click", event => {
    const button = event.target.closest("button");
    if (!button || button.id === "measure") return;
    if (button.dataset.frame) look.frame = button.dataset.frame;
    else look[button.id] = !look[button.id];
    pressed();
    draw(current);
  });
  pressed();

  const kept = () => ({ look: { ...look }, camera: stage.canvas?.camera() });
  function restore(from) {
    Object.assign(look, from.look);
    pressed();
    draw(current);
    if (from.camera) stage.canvas?.look(from.camera);
  }
  return { color, draw, again: () => draw(current), pictures, kept, restore };
})();
