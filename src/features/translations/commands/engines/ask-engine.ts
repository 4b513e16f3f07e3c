// Requests to an engine: some at a time, tried again when the engine is busy, and with errors that say what to do.
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { EngineError } from "#src/base/translator.ts";
import { FetchError } from "#src/net/fetch-error.ts";
import type { Fetched, FetchOptions, SafeFetch } from "#src/net/safe-fetch.ts";

/** Waits; throws the signal's reason when it ends the wait. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** How an engine is reached. */
export interface EngineWay {
  /** It may reach the host of the engine. */
  readonly fetch: SafeFetch;
  readonly wait?: Wait;
}

/** A request, and the form of its answer. */
interface Question<Answer> extends FetchOptions {
  readonly form: z.ZodType<Answer>;
  readonly signal: AbortSignal;
}

/** How many requests are under way at once. */
const mostAtOnce = 4;

/** How long is waited after each try, in milliseconds, unless the engine says how long. */
const pauses = [1_000, 4_000, 16_000] as const;
const longestPause = 60_000;

const waitByTimer: Wait = async (milliseconds, signal) => {
  await setTimeout(milliseconds, undefined, { signal });
};

/** Asks one engine. */
export class EngineClient {
  readonly #url: string;
  readonly #fetch: SafeFetch;
  readonly #wait: Wait;
  readonly #waiting: (() => void)[] = [];
  #free = mostAtOnce;

  /** `url` is without a slash at the end. */
  constructor(url: string, { fetch, wait = waitByTimer }: EngineWay) {
    this.#url = url;
    this.#fetch = fetch;
    this.#wait = wait;
  }

  /** The answer at a path. Throws an {@link EngineError}, and the signal's reason. */
  async ask<Answer>(path: string, question: Question<Answer>): Promise<Answer> {
    await this.#take();
    try {
      return await this.#tryToAsk(path, question);
    } finally {
      this.#free++;
      this.#waiting.shift()?.();
    }
  }

  async #take(): Promise<void> {
    while (this.#free === 0) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    this.#free--;
  }

  async #tryToAsk<Answer>(path: string, question: Question<Answer>): Promise<Answer> {
    const { form, signal, ...options } = question;
    for (let tries = 0; ; tries++) {
      const fetched = await this.#fetchOnce(path, { timeoutMs: 60_000, ...options, signal });
      if (!(fetched instanceof FetchError) && fetched.status < 300) return readAnswer(fetched, form);
      const pause = pauses[tries];
      if (pause === undefined || !mayPass(fetched)) throw errorOf(fetched);
      await this.#wait(pauseSaid(fetched) ?? pause, signal);
    }
  }

  async #fetchOnce(path: string, options: FetchOptions): Promise<Fetched | FetchError> {
    try {
      return await this.#fetch(`${this.#url}${path}`, options);
    } catch (error) {
      if (error instanceof FetchError) return error;
      throw error;
    }
  }
}

/** Whether the same request may have another answer in some seconds. */
function mayPass(fetched: Fetched | FetchError): boolean {
  if (fetched instanceof FetchError) return fetched.problem === "connection" || fetched.problem === "time";
  return [408, 429, 500, 502, 503, 504].includes(fetched.status);
}

/** How long the engine asks to wait: seconds, or a date. */
function pauseSaid(fetched: Fetched | FetchError): number | null {
  const said = fetched instanceof FetchError ? null : fetched.headers.get("retry-after");
  if (said === null) return null;
  const pause = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now();
  return Number.isNaN(pause) ? null : Math.min(Math.max(pause, 0), longestPause);
}

function errorOf(fetched: Fetched | FetchError): EngineError {
  if (fetched instanceof FetchError)
    return new EngineError(`The translation engine was not reached (${fetched.message}): check TRANSLATION_URL.`);
  const { status } = fetched;
  if (status === 401 || status === 403)
    return new EngineError(`The translation engine refuses requests (status ${status}): check TRANSLATION_KEY.`);
  if (status === 404)
    return new EngineError("The translation engine has nothing at its address (status 404): check TRANSLATION_URL.");
  if (status === 429)
    return new EngineError(
      "The translation engine takes no more requests (status 429): try later, or raise its limits.",
    );
  return new EngineError(`The translation engine fails (status ${status}): its own log says why.`);
}

const strange = (): EngineError =>
  new EngineError("The translation engine answers in an unknown form: check the kind of engine in TRANSLATION_URL.");

function readAnswer<Answer>({ body }: Fetched, form: z.ZodType<Answer>): Answer {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    throw strange();
  }
  const read = form.safeParse(value);
  if (!read.success) throw strange();
  return read.data;
}

/** Texts in batches of at most so many texts and characters; a longer text is alone. */
export function batchesOf(
  texts: readonly string[],
  most: { readonly texts: number; readonly characters: number },
): string[][] {
  const batches: string[][] = [];
  let characters = Infinity;
  for (const text of texts) {
    const last = batches.at(-1);
    characters += text.length;
    if (last && last.length < most.texts && characters <= most.characters) last.push(text);
    else {
      batches.push([text]);
      characters = text.length;
    }
  }
  return batches;
}
