// The inputs of edits of what texts include: variables of the whole content, and reusable contents.
import { builder } from "#src/graph/builder.ts";

const VariableChangeInput = builder.inputType("VariableChangeInput", {
  description: "A variable to set or to delete.",
  fields: (t) => ({
    name: t.string({
      required: true,
      description: "Its name: letters, digits, `_` and `-`, at most 100, with a letter or `_` first.",
    }),
    value: t.string({ description: "Its value, at most 1,000 characters; null deletes the variable." }),
  }),
});

export const SetVariablesEdit = builder.inputType("SetVariablesEdit", {
  description: "Sets and deletes variables that texts of all pages refer to; those that are not named stay.",
  fields: (t) => ({
    variables: t.field({
      type: [VariableChangeInput],
      required: true,
      description: "What to set and to delete; at most 100 may exist afterwards.",
    }),
  }),
});

const reusableContentId = { required: true, description: "Id of the reusable content." } as const;

export const CreateReusableContentEdit = builder.inputType("CreateReusableContentEdit", {
  description: "A new text for pages to share. A content has at most 500.",
  fields: (t) => ({
    reusableContentId: t.id({
      description:
        "Its id, where texts of the batch are to include it: `reu_` with 26 further characters of an id (TypeID) made by the client. CONFLICT when " +
        "there is one with it.",
    }),
    title: t.string({ required: true, description: "Title, 1 to 200 characters." }),
    markdown: t.string({
      required: true,
      description: "Its text, at most 500,000 characters; kept to the last blank.",
    }),
  }),
});

export const UpdateReusableContentEdit = builder.inputType("UpdateReusableContentEdit", {
  description: "Changes a reusable content: the fields that are given.",
  fields: (t) => ({
    reusableContentId: t.id(reusableContentId),
    title: t.string({ description: "Title, 1 to 200 characters." }),
    markdown: t.string({ description: "Its text, at most 500,000 characters; kept to the last blank." }),
  }),
});

export const DeleteReusableContentEdit = builder.inputType("DeleteReusableContentEdit", {
  description: "Deletes a reusable content; texts that include it stay as they are. Does nothing when it is not there.",
  fields: (t) => ({ reusableContentId: t.id(reusableContentId) }),
});
