// Improves the pages of sites: the choice of the colour scheme, buttons that copy code, results as one types, and the
// heading in view. Without this script everything works, too.

const policy = window.trustedTypes?.createPolicy("docgraph", { createHTML: (text) => text });

/** Reads a page of this site. Throws if it was not answered with a page. */
async function readPage(address, options) {
  const answer = await fetch(address, { ...options, headers: { accept: "text/html" } });
  const text = await answer.text();
  return { answer, page: new DOMParser().parseFromString(policy?.createHTML(text) ?? text, "text/html") };
}

const root = document.documentElement;

function showScheme(scheme) {
  root.dataset.scheme = scheme;
  for (const source of document.querySelectorAll("picture > source[media]")) {
    source.dataset.media ??= source.media;
    if (source.dataset.media.includes("prefers-color-scheme")) source.media = scheme === "dark" ? "all" : "not all";
  }
}

function offerSchemes() {
  const button = document.querySelector("[data-scheme-switch]");
  if (!button) return;
  if (root.dataset.scheme) showScheme(root.dataset.scheme);
  button.hidden = false;
  button.addEventListener("click", () => {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const before = root.dataset.scheme ?? (isDark ? "dark" : "light");
    const scheme = before === "dark" ? "light" : "dark";
    localStorage.setItem("scheme", scheme);
    showScheme(scheme);
  });
}

/** Adds a button to each block of code. Also after the page has changed. */
function offerCopies() {
  for (const code of document.querySelectorAll("main pre")) {
    if (code.parentElement.querySelector(":scope > .copy")) continue;
    if (!code.parentElement.matches(".code, .copied, figure")) {
      const around = document.createElement("div");
      around.className = "copied";
      code.replaceWith(around);
      around.append(code);
    }
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => void copy(code, button));
    code.parentElement.append(button);
  }
}

async function copy(code, button) {
  await navigator.clipboard.writeText(code.textContent);
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), 2000);
}

/** How long the reader must have paused typing, in milliseconds. */
const pause = 150;

/** Shows the results of a form below it. */
function searchAsOneTypes(form) {
  const input = form.elements.namedItem("q");
  const panel = document.createElement("div");
  panel.className = "found";
  panel.hidden = true;
  form.append(panel);
  let timer;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void showResults(form, input, panel), pause);
  });
  form.addEventListener("keydown", (event) => {
    moveAmong([input, ...panel.querySelectorAll("a")], event);
    if (event.key !== "Escape") return;
    panel.hidden = true;
    input.focus();
  });
  document.addEventListener("click", (event) => {
    if (!form.contains(event.target)) panel.hidden = true;
  });
  focusByKeys(form, input);
}

let running = null;

/** The page of the results has the same list; an answer that comes too late is dropped. */
async function showResults(form, input, panel) {
  running?.abort();
  const text = input.value.trim();
  if (text === "") {
    panel.hidden = true;
    return;
  }
  running = new AbortController();
  const address = new URL(form.action);
  address.searchParams.set("q", text);
  try {
    const { page } = await readPage(address, { signal: running.signal });
    const results = page.querySelector("#results");
    // Links of the page of results may be relative to its address.
    for (const link of results?.querySelectorAll("a") ?? [])
      link.href = new URL(link.getAttribute("href"), address).href;
    if (!results || input.value.trim() !== text) return;
    results.removeAttribute("id");
    panel.replaceChildren(results);
    panel.hidden = false;
  } catch (error) {
    if (error.name !== "AbortError") panel.hidden = true;
  }
}

/** Ctrl K and / lead to the search field. */
function focusByKeys(form, input) {
  const hint = form.querySelector("kbd");
  if (hint) hint.hidden = false;
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]");
    const isAsked = (event.key === "k" && (event.ctrlKey || event.metaKey)) || (event.key === "/" && !isTyping);
    if (!isAsked) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

/** Moves the focus among the results with the arrow keys. */
function moveAmong(all, event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  all[Math.min(Math.max(all.indexOf(document.activeElement) + step, 0), all.length - 1)]?.focus();
}

/** Marks the heading in view in the outline. */
function followHeadings() {
  const mark = () => {
    const links = new Map(
      [...document.querySelectorAll(".outline a")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
    );
    const headings = [...links.keys()].map((id) => document.getElementById(id)).filter((heading) => heading !== null);
    if (headings.length === 0) return;
    const above = headings.filter((heading) => heading.getBoundingClientRect().top < 140);
    const current = above.at(-1) ?? headings[0];
    for (const [id, link] of links)
      if (id === current.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
  };
  let isAwaited = false;
  addEventListener(
    "scroll",
    () => {
      if (isAwaited) return;
      isAwaited = true;
      requestAnimationFrame(() => {
        isAwaited = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}

/** Popovers close when one of their links leads to a part of the same page. */
function closeOnJump() {
  for (const popover of document.querySelectorAll("[popover]"))
    popover.addEventListener("click", (event) => {
      if (event.target.closest("a[href^='#']") && popover.matches(":popover-open")) popover.hidePopover();
    });
}

/** A menu of the header closes when the reader clicks elsewhere or presses Escape. */
function closeMenus() {
  const close = (but) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) if (menu !== but) menu.open = false;
  };
  document.addEventListener("click", (event) => close(event.target.closest("details.menu")));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close(null);
  });
}

/** Times of the application in the form and the time zone of the reader. */
function showTimes() {
  const form = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  for (const time of document.querySelectorAll(".app time[datetime*='T']"))
    time.textContent = form.format(new Date(time.dateTime));
}

/** The tree is scrolled to the open page. */
function showOpenPage() {
  const open = document.querySelector(".tree [aria-current='page']");
  const side = document.querySelector(".side");
  if (open && side && side.scrollHeight > side.clientHeight) side.scrollTop = open.offsetTop - side.clientHeight / 2;
}

offerSchemes();
offerCopies();
for (const form of document.querySelectorAll("[data-search]")) searchAsOneTypes(form);
followHeadings();
closeOnJump();
closeMenus();
showOpenPage();
showTimes();
addEventListener("docgraph:refreshed", offerCopies);
addEventListener("docgraph:refreshed", showTimes);
