// Mutations on translations.
import { organizations } from "#src/features/organizations/reads.ts";
import {
  createTranslation,
  deleteTranslation,
  instructionsLimit,
  runTranslationNow,
  updateTranslation,
} from "#src/features/translations/commands/translations.ts";
import { translations, translationsOfOrganization } from "#src/features/translations/reads.ts";
import { Language } from "#src/features/translations/type.ts";
import { builder, type InputFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation, deletedPayload, rowPayload } from "#src/graph/schema/mutations.ts";

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
    deleteResult: t.boolean({
      description: "Whether the translated space is deleted, too, which its admins may.",
    }),
  }),
  run: (input, context) => deleteTranslation(context, input),
  payload: (t) => ({
    ...deletedPayload(t),
    organization: t.row(organizations, "organizationId", "The organization that it was in."),
  }),
});
