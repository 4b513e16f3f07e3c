// Endpoints for session cookies outside the APIs: short-lived tokens for pages of other origins, and
// sign-out.
import { endedCookie } from "#src/access/sessions.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Gateway } from "#src/features/feature.ts";
import { signOut, tokenOfSession } from "#src/features/sessions/commands/sessions.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { jsonAnswers, Offer } from "#src/http/negotiation.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { sendEmpty, sendJson } from "#src/http/send.ts";

export const sessionHttp = (gateway: Gateway): HttpRoute[] => [
  {
    path: "/auth/token",
    methods: ["POST"],
    answers: jsonAnswers,
    handle: (exchange) => answerToken(gateway, exchange),
  },
  { path: "/auth/sign-out", methods: ["POST"], handle: (exchange) => answerSignOut(gateway, exchange) },
];

async function answerToken({ contexts }: Gateway, exchange: Exchange): Promise<void> {
  exchange.request.resume();
  const { token, expiresAt } = await tokenOfSession(await contexts.ofRequest(exchange));
  exchange.response.setHeader("cache-control", "no-store");
  sendJson(exchange.response, 200, { token, expiresAt: expiresAt.toISOString() });
}

/** Browsers are redirected; programs get an empty response. */
const afterwards = new Offer(["text/html", "application/json"], "application/json");

async function answerSignOut({ contexts, publicUrl }: Gateway, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  request.resume();
  try {
    await signOut(await contexts.ofRequest(exchange));
  } catch (error) {
    // A session that has ended is already signed out.
    if (!(error instanceof DomainError && error.code === "UNAUTHENTICATED")) throw error;
  }
  response.setHeader("set-cookie", endedCookie(publicUrl()));
  const isPage = afterwards.choose(request.headers.accept) === "text/html";
  if (isPage) response.setHeader("location", "/sign-in");
  sendEmpty(response, isPage ? 303 : 204);
}
