// GraphQL on sockets (the graphql-transport-ws protocol, kept by graphql-ws): the token comes in `connection_init`; queries and mutations run on the
// one executor; subscriptions are streams of the hub, which writes their messages past the protocol library, each text made once for all.
import type { Duplex } from "node:stream";
import { GraphQLError } from "graphql";
import { makeServer } from "graphql-ws";
import type { WebSocket } from "ws";
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { type Executor, isOperation, type Operation, type Variables } from "#src/graph/execute.ts";
import type { Hub } from "#src/server/live/hub.ts";
import { SocketStream } from "#src/server/live/socket-stream.ts";

interface Options {
  readonly executor: Executor;
  readonly hub: Hub;
  /** The context of one operation, by an Authorization value. Throws UNAUTHENTICATED. */
  readonly contextOf: (authorization: string | undefined) => Promise<Context>;
  readonly limits?: Partial<SocketLimits> | undefined;
}

export interface SocketLimits {
  /** Streams open at once on one socket. */
  readonly streams: number;
  /** Sockets open at once with one token. */
  readonly socketsPerToken: number;
}

const defaultLimits: SocketLimits = { streams: 100, socketsPerToken: 1000 };

/** What an operation carries from `onSubscribe` to its run. */
interface Prepared {
  readonly id: string;
  readonly operation: Operation;
  readonly variables: Variables;
  readonly context: Context;
}

interface Extra {
  readonly socket: WebSocket;
  readonly connection: Duplex;
  tokenId: string | undefined;
  streams: number;
}

interface Parameters extends Record<string, unknown> {
  readonly Authorization?: unknown;
  readonly authorization?: unknown;
  readonly token?: unknown;
}

/** One socket in the hands of whoever holds the connection. */
export interface GraphqlSocket {
  /** Whether it has given a valid token. */
  readonly isKnown: () => boolean;
  /** Takes one message. */
  readonly receive: (text: string) => Promise<void>;
  readonly closed: (code: number, reason: string) => void;
}

export interface GraphqlSockets {
  /** `connection` is what the socket writes to. */
  open(socket: WebSocket, connection: Duplex): GraphqlSocket;
}

/** Closes by the protocol: 4400 no message of it, 4401 no token yet, 4403 a bad one, 4406 another protocol, 4408 silence for 3 s, 4409 an id twice, 4429 a second init or too many sockets. */
export function createGraphqlSockets({ executor, hub, contextOf, limits = {} }: Options): GraphqlSockets {
  const { streams, socketsPerToken } = { ...defaultLimits, ...limits };
  const prepared = new WeakMap<object, Prepared>();
  const perToken = new Map<string, number>();

  const protocol = makeServer<Parameters, Extra>({
    async onConnect({ connectionParams, extra }) {
      try {
        const { viewer } = await contextOf(authorizationOf(connectionParams));
        if (extra.socket.readyState !== extra.socket.OPEN) return false; // it closed meanwhile, and its end has been counted
        const others = perToken.get(viewer.tokenId) ?? 0;
        if (others >= socketsPerToken) {
          extra.socket.close(4429, `At most ${socketsPerToken} sockets with one token`);
          return false;
        }
        extra.tokenId = viewer.tokenId;
        perToken.set(viewer.tokenId, others + 1);
        return true;
      } catch (error) {
        if (error instanceof DomainError) return false; // closes with 4403
        throw error;
      }
    },
    async onSubscribe({ connectionParams, extra }, id, payload) {
      const operation = executor.prepare(payload.query, payload.operationName);
      if (!isOperation(operation)) return operation;
      try {
        if (operation.kind === "subscription" && extra.streams >= streams)
          throw new DomainError("RATE_LIMITED", `At most ${streams} subscriptions are open on one socket at once.`);
        // Asked anew for each operation: the token or the memberships may have changed since the socket opened.
        const context = await contextOf(authorizationOf(connectionParams));
        const args = {
          schema: executor.schema,
          document: operation.document,
          operationName: payload.operationName ?? null,
          contextValue: extra,
        };
        prepared.set(args, { id, operation, variables: payload.variables ?? {}, context });
        return args;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        return [new GraphQLError(error.message, { extensions: { code: error.code } })];
      }
    },
    execute(args) {
      const { operation, context, variables } = readyOf(args);
      return operation.run(context, variables);
    },
    async subscribe(args) {
      const { id, operation, context, variables } = readyOf(args);
      const extra = args.contextValue as Extra; // put there by onSubscribe
      const stream = new SocketStream(extra.socket, extra.connection, id);
      const opened = await hub.open({ operation, variables }, context, stream);
      if ("refusal" in opened) return { errors: opened.refusal };
      extra.streams++;
      return stream.results(() => {
        extra.streams--;
        opened.close();
      });
    },
  });

  function readyOf(args: object): Prepared {
    const ready = prepared.get(args);
    if (!ready) throw new Error("An operation came to run without onSubscribe");
    return ready;
  }

  return {
    open(socket, connection) {
      const extra: Extra = { socket, connection, tokenId: undefined, streams: 0 };
      let receive: (text: string) => Promise<void> = () => Promise.resolve();
      const closed = protocol.opened(
        {
          protocol: socket.protocol,
          send: (text) => {
            if (socket.readyState === socket.OPEN) socket.send(text);
          },
          close: (code, reason) => socket.close(code, reason),
          onMessage: (listener) => {
            receive = listener;
          },
        },
        extra,
      );
      return {
        isKnown: () => extra.tokenId !== undefined,
        receive: (text) => receive(text),
        closed(code, reason) {
          const { tokenId } = extra;
          if (tokenId !== undefined) {
            const left = (perToken.get(tokenId) ?? 1) - 1;
            if (left > 0) perToken.set(tokenId, left);
            else perToken.delete(tokenId);
          }
          void closed(code, reason);
        },
      };
    },
  };
}

function authorizationOf(parameters: Parameters | undefined): string | undefined {
  const value = parameters?.Authorization ?? parameters?.authorization;
  if (typeof value === "string") return value;
  return typeof parameters?.token === "string" ? `Bearer ${parameters.token}` : undefined;
}
