// Requests to external servers that check URLs: one request per host at a time, and only if its robots.txt allows it.
import { setTimeout as pause } from "node:timers/promises";
import { readRules, type SiteRules } from "#src/features/imports/commands/website/robots.ts";
import { type Finding, findingOfStatus, lasting } from "#src/features/links/model/outside.ts";
import { FetchError } from "#src/net/fetch-error.ts";
import type { Fetched, SafeFetch } from "#src/net/safe-fetch.ts";

const redirectLimit = 5;

const notAllowed = lasting("unchecked", "the robots.txt of the server disallows the check");

/** The finding for a failed request. URLs that must not be requested stay unchecked. */
function findingOfError({ problem, message }: FetchError): Finding {
  if (problem === "host" || problem === "credentials" || problem === "scheme") return lasting("unchecked", message);
  return { status: "broken", reason: message, isTransient: problem === "time" || problem === "connection" };
}

export class Hosts {
  readonly #fetch: SafeFetch;
  readonly #signal: AbortSignal;
  /** The last request to each host; the next one waits for it. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #rules = new Map<string, Promise<SiteRules | null>>();

  /** `signal` ends the run: later calls throw its reason. */
  constructor(fetch: SafeFetch, signal: AbortSignal) {
    this.#fetch = fetch;
    this.#signal = signal;
  }

  async check(address: string): Promise<Finding> {
    try {
      let url = URL.parse(address);
      for (let redirects = 0; redirects <= redirectLimit; redirects++) {
        if (!url) return findingOfError(new FetchError("address"));
        const answer = await this.#request(url);
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

  /** The response to HEAD or, if that fails, to GET; null if robots.txt disallows it. */
  async #request(url: URL): Promise<Fetched | null> {
    const rules = await this.#rulesOf(url);
    if (!rules || !(await rules.isAllowed(url.href, this.#signal))) return null;
    const ask = (method: "HEAD" | "GET") =>
      this.#enqueue(url, rules.pause, () => this.#fetch(url, { method, headOnly: true, signal: this.#signal }));
    const answer = await ask("HEAD");
    return answer.status < 400 ? answer : ask("GET");
  }

  #rulesOf(url: URL): Promise<SiteRules | null> {
    let rules = this.#rules.get(url.origin);
    if (!rules) {
      rules = this.#enqueue(url, 0, () => readRules(this.#fetch, url, this.#signal)).catch((error: unknown) => {
        if (error instanceof FetchError) throw error;
        this.#signal.throwIfAborted();
        return null;
      });
      this.#rules.set(url.origin, rules);
    }
    return rules;
  }

  /** Runs after all earlier requests to the host, and delays the next one by `milliseconds`. */
  #enqueue<Answer>({ hostname }: URL, milliseconds: number, request: () => Promise<Answer>): Promise<Answer> {
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
