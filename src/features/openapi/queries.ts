// The query fields of OpenAPI specifications and their versions, and their relations.
import { found } from "#src/base/errors.ts";
import { project } from "#src/db/reading/entity.ts";
import { ContentReference } from "#src/features/content/type/page-parts.ts";
import { checkSpecSlug, slugLimit, slugPattern } from "#src/features/openapi/model/limits.ts";
import { changesSince } from "#src/features/openapi/reads/changes.ts";
import {
  findSpecOfName,
  openApiSpecs,
  openApiSpecsOfOrganization,
  openApiSpecVersions,
  versionsOfSpec,
} from "#src/features/openapi/reads/specs.ts";
import { OpenApiChanges, OpenApiSpec, OpenApiSpecVersion } from "#src/features/openapi/type/specification.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";
import { projectionOf } from "#src/graph/run/selection.ts";

const slugForm = { extensions: limited({ minLength: 1, maxLength: slugLimit, pattern: slugPattern }) };

const noneOfTheSlug =
  "INVALID_INPUT if the slug is malformed. NOT_FOUND if no specification with this slug is visible to you.";

builder.queryField("openApiSpec", (t) =>
  t.field({
    type: OpenApiSpec,
    nullable: true,
    description: `An OpenAPI specification of an organization. Public ones are visible to everybody. ${noneOfTheSlug}`,
    args: {
      organizationId: t.arg.id({ required: true, description: "Id of the organization." }),
      slug: t.arg.string({ required: true, ...slugForm, description: "Slug." }),
    },
    resolve: async (_root, { organizationId, slug }, { reader }, info) => {
      const key = { key: { slug: checkSpecSlug(slug) }, projection: projectionOf(info) };
      return found(await reader.pick(openApiSpecsOfOrganization, { id: organizationId }, key), openApiSpecs.noun);
    },
  }),
);

builder.prismaObjectFields(Organization, (t) => ({
  openApiSpecs: t.list(
    openApiSpecsOfOrganization,
    "Its OpenAPI specifications, oldest first; guests see only public ones.",
  ),
  openApiSpec: t.pick(openApiSpecsOfOrganization, `One of its OpenAPI specifications by its slug. ${noneOfTheSlug}`, {
    args: builder.args((t) => ({ slug: t.string({ required: true, ...slugForm, description: "Slug." }) })),
    key: ({ slug }) => ({ slug: checkSpecSlug(slug) }),
  }),
}));

builder.prismaObjectFields(OpenApiSpec, (t) => ({
  organization: t.rowOrNull(organizations, "organizationId", "The organization; null for outsiders."),
  createdBy: t.rowOrNull(namedUsers, "createdById", "The user who added it; null if the user was deleted."),
  versions: t.list(versionsOfSpec, "Its versions, the latest first."),
  version: t.pick(versionsOfSpec, "One of its versions. NOT_FOUND if no version with this id is visible to you."),
  lastVersion: t.rowOrNull(openApiSpecVersions, "lastVersionId", "Its latest version; null before the first version."),
}));

builder.prismaObjectFields(OpenApiSpecVersion, (t) => ({
  spec: t.row(openApiSpecs, "specId", "The specification."),
  changes: t.field({
    type: OpenApiChanges,
    nullable: true,
    description:
      "The changes since another version, with those that break clients. Null for the first version; NOT_FOUND if the version does not exist, or belongs to " +
      "another specification.",
    args: {
      sinceVersionId: t.arg.id({ description: "Id of the version to compare with; the previous version by default." }),
    },
    select: { specId: true, number: true },
    resolve: (version, { sinceVersionId }, context) => changesSince(context, version, sinceVersionId ?? null),
  }),
}));

builder.objectField(ContentReference, "linkedOpenApiSpec", (t) =>
  t.field({
    type: OpenApiSpec,
    nullable: true,
    description: "The specification; null for other kinds, and if it is not visible to you.",
    resolve: async ({ spec: name, within }, _args, context, info) => {
      if (name === undefined) return null;
      const { organizationId } = await context.reader.found(spaces, within.spaceId, project(["organizationId"]));
      return findSpecOfName(context, { organizationId, name }, projectionOf(info));
    },
  }),
);
