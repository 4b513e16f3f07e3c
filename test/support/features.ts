// What the tests of features say about their own things, for tables over all features: a new feature is in them by
// having the file.
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../features", import.meta.url));

/** The modules of this name under `test/features`, such as `deeds.ts`. */
export async function fromFeatures<Module>(file: string): Promise<Module[]> {
  const paths = readdirSync(folder).map((feature) => `${folder}/${feature}/${file}`);
  return Promise.all(
    paths.filter((path) => existsSync(path)).map((path) => import(/* @vite-ignore */ path) as Promise<Module>),
  );
}
