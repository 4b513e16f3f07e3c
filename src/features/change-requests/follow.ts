// The work of change requests beside requests: texts of those that are opened again are indexed.
import { EventFollower } from "#src/events/follower.ts";
import { changeRequestEvents } from "#src/features/change-requests/events.ts";
import { indexMissing } from "#src/features/content/commands/index-texts.ts";
import type { Gateway } from "#src/features/feature.ts";

/** Indexes what is missing of change requests whose status has changed. */
export const changeRequestFollower = ({ database, log }: Pick<Gateway, "database" | "log">): EventFollower<string> =>
  new EventFollower(log, {
    find: ({ type, subjectId }) => (type === changeRequestEvents.statusChanged ? [subjectId] : []),
    run: (changeRequestIds, signal) =>
      indexMissing(database, { of: { revisionIds: [], spaceIds: [], changeRequestIds }, signal }),
    failed: "Deriving from new texts failed: the job content.derive tries it again",
  });
