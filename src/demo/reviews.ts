// What people of the demo are asked to say about change requests, and what they said.
import { newId } from "#src/base/ids.ts";
import type { Diary } from "#src/demo/diary.ts";
import type { Rows } from "#src/demo/rows.ts";
import { activeAt, type Change } from "#src/demo/play.ts";
import type { People, ReviewPlan } from "#src/demo/story.ts";
import { reviewEvent, reviewEvents } from "#src/features/reviews/events.ts";

interface Known {
  readonly people: People;
  readonly diary: Diary;
  readonly space: { readonly id: string; readonly organizationId: string };
}

/** Adds the reviews of a change request; returns their ids by reviewer. */
export function addReviews(rows: Rows, known: Known, { plan, row, states }: Change): ReadonlyMap<string, string> {
  const { people } = known;
  const ids = new Map<string, string>();
  for (const review of plan.reviews) {
    const { by, asked, given, dismissed } = review;
    const id = newId("Review");
    const revisionId = given ? activeAt(states, given.at).id : null;
    rows.add("Review", {
      id,
      changeRequestId: row.id,
      reviewerId: people(by),
      status: dismissed ? "dismissed" : (given?.status ?? "requested"),
      message: given?.message ?? null,
      requestedById: asked ? people(asked.by) : null,
      requestedAt: asked?.at ?? null,
      reviewedAt: given?.at ?? null,
      dismissedById: dismissed ? people(dismissed.by) : null,
      dismissedAt: dismissed?.at ?? null,
      revisionId,
    });
    tellReview(known, review, { id, revisionId, changeRequestId: row.id });
    ids.set(by, id);
  }
  return ids;
}

function tellReview(
  { people, diary, space }: Known,
  { by, asked, given, dismissed }: ReviewPlan,
  { id, revisionId, changeRequestId }: { id: string; revisionId: string | null; changeRequestId: string },
): void {
  const review = { id, reviewerId: people(by) };
  const place = { space, changeRequestId };
  if (asked)
    diary.tell(
      asked.at,
      people(asked.by),
      reviewEvent(reviewEvents.requested, { ...review, status: "requested" }, place),
    );
  if (given) {
    const of = { ...review, status: given.status, ...(revisionId !== null && { revisionId }) };
    diary.tell(given.at, people(by), reviewEvent(reviewEvents.submitted, of, place));
  }
  if (dismissed)
    diary.tell(
      dismissed.at,
      people(dismissed.by),
      reviewEvent(reviewEvents.dismissed, { ...review, status: "dismissed" }, place),
    );
}
