// What a base holds and what is being read. A job goes on without this page.
"use strict";

const table = document.getElementById("documents");
const told = document.getElementById("told");
const form = document.getElementById("send");
const writable = table.dataset.writable === "yes";
const ENDED = ["done", "failed", "interrupted"];
const SECONDS = 1000;

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
  const [sources, jobs] = await Promise.all([call("/page/sources"), all("/api/v1/jobs")]);
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
async function watch() {
  if (watching) return;
  watching = true;
  for (let going = true; going;) {
    try {
      going = await draw();
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

function body(files, mapping) {
  const data = new FormData();
  for (const file of files) data.append("files", file, file.name);
  if (mapping || form.mapping.value) data.append("mapping", mapping || form.mapping.value);
  else if (form.kind.value) data.append("kind", form.kind.value);
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
async function sendIn(files, mapping, key = freshKey()) {
  told.replaceChildren();
  try {
    await call("/api/v1/documents", { method: "POST", body: body(files, mapping), headers: { "idempotency-key": key } });
  } catch (error) { problem(error, () => sendIn(files, mapping, key)); }
  await watch();
}

/** How each file would be read, by a mapping that may be put right here. */
async function look(files) {
  const shown = files.map((file) => make("section", { "data-testid": "looked-at" }));
  show(texts.preview_title, ...shown);
  await Promise.all(files.map((file, at) => lookAt(shown[at], file)));
}

async function lookAt(place, file, mapping) {
  const wrong = make("p", { role: "alert" });
  const said = await call("/api/v1/documents?preview=true", { method: "POST", body: body([file], mapping) })
    .catch((error) => { wrong.className = "problem"; wrong.textContent = wordsOf(error); });
  const written = make("textarea", { rows: 8, spellcheck: "false" });
  written.value = said?.mapping ?? mapping ?? "";
  const made = (said?.records ?? []).flatMap((record) => record.statements.map((one) =>
    make("li", {}, `${one.subject} — ${one.predicate} → ${one.object}`)));
  const skipped = (said?.skipped ?? []).map((one) => make("p", { class: "facts" }, say(texts.line, { n: one.line, reason: one.reason })));
  const again = make("button", { type: "button", onclick: () => lookAt(place, file, written.value) }, texts.look_again);
  const readIn = make("button", { type: "button", class: "main", onclick: () => {
    place.remove();
    if (!document.querySelector("#evidence .held section")) document.getElementById("evidence").close();
    sendIn([file], said?.recognised && written.value === said.mapping ? mapping : written.value);
  } }, texts.send);
  place.replaceChildren(make("h3", {}, file.name), wrong, make("ul", { class: "list" }, ...made), ...skipped,
    make("label", {}, texts.read_by, written), make("div", { class: "buttons" }, again, readIn));
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
