// The pages beside the API: the entry page at `/`, the README, and the two health checks.
import { readFile } from "node:fs/promises";
import { type Database, sql } from "#src/db/database.ts";
import { pendingMigrations } from "#src/db/migrate.ts";
import type { Replicas } from "#src/db/replicas.ts";
import { TimeLimit } from "#src/db/time-limit.ts";
import { type Clock, systemClock } from "#src/base/time.ts";
import type { Feed } from "#src/events/feed.ts";
import type { MissingFiles } from "#src/server/missing-files.ts";
import { type Handler, send, sendJson } from "#src/server/exchange.ts";

const entryPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>docgraph</title>
<style>body { font: 1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem }</style>
<h1>docgraph</h1>
<p>A GraphQL gateway for a documentation platform.</p>
<ul>
  <li><a href="/graphql">GraphQL</a>, with GraphiQL in a browser and WebSocket on the same address</li>
  <li><a href="/v1/openapi.json">REST /v1</a>, described in OpenAPI 3.1</li>
  <li><a href="/README.md">README</a></li>
  <li>Health: <a href="/healthz">process</a>, <a href="/readyz">database</a></li>
</ul>
</html>
`;

const entryHeaders = {
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
};

export interface PagesOptions {
  readonly database: Pick<Database, "vital">;
  readonly feed: Pick<Feed, "lagSeconds" | "heldBy" | "position" | "reset">;
  readonly replicas: Pick<Replicas<unknown>, "states"> | undefined;
  readonly missingFiles: Pick<MissingFiles, "count">;
  readonly clock?: Clock | undefined;
  /** Whether the gateway is about to stop. */
  readonly isLeaving: () => boolean;
}

/** The handlers by path. */
export function createPages(options: PagesOptions): Readonly<Record<string, Handler>> {
  return {
    "/": async ({ response }) => {
      for (const [name, value] of Object.entries(entryHeaders)) response.setHeader(name, value);
      send(response, 200, "text/html; charset=utf-8", entryPage);
    },
    "/README.md": async ({ response }) => {
      const text = await readFile(new URL("../../README.md", import.meta.url), "utf8");
      send(response, 200, "text/markdown; charset=utf-8", text);
    },
    "/healthz": async ({ response }) => sendJson(response, 200, { status: "ok" }),
    "/readyz": async ({ response }) => {
      const [status, body] = options.isLeaving() ? leaving : await readiness(options);
      sendJson(response, status, body);
    },
  };
}

/** Balancers take it for what it is: a gateway that gets no further requests. */
const leaving: [status: number, body: object] = [503, { status: "leaving" }];

/** How long the database may take until it counts as away, in milliseconds: balancers do not wait for long. */
const patienceMs = 1_000;

const readOnly = sql`select current_setting('transaction_read_only')::boolean as "isReadOnly"`;

async function readiness({
  database,
  feed,
  replicas,
  missingFiles,
  clock = systemClock,
}: PagesOptions): Promise<[status: number, body: object]> {
  const { vital } = database;
  try {
    const [pending, [session]] = await new TimeLimit(patienceMs).run(() =>
      Promise.all([pendingMigrations(vital), vital.query<{ isReadOnly: boolean }>(readOnly)]),
    );
    if (pending.length > 0) return [503, { status: "unready", reason: `migrations to apply: ${pending.join(", ")}` }];
    const now = clock.now().getTime();
    const wrong = clock.isMachineRight === false && { clock: { aheadSeconds: clock.machineAheadSeconds } };
    const lost = missingFiles.count > 0 && { files: { missing: missingFiles.count } };
    const copies = replicas && { replicas: replicas.states };
    return [
      200,
      {
        status: "ok",
        ...(session?.isReadOnly && { isReadOnly: true }),
        ...stateOf(feed, now),
        ...wrong,
        ...copies,
        ...lost,
      },
    ];
  } catch {
    return [503, { status: "unready", reason: "the database cannot be reached" }];
  }
}

/** How long it is said that the database went back, in milliseconds: as long as streams can be continued. */
const resetToldMs = 24 * 3_600_000;

/** What is unusual about the feed; null where nothing is. */
function stateOf(feed: PagesOptions["feed"], now: number): object | null {
  const held = feed.heldBy && { lagSeconds: Math.round(feed.lagSeconds), heldBy: feed.heldBy };
  const isReset = feed.reset && now - Date.parse(feed.reset.at) < resetToldMs;
  const reset = isReset && { epoch: feed.position.epoch, reset: feed.reset };
  return held || reset ? { feed: { ...held, ...reset } } : null;
}
