// Tools over the whole graph that write, for holders of an API token: comments, and change requests with edits. Each
// is a mutation, or some in turn, with the rights and the scope of the token.
import { z } from "zod";
import type { Ask } from "#src/features/agents/http/asking.ts";
import { asJson, contentInput, type Graph } from "#src/features/agents/http/graph-tools.ts";
import { defineTool, type Tool } from "#src/http/mcp.ts";

const commentDocument = `mutation CommentForAgents($input: CreateCommentInput!) {
  createComment(input: $input) { comment { id } }
}`;

const replyDocument = `mutation ReplyForAgents($input: CreateCommentReplyInput!) {
  createCommentReply(input: $input) { reply { id } }
}`;

const createDocument = `mutation CreateChangeRequestForAgents($input: CreateChangeRequestInput!) {
  createChangeRequest(input: $input) { changeRequest { id } }
}`;

interface Created {
  readonly createChangeRequest: { readonly changeRequest: { readonly id: string } };
}

const editDocument = `mutation EditForAgents($input: EditContentInput!) {
  editContent(input: $input) { revisionId }
}`;

const updateDocument = `mutation UpdateChangeRequestForAgents($input: UpdateChangeRequestInput!) {
  updateChangeRequest(input: $input) {
    changeRequest { id number subject status urls { app } changes { stats { created edited moved deleted } } }
  }
}`;

const pageFields = {
  description: z.string().nullish().describe("Description; null removes it."),
  markdown: z.string().optional().describe("The whole text as Markdown."),
  slug: z.string().optional().describe("Last part of the path; by default made of the title."),
};
const pageId = z.string().describe("Id of the page.");
const place = z
  .object({ beforePageId: z.string().optional(), afterPageId: z.string().optional() })
  .optional()
  .describe("Position in the parent, before or after a page; last by default.");

const edits = z
  .array(
    z
      .object({
        createPage: z
          .object({ title: z.string(), ...pageFields, parentId: pageId.optional(), place })
          .optional()
          .describe("Creates a page, by default at the top level."),
        updatePage: z
          .object({ pageId, title: z.string().optional(), ...pageFields })
          .optional()
          .describe("Changes a page; what is omitted stays as it is."),
        movePage: z.object({ pageId, parentId: z.string().nullish(), place }).optional().describe("Moves a page."),
        deletePage: z.object({ pageId }).optional().describe("Deletes a page."),
      })
      .describe("One edit: set exactly one of the properties."),
  )
  .min(1)
  .max(100)
  .describe("The edits, in this order; all of them are applied, or none.");

const message = z.string().max(500).optional().describe("Message of the revision.");

/** Applies the edits to a new draft, and opens it. A draft whose edits are refused is archived. */
async function openChangeRequest(
  ask: Ask,
  { edits: given, message: reason, ...input }: { edits: unknown; message: string | undefined; spaceId: string },
) {
  const { createChangeRequest } = await ask<Created>(createDocument, { input });
  const changeRequestId = createChangeRequest.changeRequest.id;
  const update = (status: "OPEN" | "ARCHIVED") => ask(updateDocument, { input: { changeRequestId, status } });
  try {
    await ask(editDocument, { input: { contentOf: { changeRequestId }, edits: given, message: reason } });
  } catch (error) {
    await update("ARCHIVED");
    throw error;
  }
  return update("OPEN");
}

export const writingTools: readonly Tool<Graph>[] = [
  defineTool({
    name: "add_comment",
    title: "Comment",
    description: "Posts a comment on a space or a change request, or on one of its pages.",
    writes: true,
    input: z.object({
      ...contentInput,
      pageId: z.string().optional().describe("Id of the page that the comment is about."),
      text: z.string().min(1).max(65_536).describe("The text as Markdown."),
    }),
    async call({ ask }: Graph, { spaceId, changeRequestId, pageId: id, text }) {
      const contentOf = changeRequestId === undefined ? { spaceId } : { changeRequestId };
      return asJson(await ask(commentDocument, { input: { contentOf, pageId: id, text: { markdown: text } } }));
    },
  }),
  defineTool({
    name: "reply_to_comment",
    title: "Reply to a comment",
    description: "Posts a reply to a comment.",
    writes: true,
    input: z.object({
      commentId: z.string().describe("Id of the comment."),
      text: z.string().min(1).max(65_536).describe("The text as Markdown."),
    }),
    call: async ({ ask }: Graph, { commentId, text }) =>
      asJson(await ask(replyDocument, { input: { commentId, text: { markdown: text } } })),
  }),
  defineTool({
    name: "open_change_request",
    title: "Open a change request",
    description:
      "Proposes edits of a space: creates a change request with them and opens it for review. The main content changes only when a reviewer merges it.",
    writes: true,
    input: z.object({
      spaceId: z.string().describe("Id of the space."),
      subject: z.string().min(1).max(100).describe("Subject of the change request."),
      edits,
      message,
      agentTaskId: z.string().max(100).optional().describe("Id of your task, which the change request keeps."),
    }),
    call: async ({ ask }: Graph, input) => asJson(await openChangeRequest(ask, { ...input, message: input.message })),
  }),
  defineTool({
    name: "edit_change_request",
    title: "Edit a change request",
    description: "Applies further edits to a draft or an open change request, as one revision.",
    writes: true,
    input: z.object({
      changeRequestId: z.string().describe("Id of the change request."),
      edits,
      message,
      expectedRevisionId: z
        .string()
        .optional()
        .describe("Id of the revision that you have read: a newer one is a conflict."),
    }),
    call: async ({ ask }: Graph, { changeRequestId, ...input }) =>
      asJson(await ask(editDocument, { input: { contentOf: { changeRequestId }, ...input } })),
  }),
];
