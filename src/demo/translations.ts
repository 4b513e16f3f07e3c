// The translation of the demo, which has run once. It needs no engine before its source is edited.
import { newId } from "#src/base/ids.ts";
import { at } from "#src/demo/calendar.ts";
import type { Organizations } from "#src/demo/organizations.ts";
import type { People } from "#src/demo/people.ts";
import type { Rows } from "#src/demo/rows.ts";
import type { Spaces } from "#src/demo/spaces.ts";

/** Adds the translation, when the stories have given the spaces their content. */
export function addTranslations(
  rows: Rows,
  { organizations, people, spaces }: { organizations: Organizations; people: People; spaces: Spaces },
): void {
  const { launch: source, "launch-de": result } = spaces;
  rows.add("Translation", {
    id: newId("Translation"),
    organizationId: organizations.harbour.id,
    sourceSpaceId: source.id,
    sourceRevisionId: source.revisionId,
    sourceLanguage: "en",
    language: "de",
    instructions: "Address the reader as **Sie**.\n",
    createdById: people.mara,
    createdAt: at(222, "9:30"),
    updatedAt: at(222, "10:00"),
    startedAt: at(222, "10:00"),
    status: "completed",
    resultSpaceId: result.id,
    resultRevisionId: result.revisionId,
    engineRevisionId: result.revisionId,
    allPages: 1,
    donePages: 1,
    runs: 1,
    totalWords: 13,
    totalPages: 1,
    totalSeconds: 2.4,
    latestWords: 13,
    latestPages: 1,
    latestSeconds: 2.4,
  });
}
