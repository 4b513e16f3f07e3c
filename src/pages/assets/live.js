// Shows each new revision of the open page: when the subscription reports a change, the page is read again and the
// main part and the tree are changed in place. The place of the reader, opened parts and the focus stay.
const policy = window.trustedTypes?.createPolicy("docgraph-live", { createHTML: (text) => text });

const parts = ["main", ".tree", ".outline", ".metadata", ".app-columns > aside"];

/** What the reader opened or closed stays as it is. */
const keepsOpen = (name, element) => !(name === "open" && element.localName === "details");

/** What the reader has typed or chosen and not sent yet stays, too. */
const keepsInput = (element) => {
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

const streams = Number(document.querySelector("script[data-streams]")?.dataset.streams ?? 1);
const addresses = Array.from(
  { length: streams },
  (_, index) => `${location.pathname}?changes${index ? `=${index}` : ""}`,
);
const sources = new Map();

function open() {
  if (document.hidden) return;
  for (const address of addresses) if (!sources.has(address)) listen(address);
}

function listen(address) {
  const source = new EventSource(address);
  sources.set(address, source);
  source.addEventListener("next", ({ data }) => {
    const message = JSON.parse(data);
    if (message.errors) return close(address);
    // Also at the start: the page may have come from a cache, or changed before the subscription began.
    if (Object.values(message.data)[0].__typename !== "Checkpoint") ask();
  });
  source.addEventListener("complete", () => close(address));
}

function close(address) {
  sources.get(address)?.close();
  sources.delete(address);
}

// A hidden page needs no connection, of which browsers allow few to one host.
const follow = () => (document.hidden ? addresses.forEach(close) : open());
// A page that says what is wrong with a form stays as it is.
if (!document.querySelector(".problem[role=alert]")) {
  document.addEventListener("visibilitychange", follow);
  open();
}
