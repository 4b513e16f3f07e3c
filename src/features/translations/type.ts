// The GraphQL types Translation and GlossaryTerm.
import { documentFrom } from "#src/features/content/reads/documents.ts";
import { translationPermissions } from "#src/features/translations/access.ts";
import { languageNames } from "#src/features/translations/model/languages.ts";
import { type Warning, warningLimit } from "#src/features/translations/commands/translate-source.ts";
import { type TranslationRow, translations, glossaryTerms } from "#src/features/translations/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineFlags, defineLinks, defineTexts } from "#src/graph/schema/flag-types.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { longText } from "#src/graph/run/selection.ts";
import type { Language as LanguageCode } from "#src/generated/prisma/enums.ts";

export const Language = defineEnum("Language", "A language that texts are translated from or into.", languageNames, {
  hyphens: true,
});

export const TranslationStatus = defineEnum("TranslationStatus", "The state of a translation.", {
  pending: "A run will begin.",
  running: "A run goes on.",
  completed: "The last run has ended well.",
  failed: "The last run has failed; `error` says why. Another one follows by itself.",
});

const TranslationPermissions = defineFlags("TranslationPermissions", "What the viewer may do with a translation.", {
  view: "See it.",
  edit: "Change its settings, have it run, and delete it.",
});

const TranslationUrls = defineLinks("TranslationUrls", "Links of a translation.", {
  location: "The translation in the REST interface.",
});

export const TranslationSource = builder
  .objectRef<Pick<TranslationRow, "sourceSpaceId" | "sourceLanguage">>("TranslationSource")
  .implement({
    description: "What is translated.",
    fields: (t) => ({
      spaceId: t.exposeID("sourceSpaceId", { description: "Id of the space." }),
      language: t.expose("sourceLanguage", { type: Language, description: "The language that it is written in." }),
    }),
  });

export const TranslationResult = builder
  .objectRef<Pick<TranslationRow, "resultSpaceId" | "resultRevisionId">>("TranslationResult")
  .implement({
    description: "What a translation makes.",
    fields: (t) => ({
      spaceId: t.exposeID("resultSpaceId", {
        nullable: true,
        description: "Id of the translated space; null when that is gone.",
      }),
      revisionId: t.exposeID("resultRevisionId", {
        nullable: true,
        description:
          "Id of the revision of it that the last run made, or found as it should be; null before the first.",
      }),
    }),
  });

const statsColumns = [
  "runs",
  "totalWords",
  "totalPages",
  "totalSeconds",
  "latestSeconds",
  "latestPages",
  "latestWords",
] as const;

const TranslationStats = builder
  .objectRef<Pick<TranslationRow, (typeof statsColumns)[number]>>("TranslationStats")
  .implement({
    description: "What the runs of a translation have done.",
    fields: (t) => ({
      runs: t.exposeInt("runs", { description: "Number of runs that have ended." }),
      totalWords: t.exposeInt("totalWords", { description: "Words that were sent to the engine, by all of them." }),
      totalPages: t.exposeInt("totalPages", { description: "Pages that were translated again, by all of them." }),
      totalDuration: t.exposeFloat("totalSeconds", { description: "Seconds that they took." }),
      latestRunDuration: t.exposeFloat("latestSeconds", { description: "Seconds that the latest one took." }),
      latestPages: t.exposeInt("latestPages", {
        description: "Pages that the latest one, or the present one, has translated again.",
      }),
      latestWords: t.exposeInt("latestWords", { description: "Words that it has sent to the engine." }),
    }),
  });

const TranslationProgress = builder
  .objectRef<Pick<TranslationRow, "allPages" | "donePages">>("TranslationProgress")
  .implement({
    description: "How far a run is.",
    fields: (t) => ({
      pages: t.exposeInt("allPages", { description: "Pages of the source; 0 before the run knows them." }),
      donePages: t.exposeInt("donePages", { description: "Those of them that it is done with." }),
    }),
  });

const TranslationWarning = defineTexts("TranslationWarning", "Something that a run could not translate.", {
  page: "The title of the page in the source.",
  message: "What it is about.",
});

export const Translation = defineNode("Translation", translations, {
  description: "A space that is kept as the translation of another one.",
  resource: "translation",
  fields: (t) => ({
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    status: t.expose("status", { type: TranslationStatus, description: "Its state." }),
    error: t.exposeString("error", {
      nullable: true,
      description: "Why the last run failed, and what to do; null unless it has.",
    }),
    source: t.part(TranslationSource, "What is translated.", ["sourceSpaceId", "sourceLanguage"]),
    language: t.expose("language", { type: Language, description: "The language that it is translated into." }),
    instructions: t.field({
      type: "RichDocument",
      nullable: true,
      description: "What the engine is told, as a rich document; null for nothing.",
      select: { instructions: true },
      resolve: ({ instructions }, _args, context) => (instructions === "" ? null : documentFrom(context, instructions)),
    }),
    instructionsMarkdown: t.exposeString("instructions", {
      description: "The same as Markdown; empty for nothing.",
      extensions: longText,
    }),
    autoUpdate: t.exposeBoolean("autoUpdate", {
      description: "Whether a run follows by itself when the content of the source has changed.",
    }),
    result: t.part(TranslationResult, "What it makes.", ["resultSpaceId", "resultRevisionId"]),
    stats: t.part(TranslationStats, "What its runs have done.", statsColumns),
    progress: t.part(TranslationProgress, "How far the present run is, or the last one.", ["allPages", "donePages"]),
    warnings: t.value(
      [TranslationWarning],
      `What the last run could not translate, at most ${warningLimit} warnings: it stays in the language of the source.`,
      ["warnings"],
      ({ warnings }) => warnings as unknown as Warning[], // written by runs
    ),
    nextRunAt: t.expose("dueAt", {
      type: "DateTime",
      nullable: true,
      description: "When it is run next; null where nothing is to be done.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When its settings or its state changed last." }),
    permissions: t.value(TranslationPermissions, "What the viewer may do.", ["organizationId"], (of, { viewer }) =>
      translationPermissions(viewer, of),
    ),
    urls: t.value(TranslationUrls, "Links.", ["organizationId"], ({ id, organizationId }, { publicUrl }) => ({
      location: `${publicUrl}/v1/orgs/${organizationId}/translations/${id}`,
    })),
  }),
});

type TermTranslation = { readonly language: LanguageCode; readonly text: string };

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
