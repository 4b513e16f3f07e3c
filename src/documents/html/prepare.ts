// Prepares the syntax tree of a text for HTML: the settings of code, formulas on lines of their own, samples of one
// call in several languages as tabs; and limits of what short texts can blow up.
import type { Code, Definition, Nodes, Parents, Root, RootContent, Table } from "mdast";
import { tooMany } from "#src/documents/document.ts";
import { type BlockMaker, codeSettings } from "#src/documents/html/marked-blocks.ts";
import { codeOptions } from "#src/documents/html/code.ts";

/**
 * Rows of a table are filled up to the number of its columns: 9 kB of text could become 10 MB of HTML. Each reference
 * repeats the address and title of its definition.
 */
const limits = { cells: 50_000, repeated: 1_000_000 } as const;

/** Prepares a tree in place. Throws INVALID_INPUT beyond {@link limits}. Returns whether it contains HTML. */
export function prepare(root: Root, blocks: BlockMaker): boolean {
  const sizes = sizesOfDefinitions(root);
  const seen = { html: false, cells: 0, repeated: 0 };
  const visit = (node: Nodes): void => {
    if (node.type === "html") seen.html = true;
    else if (node.type === "code") setOptions(node);
    else if (node.type === "table") seen.cells += node.children.length * columnsOf(node);
    else if (node.type === "heading") withoutAttributes(node.children.at(-1));
    else if (node.type === "linkReference" || node.type === "imageReference")
      seen.repeated += sizes.get(node.identifier) ?? 0;
    if (seen.cells > limits.cells || seen.repeated > limits.repeated) throw tooMany();
    if (!("children" in node)) return;
    displayFormula(node);
    node.children.forEach(visit);
  };
  visit(root);
  groupSamples(root, blocks);
  return seen.html;
}

function sizesOfDefinitions(node: Nodes, sizes = new Map<string, number>()): ReadonlyMap<string, number> {
  if (node.type === "definition") sizes.set(node.identifier, sizeOf(node));
  if ("children" in node) for (const child of node.children) sizesOfDefinitions(child, sizes);
  return sizes;
}

const sizeOf = ({ url, title }: Definition): number => url.length + (title?.length ?? 0);

const columnsOf = ({ children }: Table): number =>
  children.reduce((most, row) => Math.max(most, row.children.length), 0);

/** The name of the file and the options of code become attributes, which the sanitiser keeps. */
function setOptions(code: Code): void {
  const settings = codeSettings(code.meta ?? "");
  const options = codeOptions.filter((option) => settings[option]).join(" ");
  const hProperties = {
    ...(settings.title !== undefined && { dataTitle: settings.title }),
    ...(options !== "" && { dataOptions: options }),
  };
  code.data = { ...code.data, hProperties };
}

/** `## Title {#name}` has attributes in many dialects. */
function withoutAttributes(last: RootContent | undefined): void {
  if (last?.type === "text") last.value = last.value.replace(/\s*\{[#.:][^{}]*\}\s*$/, "");
}

/** A formula that is all of its paragraph is displayed on lines of its own. */
function displayFormula(node: Parents): void {
  const [only, ...others] = node.type === "paragraph" ? node.children : [];
  if (only?.type !== "source" || only.data?.hName !== "code" || others.length > 0) return;
  only.data = { ...only.data, hProperties: { className: ["language-math", "math-display"] } };
}

/** The samples of a computed page are several fences below one heading. */
function groupSamples(root: Root, blocks: BlockMaker): void {
  const at = root.children.findIndex(
    (node) => node.type === "heading" && node.children.length === 1 && isText(node.children[0], "Code samples"),
  );
  if (at < 0) return;
  const rest = root.children.slice(at + 1);
  const end = rest.findIndex(({ type }) => type !== "code");
  const samples = rest.slice(0, end < 0 ? undefined : end);
  if (samples.length > 1) root.children.splice(at + 1, samples.length, blocks.tabsOf(samples));
}

const isText = (node: Nodes | undefined, value: string): boolean => node?.type === "text" && node.value === value;
