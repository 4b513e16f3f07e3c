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
    "Adds the pages of a template to the end of the top level of a content, as one revision. Existing pages stay; taken slugs get numbers. Needs the role `edit`. CONFLICT as for `editContent`; INVALID_INPUT for a reference that is not in the template, or whose file is not in the content.",
  input: (t) => ({
    ...contentTarget(t),
    template: t.field({ type: TemplateName, required: true, description: "The template." }),
    contentRefs: t.field({
      type: [TemplateReferenceInput],
      description: "Files for its pictures; pictures without a file are omitted.",
    }),
  }),
  run: ({ contentOf, ...input }, context) => applyTemplate(context, { ...contentOf, ...input }),
  payload: (t) => ({
    ...revisionPayload(t),
    pageCount: t.exposeInt("pageCount", { description: "Number of created pages." }),
  }),
});
