// Sorts the structure of a site by drag: entries move among the lists that take them, and the form of the page sends the
// order. Without this script, the buttons of each entry move it.
const form = document.getElementById("order");
let dragged = null;

/** Also after the page has changed. */
function offerDrag() {
  for (const entry of document.querySelectorAll(".site-entry")) entry.draggable = true;
}

const takes = (list) => list.dataset.takes.split(" ").includes(dragged.dataset.kind) && !dragged.contains(list);

/** The list under the pointer that takes the dragged entry: the innermost one. */
function listAt(target) {
  for (let list = target.closest?.("[data-takes]"); list; list = list.parentElement.closest("[data-takes]"))
    if (takes(list)) return list;
  // On a section or group: the list in it.
  const inside = [...(target.closest?.(".site-entry")?.querySelectorAll("[data-takes]") ?? [])];
  return inside.find(takes) ?? null;
}

/** Puts the dragged entry where the pointer is: before the first entry whose middle is below it. */
function put(list, y) {
  const others = [...list.children].filter((entry) => entry !== dragged);
  const after = others.find((entry) => {
    const { top, height } = entry.getBoundingClientRect();
    return y < top + height / 2;
  });
  if (dragged.parentElement !== list || dragged.nextElementSibling !== (after ?? null))
    list.insertBefore(dragged, after ?? null);
}

const lineOf = (entry) => {
  const isInner = entry.dataset.kind === "section" && entry.parentElement.closest("[data-kind='group']");
  return `${isInner ? "inner" : entry.dataset.kind} ${entry.id}`;
};

const orderNow = () => [...document.querySelectorAll(".site-entry")].map(lineOf).join(",");

document.addEventListener("dragstart", (event) => {
  const entry = event.target.closest?.(".site-entry");
  if (!entry || event.target !== entry) return;
  dragged = entry;
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", entry.id);
  entry.classList.add("dragged");
});

document.addEventListener("dragover", (event) => {
  const list = dragged && listAt(event.target);
  if (!list) return;
  event.preventDefault();
  put(list, event.clientY);
});

document.addEventListener("drop", (event) => {
  if (!dragged) return;
  event.preventDefault();
  send();
});

/** A drag that ends elsewhere leaves the entry where it was put last. */
document.addEventListener("dragend", send);

function send() {
  if (!dragged) return;
  const { id } = dragged;
  dragged.classList.remove("dragged");
  dragged = null;
  const field = form.elements.namedItem("order");
  const order = orderNow();
  if (field.value === order) return;
  field.value = order;
  form.action = `#${id}`;
  form.requestSubmit();
}

offerDrag();
addEventListener("docgraph:refreshed", offerDrag);
