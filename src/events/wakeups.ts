// Wake-ups: gateways notify each other of new events. A lost notification only delays them. Short texts take the same
// way, for what no table keeps.
import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Logger } from "pino";
import { markGateway } from "#src/db/connection/connection-need.ts";
import { DatabaseClient } from "#src/db/connection/client.ts";
import { sessionName } from "#src/db/connection/writer-lock.ts";

export interface Wakeups {
  /** Notifies the other gateways, soon and without waiting for it; many calls at once become one. */
  send(): void;
  /** From now on calls back when another gateway notifies, and after a time in which a notification may be lost. */
  listen(onWake: () => void): void;
  /** Sends the other gateways a text of at most {@link longestText} bytes. It is lost where no connection is open. */
  publish(text: string): void;
  /** From now on calls back, beside former subscribers, with the texts of other gateways. */
  subscribe(subscriber: TextSubscriber): void;
  close(): Promise<void>;
}

export interface TextSubscriber {
  readonly onText: (text: string) => void;
  /** Called when a connection was opened: texts may have been lost before. */
  readonly onOpen: () => void;
}

/** Without notifications, for the only gateway of a database. */
export const silentWakeups: Wakeups = {
  send() {},
  listen() {},
  publish() {},
  subscribe() {},
  close: () => Promise.resolve(),
};

/** PostgreSQL takes notifications of less than 8,000 bytes. */
export const longestText = 7500;

/** Runs `work`, never concurrently: calls during a run together cause one more run. */
export function coalesced(work: () => Promise<void>): () => void {
  let isRunning = false;
  let isAsked = false;
  async function run(): Promise<void> {
    isRunning = true;
    while (isAsked) {
      isAsked = false;
      await work();
    }
    isRunning = false;
  }
  return () => {
    isAsked = true;
    if (!isRunning) void run();
  };
}

const channel = "docgraph_events";
const textChannel = "docgraph_texts";

interface PostgresWakeupsOptions {
  readonly url: string;
  readonly log: Logger;
  /** How often the connection is checked, and how long a reply may take (ms): a dead one is noticed in twice that. */
  readonly heartbeatMs?: number;
}

/** By LISTEN and NOTIFY, on a connection of its own: opened in the background, again whenever it is lost. */
export class PostgresWakeups implements Wakeups {
  readonly #options: PostgresWakeupsOptions;
  readonly #heartbeatMs: number;
  readonly #self = randomUUID();
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Whether a notification could not be sent; one replaces all missed ones. */
  #isOwed = false;
  #wake = () => {};
  readonly #subscribers: TextSubscriber[] = [];

  constructor(options: PostgresWakeupsOptions) {
    this.#options = options;
    this.#heartbeatMs = options.heartbeatMs ?? 900;
  }

  readonly send = coalesced(async () => {
    this.#isOwed = true;
    if (!this.#client) return;
    this.#isOwed = await this.#client.query("select pg_notify($1, $2)", [channel, this.#self]).then(
      () => false,
      () => true,
    );
  });

  listen(onWake: () => void): void {
    this.#wake = onWake;
    void this.#beat();
  }

  publish(text: string): void {
    this.#client?.query("select pg_notify($1, $2)", [textChannel, `${this.#self} ${text}`]).catch(() => {});
  }

  subscribe(subscriber: TextSubscriber): void {
    this.#subscribers.push(subscriber);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => {});
  }

  /** Opens the connection, or checks that it still responds. */
  async #beat(): Promise<void> {
    try {
      if (this.#client) await this.#client.query("select 1");
      else {
        await this.#connect();
        this.#wake(); // a notification may have been lost meanwhile
        if (this.#isOwed) this.send();
        for (const subscriber of this.#subscribers) subscriber.onOpen();
      }
    } catch (error) {
      if (this.#client)
        this.#options.log.warn({ err: error }, "the connection that listens for events was lost; it is reopened");
      void this.#client?.end().catch(() => {});
      this.#client = undefined;
    }
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#beat(), this.#heartbeatMs);
  }

  async #connect(): Promise<void> {
    const client = new DatabaseClient({
      connectionString: this.#options.url,
      ...sessionName,
      connectionTimeoutMillis: 5000,
      query_timeout: this.#heartbeatMs,
      keepAlive: true,
    });
    client.on("notification", ({ channel: of, payload = "" }) => {
      if (payload.startsWith(this.#self)) return;
      if (of !== textChannel) return this.#wake();
      const text = payload.slice(payload.indexOf(" ") + 1);
      for (const subscriber of this.#subscribers) subscriber.onText(text);
    });
    try {
      await client.connect();
      await client.query(`listen ${channel}; listen ${textChannel}; ${markGateway}`);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    if (this.#isClosed) await client.end();
    else this.#client = client;
  }
}
