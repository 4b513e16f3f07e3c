// The form of a generated reference: tables whose rows come from a table in the code.

export interface Reference {
  readonly path: `/reference/${string}`;
  readonly title: string;
  /** What it lists, in one sentence for the list of references. */
  readonly about: string;
  /** Paragraphs above the tables: text with `code` and links to paths of the gateway. */
  readonly introduction: string;
  readonly tables: () => readonly ReferenceTable[] | Promise<readonly ReferenceTable[]>;
}

export interface ReferenceTable {
  readonly id: string;
  /** Left out where the page has one table alone. */
  readonly title?: string;
  readonly introduction?: string;
  readonly columns: readonly string[];
  readonly rows: readonly ReferenceRow[];
}

export interface ReferenceRow {
  /** The anchor of the row, unique on its page. */
  readonly id: string;
  /** One for each column, as text with `code`; the first is the name. */
  readonly cells: readonly string[];
}

/** Names as code, with commas between. */
export const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
