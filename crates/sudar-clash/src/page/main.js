// The clash that is chosen: by a row, a key, or the address.
function choose(e, { push = false, follow = false, reveal = false } = {}) {
  state.chosen = e;
  table.mark(follow);
  const head = byId("chosen"), facts = byId("facts");
  head.replaceChildren();
  facts.replaceChildren();
  for (const id of ["tools", "link"]) byId(id).hidden = !e;
  if (e) {
    if (push) go(e, push);
    head.append(make("span", e.since === "gone" ? e.clash.kind : `#${e.id} ${e.clash.kind}`, "tag " + e.clash.kind));
    for (const [side, i, name] of [["a", e.a, e.clash.names[0]], ["b", e.b, e.clash.names[1]]]) {
      const button = Object.assign(make("button", name, "cut " + side), { type: "button", title: name + ": list the clashes of this part", disabled: i === null });
      button.addEventListener("click", () => table.only("part", i));
      head.append(button);
    }
    byId("key-hit").textContent = e.clash.kind === "clearance" ? "gap" : "overlap";
    for (const [term, value] of told(e)) facts.append(make("dt", term), make("dd", value));
  }
  review.show();
  view.draw(e);
  // Where the view is not beside the table.
  if (reveal && matchMedia("(max-width: 980px)").matches) byId("detail").scrollIntoView({ block: "start" });
}

// ---- the address ---------------------------------------------------------------
const address = e => "#clash-" + e.id;
function go(e, push) {
  if (location.hash === address(e)) return;
  history[push === true ? "pushState" : "replaceState"](null, "", address(e));
}
function named() {
  return entries.find(e => address(e) === location.hash) || null;
}
const namesOne = () => location.hash.startsWith("#clash-");
// Opens what the address names, whatever the filters hide; a link of another report may name what is not here.
function open() {
  const e = named();
  if (!e && namesOne()) {
    choose(null);
    byId("chosen").append(make("span", `There is no clash ${location.hash.slice(7)} in this report.`, "missing"));
  }
  if (!e || e === state.chosen) return;
  if (!list.includes(e)) table.reset();
  choose(e, { follow: true });
}
addEventListener("hashchange", open);
addEventListener("popstate", open);

byId("link").addEventListener("click", async () => {
  const e = state.chosen, text = location.href.split("#")[0] + address(e), say = word => {
    byId("link").textContent = word;
    setTimeout(() => (byId("link").textContent = "Copy link"), 1500);
  };
  go(e, true);
  try {
    await navigator.clipboard.writeText(text);
    say("Copied");
  } catch {
    say("See the address");
  }
});

// ---- keys ------------------------------------------------------------------------
document.addEventListener("keydown", event => {
  const typing = event.target.matches("input:not([type=checkbox]), textarea, select");
  if (event.key === "/" && !typing) { event.preventDefault(); byId("search").focus(); return; }
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  const stays = typing && (event.key.length === 1 || event.target.id !== "search");
  if (!step || event.ctrlKey || event.metaKey || event.altKey || stays) return;
  event.preventDefault();
  const next = list[Math.max(0, Math.min(list.length - 1, list.indexOf(state.chosen) + step))];
  if (next) choose(next, { push: "in place", follow: true });
});

// ---- light and dark ----------------------------------------------------------------
const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = name => {
  document.documentElement.dataset.theme = name;
  document.documentElement.style.colorScheme = name;
};
theme(dark.matches ? "dark" : "light");
dark.addEventListener("change", () => { theme(dark.matches ? "dark" : "light"); view.again(); });
byId("theme").addEventListener("click", () => {
  theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  view.again();
});

// ---- the beginning -------------------------------------------------------------------
byId("origin").textContent = origin().join(" · ");
byId("verdict").append(make("b", whole(report.clashes.length)), report.clashes.length === 1 ? "clash" : "clashes", make("span", " · " + checked().join(" · "), "quiet"));
byId("problems").hidden = !problems().length;
byId("problems").querySelector("summary").textContent = "Not checked: " + [["file", report.failed], ["element", report.lost]]
  .filter(([, list]) => list?.length).map(([what, list]) => `${whole(list.length)} ${what}${list.length > 1 ? "s" : ""}`).join(", ");
byId("problems").querySelector("ul").append(...problems().map(text => make("li", text)));
byId("groups").open = groups.length > 1 && matchMedia("(min-width: 981px)").matches;
table.summary();
table.fill();
if (renew.restored()) { /* As before the check. */ }
else if (namesOne()) open();
else choose(list[0] || null);
document.body.dataset.ready = "yes";
