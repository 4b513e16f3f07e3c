// Negotiates the media type of a response: the header Accept of the request (RFC 9110, 12.5.1) against a route's types.
import type { IncomingMessage, ServerResponse } from "node:http";
import Negotiator from "negotiator";
import { setEarlyHeader } from "#src/http/early-headers.ts";
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import { DomainError } from "#src/base/errors.ts";

/** A type that no client accepts by name: the library prefers types accepted by name to wildcards. */
const unnamed = /\/unnamed$/;

const weight = /;\s*q\s*=/i;

/** The longest Accept that is parsed, in characters: clients send some 350, and the library is slow for more. */
const longestAccept = 500;

const bare = (type: string): string => type.replace(/;.*$/s, "");

/** The media types of a route's responses. */
export class Offer {
  /** As Content-Type values, in docgraph's order of preference. */
  readonly #types: readonly string[];
  /** The types as the library compares them: of those that only a wildcard accepts, it takes the first. */
  readonly #compared: readonly string[];
  /** Common values, decided without the library. */
  readonly #exact: ReadonlyMap<string | undefined, string>;
  readonly #chosen = new BoundedMap<string, string | null>(100);

  /** `usual` is for clients that accept anything. */
  constructor(types: readonly [string, ...string[]], usual: string = types[0]) {
    this.#types = types;
    const wildcards = new Set(types.map((type) => type.replace(/\/.*$/s, "/unnamed")));
    this.#compared = [...wildcards, usual, ...types.filter((type) => type !== usual)];
    const named = types.map((type): [string, string] => [bare(type), type]);
    this.#exact = new Map([...named, [undefined, usual], ["*/*", usual]]);
  }

  /** The client's preferred type, or null; of several with equal weights, the one that docgraph prefers. */
  choose(accept: string | undefined): string | null {
    const exact = this.#exact.get(accept);
    if (exact !== undefined || accept === undefined) return exact ?? null;
    const known = this.#chosen.get(accept);
    if (known !== undefined) return known;
    if (accept.length > longestAccept) return null;
    const chosen = this.#negotiate(accept);
    this.#chosen.keep(accept, chosen);
    return chosen;
  }

  #negotiate(accept: string): string | null {
    const accepted = new Negotiator({ headers: { accept } }).mediaTypes([...this.#compared]);
    const end = accepted.findIndex((type) => unnamed.test(type));
    const named = end < 0 ? accepted : accepted.slice(0, end);
    if (!weight.test(accept)) {
      const preferred = this.#types.find((type) => named.includes(type));
      if (preferred !== undefined) return preferred;
    }
    return accepted.find((type) => !unnamed.test(type)) ?? null;
  }

  /** The same; throws NOT_ACCEPTABLE if the client accepts none of the types. */
  require({ headers }: Pick<IncomingMessage, "headers">): string {
    const chosen = this.choose(headers.accept);
    if (chosen !== null) return chosen;
    throw notAcceptable(this.#types);
  }
}

/** Offers with a single media type. */
export const [jsonAnswers, htmlPages] = [
  new Offer(["application/json; charset=utf-8"]),
  new Offer(["text/html; charset=utf-8"]),
];

const offers = new BoundedMap<string, Offer>(50);

/** The offer of a single media type, as each file has one. */
export function offerOf(type: string): Offer {
  const known = offers.get(type) ?? new Offer([type]);
  offers.keep(type, known);
  return known;
}

/** The error with the list of types. */
export function notAcceptable(types: readonly string[]): DomainError {
  const names = types.map((type) => `\`${type.replace(/; charset=.*$/s, "")}\``).join(" or ");
  return new DomainError("NOT_ACCEPTABLE", `\`Accept\` must allow ${names}, in at most ${longestAccept} characters.`);
}

/** Adds request headers that the response depends on to `Vary`. */
export function addVary(response: ServerResponse, ...names: readonly string[]): void {
  const before = response.getHeader("vary");
  const known = before === undefined ? [] : String(before).split(", ");
  setEarlyHeader(response, "vary", [...new Set([...known, ...names])].join(", "));
}
