// Writers: users who write to a few spaces by GraphQL and REST, and record the acknowledged writes.
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "#test/support/random.ts";
import { ask } from "#test/support/docgraph-process.ts";

/** The event that an acknowledged write must have. */
export interface Acknowledged {
  readonly type: string;
  readonly subjectId: string;
}

export interface WritersOptions {
  /** The gateway to write to, called for each write. */
  readonly gateway: () => string;
  readonly token: string;
  readonly spaces: readonly string[];
  readonly count: number;
  readonly random: Random;
  /** The pause of each writer after a write, in milliseconds; 0 by default. */
  readonly restMs?: number;
  /** Whether they continue, called before each write. */
  readonly goOn: () => boolean;
  /** Called for each write that was acknowledged. */
  readonly onWritten: (written: Acknowledged) => void;
  /** Called for each failed write; if unset, a failure throws. */
  readonly onFailed?: (error: unknown) => void;
}

/** The target of a write. */
interface Place {
  readonly gateway: string;
  readonly token: string;
  readonly spaceId: string;
  /** A comment in the space, if one exists. */
  readonly commentId?: string | undefined;
}

type Write = (place: Place) => Promise<Acknowledged>;

/** The id of `field` in the payload of the mutation `name`. */
async function mutate({ gateway, token }: Place, name: string, field: string, input: object): Promise<string> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const document = `mutation ($input: ${type}!) { result: ${name}(input: $input) { row: ${field} { id } } }`;
  // The shape of the selection.
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

/** The kinds of writes; one listed twice is done twice as often. */
const writes = [post, post, postOverRest, postOverRest, reply, propose, rename];

/** Writes until `goOn` returns false; resolves after the last response. */
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
          await sleep(50); // as clients do before a retry
        }
      }
    }),
  );
}

/** The last writes, one of each kind in every space: subscribers that received them have received all earlier ones. */
export async function writeLast(place: Omit<Place, "spaceId">, spaces: readonly string[]): Promise<void> {
  for (const spaceId of spaces) for (const write of [post, propose, rename]) await write({ ...place, spaceId });
}
