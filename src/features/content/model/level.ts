// Pages side by side, given by their hashes, and how one such level comes from another.

/** What has become of a level: at one place other pages stand, before and behind it all are the same. */
interface LevelChange {
  /** How many pages are the same before that place. */
  readonly kept: number;
  /** What stood there, and what stands there now. */
  readonly was: readonly string[];
  readonly is: readonly string[];
}

/** The same with the hash of the level before. */
export interface LevelStep extends LevelChange {
  readonly from: string;
}

interface Hashed {
  readonly hash: string;
}

/** The smallest change that makes one level of another; null when both are the same. */
export function changeOfLevel(before: readonly Hashed[], after: readonly string[]): LevelChange | null {
  const most = Math.min(before.length, after.length);
  let kept = 0;
  while (kept < most && before[kept]?.hash === after[kept]) kept++;
  let behind = 0;
  while (behind < most - kept && before.at(-1 - behind)?.hash === after.at(-1 - behind)) behind++;
  const was = before.slice(kept, before.length - behind).map(({ hash }) => hash);
  const is = after.slice(kept, after.length - behind);
  return was.length + is.length === 0 ? null : { kept, was, is };
}
