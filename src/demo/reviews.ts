// What people of the demo are asked to say of change requests, and what they said.
import { newId } from "#src/base/ids.ts";
import { at } from "#src/demo/calendar.ts";
import { activeRevision } from "#src/demo/histories.ts";
import type { People, PersonName } from "#src/demo/people.ts";
import type { DemoRows } from "#src/demo/rows.ts";
import type { SpaceName, Spaces } from "#src/demo/spaces.ts";
import type { Moment } from "#src/demo/story.ts";
import type { ReviewStatus } from "#src/generated/prisma/enums.ts";

interface ReviewPlan {
  readonly in: SpaceName;
  /** Number of the change request. */
  readonly on: number;
  readonly by: PersonName;
  /** Who asked for it, when not the reviewer came by themself. */
  readonly asked?: { readonly by: PersonName; readonly at: Moment };
  readonly given?: {
    readonly status: Exclude<ReviewStatus, "requested">;
    readonly at: Moment;
    readonly message?: string;
  };
}

const reviews: readonly ReviewPlan[] = [
  {
    in: "gettingStarted",
    on: 4,
    by: "priya",
    asked: { by: "elif", at: [201, "9:05"] },
    given: { status: "approved", at: [203, "11:30"], message: "Half as long, and nothing is missing." },
  },
  {
    in: "gettingStarted",
    on: 5,
    by: "priya",
    asked: { by: "tomas", at: [196, "9:40"] },
    given: {
      status: "changes_requested",
      at: [198, "10:15"],
      message: "Please say **how long** readings are kept, and what happens to older ones.",
    },
  },
  { in: "gettingStarted", on: 5, by: "noor", asked: { by: "tomas", at: [199, "17:10"] } },
  { in: "gettingStarted", on: 5, by: "mara", asked: { by: "tomas", at: [199, "17:10"] } },
  { in: "gettingStarted", on: 6, by: "jonas", given: { status: "approved", at: [240, "16:20"] } },
  { in: "gettingStarted", on: 6, by: "mara", asked: { by: "elif", at: [239, "9:00"] } },
  {
    in: "calibration",
    on: 2,
    by: "jonas",
    asked: { by: "tomas", at: [221, "11:30"] },
    given: { status: "approved", at: [223, "8:45"] },
  },
];

/** Adds the reviews. The spaces must have their revisions and change requests. */
export function addReviews(rows: DemoRows, people: People, spaces: Spaces): void {
  for (const { in: space, on, by, asked, given } of reviews) {
    const change = rows.changeRequests.find(({ spaceId, number }) => spaceId === spaces[space].id && number === on);
    if (!change) throw new Error(`The demo's space ${space} has no change request ${on}`);
    const place = { spaceId: change.spaceId, changeRequestId: change.id };
    const reviewedAt = given ? at(...given.at) : null;
    rows.reviews.push({
      id: newId("Review"),
      changeRequestId: change.id,
      reviewerId: people[by],
      status: given?.status ?? "requested",
      message: given?.message ?? null,
      requestedById: asked ? people[asked.by] : null,
      requestedAt: asked ? at(...asked.at) : null,
      reviewedAt,
      revisionId: reviewedAt && activeRevision(rows, place, reviewedAt).id,
    });
  }
}
