// The GraphQL types PageHeading and PageSection: the outline of a text, and the part of it under a heading.
import type { TextHeading } from "#src/documents/html/template.ts";
import { resolvedHtml, type TextSection } from "#src/features/content/reads/html.ts";
import { builder } from "#src/graph/schema/builder.ts";

export const PageHeading = builder.objectRef<TextHeading>("PageHeading").implement({
  description: "A heading in the text of a page.",
  fields: (t) => ({
    anchor: t.exposeString("anchor", { description: "The fragment of addresses that lead to it: its id in the HTML." }),
    title: t.exposeString("title", { description: "Its plain text." }),
    level: t.exposeInt("level", { description: "Its level, 1 to 6." }),
  }),
});

export const PageSection = builder.objectRef<TextSection>("PageSection").implement({
  description: "The part of the text of a page under a heading, up to the next heading of its level or above.",
  fields: (t) => ({
    anchor: t.exposeString("anchor", { description: "The fragment of addresses that lead to it: its id in the HTML." }),
    title: t.exposeString("title", { description: "The plain text of its heading." }),
    level: t.exposeInt("level", { description: "The level of its heading, 1 to 6." }),
    html: t.string({
      description: "The heading and what is under it, as in `html` of the page; footnotes are not in it.",
      resolve: ({ template, targets }, _args, context) => resolvedHtml(context, template, targets),
    }),
  }),
});

export const sectionArguments = builder.args((t) => ({
  anchor: t.string({
    required: true,
    description:
      "A name of the heading: its `anchor`, its own id, or the name that GitHub, GitBook, MkDocs, VitePress and others make of its title.",
  }),
}));

export const aboutSection = "The part of `html` under a heading; null if no heading of the page has this name.";
