// The limit: node:http and one prepared statement a request, as fast as a good engineer would write these few requests
// by hand. Each case is served twice: /nested checks the bearer token in the same statement, /open/nested trusts the
// caller.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import pg from "pg";
import { listItem, type RestRow, restSpaceList, type RestListRow } from "./rest.ts";
import { type Statement, statements } from "./statements.ts";

const pool = new pg.Pool({
  connectionString: process.env["DATABASE_URL"],
  max: 10,
  options: "-c timezone=UTC -c plan_cache_mode=force_generic_plan",
});

const routes = new Map<string, Statement & { name: string; path: string }>();
for (const [prefix, checked] of [
  ["", true],
  ["open/", false],
] as const) {
  for (const [path, statement] of Object.entries(statements(checked)))
    routes.set(`/${prefix}${path}`, { ...statement, path, name: `${prefix}${path}` });
}

/** From rows to the answer, for the cases that are not answered by JSON text from the database. */
const answers: Record<string, (rows: object[]) => unknown> = {
  row: ([space]) => ({ data: { space } }),
  page: (rows) => pageAnswer(rows as CommentRow[]),
  "rest-list": (rows) => restSpaceList(rows as RestListRow[]),
  "rest-one": ([row]) => listItem(row as RestRow),
};

interface CommentRow {
  id: string;
  postedAt: Date;
  status: string;
  markdown: string;
}

function pageAnswer(rows: CommentRow[]) {
  const page = rows.slice(0, 5);
  const nodes = page.map(({ id, postedAt, status, markdown }) => ({ id, postedAt, status, body: { markdown } }));
  const last = page.at(-1);
  const endCursor = last ? `${last.postedAt.toISOString()},${last.id}` : null;
  return { data: { changeRequest: { comments: { nodes, pageInfo: { hasNextPage: rows.length > 5, endCursor } } } } };
}

async function answer(request: IncomingMessage): Promise<string | null> {
  const url = request.url ?? "/";
  const mark = url.indexOf("?");
  const route = routes.get(mark < 0 ? url : url.slice(0, mark));
  const token = request.headers.authorization?.slice("Bearer ".length) ?? "";
  if (!route) return null;
  const query = new URLSearchParams(url.slice(mark));
  const hash = createHash("sha256").update(token).digest();
  const values: unknown[] = [hash, query.get("id")];
  if (route.path === "page") values.push(...(query.get("after") ?? "infinity,").split(","));
  const { rows } = await pool.query<Record<string, unknown>>({ name: route.name, text: route.text, values });
  if (rows.length === 0) return null;
  return route.gives === "json" ? (rows[0]?.["body"] as string) : JSON.stringify(answers[route.path]?.(rows));
}

function respond(response: ServerResponse, status: number, body: string): void {
  response
    .writeHead(status, { "content-type": "application/json; charset=utf-8", "content-length": Buffer.byteLength(body) })
    .end(body);
}

createServer((request, response) => {
  answer(request).then(
    (body) => (body === null ? respond(response, 404, "{}") : respond(response, 200, body)),
    (error: unknown) => respond(response, 500, JSON.stringify({ error: String(error) })),
  );
}).listen(Number(process.env["PORT"]), "127.0.0.1");
