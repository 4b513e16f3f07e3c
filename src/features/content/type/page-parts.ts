// The parts of the GraphQL type Page: what it is, its variables and layout, its cover, and what it refers to and is
// computed from.
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

export const ReferenceKind = defineEnum("ReferenceKind", "What a reference leads to.", {
  file: "A file of the content.",
  page: "A page of the content, or of the space that is named with it.",
  url: "An address.",
  anchor: "A place on a page.",
  space: "A space.",
  user: "A user.",
  collection: "A collection.",
  openapi: "An OpenAPI specification.",
});

export interface ReferenceInRevision extends ContentReferenceValue {
  readonly within: PagesRevision;
}

const aboutNull = (what: string, it: string) =>
  `${what}; null for other kinds, and where the viewer may not see ${it}.`;

export const ContentReference = builder.objectRef<ReferenceInRevision>("ContentReference").implement({
  description: "A reference to any kind of content, with what its kind needs; everything else is null.",
  fields: (t) => ({
    kind: t.expose("kind", { type: ReferenceKind, description: "What it leads to." }),
    fileId: t.exposeID("file", { nullable: true, description: "Id of the file." }),
    pageId: t.exposeID("page", { nullable: true, description: "Id of the page, that of the anchor included." }),
    url: t.exposeString("url", { nullable: true, description: "The address." }),
    anchor: t.exposeString("anchor", { nullable: true, description: "The place on the page." }),
    spaceId: t.exposeID("space", {
      nullable: true,
      description: "Id of the space; with a page, that of the page where it is not this one.",
    }),
    userId: t.exposeID("user", { nullable: true, description: "Id of the user." }),
    collectionId: t.exposeID("collection", { nullable: true, description: "Id of the collection." }),
    file: t.field({
      type: File,
      nullable: true,
      description: "The file, as the same revision has it; null where that has none of the id, and for other kinds.",
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
  description: "A value that texts refer to by its name.",
  extensions: { restEntries: { key: "name", value: "value" } } satisfies RestEntriesExtensions,
  fields: (t) => ({
    name: t.exposeString("name", { description: "Its name." }),
    value: t.exposeString("value", { description: "Its value." }),
  }),
});

/** Variables by their names, sorted by them. */
export function variablesIn(values: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(values)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => ({ name, value }));
}

export const PageType = defineEnum("PageType", "What a page is.", {
  document: "A text.",
  group: "A heading for the pages below it.",
  link: "An entry that leads elsewhere.",
  computed:
    "Made from something else, such as an OpenAPI specification, with the pages below it: its text and they follow that, and are not edited.",
});

export const PageWidth = defineEnum("PageWidth", "How wide a page is shown.", {
  default: "As wide as is good for reading.",
  wide: "As wide as there is room.",
});

export const PageCoverSize = defineEnum("PageCoverSize", "How a cover is shown.", {
  hero: "Above the text, as wide as it.",
  full: "Above the text, as wide as the page.",
  background: "Behind the page.",
});

const whether = (what: string) => ({ nullable: true, description: `Whether ${what}` }) as const;

export const PageLayout = builder.objectRef<PageLayoutValue>("PageLayout").implement({
  description: "How a page is laid out. What is null is as its site has it.",
  fields: (t) => ({
    width: t.expose("width", { type: PageWidth, nullable: true, description: "How wide it is shown." }),
    cover: t.exposeBoolean("cover", whether("its cover is shown.")),
    coverSize: t.expose("coverSize", { type: PageCoverSize, nullable: true, description: "How its cover is shown." }),
    title: t.exposeBoolean("title", whether("its title is shown.")),
    description: t.exposeBoolean("description", whether("its description is shown.")),
    tableOfContents: t.exposeBoolean("tableOfContents", whether("the pages around it are shown beside it.")),
    outline: t.exposeBoolean("outline", whether("its headings are shown beside it.")),
    pagination: t.exposeBoolean("pagination", whether("links to the pages before and after it are shown.")),
    metadata: t.exposeBoolean("metadata", whether("the time of the last change is shown.")),
  }),
});

export const PageUrls = defineLinks("PageUrls", "Links of a page.", { app: "The page in the application." });

type InRevision<Part> = Part & { readonly within: PagesRevision };

export const PageCover = builder.objectRef<InRevision<PageCoverValue>>("PageCover").implement({
  description: "The picture of a page.",
  fields: (t) => ({
    ref: t.value(ContentReference, "The file.", ({ file, within }) => ({ kind: "file", file, within }) as const),
    refDark: t.valueOrNull(
      ContentReference,
      "The file where colours are dark; null for the same one.",
      ({ fileDark: file, within }) => (file === undefined ? null : ({ kind: "file", file, within } as const)),
    ),
    file: t.field({
      type: File,
      nullable: true,
      description: "The file itself; null where the revision no longer has it.",
      resolve: ({ file, within }, _args, context, info) => findFileIn(context, within, file, projectionOf(info)),
    }),
    fileDark: t.field({
      type: File,
      nullable: true,
      description:
        "The file where colours are dark itself; null for the same one, and where the revision no longer has it.",
      resolve: ({ fileDark: file, within }, _args, context, info) =>
        file === undefined ? null : findFileIn(context, within, file, projectionOf(info)),
    }),
    yPos: t.exposeFloat("yPos", { nullable: true, description: "How far it is moved down, in pixels." }),
  }),
});

export const ComputedType = defineEnum("ComputedType", "How a page is computed.", {
  "builtin:openapi": "From an OpenAPI specification.",
});

const ComputedSpec = builder.objectRef<InRevision<PageComputedValue>>("ComputedSpec").implement({
  description: "The specification that a page is computed from.",
  fields: (t) => ({
    ref: t.value(
      ContentReference,
      "A reference to it.",
      ({ spec, within }) => ({ kind: "openapi", spec, within }) as const,
    ),
  }),
});

const ComputedDependencies = builder.objectRef<InRevision<PageComputedValue>>("ComputedDependencies").implement({
  description: "What a page is computed from.",
  fields: (t) => ({ spec: t.value(ComputedSpec, "The specification.", (computed) => computed) }),
});

const ComputedProps = builder.objectRef<InRevision<PageComputedValue>>("ComputedProps").implement({
  description: "Settings of a computed page.",
  fields: (t) => ({
    doc: t.exposeString("doc", {
      nullable: true,
      description:
        "The part of the specification to show: `overview`, `servers`, `security`, `webhooks`, `models`, `operations` (those without a tag), `tags/<name>`, " +
        "`operations/<operationId>` or `models/<name>`, each with what is below it; null for all of it.",
    }),
  }),
});

export const PageComputed = builder.objectRef<InRevision<PageComputedValue>>("PageComputed").implement({
  description:
    "How a page is computed, and from what. Its text is empty, and nothing is below it, where that is not there.",
  fields: (t) => ({
    type: t.expose("type", { type: ComputedType, description: "How it is computed." }),
    dependencies: t.value(ComputedDependencies, "What it is computed from.", (computed) => computed),
    props: t.value(ComputedProps, "The settings of the computation.", (computed) => computed),
  }),
});
