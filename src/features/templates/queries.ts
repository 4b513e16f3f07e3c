// The query that lists the templates.
import { type TemplateName, templates } from "#src/features/templates/model.ts";
import { Template } from "#src/features/templates/type.ts";
import { builder } from "#src/graph/schema/builder.ts";

const names = Object.keys(templates) as TemplateName[]; // the keys of that very object

builder.queryField("templates", (t) =>
  t.field({
    type: [Template],
    description: "The sets of pages that a content can begin with; they come with docgraph.",
    resolve: () => names.map((name) => ({ name })),
  }),
);
