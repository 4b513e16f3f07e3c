// The bar that shows the current user, and accepts another token.
import { ask, forgetToken, keepToken, ownToken } from "./asking.js";

const bar = document.getElementById("who");
const status = bar.querySelector("[role=status]");
const form = bar.querySelector("form");
const forget = bar.querySelector("[data-forget]");
const whatItWas = [...status.childNodes];
const wasSomebody = bar.dataset.token !== undefined || bar.hasAttribute("data-person");
const changed = () => document.dispatchEvent(new CustomEvent("docgraph:who"));

async function show() {
  const { data, errors } = await ask("{ viewer { displayName email } }");
  if (bar.hasAttribute("data-refused")) return;
  if (!data?.viewer) return status.replaceChildren(errors?.[0]?.message ?? "No user has this token.");
  const [name, email] = [document.createElement("b"), document.createElement("span")];
  [name.textContent, email.textContent] = [data.viewer.displayName, data.viewer.email];
  status.replaceChildren("You are ", name, " ", email);
}

function update() {
  forget.hidden = ownToken() === null;
  form.hidden = ownToken() !== null;
  bar.removeAttribute("data-refused");
}

async function take(event) {
  event.preventDefault();
  keepToken(form.elements.token.value.trim().replace(/^Bearer +/i, ""));
  form.reset();
  update();
  await show();
  changed();
}

form.addEventListener("submit", (event) => void take(event));

forget.addEventListener("click", () => {
  forgetToken();
  update();
  status.replaceChildren(...whatItWas);
  changed();
});

// A tab may be older than the token that came with it, than its session, or than the database.
document.addEventListener("docgraph:refused", () => {
  if (bar.hasAttribute("data-refused")) return;
  bar.setAttribute("data-refused", "");
  if (ownToken() !== null) return status.replaceChildren("This token is no longer valid: remove it.");
  const again = document.createElement("a");
  [again.href, again.textContent] = [location.href, "open it again"];
  const message = bar.dataset.token ? "The token of this page is no longer valid: " : "You are no longer signed in: ";
  if (wasSomebody) status.replaceChildren(message, again, ", or use an API token.");
});

update();
if (ownToken() !== null) await show();
