// Texts as HTML. The links in it are resolved for each reader, in a moment.
import {
  addressesIn,
  fillTemplate,
  headingNamed,
  type HtmlTemplate,
  sectionIn,
  type Target,
  type TextHeading,
} from "#src/documents/html/template.ts";
import { referenceOfAddress } from "#src/documents/references.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { downloadPath } from "#src/features/content/model/download-address.ts";
import { ConvertedTexts } from "#src/features/content/reads/converted-texts.ts";
import { findFileIn } from "#src/features/content/reads/files.ts";

const templates = new ConvertedTexts<HtmlTemplate>({
  name: "HTML pages",
  megabytes: 48,
  weight: 2,
  conversionOf: (text) => ({ to: "html", text }),
  otherwise: plainTemplate,
});

/** A text that is too deep or too complex, as it was written. */
function plainTemplate(markdown: string): HtmlTemplate {
  const text = markdown.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return { pieces: [`<pre class="plain">${text}</pre>`], places: [], headings: [] };
}

/** The HTML of a text whose links are resolved later. INVALID_INPUT for too much text. */
export async function htmlTemplateOf(context: Context, markdown: string): Promise<HtmlTemplate> {
  return (await templates.convert(context, markdown)).form;
}

/** Where the links of a text lead for one reader; reads the targets of these addresses. */
export type TargetsFor = (addresses: readonly string[]) => Promise<(address: string) => Target>;

/** The HTML of a text or of a part of it, with resolved links; it counts as a text of the operation. */
export async function resolvedHtml(context: Context, template: HtmlTemplate, targets: TargetsFor): Promise<string> {
  const targetOf = await targets(addressesIn(template));
  return context.reader.handOut(fillTemplate(template, targetOf));
}

/** A heading of a text with the part of the text under it, whose links are resolved when it is read. */
export interface TextSection extends TextHeading {
  readonly template: HtmlTemplate;
  readonly targets: TargetsFor;
}

/** The section under a heading with this name; null if the text does not have it. */
export async function sectionNamed(
  context: Context,
  markdown: string,
  { name, targets }: { readonly name: string; readonly targets: TargetsFor },
): Promise<TextSection | null> {
  const template = await htmlTemplateOf(context, markdown);
  const heading = headingNamed(template, name);
  return heading ? { ...heading, template: sectionIn(template, heading), targets } : null;
}

/** The named headings of a text. */
export async function headingsOf(context: Context, markdown: string): Promise<readonly TextHeading[]> {
  const { headings } = await htmlTemplateOf(context, markdown);
  context.reader.takeRows(headings.length);
  return headings;
}

/** The target of an address outside of docgraph; null for paths and references, which lead nowhere by themselves. */
export const webTarget = (address: string): Target =>
  /^(?:https?:|mailto:|tel:|\/\/|\?)/i.test(address) ? { url: address } : null;

const fileColumns = project(["fileId", "name", "key", "width", "height", "place"]);

/** The download URLs of the files of a revision among some addresses, and the sizes of images, in one statement. */
export async function fileTargetsOf(
  context: Context,
  revision: { readonly id: string },
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Target>> {
  const files = addresses.flatMap((address) => {
    const reference = referenceOfAddress(address);
    return reference.kind === "file" ? [[address, reference.file] as const] : [];
  });
  const found = files.map(async ([address, id]): Promise<[string, Target]> => {
    const file = await findFileIn(context, revision, id, fileColumns);
    if (!file) return [address, null];
    const { width, height } = file;
    return [address, { url: context.publicUrl + downloadPath(file, context), width, height }];
  });
  return new Map(await Promise.all(found));
}
