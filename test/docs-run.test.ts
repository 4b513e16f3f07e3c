// The commands and programs of the documentation run as they are printed, against a gateway with the demo, and answer
// what is printed below them.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startNetworkProxy } from "#test/live/network-proxy.ts";
import { blocksOf, type Block, codeOf, project, readPage, readPages } from "#test/support/documentation.ts";
import {
  ask,
  type DocgraphProcess,
  makeDataFolder,
  type Ready,
  startDocgraph,
  stopStarted,
} from "#test/support/docgraph-process.ts";
import { freePort } from "#test/support/free-port.ts";
import { copyMigratedFolder } from "#test/support/migrated-folder.ts";
import { asPrinted, includesPrinted, isPrinted } from "#test/support/printed-answers.ts";

/** The answers of commands whose answers are too long to print, by a part of the command. */
const answers: readonly (readonly [command: string, answer: RegExp])[] = [
  ["/tide-times/events", /"status":"success"/],
  ["auditLog(", /"type":"(session\.opened|apiToken\.created)"/],
];

const pages = readPages();

describe("against a gateway with the demo", { timeout: 60_000 }, () => {
  let place: Awaited<ReturnType<typeof makeDataFolder>>;
  let docgraph: DocgraphProcess;
  let ready: Ready;
  let collector: number;
  const running = new Set<ChildProcess>();

  /** In a folder that looks like the project's, so that data and programs are not put there. */
  beforeAll(async () => {
    place = await makeDataFolder();
    for (const name of ["README.md", "package.json", "src", "node_modules"])
      await symlink(join(project, name), join(place.folder, name));
    collector = await freePort();
    await copyMigratedFolder(join(place.folder, ".data"));
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector}` };
    docgraph = startDocgraph({ env: { ...traces, DATA_DIR: join(place.folder, ".data"), PORT: "0" } });
    ready = await docgraph.ready();
  }, 240_000); // the start of a gateway, on a machine that may be busy
  afterAll(async () => {
    for (const child of running) child.kill();
    await stopStarted();
    await place.remove(ready.data);
  });

  const atGateway = (text: string) => text.replaceAll("127.0.0.1:4000", new URL(ready.url).host);

  /** Runs a program there; `says` waits until what it printed matches, and fails when it ends before. */
  function run(program: string, ...args: string[]) {
    const child = spawn(program, args, { cwd: place.folder, stdio: ["pipe", "pipe", "pipe"] });
    running.add(child);
    let output = "";
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (errors += chunk));
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      child.emit("printed");
    });
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    const says = async (isIt: (output: string) => boolean) => {
      const printed = new Promise<void>((resolve) => {
        const look = () => isIt(output) && resolve();
        child.on("printed", look);
        look();
      });
      await Promise.race([printed, ended]);
      expect(isIt(output), output + errors).toBe(true);
    };
    /** Takes what was printed so far. */
    const take = () => {
      const taken = output;
      output = "";
      return taken;
    };
    return {
      says,
      take,
      errors: () => errors,
      write: (text: string) => child.stdin.write(text),
      stop: () => child.kill(),
    };
  }

  /** A shell in which blocks run one after the other, as in one terminal. */
  function openShell() {
    const shell = run("bash");
    const ends = /\n--- (\d+)\n$/;
    return {
      stop: shell.stop,
      async answerOf(code: string): Promise<string> {
        shell.write(`{ ${code}\n} </dev/null; printf '\\n--- %s\\n' $?\n`);
        await shell.says((output) => ends.test(output));
        const output = shell.take();
        expect(ends.exec(output)?.[1], code + output + shell.errors()).toBe("0");
        return output.replace(ends, "");
      },
      /** Runs what does not end, until it has printed something. */
      async hear(code: string, printed: string): Promise<void> {
        shell.write(`set -m; { ${code}\n} </dev/null & stream=$!; set +m\n`);
        await shell.says((output) => includesPrinted(output, printed));
        shell.write("kill -- -$stream; wait $stream; printf '\\n--- 0\\n'\n");
        await shell.says((output) => ends.test(output));
        shell.take();
      },
    };
  }

  async function check(shell: ReturnType<typeof openShell>, { code, answer }: Block): Promise<void> {
    const command = atGateway(code);
    if (command.includes("text/event-stream")) return shell.hear(command, answer?.code ?? "event: next");
    const output = await shell.answerOf(command);
    if (answer?.language === "json") {
      const printed: unknown = JSON.parse(answer.code);
      return expect(asPrinted(JSON.parse(output), printed), command).toEqual(printed);
    }
    if (answer) return expect(isPrinted(output, answer.code), `${command}\n${output}`).toBe(true);
    expect(output, command).not.toMatch(/"errors?":/);
    for (const [part, expected] of answers) if (code.includes(part)) expect(output).toMatch(expected);
  }

  const hasCurl = !spawnSync("curl", ["--version"]).error;
  const withCommands = pages.filter((page) => codeOf(page, "sh").length > 0);
  test.skipIf(!hasCurl).each(withCommands)("the commands of $path answer what is printed", async (page) => {
    const shell = openShell();
    for (const block of blocksOf(page)) if (block.language === "sh") await check(shell, block);
    shell.stop();
  });

  test("the program of live.md delivers each comment once, also after its connection was cut", async () => {
    const [program = ""] = codeOf(readPage("src/docs/live.md"), "js");
    await using proxy = await startNetworkProxy({ host: "127.0.0.1", port: Number(new URL(ready.url).port) });
    await writeFile(join(place.folder, "live.mjs"), program.replaceAll("127.0.0.1:4000", `127.0.0.1:${proxy.port}`));
    const live = run(process.execPath, "live.mjs");
    const says = (text: string) => live.says((output) => output.includes(text));
    await says('"Ready"');
    await post("While it listens");
    await says("While it listens");

    proxy.disconnect();
    await post("Before it is back");
    proxy.reconnect();
    await says("Before it is back");
    expect(live.take().match(/While it listens/g)).toHaveLength(1);
    live.stop();
  });

  test("the program of contributing.md prints the statements of a request", async () => {
    const [program = ""] = codeOf(readPage("src/docs/contributing.md"), "js");
    await writeFile(join(place.folder, "spans.mjs"), program.replace("4318", String(collector)));
    const spans = run(process.execPath, "spans.mjs");
    const headers = { authorization: `Bearer ${ready.token}`, "content-type": "application/json" };
    const trace = "0123456789abcdef".repeat(2);
    await fetch(`${ready.url}/graphql`, {
      method: "POST",
      headers: { ...headers, traceparent: `00-${trace}-${"1".repeat(16)}-01` },
      body: JSON.stringify({ query: "{ organizations(first: 1) { nodes { title } } }" }),
    });
    await spans.says((output) => new RegExp(`^${trace} [\\d.]+ ms SELECT .*\n.*from "Organization"`, "m").test(output));
    spans.stop();
  });

  test.skipIf(!existsSync(join(project, "src/docs/sites.md")))(
    "the calls of sites.md build a docs site, publish it, and put a condition on it",
    async () => {
      const calls = ["sites", "visitors"]
        .flatMap((name) => codeOf(readPage(`src/docs/${name}.md`), "graphql"))
        .filter((text) => text.startsWith("mutation"));
      const read = "{ organizations(first: 1) { nodes { id spaces(first: 2) { nodes { id } } } } }";
      const found = JSON.stringify(await ask(ready.url, ready.token, read));
      const [organizationId, guideId, apiId] = [...found.matchAll(/"id":"(\w+)"/g)].map((match) => match[1]);
      const known: Record<string, string | undefined> = { organizationId, guideId, apiId };
      const answered: string[] = [];
      for (const call of calls) {
        const names = [...call.matchAll(/\$(\w+): ID!/g)].flatMap((match) => match[1] ?? []);
        const variables = Object.fromEntries(names.map((name) => [name, known[name]]));
        const answer = JSON.stringify(await ask(ready.url, ready.token, call, variables));
        answered.push(answer);
        known["siteId"] ??= /sit_\w+/.exec(answer)?.[0];
        known["siteSectionId"] ??= /sec_\w+/.exec(answer)?.[0];
      }
      expect(answered).toHaveLength(7);
      expect(answered[3]).toContain('"name":"_docgraph.docs.example.com"');
      expect(answered[4]).toContain(`"published":"${ready.url}/published/${known["siteId"]}"`);
      expect(answered[6]).toContain('"condition":"visitor.claims.customer && !visitor.claims.unsigned.trial"');
    },
  );

  test("the search of graphql.md finds pages of the demo", async () => {
    const [search = ""] = codeOf(readPage("src/docs/graphql.md"), "graphql").filter((text) =>
      /search\(text/.test(text),
    );
    const read = "{ organizations { nodes { spaces { nodes { id } } } } }";
    const ids = JSON.stringify(await ask(ready.url, ready.token, read)).match(/spc_\w+/g) ?? [];
    const found = () => Promise.all(ids.map((spaceId) => ask(ready.url, ready.token, search, { spaceId })));
    // The texts of a new demo are indexed after the start.
    await expect.poll(async () => JSON.stringify(await found()), { timeout: 50_000 }).toMatch(/"totalCount":[1-9]/);
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
