// The GraphQL type Template, a set of pages to begin with, and the query that lists them.
import type { PlannedPage } from "#src/features/imports/model/plan.ts";
import {
  planOf,
  type TemplateName as TemplateNameValue,
  type TemplateReference as TemplateReferenceValue,
  templates,
} from "#src/features/templates/model.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const TemplateName = defineEnum<TemplateNameValue>(
  "TemplateName",
  "The templates.",
  {
    blank: templates.blank.description,
    product_docs: templates.product_docs.description,
    api_reference: templates.api_reference.description,
    knowledge_base: templates.knowledge_base.description,
    changelog: templates.changelog.description,
  },
  { hyphens: true },
);

const TemplateReference = builder.objectRef<TemplateReferenceValue>("TemplateReference").implement({
  description: "A picture that pages of a template show when a file is given for it, and otherwise leave out.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name under which the file is given." }),
    description: t.exposeString("description", { description: "What it shows, and where." }),
  }),
});

/** A page of a template in its tree; `path` ends with its slug. */
type TemplatePageValue = { readonly page: PlannedPage; readonly path: string };

const pagesBelow = (pages: readonly PlannedPage[], path = ""): TemplatePageValue[] =>
  pages.map((page) => ({ page, path: `${path}${page.slug}` }));

const TemplatePage = builder.objectRef<TemplatePageValue>("TemplatePage");
TemplatePage.implement({
  description: "A page that a template makes.",
  fields: (t) => ({
    title: t.string({ description: "Its title.", resolve: ({ page }) => page.title }),
    path: t.exposeString("path", {
      description: "Its path in an empty content: the slugs of the pages around it and its own, with `/` between.",
    }),
    description: t.string({
      nullable: true,
      description: "What it is about; null for none.",
      resolve: ({ page }) => page.fields.description ?? null,
    }),
    pages: t.field({
      type: [TemplatePage],
      description: "The pages right below it, in their order.",
      resolve: ({ page, path }) => pagesBelow(page.pages, `${path}/`),
    }),
  }),
});

const Template = builder.objectRef<{ readonly name: TemplateNameValue }>("Template").implement({
  description: "A set of pages to begin with: `applyTemplate` puts them into a content.",
  fields: (t) => ({
    name: t.expose("name", { type: TemplateName, description: "Its name." }),
    title: t.string({ description: "Its title.", resolve: ({ name }) => templates[name].title }),
    description: t.string({ description: "What it is for.", resolve: ({ name }) => templates[name].description }),
    contentRefs: t.field({
      type: [TemplateReference],
      description: "The pictures that it shows where files are given for them.",
      resolve: ({ name }) => [...templates[name].contentRefs],
    }),
    pages: t.field({
      type: [TemplatePage],
      description: "The pages at its top, in their order; the others are below them.",
      resolve: async ({ name }) => pagesBelow((await planOf(name)).pages),
    }),
  }),
});

const names = Object.keys(templates) as TemplateNameValue[]; // the keys of that very object

builder.queryField("templates", (t) =>
  t.field({
    type: [Template],
    description: "The sets of pages that a content can begin with; they come with docgraph.",
    resolve: () => names.map((name) => ({ name })),
  }),
);
