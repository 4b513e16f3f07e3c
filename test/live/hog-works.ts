// The heavy work of one user, by kind, and what is held while it runs.
import { editDocument, newPage } from "#test/features/content/edits.ts";
import { largeDocument } from "#test/features/openapi/large.ts";
import { importDocument } from "#test/features/imports/importing.ts";
import { zipFile } from "#test/features/imports/files.ts";
import { subscribe } from "#test/live/messages.ts";
import { openKnown } from "#test/live/raw-socket.ts";
import { httpClient } from "#test/support/client.ts";
import { lockHolder } from "#test/support/locks.ts";

export interface HogSize {
  /** How many requests of the heavy user run at once, and for how many seconds new ones start. */
  readonly atOnce: number;
  readonly seconds: number;
  readonly comments: number;
  readonly pages: number;
  /** Of each specification. */
  readonly operations: number;
}

/** A space of the heavy user with comments and pages. */
export interface Scene {
  readonly url: string;
  readonly databaseUrl: string;
  readonly spaceId: string;
  /** Another space, in which edits and imports do not change the work that reads the first one. */
  readonly writtenId: string;
  readonly organizationId: string;
  /** The tokens of the heavy user, and of one who may create specifications. */
  readonly hog: string;
  readonly creator: string;
}

/** The requests by their outcome. */
export interface Counts {
  readonly done: number;
  readonly refused: number;
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

/** The work that does nothing. */
export const idle = "nothing";

/** The kinds of work, which return whether they were answered. */
export const works: Readonly<Record<string, (scene: Scene, size: HogSize) => Promise<boolean>>> = {
  [idle]: () => new Promise((resolve) => setTimeout(resolve, 50, true)),
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
      input: { contentOf: { spaceId: scene.writtenId }, edits: [newPage("New", { markdown: "Text" }).edit] },
    }),
  sockets: async ({ url, hog, spaceId }) => {
    const opened = await openKnown(url, hog).catch(() => null); // a user has few sockets
    opened?.send(subscribe("1", spaceId));
    const first = await opened?.receive().catch(() => null);
    opened?.socket.terminate();
    return first?.type === "next";
  },
  imports: async ({ url, hog, writtenId: spaceId }) => {
    const archive = zipFile({ "README.md": "# Import", "a.md": "# A\n\nText" });
    const input = { contentOf: { spaceId }, from: { archive } };
    return !(await httpClient(url, hog).graphql(importDocument, { input })).errors;
  },
  PDFs: (scene) => ask(scene, `query ($id: ID!) { space(id: $id) { pdf { size } } }`, { id: scene.spaceId }),
  specifications: async (scene, { operations }) => {
    const document = largeDocument({ operations, models: 50, tags: 10 });
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
