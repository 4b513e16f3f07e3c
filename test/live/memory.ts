// The proof of the budget of memory: the resident memory of a gateway with the heaviest works at once.
import { existsSync, readFileSync } from "node:fs";
import { openDatabase } from "#src/db/connection/database.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { largeDocument } from "#test/features/openapi/large.ts";
import { latenciesDuring } from "#test/live/latency-probe.ts";
import { startOwnPostgres } from "#test/live/postgres.ts";
import { makeDataFolder, startDocgraph } from "#test/support/docgraph-process.ts";
import { httpClient } from "#test/support/client.ts";
import { whenAll } from "#src/runtime/waiting.ts";
import { createWorld, times } from "#test/support/world.ts";

export interface MemorySize {
  readonly megabytes: number;
  /** Requests for all pages of a space as documents, and how many pages it has. */
  readonly requests: number;
  readonly pages: number;
  readonly pagesOfPdf: number;
  readonly operations: number;
}

export interface MemoryReport {
  readonly megabytes: number;
  readonly largestResident: number;
  readonly documents: number;
  /** Requests for documents that were refused with 429 or 503, and those that ended without a whole response. */
  readonly refused: number;
  readonly cut: number;
  readonly pdf: string;
  readonly spec: string;
  /** In milliseconds, of a row that another user reads meanwhile. */
  readonly oneRowP95: number;
  /** How many of those reads failed. */
  readonly failedRows: number;
}

const paragraph =
  "The **harbour** keeps [its records](https://example.com) in `ledgers`: one for each ship that enters, and each that leaves.";
const text = (paragraphs: number): string =>
  times(paragraphs, (index) => `## Part ${index}\n\n${paragraph}\n\n- first\n- second\n\n${paragraph}`).join("\n\n");

/** Runs the proof. */
export async function proveMemory(size: MemorySize, say: (line: string) => void = () => {}): Promise<MemoryReport> {
  await using postgres = await startOwnPostgres();
  const data = await makeDataFolder();
  const settings = { ...data.env, DATABASE_URL: postgres.url, LOG_LEVEL: "info", PORT: "0", NODE_ENV: "production" };
  const allocator = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "1000000" }; // as `npm start` has it
  const limits = { MEMORY_MB: String(size.megabytes), SECRETS_KEY: "0123456789abcdef".repeat(4), ...allocator };
  const gateway = startDocgraph({ env: { ...settings, ...limits, POINTS_PER_MINUTE: "6000000000" } });
  await gateway.says("docgraph is ready");
  const url = /"address":"([^"]+)"/.exec(gateway.output())?.[1] ?? "";
  const database = openDatabase({ url: postgres.url });
  void gateway.ended.then((end) => {
    if (end !== 0) say(`the gateway ended with ${end}: ${gateway.output().slice(-3_000)}`);
  });
  try {
    const memory = watchMemory(gateway.pid);
    say(`${url} is ready`);
    const scene = await makeScene(createWorld(database), url, size);
    say(`${memory.largest().toFixed(0)} MB after writing the pages`);
    const [works, { rows, failed }] = await latenciesDuring({ url, ...scene.watcher }, () =>
      workAtOnce(scene, size, say),
    );
    const oneRowP95 = rows.toSorted((one, other) => one - other)[Math.floor(rows.length * 0.95)] ?? 0;
    return { megabytes: size.megabytes, largestResident: memory.end(), ...works, oneRowP95, failedRows: failed };
  } catch (error) {
    say(`it failed at ${String(error)}`);
    throw error;
  } finally {
    await database.close();
    gateway.signal("SIGTERM");
    await gateway.ended;
    await data.remove();
  }
}

/** The largest resident memory of a process, in megabytes. */
function watchMemory(pid: number) {
  let largest = 0;
  const look = (): void => {
    const file = `/proc/${pid}/status`;
    const status = existsSync(file) ? readFileSync(file, "utf8") : "VmRSS: 0"; // it has ended
    largest = Math.max(largest, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
  };
  const timer = setInterval(look, 20);
  return {
    largest: () => largest,
    end: () => {
      clearInterval(timer);
      return largest;
    },
  };
}

type Scene = Awaited<ReturnType<typeof makeScene>>;

async function makeScene(world: ReturnType<typeof createWorld>, url: string, { pages, pagesOfPdf }: MemorySize) {
  const [{ space, organization, admin, reader, editor, creator }, book] = [await world.space(), await world.space()];
  const fill = async (token: string, spaceId: string, of: { count: number; paragraphs: number }) => {
    const edits = times(of.count, (index) => newPage(`Page ${index}`, { markdown: text(of.paragraphs) }).edit);
    for (let at = 0; at < edits.length; at += 100)
      await editAs(httpClient(url, token), { spaceId }, ...edits.slice(at, at + 100));
  };
  await fill(admin.token, space.id, { count: pages, paragraphs: 4 });
  await fill(book.admin.token, book.space.id, { count: pagesOfPdf, paragraphs: 12 });
  return {
    url,
    readerToken: editor.token,
    spaceId: space.id,
    printer: httpClient(url, book.admin.token),
    bookId: book.space.id,
    author: httpClient(url, creator.token),
    organizationId: organization.id,
    watcher: { token: reader.token, spaceId: space.id },
  };
}

async function workAtOnce(scene: Scene, size: MemorySize, say: (line: string) => void) {
  const documents = `query ($id: ID!) { space(id: $id) { content { allPages { id title document } } } }`;
  const body = JSON.stringify({ query: documents, variables: { id: scene.spaceId } });
  const headers = { "content-type": "application/json", authorization: `Bearer ${scene.readerToken}` };
  // The bytes are read and dropped: parsing them would make this process the slow reader of all.
  const read = async (): Promise<string> => {
    try {
      const response = await fetch(`${scene.url}/graphql`, { method: "POST", headers, body });
      for await (const _chunk of response.body ?? []);
      return String(response.status);
    } catch (error) {
      return String(error);
    }
  };
  const pdf = async () => {
    const asked = `query ($id: ID!) { space(id: $id) { pdf { size } } }`;
    for (;;) {
      const { data, errors } = await scene.printer.graphql<{ space: { pdf: { size: number } | null } }>(asked, {
        id: scene.bookId,
      });
      const code = errors?.[0]?.extensions.code;
      // It is made in the background: a request that waits too long finds it later.
      if (code !== "TIMEOUT") return code ?? `${data?.space.pdf?.size} bytes`;
    }
  };
  const answers = Promise.all(times(size.requests, () => read())).then(
    (codes) => (say(`documents: ${[...new Set(codes)].join(", ")}`), codes),
  );
  const printed = pdf().then((result) => (say(`PDF: ${result}`), result));
  const spec = processSpec(scene, size.operations).then((result) => (say(`specification: ${result}`), result));
  const [codes, pdfResult, specResult] = await whenAll([answers, printed, spec]);
  const answered = codes.filter((code) => code === "200").length;
  const refused = codes.filter((code) => /^(429|503)$/.test(code)).length;
  return { documents: answered, refused, cut: codes.length - answered - refused, pdf: pdfResult, spec: specResult };
}

/** Has a specification processed; returns its state. */
async function processSpec({ author, organizationId }: Scene, operations: number): Promise<string> {
  const document = largeDocument({ operations, models: operations / 10, tags: 50 });
  const file = new File([JSON.stringify(document)], "openapi.json", { type: "application/json" });
  const create = `mutation ($input: CreateOpenApiSpecInput!) { createOpenApiSpec(input: $input) { openApiSpec { id } } }`;
  const { createOpenApiSpec: made } = await author.query<{ createOpenApiSpec: { openApiSpec: { id: string } } }>(
    create,
    { input: { organizationId, slug: "harbour", source: { file } } },
  );
  const look = `query ($id: ID!) { node(id: $id) { ... on OpenApiSpec { processingState lastProcessErrorCode } } }`;
  interface Found {
    node: { processingState: string; lastProcessErrorCode: string | null };
  }
  for (;;) {
    const { node } = await author.query<Found>(look, { id: made.openApiSpec.id });
    if (!["PENDING", "PROGRESS"].includes(node.processingState))
      return `${Math.round(file.size / 1e5) / 10} MB ${node.processingState} ${node.lastProcessErrorCode ?? ""}`.trim();
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
