// The stock stack: Pothos with plugin-prisma, written as its documentation shows, with related connections.
import SchemaBuilder from "@pothos/core";
import PrismaPlugin from "@pothos/plugin-prisma";
import RelayPlugin from "@pothos/plugin-relay";
import { PrismaPg } from "@prisma/adapter-pg";

const variant = process.env["STOCK_VARIANT"] === "joins" ? "joins" : "queries";
const { PrismaClient } = await import(`./generated/${variant}/client/client.ts`);
const { getDatamodel } = await import(`./generated/${variant}/pothos.ts`);

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env["DATABASE_URL"], max: 10 }) });

// The generated types differ by variant and are made by the run, so this file is not type checked against them.
const builder = new SchemaBuilder<{ Scalars: { DateTime: { Input: Date; Output: Date } }; PrismaTypes: any }>({
  plugins: [PrismaPlugin, RelayPlugin],
  relay: { clientMutationId: "omit", cursorType: "String", nodesOnConnection: true },
  prisma: { client: prisma, dmmf: getDatamodel(), onUnusedQuery: null },
});

builder.scalarType("DateTime", {
  serialize: (value) => value.toISOString(),
  parseValue: (value) => new Date(String(value)),
});

const enumeration = (name: string, values: string[]) =>
  builder.enumType(name, { values: Object.fromEntries(values.map((value) => [value.toUpperCase(), { value }])) });
const SpaceVisibility = enumeration("SpaceVisibility", [
  "public",
  "unlisted",
  "share_link",
  "visitor_auth",
  "in_collection",
  "private",
]);
const ChangeRequestStatus = enumeration("ChangeRequestStatus", ["draft", "open", "archived", "merged"]);
const CommentStatus = enumeration("CommentStatus", ["open", "resolved"]);

builder.prismaObject("Comment", {
  fields: (t) => ({
    id: t.exposeID("id"),
    postedAt: t.expose("postedAt", { type: "DateTime" }),
    status: t.expose("status", { type: CommentStatus }),
    markdown: t.exposeString("markdown"),
  }),
});

builder.prismaObject("ChangeRequest", {
  fields: (t) => ({
    id: t.exposeID("id"),
    number: t.exposeInt("number"),
    subject: t.exposeString("subject"),
    status: t.expose("status", { type: ChangeRequestStatus }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    comments: t.relatedConnection("comments", {
      cursor: "id",
      query: { orderBy: [{ postedAt: "desc" }, { id: "desc" }] },
    }),
  }),
});

builder.prismaObject("Space", {
  fields: (t) => ({
    id: t.exposeID("id"),
    title: t.exposeString("title"),
    emoji: t.exposeString("emoji"),
    visibility: t.expose("visibility", { type: SpaceVisibility }),
    commentCount: t.relationCount("comments", { where: { changeRequestId: null, status: "open" } }),
    changeRequestCount: t.relationCount("changeRequests"),
    openChangeRequestCount: t.relationCount("changeRequests", { where: { status: "open" } }),
    draftChangeRequestCount: t.relationCount("changeRequests", { where: { status: "draft" } }),
    changeRequests: t.relatedConnection("changeRequests", {
      cursor: "id",
      args: { statuses: t.arg({ type: [ChangeRequestStatus] }) },
      query: ({ statuses }) => ({
        ...(statuses && { where: { status: { in: statuses } } }),
        orderBy: { number: "desc" },
      }),
    }),
  }),
});

builder.prismaObject("Organization", {
  fields: (t) => ({
    id: t.exposeID("id"),
    title: t.exposeString("title"),
    spaces: t.relatedConnection("spaces", {
      cursor: "id",
      query: { where: { deletedAt: null }, orderBy: { id: "asc" } },
    }),
  }),
});

builder.queryType({
  fields: (t) => ({
    organization: t.prismaField({
      type: "Organization",
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (query, _root, { id }) => prisma.organization.findUnique({ ...query, where: { id: String(id) } }),
    }),
    space: t.prismaField({
      type: "Space",
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (query, _root, { id }) =>
        prisma.space.findUnique({ ...query, where: { id: String(id), deletedAt: null } }),
    }),
    changeRequest: t.prismaField({
      type: "ChangeRequest",
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (query, _root, { id }) => prisma.changeRequest.findUnique({ ...query, where: { id: String(id) } }),
    }),
  }),
});

export const schema = builder.toSchema();
