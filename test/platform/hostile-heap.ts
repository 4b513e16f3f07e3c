// A process that runs documents crafted to fill its memory, every seventh over HTTP, and prints the growth of its heap
// in MB. Its arguments: the number of warm-up documents, and of counted ones.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { Budget, operationAllowance } from "#src/db/connection/budget.ts";
import { TimeLimit } from "#src/db/connection/time-limit.ts";
import type { Context } from "#src/domain/context.ts";
import { createExecutor, isOperation } from "#src/graph/run/execute.ts";
import { schema } from "#src/schema.ts";
import { openExchange } from "#src/http/exchange.ts";
import { SentDocuments } from "#src/graph/documents/sent-documents.ts";
import { GraphqlHandler } from "#src/server/graphql/http.ts";
import { times } from "#test/support/world.ts";

/** A different text each time. */
const kinds: readonly ((index: number) => string)[] = [
  (index) => `{y${index} ${"x ".repeat(400)}`,
  (index) => `{y${index}:viewer{${"id ".repeat(100)}}z}`,
  (index) => `{${times(8, (field) => `y${index}_${field}`).join(" ")}}`,
  (index) => `{y${index}:node(id:${"[".repeat(400)}${"]".repeat(400)}){id}}`,
  (index) =>
    `{${times(20, (field) => `y${index}_${field}:viewer@skip(if:true){...F}`).join(" ")}} fragment F on User{${"id ".repeat(60)}}`,
];

const log = pino({ level: "silent" });
const context = { log, limit: new TimeLimit(Infinity), reader: { budget: new Budget(operationAllowance) } };
const executor = createExecutor(schema);
const handler = new GraphqlHandler({
  executor,
  documents: new SentDocuments(),
  contextOf: () => Promise.resolve(context as unknown as Context), // the documents read nothing
  log,
  graphiql: () => Promise.resolve(),
  maxFileSize: 0,
} as unknown as ConstructorParameters<typeof GraphqlHandler>[0]);
const server = createServer((request, response) => void handler.handle(openExchange(request, response)));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
const answers: Record<string, number> = {};

async function ask(index: number): Promise<void> {
  const query = kinds[index % kinds.length]?.(index) ?? "";
  const answer =
    index % 7 === 0
      ? `HTTP ${await askByHttp(index, query)}`
      : isOperation(executor.prepare(query))
        ? "run"
        : "refused";
  answers[answer] = (answers[answer] ?? 0) + 1;
}

async function askByHttp(index: number, query: string): Promise<number> {
  const headers = { accept: "application/graphql-response+json", "content-type": "application/json" };
  const isGet = index % 2 === 0 && query.length < 7000;
  const answer = isGet
    ? await fetch(`${url}?query=${encodeURIComponent(query)}`, {
        headers: { accept: headers.accept },
      })
    : await fetch(url, { method: "POST", headers, body: JSON.stringify({ query }) });
  await answer.arrayBuffer();
  return answer.status;
}

const heap = (): number => {
  for (let pass = 0; pass < 3; pass++) globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
};

const [warming = 0, counted = 0] = process.argv.slice(2).map(Number);
for (let index = 0; index < warming; index++) await ask(index);
for (const status of Object.keys(answers)) delete answers[status];
const before = heap();
for (let index = 0; index < counted; index++) await ask(index + warming);
process.stdout.write(JSON.stringify({ grown: Math.round(heap() - before), answers }));
process.exit();
