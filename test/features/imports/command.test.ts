// `npm run import`: its input, user, output and exit codes; as a process of its own once, otherwise many calls in one.
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readTrees } from "#src/features/content/reads/trees.ts";
import { readFolder } from "#src/cli/importing/import-source.ts";
import { runImport } from "#test/features/imports/command.ts";
import { useApp } from "#test/support/app.ts";
import { type Outcome, runInTurn } from "#test/support/commands.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";

const {
  app: { database, databaseUrl, filesFolder },
  world,
} = await useApp();
const settings = { DATABASE_URL: databaseUrl, FILES_DIR: filesFolder };

const html = { "content-type": "text/html" };
const port = await serveOnLoopback((request, response) => {
  if (request.url === "/docs/")
    response.writeHead(200, html).end("<main><h1>Docs</h1><p>Text <a href=a>A</a></p></main>");
  else if (request.url === "/docs/a") response.writeHead(200, html).end("<main><h1>A</h1><p>More</p></main>");
  else response.writeHead(404).end();
});
const address = `http://127.0.0.1:${port}/docs/`;

let folder: string;
let scene: Awaited<ReturnType<typeof makeScene>>;
/** The outcomes of the calls of the scene, by name. */
let outcomes: ReadonlyMap<string, Outcome>;

const outcomeOf = (name: string): Outcome | undefined => outcomes.get(name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "import-"));
  const links = Array.from({ length: 7 }, (_, index) => `[x](gone-${index}.md)`).join("\n");
  for (const [path, text] of Object.entries({
    "docs/README.md": "# Docs\n![a](img/a.svg) [gone](gone.md)\n",
    "docs/guide/one.md": "[home](../README.md)\n",
    "docs/img/a.svg": "<svg/>",
    "docs/node_modules/b/README.md": "",
    "secret.md": "# Secret\n",
    "site/pages/a.md": `![l](/logo.svg)\n${links}\n`,
    "site/root/logo.svg": "<svg/>",
  })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  scene = await makeScene();
  const calls = Object.entries(callsOf(scene));
  const all = await runInTurn(
    calls.map(([, parameters]) => ["import", ...parameters]),
    settings,
  );
  outcomes = new Map(all.map((outcome, index) => [calls[index]?.[0] ?? "", outcome]));
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

async function makeScene() {
  const [first, changing, statics, wrong, website] = await Promise.all([
    world.space(),
    world.changeRequest(),
    world.space(),
    world.space(),
    world.space(),
  ]);
  const emailOf = async ({ id }: { id: string }) =>
    (await database.prisma.user.findUniqueOrThrow({ where: { id } })).email;
  const emails = { editor: await emailOf(changing.editor), reader: await emailOf(changing.reader) };
  return { first, changing, statics, wrong: wrong.space.id, website: website.space.id, emails };
}

function callsOf({ first, changing, statics, wrong, website, emails }: typeof scene): Record<string, string[]> {
  const docs = join(folder, "docs");
  const target = ["--space", changing.space.id, docs, "--replace"];
  const { id, number } = changing.changeRequest;
  const withStatics = ["--space", statics.space.id, "--replace", join(folder, "site/pages"), "--static"];
  const root = join(folder, "site/root");
  return {
    folder: ["--space", first.space.id, docs, "--message", "Docs"],
    byNumber: [...target, "--change-request", String(number), "--as", emails.editor],
    byId: [...target, "--change-request", id, "--as", emails.editor],
    byReader: [...target, "--as", emails.reader],
    five: [...withStatics, root],
    two: [...withStatics, root, "--warnings", "2"],
    all: [...withStatics, root, "--warnings", "all"],
    noStatics: [...withStatics, join(folder, "nowhere")],
    oddWarnings: [...withStatics, root, "--warnings", "some"],
    help: ["--help"],
    privateAddress: ["--space", website, address],
    ...Object.fromEntries(wrongCalls(wrong).map(([parameters], index) => [`wrong ${index}`, [...parameters]])),
  };
}

/** Invalid calls, each with its error. */
function wrongCalls(spaceId: string): readonly (readonly [parameters: readonly string[], says: RegExp])[] {
  const docs = join(folder, "docs");
  return [
    [[], /^usage: /],
    [[docs], /^usage: /],
    [["--space", spaceId], /^usage: /],
    [["--space", spaceId, docs, docs], /^usage: /],
    [["--space", spaceId, docs, "--wrong"], /^Unknown option '--wrong'/],
    [["--space", "spc_nothing", docs], /^no space has the id spc_nothing$/],
    [["--space", spaceId, docs, "--as", "nobody@example.com"], /^no user has the e-mail address nobody@example\.com$/],
    [["--space", spaceId, docs, "--change-request", "99"], /^The change request does not exist/],
    [["--space", spaceId, join(folder, "nowhere")], /^.*nowhere cannot be read \(ENOENT.*\)$/],
    [["--space", spaceId, join(folder, "secret.md")], /^The archive cannot be read: /],
  ];
}

async function slugsOf(revisionId: string): Promise<string[]> {
  const { treeHash } = await database.prisma.revision.findUniqueOrThrow({ where: { id: revisionId } });
  const [tree] = await readTrees((statement) => database.query(statement), treeHash === null ? [] : [treeHash]);
  return [...(tree?.byId.values() ?? [])].map(({ path }) => path).toSorted();
}

test("npm run import imports a folder as the first admin and reports omitted files", async () => {
  const { admin, space } = scene.first;
  const { code, output = "" } = outcomeOf("folder") ?? {};
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
  const { changeRequest } = scene.changing;
  expect([outcomeOf("byNumber"), outcomeOf("byId")]).toMatchObject([{ code: 0 }, { code: 0 }]);
  const { revisionId } = await database.prisma.changeRequest.findUniqueOrThrow({ where: { id: changeRequest.id } });
  expect(await slugsOf(revisionId)).toEqual(["guide", "guide/one", "readme"]);
  expect(await database.prisma.revision.count({ where: { changeRequestId: changeRequest.id, type: "import" } })).toBe(
    1,
  );
  expect(outcomeOf("byReader")).toEqual({
    code: 1,
    output: "",
    errors: "You need the role edit on a space to import content into it.\n",
  });
});

test("npm run import --static adds files of the website's root, and --warnings says how many to print", () => {
  const five = outcomeOf("five");
  for (const [outcome, shown] of [[five, 5] as const, [outcomeOf("two"), 2] as const, [outcomeOf("all"), 7] as const]) {
    expect(outcome?.output).toMatch(/^Imported 1 page and 1 file in [\d.]+ s, with 1 link between them\.\n/);
    expect(outcome?.output.match(/ The link target gone-\d\.md does not exist/g)).toHaveLength(shown);
  }
  expect(five?.output).toContain("  links and includes without a target: 7\n");
  expect(five?.output).toMatch(/\n {4}and 2 more \(--warnings all\)\n$/);
  expect(outcomeOf("noStatics")).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/^--static: .*nowhere cannot be read/) as string,
  });
  expect(outcomeOf("oddWarnings")).toMatchObject({ code: 2, errors: "--warnings must be a number or all\n" });
});

test("npm run import --help describes the results; invalid calls exit with one line and code 2 or 1", () => {
  const help = outcomeOf("help");
  expect(help).toMatchObject({ code: 0, output: expect.stringContaining("SUMMARY.md") as string });
  expect(help?.output).toMatch(/^usage: npm run import -- --space <id> <folder, ZIP archive or address>/);
  for (const [index, [, says]] of wrongCalls(scene.wrong).entries()) {
    const { code, output, errors = "" } = outcomeOf(`wrong ${index}`) ?? {};
    const isWrongUse = /usage|option/.test(says.source);
    expect({ code, output }, errors).toEqual({ code: isWrongUse ? 2 : 1, output: "" });
    expect(errors).toMatch(/^[^\n]*\n$/);
    expect(errors.trimEnd()).toMatch(says);
  }
});

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
  const allowing = { ...settings, ALLOWED_FETCH_HOSTS: "127.0.0.1" };
  const { code, output, errors } = await runImport(allowing, "--space", scene.website, address, "--progress");
  expect([code, errors]).toEqual([0, ""]);
  expect(output).toMatch(
    /^found 1, read 0, written 0\n(?:found .*\n)*found 2, read 2, written 2\nImported 2 pages and 0 files/,
  );
  const { code: refused, errors: why } = outcomeOf("privateAddress") ?? {};
  expect([refused, why]).toEqual([1, expect.stringContaining("the address is not public")]);
});
