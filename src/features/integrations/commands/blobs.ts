// What integrations keep in the file storage: the scripts of their versions, and their images.
import { sql } from "#src/db/database.ts";
import { defineBlobUse } from "#src/features/content/commands/stored.ts";

defineBlobUse((hash) => sql`exists (select from "IntegrationVersion" t where t.script = ${hash})`);
defineBlobUse((hash) => sql`exists (select from "Integration" t where t.blobs @> array[${hash}])`);
