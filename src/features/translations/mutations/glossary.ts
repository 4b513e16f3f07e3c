// Mutations on the glossary of an organization.
import { answersWith } from "#src/domain/idempotency.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { createTerm, deleteTerm, limits, updateTerm } from "#src/features/translations/commands/glossary.ts";
import { glossaryOfOrganization, glossaryTerms } from "#src/features/translations/reads.ts";
import { Language } from "#src/features/translations/type.ts";
import { builder, type InputFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation, deletedPayload, rowPayload } from "#src/graph/schema/mutations.ts";

const TermTranslationInput = builder.inputType("TermTranslationInput", {
  description: "How a term is always translated into a language.",
  fields: (t) => ({
    language: t.field({ type: Language, required: true, description: "The language." }),
    text: t.string({ required: true, description: `The translation, of 1 to ${limits.term} characters.` }),
  }),
});

const termGiven = `as it is in sources, in any letter case: 1 to ${limits.term} characters.`;

const translations = (t: InputFields, otherwise: string) =>
  t.field({
    type: [TermTranslationInput],
    description: `How it is always translated, one for a language; into all other languages it is kept as it is. ${otherwise}`,
  });

const follows =
  "Translations that follow their sources are run again, and send what has the term. Needs the role `create` in the organization.";

defineMutation({
  name: "createGlossaryTerm",
  description: `Adds a term to the glossary of an organization. CONFLICT for one that is there, and above ${limits.terms} terms. ${follows}`,
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    term: t.string({ required: true, description: `The term ${termGiven}` }),
    translations: translations(t, "None when left out."),
  }),
  run: (input, context) => createTerm(context, input),
  payload: createdPayload("glossaryTerm", glossaryOfOrganization, {
    description: "The new term.",
    in: "Organization.glossary",
  }),
});

defineMutation({
  name: "updateGlossaryTerm",
  description: `Changes a term of a glossary: what is given. CONFLICT where another one is the same. ${follows}`,
  input: (t) => ({
    glossaryTermId: t.id({ required: true, description: "Id of the term." }),
    term: t.string({ description: `The term ${termGiven}` }),
    translations: translations(t, "It takes the place of those before."),
  }),
  run: (input, context) => updateTerm(context, input),
  payload: rowPayload("glossaryTerm", glossaryTerms, "The term."),
});

defineMutation({
  name: "deleteGlossaryTerm",
  description: `Deletes a term of a glossary. ${follows}`,
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    glossaryTermId: t.id({ required: true, description: "Id of the term." }),
  }),
  run: (input, context) =>
    answersWith(context, { organizationId: input.organizationId }, () => deleteTerm(context, input)),
  payload: (t) => ({ ...deletedPayload(t), organization: t.row(organizations, "organizationId", "The organization.") }),
});
