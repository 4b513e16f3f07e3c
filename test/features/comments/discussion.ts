// Shared by the tests of writing comments: mutations, their targets, and the resulting events.
import type { TestApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

export const kinds = ["space", "change request"] as const;
export type Kind = (typeof kinds)[number];

interface Made {
  readonly space: { readonly id: string };
  readonly changeRequest: { readonly id: string };
  readonly comment: { readonly id: string };
  readonly spaceComment: { readonly id: string };
}

/** The input fields of the target: the space or the change request of a world. */
export function placeOf(kind: Kind, { space, changeRequest }: Pick<Made, "space" | "changeRequest">) {
  return { contentOf: kind === "space" ? { spaceId: space.id } : { changeRequestId: changeRequest.id } };
}

/** The input fields of one of the two comments of a world. */
export function commentOf(kind: Kind, { comment, spaceComment }: Pick<Made, "comment" | "spaceComment">) {
  return { commentId: (kind === "space" ? spaceComment : comment).id };
}

const post = `id body { markdown } editedAt postedBy { id } reactions { emoji count reactorList { user { id } } }`;
const comment = `comment { ${post} status resolvedAt resolvedBy { id } replyCount
  target { spaceId changeRequestId revisionId page { pageId } node { key preview } tableCell { record definition } } }`;
const reply = `reply { ${post} postedAt comment { id replyCount } }`;

const mutation = (name: string, answer: string) => {
  const input = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  return `mutation ($input: ${input}!) { ${name}(input: $input) { ${answer} } }`;
};

export const createComment = mutation("createComment", comment);
export const updateComment = mutation("updateComment", comment);
export const deleteComment = mutation("deleteComment", "deletedId");
export const createReply = mutation("createCommentReply", reply);
export const updateReply = mutation("updateCommentReply", reply);
export const deleteReply = mutation("deleteCommentReply", "deletedId");

interface Post {
  readonly id: string;
  readonly body: { readonly markdown: string };
  readonly editedAt: string | null;
  readonly reactions: readonly { readonly emoji: string; readonly count: number }[];
}

/** The payload of a mutation's only field. */
export interface Answer {
  readonly comment: Post & {
    readonly status: "OPEN" | "RESOLVED";
    readonly resolvedAt: string | null;
    readonly resolvedBy: { readonly id: string } | null;
  };
  readonly reply: Post;
  readonly deletedId: string | null;
}

/** Runs a mutation that must succeed. */
export async function done(app: TestApp, person: Person, document: string, input: object): Promise<Answer> {
  const [answer] = Object.values(await app.as(person.token).query<Record<string, Answer>>(document, { input }));
  if (!answer) throw new Error(`Nothing was answered to ${document}`);
  return answer;
}

/** The error code of a refused mutation, with the paths of its details. */
export async function refused(app: TestApp, person: Person, document: string, input: object): Promise<string> {
  const { errors } = await app.as(person.token).graphql(document, { input });
  return (errors ?? [])
    .map(({ extensions: { code, details = [] } }) => [code, ...details.map(({ path }) => path)].join(" "))
    .join();
}

/** The events of a comment or reply, in order. */
export async function eventsOf(app: TestApp, subjectId: string) {
  const events = await app.eventsOf(subjectId);
  return events.map(({ type, organizationId, spaceId, actorId, payload }) => ({
    type,
    organizationId,
    spaceId,
    actorId,
    payload,
  }));
}

/** The types of these events. */
export async function eventTypesOf(app: TestApp, subjectId: string): Promise<string[]> {
  return (await eventsOf(app, subjectId)).map(({ type }) => type);
}
