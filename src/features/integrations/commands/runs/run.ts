// Runs an installation for one event: in the sandbox, charged to the installation, or by a request to its address.
import { idOf } from "#src/base/ids.ts";
import { type Database, sql } from "#src/db/connection/database.ts";
import { makeViewer, type Viewer } from "#src/access/viewer.ts";
import type { Identity } from "#src/domain/scripts.ts";
import type { Runnable, Target, RunHost } from "#src/features/integrations/commands/runs/runnable.ts";
import { readingScopes } from "#src/features/integrations/model/terms.ts";
import { DomainError } from "#src/base/errors.ts";
import { weights } from "#src/db/connection/budget.ts";
import { FetchError } from "#src/net/fetch-error.ts";
import { answerFetch } from "#src/sandbox/answer-fetch.ts";
import type { CallAnswer, ScriptCall } from "#src/sandbox/messages.ts";
import { line, type Outcome } from "#src/features/integrations/model/runs/outcome.ts";
import { signedHeaders } from "#src/features/integrations/model/runs/signing.ts";

/** The mutations of the scope to write content. */
const writing: ReadonlySet<string> = new Set(
  (
    "createChangeRequest createComment createCommentReply deleteComment deleteCommentReply editContent " +
    "pullChangeRequestUpdates updateChangeRequest updateComment updateCommentReply"
  ).split(" "),
);
const nothing: ReadonlySet<string> = new Set();

interface Caller extends Pick<Runnable, "installationId" | "organizationId" | "title"> {
  /** Whether it may use its scope to write; otherwise it only reads, and its user is not created. */
  readonly mayWrite: boolean;
}

/** The identity of an installation. Its user is created if it may write. */
async function identityOf(database: Database, who: Caller): Promise<Identity> {
  const userId = idOf("User", who.installationId);
  if (who.mayWrite)
    await database.query(sql`insert into "User" (id, email, "displayName")
      values (${userId}, ${`${userId}@integrations.invalid`}, ${who.title})
      on conflict (id) do update set "displayName" = excluded."displayName"
      where "User"."displayName" <> excluded."displayName"`);
  const rights = await rightsOf(database, userId, who);
  return {
    viewer: rights?.viewer ?? makeViewer({ userId, tokenId: "", memberships: [], grants: [] }),
    allowedMutations: rights?.writes ? writing : nothing,
    renew: async () => (await rightsOf(database, userId, who))?.viewer ?? null,
  };
}

type Rights = { readonly viewer: Viewer; readonly writes: boolean };

/** The rights by the current scopes and spaces; null if the installation is paused or removed. */
async function rightsOf(database: Database, userId: string, who: Caller): Promise<Rights | null> {
  const { installationId, organizationId, mayWrite } = who;
  const rows = await database.query<{ scopes: string[]; spaceIds: string[] }>(sql`
    select i.scopes, array(select s."spaceId" from "IntegrationSpace" s
      where s."installationId" = i.id and s.status = 'active') as "spaceIds"
    from "IntegrationInstallation" i where i.id = ${installationId} and i.status <> 'paused'`);
  const [row] = rows;
  if (!row) return null;
  const writes = mayWrite && row.scopes.includes("space:content:write");
  const reads = readingScopes.some((scope) => row.scopes.includes(scope)) ? "read" : null;
  const role = writes ? "edit" : reads;
  const grants = role === null ? [] : row.spaceIds.map((id) => [id, role] as const);
  return { viewer: makeViewer({ userId, tokenId: "", memberships: [[organizationId, null]], grants }), writes };
}

/** An event for an installation. All attempts have the same id. */
type InstallationEvent = { readonly eventId: string; readonly type: string; readonly [name: string]: unknown };

/** The type of the event to draw a block, for which the script only reads. */
export const drawingEvent = "ui_render";

const answerBytes = 1_000_000;
const shownOfAnswer = 1_000;

/** The type of the event for a public request. */
const requestEvent = "fetch";

/** Faults of the script or server are in the outcome. RATE_LIMITED if the quota of the installation is used up. */
export async function runFor(host: RunHost, runnable: Runnable, event: InstallationEvent): Promise<Outcome> {
  const { target } = runnable;
  if (target?.kind === "script") return runScript(host, runnable, { script: target.script, event });
  if (target) {
    // The change that caused an event is charged for its run; for public requests and drawings it is the installation.
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
  const { costQuotas } = host;
  const quota = costQuotas?.installationQuotaOf(idOf("User", runnable.installationId), runnable.organizationId);
  if (quota) costQuotas?.requirePoints(quota);
  let identity: ReturnType<typeof identityOf> | undefined; // most scripts make no calls
  const { end, logs, totalMs, cpuMs } = await host.sandbox.run(ownersOf(runnable, event), run, async (call, signal) => {
    if (call.kind === "fetch") return fetchFor(host, runnable, { call, signal });
    identity ??= identityOf(host.database, { ...runnable, mayWrite: event.type !== drawingEvent });
    return host.answerApi(await identity, call, signal);
  });
  if (quota) costQuotas?.spend(quota, "", weights.cpuMs * cpuMs);
  return {
    answer: end.ok ? end.answer : null,
    fault: end.ok ? null : end.message,
    logs: logs.map(({ level, message, at }) => line(level, message, at)),
    durationMs: totalMs,
  };
}

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
    return done({ answer: null, fault: `${where} could not be reached: ${error.message}.` });
  }
}

/** The text if it is JSON, else `null`. */
function jsonIn(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return "null";
  }
}
