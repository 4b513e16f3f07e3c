// The worker that makes PDFs; it can be terminated when a hostile text or image takes too long.
import pdfmake from "pdfmake";
import { DomainError } from "#src/base/errors.ts";
import { serveTasks } from "#src/runtime/threads.ts";
import type { Book } from "#src/features/pdfs/model/book.ts";
import { definitionOf } from "#src/features/pdfs/model/definition.ts";
import { fontFiles, isFontFile } from "#src/features/pdfs/model/fonts.ts";

export type PdfAnswer = { readonly pdf: Uint8Array } | { readonly problem: string };

pdfmake.setFonts(fontFiles);
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy(isFontFile);

serveTasks(async (book: Book): Promise<PdfAnswer> => {
  try {
    const { document, pictures } = definitionOf(book);
    const { shown } = pictures;
    pdfmake.virtualfs.storage = Object.fromEntries(Array.from(shown, ([name, { bytes }]) => [name, bytes]));
    const images = Object.fromEntries(Array.from(shown.keys(), (name) => [name, name]));
    const made = await pdfmake.createPdf({ ...document, images }).getBuffer();
    return { pdf: new Uint8Array(made) };
  } catch (error) {
    if (error instanceof DomainError) return { problem: error.message };
    if (error instanceof RangeError) return { problem: "Its texts are nested too deeply." }; // the call stack is full
    throw error;
  }
});
