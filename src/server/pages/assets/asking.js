// How pages of docgraph ask it: with the token of this tab, the one that the page came with, or the cookie of a session.

/* global graphqlWs -- its script comes before this one */

const key = "docgraph-token";
const bar = document.getElementById("who");
const given = bar?.dataset.token;

/** The token that a person has put in here, in this tab alone. */
export const ownToken = () => sessionStorage.getItem(key);

export const token = () => ownToken() ?? given;

/** Whether there is anybody to ask as: else an answer would be a refusal, which browsers report as an error. */
export const isSomebody = () => token() !== undefined || bar?.hasAttribute("data-person") === true;

export function keepToken(text) {
  sessionStorage.setItem(key, text);
}

/** Takes the token of the person away; that of the page is good again. */
export function forgetToken() {
  sessionStorage.removeItem(key);
}

/** The headers that say who asks. Without a token it is the cookie, which wants to be meant. */
export const headers = () => (token() ? { authorization: `Bearer ${token()}` } : { "x-docgraph-csrf": "1" });

/** Tells whoever listens that the token was refused. */
export function tellRefused() {
  document.dispatchEvent(new CustomEvent("docgraph:refused"));
}

/** Asks one operation; the answer is its result, also where that says what is wrong. */
export async function ask(query, variables, { operationName, others = {} } = {}) {
  const response = await fetch("/graphql", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...headers(), ...others },
    body: JSON.stringify({ query, variables, operationName }),
  });
  if (response.status === 401) tellRefused();
  return response.json();
}

/** What a socket says that closes: the reasons of docgraph are sentences. */
function asErrors(problem) {
  if (Array.isArray(problem)) return problem;
  const reason = problem instanceof CloseEvent && problem.reason;
  if (problem instanceof CloseEvent && problem.code === 4403) tellRefused();
  const code = problem.code === 4403 ? { extensions: { code: "UNAUTHENTICATED" } } : {};
  return [{ message: reason || "The connection was lost: run it again.", ...code }];
}

/**
 * Subscribes on a socket of its own. Calls `onMessage` with each result, and `onEnd` once with the errors that ended it,
 * or with null. Answers the function that stops it, after which neither is called.
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
