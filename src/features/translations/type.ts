// The GraphQL types Translation and GlossaryTerm.
import { errorCodeDescription } from "#src/base/errors.ts";
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

export const Language = defineEnum("Language", "A source or target language of translations.", languageNames, {
  hyphens: true,
});

export const TranslationStatus = defineEnum("TranslationStatus", "The status of a translation.", {
  pending: "A run is queued.",
  running: "A run is in progress.",
  completed: "The last run succeeded.",
  failed: "The last run failed; `error` has the reason. It is retried automatically.",
});

const TranslationPermissions = defineFlags("TranslationPermissions", "Permissions of the viewer on a translation.", {
  view: "See it.",
  edit: "Change its settings, run it, and delete it.",
});

const TranslationUrls = defineLinks("TranslationUrls", "Links of a translation.", {
  location: "The translation in the REST interface.",
});

export const TranslationSource = builder
  .objectRef<Pick<TranslationRow, "sourceSpaceId" | "sourceLanguage">>("TranslationSource")
  .implement({
    description: "The source of a translation.",
    fields: (t) => ({
      spaceId: t.exposeID("sourceSpaceId", { description: "Id of the space." }),
      language: t.expose("sourceLanguage", { type: Language, description: "Language of the space." }),
    }),
  });

export const TranslationResult = builder
  .objectRef<Pick<TranslationRow, "resultSpaceId" | "resultRevisionId" | "language">>("TranslationResult")
  .implement({
    description: "The result of a translation.",
    fields: (t) => ({
      spaceId: t.exposeID("resultSpaceId", {
        nullable: true,
        description: "Id of the translated space; null if it was deleted.",
      }),
      revisionId: t.exposeID("resultRevisionId", {
        nullable: true,
        description: "Id of its revision that the last run created, or found up to date; null before the first run.",
      }),
      language: t.expose("language", { type: Language, description: "Its language." }),
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
    description: "Statistics of the runs of a translation.",
    fields: (t) => ({
      runs: t.exposeInt("runs", { description: "Number of finished runs." }),
      totalWords: t.exposeInt("totalWords", { description: "Number of words sent to the engine by all runs." }),
      totalPages: t.exposeInt("totalPages", { description: "Number of pages translated again by all runs." }),
      totalDuration: t.value("Float", "Duration of all runs in whole seconds.", ({ totalSeconds }) =>
        Math.round(totalSeconds),
      ),
      latestRunDuration: t.value("Float", "Duration of the latest run in whole seconds.", ({ latestSeconds }) =>
        Math.round(latestSeconds),
      ),
      latestPages: t.exposeInt("latestPages", {
        description: "Number of pages translated again by the latest or current run.",
      }),
      latestWords: t.exposeInt("latestWords", {
        description: "Number of words sent to the engine by the latest or current run.",
      }),
    }),
  });

const TranslationProgress = builder
  .objectRef<Pick<TranslationRow, "allPages" | "donePages">>("TranslationProgress")
  .implement({
    description: "The progress of a run.",
    fields: (t) => ({
      pages: t.exposeInt("allPages", { description: "Number of pages of the source; 0 until the run has read them." }),
      donePages: t.exposeInt("donePages", { description: "Number of processed pages." }),
    }),
  });

const TranslationWarning = defineTexts(
  "TranslationWarning",
  "A warning about content that a run could not translate.",
  {
    page: "The title of the page in the source.",
    message: "The warning.",
  },
);

export const Translation = defineNode("Translation", translations, {
  description: "The translation of a space into another language, which runs keep up to date.",
  resource: "translation",
  fields: (t) => ({
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    status: t.expose("status", { type: TranslationStatus, description: "Status." }),
    error: t.exposeString("error", {
      nullable: true,
      description: "The reason why the last run failed, and what to do; null unless it failed.",
    }),
    errorCode: t.exposeString("errorCode", {
      nullable: true,
      description: `${errorCodeDescription} Null unless it failed, and for runs of earlier releases.`,
    }),
    source: t.part(TranslationSource, "Source of the translation.", ["sourceSpaceId", "sourceLanguage"]),
    language: t.expose("language", { type: Language, description: "Target language." }),
    instructions: t.field({
      type: "RichDocument",
      nullable: true,
      description: "Instructions for the engine as a rich document; null without any.",
      select: { instructions: true },
      resolve: ({ instructions }, _args, context) => (instructions === "" ? null : documentFrom(context, instructions)),
    }),
    instructionsMarkdown: t.exposeString("instructions", {
      description: "The same as Markdown; empty without any.",
      extensions: longText,
    }),
    autoUpdate: t.exposeBoolean("autoUpdate", {
      description: "Whether changes of the content of the source start a run automatically.",
    }),
    result: t.part(TranslationResult, "Result of the translation.", ["resultSpaceId", "resultRevisionId", "language"]),
    stats: t.part(TranslationStats, "Statistics of its runs.", statsColumns),
    progress: t.part(TranslationProgress, "Progress of the current or last run.", ["allPages", "donePages"]),
    warnings: t.value(
      [TranslationWarning],
      `Warnings about content that the last run could not translate and that stays in the language of the source, at most ${warningLimit}.`,
      ["warnings"],
      ({ warnings }) => warnings as unknown as Warning[], // only runs write it
    ),
    nextRunAt: t.expose("dueAt", {
      type: "DateTime",
      nullable: true,
      description: "When it runs next; null if nothing is due.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    updatedAt: t.expose("updatedAt", {
      type: "DateTime",
      description: "When its settings or its status last changed.",
    }),
    permissions: t.value(TranslationPermissions, "Permissions of the viewer.", ["organizationId"], (of, { viewer }) =>
      translationPermissions(viewer, of),
    ),
    urls: t.value(TranslationUrls, "Links.", ["organizationId"], ({ id, organizationId }, { publicUrl }) => ({
      location: `${publicUrl}/v1/orgs/${organizationId}/translations/${id}`,
    })),
  }),
});

type TermTranslation = { readonly language: LanguageCode; readonly text: string };

const TermTranslation = builder.objectRef<TermTranslation>("TermTranslation").implement({
  description: "The fixed translation of a term into a language.",
  fields: (t) => ({
    language: t.expose("language", { type: Language, description: "The language." }),
    text: t.exposeString("text", { description: "The translation of the term." }),
  }),
});

const GlossaryTermPermissions = defineFlags("GlossaryTermPermissions", "Permissions of the viewer on a term.", {
  view: "See it.",
  edit: "Change and delete it.",
});

export const GlossaryTerm = defineNode("GlossaryTerm", glossaryTerms, {
  description: "A term of the glossary of an organization: translations keep it unchanged, or use a fixed translation.",
  fields: (t) => ({
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    term: t.exposeString("term", { description: "The term in the language of the source, case-insensitive." }),
    translations: t.value(
      [TermTranslation],
      "Fixed translations; in all other languages the term stays unchanged.",
      ["translations"],
      ({ translations }) =>
        Object.entries(translations as Readonly<Record<LanguageCode, string>>) // only commands write it
          .map(([language, text]) => ({ language: language as LanguageCode, text })),
    ),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    permissions: t.value(GlossaryTermPermissions, "Permissions of the viewer.", ["organizationId"], (of, { viewer }) =>
      translationPermissions(viewer, of),
    ),
  }),
});
