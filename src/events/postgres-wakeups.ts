// Wake-ups by PostgreSQL's LISTEN and NOTIFY, on a connection of their own that is watched and replaced.
import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Logger } from "pino";
import { coalesced, type Wakeups } from "#src/events/wakeups.ts";

const channel = "docgraph_events";

export interface PostgresWakeupsOptions {
  readonly url: string;
  readonly log: Logger;
  /** How often the connection is tried, in milliseconds, and how long an answer may take: twice this until a dead one is noticed. */
  readonly heartbeatMs?: number;
}

/** Opens the connection in the background, again whenever it is lost. */
export function postgresWakeups({ url, log, heartbeatMs = 900 }: PostgresWakeupsOptions): Wakeups {
  const self = randomUUID();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  /** Whether a word could not be said; one is enough for all. */
  let isOwed = false;
  let wake = () => {};

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5000,
      query_timeout: heartbeatMs,
      keepAlive: true,
    });
    next.on("error", () => {}); // told by the heartbeat, which also sees a connection that is silent
    next.on("notification", ({ payload }) => {
      if (payload !== self) wake();
    });
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
    } catch (error) {
      await next.end().catch(() => {});
      throw error;
    }
    if (isClosed) await next.end();
    else client = next;
  }

  async function beat(): Promise<void> {
    try {
      if (client) await client.query("select 1");
      else {
        await connect();
        wake(); // a word may have been lost meanwhile
        if (isOwed) notify();
      }
    } catch (error) {
      if (client) log.warn({ err: error }, "the connection that listens for events is lost, and opened again");
      void client?.end().catch(() => {});
      client = undefined;
    }
    if (!isClosed) timer = setTimeout(() => void beat(), heartbeatMs);
  }

  const notify = coalesced(async () => {
    isOwed = true;
    if (!client) return;
    isOwed = await client.query("select pg_notify($1, $2)", [channel, self]).then(
      () => false,
      () => true,
    );
  });

  return {
    send: notify,
    listen(onWake) {
      wake = onWake;
      void beat();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
