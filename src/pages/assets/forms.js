// Improves forms of the application: files that are dropped or pasted into a text, the state of an upload, names that
// are completed after an @, and notices. Without this script everything works, too.

/** The next document has the text with the file: the cursor goes behind it. */
function placeCaret() {
  const area = document.querySelector("textarea[data-caret]");
  if (!area) return;
  area.focus();
  area.setSelectionRange(Number(area.dataset.caret), Number(area.dataset.caret));
}

/** Sends files that come into a text: they are added where the cursor is. */
function sendInto(area, files) {
  const field = area.form?.querySelector("input[type=file][data-drop]");
  if (!field || files.length === 0) return false;
  const chosen = new DataTransfer();
  for (const file of files) chosen.items.add(file);
  field.files = chosen.files;
  area.form.elements.namedItem("at").value = String(area.selectionStart);
  area.form.requestSubmit(area.form.querySelector("button[formaction]"));
  return true;
}

const areaOf = (event) => event.target.closest?.("textarea");

document.addEventListener("dragover", (event) => {
  if (areaOf(event)?.form?.querySelector("[data-drop]") && event.dataTransfer.types.includes("Files"))
    event.preventDefault();
});
document.addEventListener("drop", (event) => {
  const area = areaOf(event);
  if (area && sendInto(area, event.dataTransfer.files)) event.preventDefault();
});
document.addEventListener("paste", (event) => {
  const area = areaOf(event);
  if (area && sendInto(area, event.clipboardData.files)) event.preventDefault();
});

/** A form with files shows that it is on its way, and cannot be sent twice. */
document.addEventListener("submit", (event) => {
  const form = event.target;
  const isUpload = [...form.querySelectorAll("input[type=file]")].some(({ files }) => files.length > 0);
  if (!isUpload || event.defaultPrevented) return;
  const progress = document.createElement("progress");
  progress.setAttribute("aria-label", "Sending the files");
  (event.submitter ?? form.lastElementChild).after(progress);
  // Buttons are disabled when the form is on its way: a disabled one would not be sent.
  setTimeout(() => form.querySelectorAll("button").forEach((button) => (button.disabled = true)));
});

/** Screen readers say what changes in a status, not what it has at first. */
function announce() {
  const notice = document.querySelector(".form-notice");
  if (!notice) return;
  const text = notice.textContent;
  notice.textContent = "";
  setTimeout(() => (notice.textContent = text), 100);
  setTimeout(() => notice.remove(), 10_000);
}

/** The people of the page, who can be mentioned. */
const people = () =>
  [...document.querySelectorAll("#people option")].map(({ value }) => {
    const [, name = "", id = ""] = /^(.*) \((usr_\w+)\)$/.exec(value) ?? [];
    return { name, id };
  });

/** The beginning of a name before the cursor, after an @ at the start of a word. */
const askedIn = (area) =>
  /(?:^|\s)@([\p{L}\p{N}][\p{L}\p{N} ]{0,30}|)$/u.exec(area.value.slice(0, area.selectionStart))?.[1];

let list = null;
let chosen = 0;

function closeNames() {
  list?.area.removeAttribute("aria-activedescendant");
  list?.area.removeAttribute("aria-controls");
  list?.box.remove();
  list = null;
}

function showNames(area) {
  const asked = askedIn(area);
  closeNames();
  if (asked === undefined || !area.matches("[data-mentions]")) return;
  const start = asked.toLocaleLowerCase();
  const found = people().filter(({ name }) => name.toLocaleLowerCase().includes(start));
  if (found.length === 0) return;
  const box = document.createElement("ul");
  box.className = "names";
  box.id = "names";
  box.setAttribute("role", "listbox");
  box.setAttribute("aria-label", "People");
  for (const [index, { name }] of found.slice(0, 8).entries()) {
    const option = document.createElement("li");
    option.id = `name-${index}`;
    option.setAttribute("role", "option");
    option.textContent = name;
    // The focus stays in the text.
    option.addEventListener("mousedown", (event) => (event.preventDefault(), insertName(found[index])));
    box.append(option);
  }
  area.after(box);
  area.setAttribute("aria-controls", "names");
  list = { area, box, found };
  choose(0);
}

function choose(index) {
  const options = [...list.box.children];
  chosen = (index + options.length) % options.length;
  for (const [at, option] of options.entries()) option.setAttribute("aria-selected", String(at === chosen));
  list.area.setAttribute("aria-activedescendant", options[chosen].id);
}

function insertName({ name, id }) {
  const { area } = list;
  const start = area.selectionStart - askedIn(area).length - 1;
  area.setRangeText(`[@${name.replaceAll(/[[\]\\]/g, " ")}](user:${id}) `, start, area.selectionStart, "end");
  closeNames();
}

document.addEventListener("input", (event) => event.target.matches("textarea") && showNames(event.target));
document.addEventListener("focusout", closeNames);
document.addEventListener("keydown", (event) => {
  if (!list || event.isComposing) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) choose(chosen + step);
  else if (event.key === "Enter" || event.key === "Tab") insertName(list.found[chosen]);
  else if (event.key === "Escape") closeNames();
  else return;
  event.preventDefault();
});

/** The current one of tabs that scroll is in sight. */
function showCurrentTab() {
  const current = document.querySelector(".app-tabs [aria-current]");
  const list = current?.closest("ul");
  if (list) list.scrollLeft = current.offsetLeft - (list.clientWidth - current.offsetWidth) / 2;
}

placeCaret();
announce();
showCurrentTab();
