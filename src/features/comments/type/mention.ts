// The GraphQL type Mention.
import { mentions } from "#src/features/comments/reads/mentions.ts";
import { defineNode } from "#src/graph/nodes.ts";

export const Mention = defineNode("Mention", mentions, {
  description:
    "That a user is named in a comment or reply, by a reference to them: there as long as the text names them. Only they see it.",
  fields: (t) => ({
    mentionedAt: t.expose("mentionedAt", { type: "DateTime", description: "When the text named them first." }),
  }),
});
