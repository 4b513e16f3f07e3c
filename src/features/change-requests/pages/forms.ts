// The forms on the page of a change request, each of which runs one mutation.
import { conversationForms } from "#src/features/change-requests/pages/conversation.ts";
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

/** A value of an input that is left out if its field is empty. */
const given = (name: string, value: string | null) => (value ? { [name]: value } : {});

const reviewed: Readonly<Record<string, Form<never>>> = {
  request: defineForm({
    mutation: `mutation Ask($input: RequestReviewsInput!) { requestReviews(input: $input) { changeRequest { id } } }`,
    notice: "The review was requested.",
    variables: (fields, asked) => ({
      input: { changeRequestId: idOf(asked), reviewerIds: fields.getAll("reviewer") },
    }),
    then: back(),
  }),
  withdraw: defineForm({
    mutation: `mutation Withdraw($input: WithdrawReviewRequestInput!) {
      withdrawReviewRequest(input: $input) { changeRequest { id } }
    }`,
    notice: "Withdrawn.",
    variables: (fields, asked) => ({
      input: { changeRequestId: idOf(asked), reviewerId: fields.get("reviewer") },
    }),
    then: back(),
  }),
  dismiss: defineForm({
    mutation: `mutation Dismiss($input: DismissReviewInput!) { dismissReview(input: $input) { review { id } } }`,
    notice: "Dismissed.",
    variables: (fields) => ({ input: { reviewId: fields.get("id") } }),
    then: back(),
  }),
  review: defineForm({
    mutation: `mutation Review($input: SubmitReviewInput!) { submitReview(input: $input) { review { id } } }`,
    notice: "Your review was sent.",
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
    notice: "Resolved.",
    variables: (fields, asked) => ({ input: { ...seen(fields, asked), resolutions: resolutionsIn(fields) } }),
    then: back(),
  }),
  merge: defineForm({
    mutation: `mutation Merge($input: MergeChangeRequestInput!) { mergeChangeRequest(input: $input) { revisionId } }`,
    notice: "Merged.",
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
    notice: "Saved.",
    variables: (fields, asked) => ({ input: { changeRequestId: idOf(asked), status: fields.get("status") } }),
    then: back(),
  }),
  subject: defineForm({
    mutation: `mutation SetSubject($input: UpdateChangeRequestInput!) {
      updateChangeRequest(input: $input) { changeRequest { id } }
    }`,
    notice: "Saved.",
    variables: (fields, asked) => ({
      input: { changeRequestId: idOf(asked), subject: textIn(fields, "subject").trim() },
    }),
    then: back(),
  }),
};

/** By their names. */
export const changeRequestForms: Readonly<Record<string, Form<never>>> = {
  ...conversationForms(back, (asked) => ({ changeRequestId: idOf(asked) })),
  ...reviewed,
  ...whole,
};
