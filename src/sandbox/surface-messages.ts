// `Request` and `Response` of scripts by the Fetch standard; runs inside the sandbox (see surface.ts).
import type { BodySource, makeBody } from "#src/sandbox/surface-bodies.ts";
import type { HeadersClass } from "#src/sandbox/surface-headers.ts";

interface Init {
  readonly method?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null;
  readonly status?: unknown;
  readonly statusText?: unknown;
  readonly redirect?: unknown;
}

type Parts = {
  readonly Headers: HeadersClass;
  readonly bodies: ReturnType<typeof makeBody>;
  readonly sourceOf: (body: unknown) => BodySource | null;
};

/** Defines `Request`. */
export function addRequest(define: (name: string, value: unknown) => void, { Headers, bodies, sourceOf: read }: Parts) {
  const { Body, share, sharedIn } = bodies;
  const sourceOf = (body: unknown) => sharedIn(body) ?? read(body);
  const usual = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH"]);
  const methodOf = (given: unknown) => {
    const method = String(given);
    const upper = method.toUpperCase();
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method) || /^(CONNECT|TRACE|TRACK)$/.test(upper))
      throw new TypeError("This method is not allowed.");
    return usual.has(upper) ? upper : method;
  };
  class Request extends Body {
    readonly method: string;
    readonly url: string;
    readonly headers: InstanceType<HeadersClass>;
    readonly signal: AbortSignal;
    readonly redirect: string;
    constructor(input: unknown, init: Init = {}) {
      const from = input instanceof Request ? input : null;
      const headers = new Headers(init.headers ?? from?.headers);
      const method = methodOf(init.method ?? from?.method ?? "GET");
      const source = sourceOf(init.body === undefined && from ? share(from) : init.body);
      if (source && (method === "GET" || method === "HEAD"))
        throw new TypeError(`A ${method} request must not have a body.`);
      super(source, () => headers.get("content-type") ?? "");
      if (source && source.type !== null && !headers.has("content-type")) headers.set("content-type", source.type);
      this.method = method;
      this.url = from ? from.url : new URL(String(input)).href;
      this.headers = headers;
      this.signal = init.signal ?? from?.signal ?? new AbortController().signal;
      this.redirect = String(init.redirect ?? from?.redirect ?? "follow");
    }
    clone() {
      return new Request(this);
    }
  }
  define("Request", Request);
  return Request;
}

/** Defines `Response`. */
export function addResponse(
  define: (name: string, value: unknown) => void,
  { Headers, bodies, sourceOf: read }: Parts,
) {
  const { Body, share, sharedIn } = bodies;
  const sourceOf = (body: unknown) => sharedIn(body) ?? read(body);
  const { stringify } = JSON;
  const bodiless = new Set([204, 205, 304]);
  class Response extends Body {
    readonly status: number;
    readonly statusText: string;
    readonly headers: InstanceType<HeadersClass>;
    readonly type: string = "default";
    readonly redirected: boolean = false;
    readonly url: string = "";
    constructor(body: unknown = null, init: Init = {}) {
      const status = init.status === undefined ? 200 : Number(init.status);
      if (!Number.isInteger(status) || status < 200 || status > 599)
        throw new RangeError("The status must be from 200 to 599.");
      const headers = new Headers(init.headers);
      const source = sourceOf(body);
      if (source && bodiless.has(status)) throw new TypeError(`A response of status ${status} has no body.`);
      super(source, () => headers.get("content-type") ?? "");
      if (source && source.type !== null && !headers.has("content-type")) headers.set("content-type", source.type);
      this.status = status;
      this.statusText = init.statusText === undefined ? "" : String(init.statusText);
      this.headers = headers;
    }
    static json(value: unknown, init: Init = {}) {
      const headers = new Headers(init.headers);
      if (!headers.has("content-type")) headers.set("content-type", "application/json");
      return new Response(stringify(value), { ...init, headers });
    }
    static redirect(url: unknown, status: unknown = 302) {
      if (![301, 302, 303, 307, 308].includes(Number(status)))
        throw new RangeError("This is not the status of a redirect.");
      return new Response(null, { status, headers: { location: new URL(String(url)).href } });
    }
    static error() {
      return Object.assign(new Response(), { status: 0, type: "error" });
    }
    get ok() {
      return this.status >= 200 && this.status < 300;
    }
    clone() {
      const { status, statusText, headers, url, redirected } = this;
      const made = new Response(share(this), { status, statusText, headers });
      return Object.assign(made, { url, redirected });
    }
  }
  define("Response", Response);
  return Response;
}
