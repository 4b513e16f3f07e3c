// The keys that sign the addresses of private specifications, which are sealed in the database.
import type { SealedColumn, Secrets } from "#src/base/secrets.ts";
import type { Context } from "#src/domain/context.ts";
import { versionPath } from "#src/features/openapi/model/addresses.ts";

export const addressKeySecret: SealedColumn = { table: "OpenApiSpec", column: "addressKey", wasPlain: true };

/** What the addresses of a specification and its versions are made of. */
export interface SpecAddressParts {
  readonly specId: string;
  readonly organizationId: string;
  readonly slug: string;
  readonly visibility: "private" | "public";
  /** In base64, as it is stored. */
  readonly addressKey: string;
}

/**
 * The address at which the document of a version can be read, or with the name of a file that file. CONFLICT where it
 * has to be signed, and the key cannot be opened.
 */
export function versionAddress(
  { secrets, publicUrl, clock }: Pick<Context, "secrets" | "publicUrl" | "clock">,
  { id, specAddress: { specId, visibility, addressKey: sealed } }: { id: string; specAddress: SpecAddressParts },
  file?: string,
): string {
  const addressKey = visibility === "public" ? null : openAddressKey(secrets, specId, Buffer.from(sealed, "base64"));
  return publicUrl + versionPath(id, { addressKey, now: clock.now(), file });
}

/** The key of a specification. CONFLICT where it cannot be opened. */
export const openAddressKey = (secrets: Secrets, specId: string, sealed: Uint8Array): string =>
  secrets.open(addressKeySecret, specId, sealed);
