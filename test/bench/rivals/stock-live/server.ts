// The stock way to push: Yoga's pub/sub, Pothos with plugin-prisma and graphql-ws, put together as Yoga's documentation
// shows.
import { createServer } from "node:http";
import SchemaBuilder from "@pothos/core";
import PrismaPlugin from "@pothos/plugin-prisma";
import { PrismaPg } from "@prisma/adapter-pg";
import { createPubSub, createYoga } from "graphql-yoga";
import { useServer } from "graphql-ws/use/ws";
import { WebSocketServer } from "ws";

const { PrismaClient } = await import("../stock/generated/queries/client/client.ts");
const { getDatamodel } = await import("../stock/generated/queries/pothos.ts");

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env["DATABASE_URL"], max: 10 }) });
const pubSub = createPubSub<{ commentPosted: [spaceId: string, commentId: string] }>();

// The generated types are made by the run, so this file is not type checked against them.
const builder = new SchemaBuilder<{ Scalars: { DateTime: { Input: Date; Output: Date } }; PrismaTypes: any }>({
  plugins: [PrismaPlugin],
  prisma: { client: prisma, dmmf: getDatamodel(), onUnusedQuery: null },
});

builder.scalarType("DateTime", {
  serialize: (value) => value.toISOString(),
  parseValue: (value) => new Date(String(value)),
});

builder.prismaObject("Comment", {
  fields: (t) => ({
    id: t.exposeID("id"),
    postedAt: t.expose("postedAt", { type: "DateTime" }),
    markdown: t.exposeString("markdown"),
  }),
});

builder.queryType({ fields: (t) => ({ ready: t.boolean({ resolve: () => true }) }) });

builder.mutationType({
  fields: (t) => ({
    createComment: t.prismaField({
      type: "Comment",
      args: {
        id: t.arg.id({ required: true }),
        spaceId: t.arg.id({ required: true }),
        userId: t.arg.id({ required: true }),
        markdown: t.arg.string({ required: true }),
      },
      resolve: async (query, _root, { id, spaceId, userId, markdown }) => {
        const data = { id: String(id), spaceId: String(spaceId), postedById: String(userId), markdown };
        const comment = await prisma.comment.create({ ...query, data });
        pubSub.publish("commentPosted", data.spaceId, data.id);
        return comment;
      },
    }),
  }),
});

builder.subscriptionType({
  fields: (t) => ({
    commentPosted: t.prismaField({
      type: "Comment",
      args: { spaceId: t.arg.id({ required: true }) },
      subscribe: (_root, { spaceId }) => pubSub.subscribe("commentPosted", String(spaceId)) as AsyncIterable<unknown>,
      resolve: (query, id) => prisma.comment.findUniqueOrThrow({ ...query, where: { id: String(id) } }),
    }),
  }),
});

const yoga = createYoga({ schema: builder.toSchema(), graphiql: false, logging: "error" });
const server = createServer((request, response) => void yoga(request, response));
const sockets = new WebSocketServer({ server, path: yoga.graphqlEndpoint });
useServer(
  {
    execute: (args: any) => args.rootValue.execute(args),
    subscribe: (args: any) => args.rootValue.subscribe(args),
    onSubscribe: async (context, _id, params) => {
      const { schema, execute, subscribe, contextFactory, parse, validate } = yoga.getEnveloped({
        ...context,
        req: context.extra.request,
        socket: context.extra.socket,
        params,
      });
      const args = {
        schema,
        operationName: params.operationName,
        document: parse(params.query),
        variableValues: params.variables,
        contextValue: await contextFactory(),
        rootValue: { execute, subscribe },
      };
      const errors = validate(args.schema, args.document);
      return errors.length > 0 ? errors : args;
    },
  },
  sockets,
);
server.listen(Number(process.env["PORT"]), "127.0.0.1");
