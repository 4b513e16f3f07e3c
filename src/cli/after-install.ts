// Runs after `npm ci`: removes files that never run from an install without dev dependencies, and compiles the rest.
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Files that running docgraph never reads, by paths below node_modules: more than a third of an install's size. */
const unread: readonly RegExp[] = [
  /\.map$|\.d\.[cm]?ts$/, // for compilers and debuggers
  /^@?typescript\//, // an optional peer of Prisma's client, which npm installs since development has it
  /^node-[^/]+\/include\//, // for C++ addons, which docgraph does not have
  /^@prisma\/client\/runtime\/query_compiler_(?!small_bg\.postgresql\.)/, // other databases, and a larger build
  /^@expo-google-fonts\/[^/]+\/(?!400Regular|700Bold)\w+\/.+\.ttf$/, // weights that PDFs do not use
];

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));

if (!existsSync(join(packages, "vitest"))) await removeUnread();
// When an image is built in layers, the code is not there yet.
if (existsSync(new URL("../server/process/serve.ts", import.meta.url))) await compile();

/** Compiled code is cached where the scripts of package.json expect it; broken modules report themselves when run. */
async function compile(): Promise<void> {
  enableCompileCache(join(packages, ".cache/compiled"));
  await Promise.allSettled([
    import("#src/server/process/start.ts"),
    import("#src/server/process/serve.ts"),
    import("#src/demo/seed.ts"),
  ]);
}

async function removeUnread(): Promise<void> {
  const files = await readdir(packages, { recursive: true, withFileTypes: true });
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    const name = path.slice(packages.length + 1).replaceAll(sep, "/");
    if (file.isFile() && unread.some((pattern) => pattern.test(name))) await rm(path);
  }
}
