// Responses with the quota of their caller (the RateLimit headers of draft-ietf-httpapi-ratelimit-headers), and with
// the cost of the operation if requested.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "#src/domain/context.ts";
import { quotaOf, costOf } from "#src/domain/cost.ts";
import { setEarlyHeader, EarlyResponse } from "#src/http/early-headers.ts";

type Caller = Pick<Context, "costQuotas" | "viewer" | "origin" | "reader" | "costAsked">;

/** The response class of the HTTP server. */
export class QuotaResponse<Request extends IncomingMessage = IncomingMessage> extends EarlyResponse<Request> {
  caller: Caller | null = null;

  override writeHead(status: number, ...others: unknown[]): this {
    if (this.caller && !this.headersSent) setQuotaHeaders(this, this.caller, status);
    return super.writeHead(status, ...(others as []));
  }
}

export function showQuota(response: ServerResponse, caller: Caller): void {
  if (response instanceof QuotaResponse) response.caller = caller;
}

export function setQuotaHeaders(response: ServerResponse, caller: Caller, status: number): void {
  const quota = quotaOf(caller);
  if (!caller.costQuotas || !quota) return;
  const { remaining, resetSeconds } = quota;
  if (caller.viewer.userId !== "") {
    setEarlyHeader(response, "ratelimit-policy", caller.costQuotas.policy);
    setEarlyHeader(response, "ratelimit", `"points";r=${remaining};t=${resetSeconds}`);
  }
  // Another limit may have set a longer time.
  if (status === 429)
    response.setHeader(
      "retry-after",
      Math.max(Number(response.getHeader("retry-after") ?? 1), remaining > 0 ? 1 : resetSeconds),
    );
  if (!caller.costAsked) return;
  // A dictionary of RFC 9651: `estimated=20, actual=12`.
  const { estimated, actual } = costOf(caller, caller.costAsked === "report");
  response.setHeader(
    "cost",
    actual === undefined ? `estimated=${estimated}` : `estimated=${estimated}, actual=${actual}`,
  );
}
