// What mutations on comments take: the text in one of its forms, and the table cell that is commented on.
import { builder } from "#src/graph/builder.ts";

export const CommentBodyInput = builder.inputType("CommentBodyInput", {
  description:
    "The text of a comment or reply, in one of its forms. In an update, an empty input leaves the text as it is.",
  fields: (t) => ({
    markdown: t.string({ description: "As Markdown, 1 to 65,536 characters, not only blanks." }),
    document: t.field({
      type: "RichDocument",
      description: "As a rich document, stored as Markdown of the same meaning.",
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
