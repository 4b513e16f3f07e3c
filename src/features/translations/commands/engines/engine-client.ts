// A client for engines: limited concurrency, retries while the engine is busy, and errors with remedies.
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { EngineError } from "#src/base/translator.ts";
import { FetchError } from "#src/net/fetch-error.ts";
import type { Fetched, FetchOptions, SafeFetch } from "#src/net/safe-fetch.ts";
import { nameOf } from "#src/features/translations/model/languages.ts";

/** Waits; throws the reason of the signal if it is aborted. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;
export type EngineWay = { readonly fetch: SafeFetch; readonly wait?: Wait };
type EngineCall<Answer> = FetchOptions & { readonly form: z.ZodType<Answer>; readonly signal: AbortSignal };

const concurrency = 4;

/** The delays between attempts, in milliseconds, unless the engine sends a delay. */
const pauses = [1_000, 4_000, 16_000] as const;
const longestPause = 60_000;

const waitByTimer: Wait = async (milliseconds, signal) => {
  await setTimeout(milliseconds, undefined, { signal });
};

export class EngineClient {
  readonly #url: string;
  readonly #fetch: SafeFetch;
  readonly #wait: Wait;
  readonly #waiting: (() => void)[] = [];
  #free = concurrency;

  /** `url` is without a slash at the end. */
  constructor(url: string, { fetch, wait = waitByTimer }: EngineWay) {
    this.#url = url;
    this.#fetch = fetch;
    this.#wait = wait;
  }

  /** The response at a path. Throws an {@link EngineError}, and the reason of the signal. */
  async ask<Answer>(path: string, call: EngineCall<Answer>): Promise<Answer> {
    await this.#take();
    try {
      return await this.#askWithRetries(path, call);
    } finally {
      this.#free++;
      this.#waiting.shift()?.();
    }
  }

  async #take(): Promise<void> {
    while (this.#free === 0) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    this.#free--;
  }

  async #askWithRetries<Answer>(path: string, call: EngineCall<Answer>): Promise<Answer> {
    const { form, signal, ...options } = call;
    for (let tries = 0; ; tries++) {
      const fetched = await this.#fetchOnce(path, { timeoutMs: 60_000, ...options, signal });
      if (!(fetched instanceof FetchError) && fetched.status < 300) return readAnswer(fetched, form);
      const pause = pauses[tries];
      if (pause === undefined || !isTransient(fetched)) throw errorOf(fetched);
      await this.#wait(retryAfter(fetched) ?? pause, signal);
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

/** Whether the same request may succeed in some seconds. */
function isTransient(fetched: Fetched | FetchError): boolean {
  if (fetched instanceof FetchError) return fetched.problem === "connection" || fetched.problem === "time";
  return [408, 429, 500, 502, 503, 504].includes(fetched.status);
}

/** The delay of `retry-after` in milliseconds: given as seconds or a date. */
function retryAfter(fetched: Fetched | FetchError): number | null {
  const said = fetched instanceof FetchError ? null : fetched.headers.get("retry-after");
  if (said === null) return null;
  const pause = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now();
  return Number.isNaN(pause) ? null : Math.min(Math.max(pause, 0), longestPause);
}

function errorOf(fetched: Fetched | FetchError): EngineError {
  if (fetched instanceof FetchError)
    return new EngineError(
      `The translation engine could not be reached (${fetched.message}): check TRANSLATION_URL.`,
      "UNAVAILABLE",
    );
  const { status } = fetched;
  if (status === 401 || status === 403)
    return new EngineError(`The translation engine rejected the request (status ${status}): check TRANSLATION_KEY.`);
  if (status === 404)
    return new EngineError("The translation engine was not found at its address (status 404): check TRANSLATION_URL.");
  if (status === 429)
    return new EngineError(
      "The limit of the translation engine is exceeded (status 429): try again later, or raise its limits.",
      "UNAVAILABLE",
    );
  const code = status >= 500 ? "UNAVAILABLE" : "INTEGRATION_FAILED";
  return new EngineError(`The translation engine failed (status ${status}): see its log.`, code);
}

const strange = (): EngineError =>
  new EngineError("The translation engine returned an unknown response: check the kind of engine in TRANSLATION_URL.");

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

type BatchLimits = { readonly texts: number; readonly characters: number };

/** Translates texts in batches within the limits, and returns the results in order. */
export async function inBatches<Answer>(
  texts: readonly string[],
  most: BatchLimits,
  translate: (some: readonly string[]) => Promise<readonly Answer[]>,
): Promise<Answer[]> {
  return (await Promise.all(batchesOf(texts, most).map((some) => translate(some)))).flat();
}

/** A text longer than the limits is its own batch. */
function batchesOf(texts: readonly string[], most: BatchLimits): string[][] {
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

type LanguagePair = { readonly source: string; readonly target: string };

/** `namesOf` returns the names of a language, the best first. Throws an {@link EngineError} without the pair. */
export function choosePair(
  known: readonly LanguagePair[],
  { from, to }: { readonly from: string; readonly to: string },
  namesOf: (language: string) => readonly string[],
): LanguagePair {
  const isNamed = (language: string, name: string): boolean => language.toLowerCase() === name.toLowerCase();
  for (const target of namesOf(to))
    for (const source of namesOf(from)) {
      const pair = known.find((one) => isNamed(one.source, source) && isNamed(one.target, target));
      if (pair) return pair;
    }
  throw new EngineError(
    `The translation engine does not translate from ${nameOf(from)} to ${nameOf(to)}: install that pair, or choose another language.`,
  );
}
