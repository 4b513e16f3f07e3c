// `npm run new -- <noun>`: a new small entity, from the model to its tests, ready to be changed into what it is to be.
import { spawnSync } from "node:child_process";
import { runCommand } from "#src/cli/command.ts";
import { formsOf, freePrefix, generateEntity } from "#src/cli/new-entity/generate.ts";
import { UsageError } from "#src/server/process/start-errors.ts";

const usage = "npm run new -- <noun in the singular> [--plural <nouns>] [--prefix <three letters>]";

const about = `Writes a small entity that compiles and passes: a title, a space and who created it; a list below the space, createX, deleteX, their events and rights.
For example: npm run new -- bookmark

  --plural   The plural, where it is not made by adding an s.
  --prefix   The first letters of its ids; free ones are found when it is left out.
  --help     This text.
`;

const options = { plural: { type: "string" }, prefix: { type: "string" } } as const;

await runCommand({ usage, about, options, takes: "words" }, async (values, noun) => {
  const forms = formsOf(noun, values.plural);
  const prefix = forms && (values.prefix ?? freePrefix(forms));
  if (!forms || !prefix || !/^[a-z]{3}$/.test(prefix)) throw new UsageError(`usage: ${usage}`);
  const { made, changed } = await generateEntity(process.cwd(), forms, prefix);
  for (const file of made) console.log(`made     ${file}`);
  for (const file of changed) console.log(`changed  ${file}`);
  run("the migration and the database client", "src/cli/migration.ts", `add ${forms.words}`);
  run("schema.graphql and the printed tables", "src/cli/print.ts");
  console.log(
    `\nNext: npm run format && npm run check && npm test -- test/features/${forms.folder} test/permissions test/tenants`,
  );
});

/** Runs one of our commands; ends with its code when it fails. */
function run(what: string, script: string, ...args: string[]): void {
  console.log(`writing  ${what}`);
  const { status } = spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", script, ...args], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
