// Sends an event to an address: in JSON to a webhook, and to a tunnel what the script that runs there expects.
import { makeApiToken } from "#src/features/integrations/commands/runs/api-token.ts";
import type { Caller } from "#src/features/integrations/commands/runs/identity.ts";
import type { Runnable, RunHost, Target } from "#src/features/integrations/commands/runs/runnable.ts";
import { surroundingsOf } from "#src/features/integrations/commands/runs/surroundings.ts";
import { line, type Outcome } from "#src/features/integrations/model/runs/outcome.ts";
import { signedHeaders } from "#src/features/integrations/model/runs/signing.ts";
import { answerOfWorker, jsonIn, workerForm } from "#src/features/integrations/model/runs/worker.ts";
import { FetchError } from "#src/net/fetch-error.ts";
import type { Fetched } from "#src/net/safe-fetch.ts";

/** An event for an installation. All attempts have the same id, so webhooks get the same body, byte for byte. */
export type InstallationEvent = {
  readonly eventId: string;
  readonly type: string;
  /** Missing for requests and drawings, which have one attempt. */
  readonly createdAt?: string;
  readonly [name: string]: unknown;
};

type Address = Extract<Target, { kind: "address" }>;

interface Sent {
  readonly target: Address;
  readonly event: InstallationEvent;
  readonly mayChange: Caller["mayChange"];
}

const answerBytes = 1_000_000;
const shownOfAnswer = 1_000;

/** Faults of the server are in the outcome. */
export async function postEvent(host: RunHost, runnable: Runnable, sent: Sent): Promise<Outcome> {
  const started = performance.now();
  const { target, event } = sent;
  const where = target.isTunnel ? "The development tunnel" : "The webhook";
  const done = (of: Pick<Outcome, "answer" | "fault">, said?: string): Outcome => ({
    ...of,
    logs: said === undefined ? [] : [line("debug", said, host.clock.now())],
    durationMs: performance.now() - started,
  });
  try {
    const answered = await post(host, runnable, sent);
    const text = answered.body.toString();
    const said = `${where} answered ${answered.status}${text === "" ? "" : `: ${text.slice(0, shownOfAnswer)}`}`;
    if (target.takesForm) return done(answerOfWorker(event.type, responseOf(answered)), said);
    const isGood = answered.status >= 200 && answered.status < 300;
    return done({ answer: jsonIn(text), fault: isGood ? null : `${where} answered ${answered.status}.` }, said);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return done({ answer: null, fault: `${where} could not be reached: ${error.message}.` });
  }
}

async function post(host: RunHost, runnable: Runnable, { target, event, mayChange }: Sent): Promise<Fetched> {
  const at = host.clock.now();
  const { type, body } = target.takesForm
    ? await formOf(host, runnable, event, mayChange)
    : { type: "application/json", body: jsonOf(event, at) };
  const headers = {
    "content-type": type,
    accept: "application/json",
    ...signedHeaders(target.signingKey, { id: event.eventId, at, body }),
  };
  const fetch = target.isTunnel ? host.tunnels.fetch : host.fetch;
  return fetch(target.url, { method: "POST", headers, body, maxBytes: answerBytes });
}

const jsonOf = (event: InstallationEvent, at: Date): string =>
  JSON.stringify({ type: event.type, timestamp: event.createdAt ?? at.toISOString(), data: event });

async function formOf(host: RunHost, runnable: Runnable, event: InstallationEvent, mayChange: Caller["mayChange"]) {
  const { name, installationId } = runnable;
  const endpoint = `${host.addresses().endpoint(name, installationId)}${apiPath}`;
  const api = { endpoint, token: makeApiToken(host, { ...runnable, mayChange }) };
  const { environment } = await surroundingsOf(host, runnable, event, api);
  return workerForm(event, environment);
}

/** Below the public endpoint of an installation, where a worker at a tunnel reaches /v1 by its token. */
export const apiPath = "/~api";

const responseOf = ({ status, headers, body }: Fetched) => ({
  status,
  headers: Object.fromEntries(headers.entries?.() ?? []),
  body: body.toString("base64"),
});
