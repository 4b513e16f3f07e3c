// Downloads of PDFs, at signed addresses that need no token.
import { percentDecoded } from "#src/base/url-text.ts";
import type { Gateway } from "#src/features/feature.ts";
import { findSignedPdf } from "#src/features/pdfs/reads/book.ts";
import { type HttpRoute, withoutKey } from "#src/http/route.ts";
import { downloadHeaders, sendBlob } from "#src/http/send-blob.ts";

/** `/files/<id>/<until when>-<signature>/<name>` */
const address = /^\/files\/(pdf_\w{26})\/(\d{1,11})-([\w-]{43})\/([^/]+)$/;

/** 404 for any other address than that of a PDF, and 410 if it has expired. */
export const pdfHttp = (gateway: Gateway): HttpRoute[] => [
  {
    path: "/files/",
    pattern: address,
    loggedPath: withoutKey,
    handle: (exchange) => sendBlob(exchange, gateway, () => findPdf(gateway, exchange.path)),
  },
];

async function findPdf({ database, clock }: Gateway, path: string) {
  const [, id = "", until = "", signature = "", name = ""] = address.exec(path) ?? [];
  const seconds = Number(until);
  const pdf = await findSignedPdf(database, { id, seconds, signature });
  if (!pdf || percentDecoded(name) !== pdf.name) return null;
  const secondsLeft = Math.floor(seconds - clock.now().getTime() / 1000);
  if (secondsLeft < 0) return "expired";
  const headers = downloadHeaders({ name: pdf.name, contentType: "application/pdf" });
  return { ...pdf, headers: { "cache-control": `private, max-age=${secondsLeft}`, ...headers } };
}
