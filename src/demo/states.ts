// The revisions of a space, or of a change request in it, while a story is played.
import type { Files } from "#src/demo/story.ts";
import type { ContentState } from "#src/features/content/model/content-state.ts";

/** A revision, its content, and the files that make this content. */
export interface State {
  readonly id: string;
  readonly time: Date;
  readonly content: ContentState;
  readonly files: Files;
}

/** The one of these revisions that was active at a time. */
export function activeAt(states: readonly State[], time: Date): State {
  const state = states.findLast((one) => one.time <= time);
  if (!state) throw new Error(`The demo has no content on ${time.toISOString()}`);
  return state;
}

/** The last one. */
export function last(states: readonly State[]): State {
  const state = states.at(-1);
  if (!state) throw new Error("There is no revision yet");
  return state;
}

/** Files, of which some are replaced by others. */
export const layered = (below: Files, above: Files): Files => new Map([...below, ...above]);
