// What a revision holds.
import { isDeepStrictEqual } from "node:util";

/** A text that pages share. */
export interface ReusableContent {
  readonly title: string;
  /** Null for an empty text. */
  readonly documentHash: string | null;
}

/** What a revision holds: equal hashes, and equal values, are equal content. */
export interface ContentState {
  /** Of the pages (`readTrees`); null for none. */
  readonly treeHash: string | null;
  /** Of the list of files; null for none. */
  readonly filesHash: string | null;
  /** Values that texts of all pages refer to, by name. */
  readonly variables: Readonly<Record<string, string>>;
  /** Texts that pages share, by their ids. */
  readonly reusableContents: Readonly<Record<string, ReusableContent>>;
}

/** The columns of a revision that hold its content. */
export const contentColumns = ["treeHash", "filesHash", "variables", "reusableContents"] as const;

/** Whether two revisions hold the same. */
export function isSameContent(one: ContentState, other: ContentState): boolean {
  return (
    one.treeHash === other.treeHash &&
    one.filesHash === other.filesHash &&
    isDeepStrictEqual(one.variables, other.variables) &&
    isDeepStrictEqual(one.reusableContents, other.reusableContents)
  );
}
