// What was read, to be decided about: what is least believed first.
"use strict";

const queue = document.getElementById("review");
const SHOWN = 10;
let after = "";

const named = (end) => end.name ?? String(end.value);

function quote(item) {
  return make("blockquote", {}, item.polarity < 0 ? make("strong", {}, `${texts.denies}: `) : null,
    `“${item.quote}”`, " ", make("cite", {}, item.title || item.document));
}

/** A statement with what it rests on; it can be decided about again as long as it is shown. */
function card(one) {
  const state = make("p", { class: "status", role: "status" });
  const decide = async (decision, correction = {}) => {
    const by = document.getElementById("reviewer").value;
    const { new: concept, ...right } = correction;
    try {
      await call(`/api/v1/review/${encodeURIComponent(one.id)}`, posted({ decision, by, correction: right, new: concept }));
      state.textContent = texts.decided[decision];
      fold();
    } catch (error) { state.textContent = wordsOf(error); }
  };
  const button = (decision, does = {}) => make("button", { type: "button", "data-decision": decision, ...does }, texts.decide[decision]);
  const deciding = (decision) => button(decision, { onclick: () => decide(decision) });
  const right = correcting(one, (correction) => decide("corrected", correction));
  const correct = button("corrected");
  const fold = unfolds(correct, right);
  return make("li", { class: "card", "data-testid": "review-item", "data-id": one.id },
    make("h3", {}, `${named(one.subject)} — ${words.predicates[one.predicate] || one.predicate} → ${named(one.object)}`),
    make("p", { class: "facts" }, say(texts.belief, { n: one.belief.toFixed(2) })),
    ...one.evidence.slice(0, 3).map(quote),
    make("div", { class: "buttons" }, deciding("accepted"), deciding("rejected"), correct),
    right, state);
}

function correcting(one, decide) {
  const field = (name, value) => make("label", { class: "field" }, texts.parts[name], make("input", { name, value, maxlength: 200 }));
  const choice = (field, all, chosen) => make("select", { name: field }, ...all.map(([name, told]) =>
    make("option", { value: name, selected: name === chosen }, told)));
  const concepts = [["", texts.known], ...Object.entries(words.concepts)];
  const form = make("form", { hidden: true, class: "row" }, field("subject", named(one.subject)),
    make("label", { class: "field" }, texts.parts.predicate, choice("predicate", Object.entries(words.predicates), one.predicate)),
    field("object", named(one.object)), make("label", { class: "field" }, texts.parts.new, choice("new", concepts, "")),
    make("button", { class: "main" }, texts.correct));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const before = { subject: named(one.subject), predicate: one.predicate, object: named(one.object), new: "" };
    const changed = [...new FormData(form)].filter(([name, value]) => value !== before[name]);
    decide(Object.fromEntries(changed));
  });
  return form;
}

async function more() {
  const told = document.getElementById("review-told");
  try {
    words ??= await call(`/page/words?lang=${lang}`);
    const part = await call(`/api/v1/review?limit=${SHOWN}&cursor=${after}&lang=${lang}`);
    after = part.next;
    queue.querySelector("ol").append(...part.items.map(card));
    told.textContent = part.total ? say(texts.open, { n: part.total }) : texts.nothing_open;
    document.getElementById("more").hidden = after === null;
  } catch (error) { told.textContent = wordsOf(error); }
}

if (queue) {
  const who = document.getElementById("reviewer");
  try { who.value = localStorage.getItem("medweave reviewer") || ""; } catch { /* nothing is kept */ }
  who.addEventListener("change", () => { try { localStorage.setItem("medweave reviewer", who.value); } catch { /* nothing is kept */ } });
  queue.addEventListener("toggle", () => {
    if (!queue.open) return;
    after = "";
    queue.querySelector("ol").replaceChildren();
    more();
  });
  document.getElementById("more").addEventListener("click", more);
}
