// The view of code: colours by classes, the name of its file, line numbers, and the badges of HTTP methods.
import type { Element, ElementContent } from "hast";
import dart from "highlight.js/lib/languages/dart";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import elixir from "highlight.js/lib/languages/elixir";
import http from "highlight.js/lib/languages/http";
import nginx from "highlight.js/lib/languages/nginx";
import powershell from "highlight.js/lib/languages/powershell";
import protobuf from "highlight.js/lib/languages/protobuf";
import scala from "highlight.js/lib/languages/scala";
import { common, createLowlight } from "lowlight";
import { classesOf, element, isElement, textOf, textProperty } from "#src/documents/html/elements.ts";
import { formula } from "#src/documents/html/formula.ts";

const more = { dart, dockerfile, elixir, http, nginx, powershell, protobuf, scala };
const lowlight = createLowlight({ ...common, ...more });

/** Colouring a long word takes time quadratic in its length. */
const colourLimits = { characters: 50_000, line: 2_000 } as const;

/** The options that a fence's meta may set, as `data-options` of the code. */
export const codeOptions = ["wraps", "numbered"] as const;

/** The view of a `pre`; itself if it does not contain code. */
export function codeView(pre: Element): ElementContent {
  const [code] = pre.children;
  if (!isElement(code, "code") || pre.children.length > 1) return focusable(pre);
  const language = languageOf(code);
  const text = textOf(code.children).replace(/\n$/, "");
  if (language === "math") return formula(text, true);
  const endpoint = language === "http" ? endpointView(text, "div") : null;
  if (endpoint) return endpoint;
  const title = textProperty(code, "dataTitle");
  const options = textProperty(code, "dataOptions")?.split(" ") ?? [];
  const isNumbered = options.includes("numbered");
  const classes = codeOptions.filter((option) => options.includes(option));
  const shown = element("code", { className: ["hljs", ...(language ? [`language-${language}`] : [])] }, [
    ...coloured(text, language),
  ]);
  const numbers = text.split("\n").map((_line, index) => String(index + 1));
  return element("div", { className: ["code", ...classes], ...(language && { dataLanguage: language }) }, [
    ...(title ? [element("div", { className: ["code-title"] }, [title])] : []),
    focusable(
      element("pre", {}, [
        ...(isNumbered
          ? [element("span", { className: ["code-numbers"], ariaHidden: "true" }, [numbers.join("\n")])]
          : []),
        shown,
      ]),
    ),
  ]);
}

/** A region that scrolls must be reachable by keyboard. */
const focusable = (pre: Element): Element => ({ ...pre, properties: { ...pre.properties, tabIndex: 0 } });

function languageOf(code: Element): string | null {
  const found = classesOf(code).find((name) => name.startsWith("language-"));
  return found?.slice("language-".length).toLowerCase() ?? null;
}

function coloured(text: string, language: string | null): ElementContent[] {
  const isShort =
    text.length <= colourLimits.characters && text.split("\n").every((line) => line.length <= colourLimits.line);
  if (language === null || !isShort || !lowlight.registered(language)) return [{ type: "text", value: text }];
  return lowlight.highlight(language, text).children as ElementContent[]; // it makes neither comments nor doctypes
}

/** The view of code within a line: a formula, or the method and path of a request. */
export function inlineCodeView(code: Element): ElementContent {
  const text = textOf(code.children);
  if (languageOf(code) === "math") return formula(text, classesOf(code).includes("math-display"));
  return endpointView(text, "span") ?? element("code", {}, code.children);
}

const request = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|QUERY) ((?:https?:\/\/|\/)\S{0,2000})$/;

/** A method with its path, with a badge; null for any other text. */
function endpointView(text: string, tagName: "div" | "span"): Element | null {
  const [, method, path = ""] = request.exec(text.trim()) ?? [];
  if (method === undefined) return null;
  const badge = element("span", { className: ["method", `method-${method.toLowerCase()}`] }, [method]);
  return element(tagName, { className: ["endpoint"] }, [badge, " ", element("code", {}, [path])]);
}
