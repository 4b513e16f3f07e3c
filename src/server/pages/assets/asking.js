// Requests of docgraph's pages: with the token of this tab, the one of the page, or the cookie of a session.

/* global graphqlWs -- its script comes before this one */

const key = "docgraph-token";
const bar = document.getElementById("who");
const given = bar?.dataset.token;

/** The token that a person has entered here, for this tab alone. */
export const ownToken = () => sessionStorage.getItem(key);

export const token = () => ownToken() ?? given;

/** Whether there are credentials: without them a response would be an error, which browsers log. */
export const isSomebody = () => token() !== undefined || bar?.hasAttribute("data-person") === true;

export function keepToken(text) {
  sessionStorage.setItem(key, text);
}

/** Removes the token of the person; that of the page applies again. */
export function forgetToken() {
  sessionStorage.removeItem(key);
}

/** The headers with the credentials. Without a token it is the cookie, which needs a proof against CSRF. */
export const headers = () => (token() ? { authorization: `Bearer ${token()}` } : { "x-docgraph-csrf": "1" });

/** Notifies listeners that the token was rejected. */
export function tellRefused() {
  document.dispatchEvent(new CustomEvent("docgraph:refused"));
}

/** Runs one operation; returns its result, also if it contains errors. */
export async function ask(query, variables, { operationName, others = {} } = {}) {
  const response = await fetch("/graphql", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...headers(), ...others },
    body: JSON.stringify({ query, variables, operationName }),
  });
  if (response.status === 401) tellRefused();
  return response.json();
}

/** The errors of a closing socket: the reasons of docgraph are sentences. */
function asErrors(problem) {
  if (Array.isArray(problem)) return problem;
  const reason = problem instanceof CloseEvent && problem.reason;
  if (problem instanceof CloseEvent && problem.code === 4403) tellRefused();
  const code = problem.code === 4403 ? { extensions: { code: "UNAUTHENTICATED" } } : {};
  return [{ message: reason || "The connection was lost: run it again.", ...code }];
}

/**
 * Subscribes on a socket of its own. Calls `onMessage` with each result, and `onEnd` once with the errors that ended
 * it, or with null. Returns the function that stops it, after which neither is called.
 */
export function subscribe({ query, variables, operationName, authorization }, { onMessage, onEnd }) {
  const bearer = authorization ?? (token() ? `Bearer ${token()}` : undefined);
  const client = graphqlWs.createClient({
    url: `${location.origin.replace(/^http/, "ws")}/graphql`,
    connectionParams: bearer === undefined ? {} : { Authorization: bearer },
    retryAttempts: 0,
  });
  let isOver = false;
  const over = () => {
    isOver = true;
    client.dispose();
  };
  const end = (errors) => {
    if (isOver) return;
    over();
    onEnd(errors);
  };
  const asked = { query, variables, operationName };
  const next = (result) => isOver || onMessage(result);
  client.subscribe(asked, { next, error: (problem) => end(asErrors(problem)), complete: () => end(null) });
  return over;
}
