// /v1 for workers at development tunnels: as an installation, by the token of their run, below its public endpoint.
import { DomainError } from "#src/base/errors.ts";
import { readApiToken } from "#src/features/integrations/commands/runs/api-token.ts";
import { identityOf } from "#src/features/integrations/commands/runs/identity.ts";
import { apiPath } from "#src/features/integrations/commands/runs/post-event.ts";
import { type RunHost, runnableOf } from "#src/features/integrations/commands/runs/runnable.ts";
import { type Exchange, searchOf } from "#src/http/exchange.ts";
import { readBody } from "#src/http/request-body.ts";

interface Head {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
}

const callMs = 15_000;

/** Whether a path below a public endpoint is one of these. */
export const isApiPath = (path: string): boolean => path.startsWith(`${apiPath}/v1/`);

/** Answers a call. Throws UNAUTHENTICATED unless its token is that of a run of the installation. */
export async function answerTunnel(host: RunHost, { request, response }: Exchange, of: Called): Promise<void> {
  const [, token = ""] = /^Bearer ([\w-]+)$/i.exec(request.headers.authorization ?? "") ?? [];
  const mayChange = readApiToken(host, of.installationId, token);
  const runnable = mayChange && (await runnableOf(host, of.installationId));
  if (!runnable) throw new DomainError("UNAUTHENTICATED");
  const { method = "GET", headers } = request;
  const body = method === "GET" || method === "HEAD" ? null : await readBody(request);
  const search = searchOf(request);
  const path = of.path.slice(apiPath.length) + (search === "" ? "" : `?${search}`);
  const asked = { url: path, path, method, headers: Object.entries(headers), isFetch: true };
  const identity = await identityOf(host.database, { ...runnable, mayChange });
  const call = { kind: "rest", request: JSON.stringify(asked), body } as const;
  const answer = await host.answerApi(identity, call, AbortSignal.timeout(callMs));
  if (!answer.ok) throw new DomainError("INVALID_INPUT", answer.message);
  const head = JSON.parse(answer.json) as Head; // written by the gateway
  for (const [name, value] of head.headers) response.setHeader(name, value);
  response.writeHead(head.status);
  response.end(answer.body ?? undefined);
}

interface Called {
  readonly installationId: string;
  /** Below the public endpoint. */
  readonly path: string;
}
