// The graph around a thing, or between two: drawn on a canvas, and the same as a table.
"use strict";

const canvas = document.querySelector("canvas");
const told = document.getElementById("told");
const rows = document.querySelector("[data-testid=graph-table] tbody");
const MOST = 500;
const NEAR = 14; // pixels within which a click finds something
let words = { predicates: {}, concepts: {}, classes: {} };
let statements = [];
let centre = null;
let nodes = new Map();
let edges = [];
let view = { x: 0, y: 0, scale: 1 };
let heat = 0;

const named = (kind, name) => words[kind][name] || name.replaceAll("_", " ");
const label = (end) => end.name ?? [end.value, end.unit].filter(Boolean).join(" ");
const denied = (one) => one.evidence.length > 0 && one.evidence.every((each) => each.polarity < 0);
const told_if = (text) => { told.textContent = text; };

async function find(text) {
  const found = await call(`/api/v1/entities?q=${encodeURIComponent(text)}&lang=${lang}&limit=12`);
  document.getElementById("found").replaceChildren(...found.items.map((each) =>
    make("button", { type: "button", onclick: () => open(each) }, `${each.name} (${named("concepts", each.concept)})`)));
  told_if(found.items.length ? "" : texts.none);
  if (found.items.length) await open(found.items[0]);
}

async function open(thing) {
  const address = `/api/v1/entities/${encodeURIComponent(thing.id)}/statements?lang=${lang}&limit=${MOST}`;
  const found = await call(address);
  centre = thing.id;
  fill(found.items, thing.name);
  told_if(found.total > found.items.length ? say(texts.shown, { n: found.items.length, total: found.total }) : "");
}

async function join(from, to) {
  const found = await call(`/api/v1/paths?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}&lang=${lang}`);
  centre = found.paths[0]?.[0]?.subject.id ?? null;
  told_if(found.paths.length ? "" : texts.no_path);
  const each = new Map(found.paths.flat().map((one) => [one.id, one]));
  fill([...each.values()], `${from} – ${to}`);
}

function fill(found, title) {
  statements = found;
  document.getElementById("centre").textContent = title;
  document.getElementById("empty").hidden = true;
  document.getElementById("shown").hidden = false;
  choose("predicate", "predicates", found.map((one) => one.predicate));
  choose("concept", "concepts", found.flatMap((one) => [one.subject, one.object]).filter((end) => end.id && end.id !== centre).map((end) => end.concept));
  draw();
}

function choose(id, kind, names) {
  const options = [...new Set(names)].sort().map((name) => make("option", { value: name }, named(kind, name)));
  document.getElementById(id).replaceChildren(make("option", { value: "" }, texts.all), ...options);
}

const wanted = () => {
  const predicate = document.getElementById("predicate").value;
  const concept = document.getElementById("concept").value;
  return statements.filter((one) => (!predicate || one.predicate === predicate)
    && (!concept || [one.subject, one.object].some((end) => end.id !== centre && end.concept === concept)));
};

function draw() {
  const shown = wanted();
  rows.replaceChildren(...shown.map((one) => make("tr", {},
    make("td", {}, thingButton(one.subject)),
    make("td", {}, named("predicates", one.predicate) + (denied(one) ? ` (${texts.denies})` : "")),
    make("td", {}, thingButton(one.object)),
    make("td", {}, one.belief.toFixed(2)),
    make("td", {}, make("button", { type: "button", onclick: () => evidence(one), "aria-label": `${texts.evidence}: ${label(one.subject)} ${named("predicates", one.predicate)} ${label(one.object)}` }, String(one.evidence.length))))));
  if (!shown.length) told_if(texts.no_edges);
  lay(shown);
}

const thingButton = (end) => end.id && end.id !== centre
  ? make("button", { type: "button", class: "plain", onclick: () => open(end).catch(failed) }, label(end)) : label(end);

function evidence(one) {
  const frame = document.getElementById("edge-frame").content.cloneNode(true).firstElementChild;
  frame.append(...one.evidence.map((each) => make("div", { class: "card" },
    make("p", { class: "source" }, make("cite", {}, each.title || each.document), ` · ${named("classes", each.class)}${each.polarity < 0 ? ` · ${texts.denies}` : ""}`),
    make("blockquote", {}, make("mark", {}, each.quote)),
    make("button", { type: "button", onclick: async () => {
      try { show(each.title || each.document, ...await whole(each.document, each.place.field, each.place.start, each.place.end)); document.querySelector("#evidence mark")?.scrollIntoView({ block: "center" }); } catch (error) { failed(error); }
    } }, each.document))));
  show(`${label(one.subject)} — ${named("predicates", one.predicate)} → ${label(one.object)}`, frame);
}

// --- the picture: springs along edges, everything else keeps its distance

function lay(shown) {
  const before = nodes;
  nodes = new Map();
  const put = (end, turn) => {
    const { id } = end;
    if (!nodes.has(id)) {
      const far = id === centre ? 0 : 120 + (turn % 4) * 60;
      const old = before.get(id);
      nodes.set(id, { id, end, x: old?.x ?? Math.cos(turn * 2.4) * far, y: old?.y ?? Math.sin(turn * 2.4) * far, dx: 0, dy: 0 });
    }
    return nodes.get(id);
  };
  edges = shown.filter((one) => one.object.id).map((one, turn) => ({ one, from: put(one.subject, turn), to: put(one.object, turn) }));
  heat = 1;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) while (heat > 0.02) { move(); fit(); }
  requestAnimationFrame(frame);
}

function move() {
  const all = [...nodes.values()];
  for (let i = 0; i < all.length; i += 1) {
    const a = all[i];
    for (let j = i + 1; j < all.length; j += 1) {
      const b = all[j];
      const x = a.x - b.x || 0.1;
      const y = a.y - b.y || 0.1;
      const far = x * x + y * y;
      if (far > 90000) continue;
      const push = 900 / (far + 60);
      a.dx += x * push; a.dy += y * push; b.dx -= x * push; b.dy -= y * push;
    }
  }
  const rest = 90 + Math.sqrt(all.length) * 9;
  for (const { from, to } of edges) {
    const x = to.x - from.x;
    const y = to.y - from.y;
    const far = Math.hypot(x, y) || 1;
    const pull = (far - rest) / far * 0.06;
    from.dx += x * pull; from.dy += y * pull; to.dx -= x * pull; to.dy -= y * pull;
  }
  for (const each of all) {
    if (each.id === centre) { each.x *= 0.8; each.y *= 0.8; } else {
      const step = Math.min(20, Math.hypot(each.dx, each.dy)) * heat / (Math.hypot(each.dx, each.dy) || 1);
      each.x += each.dx * step; each.y += each.dy * step;
    }
    each.dx = 0; each.dy = 0;
  }
  heat *= 0.97;
}

function frame() {
  if (heat > 0.02) { move(); fit(); requestAnimationFrame(frame); }
  paint();
}

/** All of it is to be seen, until somebody moves it. */
function fit() {
  const all = [...nodes.values()];
  const wide = Math.max(80, ...all.map((each) => Math.abs(each.x)));
  const high = Math.max(80, ...all.map((each) => Math.abs(each.y)));
  const scale = Math.min((canvas.clientWidth / 2 - 30) / wide, (canvas.clientHeight / 2 - 24) / high);
  view = { x: 0, y: 0, scale: Math.max(0.1, Math.min(1.2, scale)) };
}

function paint() {
  const style = getComputedStyle(document.body);
  const colour = (name) => style.getPropertyValue(name).trim();
  const wide = canvas.clientWidth;
  const high = canvas.clientHeight;
  const dots = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(wide * dots)) { canvas.width = Math.round(wide * dots); canvas.height = Math.round(high * dots); }
  const pen = canvas.getContext("2d");
  pen.setTransform(dots, 0, 0, dots, 0, 0);
  pen.clearRect(0, 0, wide, high);
  pen.translate(wide / 2 + view.x, high / 2 + view.y);
  pen.scale(view.scale, view.scale);
  for (const { one, from, to } of edges) {
    pen.setLineDash(denied(one) ? [6, 5] : []);
    pen.strokeStyle = denied(one) ? colour("--stop") : colour("--line");
    pen.lineWidth = 0.5 + 2 * one.belief;
    pen.beginPath(); pen.moveTo(from.x, from.y); pen.lineTo(to.x, to.y); pen.stroke();
    const turn = Math.atan2(to.y - from.y, to.x - from.x);
    const x = (from.x + 2 * to.x) / 3;
    const y = (from.y + 2 * to.y) / 3;
    pen.setLineDash([]);
    pen.beginPath(); pen.moveTo(x + 7 * Math.cos(turn), y + 7 * Math.sin(turn));
    pen.lineTo(x + 5 * Math.cos(turn + 2.4), y + 5 * Math.sin(turn + 2.4)); pen.lineTo(x + 5 * Math.cos(turn - 2.4), y + 5 * Math.sin(turn - 2.4));
    pen.fillStyle = pen.strokeStyle; pen.fill();
  }
  pen.textAlign = "center";
  pen.font = `${12 / Math.max(view.scale, 0.4)}px ${style.fontFamily}`;
  for (const each of nodes.values()) {
    pen.beginPath(); pen.arc(each.x, each.y, each.id === centre ? 9 : 6, 0, 7);
    pen.fillStyle = each.id === centre ? colour("--link") : colour("--card"); pen.fill();
    pen.lineWidth = 1.5; pen.strokeStyle = colour("--link"); pen.stroke();
    if (nodes.size > 60 && view.scale < 0.4 && each.id !== centre) continue; // they would hide one another
    pen.lineWidth = 3; pen.strokeStyle = colour("--card"); pen.strokeText(short(each), each.x, each.y - 11);
    pen.fillStyle = colour("--ink"); pen.fillText(short(each), each.x, each.y - 11);
  }
}

const short = (node) => { const text = label(node.end); return text.length > 26 ? `${text.slice(0, 25)}…` : text; };

const place = (event) => {
  const box = canvas.getBoundingClientRect();
  return { x: (event.clientX - box.left - box.width / 2 - view.x) / view.scale, y: (event.clientY - box.top - box.height / 2 - view.y) / view.scale };
};

function hit(event) {
  const at = place(event);
  const reach = NEAR / view.scale;
  const node = [...nodes.values()].find((each) => Math.hypot(each.x - at.x, each.y - at.y) < reach);
  if (node) return node.end.id && node.id !== centre ? open(node.end).catch(failed) : undefined;
  const edge = edges.find(({ from, to }) => {
    const x = to.x - from.x;
    const y = to.y - from.y;
    const share = Math.max(0, Math.min(1, ((at.x - from.x) * x + (at.y - from.y) * y) / (x * x + y * y || 1)));
    return Math.hypot(from.x + share * x - at.x, from.y + share * y - at.y) < reach / 2;
  });
  return edge && evidence(edge.one);
}

let drag = null;
canvas.addEventListener("pointerdown", (event) => { drag = { x: event.clientX, y: event.clientY, moved: false }; canvas.setPointerCapture(event.pointerId); });
canvas.addEventListener("pointermove", (event) => {
  if (!drag) return;
  view.x += event.clientX - drag.x; view.y += event.clientY - drag.y;
  drag = { x: event.clientX, y: event.clientY, moved: drag.moved || Math.hypot(event.movementX, event.movementY) > 2 };
  paint();
});
canvas.addEventListener("pointerup", (event) => { if (drag && !drag.moved) hit(event); drag = null; });
const zoom = (by) => { view.scale = Math.max(0.1, Math.min(4, view.scale * by)); paint(); };
canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoom(event.deltaY < 0 ? 1.1 : 0.9); }, { passive: false });
document.getElementById("closer").addEventListener("click", () => zoom(1.25));
document.getElementById("further").addEventListener("click", () => zoom(0.8));
window.addEventListener("resize", () => { canvas.width = 0; paint(); });
for (const id of ["predicate", "concept"]) document.getElementById(id).addEventListener("change", () => { told_if(""); draw(); });

const failed = (error) => told_if(wordsOf(error));
document.getElementById("find").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = event.target.elements.q.value.trim();
  if (text) find(text).catch(failed);
});
document.getElementById("between").addEventListener("submit", (event) => {
  event.preventDefault();
  const ends = event.target.elements;
  join(ends.from.value.trim(), ends.to.value.trim()).catch(failed);
});
call(`/page/words?lang=${lang}`).then((found) => {
  words = found;
  const answer = JSON.parse(sessionStorage.getItem("medweave answer") || "null");
  sessionStorage.removeItem("medweave answer");
  if (answer) fill(answer.statements, answer.question);
}, failed);
