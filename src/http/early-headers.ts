// Headers that are written with the head of a response, from a flat list. Node stores those of `setHeader` in an
// object, checks each, and iterates over all of them again for the head.
import { type IncomingMessage, ServerResponse } from "node:http";

/** A response that accepts early headers; headers set one by one are as in Node and come before early ones. */
export class EarlyResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Names and values in turn, as `writeHead` takes them. */
  readonly #early: string[] = [];
  #hasOthers = false;

  /** Sets a header, with its name in lower case, in place of an earlier value. */
  setEarly(name: string, value: string): void {
    if (this.#hasOthers && this.hasHeader(name)) {
      super.setHeader(name, value);
      return;
    }
    const at = this.#indexOf(name);
    if (at < 0) this.#early.push(name, value);
    else this.#early[at + 1] = value;
  }

  override getHeader(name: string): ReturnType<ServerResponse["getHeader"]> {
    const known = this.#hasOthers ? super.getHeader(name) : undefined;
    return known ?? this.#early[this.#indexOf(name) + 1];
  }

  override setHeader(name: string, value: number | string | readonly string[]): this {
    this.#hasOthers = true;
    return super.setHeader(name, value);
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    this.#hasOthers = true;
    return super.appendHeader(name, value);
  }

  override writeHead(status: number, ...given: unknown[]): this {
    const [headers = {}] = given;
    const isPlain = typeof headers === "object" && headers !== null && !Array.isArray(headers);
    if (this.headersSent || !isPlain) return super.writeHead(status, ...(given as []));
    if (!this.#hasOthers)
      return super.writeHead(status, withHead(this.#early, headers as Readonly<Record<string, unknown>>));
    for (let at = 0; at < this.#early.length; at += 2) {
      const [name = "", value = ""] = this.#early.slice(at, at + 2);
      if (!this.hasHeader(name)) super.setHeader(name, value);
    }
    return super.writeHead(status, ...(given as []));
  }

  /** The index of a header in the list; -2 without it, so that its value is undefined. */
  #indexOf(name: string): number {
    for (let at = 0; at < this.#early.length; at += 2) if (this.#early[at] === name) return at;
    return -2;
  }
}

/** Early headers and those of a head, which replace early ones of the same name. */
function withHead(early: readonly string[], head: Readonly<Record<string, unknown>>): string[] {
  const all: string[] = [];
  for (let at = 0; at < early.length; at += 2) {
    const [name = "", value = ""] = [early[at], early[at + 1]];
    if (!(name in head)) all.push(name, value);
  }
  for (const name in head)
    for (const value of Array.isArray(head[name]) ? head[name] : [head[name]]) all.push(name, String(value));
  return all;
}

/** Sets a header that is written with the head, in place of an earlier value. One of `setHeader` replaces it. */
export function setEarlyHeader(response: ServerResponse, name: string, value: string): void {
  if (response instanceof EarlyResponse) response.setEarly(name, value);
  else response.setHeader(name, value);
}
