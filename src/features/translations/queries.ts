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
    "The translations of its spaces on which the viewer has a role, oldest first.",
  ),
  translation: t.pick(
    translationsOfOrganization,
    "One of these translations by its id. NOT_FOUND if no translation with this id is visible to you.",
  ),
}));

builder.prismaObjectField(Space, "translations", (t) =>
  t.list(translationsOfSpace, "Its translations into other languages, oldest first; for users with a role on it."),
);

builder.prismaObjectFields(Translation, (t) => ({
  organization: t.rowOrNull(organizations, "organizationId", "The organization; null for outsiders."),
  createdBy: t.row(namedUsers, "createdById", "The user who created it."),
}));

builder.objectField(TranslationSource, "space", (t) => t.row(spaces, "sourceSpaceId", "The space."));

builder.objectFields(TranslationResult, (t) => ({
  space: t.rowOrNull(spaces, "resultSpaceId", "The translated space; null if it was deleted or is not visible to you."),
  revision: t.rowOrNull(
    revisions,
    "resultRevisionId",
    "The revision of it that the last run created, or found up to date; null before the first run, and if it is not visible to you.",
  ),
}));

builder.prismaObjectField(Organization, "glossary", (t) =>
  t.list(glossaryOfOrganization, "The glossary: terms with fixed translations, oldest first. Empty for guests."),
);

builder.prismaObjectField(GlossaryTerm, "organization", (t) =>
  t.row(organizations, "organizationId", "The organization."),
);

const PageTranslation = builder.objectRef<PageTranslationRow>("PageTranslation").implement({
  description: "A page in another language.",
  fields: (t) => ({
    language: t.expose("language", { type: Language, description: "Language." }),
    page: t.expose("page", { type: Page, description: "The page in its current state." }),
    outdated: t.exposeBoolean("outdated", {
      description: "Whether its source page has changed since the translation.",
    }),
    translation: t.rowOrNull(
      translations,
      ({ translationId }) => translationId,
      "The translation that created it; null for the source page, and without a role on the source.",
    ),
  }),
});

builder.objectFields(Page, (t) => ({
  translations: t.field({
    type: [PageTranslation],
    description:
      "The same page in other languages, in the visible main contents: the source page first, then its translations.",
    resolve: async (page, _args, context) => {
      const found = await translationsOfPage(context, page);
      context.reader.takeRows(found.length);
      return found;
    },
  }),
  outdated: t.boolean({
    description: "Whether it is a translation whose source page has changed since.",
    resolve: (page, _args, context) => isPageOutdated(context, page),
  }),
}));
