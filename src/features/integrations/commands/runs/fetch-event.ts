// Fetch events: public requests to the endpoint of an installation, which its script answers.
import { isRecord } from "#src/base/json.ts";
import type { RunHost } from "#src/features/integrations/commands/runs/host.ts";
import { runFor } from "#src/features/integrations/commands/runs/run.ts";
import { runnableOf } from "#src/features/integrations/commands/runs/runnable.ts";
import { newId } from "#src/base/ids.ts";

export interface EndpointRequest {
  readonly method: string;
  /** The path behind that of the installation, with a slash. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or base64 for other bytes. */
  readonly body: string | null;
  readonly isBase64: boolean;
}

export interface EndpointAnswer {
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

/**
 * Answers a request to the endpoint of an installation; null if none is active. At the origin of docgraph answers
 * redirect to no other origin, and pages run no scripts and send no forms.
 */
export async function answerRequest(
  host: RunHost,
  { name, installationId, sharedOrigin }: Endpoint,
  request: EndpointRequest,
): Promise<EndpointAnswer | null> {
  const runnable = await runnableOf(host, installationId);
  if (!runnable || runnable.name !== name || runnable.status !== "active") return null;
  const event = { type: "fetch", eventId: newId("IntegrationEvent"), installationId, request };
  const { answer, fault } = await runFor(host, runnable, event);
  if (fault !== null) return failed(502, "The integration failed to answer this request.");
  const made: unknown = answer === null ? null : JSON.parse(answer);
  const { contentSecurityPolicy: policy } = runnable;
  return isRecord(made)
    ? answerOf(made, { policy, sharedOrigin })
    : failed(404, "The integration answers nothing here.");
}

/** Headers that scripts may set; others could affect the origin. */
const allowed =
  /^(content-type|content-language|content-disposition|cache-control|etag|last-modified|location|x-integration-[a-z0-9-]+|access-control-[a-z-]+)$/;
const headerValue = /^[\t\x20-\x7e]{0,4000}$/;

interface Safety extends Pick<Endpoint, "sharedOrigin"> {
  readonly policy: string | null;
}

function answerOf(made: Record<string, unknown>, { policy, sharedOrigin }: Safety): EndpointAnswer {
  const { status = 200, headers = {}, body = "" } = made;
  if (typeof status !== "number" || !Number.isInteger(status) || status < 200 || status > 599)
    return failed(502, "The integration answered with an invalid status.");
  const sent: Record<string, string> = {};
  for (const [name, given] of Object.entries(isRecord(headers) ? headers : {}))
    if (allowed.test(name.toLowerCase()) && typeof given === "string" && headerValue.test(given))
      sent[name.toLowerCase()] = given;
  const isText = typeof body === "string";
  if (sharedOrigin !== null && leadsAway(sent["location"], sharedOrigin)) return failed(502, ledAway);
  sent["content-type"] ??= isText ? "text/plain; charset=utf-8" : jsonType;
  const bytes =
    isText && made["isBase64"] === true ? Buffer.from(body, "base64") : isText ? body : JSON.stringify(body);
  return { status, headers: { ...sent, ...ownHeaders(policy, sharedOrigin) }, body: bytes };
}

const ledAway =
  "The integration redirects to another origin, which only a host of its own may do: the operator of docgraph has to set INTEGRATIONS_URL.";

const leadsAway = (location: string | undefined, origin: string): boolean =>
  location !== undefined && URL.parse(location, origin)?.origin !== origin;

/** Headers that sandbox the answer, so that it cannot act as the origin. */
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
