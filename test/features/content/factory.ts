// Gives revisions content in tests, past the gateway's commands.
import { newId } from "#src/base/ids.ts";
import type { Database } from "#src/db/database.ts";
import { Draft } from "#src/features/content/commands/draft.ts";
import { storeContent } from "#src/features/content/commands/store.ts";
import { emptyTree } from "#src/features/content/reads/pages.ts";
import { nextInstant } from "#test/support/rows.ts";

/** Puts documents of these titles into a revision that has none, side by side; answers their ids. */
export async function giveContent(
  { prisma }: Pick<Database, "prisma">,
  revisionId: string,
  titles: readonly string[],
): Promise<string[]> {
  const draft = new Draft(emptyTree, nextInstant());
  const pageIds = titles.map((title) =>
    draft.create(
      { pageId: newId("Page"), type: "document", title, fields: {}, text: `# ${title}\n` },
      { parentId: null, position: {} },
    ),
  );
  const content = draft.finish();
  await prisma.$transaction(async (transaction) => {
    await storeContent(transaction, content);
    await transaction.revision.update({ where: { id: revisionId }, data: { treeHash: content.treeHash } });
  });
  return pageIds;
}
