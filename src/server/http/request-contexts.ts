// Authentication: the contexts of requests, by a token or by the cookie of a session, with their origin, and the
// visitor of a published site.
import type { IncomingMessage } from "node:http";
import { sessionSecretIn } from "#src/access/sessions.ts";
import { nobody, type Viewer } from "#src/access/viewer.ts";
import { DomainError } from "#src/base/errors.ts";
import { readLogPosition, writeLogPosition } from "#src/db/replicas/replicas.ts";
import { type Consistency, type Context, type Environment, makeContext } from "#src/domain/context.ts";
import { readCostAsked } from "#src/domain/cost.ts";
import { readIdempotency } from "#src/domain/idempotency.ts";
import type { Origin } from "#src/events/audit.ts";
import { decodeEventCursor, type OutboxPosition } from "#src/events/outbox-position.ts";
import type { Feature } from "#src/features/feature.ts";
import type { RequestOrigins } from "#src/http/client-address.ts";
import type { Exchange, RequestContexts } from "#src/http/exchange.ts";
import type { Origins } from "#src/http/origins.ts";
import { type PromiseOrValue, whenThere } from "#src/runtime/waiting.ts";
import { showQuota } from "#src/server/http/quota-headers.ts";

interface Options {
  /** The environment of all operations; it has the public address once the gateway listens. */
  readonly environment: Environment;
  readonly origins: Origins;
  readonly requestOrigins: RequestOrigins;
  readonly openedBy: NonNullable<Feature["openedBy"]>;
}

export interface Credentials {
  /** The value of a header Authorization, from the first message. */
  readonly authorization: string | undefined;
  /** The secret of a session, from the cookie of the upgrade; null without one, and for pages that may not send it. */
  readonly session: string | null;
  readonly origin: Origin;
}

/** Makes the contexts. All throw UNAUTHENTICATED for a token that is not valid. */
export class Contexts implements RequestContexts {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  ofRequest(exchange: Exchange): PromiseOrValue<Context> {
    return whenThere(this.#viewerOf(exchange.request), (viewer) => {
      if (!viewer) throw new DomainError("UNAUTHENTICATED");
      return this.#ofVisitor(viewer, exchange);
    });
  }

  ofAnyone(exchange: Exchange): PromiseOrValue<Context> {
    return whenThere(this.#viewerOf(exchange.request), (viewer) => {
      if (viewer) return this.#ofVisitor(viewer, exchange);
      const context = this.#ofExchange(nobody, exchange);
      return Object.assign(context, { visitorToken: visitorTokenOf(exchange.request), isAnonymous: true });
    });
  }

  ofPage(exchange: Exchange): PromiseOrValue<Context> {
    return whenThere(this.#viewerOfPage(exchange.request), (viewer) => this.#ofVisitor(viewer, exchange));
  }

  async ofSession(exchange: Exchange, secret: string): Promise<Context> {
    return this.#ofExchange(await this.#options.environment.viewers.bySession(secret), exchange);
  }

  async ofSocket({ authorization, session, origin }: Credentials): Promise<Context> {
    const { environment } = this.#options;
    const viewer =
      authorization === undefined && session !== null
        ? await environment.viewers.bySession(session)
        : await environment.viewers.byAuthorization(authorization);
    return Object.assign(makeContext(environment, viewer, "websocket"), { origin });
  }

  ofUpgrade(request: IncomingMessage): { session: string | null; isFromElsewhere: boolean; origin: Origin } {
    const session = this.#sessionIn(request);
    const isFromElsewhere = session !== null && !this.#options.origins.isTrusted(request);
    return { session: isFromElsewhere ? null : session, isFromElsewhere, origin: this.originOf(request) };
  }

  originOf(request: IncomingMessage): Origin {
    return this.#options.requestOrigins.of(request);
  }

  #sessionIn({ headers }: IncomingMessage): string | null {
    return sessionSecretIn(headers.cookie, this.#options.environment.publicUrl);
  }

  #viewerOf(request: IncomingMessage): PromiseOrValue<Viewer | null> {
    const { environment, origins } = this.#options;
    const { authorization } = request.headers;
    if (authorization !== undefined) return environment.viewers.find(authorization);
    const session = this.#sessionIn(request);
    if (session === null) return null;
    origins.requireMeant(request);
    return environment.viewers.bySession(session);
  }

  #viewerOfPage(request: IncomingMessage): PromiseOrValue<Viewer> {
    const { viewers } = this.#options.environment;
    const { authorization } = request.headers;
    if (authorization !== undefined) return viewers.find(authorization);
    const session = this.#sessionIn(request);
    if (session === null) return nobody;
    return viewers.bySession(session).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === "UNAUTHENTICATED") return nobody;
      throw error;
    });
  }

  #ofVisitor(viewer: Viewer, exchange: Exchange): PromiseOrValue<Context> {
    const visitorToken = visitorTokenOf(exchange.request);
    return visitorToken === null ? this.#ofExchange(viewer, exchange) : this.#opened(viewer, exchange, visitorToken);
  }

  async #opened(viewer: Viewer, exchange: Exchange, visitorToken: string): Promise<Context> {
    const openedIds = await this.#options.openedBy(this.#options.environment, visitorToken);
    return Object.assign(this.#ofExchange({ ...viewer, openedIds }, exchange), { visitorToken });
  }

  #ofExchange(viewer: Viewer, exchange: Exchange): Context {
    const { environment } = this.#options;
    const { tokenId, userId } = viewer;
    if (tokenId !== "") exchange.asker = { tokenId, userId };
    const { headers } = exchange.request;
    const idempotency = readIdempotency("header", headers["idempotency-key"], () => markReplayed(exchange));
    const context = Object.assign(makeContext(environment, viewer, exchange.requestId), {
      origin: this.originOf(exchange.request),
      idempotency,
      consistency: environment.replicas && consistencyOf(exchange),
      costAsked: readCostAsked("the header Cost", headers["cost"]),
    });
    if (!idempotency) exchange.limits.add(context.limit); // an operation with a key may be repeated to read its result
    if (exchange.response.destroyed) for (const limit of exchange.limits) limit.abandon(); // already closed
    showQuota(exchange.response, context);
    return context;
  }
}

export function markReplayed({ response }: Exchange): void {
  response.setHeader("idempotency-replayed", "true");
}

function visitorTokenOf({ headers }: IncomingMessage): string | null {
  const token = headers["x-visitor-token"];
  return typeof token === "string" ? token : null;
}

/** The header by which callers read their own writes, and the events that they received, from any replica. */
const consistencyHeader = "x-docgraph-consistency";

/** The state that a request must see, and how it returns its writes. INVALID_INPUT for an invalid value. */
function consistencyOf({ request, response }: Exchange): Consistency {
  const sent = request.headers[consistencyHeader];
  const after = sent === undefined ? null : readLogPosition(String(sent));
  const event = sent === undefined || after !== null ? null : cursorIn(String(sent));
  return { after, event, tell: (position) => void response.setHeader(consistencyHeader, writeLogPosition(position)) };
}

function cursorIn(text: string): OutboxPosition {
  try {
    return decodeEventCursor(text, consistencyHeader);
  } catch {
    throw new DomainError(
      "INVALID_INPUT",
      `The header ${consistencyHeader} must be the value of that header in a response, or the cursor of a message.`,
    );
  }
}
