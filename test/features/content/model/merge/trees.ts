// Page trees for merge tests, written as outlines: two spaces per level, "id slug? =document? key:value…".
import {
  type Conflict,
  type PageNode,
  type PagesById,
  settlementWith,
  type Trees,
} from "#src/features/content/model/merge/merging.ts";
import { type Choices, type Fields, mapSides } from "#src/features/content/model/merge/sides.ts";
import { type DocumentSides, mergeText, settleDocument } from "#src/features/content/model/merge/text.ts";
import { mergePages } from "#src/features/content/model/merge/tree.ts";

/**
 * `outline("a", "  b =text title:New")`: page b under a, with the document "text"; the slug is the id unless `slug:`
 * sets another.
 */
export function outline(...lines: string[]): Map<string, PageNode> {
  const pages = new Map<string, PageNode>();
  const way: string[] = [];
  for (const [position, line] of lines.entries()) {
    const level = line.search(/\S/) / 2;
    const [id = "", ...words] = line.trim().split(" ");
    const fields: Record<string, string> = { slug: id };
    for (const word of words.filter((each) => each.includes(":"))) {
      const [key = "", value = ""] = word.split(":");
      fields[key] = value;
    }
    const document = words.find((word) => word.startsWith("="))?.slice(1) ?? null;
    pages.set(id, { parent: way[level - 1] ?? null, position, fields: fields satisfies Fields, document });
    way.splice(level, way.length, id);
  }
  return pages;
}

/** The outline of a tree, in order. Throws if a page is not reachable from the top. */
export function outlineOf(pages: PagesById): string[] {
  const children = Map.groupBy(pages, ([, { parent }]) => parent);
  const lines: string[] = [];
  const write = (parent: string | null, indent: string) => {
    const siblings = (children.get(parent) ?? []).toSorted(([, one], [, other]) => one.position - other.position);
    for (const [id, { fields, document }] of siblings) {
      const words = Object.entries(fields)
        .filter(([key, value]) => key !== "slug" || value !== id)
        .map(([key, value]) => `${key}:${JSON.stringify(value).replaceAll('"', "")}`);
      lines.push(indent + [id, ...(document === null ? [] : [`=${document}`]), ...words].join(" "));
      write(id, `${indent}  `);
    }
  };
  write(null, "");
  if (lines.length !== pages.size) throw new Error(`not a tree: ${JSON.stringify([...pages])}`);
  return lines;
}

/** The result of merging trees and their documents. */
export interface TreeMerge {
  readonly pages: PagesById;
  readonly documents: ReadonlyMap<string, DocumentSides>;
  readonly texts: ReadonlyMap<string, string>;
  readonly conflicts: readonly Conflict[];
  readonly unknown: readonly string[];
}

/** Merges trees, and the documents that both sides changed if their texts are given. */
export function mergeTrees(trees: Trees, choices: Choices = new Map(), textOf?: (hash: string) => string): TreeMerge {
  const settlement = settlementWith(choices);
  const { pages, documents } = mergePages(trees, settlement);
  const texts = new Map<string, string>();
  if (textOf)
    for (const [page, sides] of documents) {
      const { base, ours, theirs } = mapSides(sides, (hash) => (hash === null ? "" : textOf(hash)));
      const merge = mergeText(base, ours, theirs);
      texts.set(
        page,
        settleDocument(merge, (place) => settlement.settle({ kind: "document", page, ...place })),
      );
    }
  return { pages, documents, texts, conflicts: settlement.open(), unknown: settlement.unknown() };
}
