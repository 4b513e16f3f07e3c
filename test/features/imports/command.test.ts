// `npm run import` as a process: its input, user, output and exit codes.
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "#src/db/connection/database.ts";
import { readTrees } from "#src/features/content/reads/trees.ts";
import { readFolder } from "#src/cli/importing/import-source.ts";
import { runImport } from "#test/features/imports/command.ts";
import { runInTurn } from "#test/support/commands.ts";
import { createTestDatabase, type TestDatabase } from "#test/support/test-database.ts";
import { createWorld, type World } from "#test/support/world.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";

let throwAway: TestDatabase;
let database: Database;
let world: World;
let folder: string;

beforeAll(async () => {
  throwAway = await createTestDatabase();
  database = openDatabase({ url: throwAway.url });
  world = createWorld(database);
  folder = await mkdtemp(join(tmpdir(), "import-"));
  for (const [path, text] of Object.entries({
    "docs/README.md": "# Docs\n![a](img/a.svg) [gone](gone.md)\n",
    "docs/guide/one.md": "[home](../README.md)\n",
    "docs/img/a.svg": "<svg/>",
    "docs/node_modules/b/README.md": "",
    "secret.md": "# Secret\n",
  })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
});
afterAll(async () => {
  await database.close();
  await throwAway.drop();
  await rm(folder, { recursive: true });
});

const settings = () => ({ DATABASE_URL: throwAway.url, FILES_DIR: join(folder, "files") });
const run = (...parameters: string[]) => runImport(settings(), ...parameters);
const inTurn = (calls: readonly (readonly string[])[]) =>
  runInTurn(
    calls.map((parameters) => ["import", ...parameters]),
    settings(),
  );

async function slugsOf(revisionId: string): Promise<string[]> {
  const { treeHash } = await database.prisma.revision.findUniqueOrThrow({ where: { id: revisionId } });
  const [tree] = await readTrees((statement) => database.query(statement), treeHash === null ? [] : [treeHash]);
  return [...(tree?.byId.values() ?? [])].map(({ path }) => path).toSorted();
}

test("npm run import imports a folder as the first admin and reports omitted files", async () => {
  const { admin, space } = await world.space();
  const { code, output } = await run("--space", space.id, join(folder, "docs"), "--message", "Docs");
  expect(code).toBe(0);
  const [counts, revision, ...warnings] = output.trimEnd().split("\n");
  expect(counts).toMatch(/^Imported 3 pages and 1 file in [\d.]+ s, with 2 links between them\.$/);
  expect(warnings).toEqual([
    "1 warning:",
    "  links and includes without a target: 1",
    "    README.md:2 The link target gone.md does not exist in the import.",
  ]);
  const { revisionId } = await database.prisma.space.findUniqueOrThrow({ where: { id: space.id } });
  expect(revision).toBe(`The revision is ${revisionId}.`);
  expect(await slugsOf(revisionId)).toEqual(["guide", "guide/one", "readme"]);
  expect(await database.prisma.revision.findUnique({ where: { id: revisionId } })).toMatchObject({
    authorId: admin.id,
    type: "import",
    message: "Docs",
  });
});

test("npm run import imports into a change request by number or id, as a user who may edit", async () => {
  const { editor, reader, space, changeRequest } = await world.changeRequest();
  const { email } = await database.prisma.user.findUniqueOrThrow({ where: { id: editor.id } });
  const target = ["--space", space.id, join(folder, "docs"), "--replace"];
  const other = await database.prisma.user.findUniqueOrThrow({ where: { id: reader.id } });
  const [byNumber, byId, refused] = await inTurn([
    [...target, "--change-request", String(changeRequest.number), "--as", email],
    [...target, "--change-request", changeRequest.id, "--as", email],
    [...target, "--as", other.email],
  ]);
  expect([byNumber, byId]).toMatchObject([{ code: 0 }, { code: 0 }]);
  const { revisionId } = await database.prisma.changeRequest.findUniqueOrThrow({ where: { id: changeRequest.id } });
  expect(await slugsOf(revisionId)).toEqual(["guide", "guide/one", "readme"]);
  expect(await database.prisma.revision.count({ where: { changeRequestId: changeRequest.id, type: "import" } })).toBe(
    1,
  );
  expect(refused).toEqual({
    code: 1,
    output: "",
    errors: "You need the role edit on a space to import content into it.\n",
  });
});

test("npm run import --static adds files of the website's root, and --warnings says how many to print", async () => {
  const { space } = await world.space();
  const site = join(folder, "site");
  const links = Array.from({ length: 7 }, (_, index) => `[x](gone-${index}.md)`).join("\n");
  for (const [path, text] of [
    ["pages/a.md", `![l](/logo.svg)\n${links}\n`] as const,
    ["root/logo.svg", "<svg/>"] as const,
  ]) {
    await mkdir(dirname(join(site, path)), { recursive: true });
    await writeFile(join(site, path), text);
  }
  const target = ["--space", space.id, "--replace", join(site, "pages"), "--static"];
  const statics = join(site, "root");
  const [five, two, all, none, odd] = await inTurn([
    [...target, statics],
    [...target, statics, "--warnings", "2"],
    [...target, statics, "--warnings", "all"],
    [...target, join(site, "nowhere")],
    [...target, statics, "--warnings", "some"],
  ]);
  for (const [outcome, shown] of [[five, 5] as const, [two, 2] as const, [all, 7] as const]) {
    expect(outcome?.output).toMatch(/^Imported 1 page and 1 file in [\d.]+ s, with 1 link between them\.\n/);
    expect(outcome?.output.match(/ The link target gone-\d\.md does not exist/g)).toHaveLength(shown);
  }
  expect(five?.output).toContain("  links and includes without a target: 7\n");
  expect(five?.output).toMatch(/\n {4}and 2 more \(--warnings all\)\n$/);
  expect(none).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/^--static: .*nowhere cannot be read/) as string,
  });
  expect(odd).toMatchObject({ code: 2, errors: "--warnings must be a number or all\n" });
}, 60_000);

test("npm run import --help describes the results; invalid calls exit with one line and code 2 or 1", async () => {
  const { space } = await world.space();
  const docs = join(folder, "docs");
  const wrong: readonly (readonly [parameters: readonly string[], says: RegExp])[] = [
    [[], /^usage: /],
    [[docs], /^usage: /],
    [["--space", space.id], /^usage: /],
    [["--space", space.id, docs, docs], /^usage: /],
    [["--space", space.id, docs, "--wrong"], /^Unknown option '--wrong'/],
    [["--space", "spc_nothing", docs], /^no space has the id spc_nothing$/],
    [["--space", space.id, docs, "--as", "nobody@example.com"], /^no user has the e-mail address nobody@example\.com$/],
    [["--space", space.id, docs, "--change-request", "99"], /^The change request does not exist/],
    [["--space", space.id, join(folder, "nowhere")], /^.*nowhere cannot be read \(ENOENT.*\)$/],
    [["--space", space.id, join(folder, "secret.md")], /^The archive cannot be read: /],
  ];
  const [help, ...outcomes] = await inTurn([["--help"], ...wrong.map(([parameters]) => parameters)]);
  expect(help).toMatchObject({ code: 0, output: expect.stringContaining("SUMMARY.md") as string });
  expect(help?.output).toMatch(/^usage: npm run import -- --space <id> <folder, ZIP archive or address>/);
  expect(outcomes).toHaveLength(wrong.length);
  for (const [index, { code, output, errors }] of outcomes.entries()) {
    const says = wrong[index]?.[1] ?? /^$/;
    const isWrongUse = /usage|option/.test(says.source);
    expect({ code, output }, errors).toEqual({ code: isWrongUse ? 2 : 1, output: "" });
    expect(errors).toMatch(/^[^\n]*\n$/);
    expect(errors.trimEnd()).toMatch(says);
  }
}, 60_000);

test("npm run import follows symbolic links only to files within the folder", async () => {
  const linked = join(folder, "linked");
  await mkdir(join(linked, "inner"), { recursive: true });
  await writeFile(join(linked, "inner/page.md"), "# Page\n");
  for (const [name, target] of Object.entries({
    "inside.md": "inner/page.md",
    "outside.md": "../secret.md",
    "absolute.md": join(folder, "secret.md"),
    "broken.md": "nowhere.md",
    loop: ".",
    "other-folder": "../docs",
    "..dots.md": "inner/page.md",
  }))
    await symlink(target, join(linked, name));
  const files = await readFolder(linked);
  expect([...files.paths].toSorted()).toEqual(["..dots.md", "inner/page.md", "inside.md"]);
  expect(String(await files.get("inside.md")?.read())).toBe("# Page\n");
  expect(files.warnings.first.map(({ path }) => path).toSorted()).toEqual([
    "absolute.md",
    "broken.md",
    "loop",
    "other-folder",
    "outside.md",
  ]);
});

test("npm run import imports from a URL and prints its progress", async () => {
  const { space } = await world.space();
  const html = { "content-type": "text/html" };
  const port = await serveOnLoopback((request, response) => {
    if (request.url === "/docs/")
      response.writeHead(200, html).end("<main><h1>Docs</h1><p>Text <a href=a>A</a></p></main>");
    else if (request.url === "/docs/a") response.writeHead(200, html).end("<main><h1>A</h1><p>More</p></main>");
    else response.writeHead(404).end();
  });
  const address = `http://127.0.0.1:${port}/docs/`;
  const allowing = { ...settings(), ALLOWED_FETCH_HOSTS: "127.0.0.1" };
  const { code, output, errors } = await runImport(allowing, "--space", space.id, address, "--progress");
  expect([code, errors]).toEqual([0, ""]);
  expect(output).toMatch(
    /^found 1, read 0, written 0\n(?:found .*\n)*found 2, read 2, written 2\nImported 2 pages and 0 files/,
  );
  const refused = await run("--space", space.id, address);
  expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining("the address is not public")]);
});
