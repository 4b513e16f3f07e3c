// The texts `llms.txt` and `llms-full.txt` of a site: an index of its pages for agents, and their texts.

/** A page of the index. */
interface IndexedPage {
  readonly title: string;
  readonly description: string | null;
  /** The address of its text as Markdown. */
  readonly address: string;
  /** The titles of the places that contain it, such as a section and its space, from the top. */
  readonly places: readonly string[];
}

interface Index {
  readonly title: string;
  /** The address of `llms-full.txt`. */
  readonly allTexts: string;
  readonly pages: readonly IndexedPage[];
}

/** Text of one line in which no character has a meaning in Markdown. */
const lineOf = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_[\]<>#]/g, String.raw`\$&`);

const linkTo = (title: string, address: string): string =>
  `[${lineOf(title)}](${address.replaceAll("(", "%28").replaceAll(")", "%29")})`;

/** The index of a site, in the form of llmstxt.org: a heading for each place, and a link for each page. */
export function indexOf({ title, allTexts, pages }: Index): string {
  const lines = [`# ${lineOf(title)}`, "", `> The texts of all pages: ${linkTo("llms-full.txt", allTexts)}`];
  let place: string | null = null;
  for (const page of pages) {
    const own = page.places.map(lineOf).join(" / ");
    if (own !== place) lines.push("", `## ${own}`, "");
    place = own;
    const about = page.description === null ? "" : `: ${page.description.replaceAll(/\s+/g, " ")}`;
    lines.push(`- ${linkTo(page.title, page.address)}${about}`);
  }
  return `${lines.join("\n")}\n`;
}

/** A page with its text. */
export interface FullPage extends Omit<IndexedPage, "places" | "description"> {
  readonly markdown: string;
}

/** A part of the texts of a site, and the address of the next part, if any. */
export function fullTextOf(pages: readonly FullPage[], next: string | null): string {
  const texts = pages.map(
    ({ title, address, markdown }) => `# ${lineOf(title)}\n\nSource: <${address}>\n\n${markdown.trimEnd()}\n`,
  );
  const end = next === null ? [] : [`Further pages: <${next}>\n`];
  return [...texts, ...end].join("\n---\n\n");
}
