// Computing pages anew when what they are made from is another one, and when a content comes to have pages that are
// made from something else than there is now, as by a merge.
import type { StoredEvent } from "#src/events/event.ts";
import { refreshComputedPages, type RefreshContext } from "#src/features/content/commands/refresh-computed.ts";
import { computedKinds } from "#src/features/content/commands/computed-kinds.ts";
import { contentEvents } from "#src/features/content/events.ts";
import { Following } from "#src/server/following.ts";

/** A place where pages may have to be made. */
type Place = { readonly organizationId: string } | { readonly spaceId: string } | { readonly changeRequestId: string };

function placesOf({ type, subjectId, organizationId }: StoredEvent): Place[] {
  if (type === contentEvents.ofSpaceUpdated) return [{ spaceId: subjectId }];
  if (type === contentEvents.ofChangeRequestUpdated) return [{ changeRequestId: subjectId }];
  const isFollowed = [...computedKinds.values()].some(({ follows }) => follows.includes(type));
  return isFollowed && organizationId !== null ? [{ organizationId }] : [];
}

/** Computes what is to be made anew. */
export const computing = (at: RefreshContext): Following<Place> =>
  new Following(at.log, {
    find: placesOf,
    async run(places, signal) {
      const spaceIds = places.flatMap((place) => ("spaceId" in place ? place.spaceId : []));
      const changeRequestIds = places.flatMap((place) => ("changeRequestId" in place ? place.changeRequestId : []));
      const organizationIds = new Set(
        places.flatMap((place) => ("organizationId" in place ? place.organizationId : [])),
      );
      for (const organizationId of organizationIds) await refreshComputedPages(at, { organizationId }, signal);
      await refreshComputedPages(at, { spaceIds, changeRequestIds }, signal);
    },
    failed: "Computing pages failed: the job content.compute tries it again",
  });
