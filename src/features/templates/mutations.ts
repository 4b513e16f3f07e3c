// The mutation that applies a template.
import { contentTarget, revisionPayload } from "#src/features/content/mutations.ts";
import { applyTemplate } from "#src/features/templates/commands.ts";
import { TemplateName } from "#src/features/templates/type.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineMutation } from "#src/graph/schema/mutations.ts";

const TemplateReferenceInput = builder.inputType("TemplateReferenceInput", {
  description: "A file for a picture of a template.",
  fields: (t) => ({
    name: t.string({ required: true, description: "The name of the reference: see `Template.contentRefs`." }),
    fileId: t.id({ required: true, description: "Id of a file of the content." }),
  }),
});

defineMutation({
  name: "applyTemplate",
  description:
    "Puts the pages of a template into a content, last at the top, as one revision. The pages that are there stay; slugs that are taken get numbers. Needs the role `edit`. CONFLICT as for `editContent`; INVALID_INPUT for a reference that the template does not have, or that leads to no file of the content.",
  input: (t) => ({
    ...contentTarget(t),
    template: t.field({ type: TemplateName, required: true, description: "The template." }),
    contentRefs: t.field({
      type: [TemplateReferenceInput],
      description: "Files for its pictures; those without one are left out.",
    }),
  }),
  run: ({ contentOf, ...input }, context) => applyTemplate(context, { ...contentOf, ...input }),
  payload: (t) => ({
    ...revisionPayload(t),
    pageCount: t.exposeInt("pageCount", { description: "Number of pages that were made." }),
  }),
});
