// Responses that tell a known caller, whatever they answer, how many points are left (the RateLimit headers of
// draft-ietf-httpapi-ratelimit-headers), and what the operation has cost where that was asked for.
import { type IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "#src/domain/context.ts";
import { quotaOf, costOf } from "#src/domain/cost.ts";

type Asked = Pick<Context, "costQuotas" | "viewer" | "origin" | "reader" | "costAsked">;

/** See the head of this file. Made by the HTTP server in place of its own. */
export class QuotaResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** By whom and at what cost it was asked for; null until it is known. */
  asked: Asked | null = null;

  override writeHead(status: number, ...others: unknown[]): this {
    if (this.asked && !this.headersSent) this.#tell(this.asked, status);
    return super.writeHead(status, ...(others as []));
  }

  #tell(asked: Asked, status: number): void {
    const quota = quotaOf(asked);
    if (!asked.costQuotas || !quota) return;
    const { remaining, resetSeconds } = quota;
    if (asked.viewer.userId !== "") {
      this.setHeader("ratelimit-policy", `"points";q=${asked.costQuotas.limits.pointsPerMinute};w=60`);
      this.setHeader("ratelimit", `"points";r=${remaining};t=${resetSeconds}`);
    }
    // Another limit may have said a longer time.
    if (status === 429)
      this.setHeader(
        "retry-after",
        Math.max(Number(this.getHeader("retry-after") ?? 1), remaining > 0 ? 1 : resetSeconds),
      );
    if (asked.costAsked) this.#tellCost(asked);
  }

  /** As a dictionary (RFC 9651): `estimated=20, actual=12`. */
  #tellCost(asked: Asked): void {
    const { estimated, actual } = costOf(asked, asked.costAsked === "report");
    this.setHeader(
      "cost",
      actual === undefined ? `estimated=${estimated}` : `estimated=${estimated}, actual=${actual}`,
    );
  }
}

/** Sets the request whose quota the headers of a response show. */
export function showQuota(response: ServerResponse, asked: Asked): void {
  if (response instanceof QuotaResponse) response.asked = asked;
}
