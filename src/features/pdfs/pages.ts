// The addresses under /app/ that lead to a PDF: of a space, of a page, and of a change request.
import { type Asked, definePage, type Page, type Shown } from "#src/pages/page.ts";

interface WithPdf {
  readonly pdf: { readonly url: string } | null;
}

interface Answer {
  readonly space: Partial<WithPdf> & { readonly changeRequest?: WithPdf | null };
}

const root = "/app/spaces/:spaceId";
const ofChangeRequest = `${root}/change-requests/:changeRequestId`;

/** The PDF is made when its link is followed: that of a long book takes seconds. */
const pdfPage = (path: string, query: string): Page =>
  definePage<Answer>({
    path,
    query,
    variables: ({ named }: Asked) => ({
      space: named["spaceId"],
      ...(named["changeRequestId"] !== undefined && { changeRequest: named["changeRequestId"] }),
      ...(named["pageId"] !== undefined && { page: named["pageId"] }),
    }),
    view({ space }): Shown {
      const pdf = space.changeRequest?.pdf ?? space.pdf;
      return pdf ? { kind: "moved", status: 307, to: pdf.url } : null;
    },
  });

export const pdfPages: readonly Page[] = [
  pdfPage(`${root}/pdf`, `query PdfOfSpace($space: ID!) { space(id: $space) { pdf { url } } }`),
  pdfPage(
    `${root}/pages/:pageId/pdf`,
    `query PdfOfPage($space: ID!, $page: ID!) { space(id: $space) { pdf(pageId: $page, only: true) { url } } }`,
  ),
  pdfPage(
    `${ofChangeRequest}/pdf`,
    `query PdfOfChangeRequest($space: ID!, $changeRequest: ID!) {
      space(id: $space) { changeRequest(by: { id: $changeRequest }) { pdf { url } } }
    }`,
  ),
  pdfPage(
    `${ofChangeRequest}/pages/:pageId/pdf`,
    `query PdfOfPageInChangeRequest($space: ID!, $changeRequest: ID!, $page: ID!) {
      space(id: $space) { changeRequest(by: { id: $changeRequest }) { pdf(pageId: $page, only: true) { url } } }
    }`,
  ),
];
