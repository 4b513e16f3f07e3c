// The README stays true: its commands and its program run as they are printed, against a gateway with the demo, and its
// table of variables is whole.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, validate } from "graphql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeConfig } from "#src/config/config.ts";
import { schema } from "#src/schema.ts";
import { startNetworkProxy } from "#test/live/network-proxy.ts";
import {
  ask,
  type DocgraphProcess,
  makeDataFolder,
  type Ready,
  startDocgraph,
  stopStarted,
} from "#test/support/docgraph-process.ts";
import { declaredIn } from "#test/support/metrics.ts";

const project = fileURLToPath(new URL("..", import.meta.url));
const readme = await readFile(join(project, "README.md"), "utf8");

/** The code blocks of a language. */
const fenced = (language: string, text = readme): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map((match) => match[1] ?? "");

test("the interface has what its operations ask", () => {
  const problems = fenced("graphql").flatMap((document) => validate(schema, parse(document)));
  expect(problems).toEqual([]);
});

test("the table names the variables of the configuration", () => {
  const rows = [...readme.matchAll(/^\| (`[A-Z][A-Z_]+`.*?) \|/gm)].map((match) => match[1] ?? "");
  const named = rows.flatMap((cell) => cell.replaceAll("`", "").trim().split(", "));
  const known = [...describeConfig().matchAll(/^ {2}([A-Z_]+) /gm)].map((match) => match[1] ?? "");
  expect(new Set(named)).toEqual(new Set(known));
});

test("it has the text of the licence that the package names", async () => {
  const { license } = JSON.parse(await readFile(join(project, "package.json"), "utf8")) as { license: string };
  const [, licence = ""] = readme.split("\n## Licence\n");
  expect(licence).toContain(`identifier \`${license}\``);
  for (const part of ["Copyright (c)", "Permission is hereby granted", "this permission notice shall", "AS IS"])
    expect(licence).toContain(part);
});

test("it says how many operations of /v1 are routed", async () => {
  const routes = await readFile(join(project, "test/contract/routes.txt"), "utf8");
  expect(readme).toContain(/^\d+ operations are routed/m.exec(routes)?.[0]);
});

describe("against a gateway with the demo,", { timeout: 120_000 }, () => {
  let place: Awaited<ReturnType<typeof makeDataFolder>>;
  let docgraph: DocgraphProcess;
  let ready: Ready;
  const running = new Set<ChildProcess>();

  /** In a folder that looks like the project's, so that data and programs are not put there. */
  beforeAll(async () => {
    place = await makeDataFolder();
    for (const name of ["README.md", "package.json", "src", "node_modules"])
      await symlink(join(project, name), join(place.folder, name));
    docgraph = startDocgraph({ env: { DATA_DIR: join(place.folder, ".data"), PORT: "0", METRICS_PORT: "0" } });
    ready = await docgraph.ready();
  }, 60_000);
  afterAll(async () => {
    for (const child of running) child.kill();
    await stopStarted();
    await place.remove(ready.data);
  });

  const asPrinted = (text: string) => text.replaceAll("127.0.0.1:4000", new URL(ready.url).host);

  /** Runs a program there; `says` waits until it has printed a text, and fails when it ends before. */
  function run(program: string, ...args: string[]) {
    const child = spawn(program, args, { cwd: place.folder, stdio: ["ignore", "pipe", "pipe"] });
    running.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
        child.emit("heard");
      });
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    const says = async (text: string) => {
      const heard = new Promise<void>((resolve) => {
        const look = () => output.includes(text) && resolve();
        child.on("heard", look);
        look();
      });
      await Promise.race([heard, ended]);
      expect(output).toContain(text);
    };
    return { output: () => output, says, ended, stop: () => child.kill() };
  }

  test.skipIf(spawnSync("curl", ["--version"]).error)("the commands answer", async () => {
    const commands = fenced("sh").filter((text) =>
      /^(curl|query=|key=|space=|link=|harbour=|npm run -s (token|import|load-history))/.test(text),
    );
    const streaming = commands.filter((text) => text.includes("curl -sN"));
    const answering = commands.filter((text) => !streaming.includes(text));
    expect([answering.length, streaming.length]).toEqual([17, 2]);

    const separated = answering.map((text) => `${text}\necho; echo ---\n`).join("");
    const shell = run("bash", "-c", asPrinted(`set -e\n${separated}\n${streaming.join("")}`));
    await shell.says('{"data":{"commentEvents":{"__typename":"Ready"}}}');
    shell.stop();
    const [first, named, keyed, upload, translated, published, installed, told, token, ...others] = shell
      .output()
      .split("---\n");
    for (const answer of [first, named])
      expect(JSON.parse(answer ?? "")).toMatchObject({
        data: { organizations: { nodes: expect.anything() as unknown } },
      });
    expect(others.at(-1)).toMatch(
      /"hasNext":true\}\r\n--graphql\r\n.*"spaces":.*"hasNext":false\}\r\n--graphql--\r\n/s,
    );
    const [once = "", again = ""] = (keyed ?? "").trim().split("\n");
    const { data } = JSON.parse(once) as { data: object };
    expect(JSON.parse(again)).toEqual({ data, extensions: { idempotency: { replayed: true } } });
    expect(JSON.parse(upload ?? "")).toMatchObject({
      data: { uploadFile: { file: { size: Buffer.byteLength(readme) } } },
    });
    expect(JSON.parse(published ?? "")).toMatchObject({ name: expect.any(String) as string });
    expect(JSON.parse(installed ?? "")).toMatchObject({ status: "active", space_selection: "all" });
    const handled = expect.objectContaining({ status: "success" }) as unknown;
    expect(JSON.parse(told ?? "")).toMatchObject({ items: expect.arrayContaining([handled]) as unknown });
    const translation = { language: "DE", status: "COMPLETED", result: { space: { title: "Launch plans (de)" } } };
    expect(JSON.parse(translated ?? "")).toMatchObject({
      data: {
        organizations: {
          nodes: expect.arrayContaining([
            { translations: { nodes: [expect.objectContaining(translation)] } },
          ]) as unknown,
        },
      },
    });
    expect(token).toMatch(/^dg_\w+\s*$/);
    const some = expect.anything() as unknown;
    const audited = ["session.opened", "apiToken.created"].map((type) => expect.objectContaining({ type }) as unknown);
    const session = { way: "EMAIL", isCurrent: true, expiresAt: some };
    expect(others.slice(0, 5).map((text) => JSON.parse(text) as object)).toMatchObject([
      { data: { createApiToken: { token: expect.stringMatching(/^dg_/) as string } } },
      { data: { sessions: { nodes: [session] } } },
      { token: expect.stringMatching(/^dgt_/) as string },
      { data: { organizations: { nodes: [{ auditLog: { nodes: expect.arrayContaining(audited) as unknown } }] } } },
      { count: some },
    ]);
    expect(others[5]).toContain("Imported 2 pages");
    expect(others[6]).toContain("Loaded 3 pages, 1 change requests");
  });

  test("the program hears what is posted, also what was posted while the gateway was away from it", async () => {
    const program = fenced("js").find((text) => text.includes("graphql-ws")) ?? "";
    await using proxy = await startNetworkProxy({ host: "127.0.0.1", port: Number(new URL(ready.url).port) });
    const behindProxy = program.replaceAll("127.0.0.1:4000", `127.0.0.1:${proxy.port}`);
    await writeFile(join(place.folder, "live.mjs"), behindProxy);
    const live = run(process.execPath, "live.mjs");
    await live.says('"Ready"');
    await post("While it listens");
    await live.says("While it listens");

    proxy.disconnect();
    await post("Before it is back");
    proxy.reconnect();
    await live.says("Before it is back");
    expect(
      live
        .output()
        .split("\n")
        .filter((line) => line.includes("While it listens")),
    ).toHaveLength(1);
    live.stop();
  });

  test("the series of its table are on the port that the log names", async () => {
    const [, address = ""] = /"address":"([^"]+\/metrics)"/.exec(docgraph.output()) ?? [];
    const told = declaredIn(await (await fetch(address)).text());
    const [, table = ""] = /\n\| Series[^\n]*\n[^\n]*\n(.*?)\n\n/s.exec(readme) ?? [];
    const cells = table.split("\n").map((row) => row.split("|")[1] ?? "");
    const starts = cells.flatMap((cell) => [...cell.matchAll(/`([a-z]\w+)/g)].map(([, name]) => `docgraph_${name}`));
    expect(starts.length).toBeGreaterThan(15);
    expect(starts.filter((start) => !told.some((name) => name.startsWith(start)))).toEqual([]);
  });

  test("the calls build a docs site, publish it, and put a condition on it", async () => {
    const [, after = ""] = readme.split("\n## Sites\n");
    const [part = ""] = after.split("\n## ");
    const calls = fenced("graphql", part).filter((text) => text.startsWith("mutation"));
    const read = "{ organizations(first: 1) { nodes { id spaces(first: 2) { nodes { id } } } } }";
    const found = JSON.stringify(await ask(ready.url, ready.token, read));
    const [organizationId, guideId, apiId] = [...found.matchAll(/"id":"(\w+)"/g)].map((match) => match[1]);
    const known: Record<string, string | undefined> = { organizationId, guideId, apiId };
    const answers: string[] = [];
    for (const call of calls) {
      const names = [...call.matchAll(/\$(\w+): ID!/g)].flatMap((match) => match[1] ?? []);
      const variables = Object.fromEntries(names.map((name) => [name, known[name]]));
      const answer = JSON.stringify(await ask(ready.url, ready.token, call, variables));
      answers.push(answer);
      known["siteId"] ??= /sit_\w+/.exec(answer)?.[0];
      known["siteSectionId"] ??= /sec_\w+/.exec(answer)?.[0];
    }
    expect(answers).toHaveLength(6);
    expect(answers[3]).toContain('"name":"_docgraph.docs.example.com"');
    expect(answers[4]).toContain(`"published":"${ready.url}/published/${known["siteId"]}"`);
    expect(answers[5]).toContain('"condition":"visitor.claims.customer && !visitor.claims.unsigned.trial"');
  });

  async function post(markdown: string): Promise<void> {
    const read = "{ organizations(first: 1) { nodes { spaces(first: 1) { nodes { id } } } } }";
    const { organizations } = (await ask(ready.url, ready.token, read)) as {
      organizations: { nodes: { spaces: { nodes: { id: string }[] } }[] };
    };
    const write = "mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }";
    const spaceId = organizations.nodes[0]?.spaces.nodes[0]?.id;
    await ask(ready.url, ready.token, write, { input: { contentOf: { spaceId }, text: { markdown } } });
  }
});
