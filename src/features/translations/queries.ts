// The GraphQL fields that return translations, translated pages and glossaries.
import { revisions } from "#src/features/content/reads/revisions.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import {
  translationsOfOrganization,
  translationsOfSpace,
  glossaryOfOrganization,
  translations,
} from "#src/features/translations/reads.ts";
import {
  Translation,
  TranslationResult,
  TranslationSource,
  Language,
  GlossaryTerm,
} from "#src/features/translations/type.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { Page } from "#src/features/content/type/page.ts";
import {
  isPageOutdated,
  type PageTranslation as PageTranslationRow,
  translationsOfPage,
} from "#src/features/translations/reads/page-translations.ts";

builder.prismaObjectFields(Organization, (t) => ({
  translations: t.list(
    translationsOfOrganization,
    "The translations of its spaces that the viewer has a role on, oldest first.",
  ),
  translation: t.pick(
    translationsOfOrganization,
    "One of these translations. NOT_FOUND when there is none of this id that the viewer may see.",
  ),
}));

builder.prismaObjectField(Space, "translations", (t) =>
  t.list(translationsOfSpace, "Its translations into other languages, oldest first; for those with a role on it."),
);

builder.prismaObjectFields(Translation, (t) => ({
  organization: t.rowOrNull(organizations, "organizationId", "The organization; null for those outside it."),
  createdBy: t.row(namedUsers, "createdById", "Who created it."),
}));

builder.objectField(TranslationSource, "space", (t) => t.row(spaces, "sourceSpaceId", "The space."));

builder.objectFields(TranslationResult, (t) => ({
  space: t.rowOrNull(
    spaces,
    "resultSpaceId",
    "The translated space; null when it is gone, and for those who do not see it.",
  ),
  revision: t.rowOrNull(
    revisions,
    "resultRevisionId",
    "The revision of it that the last run made, or found as it should be; null before the first, and for those who do not see it.",
  ),
}));

builder.prismaObjectField(Organization, "glossary", (t) =>
  t.list(
    glossaryOfOrganization,
    "The terms that its translations keep or always translate in one way, oldest first. Empty for guests.",
  ),
);

builder.prismaObjectField(GlossaryTerm, "organization", (t) =>
  t.row(organizations, "organizationId", "The organization."),
);

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
