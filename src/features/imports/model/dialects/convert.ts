// Converts the dialects of other tools in a text to the Markdown that means the same.
import { applyEdits, codeIn, type DialectRule, type EditedText } from "#src/features/imports/model/dialects/edits.ts";
import { liquid } from "#src/features/imports/model/dialects/liquid.ts";
import { marks } from "#src/features/imports/model/dialects/marks.ts";
import { isMdx, mdx } from "#src/features/imports/model/dialects/mdx.ts";
import { treeOf } from "#src/features/imports/model/markdown.ts";
import { shortcodes } from "#src/features/imports/model/dialects/shortcodes.ts";

/** Rules for every text, in the order in which they win where they overlap. */
const rules: readonly DialectRule[] = [shortcodes, liquid, marks];

/** The converted text; null if nothing in it belongs to another dialect. */
export function convertDialects(path: string, text: string): EditedText | null {
  const mayBeMdx = mdx.sign.test(text) && (/\.mdx$/i.test(path) || /^import\s/m.test(text));
  const concerned = rules.filter(({ sign }) => sign.test(text));
  if (!mayBeMdx && concerned.length === 0) return null;
  const tree = treeOf(text);
  const isCode = codeIn(tree, text, { indented: true });
  const isModule = mayBeMdx && isMdx(path, text, codeIn(tree, text, { indented: false }));
  const isFenced = isModule ? codeIn(tree, text, { indented: false }) : isCode;
  const edits = concerned.flatMap((rule) => rule.edits(text, isFenced));
  if (isModule) edits.push(...mdx.edits(text, isFenced));
  return edits.length === 0 ? null : applyEdits(text, edits);
}
