// The command that applies a template: it adds the pages in one revision and keeps existing ones.
import { DomainError } from "#src/base/errors.ts";
import { lastingId } from "#src/base/ids.ts";
import { requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import type { Optional } from "#src/domain/input.ts";
import { readFileList } from "#src/features/content/commands/files.ts";
import type { Head } from "#src/features/content/commands/lock.ts";
import {
  checkMessage,
  loadTarget,
  makeRevision,
  type RevisionInput,
} from "#src/features/content/commands/new-revision.ts";
import { readTree, storeContent } from "#src/features/content/commands/write-content.ts";
import { Draft } from "#src/features/content/model/draft.ts";
import { newPages, pageIdsFor } from "#src/features/imports/model/new-pages.ts";
import { mayApplyTemplate } from "#src/features/content/access.ts";
import type { NewPage } from "#src/features/content/model/page.ts";
import { planOf, type Template, type TemplateName, templates } from "#src/features/templates/model.ts";

type GivenReference = { readonly name: string; readonly fileId: string };

type TemplateInput = RevisionInput & { readonly template: TemplateName } & Optional<{
    contentRefs: readonly GivenReference[];
  }>;

/** INVALID_INPUT for references that are not in the template, are repeated, or name a file that is not there. */
export async function applyTemplate(
  context: Context,
  input: TemplateInput,
): Promise<{ revisionId: string; pageCount: number }> {
  const target = await loadTarget(context, input);
  const message = checkMessage(input.message);
  await requireAllowed(context, mayApplyTemplate, target.space);
  const fileIds = checkReferences(templates[input.template], input.contentRefs ?? []);
  const plan = await planOf(input.template);
  return answersWith(context, { pageCount: plan.all.length }, () =>
    makeRevision(context, mayApplyTemplate, target, {
      type: "import",
      expectedRevisionId: input.expectedRevisionId,
      message,
      async build(transaction, head) {
        await requireListed(transaction, head, fileIds);
        const draft = new Draft(await readTree(transaction, head.treeHash), context.clock.now());
        const pages = newPages(plan.pages, { pageIds: pageIdsFor(plan.pages, []), fileIds: new Map() });
        draft.createAll(withReferences(pages, fileIds), null);
        const content = draft.finish();
        await storeContent(transaction, content, target.place.spaceId);
        return { ...head, treeHash: content.treeHash };
      },
    }),
  );
}

function checkReferences({ contentRefs }: Template, given: readonly GivenReference[]): ReadonlyMap<string, string> {
  const names = contentRefs.map(({ name }) => name);
  const fileIds = new Map<string, string>();
  const refused = given.flatMap(({ name, fileId }) => {
    if (!names.includes(name)) return [{ path: at(name), message: unknownReference(names) }];
    if (fileIds.has(name)) return [{ path: at(name), message: "is repeated." }];
    fileIds.set(name, lastingId("File", fileId));
    return [];
  });
  if (refused.length > 0)
    throw new DomainError("INVALID_INPUT", "The template does not have one of the references.", refused);
  return fileIds;
}

const at = (name: string) => `contentRefs/${name}`;

const unknownReference = (names: readonly string[]): string =>
  names.length === 0 ? "must be absent, since the template has no references." : `must be one of ${names.join(", ")}.`;

/** INVALID_INPUT, with the references, for files that are not in the content. */
async function requireListed(transaction: Transaction, head: Head, fileIds: ReadonlyMap<string, string>) {
  if (fileIds.size === 0) return;
  const listed = new Set((await readFileList(transaction, head.filesHash)).map(({ fileId }) => fileId));
  const missing = [...fileIds].filter(([, fileId]) => !listed.has(fileId));
  if (missing.length > 0)
    throw new DomainError(
      "INVALID_INPUT",
      "A reference names a file that is not in the content. Upload the file first, then use its id.",
      missing.map(([name]) => ({ path: at(name), message: "must be the id of a file of the content." })),
    );
}

/** A picture on a line of its own, whose address is `ref:` with the name of a reference. */
const picture = /^(!\[[^\]\n]*\]\()ref:([a-z-]+)\)\n(\n?)/gm;

/** The pages with references replaced by ids of files. Pictures without a file are omitted. */
function withReferences(pages: readonly NewPage[], fileIds: ReadonlyMap<string, string>): NewPage[] {
  const withFiles = (text: string) =>
    text.replaceAll(picture, (_, start: string, name: string, end: string) => {
      const id = fileIds.get(name);
      return id === undefined ? "" : `${start}file:${id})\n${end}`;
    });
  return pages.map((page) => ({
    ...page,
    ...(page.text !== undefined && { text: withFiles(page.text) }),
    ...(page.pages && { pages: withReferences(page.pages, fileIds) }),
  }));
}
