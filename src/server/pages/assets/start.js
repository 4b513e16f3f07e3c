// The examples of the page at `/`, and the buttons of its token.
import { ask, headers, isSomebody, subscribe } from "./asking.js";
import "./who.js";

const firstSpace = `{ organizations { nodes { spaces(first: 1) { nodes { id title permissions { comment } } } } } }`;

/** The space of the examples: the first one that may be commented on. */
let space;

async function findSpace() {
  const { data } = await ask(firstSpace);
  const spaces = data?.organizations?.nodes.flatMap((organization) => organization.spaces.nodes) ?? [];
  space = spaces.find(({ permissions }) => permissions.comment) ?? spaces[0];
  for (const name of document.querySelectorAll("[data-space]")) name.textContent = space?.title ?? "a space";
}

/** JSON with its names, texts and other values in separate elements. */
function coloured(value) {
  const code = document.createElement("code");
  const text = JSON.stringify(value, null, 2);
  let end = 0;
  for (const { 0: token, 1: name, index } of text.matchAll(
    /("(?:[^"\\]|\\.)*")(?=:)|"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b|-?\d[\d.e+-]*/g,
  )) {
    const piece = document.createElement("span");
    piece.className = name ? "name" : token.startsWith('"') ? "string" : "number";
    piece.textContent = token;
    code.append(text.slice(end, index), piece);
    end = index + token.length;
  }
  code.append(text.slice(end));
  const block = document.createElement("pre");
  block.append(code);
  return block;
}

const part = (id) => {
  const article = document.getElementById(id);
  const [button, state, answer] = ["[data-run]", "[role=status]", ".answer"].map((name) => article.querySelector(name));
  return { button, state, answer, document: button.dataset.run };
};

/** Runs an operation, and shows how long it took. */
async function run(id, variablesOf) {
  const { button, state, answer, document: query } = part(id);
  button.disabled = true;
  state.textContent = "…";
  const started = performance.now();
  try {
    const result = await ask(query, await variablesOf());
    answer.replaceChildren(coloured(result));
    state.textContent = `${result.errors ? "refused" : "answered"} in ${Math.round(performance.now() - started)} ms`;
  } catch {
    state.textContent = "docgraph does not respond: is it running?";
  }
  button.disabled = false;
}

async function needSpace() {
  if (!space) await findSpace();
  return space?.id ?? "";
}

const inputOf = async () => ({
  input: {
    contentOf: { spaceId: await needSpace() },
    text: { markdown: `Hello from the first page, at ${new Date().toLocaleTimeString()}.` },
  },
});

let stop;

async function listen() {
  const { button, state, answer, document: query } = part("subscription");
  let count = 0;
  const end = (said) => {
    stop = undefined;
    button.textContent = "Start";
    state.textContent = said;
  };
  if (stop) {
    stop();
    return end("stopped");
  }
  answer.replaceChildren();
  button.textContent = "Stop";
  state.textContent = "connecting";
  stop = subscribe(
    { query, variables: { spaceId: await needSpace() } },
    {
      onMessage(result) {
        count += 1;
        answer.prepend(coloured(result.data ?? result));
        state.textContent = `live · ${count} ${count === 1 ? "message" : "messages"}`;
      },
      onEnd(errors) {
        if (errors) answer.prepend(coloured({ errors }));
        end("ended");
      },
    },
  );
}

part("query").button.addEventListener("click", () => void run("query", async () => undefined));
part("mutation").button.addEventListener("click", () => void run("mutation", inputOf));
part("subscription").button.addEventListener("click", () => void listen());

async function copy(button, text) {
  await navigator.clipboard.writeText(text);
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), 2000);
}

for (const button of document.querySelectorAll("[data-copy]"))
  button.addEventListener("click", () => void copy(button, button.dataset.copy));

const make = document.querySelector("[data-make]");

/** Makes a token from the session; the button copies it then. */
async function makeToken() {
  if (make.dataset.token) return copy(make, make.dataset.token);
  const answer = await fetch("/auth/token", { method: "POST", headers: headers() });
  const { token, error } = await answer.json();
  document.querySelector("[data-made]").textContent = token ?? error.message;
  if (!token) return;
  make.dataset.token = token;
  make.textContent = "Copy";
}

make?.addEventListener("click", () => void makeToken());

document.addEventListener("docgraph:who", () => {
  space = undefined;
  if (isSomebody()) void findSpace();
});
if (isSomebody()) await findSpace();
