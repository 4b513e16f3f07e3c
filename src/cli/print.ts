// `npm run print`: writes the printed files.
import { writeFile } from "node:fs/promises";
import { printedFiles } from "#src/cli/printed.ts";

for (const { path, content } of printedFiles()) await writeFile(new URL(`../../${path}`, import.meta.url), content);
