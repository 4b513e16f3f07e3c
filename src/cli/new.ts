// `npm run new -- <noun>`: writes a new small entity, from the model to its tests, to be extended.
import { spawnSync } from "node:child_process";
import { runCommand } from "#src/cli/command.ts";
import { formsOf, freePrefix, generateEntity } from "#src/cli/new-entity/generate.ts";
import { UsageError } from "#src/base/usage-error.ts";

const usage =
  "npm run new -- <noun in the singular> [--plural <nouns>] [--prefix <three letters>] [--rest] [--stream spaceEvents | none]";

const about = `Writes a small entity that compiles and passes its tests: a title, a space and its creator; a list on the space; createX, updateX and deleteX with their events and permissions; tests of all that.
For example: npm run new -- bookmark --rest

  --plural   The plural, if it is not the singular with an s.
  --prefix   The prefix of its ids; by default free letters of the noun.
  --rest     Adds operations of /v1 that list, create, get, update and delete it, marked as additions to the contract.
  --stream   The subscription that sends its events: spaceEvents (default) or none.
  --help     Prints this text.
`;

const options = {
  plural: { type: "string" },
  prefix: { type: "string" },
  rest: { type: "boolean", default: false },
  stream: { type: "string", default: "spaceEvents" },
} as const;

await runCommand({ usage, about, options, takes: "words" }, async ({ plural, rest, stream, ...given }, noun) => {
  const forms = formsOf(noun, plural);
  const prefix = forms && (given.prefix ?? freePrefix(forms));
  const isRight = prefix && /^[a-z]{3}$/.test(prefix) && ["spaceEvents", "none"].includes(stream);
  if (!isRight) throw new UsageError(`usage: ${usage}`);
  const entity = { prefix, rest, stream: stream === "spaceEvents" };
  const { made, changed } = await generateEntity(process.cwd(), forms, entity);
  for (const file of made) console.log(`made     ${file}`);
  for (const file of changed) console.log(`changed  ${file}`);
  const { Thing, words, folder } = forms;
  console.log(`streams  ${stream}${stream === "none" ? "" : `: ${Thing}Created, ${Thing}Changed, ${Thing}Deleted`}`);
  run("the migration and the database client", "migration", "--", `add ${words}`);
  run("schema.graphql and the printed tables", "print");
  run("the format of all files", "format");
  const tests = `test/features/${folder} test/contract test/permissions test/access test/tenants`;
  console.log(`\nNext: ${rest ? "npm run examples && " : ""}npm run check && npm test -- ${tests}`);
});

/** Runs a script of package.json; exits with its code if it fails. */
function run(what: string, ...script: readonly string[]): void {
  console.log(`writing  ${what}`);
  const { status } = spawnSync("npm", ["run", "-s", ...script], { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) process.exit(status ?? 1);
}
