// Single sign-on by SAML over HTTP: the metadata of docgraph as a service provider, sign-in, the response
// of the identity provider, and sign-out.
import { endedCookie, sessionCookie, sessionSecretIn } from "#src/access/sessions.ts";
import type { SignInEnvironment } from "#src/access/sign-in.ts";
import { DomainError, RateLimitedError } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import { inFigures } from "#src/base/limits.ts";
import { Rate } from "#src/domain/rate.ts";
import type { Origin } from "#src/events/audit.ts";
import type { Gateway } from "#src/features/feature.ts";
import { findProviderInUse, type ProviderInUse } from "#src/features/saml/reads.ts";
import { acceptResponse, startSignIn } from "#src/features/saml/commands/sign-in.ts";
import { signOut, signOutByProvider } from "#src/features/saml/commands/sign-out.ts";
import { samlAddresses, samlPathStart, serviceMetadata } from "#src/features/saml/model/addresses.ts";
import { endedRequestCookie } from "#src/features/saml/model/request.ts";
import { maxResponse } from "#src/features/saml/model/response-text.ts";
import { isNameRefusal } from "#src/features/saml/model/person.ts";
import { SamlError } from "#src/features/saml/model/xml.ts";
import { type Exchange, searchOf } from "#src/http/exchange.ts";
import { html } from "#src/http/html.ts";
import { addVary, htmlPages, Offer } from "#src/http/negotiation.ts";
import { readForm } from "#src/http/request-body.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { redirect, send } from "#src/http/send.ts";
import { clientNetwork } from "#src/net/networks.ts";
import { type Notice, sendNotice } from "#src/pages/notice.ts";

/** The form of a response contains it percent-encoded, with few other fields. */
const maxForm = 3 * maxResponse;

interface Visit {
  readonly exchange: Exchange;
  readonly provider: ProviderInUse;
  readonly environment: SignInEnvironment;
  readonly origin: Origin;
}

/** Providers request it with any of these media types. */
const metadataTypes = new Offer([
  "application/samlmetadata+xml; charset=utf-8",
  "application/xml; charset=utf-8",
  "text/xml; charset=utf-8",
]);

/** `/saml/<id>/…` */
export function samlHttp(gateway: Gateway): HttpRoute[] {
  const most = gateway.costQuotas.limits.samlAnswersPerMinute;
  const what = "A client may send messages to a SAML provider";
  const messages = new Rate(gateway.costQuotas, { name: "saml", most, what });
  const at = (part: string) =>
    ({ path: samlPathStart, pattern: new RegExp(`^${samlPathStart}\\w+/${part}$`), answers: htmlPages }) as const;
  return [
    { ...at("metadata"), answers: metadataTypes, handle: (exchange) => answerMetadata(gateway, exchange) },
    { ...at("start"), handle: (exchange) => answerVisit(gateway, exchange, { answer: start }) },
    {
      ...at("acs"),
      methods: ["POST"],
      handle: (exchange) => answerVisit(gateway, exchange, { answer: accept, messages }),
    },
    {
      ...at("logout"),
      methods: ["GET", "POST"],
      handle: (exchange) => answerVisit(gateway, exchange, { answer: logout, messages }),
    },
    { path: samlPathStart, methods: null, handle: async (exchange) => sendNotice(exchange, missing) },
  ];
}

/** The id of the provider; null if malformed. */
function providerIdIn({ path }: Exchange): string | null {
  const [id = ""] = path.slice(samlPathStart.length).split("/", 1);
  return isIdOf("SamlProvider", id) ? id : null;
}

async function answerMetadata({ publicUrl }: Gateway, exchange: Exchange): Promise<void> {
  const id = providerIdIn(exchange);
  if (id === null) return sendNotice(exchange, missing);
  addVary(exchange.response, "accept");
  send(exchange.response, 200, metadataTypes.require(exchange.request), serviceMetadata(publicUrl(), id));
}

interface Part {
  readonly answer: (visit: Visit) => Promise<void>;
  /** Limits the messages of a client: anybody may send them, and checks are expensive. */
  readonly messages?: Rate;
}

/** Handles a request for an active provider. Errors are HTML pages. */
async function answerVisit(gateway: Gateway, exchange: Exchange, { answer, messages }: Part): Promise<void> {
  const id = providerIdIn(exchange);
  if (id === null) return sendNotice(exchange, missing);
  const origin = gateway.contexts.originOf(exchange.request);
  try {
    await messages?.take(`${id} ${answer.name} ${clientNetwork(origin.address)}`);
  } catch (error) {
    if (!(error instanceof RateLimitedError)) throw error;
    return sendTooMany(exchange, gateway.costQuotas.limits.samlAnswersPerMinute, error.retrySeconds);
  }
  const provider = await findProviderInUse(gateway.database, id);
  if (!provider) return sendNotice(exchange, missing);
  try {
    await answer({ exchange, provider, environment: gateway.signIn(), origin });
  } catch (error) {
    sendNotice(exchange, refusalPage(gateway, exchange, { error, provider, isSignOut: answer === logout }));
  }
}

/** Rejects a message before it is read. */
function sendTooMany(exchange: Exchange, most: number, seconds: number): void {
  const { request, response } = exchange;
  request.resume();
  response.setHeader("retry-after", seconds);
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
  const { location, cookie } = startSignIn(environment, provider, returnTo);
  redirect(response, location, [cookie]);
}

async function accept({ exchange: { request, response }, provider, environment, origin }: Visit) {
  const form = await readForm(request, maxForm);
  const brought = { response: form.get("SAMLResponse") ?? "", cookies: request.headers.cookie, origin };
  const { publicUrl } = environment;
  const { secret, returnTo, requestId } = await acceptResponse(environment, provider, brought);
  redirect(response, returnTo, [
    sessionCookie(secret, publicUrl),
    endedRequestCookie(requestId, { publicUrl, providerId: provider.id }),
  ]);
}

/** People can only sign out by POST, since browsers then send the session cookie only from docgraph's own site. */
async function logout({ exchange, provider, environment, origin }: Visit) {
  const { request, response } = exchange;
  const isPost = request.method === "POST";
  const search = searchOf(request);
  const fields = isPost ? await readForm(request, maxForm) : new URLSearchParams(search);
  if (fields.has("SAMLResponse")) return sendNotice(exchange, signedOut);
  const posted = fields.get("SAMLRequest");
  if (posted !== null) {
    const sent = { origin, ...(isPost ? { posted, relay: fields.get("RelayState") } : { search }) };
    const location = await signOutByProvider(environment, provider, sent);
    return location === null ? sendNotice(exchange, signedOut) : redirect(response, location, []);
  }
  const { publicUrl } = environment;
  const secret = isPost ? sessionSecretIn(request.headers.cookie, publicUrl) : null;
  if (secret === null) return sendNotice(exchange, nobodySignedIn);
  const location = await signOut(environment, provider, { secret, origin });
  redirect(response, location ?? `${publicUrl}/`, [endedCookie(publicUrl)]);
}

const signedOut: Notice = {
  status: 200,
  title: "You are signed out",
  body: html`<p>You may close this page.</p>`,
};

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

interface Refused {
  readonly error: unknown;
  readonly provider: ProviderInUse;
  readonly isSignOut: boolean;
}

const notSignedOut: Notice = {
  status: 400,
  title: "You could not be signed out by your identity provider",
  body: html`<p>Its message was not accepted. Sign out in docgraph instead, which ends the session.</p>`,
};

/** Says why a signed message names nobody: only the administrators of the provider can change that. */
const namesNobody = (reason: string): Notice => ({
  status: 400,
  title: "You could not be signed in",
  body: html`<p>The response of your identity provider was not accepted: ${reason}.</p>
    <p>Tell this to an admin of your organization.</p>`,
});

/** The page for a failed sign-in. Only the log contains the reason of a rejected message that may be forged. */
function refusalPage(
  { log, publicUrl }: Gateway,
  { requestId }: Exchange,
  { error, provider, isSignOut }: Refused,
): Notice {
  const { id: providerId, organizationId } = provider;
  const logged = { requestId, providerId, organizationId };
  if (error instanceof SamlError) {
    log.warn({ ...logged, reason: error.message }, "A message of a SAML provider was rejected");
    if (isSignOut) return notSignedOut;
    if (isNameRefusal(error.message)) return namesNobody(error.message);
    return {
      status: 400,
      title: "You could not be signed in",
      body: html`<p>
          The response of your identity provider was not accepted. It may have arrived too late, or have been used
          before:
          <a href="${samlAddresses(publicUrl(), providerId).startURL}">sign in again</a>.
        </p>
        <p>If that does not help, send this request id to an admin of your organization: <code>${requestId}</code></p>`,
    };
  }
  if (!(error instanceof DomainError)) throw error;
  log.warn({ ...logged, reason: error.message }, "A sign-in by SAML was rejected");
  return { status: error.status, title: "You could not be signed in", body: html`<p>${error.message}</p>` };
}
