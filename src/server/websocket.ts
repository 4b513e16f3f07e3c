// GraphQL over WebSocket (the graphql-transport-ws protocol) on the same port: the token comes in `connection_init`, operations run on the one executor.
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { GraphQLError } from "graphql";
import { useServer } from "graphql-ws/use/ws";
import { WebSocketServer } from "ws";
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { type Executor, isOperation, type Operation, type Variables } from "#src/graph/execute.ts";
import { bodyLimit } from "#src/base/request-body.ts";
import { pathOf } from "#src/server/exchange.ts";

interface Options {
  readonly executor: Executor;
  /** The context of one operation, by an Authorization value. Throws UNAUTHENTICATED. */
  readonly contextOf: (authorization: string | undefined) => Promise<Context>;
}

/** What an operation carries from `onSubscribe` to `execute`. */
interface Prepared {
  readonly operation: Operation;
  readonly variables: Variables;
  readonly context: Context;
}

/** Serves WebSocket upgrades of `/graphql`. The answer closes all sockets with 1001 (going away). */
export function serveWebSocket(server: Server, { executor, contextOf }: Options): () => Promise<void> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: bodyLimit });
  const prepared = new WeakMap<object, Prepared>();
  const disposable = useServer<{ Authorization?: unknown; authorization?: unknown; token?: unknown }>(
    {
      onConnect: async ({ connectionParams }) => {
        try {
          await contextOf(authorizationOf(connectionParams));
          return true;
        } catch (error) {
          if (error instanceof DomainError) return false; // closes with 4403
          throw error;
        }
      },
      onSubscribe: async ({ connectionParams }, _id, payload) => {
        const operation = executor.prepare(payload.query, payload.operationName);
        if (!isOperation(operation)) return operation;
        try {
          // Asked anew for each operation: the token or the memberships may have changed since the socket opened.
          const context = await contextOf(authorizationOf(connectionParams));
          const args = {
            schema: executor.schema,
            document: operation.document,
            operationName: payload.operationName ?? null,
          };
          prepared.set(args, { operation, variables: payload.variables ?? {}, context });
          return args;
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          return [new GraphQLError(error.message, { extensions: { code: error.code } })];
        }
      },
      execute: (args) => {
        const ready = prepared.get(args);
        if (!ready) throw new Error("An operation came to execute without onSubscribe");
        return ready.operation.run(ready.context, ready.variables);
      },
    },
    sockets,
  );
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (pathOf(request) !== "/graphql") {
      socket.on("error", () => {}); // the caller may be gone before the answer; nobody else listens here
      socket.end("HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => sockets.emit("connection", webSocket, request));
  });
  return async () => {
    await disposable.dispose();
  };
}

function authorizationOf(
  parameters: { Authorization?: unknown; authorization?: unknown; token?: unknown } | undefined,
): string | undefined {
  const value = parameters?.Authorization ?? parameters?.authorization;
  if (typeof value === "string") return value;
  return typeof parameters?.token === "string" ? `Bearer ${parameters.token}` : undefined;
}
