// The script of the page: live news, keys, and copying. Pages work without it.
"use strict";

let stream = null;

function listen() {
  if (stream) stream.close();
  stream = null;
  const source = document.getElementById("live")?.dataset.source;
  if (!source || document.hidden) return;
  stream = new EventSource(source);
  stream.addEventListener("turn", () => {
    stream.close();
    // A form in which somebody is typing stays as it is; its number of the turn makes a late message a conflict.
    if (isTyping()) document.getElementById("composer").id = "composer-kept";
    document.getElementById("live").dispatchEvent(new Event("turn"));
  });
}

function isTyping() {
  return [...document.querySelectorAll("#composer textarea, #composer input:not([type=hidden])")].some((f) => f.value);
}

document.addEventListener("htmx:after:swap", () => {
  document.getElementById("composer-kept")?.setAttribute("id", "composer");
  listen();
});

document.addEventListener("visibilitychange", listen);

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent).then(() => {
    const said = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = said), 1500);
  });
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.form) {
    event.target.form.requestSubmit();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  const focus = { w: "words", t: "tool-name" }[event.key];
  const link = { j: "next", k: "prev" }[event.key];
  const target = focus ? document.getElementById(focus) : link && document.querySelector(`a[rel=${link}]`);
  if (!target) return;
  event.preventDefault();
  if (focus) target.focus();
  else target.click();
});

document.querySelectorAll("[data-copy]").forEach((button) => (button.hidden = false));
listen();
