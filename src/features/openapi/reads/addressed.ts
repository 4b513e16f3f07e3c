// What is at the addresses of specifications and their versions, for whoever has such an address.
import { DomainError } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import type { Secrets } from "#src/base/secrets.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import { isSigned } from "#src/features/openapi/model/addresses.ts";
import { openAddressKey } from "#src/features/openapi/reads/address-key.ts";

/** Bytes in the file storage. */
export interface AddressedBlob {
  readonly blob: string;
  readonly size: number;
}

interface AddressedRow {
  readonly document: string;
  readonly documentSize: number;
  readonly files: readonly (AddressedBlob & { readonly path: string })[];
  readonly isPublic: boolean;
  readonly specId: string;
  readonly addressKey: Uint8Array;
}

/**
 * The document of a version, or with a path that file of it: for everybody where the specification is public, else for
 * who has the query of an address that `versionPath` has made. By the id of a public specification, the document of its
 * latest version. Null where there is nothing, and where it is not open, as it is where the key that signs cannot
 * be opened.
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
  const at = { now, ...(file !== undefined && { file }) };
  if (!row) return null;
  const addressKey = row.isPublic || isLatest ? null : keyOf(secrets, row);
  if (!row.isPublic && (addressKey === null || !isSigned(id, query, { ...at, addressKey }))) return null;
  if (file === undefined) return { blob: row.document, size: row.documentSize };
  return row.files.find(({ path }) => path === file) ?? null;
}

function keyOf(secrets: Secrets, { specId, addressKey }: AddressedRow): string | null {
  try {
    return openAddressKey(secrets, specId, addressKey);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
