// Creates translations for tests.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { nextInstant, nextNumber, type Rows } from "#test/support/rows.ts";

/** A translation into Spanish that has run and is not due. */
export function addTranslation(
  rows: Rows,
  given: {
    organizationId: string;
    sourceSpaceId: string;
    createdById: string;
  } & Partial<Prisma.TranslationCreateManyInput>,
) {
  return rows.add("Translation", {
    id: newId("Translation"),
    sourceLanguage: "en",
    language: "es",
    status: "completed",
    createdAt: nextInstant(),
    ...given,
  });
}

/** A term that is kept as it is. */
export function addTerm(rows: Rows, given: { organizationId: string } & Partial<Prisma.GlossaryTermCreateManyInput>) {
  return rows.add("GlossaryTerm", {
    id: newId("GlossaryTerm"),
    term: `Term ${nextNumber()}`,
    createdAt: nextInstant(),
    ...given,
  });
}
