// Faults in specifications: a message and a position.

/** A position in a file. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  /** A JSON pointer to the value. */
  readonly pointer?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A fault in a specification. `message` is a sentence for its author. */
export class SpecFault extends Error {
  override readonly name = "SpecFault";
  readonly place: Place;

  constructor(message: string, place: Place) {
    super(message);
    this.place = place;
  }
}

/** An untrusted text that PostgreSQL can store, cut to a number of characters. */
export const shownText = (text: string, most: number): string =>
  text.slice(0, most).toWellFormed().replaceAll("\0", "").trim();

/** The message with its position: `openapi.yaml, line 3, column 7 (#/info): must have …`. */
export function describeFault(message: string, { file, pointer, line, column }: Place): string {
  const at = line === undefined ? "" : `, line ${line}${column === undefined ? "" : `, column ${column}`}`;
  const value = pointer === undefined ? "" : ` (#${pointer})`;
  return `${file}${at}${value}: ${message}`;
}
