// Prisma's own settings: where the models and migrations are. Only `generate`, `validate` and `format` are used by
// docgraph.
import { defineConfig } from "prisma-cli/config";

// These commands never run the schema engine, but the CLI would try to download it; a path that exists makes it stay
// quiet.
if (process.argv.some((argument) => ["generate", "validate", "format"].includes(argument))) {
  process.env["PRISMA_SCHEMA_ENGINE_BINARY"] ??= process.execPath;
}

export default defineConfig({
  schema: ".",
  migrations: { path: "migrations" },
});
