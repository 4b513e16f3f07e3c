// The two health checks: whether the process runs, and whether it can serve.
import { type Database, sql } from "#src/db/connection/database.ts";
import { pendingMigrations } from "#src/db/maintenance/migrate.ts";
import type { Replicas } from "#src/db/replicas/replicas.ts";
import { TimeLimit } from "#src/db/connection/time-limit.ts";
import { isTimeOut } from "#src/db/connection/database-errors.ts";
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
  const slowness = new Slowness();
  const ready = forAMoment(() => readiness(options, slowness));
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

/** How long the database is not asked again, in milliseconds: whoever asks without a token costs no more than that. */
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

/** Balancers take it for what it is: a gateway that gets no further requests. */
const leaving: [status: number, body: object] = [503, { status: "leaving" }];

/** How long a look waits for the database, in milliseconds: balancers do not wait for long. */
const patienceMs = 1_000;

/** After so many looks in a row without an answer, or so many milliseconds without one, the database counts as away. */
const [mostLooks, longestMs] = [3, 5_000];

/**
 * How long the database has been slow. All gateways look at the same one: if each were unready at the first late
 * answer, a moment of load would leave a balancer with no gateway at all, while every request is still served.
 */
class Slowness {
  #looks = 0;
  #since = 0;

  end(): void {
    this.#looks = 0;
  }

  /** Notes a look without an answer, by when it began. Says whether the database counts as away. */
  note(began: number): boolean {
    if (this.#looks === 0) this.#since = began;
    this.#looks += 1;
    return this.#looks >= mostLooks || performance.now() - this.#since >= longestMs;
  }
}

const readOnly = sql`select current_setting('transaction_read_only')::boolean as "isReadOnly"`;

async function readiness(
  { database, feed, replicas, followers, clock }: Options,
  slowness: Slowness,
): Promise<[status: number, body: object]> {
  const { vital } = database;
  const began = performance.now();
  try {
    const [pending, [session]] = await new TimeLimit(patienceMs).run(() =>
      Promise.all([pendingMigrations(vital), vital.query<{ isReadOnly: boolean }>(readOnly)]),
    );
    slowness.end();
    if (pending.length > 0) return [503, { status: "unready", reason: `migrations to apply: ${pending.join(", ")}` }];
    const now = clock.now().getTime();
    const wrong = clock.isMachineRight === false && { clock: { aheadSeconds: clock.machineAheadSeconds } };
    const found = {
      ...(session?.isReadOnly && { isReadOnly: true }),
      ...stateOf(feed, now),
      ...wrong,
      ...(replicas && { replicas: replicas.states }),
    };
    return [200, Object.assign({ status: "ok" }, found, ...followers.map((follower) => follower.readiness?.()))];
  } catch (error) {
    if (!isTimeOut(error)) return [503, { status: "unready", reason: "the database cannot be reached" }];
    if (slowness.note(began)) return [503, { status: "unready", reason: "the database does not answer in time" }];
    return [200, { status: "ok", database: "slow" }];
  }
}

/** How long it is said that the database went back, in milliseconds: as long as streams can be continued. */
const resetToldMs = 24 * 3_600_000;

/** What is unusual about the feed; null where nothing is. */
function stateOf(feed: Options["feed"], now: number): object | null {
  const held = feed.heldBy && { lagSeconds: Math.round(feed.lagSeconds), heldBy: feed.heldBy };
  const isReset = feed.reset && now - Date.parse(feed.reset.at) < resetToldMs;
  const reset = isReset && { epoch: feed.position.epoch, reset: feed.reset };
  return held || reset ? { feed: { ...held, ...reset } } : null;
}
