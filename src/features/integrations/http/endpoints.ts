// The public endpoints of installations, `/integrations/<name>/<installation>/…`, and the images of integrations.
import { isRecord } from "#src/base/json.ts";
import { requestEvent, signInEvent } from "#src/features/integrations/model/runs/worker.ts";
import { signInScope } from "#src/features/integrations/model/terms.ts";
import { signInPath } from "#src/features/integrations/reads/sign-in.ts";
import { type RunHost, type Runnable, runnableOf } from "#src/features/integrations/commands/runs/runnable.ts";
import { answerTunnel, isApiPath } from "#src/features/integrations/http/tunnel-api.ts";
import { runFor } from "#src/features/integrations/commands/runs/run.ts";
import { newId } from "#src/base/ids.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import { DomainError } from "#src/base/errors.ts";
import { Rate } from "#src/domain/rate.ts";
import type { Gateway } from "#src/features/feature.ts";
import { type Exchange, searchOf } from "#src/http/exchange.ts";
import { readBody } from "#src/http/request-body.ts";
import { type HttpRoute, namesHostOf } from "#src/http/route.ts";
import { sendJson } from "#src/http/send.ts";
import { clientNetwork } from "#src/net/networks.ts";
import { imageAddress } from "#src/features/integrations/model/manifest/names.ts";
import { buffer } from "node:stream/consumers";
import { hasImage } from "#src/features/integrations/reads.ts";
import { contentTypeOf } from "#src/files/content-type.ts";
import { headSize } from "#src/files/file-store.ts";
import { openHeaders, sendBlob } from "#src/http/send-blob.ts";

type EndpointRequest = Awaited<ReturnType<typeof requestOf>> & { readonly url: string };

interface EndpointAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const jsonType = "application/json; charset=utf-8";
const failed = (status: number, message: string): EndpointAnswer => ({
  status,
  headers: { "content-type": jsonType },
  body: JSON.stringify({ error: { code: status, message } }),
});

interface Endpoint {
  readonly name: string;
  readonly installationId: string;
  /** The origin of docgraph, if the endpoint shares it; null if endpoints have a host of their own. */
  readonly sharedOrigin: string | null;
}

/** Null if no installation is active. At docgraph's own origin, responses cannot run scripts or redirect elsewhere. */
async function answerRequest(
  host: RunHost,
  { name, installationId, sharedOrigin }: Endpoint,
  request: EndpointRequest,
): Promise<EndpointAnswer | null> {
  const runnable = await runnableOf(host, installationId);
  if (!runnable || runnable.name !== name || runnable.status !== "active") return null;
  const event = { eventId: newId("IntegrationEvent"), installationId, ...eventOf(runnable, request) };
  const { answer, fault } = await runFor(host, runnable, event);
  if (fault !== null) return failed(502, "The integration failed to answer this request.");
  const made: unknown = answer === null ? null : JSON.parse(answer);
  const { contentSecurityPolicy: policy } = runnable;
  return isRecord(made)
    ? answerOf(made, { policy, sharedOrigin, mayLeadAway: runnable.scopes.includes(signInScope) })
    : failed(404, "The integration does not handle this path.");
}

/** A public request, or a visitor who comes from a page of a site to sign in. */
function eventOf({ organizationId }: Runnable, request: EndpointRequest) {
  const [, siteId] = signInAddress.exec(request.path) ?? [];
  if (siteId === undefined) return { type: requestEvent, request };
  return { type: signInEvent, organizationId, siteId, location: request.query["location"] ?? "/" };
}

const signInAddress = new RegExp(`^/sites/(sit_\\w{26})${signInPath}$`);

/** Headers that scripts may set; others could affect the origin. */
const allowed =
  /^(content-type|content-language|content-disposition|cache-control|etag|last-modified|location|x-integration-[a-z0-9-]+|access-control-[a-z-]+)$/;
const headerValue = /^[\t\x20-\x7e]{0,4000}$/;

type Safety = Pick<Endpoint, "sharedOrigin"> & {
  readonly policy: string | null;
  /** Whether it signs visitors in, so that it leads them elsewhere and back. */
  readonly mayLeadAway: boolean;
};

function answerOf(made: Record<string, unknown>, { policy, sharedOrigin, mayLeadAway }: Safety): EndpointAnswer {
  const { status = 200, headers = {}, body = "" } = made;
  if (typeof status !== "number" || !Number.isInteger(status) || status < 200 || status > 599)
    return failed(502, "The integration returned an invalid status.");
  const sent: Record<string, string> = {};
  for (const [name, given] of Object.entries(isRecord(headers) ? headers : {}))
    if (allowed.test(name.toLowerCase()) && typeof given === "string" && headerValue.test(given))
      sent[name.toLowerCase()] = given;
  const isText = typeof body === "string";
  if (!mayLeadAway && sharedOrigin !== null && leadsAway(sent["location"], sharedOrigin)) return failed(502, ledAway);
  sent["content-type"] ??= isText ? "text/plain; charset=utf-8" : jsonType;
  const bytes =
    isText && made["isBase64"] === true ? Buffer.from(body, "base64") : isText ? body : JSON.stringify(body);
  return { status, headers: { ...sent, ...ownHeaders(policy, sharedOrigin) }, body: bytes };
}

const ledAway =
  "The integration redirects to another origin, which is only allowed from a separate host: ask the operator of docgraph to set INTEGRATIONS_URL.";

const leadsAway = (location: string | undefined, origin: string): boolean =>
  location !== undefined && URL.parse(location, origin)?.origin !== origin;

/** Headers that sandbox the response, so that it cannot act as the origin. */
function ownHeaders(policy: string | null, sharedOrigin: string | null): Record<string, string> {
  const directives = (policy ?? "").replaceAll(/[^\x20-\x7e]|,/g, " ").split(";");
  const theirs = directives.map((one) => one.trim()).filter((one) => one !== "" && !/^sandbox(\s|$)/i.test(one));
  return {
    "content-security-policy": [...theirs, sharedOrigin === null ? sandbox.ofOwnHost : sandbox.shared].join("; "),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "cross-origin",
  };
}

const sandbox = { ofOwnHost: "sandbox allow-scripts allow-forms allow-popups", shared: "sandbox" } as const;

/** The name of the integration, the id of the installation, and the path that its script receives. */
const address = /^\/integrations\/([^/]+)\/(ins_\w{26})(\/.*)?$/;
const mostBytes = 1_000_000;
/** Headers hidden from scripts: credentials for this origin, and connection headers. */
const kept = /^(cookie|authorization|proxy-.*|connection|host|x-visitor-token|x-forwarded-.*|forwarded|sec-.*)$/;

/** Endpoints with a host of their own are redirected to it. Rates are checked before the body is read. */
export function endpointRoute(gateway: Gateway): HttpRoute {
  const host: RunHost = { ...gateway, ...gateway.scripts };
  const { publicUrl, integrationsUrl, contexts, costQuotas } = gateway;
  const { requestsOfClient, requests } = costQuotas.limits.installations;
  const what = "A client may send requests to the public endpoints of integrations";
  const ofClient = new Rate(costQuotas, { name: "endpoints", most: requestsOfClient, what });
  const ofInstallation = new Rate(costQuotas, {
    name: "endpoint",
    most: requests,
    what: "This endpoint accepts requests",
  });
  const handle = async (exchange: Exchange) => {
    if (integrationsUrl !== undefined && !namesHostOf(exchange.request.headers.host, integrationsUrl))
      return leadTo(exchange, integrationsUrl);
    const [, name = "", installationId = "", path = "/"] = address.exec(exchange.path) ?? [];
    await ofClient.take(clientNetwork(contexts.originOf(exchange.request).address));
    await ofInstallation.take(installationId);
    if (isApiPath(path)) return answerTunnel(host, exchange, { installationId, path });
    const url = host.addresses().endpoint(name, installationId) + path + queryOf(exchange.request);
    const request = { ...(await requestOf(exchange, path)), url };
    const sharedOrigin = integrationsUrl === undefined ? new URL(publicUrl()).origin : null;
    const place = { name: percentDecoded(name) ?? "", installationId, sharedOrigin };
    const answer = await answerRequest(host, place, request);
    if (!answer) throw new DomainError("NOT_FOUND", "No active installation of an integration exists at this address.");
    sendAnswer(exchange, answer);
  };
  // The rest of the path may hold a secret.
  const loggedPath = (path: string) => path.split("/", 4).join("/");
  return {
    path: "/integrations/",
    pattern: address,
    methods: null,
    hasOwnCors: true,
    isIsolated: true,
    handle,
    loggedPath,
  };
}

function sendAnswer(exchange: Exchange, { status, headers, body }: EndpointAnswer): void {
  const { request, response } = exchange;
  if (status >= 500) exchange.refusal = "INTEGRATION_FAILED";
  for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
  response.writeHead(status);
  response.end(request.method === "HEAD" ? undefined : body);
}

const queryOf = (request: Exchange["request"]): string => {
  const search = searchOf(request);
  return search === "" ? "" : `?${search}`;
};

/** Redirects to the same path of another host, with the method and the body. */
function leadTo({ request, response }: Exchange, origin: string): void {
  request.resume();
  const location = origin + (request.url ?? "/");
  response.setHeader("location", location);
  sendJson(response, 308, { message: `Endpoints of integrations are at ${location}` });
}

/** `path` is relative to that of the installation; `body` is a text, or base64 for other bytes. */
async function requestOf({ request }: Exchange, path: string) {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers))
    if (!kept.test(name) && value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  const { method = "GET" } = request;
  const bytes = method === "GET" || method === "HEAD" ? null : await readBody(request, mostBytes);
  const text = bytes?.toString("utf8") ?? null;
  const isBase64 = bytes !== null && !Buffer.from(text ?? "").equals(bytes);
  const query = Object.fromEntries(new URLSearchParams(searchOf(request)));
  return { method, path, query, headers, body: isBase64 ? bytes.toString("base64") : text, isBase64 };
}

/**
 * `/integrations/<id>/images/…`: 404 unless the image belongs to the current version of the integration. Addresses have
 * the unguessable hash of the bytes, so they need no token and pages can embed them.
 */
export const imageRoute = (gateway: Gateway): HttpRoute => ({
  path: "/integrations/",
  loggedPath: (path) => path.split("/", 4).join("/"),
  handle: (exchange) => sendBlob(exchange, gateway, () => findImage(gateway, exchange.path)),
});

async function findImage({ database, files }: Gateway, path: string) {
  const [, id, blob] = imageAddress.exec(path) ?? [];
  if (id === undefined || blob === undefined || !(await hasImage(database, id, blob))) return null;
  const found = await files.find(blob);
  const head = await files.open(blob, { start: 0, end: headSize - 1 });
  if (!found || !head) return null;
  const type = contentTypeOf(await buffer(head), "");
  return { blob, size: found.size, headers: { ...headers, "content-type": type } };
}

const headers = {
  "cache-control": "public, max-age=31536000, immutable",
  // Browsers show a directly opened image in a page with inline styles.
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  ...openHeaders,
};
