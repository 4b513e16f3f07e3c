// Three-way merge of reusable contents and of variables: both by their names, each change for itself.
import { otherSide } from "#src/features/content/commands/merge/conflicts.ts";
import type { DocumentSides } from "#src/features/content/commands/merge/documents.ts";
import { mergeKeys, threeWay } from "#src/features/content/commands/merge/fields.ts";
import type { Sides } from "#src/features/content/commands/merge/merging.ts";
import type { Settlement } from "#src/features/content/commands/merge/settlement.ts";
import type { ContentState, ReusableContent } from "#src/features/content/reads/revisions.ts";

type Variables = ContentState["variables"];
type ReusableContents = ContentState["reusableContents"];

/** The merged variables of a whole content. */
export function mergeVariables({ base, ours, theirs }: Sides<Variables>, settlement: Settlement): Variables {
  return mergeKeys(base, ours, theirs, (name, was, our, their) => {
    const choice = settlement.settle({ kind: "variable", name, base: was, ours: our, theirs: their });
    if (choice === undefined || choice === "ours") return our;
    return choice === "theirs" ? their : choice.text;
  });
}

/** The merged reusable contents; those whose texts both sides changed are in `documents`, and have that of ours. */
export function mergeReusableContents(
  { base, ours, theirs }: Sides<ReusableContents>,
  settlement: Settlement,
): { contents: ReusableContents; documents: ReadonlyMap<string, DocumentSides> } {
  const documents = new Map<string, DocumentSides>();
  const contents = mergeKeys(base, ours, theirs, (reusableContent, was, our, their) => {
    if (!our || !their) return keptOrNot(settlement, reusableContent, our, their);
    const title = threeWay<string | undefined>(was?.title, our.title, their.title, () => {
      const titles = { base: was?.title, ours: our.title, theirs: their.title };
      const choice = settlement.settle({ kind: "reusable-title", reusableContent, ...titles });
      if (choice === undefined || choice === "ours") return our.title;
      return choice === "theirs" ? their.title : choice.text;
    });
    const hashes = [was?.documentHash ?? null, our.documentHash, their.documentHash] as const;
    const documentHash = threeWay<string | null>(...hashes, () => {
      documents.set(reusableContent, { base: hashes[0], ours: hashes[1], theirs: hashes[2] });
      return our.documentHash;
    });
    return { ...our, title: title ?? our.title, documentHash };
  });
  return { contents, documents };
}

/** One side deleted it, the other edited it. */
function keptOrNot(
  settlement: Settlement,
  reusableContent: string,
  our: ReusableContent | undefined,
  their: ReusableContent | undefined,
): ReusableContent | undefined {
  const deletedBy = otherSide(our ? "ours" : "theirs");
  const choice = settlement.settle({ kind: "reusable-deleted-edited", reusableContent, deletedBy });
  return choice === deletedBy ? undefined : (our ?? their);
}
