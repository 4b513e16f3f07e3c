// The styles and scripts of pages at `/assets/<name>.<hash>.<extension>`: browsers keep them for ever, since another
// content has another address. Each is read when the first page names it.
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { DomainError } from "#src/base/errors.ts";
import type { Exchange } from "#src/http/exchange.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { compressionFor, sendEmpty } from "#src/http/send.ts";

const { resolve } = createRequire(import.meta.url);
const own = (name: string) => new URL(`assets/${name}`, import.meta.url);

/** The files of each asset, in their order. A style names other assets as `url("./<name>")`. */
const sources = {
  "reader.css": [own("reader.css"), own("text.css")],
  "noto-sans-math.woff2": [resolve("@fontsource/noto-sans-math/files/noto-sans-math-math-400-normal.woff2")],
  "app.css": [own("app.css"), own("spaces.css"), own("change-requests.css"), own("sites.css"), own("extensions.css")],
  "scheme.js": [own("scheme.js")],
  "reader.js": [own("reader.js")],
  "sites.js": [own("sites.js")],
  "forms.js": [own("forms.js")],
  "live.js": [resolve("idiomorph/dist/idiomorph.min.js"), own("live.js")],
} as const satisfies Readonly<Record<string, readonly (URL | string)[]>>;

/** The name of an asset. */
export type AssetName = keyof typeof sources;

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  woff2: "font/woff2",
};

interface Asset {
  readonly address: string;
  readonly type: string;
  readonly bytes: Uint8Array;
  /** By the names of encodings. */
  readonly compressed: Map<string, Promise<Uint8Array>>;
}

const byName = new Map<AssetName, Asset>();

function assetOf(name: AssetName): Asset {
  const known = byName.get(name);
  if (known) return known;
  const [base = "", extension = ""] = name.split(".");
  const bytes = extension === "woff2" ? readFileSync(sources[name][0]) : Buffer.from(textOf(name));
  const address = `/assets/${base}.${hash("sha1", bytes, "base64url").slice(0, 10)}.${extension}`;
  const asset = { address, type: types[extension] ?? "", bytes, compressed: new Map() };
  byName.set(name, asset);
  return asset;
}

function textOf(name: AssetName): string {
  const text = sources[name].map((file) => readFileSync(file, "utf8")).join("\n");
  return text.replaceAll(/url\("\.\/([\w.-]+)"\)/g, (whole, other: string) =>
    Object.hasOwn(sources, other) ? `url("./${assetOf(other as AssetName).address.replace("/assets/", "")}")` : whole,
  );
}

/** The address of an asset, for pages. `below` is the path that a proxy forwards; empty without one. */
export const addressOfAsset = (name: AssetName, below: string): string => below + assetOf(name).address;

const pattern = /^\/assets\/[a-z-]+\.[\w-]{10}\.\w+$/;

const headers = {
  "cache-control": "public, max-age=31536000, immutable",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

/** The route of all assets. */
export const pageAssets: HttpRoute = {
  path: "/assets/",
  pattern,
  handle: (exchange) => sendAsset(exchange, exchange.path),
};

/** Whether a path below that of a site is that of an asset: no page has such a name. */
export const isAssetPath = (path: string): boolean => pattern.test(path);

/** Sends the asset at a path. NOT_FOUND for those of another version of docgraph. */
export async function sendAsset({ response }: Exchange, path: string): Promise<void> {
  const name = (Object.keys(sources) as AssetName[]).find((one) => assetOf(one).address === path);
  if (!name) throw new DomainError("NOT_FOUND");
  const asset = assetOf(name);
  for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
  if (response.req.headers["if-none-match"] !== undefined) return sendEmpty(response, 304); // it never changes
  const compression = asset.type === "font/woff2" ? null : compressionFor(response);
  const bytes = compression ? await compressed(asset, compression) : asset.bytes;
  if (compression) response.setHeader("content-encoding", compression.name);
  response.setHeader("etag", `"${path}"`);
  response.writeHead(200, { "content-type": asset.type, "content-length": bytes.length });
  response.end(bytes);
}

function compressed(asset: Asset, { name, compress }: NonNullable<ReturnType<typeof compressionFor>>) {
  const made = asset.compressed.get(name) ?? compress(asset.bytes);
  made.catch(() => asset.compressed.delete(name)); // out of memory: the next request tries again
  asset.compressed.set(name, made);
  return made;
}
