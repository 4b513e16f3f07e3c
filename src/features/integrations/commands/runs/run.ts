// Runs an installation for one event: in the sandbox, charged to the installation, or by a request to its address.
import { idOf } from "#src/base/ids.ts";
import { type Caller, identityOf } from "#src/features/integrations/commands/runs/identity.ts";
import { type InstallationEvent, postEvent } from "#src/features/integrations/commands/runs/post-event.ts";
import type { Runnable, RunHost } from "#src/features/integrations/commands/runs/runnable.ts";
import { surroundingsOf } from "#src/features/integrations/commands/runs/surroundings.ts";
import { DomainError } from "#src/base/errors.ts";
import { weights } from "#src/db/connection/budget.ts";
import { answerFetch } from "#src/sandbox/answer-fetch.ts";
import type { CallAnswer, RunEnd, ScriptCall, WorkerResponse } from "#src/sandbox/messages.ts";
import { line, type Outcome } from "#src/features/integrations/model/runs/outcome.ts";
import {
  answerOfWorker,
  drawingEvent,
  isRequest,
  requestEvent,
  signInEvent,
} from "#src/features/integrations/model/runs/worker.ts";

/** Faults of the script or server are in the outcome. RATE_LIMITED if the quota of the installation is used up. */
export async function runFor(
  host: RunHost,
  runnable: Runnable,
  event: InstallationEvent,
  mayChange: Caller["mayChange"] = "content",
): Promise<Outcome> {
  const { target } = runnable;
  if (target?.kind === "script") return runScript(host, runnable, { script: target.script, event, mayChange });
  if (target) {
    // The change that caused an event is charged for its run; for public requests and drawings it is the installation.
    if (isRequest(event.type) || event.type === drawingEvent) await takeFetch(host, runnable);
    return postEvent(host, runnable, { target, event, mayChange });
  }
  const fault = "This integration has neither a script for the runtime of the installation nor an address.";
  return { answer: null, fault, logs: [], durationMs: 0 };
}

async function runScript(
  host: RunHost,
  runnable: Runnable,
  { script, event, mayChange }: { script: string; event: InstallationEvent; mayChange: Caller["mayChange"] },
): Promise<Outcome> {
  const run = { script, event: JSON.stringify(event), ...(await surroundingsOf(host, runnable, event)) };
  const { costQuotas } = host;
  const quota = costQuotas?.installationQuotaOf(idOf("User", runnable.installationId), runnable.organizationId);
  if (quota) costQuotas?.requirePoints(quota);
  let identity: ReturnType<typeof identityOf> | undefined; // most scripts make no calls
  const { end, logs, totalMs, cpuMs } = await host.sandbox.run(ownersOf(runnable, event), run, async (call, signal) => {
    if (call.kind === "fetch") return fetchFor(host, runnable, { call, signal });
    identity ??= identityOf(host.database, { ...runnable, mayChange });
    return host.answerApi(await identity, call, signal);
  });
  if (quota) costQuotas?.spend(quota, "", weights.cpuMs * cpuMs);
  return {
    ...(end.ok ? answerOf(event, end) : { answer: null, fault: end.message }),
    logs: logs.map(({ level, message, at }) => line(level, message, at)),
    durationMs: totalMs,
  };
}

/** What `handle` returned, or what the response of a worker holds. */
const answerOf = ({ type }: InstallationEvent, { isResponse, answer }: Extract<RunEnd, { ok: true }>) =>
  isResponse ? answerOfWorker(type, JSON.parse(answer) as WorkerResponse) : { answer, fault: null }; // by the sandbox

/** Counts a request to another server. Throws RATE_LIMITED beyond the limit per minute. */
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

/** The owners of a run in the fair queue. Requests and drawings have their own, so they never starve events. */
const ownersOf = ({ organizationId, installationId }: Runnable, { type }: InstallationEvent): string[] => {
  const beside = { [requestEvent]: "requests", [signInEvent]: "requests", [drawingEvent]: "drawing" }[type];
  return [organizationId, installationId, ...(beside === undefined ? [] : [beside])];
};
