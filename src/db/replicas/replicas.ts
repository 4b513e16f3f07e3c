// Replicas that operations may read from: which ones are close enough behind the primary, and for which callers.
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import { type Database, type Reads, sql } from "#src/db/connection/database.ts";
import { readingDatabase } from "#src/db/replicas/reading-database.ts";
import { TimeLimit } from "#src/db/connection/time-limit.ts";

/** A replica with its name in logs. */
export interface Replica {
  readonly name: string;
  readonly reads: Reads;
}

/** How often replicas are checked, in milliseconds; more often for a while after a write. */
const [lookEveryMs, lookSoonMs] = [1_000, 200];
/** How long one check may take, in milliseconds: a slower replica counts as unreachable. */
const lookLimitMs = 1_000;
/** For how many callers the position of their last write is remembered. */
const mostWriters = 100_000;

/** A state of the primary: a server that has its log up to `position` has everything up to `mark`. */
interface Moment<Mark> {
  readonly at: number;
  readonly position: bigint;
  readonly mark: Mark;
}

/** A replica, in the state of the last check. */
interface Followed<Mark> {
  readonly replica: Replica;
  /** Why it is not used; null if only its lag may prevent that. */
  trouble: string | null;
  /** Up to where it has replayed the log. */
  position: bigint;
  /** The last known state of the primary that it has reached. */
  moment: Moment<Mark> | null;
  /** The reason that was last logged. */
  logged: string | null;
}

export interface ReplicasOptions<Mark> {
  readonly primary: Database;
  readonly replicas: readonly Replica[];
  readonly log: Pick<Logger, "info" | "warn" | "debug">;
  /** The known state of the primary at this time. */
  readonly mark: () => Mark;
  /** What a caller has received other than by reading. */
  readonly heardBy: (caller: string) => readonly Mark[];
  /** Whether one mark includes another. */
  readonly isIn: (mark: Mark, received: Mark) => boolean;
  /** How far behind a replica may be to be used, in milliseconds; by default 5 seconds. */
  readonly mostBehindMs?: number | undefined;
}

/** The status of a replica, for people. */
export interface ReplicaState {
  readonly name: string;
  readonly isUsed: boolean;
  readonly reason?: string;
  /** How far it is behind, in seconds; null if unknown. */
  readonly lagSeconds: number | null;
}

/** The database that an operation reads from: it has everything up to `mark`. */
export interface Reading<Mark> {
  readonly database: Database;
  readonly mark: Mark;
}

interface Found {
  readonly position: string | null;
  readonly cluster: string;
}

const cluster = sql`(select system_identifier::text from pg_control_system()) as cluster`;
const ofPrimary = sql`select pg_current_wal_flush_lsn()::text as position, ${cluster}`;
const ofReplica = sql`
  select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as position, ${cluster}`;

/** A position that no replica has. */
const never = 1n << 64n;

/** Follows replicas by positions of the primary's log: the lag needs only this process's clock; no writes, no lag. */
export class Replicas<Mark> {
  readonly #options: ReplicasOptions<Mark>;
  readonly #followed: readonly Followed<Mark>[];
  readonly #mostBehindMs: number;
  #moments: readonly Moment<Mark>[] = [];
  readonly #written = new BoundedMap<string, { readonly position: bigint; readonly at: number }>(mostWriters);
  #lastWriteAt = -Infinity;
  readonly #stopping = new AbortController();
  #following: Promise<void> | undefined;

  constructor(options: ReplicasOptions<Mark>) {
    this.#options = options;
    const atFirst = { trouble: "it was not checked yet", position: -1n, moment: null, logged: null };
    this.#followed = options.replicas.map((replica) => ({ replica, ...atFirst }));
    this.#mostBehindMs = options.mostBehindMs ?? 5_000;
  }

  /** Checks now, and then repeatedly until {@link stop}. */
  async start(): Promise<void> {
    await this.look();
    this.#following = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
  }

  get replicas(): readonly Replica[] {
    return this.#options.replicas;
  }

  get states(): ReplicaState[] {
    return this.#followed.map((followed) => {
      const reason = this.#reasonAgainst(followed);
      const lagSeconds = followed.moment && Math.round(behindMs(followed) / 100) / 10;
      const { name } = followed.replica;
      return { name, isUsed: reason === null, lagSeconds, ...(reason !== null && { reason }) };
    });
  }

  /**
   * A database for a caller's next operation, with all that they wrote or received, the log up to `after`, and `heard`;
   * null if only the primary has that. A caller stays with one replica, so that time does not go back.
   */
  readingFor(caller: string, after: bigint | null, heard: Mark | null): Reading<Mark> | null {
    const written = this.#written.get(caller);
    const isLate = written !== undefined && performance.now() - written.at < this.#mostBehindMs * 2;
    const least = isLate && written.position > (after ?? -1n) ? written.position : after;
    const received = [...this.#options.heardBy(caller), ...(heard === null ? [] : [heard])];
    const count = this.#followed.length;
    const first = placeOf(caller, count);
    for (let turn = 0; turn < count; turn++) {
      const followed = this.#followed[(first + turn) % count];
      if (!followed?.moment || this.#reasonAgainst(followed) !== null) continue;
      const { mark } = followed.moment;
      if (least !== null && followed.position < least) continue;
      if (!received.every((one) => this.#options.isIn(mark, one))) continue;
      const lost = (error: unknown) => this.#lose(followed, error);
      const database = readingDatabase(this.#options.primary, followed.replica.reads, lost);
      return { database, mark };
    }
    return null;
  }

  /** Records a caller's write, to include it in their reads. Returns its position in the log; null if unknown. */
  async noteWrite(caller: string): Promise<bigint | null> {
    const position = (await this.#ask(this.#options.primary, ofPrimary))?.position ?? null;
    this.#lastWriteAt = performance.now();
    this.#written.keep(caller, { position: position ?? never, at: this.#lastWriteAt });
    return position;
  }

  /** Asks the primary and then all replicas for their positions. */
  async look(): Promise<void> {
    const { primary: asked, mark } = this.#options;
    const before = { at: performance.now(), mark: mark() };
    const now = await this.#ask(asked, ofPrimary);
    if (now?.position == null) return; // without the primary's position every replica soon counts as too far behind
    const { position } = now;
    const since = before.at - this.#mostBehindMs;
    this.#moments = [...this.#moments.filter(({ at }) => at >= since), { ...before, position }];
    await Promise.all(
      this.#followed.map(async (followed) => {
        const isAhead = followed.position > position; // of the previous check: a replica cannot be
        const found = await this.#ask(followed.replica.reads, ofReplica);
        followed.trouble = troubleOf(found, now.cluster) ?? (isAhead ? "it is ahead of the primary" : null);
        followed.position = found?.position ?? -1n;
        followed.moment = this.#moments.findLast((moment) => moment.position <= followed.position) ?? followed.moment;
        this.#log(followed);
      }),
    );
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const isAwaited = performance.now() - this.#lastWriteAt < this.#mostBehindMs;
      await wait(isAwaited ? lookSoonMs : lookEveryMs, undefined, { signal, ref: false }).catch(() => {});
      if (!signal.aborted) await this.look();
    }
  }

  /** Null without a response in time. */
  async #ask({ vital }: Reads, statement: typeof ofPrimary) {
    try {
      const [found] = await new TimeLimit(lookLimitMs).run(() => vital.query<Found>(statement));
      return found && { cluster: found.cluster, position: readLogPosition(found.position ?? "") };
    } catch (error) {
      this.#options.log.debug({ err: error }, "replica did not report its WAL position");
      return null;
    }
  }

  #reasonAgainst(followed: Followed<Mark>): string | null {
    if (followed.trouble !== null) return followed.trouble;
    return behindMs(followed) <= this.#mostBehindMs ? null : "it is too far behind the primary";
  }

  /** Excludes a replica until a check finds it again. */
  #lose(followed: Followed<Mark>, error: unknown): void {
    this.#options.log.debug({ err: error }, "replica connection lost");
    followed.trouble = away;
    this.#log(followed);
  }

  #log(followed: Followed<Mark>): void {
    const reason = this.#reasonAgainst(followed);
    const now = reason ?? "used";
    if (now === followed.logged) return;
    followed.logged = now;
    const { name } = followed.replica;
    const { log } = this.#options;
    if (reason === null) log.info({ replica: name }, "reads go to this replica");
    else log[reason === primary ? "info" : "warn"]({ replica: name, reason }, "this replica is not read from");
  }
}

const away = "it does not respond";
/** The state of one of the servers if all are listed. */
const primary = "it is not a replica";

function troubleOf(found: { cluster: string; position: bigint | null } | null | undefined, ofCluster: string) {
  if (!found) return away;
  if (found.cluster !== ofCluster) return "it belongs to another cluster than the primary";
  return found.position === null ? primary : null;
}

const behindMs = ({ moment }: Followed<unknown>) => (moment ? performance.now() - moment.at : Infinity);

/** A number below `count` that is stable for a caller. */
function placeOf(caller: string, count: number): number {
  let hash = 0;
  for (let index = 0; index < caller.length; index++) hash = (Math.imul(hash, 31) + caller.charCodeAt(index)) >>> 0;
  return count === 0 ? 0 : hash % count;
}

/** A position as PostgreSQL writes it (`pg_lsn`), such as `16/B374D848`; null for any other text. */
export function readLogPosition(text: string): bigint | null {
  const [, high, low] = /^([0-9a-f]{1,8})\/([0-9a-f]{1,8})$/i.exec(text) ?? [];
  return high === undefined || low === undefined ? null : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** The text of a position. */
export function writeLogPosition(position: bigint): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase();
}
