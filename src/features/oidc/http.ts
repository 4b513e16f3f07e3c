// Single sign-on by OpenID Connect over HTTP: sign-in, the response of the provider, and sign-out from both sides.
import { endedCookie, sessionCookie, sessionSecretIn } from "#src/access/sessions.ts";
import { oidcPathStart } from "#src/base/open-id.ts";
import { DomainError, RateLimitedError } from "#src/base/errors.ts";
import { inFigures } from "#src/base/limits.ts";
import { Rate } from "#src/domain/rate.ts";
import type { Origin } from "#src/events/audit.ts";
import type { Gateway } from "#src/features/feature.ts";
import { OidcClients } from "#src/features/oidc/commands/client.ts";
import { TokenSignatures } from "#src/features/oidc/commands/id-tokens.ts";
import { acceptResponse, type OidcEnvironment, startSignIn } from "#src/features/oidc/commands/sign-in.ts";
import { signOut, signOutByProvider } from "#src/features/oidc/commands/sign-out.ts";
import { oidcAddresses } from "#src/features/oidc/model/addresses.ts";
import { OidcError, rejectionOf } from "#src/features/oidc/commands/errors.ts";
import { endedPending } from "#src/features/oidc/model/pending.ts";
import { findProviderInUse, type ProviderInUse } from "#src/features/oidc/reads.ts";
import { type Exchange, searchOf } from "#src/http/exchange.ts";
import { html } from "#src/http/html.ts";
import { htmlPages, jsonAnswers } from "#src/http/negotiation.ts";
import { readForm } from "#src/http/request-body.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { redirect, sendJson } from "#src/http/send.ts";
import { clientNetwork } from "#src/net/networks.ts";
import { type Notice, sendNotice } from "#src/pages/notice.ts";

/** The longest logout token with its form, in bytes. */
const maxForm = 20_000;

/** The longest query of a response, in characters. */
const maxQuery = 8_000;

interface Visit {
  readonly exchange: Exchange;
  readonly provider: ProviderInUse;
  readonly environment: OidcEnvironment;
  readonly origin: Origin;
}

/** `/oidc/<id>/…` */
export function oidcHttp(gateway: Gateway): HttpRoute[] {
  const { fetch, secrets } = gateway;
  const shared = { clients: new OidcClients(fetch), signatures: new TokenSignatures(fetch), secrets };
  const most = gateway.costQuotas.limits.samlAnswersPerMinute;
  const rate = new Rate(gateway.costQuotas, { name: "oidc", most, what: "A client may sign in" });
  const at = (part: string) =>
    ({ path: oidcPathStart, pattern: new RegExp(`^${oidcPathStart}\\w+/${part}$`) }) as const;
  const visit = (answer: (visit: Visit) => Promise<void>) => (exchange: Exchange) =>
    answerVisit({ gateway, rate, shared }, exchange, answer);
  return [
    { ...at("start"), answers: htmlPages, handle: visit(start) },
    { ...at("callback"), answers: htmlPages, handle: visit(accept) },
    { ...at("logout"), answers: htmlPages, methods: ["POST"], handle: visit(logout) },
    {
      ...at("backchannel-logout"),
      answers: jsonAnswers,
      methods: ["POST"],
      handle: (exchange) => answerProvider({ gateway, rate, shared }, exchange),
    },
    { path: oidcPathStart, methods: null, handle: async (exchange) => sendNotice(exchange, missing) },
  ];
}

interface Service {
  readonly gateway: Gateway;
  /** Limits the messages of a client: each may cause requests to the provider. */
  readonly rate: Rate;
  readonly shared: Pick<OidcEnvironment, "clients" | "signatures" | "secrets">;
}

const providerIdIn = ({ path }: Exchange): string => path.slice(oidcPathStart.length).split("/", 1)[0] ?? "";

/** Handles a request of a browser. Errors are HTML pages. */
async function answerVisit(
  { gateway, rate, shared }: Service,
  exchange: Exchange,
  answer: (visit: Visit) => Promise<void>,
): Promise<void> {
  const id = providerIdIn(exchange);
  const origin = gateway.contexts.originOf(exchange.request);
  try {
    await rate.take(`${id} ${answer.name} ${clientNetwork(origin.address)}`);
  } catch (error) {
    if (!(error instanceof RateLimitedError)) throw error;
    return sendTooMany(exchange, gateway.costQuotas.limits.samlAnswersPerMinute, error.retrySeconds);
  }
  const provider = await findProviderInUse(gateway, id);
  if (!provider) return sendNotice(exchange, missing);
  try {
    await answer({ exchange, provider, environment: { ...gateway.signIn(), ...shared }, origin });
  } catch (error) {
    sendNotice(exchange, refusalPage(gateway, exchange, { error: rejectionOf(error), provider }));
  }
}

function sendTooMany(exchange: Exchange, most: number, seconds: number): void {
  exchange.request.resume();
  exchange.response.setHeader("retry-after", seconds);
  sendNotice(exchange, {
    status: 429,
    title: "Too many sign-ins from your network",
    body: html`<p>
      At most ${inFigures(most)} people a minute can sign in from one network address. Try again in
      ${inFigures(seconds)} seconds.
    </p>`,
  });
}

async function start({ exchange: { request, response }, provider, environment }: Visit) {
  const returnTo = new URLSearchParams(searchOf(request)).get("returnTo");
  const { location, cookie } = await startSignIn(environment, provider, returnTo);
  redirect(response, location, [cookie]);
}

async function accept({ exchange: { request, response }, provider, environment, origin }: Visit) {
  const search = searchOf(request);
  if (search.length > maxQuery) throw new OidcError(`the response has more than ${inFigures(maxQuery)} characters`);
  const brought = { search, cookies: request.headers.cookie, origin };
  const { publicUrl } = environment;
  const { secret, returnTo, state } = await acceptResponse(environment, provider, brought);
  redirect(response, returnTo, [
    sessionCookie(secret, publicUrl),
    endedPending(state, { publicUrl, providerId: provider.id }),
  ]);
}

/** People can only sign out by POST, since browsers then send the session cookie only from docgraph's own site. */
async function logout({ exchange, provider, environment, origin }: Visit) {
  const { request, response } = exchange;
  request.resume();
  const { publicUrl } = environment;
  const secret = sessionSecretIn(request.headers.cookie, publicUrl);
  if (secret === null) return sendNotice(exchange, nobodySignedIn);
  const location = await signOut(environment, provider, { secret, origin });
  redirect(response, location ?? `${publicUrl}/sign-in`, [endedCookie(publicUrl)]);
}

/** Handles a logout token of a provider. Accepted ones are exempt from the limit: a provider may sign out everybody. */
async function answerProvider({ gateway, rate, shared }: Service, exchange: Exchange): Promise<void> {
  const { request, response, requestId } = exchange;
  response.setHeader("cache-control", "no-store");
  const id = providerIdIn(exchange);
  const key = `${id} logout token ${clientNetwork(gateway.contexts.originOf(request).address)}`;
  await rate.take(key);
  const provider = await findProviderInUse(gateway, id);
  const form = await readForm(request, maxForm);
  try {
    if (!provider) throw new OidcError("the provider does not exist");
    await signOutByProvider({ ...gateway.signIn(), ...shared }, provider, form.get("logout_token") ?? "");
    await rate.giveBack(key);
    sendJson(response, 200, {});
  } catch (error) {
    const rejection = rejectionOf(error);
    if (!(rejection instanceof OidcError)) throw error;
    gateway.log.warn({ requestId, reason: rejection.message }, "A logout token of an OpenID provider was rejected");
    sendJson(response, 400, { error: "invalid_request", error_description: rejection.message });
  }
}

const nobodySignedIn: Notice = {
  status: 400,
  title: "You are not signed in",
  body: html`<p>This browser has no active session.</p>`,
};

const missing: Notice = {
  status: 404,
  title: "This sign-in page does not exist",
  body: html`<p>This sign-in link is not active. Ask an admin of your organization for the current one.</p>`,
};

/** The page for a failed sign-in. */
function refusalPage(
  { log, publicUrl }: Gateway,
  { requestId }: Exchange,
  { error, provider }: { readonly error: unknown; readonly provider: ProviderInUse },
): Notice {
  if (!(error instanceof OidcError || error instanceof DomainError)) throw error;
  const logged = { requestId, providerId: provider.id, organizationId: provider.of?.organizationId };
  log.warn({ ...logged, reason: error.message }, "A sign-in by OpenID Connect was rejected");
  const title = "You could not be signed in";
  if (error instanceof DomainError) return { status: error.status, title, body: html`<p>${error.message}</p>` };
  return {
    status: 400,
    title,
    body: html`<p>
        The sign-in was not accepted: ${error.message}.
        <a href="${oidcAddresses(publicUrl(), provider.id).startURL}">Sign in again</a>.
      </p>
      <p>If that does not help, send this request id to an admin: <code>${requestId}</code></p>`,
  };
}
