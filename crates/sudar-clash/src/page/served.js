"use strict";
// Asks the server of `sudar clash --watch` whether there is a newer page, and says why not if the last check failed.
(() => {
  let round = null;
  const notice = Object.assign(document.createElement("p"), { id: "watch", hidden: true });
  notice.setAttribute("role", "status");
  document.querySelector("header").after(notice);
  const say = text => { notice.textContent = text; notice.hidden = !text; };

  async function ask() {
    try {
      const state = await (await fetch("/state", { cache: "no-store" })).json();
      round ??= state.round;
      say(state.error ? `${state.error}; this is the check before.` : "");
      // The page keeps what is to be seen again, and loads anew.
      if (state.round !== round) { dispatchEvent(new Event("renew")); return; }
    } catch {
      say("The watch has ended: start sudar clash --watch again.");
    }
    setTimeout(ask, 500);
  }
  ask();
})();
