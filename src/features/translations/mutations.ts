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
  description: "The source of a translation.",
  fields: (t) => ({
    spaceId: t.id({ required: true, description: "Id of the space, in the organization." }),
    language: t.field({ type: Language, description: "Language of the space; English by default." }),
  }),
});

const settings = (t: InputFields) => ({
  instructions: t.field({
    type: "RichDocument",
    description: `Instructions for the engine, such as the tone; at most ${instructionsLimit} characters as Markdown, in which form they are stored.`,
  }),
  instructionsMarkdown: t.string({ description: "The same as Markdown, instead of `instructions`." }),
  autoUpdate: t.boolean({
    description: "Whether changes of the content of the source start a run automatically; true by default.",
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
    "Starts the translation of a space into another language. The translated space is created at once, right after the source and with its settings; it is " +
    "empty until the first run has ended, which `translationEvents` reports. CONFLICT if the gateway has no translation engine, or if the space is already translated " +
    "into the language. Needs the role `create` in the organization and on the parent of the space, and a role on the space.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    language: t.field({ type: Language, required: true, description: "The language to translate into." }),
    source: t.field({ type: TranslationSourceInput, required: true, description: "Source of the translation." }),
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
  description: `Changes the settings of a translation. New instructions start a run that translates everything again. ${rights}`,
  input: (t) => ({ ...named(t), ...settings(t) }),
  run: (input, context) => updateTranslation(context, input),
  payload,
});

defineMutation({
  name: "runTranslation",
  description: `Starts a run of a translation now. A running one continues. CONFLICT if the gateway has no translation engine. ${rights}`,
  input: named,
  run: (input, context) => runTranslationNow(context, input),
  payload,
});

defineMutation({
  name: "deleteTranslation",
  description: `Deletes a translation. The translated space stays, without further updates. ${rights}`,
  input: (t) => ({
    ...named(t),
    deleteResult: t.boolean({
      description: "Whether to delete the translated space, too; requires the role `admin` on it.",
    }),
  }),
  run: (input, context) => deleteTranslation(context, input),
  payload: (t) => ({
    ...deletedPayload(t),
    organization: t.row(organizations, "organizationId", "The organization that owned it."),
  }),
});

const TermTranslationInput = builder.inputType("TermTranslationInput", {
  description: "The fixed translation of a term into a language.",
  fields: (t) => ({
    language: t.field({ type: Language, required: true, description: "The language." }),
    text: t.string({ required: true, description: `The translation, of 1 to ${limits.term} characters.` }),
  }),
});

const termGiven = `in the language of the source, case-insensitive: 1 to ${limits.term} characters.`;

const termTranslations = (t: InputFields, otherwise: string) =>
  t.field({
    type: [TermTranslationInput],
    description: `Fixed translations, one per language; in all other languages the term stays unchanged. ${otherwise}`,
  });

const runsFollow =
  "Starts runs of automatic translations, which translate texts with the term again. Needs the role `create` in the organization.";

defineMutation({
  name: "createGlossaryTerm",
  description: `Adds a term to the glossary of an organization. CONFLICT if the term exists, or beyond ${limits.terms} terms. ${runsFollow}`,
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    term: t.string({ required: true, description: `The term ${termGiven}` }),
    translations: termTranslations(t, "Empty by default."),
  }),
  run: (input, context) => createTerm(context, input),
  payload: createdPayload("glossaryTerm", glossaryOfOrganization, {
    description: "The new term.",
    in: "Organization.glossary",
  }),
});

defineMutation({
  name: "updateGlossaryTerm",
  description: `Changes the given fields of a term of a glossary. CONFLICT if another term is the same. ${runsFollow}`,
  input: (t) => ({
    glossaryTermId: t.id({ required: true, description: "Id of the term." }),
    term: t.string({ description: `The term ${termGiven}` }),
    translations: termTranslations(t, "Replaces the former ones."),
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
