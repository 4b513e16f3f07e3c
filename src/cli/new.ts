// `npm run new -- <noun>`: a new small entity, from the model to its tests, ready to be changed into what it is to be.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { formsOf, freePrefix, generateEntity } from "#src/cli/new-entity/generate.ts";

const usage = `Usage: npm run new -- <noun in the singular> [--plural <nouns>] [--prefix <three letters>]

Writes a small entity that compiles and passes: a title, a space and who created it; a list below the space, createX, deleteX, their events and rights.
For example: npm run new -- bookmark

  --plural   the plural, where it is not made by adding an s
  --prefix   the first letters of its ids; free ones are found when it is left out
  --help     this text
`;

function readArguments() {
  try {
    const options = { plural: { type: "string" }, prefix: { type: "string" }, help: { type: "boolean" } } as const;
    return parseArgs({ options, allowPositionals: true });
  } catch {
    return null;
  }
}

const given = readArguments();
const forms = given && formsOf(given.positionals.join(" "), given.values.plural);
const prefix = forms && (given.values.prefix ?? freePrefix(forms));

if (given?.values.help) {
  console.log(usage);
} else if (!forms || !prefix || !/^[a-z]{3}$/.test(prefix)) {
  console.error(usage);
  process.exitCode = 2;
} else {
  const { made, changed } = await generateEntity(process.cwd(), forms, prefix);
  for (const file of made) console.log(`made     ${file}`);
  for (const file of changed) console.log(`changed  ${file}`);
  run("the migration and the database client", "src/cli/migration.ts", `add ${forms.words}`);
  run("schema.graphql and the printed tables", "src/cli/print.ts");
  console.log(
    `\nNext: npm run format && npm run check && npm test -- test/features/${forms.folder} test/permissions test/tenants`,
  );
}

/** Runs one of our commands; ends with its code when it fails. */
function run(what: string, script: string, ...args: string[]): void {
  console.log(`writing  ${what}`);
  const { status } = spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", script, ...args], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
