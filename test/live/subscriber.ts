// A subscriber that records events, and reconnects with its last cursor whenever its connection ends.
import { setTimeout as sleep } from "node:timers/promises";
import { openEventStream } from "#test/live/event-stream.ts";
import { openKnown } from "#test/live/raw-socket.ts";

/** One message of a stream. */
export interface Received {
  readonly __typename: string;
  readonly cursor: string;
  /** The comment of a CommentPosted; null if it was deleted. */
  readonly comment?: { readonly id: string; readonly body: { readonly markdown: string } } | null;
  /** The reason of a Resync. */
  readonly reason?: string;
  readonly from?: string;
  readonly to?: string;
}

/** A Resync of the stream. */
export interface Resynced {
  readonly reason: string;
  readonly from: string;
  readonly to: string;
  /** The number of events received before it. */
  readonly after: number;
}

interface Result {
  readonly data?: Record<string, Received> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

export interface SubscriberOptions {
  /** The gateway to connect to, called for each connection. */
  readonly gateway: () => string;
  readonly token: string;
  /** The subscription field, such as `commentEvents(of: { spaceId: "spc_…" })`. */
  readonly field: string;
  readonly over: "socket" | "events";
  /** The cursor to begin after; now by default. */
  readonly after?: string | undefined;
  /** Whether it continues after a Resync from its cursor; otherwise a Resync is a fault. */
  readonly takesResync?: boolean;
  /** Whether it reconnects after an error that says to try again; otherwise any error is a fault. */
  readonly takesOutages?: boolean;
}

const passing = ["UNAVAILABLE", "TIMEOUT", "RATE_LIMITED"];

/** The delay before a reconnect, in milliseconds. */
const returnMs = 20;

const selection =
  "__typename ... on StreamMessage { cursor } ... on Resync { reason from to } ... on Event { occurredAt actor { id } }";
const ofComments = `${selection} ... on CommentPosted { comment { id body { markdown } postedBy { id } } }`;

export class Subscriber {
  /** Every event in order of arrival, over all connections. */
  readonly received: Received[] = [];
  /** The Resyncs, if it may continue after them. */
  readonly resyncs: Resynced[] = [];
  /** Unexpected refusals, errors and Resyncs. */
  readonly faults: string[] = [];
  /** The number of connections that received Ready. */
  connections = 0;
  /** The cursor to resume after. */
  cursor: string | undefined;
  readonly #options: SubscriberOptions;
  #isStopped = false;
  #drop = () => {};
  #look = () => {};
  #running: Promise<void> | undefined;

  constructor(options: SubscriberOptions) {
    this.#options = options;
    this.cursor = options.after;
  }

  /** Connects for the first time or after a stop; resolves at Ready. */
  async start(): Promise<this> {
    const { connections } = this;
    this.#isStopped = false;
    this.#running = this.#run();
    await this.until(() => this.connections > connections);
    return this;
  }

  /** Resolves when a condition is true, checked after each message; rejects at a fault. */
  async until(condition: () => boolean): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#look = () => {
        if (this.faults.length > 0) reject(new Error(this.faults.join("\n")));
        else if (condition()) resolve();
      };
      this.#look();
    });
  }

  /** Resolves when the event with this cursor has arrived. */
  async reaches(cursor: string): Promise<void> {
    await this.until(
      () => this.received.at(-1)?.cursor === cursor || this.received.some((one) => one.cursor === cursor),
    );
  }

  /** Cuts its connection, as a client that loses its network does. */
  drop(): void {
    this.#drop();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#drop();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped && this.faults.length === 0) {
      try {
        for await (const result of this.#options.over === "socket" ? this.#overSocket() : this.#overEvents())
          this.#take(result);
      } catch {
        // it reconnects however the connection ended
      }
      if (!this.#isStopped) await sleep(returnMs);
    }
  }

  #take({ data, errors }: Result): void {
    const [message] = Object.values(data ?? {});
    const passes = this.#options.takesOutages && errors?.every(({ extensions }) => passing.includes(extensions.code));
    if (errors && !passes) this.faults.push(JSON.stringify(errors));
    else if (message?.__typename === "Resync") this.#resync(message);
    else if (message) {
      this.cursor = message.cursor;
      if (message.__typename === "Ready") this.connections++;
      else if (message.__typename !== "Checkpoint") this.received.push(message);
    }
    this.#look();
  }

  #resync(message: Received): void {
    if (!this.#options.takesResync) this.faults.push(`Resync after ${this.cursor}`);
    const { reason = "", from = "", to = "", cursor } = message;
    this.resyncs.push({ reason, from, to, after: this.received.length });
    this.cursor = cursor;
  }

  get #request() {
    const { field } = this.#options;
    const selected = field.startsWith("commentEvents") ? ofComments : selection;
    const query = `subscription ($after: String) { ${field.replace(/\)$/, ", after: $after)")} { ${selected} } }`;
    return { query, variables: { after: this.cursor } };
  }

  async *#overSocket(): AsyncGenerator<Result> {
    const raw = await openKnown(this.#options.gateway(), this.#options.token);
    this.#drop = () => raw.socket.terminate();
    if (this.#isStopped) this.#drop();
    try {
      raw.send({ id: "1", type: "subscribe", payload: this.#request });
      for (;;) {
        const { type, payload } = await raw.receive();
        if (type === "next") yield payload as Result;
        if (type === "error") yield { errors: payload as NonNullable<Result["errors"]> };
        if (type === "error" || type === "complete") return; // either is the last message of an operation
      }
    } finally {
      raw.socket.terminate();
    }
  }

  async *#overEvents(): AsyncGenerator<Result> {
    const { gateway, token } = this.#options;
    const client = await openEventStream(`${gateway()}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(this.#request),
    });
    this.#drop = () => void client.close();
    if (this.#isStopped) this.#drop();
    try {
      for (let event = await client.next(); event?.event === "next"; event = await client.next())
        yield JSON.parse(event.data) as Result;
    } finally {
      await client.close();
    }
  }
}
