// The part of the awkward world that is translations.
import type { Rows } from "#src/demo/rows.ts";
import type { Scene } from "#test/features/change-requests/scene.ts";
import { addTerm, addTranslation } from "#test/features/translations/factory.ts";
import { edgeCaseTexts } from "#test/support/edge-case-texts.ts";
import { nextInstant } from "#test/support/rows.ts";

/** One that has failed, with everything that it may tell, and one that has nothing. */
export function addTranslations(
  rows: Rows,
  { admin, space, organization }: Scene,
  result: { readonly id: string; readonly revisionId: string },
): void {
  const [instructions = "", error = "", message = ""] = edgeCaseTexts;
  const given = { organizationId: organization.id, sourceSpaceId: space.id, createdById: admin.id };
  const told = { instructions, error, warnings: [{ page: error, message }], resultRevisionId: result.revisionId };
  const run = { startedAt: nextInstant(), dueAt: nextInstant(), allPages: 7, donePages: 3, runs: 2, totalSeconds: 0.1 };
  addTranslation(rows, { ...given, ...told, ...run, status: "failed", resultSpaceId: result.id });
  addTranslation(rows, { ...given, language: "pt_br", status: "pending" });
  const { organizationId } = given;
  addTerm(rows, { organizationId, term: message, translations: { de: error, pt_br: instructions } });
  addTerm(rows, { organizationId });
}
