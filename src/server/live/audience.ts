// An audience: all who asked for the same with the same rights. What one of them is told is made once and given to all.
import type { ExecutionResult } from "graphql";
import type { Viewer } from "#src/access/viewer.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { findFailure } from "#src/graph/errors.ts";
import type { Message } from "#src/graph/events.ts";
import type { Operation, Variables } from "#src/graph/execute.ts";
import { type EventSource, startVariables } from "#src/graph/subscriptions.ts";
import { Remembered } from "#src/server/live/remembered.ts";
import type { Stream } from "#src/server/live/stream.ts";

/** Events that are told together, with one statement for rows of one kind. */
export const batchSize = 50;

export interface Asked {
  readonly operation: Operation;
  readonly variables: Variables;
}

/** What makes two subscribers one audience. The document is part of it by identity: the executor keeps one operation a text. */
export function audienceKey(
  { operation, variables }: Asked,
  viewer: Viewer,
  idOf: (operation: object) => number,
): string {
  const starts = startVariables(operation);
  const relevant = Object.entries(variables).filter(([name]) => !starts.has(name));
  return JSON.stringify([idOf(operation), relevant.toSorted(byName), rightsOf(viewer)]);
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) => (one < other ? -1 : 1);

/** Everything of a viewer that reads go by, but who they are: equal texts are equal rights. */
export function rightsOf({ memberships, grantedIds, grantedRoles, shareKey }: Viewer): string {
  const grants = grantedIds.map((id, index) => [id, grantedRoles[index]] as const);
  return JSON.stringify([[...memberships].toSorted(byName), grants.toSorted(byName), shareKey]);
}

/** A viewer that notices when somebody asks who they are: then an answer is for them alone. */
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

type ContextOf = (viewer: Viewer) => Context;

/** How texts are made. */
interface Telling {
  /** Whether an event whose rows cannot be read is told nevertheless, with the error in their place. Otherwise that is thrown. */
  readonly withErrors?: boolean;
}

export class Audience {
  readonly key: string;
  readonly streams = new Set<Stream>();
  readonly #asked: Asked;
  readonly #source: EventSource;
  readonly #contextOf: ContextOf;
  #remembered = new Remembered();
  /** Settles when those who asked one after another have their texts. */
  #inTurn: Promise<unknown> = Promise.resolve();

  constructor(key: string, asked: Asked, source: EventSource, contextOf: ContextOf) {
    this.key = key;
    this.#asked = asked;
    this.#source = source;
    this.#contextOf = contextOf;
  }

  /** Whether the subscription tells of such an event at all. */
  tells(event: StoredEvent): boolean {
    return this.#source.messageOf(event) !== null;
  }

  /** Asks anew whether these viewers may listen: those who may not, by their ids, with the reason. */
  async refusals(viewers: readonly Viewer[]): Promise<Map<string, unknown>> {
    this.#remembered = new Remembered(); // what is being read under the old rights will be kept in the old one
    const { answers } = await this.#readFor(viewers, async (begin) => {
      try {
        await this.#source.check(begin());
        return null;
      } catch (error) {
        if (error instanceof DomainError) return error;
        throw error;
      }
    });
    return new Map([...answers].filter(([, error]) => error !== null));
  }

  /**
   * The texts of events, at most {@link batchSize}, for viewers of this audience, by their ids: null for an event that they may not hear of. The rows
   * that the events show are read once, for everybody, unless the selection depends on who is asking.
   */
  async tell(
    events: readonly StoredEvent[],
    viewers: readonly Viewer[],
    telling: Telling = {},
  ): Promise<Map<string, (string | null)[]>> {
    const remembered = this.#remembered;
    const known = new Map(events.map((event) => [event, remembered.textOf(event)]));
    const missing = events.filter((event) => known.get(event) === undefined);
    const { answers, isShared } = await this.#readFor(viewers, (begin) => this.#textsOf(missing, begin, telling));
    const [made] = answers.values();
    if (made && isShared && !telling.withErrors) for (const [event, text] of made) remembered.keep(event, text);
    return new Map(
      [...answers].map(([userId, own]) => [userId, events.map((event) => own.get(event) ?? known.get(event) ?? null)]),
    );
  }

  /** The same for one who catches up: in turn, so that many who come back at once find the texts that were made for the first. */
  async tellInTurn(events: readonly StoredEvent[], viewer: Viewer, telling: Telling): Promise<(string | null)[]> {
    const turn = this.#inTurn.then(() => this.tell(events, [viewer], telling));
    this.#inTurn = turn.catch(() => {});
    return (await turn).get(viewer.userId) ?? [];
  }

  /** The text of a message that shows no rows. */
  async textOf(message: Message, viewer: Viewer): Promise<string> {
    return JSON.stringify(await this.#run(message, this.#contextOf(viewer)));
  }

  /** Reads for each viewer; only once where nobody asks who the viewer is. */
  async #readFor<Answer>(viewers: readonly Viewer[], read: (begin: () => Context) => Promise<Answer>) {
    const answers = new Map<string, Answer>();
    let shared: { answer: Answer } | undefined;
    for (const viewer of viewers) {
      if (answers.has(viewer.userId)) continue;
      if (!shared) {
        const watch = watched(viewer);
        const answer = await read(() => this.#contextOf(watch.viewer));
        if (!watch.isPersonal()) shared = { answer };
        answers.set(viewer.userId, answer);
      } else answers.set(viewer.userId, shared.answer);
    }
    return { answers, isShared: shared !== undefined };
  }

  async #textsOf(
    events: readonly StoredEvent[],
    begin: () => Context,
    { withErrors = false }: Telling,
  ): Promise<Map<StoredEvent, string | null>> {
    const together = begin();
    const texts = await Promise.all(
      events.map(async (event): Promise<[StoredEvent, string | null]> => {
        const message = this.#source.messageOf(event);
        if (!message || !((await this.#source.mayHear?.(together, event)) ?? true)) return [event, null];
        let result = await this.#run(message, together);
        // Alone it may well be without: all together may ask for more rows than one operation may.
        if (result.errors && events.length > 1) result = await this.#run(message, begin());
        const failure = findFailure(result.errors);
        if (failure && !withErrors) throw failure;
        return [event, JSON.stringify(result)];
      }),
    );
    return new Map(texts);
  }

  #run(message: Message, context: Context): Promise<ExecutionResult> {
    const { operation, variables } = this.#asked;
    return operation.run(context, variables, message);
  }
}
