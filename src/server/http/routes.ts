// The table of routes, and the steps between the match of a path and its handler.
import type { IncomingMessage } from "node:http";
import { DomainError } from "#src/base/errors.ts";
import { abridged } from "#src/base/text/cut.ts";
import { type Exchange, searchOf } from "#src/http/exchange.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { sendJson } from "#src/http/send.ts";

const readingMethods: readonly string[] = ["GET", "HEAD"];

export class Routes {
  readonly #exact: ReadonlyMap<string, HttpRoute>;
  /** Routes of path prefixes; the ones with a pattern come first. */
  readonly #below: readonly HttpRoute[];

  constructor(routes: readonly HttpRoute[]) {
    const below = routes.filter(({ path }) => path.length > 1 && path.endsWith("/"));
    this.#below = [...below.filter(({ pattern }) => pattern), ...below.filter(({ pattern }) => !pattern)];
    this.#exact = new Map(routes.filter((route) => !below.includes(route)).map((route) => [route.path, route]));
  }

  /** The paths; those with a trailing slash are prefixes. */
  get paths(): string[] {
    return [...new Set([...this.#exact.keys(), ...this.#below.map(({ path }) => path)])];
  }

  /** The route of a request, or one that returns NOT_FOUND or redirects to the path without its trailing slash. */
  find(path: string, request: Pick<IncomingMessage, "method" | "headers">): HttpRoute {
    const exact = this.#exact.get(path);
    if (exact) return exact;
    for (const route of this.#below)
      if (path.startsWith(route.path) && (route.pattern?.test(path) ?? true) && (route.selects?.(request) ?? true))
        return route;
    return this.#exact.has(path.replace(/\/$/, "")) ? withoutSlash : nothing;
  }

  isIsolated(path: string): boolean {
    return this.find(path, anyRequest).isIsolated ?? false;
  }
}

const anyRequest = { headers: {} };

/** Runs the handler of a route. Throws METHOD_NOT_ALLOWED and NOT_ACCEPTABLE. */
export function runRoute(route: HttpRoute, exchange: Exchange): Promise<void> {
  const { methods = readingMethods, answers } = route;
  const { request, response } = exchange;
  if (methods !== null && !methods.includes(request.method ?? "")) {
    response.setHeader("allow", methods.join(", "));
    throw new DomainError("METHOD_NOT_ALLOWED", `This path supports ${methods.join(", ")} only.`);
  }
  answers?.require(request);
  return route.handle(exchange);
}

const withoutSlash: HttpRoute = {
  path: "nothing",
  methods: null,
  async handle({ request, response, path }) {
    request.resume();
    const [search, target] = [searchOf(request), path.slice(0, -1)];
    response.setHeader("location", search === "" ? target : `${target}?${search}`);
    sendJson(response, 308, { message: abridged(`Addresses have no trailing slash: ${target}`) });
  },
};

const nothing: HttpRoute = {
  path: "nothing",
  methods: null,
  handle: () =>
    Promise.reject(new DomainError("NOT_FOUND", "No route matches this path. See / for the list of addresses.")),
};
