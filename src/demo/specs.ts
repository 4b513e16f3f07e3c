// The OpenAPI specification of the demo: given as a text, which the gateway processes once it runs.
import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { newId } from "#src/base/ids.ts";
import { at } from "#src/demo/calendar.ts";
import type { Organizations } from "#src/demo/organizations.ts";
import type { People } from "#src/demo/people.ts";
import type { Rows } from "#src/demo/rows.ts";

/** Adds the specification, and answers its text, which is to be kept in the file storage. */
export async function addSpecs(
  rows: Rows,
  { organizations, people }: { organizations: Organizations; people: People },
): Promise<Buffer[]> {
  const text = await readFile(new URL("specs/readings.yaml", import.meta.url));
  rows.add("OpenApiSpec", {
    id: newId("OpenApiSpec"),
    organizationId: organizations.harbour.id,
    slug: "readings",
    visibility: "public",
    createdById: people.mara,
    createdAt: at(30, "10:20"),
    updatedAt: at(30, "10:20"),
    sourceBlob: createHash("sha256").update(text).digest("hex"),
    dueAt: at(30, "10:20"),
    addressKey: new TextEncoder().encode(randomBytes(32).toString("base64url")), // the job secrets.reseal seals it
  });
  return [text];
}
