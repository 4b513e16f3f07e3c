// Generates the stock stack's two Prisma clients from the project's models: with separate queries (the default) and
// with joins.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const here = import.meta.dirname;
const rivals = path.dirname(here);

for (const variant of ["queries", "joins"]) {
  const directory = path.join(here, "generated", variant);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  cpSync(path.resolve(rivals, "../../../prisma/models"), path.join(directory, "models"), { recursive: true });
  const generators = readFileSync(path.join(here, "generators.prisma"), "utf8");
  const preview = `generator client {\n  previewFeatures = ["relationJoins"]`;
  writeFileSync(
    path.join(directory, "schema.prisma"),
    variant === "joins" ? generators.replace("generator client {", preview) : generators,
  );
  // The engine is never run by `generate`; naming a program that exists keeps the command from downloading it.
  const PATH = [path.join(rivals, "node_modules/.bin"), path.dirname(process.execPath), process.env["PATH"]].join(
    path.delimiter,
  );
  const env = { ...process.env, PATH, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
  const command = path.join(rivals, "node_modules/prisma/build/index.js");
  execFileSync(process.execPath, [command, "generate", "--schema", directory], { cwd: rivals, env, stdio: "pipe" });
}
