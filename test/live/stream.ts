// A stream on its own socket, message by message.
import { openKnown, type RawSocket } from "#test/live/raw-socket.ts";

/** A message with the fields selected by tests. */
export interface Received {
  readonly __typename: string;
  readonly cursor: string;
  readonly commentId?: string;
  readonly reason?: string;
  readonly from?: string;
  readonly to?: string;
}

export interface TestStream {
  readonly raw: RawSocket;
  /** The next message; null when the stream completes. Rejects if it or its socket fails. */
  next(): Promise<Received | null>;
  /** The next message other than a Checkpoint, which may come at any time. */
  nextEvent(): Promise<Received | null>;
  /** The cursors of the next messages. */
  cursors(count: number): Promise<string[]>;
  end(): void;
}

/** Comments of the space `$space` after `$after`. */
export const commentsOfSpace = `subscription ($space: ID!, $after: String) { commentEvents(of: { spaceId: $space }, after: $after) {
  __typename ... on StreamMessage { cursor } ... on Resync { reason from to }
  ... on CommentPosted { commentId } ... on CommentDeleted { commentId } } }`;

/** Opens a stream; its first message is still to be read. */
export async function openStream(
  url: string,
  token: string,
  variables: object,
  query: string = commentsOfSpace,
): Promise<TestStream> {
  const raw = await openKnown(url, token);
  raw.send({ id: "1", type: "subscribe", payload: { query, variables } });

  async function next(): Promise<Received | null> {
    const { type, payload } = await raw.receive();
    if (type === "complete") return null;
    const { data, errors } = payload as { data?: Record<string, Received>; errors?: unknown };
    const [message] = Object.values(data ?? {});
    if (!message || errors) throw new Error(JSON.stringify(payload).slice(0, 1000));
    return message;
  }

  async function nextEvent(): Promise<Received | null> {
    const message = await next();
    return message?.__typename === "Checkpoint" ? nextEvent() : message;
  }

  return {
    raw,
    next,
    nextEvent,
    async cursors(count) {
      const cursors: string[] = [];
      while (cursors.length < count) cursors.push((await next())?.cursor ?? "");
      return cursors;
    },
    end: () => raw.socket.terminate(),
  };
}
