// The subscription broker: all streams of this process. A stream is one open subscription of one client.
//
// The way of an event, file by file:
// 1. events/event-log.ts reads it from the outbox, once for the process, and passes it to the broker.
// 2. sessions.ts, if it may change rights, reads those of the people concerned again, and ends streams without rights
//    (after 5, if the event is the deletion of their subject, and once all earlier events are delivered, too).
// 3. group/groups.ts finds the groups that want it. A group is all streams with the same operation and rights.
// 4. group/group.ts runs the operation for it, once for the group: the response as JSON in UTF-8 is the message.
// 5. delivery.ts sends the message to all streams of the group that are current;
// 6. catch-up.ts reads the outbox for each stream that is behind, from its position, at the pace of its client.
// 7. stream.ts skips events that were sent before, and advances the position of the stream.
// 8. socket-transport.ts and ../event-stream.ts write it to the connection; stream.ts keeps the bytes for all.
// presence-streams.ts sends, without events, who has streams of presence open.
import { callerOf } from "#src/domain/cost.ts";
import { setImmediate as turn } from "node:timers/promises";
import type { GraphQLError, GraphQLSchema } from "graphql";
import type { Logger } from "pino";
import { changesRights } from "#src/access/audience.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Viewers } from "#src/access/viewers.ts";
import type { Clock } from "#src/base/time.ts";
import type { Context } from "#src/domain/context.ts";
import { terminalEvents } from "#src/events/declared.ts";
import type { StoredEvent } from "#src/events/event.ts";
import type { Feed } from "#src/events/event-log.ts";
import { RepeatedWarning } from "#src/runtime/repeated-warning.ts";
import type { Wakeups } from "#src/events/wakeups.ts";
import type { OutboxPosition } from "#src/events/outbox-position.ts";
import { findFailure, publicError } from "#src/graph/run/errors.ts";
import { checkpointMessage, readyMessage } from "#src/graph/schema/events.ts";
import { openSubscription, type SubscriptionRequest } from "#src/graph/schema/subscriptions.ts";
import { Batch, Stream, StreamCounts, type Transport, type TransportKind } from "#src/server/live/stream.ts";
import { CatchUp, withRetry } from "#src/server/live/catch-up.ts";
import { Delivery } from "#src/server/live/delivery.ts";
import type { Group } from "#src/server/live/group/group.ts";
import { Groups } from "#src/server/live/group/groups.ts";
import { PresenceStreams } from "#src/server/live/presence-streams.ts";
import { Sessions } from "#src/server/live/sessions.ts";
import { FairSemaphore } from "#src/runtime/fair-semaphore.ts";

export interface HubOptions {
  readonly schema: GraphQLSchema;
  readonly feed: Feed;
  readonly wakeups: Wakeups;
  readonly viewers: Viewers;
  readonly clock: Clock;
  readonly log: Logger;
  readonly contextOf: (viewer: Viewer) => Context;
  readonly charge: (viewer: Viewer, points: number) => void;
  /** How often a stream without events gets a `Checkpoint`, in milliseconds. */
  readonly checkpointMs?: number | undefined;
}

export interface StreamRequest extends SubscriptionRequest {
  readonly context: Context;
  /** Where to continue, if the transport says so: it takes precedence over the argument `after`. */
  readonly after?: OutboxPosition | undefined;
}

/** How often expired tokens are looked for, in milliseconds. */
const lookMs = 500;

const defaultCheckpointMs = 10 * 60_000;

/** How many streams read the database concurrently to start or catch up: after a restart all reconnect at once. */
const startsAtOnce = 50;

export class Hub {
  readonly counts: Readonly<Record<TransportKind, StreamCounts>> = {
    websocket: new StreamCounts(),
    sse: new StreamCounts(),
    multipart: new StreamCounts(),
  };
  readonly #options: HubOptions;
  readonly #checkpointFailures: RepeatedWarning;
  readonly #groups: Groups;
  readonly #sessions: Sessions;
  readonly #catchUp: CatchUp;
  readonly #delivery: Delivery;
  readonly #presence: PresenceStreams;
  readonly #starts = new FairSemaphore({ most: startsAtOnce });
  readonly #checkpointMs: number;
  #checkpointAt: number;
  #timer: NodeJS.Timeout | undefined;
  #stopListening = () => {};
  readonly #remove = (stream: Stream): void => {
    this.#presence.leave(stream);
    this.#groups.leave(stream);
    this.#sessions.remove(stream);
  };

  constructor(options: HubOptions) {
    this.#options = options;
    this.#checkpointFailures = new RepeatedWarning(options.log, "no checkpoint");
    const groups = new Groups(options);
    const catchUp = new CatchUp({ ...options, groups, starts: this.#starts });
    this.#groups = groups;
    this.#sessions = new Sessions({ ...options, groups });
    this.#catchUp = catchUp;
    this.#delivery = new Delivery({ ...options, groups, catchUp });
    this.#presence = new PresenceStreams({ ...options, groups });
    this.#checkpointMs = options.checkpointMs ?? defaultCheckpointMs;
    this.#checkpointAt = performance.now() + this.#checkpointMs;
  }

  start(): void {
    this.#stopListening = this.#options.feed.listen((events) => this.#receive(events));
    this.#presence.start();
    this.#options.feed.onReset(() => this.#giveUpAll());
    this.#timer = setInterval(() => this.#look(), lookMs);
    this.#timer.unref();
  }

  get size(): number {
    return this.#groups.size;
  }

  heardBy(tokenId: string): OutboxPosition[] {
    return this.#sessions.heardBy(tokenId);
  }

  /** Stops receiving events. The transports end their streams. */
  stop(): void {
    this.#stopListening();
    clearInterval(this.#timer);
    this.#presence.stop();
  }

  /** Opens a stream: `Ready`, events since `after`, then new ones; or returns the errors of the rejection. */
  open(request: StreamRequest, transport: Transport): Promise<Stream | { refusal: readonly GraphQLError[] }> {
    return this.#starts.run(callerOf(request.context), () => this.#open(request, transport));
  }

  async #open(request: StreamRequest, transport: Transport): Promise<Stream | { refusal: readonly GraphQLError[] }> {
    const { feed } = this.#options;
    const { viewer } = request.context;
    const subscription = await withRetry(feed, (isLast) => this.#openSubscription(request, isLast));
    if ("refusal" in subscription) return subscription;
    const { position } = feed;
    const counts = this.counts[transport.kind];
    const stream = new Stream({ subscription, viewer, transport, counts, position, onEnd: this.#remove });
    this.#sessions.add(stream);
    this.#groups.join(stream);
    try {
      await withRetry(feed, () => this.#sessions.admit(stream));
    } catch (error) {
      stream.close();
      return { refusal: [publicError(error, request.context)] };
    }
    const after = request.after ?? subscription.after ?? position;
    this.#begin(stream, after).catch((error: unknown) => stream.end([publicError(error, request.context)]));
    return stream;
  }

  async #openSubscription(request: StreamRequest, isLast: boolean) {
    const { schema, contextOf } = this.#options;
    const opened = await openSubscription(schema, request, contextOf(request.context.viewer));
    const failure = "refusal" in opened && findFailure(opened.refusal);
    if (failure && !isLast) throw failure;
    return opened;
  }

  /** `after` may be ahead of this process, if another gateway issued it: then events up to there are skipped here. */
  async #begin(stream: Stream, after: OutboxPosition): Promise<void> {
    await turn(); // meanwhile the protocol ends a stream that its client has completed while it was opened
    const json = await this.#groups.of(stream)?.jsonOf(readyMessage(after), stream.viewer);
    if (!json || stream.isOver) return;
    stream.send(new Batch([{ position: after, json }]));
    stream.position = after;
    stream.hasBegun = true;
    this.#catchUp.begin(stream);
    this.#presence.join(stream);
  }

  /**
   * Events are sent in their order. After one that may change rights, these are read before any other event is sent; a
   * terminal event is sent before, since it ends the streams of its audience. Those of them that are catching up get it
   * as their last message, too, without the events that they missed before it.
   */
  async #receive(events: readonly StoredEvent[]): Promise<void> {
    if (this.#groups.size === 0) return;
    for (const run of runsOf(events, wayOf)) {
      const [first] = run;
      const way = first && wayOf(first);
      if (way === "renew first") await this.#sessions.renew(run);
      await this.#delivery.deliver(run);
      if (way === "renew after") await this.#sessions.renewAfter(run, (stream) => this.#delivery.sendLast(stream, run));
    }
  }

  /** Ends all streams when the database went back. Those that have not started find out by themselves. */
  #giveUpAll(): void {
    const streams = [...this.#groups.all].flatMap((group) => [...group.streams]);
    for (const stream of streams) if (stream.hasBegun) this.#catchUp.giveUp(stream, "reset");
  }

  #look(): void {
    this.#sessions.endExpired();
    if (performance.now() < this.#checkpointAt) return;
    this.#checkpointAt = performance.now() + this.#checkpointMs;
    for (const group of this.#groups.all)
      this.#checkpoint(group).catch((error: unknown) => this.#checkpointFailures.log(error));
  }

  /** Sends a recent cursor to streams on which nothing happens. */
  async #checkpoint(group: Group): Promise<void> {
    // Not the position that the event log reader has reached: those events may not be sent yet.
    const at = this.#options.feed.delivered;
    const [one] = group.streams;
    if (!one) return;
    const batch = new Batch([{ position: at, json: await group.jsonOf(checkpointMessage(at), one.viewer) }]);
    for (const stream of group.streams) if (stream.isLive) stream.advance(batch);
  }
}

function wayOf(event: StoredEvent): "renew first" | "renew after" | "as they are" {
  if (!changesRights(event)) return "as they are";
  return terminalEvents.has(event.type) ? "renew after" : "renew first";
}

/** The items in runs of the same kind, in their order. */
function runsOf<Item>(items: readonly Item[], kindOf: (item: Item) => string): Item[][] {
  const runs: Item[][] = [];
  let last: string | undefined;
  for (const item of items) {
    const kind = kindOf(item);
    if (kind === last) runs.at(-1)?.push(item);
    else runs.push([item]);
    last = kind;
  }
  return runs;
}
