// Asking the servers of other people whether pages are there: each one request at a time, and only as its robots.txt
// allows.
import { setTimeout as pause } from "node:timers/promises";
import { readRules, type SiteRules } from "#src/features/imports/commands/website/robots.ts";
import { type Finding, findingOfStatus, lasting } from "#src/features/links/model/outside.ts";
import { FetchError } from "#src/net/fetch-error.ts";
import type { Fetched, SafeFetch } from "#src/net/safe-fetch.ts";

const redirectLimit = 5;

const notAllowed = lasting("unchecked", "the server does not want it to be looked at (robots.txt)");

/** What it says that no answer was got. Addresses to which no request may go are none of ours to judge. */
function findingOfError({ problem, message }: FetchError): Finding {
  if (problem === "host" || problem === "credentials" || problem === "scheme") return lasting("unchecked", message);
  return { status: "broken", reason: message, mayPass: problem === "time" || problem === "connection" };
}

export class Hosts {
  readonly #fetch: SafeFetch;
  readonly #signal: AbortSignal;
  /** The last request to each host, which the next one waits for. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #rules = new Map<string, Promise<SiteRules | null>>();

  /** `signal` ends the run: what is asked then throws its reason. */
  constructor(fetch: SafeFetch, signal: AbortSignal) {
    this.#fetch = fetch;
    this.#signal = signal;
  }

  async lookAt(address: string): Promise<Finding> {
    try {
      let url = URL.parse(address);
      for (let redirects = 0; redirects <= redirectLimit; redirects++) {
        if (!url) return findingOfError(new FetchError("address"));
        const answer = await this.#answerOf(url);
        if (!answer) return notAllowed;
        const to = answer.status >= 300 && answer.status < 400 ? answer.headers.get("location") : null;
        if (to === null) return findingOfStatus(answer.status);
        url = URL.parse(to, url);
      }
      return findingOfError(new FetchError("redirects"));
    } catch (error) {
      this.#signal.throwIfAborted();
      if (error instanceof FetchError) return findingOfError(error);
      throw error;
    }
  }

  /** The answer to HEAD, or to GET where that fails; null where it may not be asked for. */
  async #answerOf(url: URL): Promise<Fetched | null> {
    const rules = await this.#rulesOf(url);
    if (!rules || !(await rules.isAllowed(url.href, this.#signal))) return null;
    const ask = (method: "HEAD" | "GET") =>
      this.#inTurn(url, rules.pause, () => this.#fetch(url, { method, headOnly: true, signal: this.#signal }));
    const answer = await ask("HEAD");
    return answer.status < 400 ? answer : ask("GET");
  }

  #rulesOf(url: URL): Promise<SiteRules | null> {
    let rules = this.#rules.get(url.origin);
    if (!rules) {
      rules = this.#inTurn(url, 0, () => readRules(this.#fetch, url, this.#signal)).catch((error: unknown) => {
        if (error instanceof FetchError) throw error;
        this.#signal.throwIfAborted();
        return null;
      });
      this.#rules.set(url.origin, rules);
    }
    return rules;
  }

  /** Runs when all requests to the host before are done, and keeps the next one waiting for as long as it asks for. */
  #inTurn<Answer>({ hostname }: URL, milliseconds: number, request: () => Promise<Answer>): Promise<Answer> {
    const answer = (this.#last.get(hostname) ?? Promise.resolve()).then(request);
    const done = answer.then(
      () => pause(milliseconds, undefined, { signal: this.#signal, ref: false }),
      () => {},
    );
    const settled = done.catch(() => {});
    this.#last.set(hostname, settled);
    return answer;
  }
}
