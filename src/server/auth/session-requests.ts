// What a browser asks with the cookie of its session, beside the APIs: a short token for pages of other origins, and
// to be signed out.
import { endedCookie } from "#src/access/sessions.ts";
import { DomainError } from "#src/base/errors.ts";
import { signOut, tokenOfSession } from "#src/features/sessions/commands/sessions.ts";
import { type Exchange, type Handler, sendEmpty, sendError, sendJson } from "#src/http/exchange.ts";
import { jsonAnswers, Offer } from "#src/http/negotiation.ts";
import type { RequestContexts } from "#src/server/http/request-contexts.ts";

interface Given {
  readonly contexts: Pick<RequestContexts, "ofRequest">;
  readonly publicUrl: () => string;
}

/** The handlers of these requests, by their paths. */
export function createSessionRequests({ contexts, publicUrl }: Given): Readonly<Record<string, Handler>> {
  return {
    "/auth/token": posted(async (exchange) => {
      jsonAnswers.require(exchange.request);
      const { token, expiresAt } = await tokenOfSession(await contexts.ofRequest(exchange));
      exchange.response.setHeader("cache-control", "no-store");
      sendJson(exchange.response, 200, { token, expiresAt: expiresAt.toISOString() });
    }),
    "/auth/sign-out": posted(async (exchange) => {
      try {
        await signOut(await contexts.ofRequest(exchange));
      } catch (error) {
        // Who is signed out already has what they want.
        if (!(error instanceof DomainError && error.code === "UNAUTHENTICATED")) throw error;
      }
      exchange.response.setHeader("set-cookie", endedCookie(publicUrl()));
      if (wantsPage(exchange)) exchange.response.setHeader("location", "/sign-in");
      sendEmpty(exchange.response, wantsPage(exchange) ? 303 : 204);
    }),
  };
}

/** Browsers are led on; for programs there is nothing to say. */
const afterwards = new Offer(["text/html", "application/json"], "application/json");

const wantsPage = ({ request }: Exchange): boolean => afterwards.choose(request.headers.accept) === "text/html";

/** A handler that takes POST alone. */
function posted(handle: Handler): Handler {
  return async (exchange) => {
    exchange.request.resume();
    if (exchange.request.method === "POST") return handle(exchange);
    exchange.response.setHeader("allow", "POST");
    return sendError(exchange.response, new DomainError("METHOD_NOT_ALLOWED", "This path takes POST."));
  };
}
