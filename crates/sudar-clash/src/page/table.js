// The table of clashes with its filters, and the groups above it.
let list = [];
const table = (() => {
  // So many rows at once; a button brings more.
  const ROWS = 200;
  const body = byId("clashes").tBodies[0];
  Object.assign(state, { limit: ROWS, groups: ROWS });

  // ---- rows ------------------------------------------------------------------
  function heads() {
    const row = make("tr");
    for (const column of COLUMNS) {
      const head = make("th", null, column.kind || ""), button = make("button", column.title);
      button.type = "button";
      button.dataset.sort = column.key;
      head.scope = "col";
      if (column.key === "number") head.append(tick("all", "Tick all that are listed", list.length > 0 && list.every(e => state.ticked.has(e))), " ");
      head.append(button);
      if (column.key === state.sort) head.ariaSort = state.down ? "descending" : "ascending";
      row.append(head);
    }
    byId("clashes").tHead.replaceChildren(row);
  }

  function tick(id, label, checked) {
    const box = Object.assign(make("input"), { type: "checkbox", checked, ariaLabel: label, title: label });
    box.dataset.tick = id;
    return box;
  }

  function rowOf(e) {
    const row = make("tr", null, e.since === "gone" ? "was" : isOpen(e) ? "" : "done");
    row.dataset.id = e.id;
    row.ariaSelected = String(e === state.chosen);
    const number = make("td", null, "number");
    if (e.since !== "gone") number.append(tick(e.id, "Tick clash " + e.id, state.ticked.has(e)), " ");
    number.append(e.since === "gone" ? "–" : e.id);
    const cells = { number, since: tag(e.since, e.clash.change && " " + changeText(e.clash.change)), before: make("td", beforeText(e), "before"), severity: e.clash.severity ? tag(e.clash.severity) : make("td"), kind: tag(e.clash.kind, e.clash.was ? " was " + e.clash.was : ""), review: reviewCell(e) };
    e.clash.names.forEach((name, side) => {
      const cell = make("td", null, "name side-" + "ab"[side]);
      cell.append(Object.assign(make("span", name, "cut"), { title: name }));
      cells["ab"[side]] = cell;
    });
    for (const [key, value] of [["depth", depthTextOf(e)], ["gap", short(gapOf(e), 4)]]) cells[key] = make("td", value, "number " + key);
    row.append(...COLUMNS.map(column => cells[column.key]));
    return row;
  }

  function tag(word, more) {
    const cell = make("td"), text = make("span", word, "tag " + word);
    if (more) text.append(make("small", more));
    cell.append(text);
    return cell;
  }

  function reviewCell(e) {
    const cell = make("td", e.since === "gone" ? "" : e.review.status, "review " + e.review.status);
    const again = e.clash.review?.reopened;
    if (again && isOpen(e)) cell.append(make("small", ` again: ${changeText(again)}`));
    if (e.review.assignee) cell.append(make("small", " " + e.review.assignee));
    if (e.review.comment) cell.title = e.review.comment;
    return cell;
  }

  function fill() {
    list = shown();
    const visible = list.slice(0, state.limit), left = list.length - visible.length;
    body.replaceChildren(...visible.map(rowOf));
    if (!list.length) {
      const cell = make("td", entries.length ? "Nothing fits the filter." : "There are no clashes.", "empty"), row = make("tr");
      cell.colSpan = COLUMNS.length;
      row.append(cell);
      body.append(row);
    }
    byId("count").textContent = `${whole(list.length)} of ${whole(entries.length)}`;
    byId("more").hidden = !left;
    byId("more").textContent = `Show ${whole(Math.min(left, ROWS))} more of ${whole(left)}`;
    heads();
  }

  function refill() {
    state.limit = ROWS;
    fill();
    byId("rows").scrollTop = 0;
  }

  // Writes these rows anew where they are.
  function renew(changed) {
    const rows = new Map([...body.rows].map(row => [row.dataset.id, row]));
    for (const e of changed) rows.get(e.id)?.replaceWith(rowOf(e));
    heads();
  }

  // Marks the row of the chosen entry, and makes it be there and seen if asked.
  function mark(follow) {
    const at = list.indexOf(state.chosen);
    if (follow && at >= state.limit) { state.limit = at + ROWS; fill(); }
    for (const row of body.rows) row.ariaSelected = String(Boolean(state.chosen) && row.dataset.id === state.chosen.id);
    if (follow) body.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }

  // ---- chips and groups --------------------------------------------------------
  function chips(id, names, number, chosen) {
    byId(id).replaceChildren(...names.filter(name => number.has(name)).map(name => {
      const chip = make("button", null, "chip " + (chosen.has(name) ? "on" : ""));
      chip.type = "button";
      chip.dataset.name = name;
      chip.ariaPressed = String(chosen.has(name));
      chip.append(make("span", null, "dot " + name), make("b", whole(number.get(name))), name);
      chip.addEventListener("click", () => {
        if (!chosen.delete(name)) chosen.add(name);
        summary();
        refill();
      });
      return chip;
    }));
  }

  function summary() {
    const there = entries.filter(e => e.since !== "gone"), reviews = counts(there, e => e.review.status);
    chips("kinds", KINDS, counts(there, e => e.clash.kind), state.kinds);
    chips("severities", SEVERITIES, counts(there.filter(e => e.clash.severity), e => e.clash.severity), state.severities);
    byId("severities").hidden = !there.some(e => e.clash.severity);
    if (gone) chips("since", SINCE, counts(entries, e => e.since), state.since);
    chips("reviews", REVIEWS, reviews, state.reviews);
    byId("since").hidden = !gone;
    // Where nobody has said anything there is nothing to choose.
    byId("reviews").hidden = !there.some(e => e.clash.review) && reviews.size === 1 && reviews.has("new");
    groupRows();
  }

  function bar(kinds, most) {
    const bar = make("span", null, "bar");
    let all = 0;
    for (const kind of KINDS) if (kinds[kind]) {
      const piece = make("i", null, kind);
      piece.style.flexGrow = kinds[kind];
      piece.title = `${whole(kinds[kind])} ${kind}`;
      all += kinds[kind];
      bar.append(piece);
    }
    bar.style.width = 80 * all / most + "px";
    return bar;
  }

  function groupRow(group, number, most) {
    const row = make("tr"), cell = make("td", null, "bars"), name = make("td", null, "name"), open = group.clashes.filter(i => isOpen(entries[i])).length;
    row.dataset.group = number;
    row.ariaSelected = String(state.group === number);
    name.append(Object.assign(make("button", group.name, "cut"), { type: "button", title: group.name }));
    cell.append(bar(group.kinds, most));
    row.append(name, make("td", whole(group.count), "number"), make("td", whole(open), "number"), cell, make("td", depthText(group.depth_at_least, group.depth), "number"));
    return row;
  }

  function groupRows() {
    const by = report.grouped_by + (report.group_radius === undefined ? "" : ` of radius ${short(report.group_radius)}${unit}`);
    byId("groups").hidden = !groups.length;
    byId("groups").querySelector("summary").textContent = `${whole(groups.length)} group${groups.length === 1 ? "" : "s"} by ${by}`;
    const head = make("tr");
    for (const [title, kind] of [["group", "name"], ["clashes", "number"], ["open", "number"], ["", "bars"], ["depth" + (unit && "," + unit), "number"]]) head.append(make("th", title, kind));
    byId("group-table").tHead.replaceChildren(head);
    const most = Math.max(1, ...groups.map(group => group.clashes.length));
    byId("group-table").tBodies[0].replaceChildren(...groups.slice(0, state.groups).map((group, i) => groupRow(group, i, most)));
    const left = groups.length - state.groups;
    byId("groups-more").hidden = left <= 0;
    byId("groups-more").textContent = `Show ${whole(Math.min(left, ROWS))} more of ${whole(left)}`;
  }

  // Lists the clashes of one group, or of one part, or of all if it is null.
  function only(what, number) {
    state[what] = number;
    const chip = byId(what + "-filter"), name = number === null ? "" : what === "part" ? parts[number].name : groups[number].name;
    chip.hidden = number === null;
    chip.textContent = `${what}: ${name} ×`;
    for (const row of byId("group-table").tBodies[0].rows) row.ariaSelected = String(Number(row.dataset.group) === state.group);
    refill();
  }

  // Takes all filters away.
  function reset() {
    for (const id of ["search", "depth", "gap"]) byId(id).value = "";
    Object.assign(state, { kinds: new Set(KINDS), since: new Set(SINCE), reviews: new Set(REVIEWS), severities: new Set(SEVERITIES) });
    only("group", null);
    only("part", null);
    summary();
  }

  // ---- hands -------------------------------------------------------------------
  function sort(key) {
    state.down = state.sort === key ? !state.down : key === "depth";
    state.sort = key;
    refill();
    byId("clashes").tHead.querySelector(`[data-sort="${key}"]`).focus();
  }
  function ticked(box) {
    for (const e of box.dataset.tick === "all" ? list.filter(e => e.since !== "gone") : entries.filter(e => e.id === box.dataset.tick)) {
      if (box.checked) state.ticked.add(e);
      else state.ticked.delete(e);
    }
    if (box.dataset.tick === "all") for (const other of body.querySelectorAll("[data-tick]")) other.checked = box.checked;
    review.show();
  }
  byId("clashes").addEventListener("click", event => {
    const key = event.target.closest("button")?.dataset.sort, row = event.target.closest("tbody tr[data-id]");
    if (event.target.dataset.tick) ticked(event.target);
    else if (key) sort(key);
    else if (row) choose(entries.find(e => e.id === row.dataset.id), { push: true, reveal: true });
  });
  byId("group-table").addEventListener("click", event => {
    const number = event.target.closest("tbody tr")?.dataset.group;
    if (number === undefined) return;
    only("group", state.group === Number(number) ? null : Number(number));
    if (list.length && !list.includes(state.chosen)) choose(list[0], { push: true });
  });
  const more = () => { state.limit += ROWS; fill(); };
  byId("more").addEventListener("click", more);
  new IntersectionObserver(([seen]) => seen.isIntersecting && more()).observe(byId("more"));
  byId("groups-more").addEventListener("click", () => { state.groups += ROWS; groupRows(); });
  for (const what of ["part", "group"]) byId(what + "-filter").addEventListener("click", () => only(what, null));
  byId("filter").addEventListener("input", refill);
  byId("filter").addEventListener("submit", event => event.preventDefault());
  byId("filter").addEventListener("reset", event => { event.preventDefault(); reset(); });

  byId("gap").parentElement.hidden = !COLUMNS.some(column => column.key === "gap");
  return { fill, renew, mark, only, reset, summary };
})();
