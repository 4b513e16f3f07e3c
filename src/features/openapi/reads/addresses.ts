// The addresses at which versions are read without a token: permanent if the specification is public, else signed and
// valid for one to two days. Each private specification has a key of its own, which is sealed in the database.
import { createHmac } from "node:crypto";
import { DomainError } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import { isSameSecret, type SealedColumn, type Secrets } from "#src/base/secrets.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";

const dayMs = 24 * 60 * 60 * 1000;

export const specPathStart = "/openapi/";

export const addressKeySecret: SealedColumn = { table: "OpenApiSpec", column: "addressKey", wasPlain: true };

/** The parts of the addresses of a specification and its versions. */
export interface SpecAddressParts {
  readonly specId: string;
  readonly organizationId: string;
  readonly slug: string;
  readonly visibility: "private" | "public";
  /** In base64, as it is stored. */
  readonly addressKey: string;
}

/** The path of the document of the latest version of a public specification. */
export const latestPath = (specId: string): string => `${specPathStart}${specId}/openapi.json`;

/**
 * The address of the document, or of a file. A signed one is the same for all requests of a day (UTC), and expires at
 * the end of the next. CONFLICT if the key cannot be opened.
 */
export function versionAddress(
  { secrets, publicUrl, clock }: Pick<Context, "secrets" | "publicUrl" | "clock">,
  { id, specAddress: { specId, visibility, addressKey } }: { id: string; specAddress: SpecAddressParts },
  file?: string,
): string {
  const name = file === undefined ? "openapi.json" : `files/${encodeURIComponent(file)}`;
  const address = `${publicUrl}${specPathStart}${id}/${name}`;
  if (visibility === "public") return address;
  const key = openAddressKey(secrets, specId, Buffer.from(addressKey, "base64"));
  const expires = String((Math.floor(clock.now().getTime() / dayMs) + 2) * (dayMs / 1000));
  const signature = sign([id, file ?? "", expires], key);
  return `${address}?${new URLSearchParams({ expires, signature }).toString()}`;
}

/** The key of a specification. CONFLICT if it cannot be opened. */
const openAddressKey = (secrets: Secrets, specId: string, sealed: Uint8Array): string =>
  secrets.open(addressKeySecret, specId, sealed);

const sign = (parts: readonly string[], key: string): string =>
  createHmac("sha256", key).update(parts.join("\n")).digest("base64url");

export type AddressedBlob = { readonly blob: string; readonly size: number };

interface AddressedRow {
  readonly document: string;
  readonly documentSize: number;
  readonly files: readonly (AddressedBlob & { readonly path: string })[];
  readonly isPublic: boolean;
  readonly specId: string;
  readonly addressKey: Uint8Array;
}

/**
 * The version of a public specification, whose id means its latest version, or for a query that {@link versionAddress}
 * signed. Null if it does not exist, if the signature is not valid, and if the key cannot be opened.
 */
export async function findAddressed(
  { database, secrets }: Pick<Context, "database" | "secrets">,
  { id, file }: { id: string; file?: string },
  { query, now }: { query: URLSearchParams; now: Date },
): Promise<AddressedBlob | null> {
  const isLatest = isIdOf("OpenApiSpec", id);
  if (!isLatest && !isIdOf("OpenApiSpecVersion", id)) return null;
  const which = isLatest ? sql`s.id = ${id} and v.id = s."lastVersionId"` : sql`v.id = ${id}`;
  const [row] = await database.query<AddressedRow>(
    sql`select v."document", v."documentSize", v."files", s."visibility" = 'public' as "isPublic", s.id as "specId", s."addressKey"
      from "OpenApiSpecVersion" v join "OpenApiSpec" s on s.id = v."specId" where ${which}`,
  );
  if (!row || (!row.isPublic && (isLatest || !isOpenedBy(query, { id, file, now, key: keyOf(secrets, row) }))))
    return null;
  if (file === undefined) return { blob: row.document, size: row.documentSize };
  return row.files.find(({ path }) => path === file) ?? null;
}

function isOpenedBy(
  query: URLSearchParams,
  { id, file = "", now, key }: { id: string; file: string | undefined; now: Date; key: string | null },
): boolean {
  const expires = query.get("expires") ?? "";
  if (key === null || !/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now.getTime()) return false;
  return isSameSecret(sign([id, file, expires], key), query.get("signature"));
}

function keyOf(secrets: Secrets, { specId, addressKey }: AddressedRow): string | null {
  try {
    return openAddressKey(secrets, specId, addressKey);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
