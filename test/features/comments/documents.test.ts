// Documents of comments and replies round-trip in GraphQL and /v1, including parts that Markdown cannot express.
import { describe, expect, it } from "vitest";
import {
  commentOf,
  createComment,
  createReply,
  done,
  refused,
  updateComment,
} from "#test/features/comments/discussion.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const text = (of: string, ...marks: object[]) => ({ object: "text", leaves: [{ object: "leaf", text: of, marks }] });
const rich = {
  object: "document",
  data: { schemaVersion: 2, theme: "dark" },
  nodes: [
    { object: "block", type: "heading-2", isVoid: false, data: { align: "center" }, nodes: [text("Tides")] },
    {
      object: "block",
      type: "hint",
      isVoid: false,
      data: { style: "info", levels: [1, 2] },
      nodes: [
        {
          object: "block",
          type: "paragraph",
          isVoid: false,
          data: {},
          nodes: [text("Red", { object: "mark", type: "color", data: { of: "red" } })],
        },
        { object: "block", type: "embed", isVoid: true, data: { url: "https://example.com/" }, nodes: [] },
      ],
    },
  ],
};
const bodyDocument = `query ($id: ID!) { comment(id: $id) { body { markdown document } replies(first: 1) { nodes { body { document } } } } }`;

interface Body {
  readonly markdown: string;
  readonly document: { nodes: { type: string; data: object }[] };
}

describe("a comment document with parts that Markdown cannot express", () => {
  it("round-trips in comments and replies", async () => {
    const made = await world.space();
    const place = { contentOf: { spaceId: made.space.id } };
    const { comment } = await done(app, made.commenter, createComment, { ...place, text: { document: rich } });
    await done(app, made.commenter, createReply, { commentId: comment.id, text: { document: rich } });
    const read = await app
      .as(made.reader.token)
      .query<{ comment: { body: Body; replies: object } }>(bodyDocument, { id: comment.id });
    expect(read.comment).toMatchObject({
      body: { document: rich },
      replies: { nodes: [{ body: { document: rich } }] },
    });
    expect(read.comment.body.markdown).toMatch(
      /\n\n## Tides\n\n<!-- docgraph:next blockquote .*\n\n> \[!NOTE\]\n> Red$/s,
    );
  });

  it("round-trips in /v1", async () => {
    const { space, commenter } = await world.space();
    const as = app.as(commenter.token);
    const path = `/v1/spaces/${space.id}/comments`;
    const { status, body } = await as.rest<{ id: string }>("POST", path, { body: { body: { document: rich } } });
    expect(status).toBe(200);
    const answer = await as.rest<{ body: object }>("GET", `${path}/${body.id}?format=document`);
    expect(answer.body.body).toMatchObject({ document: rich });
    const again = await as.rest<{ editedAt?: string }>("PUT", `${path}/${body.id}`, {
      body: { body: answer.body.body },
    });
    expect([again.status, again.body.editedAt]).toEqual([200, undefined]);
  });

  it("keeps its settings when its Markdown is edited", async () => {
    const made = await world.comment();
    const on = commentOf("space", made);
    const { comment } = await done(app, made.commenter, updateComment, { ...on, text: { document: rich } });
    const markdown = comment.body.markdown.replace("## Tides", "## All tides");
    await done(app, made.commenter, updateComment, { ...on, text: { markdown } });
    const read = await app
      .as(made.commenter.token)
      .query<{ comment: { body: Body } }>(bodyDocument, { id: on.commentId });
    expect(read.comment.body.document).toMatchObject({
      data: rich.data,
      nodes: [
        { type: "heading-2", data: { align: "center" }, nodes: [{ leaves: [{ text: "All tides" }] }] },
        rich.nodes[1],
      ],
    });
  });

  it("with an invalid reference is refused with its path, and nothing is written", async () => {
    const { space, commenter } = await world.space();
    const link = { object: "inline", type: "link", data: { ref: { kind: "user", user: "me" } }, nodes: [text("me")] };
    const document = { object: "document", nodes: [{ object: "block", type: "paragraph", nodes: [link] }] };
    expect(await refused(app, commenter, createComment, { contentOf: { spaceId: space.id }, text: { document } })).toBe(
      "INVALID_INPUT text/document/nodes/0/nodes/0/data/ref/user",
    );
  });
});
