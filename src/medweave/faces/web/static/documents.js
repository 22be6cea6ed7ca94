// What a base holds and what is being read. A job goes on without this page.
"use strict";

const table = document.getElementById("documents");
const told = document.getElementById("told");
const form = document.getElementById("send");
const writable = table.dataset.writable === "yes";
const ENDED = ["done", "failed", "interrupted"];
const SECONDS = 1000;
const PAUSE = 400; // after the last key, before a mapping is tried
let words = null; // what predicates and concepts are called

async function all(address) {
  const found = [];
  for (let cursor = ""; cursor !== null;) {
    const part = await call(`${address}?limit=500&cursor=${cursor}`);
    found.push(...part.items);
    cursor = part.next;
  }
  return found;
}

/** What went wrong; what a server that was away did not get is sent again. */
function problem(error, again) {
  const lost = error instanceof TypeError;
  told?.replaceChildren(problemOf(wordsOf(error, texts.away), lost && again, texts.retry));
}

/** One row for each file: what its last job says of it, else what the base has of it. */
async function draw() {
  const jobs = await all("/api/v1/jobs"); // first: what a job has ended by then, the sources hold
  const sources = await call("/page/sources");
  const rows = new Map();
  for (const job of jobs) for (const file of job.files) rows.set(file.name, { ...file, job });
  const held = new Map(sources.items.map((each) => [each.name, each.documents]));
  for (const [name, row] of rows) if (row.status === "ready" && !held.has(name)) rows.delete(name);
  for (const name of held.keys()) if (!rows.has(name)) rows.set(name, { name, status: "ready", errors: [] });
  const names = [...rows.keys()].sort();
  table.hidden = names.length === 0;
  document.getElementById("empty").hidden = names.length > 0;
  table.tBodies[0].replaceChildren(...names.map((name) => rowOf(rows.get(name), held.get(name))));
  return jobs.some((job) => !ENDED.includes(job.status));
}

function rowOf(file, documents) {
  const state = make("td", {}, make("strong", {}, texts.statuses[file.status]));
  if (documents) state.append(` · ${documents === 1 ? texts.one_document : say(texts.documents, { n: documents })}`);
  const { job } = file;
  if (file.status === "reading" || file.status === "queued") {
    const bar = make("progress", { "data-testid": "progress", "aria-label": file.name, max: job.total || 1 });
    if (job.total) bar.value = job.done;
    state.append(make("div", {}, bar, job.seconds_left ? ` ${say(texts.seconds, { n: Math.ceil(job.seconds_left) })}` : ""));
  }
  for (const error of file.errors) {
    const reason = texts[error.reason] || (error.reason.includes("--mapping") ? texts.not_recognised : error.reason);
    state.append(make("p", { "data-testid": "document-error", class: "facts" },
      error.line ? say(texts.line, { n: error.line, reason }) : reason));
  }
  const acts = make("td");
  const retry = file.status === "failed" && job && ["failed", "interrupted"].includes(job.status);
  if (writable && retry) acts.append(make("button", { type: "button", "data-testid": "retry", "aria-label": `${texts.retry}: ${file.name}`, onclick: () => act(() => call(`/api/v1/jobs/${job.id}/retry`, { method: "POST" })) }, texts.retry), " ");
  if (writable && documents) acts.append(make("button", { type: "button", "data-testid": "remove", "aria-label": `${texts.remove}: ${file.name}`, onclick: () => remove(file.name) }, texts.remove));
  return make("tr", { "data-testid": "document", "data-name": file.name, "data-status": file.status },
    make("th", { scope: "row" }, file.name), state, acts);
}

let watching = false;
let changed = false; // something was done since the last look began
async function watch() {
  changed = true;
  if (watching) return;
  watching = true;
  for (let going = true; going;) {
    changed = false;
    try {
      going = await draw() || changed;
      if (told?.dataset.away) { told.replaceChildren(); delete told.dataset.away; }
    } catch (error) {
      if (told && !told.hasChildNodes()) { problem(error); told.dataset.away = "yes"; }
    }
    if (going) await new Promise((done) => { setTimeout(done, SECONDS); });
  }
  watching = false;
}

async function act(what) {
  told?.replaceChildren();
  try { await what(); } catch (error) { problem(error); }
  await watch();
}

/** Say what would go before it goes. */
async function remove(name) {
  const address = `/api/v1/documents?source=${encodeURIComponent(name)}`;
  try {
    const going = await call(`${address}&dry_run=true`, { method: "DELETE" });
    show(name, make("p", {}, say(texts.removing, { n: going.removed, name })),
      make("ul", { class: "list" }, ...going.documents.slice(0, 20).map((each) => make("li", {}, each.title || each.id))),
      make("button", { type: "button", onclick: () => {
        document.getElementById("evidence").close();
        act(() => call(address, { method: "DELETE" }));
      } }, texts.remove));
  } catch (error) { problem(error); }
}

/** Files, and by what they are to be read: as chosen here, or as the form says. */
function body(files, { mapping, kind } = { mapping: form.mapping.value, kind: form.kind.value }) {
  const data = new FormData();
  for (const file of files) data.append("files", file, file.name);
  if (mapping) data.append("mapping", mapping);
  else if (kind) data.append("kind", kind);
  return data;
}

function chosen(files) {
  document.getElementById("chosen").textContent = say(texts.chosen, { n: files.length });
  document.getElementById("preview").disabled = files.length === 0;
  if (!files.length) return;
  if (document.getElementById("look").checked) look(files);
  else sendIn(files);
}

const freshKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (each) => each.toString(16).padStart(2, "0")).join("");

/** The same key for the same files: however often they are sent, they are read once. */
async function sendIn(files, how, key = freshKey()) {
  told.replaceChildren();
  try {
    await call("/api/v1/documents", { method: "POST", body: body(files, how), headers: { "idempotency-key": key } });
  } catch (error) { problem(error, () => sendIn(files, how, key)); }
  await watch();
}

/** How each file would be read, by a mapping that may be put right here. */
async function look(files) {
  told.replaceChildren();
  try {
    words ??= await call(`/page/words?lang=${lang}`);
    show(texts.preview_title, ...files.map(editor));
  } catch (error) { problem(error, () => look(files)); }
}

/** A mapping with its lines counted, and what it makes of a file, anew whenever it is changed. */
function editor(file, at) {
  const choice = (name, label) => {
    const made = form.elements[name].cloneNode(true);
    made.value = form.elements[name].value;
    made.addEventListener("change", () => { edited = false; refresh(); });
    return [made, make("label", { class: "field" }, label, made)];
  };
  const [layout, byLayout] = choice("mapping", texts.mapping);
  const [kind, byKind] = choice("kind", texts.kind);
  const wrong = make("p", { role: "alert", id: `wrong-${at}` });
  const numbers = make("pre", { "aria-hidden": "true" });
  const written = make("textarea", { rows: 10, spellcheck: "false", wrap: "off", "aria-describedby": wrong.id });
  const shown = make("div", { "aria-live": "polite" });
  const readIn = make("button", { type: "button", class: "main" }, texts.send);
  let edited = false;
  let turn = 0;
  let soon = 0;
  let said = null;
  const how = () => ({ mapping: edited ? written.value : layout.value, kind: kind.value });
  const count = (bad) => numbers.replaceChildren(...written.value.split("\n").map((_, line) =>
    make("span", line + 1 === bad ? { class: "bad" } : {}, `${line + 1}\n`)));
  const refresh = async () => {
    turn += 1;
    const mine = turn;
    let bad = 0;
    try {
      const found = await call("/api/v1/documents?preview=true", { method: "POST", body: body([file], how()) });
      if (mine !== turn) return; // something newer was typed
      said = found;
      if (!edited) written.value = found.mapping;
      wrong.className = wrong.textContent = "";
      shown.replaceChildren(...previewed(found));
    } catch (error) {
      if (mine !== turn) return;
      bad = Number(/line (\d+)$/.exec(error.where)?.[1] ?? 0);
      wrong.className = "problem";
      wrong.textContent = bad ? say(texts.line, { n: bad, reason: error.message }) : wordsOf(error);
      shown.replaceChildren();
    }
    count(bad);
    written.setAttribute("aria-invalid", String(wrong.className === "problem"));
    readIn.disabled = wrong.className === "problem";
  };
  written.addEventListener("input", () => {
    edited = true;
    count(0);
    clearTimeout(soon);
    soon = setTimeout(refresh, PAUSE);
  });
  written.addEventListener("scroll", () => { numbers.scrollTop = written.scrollTop; });
  const place = make("section", { "data-testid": "looked-at" }, make("h3", {}, file.name),
    make("div", { class: "row" }, byKind, byLayout), wrong,
    make("label", {}, texts.read_by, make("div", { class: "editor" }, numbers, written)),
    shown, make("div", { class: "buttons" }, readIn));
  readIn.addEventListener("click", () => {
    place.remove();
    if (!document.querySelector("#evidence .held section")) document.getElementById("evidence").close();
    sendIn([file], said.recognised && !edited ? how() : { mapping: written.value });
  });
  refresh();
  return place;
}

/** What a mapping makes of the first rows, what it leaves out, and the lines that it cannot read. */
function previewed(found) {
  const statement = (one) => make("li", {}, `${words.predicates[one.predicate] || one.predicate} → ${one.object}`,
    one.polarity < 0 ? ` (${texts.denies})` : "", make("span", { class: "facts" }, ` “${one.quote}”`));
  return [
    ...found.records.map((record) => make("div", {},
      make("h4", {}, record.statements[0]?.subject ?? record.document),
      record.statements.length ? make("ul", { class: "list" }, ...record.statements.map(statement)) : make("p", {}, texts.makes_nothing))),
    ...found.left_out.map((one) => make("p", { class: "facts" }, say(texts.left_out, one))),
    ...found.skipped.map((one) => make("p", { class: "facts" }, say(texts.line, { n: one.line, reason: one.reason }))),
  ];
}

if (form) {
  const input = form.files;
  let last = [];
  const take = (files) => { last = [...files]; chosen(last); };
  input.addEventListener("change", () => { if (input.files.length) take(input.files); });
  const drop = document.getElementById("drop");
  for (const name of ["dragenter", "dragover"]) drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => { event.preventDefault(); take(event.dataTransfer.files); });
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("preview").addEventListener("click", () => look(last));
}

document.getElementById("make")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const made = await call("/api/v1/bases", posted({ name: event.target.elements.name.value }));
    location.search = new URLSearchParams({ lang, kb: made.name });
  } catch (error) { problem(error); }
});

watch();
