// The type ContentPdf, and the fields of spaces and change requests that have one.
import { type IssuedPdf, makePdf } from "#src/features/pdfs/commands/make-pdf.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";
import { project } from "#src/db/reading/entity.ts";
import { ChangeRequest } from "#src/features/change-requests/type/change-request.ts";
import { contentOf, revisions } from "#src/features/content/reads/revisions.ts";
import { printedColumns } from "#src/features/pdfs/reads/book.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";

const ContentPdf = builder.objectRef<IssuedPdf>("ContentPdf").implement({
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

const partArguments = builder.args((t) => ({
  pageId: t.id({
    description: "Id of a page: only that and all below it. Everything that is not hidden when left out.",
  }),
  only: t.boolean({ description: "True for that page alone; needs `pageId`." }),
}));

const limits =
  "NOT_FOUND for a page that is not there, TOO_LARGE beyond 1,000 pages and where it takes more than a minute, RATE_LIMITED while too many others are " +
  "being made. One operation asks for at most 5 PDFs.";

const projection = project(printedColumns);

builder.prismaObjectField(Space, "pdf", (t) =>
  t.field({
    type: ContentPdf,
    nullable: true,
    description: `A PDF of its main content, for all who may view the space. ${limits}`,
    args: partArguments,
    select: { title: true },
    resolve: async ({ id, title }, part, context) => {
      const revision = await contentOf(context, { id }, projection);
      return makePdf(context, { revision, title, changeRequest: null, spaceId: id }, part);
    },
  }),
);

builder.prismaObjectField(ChangeRequest, "pdf", (t) =>
  t.field({
    type: ContentPdf,
    nullable: true,
    description: `A PDF of its content. ${limits}`,
    args: partArguments,
    select: { number: true, subject: true, spaceId: true, revisionId: true },
    resolve: async ({ id, number, subject, spaceId, revisionId }, part, context) => {
      const [revision, { title }] = await Promise.all([
        context.reader.found(revisions, revisionId, projection),
        context.reader.found(spaces, spaceId, project(["title"])),
      ]);
      return makePdf(context, { revision, title, changeRequest: { id, number, subject }, spaceId }, part);
    },
  }),
);
