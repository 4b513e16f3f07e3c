// The lifecycle of a request: one table of steps, in their order, and the code that runs them.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { execute } from "graphql";
import type { Logger } from "pino";
import { DomainError, type ErrorCode } from "#src/base/errors.ts";
import { meterStatements } from "#src/db/connection/database.ts";
import { answerOf } from "#src/db/connection/database-errors.ts";
import { OpenItems } from "#src/runtime/open-items.ts";
import { CostQuotas } from "#src/domain/quota.ts";
import { compressionFor, sendError, setRetryAfter } from "#src/http/send.ts";
import { type Exchange, type Observers, openExchange, originForm } from "#src/http/exchange.ts";
import { addVary, Offer } from "#src/http/negotiation.ts";
import { Origins } from "#src/http/origins.ts";
import { readBody } from "#src/http/request-body.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { failurePage } from "#src/pages/errors.ts";
import { sendShown } from "#src/pages/serve.ts";
import { Plan } from "#src/plan/plan.ts";
import { endExchange } from "#src/server/http/access-log.ts";
import { HostAndHeaders } from "#src/server/http/host-and-headers.ts";
import { setQuotaHeaders } from "#src/server/http/quota-headers.ts";
import { Contexts } from "#src/server/http/request-contexts.ts";
import { Routes, runRoute } from "#src/server/http/routes.ts";

type Code = (...values: never[]) => unknown;

interface Step {
  readonly name: string;
  readonly does: string;
  /** The functions of the step, each for other requests. */
  readonly by: readonly Code[];
}

/** A method of a class, for the table only. */
const method = <Name extends string>(owner: { readonly prototype: Record<NoInfer<Name>, Code> }, name: Name): Code =>
  owner.prototype[name];

/** The steps from the socket to the log. A request skips those that it does not need. */
export const steps: readonly Step[] = [
  {
    name: "socket limits",
    does: "Malformed and slow requests are rejected, and clients that do not read their response are disconnected.",
    by: [limitSocket],
  },
  {
    name: "request id and span",
    does: "The response gets `x-request-id`, and the span of the request starts.",
    by: [openExchange],
  },
  { name: "route", does: "The path is looked up in the table of routes.", by: [method(Routes, "find")] },
  {
    name: "host",
    does: "The response gets its security headers. The hostname of a site serves that site. Requests for another host are rejected.",
    by: [method(HostAndHeaders, "refusal")],
  },
  {
    name: "origin",
    does: "Pages of other origins get the headers of CORS, and preflight requests their response.",
    by: [method(Origins, "answer")],
  },
  { name: "method and media type", does: "Requests that the route does not support are rejected.", by: [runRoute] },
  {
    name: "who is asking",
    does: "The token, or the cookie of a session, becomes the viewer of a context.",
    by: [method(Contexts, "ofRequest"), method(Contexts, "ofAnyone"), method(Contexts, "ofPage")],
  },
  { name: "body", does: "The body is read, up to its limit.", by: [readBody] },
  { name: "negotiate", does: "`Accept` selects the media type of the response.", by: [method(Offer, "choose")] },
  {
    name: "quota",
    does: "The estimate of the operation, the quota of the caller and their slots are checked.",
    by: [method(CostQuotas, "requirePoints")],
  },
  {
    name: "run",
    does: "The operation runs within its time limit: compiled, or field by field.",
    by: [method(Plan, "run"), execute],
  },
  { name: "compress", does: "A long response is compressed according to `Accept-Encoding`.", by: [compressionFor] },
  {
    name: "account",
    does: "The response gets the quota of the caller, and the cost of the operation if requested.",
    by: [setQuotaHeaders],
  },
  { name: "log", does: "The access log gets a line, the metrics are updated, and the span ends.", by: [endExchange] },
];

interface Options extends Observers {
  readonly routes: Routes;
  readonly origins: Origins;
  readonly hostAndHeaders: HostAndHeaders;
  readonly log: Logger;
  /** How long a client may pause reading a response, in milliseconds. */
  readonly writeTimeoutMs: number;
  readonly state: { isLeaving: boolean };
}

export class Requests {
  readonly #options: Options;
  readonly #answers = new OpenItems<ServerResponse>();
  #afterAnswer: (() => void) | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  leave(): void {
    this.#options.state.isLeaving = true;
    for (const response of this.#answers) response.shouldKeepAlive = false; // too late for heads that are sent
  }

  afterAnswer(call: () => void): void {
    this.#afterAnswer = call;
  }

  readonly listener: RequestListener = (request, response) => {
    const { hostAndHeaders, writeTimeoutMs } = this.#options;
    limitSocket(response, writeTimeoutMs);
    if (!request.url?.startsWith("/")) request.url = originForm(request.url ?? "/");
    const base = hostAndHeaders.baseOf(request);
    if (base === "") return this.#begin(request, response, base);
    return void base.then(
      (path) => this.#begin(request, response, path),
      (error: unknown) => this.#begin(request, response, "", error),
    );
  };

  /** `base` is the path that the host serves; if it could not be found, `error` is the response. */
  #begin(request: IncomingMessage, response: ServerResponse, base: string, error?: unknown): void {
    const { routes, hostAndHeaders, state } = this.#options;
    if (state.isLeaving) response.shouldKeepAlive = false;
    const exchange = openExchange(request, response, this.#options, base);
    const route = routes.find(exchange.path, request);
    const place = this.#answers.add(response);
    response.once("close", () => {
      this.#answers.remove(place);
      this.#end(exchange, route);
    });
    hostAndHeaders.secure(response);
    const refusal = error ?? hostAndHeaders.refusal(request, base);
    if (refusal) return this.#fail(exchange, refusal);
    exchange.watched.operation = route.path;
    const fail = (thrown: unknown) => this.#fail(exchange, thrown);
    try {
      exchange.watched.run(() => meterStatements(exchange.meter, () => this.#answer(exchange, route))).catch(fail);
    } catch (thrown) {
      fail(thrown);
    }
  }

  #answer(exchange: Exchange, route: HttpRoute): Promise<void> {
    const { request, response } = exchange;
    const isOfPage = request.headers.origin !== undefined && !route.hasOwnCors;
    if (isOfPage && this.#options.origins.answer(request, response)) return Promise.resolve();
    return runRoute(route, exchange);
  }

  #end(exchange: Exchange, route: HttpRoute): void {
    endExchange(exchange, route, this.#options.log);
    this.#afterAnswer?.();
  }

  #fail(exchange: Exchange, error: unknown): void {
    const { response, requestId, request } = exchange;
    const { log } = this.#options;
    const answer = answerOf(error, log);
    if (!answer) log.error({ err: error, requestId }, "Unexpected error in a request");
    if (response.headersSent) {
      response.destroy();
      return;
    }
    request.resume();
    const refusal =
      answer ??
      new DomainError("INTERNAL", `An internal error occurred; it was logged under the request id ${requestId}.`);
    exchange.refusal = refusal.code;
    setRetryAfter(response, refusal);
    addVary(response, "accept");
    if (isForPerson(exchange, refusal)) sendShown(exchange, failurePage(refusal));
    else sendError(response, refusal);
  }
}

const eitherForm = new Offer(["application/json; charset=utf-8", "text/html; charset=utf-8"]);

/** NOT_ACCEPTABLE is for programs; MISDIRECTED comes from another host, where pages have no style. */
const neverPages: readonly ErrorCode[] = ["NOT_ACCEPTABLE", "MISDIRECTED"];

/** Whether a browser shows the response to a person. Pages have no style at the hosts of sites. */
const isForPerson = ({ base, request }: Exchange, { code }: DomainError): boolean =>
  base === "" &&
  !neverPages.includes(code) &&
  eitherForm.choose(request.headers.accept)?.startsWith("text/html") === true;

/** Disconnects a client that pauses reading its response for this long. Each read restarts the time. */
function limitSocket(response: ServerResponse, timeoutMs: number): void {
  response.setTimeout(timeoutMs, () => {
    if (response.socket && response.socket.writableLength > 0) response.destroy();
  });
}
