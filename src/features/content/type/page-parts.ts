// GraphQL types of the parts of a page: type, variables, layout, cover, references and computation.
import { collections } from "#src/features/collections/reads.ts";
import type {
  ContentReference as ContentReferenceValue,
  PageComputed as PageComputedValue,
  PageCover as PageCoverValue,
  PageLayout as PageLayoutValue,
} from "#src/features/content/model/page.ts";
import { findFileIn } from "#src/features/content/reads/files.ts";
import type { PagesRevision } from "#src/features/content/reads/pages.ts";
import { File } from "#src/features/content/type/file.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { users } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { projectionOf } from "#src/graph/run/selection.ts";
import type { RestEntriesExtensions } from "#src/graph/schema/rest-forms.ts";
import { defineLinks } from "#src/graph/schema/flag-types.ts";

export const ReferenceKind = defineEnum("ReferenceKind", "The kind of the target of a reference.", {
  file: "A file of the content.",
  page: "A page of the content, or of the given space.",
  url: "A URL.",
  anchor: "An anchor on a page.",
  space: "A space.",
  user: "A user.",
  collection: "A collection.",
  openapi: "An OpenAPI specification.",
});

export interface ReferenceInRevision extends ContentReferenceValue {
  readonly within: PagesRevision;
}

const aboutNull = (what: string, it: string) => `${what}; null for other kinds, and if the viewer may not see ${it}.`;

export const ContentReference = builder.objectRef<ReferenceInRevision>("ContentReference").implement({
  description: "A reference to any kind of content. Fields of other kinds are null.",
  fields: (t) => ({
    kind: t.expose("kind", { type: ReferenceKind, description: "Kind of the target." }),
    fileId: t.exposeID("file", { nullable: true, description: "Id of the file." }),
    pageId: t.exposeID("page", { nullable: true, description: "Id of the page, also for an anchor." }),
    url: t.exposeString("url", { nullable: true, description: "The URL." }),
    anchor: t.exposeString("anchor", { nullable: true, description: "The anchor on the page." }),
    spaceId: t.exposeID("space", {
      nullable: true,
      description: "Id of the space; for a page, the id of its space if it is another one.",
    }),
    userId: t.exposeID("user", { nullable: true, description: "Id of the user." }),
    collectionId: t.exposeID("collection", { nullable: true, description: "Id of the collection." }),
    file: t.field({
      type: File,
      nullable: true,
      description: "The file in the same revision; null if the revision does not have it, and for other kinds.",
      resolve: ({ file, within }, _args, context, info) =>
        file === undefined ? null : findFileIn(context, within, file, projectionOf(info)),
    }),
    space: t.rowOrNull(spaces, ({ space }) => space ?? null, aboutNull("The space", "it")),
    user: t.rowOrNull(users, ({ user }) => user ?? null, aboutNull("The user", "them")),
    collection: t.rowOrNull(collections, ({ collection }) => collection ?? null, aboutNull("The collection", "it")),
    spec: t.exposeString("spec", { nullable: true, description: "Slug or id of the OpenAPI specification." }),
  }),
});

export const Variable = builder.objectRef<{ name: string; value: string }>("Variable").implement({
  description: "A named value for use in texts.",
  extensions: { restEntries: { key: "name", value: "value" } } satisfies RestEntriesExtensions,
  fields: (t) => ({
    name: t.exposeString("name", { description: "Name." }),
    value: t.exposeString("value", { description: "Value." }),
  }),
});

/** Variables sorted by name. */
export function variablesIn(values: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(values)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => ({ name, value }));
}

export const PageType = defineEnum("PageType", "The type of a page.", {
  document: "A text.",
  group: "A heading for its subpages.",
  link: "A link to another target.",
  computed:
    "A page with text and subpages generated from a source such as an OpenAPI specification. They follow their source and cannot be edited.",
});

export const PageWidth = defineEnum("PageWidth", "The width of a page.", {
  default: "Optimized for reading.",
  wide: "The full available width.",
});

export const PageCoverSize = defineEnum("PageCoverSize", "The size of a cover.", {
  hero: "Above the text, with the width of the text.",
  full: "Above the text, with the full width of the page.",
  background: "Behind the page.",
});

const whether = (what: string) => ({ nullable: true, description: `Whether to show ${what}` }) as const;

export const PageLayout = builder.objectRef<PageLayoutValue>("PageLayout").implement({
  description: "The layout of a page. Null fields use the settings of the site.",
  fields: (t) => ({
    width: t.expose("width", { type: PageWidth, nullable: true, description: "Width of the page." }),
    cover: t.exposeBoolean("cover", whether("the cover.")),
    coverSize: t.expose("coverSize", { type: PageCoverSize, nullable: true, description: "Size of the cover." }),
    title: t.exposeBoolean("title", whether("the title.")),
    description: t.exposeBoolean("description", whether("the description.")),
    tableOfContents: t.exposeBoolean("tableOfContents", whether("the navigation of pages.")),
    outline: t.exposeBoolean("outline", whether("the list of headings.")),
    pagination: t.exposeBoolean("pagination", whether("links to the previous and next page.")),
    metadata: t.exposeBoolean("metadata", whether("the time of the last change.")),
  }),
});

export const PageUrls = defineLinks("PageUrls", "Links of a page.", { app: "The page in the application." });

type InRevision<Part> = Part & { readonly within: PagesRevision };

export const PageCover = builder.objectRef<InRevision<PageCoverValue>>("PageCover").implement({
  description: "The cover image of a page.",
  fields: (t) => ({
    ref: t.value(ContentReference, "The file.", ({ file, within }) => ({ kind: "file", file, within }) as const),
    refDark: t.valueOrNull(
      ContentReference,
      "The file for dark mode; null if it is the same.",
      ({ fileDark: file, within }) => (file === undefined ? null : ({ kind: "file", file, within } as const)),
    ),
    file: t.field({
      type: File,
      nullable: true,
      description: "The file; null if the revision no longer has it.",
      resolve: ({ file, within }, _args, context, info) => findFileIn(context, within, file, projectionOf(info)),
    }),
    fileDark: t.field({
      type: File,
      nullable: true,
      description: "The file for dark mode; null if it is the same, or if the revision no longer has it.",
      resolve: ({ fileDark: file, within }, _args, context, info) =>
        file === undefined ? null : findFileIn(context, within, file, projectionOf(info)),
    }),
    yPos: t.exposeFloat("yPos", { nullable: true, description: "Vertical offset in pixels." }),
  }),
});

export const ComputedType = defineEnum("ComputedType", "The kind of a computation.", {
  "builtin:openapi": "From an OpenAPI specification.",
});

const ComputedSpec = builder.objectRef<InRevision<PageComputedValue>>("ComputedSpec").implement({
  description: "The specification from which a page is computed.",
  fields: (t) => ({
    ref: t.value(
      ContentReference,
      "A reference to it.",
      ({ spec, within }) => ({ kind: "openapi", spec, within }) as const,
    ),
  }),
});

const ComputedDependencies = builder.objectRef<InRevision<PageComputedValue>>("ComputedDependencies").implement({
  description: "The sources of a computed page.",
  fields: (t) => ({ spec: t.value(ComputedSpec, "The specification.", (computed) => computed) }),
});

const ComputedProps = builder.objectRef<InRevision<PageComputedValue>>("ComputedProps").implement({
  description: "Settings of a computed page.",
  fields: (t) => ({
    doc: t.exposeString("doc", {
      nullable: true,
      description:
        "The part of the specification to show: `overview`, `servers`, `security`, `webhooks`, `models`, `operations` (those without a tag), `tags/<name>`, " +
        "`operations/<operationId>` or `models/<name>`, each with its subpages; null for the whole specification.",
    }),
  }),
});

export const PageComputed = builder.objectRef<InRevision<PageComputedValue>>("PageComputed").implement({
  description: "The computation of a page. If its source does not exist, the page has no text and no subpages.",
  fields: (t) => ({
    type: t.expose("type", { type: ComputedType, description: "Kind of the computation." }),
    dependencies: t.value(ComputedDependencies, "Sources of the computation.", (computed) => computed),
    props: t.value(ComputedProps, "Settings of the computation.", (computed) => computed),
  }),
});
