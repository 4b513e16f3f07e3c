// The events of reviews, with the ids of reviewer and change request, which remain when the row is deleted.
import { defineEvents, type EventType } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";
import type { ReviewStatus } from "#src/generated/prisma/enums.ts";

export const reviewEvents = defineEvents(
  {
    requested: "review.requested",
    withdrawn: "review.withdrawn",
    submitted: "review.submitted",
    dismissed: "review.dismissed",
  },
  { changesRights: false },
);

/** `status` is the new status of the review, `revisionId` the reviewed revision. */
export function reviewEvent(
  type: EventType,
  { id, reviewerId, ...of }: { id: string; reviewerId: string; status: ReviewStatus; revisionId?: string },
  { space, changeRequestId }: { space: { id: string; organizationId: string }; changeRequestId: string },
): DomainEvent {
  const payload = { changeRequestId, reviewerId, ...of };
  return { type, subjectId: id, organizationId: space.organizationId, spaceId: space.id, payload };
}
