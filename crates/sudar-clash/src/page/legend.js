// The parts around, by what they are or by what was found about them: their colours, and which of them are shown.
const legend = (() => {
  // A property with more values than this tells too little apart.
  const MOST = 24;
  const PALETTE = ["#4477aa", "#228833", "#aa8800", "#8855aa", "#008899", "#885533", "#557711", "#bb4488", "#3355cc", "#997766", "#119966", "#666666"];
  const hidden = new Set();
  let way = "";

  const NONE = "none";
  // Of each part the first of these words that one of its clashes has.
  function first(words, of) {
    const found = parts.map(() => words.length);
    for (const e of entries) for (const i of [e.a, e.b]) {
      const at = e.since === "gone" && of !== sinceOf ? -1 : words.indexOf(of(e));
      if (i !== null && at >= 0) found[i] = Math.min(found[i], at);
    }
    return found.map(at => words[at] ?? NONE);
  }
  const sinceOf = e => e.since;
  const FOUND = {
    kind: () => first(KINDS, e => e.clash.kind),
    review: () => first(REVIEWS, e => e.review.status),
    ...(gone ? { since: () => first(SINCE, sinceOf) } : {}),
  };

  // The properties that tell parts apart, and tell several of them together.
  function properties() {
    const values = new Map();
    for (const part of parts) for (const [key, value] of Object.entries(part.properties || {})) {
      if (!values.has(key)) values.set(key, new Set());
      if (values.get(key).size <= MOST) values.get(key).add(value);
    }
    return [...values].filter(([, set]) => set.size > 1 && set.size <= MOST && set.size < parts.length).map(([key]) => key).sort();
  }

  const valuesOf = () => (FOUND[way] ? FOUND[way]() : parts.map(part => part.properties?.[way] ?? NONE));
  function paintOf(value, number) {
    if (value === NONE) return view.color("context");
    return FOUND[way] ? view.color(value) : PALETTE[number % PALETTE.length];
  }

  // The values in order, each with its colour and its parts.
  function items() {
    const values = valuesOf(), number = counts(values, value => value), order = FOUND[way] ? [...KINDS, ...REVIEWS, ...SINCE, NONE] : [...number.keys()].sort(collator.compare);
    const there = [...new Set(order)].filter(value => number.has(value));
    return there.map((value, i) => ({ value, count: number.get(value), paint: paintOf(value, i), has: part => values[part] === value }));
  }

  // What to draw of the parts around: a colour and a test for each layer.
  function shown() {
    if (!way) return [{ paint: view.color("context"), has: () => true }];
    return items().filter(item => !hidden.has(item.value));
  }

  function chip({ value, count, paint }, all) {
    const box = make("span", null, "joined"), name = make("button"), alone = make("button", "only"), dot = make("span", null, "dot");
    dot.style.background = paint;
    name.append(dot, make("b", grouped.format(count)), value);
    for (const button of [name, alone]) button.type = "button";
    name.ariaPressed = String(!hidden.has(value));
    name.title = "Show or hide these parts; the two of the clash always stay";
    const isAlone = all.every(other => hidden.has(other.value) === (other.value !== value));
    alone.ariaPressed = String(isAlone);
    alone.title = "Show these parts alone, or all again";
    name.addEventListener("click", () => { if (!hidden.delete(value)) hidden.add(value); renew(); });
    alone.addEventListener("click", () => {
      hidden.clear();
      if (!isAlone) for (const other of all) if (other.value !== value) hidden.add(other.value);
      renew();
    });
    box.append(name, alone);
    return box;
  }

  function show() {
    const all = way ? items() : [];
    byId("legend").hidden = !way;
    byId("legend").replaceChildren(...all.map(item => chip(item, all)));
  }

  function renew() {
    show();
    view.again();
  }

  const select = byId("way");
  select.append(...[["", "one colour"], ...Object.keys(FOUND).map(key => [key, { kind: "kind of clash", review: "review", since: "since baseline" }[key]]), ...properties().map(key => [key, key])]
    .map(([value, text]) => Object.assign(make("option", text), { value })));
  select.addEventListener("change", () => {
    way = select.value;
    hidden.clear();
    renew();
  });

  const kept = () => ({ way, hidden: [...hidden] });
  function restore(from) {
    select.value = from.way;
    way = select.value;
    hidden.clear();
    for (const value of from.hidden) hidden.add(value);
    show();
  }
  return { shown, show, isOn: () => way !== "", kept, restore };
})();
