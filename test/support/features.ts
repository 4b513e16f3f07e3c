// Modules that the tests of features export for tests over all features: a new feature is included by having the file.
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../features", import.meta.url));

/** The modules of this name under `test/features`, such as `permission-cases.ts`. */
export async function fromFeatures<Module>(file: string): Promise<Module[]> {
  const all = await Promise.all(readdirSync(folder).map((feature) => fromFeature<Module>(feature, file)));
  return all.filter((module) => module !== undefined);
}

/** The module of this name of one feature; undefined where it has none. */
export async function fromFeature<Module>(feature: string, file: string): Promise<Module | undefined> {
  const path = `${folder}/${feature}/${file}`;
  return existsSync(path) ? ((await import(/* @vite-ignore */ path)) as Module) : undefined;
}
