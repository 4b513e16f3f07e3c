// The GraphQL type Revision.
import { readText } from "#src/features/content/reads/page-texts.ts";
import {
  findReusableContentById,
  listReusableContents,
  type ReusableContentRow,
  type RevisionRow,
  revisions,
} from "#src/features/content/reads/revisions.ts";
import { contentOid, findReusableInGit } from "#src/features/content/reads/git.ts";
import { GitObject } from "#src/features/content/type/file.ts";
import { Variable, variablesIn } from "#src/features/content/type/page-parts.ts";
import { publishedUrls } from "#src/features/spaces/type.ts";
import { defineLinks } from "#src/graph/schema/flag-types.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode, idInRevision, makeNode } from "#src/graph/schema/nodes.ts";
import { defineOrder } from "#src/graph/schema/orders.ts";
import { columnsOf } from "#src/graph/run/selection.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

const RevisionType = defineEnum("RevisionType", "The origin of a revision.", {
  initial: "The first revision of a space.",
  edits: "Edits.",
  merge: "The merge of a change request.",
  update: "An update of a change request from the main content, or of computed pages from their source.",
  import: "An import.",
});

const RevisionOrder = defineOrder("Revision", "revisions", { createdAt: "By time of creation." });

export const revisionArguments = builder.args((t) => ({
  types: t.field({ type: [RevisionType], description: "Only revisions of these types." }),
  authorIds: t.idList({ description: "Only revisions by these users." }),
  createdSince: t.field({ type: "DateTime", description: "Only revisions created at or after this time." }),
  orderBy: t.field({ type: RevisionOrder, description: "Sort order; newest first by default." }),
}));

const gitColumns = ["spaceId", "changeRequestId", "treeHash", "filesHash", "reusableContents", "message"] as const;

const RevisionGit = builder.objectRef<Pick<RevisionRow, (typeof gitColumns)[number]>>("RevisionGit").implement({
  description: "The Git tree of a content.",
  fields: (t) => ({
    oid: t.string({
      nullable: true,
      description:
        "SHA-1 hash of the whole content as a Git tree: each document as `<path>.md`, files and reusable contents in the folder `.docgraph`. " +
        "Null if a file is older than the support of Git hashes.",
      resolve: (revision, _args, context) => contentOid(context, revision),
    }),
    message: t.exposeString("message", {
      nullable: true,
      description: "Message of the revision; null if it has none, and for viewers without a role on the space.",
    }),
  }),
});

export const ReusableContent = builder.objectRef<ReusableContentRow>("ReusableContent").implement({
  description: "A reusable content in one revision: a text that pages can include.",
  fields: (t) => ({
    reusableContentId: t.exposeID("reusableContentId", {
      description:
        "Its id, the `id` in /v1: the same in every revision, and in copies of the space. `id` also names the revision.",
    }),
    title: t.exposeString("title", { description: "Title, 1 to 200 characters." }),
    git: t.field({
      type: GitObject,
      description: "The Git object of the text.",
      resolve: (content, _args, context) => findReusableInGit(context, content),
    }),
    markdown: t.string({
      description: "Text as GitHub Flavored Markdown. Loaded only if selected.",
      resolve: async ({ documentHash }, _args, context) =>
        context.reader.handOut(await readText(context, documentHash)),
    }),
  }),
});

makeNode(ReusableContent, findReusableContentById, idInRevision("reusableContentId"));

const RevisionUrls = defineLinks(
  "RevisionUrls",
  "Links of a revision.",
  { app: "The content of the revision in the application." },
  {
    published: "The published content of the space; null unless this is its current revision.",
    public: "The published content of the space; null unless this is its current revision and the space is public.",
  },
);

export const Revision = defineNode("Revision", revisions, {
  description: "An immutable state of a content.",
  resource: "revision",
  fields: (t) => ({
    type: t.expose("type", { type: RevisionType, description: "Origin." }),
    parentRevisionIds: t.exposeIDList("parents", {
      description: "Ids of its parents: the previous revision, then the merged one, if any.",
    }),
    message: t.exposeString("message", {
      nullable: true,
      description: "Message by the author; null if it has none, and for viewers without a role on the space.",
    }),
    createdAt: t.expose("createdAt", {
      type: "DateTime",
      description: "Time of creation; later than that of its parents.",
    }),
    spaceId: t.exposeID("spaceId", { description: "Id of its space." }),
    changeRequestId: t.exposeID("changeRequestId", {
      nullable: true,
      description: "Id of the change request in which it was created; null for the main content.",
    }),
    variables: t.value([Variable], "Variables for the texts of all pages, by name.", ["variables"], ({ variables }) =>
      variablesIn(variables),
    ),
    reusableContents: t.value(
      [ReusableContent],
      "Reusable contents, in the order of their creation.",
      ["reusableContents"],
      (revision) => listReusableContents(revision),
    ),
    git: t.valueOrNull(RevisionGit, "The Git tree of the content.", gitColumns, (revision) => revision),
    urls: t.field({
      type: RevisionUrls,
      description: "Links.",
      args: {
        shareKey: t.arg.string({
          description: "Secret key of the share link of the space, from its URL.",
        }),
      },
      select: columnsOf(["spaceId", "publishedAs", "shareKey"]),
      resolve: ({ id, spaceId, publishedAs, shareKey }, given, { links }) => {
        const key = shareKey !== null && given.shareKey === shareKey ? shareKey : null;
        const published = publishedUrls({ id: spaceId, visibility: publishedAs, key }, links);
        return { app: links.app(`spaces/${spaceId}/revisions/${id}`, id), ...published };
      },
    }),
  }),
});
