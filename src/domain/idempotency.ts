// Idempotency keys: a mutation sent again with the same key returns the first response
// (draft-ietf-httpapi-idempotency-key-header). The key is claimed before the mutation runs; effects are stored in each
// change's transaction (change.ts), the response when it is known, for 24 hours. A run that ended with its gateway is
// continued from its stored effects.
import { hash, hkdfSync, randomUUID } from "node:crypto";
import { DomainError } from "#src/base/errors.ts";
import { type SealedColumn, Secrets, secretsKeyLength } from "#src/base/secrets.ts";
import { type Database, sql } from "#src/db/connection/database.ts";
import { withoutLimit } from "#src/db/connection/time-limit.ts";
import { removeOlder } from "#src/db/maintenance/remove-rows.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { Job } from "#src/jobs/job.ts";

/** The key of a request, and how the caller learns that a response is a repeated one. */
export interface Idempotency {
  readonly key: string;
  readonly onReplayed: () => void;
  run?: Run | undefined;
}

interface Lease {
  readonly id: string;
  readonly lease: string;
}

/** The stored result of a mutation's field: ids, by which its payload is read. Null if it cannot be stored. */
type Done = object | null;

interface Run extends Lease {
  readonly secrets: Secrets;
  /** The finished fields, by their names in the response. */
  done: Readonly<Record<string, Done>>;
  /** The finished fields, and those of an uncommitted change. */
  written: Readonly<Record<string, Done>>;
  field: string;
  /** Further parts of the result besides the change; contains null if they cannot be stored. */
  besides: readonly Done[];
}

/** The length of a key, in characters: short ones collide by chance. */
export const keyLengths = { least: 16, most: 255 } as const;

/** How long a key is stored, in hours. */
const keptHours = 24;

/** The longest response that is stored, in bytes. */
const longestAnswer = 1_000_000;

/** How long the lease of a run without a time limit lasts after its process has ended, in milliseconds. */
const longestRunMs = 120_000;

const answers: SealedColumn = { table: "IdempotencyKey", column: "answer" };
const effects: SealedColumn = { table: "IdempotencyKey", column: "done" };
const keyPlaces = { header: "The header Idempotency-Key", extension: "extensions.idempotencyKey" } as const;

/** Reads a key without its quotes (RFC 9651); undefined if absent. Throws INVALID_INPUT if invalid. */
export function readIdempotency(
  place: keyof typeof keyPlaces,
  sent: unknown,
  tellReplayed: Idempotency["onReplayed"] = () => {},
): Idempotency | undefined {
  if (sent === undefined) return undefined;
  const key = typeof sent === "string" ? sent.replace(/^"(.*)"$/, "$1") : "";
  if (key.length >= keyLengths.least && key.length <= keyLengths.most && /^[!-~]+$/.test(key))
    return { key, onReplayed: tellReplayed };
  const wanted = `${keyLengths.least} to ${keyLengths.most} visible ASCII characters, such as a UUID`;
  throw new DomainError("INVALID_INPUT", `${keyPlaces[place]} must be ${wanted}.`);
}

interface Asked<Answer> {
  readonly database: Database;
  readonly tokenId: string;
  readonly idempotency: Idempotency;
  readonly request: string;
  /** How long it may take, in milliseconds. */
  readonly limitMs: number;
  readonly run: () => Promise<Answer>;
  /** Whether a response contains a transient failure, which may succeed when repeated. */
  readonly isFailed: (answer: Answer) => boolean;
}

/**
 * Runs a request once for its key: a repetition gets the first response. If that was not stored (crash, too long, a
 * transient failure) it runs again without the fields finished by {@link onceField}. A run without writes frees the
 * key. Throws IDEMPOTENCY_KEY_REUSED for another request, CONFLICT while the first runs, or if its effects cannot be
 * returned again.
 */
export async function once<Answer extends object>(
  asked: Asked<Answer>,
): Promise<{ readonly answer: Answer; readonly isReplayed: boolean }> {
  const { database, tokenId, idempotency, request, run } = asked;
  const id = idOf(tokenId, idempotency);
  const secrets = secretsOf(idempotency.key, id);
  const lease = randomUUID();
  const leaseMs = Math.ceil(Math.min(asked.limitMs, longestRunMs)) + 5_000;
  const former = await take(database, { id, lease, requestHash: hash("sha256", request), leaseMs });
  if (former?.answer)
    return { answer: JSON.parse(secrets.open(answers, id, former.answer)) as Answer, isReplayed: true }; // by `settle`
  // Stored by `markEffect`.
  const done = former?.done ? (JSON.parse(secrets.open(effects, id, former.done)) as Run["done"]) : {};
  idempotency.run = { id, lease, secrets, done, written: done, field: "", besides: [] };
  let answer: Answer;
  let isKept = false;
  const renewal = setInterval(() => void renewLease(database, { id, lease, leaseMs }), leaseMs / 4);
  try {
    answer = await run();
    // Fields without another result are stored as they are.
    isKept = !asked.isFailed(answer) || Object.values(idempotency.run.done).includes(null);
  } catch (error) {
    await settle(database, { id, lease }, null).catch(() => {}); // the key is freed when the lease ends
    throw error;
  } finally {
    clearInterval(renewal);
    idempotency.run = undefined; // background work is independent of the key
  }
  const text = JSON.stringify(answer);
  const sealed = isKept && Buffer.byteLength(text) <= longestAnswer ? secrets.seal(answers, id, text) : null;
  // If it cannot be stored, the caller has it all the same; a repetition reads it again.
  await settle(database, { id, lease }, sealed).catch(() => {});
  return { answer, isReplayed: former !== null };
}

const idOf = (tokenId: string, { key }: Pick<Idempotency, "key">): string => hash("sha256", `${tokenId}\n${key}`);

export const isKnown = async ({ prisma }: Database, tokenId: string, idempotency: Idempotency): Promise<boolean> =>
  (await prisma.idempotencyKey.count({ where: { id: idOf(tokenId, idempotency) } })) > 0;

interface Taking extends Lease {
  readonly requestHash: string;
  readonly leaseMs: number;
}

interface Taken {
  readonly answer: Uint8Array | null;
  readonly done: Uint8Array | null;
  readonly requestHash: string;
  readonly isOwn: boolean;
  readonly isRunning: boolean;
}

/** Claims the key for a run: null if no earlier run wrote anything. Throws as {@link once} does. */
async function take(database: Database, taking: Taking): Promise<Pick<Taken, "answer" | "done"> | null> {
  const { id, lease, requestHash, leaseMs } = taking;
  const until = sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;
  // An interrupted run is continued, if its effects are known.
  const [row] = await database.query<Taken>(sql`
    with taken as (
      insert into "IdempotencyKey" as k (id, "requestHash", lease, "leaseUntil") values (${id}, ${requestHash}, ${lease}, ${until})
      on conflict (id) do update set lease = excluded.lease, "leaseUntil" = excluded."leaseUntil"
        where k."requestHash" = excluded."requestHash" and k.answer is null and k."hasEffect" = (k.done is not null) and k."leaseUntil" < clock_timestamp()
      returning k.*)
    select t."requestHash", true as "isOwn", true as "isRunning", null::bytea as answer, t.done from taken t
    union all
    select k."requestHash", false, k."leaseUntil" >= clock_timestamp(), k.answer, null from "IdempotencyKey" k
    where k.id = ${id} and not exists (select from taken)`);
  if (row?.isOwn) return row.done && row;
  // Another run has claimed the key since this statement began.
  if (!row) throw new DomainError("CONFLICT", running);
  if (row.requestHash !== requestHash) throw new DomainError("IDEMPOTENCY_KEY_REUSED");
  if (row.answer) return row;
  throw new DomainError("CONFLICT", row.isRunning ? running : lost);
}

/** Renews the lease of a key: the clock of a run may be stopped while it waits. */
async function renewLease(database: Database, { id, lease, leaseMs }: Omit<Taking, "requestHash">): Promise<void> {
  await withoutLimit(
    () =>
      database.query(sql`update "IdempotencyKey" set "leaseUntil" = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      where id = ${id} and lease = ${lease} and "leaseUntil" > 'epoch'`), // not if it was settled meanwhile
  ).catch(() => {}); // the next renewal may succeed
}

/** Stores the response of a run with writes, if there is one, and frees the key of any other. */
async function settle({ prisma }: Database, run: Lease, answer: Uint8Array<ArrayBuffer> | null): Promise<void> {
  const { count } = await prisma.idempotencyKey.deleteMany({ where: { ...run, hasEffect: false } });
  if (count > 0) return;
  const over = new Date(0); // ends the lease: the run has ended
  await prisma.idempotencyKey.updateMany({ where: { ...run }, data: { answer, leaseUntil: over } });
}

/** Runs one field of a mutation, or returns its stored result of an interrupted run. CONFLICT if none was stored. */
export async function onceField<Result extends object>(
  idempotency: Idempotency | undefined,
  field: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const current = idempotency?.run;
  if (!current) return run();
  const former = Object.hasOwn(current.done, field) ? current.done[field] : undefined;
  if (former) return former as Result; // returned by `run` of the same request
  if (former === null) throw new DomainError("CONFLICT", lost);
  Object.assign(current, { field, besides: [] });
  return run();
}

/**
 * Adds `besides` to the result of `run`, also when it is returned again: for commands that return more than their
 * change. It may be filled while `run` runs, before the change. Null: the result is unknown to the change, and cannot
 * be repeated.
 */
export async function answersWith<Result extends object, Besides extends object>(
  { idempotency }: { readonly idempotency?: Idempotency | undefined },
  besides: Besides | null,
  run: () => Promise<Result>,
): Promise<Result & Besides> {
  const current = idempotency?.run;
  if (current) current.besides = [besides, ...current.besides];
  const result = await run();
  return { ...result, ...besides } as Result & Besides; // spreading null adds nothing
}

/** Stores in a change's transaction that the run wrote, and its result. CONFLICT if another run has claimed the key. */
export async function markEffect(
  transaction: Prisma.TransactionClient,
  { run }: Idempotency,
  result: unknown,
): Promise<void> {
  if (!run) return;
  const { id, lease, secrets, field, besides } = run;
  const isKept = typeof result === "object" && !besides.includes(null);
  const done = isKept ? (Object.assign({}, result, ...besides) as object) : null; // all parts are objects
  run.written = { ...run.done, [field]: done };
  const sealed = secrets.seal(effects, id, JSON.stringify(run.written));
  const { count } = await transaction.idempotencyKey.updateMany({
    where: { id, lease },
    data: { hasEffect: true, done: sealed },
  });
  if (count === 0) throw new DomainError("CONFLICT", running);
}

/** Records that the effects of {@link markEffect} are committed. */
export function keepEffect({ run }: Idempotency): void {
  if (run) run.done = run.written;
}

/** The response may contain secrets, such as a new token: only a caller with the key can open it. */
const secretsOf = (key: string, id: string): Secrets =>
  new Secrets([Buffer.from(hkdfSync("sha256", key, id, "docgraph idempotency", secretsKeyLength))]);

export const forgetIdempotencyKeys: Job = {
  name: "idempotency.forget",
  schedule: "43 * * * *",
  removesByAge: true,
  async run({ database, clock }) {
    const before = new Date(clock.now().getTime() - keptHours * 3_600_000);
    await removeOlder(database, { table: "IdempotencyKey", column: "createdAt", before });
  },
};

const running = "A request with this Idempotency-Key is still running: wait, and send it again.";

const lost =
  "The request with this Idempotency-Key was executed, but its response was not stored: read the result, and use a new key for the next change.";
