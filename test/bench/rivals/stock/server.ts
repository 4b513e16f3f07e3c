// Serves the stock schema with GraphQL Yoga on node:http, in production settings.
import { createServer } from "node:http";
import { createYoga } from "graphql-yoga";
import { schema } from "./schema.ts";

const yoga = createYoga({ schema, graphiql: false, logging: "error" });
createServer((request, response) => void yoga(request, response)).listen(Number(process.env["PORT"]), "127.0.0.1");
