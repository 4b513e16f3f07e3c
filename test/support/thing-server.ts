// A server with a small schema of things, whose mutation returns its input, and their /v1 routes.
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSchema, type GraphQLScalarType, type GraphQLSchema } from "graphql";
import { DomainError } from "#src/base/errors.ts";
import { Budget, operationAllowance } from "#src/db/connection/budget.ts";
import { TimeLimit } from "#src/db/connection/time-limit.ts";
import type { Context } from "#src/domain/context.ts";
import { createExecutor } from "#src/graph/run/execute.ts";
import { createRest } from "#src/rest/rest.ts";
import { defineRoutes, type RouteRow } from "#src/rest/route.ts";
import { openExchange, type Exchange } from "#src/http/exchange.ts";
import { createRestHandler } from "#src/server/http/rest.ts";

/** The error that resolvers throw, if set. */
export const failing: { by: DomainError | null } = { by: null };

function testSchema(): GraphQLSchema {
  const schema = buildSchema(`
    scalar Instant
    enum Mood { VERY_GLAD SAD }
    input Place { name: String!, floor: Int, beside: Place }
    input Position @oneOf { before: Place, after: Place }
    input Share { who: String!, mood: Mood! }
    input SaveInput {
      thingId: ID!, title: String, owner: ID, mood: Mood, ready: Boolean, count: Int, weight: Float, names: [String!]
      position: Position, shares: [Share!], since: Instant, size: Size
    }
    input Size { width: Int }
    type Saved { seen: String! }
    type Query { thing(id: ID!): Saved }
    type Mutation { save(input: SaveInput!): Saved! remove(id: ID!): ID name(input: SaveInput!): Saved! }
  `);
  const instant = schema.getType("Instant") as GraphQLScalarType; // it is defined above
  instant.parseValue = (value) => {
    if (value === "now") return value;
    throw new Error("must be now.");
  };
  Object.assign(schema.getType("Mood") ?? {}, {
    extensions: { restValues: { VERY_GLAD: "very-glad", SAD: "sad" }, restNull: true },
  });
  const { save, name, remove } = schema.getMutationType()?.getFields() ?? {};
  for (const field of [save, name]) {
    if (!field) continue;
    field.resolve = (_root, { input }) => {
      if (failing.by) throw failing.by;
      return { seen: JSON.stringify(input) };
    };
  }
  if (remove) remove.resolve = (_root, { id }) => (id === "there" ? id : null);
  return schema;
}

const saveThing: RouteRow = {
  request: "POST /v1/things/{thingId}",
  summary: "Save a thing",
  conflict: "Somebody else has saved it.",
  query: { ready: "Whether it is ready." },
  body: {
    title: "Its title.",
    owner_: "Its owner.",
    mood: "Its mood.",
    count: { description: "How many.", notNull: true },
    weight: "How heavy.",
    names: "Its names.",
    position: "Where.",
    shares: { description: "Who shares it.", key: "who" },
    since: "Since when.",
    width: "How wide.",
  },
  answer: ["save"],
  document: `mutation SaveThing(
    $thingId: ID!, $ready: Boolean, $title: String, $owner_: ID, $mood: Mood, $count: Int, $weight: Float, $names: [String!],
    $position: Position, $shares: [Share!], $since: Instant, $width: Int
  ) { save(input: {
    thingId: $thingId, ready: $ready, title: $title, owner: $owner_, mood: $mood, count: $count, weight: $weight, names: $names,
    position: $position, shares: $shares, since: $since, size: { width: $width }
  }) { seen } }`,
};

export const nameThing = {
  request: "PUT /v1/things/{thingId}/name",
  summary: "Name a thing",
  body: { title: "Its title." },
  success: 201,
  answer: ["name"],
  document: `mutation NameThing($thingId: ID!, $title: String!) { name(input: { thingId: $thingId, title: $title }) { seen } }`,
} satisfies RouteRow;

const touchThing: RouteRow = {
  ...nameThing,
  request: "PATCH /v1/things/{thingId}/touch",
  success: 204,
  document: nameThing.document.replace("String!", "String"),
};

const deleteThing: RouteRow = {
  request: "DELETE /v1/things/{id}",
  summary: "Delete a thing",
  answer: ["remove"],
  document: "mutation DeleteThing($id: ID!) { remove(id: $id) }",
};

/** The tag of all of them in the description. */
export const thingTag = { name: "things", description: "Things." };

export const thingRoutes = defineRoutes(() => thingTag, { saveThing, nameThing, touchThing, deleteThing });
export const thingExecutor = createExecutor(testSchema());

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

interface Received {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
  readonly error: { code: number; message: string; details?: { path: string; message: string }[] };
  /** The input of the mutation. */
  readonly seen: unknown;
}

export interface ThingServer {
  readonly url: string;
  /**
   * Sends raw bytes on a keep-alive connection, to `POST /v1/things/1` by default. Several chunks are sent
   * without a length.
   */
  send(chunks: readonly (string | Buffer)[], options?: Sent): Promise<Received>;
  sendJson(value: unknown, options?: Sent): Promise<Received>;
  /** The number of connections made. */
  connections(): number;
  close(): void;
}

async function contextOfThings({ request: { headers } }: Exchange): Promise<Context> {
  if (headers.authorization === "none") throw new DomainError("UNAUTHENTICATED");
  const viewer = {};
  const reader = { budget: new Budget(operationAllowance), readFor: () => {} };
  const limit = new TimeLimit(Infinity);
  // The resolvers above and the executor use nothing else.
  return { viewer, viewers: { renew: async () => viewer }, reader, limit } as unknown as Context;
}

/** Starts a server of the routes. It refuses the Authorization `none`. */
export async function serveThings(): Promise<ThingServer> {
  const rest = createRestHandler(createRest(thingExecutor, thingRoutes), {
    ofRequest: contextOfThings,
    ofAnyone: contextOfThings,
  });
  const server = createServer((req, res) => {
    rest(openExchange(req, res)).catch((error: unknown) => res.destroy(error instanceof Error ? error : undefined));
  });
  let connections = 0;
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a path
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  const send: ThingServer["send"] = (chunks, { method = "POST", path = "/v1/things/1", headers } = {}) =>
    new Promise((resolve, reject) => {
      const type = chunks.length > 0 ? { "content-type": "application/json" } : {};
      const options = { agent, port, host: "127.0.0.1", method, path, headers: { ...type, ...headers } };
      const sent = request(options, (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk: string) => (text += chunk));
        answer.on("end", () => resolve(received(answer.statusCode ?? 0, answer.headers, text)));
      });
      sent.on("error", reject);
      for (const chunk of chunks.slice(0, -1)) sent.write(chunk);
      sent.end(chunks.at(-1));
    });

  return {
    url: `http://127.0.0.1:${port}`,
    send,
    sendJson: (value, options) => send([JSON.stringify(value)], options),
    connections: () => connections,
    close() {
      agent.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}

function received(status: number, headers: Received["headers"], text: string): Received {
  const body = (text === "" ? {} : JSON.parse(text)) as { error?: Received["error"]; seen?: string };
  const { error = { code: 0, message: "" }, seen } = body;
  return { status, headers, text, error, seen: seen === undefined ? undefined : JSON.parse(seen) };
}
