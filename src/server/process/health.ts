// The two health checks: whether the process runs, and whether it can serve.
import { setTimeout as wait } from "node:timers/promises";
import { type Database, type Queries, sql } from "#src/db/connection/database.ts";
import { pendingMigrations } from "#src/db/maintenance/migrate.ts";
import type { Replicas } from "#src/db/replicas/replicas.ts";
import { TimeLimit } from "#src/db/connection/time-limit.ts";
import { isTimeOut, OutOfTimeError } from "#src/db/connection/database-errors.ts";
import type { Clock } from "#src/base/time.ts";
import type { Feed } from "#src/events/event-log.ts";
import type { Follower } from "#src/events/follower.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { sendJson } from "#src/http/send.ts";

interface Options {
  readonly database: Pick<Database, "vital">;
  readonly feed: Pick<Feed, "lagSeconds" | "heldBy" | "position" | "reset">;
  readonly replicas?: Pick<Replicas<unknown>, "states"> | undefined;
  readonly followers: readonly Follower[];
  readonly clock: Clock;
  readonly state: { readonly isLeaving: boolean };
}

export function healthRoutes(options: Options): HttpRoute[] {
  const checks = new DatabaseChecks(options.database.vital);
  const ready = forAMoment(() => readiness(options, checks));
  return [
    { path: "/healthz", handle: async ({ response }) => sendJson(response, 200, { status: "ok" }) },
    {
      path: "/readyz",
      async handle({ response }) {
        const [status, body] = options.state.isLeaving ? leaving : await ready();
        sendJson(response, status, body);
      },
    },
  ];
}

/** How long the last check of the database counts, in milliseconds: so requests without a token cost nothing more. */
const momentMs = 200;

function forAMoment<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let last: { readonly answer: Promise<Answer>; until: number } | undefined;
  return () => {
    if (last && performance.now() <= last.until) return last.answer;
    const look = { answer: ask(), until: Infinity };
    const end = () => void (look.until = performance.now() + momentMs);
    void look.answer.then(end, end);
    last = look;
    return look.answer;
  };
}

/** Load balancers send no further requests to such a gateway. */
const leaving: [status: number, body: object] = [503, { status: "leaving" }];

/** How long a response waits for the database, in milliseconds: load balancers do not wait for long. */
const patienceMs = 1_000;

/** After this many milliseconds without an answer, the database counts as unreachable. */
const longestMs = 5_000;

interface Session {
  readonly pending: readonly string[];
  readonly isReadOnly: boolean;
}

/**
 * Checks of the database that go on after the response: one that takes seconds is slow, and only one that answers
 * nothing is unreachable. All gateways check the same one: if each were unready at a late answer, an overload would
 * leave a load balancer without any gateway, although every request is still served.
 */
class DatabaseChecks {
  readonly #vital: Queries;
  #running: Promise<Session> | undefined;
  /** The start of the first check since the last answer; null if the last one was answered. */
  #silentSince: number | null = null;

  constructor(vital: Queries) {
    this.#vital = vital;
  }

  /** The answer of a check; `slow` if it is late. Throws if the database is unreachable. */
  async read(): Promise<Session | "slow"> {
    const limit = new AbortController();
    const late = wait(patienceMs, "slow" as const, { signal: limit.signal, ref: false });
    late.catch(() => {}); // it is not needed after an answer
    const found = await Promise.race([(this.#running ??= this.#begin()), late]).finally(() => limit.abort());
    if (found === "slow" && performance.now() - (this.#silentSince ?? Infinity) >= longestMs)
      throw new OutOfTimeError();
    return found;
  }

  async #begin(): Promise<Session> {
    this.#silentSince ??= performance.now();
    try {
      const [pending, [session]] = await new TimeLimit(longestMs).run(() =>
        Promise.all([pendingMigrations(this.#vital), this.#vital.query<{ isReadOnly: boolean }>(readOnly)]),
      );
      this.#silentSince = null;
      return { pending, isReadOnly: session?.isReadOnly === true };
    } finally {
      this.#running = undefined;
    }
  }
}

const readOnly = sql`select current_setting('transaction_read_only')::boolean as "isReadOnly"`;

async function readiness(
  { feed, replicas, followers, clock }: Options,
  checks: DatabaseChecks,
): Promise<[status: number, body: object]> {
  try {
    const session = await checks.read();
    if (session === "slow") return [200, { status: "ok", database: "slow" }];
    const { pending, isReadOnly } = session;
    if (pending.length > 0) return [503, { status: "unready", reason: `migrations to apply: ${pending.join(", ")}` }];
    const now = clock.now().getTime();
    const wrong = clock.isMachineRight === false && { clock: { aheadSeconds: clock.machineAheadSeconds } };
    const found = {
      ...(isReadOnly && { isReadOnly }),
      ...stateOf(feed, now),
      ...wrong,
      ...(replicas && { replicas: replicas.states }),
    };
    return [200, Object.assign({ status: "ok" }, found, ...followers.map((follower) => follower.readiness?.()))];
  } catch (error) {
    const reason = isTimeOut(error) ? "the database does not respond in time" : "the database is unreachable";
    return [503, { status: "unready", reason }];
  }
}

/** How long the warning that the database went back is shown, in milliseconds: as long as streams can be continued. */
const resetToldMs = 24 * 3_600_000;

/** Warnings about the event log; null if healthy. */
function stateOf(feed: Options["feed"], now: number): object | null {
  const held = feed.heldBy && { lagSeconds: Math.round(feed.lagSeconds), heldBy: feed.heldBy };
  const isReset = feed.reset && now - Date.parse(feed.reset.at) < resetToldMs;
  const reset = isReset && { epoch: feed.position.epoch, reset: feed.reset };
  return held || reset ? { feed: { ...held, ...reset } } : null;
}
