// TeX for presentation MathML without a source: scripts, fractions, roots, fences, matrices and accents.
import type { Element } from "hast";
import { textOf } from "#src/documents/html/elements.ts";
import { elementsOf, property } from "#src/features/imports/model/website/html/tree.ts";

const symbols: Readonly<Record<string, string>> = {
  "∑": "\\sum",
  "∏": "\\prod",
  "∫": "\\int",
  "∞": "\\infty",
  "≤": "\\le",
  "≥": "\\ge",
  "≠": "\\ne",
  "±": "\\pm",
  "×": "\\times",
  "·": "\\cdot",
  "⋅": "\\cdot",
  "→": "\\to",
  "∈": "\\in",
  "∂": "\\partial",
  "∇": "\\nabla",
  "√": "\\surd",
  "…": "\\ldots",
  "−": "-",
  "\u2061": "",
  "\u2062": "",
  "\u2063": "",
};

const accents: Readonly<Record<string, string>> = {
  "¯": "\\overline",
  "‾": "\\overline",
  "^": "\\hat",
  ˆ: "\\hat",
  "~": "\\tilde",
  "˜": "\\tilde",
  "→": "\\vec",
  "⃗": "\\vec",
  "˙": "\\dot",
};

const escaped = (text: string): string =>
  text
    .replaceAll(/[#$%&_{}]/g, (sign) => `\\${sign}`)
    .replaceAll(/\P{ASCII}/gu, (sign) => {
      const symbol = Object.hasOwn(symbols, sign) ? symbols[sign] : undefined;
      return symbol === undefined ? sign : symbol.startsWith("\\") ? `${symbol} ` : symbol;
    });

const functions = /^(?:sin|cos|tan|cot|sec|csc|log|ln|exp|lim|max|min|det|dim|gcd|sup|inf|arcsin|arccos|arctan)$/;

function identifier(node: Element): string {
  const text = textOf([node]).trim();
  if (functions.test(text)) return `\\${text} `;
  return text.length > 1 && /^[A-Za-z]+$/.test(text) ? `\\mathrm{${text}}` : escaped(text);
}

type Write = (children: readonly string[], node: Element) => string;

const joined: Write = (children) => children.join("");

const limits = (base: string, below: string, above: string): string =>
  `${base.trim()}${below === "" ? "" : `_{${below}}`}${above === "" ? "" : `^{${above}}`}`;

const over: Write = ([base = "", above = ""], node) => {
  const sign = textOf(elementsOf(node).slice(1)).trim();
  const accent = Object.hasOwn(accents, sign) ? accents[sign] : undefined;
  if (accent !== undefined) return `${accent}{${base}}`;
  return /^\\(?:sum|prod|int|lim|max|min)\s*$/.test(base) ? limits(base, "", above) : `\\overset{${above}}{${base}}`;
};

const under: Write = ([base = "", below = ""]) =>
  /^\\(?:sum|prod|int|lim|max|min|sup|inf)\s*$/.test(base) ? limits(base, below, "") : `\\underset{${below}}{${base}}`;

const writers: Readonly<Record<string, Write>> = {
  msup: ([base = "", above = ""]) => limits(grouped(base), "", above),
  msub: ([base = "", below = ""]) => limits(grouped(base), below, ""),
  msubsup: ([base = "", below = "", above = ""]) => limits(grouped(base), below, above),
  munderover: ([base = "", below = "", above = ""]) => limits(base, below, above),
  munder: under,
  mover: over,
  mfrac: ([above = "", below = ""]) => `\\frac{${above}}{${below}}`,
  msqrt: (children) => `\\sqrt{${children.join("")}}`,
  mroot: ([base = "", index = ""]) => `\\sqrt[${index}]{${base}}`,
  mtr: (children) => children.join(" & "),
  mtable: (children) => `\\begin{matrix}${children.join(" \\\\ ")}\\end{matrix}`,
  mfenced: (children, node) =>
    `\\left${property(node, "open") || "("}${children.join(",")}\\right${property(node, "close") || ")"}`,
  mtext: (_children, node) => `\\text{${textOf([node]).replaceAll(/[\\{}]/g, "")}}`,
  mi: (_children, node) => identifier(node),
  mn: (_children, node) => escaped(textOf([node]).trim()),
  mo: (_children, node) => escaped(textOf([node]).trim()),
  mspace: () => "\\ ",
  annotation: () => "",
  "annotation-xml": () => "",
  none: () => "",
  mphantom: () => "",
};

/** A base of several signs in braces, as scripts belong to the last sign alone. */
const grouped = (base: string): string => (/^(?:.|\\[A-Za-z]+\s?|\\mathrm\{\w+\})$/u.test(base) ? base : `{${base}}`);

/** The TeX of an element of MathML. */
export function texOf(node: Element): string {
  const write = (Object.hasOwn(writers, node.tagName) ? writers[node.tagName] : undefined) ?? joined;
  return write(elementsOf(node).map(texOf), node);
}
