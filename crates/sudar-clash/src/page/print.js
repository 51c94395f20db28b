// What is printed: summary, groups, pictures of the worst clashes that are listed, and the table of what is listed.
const print = (() => {
  const PICTURES = 100, ROWS = 1000, GROUPS = 40, SIZE = [720, 430];
  let isMade = false;

  function rowsOf(titles, rows, classes) {
    const table = make("table"), head = make("tr");
    head.append(...titles.map((title, i) => make("th", title, classes[i])));
    table.append(make("thead"), make("tbody"));
    table.tHead.append(head);
    table.tBodies[0].append(...rows.map(cells => {
      const row = make("tr");
      row.append(...cells.map((cell, i) => make("td", cell, classes[i])));
      return row;
    }));
    return table;
  }

  const measure = e => (gapOf(e) === null ? depthTextOf(e) : "gap " + short(gapOf(e), 4));
  const decided = e => [e.review.status, e.review.assignee, e.review.comment].filter(Boolean).join(" · ");
  const isDecided = e => e.clash.review || decided(e) !== "new";

  function figure({ entry, url }) {
    const figure = make("figure"), caption = make("figcaption"), [a, b] = entry.clash.names;
    caption.append(make("b", `#${entry.id} ${[entry.clash.severity, entry.clash.kind].filter(Boolean).join(" ")} `), measure(entry) + (measure(entry) && unit), make("br"), make("span", a, "a"), make("br"), make("span", b, "b"));
    if (isDecided(entry)) caption.append(make("br"), make("small", decided(entry)));
    figure.append(Object.assign(make("img"), { src: url, alt: "", width: SIZE[0], height: SIZE[1] }), caption);
    return figure;
  }

  function groupPart() {
    if (!groups.length) return [];
    const rows = groups.slice(0, GROUPS).map(group => [group.name, whole(group.count), whole(group.clashes.filter(i => isOpen(entries[i])).length), depthText(group.depth_at_least, group.depth)]);
    const table = rowsOf(["group", "clashes", "open", "depth" + (unit && "," + unit)], rows, ["name", "number", "number", "number depth"]);
    return [make("h2", groups.length > GROUPS ? `The first ${whole(GROUPS)} of ${whole(groups.length)} groups` : "Groups"), table];
  }

  function picturePart() {
    const there = list.filter(e => e.since !== "gone"), chosen = [...there].sort(worst).slice(0, PICTURES), box = make("div", null, "pictures");
    box.append(...view.pictures(chosen, SIZE).map(figure));
    const all = chosen.length === there.length;
    return box.children.length ? [make("h2", all ? "Pictures" : `Pictures of the worst ${whole(chosen.length)} of ${whole(there.length)}`), box] : [];
  }

  function tablePart() {
    const rows = list.slice(0, ROWS).map(e => [e.since === "gone" ? "–" : e.id, [e.since, e.clash.severity, e.clash.kind].filter(Boolean).join(", "), ...e.clash.names, measure(e), e.since === "gone" ? "" : decided(e)]);
    const table = rowsOf(["#", "kind", "a", "b", "depth" + (unit && "," + unit), "review"], rows, ["number", "kind", "name", "name", "number depth", "said"]);
    table.className = "all";
    const what = list.length === entries.length ? "Clashes" : `Clashes listed, ${whole(list.length)} of ${whole(entries.length)}`;
    return [make("h2", list.length > ROWS ? `${what}: the first ${whole(ROWS)}` : what), table];
  }

  function fill() {
    if (isMade) return;
    isMade = true;
    const home = byId("print"), root = document.documentElement, theme = root.dataset.theme, kinds = counts(entries.filter(e => e.since !== "gone"), e => e.clash.kind);
    root.dataset.theme = "light";
    const what = [...kinds].map(([kind, n]) => `${whole(n)} ${kind}`).join(", ");
    const problem = problems().length ? [make("h2", "Not checked"), ...problems().map(text => make("p", text))] : [];
    home.replaceChildren(make("h1", data.heading + ": " + data.title), make("p", origin().join(" · ")), make("p", `${whole(report.clashes.length)} clashes${what && ": " + what}. ${checked().join(", ")}.`), ...problem, ...groupPart(), ...picturePart(), ...tablePart());
    root.dataset.theme = theme;
  }

  function empty() {
    isMade = false;
    byId("print").replaceChildren();
  }

  addEventListener("beforeprint", fill);
  addEventListener("afterprint", empty);
  matchMedia("print").addEventListener("change", event => (event.matches ? fill() : empty()));
  byId("paper").addEventListener("click", () => window.print());
})();
