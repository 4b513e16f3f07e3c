// The hub: every stream of this process. It hears the feed once, has each audience told once, and ends what may not be heard any more.
import DataLoader from "dataloader";
import type { GraphQLError, GraphQLSchema } from "graphql";
import type { Logger } from "pino";
import type { Viewer } from "#src/access/viewer.ts";
import type { Viewers } from "#src/access/viewers.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Clock } from "#src/base/time.ts";
import type { Context } from "#src/domain/context.ts";
import type { StoredEvent } from "#src/events/event.ts";
import type { Feed } from "#src/events/feed.ts";
import type { Position } from "#src/events/position.ts";
import { findFailure, publicError } from "#src/graph/errors.ts";
import { checkpointMessage, readyMessage } from "#src/graph/events.ts";
import { type EventSource, openSource } from "#src/graph/subscriptions.ts";
import { type Asked, type Audience, rightsOf } from "#src/server/live/audience.ts";
import { Audiences, scopeKey } from "#src/server/live/audiences.ts";
import { Delivery } from "#src/server/live/delivery.ts";
import { insist } from "#src/server/live/insist.ts";
import { changesRights, concerns } from "#src/access/rights.ts";
import type { Sink } from "#src/server/live/sink.ts";
import { type Seat, Stream } from "#src/server/live/stream.ts";

export interface HubOptions {
  readonly schema: GraphQLSchema;
  readonly feed: Feed;
  readonly viewers: Viewers;
  readonly clock: Clock;
  readonly log: Logger;
  /** The context of one reading. */
  readonly contextOf: (viewer: Viewer) => Context;
  /** How often streams on which nothing happens are told how far they are, in milliseconds. */
  readonly checkpointMs?: number | undefined;
}

/** A stream in the hands of its transport. */
export interface OpenStream {
  /** The client is gone, or wants no more. */
  close(): void;
}

/** How often tokens are looked at for their expiry, in milliseconds. */
const lookMs = 500;

/** How often streams on which nothing happens are told how far they are, in milliseconds. */
const usualCheckpointMs = 10 * 60_000;

export class Hub {
  readonly #options: HubOptions;
  readonly #audiences: Audiences;
  readonly #delivery: Delivery;
  readonly #seats = new Map<string, Seat>();
  /** Many streams that open at once ask for their rights together. */
  readonly #renewals: DataLoader<Viewer, Viewer | null>;
  #timer: NodeJS.Timeout | undefined;
  readonly #checkpointMs: number;
  #checkpointAt: number;
  #stopListening = () => {};

  constructor(options: HubOptions) {
    this.#options = options;
    this.#audiences = new Audiences(options.contextOf);
    const { feed, log, checkpointMs = usualCheckpointMs } = options;
    this.#delivery = new Delivery({ feed, log, audiences: this.#audiences, end: this.#end.bind(this) });
    this.#checkpointMs = checkpointMs;
    this.#checkpointAt = performance.now() + checkpointMs;
    this.#renewals = new DataLoader((viewers) => options.viewers.renewAll(viewers), { cache: false });
  }

  /** Begins to hear the feed. */
  start(): void {
    this.#stopListening = this.#options.feed.listen((events) => this.#hear(events));
    this.#timer = setInterval(() => this.#look(), lookMs);
    this.#timer.unref();
  }

  /** Streams open now. */
  get size(): number {
    return this.#audiences.size;
  }

  /** Hears no more. The transports end their streams. */
  stop(): void {
    this.#stopListening();
    clearInterval(this.#timer);
  }

  /**
   * Opens a stream: `Ready` first, then what happened since `after`, then what happens. Answers the errors that refuse it instead: what graphql-js says
   * of the arguments, and NOT_FOUND or FORBIDDEN. An `after` of the transport is taken before the one among the arguments.
   */
  async open(
    asked: Asked,
    context: Context,
    sink: Sink,
    after?: Position,
  ): Promise<OpenStream | { refusal: readonly GraphQLError[] }> {
    const { feed } = this.#options;
    const opened = await insist(feed, (isLast) => this.#openSource(asked, context.viewer, isLast));
    if ("refusal" in opened) return opened;
    const source = after ? { ...opened.source, after } : opened.source;
    const stream = this.#add(asked, source, context.viewer, sink);
    try {
      await insist(feed, () => this.#admit(stream, source));
    } catch (error) {
      this.#remove(stream);
      return { refusal: [publicError(error, context)] };
    }
    this.#begin(stream, source).catch((error: unknown) => this.#end(stream, [publicError(error, context)]));
    return { close: () => this.#remove(stream) };
  }

  async #openSource({ operation, variables }: Asked, viewer: Viewer, isLast: boolean) {
    const { schema, contextOf } = this.#options;
    const opened = await openSource(schema, operation, contextOf(viewer), variables);
    if ("source" in opened) return opened;
    const refusal = opened.refusal.errors ?? [];
    const failure = findFailure(refusal);
    if (failure && !isLast) throw failure;
    return { refusal };
  }

  #add(asked: Asked, source: EventSource, viewer: Viewer, sink: Sink): Stream {
    let seat = this.#seats.get(viewer.tokenId);
    if (!seat) this.#seats.set(viewer.tokenId, (seat = { viewer, streams: new Set() }));
    const stream = new Stream(sink, seat, this.#options.feed.position);
    seat.streams.add(stream);
    this.#audiences.join(stream, { asked, source });
    return stream;
  }

  /**
   * Checks the right to listen by what is in the database now. The stream is in its place already, though it hears nothing before it begins: so a
   * change of rights is either seen here or by the hub.
   */
  async #admit(stream: Stream, source: EventSource): Promise<void> {
    const viewer = await this.#renewals.load(stream.seat.viewer);
    if (!viewer || isExpired(viewer, this.#options.clock)) throw new DomainError("UNAUTHENTICATED");
    this.#reseat(stream.seat, viewer);
    await source.check(this.#options.contextOf(viewer));
  }

  /** Gives all who came with a token their present rights. */
  #reseat(seat: Seat, viewer: Viewer): void {
    const isSame = rightsOf(viewer) === rightsOf(seat.viewer);
    seat.viewer = viewer;
    if (isSame) return;
    for (const stream of seat.streams) {
      const place = this.#audiences.placeOf(stream);
      if (!place) continue;
      this.#audiences.leave(stream);
      this.#audiences.join(stream, place);
    }
  }

  #remove(stream: Stream): void {
    stream.isOver = true;
    this.#audiences.leave(stream);
    const { seat } = stream;
    seat.streams.delete(stream);
    if (seat.streams.size === 0) this.#seats.delete(seat.viewer.tokenId);
  }

  #end(stream: Stream, errors?: readonly GraphQLError[]): void {
    if (stream.isOver) return;
    this.#remove(stream);
    if (errors) stream.sink.fail(errors);
    else stream.sink.complete();
  }

  async #begin(stream: Stream, source: EventSource): Promise<void> {
    const place = this.#audiences.placeOf(stream);
    if (!place) return;
    // A gateway that is ahead of this one gave it, perhaps: then what is told here up to there is passed over.
    const after = source.after ?? stream.position;
    const ready = readyMessage(after);
    const text = await place.audience.textOf(ready, stream.seat.viewer);
    if (stream.isOver) return;
    stream.sink.send(text, ready.cursor);
    stream.position = after;
    this.#delivery.catchUp(stream);
  }

  /** Events come in their order; rights are made good before what comes after they changed. */
  async #hear(events: readonly StoredEvent[]): Promise<void> {
    if (this.#audiences.size === 0) return;
    for (const run of runsOf(events, changesRights)) {
      if (run.some(changesRights)) await this.#renew(run);
      await this.#delivery.tell(run);
    }
  }

  /** Makes the rights good of the people concerned by these events. Where that cannot be done they hear no more. */
  async #renew(events: readonly StoredEvent[]): Promise<void> {
    const seats = [...this.#seats.values()].filter((seat) => this.#isConcerned(seat, events));
    try {
      await insist(this.#options.feed, () => this.#renewSeats(seats));
    } catch (error) {
      this.#options.log.error({ err: error }, "rights could not be read anew, and the streams concerned are ended");
      for (const { streams } of seats) for (const stream of streams) this.#end(stream, [publicError(error, undefined)]);
    }
  }

  /** Reads anew what people may do, and ends what they may not hear any more. */
  async #renewSeats(seats: readonly Seat[]): Promise<void> {
    const renewed = await this.#options.viewers.renewAll(seats.map(({ viewer }) => viewer));
    const audiences = new Set<Audience>();
    for (const [index, seat] of seats.entries()) {
      const viewer = renewed[index];
      if (viewer) this.#reseat(seat, viewer);
      else for (const stream of seat.streams) this.#end(stream, [unauthenticated()]);
      for (const stream of seat.streams) {
        const place = this.#audiences.placeOf(stream);
        if (place) audiences.add(place.audience);
      }
    }
    await Promise.all([...audiences].map((audience) => this.#checkAudience(audience)));
  }

  #isConcerned({ viewer, streams }: Seat, events: readonly StoredEvent[]): boolean {
    const scopes = new Set([...streams].map((stream) => scopeKey(this.#audiences.placeOf(stream)?.source.scope ?? {})));
    return events.some((event) => concerns(event, viewer, scopes));
  }

  async #checkAudience(audience: Audience): Promise<void> {
    const streams = [...audience.streams];
    const refusals = await audience.refusals(streams.map(({ seat }) => seat.viewer));
    for (const stream of streams) {
      const error = refusals.get(stream.seat.viewer.userId);
      if (error) this.#end(stream, [publicError(error, this.#options.contextOf(stream.seat.viewer))]);
    }
  }

  /** Ends what came with a token that is over, and tells quiet streams how far they are. */
  #look(): void {
    for (const { viewer, streams } of this.#seats.values())
      if (isExpired(viewer, this.#options.clock)) for (const stream of streams) this.#end(stream, [unauthenticated()]);
    if (performance.now() < this.#checkpointAt) return;
    this.#checkpointAt = performance.now() + this.#checkpointMs;
    for (const audience of this.#audiences.all)
      this.#checkpoint(audience).catch((error: unknown) => this.#options.log.warn({ err: error }, "no checkpoint"));
  }

  async #checkpoint(audience: Audience): Promise<void> {
    const at = this.#options.feed.told; // and not what it has read: that is still being told, perhaps
    const [one] = audience.streams;
    if (!one) return;
    const text = await audience.textOf(checkpointMessage(at), one.seat.viewer);
    for (const stream of audience.streams) if (stream.isLive) stream.tell(at, text);
  }
}

const isExpired = ({ expiresAt }: Viewer, clock: Clock): boolean =>
  expiresAt !== null && expiresAt <= clock.now().toISOString();

/** The items in runs of those that pass and those that do not, in their order. */
function runsOf<Item>(items: readonly Item[], passes: (item: Item) => boolean): Item[][] {
  const runs: Item[][] = [];
  let last: boolean | undefined;
  for (const item of items) {
    const passed = passes(item);
    if (passed === last) runs.at(-1)?.push(item);
    else runs.push([item]);
    last = passed;
  }
  return runs;
}

const unauthenticated = () => publicError(new DomainError("UNAUTHENTICATED"), undefined);
