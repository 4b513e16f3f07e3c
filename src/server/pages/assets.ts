// Scripts and styles of the pages: files of docgraph and of packages, at `/assets/<name>`. Each is read and compressed
// once, at its first request.
import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { DomainError } from "#src/base/errors.ts";
import { compressionFor, hasVersion, sendEmpty, sendError } from "#src/http/send.ts";
import { unreadAnswers } from "#src/runtime/unread-answers.ts";
import type { Exchange, Handler } from "#src/http/exchange.ts";
import { Offer } from "#src/http/negotiation.ts";

export const assetsPath = "/assets/";

export type ReadAsset = () => Promise<Uint8Array>;

const { resolve } = createRequire(import.meta.url);
const inPackage = (name: string, path: string) => join(dirname(resolve(`${name}/package.json`)), path);
const own = (name: string) => new URL(`assets/${name}`, import.meta.url);
const file =
  (path: URL | string): ReadAsset =>
  () =>
    readFile(path);

const ownNames = ["site.css", "graphiql.css", "asking.js", "who.js", "start.js", "graphiql.js", "rest.js", "rest.css"];

const files: Readonly<Record<string, ReadAsset>> = {
  ...Object.fromEntries(ownNames.map((name) => [name, file(own(name))])),
  "graphql-ws.js": file(inPackage("graphql-ws", "umd/graphql-ws.min.js")),
  "swagger-ui.css": file(inPackage("swagger-ui-dist", "swagger-ui.css")),
  "swagger-ui.js": file(inPackage("swagger-ui-dist", "swagger-ui-bundle.js")),
};

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

/** Only docgraph's pages use them. Browsers revalidate each time. */
const headers = {
  "cache-control": "no-cache",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

/** The handler of all assets: those of this file, and others by their names. */
export function createAssets(others: Readonly<Record<string, ReadAsset>>): Handler {
  const readers = new Map(Object.entries({ ...files, ...others }));
  const read = new Map<string, Promise<Asset>>();
  return async (exchange) => {
    const name = exchange.path.slice(assetsPath.length);
    const reader = readers.get(name);
    if (!reader) return sendError(exchange.response, new DomainError("NOT_FOUND"));
    let asset = read.get(name);
    if (!asset) {
      asset = reader().then((bytes) => new Asset(types[extname(name)] ?? "application/octet-stream", bytes));
      asset.catch(() => read.delete(name)); // the next request tries again
      read.set(name, asset);
    }
    return (await asset).send(exchange);
  };
}

class Asset {
  readonly #type: Offer;
  readonly #bytes: Uint8Array;
  readonly #version: string;
  readonly #compressed = new Map<string, Promise<Uint8Array>>();

  constructor(type: string, bytes: Uint8Array) {
    this.#type = new Offer([type]);
    this.#bytes = bytes;
    this.#version = `W/"${hash("sha1", bytes, "base64url")}"`;
  }

  async send({ request, response }: Exchange): Promise<void> {
    const type = this.#type.require(request);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader("etag", this.#version);
    if (hasVersion(request.headers, this.#version)) return sendEmpty(response, 304);
    const compression = compressionFor(response);
    const bytes = compression ? await this.#as(compression) : this.#bytes;
    if (compression) response.setHeader("content-encoding", compression.name);
    response.writeHead(200, { "content-type": type, "content-length": bytes.length });
    response.end(bytes);
    unreadAnswers.add(response, bytes.length);
  }

  #as({ name, compress }: NonNullable<ReturnType<typeof compressionFor>>): Promise<Uint8Array> {
    const known = this.#compressed.get(name) ?? compress(this.#bytes);
    known.catch(() => this.#compressed.delete(name)); // out of memory
    this.#compressed.set(name, known);
    return known;
  }
}
