// A group of subscribers of every kind, and the comparison of what each received with the table of events.
import type pg from "pg";
import { readTable, type Wanted } from "#test/live/outbox.ts";
import type { Random } from "#test/support/random.ts";
import { Subscriber } from "#test/live/subscriber.ts";

/** The token and ids that subscribers and writers use. */
export interface LiveWorld {
  readonly token: string;
  readonly organizationId: string;
  readonly spaces: readonly string[];
}

interface Member {
  readonly subscriber: Subscriber;
  readonly wanted: Wanted;
}

/** Differences between received events and the table, over all subscribers. */
export interface Comparison {
  /** Events that the table has for the subscribers. */
  readonly expected: number;
  readonly missing: number;
  readonly doubled: number;
  /** Events that arrived without their comment. */
  readonly hollow: number;
  /** Subscribers whose events differ from the table in number or order. */
  readonly different: number;
}

/** Subscriptions, each with the events that it delivers. */
function subscriptionsOf({ organizationId, spaces }: LiveWorld, random: Random): readonly [string, Wanted][] {
  const spaceId = random.pick(spaces);
  const comments = ["comment", "commentReply"];
  return [
    [`commentEvents(of: { spaceId: "${spaceId}" })`, { spaceId, types: comments }],
    [`commentEvents(of: { spaceId: "${spaceId}" })`, { spaceId, types: comments }],
    [`commentEvents(of: { organizationId: "${organizationId}" })`, { organizationId, types: comments }],
    [`changeRequestEvents(of: { spaceId: "${spaceId}" })`, { spaceId, types: ["changeRequest"] }],
    [
      `spaceEvents(of: { spaceId: "${spaceId}" })`,
      { spaceId, types: ["space", "changeRequest.merged", "content.imported"] },
    ],
  ];
}

export class SubscriberGroup implements AsyncDisposable {
  readonly #members: readonly Member[];

  constructor(
    count: number,
    liveWorld: LiveWorld,
    gateway: (index: number) => string,
    random: Random,
    { takesOutages = false } = {},
  ) {
    this.#members = Array.from({ length: count }, (_, index) => {
      const [field, wanted] = random.pick(subscriptionsOf(liveWorld, random));
      const over = random.below(4) === 0 ? "events" : "socket";
      return {
        wanted,
        subscriber: new Subscriber({
          gateway: () => gateway(index),
          token: liveWorld.token,
          field,
          over,
          takesOutages,
        }),
      };
    });
  }

  get subscribers(): Subscriber[] {
    return this.#members.map(({ subscriber }) => subscriber);
  }

  /** The number of reconnects. */
  get returns(): number {
    return this.subscribers.reduce((sum, { connections }) => sum + connections - 1, 0);
  }

  async start(): Promise<void> {
    await Promise.all(this.subscribers.map((subscriber) => subscriber.start()));
  }

  /** Stops all subscribers. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.subscribers.map((subscriber) => subscriber.stop()));
  }

  /**
   * Waits until every subscriber has received its last event, and compares. The table must have been empty when the
   * subscribers started.
   */
  async compare(pool: pg.Pool): Promise<Comparison> {
    const differences = await Promise.all(
      this.#members.map(async ({ subscriber, wanted }) => {
        const table = (await readTable(pool, wanted)).map(({ cursor }) => cursor);
        await subscriber.reaches(table.at(-1) ?? "");
        const received = subscriber.received.map(({ cursor }) => cursor);
        const known = new Set(received);
        return {
          expected: table.length,
          missing: table.filter((cursor) => !known.has(cursor)).length,
          doubled: received.length - known.size,
          hollow: subscriber.received.filter(({ comment }) => comment === null).length,
          different: JSON.stringify(received) === JSON.stringify(table) ? 0 : 1,
        };
      }),
    );
    const sum = (name: keyof Comparison) => differences.reduce((total, one) => total + one[name], 0);
    return {
      expected: sum("expected"),
      missing: sum("missing"),
      doubled: sum("doubled"),
      hollow: sum("hollow"),
      different: sum("different"),
    };
  }
}
