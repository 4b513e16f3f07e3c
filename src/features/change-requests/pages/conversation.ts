// The forms of a conversation: comments and replies, their texts, states and reactions, on the page of a change request
// and on that of the comments on one page.
import { type Asked, defineForm, type Form } from "#src/pages/page.ts";

/** Browsers send each line break as two characters. */
const textIn = (fields: URLSearchParams): string => (fields.get("text") ?? "").replaceAll("\r\n", "\n");

/** The person in the field for a mention, as a mention below the text: the field has their name and id. */
function mentionIn(fields: URLSearchParams): string {
  const [, name, id = ""] = /^(.*) \((usr_\w+)\)$/s.exec(fields.get("mention")?.trim() ?? "") ?? [];
  return name === undefined ? "" : `\n\n[@${name.replaceAll(/[[\]\\\r\n]/g, " ")}](user:${id})`;
}

const wordsIn = (fields: URLSearchParams) => ({ markdown: textIn(fields) + mentionIn(fields) });

/** A value of an input that is left out if its field is empty. */
const given = (name: string, value: string | null) => (value ? { [name]: value } : {});

const reactionsIn = (fields: URLSearchParams) => ({
  addedReactions: fields.getAll("add"),
  removedReactions: fields.getAll("remove"),
});

/** Leads to a part of the page with the conversation. */
type Back = (part: string) => (answer: unknown, asked: Asked) => string;

/** The content that the conversation is about. */
type ContentOf = (asked: Asked) => object;

/** The forms, by their names. */
export const conversationForms = (back: Back, contentOf: ContentOf): Readonly<Record<string, Form<never>>> => ({
  ...commentForms(back, contentOf),
  ...replyForms(back),
});

const commentForms = (back: Back, contentOf: ContentOf): Readonly<Record<string, Form<never>>> => ({
  comment: defineForm<{ readonly createComment: { readonly comment: { readonly id: string } } }>({
    mutation: `mutation Say($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }`,
    notice: "Your comment was sent.",
    variables: (fields, asked) => ({
      input: {
        contentOf: contentOf(asked),
        ...given("pageId", fields.get("page")),
        ...given("nodeKey", fields.get("block")),
        text: wordsIn(fields),
      },
    }),
    then: ({ createComment: { comment } }, asked) => back(`#${comment.id}`)(null, asked),
  }),
  edit: defineForm<{ readonly updateComment: { readonly comment: { readonly id: string } } }>({
    mutation: `mutation EditComment($input: UpdateCommentInput!) { updateComment(input: $input) { comment { id } } }`,
    notice: "Saved.",
    variables: (fields) => ({ input: { commentId: fields.get("id"), text: { markdown: textIn(fields) } } }),
    then: ({ updateComment: { comment } }, asked) => back(`#${comment.id}`)(null, asked),
  }),
  resolve: defineForm<{ readonly updateComment: { readonly comment: { readonly id: string } } }>({
    mutation: `mutation ResolveComment($input: UpdateCommentInput!) { updateComment(input: $input) { comment { id } } }`,
    variables: (fields) => ({ input: { commentId: fields.get("id"), resolved: fields.get("resolved") === "true" } }),
    then: ({ updateComment: { comment } }, asked) => back(`#${comment.id}`)(null, asked),
  }),
  react: defineForm<{ readonly updateComment: { readonly comment: { readonly id: string } } }>({
    mutation: `mutation React($input: UpdateCommentInput!) { updateComment(input: $input) { comment { id } } }`,
    variables: (fields) => ({ input: { commentId: fields.get("id"), ...reactionsIn(fields) } }),
    then: ({ updateComment: { comment } }, asked) => back(`#${comment.id}`)(null, asked),
  }),
  delete: defineForm({
    mutation: `mutation DeleteSaid($input: DeleteCommentInput!) { deleteComment(input: $input) { deletedId } }`,
    notice: "Deleted.",
    variables: (fields) => ({ input: { commentId: fields.get("id") } }),
    then: back("#conversation"),
  }),
});

const replyForms = (back: Back): Readonly<Record<string, Form<never>>> => ({
  reply: defineForm<{ readonly createCommentReply: { readonly reply: { readonly id: string } } }>({
    mutation: `mutation Answer($input: CreateCommentReplyInput!) { createCommentReply(input: $input) { reply { id } } }`,
    notice: "Your reply was sent.",
    variables: (fields) => ({ input: { commentId: fields.get("comment"), text: wordsIn(fields) } }),
    then: ({ createCommentReply: { reply } }, asked) => back(`#${reply.id}`)(null, asked),
  }),
  editReply: defineForm<{ readonly updateCommentReply: { readonly reply: { readonly id: string } } }>({
    mutation: `mutation EditReply($input: UpdateCommentReplyInput!) { updateCommentReply(input: $input) { reply { id } } }`,
    notice: "Saved.",
    variables: (fields) => ({ input: { replyId: fields.get("id"), text: { markdown: textIn(fields) } } }),
    then: ({ updateCommentReply: { reply } }, asked) => back(`#${reply.id}`)(null, asked),
  }),
  reactToReply: defineForm<{ readonly updateCommentReply: { readonly reply: { readonly id: string } } }>({
    mutation: `mutation ReactToReply($input: UpdateCommentReplyInput!) {
      updateCommentReply(input: $input) { reply { id } }
    }`,
    variables: (fields) => ({ input: { replyId: fields.get("id"), ...reactionsIn(fields) } }),
    then: ({ updateCommentReply: { reply } }, asked) => back(`#${reply.id}`)(null, asked),
  }),
  deleteReply: defineForm({
    mutation: `mutation DeleteAnswer($input: DeleteCommentReplyInput!) { deleteCommentReply(input: $input) { deletedId } }`,
    notice: "Deleted.",
    variables: (fields) => ({ input: { replyId: fields.get("id") } }),
    then: back("#conversation"),
  }),
});
