// API requests of stream tests: posting a comment, and reading the event cursor.
import type { TestApp } from "#test/support/app.ts";

type Door = Pick<TestApp, "as">;

/** Posts a comment in a space; returns its id. */
export async function post({ as }: Door, token: string, spaceId: string, text = "Hello"): Promise<string> {
  const { createComment } = await as(token).query<{ createComment: { comment: { id: string } } }>(
    "mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }",
    { input: { contentOf: { spaceId }, text: { markdown: text } } },
  );
  return createComment.comment.id;
}

export async function eventCursor({ as }: Door, token: string): Promise<string> {
  return (await as(token).query<{ eventCursor: string }>("{ eventCursor }")).eventCursor;
}
