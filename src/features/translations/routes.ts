// The /v1 operations on translations (spec 1, section 4.7).
import { defineAdditions, defineRoutes } from "#src/rest/route.ts";

const tag = { name: "translations", description: "Translations of spaces." };

const translations = "/v1/orgs/{organizationId}/translations";
const translation = `${translations}/{translationId}` as const;

const translationFields = `
  fragment TranslationFields on Translation {
    object id status error
    source { space: spaceId language }
    language instructions
    result { space: spaceId revision: revisionId language }
    createdAt updatedAt
    stats { runs totalWords totalPages totalDuration latestRunDuration latestPages latestWords }
    permissions { view edit }
    urls { location }
  }
`;

const instructions = "Instructions for the engine, such as the tone.";

export const translationRoutes = defineRoutes(() => tag, {
  listTranslations: {
    request: `GET ${translations}`,
    summary: "List the translations of an organization",
    list: true,
    answer: ["organization", "translations"],
    fields: translationFields,
  },
  createTranslation: {
    request: `POST ${translations}`,
    summary: "Start the translation of a space into another language",
    body: {
      language: "The language to translate into.",
      source: { description: "Source of the translation.", names: { spaceId: "space" } },
      instructions: { description: instructions, notNull: true },
    },
    success: 201,
    conflict: "The gateway has no translation engine, or the space is already translated into this language.",
    answer: ["createTranslation", "translation"],
    fields: translationFields,
  },
  getTranslation: {
    request: `GET ${translation}`,
    summary: "Get a translation",
    answer: ["organization", "translation"],
    named: { id: "translationId" },
    fields: translationFields,
  },
  updateTranslation: {
    request: `PUT ${translation}`,
    summary: "Replace the instructions of a translation",
    body: { instructions: { description: instructions, required: true, notNull: true } },
    answer: ["updateTranslation", "translation"],
    fields: translationFields,
  },
  deleteTranslation: {
    request: `DELETE ${translation}`,
    summary: "Delete a translation; the translated space stays",
    answer: ["deleteTranslation", "deletedId"],
  },
});

export const translationAdditions = defineAdditions(() => tag, {
  runTranslation: {
    request: `POST ${translation}/run`,
    summary: "Run a translation again",
    conflict: "The gateway has no translation engine, or the translation is running.",
    answer: ["runTranslation", "translation"],
    fields: translationFields,
  },
});
