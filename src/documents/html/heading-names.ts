// Gives headings of HTML the names that the product already has for them: those of the sections of the text.
import type { TextHeading } from "#src/documents/html/template.ts";

/** A section of a text: its title in plain text, and the fragment of addresses that lead to it. */
export interface NamedSection {
  readonly title: string;
  readonly anchor: string;
}

/** Only letters and digits: the title of a section is read more simply than that of a heading. */
const essence = (title: string): string =>
  title
    .replace(/\{[#.:][^{}]*\}$/, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");

/** The names of the headings of one text, in order. */
export class HeadingNames {
  readonly headings: TextHeading[] = [];
  readonly #sections: readonly (NamedSection & { readonly essence: string })[];
  #next = 0;

  constructor(sections: readonly NamedSection[]) {
    this.#sections = sections.map((section) => ({ ...section, essence: essence(section.title) }));
  }

  /** The name of the next heading; null for one that is not the start of a section, such as one in a quote. */
  take(title: string, level: number): string | null {
    const own = essence(title);
    const at = this.#sections.findIndex((section, index) => index >= this.#next && section.essence === own);
    const section = this.#sections[at];
    if (!section) return null;
    this.#next = at + 1;
    this.headings.push({ anchor: section.anchor, title, level });
    return section.anchor;
  }
}
