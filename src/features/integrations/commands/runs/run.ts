// Running an installation for one event: in the sandbox, on its account, or by a request to its address.
import { DomainError } from "#src/base/errors.ts";
import { idOf } from "#src/base/ids.ts";
import { weights } from "#src/db/connection/budget.ts";
import { FetchError } from "#src/net/fetch-error.ts";
import { answerFetch } from "#src/sandbox/answer-fetch.ts";
import type { CallAnswer, ScriptCall } from "#src/sandbox/messages.ts";
import type { RunHost } from "#src/features/integrations/commands/runs/host.ts";
import { identityOf } from "#src/features/integrations/commands/runs/identity.ts";
import type { Runnable, Target } from "#src/features/integrations/commands/runs/runnable.ts";
import { line, type Outcome } from "#src/features/integrations/model/runs/outcome.ts";
import { signedHeaders } from "#src/features/integrations/model/runs/signing.ts";

/** What an installation is told. The id stays the same from one try to the next. */
export interface InstallationEvent {
  readonly eventId: string;
  readonly type: string;
  readonly [name: string]: unknown;
}

/** The type of the event by which an installation is asked to draw a block, while its script only reads. */
export const drawingEvent = "ui_render";

const answerBytes = 1_000_000;
const shownOfAnswer = 1_000;

/** The type of the event by which an installation gets a request of anybody. */
const requestEvent = "fetch";

/**
 * Tells an installation of an event, and answers what came of it. Does not throw for what others did wrong, but
 * RATE_LIMITED where the installation has no points left, or many runs or requests of it already.
 */
export async function runFor(host: RunHost, runnable: Runnable, event: InstallationEvent): Promise<Outcome> {
  const { target } = runnable;
  if (target?.kind === "script") return runScript(host, runnable, { script: target.script, event });
  if (target) {
    // Events are posted one by one, each for a change that somebody has paid for; anybody makes requests and drawings.
    if (event.type === requestEvent || event.type === drawingEvent) await takeFetch(host, runnable);
    return postEvent(host, target, event);
  }
  const fault = "This integration has neither a script for the runtime of the installation nor an address.";
  return { answer: null, fault, logs: [], durationMs: 0 };
}

async function runScript(
  host: RunHost,
  runnable: Runnable,
  { script, event }: { script: string; event: InstallationEvent },
): Promise<Outcome> {
  const { configuration, secrets } = runnable;
  const run = { script, event: JSON.stringify(event), context: JSON.stringify({ configuration, secrets }) };
  const { ledger } = host;
  const account = ledger?.installationAccountOf(idOf("User", runnable.installationId), runnable.organizationId);
  if (account) ledger?.requirePoints(account);
  let identity: ReturnType<typeof identityOf> | undefined; // most scripts never ask
  const { end, logs, totalMs, cpuMs } = await host.sandbox.run(ownersOf(runnable, event), run, async (call, signal) => {
    if (call.kind === "fetch") return fetchFor(host, runnable, { call, signal });
    identity ??= identityOf(host.database, { ...runnable, mayWrite: event.type !== drawingEvent });
    return host.answerApi(await identity, call, signal);
  });
  if (account) ledger?.spend(account, "", weights.cpuMs * cpuMs);
  return {
    answer: end.ok ? end.answer : null,
    fault: end.ok ? null : end.message,
    logs: logs.map(({ level, message, at }) => line(level, message, at)),
    durationMs: totalMs,
  };
}

/** Counts a request to another server. Throws RATE_LIMITED beyond those of a minute. */
async function takeFetch({ fetches }: RunHost, { installationId, organizationId }: Runnable): Promise<void> {
  await fetches.ofInstallation.take(installationId);
  await fetches.ofOrganization.take(organizationId);
}

async function fetchFor(
  host: RunHost,
  runnable: Runnable,
  { call, signal }: { call: ScriptCall; signal: AbortSignal },
): Promise<CallAnswer> {
  try {
    await takeFetch(host, runnable);
  } catch (error) {
    if (error instanceof DomainError) return { ok: false, message: `fetch: ${error.message}` };
    throw error;
  }
  return answerFetch(host.fetch, call, signal);
}

/**
 * Whose run it is: the installations of an organization take turns, and requests of anybody, together, never take all
 * threads from events, and neither does drawing.
 */
const ownersOf = ({ organizationId, installationId }: Runnable, { type }: InstallationEvent): string[] => {
  const beside = { [requestEvent]: "requests", [drawingEvent]: "drawing" }[type];
  return [organizationId, installationId, ...(beside === undefined ? [] : [beside])];
};

type Address = Extract<Target, { kind: "address" }>;

async function postEvent({ fetch, clock }: RunHost, target: Address, event: InstallationEvent): Promise<Outcome> {
  const started = performance.now();
  const at = clock.now();
  const body = JSON.stringify({ type: event.type, timestamp: at.toISOString(), data: event });
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    ...signedHeaders(target.signingKey, { id: event.eventId, at, body }),
  };
  const where = target.isTunnel ? "The development tunnel" : "The webhook";
  const done = (of: { answer: string | null; fault: string | null; said?: string }): Outcome => ({
    answer: of.answer,
    fault: of.fault,
    logs: of.said === undefined ? [] : [line("debug", of.said, clock.now())],
    durationMs: performance.now() - started,
  });
  try {
    const answered = await fetch(target.url, { method: "POST", headers, body, maxBytes: answerBytes });
    const text = answered.body.toString();
    const isGood = answered.status >= 200 && answered.status < 300;
    const said = `${where} answered ${answered.status}${text === "" ? "" : `: ${text.slice(0, shownOfAnswer)}`}`;
    return done({ answer: jsonIn(text), fault: isGood ? null : `${where} answered ${answered.status}.`, said });
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return done({ answer: null, fault: `${where} could not be told: ${error.message}.` });
  }
}

/** The text when it is JSON, and otherwise `null`, which is. */
function jsonIn(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return "null";
  }
}
