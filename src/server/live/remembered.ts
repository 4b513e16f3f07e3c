// What an audience was told last, for those who come back with a cursor: many do so at once when a gateway ends.
import type { StoredEvent } from "#src/events/event.ts";
import { encodePosition } from "#src/events/position.ts";

/** How many texts are kept, and how many characters they may have together. */
const limit = { texts: 200, length: 1024 * 1024 } as const;

/** Texts of events; null for one that the audience may not hear of. */
export class Remembered {
  readonly #texts = new Map<string, string | null>();
  #length = 0;

  /** The text of an event; undefined when it is not known. */
  textOf({ position }: StoredEvent): string | null | undefined {
    return this.#texts.get(encodePosition(position));
  }

  keep({ position }: StoredEvent, text: string | null): void {
    const cursor = encodePosition(position);
    if (this.#texts.has(cursor)) return;
    this.#texts.set(cursor, text);
    this.#length += text?.length ?? 0;
    for (const [oldest, forgotten] of this.#texts) {
      if (this.#texts.size <= limit.texts && this.#length <= limit.length) break;
      this.#texts.delete(oldest);
      this.#length -= forgotten?.length ?? 0;
    }
  }
}
