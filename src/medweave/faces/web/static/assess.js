// An assessment, question by question. All that was said is kept in this tab alone.
"use strict";

const KEPT = "medweave assessment";
const begin = document.getElementById("begin");
const shown = document.getElementById("state");
const over = document.getElementById("over");
const nothing = { guideline: "sample", events: [], text: "", passed: [] };
let state = nothing;
let waiting = false;

const keep = () => { try { sessionStorage.setItem(KEPT, JSON.stringify(state)); } catch { /* it is not kept */ } };

async function step(act) {
  if (waiting) return;
  waiting = true;
  const open = [...shown.querySelectorAll("details[open][data-open]")].map((each) => each.dataset.open);
  try {
    const said = await call(`/page/assess?lang=${lang}`, posted({ ...state, act }));
    state = { ...state, events: said.events, passed: said.passed };
    keep();
    shown.innerHTML = said.html;
    if (!said.events.length) { // what was typed cannot be so: it is still there to be mended
      shown.replaceChildren(shown.querySelector(".problem"));
      return;
    }
    for (const name of open) shown.querySelector(`[data-open=${name}]`)?.setAttribute("open", "");
    begin.hidden = true;
    over.hidden = false;
    document.getElementById("asking")?.focus({ preventScroll: true });
    const first = shown.querySelector(".problem, .danger, .card") || shown;
    first.scrollIntoView({ block: "nearest" });
  } catch (error) {
    const problem = problemOf(wordsOf(error), () => { problem.remove(); step(act); });
    shown.prepend(problem);
  } finally {
    waiting = false;
  }
}

begin.addEventListener("submit", (event) => {
  event.preventDefault();
  const said = Object.fromEntries(new FormData(begin));
  state = { ...nothing, guideline: said.guideline, text: said.text };
  step({ kind: "begin", person: { age: said.age, weight: said.weight, sex: said.sex } });
});

shown.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.matches(".note")) {
    form.elements.state.value = JSON.stringify(state);
    return;
  }
  event.preventDefault();
  if (form.matches(".act")) {
    const { about, value } = form.elements;
    step({ kind: form.dataset.kind, about: form.dataset.about || about.value, value: value?.value || "" });
    return;
  }
  const about = shown.querySelector("[data-observation]").dataset.observation;
  const ticked = [...form.querySelectorAll("input[type=checkbox]")];
  const several = ticked.filter((each) => each.checked).map((each) => each.dataset.value);
  step({ kind: "answer", about, value: ticked.length ? several : form.elements.value.value });
});

shown.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const question = shown.querySelector("[data-observation]");
  const about = question?.dataset.observation;
  if (button.matches("[data-testid=back]")) step({ kind: "back" });
  else if (button.matches(".resource")) step({ kind: button.dataset.kind, about: button.dataset.about });
  else if (button.matches(".take-back")) step({ kind: "agreed", about: button.dataset.about });
  else if (button.matches(".change")) step({ kind: "change", about: button.dataset.about });
  else if (button.matches("[data-testid=option]")) {
    const value = button.dataset.value;
    const sign = { true: "present", false: "absent", unknown: "unknown" };
    if (question.dataset.sign) step({ kind: "sign", about, value: sign[value] });
    else if (value === "unknown" || value === "unavailable") step({ kind: value, about });
    else step({ kind: "answer", about, value });
  }
});

over.addEventListener("click", () => {
  sessionStorage.removeItem(KEPT);
  state = nothing;
  shown.replaceChildren();
  begin.hidden = false;
  over.hidden = true;
  begin.reset();
  begin.querySelector("input").focus();
});

try { state = JSON.parse(sessionStorage.getItem(KEPT)) || nothing; } catch { state = nothing; }
const child = sessionStorage.getItem("medweave child"); // told in a question already
sessionStorage.removeItem("medweave child");
if (child) begin.elements.text.value = child;
else if (state.events.length) step({});
