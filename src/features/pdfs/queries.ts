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
  description: "A PDF of pages, created once for a revision of the content and kept with it.",
  fields: (t) => ({
    url: t.exposeString("url", {
      extensions: limited({ format: "uri" }),
      description:
        "Download address, which needs no token: anyone with the address can read the PDF until `expiresAt`.",
    }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      description: "Time at which `url` expires: an hour from now.",
    }),
    name: t.exposeString("name", { description: "File name of the download." }),
    size: t.exposeInt("size", { description: "Bytes." }),
  }),
});

const partArguments = builder.args((t) => ({
  pageId: t.id({
    description: "Id of a page, to print that page and all pages below it. By default all pages that are not hidden.",
  }),
  only: t.boolean({ description: "True prints only that page; requires `pageId`." }),
}));

const limits =
  "NOT_FOUND if the page does not exist, TOO_LARGE beyond 1,000 pages or if it takes more than a minute, RATE_LIMITED if too many PDFs are " +
  "pending. An operation may request at most 5 PDFs.";

const projection = project(printedColumns);

builder.prismaObjectField(Space, "pdf", (t) =>
  t.field({
    type: ContentPdf,
    nullable: true,
    description: `A PDF of its main content, for everybody who may view the space. ${limits}`,
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
