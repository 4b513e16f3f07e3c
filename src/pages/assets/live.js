// Shows each new revision of the open page: when the subscription reports a change, the page is read again and the
// main part and the tree are changed in place. The place of the reader, opened parts and the focus stay.
const policy = window.trustedTypes?.createPolicy("docgraph-live", { createHTML: (text) => text });

const parts = ["main", ".tree", ".outline", ".metadata"];

/** What the reader opened or closed stays as it is. */
const keepsOpen = (name, element) => !(name === "open" && element.localName === "details");

async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" }, cache: "no-cache" });
  if (!answer.ok || answer.redirected) return location.reload();
  const text = await answer.text();
  const next = new DOMParser().parseFromString(policy?.createHTML(text) ?? text, "text/html");
  document.title = next.title;
  for (const part of parts) {
    const [old, fresh] = [document.querySelector(part), next.querySelector(part)];
    if (old && fresh && old.outerHTML !== fresh.outerHTML)
      Idiomorph.morph(old, fresh, { restoreFocus: true, callbacks: { beforeAttributeUpdated: keepsOpen } });
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

let source = null;
function open() {
  if (source || document.hidden) return;
  source = new EventSource(`${location.pathname}?changes`);
  source.addEventListener("next", ({ data }) => {
    const message = JSON.parse(data);
    if (message.errors) return close();
    // Also at the start: the page may have come from a cache, or changed before the subscription began.
    if (Object.values(message.data)[0].__typename !== "Checkpoint") ask();
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
