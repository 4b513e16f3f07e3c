// The names of blocks in the dialects of GitBook, Docusaurus, VitePress, MkDocs and Mintlify, as the few blocks that
// HTML is made of.

/** A block; `part` is one that only groups its content. */
export type BlockKind =
  | "hint"
  | "tabs"
  | "tab"
  | "steps"
  | "step"
  | "expandable"
  | "code"
  | "embed"
  | "reference"
  | "file"
  | "columns"
  | "column"
  | "cards"
  | "card"
  | "field"
  | "part";

const hintStyles = ["info", "success", "warning", "danger"] as const;
export type HintStyle = (typeof hintStyles)[number];

/** The styles of admonitions by the names that GitHub, GitBook, Docusaurus, MkDocs and Obsidian give them. */
const styles: Readonly<Record<HintStyle, readonly string[]>> = {
  info: ["info", "note", "abstract", "summary", "tldr", "question", "help", "faq", "example", "quote", "important"],
  success: ["success", "tip", "hint", "check", "done"],
  warning: ["warning", "caution", "attention", "working"],
  danger: ["danger", "error", "bug", "failure", "fail", "missing"],
};

/** The style of an admonition; null for a name that does not have one. */
export function styleOf(name: string): HintStyle | null {
  return hintStyles.find((style) => styles[style].includes(name.toLowerCase())) ?? null;
}

/** GitBook's `{% name %}`; other names only group their content. */
const liquid: Readonly<Record<string, BlockKind>> = {
  hint: "hint",
  tabs: "tabs",
  tab: "tab",
  stepper: "steps",
  step: "step",
  code: "code",
  embed: "embed",
  "content-ref": "reference",
  file: "file",
  columns: "columns",
  column: "column",
};

/** Mintlify's and Docusaurus' `<Name>`, with the style of a hint. Other names are HTML. */
const components: Readonly<Record<string, BlockKind | HintStyle>> = {
  Note: "info",
  Info: "info",
  Callout: "info",
  Tip: "success",
  Check: "success",
  Warning: "warning",
  Danger: "danger",
  Tabs: "tabs",
  Tab: "tab",
  TabItem: "tab",
  CodeGroup: "tabs",
  Steps: "steps",
  Step: "step",
  Accordion: "expandable",
  Expandable: "expandable",
  AccordionGroup: "part",
  Frame: "part",
  Columns: "cards",
  CardGroup: "cards",
  Card: "card",
  ParamField: "field",
  ResponseField: "field",
};

/** The names after `:::` that are not admonitions; others only group their content. */
const containers: Readonly<Record<string, BlockKind>> = {
  details: "expandable",
  "code-group": "tabs",
  tabs: "tabs",
  tab: "tab",
  steps: "steps",
  step: "step",
  cards: "cards",
  card: "card",
};

/** A block, and the style of a hint. */
interface Named {
  readonly kind: BlockKind;
  readonly style?: HintStyle;
}

const named = <Names extends object>(names: Names, name: string): Names[keyof Names] | undefined =>
  Object.hasOwn(names, name) ? names[name as keyof Names] : undefined;

const withStyle = (found: BlockKind | HintStyle): Named => {
  const style = hintStyles.find((one) => one === found);
  return style === undefined ? { kind: found as BlockKind } : { kind: "hint", style };
};

/** The block of GitBook's `{% name %}`. */
export function liquidBlock(name: string): Named {
  return { kind: named(liquid, name) ?? "part" };
}

/** The block of `<Name>`; null if it is an element of HTML or an unknown component. */
export function componentBlock(name: string): Named | null {
  const found = named(components, name);
  return found === undefined ? null : withStyle(found);
}

/** The block of `::: name`. */
export function containerBlock(name: string): Named {
  const style = styleOf(name);
  return style === null ? { kind: named(containers, name.toLowerCase()) ?? "part" } : { kind: "hint", style };
}

/** Blocks that end with the block around them if their own end is missing. */
export const endsWithParent: ReadonlySet<BlockKind> = new Set(["tab", "step", "column"]);

/** Leftover tags within a line of text. */
export const inlineTag =
  /\{%-?\s*(?:end)?(?:hint|tabs?|stepper|step|code|embed|content-ref|file|columns?|include|if|else|swagger|openapi[\w-]*|updates?|prompt|api-[\w-]+|@[\w-]+\/[\w-]+)\b[^\n%]*%\}/g;

/** The names of languages whose code is often shown side by side. */
const languages: Readonly<Record<string, string>> = {
  bash: "Shell",
  go: "Go",
  java: "Java",
  javascript: "JavaScript",
  js: "JavaScript",
  json: "JSON",
  php: "PHP",
  py: "Python",
  python: "Python",
  ruby: "Ruby",
  rust: "Rust",
  sh: "Shell",
  shell: "Shell",
  ts: "TypeScript",
  typescript: "TypeScript",
  yaml: "YAML",
};

/** The name of the language of a fence, for people. */
export function languageName(language: string): string {
  return (Object.hasOwn(languages, language) ? languages[language] : undefined) ?? language;
}
