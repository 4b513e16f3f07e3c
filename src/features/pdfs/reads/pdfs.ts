// Reading PDFs that were made: of a revision that the viewer sees, and by the address of one.
import { type Database, sql } from "#src/db/connection/database.ts";
import { isSigned } from "#src/features/pdfs/model/address.ts";

/** A PDF that is there. */
export interface StoredPdf {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly blob: string;
  readonly size: number;
}

/** Which PDF of a revision it is. */
export interface PdfKey {
  readonly revisionId: string;
  readonly variant: string;
}

/** The PDF of a revision, which the viewer sees; null where it was not made, or is not ready. */
export async function findPdf(database: Database, { revisionId, variant }: PdfKey): Promise<StoredPdf | null> {
  const [pdf] = await database.query<StoredPdf>(
    sql`select t.id, t.name, t.key, t.blob, t.size from "ContentPdf" t
      where t."revisionId" = ${revisionId} and t.variant = ${variant} and t.blob is not null`,
  );
  return pdf ?? null;
}

/** A PDF by its id and a signature that is good until so many seconds since 1970, expired or not; null for others. */
export async function findSignedPdf(
  database: Database,
  { id, seconds, signature }: { id: string; seconds: number; signature: string },
): Promise<StoredPdf | null> {
  const [pdf] = await database.query<StoredPdf>(
    sql`select t.id, t.name, t.key, t.blob, t.size from "ContentPdf" t where t.id = ${id} and t.blob is not null`,
  );
  return pdf && isSigned(pdf, seconds, signature) ? pdf : null;
}
