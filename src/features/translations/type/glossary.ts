// The GraphQL type GlossaryTerm.
import { translationPermissions } from "#src/features/translations/access.ts";
import { glossaryTerms } from "#src/features/translations/reads.ts";
import { Language } from "#src/features/translations/type.ts";
import type { Language as LanguageCode } from "#src/generated/prisma/enums.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineFlags } from "#src/graph/schema/flag-types.ts";

/** How a term is translated into a language. */
interface TermTranslation {
  readonly language: LanguageCode;
  readonly text: string;
}

const TermTranslation = builder.objectRef<TermTranslation>("TermTranslation").implement({
  description: "How a term is always translated into a language.",
  fields: (t) => ({
    language: t.expose("language", { type: Language, description: "The language." }),
    text: t.exposeString("text", { description: "The translation of the term." }),
  }),
});

const GlossaryTermPermissions = defineFlags("GlossaryTermPermissions", "What the viewer may do with a term.", {
  view: "See it.",
  edit: "Change and delete it.",
});

export const GlossaryTerm = defineNode("GlossaryTerm", glossaryTerms, {
  description: "A term that translations of an organization keep as it is, or always translate in one way.",
  fields: (t) => ({
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    term: t.exposeString("term", { description: "The term in the language of the source, in any letter case there." }),
    translations: t.value(
      [TermTranslation],
      "How it is translated; into all other languages it is kept as it is.",
      ["translations"],
      ({ translations }) =>
        Object.entries(translations as Readonly<Record<LanguageCode, string>>) // written by commands
          .map(([language, text]) => ({ language: language as LanguageCode, text })),
    ),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    permissions: t.value(GlossaryTermPermissions, "What the viewer may do.", ["organizationId"], (of, { viewer }) =>
      translationPermissions(viewer, of),
    ),
  }),
});
