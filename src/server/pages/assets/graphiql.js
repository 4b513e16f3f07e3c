// GraphiQL on docgraph: sends requests as all pages do, subscribes on WebSockets, and lists every message.
import { ask, isSomebody, subscribe, token } from "./asking.js";
import "./who.js";

/* global YogaGraphiQL -- its script comes before this one */

self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_module, label) =>
    `/assets/graphiql/${{ json: "json", graphql: "graphql" }[label] ?? "editor"}-worker.js`,
};

const main = document.getElementById("main");
const panel = document.getElementById("messages");
const list = panel.querySelector("[data-list]");
const count = panel.querySelector("[data-count]");

/** The most messages that are kept in the page. */
const most = 1000;
let received = 0;

function showCount(state) {
  const dropped = received > most ? `, the last ${most} are shown` : "";
  count.textContent = `${received} ${received === 1 ? "message" : "messages"}${dropped}${state ? ` · ${state}` : ""}`;
}

function clear(state = "") {
  received = 0;
  list.replaceChildren();
  showCount(state);
}

function add(message) {
  received += 1;
  const item = document.createElement("li");
  const [time, text] = [document.createElement("time"), document.createElement("pre")];
  time.textContent = new Date().toLocaleTimeString();
  text.textContent = JSON.stringify(message.errors ? message : message.data, null, 2);
  item.value = received;
  item.append(time, text);
  list.prepend(item);
  if (list.children.length > most) list.lastChild.remove();
  showCount("live");
}

panel.querySelector("[data-clear]").addEventListener("click", () => clear("live"));
panel.querySelector("[data-close]").addEventListener("click", () => (panel.hidden = true));

/** The results of a subscription, as an iterator for GraphiQL, which ends it by `return`. */
function messages(request) {
  const waiting = [];
  let wake = () => {};
  let isOver = false;
  panel.hidden = false;
  clear("connecting");
  const stop = subscribe(request, {
    onMessage(result) {
      add(result);
      waiting.push(result);
      wake();
    },
    onEnd(errors) {
      if (errors) add({ errors });
      if (errors) waiting.push({ errors });
      end("ended");
    },
  });
  function end(state) {
    isOver = true;
    showCount(state);
    wake();
  }
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      while (waiting.length === 0 && !isOver) await new Promise((resolve) => (wake = resolve));
      return waiting.length > 0 ? { done: false, value: waiting.shift() } : { done: true, value: undefined };
    },
    async return() {
      stop();
      if (!isOver) end("stopped");
      return { done: true, value: undefined };
    },
  };
}

/** The operations of a document, and its fragments, by the words outside of all brackets. */
function definitionsIn(text) {
  const bare = text.replace(/"""[^]*?"""|"(?:\\.|[^"\\])*"|#.*/g, "");
  const found = [];
  let [depth, open] = [0, undefined];
  for (const [token] of bare.matchAll(/[{}()]|\w+/g)) {
    if (depth === 0 && token !== "(" && !open) found.push((open = { operation: token === "{" ? "query" : token }));
    else if (depth === 0 && /\w/.test(token)) open.name ??= token;
    if (token === "{" || token === "(") depth += 1;
    if (token === "}" || token === ")") depth -= 1;
    if (token === "}" && depth === 0) open = undefined;
  }
  return found;
}

/** Whether the selected operation is a subscription. GraphiQL itself only knows shortly after it was typed. */
function isSubscription(text, operationName) {
  const operations = definitionsIn(text).filter(({ operation }) => operation !== "fragment");
  const chosen = operations.find(({ name }) => name === operationName) ?? operations[0];
  return chosen?.operation === "subscription";
}

function fetcher({ query, variables, operationName }, { headers: others = {} } = {}) {
  if (query.trim() === "") return { errors: [{ message: "Write an operation first." }] };
  const authorization = Object.entries(others).find(([name]) => name.toLowerCase() === "authorization")?.[1];
  if (operationName === "IntrospectionQuery" && authorization === undefined && !isSomebody())
    return { errors: [{ message: "Sign in, or use an API token, to see the schema." }] };
  if (isSubscription(query, operationName)) return messages({ query, variables, operationName, authorization });
  return ask(query, variables, { operationName, others });
}

/** The target of the explorer, from links of the reference: `/graphql#docs=Space` or `#docs=Query.space`. */
const [shownType, shownField] = /^#docs=(\w+)(?:\.(\w+))?$/.exec(location.hash)?.slice(1) ?? [];

/** Follows the link with this text in the explorer, once it is there. */
async function follow(kind, text) {
  for (let turn = 0; turn < 200; turn++) {
    const links = document.querySelectorAll(`.graphiql-doc-explorer-${kind}-name`);
    const link = [...links].find(({ textContent }) => textContent === text);
    if (link) return link.click();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function showDocumentation() {
  if (shownType) await follow("type", shownType);
  if (shownField) await follow("field", shownField);
}

YogaGraphiQL.renderYogaGraphiQL(document.getElementById("graphiql"), {
  title: "docgraph",
  logo: "",
  defaultQuery: main.dataset.query,
  ...(shownType && { visiblePlugin: "Documentation Explorer" }),
  // An invalid token that stays in a tab would be sent for ever.
  shouldPersistHeaders: false,
  fetcher,
});

void showDocumentation();

// The schema is only loaded once: load it again for a new token.
if (token() === undefined) document.addEventListener("docgraph:who", () => location.reload(), { once: true });
