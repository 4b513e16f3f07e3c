// From the words of a story to edits of its pages: names become ids, and changes of texts whole texts.
import { newId } from "#src/base/ids.ts";
import type { PageChange, PagePlan } from "#src/demo/story.ts";
import type { ContentEdit } from "#src/features/content/commands/apply-edits.ts";

/** The ids of the pages and reusable contents of one space, by their names in its story. */
export class StoryNames {
  readonly #ids = new Map<string, string>();

  /** The id of a page. One that is not made yet has its id already, so that links lead to it. */
  page(name: string): string {
    return this.#id("Page", name);
  }

  /** The same of a reusable content. */
  reusable(name: string): string {
    return this.#id("ReusableContent", name);
  }

  #id(kind: "Page" | "ReusableContent", name: string): string {
    const key = `${kind} ${name}`;
    const id = this.#ids.get(key) ?? newId(kind);
    this.#ids.set(key, id);
    return id;
  }

  /** The text, with ids in its links and expressions. */
  refer(text: string): string {
    return text
      .replaceAll(/\(page:([a-z-]+)\)/g, (_, name: string) => `(page:${this.page(name)})`)
      .replaceAll(/\{\{ reusable:([a-z-]+) \}\}/g, (_, name: string) => `{{ reusable:${this.reusable(name)} }}`);
  }
}

/** The edits that a story means; `textOf` answers the text of a page as it is before all of them. */
export function editsOf(
  changes: readonly PageChange[],
  names: StoryNames,
  textOf: (pageId: string) => string,
): ContentEdit[] {
  return changes.flatMap((change): ContentEdit[] => {
    if ("add" in change) {
      const after = change.after === undefined ? {} : { position: { after: names.page(change.after) } };
      return creations(change.add, names, { ...parent(change.to, names), ...after });
    }
    if ("move" in change) return [{ movePage: { pageId: names.page(change.move), ...parent(change.to, names) } }];
    if ("variables" in change)
      return [
        { setVariables: { variables: Object.entries(change.variables).map(([name, value]) => ({ name, value })) } },
      ];
    if ("reuse" in change) {
      const { reuse, title, text } = change;
      return [{ createReusableContent: { reusableContentId: names.reusable(reuse), title, markdown: text } }];
    }
    const pageId = names.page(change.update);
    const { title, text = textOf(pageId), replace, append } = change;
    const replaced = replace ? replaceOnce(text, ...replace) : text;
    const markdown = names.refer(append === undefined ? replaced : `${replaced}\n${append}`);
    return [{ updatePage: { pageId, markdown, ...(title !== undefined && { title }) } }];
  });
}

const parent = (name: string | undefined, names: StoryNames) =>
  name === undefined ? {} : { parentId: names.page(name) };

function creations(
  { name, text, pages = [], ...fields }: PagePlan,
  names: StoryNames,
  place: { parentId?: string; position?: { after: string } },
): ContentEdit[] {
  const pageId = names.page(name);
  const markdown = text === undefined ? {} : { markdown: names.refer(text) };
  const below = pages.flatMap((page) => creations(page, names, { parentId: pageId }));
  return [{ createPage: { ...fields, pageId, ...markdown, ...place } }, ...below];
}

function replaceOnce(text: string, from: string, to: string): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`The demo replaces "${from}", which is there ${parts.length - 1} times`);
  return parts.join(to);
}
