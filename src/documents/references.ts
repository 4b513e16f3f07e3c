// Targets of links and images: addresses in Markdown, references (ContentReference) in documents.
import { type IdKind, isIdOf } from "#src/base/ids.ts";
import type { NodeData } from "#src/documents/document.ts";

/** The target of a link or image. Pages and files belong to the same content; pages with a space belong to that. */
export type Reference =
  | { readonly kind: "page"; readonly page: string; readonly space?: string }
  | { readonly kind: "anchor"; readonly page?: string; readonly space?: string; readonly anchor: string }
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "space"; readonly space: string }
  | { readonly kind: "user"; readonly user: string }
  | { readonly kind: "collection"; readonly collection: string }
  | { readonly kind: "openapi"; readonly spec: string };

const kinds = ["page", "anchor", "file", "url", "space", "user", "collection", "openapi"] as const;

/** The kinds of references that consist of an id in a property named like the kind. */
const idKinds = { file: "File", space: "Space", user: "User", collection: "Collection" } as const;

const isOneId = (kind: string): kind is keyof typeof idKinds => Object.hasOwn(idKinds, kind);

/** Whether a text has the form of the slug or id of an OpenAPI specification. */
export const isSpecName = (text: string): boolean => text.length <= 100 && /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(text);

/**
 * The reference of an address (`page:<id>`, `page:<space>/<id>`, `file:`, `space:`, `user:`, `collection:`, `openapi:`,
 * each optionally with `#anchor`, or any other); inverse of {@link addressOf}.
 */
export function referenceOfAddress(address: string): Reference {
  if (address.startsWith("#") && address.length > 1) return { kind: "anchor", anchor: address.slice(1) };
  const [, kind = "", rest = ""] = /^(page|file|space|user|collection|openapi):(.+)$/s.exec(address) ?? [];
  if (kind === "page") return pageOf(rest) ?? { kind: "url", url: address };
  // The id has the name of the kind.
  if (isOneId(kind) && isIdOf(idKinds[kind], rest)) return { kind, [kind]: rest } as unknown as Reference;
  if (kind === "openapi" && isSpecName(rest)) return { kind, spec: rest };
  return { kind: "url", url: address };
}

function pageOf(text: string): Reference | null {
  const [, , space, page = "", , anchor] = /^((spc_\w+)\/)?(\w+)(#(.+))?$/s.exec(text) ?? [];
  if (!isIdOf("Page", page) || (space !== undefined && !isIdOf("Space", space))) return null;
  const place = { page, ...(space !== undefined && { space }) };
  return anchor === undefined ? { kind: "page", ...place } : { kind: "anchor", ...place, anchor };
}

/** The address that a reference has in Markdown. */
export function addressOf(reference: Reference): string {
  switch (reference.kind) {
    case "page":
      return pageAddress(reference.page, reference.space);
    case "anchor":
      return `${reference.page === undefined ? "" : pageAddress(reference.page, reference.space)}#${reference.anchor}`;
    case "url":
      return reference.url;
    case "openapi":
      return `openapi:${reference.spec}`;
    case "file":
      return `file:${reference.file}`;
    case "space":
      return `space:${reference.space}`;
    case "user":
      return `user:${reference.user}`;
    case "collection":
      return `collection:${reference.collection}`;
  }
}

const pageAddress = (page: string, space: string | undefined): string =>
  `page:${space === undefined ? "" : `${space}/`}${page}`;

/** A problem of a reference, and the property that has it. */
interface Fault {
  readonly at: string;
  readonly message: string;
}

/** The reference in a value of JSON, or its problem: the kind, or an id that is missing or malformed. */
export function readReference(value: unknown): Reference | Fault {
  const given: NodeData = typeof value === "object" && value !== null ? { ...value } : {};
  const kind = kinds.find((one) => one === given["kind"]);
  switch (kind) {
    case undefined:
      return { at: "kind", message: `must be one of ${kinds.join(", ")}.` };
    case "page":
    case "anchor":
      return readPage(kind, given);
    case "url":
      return faultIn(given, kind, () => null) ?? { kind, url: String(given["url"]) };
    case "openapi":
      return faultIn(given, "spec", specFault) ?? { kind, spec: String(given["spec"]) };
    default:
      return faultIn(given, kind, idFault(idKinds[kind])) ?? ({ kind, [kind]: given[kind] } as unknown as Reference);
  }
}

function readPage(kind: "page" | "anchor", given: NodeData): Reference | Fault {
  const { page, space, anchor } = given;
  const isOfContent = kind === "page" || page != null || space != null;
  const fault =
    (kind === "anchor" ? faultIn(given, "anchor", () => null) : null) ??
    (isOfContent ? faultIn(given, "page", idFault("Page")) : null) ??
    (space == null ? null : faultIn(given, "space", idFault("Space")));
  if (fault) return fault;
  const place = { ...(page != null && { page }), ...(space != null && { space }) };
  return { kind, ...place, ...(kind === "anchor" && { anchor }) } as Reference; // all properties were checked
}

const specFault = (name: string) => (isSpecName(name) ? null : "must be the slug or id of a specification.");

const idFault = (kind: IdKind) => (id: string) =>
  isIdOf(kind, id) ? null : `must be the id of a ${kind.toLowerCase()}.`;

function faultIn(given: NodeData, at: string, check: (text: string) => string | null): Fault | null {
  const value = given[at] ?? undefined;
  if (value === undefined) return { at, message: "must be given." };
  const message = typeof value === "string" ? check(value) : "must be a string.";
  return message === null ? null : { at, message };
}
