// Sessions: the streams by the token or the browser session that they were opened with, and the current rights of the
// viewer of each.
import DataLoader from "dataloader";
import type { Logger } from "pino";
import { concerns } from "#src/access/audience.ts";
import { nobody, type Viewer } from "#src/access/viewer.ts";
import type { Viewers } from "#src/access/viewers.ts";
import { DomainError } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import type { Clock } from "#src/base/time.ts";
import type { Context } from "#src/domain/context.ts";
import type { StoredEvent } from "#src/events/event.ts";
import type { Feed } from "#src/events/event-log.ts";
import type { OutboxPosition } from "#src/events/outbox-position.ts";
import { publicError } from "#src/graph/run/errors.ts";
import type { Group } from "#src/server/live/group/group.ts";
import { type Groups, rightsOf } from "#src/server/live/group/groups.ts";
import { withRetry } from "#src/server/live/catch-up.ts";
import type { Stream } from "#src/server/live/stream.ts";

interface Options {
  readonly feed: Feed;
  readonly groups: Groups;
  readonly viewers: Viewers;
  readonly clock: Clock;
  readonly log: Logger;
  readonly contextOf: (viewer: Viewer) => Context;
}

type Refused = ReadonlyMap<Stream, unknown>;

interface Session {
  viewer: Viewer;
  readonly streams: Set<Stream>;
  /** The read of rights that `viewer` comes from; one that started earlier does not replace it. */
  reading: number;
}

export class Sessions {
  readonly #options: Options;
  readonly #byToken = new Map<string, Session>();
  /** Batches the reads of rights of streams that open at once. */
  readonly #renewals: DataLoader<Viewer, Viewer | null>;
  #lastReading = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#renewals = new DataLoader((viewers) => options.viewers.renewAll(viewers), { cache: false });
  }

  add(stream: Stream): void {
    const key = sessionKey(stream);
    let session = this.#byToken.get(key);
    if (!session) this.#byToken.set(key, (session = { viewer: stream.viewer, streams: new Set(), reading: 0 }));
    stream.viewer = session.viewer;
    session.streams.add(stream);
  }

  remove(stream: Stream): void {
    const key = sessionKey(stream);
    const session = this.#byToken.get(key);
    session?.streams.delete(stream);
    if (session?.streams.size === 0) this.#byToken.delete(key);
  }

  /** Up to where the streams of a token have been sent events. */
  heardBy(tokenId: string): OutboxPosition[] {
    return [...(this.#byToken.get(tokenId)?.streams ?? [])].map(({ position }) => position);
  }

  /**
   * Checks the right to subscribe by the current state of the database. The stream must have been added, though nothing
   * is sent to it before: so a change of rights is either seen here or by {@link renew}. Throws UNAUTHENTICATED,
   * NOT_FOUND or FORBIDDEN.
   */
  async admit(stream: Stream): Promise<void> {
    const reading = ++this.#lastReading;
    if (!isVisitor(stream.viewer)) {
      const viewer = await this.#renewals.load(stream.viewer);
      if (!viewer || this.#isExpired(viewer)) throw new DomainError("UNAUTHENTICATED");
      this.#renewSession(viewer, reading);
    }
    await stream.subscription.check(this.#options.contextOf(stream.viewer));
  }

  /** Reads the rights of all concerned again, and ends streams that lost theirs; all concerned if that fails. */
  async renew(events: readonly StoredEvent[]): Promise<void> {
    const refused = await this.#renewConcerned(events);
    for (const [stream, error] of refused) this.#refuse(stream, error);
  }

  /**
   * The same after events of deletions. The streams get them by `sendLast`, if they have not yet, and end when all
   * current events are delivered: other subjects of theirs may be deleted as well.
   */
  async renewAfter(events: readonly StoredEvent[], sendLast: (stream: Stream) => Promise<void>): Promise<void> {
    const refused = await this.#renewConcerned(events);
    if (refused.size === 0) return;
    for (const stream of refused.keys()) await sendLast(stream);
    void this.#endWhenTold(refused); // not awaited: the event log reader waits for this call
  }

  async #renewConcerned(events: readonly StoredEvent[]): Promise<Refused> {
    const sessions = [...this.#byToken.values()].filter((session) => isConcerned(session, events));
    try {
      return await withRetry(this.#options.feed, () => this.#renewAll(sessions));
    } catch (error) {
      this.#options.log.error({ err: error }, "could not read rights again; the streams concerned are closed");
      for (const { streams } of sessions) for (const stream of streams) stream.end([publicError(error, undefined)]);
      return new Map();
    }
  }

  async #endWhenTold(refused: Refused): Promise<void> {
    const { feed, groups, log } = this.#options;
    await feed.flush({ waits: true });
    try {
      const now = await this.#refusedIn(new Set([...refused.keys()].map((stream) => groups.of(stream))));
      for (const stream of refused.keys()) if (now.has(stream)) this.#refuse(stream, now.get(stream));
    } catch (error) {
      log.error({ err: error }, "could not check the rights of streams; they are closed");
      for (const [stream, reason] of refused) this.#refuse(stream, reason);
    }
  }

  /** Ends the streams of expired tokens. Browser sessions are extended by each use: they are read again. */
  endExpired(): void {
    const expired = [...this.#byToken.values()].filter(({ viewer }) => this.#isExpired(viewer));
    const mayLast = expired.filter(({ viewer }) => isIdOf("Session", viewer.tokenId));
    for (const session of expired) if (!mayLast.includes(session)) endAll(session);
    if (mayLast.length > 0) void this.#endUnused(mayLast);
  }

  async #endUnused(sessions: readonly Session[]): Promise<void> {
    try {
      const renewed = await this.#options.viewers.renewAll(sessions.map(({ viewer }) => viewer));
      for (const [index, session] of sessions.entries()) {
        const viewer = renewed[index];
        if (viewer && !this.#isExpired(viewer)) session.viewer = { ...session.viewer, expiresAt: viewer.expiresAt };
        else endAll(session);
      }
    } catch (error) {
      this.#options.log.error({ err: error }, "could not read sessions again; their streams are closed");
      for (const session of sessions) endAll(session);
    }
  }

  async #renewAll(sessions: readonly Session[]): Promise<Refused> {
    const reading = ++this.#lastReading;
    const renewed = await this.#options.viewers.renewAll(sessions.map(({ viewer }) => viewer));
    const groups = new Set<Group | undefined>();
    for (const [index, { streams }] of sessions.entries()) {
      const viewer = renewed[index];
      if (viewer) this.#renewSession(viewer, reading);
      else if (!isVisitor(sessions[index]?.viewer)) endAll({ streams });
      for (const stream of streams) groups.add(this.#options.groups.of(stream));
    }
    return this.#refusedIn(groups);
  }

  /** Gives all streams of a token the current rights, and moves them to the groups of these. */
  #renewSession(viewer: Viewer, reading: number): void {
    const session = this.#byToken.get(viewer.tokenId);
    if (!session || reading < session.reading) return;
    session.reading = reading;
    if (rightsOf(viewer) === rightsOf(session.viewer)) {
      session.viewer = { ...session.viewer, expiresAt: viewer.expiresAt };
      return;
    }
    session.viewer = viewer;
    const { groups } = this.#options;
    for (const stream of session.streams) {
      stream.viewer = viewer;
      if (!groups.of(stream)) continue;
      groups.leave(stream);
      groups.join(stream);
    }
  }

  /** The streams of these groups whose viewers may no longer subscribe. */
  async #refusedIn(groups: ReadonlySet<Group | undefined>): Promise<Refused> {
    const refused = new Map<Stream, unknown>();
    const check = async (group: Group): Promise<void> => {
      const streams = [...group.streams];
      const refusals = await group.refusals(streams.map(({ viewer }) => viewer));
      for (const stream of streams) {
        const error = refusals.get(stream.viewer.userId);
        if (error) refused.set(stream, error);
      }
    };
    await Promise.all([...groups].filter((group) => group !== undefined).map(check));
    return refused;
  }

  #refuse(stream: Stream, error: unknown): void {
    stream.end([publicError(error, this.#options.contextOf(stream.viewer))]);
  }

  #isExpired({ expiresAt }: Viewer): boolean {
    return expiresAt !== null && expiresAt <= this.#options.clock.now().toISOString();
  }
}

/** A reader without an account, whose rights never change. */
const isVisitor = (viewer: Viewer | undefined): boolean => viewer?.userId === nobody.userId;

/** The token; for visitors, who have none, their scope: few of their streams depend on the rights in another one. */
const sessionKey = ({ viewer, subscription }: Stream): string =>
  isVisitor(viewer) ? `visitors of ${subscription.scope.ids.join(" ")}` : viewer.tokenId;

function isConcerned({ viewer, streams }: Session, events: readonly StoredEvent[]): boolean {
  const scopes = new Set([...streams].flatMap(({ subscription }) => subscription.scope.ids));
  return events.some((event) => concerns(event, viewer, scopes));
}

function endAll({ streams }: Pick<Session, "streams">): void {
  for (const stream of streams) stream.end([unauthenticated()]);
}

const unauthenticated = () => publicError(new DomainError("UNAUTHENTICATED"), undefined);
