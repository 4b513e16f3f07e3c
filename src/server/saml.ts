// The addresses of single sign-on by SAML: what docgraph says of itself to identity providers, the start of a sign-in,
// where the answer comes to, and signing out.
import type { Logger } from "pino";
import { endedCookie, sessionCookie, sessionSecretIn } from "#src/access/sessions.ts";
import { DomainError, RateLimitedError } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import { inFigures } from "#src/base/limits.ts";
import type { CostQuotas } from "#src/domain/quota.ts";
import { Rate } from "#src/domain/rate.ts";
import type { Origin } from "#src/events/audit.ts";
import type { SignInEnvironment } from "#src/access/sign-in.ts";
import { findProviderInUse, type ProviderInUse } from "#src/features/saml/commands/provider-in-use.ts";
import { acceptResponse, startSignIn } from "#src/features/saml/commands/sign-in.ts";
import { signOut, signOutByProvider } from "#src/features/saml/commands/sign-out.ts";
import { samlAddresses, samlPathStart } from "#src/features/saml/model/addresses.ts";
import { endedRequestCookie } from "#src/features/saml/model/request.ts";
import { maxResponse } from "#src/features/saml/model/response.ts";
import { serviceMetadata } from "#src/features/saml/model/sp-metadata.ts";
import { SamlError } from "#src/features/saml/model/xml.ts";
import { clientNetwork } from "#src/net/networks.ts";
import { type Exchange, type Handler, searchOf, send, sendEmpty, sendOn } from "#src/http/exchange.ts";
import { addVary, htmlPages, Offer } from "#src/http/negotiation.ts";
import { html, type PageForPeople, sendPage } from "#src/http/html.ts";
import { readForm } from "#src/http/request-body.ts";

const address = new RegExp(`^${samlPathStart}(\\w+)/(metadata|start|acs|logout)$`);

/** A form has the answer percent-encoded, and little beside it. */
const maxForm = 3 * maxResponse;

/** A request at a provider, and from where it came. */
interface Visit {
  readonly exchange: Exchange;
  readonly provider: ProviderInUse;
  readonly environment: SignInEnvironment;
  readonly origin: Origin;
}

type Part = (visit: Visit) => Promise<void>;

/** The methods of each part. */
const methods: Readonly<Record<string, readonly string[]>> = {
  metadata: ["GET", "HEAD"],
  start: ["GET", "HEAD"],
  acs: ["POST"],
  logout: ["GET", "POST"],
};

/** Providers ask for it by any of these. */
const metadataTypes = new Offer([
  "application/samlmetadata+xml; charset=utf-8",
  "application/xml; charset=utf-8",
  "text/xml; charset=utf-8",
]);

interface Given {
  readonly signIn: () => SignInEnvironment;
  readonly originOf: (request: Exchange["request"]) => Origin;
  readonly log: Logger;
  readonly costQuotas: CostQuotas;
}

/** The handler of `/saml/…`. */
export function createSamlPages({ signIn: environment, originOf, log, costQuotas }: Given): Handler {
  const most = costQuotas.limits.samlAnswersPerMinute;
  const messages = new Rate(costQuotas, {
    name: "saml",
    most,
    what: "One client may send messages to a SAML provider",
  });
  return async (exchange) => {
    const { path, request, response } = exchange;
    const [, id = "", part = ""] = address.exec(path) ?? [];
    if (!isIdOf("SamlProvider", id)) return sendPage(exchange, missing);
    const allowed = methods[part] ?? [];
    if (!allowed.includes(request.method ?? "")) {
      request.resume();
      response.setHeader("allow", allowed.join(", "));
      return sendEmpty(response, 405);
    }
    const type = (part === "metadata" ? metadataTypes : htmlPages).require(request);
    const origin = originOf(request);
    try {
      if (takesMessages.includes(part)) await messages.take(`${id} ${part} ${clientNetwork(origin.address)}`);
    } catch (error) {
      if (!(error instanceof RateLimitedError)) throw error;
      return sendTooMany(exchange, most, error.retrySeconds);
    }
    const { database, publicUrl } = environment();
    if (part === "metadata") {
      addVary(response, "accept");
      return send(response, 200, type, serviceMetadata(publicUrl, id));
    }
    const provider = await findProviderInUse(database, id);
    if (!provider) return sendPage(exchange, missing);
    try {
      await parts[part]?.({ exchange, provider, environment: environment(), origin });
    } catch (error) {
      sendPage(exchange, refusalPage(exchange, error, { provider, publicUrl, log, isSignOut: part === "logout" }));
    }
  };
}

const parts: Readonly<Record<string, Part>> = { start, acs: accept, logout };

/** The parts to which anybody may send messages, which are costly to check. */
const takesMessages: readonly string[] = ["acs", "logout"];

/** Refuses a message before it is read. */
function sendTooMany(exchange: Exchange, most: number, seconds: number): void {
  const { request, response } = exchange;
  request.resume();
  response.setHeader("retry-after", seconds);
  sendPage(exchange, {
    status: 429,
    title: "Too many sign-ins from here",
    body: html`<p>
      At most ${inFigures(most)} people a minute can sign in from one network address. Try again in
      ${inFigures(seconds)} seconds.
    </p>`,
  });
}

async function start({ exchange: { request, response }, provider, environment }: Visit) {
  const returnTo = new URLSearchParams(searchOf(request)).get("returnTo");
  const { location, cookie } = startSignIn(environment, provider, returnTo);
  sendOn(response, location, [cookie]);
}

async function accept({ exchange: { request, response }, provider, environment, origin }: Visit) {
  const form = await readForm(request, maxForm);
  const brought = { response: form.get("SAMLResponse") ?? "", cookies: request.headers.cookie, origin };
  const { publicUrl } = environment;
  const { secret, returnTo, requestId } = await acceptResponse(environment, provider, brought);
  sendOn(response, returnTo, [
    sessionCookie(secret, publicUrl),
    endedRequestCookie(requestId, { publicUrl, providerId: provider.id }),
  ]);
}

/**
 * A message of the provider, its answer to one of ours, or a person who signs out here. That is by a POST alone, to
 * which browsers give the cookie of the session only on pages of docgraph's own site.
 */
async function logout({ exchange, provider, environment, origin }: Visit) {
  const { request, response } = exchange;
  const isPost = request.method === "POST";
  const search = searchOf(request);
  const fields = isPost ? await readForm(request, maxForm) : new URLSearchParams(search);
  if (fields.has("SAMLResponse")) return sendPage(exchange, signedOut);
  const posted = fields.get("SAMLRequest");
  if (posted !== null) {
    const told = { origin, ...(isPost ? { posted, relay: fields.get("RelayState") } : { search }) };
    const location = await signOutByProvider(environment, provider, told);
    return location === null ? sendPage(exchange, signedOut) : sendOn(response, location, []);
  }
  const { publicUrl } = environment;
  const secret = isPost ? sessionSecretIn(request.headers.cookie, publicUrl) : null;
  if (secret === null) return sendPage(exchange, nobodySignedIn);
  const location = await signOut(environment, provider, { secret, origin });
  sendOn(response, location ?? `${publicUrl}/`, [endedCookie(publicUrl)]);
}

const signedOut: PageForPeople = {
  status: 200,
  title: "You are signed out",
  body: html`<p>You may close this page.</p>`,
};

const nobodySignedIn: PageForPeople = {
  status: 400,
  title: "Nobody is signed in here",
  body: html`<p>There is no session in this browser that could be ended.</p>`,
};

const missing: PageForPeople = {
  status: 404,
  title: "There is no such sign-in",
  body: html`<p>
    Nobody can sign in here, or not any more. Ask the admins of your organization for the address at which you sign in.
  </p>`,
};

interface Refused {
  readonly provider: ProviderInUse;
  readonly publicUrl: string;
  readonly log: Logger;
  readonly isSignOut: boolean;
}

const notSignedOut: PageForPeople = {
  status: 400,
  title: "You could not be signed out by your identity provider",
  body: html`<p>Its message was not accepted. Sign out in docgraph itself; the session ends there.</p>`,
};

/** What a person is told who could not be signed in. Why an answer was not taken is in the log alone. */
function refusalPage({ requestId }: Exchange, error: unknown, of: Refused): PageForPeople {
  const { provider, publicUrl, log, isSignOut } = of;
  const { id: providerId, organizationId } = provider;
  const told = { requestId, providerId, organizationId };
  if (error instanceof SamlError) {
    log.warn({ ...told, reason: error.message }, "A message of a SAML provider was refused");
    if (isSignOut) return notSignedOut;
    return {
      status: 400,
      title: "You could not be signed in",
      body: html`<p>
          The answer of your identity provider was not accepted. It may have come too late, or have been used before:
          <a href="${samlAddresses(publicUrl, providerId).startURL}">sign in again</a>.
        </p>
        <p>If that does not help, tell the admins of your organization this number: <code>${requestId}</code></p>`,
    };
  }
  if (!(error instanceof DomainError)) throw error;
  log.warn({ ...told, reason: error.message }, "A sign-in by SAML was refused");
  return { status: error.status, title: "You could not be signed in", body: html`<p>${error.message}</p>` };
}
