// What integrations keep in the file storage: the scripts of their versions, and their images.
import { defineBlobColumns } from "#src/features/content/commands/blobs.ts";

defineBlobColumns(
  { table: "IntegrationVersion", column: "script" },
  { table: "Integration", column: "blobs", isList: true },
);
