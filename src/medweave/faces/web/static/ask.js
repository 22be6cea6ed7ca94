// Questions and their answers. What was asked is kept in this browser, and in no address.
"use strict";

const form = document.getElementById("ask");
const field = document.getElementById("question");
const told = document.getElementById("told");
const KEPT = "medweave questions";
const MOST = 200;
let said = []; // what was asked about this person
let given = []; // the answers of this visit, to be saved
let running = null;

const kept = () => { try { return JSON.parse(localStorage.getItem(KEPT)) || []; } catch { return []; } };
const keep = (list) => { try { localStorage.setItem(KEPT, JSON.stringify(list.slice(-MOST))); } catch { /* no room */ } };

function showHistory() {
  const list = kept();
  document.getElementById("no-history").hidden = list.length > 0;
  document.getElementById("history").replaceChildren(...list.slice().reverse().map((each) =>
    make("li", {}, make("button", { type: "button", class: "plain", onclick: () => ask(each.question) }, each.question))));
}

/** The events of a stream as they come. */
async function* events(reply) {
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    held += value;
    for (let end = held.indexOf("\n\n"); end >= 0; end = held.indexOf("\n\n")) {
      const [name, data] = held.slice(0, end).split("\n");
      yield [name.slice("event: ".length), JSON.parse(data.slice("data: ".length))];
      held = held.slice(end + 2);
    }
  }
}

async function ask(question) {
  question = question.trim();
  if (!question || running) return;
  const frame = document.getElementById("answer-frame").content.cloneNode(true).firstElementChild;
  const parts = frame.querySelector(".parts");
  frame.querySelector(".question").textContent = question;
  document.getElementById("answers").append(frame);
  document.getElementById("begin").hidden = true;
  running = new AbortController();
  document.getElementById("stop").disabled = false;
  field.value = "";
  told.textContent = texts.working;
  frame.scrollIntoView({ block: "start" });
  keep([...kept().filter((each) => each.question !== question), { question, at: new Date().toISOString() }]);
  showHistory();
  try {
    const reply = await fetch(within("/page/ask"), posted({ question, history: said }, running.signal));
    if (!reply.ok) throw new Error(inFull(await reply.json()));
    for await (const [name, value] of events(reply)) take(frame, parts, question, name, value);
    if (frame.getAttribute("aria-busy") === "true") throw new TypeError("the answer broke off");
    said = [...said, question];
    document.getElementById("conversation").hidden = false;
    told.textContent = "";
  } catch (error) {
    failed(frame, parts, question, error);
  } finally {
    running = null;
    document.getElementById("stop").disabled = true;
    frame.setAttribute("aria-busy", "false");
  }
}

function take(frame, parts, question, name, value) {
  if (name === "part") parts.insertAdjacentHTML("beforeend", value);
  if (name === "error") throw new Error(inFull(value));
  if (name !== "answer") return;
  parts.innerHTML = value.html;
  parts.lang = value.json.language;
  frame.querySelector(".own-limits").textContent = value.limits;
  frame.setAttribute("aria-busy", "false");
  given.push({ question, answer: value.json });
  ready(frame, question, value);
}

/** Nothing that was asked is lost: it can be asked again. */
function failed(frame, parts, question, error) {
  const stopped = error.name === "AbortError";
  parts.append(problemOf(stopped ? texts.stopped : wordsOf(error), () => { frame.remove(); ask(question); }));
  for (const button of frame.querySelectorAll(".under button")) button.disabled = true;
  told.textContent = "";
}

function ready(frame, question, value) {
  const on = (name, act) => frame.querySelector(`[data-testid=${name}]`).addEventListener("click", act);
  const note = frame.querySelector(".noted");
  const reason = frame.querySelector(".reason");
  const decide = async (decision, why) => {
    const kind = { answer: value.json.id, decision, reason: why };
    let recorded = false;
    try { ({ recorded } = await call("/api/v1/decisions", posted(kind))); } catch { /* nobody keeps it there */ }
    note.textContent = recorded ? texts.kept : texts.not_kept;
    Object.assign(given.find((each) => each.answer === value.json), { decision, reason: why });
  };
  on("agree", () => decide("agree"));
  const fold = unfolds(frame.querySelector("[data-testid=disagree]"), reason);
  reason.addEventListener("submit", (event) => { event.preventDefault(); fold(); decide("disagree", reason.reason.value); });
  on("copy", async () => {
    if (!navigator.clipboard) return show(texts.copy, make("pre", {}, value.text)); // not without TLS
    await navigator.clipboard.writeText(value.text);
    note.textContent = texts.copied;
  });
  on("print", () => {
    for (const each of document.querySelectorAll(".printed")) each.classList.remove("printed");
    frame.classList.add("printed");
    document.body.classList.add("one");
    window.print();
    document.body.classList.remove("one");
  });
  frame.querySelector(".graph").addEventListener("click", () => {
    sessionStorage.setItem("medweave answer", JSON.stringify({ question, statements: wholeStatements(value.json) }));
    location.href = document.querySelector("nav a[href^='/graph']").href;
  });
  frame.querySelector(".json").addEventListener("click", () => save(value.json, "answer.json"));
  frame.querySelector(".go-on")?.addEventListener("click", () => {
    sessionStorage.setItem("medweave child", question);
    location.href = document.querySelector("nav a[href^='/assess']").href;
  });
  for (const tick of frame.querySelectorAll(".tick")) tick.addEventListener("change", () => again(tick, question));
}

/** The statements of an answer, each with its evidence in place of the numbers of it. */
const wholeStatements = (answer) => Object.values(answer.statements).map((one) =>
  ({ ...one, evidence: one.evidence.map((key) => answer.evidence[key]) }));

/** What was found out is told with the question asked again; what needs a word more waits for it. */
function again(tick, question) {
  const fact = texts.ticks[tick.dataset.about];
  if (!tick.checked) return;
  if (fact && /[.。]$/.test(fact)) return ask(`${question} ${fact}`);
  field.value = `${question} ${fact || texts.ticks.other}`;
  field.focus();
}

function save(value, name) {
  const address = URL.createObjectURL(new Blob([JSON.stringify(value, null, 1)], { type: "application/json" }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

window.addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("#answers details:not([open])")) {
    details.open = true;
    details.dataset.opened = "for printing";
  }
});
window.addEventListener("afterprint", () => {
  for (const details of document.querySelectorAll("#answers [data-opened]")) {
    details.open = false;
    delete details.dataset.opened;
  }
});

form.addEventListener("submit", (event) => { event.preventDefault(); ask(field.value); });
field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  ask(field.value);
});
document.getElementById("stop").addEventListener("click", () => running?.abort());
document.getElementById("another").addEventListener("click", () => {
  said = [];
  document.getElementById("answers").replaceChildren();
  document.getElementById("conversation").hidden = true;
  document.getElementById("begin").hidden = false;
  field.focus();
});
for (const button of document.querySelectorAll("[data-testid=example]")) button.addEventListener("click", () => ask(button.textContent));
document.getElementById("export").addEventListener("click", () => save({ questions: kept(), answers: given }, "medweave-questions.json"));
document.getElementById("clear").addEventListener("click", () => { localStorage.removeItem(KEPT); given = []; showHistory(); });
showHistory();
