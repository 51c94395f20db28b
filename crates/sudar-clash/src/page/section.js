// The section box: of what the view shows, only what is between two sliders an axis is drawn.
const section = (() => {
  const STEPS = 1000, ends = AXES.map(() => [0, STEPS]), said = [];
  // What the view shows, in the world.
  let frame = null;

  function row(k) {
    const row = make("div", null, "axis");
    const sliders = ["from", "to"].map((word, side) => {
      const slider = Object.assign(make("input"), { type: "range", min: 0, max: STEPS, value: ends[k][side], ariaLabel: `${"xyz"[k]} ${word}` });
      slider.addEventListener("input", () => moved(k, side, Number(slider.value)));
      return slider;
    });
    said[k] = make("output");
    row.append(make("b", "xyz"[k]), ...sliders, said[k]);
    return row;
  }

  // An end that is pushed beyond the other takes it along.
  function moved(k, side, value) {
    ends[k][side] = value;
    ends[k] = side ? [Math.min(ends[k][0], value), value] : [value, Math.max(ends[k][1], value)];
    show();
    view.again();
  }

  const isOn = () => ends.some(([low, high]) => low > 0 || high < STEPS);
  const place = (k, step) => frame[k][0] + (frame[k][1] - frame[k][0]) * step / STEPS;

  function show() {
    byId("section").querySelectorAll("input").forEach((slider, i) => (slider.value = ends[i >> 1][i & 1]));
    byId("section").querySelector("summary").textContent = isOn() ? "Section box (cuts)" : "Section box";
    if (frame) said.forEach((out, k) => (out.textContent = ends[k].map(step => fine(place(k, step), frame[k][1] - frame[k][0])).join(" to ") + unit));
  }

  // The corners of the box from `from`, where it cuts, of a view of these bounds from there. An end that is not moved cuts nothing.
  function cut(bounds, from) {
    frame = bounds.map((pair, k) => pair.map(x => x + from[k]));
    show();
    if (!isOn()) return null;
    const corner = (side, none) => AXES.map(k => (ends[k][side] === (side ? STEPS : 0) ? none : place(k, ends[k][side]) - from[k]));
    return [corner(0, -1e30), corner(1, 1e30)];
  }

  const whole = make("button", "Whole");
  whole.type = "button";
  whole.addEventListener("click", () => {
    ends.forEach(pair => pair.splice(0, 2, 0, STEPS));
    show();
    view.again();
  });
  byId("section").append(...AXES.map(row), whole);

  const kept = () => ends;
  const restore = from => from.forEach((pair, k) => ends[k].splice(0, 2, ...pair));
  return { cut, kept, restore };
})();
