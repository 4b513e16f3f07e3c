// What mutations on comments take: the text in one of its forms, and the table cell that is commented on.
import { builder } from "#src/graph/builder.ts";

export const CommentBodyInput = builder.inputType("CommentBodyInput", {
  description: "The text of a comment or reply, in one form. Nothing in it leaves the text of an update as it is.",
  fields: (t) => ({
    markdown: t.string({ description: "As Markdown, 1 to 65,536 characters, not only blanks." }),
    document: t.field({
      type: "RichDocument",
      description: "As a rich document, kept as the Markdown that means the same.",
    }),
  }),
});

export const CommentTableCellInput = builder.inputType("CommentTableCellInput", {
  description: "A cell of a table.",
  fields: (t) => ({
    record: t.string({ required: true, description: "Its row." }),
    definition: t.string({ required: true, description: "Its column." }),
  }),
});
