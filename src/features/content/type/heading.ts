// The GraphQL type PageHeading: the outline of a text.
import type { TextHeading } from "#src/documents/html/template.ts";
import { builder } from "#src/graph/schema/builder.ts";

export const PageHeading = builder.objectRef<TextHeading>("PageHeading").implement({
  description: "A heading in the text of a page.",
  fields: (t) => ({
    anchor: t.exposeString("anchor", { description: "The fragment of addresses that lead to it: its id in the HTML." }),
    title: t.exposeString("title", { description: "Its plain text." }),
    level: t.exposeInt("level", { description: "Its level, 1 to 6." }),
  }),
});
