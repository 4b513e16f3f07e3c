// The forms on the page of a change request, each of which runs one mutation.
import { pathOfChangeRequest } from "#src/features/content/views/place.ts";
import { type Asked, defineForm, type Form } from "#src/pages/page.ts";

const idOf = ({ named: { changeRequestId } }: Asked): string => changeRequestId ?? "";

/** The page itself, at one of its parts. */
const back =
  (part = "") =>
  (_answer: unknown, asked: Asked): string =>
    pathOfChangeRequest(asked.named["spaceId"] ?? "", idOf(asked)) + part;

/** Browsers send each line break as two characters. */
const textIn = (fields: URLSearchParams, name = "text"): string => (fields.get(name) ?? "").replaceAll("\r\n", "\n");

/** The chosen person as a mention below the text. */
function mentionIn(fields: URLSearchParams): string {
  const [, id, name = ""] = /^(\w+) (.*)$/s.exec(fields.get("mention") ?? "") ?? [];
  return id === undefined ? "" : `\n\n[@${name.replaceAll(/[[\]\\\r\n]/g, " ")}](user:${id})`;
}

/** A value of an input that is left out if its field is empty. */
const given = (name: string, value: string | null) => (value ? { [name]: value } : {});

const said: Readonly<Record<string, Form<never>>> = {
  comment: defineForm<{ readonly createComment: { readonly comment: { readonly id: string } } }>({
    mutation: `mutation Say($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }`,
    variables: (fields, asked) => ({
      input: {
        contentOf: { changeRequestId: idOf(asked) },
        ...given("pageId", fields.get("page")),
        text: { markdown: textIn(fields) + mentionIn(fields) },
      },
    }),
    then: ({ createComment: { comment } }, asked) => back(`#${comment.id}`)(null, asked),
  }),
  reply: defineForm<{ readonly createCommentReply: { readonly reply: { readonly id: string } } }>({
    mutation: `mutation Answer($input: CreateCommentReplyInput!) { createCommentReply(input: $input) { reply { id } } }`,
    variables: (fields) => ({ input: { commentId: fields.get("comment"), text: { markdown: textIn(fields) } } }),
    then: ({ createCommentReply: { reply } }, asked) => back(`#${reply.id}`)(null, asked),
  }),
  edit: defineForm({
    mutation: `mutation EditComment($input: UpdateCommentInput!) { updateComment(input: $input) { comment { id } } }`,
    variables: (fields) => ({ input: { commentId: fields.get("id"), text: { markdown: textIn(fields) } } }),
    then: back("#conversation"),
  }),
  editReply: defineForm({
    mutation: `mutation EditReply($input: UpdateCommentReplyInput!) { updateCommentReply(input: $input) { reply { id } } }`,
    variables: (fields) => ({ input: { replyId: fields.get("id"), text: { markdown: textIn(fields) } } }),
    then: back("#conversation"),
  }),
  resolve: defineForm<{ readonly updateComment: { readonly comment: { readonly id: string } } }>({
    mutation: `mutation ResolveComment($input: UpdateCommentInput!) { updateComment(input: $input) { comment { id } } }`,
    variables: (fields) => ({ input: { commentId: fields.get("id"), resolved: fields.get("resolved") === "true" } }),
    then: ({ updateComment: { comment } }, asked) => back(`#${comment.id}`)(null, asked),
  }),
  react: defineForm<{ readonly updateComment: { readonly comment: { readonly id: string } } }>({
    mutation: `mutation React($input: UpdateCommentInput!) { updateComment(input: $input) { comment { id } } }`,
    variables: (fields) => ({
      input: {
        commentId: fields.get("id"),
        addedReactions: fields.getAll("add"),
        removedReactions: fields.getAll("remove"),
      },
    }),
    then: ({ updateComment: { comment } }, asked) => back(`#${comment.id}`)(null, asked),
  }),
  delete: defineForm({
    mutation: `mutation DeleteSaid($input: DeleteCommentInput!) { deleteComment(input: $input) { deletedId } }`,
    variables: (fields) => ({ input: { commentId: fields.get("id") } }),
    then: back("#conversation"),
  }),
  deleteReply: defineForm({
    mutation: `mutation DeleteAnswer($input: DeleteCommentReplyInput!) { deleteCommentReply(input: $input) { deletedId } }`,
    variables: (fields) => ({ input: { replyId: fields.get("id") } }),
    then: back("#conversation"),
  }),
};

const reviewed: Readonly<Record<string, Form<never>>> = {
  request: defineForm({
    mutation: `mutation Ask($input: RequestReviewsInput!) { requestReviews(input: $input) { changeRequest { id } } }`,
    variables: (fields, asked) => ({
      input: { changeRequestId: idOf(asked), reviewerIds: fields.getAll("reviewer") },
    }),
    then: back(),
  }),
  withdraw: defineForm({
    mutation: `mutation Withdraw($input: WithdrawReviewRequestInput!) {
      withdrawReviewRequest(input: $input) { changeRequest { id } }
    }`,
    variables: (fields, asked) => ({
      input: { changeRequestId: idOf(asked), reviewerId: fields.get("reviewer") },
    }),
    then: back(),
  }),
  dismiss: defineForm({
    mutation: `mutation Dismiss($input: DismissReviewInput!) { dismissReview(input: $input) { review { id } } }`,
    variables: (fields) => ({ input: { reviewId: fields.get("id") } }),
    then: back(),
  }),
  review: defineForm({
    mutation: `mutation Review($input: SubmitReviewInput!) { submitReview(input: $input) { review { id } } }`,
    variables: (fields, asked) => ({
      input: {
        changeRequestId: idOf(asked),
        verdict: fields.get("verdict"),
        ...given("message", textIn(fields, "message").trim()),
      },
    }),
    then: back(),
  }),
};

/** The resolutions in a form: a choice of a side for each conflict, or a text. */
const resolutionsIn = (fields: URLSearchParams) =>
  [...fields].flatMap(([name, choice]) => {
    const [, conflictId] = /^choice:(.+)$/s.exec(name) ?? [];
    if (conflictId === undefined) return [];
    const settlement = choice === "TEXT" ? { text: textIn(fields, `text:${conflictId}`) } : { choice };
    return [{ conflictId, settlement }];
  });

const seen = (fields: URLSearchParams, asked: Asked) => ({
  changeRequestId: idOf(asked),
  expectedRevisionId: fields.get("revision"),
});

const whole: Readonly<Record<string, Form<never>>> = {
  resolveConflicts: defineForm({
    mutation: `mutation Resolve($input: ResolveConflictsInput!) { resolveConflicts(input: $input) { revisionId } }`,
    variables: (fields, asked) => ({ input: { ...seen(fields, asked), resolutions: resolutionsIn(fields) } }),
    then: back(),
  }),
  merge: defineForm({
    mutation: `mutation Merge($input: MergeChangeRequestInput!) { mergeChangeRequest(input: $input) { revisionId } }`,
    variables: (fields, asked) => ({ input: seen(fields, asked) }),
    then: back(),
  }),
  pull: defineForm<{ readonly pullChangeRequestUpdates: { readonly result: "CONFLICTS" | "UPDATE" } }>({
    mutation: `mutation Pull($input: PullChangeRequestUpdatesInput!) {
      pullChangeRequestUpdates(input: $input) { result }
    }`,
    variables: (fields, asked) => ({ input: seen(fields, asked) }),
    then: ({ pullChangeRequestUpdates: { result } }, asked) =>
      back(result === "CONFLICTS" ? "#conflicts" : "")(null, asked),
  }),
  status: defineForm({
    mutation: `mutation SetStatus($input: UpdateChangeRequestInput!) {
      updateChangeRequest(input: $input) { changeRequest { id } }
    }`,
    variables: (fields, asked) => ({ input: { changeRequestId: idOf(asked), status: fields.get("status") } }),
    then: back(),
  }),
  subject: defineForm({
    mutation: `mutation SetSubject($input: UpdateChangeRequestInput!) {
      updateChangeRequest(input: $input) { changeRequest { id } }
    }`,
    variables: (fields, asked) => ({
      input: { changeRequestId: idOf(asked), subject: textIn(fields, "subject").trim() },
    }),
    then: back(),
  }),
};

/** By their names. */
export const changeRequestForms: Readonly<Record<string, Form<never>>> = { ...said, ...reviewed, ...whole };
