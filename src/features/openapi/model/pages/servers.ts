// Addresses of servers, and the address that relative ones are resolved against.
import { isRecord } from "#src/base/json.ts";
import { entriesOf } from "#src/features/openapi/model/lookup.ts";
import { lineOf } from "#src/features/openapi/model/pages/markdown.ts";
import type { SpecDocument, SpecServer } from "#src/features/openapi/model/spec-document.ts";

const unknownServer = "https://api.example.com";

/** The address of a document, without credentials and query; null if it is unknown. `$self` overrides the source. */
export function baseOf({ $self }: SpecDocument, source: string | null): string | null {
  const url = URL.parse(typeof $self === "string" ? $self : (source ?? ""), source ?? undefined);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return `${url.origin}${url.pathname}`;
}

/** The address of a server, with the defaults of its variables. Without a server, it is the root of the document's. */
export function addressOf(server: SpecServer | undefined, base: string | null): string {
  const variables = new Map(entriesOf(server?.variables));
  const address = lineOf(server?.url ?? "/").replaceAll(/\{([^{}]+)\}/g, (all, name: string) => {
    const variable = variables.get(name);
    if (!isRecord(variable)) return all;
    const [first] = Array.isArray(variable["enum"]) ? (variable["enum"] as unknown[]) : [];
    return lineOf(variable["default"]) || lineOf(first) || all;
  });
  return absolute(address, base).replace(/\/+$/, "");
}

/** Addresses of other schemes, such as wss, and with variables in the scheme are absolute, too. */
function absolute(address: string, base: string | null): string {
  if (/^[\w{}+.-]+:\/\//.test(address)) return address;
  if (address.startsWith("//")) return `https:${address}`;
  if (base !== null)
    // Braces of variables without a default would be encoded.
    return (URL.parse(address, base)?.href ?? base).replaceAll("%7B", "{").replaceAll("%7D", "}");
  const isPath = /^[\w.{][\w./{}~-]*$/.test(address);
  return `${unknownServer}${address.startsWith("/") ? address : isPath ? `/${address.replace(/^(?:\.\/)+/, "")}` : ""}`;
}
