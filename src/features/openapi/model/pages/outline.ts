// The outline of the pages of a specification, before their texts are written.
import { holds } from "#src/base/lookup.ts";
import { slugOf } from "#src/base/text/slugs.ts";
import {
  entriesOf,
  listOf,
  type Lookup,
  methodOf,
  operationsIn,
  type PlacedOperation,
} from "#src/features/openapi/model/lookup.ts";
import { cut, lineOf } from "#src/features/openapi/model/pages/markdown.ts";
import type { SpecDocument, SpecTag } from "#src/features/openapi/model/spec-document.ts";

export type NamedOperation = PlacedOperation & { readonly key: string; readonly title: string };

type Subject =
  | { readonly kind: "overview" | "servers" | "security" | "models" }
  | { readonly kind: "webhooks"; readonly operations: readonly NamedOperation[] }
  | { readonly kind: "tag"; readonly tag: string | null; readonly operations: readonly NamedOperation[] }
  | { readonly kind: "operation"; readonly operation: NamedOperation }
  | { readonly kind: "model"; readonly model: string };

export interface OutlinedPage {
  /** Id in all versions of the specification: `tags/ships`, `operations/listShips`, `models/Ship`. */
  readonly key: string;
  readonly title: string;
  readonly slug: string;
  readonly subject: Subject;
  readonly pages: readonly OutlinedPage[];
}

const idOf = ({ operation }: PlacedOperation): string => lineOf(operation.operationId);

/** The operations of a document, named by their ids if these are unique, else by method and path. */
function operationsOf(document: SpecDocument, lookup: Lookup): NamedOperation[] {
  const operations = operationsIn(document, lookup);
  const byId = Map.groupBy(operations, idOf);
  return operations.map((placed) => {
    const { operation, method, path, isWebhook } = placed;
    const [id, called] = [idOf(placed), `${method} ${lineOf(path)}`];
    const isOwn = id !== "" && byId.get(id)?.length === 1;
    const title = cut(lineOf(operation.summary) || id || `${methodOf(placed)} ${lineOf(path)}`, 200);
    return { ...placed, title, key: `operations/${isOwn ? id : isWebhook ? `webhooks/${called}` : called}` };
  });
}

const tagsOf = ({ operation }: PlacedOperation): (string | null)[] => {
  const tags = new Set(listOf(operation.tags).flatMap((tag) => lineOf(tag) || []));
  return tags.size > 0 ? [...tags] : [null];
};

/** The overview with all pages below it. An operation is below its first tag, and listed by all of its tags. */
export function outlineOf(document: SpecDocument, lookup: Lookup): OutlinedPage {
  const all = operationsOf(document, lookup);
  const webhooks = all.filter(({ isWebhook }) => isWebhook);
  const byTag = groupedByTag(all.filter(({ isWebhook }) => !isWebhook));
  const { schemas, securitySchemes } = document.components ?? {};
  const models = entriesOf(schemas).map(([model]) => modelPage(model));
  const pages = [
    ...(document.servers?.length ? [pageOf({ kind: "servers" }, "Servers")] : []),
    ...(entriesOf(securitySchemes).length > 0 ? [pageOf({ kind: "security" }, "Authorization")] : []),
    ...nested(
      document,
      orderOf(document, byTag).map((tag) => tagPage(document, tag, byTag.get(tag) ?? [])),
    ),
    ...(webhooks.length > 0
      ? [pageOf({ kind: "webhooks", operations: webhooks }, "Webhooks", webhooks.map(operationPage))]
      : []),
    ...(models.length > 0 ? [pageOf({ kind: "models" }, "Models", models)] : []),
  ];
  return pageOf({ kind: "overview" }, "Overview", pages);
}

function groupedByTag(operations: readonly NamedOperation[]): ReadonlyMap<string | null, NamedOperation[]> {
  const tagged = operations.flatMap((operation) => tagsOf(operation).map((tag) => ({ tag, operation })));
  const groups = Map.groupBy(tagged, ({ tag }) => tag);
  return new Map(Array.from(groups, ([tag, of]) => [tag, of.map(({ operation }) => operation)]));
}

/** Tags in the order of the document, then others in the order of operations; operations without a tag are last. */
function orderOf(document: SpecDocument, met: ReadonlyMap<string | null, unknown>): (string | null)[] {
  const listed = listOf(document.tags).map((tag) => lineOf((tag as { name?: unknown } | null)?.name));
  const parents = parentsOf(document);
  // A tag without operations has a page if tags below it have some.
  const above = new Set([...met.keys()].flatMap((tag) => (tag === null ? [] : ancestorsOf(tag, parents))));
  const all = new Set<string | null>([...listed, ...met.keys()].filter((tag) => met.has(tag) || holds(above, tag)));
  const hasOthers = all.delete(null);
  return [...all, ...(hasOthers ? [null] : [])];
}

type PlainSubject = Extract<Subject, { kind: "overview" | "servers" | "security" | "models" | "webhooks" }>;

const pageOf = (subject: PlainSubject, title: string, pages: readonly OutlinedPage[] = []): OutlinedPage => ({
  key: subject.kind,
  title,
  slug: subject.kind,
  subject,
  pages,
});

/** The tags above each tag that has one (OpenAPI 3.2). */
function parentsOf(document: SpecDocument): ReadonlyMap<string, string> {
  const tags = listOf(document.tags) as Partial<SpecTag>[]; // repaired
  return new Map(tags.flatMap(({ name, parent }) => (parent === undefined ? [] : [[lineOf(name), lineOf(parent)]])));
}

/** The tags above a tag, the next one first; those of a circle once. */
function ancestorsOf(tag: string, parents: ReadonlyMap<string, string>): string[] {
  const above = new Set<string>();
  for (let next = parents.get(tag); next !== undefined && !above.has(next); next = parents.get(next)) above.add(next);
  return [...above];
}

/** Pages of tags below those of their parents, before the operations; tags in a circle stay at the top. */
function nested(document: SpecDocument, pages: readonly OutlinedPage[]): OutlinedPage[] {
  const parents = parentsOf(document);
  if (parents.size === 0) return [...pages];
  const known = new Set(pages.map(({ key }) => key));
  const keyOf = (tag: string) => `tags/${tag}`;
  const parentOf = ({ subject }: OutlinedPage): string | undefined => {
    const tag = subject.kind === "tag" ? subject.tag : null;
    const parent = tag === null || ancestorsOf(tag, parents).includes(tag) ? undefined : parents.get(tag);
    return parent !== undefined && known.has(keyOf(parent)) ? keyOf(parent) : undefined;
  };
  const below = Map.groupBy(pages, parentOf);
  const place = (page: OutlinedPage): OutlinedPage => ({
    ...page,
    pages: [...(below.get(page.key) ?? []).map(place), ...page.pages],
  });
  return (below.get(undefined) ?? []).map(place);
}

function tagPage(document: SpecDocument, tag: string | null, operations: readonly NamedOperation[]): OutlinedPage {
  const pages = operations.filter((operation) => tagsOf(operation)[0] === tag).map(operationPage);
  const subject = { kind: "tag", tag, operations } as const;
  if (tag === null) return { key: "operations", title: "Other operations", slug: "operations", subject, pages };
  const about = listOf(document.tags).find((one) => lineOf((one as SpecTag).name) === tag) as SpecTag | undefined;
  return {
    key: `tags/${tag}`,
    title: cut(lineOf(about?.summary) || tag, 200),
    slug: slugOf(tag, "tag"),
    subject,
    pages,
  };
}

function operationPage(operation: NamedOperation): OutlinedPage {
  const { key, title } = operation;
  const slug = slugOf(key.slice("operations/".length), "operation");
  return { key, title, slug, subject: { kind: "operation", operation }, pages: [] };
}

function modelPage(model: string): OutlinedPage {
  const title = cut(lineOf(model), 200) || "Model";
  return { key: `models/${model}`, title, slug: slugOf(model, "model"), subject: { kind: "model", model }, pages: [] };
}
