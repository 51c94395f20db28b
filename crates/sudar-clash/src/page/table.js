// The table, its filters and the figures beside the view.
(() => {
  const KINDS = ["hard", "contained", "duplicate", "touch", "clearance"];
  const STATUSES = ["new", "changed", "same", "gone"];
  // So many rows at once; a button brings more.
  const ROWS = 1000;
  const gone = data.document.gone;
  const entries = clashes.map((clash, i) => ({ clash, id: String(i), mark: marks[i], a: clash.a, b: clash.b, status: clash.status }))
    .concat((gone || []).map((clash, i) => ({ clash, id: "gone-" + i, mark: null, a: clash.a, b: clash.b, status: "gone" })));
  const state = { kinds: new Set(KINDS), statuses: new Set(STATUSES), part: null, sort: "kind", down: false, limit: ROWS, chosen: null };

  const make = (tag, text, kind) => {
    const element = document.createElement(tag);
    if (text !== undefined && text !== null) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  };
  const whole = n => n.toLocaleString("en");
  const short = x => (x === null || x === undefined ? "" : x === 0 ? "0" : String(Number(x.toPrecision(6))));
  const counts = (of, weight) => entries.reduce((map, e) => map.set(of(e), (map.get(of(e)) || 0) + weight(e)), new Map());
  // A bound by boxes may be many times the depth.
  const depthOf = e => (e.clash.depth_is === "box" ? null : e.clash.depth);
  const gapOf = e => (e.clash.kind === "clearance" ? e.clash.distance : null);

  // ---- what is shown -------------------------------------------------------
  const COLUMNS = [
    { key: "number", title: "#", number: true, of: e => (e.status === "gone" ? 1e9 + Number(e.id.slice(5)) : Number(e.id)) },
    ...(gone ? [{ key: "status", title: "since", of: e => STATUSES.indexOf(e.status) }] : []),
    { key: "kind", title: "kind", of: e => KINDS.indexOf(e.clash.kind) },
    { key: "a", title: "a", name: true, of: e => e.clash.names[0] },
    { key: "b", title: "b", name: true, of: e => e.clash.names[1] },
    { key: "depth", title: "depth", number: true, of: depthOf },
    { key: "gap", title: "gap", number: true, of: gapOf },
    { key: "pairs", title: "pairs", number: true, of: e => e.clash.triangle_pairs },
  ];
  const words = new Intl.Collator("en", { numeric: true });
  const order = (x, y) => {
    if (x === y) return 0;
    // What has no value comes last either way round.
    if (x === null || x === undefined) return state.down ? -1 : 1;
    if (y === null || y === undefined) return state.down ? 1 : -1;
    return typeof x === "string" ? words.compare(x, y) : x - y;
  };
  const plain = (x, y) => COLUMNS[0].of(x) - COLUMNS[0].of(y);

  function limitOf(id) {
    const text = byId(id).value.trim(), value = Number(text.replace(",", "."));
    byId(id).classList.toggle("wrong", text !== "" && !Number.isFinite(value));
    return text === "" || !Number.isFinite(value) ? null : value;
  }

  function shown() {
    const terms = byId("search").value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const depth = limitOf("depth"), gap = limitOf("gap");
    const fits = e => {
      const names = e.clash.names.join("\n").toLocaleLowerCase();
      return state.kinds.has(e.clash.kind) && (!gone || state.statuses.has(e.status))
        && (state.part === null || e.a === state.part || e.b === state.part)
        && terms.every(term => names.includes(term))
        && (depth === null || (depthOf(e) ?? -Infinity) >= depth)
        && (gap === null || (gapOf(e) ?? Infinity) <= gap);
    };
    const column = COLUMNS.find(c => c.key === state.sort), sign = state.down ? -1 : 1;
    // Of one kind the worst first: the deepest, then the narrowest gap.
    const worst = (x, y) => (depthOf(y) ?? 0) - (depthOf(x) ?? 0) || (gapOf(x) ?? 0) - (gapOf(y) ?? 0);
    const rest = state.sort === "kind" ? worst : () => 0;
    return entries.filter(fits).sort((x, y) => sign * order(column.of(x), column.of(y)) || rest(x, y) || plain(x, y));
  }

  // ---- table ---------------------------------------------------------------
  let list = [];
  const body = byId("clashes").tBodies[0];

  function heads() {
    const row = make("tr");
    for (const column of COLUMNS) {
      const head = make("th", null, column.number ? "number" : column.name ? "name" : ""), button = make("button", column.title);
      button.type = "button";
      button.dataset.sort = column.key;
      head.append(button);
      head.scope = "col";
      if (column.key === state.sort) head.ariaSort = state.down ? "descending" : "ascending";
      row.append(head);
    }
    byId("clashes").tHead.replaceChildren(row);
  }

  function rowOf(e) {
    const row = make("tr", null, e.status === "gone" ? "was" : "");
    row.dataset.id = e.id;
    row.ariaSelected = String(e === state.chosen);
    row.append(make("td", e.status === "gone" ? "–" : e.id, "number"));
    if (gone) row.append(tag(e.status));
    row.append(tag(e.clash.kind, e.clash.was ? " was " + e.clash.was : ""));
    for (const name of e.clash.names) row.append(make("td", name, "name"));
    for (const value of [short(depthOf(e)), short(gapOf(e)), e.clash.triangle_pairs === undefined ? "" : whole(e.clash.triangle_pairs)]) {
      row.append(make("td", value, "number"));
    }
    return row;
  }

  function tag(word, more) {
    const cell = make("td"), text = make("span", word, "tag " + word);
    if (more) text.append(make("small", more));
    cell.append(text);
    return cell;
  }

  function fill() {
    list = shown();
    const visible = list.slice(0, state.limit);
    body.replaceChildren(...visible.map(rowOf));
    if (!list.length) {
      const cell = make("td", entries.length ? "Nothing fits the filter." : "There are no clashes.", "empty");
      cell.colSpan = COLUMNS.length;
      const row = make("tr");
      row.append(cell);
      body.append(row);
    }
    byId("count").textContent = `${whole(list.length)} of ${whole(entries.length)}`;
    const left = list.length - visible.length;
    byId("more").hidden = !left;
    byId("more").textContent = `Show ${whole(Math.min(left, ROWS))} more of ${whole(left)}`;
    heads();
  }

  function refill() {
    state.limit = ROWS;
    fill();
    byId("rows").scrollTop = 0;
  }

  // ---- the clash chosen ----------------------------------------------------
  function choose(e, follow) {
    state.chosen = e;
    for (const row of body.rows) row.ariaSelected = String(Boolean(e) && row.dataset.id === e.id);
    if (follow) body.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
    const head = byId("chosen"), facts = byId("facts");
    head.replaceChildren();
    facts.replaceChildren();
    byId("tools").hidden = !e;
    if (e) {
      const [a, b] = e.clash.names;
      head.append(make("span", e.clash.kind, "tag " + e.clash.kind), " ", make("span", a, "a"), " – ", make("span", b, "b"));
      byId("key-a").textContent = a;
      byId("key-b").textContent = b;
      byId("key-hit").textContent = e.clash.kind === "clearance" ? "gap" : "where they meet";
      for (const [term, value] of told(e)) facts.append(make("dt", term), make("dd", value));
    }
    view.draw(e);
  }

  const vector = v => v.map(x => short(x)).join(", ");
  // What the depth is called, and what it says.
  const MEASURES = {
    region: ["depth", "how far they are in each other there, in the deepest region"],
    penetration: ["depth", "the shortest way that separates them as wholes"],
    box: ["way out ≤", "along the normal until their boxes are apart: a bound, the depth may be far less"],
  };
  function told(e) {
    const c = e.clash, rows = [];
    const part = (i, side) => rows.push([side, i === null ? "no longer there" : `part ${i}, ${whole(parts[i].triangles)} triangles, ${parts[i].closed ? "closed" : "open"}`]);
    if (e.status) rows.push(["since baseline", e.status + (c.was ? `, was ${c.was}` : "")]);
    part(e.a, "a");
    part(e.b, "b");
    if (c.depth !== null && c.depth !== undefined) {
      const [name, meaning] = MEASURES[c.depth_is] || ["depth", c.depth_is || ""];
      const least = c.depth_at_least ? `${Number(c.depth_at_least.toPrecision(3))} to ` : "";
      rows.push([name, `${least}${Number(c.depth.toPrecision(3))}, ${meaning}`]);
      if (c.form) rows.push(["form", c.form]);
      if (c.regions && c.regions.length > 1) rows.push(["regions", whole(c.regions.length)]);
    }
    if (gapOf(e) !== null) rows.push(["gap", String(Number(c.distance.toPrecision(9)))]);
    if (c.point) rows.push([c.kind === "clearance" ? "middle" : "point", vector(c.point)]);
    if (c.normal) rows.push(["normal a → b", vector(c.normal)]);
    if (c.triangle_pairs) rows.push(["triangle pairs", whole(c.triangle_pairs)]);
    return rows;
  }

  // ---- summary -------------------------------------------------------------
  function verdict() {
    const n = clashes.length, text = byId("verdict");
    const triangles = parts.reduce((sum, p) => sum + p.triangles, 0);
    text.append(make("b", whole(n)), n === 1 ? "clash" : "clashes");
    // Left out where equal checks are to give equal pages.
    const seconds = data.document.seconds;
    const took = seconds === undefined ? "" : ` in ${seconds.toPrecision(3)} s`;
    text.append(make("span", ` · ${whole(parts.length)} parts, ${whole(triangles)} triangles · ${whole(data.document.candidates)} pairs examined${took}`, "quiet"));
    if (gone) text.append(make("span", ` · compared with ${data.baseline}`, "quiet"));
    const open = parts.filter(p => !p.closed).length;
    if (open) text.append(make("span", ` · ${whole(open)} not closed and so without an inside`, "quiet"));
  }

  function chips(id, names, number, chosen) {
    byId(id).replaceChildren(...names.filter(name => number.has(name)).map(name => {
      const chip = make("button", null, "chip " + (chosen.has(name) ? "on" : ""));
      chip.type = "button";
      chip.dataset.name = name;
      chip.ariaPressed = String(chosen.has(name));
      chip.append(make("span", null, "dot " + name), make("b", whole(number.get(name))), name);
      chip.addEventListener("click", () => {
        if (!chosen.delete(name)) chosen.add(name);
        chip.classList.toggle("on", chosen.has(name));
        chip.ariaPressed = String(chosen.has(name));
        refill();
      });
      return chip;
    }));
  }

  function byPart() {
    const rows = new Map();
    for (const e of entries) if (e.status !== "gone") for (const i of [e.a, e.b]) {
      if (!rows.has(i)) rows.set(i, { i, n: 0, kinds: new Map() });
      const row = rows.get(i);
      row.n++;
      row.kinds.set(e.clash.kind, (row.kinds.get(e.clash.kind) || 0) + 1);
    }
    const sorted = [...rows.values()].sort((x, y) => y.n - x.n || x.i - y.i);
    const head = make("tr");
    for (const title of ["part", "clashes", "", "triangles"]) head.append(make("th", title, title === "part" ? "name" : title ? "number" : ""));
    byId("parts").tHead.replaceChildren(head);
    const most = sorted.length ? sorted[0].n : 1;
    byId("parts").tBodies[0].replaceChildren(...sorted.slice(0, ROWS).map(({ i, n, kinds }) => {
      const row = make("tr"), bar = make("span", null, "bar"), cell = make("td");
      row.dataset.part = i;
      bar.style.width = 90 * n / most + "px";
      for (const kind of KINDS) if (kinds.get(kind)) {
        const piece = make("i", null, kind);
        piece.style.flexGrow = kinds.get(kind);
        piece.title = `${kinds.get(kind)} ${kind}`;
        bar.append(piece);
      }
      cell.append(bar);
      row.append(make("td", parts[i].name, "name"), make("td", whole(n), "number"), cell, make("td", whole(parts[i].triangles), "number"));
      row.addEventListener("click", () => onlyPart(i));
      return row;
    }));
    byId("by-part").querySelector("summary").textContent = `By part: ${whole(sorted.length)} of ${whole(parts.length)} parts have clashes`;
    byId("parts-more").textContent = sorted.length > ROWS ? `The ${whole(ROWS)} parts with the most clashes; ${whole(sorted.length - ROWS)} more are in the table below.` : "";
  }

  function onlyPart(i) {
    state.part = i;
    byId("part-filter").hidden = i === null;
    if (i !== null) byId("part-filter").textContent = `part ${i}: ${parts[i].name} ×`;
    refill();
  }

  // ---- hands ---------------------------------------------------------------
  byId("clashes").addEventListener("click", event => {
    const key = event.target.closest("button")?.dataset.sort, row = event.target.closest("tbody tr[data-id]");
    if (key) {
      state.down = state.sort === key ? !state.down : ["depth", "pairs"].includes(key);
      state.sort = key;
      refill();
      byId("clashes").tHead.querySelector(`[data-sort="${key}"]`).focus();
    } else if (row) choose(entries.find(e => e.id === row.dataset.id));
  });
  byId("more").addEventListener("click", () => { state.limit += ROWS; fill(); });
  byId("part-filter").addEventListener("click", () => onlyPart(null));
  byId("filter").addEventListener("input", refill);
  byId("filter").addEventListener("submit", event => event.preventDefault());
  byId("filter").addEventListener("reset", () => setTimeout(() => {
    state.kinds = new Set(KINDS);
    state.statuses = new Set(STATUSES);
    summary();
    onlyPart(null);
  }));
  document.addEventListener("keydown", event => {
    const typing = event.target.matches("input");
    if (event.key === "/" && !typing) { event.preventDefault(); byId("search").focus(); return; }
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey || (typing && event.key.length === 1)) return;
    event.preventDefault();
    const next = list[Math.max(0, Math.min(list.length - 1, list.indexOf(state.chosen) + step))];
    if (next && list.indexOf(next) >= state.limit) { state.limit += ROWS; fill(); }
    if (next) choose(next, true);
  });

  // ---- light and dark --------------------------------------------------------
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = name => {
    document.documentElement.dataset.theme = name;
    document.documentElement.style.colorScheme = name;
    view.again();
  };
  document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
  dark.addEventListener("change", () => theme(dark.matches ? "dark" : "light"));
  byId("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));

  function summary() {
    // The kinds of what is there; a kind of which all are gone has a chip too.
    chips("kinds", KINDS, counts(e => e.clash.kind, e => Number(e.status !== "gone")), state.kinds);
    if (gone) chips("statuses", STATUSES, counts(e => e.status, () => 1), state.statuses);
    byId("statuses").hidden = !gone;
  }

  verdict();
  summary();
  byPart();
  // Where the list leaves room for it.
  byId("by-part").open = entries.length > 0 && entries.length <= 12;
  fill();
  choose(list[0] || null);
})();
