// Running scripts in tests: one sandbox a file, short limits, and mocked responses.
import { afterAll, beforeAll } from "vitest";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { answerFetch } from "#src/sandbox/answer-fetch.ts";
import type { RunLimits, WorkerResponse } from "#src/sandbox/messages.ts";
import { type RunResult, Sandbox } from "#src/sandbox/sandbox.ts";

/** Options of a run. */
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

/** Returns a function that runs a script, given completely or as the body of its handler. */
export function useSandbox(limits: Partial<RunLimits> = {}, threads?: number) {
  const sandbox = new Sandbox({ limits, ...(threads !== undefined && { threads }) });
  beforeAll(() => sandbox.warm());
  afterAll(() => sandbox.close());
  return (text: string, given: Given = {}): Promise<RunResult> => {
    const { event = { type: "test" }, secrets = {}, fetch = nothing, owner = "someone" } = given;
    const isWhole = /^(import|export|await|throw .*export|while .*export|\/\/)/.test(text) && text.includes("export");
    const script = isWhole ? text : `export async function handle(event, context) { ${text} }`;
    const environment = JSON.stringify({ apiEndpoint: "https://docs.example.com", secrets });
    const context = JSON.stringify({ secrets, configuration: {} });
    const run = { script, event: JSON.stringify(event), context, environment };
    return sandbox.run([owner], run, (call, signal) =>
      call.kind === "fetch"
        ? answerFetch(fetch, call, signal)
        : Promise.resolve({ ok: true, json: call.request, body: null }),
    );
  };
}

/** The result of a successful run. */
export function answerOf({ end }: RunResult): unknown {
  if (!end.ok) throw new Error(`${end.problem}: ${end.message}`);
  return JSON.parse(end.answer);
}

/** The response of a worker: its status, headers and text. */
export function responseOf({ end }: RunResult) {
  if (!end.ok || !end.isResponse) throw new Error(`no response: ${JSON.stringify(end)}`);
  const { status, headers, body } = JSON.parse(end.answer) as WorkerResponse;
  return { status, headers, text: Buffer.from(body, "base64").toString() };
}

/** The error of a failed run: `problem: message`. */
export const faultOf = ({ end }: RunResult): string =>
  end.ok ? `answered ${end.answer}` : `${end.problem}: ${end.message}`;
