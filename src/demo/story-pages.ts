// Converts the files of a story to pages with the importer, as `npm run import` does with a folder.
import { newId } from "#src/base/ids.ts";
import { documentationReader } from "#src/demo/documentation.ts";
import type { Files, Story } from "#src/demo/story.ts";
import type { NewPage } from "#src/features/content/model/page.ts";
import { ImportFiles } from "#src/features/imports/model/files.ts";
import { newPages } from "#src/features/imports/model/new-pages.ts";
import { planImport } from "#src/features/imports/model/plan.ts";
import { type TextReader, trustingReader } from "#src/features/imports/model/text-reader.ts";

type StoryParts = Pick<Story, "pageVariables" | "reusable" | "documentation">;

/** The pages and reusable contents of one space. They keep their ids from step to step. */
export class StoryPages {
  readonly #pageVariables: Story["pageVariables"];
  readonly #pageIds = new Map<string, string>();
  readonly #reusableIds = new Map<string, string>();
  readonly #reader: TextReader;

  constructor({ pageVariables, reusable, documentation }: StoryParts) {
    this.#pageVariables = pageVariables;
    this.#reader = documentation ? documentationReader() : trustingReader();
    for (const name of Object.keys(reusable)) this.#reusableIds.set(name, newId("ReusableContent"));
  }

  /** The id of the page of a file, or of one without a file by its title. */
  pageId(name: string): string {
    const id = this.#pageIds.get(name) ?? newId("Page");
    this.#pageIds.set(name, id);
    return id;
  }

  reusableId(name: string): string {
    const id = this.#reusableIds.get(name);
    if (id === undefined) throw new Error(`The demo does not have the reusable content ${name}`);
    return id;
  }

  /** The pages of these files. Throws if the importer warns of anything. */
  async of(files: Files): Promise<NewPage[]> {
    const source = ImportFiles.of(Array.from(files, ([path, text]) => [path, this.#withIds(text)]));
    const plan = await planImport({ files: source }, this.#reader);
    // A step may have files that its table of contents does not name.
    const warning = source.warnings.first.find(({ kind }) => kind !== "omitted");
    if (warning) throw new Error(`The demo's file ${warning.path}: ${warning.message}`);
    for (const page of plan.all) {
      const variables = this.#pageVariables[page.path ?? ""];
      if (variables) page.fields = { ...page.fields, variables };
    }
    const pageIds = new Map(plan.all.map((page) => [page, this.pageId(page.path ?? page.title)]));
    return newPages(plan.pages, { pageIds, fileIds: new Map() });
  }

  #withIds(text: string): string {
    const included = /\{\{ reusable:([a-z-]+) \}\}/g;
    return text.replaceAll(included, (_, name: string) => `{{ reusable:${this.reusableId(name)} }}`);
  }
}
