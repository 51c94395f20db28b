// What the page holds: one JSON object and, behind it, lists of numbers. And small words that all of the page uses.
const byId = id => document.getElementById(id);
const make = (tag, text, kind) => {
  const element = document.createElement(tag);
  // Names reach the page as text only, never as markup.
  if (text !== undefined && text !== null) element.textContent = text;
  if (kind) element.className = kind;
  return element;
};
const grouped = new Intl.NumberFormat("en"), whole = n => grouped.format(n);
const short = (x, digits = 6) => (x === null || x === undefined ? "" : x === 0 ? "0" : String(Number(x.toPrecision(digits))));
// A point: coordinates to a thousandth of a millimetre, and at least six digits of the greatest.
const METRES = { um: 1e-6, mm: 1e-3, cm: 1e-2, m: 1, km: 1e3, in: 0.0254, ft: 0.3048, yd: 0.9144 };
function place(p) {
  const most = Math.max(...p.map(Math.abs)), power = x => Math.ceil(Math.log10(x) - 1e-12);
  const decimals = Math.min(17, Math.max(0, power((METRES[report.unit] ?? 1) / 1e-6), most > 0 ? 6 - power(most) : 0));
  return p.map(x => String(Number(x.toFixed(decimals)) + 0)).join(", ");
}

// A coordinate to a thousandth of a length, however far out it is.
const fine = (x, length) => String(Number(x.toFixed(Math.max(0, Math.min(12, 3 - Math.floor(Math.log10(length || 1)))))));

async function unpacked(text) {
  if (!("DecompressionStream" in window)) {
    throw new Error("This browser is too old for the report: it needs Chrome or Edge 80, Firefox 113, Safari 16.4, or a later one.");
  }
  const packed = atob(text), bytes = new Uint8Array(packed.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = packed.charCodeAt(i);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

const bytes = await unpacked(byId("data").textContent);
const jsonLength = new DataView(bytes).getUint32(0, true);
const data = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, jsonLength)));
const numbers = ([start, count, width]) => new (width === 2 ? Uint16Array : Uint32Array)(bytes, 4 + jsonLength + start, count);

const report = data.document, parts = report.parts;
const unit = report.unit ? " " + report.unit : "";

// Boxes.
const AXES = [0, 1, 2];
const mid = b => AXES.map(k => (b.min[k] + b.max[k]) / 2);
const join = (s, t) => ({ min: s.min.map((x, k) => Math.min(x, t.min[k])), max: s.max.map((x, k) => Math.max(x, t.max[k])) });
const extent = b => Math.max(...AXES.map(k => b.max[k] - b.min[k]));
const diagonal = b => Math.hypot(...AXES.map(k => b.max[k] - b.min[k]));
