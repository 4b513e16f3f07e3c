// The Model Context Protocol over HTTP (Streamable HTTP): tools and resources for agents. Without sessions: each
// request has a server of its own, made for its caller, so that nobody gets the lists of somebody else.
import { STATUS_CODES } from "node:http";
import type { McpServer } from "@modelcontextprotocol/server";
import type { Logger } from "pino";
import type { z } from "zod";
import { DomainError } from "#src/base/errors.ts";
import { answerOf } from "#src/db/connection/database-errors.ts";
import type { Exchange, Handler } from "#src/http/exchange.ts";
import type { Origins } from "#src/http/origins.ts";
import { readBody } from "#src/http/request-body.ts";
import { send, sendEmpty } from "#src/http/send.ts";

/** A tool; `Of` is what its calls run on, made for each request. */
export interface Tool<Of> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Set if it writes. */
  readonly writes?: true;
  /** The texts of the answer. Errors for the caller are DomainErrors. */
  readonly call: (of: Of, input: never) => Promise<readonly string[]>;
}

/** A tool whose calls get the input that its schema describes. */
export function defineTool<Of, Input extends z.ZodObject>(
  tool: Omit<Tool<Of>, "call" | "input"> & {
    readonly input: Input;
    readonly call: (of: Of, input: z.output<Input>) => Promise<readonly string[]>;
  },
): Tool<Of> {
  return tool as Tool<Of>; // the server checks the input against the schema
}

interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly mimeType: string;
}

/** Texts that clients list and read by their addresses. */
export interface Resources<Of> {
  /** The resources from a cursor on, and the cursor of the rest, if any. */
  readonly list: (of: Of, cursor: string | null) => Promise<{ resources: Resource[]; nextCursor?: string }>;
  /** The text of a resource; null if it does not exist. */
  readonly read: (of: Of, uri: string) => Promise<{ readonly mimeType: string; readonly text: string } | null>;
}

/** A server for one caller. */
interface McpPart<Of> {
  readonly of: Of;
  readonly title: string;
  /** What the server is for, and how an agent uses it. */
  readonly instructions: string;
}

interface McpOptions<Of> {
  /** Names the server to clients. */
  readonly name: string;
  /** Throws what a caller without access gets instead; null if it has answered the request. */
  readonly open: (exchange: Exchange) => Promise<McpPart<Of> | null>;
  readonly tools: readonly Tool<Of>[];
  readonly resources?: Resources<Of>;
  readonly origins: Origins;
  readonly log: Logger;
}

/** The SDK is loaded for the first agent: most processes start without one. */
const loadSdk = () => import("@modelcontextprotocol/server");

/** The version of the server that clients see: its tools change without their version. */
const version = "1.0.0";

/** Answers the messages of an agent. Throws FORBIDDEN for pages of other origins, and what `open` throws. */
export function mcpHandler<Of>(options: McpOptions<Of>): Handler {
  const { origins, open } = options;
  return async (exchange) => {
    const { request, response } = exchange;
    if (!origins.isAllowed(request)) throw new DomainError("FORBIDDEN", origins.refuse(request));
    const part = await open(exchange);
    if (!part) return;
    const message = parsed((await readBody(request)).toString("utf8"));
    response.setHeader("cache-control", "no-store");
    if (message === undefined || Array.isArray(message))
      return send(response, 400, "application/json", invalidRequest(message === undefined ? -32_700 : -32_600));
    const answer = await answerTo(message, exchange, serverFor(part, options, exchange));
    if (answer.status === 202) return sendEmpty(response, 202);
    send(response, answer.status, answer.headers.get("content-type") ?? "application/json", await answer.text());
  };
}

/** The message of a body; undefined if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const invalidRequest = (code: -32_700 | -32_600): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: null,
    error: { code, message: `${STATUS_CODES[400]}: send one JSON message.` },
  });

/** Passes the message through a transport of the SDK, which knows the versions of the protocol. */
async function answerTo(message: unknown, { request }: Exchange, making: Promise<McpServer>): Promise<Response> {
  const { WebStandardStreamableHTTPServerTransport } = await loadSdk();
  const server = await making;
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const headers = new Headers({
    accept: "application/json, text/event-stream", // of which a client need not accept the second: nothing is streamed
    "content-type": request.headers["content-type"] ?? "",
  });
  const protocol = request.headers["mcp-protocol-version"];
  if (typeof protocol === "string") headers.set("mcp-protocol-version", protocol);
  try {
    await server.connect(transport);
    const sent = new Request("http://localhost/", { method: "POST", headers });
    return await transport.handleRequest(sent, { parsedBody: message });
  } finally {
    await server.close();
  }
}

async function serverFor<Of>(part: McpPart<Of>, options: McpOptions<Of>, exchange: Exchange): Promise<McpServer> {
  const { McpServer } = await loadSdk();
  const { name, tools, resources } = options;
  const capabilities = { tools: { listChanged: false }, ...(resources && { resources: {} }) };
  const { title, instructions } = part;
  const server = new McpServer({ name, title, version }, { capabilities, instructions });
  for (const tool of tools) {
    const { title: of, description, input: inputSchema, writes = false } = tool;
    const annotations = { readOnlyHint: !writes, destructiveHint: false, openWorldHint: false };
    server.registerTool(tool.name, { title: of, description, inputSchema, annotations }, async (input) => {
      exchange.operationName = tool.name;
      const texts = await publicErrors(options.log, exchange, () => tool.call(part.of, input as never));
      return { content: texts.map((text) => ({ type: "text" as const, text })) };
    });
  }
  if (resources) await addResources(server, resources, part.of, (work) => publicErrors(options.log, exchange, work));
  return server;
}

type Guard = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Lists by pages, which the SDK does only for handlers of one's own. */
async function addResources<Of>(server: McpServer, resources: Resources<Of>, of: Of, guard: Guard): Promise<void> {
  const { ResourceNotFoundError } = await loadSdk();
  server.server.setRequestHandler("resources/list", ({ params }) =>
    guard(() => resources.list(of, params?.cursor ?? null)),
  );
  server.server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const found = await guard(() => resources.read(of, uri));
    if (!found) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, ...found }] };
  });
}

/** Messages of errors reach the client: only those for callers may, and others are logged. */
async function publicErrors<Result>(
  log: Logger,
  { requestId }: Exchange,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const answer = answerOf(error, log);
    if (answer) throw new Error(`${answer.code}: ${answer.message}`, { cause: answer });
    log.error({ err: error, requestId }, "Unexpected error in a tool");
    throw new Error(`INTERNAL: An internal error occurred; it was logged under the request id ${requestId}.`, {
      cause: error,
    });
  }
}
