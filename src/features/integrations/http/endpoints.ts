// The public endpoints of installations: `/integrations/<name>/<installation>/…`, which their scripts answer.
import { percentDecoded } from "#src/base/url-text.ts";
import { DomainError } from "#src/base/errors.ts";
import { Rate } from "#src/domain/rate.ts";
import type { Gateway } from "#src/features/feature.ts";
import { answerRequest } from "#src/features/integrations/commands/runs/fetch-event.ts";
import type { RunHost } from "#src/features/integrations/commands/runs/host.ts";
import { type Exchange, searchOf } from "#src/http/exchange.ts";
import { readBody } from "#src/http/request-body.ts";
import { type HttpRoute, namesHostOf } from "#src/http/route.ts";
import { sendJson } from "#src/http/send.ts";
import { clientNetwork } from "#src/net/networks.ts";

/** The name of the integration, the id of the installation, and the path that its script gets. */
const address = /^\/integrations\/([^/]+)\/(ins_\w{26})(\/.*)?$/;
const mostBytes = 1_000_000;
/** Headers that scripts do not get: credentials for this origin, and those of the connection. */
const kept = /^(cookie|authorization|proxy-.*|connection|host|x-visitor-token|x-forwarded-.*|forwarded|sec-.*)$/;

/**
 * The route of endpoints: where they have a host of their own, other hosts redirect to it. Requests beyond the rate of
 * a client or an installation are refused before anything is read for them.
 */
export function endpointRoute(gateway: Gateway): HttpRoute {
  const host: RunHost = { ...gateway, ...gateway.scripts };
  const { publicUrl, integrationsUrl, contexts, costQuotas } = gateway;
  const { requestsOfClient, requests } = costQuotas.limits.installations;
  const what = "One client may ask the public endpoints of integrations";
  const ofClient = new Rate(costQuotas, { name: "endpoints", most: requestsOfClient, what });
  const ofInstallation = new Rate(costQuotas, { name: "endpoint", most: requests, what: "This endpoint may be asked" });
  const handle = async (exchange: Exchange) => {
    if (integrationsUrl !== undefined && !namesHostOf(exchange.request.headers.host, integrationsUrl))
      return leadTo(exchange, integrationsUrl);
    const [, name = "", installationId = "", path = "/"] = address.exec(exchange.path) ?? [];
    await ofClient.take(clientNetwork(contexts.originOf(exchange.request).address));
    await ofInstallation.take(installationId);
    const request = await requestOf(exchange, path);
    const sharedOrigin = integrationsUrl === undefined ? new URL(publicUrl()).origin : null;
    const place = { name: percentDecoded(name) ?? "", installationId, sharedOrigin };
    const answer = await answerRequest(host, place, request);
    if (!answer) throw new DomainError("NOT_FOUND", "There is no active installation at this address.");
    const { response } = exchange;
    if (answer.status >= 500) exchange.refusal = "INTEGRATION_FAILED";
    for (const [header, value] of Object.entries(answer.headers)) response.setHeader(header, value);
    response.writeHead(answer.status);
    response.end(exchange.request.method === "HEAD" ? undefined : answer.body);
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

/** Redirects to the same path of another host, with the method and the body. */
function leadTo({ request, response }: Exchange, origin: string): void {
  request.resume();
  const location = origin + (request.url ?? "/");
  response.setHeader("location", location);
  sendJson(response, 308, { message: `Endpoints of integrations are at ${location}` });
}

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
