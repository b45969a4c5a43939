// An element that is pointed at, focussed or reached by an anchor lights up with its related
// elements.
"use strict";
(() => {
  const tokens = (element, name) => (element.getAttribute(name) || "").split(" ").filter(Boolean);
  const within = (part, whole) => part === whole || part.startsWith(whole + ".");
  const marked = () => document.querySelectorAll("[data-ref]");
  let pinned = [];

  function clear() {
    for (const name of ["is-lit", "is-near", "has-lit"]) {
      document.querySelectorAll("." + name).forEach((e) => e.classList.remove(name));
    }
  }

  // Lights up the elements with one of the anchors and their parts, the ends of lit edges, and the
  // edges of lit elements.
  function light(anchors) {
    clear();
    if (anchors.length === 0) {
      return;
    }
    const ends = new Set();
    for (const element of marked()) {
      if (tokens(element, "data-ref").some((ref) => anchors.some((a) => within(ref, a)))) {
        element.classList.add("is-lit");
        tokens(element, "data-ends").forEach((end) => ends.add(end));
      }
    }
    for (const element of marked()) {
      const isEnd = tokens(element, "data-ref").some((ref) => ends.has(ref));
      const isEdge = tokens(element, "data-ends").some((end) => anchors.some((a) => within(end, a)));
      if ((isEnd || isEdge) && !element.classList.contains("is-lit")) {
        element.classList.add("is-near");
      }
    }
    const exhibits = new Set(anchors.map((anchor) => anchor.split(".")[0]));
    document.querySelectorAll("[data-exhibit]").forEach((element) => {
      if (exhibits.has(element.getAttribute("data-exhibit"))) {
        element.classList.add("has-lit");
      }
    });
  }

  const refsAt = (target) => {
    const element = target instanceof Element ? target.closest("[data-ref]") : null;
    return element ? tokens(element, "data-ref") : pinned;
  };

  function pinFromAddress() {
    const anchor = decodeURIComponent(location.hash.slice(1));
    const known = [...marked()].filter((e) => tokens(e, "data-ref").some((ref) => within(ref, anchor)));
    pinned = anchor.includes(".") && known.length > 0 ? [anchor] : [];
    light(pinned);
    if (pinned.length > 0 && !document.getElementById(anchor)) {
      known[0].scrollIntoView({block: "center", inline: "nearest"});
    }
  }

  document.addEventListener("pointerover", (event) => light(refsAt(event.target)));
  document.addEventListener("focusin", (event) => light(refsAt(event.target)));
  document.addEventListener("focusout", () => light(pinned));
  document.documentElement.addEventListener("pointerleave", () => light(pinned));
  window.addEventListener("hashchange", pinFromAddress);

  // The Tab key stops once at a picture; arrow keys move within it.
  for (const view of document.querySelectorAll("svg.view")) {
    const stops = [...view.querySelectorAll('[data-ref][tabindex]')];
    stops.forEach((stop, i) => stop.setAttribute("tabindex", i === 0 ? "0" : "-1"));
    view.addEventListener("keydown", (event) => {
      const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
      const at = stops.indexOf(document.activeElement);
      if (step === undefined || at < 0) {
        return;
      }
      event.preventDefault();
      const next = stops[(at + step + stops.length) % stops.length];
      stops[at].setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  }

  window.elapidViews = {light: (anchor) => light(anchor ? [anchor] : pinned)};
  pinFromAddress();
})();
