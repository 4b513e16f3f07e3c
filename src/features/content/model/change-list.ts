// The changes between two contents as one list, in which every entry has a single type.
import { lookup } from "#src/base/lookup.ts";
import type { PageChange } from "#src/features/content/model/changes.ts";
import type { FileState } from "#src/features/content/model/content-state.ts";
import { type PageCover, type PageRow, referenceOf, wholeLayout } from "#src/features/content/model/page.ts";

/** A changed attribute with its whole values; undefined if it is not set. */
export interface AttributeChange {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The changed attributes of a page in both contents, without its text: a part of an attribute changes all of it. */
export function pageAttributes({ before, after, fields }: PageChange): AttributeChange[] {
  if (!before || !after) return [];
  const names = new Set(fields.map(({ field }) => field.replace(/\..*$/s, "")));
  return [...names].map((name) => ({
    name,
    before: attributeOf(before.page, name),
    after: attributeOf(after.page, name),
  }));
}

function attributeOf({ title, slug, type, fields }: PageRow, name: string): unknown {
  if (name === "layout") return wholeLayout(fields.layout);
  if (name === "cover") return fields.cover && coverWithReferences(fields.cover);
  if (name === "target") return fields.target === undefined ? undefined : referenceOf(fields.target);
  return lookup(new Map<string, unknown>(Object.entries({ ...fields, title, slug, type })), name);
}

const coverWithReferences = ({ file, fileDark, yPos = 0 }: PageCover) => ({
  ref: { kind: "file", file },
  ...(fileDark !== undefined && { refDark: { kind: "file", file: fileDark } }),
  yPos,
});

type ComparedFile = Pick<FileState, "name" | "contentType" | "size" | "width" | "height">;

/** The changed attributes of a replaced file, without its download URL. */
export function fileAttributes(before: ComparedFile, after: ComparedFile): AttributeChange[] {
  const pairs = [
    { name: "name", before: before.name, after: after.name },
    { name: "contentType", before: before.contentType, after: after.contentType },
    { name: "size", before: before.size, after: after.size },
    { name: "dimensions", before: dimensionsOf(before), after: dimensionsOf(after) },
  ];
  return pairs.filter((pair) => JSON.stringify(pair.before) !== JSON.stringify(pair.after));
}

const dimensionsOf = ({ width, height }: ComparedFile) =>
  width === null || height === null ? undefined : { width, height };
