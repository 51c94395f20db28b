// What is to be seen again when the page is loaded anew after another check: filters, the clash chosen, camera, section.
const renew = (() => {
  const KEPT = "sudar clash renewed", FIELDS = ["search", "depth", "gap"], SETS = ["kinds", "severities", "since", "reviews"];
  // Clashes are numbered anew in every check: a pair is known by the names of its parts, or what tells these from all others.
  const idOf = (e, side) => (e[side] === null ? null : parts[e[side]].properties?.GlobalId) ?? e.clash.names["ab".indexOf(side)];
  const pairOf = e => JSON.stringify([idOf(e, "a"), idOf(e, "b")]);

  addEventListener("renew", () => {
    const filters = Object.fromEntries([...FIELDS.map(id => [id, byId(id).value]), ...SETS.map(name => [name, [...state[name]]])]);
    const { sort, down, part, chosen } = state;
    const kept = {
      filters, sort, down, part: part === null ? null : parts[part].name, chosen: chosen && pairOf(chosen), reviews: review.changed().map(e => [pairOf(e), e.review]),
      view: view.kept(), section: section.kept(), legend: legend.kept(),
    };
    try { sessionStorage.setItem(KEPT, JSON.stringify(kept)); } catch { /* Then it begins as ever. */ }
    location.reload();
  });

  // Takes over what was kept. Gives whether there was anything.
  function restored() {
    let kept = null;
    try {
      kept = JSON.parse(sessionStorage.getItem(KEPT) || "null");
      sessionStorage.removeItem(KEPT);
    } catch { /* Then it begins as ever. */ }
    if (!kept) return false;
    for (const id of FIELDS) byId(id).value = kept.filters[id];
    for (const name of SETS) state[name] = new Set(kept.filters[name]);
    Object.assign(state, { sort: kept.sort, down: kept.down });
    review.take(new Map(kept.reviews), pairOf);
    section.restore(kept.section);
    legend.restore(kept.legend);
    const part = kept.part === null ? -1 : parts.findIndex(one => one.name === kept.part);
    table.only("part", part < 0 ? null : part);
    table.summary();
    const chosen = entries.find(e => pairOf(e) === kept.chosen);
    choose(chosen || list[0] || null, { push: "in place", follow: true });
    view.restore(chosen ? kept.view : { look: kept.view.look });
    return true;
  }

  return { restored };
})();
