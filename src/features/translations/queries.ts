// Where translations are asked for, and what they belong to.
import { revisions } from "#src/features/content/reads/revisions.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import { translationsOfOrganization, translationsOfSpace } from "#src/features/translations/reads.ts";
import { Translation, TranslationResult, TranslationSource } from "#src/features/translations/type.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";

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
