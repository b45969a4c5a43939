"use strict";
// The page shows what the service's addresses return (docs/service.md), and keeps no state of its
// own. Text of histories becomes text, never markup.
(() => {
  const byId = (id) => document.getElementById(id);
  const soon = 1500;
  const later = 10000;
  const pageSize = 100;

  // ---- Elements

  const add = (parent, ...children) => {
    for (const child of children.flat()) {
      if (child !== null && child !== undefined && child !== "") parent.append(child);
    }
    return parent;
  };
  const el = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value === true) element.setAttribute(name, "");
      else if (value !== false && value !== null) element.setAttribute(name, value);
    }
    return add(element, ...children);
  };
  const shape = (kind) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    svg.setAttribute("class", `shape ${kind}`);
    svg.setAttribute("aria-hidden", "true");
    use.setAttribute("href", `#shape-${kind}`);
    return add(svg, use);
  };
  const dash = () => el("span", { class: "dash", "aria-label": "none" }, "–");
  // Replaces children, but keeps those that did not change: focus and selection stay.
  const fill = (parent, wanted) => {
    wanted.forEach((node, i) => {
      if (parent.children[i] !== node) parent.insertBefore(node, parent.children[i] || null);
    });
    while (parent.children.length > wanted.length) parent.lastElementChild.remove();
  };
  const announce = (text) => { byId("news").textContent = text; };

  // ---- Words

  const number = new Intl.NumberFormat("en");
  const sizeOf = (bytes) => {
    const units = ["B", "kB", "MB", "GB", "TB"];
    let unit = 0;
    let size = bytes;
    while (size >= 999.5 && unit < units.length - 1) {
      size /= 1000;
      unit += 1;
    }
    return `${unit > 0 && size < 9.95 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
  };
  const ageOf = (time) => {
    const seconds = Math.max(0, (Date.now() - Date.parse(time)) / 1000);
    if (seconds < 50) return "now";
    if (seconds < 3570) return `${Math.max(1, Math.round(seconds / 60))} min`;
    if (seconds < 84600) return `${Math.max(1, Math.round(seconds / 3600))} h`;
    return `${Math.max(1, Math.round(seconds / 86400))} d`;
  };
  const verdicts = {
    valid: ["holds", "valid"],
    invalid: ["violated", "invalid"],
    unknown: ["unknown", "unknown"],
    malformed: ["unknown", "no history"],
  };
  const states = {
    uploading: ["open", "uploading"],
    queued: ["open", "queued"],
    running: ["open", "checking"],
    failed: ["unknown", "failed"],
    unchecked: ["open", "not checked"],
    growing: ["open", "still runs"],
    folder: ["open", "not checked"],
    open: ["open", "open"],
    ending: ["open", "ending"],
    stalled: ["unknown", "stalled"],
  };
  const isAtWork = (state) => ["uploading", "running", "ending"].includes(state);
  const stateOf = (verdict, state) => {
    const [kind, word] = verdicts[verdict] || states[state] || ["open", state];
    return el("span", { class: `state ${kind}${isAtWork(state) && !verdict ? " at-work" : ""}` },
              shape(kind), word);
  };

  // ---- Requests

  const failure = async (response) => {
    const problem = await response.json().catch(() => ({}));
    return new Error(problem.detail || `The service answered ${response.status}.`);
  };
  const ask = async (path, options = {}) => {
    const response = await fetch(path, { headers: { Accept: "application/json" }, ...options });
    if (response.status === 401) signIn();
    if (!response.ok) throw await failure(response);
    return response.status === 204 ? null : response.json();
  };

  const signIn = () => {
    const dialog = byId("sign-in");
    if (!dialog.open) dialog.showModal();
  };
  byId("sign-in-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const response = await fetch("/v1/session", {
      method: "POST",
      headers: { Authorization: `Bearer ${byId("token").value}` },
    });
    byId("sign-in-error").textContent = response.ok ? "" : "That is not the token.";
    if (response.ok) {
      byId("token").value = "";
      byId("sign-in").close();
      refresh();
    }
  });

  // ---- Runs: requested checks, uploads in progress, and runs of the store

  let checks = [];
  let next = null;  // the address of older ones
  let runs = [];    // of the store
  const uploads = new Map();
  const rows = new Map();  // by key: {tr, text}

  const filter = () => ({
    verdict: byId("verdicts").querySelector(":checked").value,
    level: byId("level").value,
    words: byId("text").value.toLowerCase().split(/\s+/).filter(Boolean),
  });
  const checksPath = ({ verdict, level }) => {
    const query = new URLSearchParams({ limit: pageSize });
    if (verdict) query.set("verdict", verdict);
    if (level) query.set("level", level);
    return `/v1/checks?${query}`;
  };
  const textOf = (run) => [run.name, ...(run.anomalies || []), ...Object.keys(run.levels || {}), run.error]
    .join(" ").toLowerCase();
  // The most informative levels come first: the weakest violated one, the strongest that holds.
  const strength = Array.from(byId("level").options, (option) => option.value).reverse();
  const kindsOfLevel = ["violated", "unknown", "open", "holds"];
  const levelsOf = (levels) => Object.entries(levels || {})
    .map(([name, verdict]) => ({ name, kind: (verdicts[verdict] || ["open"])[0] }))
    .sort((a, b) => kindsOfLevel.indexOf(a.kind) - kindsOfLevel.indexOf(b.kind) ||
      (strength.indexOf(a.name) - strength.indexOf(b.name)) * (a.kind === "holds" ? -1 : 1));
  const tags = (items, draw) => {
    const first = items.length > 2 ? items.slice(0, 1) : items;
    const rest = items.slice(first.length);
    return el("ul", { class: "tags" }, first.map((item) => el("li", {}, draw(item))),
              rest.length ? el("li", { class: "note", title: rest.map((item) => item.name).join(", ") },
                               `and ${rest.length} more`) : null);
  };

  const remove = async (run) => {
    await ask(run.href, { method: "DELETE" });
    checks = checks.filter((check) => check.id !== run.id);
    announce(`${run.name} is removed.`);
    draw();
  };
  const guarded = (work) => async (event) => {
    event.currentTarget.disabled = true;
    const button = event.currentTarget;
    await work().catch((error) => announce(error.message));
    button.disabled = false;
    refresh();
  };
  const checkRun = (run) => {
    const query = new URLSearchParams({ path: run.path, ...askedLevel() });
    return ask(`/v1/runs?${query}`, { method: "POST" });
  };
  const actionOf = (run) => {
    if (run.state === "unchecked") {
      return el("button", { class: "small", type: "button", "aria-label": `Check ${run.name}`,
                            onclick: guarded(() => checkRun(run)) }, "Check");
    }
    return run.href ? el("button", { class: "quiet", type: "button", "aria-label": `Remove ${run.name}`,
                                     onclick: guarded(() => remove(run)) }, "Remove") : null;
  };
  const nameOf = (run) => {
    const href = run.links && run.links.report;
    const note = run.error || (run.state === "queued" && run.position ? `${run.position} before it` : "");
    // A path may break behind each folder.
    const parts = run.name.split(/(?<=\/)/).flatMap((part, i) => i ? [el("wbr"), part] : [part]);
    const cell = el("th", { scope: "row", class: "name" }, href ? el("a", { href }, parts) : parts,
                    note ? el("span", { class: "note" }, note) : null);
    if (run.state === "uploading") {
      cell.append(el("progress", { max: 1, value: run.progress, "aria-label": `Upload of ${run.name}` }));
    }
    return cell;
  };
  const rowOf = (run) => {
    const levels = levelsOf(run.levels);
    const anomalies = (run.anomalies || []).map((name) => ({ name }));
    const isKnown = run.transactions !== undefined && run.verdict !== "malformed";
    return el("tr", { "data-key": run.key },
              el("td", { class: "verdict" }, stateOf(run.verdict, run.state)),
              nameOf(run),
              el("td", { class: "level-cell" }, levels.length
                ? tags(levels, ({ name, kind }) => [shape(kind), el("span", { class: "spoken" }, `${kind}: `), name]) : null),
              el("td", { class: "anomaly-cell" }, anomalies.length
                ? tags(anomalies, ({ name }) => el("span", { class: "anomaly" }, name)) : null),
              el("td", { class: "number count" }, isKnown ? number.format(run.transactions) : dash()),
              el("td", { class: "number size" }, sizeOf(run.bytes)),
              el("td", { class: "number age" }, el("time", { datetime: run.created, title: run.created }, ageOf(run.created))),
              el("td", { class: "do" }, actionOf(run)));
  };

  // A row is drawn again only when its content changes.
  const drawnRow = (run) => {
    const text = JSON.stringify(run) + ageOf(run.created);
    const known = rows.get(run.key);
    if (known && known.text === text) return known.tr;
    const tr = rowOf(run);
    if (known && known.tr.contains(document.activeElement)) {
      const focused = document.activeElement.matches("a") ? "a" : "button";
      queueMicrotask(() => { const to = tr.querySelector(focused); if (to) to.focus({ preventScroll: true }); });
    }
    rows.set(run.key, { tr, text });
    return tr;
  };

  const allRuns = () => {
    const { verdict, level } = filter();
    const keyed = checks.map((check) => ({ ...check, key: check.id }));
    const unchecked = verdict || level ? [] : runs
      .filter((run) => !run.check)
      .map((run) => ({ ...run, key: `run ${run.path}`, name: run.path, created: run.changed,
                       error: run.state === "folder" ? "a folder of files: elapid check reads it" : "",
                       state: { running: "growing", folder: "folder" }[run.state] || "unchecked" }));
    return [...uploads.values(), ...keyed, ...unchecked]
      .sort((a, b) => Date.parse(b.created) - Date.parse(a.created));
  };
  const draw = () => {
    const { verdict, level, words } = filter();
    const all = allRuns();
    const shown = all.filter((run) => words.every((word) => textOf(run).includes(word)));
    fill(byId("rows"), shown.map(drawnRow));
    const keys = new Set(all.map((run) => run.key));
    for (const key of rows.keys()) if (!keys.has(key)) rows.delete(key);
    const isFiltered = verdict || level || words.length;
    byId("count").textContent = words.length && all.length
      ? `${number.format(shown.length)} of ${number.format(all.length)}${next ? " loaded" : ""}`
      : all.length ? `${number.format(all.length)}${next ? " newest" : ""}` : "";
    byId("empty").hidden = shown.length > 0;
    byId("empty").textContent = isFiltered ? "No run is like that." : "No history was checked yet.";
    byId("more").hidden = !next;
    byId("check-all").hidden = !runs.some((run) => !run.check && run.state === "ended");
  };

  let loads = 0;
  const load = async () => {
    const mine = ++loads;
    const path = checksPath(filter());
    // Pages loaded behind the first one stay, unless the question has changed.
    const page = await ask(path);
    if (mine !== loads) return;
    const fresh = new Set(page.checks.map((check) => check.id));
    const isSame = load.path === path;
    const oldest = page.checks.length ? Date.parse(page.checks[page.checks.length - 1].created) : 0;
    const older = isSame && load.hasMore
      ? checks.filter((check) => !fresh.has(check.id) && Date.parse(check.created) <= oldest) : [];
    checks = [...page.checks, ...older];
    if (!isSame || !load.hasMore) next = page.next || null;
    load.hasMore = isSame && load.hasMore;
    load.path = path;
    draw();
  };
  byId("more").addEventListener("click", guarded(async () => {
    const page = await ask(next);
    checks = [...checks, ...page.checks.filter((check) => !checks.some((c) => c.id === check.id))];
    next = page.next || null;
    load.hasMore = true;
    draw();
  }));
  const loadRuns = async () => {
    runs = (await ask("/v1/runs")).runs;
    draw();
  };
  byId("check-all").addEventListener("click", guarded(async () => {
    for (const run of runs.filter((one) => !one.check && one.state === "ended")) await checkRun(run);
  }));

  let typing = 0;
  byId("filters").addEventListener("input", (event) => {
    clearTimeout(typing);
    typing = setTimeout(event.target.id === "text" ? draw : () => load().catch(complain),
                        event.target.id === "text" ? 80 : 0);
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());

  // ---- Uploads

  const askedLevel = () => {
    const level = byId("asked-level").value;
    return level ? { levels: level } : {};
  };
  let uploaded = 0;
  const upload = (file) => {
    const key = `upload ${++uploaded}`;
    const run = { key, name: file.name, state: "uploading", bytes: file.size, progress: 0,
                  created: new Date().toISOString() };
    uploads.set(key, run);
    draw();
    const query = new URLSearchParams({ name: file.name, ...askedLevel() });
    const request = new XMLHttpRequest();  // fetch() does not report progress
    request.open("POST", `/v1/checks?${query}`);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => {
      run.progress = event.lengthComputable ? event.loaded / event.total : 0;
      draw();
    });
    const fail = (why) => {
      Object.assign(run, { state: "failed", error: why });
      announce(`${file.name}: ${why}`);
      draw();
    };
    request.addEventListener("load", () => {
      if (request.status === 401) signIn();
      if (request.status >= 300) {
        return fail((request.response || {}).detail || `The service answered ${request.status}.`);
      }
      uploads.delete(key);
      const check = request.response;
      checks = [check, ...checks.filter((one) => one.id !== check.id)];
      waiting.set(check.id, file.name);
      announce(`${file.name} is accepted.`);
      draw();
      refresh(300);
    });
    request.addEventListener("error", () => fail("The service cannot be reached."));
    request.send(file);
  };
  const uploadAll = (files) => { for (const file of files) upload(file); };
  byId("choose").addEventListener("click", () => byId("files").click());
  byId("files").addEventListener("change", (event) => {
    uploadAll(event.target.files);
    event.target.value = "";
  });
  byId("files").tabIndex = -1;
  byId("drop").addEventListener("submit", (event) => event.preventDefault());

  let inside = 0;
  const hasFiles = (event) => Array.from(event.dataTransfer?.types || []).includes("Files");
  const veil = (by) => {
    inside = Math.max(0, inside + by);
    byId("veil").hidden = inside === 0;
  };
  addEventListener("dragenter", (event) => { if (hasFiles(event)) veil(1); });
  addEventListener("dragleave", (event) => { if (hasFiles(event)) veil(-1); });
  addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    veil(-Infinity);
    uploadAll(event.dataTransfer.files);
  });

  // Reports the verdict on an upload of this page.
  const waiting = new Map();
  const tellVerdicts = () => {
    for (const check of checks) {
      if (waiting.has(check.id) && (check.verdict || check.state === "failed")) {
        announce(`${waiting.get(check.id)}: ${stateOf(check.verdict, check.state).textContent}.`);
        waiting.delete(check.id);
      }
    }
  };

  // ---- Streams

  const streams = new Map();  // by id: {row, list, source, events, ...}
  const shown = 200;
  const wordsOf = (event) => {
    const value = (json) => JSON.stringify(json);
    const txn = `Transaction ${value(event.txn)}`;
    const other = event.other === undefined ? "" : ` of ${value(event.other)}`;
    switch (event.axiom) {
      case "ext":
      case "int":
        return `${txn} read ${value(event.read)} of ${value(event.key)}, expected ${value(event.expected ?? event["expected-end"])}` +
          (event["expected-writer"] === undefined ? "" : `, which ${value(event["expected-writer"])} wrote`);
      case "noconflict": return `${txn} overlaps another writer of ${value(event.key)}${other ? `, ${value(event.other)}` : ""}`;
      case "session": return `${txn} started before the one before it in session ${value(event.session)} had committed`;
      case "start-after-commit": return `${txn} started after its commit`;
      default: return `${txn}: ${event.axiom}`;
    }
  };
  // The key of a provisional event and of the final event that replaces it. Only the final one
  // names the other transaction of a read.
  const placeOf = (event) => JSON.stringify([event.axiom, event.txn, event.key, event.mop]);
  const kinds = {
    provisional: ["unknown", "provisional"],
    final: ["violated", "final"],
    late: ["violated", "late"],
    retracted: ["open", "retracted"],
    error: ["unknown", "line"],
    notice: ["open", "notice"],
  };
  const eventRow = (kind, words, anomaly) => el("li", { class: "fresh" },
    el("span", { class: `state ${kind[0]}` }, shape(kind[0]), kind[1]),
    el("span", { class: "anomaly" }, anomaly || ""),
    el("span", { class: "what" }, words));
  const setKind = (row, [kind, word]) =>
    row.firstChild.replaceWith(el("span", { class: `state ${kind}` }, shape(kind), word));

  const hear = (stream, event) => {
    const { provisional, list } = stream;
    const place = placeOf(event);
    const known = provisional.get(place);
    stream.nothing.hidden = true;
    if (event.event === "retracted") {
      if (known) {
        known.classList.add("gone");
        setKind(known, kinds.retracted);
        provisional.delete(place);
      }
      return;
    }
    if (event.event === "final" && known) {
      setKind(known, kinds.final);
      known.children[1].textContent = event.anomaly || "";
      provisional.delete(place);
      return;
    }
    const isOff = event.event === "late" && event.stands === false;
    const words = event.event === "error" ? `Line ${event.line}: ${event.message}`
      : event.event === "notice" ? event.message : wordsOf(event);
    const row = eventRow(isOff ? ["open", "late"] : kinds[event.event], isOff ? `${words}: no violation after all` : words,
                         event.anomaly);
    list.prepend(row);
    requestAnimationFrame(() => requestAnimationFrame(() => row.classList.remove("fresh")));
    if (event.event === "provisional") provisional.set(place, row);
    while (list.children.length > shown) list.lastElementChild.remove();
  };
  const listen = (stream) => {
    stream.source = new EventSource(`${stream.href}/events?from=recent`);
    for (const kind of Object.keys(kinds)) {
      stream.source.addEventListener(kind, (message) => hear(stream, JSON.parse(message.data)));
    }
    stream.source.addEventListener("progress", (message) => showFacts(stream, JSON.parse(message.data)));
    stream.source.addEventListener("summary", (message) => {
      showFacts(stream, JSON.parse(message.data));
      hush(stream);
      refresh(300);
    });
  };
  const hush = (stream) => {
    if (stream.source) stream.source.close();
    stream.source = null;
  };
  const toggle = (stream) => {
    const isOpen = stream.events.hidden;
    stream.events.hidden = !isOpen;
    stream.show.setAttribute("aria-expanded", String(isOpen));
    stream.show.textContent = isOpen ? "Hide events" : "Show events";
    if (isOpen) {
      stream.provisional = new Map();
      stream.list.replaceChildren();
      stream.nothing.hidden = false;
      listen(stream);
    } else {
      hush(stream);
    }
  };
  const countOf = (violations) => typeof violations === "number" ? violations
    : Object.values(violations || {}).reduce((sum, count) => sum + count, 0);
  const showFacts = (stream, facts) => {
    const figure = (count, word) => el("span", {}, el("b", {}, number.format(count)), ` ${word}`);
    stream.figures.replaceChildren(...(facts ? [
      figure(facts.transactions, "transactions"),
      figure(countOf(facts.violations), "violations"),
      facts.provisional ? figure(facts.provisional, "provisional") : "",
    ] : [el("span", {}, "nothing yet")]).filter(Boolean));
  };
  const newStream = (data) => {
    const stream = { href: data.links.self, provisional: new Map() };
    const id = `events-${data.id}`;
    stream.verdict = el("span");
    stream.figures = el("span", { class: "figures" });
    stream.age = el("time", { class: "number", datetime: data.created, title: data.created });
    stream.note = el("span", { class: "note" });
    stream.show = el("button", { class: "small", type: "button", "aria-expanded": "false", "aria-controls": id,
                                 onclick: () => toggle(stream) }, "Show events");
    stream.end = el("button", { class: "small", type: "button",
                                onclick: guarded(() => ask(`${stream.href}/end`, { method: "POST" })) }, "End");
    stream.remove = el("button", { class: "quiet", type: "button",
                                   onclick: guarded(() => ask(stream.href, { method: "DELETE" })) }, "Remove");
    stream.list = el("ul", { role: "log", "aria-label": "Events" });
    stream.nothing = el("p", { class: "empty" }, "No violation so far.");
    stream.events = el("div", { class: "events", id, hidden: true, tabindex: 0 }, stream.nothing, stream.list);
    stream.row = el("li", {},
      el("div", { class: "stream" }, stream.verdict,
         el("span", { class: "name" }, data.name || data.id.slice(-8), el("span", { class: "note level" }, data.level.join(", ")), stream.note),
         stream.figures, stream.age, el("span", { class: "actions" }, stream.show, stream.end, stream.remove)),
      stream.events);
    return stream;
  };
  const drawStreams = (list) => {
    const seen = new Set(list.map((data) => data.id));
    for (const [id, stream] of streams) {
      if (!seen.has(id)) {
        hush(stream);
        streams.delete(id);
      }
    }
    fill(byId("stream-rows"), list.map((data) => {
      if (!streams.has(data.id)) streams.set(data.id, newStream(data));
      const stream = streams.get(data.id);
      const fresh = stateOf(data.verdict, data.state);
      if (fresh.outerHTML !== stream.verdict.outerHTML) {
        stream.verdict.replaceWith(fresh);
        stream.verdict = fresh;
      }
      if (!stream.source) showFacts(stream, data.progress);
      stream.age.textContent = ageOf(data.created);
      stream.note.textContent = data.reason || (data.verdict && data.state !== "ended" ? `${data.state}` : "");
      stream.end.hidden = !["open", "stalled"].includes(data.state);
      stream.remove.hidden = !stream.end.hidden;
      return stream.row;
    }));
    byId("streams").hidden = list.length === 0;
    byId("stream-count").textContent = list.length ? number.format(list.length) : "";
  };
  const loadStreams = async () => drawStreams((await ask("/v1/streams?limit=100")).streams);

  // ---- The clock: running checks are asked for often, others rarely

  let timer = 0;
  const complain = (error) => { byId("count").textContent = error.message; };
  const refresh = (wait = 0) => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      await Promise.all([load(), loadStreams(), loadRuns()]).catch(complain);
      tellVerdicts();
      const isBusy = checks.some((check) => ["queued", "running"].includes(check.state)) || streams.size > 0;
      refresh(isBusy ? soon : later);
    }, document.hidden && wait ? later : wait);
  };
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });

  // ---- Keys: j and k go to the next and the previous run, / to the search, u to files

  const step = (by) => {
    const links = Array.from(document.querySelectorAll("#rows .name a"));
    const at = links.indexOf(document.activeElement);
    const to = links[Math.max(0, Math.min(links.length - 1, at + by))];
    if (to) to.focus();
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "radio") {
      if (event.key === "Escape") {
        if (event.target.id === "text" && event.target.value) {
          event.target.value = "";
          draw();
        } else {
          event.target.blur();
        }
      }
      return;
    }
    if (event.key === "/") byId("text").focus();
    else if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "u") byId("files").click();
    else return;
    event.preventDefault();
  });

  byId("place").textContent = location.host;
  refresh();
})();
