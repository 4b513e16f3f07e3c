// Three-way merge of reusable contents and of variables: both by their names, each change for itself.
import type { ContentState, ReusableContent } from "#src/features/content/model/content-state.ts";
import {
  chosen,
  mapSides,
  mergeKeys,
  otherSide,
  type Sides,
  threeWay,
} from "#src/features/content/model/merge/sides.ts";
import type { DocumentSides } from "#src/features/content/model/merge/documents.ts";
import type { Settlement } from "#src/features/content/model/merge/settlement.ts";

type Variables = ContentState["variables"];
type ReusableContents = ContentState["reusableContents"];

/** The merged variables of a whole content. */
export const mergeVariables = (sides: Sides<Variables>, settlement: Settlement): Variables =>
  mergeKeys(sides, (name, values) => chosen(settlement.settle({ kind: "variable", name, ...values }), values));

/** The merged reusable contents; those whose texts both sides changed are in `documents`, and have the text of ours. */
export function mergeReusableContents(
  sides: Sides<ReusableContents>,
  settlement: Settlement,
): { contents: ReusableContents; documents: ReadonlyMap<string, DocumentSides> } {
  const documents = new Map<string, DocumentSides>();
  const contents = mergeKeys(sides, (reusableContent, { base, ours, theirs }) => {
    const left = ours ?? theirs;
    if (!ours || !theirs) {
      const deletedBy = otherSide(ours ? "ours" : "theirs");
      const choice = settlement.settle({ kind: "reusable-deleted-edited", reusableContent, deletedBy });
      return choice === deletedBy ? undefined : left;
    }
    const titles = { base: base?.title, ours: ours.title, theirs: theirs.title };
    const title = threeWay<string | undefined>(titles, () =>
      chosen(settlement.settle({ kind: "reusable-title", reusableContent, ...titles }), titles),
    );
    const hashes = mapSides<ReusableContent | undefined, string | null>(
      { base, ours, theirs },
      (content) => content?.documentHash ?? null,
    );
    const documentHash = threeWay(hashes, () => {
      documents.set(reusableContent, hashes);
      return hashes.ours;
    });
    return { title: title ?? ours.title, documentHash };
  });
  return { contents, documents };
}
