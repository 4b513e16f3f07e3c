// The contexts of requests: who is asking, by a token or by the cookie of a session, from where, and as which visitor
// of a published site.
import type { IncomingMessage } from "node:http";
import { sessionSecretIn } from "#src/access/sessions.ts";
import { nobody, type Viewer } from "#src/access/viewer.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { readCostAsked } from "#src/domain/cost.ts";
import { readIdempotency } from "#src/domain/idempotency.ts";
import { showQuota } from "#src/server/http/quota-headers.ts";
import { consistencyOf } from "#src/server/http/consistency.ts";
import type { Origin } from "#src/events/audit.ts";
import { spacesOpenedBy } from "#src/features/sites/reads.ts";
import type { ContextOf, Exchange } from "#src/http/exchange.ts";
import type { RequestOrigins } from "#src/http/client-address.ts";
import { type Origins, requireMeant } from "#src/http/origins.ts";

interface Given {
  readonly environment: Pick<Context, "database" | "replicas" | "viewers" | "visitorTokens" | "log">;
  readonly origins: Origins;
  readonly requestOrigins: RequestOrigins;
  readonly publicUrl: () => string;
  readonly contextFor: (viewer: Viewer, requestId: string) => Context;
}

/** By what a socket says who is asking. */
export interface Credentials {
  /** The value of a header Authorization, from the message that begins. */
  readonly authorization: string | undefined;
  /** The secret of a session, from the cookie of the upgrade; null without one, and for pages that may not send it. */
  readonly session: string | null;
  readonly origin: Origin;
}

/** Makes the contexts of requests. All throw UNAUTHENTICATED for a token that is no good. */
export class RequestContexts {
  readonly #given: Given;

  constructor(given: Given) {
    this.#given = given;
  }

  /** Needs a token or a session. FORBIDDEN for a session without the proof that the person meant the request. */
  readonly ofRequest: ContextOf = async (exchange) => {
    const viewer = await this.#viewerOf(exchange.request);
    if (!viewer) throw new DomainError("UNAUTHENTICATED");
    return this.#ofVisitor(viewer, exchange);
  };

  /** Takes a request without either, too, which may ask for what is open to visitors alone. */
  readonly ofAnyone: ContextOf = async (exchange) => {
    const { request } = exchange;
    const viewer = await this.#viewerOf(request);
    if (viewer) return this.#ofVisitor(viewer, exchange);
    const context = this.#ofExchange(nobody, exchange);
    return { ...context, visitorToken: visitorTokenOf(request), isAnonymous: true };
  };

  /** For queries of our own, which see what is open to anyone; a session that has ended is none. */
  readonly ofPage: ContextOf = async (exchange) =>
    this.#ofVisitor((await this.#viewerOfPage(exchange.request)) ?? nobody, exchange);

  /** Of one operation on a socket. */
  readonly ofSocket = async ({ authorization, session, origin }: Credentials): Promise<Context> => {
    const { viewers } = this.#given.environment;
    const viewer =
      authorization === undefined && session !== null
        ? await viewers.bySession(session)
        : await viewers.byAuthorization(authorization);
    return this.#contextFor(viewer, "websocket", origin);
  };

  /** Of somebody whom this request has signed in. */
  readonly ofSession = async (exchange: Exchange, secret: string): Promise<Context> =>
    this.#ofExchange(await this.#given.environment.viewers.bySession(secret), exchange);

  /** By what the upgrade of a socket says who is asking. */
  readonly ofUpgrade = (
    request: IncomingMessage,
  ): { session: string | null; isFromElsewhere: boolean; origin: Origin } => {
    const session = this.#sessionIn(request);
    const isFromElsewhere = session !== null && !this.#given.origins.isTrusted(request);
    return { session: isFromElsewhere ? null : session, isFromElsewhere, origin: this.originOf(request) };
  };

  readonly originOf = (request: IncomingMessage): Origin => this.#given.requestOrigins.of(request);

  #sessionIn({ headers }: IncomingMessage): string | null {
    return sessionSecretIn(headers.cookie, this.#given.publicUrl());
  }

  async #viewerOf(request: IncomingMessage): Promise<Viewer | null> {
    const { environment, origins } = this.#given;
    const { authorization } = request.headers;
    if (authorization !== undefined) return environment.viewers.byAuthorization(authorization);
    const session = this.#sessionIn(request);
    if (session === null) return null;
    requireMeant(request, origins);
    return environment.viewers.bySession(session);
  }

  async #viewerOfPage(request: IncomingMessage): Promise<Viewer | null> {
    const { viewers } = this.#given.environment;
    const { authorization } = request.headers;
    if (authorization !== undefined) return viewers.byAuthorization(authorization);
    const session = this.#sessionIn(request);
    if (session === null) return null;
    return viewers.bySession(session).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === "UNAUTHENTICATED") return null;
      throw error;
    });
  }

  async #ofVisitor(viewer: Viewer, exchange: Exchange): Promise<Context> {
    const visitorToken = visitorTokenOf(exchange.request);
    if (visitorToken === null) return this.#ofExchange(viewer, exchange);
    const openedIds = await spacesOpenedBy(this.#given.environment, visitorToken);
    return { ...this.#ofExchange({ ...viewer, openedIds }, exchange), visitorToken };
  }

  #ofExchange(viewer: Viewer, exchange: Exchange): Context {
    const { tokenId, userId } = viewer;
    if (tokenId !== "") exchange.asker = { tokenId, userId };
    const context = this.#contextFor(viewer, exchange.requestId, this.originOf(exchange.request));
    const idempotency = readIdempotency("header", exchange.request.headers["idempotency-key"], () =>
      markReplayed(exchange),
    );
    const costAsked = readCostAsked("the header Cost", exchange.request.headers["cost"]);
    const consistency = this.#given.environment.replicas && consistencyOf(exchange);
    const asked = { ...context, idempotency, consistency, costAsked };
    if (!idempotency) exchange.limits.add(context.limit); // what is done once is to be heard of later
    if (exchange.response.destroyed) for (const limit of exchange.limits) limit.abandon(); // nobody else would
    showQuota(exchange.response, asked);
    return asked;
  }

  #contextFor(viewer: Viewer, requestId: string, origin: Origin): Context {
    return Object.assign(this.#given.contextFor(viewer, requestId), { origin });
  }
}

/** Says that an answer is the one to an earlier request with the same key. */
export function markReplayed({ response }: Exchange): void {
  response.setHeader("idempotency-replayed", "true");
}

/** The token of a visitor in a request; null without one. It is checked by whoever goes by it. */
function visitorTokenOf({ headers }: IncomingMessage): string | null {
  const token = headers["x-visitor-token"];
  return typeof token === "string" ? token : null;
}
