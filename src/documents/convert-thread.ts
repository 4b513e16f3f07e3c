// The code of the threads of `convert.ts`: converts one text, and returns errors in a form that can be sent.
import { DomainError } from "#src/base/errors.ts";
import type { Conversion, ConversionAnswer } from "#src/documents/convert.ts";
import { tooDeep } from "#src/documents/document.ts";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { sectionsIn } from "#src/documents/sections/sections.ts";
import { toMarkdown } from "#src/documents/to-markdown.ts";
import { serveTasks } from "#src/runtime/threads.ts";

serveTasks(async (conversion: Conversion): Promise<ConversionAnswer> => {
  try {
    return { text: await converted(conversion) };
  } catch (caught) {
    const error = caught instanceof RangeError ? tooDeep() : caught; // the stack is full before the levels are counted
    if (!(error instanceof DomainError)) throw error;
    const { code, message, details } = error;
    return { refusal: { code, message, details } };
  }
});

/** Parsing JSON is three times as fast as copying the same objects from thread to thread. */
async function converted({ to, text, path, base }: Conversion): Promise<string> {
  if (to === "markdown") return toMarkdown(JSON.parse(text), { path, base });
  if (to === "document") return JSON.stringify(fromMarkdown(text));
  if (to === "sections") return JSON.stringify(sectionsIn(text));
  // Only when needed: it loads the grammars of many languages.
  const { htmlOf } = await import("#src/documents/html/text-html.ts");
  return JSON.stringify(htmlOf(text));
}
