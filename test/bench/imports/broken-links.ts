// Finds links of imported pages that lead nowhere: to a missing file, or to a name that their page does not have.
import { anchorEntries, linksIn, TextAnchors } from "#src/features/links/model/text-links.ts";

/** The texts of pages by their ids. */
export type Texts = ReadonlyMap<string, string>;

export interface BrokenLinks {
  /** To anchors, as `address in page`. */
  readonly anchors: readonly string[];
  /** To paths that are not in the import. */
  readonly paths: readonly string[];
}

export async function brokenLinksOf(texts: Texts): Promise<BrokenLinks> {
  const known = new Map<string, TextAnchors>();
  const anchorsOf = async (id: string): Promise<TextAnchors> => {
    const anchors = known.get(id) ?? new TextAnchors(await anchorEntries(texts.get(id) ?? ""));
    known.set(id, anchors);
    return anchors;
  };
  const broken = { anchors: [] as string[], paths: [] as string[] };
  for (const [page, text] of texts)
    for (const { address } of linksIn(text.replaceAll(/<!--[^]*?-->/g, ""))) {
      const [, id = page, fragment] = /^(?:page:(\w+))?#(.+)$/.exec(address) ?? [];
      if (fragment !== undefined) {
        if ((await anchorsOf(id)).find(fragment) === null) broken.anchors.push(`${address} in ${page}`);
      } else if (!/^(?:[a-z][a-z\d+.-]*:|\/\/|#|\{)/i.test(address)) broken.paths.push(`${address} in ${page}`);
    }
  return broken;
}
