// Where PDFs are asked for: from spaces and change requests.
import { want } from "#src/db/reading/entity.ts";
import { ChangeRequest } from "#src/features/change-requests/type/change-request.ts";
import { contentOf, revisions } from "#src/features/content/reads/revisions.ts";
import { makePdf } from "#src/features/pdfs/commands/make-pdf.ts";
import { printedColumns } from "#src/features/pdfs/reads/book.ts";
import { ContentPdf } from "#src/features/pdfs/type.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import { builder } from "#src/graph/schema/builder.ts";

const partArguments = builder.args((t) => ({
  pageId: t.id({
    description: "Id of a page: only that and all below it. Everything that is not hidden when left out.",
  }),
  only: t.boolean({ description: "True for that page alone; needs `pageId`." }),
}));

const limits =
  "NOT_FOUND for a page that is not there, TOO_LARGE beyond 1,000 pages and where it takes more than a minute, RATE_LIMITED while too many others are " +
  "being made. One operation asks for at most 5 PDFs.";

const wanted = want(printedColumns);

builder.prismaObjectField(Space, "pdf", (t) =>
  t.field({
    type: ContentPdf,
    nullable: true,
    description: `A PDF of its main content, for all who may view the space. ${limits}`,
    args: partArguments,
    select: { title: true },
    resolve: async ({ id, title }, part, context) => {
      const revision = await contentOf(context, { id }, wanted);
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
        context.reader.found(revisions, revisionId, wanted),
        context.reader.found(spaces, spaceId, want(["title"])),
      ]);
      return makePdf(context, { revision, title, changeRequest: { id, number, subject }, spaceId }, part);
    },
  }),
);
