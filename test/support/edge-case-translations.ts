// The translations of the edge-case world.
import type { Rows } from "#src/demo/rows.ts";
import type { Scene } from "#test/features/change-requests/scene.ts";
import { addTerm, addTranslation } from "#test/features/translations/factory.ts";
import { edgeCaseTexts } from "#test/support/edge-case-texts.ts";
import { nextInstant } from "#test/support/rows.ts";

/** A failed one with all properties, and one with none. */
export function addTranslations(
  rows: Rows,
  { admin, space, organization }: Scene,
  result: { readonly id: string; readonly revisionId: string },
): void {
  const [instructions = "", error = "", message = ""] = edgeCaseTexts;
  const given = { organizationId: organization.id, sourceSpaceId: space.id, createdById: admin.id };
  const details = { instructions, error, warnings: [{ page: error, message }], resultRevisionId: result.revisionId };
  const run = { startedAt: nextInstant(), dueAt: nextInstant(), allPages: 7, donePages: 3, runs: 2, totalSeconds: 0.1 };
  addTranslation(rows, { ...given, ...details, ...run, status: "failed", resultSpaceId: result.id });
  addTranslation(rows, { ...given, language: "pt_br", status: "pending" });
  const { organizationId } = given;
  addTerm(rows, { organizationId, term: message, translations: { de: error, pt_br: instructions } });
  addTerm(rows, { organizationId });
}
