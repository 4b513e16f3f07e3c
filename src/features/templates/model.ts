// The templates: each is a folder of Markdown files in `texts`, read like an imported folder.
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { ImportFiles } from "#src/features/imports/model/files.ts";
import { type ImportPlan, planImport } from "#src/features/imports/model/plan.ts";
import { trustingReader } from "#src/features/imports/model/text-reader.ts";

/** A picture of the space that pages of a template show; in their texts its address is `ref:` with the name. */
export type TemplateReference = { readonly name: string; readonly description: string };

export interface Template {
  readonly title: string;
  readonly description: string;
  readonly contentRefs: readonly TemplateReference[];
}

/** The templates by name; /v1 and folders have the same names with hyphens (contract, choice 61). */
export const templates = {
  blank: { title: "Blank", description: "One page to write on.", contentRefs: [] },
  product_docs: {
    title: "Product documentation",
    description: "Overview, quickstart, installation, guides, reference and help for the users of a product.",
    contentRefs: [{ name: "screenshot", description: "The product at a glance, on the first page." }],
  },
  api_reference: {
    title: "API reference",
    description: "Authentication, errors, lists, limits, versions, resources and webhooks of an HTTP API.",
    contentRefs: [{ name: "logo", description: "A logo, on the first page." }],
  },
  knowledge_base: {
    title: "Knowledge base",
    description: "The knowledge of a team: answers, decisions, runbooks, people and terms.",
    contentRefs: [{ name: "picture", description: "A picture of the team, on the first page." }],
  },
  changelog: {
    title: "Changelog",
    description: "Changes, plans, and the numbering of versions.",
    contentRefs: [{ name: "picture", description: "A picture of the latest changes, on the first page." }],
  },
} as const satisfies Record<string, Template>;

export type TemplateName = keyof typeof templates;

const texts = join(import.meta.dirname, "texts");
const plans = new Map<TemplateName, ImportPlan>();

/** The pages of a template, with the links between them. They are read once. Throws if a link is broken. */
export async function planOf(name: TemplateName): Promise<ImportPlan> {
  const plan = plans.get(name) ?? (await readPlan(join(texts, name.replaceAll("_", "-"))));
  plans.set(name, plan);
  return plan;
}

async function readPlan(folder: string): Promise<ImportPlan> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = async (path: string) =>
    [relative(folder, path).replaceAll(sep, "/"), await readFile(path, "utf8")] as const;
  const files = ImportFiles.of(await Promise.all(paths.toSorted().map(read)));
  const plan = await planImport({ files }, trustingReader());
  const [warning] = files.warnings.first;
  if (warning) throw new Error(`The template file ${warning.path}: ${warning.message}`);
  return plan;
}
