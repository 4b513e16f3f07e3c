// What people of the demo are asked to say about change requests, and what they said.
import { newId } from "#src/base/ids.ts";
import type { People } from "#src/demo/people.ts";
import type { Change } from "#src/demo/play.ts";
import type { Rows } from "#src/demo/rows.ts";
import { activeAt } from "#src/demo/states.ts";

/** Adds the reviews of a change request; returns their ids by reviewer. */
export function addReviews(rows: Rows, people: People, { plan, row, states }: Change): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const { by, asked, given, dismissed } of plan.reviews) {
    const id = newId("Review");
    rows.add("Review", {
      id,
      changeRequestId: row.id,
      reviewerId: people[by],
      status: dismissed ? "dismissed" : (given?.status ?? "requested"),
      message: given?.message ?? null,
      requestedById: asked ? people[asked.by] : null,
      requestedAt: asked?.at ?? null,
      reviewedAt: given?.at ?? null,
      dismissedById: dismissed ? people[dismissed.by] : null,
      dismissedAt: dismissed?.at ?? null,
      revisionId: given ? activeAt(states, given.at).id : null,
    });
    ids.set(by, id);
  }
  return ids;
}
