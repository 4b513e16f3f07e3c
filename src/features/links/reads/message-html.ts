// Texts that people write to each other as HTML, such as comments: their links lead to the application or the web, and
// those that need a page around them, such as relative paths, are their texts.
import { referenceOfAddress } from "#src/documents/references.ts";
import type { Target } from "#src/documents/html/template.ts";
import type { Context } from "#src/domain/context.ts";
import { htmlTemplateOf, resolvedHtml, webTarget } from "#src/features/content/reads/html.ts";

/** INVALID_INPUT if the operation converts more text than the limit. */
export async function htmlOfMessage(context: Context, markdown: string): Promise<string> {
  const template = await htmlTemplateOf(context, markdown);
  return resolvedHtml(context, template, async () => (address) => targetOf(context, address));
}

function targetOf({ links }: Context, address: string): Target {
  const reference = referenceOfAddress(address);
  switch (reference.kind) {
    case "url":
      return webTarget(address);
    case "user":
      return { url: links.app(`users/${reference.user}`, reference.user) };
    case "space":
      return { url: links.app(`spaces/${reference.space}`, reference.space) };
    default: {
      if (!("page" in reference) || reference.page === undefined || reference.space === undefined) return null;
      return { url: links.app(`spaces/${reference.space}/pages/${reference.page}`, reference.page) };
    }
  }
}
