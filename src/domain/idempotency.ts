// Idempotency: a mutation that is sent again with the same Idempotency-Key is not done again, but answered as before
// (https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/). The key is taken before the mutation
// runs, marked in the transaction of each change (change.ts), and kept with the answer for 24 hours.
import { hash, hkdfSync, randomUUID } from "node:crypto";
import { DomainError } from "#src/base/errors.ts";
import { type SealedColumn, Secrets, secretsKeyLength } from "#src/base/secrets.ts";
import { type Database, sql } from "#src/db/database.ts";
import { removeInBatches } from "#src/db/remove-in-batches.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { Job } from "#src/jobs/job.ts";

/** The key that came with a request, and how the caller hears that an answer is an earlier one. */
export interface Idempotency {
  readonly key: string;
  readonly tellReplayed: () => void;
  /** The run that does it, while it is done. */
  run?: Run | undefined;
}

interface Run {
  readonly id: string;
  readonly lease: string;
}

/** How long a key is, in characters: short ones are taken twice by chance. */
const keyLengths = { least: 16, most: 255 } as const;

/** How long a key is kept, in hours. */
const keptHours = 24;

/** The longest answer that is kept, in bytes. */
const longestAnswer = 1_000_000;

/** How long a run without a limit of its own may take until it counts as broken off, in milliseconds. */
const longestRunMs = 120_000;

const answers: SealedColumn = { table: "IdempotencyKey", column: "answer" };

/** The ways in which a key comes, as refusals call them. */
const keyPlaces = {
  header: "The header Idempotency-Key",
  extension: "extensions.idempotencyKey",
} as const;

/**
 * What a request says of a key there: undefined where it says nothing. INVALID_INPUT for what is no key; quotes around
 * it are left out (RFC 9651).
 */
export function readIdempotency(
  place: keyof typeof keyPlaces,
  sent: unknown,
  tellReplayed: Idempotency["tellReplayed"] = () => {},
): Idempotency | undefined {
  if (sent === undefined) return undefined;
  const key = typeof sent === "string" ? sent.replace(/^"(.*)"$/, "$1") : "";
  if (key.length >= keyLengths.least && key.length <= keyLengths.most && /^[!-~]+$/.test(key))
    return { key, tellReplayed };
  const wanted = `${keyLengths.least} to ${keyLengths.most} visible ASCII characters, such as a UUID`;
  throw new DomainError("INVALID_INPUT", `${keyPlaces[place]} must be ${wanted}.`);
}

interface Asked<Answer> {
  readonly database: Database;
  readonly tokenId: string;
  readonly idempotency: Idempotency;
  /** What is asked for: the same request has the same. */
  readonly request: string;
  /** How long it may take, in milliseconds. */
  readonly limitMs: number;
  readonly run: () => Promise<Answer>;
}

/**
 * Runs something once for its key: what is sent again gets the answer of the first time. A run that writes nothing, for
 * it was refused, leaves the key free.
 *
 * Throws IDEMPOTENCY_KEY_REUSED for another request with the key, CONFLICT while the first one is running, and where it
 * was done but its answer was lost, because the gateway ended in between or the answer was too long to keep.
 */
export async function once<Answer extends object>(
  asked: Asked<Answer>,
): Promise<{ readonly answer: Answer; readonly isReplayed: boolean }> {
  const { database, tokenId, idempotency, request, run } = asked;
  const id = hash("sha256", `${tokenId}\n${idempotency.key}`);
  const secrets = secretsOf(idempotency.key, id);
  const lease = randomUUID();
  const leaseMs = Math.ceil(Math.min(asked.limitMs, longestRunMs)) + 5_000;
  const former = await take(database, { id, lease, requestHash: hash("sha256", request), leaseMs });
  if (former) return { answer: JSON.parse(secrets.open(answers, id, former)) as Answer, isReplayed: true }; // of `keep`
  idempotency.run = { id, lease };
  let answer: Answer;
  try {
    answer = await run();
  } catch (error) {
    await release(database, { id, lease }).catch(() => {}); // it frees itself when the lease is over
    throw error;
  } finally {
    idempotency.run = undefined; // what goes on in the background has nothing to do with the key
  }
  // Where it cannot be kept the caller has it all the same; sent again they hear that it was done.
  await keep(database, { id, lease }, secrets, answer).catch(() => {});
  return { answer, isReplayed: false };
}

interface Taking extends Run {
  readonly requestHash: string;
  readonly leaseMs: number;
}

interface Taken {
  readonly requestHash: string;
  readonly isOwn: boolean;
  readonly isRunning: boolean;
  readonly hasEffect: boolean;
  readonly answer: Uint8Array | null;
}

/** Takes the key for a run: null, or the sealed answer of the run before. Throws as {@link once} does. */
async function take(database: Database, taking: Taking): Promise<Uint8Array | null> {
  const { id, lease, requestHash, leaseMs } = taking;
  const until = sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;
  // A run that was broken off before it wrote anything is taken over.
  const [row] = await database.query<Taken>(sql`
    with taken as (
      insert into "IdempotencyKey" as k (id, "requestHash", lease, "leaseUntil") values (${id}, ${requestHash}, ${lease}, ${until})
      on conflict (id) do update set lease = excluded.lease, "leaseUntil" = excluded."leaseUntil"
        where k."requestHash" = excluded."requestHash" and k.answer is null and not k."hasEffect" and k."leaseUntil" < clock_timestamp()
      returning k.*)
    select t."requestHash", true as "isOwn", true as "isRunning", false as "hasEffect", null::bytea as answer from taken t
    union all
    select k."requestHash", false, k."leaseUntil" >= clock_timestamp(), k."hasEffect", k.answer from "IdempotencyKey" k
    where k.id = ${id} and not exists (select from taken)`);
  if (row?.isOwn) return null;
  // Another one has taken it since this statement began.
  if (!row) throw new DomainError("CONFLICT", running);
  if (row.requestHash !== requestHash) throw new DomainError("IDEMPOTENCY_KEY_REUSED");
  if (row.answer) return row.answer;
  throw new DomainError("CONFLICT", row.isRunning ? running : lost);
}

/** Keeps the answer of a run that has written something, and frees the key of any other. */
async function keep(database: Database, run: Run, secrets: Secrets, answer: object): Promise<void> {
  if (await release(database, run)) return;
  const text = JSON.stringify(answer);
  if (Buffer.byteLength(text) > longestAnswer) return;
  const sealed = secrets.seal(answers, run.id, text);
  await database.prisma.idempotencyKey.updateMany({ where: { ...run }, data: { answer: sealed } });
}

/** Frees the key of a run that has written nothing; answers whether it has. */
async function release({ prisma }: Database, run: Run): Promise<boolean> {
  const { count } = await prisma.idempotencyKey.deleteMany({ where: { ...run, hasEffect: false } });
  return count > 0;
}

/**
 * Notes in the transaction of a change that the run has written something. Throws CONFLICT where another run has taken
 * the key over, so that a slow one does not do it a second time.
 */
export async function markEffect(transaction: Prisma.TransactionClient, idempotency: Idempotency): Promise<void> {
  if (!idempotency.run) return;
  const { count } = await transaction.idempotencyKey.updateMany({
    where: { ...idempotency.run },
    data: { hasEffect: true },
  });
  if (count === 0) throw new DomainError("CONFLICT", running);
}

/** The answer may hold secrets, such as a new token: only who sends the key again can open it. */
function secretsOf(key: string, id: string): Secrets {
  return new Secrets([Buffer.from(hkdfSync("sha256", key, id, "docgraph idempotency", secretsKeyLength))]);
}

/** Forgets keys when their time is over. */
export const forgetIdempotencyKeys: Job = {
  name: "idempotency.forget",
  schedule: "43 * * * *",
  removesByAge: true,
  async run({ database, clock }) {
    const before = new Date(clock.now().getTime() - keptHours * 3_600_000).toISOString();
    await removeInBatches(
      database,
      (most) => sql`delete from "IdempotencyKey" k where k.id in (
        select o.id from "IdempotencyKey" o where o."createdAt" < ${before}::timestamptz limit ${most})`,
    );
  },
};

const running = "A request with this Idempotency-Key is being answered: wait, and send it again.";

const lost =
  "The request with this Idempotency-Key was done, but its answer is not there any more: read what it has made, and take another key for something else.";
