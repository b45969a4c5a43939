"use strict";
// The script adds conveniences; the page is complete without it.
(() => {
  const all = (selector, from = document) => Array.from(from.querySelectorAll(selector));

  // Opens what encloses the target of an anchor.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
    if (target) target.scrollIntoView({ block: "nearest" });
  };
  addEventListener("hashchange", reveal);
  reveal();

  // Printing opens everything.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details:not([open])");
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
  });

  // The filter hides lines of the index and their findings.
  const filter = document.querySelector(".filter");
  const input = filter && filter.querySelector("input");
  if (filter) {
    const rows = all("#index tbody tr");
    const apply = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = row.dataset.words.toLowerCase();
        const matches = words.every((word) => text.includes(word));
        row.hidden = !matches;
        document.getElementById(row.dataset.for).hidden = !matches;
        shown += matches ? 1 : 0;
      }
      filter.querySelector("output").textContent = words.length ? `${shown} of ${rows.length}` : "";
    };
    filter.hidden = false;
    input.addEventListener("input", apply);
  }

  // j and k go to the next and the previous anomaly, / to the filter, e opens or closes all.
  const step = (by) => {
    const cards = all(".finding:not([hidden])");
    const edge = innerHeight / 3;
    const at = cards.filter((card) => card.getBoundingClientRect().top <= edge).length - 1;
    const next = cards[Math.max(0, Math.min(cards.length - 1, at + by))];
    if (next) {
      history.replaceState(null, "", "#" + next.id);
      next.scrollIntoView({ block: "start" });
      next.querySelector("h3 a").focus({ preventScroll: true });
    }
  };
  const toggle = () => {
    const closed = all("main details:not([open])");
    for (const details of closed.length ? closed : all("main details")) {
      details.open = closed.length > 0;
    }
  };
  addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (typing) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "e") toggle();
    else if (event.key === "/" && input) input.focus();
    else return;
    event.preventDefault();
  });
})();
