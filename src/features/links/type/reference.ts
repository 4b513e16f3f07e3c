// The GraphQL type ResolvedReference: the target of a link, or the page that contains it, with its content.
import { isAllowedAddress } from "#src/documents/addresses.ts";
import type { Reference } from "#src/documents/references.ts";
import { project } from "#src/db/reading/entity.ts";
import { collections } from "#src/features/collections/reads.ts";
import { findFileIn } from "#src/features/content/reads/files.ts";
import { findPageIn, type PageInRevision } from "#src/features/content/reads/pages.ts";
import { File } from "#src/features/content/type/file.ts";
import { Page } from "#src/features/content/type/page.ts";
import { ReferenceKind } from "#src/features/content/type/page-parts.ts";
import { type LinkedContent, mainContentOf } from "#src/features/links/reads/linked-content.ts";
import { findSpecOfName } from "#src/features/openapi/reads/specs.ts";
import { OpenApiSpec } from "#src/features/openapi/type/specification.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { users } from "#src/features/users/reads.ts";
import type { Context } from "#src/domain/context.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { projectionOf } from "#src/graph/run/selection.ts";

export interface ReferenceIn {
  readonly reference: Reference;
  readonly content: Pick<LinkedContent, "id" | "spaceId" | "changeRequestId" | "treeHash">;
}

const VersionContextType = defineEnum("VersionContextType", "The kind of a version of a content.", {
  revision: "A revision.",
});

const VersionContext = builder.objectRef<{ readonly revisionId: string }>("VersionContext").implement({
  description: "The version of a content that contains the target of a reference.",
  fields: (t) => ({
    type: t.field({
      type: VersionContextType,
      description: "Kind of the version.",
      resolve: () => "revision" as const,
    }),
    revisionId: t.exposeID("revisionId", { description: "Id of the revision." }),
  }),
});

const isInContent = ({ kind }: Reference): boolean => kind === "page" || kind === "anchor" || kind === "file";

/** The space to which a reference refers, or whose content contains its target; otherwise null. */
const spaceOf = ({ reference, content }: ReferenceIn): string | null =>
  "space" in reference ? (reference.space ?? content.spaceId) : isInContent(reference) ? content.spaceId : null;

async function pageOf(context: Context, { reference, content }: ReferenceIn): Promise<PageInRevision | null> {
  if (!("page" in reference) || reference.page === undefined) return null;
  const { space: spaceId, page: id } = reference;
  if (spaceId === undefined || spaceId === content.spaceId) return findPageIn(context, content, { id });
  const space = await context.reader.row(spaces, spaceId, project([]));
  return space && findPageIn(context, await mainContentOf(context, space), { id });
}

type Part = "file" | "page" | "anchor" | "user" | "collection" | "spec";

/** A part of a reference by name; null if its kind does not have it. */
const partOf = ({ reference }: ReferenceIn, name: Part): string | null =>
  (reference as Readonly<Partial<Record<Part, string>>>)[name] ?? null;

export const ResolvedReference = builder.objectRef<ReferenceIn>("ResolvedReference").implement({
  description: "The target of a link, or a page that contains it, with its content. Fields of other kinds are null.",
  fields: (t) => ({
    kind: t.field({
      type: ReferenceKind,
      description: "Kind of the target.",
      resolve: ({ reference }) => reference.kind,
    }),
    organizationId: t.field({
      type: "ID",
      nullable: true,
      description: "Id of the organization of the space; null if the viewer does not see the space.",
      resolve: async (of, _args, { reader }) => {
        const id = spaceOf(of);
        return id && ((await reader.row(spaces, id, project(["organizationId"])))?.organizationId ?? null);
      },
    }),
    spaceId: t.valueOrNull("ID", "Id of the space, or of the space whose content contains the target.", spaceOf),
    versionContext: t.valueOrNull(
      VersionContext,
      "The version with the target: the content that contains the link; null for targets elsewhere.",
      ({ reference, content }) =>
        isInContent(reference) &&
        (!("space" in reference) || reference.space === undefined || reference.space === content.spaceId)
          ? { revisionId: content.id }
          : null,
    ),
    fileId: t.valueOrNull("ID", "Id of the file.", (of) => partOf(of, "file")),
    file: t.field({
      type: File,
      nullable: true,
      description: "The file; null if it does not exist.",
      resolve: ({ reference, content }, _args, context, info) =>
        "file" in reference ? findFileIn(context, content, reference.file, projectionOf(info)) : null,
    }),
    pageId: t.valueOrNull("ID", "Id of the page, also for an anchor.", (of) => partOf(of, "page")),
    page: t.field({
      type: Page,
      nullable: true,
      description: "The page; null if it does not exist or is not visible to the viewer.",
      resolve: (of, _args, context) => pageOf(context, of),
    }),
    url: t.valueOrNull("String", "The URL; null if its scheme is not allowed, such as `javascript:`.", (of) =>
      "url" in of.reference && isAllowedAddress(of.reference.url) ? of.reference.url : null,
    ),
    anchor: t.valueOrNull("String", "The anchor on the page.", (of) => partOf(of, "anchor")),
    userId: t.valueOrNull("ID", "Id of the user.", (of) => partOf(of, "user")),
    user: t.rowOrNull(users, (of) => partOf(of, "user"), "The user; null if not visible to the viewer."),
    collectionId: t.valueOrNull("ID", "Id of the collection.", (of) => partOf(of, "collection")),
    collection: t.rowOrNull(
      collections,
      (of) => partOf(of, "collection"),
      "The collection; null if not visible to the viewer.",
    ),
    spec: t.valueOrNull("String", "Slug or id of the OpenAPI specification.", (of) => partOf(of, "spec")),
    openApiSpec: t.field({
      type: OpenApiSpec,
      nullable: true,
      description: "The OpenAPI specification; null if it does not exist or is not visible to the viewer.",
      resolve: async ({ reference, content }, _args, context, info) => {
        if (!("spec" in reference)) return null;
        const { organizationId } = await context.reader.found(spaces, content.spaceId, project(["organizationId"]));
        return findSpecOfName(context, { organizationId, name: reference.spec }, projectionOf(info));
      },
    }),
  }),
});
