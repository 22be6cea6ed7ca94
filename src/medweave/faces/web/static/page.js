// What all views share: the passage behind a citation, the choice of a base, and a few short ways.
"use strict";

const texts = JSON.parse(document.body.dataset.texts);
const { kb, lang } = document.body.dataset;
const SPOKEN = { "accept-language": lang }; // what went wrong is told in the language of the page
const within = (address) => kb ? `${address}${address.includes("?") ? "&" : "?"}kb=${encodeURIComponent(kb)}` : address;
const say = (text, slots) => text.replace(/\{(\w+)\}/g, (whole, name) => name in slots ? slots[name] : whole);

/** An element with its attributes and what is in it; texts stay texts. */
function make(tag, attributes = {}, ...held) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...held.filter((each) => each != null));
  return made;
}

/** What is wrong, and what to do. */
const inFull = (problem) => [problem.detail, problem.remedy].filter(Boolean).join(lang === "zh" ? "；" : "; ");

/** JSON from the server; an error tells what it says. */
async function call(address, how = {}) {
  const reply = await fetch(within(address), { ...how, headers: { ...how.headers, ...SPOKEN } });
  const said = reply.status === 204 ? {} : await reply.json();
  if (!reply.ok) throw Object.assign(new Error(inFull(said)), { where: said.where });
  return said;
}

const posted = (value, signal) => ({
  method: "POST", headers: { "content-type": "application/json", ...SPOKEN }, body: JSON.stringify(value), signal,
});

/** What went wrong, in words; a server that is away says nothing of it. */
const wordsOf = (error, away = texts.failed) => error instanceof TypeError ? away : error.message;

/** The same as a part of the page, with a way to try it again. */
const problemOf = (told, again, label = texts.again) => make("div", { class: "problem", role: "alert" },
  make("p", {}, told), again ? make("button", { type: "button", onclick: again }, label) : null);

/** A button unfolds something to be filled in; what is given back folds it again. */
function unfolds(button, held) {
  const set = (open) => {
    held.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    if (open) held.querySelector("input").focus();
  };
  set(false);
  button.addEventListener("click", () => set(held.hidden));
  return () => set(false);
}

/** Show something in the dialog; Escape closes it, and the focus goes back where it was. */
function show(title, ...held) {
  const dialog = document.getElementById("evidence");
  dialog.querySelector("h2").textContent = title;
  dialog.querySelector(".held").replaceChildren(...held);
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("h2").focus();
}

document.querySelector("#evidence .close").addEventListener("click", () => document.getElementById("evidence").close());
document.getElementById("evidence").addEventListener("click", (event) => {
  if (event.target === event.currentTarget) event.currentTarget.close();
});

/** A document with a place in it marked. */
async function whole(name, field, start, end) {
  const held = await call(`/api/v1/documents/${encodeURIComponent(name)}`);
  return Object.entries(held.fields).flatMap(([title, text]) => {
    const letters = Array.from(text); // the server counts characters
    const marked = title === field
      ? [letters.slice(0, start).join(""), make("mark", {}, letters.slice(start, end).join("")), letters.slice(end).join("")]
      : [text];
    return [make("h3", {}, title), make("pre", {}, ...marked)];
  });
}

/** The passage that a piece of evidence is, as the answer holds it, with its document behind it. */
function showPassage(item) {
  const copy = item.cloneNode(true);
  copy.removeAttribute("id");
  const { document: name, field, start, end } = item.dataset;
  const more = make("details", {}, make("summary", {}, texts.whole || name));
  more.addEventListener("toggle", async () => {
    if (!more.open || more.dataset.read) return;
    more.dataset.read = "yes";
    try {
      more.append(...await whole(name, field, Number(start), Number(end)));
      more.querySelector("mark")?.scrollIntoView({ block: "center" });
    } catch (error) {
      more.append(make("p", { class: "problem" }, error.message));
    }
  });
  show(item.querySelector("cite").textContent, make("ol", { class: "evidence" }, copy), more);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest(".links a[href^='#']");
  const target = link && document.getElementById(link.getAttribute("href").slice(1));
  if (!target) return;
  event.preventDefault();
  if (target.matches("li")) return showPassage(target);
  target.open = true;
  target.querySelector("summary").focus();
});

// on a phone the view that is shown may lie beyond the edge of the others
document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
document.getElementById("base")?.addEventListener("change", (event) => event.target.form.submit());
