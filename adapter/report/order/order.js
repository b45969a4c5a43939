"use strict";
// Draws the operations in view: bars by lane, their instants in the order, and where it stops.
(() => {
  const data = JSON.parse(document.getElementById("bars").textContent);
  const canvas = document.querySelector("canvas");
  const tools = document.querySelector(".tools");
  const detail = document.querySelector(".detail");
  const WIDTH = 8;
  const COLUMN = { lane: 0, begin: 1, end: 2, returned: 3, number: 4, instant: 5, text: 6, line: 7 };
  const count = data.bars.length / WIDTH;
  const of = (bar, column) => data.bars[bar * WIDTH + COLUMN[column]];
  const core = new Set(data.core);
  const lanes = data.lanes.map(() => []);
  for (let bar = 0; bar < count; ++bar) lanes[of(bar, "lane")].push(bar);
  const inOrder = [];
  for (let bar = 0; bar < count; ++bar) if (of(bar, "number")) inOrder.push(bar);
  inOrder.sort((a, b) => of(a, "number") - of(b, "number"));
  const ROW = 30, HEAD = 24, LEFT = 112;
  const at = (bar) => of(bar, "instant") / 1000;
  // The end of a bar; one that never returned reaches the next bar of its lane, or the end.
  const reach = (lane, i) =>
    of(lane[i], "returned") ? of(lane[i], "end") : i + 1 < lane.length ? of(lane[i + 1], "begin") : data.events;
  let from = 0, scale = 1, top = 0, lit = -1;
  const width = () => canvas.clientWidth - LEFT;
  const x = (event) => LEFT + (event - from) * scale;
  const shownLanes = () => Math.min(data.lanes.length, 24);
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  // The first bar of the lane that ends after an event.
  const first = (lane, event) => {
    let low = 0, high = lane.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (reach(lane, middle) < event) low = middle + 1; else high = middle;
    }
    return low;
  };
  const draw = () => {
    const ratio = devicePixelRatio || 1;
    const height = HEAD + ROW * shownLanes() + 8;
    canvas.style.height = height + "px";
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const style = { ink: colour("ink"), soft: colour("soft"), calm: colour("calm"), violated: colour("violated"), holds: colour("holds"), mark: colour("mark"), line: colour("line"), raised: colour("raised") };
    const to = from + width() / scale;
    pen.font = "12px " + colour("mono");
    pen.textBaseline = "middle";
    for (let row = 0; row < shownLanes(); ++row) {
      const lane = lanes[row + top];
      const y = HEAD + row * ROW;
      let drawn = -1;
      for (let i = first(lane, from); i < lane.length && of(lane[i], "begin") <= to; ++i) {
        const bar = lane[i];
        const begin = Math.max(LEFT, x(of(bar, "begin"))), end = Math.min(LEFT + width(), x(reach(lane, i)));
        const special = bar === data.stop || core.has(bar) || bar === lit;
        if (end - drawn < 0.7 && !special) continue;
        drawn = end;
        const long = Math.max(1, end - begin);
        pen.globalAlpha = of(bar, "returned") ? 1 : 0.45;
        pen.fillStyle = bar === data.stop ? style.violated : bar === lit ? style.holds : style.calm;
        pen.fillRect(begin, y + 4, long, ROW - 10);
        pen.globalAlpha = 1;
        if (core.has(bar)) {
          pen.strokeStyle = style.violated;
          pen.lineWidth = 2;
          pen.strokeRect(begin, y + 4, long, ROW - 10);
        }
        if (long > 30) {
          pen.save();
          pen.beginPath();
          pen.rect(begin, y, long - 2, ROW);
          pen.clip();
          pen.fillStyle = bar === data.stop ? style.raised : style.ink;
          pen.fillText((of(bar, "number") ? of(bar, "number") + " " : "") + data.texts[of(bar, "text")], begin + 4, y + ROW / 2 - 1);
          pen.restore();
        }
      }
    }
    // The line of the order, from instant to instant.
    let low = 0, high = inOrder.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(inOrder[middle]) < from) low = middle + 1; else high = middle;
    }
    pen.strokeStyle = style.holds;
    pen.lineWidth = 1;
    if ((to - from) / Math.max(1, width()) < 2) {
      pen.beginPath();
      for (let i = Math.max(0, low - 1), begun = false; i < inOrder.length; ++i) {
        const bar = inOrder[i], row = of(bar, "lane") - top;
        const px = x(at(bar)), py = HEAD + row * ROW + ROW / 2;
        if (begun) pen.lineTo(px, py); else pen.moveTo(px, py);
        begun = true;
        if (px > LEFT + width()) break;
      }
      pen.globalAlpha = 0.5;
      pen.stroke();
      pen.globalAlpha = 1;
      for (let i = low; i < inOrder.length && at(inOrder[i]) <= to; ++i) {
        const row = of(inOrder[i], "lane") - top;
        if (row < 0 || row >= shownLanes()) continue;
        pen.fillStyle = style.holds;
        pen.fillRect(x(at(inOrder[i])) - 1, HEAD + row * ROW + 1, 2, ROW - 4);
      }
    }
    if (data.stop >= 0) {
      const px = x(of(data.stop, "end"));
      if (px >= LEFT && px <= LEFT + width()) {
        pen.fillStyle = style.violated;
        pen.fillRect(px - 1, 0, 2, height);
        pen.fillText("no order goes on", Math.min(px + 6, LEFT + width() - 130), 11);
      }
    }
    pen.fillStyle = style.raised;
    pen.fillRect(0, 0, LEFT, height);
    pen.fillStyle = style.soft;
    for (let row = 0; row < shownLanes(); ++row) pen.fillText(data.lanes[row + top].slice(0, 14), 4, HEAD + row * ROW + ROW / 2 - 1);
  };
  let waiting = false;
  const redraw = () => {
    scale = Math.min(80, Math.max(width() / Math.max(1, data.events), scale));
    from = Math.max(-2, Math.min(from, data.events + 2 - width() / scale));
    top = Math.max(0, Math.min(top, data.lanes.length - shownLanes()));
    if (!waiting) requestAnimationFrame(() => { waiting = false; draw(); });
    waiting = true;
  };
  const show = (bar) => {
    lit = bar;
    detail.textContent = bar < 0 ? "" :
      `${data.lanes[of(bar, "lane")]}: ${data.texts[of(bar, "text")]}` + (of(bar, "line") ? `, line ${of(bar, "line")}` : "") +
      (of(bar, "number") ? `, place ${of(bar, "number")} in the order` : of(bar, "returned") ? ", not in the order" : ", never returned, not in the order");
    redraw();
  };
  const goTo = (bar) => {
    from = of(bar, "end") - width() / scale / 2;
    if (of(bar, "lane") < top || of(bar, "lane") >= top + shownLanes()) top = of(bar, "lane") - 2;
    show(bar);
  };
  const zoom = (by, px = LEFT + width() / 2) => {
    const event = from + (px - LEFT) / scale;
    scale *= by;
    scale = Math.min(80, Math.max(width() / Math.max(1, data.events), scale));
    from = event - (px - LEFT) / scale;
    redraw();
  };
  const acts = {
    start: () => { from = 0; redraw(); }, end: () => { from = data.events; redraw(); },
    stop: () => { if (data.stop >= 0) goTo(data.stop); }, in: () => zoom(1.5), out: () => zoom(1 / 1.5) };
  tools.hidden = canvas.hidden = false;
  if (data.stop < 0) tools.querySelector("[data-do=stop]").remove();
  for (const button of tools.querySelectorAll("button")) button.addEventListener("click", () => acts[button.dataset.do]());
  const line = tools.querySelector("input");
  line.parentElement.hidden = data.bars.every((value, i) => i % WIDTH !== COLUMN.line || value === 0);
  line.addEventListener("change", (event) => {
    const line = Number(event.target.value);
    let best = -1;
    for (let bar = 0; bar < count; ++bar) if (best < 0 || Math.abs(of(bar, "line") - line) < Math.abs(of(best, "line") - line)) best = bar;
    if (best >= 0) goTo(best);
  });
  const barAt = (event) => {
    const box = canvas.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top - HEAD) / ROW);
    const place = from + (event.clientX - box.left - LEFT) / scale;
    const lane = row >= 0 && row < shownLanes() ? lanes[row + top] : [];
    const i = first(lane, place);
    return i < lane.length && of(lane[i], "begin") <= place ? lane[i] : -1;
  };
  let held = null;
  canvas.addEventListener("pointerdown", (event) => { held = { x: event.clientX, y: event.clientY, from, top }; canvas.setPointerCapture(event.pointerId); });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { held = null; });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) { const bar = barAt(event); if (bar !== lit) show(bar); return; }
    from = held.from - (event.clientX - held.x) / scale;
    top = held.top - Math.round((event.clientY - held.y) / ROW);
    redraw();
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (event.shiftKey) { from += event.deltaY / scale; redraw(); } else zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.clientX - canvas.getBoundingClientRect().left);
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const step = width() / scale / 4;
    if (event.key === "ArrowLeft") from -= step; else if (event.key === "ArrowRight") from += step;
    else if (event.key === "ArrowUp") top -= 1; else if (event.key === "ArrowDown") top += 1;
    else if (event.key === "+") return zoom(1.5); else if (event.key === "-") return zoom(1 / 1.5);
    else return;
    event.preventDefault();
    redraw();
  });
  addEventListener("resize", redraw);
  scale = 40;
  if (data.stop >= 0) goTo(data.stop); else redraw();
})();
