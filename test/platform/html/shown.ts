// The HTML of a text in tests, as a reader gets it whose resolver keeps every address.
import { htmlOf } from "#src/documents/html/text-html.ts";
import { fillTemplate } from "#src/documents/html/template.ts";
import { sectionsOf } from "#src/features/content/model/sections.ts";

export function shown(markdown: string): string {
  const sections = sectionsOf(markdown).flatMap(({ anchor, title }) => (anchor === null ? [] : [{ anchor, title }]));
  return fillTemplate(htmlOf(markdown, sections), (url) => ({ url }));
}
