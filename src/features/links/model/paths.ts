// Links by path: URLs without a scheme, such as `../guide.md#install`, that refer to a page by its position.
import { percentDecoded } from "#src/base/url-text.ts";
import { findPage, type PageRow, type PageTree } from "#src/features/content/model/page.ts";

/** Whether a URL refers to a page by its path. */
export const isPath = (address: string): boolean =>
  !/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\{\{)/i.test(address) && /^[^?#\s]/.test(address);

/** The path and anchor to which a URL on a page refers; null if it leads out of the tree. */
export function pathAt(address: string, from: Pick<PageRow, "path">): { path: string; anchor: string | null } | null {
  const [, encoded = "", anchor] = /^([^?#]*)(?:\?[^#]*)?(?:#(.+))?$/s.exec(address) ?? [];
  const path = percentDecoded(encoded) ?? encoded;
  const folder = path.startsWith("/") ? [] : from.path.split("/").slice(0, -1);
  const names = joined(folder, path);
  return names && { path: withoutFile(names).join("/"), anchor: anchor ?? null };
}

export function pageAt(tree: PageTree, address: string, from: Pick<PageRow, "path">) {
  const place = pathAt(address, from);
  const page = place && findPage(tree, { path: place.path });
  return page ? { page, anchor: place.anchor } : null;
}

function joined(folder: readonly string[], path: string): string[] | null {
  const names = [...folder];
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return null;
  }
  return names;
}

/** Removes the extension of a file, and the index file of a folder. */
function withoutFile(names: readonly string[]): string[] {
  const last = (names.at(-1) ?? "").replace(/\.(?:md|markdown|html?)$/i, "");
  const isFolder = names.length > 1 && /^(?:readme|index)$/i.test(last);
  return isFolder ? names.slice(0, -1) : [...names.slice(0, -1), last];
}
