// GraphQL on WebSockets (the graphql-transport-ws protocol, by graphql-ws): the token comes in `connection_init`, or
// the cookie of a session with the upgrade; queries and mutations run on the one executor; subscriptions are streams of
// the subscription broker.
import { type ExecutionResult, GraphQLError } from "graphql";
import { type Context as ProtocolContext, makeServer, type Server, type SubscribePayload as Request } from "graphql-ws";
import type { Logger } from "pino";
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { callerOf } from "#src/domain/cost.ts";
import { publicError } from "#src/graph/run/errors.ts";
import { type Executor, isOperation, type Operation, type Variables } from "#src/graph/run/execute.ts";
import { resultWithinLimits, runPartsWithinLimits } from "#src/graph/run/within-limits.ts";
import type { SentDocuments } from "#src/graph/documents/sent-documents.ts";
import type { Delivery } from "#src/graph/run/incremental/deliver.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";
import { OpenCounts } from "#src/runtime/open-items.ts";
import type { Hub } from "#src/server/live/hub.ts";
import { SocketTransport } from "#src/server/live/socket-transport.ts";
import type { Credentials } from "#src/server/http/request-contexts.ts";
import { Client, type SocketConnection } from "#src/server/graphql/socket-client.ts";
import { withExtensions } from "#src/server/graphql/request.ts";
import { SocketOperation, socketPieces } from "#src/server/graphql/socket-operation.ts";
import type { Observers } from "#src/http/exchange.ts";

interface Options extends Observers {
  readonly executor: Executor;
  readonly documents: SentDocuments;
  readonly hub: Hub;
  /** The context of one operation. Throws UNAUTHENTICATED. */
  readonly contextOf: (credentials: Credentials) => Promise<Context>;
  readonly log: Logger;
  readonly limits?: Partial<SocketLimits> | undefined;
}

export interface SocketLimits {
  readonly streams: number;
  readonly socketsPerToken: number;
  readonly streamsPerUser: number;
}

const defaultLimits: Pick<SocketLimits, "streams" | "socketsPerToken"> = { streams: 100, socketsPerToken: 1000 };

interface Prepared {
  readonly id: string;
  readonly operation: Operation;
  readonly variables: Variables;
  readonly context: Context;
  readonly client: Client;
  readonly asked: SocketOperation;
}

/** An operation until it runs. The protocol library keeps this while a stream is open: not the whole context. */
interface Turn {
  prepared: Prepared | undefined;
}

interface Parameters extends Record<string, unknown> {
  readonly Authorization?: unknown;
  readonly authorization?: unknown;
  readonly token?: unknown;
  readonly traceparent?: unknown;
}

/** About how long opening a socket with a stream keeps the process and the database busy, in milliseconds. */
const openingMs = 5;

type SocketContext = ProtocolContext<Parameters, Client>;

/**
 * The protocol on all sockets. It closes them with 4400 (not a message of the protocol), 4401 (no token yet), 4403
 * (invalid token, also if revoked or expired since), 4406 (another protocol), 4408 (no `connection_init` within 3
 * s), 4409 (a duplicate id) and 4429 (a second `connection_init`, or too many sockets).
 */
export class GraphqlSockets {
  readonly #options: Options;
  readonly #streamLimit: number;
  readonly #tokenSockets: OpenCounts;
  readonly #protocol: Server<Client>;

  constructor(options: Options) {
    const { streams, socketsPerToken } = { ...defaultLimits, ...options.limits };
    this.#options = options;
    this.#streamLimit = streams;
    this.#tokenSockets = new OpenCounts(socketsPerToken);
    this.#protocol = makeServer<Parameters, Client>({
      onConnect: ({ connectionParams, extra }) => this.#connect(extra, connectionParams),
      onSubscribe: (context, id, request) => this.#onSubscribe(context, id, request),
      execute: ({ contextValue }) => this.#execute(taken(contextValue as Turn)), // set by onSubscribe
      subscribe: ({ contextValue }) => this.#subscribe(taken(contextValue as Turn)),
    });
  }

  open(connection: SocketConnection) {
    const client = new Client(connection);
    const closed = this.#protocol.opened(client, client);
    return {
      isKnown: () => client.tokenId !== undefined,
      /** Handles one message. Resolves when its responses are complete; rejects when the socket has to be closed. */
      receive: client.receive,
      closed: (code: number, reason: string) => {
        for (const limit of client.running) limit.abandon();
        if (client.tokenId !== undefined) this.#tokenSockets.remove(client.tokenId);
        void closed(code, reason);
      },
    };
  }

  /** False closes the socket with 4403. */
  async #connect(client: Client, parameters: Parameters | undefined): Promise<boolean> {
    if (isPauseDue()) await pause(); // many may be opened at once
    try {
      const context = await this.#options.contextOf(credentialsOf(client, parameters));
      const { viewer, costQuotas } = context;
      await costQuotas?.slots.work(callerOf(context), openingMs);
      // It may have closed meanwhile: then it must no longer be counted.
      if (client.socket.readyState !== client.socket.OPEN) return false;
      if (this.#tokenSockets.add(viewer.tokenId)) {
        client.tokenId = viewer.tokenId;
        return true;
      }
      client.socket.close(4429, `At most ${this.#tokenSockets.most} sockets with one token`);
      return false;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      client.socket.close(4403, client.known.isFromElsewhere ? fromElsewhere : error.message);
      return false;
    }
  }

  async #onSubscribe(context: SocketContext, id: string, request: Request) {
    const { flow } = context.extra;
    let isReady = false;
    await flow.begin();
    try {
      const prepared = await this.#prepare(context, id, request);
      if (!("operation" in prepared)) return prepared;
      isReady = true;
      forget(request);
      const { executor } = this.#options;
      const { document, name = null } = prepared.operation;
      return { schema: executor.schema, document, operationName: name, contextValue: { prepared } satisfies Turn };
    } finally {
      if (!isReady) flow.done();
    }
  }

  /** An operation, or the errors that reject it. These never end the socket. */
  async #prepare({ connectionParams, extra: client, subscriptions }: SocketContext, id: string, request: Request) {
    // Not sent: the subscription is closed.
    if (!(id in subscriptions)) return [new GraphQLError("The subscription was completed before it started.")];
    const traceparent = request.extensions?.["traceparent"] ?? connectionParams?.traceparent;
    const { log } = this.#options;
    const asked = new SocketOperation({ observers: this.#options, log, traceparent, document: request.query });
    const refused = (errors: readonly GraphQLError[]) => {
      asked.done(errors);
      return errors;
    };
    const { operation, keep } = await this.#operationOf(request);
    asked.takes(operation);
    if (!isOperation(operation)) return refused(operation);
    const streams = operation.kind === "subscription" ? 1 : 0;
    if (client.streams + streams > this.#streamLimit) return refused([tooManyStreams(this.#streamLimit)]);
    client.streams += streams;
    try {
      // Read again for each operation: the token or the memberships may have changed since the socket opened.
      const context = await asked.run(() => this.#options.contextOf(credentialsOf(client, connectionParams)));
      asked.isOf(context);
      keep?.();
      const variables = request.variables ?? {};
      return { id, operation, variables, context: withExtensions(context, request.extensions), client, asked };
    } catch (error) {
      client.streams -= streams;
      if (!(error instanceof DomainError)) throw error;
      if (error.code === "UNAUTHENTICATED") client.closeSoon();
      return refused([publicError(error, undefined)]);
    }
  }

  async #operationOf(request: Request) {
    const { executor, documents, log } = this.#options;
    try {
      const found = await documents.find(request);
      if (!("text" in found)) return { operation: found };
      return { operation: executor.prepare(found.text, request.operationName), keep: found.keep };
    } catch (error) {
      return { operation: [publicError(error, { log, requestId: "websocket" })] };
    }
  }

  #execute(prepared: Prepared): Promise<ExecutionResult> | AsyncIterableIterator<Delivery> {
    const { context, client } = prepared;
    if (!context.idempotency) client.running.add(context.limit);
    return prepared.operation.isIncremental ? this.#executeInParts(prepared) : this.#executeWhole(prepared);
  }

  #executeInParts({ operation, variables, context, client, asked }: Prepared): AsyncIterableIterator<Delivery> {
    return socketPieces({
      context,
      flow: client.flow,
      run: (receiver) => asked.run(() => runPartsWithinLimits(context, operation, variables, receiver)),
      onPiece: (piece) => asked.takePiece(piece),
      onEnd() {
        client.running.delete(context.limit);
        client.flow.done();
        asked.done(null);
      },
    });
  }

  async #executeWhole({ operation, variables, context, client, asked }: Prepared): Promise<ExecutionResult> {
    const result = await asked
      .run(() => resultWithinLimits(context, operation, variables))
      .catch((error: unknown): ExecutionResult => ({ errors: [publicError(error, context)] }));
    client.running.delete(context.limit);
    client.flow.done();
    asked.done(result.errors);
    return result;
  }

  async #subscribe({ id, operation, variables, context, client, asked }: Prepared) {
    const transport = new SocketTransport(client.socket, client.connection, id, ({ extensions }) => {
      if (extensions["code"] === "UNAUTHENTICATED") client.closeSoon();
    });
    try {
      const { hub } = this.#options;
      const opened = await asked.run(() => hub.open({ operation, variables, context }, transport));
      asked.done("refusal" in opened ? opened.refusal : undefined);
      if ("refusal" in opened) {
        client.streams--;
        return { errors: opened.refusal };
      }
      return transport.results(() => {
        client.streams--;
        opened.close();
      });
    } catch (error) {
      client.streams--;
      const errors = [publicError(error, context)];
      asked.done(errors);
      return { errors };
    } finally {
      client.flow.done();
    }
  }
}

function taken(turn: Turn): Prepared {
  const { prepared } = turn;
  if (!prepared) throw new Error("An operation was run twice");
  turn.prepared = undefined;
  return prepared;
}

/** Empties a request that has been read: the protocol library references it as long as a stream is open. */
function forget(request: Request): void {
  Object.assign(request, { query: "", variables: undefined, extensions: undefined });
}

function authorizationOf(parameters: Parameters | undefined): string | undefined {
  const value = parameters?.Authorization ?? parameters?.authorization;
  if (typeof value === "string") return value;
  return typeof parameters?.token === "string" ? `Bearer ${parameters.token}` : undefined;
}

const credentialsOf = ({ known }: Client, parameters: Parameters | undefined): Credentials => ({
  ...known,
  authorization: authorizationOf(parameters),
});

/** At most 123 bytes, the limit of a close reason. */
const fromElsewhere = "Pages of this origin may not use a session here: list it in ALLOWED_ORIGINS, or send a token";

function tooManyStreams(limit: number): GraphQLError {
  return publicError(
    new DomainError(
      "RATE_LIMITED",
      `At most ${limit} subscriptions may be open on one socket: complete one, or open another socket.`,
    ),
    undefined,
  );
}
