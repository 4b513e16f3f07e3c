// The public endpoints of installations: `/integrations/<name>/<installation>/...`, which their scripts answer.
import { DomainError } from "#src/base/errors.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import { answerRequest } from "#src/features/integrations/commands/runs/fetch-event.ts";
import type { RunHost } from "#src/features/integrations/commands/runs/host.ts";
import type { CostQuotas } from "#src/domain/quota.ts";
import { Rate } from "#src/domain/rate.ts";
import { clientNetwork } from "#src/net/networks.ts";
import type { RequestOrigins } from "#src/http/client-address.ts";
import { type Exchange, type Handler, searchOf, sendJson } from "#src/http/exchange.ts";
import { isIntegrationsHost } from "#src/server/integrations-host.ts";
import { readBody } from "#src/http/request-body.ts";

/** Paths of endpoints: the name of the integration, the id of the installation, and what is its script's business. */
export const endpointAddress = /^\/integrations\/([^/]+)\/(ins_\w{26})(\/.*)?$/;
const mostBytes = 1_000_000;
/** Of the browser's with this origin, or of the connection: none of a script's business. */
const kept = /^(cookie|authorization|proxy-.*|connection|host|x-visitor-token|x-forwarded-.*|forwarded|sec-.*)$/;

/** Where docgraph is reached, and its endpoints of integrations. */
interface Hosts {
  readonly publicUrl: () => string;
  /** The address of endpoints, where they have a host of their own. */
  readonly integrationsUrl?: string | undefined;
  readonly requestOrigins: RequestOrigins;
}

/**
 * The handler of `/integrations/...`: where endpoints have a host of their own, other hosts lead to it. Requests beyond
 * the rate of a client or an installation are refused before anything is read for them.
 */
export function createIntegrationRequests(host: RunHost, costQuotas: CostQuotas, hosts: Hosts): Handler {
  const { publicUrl, integrationsUrl, requestOrigins } = hosts;
  const { requestsOfClient, requests } = costQuotas.limits.installations;
  const what = "One client may ask the public endpoints of integrations";
  const ofClient = new Rate(costQuotas, { name: "endpoints", most: requestsOfClient, what });
  const ofInstallation = new Rate(costQuotas, { name: "endpoint", most: requests, what: "This endpoint may be asked" });
  return async (exchange) => {
    if (integrationsUrl !== undefined && !isIntegrationsHost(exchange.request.headers.host, integrationsUrl))
      return leadTo(exchange, integrationsUrl);
    const [, name = "", installationId = "", rest = "/"] = endpointAddress.exec(exchange.path) ?? [];
    await ofClient.take(clientNetwork(requestOrigins.of(exchange.request).address));
    await ofInstallation.take(installationId);
    const request = await requestOf(exchange, rest);
    const sharedOrigin = integrationsUrl === undefined ? new URL(publicUrl()).origin : null;
    const place = { name: percentDecoded(name) ?? "", installationId, sharedOrigin };
    const answer = request && (await answerRequest(host, place, request));
    if (!answer) throw new DomainError("NOT_FOUND", "There is no active installation at this address.");
    const { response } = exchange;
    if (answer.status >= 500) exchange.refusal = "INTEGRATION_FAILED";
    for (const [header, value] of Object.entries(answer.headers)) response.setHeader(header, value);
    response.writeHead(answer.status);
    response.end(exchange.request.method === "HEAD" ? undefined : answer.body);
  };
}

/** Sends a request on to the same path of another host, with its method and body. */
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
