// Writers: people who work on a few spaces, by GraphQL and REST, and remember what was
// acknowledged.
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "#test/support/random.ts";
import { ask } from "#test/support/docgraph-process.ts";

/** What must be in the table of events for a write that was acknowledged. */
export interface Acknowledged {
  readonly type: string;
  readonly subjectId: string;
}

export interface WritersOptions {
  /** The gateway to write to, asked for each write anew. */
  readonly gateway: () => string;
  readonly token: string;
  readonly spaces: readonly string[];
  readonly count: number;
  readonly random: Random;
  /** How long each of them rests after a write, in milliseconds; not at all by default. */
  readonly restMs?: number;
  /** Whether they go on, asked before each write. */
  readonly goOn: () => boolean;
  /** Called for each write that was acknowledged. */
  readonly onWritten: (written: Acknowledged) => void;
  /** Called for each that was not; without it that is an error. */
  readonly onFailed?: (error: unknown) => void;
}

/** Where a write goes. */
interface Place {
  readonly gateway: string;
  readonly token: string;
  readonly spaceId: string;
  /** A comment in the space, when there is one. */
  readonly commentId?: string | undefined;
}

type Write = (place: Place) => Promise<Acknowledged>;

/** The id of `field`, which the mutation `name` answers. */
async function mutate({ gateway, token }: Place, name: string, field: string, input: object): Promise<string> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const document = `mutation ($input: ${type}!) { result: ${name}(input: $input) { row: ${field} { id } } }`;
  // The form that the document selects.
  const { result } = (await ask(gateway, token, document, { input })) as { result: { row: { id: string } } };
  return result.row.id;
}

const post: Write = async (place) => {
  const input = { contentOf: { spaceId: place.spaceId }, text: { markdown: "Written by GraphQL" } };
  return { type: "comment.created", subjectId: await mutate(place, "createComment", "comment", input) };
};

const postOverRest: Write = async ({ gateway, token, spaceId }) => {
  const response = await fetch(`${gateway}/v1/spaces/${spaceId}/comments`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ body: { markdown: "Written by REST" } }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return { type: "comment.created", subjectId: (JSON.parse(text) as { id: string }).id };
};

const reply: Write = async (place) => {
  const { commentId } = place;
  if (commentId === undefined) return post(place);
  const input = { commentId, text: { markdown: "An answer" } };
  return { type: "commentReply.created", subjectId: await mutate(place, "createCommentReply", "reply", input) };
};

const propose: Write = async (place) => {
  const input = { spaceId: place.spaceId, subject: "A change" };
  return {
    type: "changeRequest.created",
    subjectId: await mutate(place, "createChangeRequest", "changeRequest", input),
  };
};

const rename: Write = async (place) => {
  const input = { spaceId: place.spaceId, title: `Renamed at ${Math.trunc(performance.now())}` };
  return { type: "space.updated", subjectId: await mutate(place, "updateSpace", "space", input) };
};

/** What writers do; what is listed twice, twice as often. */
const writes = [post, post, postOverRest, postOverRest, reply, propose, rename];

/** Lets them write until they may not go on; resolves when the last write is answered. */
export async function letWrite(options: WritersOptions): Promise<void> {
  const { gateway, token, spaces, random, restMs = 0, goOn, onWritten, onFailed } = options;

  async function write(comments: Map<string, string>): Promise<void> {
    const spaceId = random.pick(spaces);
    const written = await random.pick(writes)({ gateway: gateway(), token, spaceId, commentId: comments.get(spaceId) });
    if (written.type === "comment.created") comments.set(spaceId, written.subjectId);
    onWritten(written);
  }

  await Promise.all(
    Array.from({ length: options.count }, async () => {
      const comments = new Map<string, string>();
      while (goOn()) {
        try {
          await write(comments);
          if (restMs > 0) await sleep(restMs);
        } catch (error) {
          if (!onFailed) throw error;
          onFailed(error);
          await sleep(50); // as clients do that try again
        }
      }
    }),
  );
}

/** The last writes, of every kind in every space: those who have received them have received all that came before. */
export async function writeLast(place: Omit<Place, "spaceId">, spaces: readonly string[]): Promise<void> {
  for (const spaceId of spaces) for (const write of [post, propose, rename]) await write({ ...place, spaceId });
}
