// The names of headings: the one that docgraph gives, and those by which other tools and their authors know them. Links
// by any of them lead to the heading.
import { percentDecoded } from "#src/base/url-text.ts";
import { SiblingSlugs, slugOf } from "#src/base/text/slugs.ts";

/** A heading with what its author wrote about its names. */
export interface Titled {
  readonly title: string;
  /** The title with elements of HTML left out, as other tools read it. */
  readonly compact: string;
  /** A name that replaces the one made of the title. */
  readonly name: string | null;
  /** Further names: ids of elements in or before the heading. */
  readonly ids: readonly string[];
}

export interface Anchor {
  readonly anchor: string;
  /** Its other names, in lower case, without those of other headings. */
  readonly aliases: readonly string[];
}

/** Attributes at the end of a heading: `{#name .class}`, `{: #name }`, or `{/* #name *\/}` as MDX has them. */
const attributes = /\{(?::\s*|\/\*\s*)?(?:#([^\s{}]{1,100})|[.:#])[^{}]*\}\s*$/;

/** Names without `_`, which ids of pages around the text contain. */
const headingName = /^[\p{L}\p{N}]+(?:[-.][\p{L}\p{N}]+)*$/u;

interface Written {
  /** The text of the heading, with a blank for each element of HTML. */
  readonly text: string;
  readonly compact: string;
  /** The ids of elements in the heading. */
  readonly ids: readonly string[];
  /** Those before and after it. */
  readonly around?: readonly string[];
}

/** A heading as it was written, without its attributes. */
export function titled({ text: given, compact, ids, around = [] }: Written): Titled {
  const text = given.replaceAll(/\s+/g, " ").trim();
  const [, written] = attributes.exec(text) ?? [];
  const own = written ?? ids[0];
  return {
    title: text.replace(attributes, "").trim(),
    compact: compact.replaceAll("\n", " ").replace(attributes, "").trim(),
    name: own !== undefined && headingName.test(own) ? own : null,
    ids: [...(written === undefined ? [] : [written]), ...ids, ...around],
  };
}

/** A dialect: the name of a title, and how equal ones are numbered. */
interface Dialect {
  readonly slug: (title: string) => string;
  readonly numbered: (slug: string, count: number) => string;
}

const dashed = (slug: string, count: number): string => `${slug}-${count}`;

const withoutMarks = (text: string): string => text.normalize("NFKD").replaceAll(/[\u0300-\u036f]/g, "");

/** The anchor that GitHub gives a heading by its title, before numbers of equal ones. */
export const gitHubSlug = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");

const python = (title: string, signs: RegExp): string =>
  title
    .replaceAll(signs, "")
    .trim()
    .toLowerCase()
    .replaceAll(/[-\s]+/g, "-");

const vitepress = (title: string): string =>
  withoutMarks(title)
    .replaceAll(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .replace(/^\d/, "_$&")
    .toLowerCase();

/** GitBook's names keep dots, and an id does not start with a digit. */
const gitbook = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replaceAll("&", "and")
    .replaceAll(/[^\p{L}\p{M}\p{N}._\s-]/gu, "")
    .replaceAll(/[\s-]+/g, "-")
    .replace(/^\d/, "id-$&");

const afterLetter = (title: string, kept: RegExp): string =>
  title
    .replaceAll(kept, "")
    .replace(/^[^\p{L}]+/u, "")
    .replaceAll(/\s/g, "-")
    .toLowerCase();

const dialects: readonly Dialect[] = [
  // GitHub, Docusaurus, Nextra, mdBook, Hugo
  { slug: gitHubSlug, numbered: dashed },
  // GitLab
  { slug: (title) => gitHubSlug(title).replaceAll(/-{2,}/g, "-"), numbered: dashed },
  { slug: gitbook, numbered: dashed },
  { slug: (title) => gitbook(title.replaceAll("&", "")), numbered: dashed },
  // Python-Markdown, and so MkDocs, with and without its Unicode option
  {
    slug: (title) => python(title.normalize("NFKD").replaceAll(/[^\0-\x7f]/g, ""), /[^\w\s-]/g),
    numbered: (slug, count) => `${slug}_${count}`,
  },
  { slug: (title) => python(title, /[^\p{L}\p{M}\p{N}_\s-]/gu), numbered: (slug, count) => `${slug}_${count}` },
  // VitePress and VuePress
  { slug: vitepress, numbered: dashed },
  // markdown-it-anchor
  { slug: (title) => title.trim().toLowerCase().replaceAll(/\s+/g, "-"), numbered: dashed },
  // kramdown, and so Jekyll
  { slug: (title) => afterLetter(title, /[^a-zA-Z0-9 -]/g), numbered: dashed },
  // Pandoc
  { slug: (title) => afterLetter(title, /[^\p{L}\p{M}\p{N}_\-.\s]/gu), numbered: dashed },
  // Docutils, and so Sphinx
  { slug: (title) => slugOf(title, "").replace(/^[\d-]+/, ""), numbered: dashed },
];

/** The longest name that is kept besides that of docgraph. */
const nameLimit = 200;

/** The anchors of the headings of a text, in order. */
export function anchorsOf(headings: readonly Titled[]): Anchor[] {
  const slugs = new SiblingSlugs();
  const own = headings.map(({ name, title }) => slugs.take(name ?? slugOf(title, "section")));
  const taken = new Set(own.map((anchor) => anchor.toLowerCase()));
  const aliases: string[][] = headings.map(() => []);
  const give = (index: number, name: string): void => {
    const alias = name.toLowerCase();
    if (alias === "" || alias.length > nameLimit || /\s/.test(alias) || taken.has(alias)) return;
    taken.add(alias);
    aliases[index]?.push(alias);
  };
  for (const [index, { ids, name }] of headings.entries())
    for (const id of name === null ? ids : [...ids, name]) give(index, id);
  for (const { slug, numbered } of dialects) {
    const counts = new Map<string, number>();
    for (const [index, { compact }] of headings.entries()) {
      const name = slug(compact);
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      give(index, count === 0 ? name : numbered(name, count));
    }
  }
  return own.map((anchor, index) => ({ anchor, aliases: aliases[index] ?? [] }));
}

/** The fragment by which browsers find a name in HTML: titles become slugs, and names are in lower case. */
export function fragmentOf(anchor: string): string {
  const name = percentDecoded(anchor) ?? anchor;
  return /\s/.test(name) ? slugOf(name, "section") : anchor.toLowerCase();
}

/** The names to look up for the fragment of an address: tools add prefixes, and Obsidian writes titles. */
export function namesToTry(fragment: string): string[] {
  const name = fragment.toLowerCase().replace(/^(?:user-content-|markdown-header-)/, "");
  return [fragment.toLowerCase(), name, slugOf(name, "")];
}
