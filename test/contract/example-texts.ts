// Examples as stored: short, without values that differ between demos, and without secrets.
import type { Examples } from "#src/rest/description/openapi.ts";

/** Ids by kind. */
export type Ids = Readonly<Record<string, string>>;

const idForm = /\b[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const hashForm = /"[0-9a-f]{40}(?=")/g;
const longestText = 200;
const longestList = 2;
/** Of lists in lists, whose items are like those of the outer ones. */
const longestInnerList = 1;

/** The same examples with shortened lists and texts, numbered ids, and the gateway at example.com. */
export function written(examples: Examples, url: string): Examples {
  const text = JSON.stringify(cut(examples)).replaceAll(url, "https://docgraph.example.com");
  return JSON.parse(withoutKeys(withCounted(hashForm, withCounted(idForm, text)))) as Examples; // of the same form
}

function cut(value: unknown, isInList = false): unknown {
  if (Array.isArray(value))
    return value.slice(0, isInList ? longestInnerList : longestList).map((item) => cut(item, true));
  if (typeof value === "string") return value.length > longestText ? `${value.slice(0, longestText - 1)}…` : value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, below]) => [
      name,
      cut(name === "filesystem" ? beginnings(below) : below, isInList),
    ]),
  );
}

/** Parsed files, each with its first two properties. */
const beginnings = (files: object) =>
  Object.fromEntries(
    Object.entries(files).map(([path, file]) => [path, Object.fromEntries(Object.entries(file as object).slice(0, 2))]),
  );

/** Ids and hashes of ids differ between demos: the first one of each kind becomes the number 1. */
function withCounted(form: RegExp, text: string): string {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  return text.replaceAll(form, (found) => {
    const kind = /^[a-z]{3}_|^"/.exec(found)?.[0] ?? "";
    const count = (counts.get(kind) ?? 0) + 1;
    const counted = known.get(found) ?? kind + String(count).padStart(found.length - kind.length, "0");
    if (!known.has(found)) counts.set(kind, count);
    known.set(found, counted);
    return counted;
  });
}

/** Removes file keys, which allow downloads, ids in page pointers, and states of started work. */
function withoutKeys(text: string): string {
  return text
    .replaceAll('"processingState":"progress"', '"processingState":"pending"')
    .replaceAll(/(\/files\/[^/"]+\/)[^/"]+(?=\/)/g, "$1key")
    .replaceAll(/(\/app\/invites\/)[^/"]+/g, "$1key")
    .replaceAll(/("next":\{"page":")[^"]+/g, "$1pointer-to-the-next-page");
}
