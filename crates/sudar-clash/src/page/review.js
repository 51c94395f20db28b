// What people decide about clashes: set here, kept in this browser, and written to the file that the next check reads.
const review = (() => {
  const FIELDS = ["status", "assignee", "comment"];
  const field = name => byId("review-" + name);
  const key = "sudar clash review " + identity();
  let isKept = true;

  // A number for the clashes and what was decided about them when the page was made: of another report nothing is taken.
  function identity() {
    const text = JSON.stringify([data.title, report.clashes.map(c => [c.a, c.b, c.names, c.kind, c.review])]);
    let [s, t] = [0x811c9dc5, 0x9747b28c];
    for (let i = 0; i < text.length; i++) {
      s = Math.imul(s ^ text.charCodeAt(i), 0x01000193);
      t = Math.imul(t + text.charCodeAt(i), 0x85ebca6b) ^ t >>> 13;
    }
    return [s, t].map(x => (x >>> 0).toString(16)).join("-");
  }

  const told = e => ({ status: "new", assignee: "", comment: "", ...e.clash.review });
  const isChanged = e => e.since !== "gone" && FIELDS.some(name => e.review[name] !== told(e)[name]);
  const changed = () => entries.filter(isChanged);

  function load() {
    try {
      for (const [id, value] of Object.entries(JSON.parse(localStorage.getItem(key) || "{}"))) {
        const e = entries[id];
        if (e && REVIEWS.includes(value.status)) for (const name of FIELDS) e.review[name] = String(value[name] ?? "");
      }
    } catch { isKept = false; }
  }

  function save() {
    try {
      localStorage.setItem(key, JSON.stringify(Object.fromEntries(changed().map(e => [e.id, e.review]))));
    } catch { isKept = false; }
  }

  // ---- the form ------------------------------------------------------------------
  const others = () => [...state.ticked].filter(e => e !== state.chosen);
  const members = () => (state.chosen?.clash.group === undefined ? [] : groups[state.chosen.clash.group].clashes.map(i => entries[i]));

  function show() {
    const e = state.chosen;
    byId("review").hidden = !e || e.since === "gone";
    if (!byId("review").hidden) for (const name of FIELDS) if (field(name).value !== e.review[name]) field(name).value = e.review[name];
    byId("set-group").hidden = members().length < 2;
    byId("set-group").textContent = `Set for the group (${whole(members().length)})`;
    byId("set-ticked").hidden = !others().length;
    byId("set-ticked").textContent = `Set for ${whole(state.ticked.size)} ticked`;
    const n = changed().length;
    byId("export").textContent = n ? `Export reviews (${whole(n)} changed)` : "Export reviews";
    byId("kept").textContent = n ? (isKept ? "Kept in this browser until exported." : "This browser keeps nothing: export before you close the page.") : "";
  }

  function write(e) {
    for (const name of FIELDS) e.review[name] = field(name).value;
    done([e]);
  }

  // Gives others the status of the form, and its assignee and comment unless these are empty.
  function copy(list) {
    for (const e of list) {
      e.review.status = field("status").value;
      for (const name of ["assignee", "comment"]) if (field(name).value) e.review[name] = field(name).value;
    }
    done(list);
  }

  function done(list) {
    save();
    table.renew(list);
    table.summary();
    show();
    if (legend.isOn()) { legend.show(); view.again(); }
  }

  field("status").append(...REVIEWS.map(name => make("option", name)));
  byId("review").addEventListener("input", () => write(state.chosen));
  byId("review").addEventListener("submit", event => event.preventDefault());
  byId("set-group").addEventListener("click", () => copy(members()));
  byId("set-ticked").addEventListener("click", () => copy([...state.ticked]));

  // ---- the file --------------------------------------------------------------------
  // A string as TOML has it: as JSON, but for one character and halves of pairs.
  const quoted = text => JSON.stringify(text).replaceAll("\u007f", "\\u007f").replace(/\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g, "\\ufffd");
  const number = x => (Number.isInteger(x) && Math.abs(x) < 1e15 ? x.toFixed(1) : String(x));

  const names = counts(parts, part => part.name);
  const corners = part => `[${[part.bounds.min, part.bounds.max].map(p => `[${p.map(number).join(", ")}]`).join(", ")}]`;

  // How much the clash is, or was when it was decided: later growth is measured by it.
  function figures(e) {
    const { clash } = e, kept = e.review.status === told(e).status ? clash.review?.decided : undefined;
    const [name, now] = clash.kind === "clearance" ? ["gap", clash.distance]
      : clash.kind === "touch" ? ["extent", extent(clash.regions)] : ["depth", clash.depth];
    const figure = kept ?? now;
    return figure === null ? [] : [`${name} = ${number(figure)}`];
  }

  const extent = regions => (regions.length ? regions.reduce((sum, { bounds }) => sum + Math.hypot(...bounds.max.map((x, i) => x - bounds.min[i])), 0) : null);

  function entryText(e) {
    const { clash } = e, pair = [parts[e.a], parts[e.b]], ids = pair.map(part => part.properties?.GlobalId ?? "");
    return [
      "[[clash]]",
      `parts = [${clash.names.map(quoted).join(", ")}]`,
      `kind = ${quoted(clash.kind)}`,
      ...figures(e),
      ...FIELDS.map(name => `${name} = ${quoted(e.review[name])}`),
      ...(ids.some(Boolean) ? [`ids = [${ids.map(quoted).join(", ")}]`] : []),
      // Namesakes are told apart by their boxes.
      ...(pair.some(part => names.get(part.name) > 1) ? [`boxes = [${pair.map(corners).join(", ")}]`] : []),
      "",
    ].join("\n");
  }

  // Every clash, and what was decided about others when the page was made.
  function text() {
    const head = `# Clashes and what was decided, from the report of ${data.title.replace(/[^ -~]/g, "?")}; for \`sudar clash --review\`.\n`;
    return [head, ...entries.filter(e => e.since !== "gone").map(entryText), data.other_reviews].join("\n");
  }

  byId("export").addEventListener("click", () => {
    const link = make("a"), url = URL.createObjectURL(new Blob([text()], { type: "application/toml" }));
    Object.assign(link, { href: url, download: "review.toml" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  });

  // Takes over what was decided about the same pairs on the page before.
  function take(kept, pairOf) {
    for (const e of entries) if (e.since !== "gone" && kept.has(pairOf(e))) Object.assign(e.review, kept.get(pairOf(e)));
    save();
  }

  load();
  return { show, changed, take };
})();
