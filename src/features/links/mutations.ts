// The mutation `repairLinks`.
import { contentTarget, revisionPayload } from "#src/features/content/mutations.ts";
import { repairLinks } from "#src/features/links/commands/repair.ts";
import { defineMutation } from "#src/graph/schema/mutations.ts";

defineMutation({
  name: "repairLinks",
  description:
    "Converts links by path, such as `../guide.md`, to links by page id, in one revision, so that they stay valid when pages are renamed " +
    "and moved, and other names of headings to their anchors. Broken links stay unchanged. Requires the role `edit`. CONFLICT as for `editContent`.",
  input: (t) => contentTarget(t),
  run: ({ contentOf, ...input }, context) => repairLinks(context, { ...contentOf, ...input }),
  payload: (t) => ({
    ...revisionPayload(t),
    repairedLinkCount: t.exposeInt("repairedLinkCount", { description: "Number of repaired links." }),
    pageCount: t.exposeInt("pageCount", { description: "Number of pages with repaired links." }),
  }),
});
