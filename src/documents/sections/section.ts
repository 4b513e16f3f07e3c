// The sections of a text, as search, links and outlines use them.

export interface SectionPiece {
  readonly text: string;
  readonly isCode: boolean;
}

export interface Section {
  /** The fragment of URLs to the heading, unique in the text; null before the first heading. */
  readonly anchor: string | null;
  /** Other names of the heading, in lower case. */
  readonly aliases: readonly string[];
  readonly title: string;
  /** Pieces of prose and code, in order, without Markdown syntax. */
  readonly pieces: readonly SectionPiece[];
}

export interface TextSections {
  readonly sections: readonly Section[];
  /** The names of other places in the text, in lower case. */
  readonly places: readonly string[];
}

/** A text that is too deep or too complex, as it was written. */
export const plainSections = (markdown: string): TextSections => ({
  sections: /\S/.test(markdown)
    ? [{ anchor: null, aliases: [], title: "", pieces: [{ text: markdown, isCode: false }] }]
    : [],
  places: [],
});
