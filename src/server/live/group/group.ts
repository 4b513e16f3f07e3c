// A group: all streams with the same operation and rights. Each message is made once, for all of them.
import { whenAll } from "#src/runtime/waiting.ts";
import type { ExecutionResult } from "graphql";
import { receivedBy } from "#src/access/audience.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { runWith } from "#src/runtime/current.ts";
import { type Tenant, tenants } from "#src/runtime/tenant.ts";
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { type Budget, weights } from "#src/db/connection/budget.ts";
import { meters, StatementCounter } from "#src/db/connection/database.ts";
import { asCaller } from "#src/db/connection/time-limit.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { encodeEventCursor } from "#src/events/outbox-position.ts";
import { findFailure } from "#src/graph/run/errors.ts";
import type { Message } from "#src/graph/schema/events.ts";
import type { Subscription } from "#src/graph/schema/subscriptions.ts";
import type { Entry, Stream } from "#src/server/live/stream.ts";

/** Events whose messages are made together, with one statement for rows of one kind. */
export const batchSize = 50;

/**
 * The last messages of a group, by the cursors of their events, for clients that reconnect with a cursor: many do so at
 * once when a gateway stops. Null for an event that is not visible to the group. At most a million bytes, and some 200
 * messages.
 */
const noMessages = () => new BoundedMap<string, Buffer | null>(1_000_000, (json) => 5_000 + (json?.length ?? 0));

interface Making {
  /** Whether an event whose rows cannot be read gets a message, with the error in their place; else it is thrown. */
  readonly withErrors?: boolean;
}

/** Messages as JSON in UTF-8, by their events: null for an event that is not visible to the viewer. */
type Made = ReadonlyMap<StoredEvent, Buffer | null>;

type ContextOf = (viewer: Viewer) => Context;

export interface Workshop {
  readonly contextOf: ContextOf;
  readonly charge: (viewer: Viewer, points: number) => void;
}

export class Group {
  readonly key: string;
  readonly streams = new Set<Stream>();
  readonly subscription: Subscription;
  readonly #contextOf: ContextOf;
  readonly #charge: Workshop["charge"];
  /** How many messages were read for all subscribers, who are charged in turn. */
  #shared = 0;
  #lastMessages = noMessages();
  /** Settles when the messages of the current requests are made. */
  #inTurn: Promise<unknown> = Promise.resolve();

  /** `subscription` is that of any of its streams. */
  constructor(key: string, subscription: Subscription, { contextOf, charge }: Workshop) {
    this.key = key;
    this.subscription = subscription;
    this.#contextOf = contextOf;
    this.#charge = charge;
  }

  /** Whether the subscription has a message for such an event at all. */
  wants(event: StoredEvent): boolean {
    return this.subscription.messageOf(event) !== null;
  }

  /** Checks again whether these viewers may subscribe. Returns the errors of those who may not, by their ids. */
  async refusals(viewers: readonly Viewer[]): Promise<Map<string, unknown>> {
    this.#lastMessages = noMessages(); // running reads under the old rights end up in the old map
    const { answers } = await this.#readFor(viewers, async (begin) => {
      try {
        await this.subscription.check(begin());
        return null;
      } catch (error) {
        if (error instanceof DomainError) return error;
        throw error;
      }
    });
    return new Map([...answers].filter(([, error]) => error !== null));
  }

  /**
   * The messages of at most {@link batchSize} events for viewers of this group, by their ids: null for an event that is
   * not visible to the viewer. The rows of the events are read once, for everybody, unless the selection depends on the
   * viewer; viewers with equal messages share one list.
   */
  async messagesFor(
    viewers: readonly Viewer[],
    events: readonly StoredEvent[],
    making: Making = {},
  ): Promise<Map<string, readonly Entry[]>> {
    const last = this.#lastMessages;
    const known = new Map(events.map((event) => [event, last.get(encodeEventCursor(event.position))]));
    const missing = events.filter((event) => known.get(event) === undefined);
    const { answers, isShared } = await this.#readFor(viewers, (begin) => this.#make(missing, begin, making));
    const [made] = answers.values();
    if (made && isShared && !making.withErrors)
      for (const [event, json] of made) last.keep(encodeEventCursor(event.position), json);
    const entriesOf = (own: Made): Entry[] =>
      events.map((event) => ({ position: event.position, json: own.get(event) ?? known.get(event) ?? null }));
    const lists = new Map([...new Set(answers.values())].map((own) => [own, entriesOf(own)]));
    return new Map([...answers].map(([userId, own]) => [userId, lists.get(own) ?? []]));
  }

  /** The same for a stream that catches up: one after the other, so that many share the messages of the first. */
  async messagesInTurn(viewer: Viewer, events: readonly StoredEvent[], making: Making): Promise<readonly Entry[]> {
    const turn = this.#inTurn.then(() => this.messagesFor([viewer], events, making));
    this.#inTurn = turn.catch(() => {});
    return (await turn).get(viewer.userId) ?? [];
  }

  /** A message that is not about an event, as JSON in UTF-8. */
  jsonOf(message: Message, viewer: Viewer): Promise<Buffer> {
    return this.#bytesOf(message, this.#contextOf(viewer));
  }

  /** The same for several viewers, by their ids: made once for all unless it depends on the viewer. */
  async jsonFor(viewers: readonly Viewer[], message: Message): Promise<Map<string, Buffer>> {
    return (await this.#readFor(viewers, (begin) => this.#bytesOf(message, begin()))).answers;
  }

  async #bytesOf(message: Message, context: Context): Promise<Buffer> {
    const [written] = (await this.#write([message], context)) ?? [];
    return written ?? bytesOf(await this.#run(message, context));
  }

  /**
   * Reads for each viewer; only once if the result does not depend on the viewer. All streams count as one caller of
   * the database: however many of them wait for a lock, requests have connections. The viewer of the read is charged;
   * for messages that are read for all it is one of them, another one each time.
   */
  async #readFor<Answer>(viewers: readonly Viewer[], read: (begin: () => Context) => Promise<Answer>) {
    const answers = new Map<string, Answer>();
    let shared: { answer: Answer } | undefined;
    for (const viewer of viewers) {
      if (answers.has(viewer.userId)) continue;
      if (!shared) {
        const watch = watched(viewer);
        const costs = new Costs(viewer, () => this.#contextOf(watch.viewer));
        const answer = await asCaller("streams", () => costs.count(read));
        if (!watch.isPersonal()) shared = { answer };
        const charged = watch.isPersonal() ? viewer : viewers[this.#shared++ % viewers.length];
        this.#charge(charged ?? viewer, costs.points);
        answers.set(viewer.userId, answer);
      } else answers.set(viewer.userId, shared.answer);
    }
    return { answers, isShared: shared !== undefined };
  }

  async #make(events: readonly StoredEvent[], begin: () => Context, { withErrors = false }: Making): Promise<Made> {
    const together = begin();
    const { messageOf, isProven } = this.subscription;
    if (this.subscription.checksMessages && !(await mayReceive(this.subscription, together))) return new Map();
    const wanted = events.flatMap((event) => {
      const message = messageOf(event);
      return message ? [{ event, message }] : [];
    });
    const unproven = wanted.flatMap(({ event }) => (isProven(event) ? [] : [event]));
    const received = await receivedBy(together.database, together.viewer, unproven);
    const delivered = wanted.filter(({ event }) => received.has(event) || isProven(event));
    if (delivered.length === 0) return new Map();
    const messages = delivered.map(({ message }) => message);
    const written =
      (await this.#write(messages, together)) ??
      (await whenAll(
        messages.map(async (message) => {
          let result = await this.#run(message, together);
          // All events together may exceed the rows of one operation: then each is an operation of its own.
          if (result.errors && events.length > 1) result = await this.#run(message, begin());
          const failure = findFailure(result.errors);
          if (failure && !withErrors) throw failure;
          return bytesOf(result);
        }),
      ));
    return new Map(delivered.map(({ event }, index) => [event, written[index] ?? null]));
  }

  /** Messages made together by the compiled operation; null if it cannot. */
  #write(messages: readonly Message[], context: Context): Promise<Buffer[] | null> {
    const { operation, variables } = this.subscription;
    return operation.writeEach(context, variables, messages);
  }

  #run(message: Message, context: Context): Promise<ExecutionResult> {
    const { operation, variables } = this.subscription;
    return operation.run(context, variables, message);
  }
}

/** Whether the check of a subscription passes. Throws errors that are not refusals. */
async function mayReceive({ check }: Subscription, context: Context): Promise<boolean> {
  try {
    await check(context);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

const bytesOf = (result: ExecutionResult): Buffer => Buffer.from(JSON.stringify(result));

class Costs {
  readonly #viewer: Viewer;
  readonly #begin: () => Context;
  readonly #budgets: Budget[] = [];
  readonly #statements = new StatementCounter();
  #threadMs = 0;

  constructor(viewer: Viewer, begin: () => Context) {
    this.#viewer = viewer;
    this.#begin = begin;
  }

  count<Answer>(read: (begin: () => Context) => Promise<Answer>): Promise<Answer> {
    const begin = (): Context => {
      const context = this.#begin();
      this.#budgets.push(context.reader.budget);
      return context;
    };
    const tenant: Tenant = {
      user: this.#viewer.userId,
      mostWaiting: Infinity, // limited by the number of groups
      takeTime: (ms) => (this.#threadMs += ms),
      isSingle: () => false,
      restFor: () => 0,
      countRefusal: () => {},
    };
    return runWith([tenants.entry(tenant), meters.entry(this.#statements)], () => read(begin));
  }

  get points(): number {
    const own = weights.statement * this.#statements.statements + weights.cpuMs * this.#threadMs;
    return this.#budgets.reduce((sum, { points }) => sum + points, own);
  }
}

/** A viewer that records when their identity is read: then the result is for them alone. */
function watched(viewer: Viewer): { viewer: Viewer; isPersonal: () => boolean } {
  let isPersonal = false;
  const notice = <Value>(value: Value) => ({
    enumerable: true,
    get: () => {
      isPersonal = true;
      return value;
    },
  });
  const copy = Object.defineProperties(
    { ...viewer },
    { userId: notice(viewer.userId), tokenId: notice(viewer.tokenId) },
  );
  return { viewer: copy, isPersonal: () => isPersonal };
}
