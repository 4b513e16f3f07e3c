// How far an import has come.

/** Numbers of pages: those known so far, those read, and those written, which is none or all. */
export interface Progress {
  readonly found: number;
  readonly read: number;
  readonly written: number;
}

/** Called with the numbers that are known. */
export type Report = (progress: Partial<Progress>) => void;

/** Keeps the numbers together and tells of them as they grow: none goes back when a later step counts anew. */
export function growing(tell: (progress: Progress) => void): Report {
  let last: Progress = { found: 0, read: 0, written: 0 };
  return ({ found = 0, read = 0, written = 0 }) => {
    const next = {
      found: Math.max(last.found, found),
      read: Math.max(last.read, read),
      written: Math.max(last.written, written),
    };
    if (next.found === last.found && next.read === last.read && next.written === last.written) return;
    last = next;
    tell(next);
  };
}
