// The text of code in HTML: highlighters make lines of elements, and put numbers, prompts and buttons beside the code.
import type { Element, ElementContent } from "hast";
import { classesOf } from "#src/documents/html/elements.ts";
import {
  blockElements,
  classText,
  classWords,
  hasProperty,
  lineIn,
  property,
} from "#src/features/imports/model/website/html/tree.ts";

const numberClass =
  /(?:^|[\s_-])(?:line-?nos?|line-?numbers?|ln|lnt|lnum|lnums|gutter|blob-num|linenodiv)(?:$|[\s_-])/i;

/** Whether an element is the number of a line, or a column of them. */
export function isLineNumber(node: Element): boolean {
  if (node.tagName === "code") return false;
  const text = lineIn(node);
  const classes = classText(node).replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-");
  if (!/^[\d\s|│:.]*$/.test(text) || /(?:^|[\s_-])code(?:$|\s)/i.test(classes)) return false;
  if (text !== "" && [property(node, "dataLineNumber"), property(node, "dataLinenumber")].includes(text)) return true;
  return numberClass.test(classes);
}

const isUnselectable = (node: Element): boolean =>
  /user-select:\s*none/i.test(property(node, "style")) ||
  /(?:^|\s)(?:unselectable|no-?select|select-none|user-select-none)(?:$|\s)/i.test(classText(node));

const promptText = /^\s*(?:[\w.@~:/\\()[\]-]{0,80}\s*)?(?:[$#%>❯➜λ]|>{2,3}|\.{3})\s*$/u;

/** Whether an element is a prompt that cannot be copied. */
const isPrompt = (node: Element): boolean =>
  (isUnselectable(node) || property(node, "ariaHidden") === "true" || /(?:^|[\s_-])prompt/i.test(classText(node))) &&
  promptText.test(lineIn(node));

const besideCode: ReadonlySet<string> = new Set(["button", "svg", "style", "script", "template", "noscript", "select"]);

/** Whether an element within or beside code is a control of it, such as a button to copy it. */
export function isCodeControl(node: Element): boolean {
  if (besideCode.has(node.tagName) || hasProperty(node, "dataClipboardText")) return true;
  if (property(node, "role") === "button" || property(node, "role") === "tooltip") return true;
  const words = classWords(node);
  const isPopup = words.includes("twoslash") && words.includes("popup");
  if (isPopup || isForReadersAlone(node) || /^(?:clipboard-copy|rio-copy)/.test(node.tagName)) return true;
  const isShort = lineIn(node).length <= 20;
  return isShort && words.some((word) => /^(?:copy|clipboard|copybtn|copybutton|copied)$/.test(word));
}

/** Whether an element is announced by screen readers and not shown. */
export const isForReadersAlone = (node: Element): boolean =>
  /(?:^|\s)(?:[\w-]*visually-?hidden|sr-only|screen-reader(?:-text|-only)?|is-sr-only)(?:$|\s)/i.test(classText(node));

/** Highlighters give these classes to the elements of lines. */
const lineClass = /^(?:line|code-?line|token-line|ec-line|cl|hljs-line|view-line|blob-code|code-block-line)$/i;

const isLineSpan = (node: Element): boolean =>
  hasProperty(node, "dataLine") || classesOf(node).some((name) => lineClass.test(name));

const showsAsBlock = /display:\s*(?:block|flex|grid|table-row|list-item)\b/i;

/** Writes the text of a code block: an element that shows as a block ends its line, once. */
class CodeText {
  #text = "";
  /** Whether the next text begins on a new line. */
  #isEnded = false;

  get text(): string {
    return this.#text;
  }

  visit(nodes: readonly ElementContent[]): void {
    const elements = nodes.filter((node) => node.type === "element");
    const areLines = elements.length > 1 && elements.every((one) => isLineSpan(one) || one.tagName === "br");
    for (const node of nodes) {
      if (node.type === "text") this.#write(node.value);
      if (node.type === "element") this.#element(node, areLines);
    }
  }

  #write(value: string): void {
    if (value === "") return;
    if (this.#isEnded && !/^\r?\n/.test(value)) this.#text += "\n";
    this.#isEnded = false;
    this.#text += value;
  }

  #element(node: Element, isOfLines: boolean): void {
    if (isLineNumber(node) || isPrompt(node) || isCodeControl(node)) return;
    if (node.tagName === "br") this.#write("\n");
    else if (node.tagName === "img") this.#write(property(node, "alt"));
    else if (isOfLines || showsAsLine(node)) this.#line(node);
    else this.visit(node.children);
  }

  #line(node: Element): void {
    const isAtStart = this.#text === "" || this.#text.endsWith("\n");
    if (!isAtStart) this.#isEnded = true;
    const before = this.#text;
    const wasEnded = this.#isEnded;
    this.visit(node.children);
    const isWritten = this.#text !== before;
    if (!isWritten && node.tagName !== "table") {
      // an empty line
      this.#text += wasEnded ? "\n" : "";
      this.#isEnded = true;
    } else this.#isEnded ||= !this.#text.endsWith("\n");
  }
}

const showsAsLine = (node: Element): boolean =>
  (node.tagName !== "pre" && blockElements.has(node.tagName)) || showsAsBlock.test(property(node, "style"));

/** The code in nodes, without what highlighters put beside it. */
export function codeIn(nodes: readonly ElementContent[]): string {
  const code = new CodeText();
  code.visit(nodes);
  return code.text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\u00a0", " ")
    .replaceAll(/[\u200b\u2060\ufeff]/g, "")
    .replace(/^\n+/, "")
    .trimEnd();
}
