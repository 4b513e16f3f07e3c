// The MCP server over the whole graph, at `/mcp`: for agents with the API token of a user.
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { asking } from "#src/features/agents/http/asking.ts";
import { readingTools } from "#src/features/agents/http/graph-tools.ts";
import { writingTools } from "#src/features/agents/http/writing-tools.ts";
import type { Gateway } from "#src/features/feature.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { mcpHandler } from "#src/http/mcp.ts";
import type { HttpRoute } from "#src/http/route.ts";

const instructions =
  "Documentation that several people write. Spaces contain pages; changes of a space are proposed as change requests, which people review and merge. Start with list_spaces or search_pages. Read a page before you edit it, and send its whole new text.";

export function graphToolsRoute({ executor, contexts, origins, log }: Gateway): HttpRoute {
  return {
    path: "/mcp",
    methods: ["POST"],
    handle: mcpHandler({
      name: "docgraph",
      async open(exchange) {
        // A key names one mutation, and a tool may run several.
        const context = { ...(await contextOf(exchange, contexts)), idempotency: undefined };
        return { of: { ask: asking(executor, context) }, title: "docgraph", instructions };
      },
      tools: [...readingTools, ...writingTools],
      origins,
      log,
    }),
  };
}

/** Requires a token or a session: clients ask their user for a token when the response says how to send it. */
async function contextOf(exchange: Exchange, contexts: Gateway["contexts"]): Promise<Context> {
  try {
    return await contexts.ofRequest(exchange);
  } catch (error) {
    if (error instanceof DomainError && error.code === "UNAUTHENTICATED")
      exchange.response.setHeader("www-authenticate", "Bearer");
    throw error;
  }
}
