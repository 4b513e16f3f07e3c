// Requesting and submitting reviews in tests: mutations, their payloads, and their events.
import { eventsOf } from "#test/features/comments/discussion.ts";
import type { TestApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

const review = "id status message outdated requestedAt reviewedAt reviewer { id } requestedBy { id } revision { id }";
const changeRequest = `changeRequest { id reviewStatus reviews { nodes { ${review} } } }`;

export const requestReviews = `mutation ($input: RequestReviewsInput!) { requestReviews(input: $input) { ${changeRequest} } }`;
export const withdrawRequest = `mutation ($input: WithdrawReviewRequestInput!) {
  withdrawReviewRequest(input: $input) { deletedId ${changeRequest} } }`;
export const submitReview = `mutation ($input: SubmitReviewInput!) {
  submitReview(input: $input) { review { ${review} changeRequest { id reviewStatus } } } }`;

interface Review {
  readonly id: string;
  readonly status: "REQUESTED" | "APPROVED" | "CHANGES_REQUESTED";
  readonly message: string | null;
  readonly outdated: boolean;
  readonly reviewer: { readonly id: string };
  readonly requestedBy: { readonly id: string } | null;
  readonly revision: { readonly id: string } | null;
}

interface Reviewed {
  readonly id: string;
  readonly reviewStatus: "NONE" | "PENDING" | "APPROVED" | "CHANGES_REQUESTED";
  readonly reviews: { readonly nodes: readonly Review[] };
}

/** The payload of a mutation's only field. */
interface Answer {
  readonly changeRequest: Reviewed;
  readonly deletedId: string | null;
  readonly review: Review;
}

interface Made {
  readonly space: { readonly id: string };
  readonly changeRequest: { readonly id: string };
}

/** The input fields for the change request of a world. */
export const placeOf = ({ changeRequest: { id } }: Pick<Made, "changeRequest">) => ({ changeRequestId: id });

/** Runs a mutation that must succeed. */
export async function done(app: TestApp, person: Person, document: string, input: object): Promise<Answer> {
  const [answer] = Object.values(await app.as(person.token).query<Record<string, Answer>>(document, { input }));
  if (!answer) throw new Error(`Nothing was answered to ${document}`);
  return answer;
}

/** The change request of a world as a user sees it. */
export async function readReviewed(app: TestApp, person: Person, made: Made): Promise<Reviewed> {
  const document = `query ($id: ID!) { ${changeRequest.replace("changeRequest", "changeRequest(id: $id)")} }`;
  const answer = await app.as(person.token).query<{ changeRequest: Reviewed }>(document, { id: made.changeRequest.id });
  return answer.changeRequest;
}

/** The events of a review: type, actor, and the status in the payload. */
export async function happenedTo(app: TestApp, id: string): Promise<unknown[]> {
  const events = await eventsOf(app, id);
  // The payload of review events.
  return events.map(({ type, actorId, payload }) => [type, actorId, (payload as { status?: string }).status]);
}
