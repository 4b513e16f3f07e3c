// Runs after `npm ci`: removes from an install without development packages what never runs, and compiles the rest.
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** What running docgraph never reads, by paths below node_modules: more than a third of an install's size. */
const unread: readonly RegExp[] = [
  /\.map$|\.d\.[cm]?ts$/, // for compilers and debuggers
  /^@?typescript\//, // an optional peer of Prisma's client: npm leaves out no peer that development has
  /^node-[^/]+\/include\//, // for C++ addons, of which there are none
  /^@prisma\/client\/runtime\/query_compiler_(?!small_bg\.postgresql\.)/, // other databases, and a larger form
  /^@expo-google-fonts\/[^/]+\/(?!400Regular|700Bold)\w+\/.+\.ttf$/, // weights that no PDF has
];

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));

if (!existsSync(join(packages, "vitest"))) await removeUnread();
// Where an image is built in layers, there is nothing to compile yet.
if (existsSync(new URL("../server/process/serve.ts", import.meta.url))) await compile();

/** Compiled code is kept where the scripts of package.json look for it; what cannot be loaded says so at the start. */
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
