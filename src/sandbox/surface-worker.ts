// Runs a script in one of its two forms: `handle(event, context)`, or a worker, `export default { fetch }`;
// runs inside the sandbox (see surface.ts).
import type { Forms } from "#src/sandbox/surface-bodies.ts";
import type { OwnOrigin } from "#src/sandbox/surface-calls.ts";
import type { Gate } from "#src/sandbox/surface.ts";

type Worker = { readonly fetch: (request: unknown, env: object, ctx: object) => unknown };

/** What a script exports. */
export interface ScriptModule {
  readonly handle?: unknown;
  readonly default?: unknown;
}

/** Makes the function that asks a worker, and returns its response as JSON. */
export function makeRunWorker(gate: Gate, load: (name: string) => object, own: OwnOrigin) {
  const { stringify, parse } = JSON;
  const { fromEntries } = Object;
  const { Request, Response } = globalThis;
  const settle = Promise.allSettled.bind(Promise);
  interface Asked {
    readonly request?: { readonly body?: string | null; readonly isBase64?: boolean; readonly [name: string]: unknown };
  }
  const formOf = (event: string, environment: string) => {
    const { FormData, Blob } = load("forms") as Forms;
    const form = new FormData();
    const { request, ...asked } = parse(event) as Asked; // written by the gateway
    if (!request) form.append("event", event);
    else {
      const { body = null, isBase64 = false, ...rest } = request;
      form.append("event", stringify({ ...asked, request: rest }));
      if (body !== null) form.append("fetch-body", isBase64 ? new Blob([gate.bytesOf(body) ?? ""]) : body);
    }
    form.append("environment", environment);
    return form;
  };
  return async (worker: Worker, event: string, environment: string) => {
    own.origin = (parse(environment) as { apiEndpoint: string }).apiEndpoint;
    const waiting: unknown[] = [];
    const ctx = {
      waitUntil: (promise: unknown) => void waiting.push(promise),
      passThroughOnException: () => {},
      props: {},
    };
    const request = new Request("https://integration.invalid/v1", {
      method: "POST",
      body: formOf(event, environment) as never,
    });
    const response = await worker.fetch(request, {}, ctx);
    if (!(response instanceof Response)) throw new TypeError("The worker's `fetch` must return a Response.");
    const headers = fromEntries(response.headers);
    const body = gate.base64Of(await response.arrayBuffer());
    for (let settled = 0; settled < waiting.length;) {
      settled = waiting.length;
      await settle(waiting);
    }
    return { status: response.status, headers, body };
  };
}

/** Makes the function that calls the script and passes its result on. */
export function makeRun(
  gate: Gate,
  api: object,
  describe: (value: unknown) => string,
  runWorker: ReturnType<typeof makeRunWorker>,
) {
  const { stringify, parse } = JSON;
  const { assign } = Object;
  const done = (answer: unknown, isResponse: boolean) => {
    const text: unknown = stringify(answer);
    gate.done(typeof text === "string" ? text : "null", isResponse);
  };
  return async (module: ScriptModule, event: string, context: string, environment: string) => {
    try {
      const { handle, default: worker } = await module;
      if (typeof handle === "function")
        return done(await handle(parse(event), assign(parse(context) as object, { api })), false);
      if (typeof worker === "object" && worker !== null && typeof (worker as Worker).fetch === "function")
        return done(await runWorker(worker as Worker, event, environment), true);
      throw new TypeError("The script must export a function `handle`, or a default object with a function `fetch`.");
    } catch (error) {
      gate.failed(describe(error));
    }
  };
}
