// Mutations on translations and glossaries.
import { organizations } from "#src/features/organizations/reads.ts";
import {
  createTranslation,
  deleteTranslation,
  instructionsLimit,
  runTranslationNow,
  updateTranslation,
} from "#src/features/translations/commands/translations.ts";
import {
  translations,
  translationsOfOrganization,
  glossaryOfOrganization,
  glossaryTerms,
} from "#src/features/translations/reads.ts";
import { Language } from "#src/features/translations/type.ts";
import { builder, type InputFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation, deletedPayload, rowPayload } from "#src/graph/schema/mutations.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { createTerm, deleteTerm, limits, updateTerm } from "#src/features/translations/commands/glossary.ts";

const TranslationSourceInput = builder.inputType("TranslationSourceInput", {
  description: "What is to be translated.",
  fields: (t) => ({
    spaceId: t.id({ required: true, description: "Id of the space, in the organization." }),
    language: t.field({ type: Language, description: "The language that it is written in; English when left out." }),
  }),
});

const settings = (t: InputFields) => ({
  instructions: t.field({
    type: "RichDocument",
    description: `What the engine is to heed, such as a tone; at most ${instructionsLimit} characters as Markdown, as which it is kept.`,
  }),
  instructionsMarkdown: t.string({ description: "The same as Markdown, in the place of `instructions`." }),
  autoUpdate: t.boolean({
    description: "Whether a run follows by itself when the content of the source has changed; true when left out.",
  }),
});

const named = (t: InputFields) => ({
  organizationId: t.id({ required: true, description: "Id of the organization." }),
  translationId: t.id({ required: true, description: "Id of the translation." }),
});

const rights = "Needs the role `create` in the organization.";
const payload = rowPayload("translation", translations, "The translation.");

defineMutation({
  name: "createTranslation",
  description:
    "Starts the translation of a space into another language. The translated space is there at once, right behind the source and with its settings; it is " +
    "empty until the first run has ended, of which `translationEvents` tells. CONFLICT where the gateway has no engine that translates, and for a language " +
    "into which the space is translated already. Needs the role `create` in the organization and in the place of the space, and a role on the space.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    language: t.field({ type: Language, required: true, description: "The language to translate into." }),
    source: t.field({ type: TranslationSourceInput, required: true, description: "What is to be translated." }),
    ...settings(t),
  }),
  run: (input, context) => createTranslation(context, input),
  payload: createdPayload("translation", translationsOfOrganization, {
    description: "The translation.",
    in: "Organization.translations",
  }),
});

defineMutation({
  name: "updateTranslation",
  description: `Changes the settings of a translation. A run follows other instructions: all is translated again by them. ${rights}`,
  input: (t) => ({ ...named(t), ...settings(t) }),
  run: (input, context) => updateTranslation(context, input),
  payload,
});

defineMutation({
  name: "runTranslation",
  description: `Has a translation run now. One that runs goes on. CONFLICT where the gateway has no engine that translates. ${rights}`,
  input: named,
  run: (input, context) => runTranslationNow(context, input),
  payload,
});

defineMutation({
  name: "deleteTranslation",
  description: `Deletes a translation. The translated space stays, and is no longer kept up to date. ${rights}`,
  input: (t) => ({
    ...named(t),
    deleteResult: t.boolean({ description: "Whether the translated space is deleted, too, which its admins may." }),
  }),
  run: (input, context) => deleteTranslation(context, input),
  payload: (t) => ({
    ...deletedPayload(t),
    organization: t.row(organizations, "organizationId", "The organization that it was in."),
  }),
});

const TermTranslationInput = builder.inputType("TermTranslationInput", {
  description: "How a term is always translated into a language.",
  fields: (t) => ({
    language: t.field({ type: Language, required: true, description: "The language." }),
    text: t.string({ required: true, description: `The translation, of 1 to ${limits.term} characters.` }),
  }),
});

const termGiven = `as it is in sources, in any letter case: 1 to ${limits.term} characters.`;

const termTranslations = (t: InputFields, otherwise: string) =>
  t.field({
    type: [TermTranslationInput],
    description: `How it is always translated, one for a language; into all other languages it is kept as it is. ${otherwise}`,
  });

const runsFollow =
  "Translations that follow their sources are run again, and send what has the term. Needs the role `create` in the organization.";

defineMutation({
  name: "createGlossaryTerm",
  description: `Adds a term to the glossary of an organization. CONFLICT for one that is there, and above ${limits.terms} terms. ${runsFollow}`,
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    term: t.string({ required: true, description: `The term ${termGiven}` }),
    translations: termTranslations(t, "None when left out."),
  }),
  run: (input, context) => createTerm(context, input),
  payload: createdPayload("glossaryTerm", glossaryOfOrganization, {
    description: "The new term.",
    in: "Organization.glossary",
  }),
});

defineMutation({
  name: "updateGlossaryTerm",
  description: `Changes a term of a glossary: what is given. CONFLICT where another one is the same. ${runsFollow}`,
  input: (t) => ({
    glossaryTermId: t.id({ required: true, description: "Id of the term." }),
    term: t.string({ description: `The term ${termGiven}` }),
    translations: termTranslations(t, "It takes the place of those before."),
  }),
  run: (input, context) => updateTerm(context, input),
  payload: rowPayload("glossaryTerm", glossaryTerms, "The term."),
});

defineMutation({
  name: "deleteGlossaryTerm",
  description: `Deletes a term of a glossary. ${runsFollow}`,
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    glossaryTermId: t.id({ required: true, description: "Id of the term." }),
  }),
  run: (input, context) =>
    answersWith(context, { organizationId: input.organizationId }, () => deleteTerm(context, input)),
  payload: (t) => ({ ...deletedPayload(t), organization: t.row(organizations, "organizationId", "The organization.") }),
});
