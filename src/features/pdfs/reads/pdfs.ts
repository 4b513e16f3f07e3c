// Stored PDFs, found by revision or by a signed address that expires after an hour.
import { isSameSecret } from "#src/base/secrets.ts";
import { createHmac } from "node:crypto";
import { type Database, sql } from "#src/db/connection/database.ts";

/** A PDF whose bytes are stored. */
export interface StoredPdf {
  readonly id: string;
  readonly name: string;
  /** The secret that signs its addresses. */
  readonly key: string;
  readonly blob: string;
  readonly size: number;
}

const stored = sql`select t.id, t.name, t.key, t.blob, t.size from "ContentPdf" t where t.blob is not null`;

/** Identifies a PDF of a revision. */
export interface PdfKey {
  readonly revisionId: string;
  readonly variant: string;
}

/** The PDF of a revision that the viewer sees; null if it is not stored yet. */
export async function findPdf(database: Database, { revisionId, variant }: PdfKey): Promise<StoredPdf | null> {
  const [pdf] = await database.query<StoredPdf>(
    sql`${stored} and t."revisionId" = ${revisionId} and t.variant = ${variant}`,
  );
  return pdf ?? null;
}

/** The PDF if the signature is valid for its id and expiry time (seconds since 1970); the caller checks the time. */
export async function findSignedPdf(
  database: Database,
  { id, seconds, signature }: { id: string; seconds: number; signature: string },
): Promise<StoredPdf | null> {
  const [pdf] = await database.query<StoredPdf>(sql`${stored} and t.id = ${id}`);
  return pdf && isSameSecret(signatureOf(pdf, seconds), signature) ? pdf : null;
}

const minuteMs = 60_000;
const lifetimeMs = 60 * minuteMs;

/** The path of a PDF, and when it expires: in an hour, at the end of a minute, so that requests share the address. */
export function signedPath({ id, key, name }: StoredPdf, now: Date) {
  const expiresAt = new Date(Math.ceil((now.getTime() + lifetimeMs) / minuteMs) * minuteMs);
  const seconds = expiresAt.getTime() / 1000;
  return {
    path: `/files/${id}/${seconds}-${signatureOf({ id, key }, seconds)}/${encodeURIComponent(name)}`,
    expiresAt,
  };
}

const signatureOf = ({ id, key }: Pick<StoredPdf, "id" | "key">, seconds: number): string =>
  createHmac("sha256", key).update(`${id} ${seconds}`).digest("base64url");
