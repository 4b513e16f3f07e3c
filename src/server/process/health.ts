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

/** How long a check waits for the database, in milliseconds: load balancers do not wait for long. */
const patienceMs = 1_000;

/** After this many failed checks in a row, or milliseconds without a response, the database counts as unreachable. */
const [mostLooks, longestMs] = [3, 5_000];

/**
 * How long the database has been slow. All gateways check the same one: if each were unready at the first late
 * response, a short overload would leave a load balancer without any gateway, although every request is still served.
 */
class Slowness {
  #looks = 0;
  #since = 0;

  end(): void {
    this.#looks = 0;
  }

  /** Records a failed check, by its start. Returns whether the database counts as unreachable. */
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
    if (!isTimeOut(error)) return [503, { status: "unready", reason: "the database is unreachable" }];
    if (slowness.note(began)) return [503, { status: "unready", reason: "the database does not respond in time" }];
    return [200, { status: "ok", database: "slow" }];
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
