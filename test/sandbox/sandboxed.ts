// Running scripts in tests: with one sandbox a file, short limits, and answers of the outside that the test gives.
import { afterAll, beforeAll } from "vitest";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { answerFetch } from "#src/sandbox/answer-fetch.ts";
import type { RunLimits } from "#src/sandbox/messages.ts";
import { type RunResult, Sandbox } from "#src/sandbox/sandbox.ts";

/** What a script is run with. */
export interface Given {
  readonly event?: unknown;
  readonly secrets?: Record<string, string>;
  readonly fetch?: SafeFetch;
  readonly owner?: string;
}

const nothing: SafeFetch = (url) =>
  Promise.resolve({
    url: String(url),
    status: 200,
    headers: { get: () => null, entries: () => [] },
    body: Buffer.from("{}"),
  });

/** Makes what runs a script, given whole or as the body of its handler. */
export function useSandbox(limits: Partial<RunLimits> = {}, threads?: number) {
  const sandbox = new Sandbox({ limits, ...(threads !== undefined && { threads }) });
  beforeAll(() => sandbox.warm());
  afterAll(() => sandbox.close());
  return (text: string, given: Given = {}): Promise<RunResult> => {
    const { event = { type: "test" }, secrets = {}, fetch = nothing, owner = "someone" } = given;
    const isWhole = /^(import|export|await|throw .*export|while .*export|\/\/)/.test(text) && text.includes("export");
    const script = isWhole ? text : `export async function handle(event, context) { ${text} }`;
    const run = { script, event: JSON.stringify(event), context: JSON.stringify({ secrets, configuration: {} }) };
    return sandbox.run([owner], run, (call, signal) =>
      call.kind === "fetch"
        ? answerFetch(fetch, call, signal)
        : Promise.resolve({ ok: true, json: call.request, body: null }),
    );
  };
}

/** The answer of a run that went well. */
export function answerOf({ end }: RunResult): unknown {
  if (!end.ok) throw new Error(`${end.problem}: ${end.message}`);
  return JSON.parse(end.answer);
}

/** How a run failed: `problem: message`. */
export const faultOf = ({ end }: RunResult): string =>
  end.ok ? `answered ${end.answer}` : `${end.problem}: ${end.message}`;
