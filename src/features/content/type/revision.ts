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

const RevisionType = defineEnum("RevisionType", "How a revision was made.", {
  initial: "The first one of a space.",
  edits: "By edits.",
  merge: "By merging a change request.",
  update: "By updating a change request from the main content, or computed pages from what they are made from.",
  import: "By an import.",
});

const RevisionOrder = defineOrder("Revision", "revisions", { createdAt: "When they were made." });

export const revisionArguments = builder.args((t) => ({
  types: t.field({ type: [RevisionType], description: "Only those made in one of these ways." }),
  authorIds: t.idList({ description: "Only those that one of the users of these ids made." }),
  createdSince: t.field({ type: "DateTime", description: "Only those made at this instant or later." }),
  orderBy: t.field({ type: RevisionOrder, description: "How they are sorted; the newest first when left out." }),
}));

const gitColumns = ["spaceId", "changeRequestId", "treeHash", "filesHash", "reusableContents", "message"] as const;

const RevisionGit = builder.objectRef<Pick<RevisionRow, (typeof gitColumns)[number]>>("RevisionGit").implement({
  description: "A content as Git has it.",
  fields: (t) => ({
    oid: t.string({
      nullable: true,
      description:
        "The hash of the whole content as a tree of Git (SHA-1): each document as `<path>.md`, files and reusable contents in the folder `.docgraph`. " +
        "Null where a file was stored before such hashes were kept.",
      resolve: (revision, _args, context) => contentOid(context, revision),
    }),
    message: t.exposeString("message", {
      nullable: true,
      description: "The message of the revision; null for none, and for those without a role on the space.",
    }),
  }),
});

export const ReusableContent = builder.objectRef<ReusableContentRow>("ReusableContent").implement({
  description: "A text that pages share, as it is in one revision.",
  fields: (t) => ({
    reusableContentId: t.exposeID("reusableContentId", {
      description:
        "Its id, the `id` of /v1: the same in every revision, and in copies of the space. `id` says the revision, too.",
    }),
    title: t.exposeString("title", { description: "Title, 1 to 200 characters." }),
    git: t.field({
      type: GitObject,
      description: "The text as Git has it.",
      resolve: (content, _args, context) => findReusableInGit(context, content),
    }),
    markdown: t.string({
      description: "Its text as Markdown (GitHub's). Loads only when it is selected.",
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
    published: "The published content of the space, where this is it.",
    public: "The published content of the space, where this is it and it is public.",
  },
);

export const Revision = defineNode("Revision", revisions, {
  description: "One state of a content, which never changes.",
  resource: "revision",
  fields: (t) => ({
    type: t.expose("type", { type: RevisionType, description: "How it was made." }),
    parentRevisionIds: t.exposeIDList("parents", {
      description: "Ids of its parents: the revision before it first, then the one that was merged in.",
    }),
    message: t.exposeString("message", {
      nullable: true,
      description: "What its author said of it; null for nothing, and for those without a role on the space.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was made; later than its parents." }),
    spaceId: t.exposeID("spaceId", { description: "Id of its space." }),
    changeRequestId: t.exposeID("changeRequestId", {
      nullable: true,
      description: "Id of the change request in which it was made; null for the main content.",
    }),
    variables: t.value(
      [Variable],
      "Values that texts of all its pages refer to, by name.",
      ["variables"],
      ({ variables }) => variablesIn(variables),
    ),
    reusableContents: t.value(
      [ReusableContent],
      "Texts that its pages share, in the order in which they were created.",
      ["reusableContents"],
      (revision) => listReusableContents(revision),
    ),
    git: t.valueOrNull(RevisionGit, "The content as Git has it.", gitColumns, (revision) => revision),
    urls: t.field({
      type: RevisionUrls,
      description: "Links.",
      args: {
        shareKey: t.arg.string({
          description: "Secret key of the link, which the address of a share-link space carries.",
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
