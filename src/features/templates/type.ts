// The GraphQL type Template, a set of initial pages, and the query of templates.
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
  description: "A picture of a template, which its pages omit unless a file is given for it.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "Name of the reference." }),
    description: t.exposeString("description", { description: "Content and position of the picture." }),
  }),
});

/** A page of a template in its tree; `path` ends with its slug. */
type TemplatePageValue = { readonly page: PlannedPage; readonly path: string };

const pagesBelow = (pages: readonly PlannedPage[], path = ""): TemplatePageValue[] =>
  pages.map((page) => ({ page, path: `${path}${page.slug}` }));

const TemplatePage = builder.objectRef<TemplatePageValue>("TemplatePage");
TemplatePage.implement({
  description: "A page of a template.",
  fields: (t) => ({
    title: t.string({ description: "Title.", resolve: ({ page }) => page.title }),
    path: t.exposeString("path", {
      description: "Path in an empty content: the slugs from the top down to the page, joined by `/`.",
    }),
    description: t.string({
      nullable: true,
      description: "Description; null without one.",
      resolve: ({ page }) => page.fields.description ?? null,
    }),
    pages: t.field({
      type: [TemplatePage],
      description: "Its child pages, in order.",
      resolve: ({ page, path }) => pagesBelow(page.pages, `${path}/`),
    }),
  }),
});

const Template = builder.objectRef<{ readonly name: TemplateNameValue }>("Template").implement({
  description: "A set of initial pages, which `applyTemplate` adds to a content.",
  fields: (t) => ({
    name: t.expose("name", { type: TemplateName, description: "Name." }),
    title: t.string({ description: "Title.", resolve: ({ name }) => templates[name].title }),
    description: t.string({ description: "Description.", resolve: ({ name }) => templates[name].description }),
    contentRefs: t.field({
      type: [TemplateReference],
      description: "Its pictures, which are shown if files are given for them.",
      resolve: ({ name }) => [...templates[name].contentRefs],
    }),
    pages: t.field({
      type: [TemplatePage],
      description: "Its top-level pages, in order; other pages are below them.",
      resolve: async ({ name }) => pagesBelow((await planOf(name)).pages),
    }),
  }),
});

const names = Object.keys(templates) as TemplateNameValue[]; // the keys of that object

builder.queryField("templates", (t) =>
  t.field({
    type: [Template],
    description: "The built-in sets of initial pages for a content.",
    resolve: () => names.map((name) => ({ name })),
  }),
);
