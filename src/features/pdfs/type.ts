// The GraphQL type ContentPdf.
import type { IssuedPdf } from "#src/features/pdfs/commands/make-pdf.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";

export const ContentPdf = builder.objectRef<IssuedPdf>("ContentPdf").implement({
  description: "A PDF of pages: made once for a state of the content, and kept with it.",
  fields: (t) => ({
    url: t.exposeString("url", {
      extensions: limited({ format: "uri" }),
      description: "Where it is downloaded, without a token: anyone with the address can read it until `expiresAt`.",
    }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Until when `url` is good: an hour from now." }),
    name: t.exposeString("name", { description: "The name under which it is saved." }),
    size: t.exposeInt("size", { description: "Bytes." }),
  }),
});
