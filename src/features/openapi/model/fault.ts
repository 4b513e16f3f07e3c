// What is wrong with a specification, and where.

/** A place in a file. Lines and columns count from 1. */
export interface Place {
  /** The name of the file. */
  readonly file: string;
  /** A JSON pointer to the value; null where the file cannot be read so far. */
  readonly pointer?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A specification that cannot be taken. `message` is a sentence for who wrote it. */
export class SpecFault extends Error {
  override readonly name = "SpecFault";
  readonly place: Place;

  constructor(message: string, place: Place) {
    super(message);
    this.place = place;
  }
}

/** A text from a file as it can be stored and shown: without what PostgreSQL cannot hold, and at most so long. */
export const shownText = (text: string, most: number): string =>
  text.slice(0, most).toWellFormed().replaceAll("\0", "").trim();

/** The whole of it in one text: `openapi.yaml, line 3, column 7 (#/info): must have …`. */
export function describeFault(message: string, { file, pointer, line, column }: Place): string {
  const at = line === undefined ? "" : `, line ${line}${column === undefined ? "" : `, column ${column}`}`;
  const value = pointer === undefined ? "" : ` (#${pointer})`;
  return `${file}${at}${value}: ${message}`;
}
