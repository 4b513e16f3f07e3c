// Runs the fetch of scripts by the safe fetch, without sending anything of docgraph along.
import { isRecord } from "#src/base/json.ts";
import { FetchError } from "#src/net/fetch-error.ts";
import type { Fetched, FetchOptions, SafeFetch } from "#src/net/safe-fetch.ts";
import { type CallAnswer, runLimits, type ScriptCall } from "#src/sandbox/messages.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Connection headers, which docgraph controls. */
const ours = /^(host|connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$/;
const headerName = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]{0,8000}$/;

/** Sends a request for a script. The script sees a failure with the message of {@link FetchError}. */
export async function answerFetch(fetch: SafeFetch, call: ScriptCall, signal: AbortSignal): Promise<CallAnswer> {
  const asked = askedOf(call);
  if (typeof asked === "string") return { ok: false, message: `fetch: ${asked}` };
  try {
    const fetched = await fetch(asked.url, { ...asked.options, signal });
    return { ok: true, json: JSON.stringify(headOf(fetched)), body: fetched.body };
  } catch (error) {
    const message = error instanceof FetchError ? error.message : "the request to the server failed";
    return { ok: false, message: `fetch: ${message}` };
  }
}

/** The request of the script, or its problem. */
function askedOf({ request, body }: ScriptCall): { url: string; options: FetchOptions } | string {
  const asked: unknown = JSON.parse(request);
  if (!isRecord(asked) || typeof asked["url"] !== "string") return "an address is required";
  const method = methods.find((name) => name === asked["method"]);
  if (!method) return `the method must be one of ${methods.join(", ")}`;
  const headers: Record<string, string> = {};
  for (const pair of Array.isArray(asked["headers"]) ? asked["headers"] : []) {
    const [name, value] = Array.isArray(pair) ? pair.map(String) : [];
    const lower = name?.toLowerCase() ?? "";
    if (ours.test(lower)) continue;
    if (!headerName.test(lower) || !headerValue.test(value ?? ""))
      return "a header has a name or value that is not allowed";
    headers[lower] = value ?? "";
  }
  if (body && (method === "GET" || method === "HEAD")) return `a ${method} request must not have a body`;
  if (body && body.length > runLimits.fetchBytes) return `a body may have at most ${runLimits.fetchBytes} bytes`;
  const timeoutMs = runLimits.totalMs;
  return {
    url: asked["url"],
    options: { method, headers, maxBytes: runLimits.fetchBytes, timeoutMs, ...(body && { body }) },
  };
}

function headOf({ url, status, headers }: Fetched): { url: string; status: number; headers: [string, string][] } {
  return { url, status, headers: [...(headers.entries?.() ?? [])].filter(([name]) => name !== "set-cookie") };
}
