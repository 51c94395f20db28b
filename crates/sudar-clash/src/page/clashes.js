// The clashes as the page lists them, what is said about each, and which of them are shown.
const KINDS = ["hard", "contained", "duplicate", "touch", "clearance"];
const SINCE = ["new", "changed", "deeper", "shallower", "same", "gone"];
const REVIEWS = ["new", "active", "resolved", "accepted", "ignored"];
const SEVERITIES = ["critical", "major", "minor"];
const gone = report.gone, groups = report.groups || [];

const entries = report.clashes
  .map((clash, i) => ({ clash, id: String(i), mark: data.drawing.marks[i], a: clash.a, b: clash.b, since: clash.status }))
  .concat((gone || []).map((clash, i) => ({ clash, id: "gone-" + i, mark: null, a: clash.a, b: clash.b, since: "gone" })));
for (const e of entries) e.review = { status: "new", assignee: "", comment: "", ...e.clash.review };

const state = { kinds: new Set(KINDS), since: new Set(SINCE), reviews: new Set(REVIEWS), part: null, group: null, severities: new Set(SEVERITIES), sort: report.clashes.some(clash => clash.severity) ? "severity" : "kind", down: false, limit: 0, groups: 0, chosen: null, ticked: new Set() };

// A bound by boxes may be many times the depth.
const depthOf = e => (e.clash.depth_is === "box" ? null : e.clash.depth);
const gapOf = e => (e.clash.kind === "clearance" ? e.clash.distance : null);
const isOpen = e => e.since !== "gone" && ["new", "active"].includes(e.review.status);
const certain = e => (depthOf(e) === null ? -1 : e.clash.depth_at_least ?? 0);
// Of one kind the worst first: what is certainly deepest, then the narrowest gap.
const worst = (x, y) => KINDS.indexOf(x.clash.kind) - KINDS.indexOf(y.clash.kind)
  || certain(y) - certain(x) || (depthOf(y) ?? 0) - (depthOf(x) ?? 0) || (gapOf(x) ?? 0) - (gapOf(y) ?? 0);
const counts = (list, of) => list.reduce((map, e) => map.set(of(e), (map.get(of(e)) || 0) + 1), new Map());

// What a clash was in the baseline.
const beforeOf = e => (e.since === "gone" ? e.clash : e.clash.before);
function beforeText(e) {
  const old = beforeOf(e);
  if (!old) return "–";
  const length = old.kind === "clearance" ? old.distance : old.depth;
  return old.kind + (length === null ? "" : " " + short(length, 4));
}

const COLUMNS = [
  { key: "number", title: "#", kind: "number", of: e => (e.since === "gone" ? 1e9 + Number(e.id.slice(5)) : Number(e.id)) },
  ...(gone ? [
    { key: "since", title: "since", of: e => SINCE.indexOf(e.since) },
    // Beside what it is now.
    { key: "before", title: "before" + (unit && "," + unit), of: e => (beforeOf(e) ? KINDS.indexOf(beforeOf(e).kind) : null) },
  ] : []),
  ...(report.clashes.some(clash => clash.severity) ? [{ key: "severity", title: "severity", of: e => (e.clash.severity ? SEVERITIES.indexOf(e.clash.severity) : null) }] : []),
  { key: "kind", title: "kind", of: e => KINDS.indexOf(e.clash.kind) },
  { key: "a", title: "a", kind: "name", of: e => e.clash.names[0] },
  { key: "b", title: "b", kind: "name", of: e => e.clash.names[1] },
  { key: "depth", title: "depth" + (unit && "," + unit), kind: "number", of: depthOf },
  ...(entries.some(e => gapOf(e) !== null) ? [{ key: "gap", title: "gap" + (unit && "," + unit), kind: "number", of: gapOf }] : []),
  { key: "review", title: "review", of: e => REVIEWS.indexOf(e.review.status) },
];

// The file of a part is as good as a property where there are several.
for (const part of parts) if (part.file !== undefined) part.properties = { file: report.files[part.file], ...part.properties };

// Names and properties of a part, to be searched.
const words = parts.map(part => [part.name, ...Object.values(part.properties || {})].join("\n").toLocaleLowerCase());
const wordsOf = e => [[e.a, 0], [e.b, 1]].map(([i, side]) => (i === null ? e.clash.names[side].toLocaleLowerCase() : words[i])).concat(e.clash.place?.toLocaleLowerCase() ?? []).join("\n");

function limitOf(id) {
  const text = byId(id).value.trim(), value = Number(text.replace(",", "."));
  byId(id).classList.toggle("wrong", text !== "" && !Number.isFinite(value));
  return text === "" || !Number.isFinite(value) ? null : value;
}

const collator = new Intl.Collator("en", { numeric: true });
function order(x, y) {
  if (x === y) return 0;
  // What has no value comes last either way round.
  if (x === null || x === undefined) return state.down ? -1 : 1;
  if (y === null || y === undefined) return state.down ? 1 : -1;
  return typeof x === "string" ? collator.compare(x, y) : x - y;
}

// The entries that fit the filters, in order.
function shown() {
  const terms = byId("search").value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const depth = limitOf("depth"), gap = limitOf("gap");
  const fits = e => state.kinds.has(e.clash.kind) && (!e.clash.severity || state.severities.has(e.clash.severity)) && (!gone || state.since.has(e.since)) && state.reviews.has(e.review.status)
    && (state.part === null || e.a === state.part || e.b === state.part)
    && (state.group === null || e.clash.group === state.group)
    && (!terms.length || terms.every(term => wordsOf(e).includes(term)))
    && (depth === null || (depthOf(e) ?? -Infinity) >= depth)
    && (gap === null || (gapOf(e) ?? Infinity) <= gap);
  const column = COLUMNS.find(c => c.key === state.sort), sign = state.down ? -1 : 1;
  return entries.filter(fits).sort((x, y) => sign * order(column.of(x), column.of(y)) || (["kind", "severity"].includes(state.sort) && worst(x, y)) || COLUMNS[0].of(x) - COLUMNS[0].of(y));
}

// What the depth is called, and what it says.
const MEASURES = {
  region: ["depth", "how far they are in each other there, in the deepest region"],
  penetration: ["depth", "the shortest way that separates them as wholes"],
  box: ["way out ≤", "along the normal until their boxes are apart: a bound, the depth may be far less"],
};

const depthTextOf = e => depthText(e.clash.depth_at_least, depthOf(e));
function depthText(least, most) {
  if (most === null || most === undefined) return "";
  return (least && least.toPrecision(3) !== most.toPrecision(3) ? `${short(least, 3)} to ` : "") + short(most, 3);
}

const changeText = change => `${change.of} ${short(change.was, 4)} to ${short(change.now, 4)}${unit}`;

// What is to say about an entry: terms and values.
function told(e) {
  const c = e.clash, rows = [], vector = v => v.map(x => short(x)).join(", ");
  const about = i => {
    const { triangles, closed, properties } = parts[i];
    return [parts[i].name, `part ${i}, ${whole(triangles)} triangles, ${closed ? "closed" : "open"}`, ...Object.entries(properties || {}).map(([key, value]) => `${key}: ${value}`)].join("\n");
  };
  if (e.since) rows.push(["since baseline", e.since + (c.was ? `, was ${c.was}` : "") + (c.change ? ": " + changeText(c.change) : "")]);
  if (c.review?.reopened) rows.push(["open again", changeText(c.review.reopened)]);
  if (c.depth !== null && c.depth !== undefined) {
    const [name, meaning] = MEASURES[c.depth_is] || ["depth", c.depth_is || ""];
    rows.push([name, `${depthText(c.depth_at_least, c.depth)}${unit}, ${meaning}`]);
  }
  if (c.separation) {
    const { length, direction } = c.separation, axis = direction.findIndex(x => Math.abs(x) > 0.999999);
    const along = axis < 0 ? `(${direction.map(x => short(x, 3)).join(", ")})` : (direction[axis] < 0 ? "-" : "") + "xyz"[axis];
    rows.push(["to separate", `move b by ${short(length.upper, 4)}${unit} along ${along}` + (length.lower > 0.95 * length.upper ? "" : `; no way is shorter than ${short(length.lower, 4)}${unit}`)]);
  }
  if (gapOf(e) !== null) rows.push(["gap", short(c.distance, 9) + unit]);
  if (c.form) rows.push(["form", c.form + (c.regions && c.regions.length > 1 ? `, in ${whole(c.regions.length)} regions` : "")]);
  if (c.verdict_without_band && c.verdict_without_band !== c.kind) rows.push(["without band", c.verdict_without_band]);
  if (c.group !== undefined) rows.push(["group", groups[c.group].name]);
  if (c.place) rows.push(["place", c.place]);
  if (c.zone) rows.push(["zone", c.zone]);
  if (c.severity) rows.push(["severity", c.severity]);
  if (c.point) rows.push([c.kind === "clearance" ? "middle" : "point", place(c.point) + unit]);
  if (c.normal) rows.push(["normal a → b", vector(c.normal)]);
  if (c.triangle_pairs) rows.push(["triangle pairs", whole(c.triangle_pairs)]);
  rows.push(["a", e.a === null ? c.names[0] + "\nno longer there" : about(e.a)], ["b", e.b === null ? c.names[1] + "\nno longer there" : about(e.b)]);
  return rows;
}

// What is to say about the check: pieces of text.
function checked() {
  const triangles = parts.reduce((sum, part) => sum + part.triangles, 0), open = parts.filter(part => !part.closed).length;
  const took = report.seconds === undefined ? "" : ` in ${report.seconds.toPrecision(3)} s`;
  return [
    `${whole(parts.length)} parts, ${whole(triangles)} triangles`,
    `${whole(report.candidates)} pairs examined${took}`,
    gone && `compared with ${data.baseline}`,
    open && `${whole(open)} not closed and so without an inside`,
    report.unlisted && `${whole(report.unlisted)} more of equal parts in one place, not listed`,
  ].filter(Boolean);
}

function origin() {
  return [
    report.date && report.date.replace("T", " ").replace("Z", " UTC"),
    `sudar ${data.version}`,
    report.unit ? `lengths in ${report.unit}` : "unit of lengths unknown",
    report.clearance > 0 && `clearance ${short(report.clearance)}${unit}`,
    report.touch > 0 && `up to ${short(report.touch, 3)}${unit} counts as touching`,
    report.rules && `rules ${report.rules.join(", ")}`,
  ].filter(Boolean);
}

// What could not be checked.
function problems() {
  const named = one => [one.name, one.properties?.GlobalId].filter(Boolean).join(", ");
  return [
    ...(report.failed || []).map(one => `File ${one.file} could not be read: ${one.error}`),
    ...(report.lost || []).map(one => `Element ${named(one)} of ${one.file} is missing: ${one.error}`),
  ];
}
