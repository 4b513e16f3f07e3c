// The mutation that repairs links.
import { contentTarget, revisionPayload } from "#src/features/content/mutations.ts";
import { repairLinks } from "#src/features/links/commands/repair.ts";
import { defineMutation } from "#src/graph/schema/mutations.ts";

defineMutation({
  name: "repairLinks",
  description:
    "Makes links by path, such as `../guide.md`, links by the ids of the pages that they lead to, in one revision, so that they last when pages are renamed " +
    "and moved. Those that lead nowhere stay. Needs the role `edit`. CONFLICT as for `editContent`.",
  input: (t) => contentTarget(t),
  run: ({ contentOf, ...input }, context) => repairLinks(context, { ...contentOf, ...input }),
  payload: (t) => ({
    ...revisionPayload(t),
    repairedLinkCount: t.exposeInt("repairedLinkCount", { description: "Number of links that were repaired." }),
    pageCount: t.exposeInt("pageCount", { description: "Number of pages on which they stand." }),
  }),
});
