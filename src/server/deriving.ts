// Deriving from the texts of revisions that have more of them than their writers derive from, of spaces that are in
// another language, and of change requests that are opened again.
import type { Logger } from "pino";
import type { Database } from "#src/db/connection/database.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { indexMissing } from "#src/features/content/commands/index-texts.ts";
import { changeRequestEvents } from "#src/features/change-requests/events.ts";
import { contentEvents } from "#src/features/content/events.ts";
import { spaceEvents } from "#src/features/spaces/events.ts";
import { Following } from "#src/server/following.ts";

const types: readonly string[] = Object.values(contentEvents);

/** A place where texts are to be derived from. */
type Place = { readonly revisionId: string } | { readonly spaceId: string } | { readonly changeRequestId: string };

function placesOf({ type, subjectId, payload }: StoredEvent): Place[] {
  const { revisionId, changes, isIndexed } = payload;
  // Where its writer has derived from all of its texts there is nothing left to do.
  if (types.includes(type) && typeof revisionId === "string") return isIndexed === true ? [] : [{ revisionId }];
  if (type === changeRequestEvents.statusChanged) return [{ changeRequestId: subjectId }];
  const isTranslated = type === spaceEvents.updated && JSON.stringify(changes ?? "").includes('"searchLanguage"');
  return isTranslated ? [{ spaceId: subjectId }] : [];
}

/** Derives from what is new. */
export const deriving = (database: Database, log: Logger): Following<Place> =>
  new Following(log, {
    find: placesOf,
    run(places, signal) {
      const revisionIds = places.flatMap((place) => ("revisionId" in place ? place.revisionId : []));
      const spaceIds = places.flatMap((place) => ("spaceId" in place ? place.spaceId : []));
      const changeRequestIds = places.flatMap((place) => ("changeRequestId" in place ? place.changeRequestId : []));
      return indexMissing(database, { of: { revisionIds, spaceIds, changeRequestIds }, signal });
    },
    failed: "Deriving from new texts failed: the job content.derive tries it again",
  });
