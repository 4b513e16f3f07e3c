// The GraphQL type Revision.
import { want } from "#src/db/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { readText } from "#src/features/content/reads/pages.ts";
import {
  findRevision,
  listReusableContents,
  type ReusableContentRow,
  type RevisionRow,
} from "#src/features/content/reads/revisions.ts";
import { Variable, variablesIn } from "#src/features/content/type/variable.ts";
import { findSpace } from "#src/features/spaces/reads.ts";
import { type GitSyncShape, publishedUrls } from "#src/features/spaces/type.ts";
import type { RevisionType as RevisionTypeValue } from "#src/generated/prisma/enums.ts";
import { builder, Node, Resource } from "#src/graph/builder.ts";
import { connectionOf } from "#src/graph/connections.ts";
import { findNodesBy } from "#src/graph/nodes.ts";
import { defineEnum } from "#src/graph/scalars.ts";

const RevisionType = defineEnum<RevisionTypeValue>("RevisionType", "How a revision came to be.", {
  initial: "The first one of a space.",
  edits: "By edits.",
  merge: "By merging a change request.",
  update: "By updating a change request from the main content.",
  import: "By an import.",
});

const RevisionGit = builder.objectRef<{ url: string }>("RevisionGit").implement({
  description: "Where a content is synchronised with a repository.",
  fields: (t) => ({ url: t.exposeString("url", { description: "Address of the repository." }) }),
});

async function findGit(context: Context, { spaceId, changeRequestId }: RevisionRow): Promise<{ url: string } | null> {
  if (changeRequestId !== null) return null;
  const space = await findSpace(context, spaceId, want(["gitSync"]));
  const { url } = (space?.gitSync ?? {}) as GitSyncShape; // written only in this form
  return url === undefined ? null : { url };
}

export const ReusableContent = builder.objectRef<ReusableContentRow>("ReusableContent").implement({
  description: "A text that pages share, as it is in one revision.",
  fields: (t) => ({
    reusableContentId: t.exposeID("reusableContentId", {
      description: "Its id, the `id` of /v1: the same in every revision, and in copies of the space.",
    }),
    title: t.exposeString("title", { description: "Title, 1 to 200 characters." }),
    markdown: t.string({
      description: "Its text as Markdown (GitHub's). Loads only when it is selected.",
      resolve: ({ documentHash }, _args, context) => readText(context, documentHash),
    }),
  }),
});

const RevisionUrls = builder
  .objectRef<{ app: string; published: string | null; public: string | null }>("RevisionUrls")
  .implement({
    description: "Links of a revision.",
    fields: (t) => ({
      app: t.exposeString("app", { description: "The content of the revision in the application." }),
      published: t.exposeString("published", {
        nullable: true,
        description: "The published content of the space, where this is it.",
      }),
      public: t.exposeString("public", {
        nullable: true,
        description: "The published content of the space, where this is it and it is public.",
      }),
    }),
  });

export const Revision = builder.objectRef<RevisionRow>("Revision").implement({
  description: "One state of a content, which never changes.",
  interfaces: [Node, Resource],
  fields: (t) => ({
    object: t.string({ description: "Always `revision`.", columns: [], resolve: () => "revision" }),
    type: t.expose("type", { type: RevisionType, description: "How it came to be." }),
    parents: t.exposeIDList("parents", {
      description: "Ids of the revisions that it stands on: the one before it first, then what was merged in.",
    }),
    message: t.exposeString("message", {
      nullable: true,
      description: "What its author said of it; null for nothing, and for those without a role on the space.",
    }),
    createdAt: t.expose("createdAt", {
      type: "DateTime",
      description: "When it was made; later than those it stands on.",
    }),
    spaceId: t.exposeID("spaceId", { description: "Id of its space." }),
    changeRequestId: t.exposeID("changeRequestId", {
      nullable: true,
      description: "Id of the change request in which it was made; null for the main content.",
    }),
    mergedFromId: t.exposeID("mergedFromId", {
      nullable: true,
      description:
        "Id of the change request whose merge made it; null for every other revision, and for those without a role on the space.",
    }),
    variables: t.field({
      type: [Variable],
      description: "Values that texts of all its pages refer to, by name.",
      columns: ["variables"],
      resolve: ({ variables }) => variablesIn(variables),
    }),
    reusableContents: t.field({
      type: [ReusableContent],
      description: "Texts that its pages share, in the order in which they were created.",
      columns: ["reusableContents"],
      resolve: ({ reusableContents }) => listReusableContents(reusableContents),
    }),
    git: t.field({
      type: RevisionGit,
      nullable: true,
      description:
        "Where the main content is synchronised with a repository; null where it is not. Looked up only when it is selected.",
      columns: ["spaceId", "changeRequestId"],
      resolve: (revision, _args, context) => findGit(context, revision),
    }),
    urls: t.field({
      type: RevisionUrls,
      description: "Links.",
      columns: ["id", "spaceId", "publishedAs"],
      resolve: ({ id, spaceId, publishedAs }, _args, { publicUrl }) => ({
        app: `${publicUrl}/app/spaces/${spaceId}/revisions/${id}`,
        ...publishedUrls({ id: spaceId, visibility: publishedAs }, publicUrl),
      }),
    }),
  }),
});

export const RevisionConnection = connectionOf(Revision);

findNodesBy("Revision", findRevision);
