// Paths within an import: joined, without endings, without numbers, and as keys that compare loosely.

/** The path from the root of the import; null if it is outside. */
export function join(folder: string, path: string): string | null {
  const names = folder === "" ? [] : folder.split("/");
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return null;
  }
  return names.join("/");
}

/** A number before a name that gives its place: `02-config`, `1. Start`. Dates and versions are names. */
const numbered = /^(\d{1,3})[ ]?(?:[-_]+|[.)]+[ ]*)[ ]*(?!\d)(?=\S)/;

export const withoutNumber = (name: string): string => name.replace(numbered, "");

/** The number before a name; null without one. */
export function numberOf(name: string): number | null {
  const number = numbered.exec(name)?.[1];
  return number === undefined ? null : Number(number);
}

/** The date before the name of a post: `2024-05-06-title`. */
export const withoutDate = (name: string): string => name.replace(/^\d{4}-\d{2}-\d{2}-(?=\S)/, "");

/** An id that Notion appends to names. */
export const withoutId = (name: string): string => name.replace(/[ -][\da-f]{32}$/, "");

/** Names that many wikis treat as the same: letter case, blanks, dashes and underscores do not matter. */
export const looseKey = (text: string): string =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")
    .trim();

/** An address of a page without its ending, its index and slashes around it. */
export function routeKey(route: string): string {
  const plain = route
    .replace(/[?#].*$/s, "")
    .replace(/\.(?:html?|mdx?|markdown)$/i, "")
    .replace(/(?:^|\/)index$/i, "");
  return plain.split("/").filter(Boolean).join("/").normalize("NFC").toLowerCase();
}
