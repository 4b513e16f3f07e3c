// Where the translations of pages are asked for: from pages.
import { Page } from "#src/features/content/type/page.ts";
import { translations } from "#src/features/translations/reads.ts";
import {
  isPageOutdated,
  type PageTranslation as PageTranslationRow,
  translationsOfPage,
} from "#src/features/translations/reads/page-translations.ts";
import { Language } from "#src/features/translations/type.ts";
import { builder } from "#src/graph/schema/builder.ts";

const PageTranslation = builder.objectRef<PageTranslationRow>("PageTranslation").implement({
  description: "A page in another language.",
  fields: (t) => ({
    language: t.expose("language", { type: Language, description: "Its language." }),
    page: t.expose("page", { type: Page, description: "The page, as it is now." }),
    outdated: t.exposeBoolean("outdated", {
      description: "Whether the page that it is the translation of says something else by now.",
    }),
    translation: t.rowOrNull(
      translations,
      ({ translationId }) => translationId,
      "What made it; null for the page that is translated, and for those without a role on the source.",
    ),
  }),
});

builder.objectFields(Page, (t) => ({
  translations: t.field({
    type: [PageTranslation],
    description:
      "The same page in other languages, in the main contents that the viewer may see: what it is the translation of first, then all translations of that.",
    resolve: async (page, _args, context) => {
      const found = await translationsOfPage(context, page);
      context.reader.takeRows(found.length);
      return found;
    },
  }),
  outdated: t.boolean({
    description: "Whether it is the translation of a page that says something else by now.",
    resolve: (page, _args, context) => isPageOutdated(context, page),
  }),
}));
