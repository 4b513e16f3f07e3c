// Common mistakes at the start: each is reported in one sentence with a remedy, without a stack trace. At the small
// size each is made once or twice, by the start or by a command.
import { chmod, chown, cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startEmbeddedPostgres } from "#src/db/embedded/start.ts";
import { explain } from "#src/server/process/start-errors.ts";
import { startDocgraph, stopStarted } from "#test/support/docgraph-process.ts";
import { copyMigratedFolder } from "#test/support/migrated-folder.ts";
import { sized } from "#test/support/runs.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));
const isRoot = process.getuid?.() === 0;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "docgraph-mistakes-"));
  await chmod(folder, 0o755);
});
afterEach(async () => {
  await stopStarted();
  await rm(folder, { recursive: true });
});

async function said(run: ReturnType<typeof startDocgraph>): Promise<string> {
  expect(await run.ended, run.output()).toBe(1);
  expect(run.output()).not.toMatch(/^\s+at /m);
  return run.output();
}

const { scripts } = JSON.parse(await readFile(join(project, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/** `npm run <name>`, without npm: its line of package.json, with the Node that stands first in `path`. */
const script = (name: string, path: string, cwd = project, argument = "") =>
  startDocgraph({ command: ["/bin/sh", "-c", `PATH="${path}:$PATH"; ${scripts[name]} ${argument}`], cwd });

test("each command starts in the file that reports startup errors", () => {
  const ofNode = Object.values(scripts).filter((line) => /(^| )node /.test(line));
  expect(ofNode.length).toBeGreaterThan(15);
  for (const line of ofNode) expect(line).toMatch(/node (--\S+ )?src\/run\.js \S+$/);
});

test("the start and other commands say that `npm ci` is missing", async () => {
  for (const name of ["package.json", "src"]) await cp(join(project, name), join(folder, name), { recursive: true });
  const path = join(process.execPath, "..");
  const calls: readonly (readonly [name: string, argument?: string])[] = [["start"], ["token", "a@b.c"], ["print"]];
  for (const [name, argument] of sized(calls.slice(0, 2), calls))
    expect(await said(script(name, path, folder, argument))).toMatch(
      /^docgraph: [\w@/-]+ is missing: run 'npm ci' in this folder/,
    );
});

test.each<[name: string, error: Error & { code?: string; path?: string }, sentence: string]>([
  [
    "a full disk",
    Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }),
    "a file cannot be written: the disk is full (ENOSPC); free some space, or set FILES_DIR or DATA_DIR to another folder",
  ],
  [
    "a full quota",
    Object.assign(new Error("EDQUOT: disk quota exceeded, mkdir"), { code: "EDQUOT", path: "/f", syscall: "mkdir" }),
    "/f cannot be written: the disk is full (EDQUOT); free some space, or set FILES_DIR or DATA_DIR to another folder",
  ],
  [
    "a disk that fails",
    Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" }),
    "a file cannot be read or written: the disk has failed (EIO); look for its errors in the log of the system ('dmesg'), and use another disk",
  ],
  [
    "a folder where a file is needed",
    Object.assign(new Error("EISDIR: illegal operation on a directory, read"), { code: "EISDIR" }),
    "a folder was given instead of a file; give the path of the file",
  ],
  [
    "a lost connection",
    new Error("Connection terminated unexpectedly"),
    "the connection to the database was lost (Connection terminated unexpectedly); check that PostgreSQL runs, and run the command again",
  ],
  [
    "a connection that was reset",
    Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", syscall: "read" }),
    "the connection to the database was lost (read ECONNRESET); check that PostgreSQL runs, and run the command again",
  ],
])("%s is explained in a sentence with a remedy", (_, error, sentence) => {
  expect(explain(error)).toBe(sentence);
});

test("an error that nobody can explain keeps its stack", () => {
  expect(explain(new Error("a bug"))).toMatch(/^Error: a bug\n +at /);
});

test("commands and the install name the required version if Node is too old", async () => {
  const versions = "{ value: { ...process.versions, node: '20.1.0' } }";
  await writeFile(join(folder, "old.cjs"), `Object.defineProperty(process, "versions", ${versions});`);
  const node = join(folder, "node");
  await writeFile(node, `#!/bin/sh\nexec "${process.execPath}" --require "${join(folder, "old.cjs")}" "$@"\n`);
  await chmod(node, 0o755);
  for (const run of ["start", "setup", "postinstall"].map((name) => script(name, folder)))
    expect(await said(run)).toContain("it needs Node 24 or later");
});

test("reports all invalid settings at once, without secrets", async () => {
  const env = {
    DRAIN_SECONDS: "-1",
    PORT: "70000",
    LOG_LEVEL: "loud",
    DATABASE_URL: "mysql://root:secret@host/db",
    NODE_ENV: "prod",
    PUBLIC_URL: "docs",
    TRUSTED_PROXIES: "10.0.0.0/8, proxy.example.com",
    SMTP_URL: "https://me:secret@mail.example.com",
    MAIL_FROM: "docs@example.com\r\nBcc: eve@example.com",
  };
  const docgraph = startDocgraph({ env });
  expect(await docgraph.ended).toBe(1);
  for (const name of Object.keys(env)) expect(docgraph.output()).toMatch(new RegExp(`^ {2}${name} must be `, "m"));
  expect(docgraph.output()).not.toContain("secret");
});

test("reports an unreachable DATABASE_URL by host and port only", async () => {
  const docgraph = startDocgraph({ env: { DATABASE_URL: "postgres://me:secret@127.0.0.1:1/db", PORT: "0" } });
  expect(await docgraph.ended).toBe(1);
  expect(docgraph.output()).toBe("docgraph: the database at 127.0.0.1:1 is unreachable (ECONNREFUSED)\n");
});

test("--help lists every setting, and an unknown option is refused", async () => {
  const help = startDocgraph({ args: ["--help"] });
  expect(await help.ended).toBe(0);
  for (const name of ["PORT", "HOST", "DATA_DIR", "DATABASE_URL", "REDIS_URL", "LOG_LEVEL", "NODE_ENV", "PUBLIC_URL"]) {
    expect(help.output()).toContain(name);
  }
  const unknown = startDocgraph({ args: ["--prot=1"] });
  expect(await unknown.ended).toBe(2);
  expect(unknown.output()).toContain("--prot");
});

test("names a DATA_DIR that is a file", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  expect(await said(startDocgraph({ env: { DATA_DIR: file, PORT: "0" } }))).toContain(
    `${file} cannot be used (EEXIST)`,
  );
});

test.runIf(process.platform === "linux")("names a DATA_DIR that cannot be created", async () => {
  const folders = ["/proc/nothing/deep", "/proc/nothing"];
  for (const DATA_DIR of sized(folders.slice(0, 1), folders))
    expect(await said(startDocgraph({ env: { DATA_DIR, PORT: "0" } }))).toContain(
      "/proc/nothing cannot be used (ENOENT); allow the user",
    );
});

describe("names an unwritable folder:", () => {
  /** Root may write everywhere, so the process runs as another user. */
  const account = isRoot ? { uid: 65534, gid: 65534 } : undefined;
  let closed: string;
  beforeEach(async () => {
    closed = join(folder, "closed");
    await mkdir(closed, { mode: 0o555 });
  });

  const outcome = (env: Record<string, string>, run: { script?: string; args?: string[] } = {}) =>
    said(startDocgraph({ ...run, env: { PORT: "0", ...env }, account }));

  test("DATA_DIR, by the start and by commands", async () => {
    expect(await outcome({ DATA_DIR: join(closed, "data") })).toContain(
      `${closed}/data cannot be used (EACCES); allow`,
    );
    const token = { script: "src/cli/token.ts", args: ["ann@example.com"] };
    for (const run of sized([token], [token, {}]))
      expect(await outcome({ DATA_DIR: closed }, run)).toContain(`the folder ${closed}/lock cannot be used (EACCES)`);
  });

  test("FILES_DIR", async () => {
    const data = join(folder, "data");
    await mkdir(data);
    if (account) await chown(data, account.uid, account.gid);
    expect(await outcome({ DATA_DIR: data, FILES_DIR: closed })).toContain(
      `${closed}/incoming cannot be used (EACCES); allow the user that runs docgraph to write there, or set FILES_DIR`,
    );
  });

  test.runIf(isRoot)("the DATA_DIR of another user", async () => {
    const data = join(folder, "data");
    await mkdir(join(data, "lock"), { recursive: true });
    expect(await outcome({ DATA_DIR: data })).toContain("/lock cannot be used (EPERM): it must belong to the user");
  });
});

test.runIf(isRoot)(
  "an inaccessible DATA_DIR is reported with a remedy for copies that changed their owner",
  async () => {
    const data = join(folder, "data");
    const token = { script: "src/cli/token.ts", args: ["mara.lindqvist@example.com"] };
    await copyMigratedFolder(data);
    const server = await startEmbeddedPostgres({ dataDir: data, durable: false });
    await query(server.url, "create table kept (); insert into kept default values");
    const account = { uid: 65534, gid: 65534 };
    expect(await said(startDocgraph({ ...token, env: { DATA_DIR: data }, account }))).toContain(
      `the data folder ${data} belongs to another user; run the command as the user that runs docgraph\n`,
    );
    await server.stop();

    const copy = join(folder, "copy");
    await cp(data, copy, { recursive: true }); // as cp -r does
    const refusal = await said(startDocgraph({ env: { DATA_DIR: copy, PORT: "0", LOG_LEVEL: "silent" } }));
    const [, remedy = ""] = /fix this one with: chown -R (.+)$/m.exec(refusal) ?? [];
    const [owner, place = ""] = remedy.split(" ");
    expect(place).toBe(join(copy, "postgres/data"));
    const [uid = 0, gid = 0] = owner?.split(":").map(Number) ?? [];
    for (const name of [".", ...(await readdir(place, { recursive: true }))]) await chown(join(place, name), uid, gid);
    expect((await lstat(place)).uid).toBe(uid);
    const again = await startEmbeddedPostgres({ dataDir: copy, durable: false });
    expect(await query(again.url, "select from kept")).toBe(1);
    await again.stop();
  },
  240_000,
);

/** How many rows a statement answers, or writes. */
async function query(url: string, text: string): Promise<number | null> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query(text);
    return result.rowCount;
  } finally {
    await client.end();
  }
}
