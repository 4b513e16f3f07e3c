// The HTML of a text in tests, as a reader gets it whose resolver keeps every address.
import { htmlOf } from "#src/documents/html/text-html.ts";
import { fillTemplate } from "#src/documents/html/template.ts";

export function shown(markdown: string): string {
  return fillTemplate(htmlOf(markdown), (url) => ({ url }));
}
