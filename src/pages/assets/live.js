// Shows each new revision of the open page, and who else looks: when a subscription reports a change, the page is read again and the
// main part and the tree are changed in place. The place of the reader, opened parts and the focus stay.
const policy = window.trustedTypes?.createPolicy("docgraph-live", { createHTML: (text) => text });

const parts = ["main", ".tree", ".outline", ".metadata", ".app-columns > aside"];

/** What the reader opened or closed stays as it is. */
const keepsOpen = (name, element) => !(name === "open" && element.localName === "details");

/** What the reader has typed or chosen and not sent yet stays, too, and who else looks. */
const keepsInput = (element) => {
  if (element.dataset?.present !== undefined) return false;
  const { localName, value, defaultValue, checked, defaultChecked } = element;
  if (localName === "textarea" || localName === "input") return value === defaultValue && checked === defaultChecked;
  return localName !== "select" || [...element.options].every((one) => one.selected === one.defaultSelected);
};

const callbacks = { beforeAttributeUpdated: keepsOpen, beforeNodeMorphed: keepsInput };

async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" }, cache: "no-cache" });
  if (!answer.ok || answer.redirected) return location.reload();
  const text = await answer.text();
  const next = new DOMParser().parseFromString(policy?.createHTML(text) ?? text, "text/html");
  document.title = next.title;
  for (const part of parts) {
    const [old, fresh] = [document.querySelector(part), next.querySelector(part)];
    if (old && fresh && old.outerHTML !== fresh.outerHTML)
      Idiomorph.morph(old, fresh, { restoreFocus: true, callbacks });
  }
  dispatchEvent(new Event("docgraph:refreshed"));
}

/** One refresh at a time, and one more if changes came meanwhile. */
let running = null;
let isAsked = false;
function ask() {
  isAsked = true;
  running ??= (async () => {
    while (isAsked) {
      isAsked = false;
      await refresh().catch(() => {}); // the next change tries again
    }
    running = null;
  })();
}

/** Who else looks, in the part of the page for it: it is written here alone, and a refresh leaves it. */
function showPresent({ users, totalCount }) {
  const part = document.querySelector("[data-present]");
  if (!part) return;
  const names = users.filter(({ id }) => id !== part.dataset.present).map(({ displayName }) => displayName);
  const count = totalCount - 1;
  const shown = names.slice(0, 5).join(", ") + (count > 5 ? " …" : "");
  part.textContent = count > 0 ? `${count === 1 ? "1 other looks" : `${count} others look`} at this: ${shown}` : "";
}

let source = null;

function open() {
  if (document.hidden || source) return;
  source = new EventSource(`${location.pathname}?changes`);
  source.addEventListener("next", ({ data }) => {
    const message = JSON.parse(data);
    if (message.errors) return close();
    const [value] = Object.values(message.data);
    if (value.__typename === "PresenceChanged") showPresent(value);
    // Also at the start: the page may have come from a cache, or changed before the subscription began.
    else if (value.__typename !== "Checkpoint" && !document.querySelector("[data-still]")) ask();
  });
  source.addEventListener("complete", close);
}

function close() {
  source?.close();
  source = null;
}

// A hidden page needs no connection, of which browsers allow few to one host.
document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
open();
