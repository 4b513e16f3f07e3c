// The anchors of translated pages: a link to a heading leads to the translation of that heading.
import { linksIn } from "#src/features/links/model/text-links.ts";
import { anchorsIn } from "#src/features/links/model/derived.ts";

/** The anchors of headings and those of their translations, by the ids of the translated pages. */
export type Anchors = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The anchors of a text with those of its translation; none where it has not as many headings. */
export function anchorsBetween(source: string, translated: string): ReadonlyMap<string, string> {
  const [before, after] = [anchorsIn(source), anchorsIn(translated)];
  if (before.length !== after.length) return new Map();
  return new Map(before.map((anchor, index) => [anchor, after[index] ?? anchor]));
}

/** An address on a page, with the anchor of the translated heading; any other stays as it is. */
export function anchoredAddress(address: string, anchors: Anchors, ownPageId = ""): string {
  const [, way = "", id = ownPageId, anchor = ""] = /^((?:page:(pag_\w+))?#)(.+)$/s.exec(address) ?? [];
  const translated = anchors.get(id)?.get(anchor);
  return translated === undefined ? address : `${way}${translated}`;
}

/** The text of a translated page with the anchors of translated headings in its links, and nothing else changed. */
export function anchoredText(markdown: string, anchors: Anchors, ownPageId: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { address, start, end } of linksIn(markdown)) {
    const anchored = anchoredAddress(address, anchors, ownPageId);
    if (start < done || anchored === address) continue;
    parts.push(markdown.slice(done, start), anchored);
    done = end;
  }
  return [...parts, markdown.slice(done)].join("");
}
