// The proof of fairness: how long small reads and comments of one user take while another does heavy work of each kind.
import type { Database } from "#src/db/connection/database.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { editAs, editDocument, newPage } from "#test/features/content/edits.ts";
import { largeDocument } from "#test/features/openapi/large.ts";
import { importDocument } from "#test/features/imports/importing.ts";
import { zipFile } from "#test/features/imports/files.ts";
import { subscribe } from "#test/live/messages.ts";
import { openKnown } from "#test/live/raw-socket.ts";
import { latenciesDuring } from "#test/live/latency-probe.ts";
import { httpClient } from "#test/support/client.ts";
import { lockHolder } from "#test/support/locks.ts";
import { createWorld, times } from "#test/support/world.ts";

interface HogSize {
  /** How many requests of the heavy user run at once, and for how many seconds new ones start. */
  readonly atOnce: number;
  readonly seconds: number;
  readonly comments: number;
  readonly pages: number;
}

/** The latencies of the other user in milliseconds, and the requests of the heavy one by their outcome. */
interface HogLine {
  readonly work: string;
  readonly done: number;
  readonly refused: number;
  readonly readsP95: number;
  readonly commentsP95: number;
  /** As multiples of the latencies without heavy work. */
  readonly reads: number;
  readonly comments: number;
  /** Requests of the other user that failed. */
  readonly failed: number;
  readonly codes: string;
}

interface Target {
  readonly url: string;
  readonly databaseUrl: string;
  readonly database: Database;
}

/** Runs each kind of work whose name contains `named`, and first none. */
export async function proveHogs(
  target: Target,
  { named, ...size }: HogSize & { named: string },
  say: (line: string) => void,
) {
  const scene = await makeScene(target, size);
  const lines: HogLine[] = [];
  const chosen = Object.entries(works).filter(([work]) => work === "nothing" || work.includes(named));
  for (const [work, run] of chosen) {
    await using _held = await held[work]?.(scene);
    const [counts, { rows, comments, failed, codes }] = await latenciesDuring({ url: target.url, ...scene.other }, () =>
      repeat(size, () => run(scene, size)),
    );
    const [readsP95, commentsP95] = [p95(rows), p95(comments)];
    const [alone = { readsP95, commentsP95 }] = lines;
    const ratios = { reads: readsP95 / alone.readsP95, comments: commentsP95 / alone.commentsP95 };
    lines.push({ work, ...counts, readsP95, commentsP95, ...ratios, failed, codes: codes.join() });
    say(`${work}: reads ${readsP95.toFixed(1)} ms, comments ${commentsP95.toFixed(1)} ms`);
  }
  return lines;
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? NaN;

/** Repeats work, so many at once, until the time is over; at least once each. */
async function repeat({ atOnce, seconds }: HogSize, run: () => Promise<boolean>) {
  const counts = { done: 0, refused: 0 };
  const end = performance.now() + seconds * 1000;
  const one = async (): Promise<void> => {
    do counts[(await run()) ? "done" : "refused"] += 1;
    while (performance.now() < end);
  };
  await Promise.all(times(atOnce, one));
  return counts;
}

type Scene = Awaited<ReturnType<typeof makeScene>>;

/** A space of the heavy user with comments and pages, and one of the other user. */
export async function makeScene({ url, database, databaseUrl }: Target, { comments, pages }: HogSize) {
  const world = createWorld(database);
  const [{ space, organization, editor, creator, reader }, own] = [await world.space(), await world.space()];
  await world.insert((rows) => times(comments, () => addComment(rows, { spaceId: space.id, postedById: reader.id })));
  const markdown = times(8, (part) => `## Part ${part}\n\nThe **harbour** keeps [its records](https://example.com).`);
  const edits = times(pages, (index) => newPage(`Page ${index}`, { markdown: markdown.join("\n\n") }).edit);
  for (let at = 0; at < edits.length; at += 100)
    await editAs(httpClient(url, creator.token), { spaceId: space.id }, ...edits.slice(at, at + 100));
  return {
    url,
    databaseUrl,
    spaceId: space.id,
    organizationId: organization.id,
    hog: editor.token,
    users: { hog: editor.id, other: own.commenter.id },
    creator: creator.token,
    other: { token: own.commenter.token, spaceId: own.space.id, writes: true },
  };
}

/** Sends an operation, drops the response, and returns whether it was answered. */
async function ask({ url, hog }: Pick<Scene, "url" | "hog">, query: string, variables: object): Promise<boolean> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${hog}` },
    body: JSON.stringify({ query, variables }),
  });
  // Parsing long responses would make this process the slow one; errors are short.
  let [start, length] = ["", 0];
  for await (const chunk of response.body ?? []) {
    if (length < 1_000) start += Buffer.from(chunk).toString("latin1");
    length += chunk.length;
  }
  return response.ok && !start.startsWith('{"errors"');
}

/** The kinds of work, which return whether they were answered. */
export const works: Readonly<Record<string, (scene: Scene, size: HogSize) => Promise<boolean>>> = {
  nothing: () => new Promise((resolve) => setTimeout(resolve, 50, true)),
  "comments with nested lists": (scene, { comments }) =>
    ask(
      scene,
      `query ($id: ID!, $first: Int!) { space(id: $id) { comments(first: $first) { nodes {
        id postedBy { displayName } replies(first: 10) { nodes { id } } } } } }`,
      { id: scene.spaceId, first: Math.min(comments, 1_000) },
    ),
  "pages as documents": (scene) =>
    ask(scene, `query ($id: ID!) { space(id: $id) { content { allPages { id title document } } } }`, {
      id: scene.spaceId,
    }),
  "edits of one space": (scene) =>
    ask(scene, editDocument, {
      input: { contentOf: { spaceId: scene.spaceId }, edits: [newPage("New", { markdown: "Text" }).edit] },
    }),
  sockets: async ({ url, hog, spaceId }) => {
    const opened = await openKnown(url, hog).catch(() => null); // a user has few sockets
    opened?.send(subscribe("1", spaceId));
    const first = await opened?.receive().catch(() => null);
    opened?.socket.terminate();
    return first?.type === "next";
  },
  imports: async ({ url, hog, spaceId }) => {
    const archive = zipFile({ "README.md": "# Import", "a.md": "# A\n\nText" });
    const input = { contentOf: { spaceId }, from: { archive } };
    return !(await httpClient(url, hog).graphql(importDocument, { input })).errors;
  },
  PDFs: (scene) => ask(scene, `query ($id: ID!) { space(id: $id) { pdf { size } } }`, { id: scene.spaceId }),
  specifications: async (scene) => {
    const document = largeDocument({ operations: 500, models: 50, tags: 10 });
    const file = new File([JSON.stringify(document)], "openapi.json", { type: "application/json" });
    const create = `mutation ($input: CreateOpenApiSpecInput!) { createOpenApiSpec(input: $input) { openApiSpec { id } } }`;
    const slug = `spec-${crypto.randomUUID()}`;
    const input = { organizationId: scene.organizationId, slug, source: { file } };
    const { errors } = await httpClient(scene.url, scene.creator).graphql(create, { input });
    return !errors;
  },
  "a locked table": (scene) =>
    ask(scene, `query ($id: ID!) { space(id: $id) { comments(first: 5) { nodes { reactions { emoji } } } } }`, {
      id: scene.spaceId,
    }),
};

/** What is held while all work of a kind runs. */
export const held: Readonly<Record<string, (scene: Scene) => Promise<AsyncDisposable>>> = {
  "a locked table": async ({ databaseUrl }) => {
    const locks = await lockHolder(databaseUrl);
    await locks.hold('lock table "Reaction" in access exclusive mode');
    return locks;
  },
};
