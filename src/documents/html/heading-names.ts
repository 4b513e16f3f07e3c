// Gives headings of HTML the names that the product already has for them: those of the sections of the text.
import { diffArrays } from "diff";

/** A section of a text: its title in plain text, and the fragment of addresses that lead to it. */
export interface NamedSection {
  readonly title: string;
  readonly anchor: string;
}

/** Only letters and digits: the title of a section is read more simply than that of a heading. */
const essence = (title: string): string => title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");

/** The most differences between headings and sections for which headings get names. */
const mostDifferences = 500;

/**
 * The names of the headings with these titles, in order; null for one that does not start a section, such as one in
 * a quote. As many headings as sections between two that match are the same, however their titles are read.
 */
export function headingNames(titles: readonly string[], sections: readonly NamedSection[]): (string | null)[] {
  const named = sections.map(({ title }) => essence(title));
  const parts = diffArrays(titles.map(essence), named, { maxEditLength: mostDifferences }) ?? [];
  const names: (string | null)[] = titles.map(() => null);
  let heading = 0;
  let section = 0;
  for (const [index, { removed, added, count }] of parts.entries()) {
    const isPaired = !removed && (!added || (parts[index - 1]?.removed === true && parts[index - 1]?.count === count));
    const first = added ? heading - count : heading;
    if (isPaired) for (let at = 0; at < count; at++) names[first + at] = sections[section + at]?.anchor ?? null;
    if (!added) heading += count;
    if (!removed) section += count;
  }
  return names;
}
