// The demo for a new database: two organizations with their documentation, reviews and sites.
import { newToken } from "#src/access/tokens.ts";
import { newId } from "#src/base/ids.ts";
import type { Database } from "#src/db/connection/database.ts";
import { at, type People, readStory } from "#src/demo/story.ts";
import { Diary } from "#src/demo/diary.ts";
import { addComments, addReviews } from "#src/demo/discussions.ts";
import { Play } from "#src/demo/play.ts";
import { type RowOf, Rows } from "#src/demo/rows.ts";
import { World } from "#src/demo/world.ts";
import { keptHours } from "#src/events/segments.ts";
import { indexMissing } from "#src/features/content/commands/index-texts.ts";
import type { FileStore } from "#src/files/file-store.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { Contents } from "#src/history/contents.ts";

interface Place {
  readonly database: Database;
  readonly files: FileStore;
}

export interface Demo {
  /** A token of the demo's admin. Only its hash is written, so it is not shown again. */
  readonly token: string;
  /** Writes the demo in one transaction, with its events after `since`: by default those that are still retained. */
  readonly write: (place: Place, since?: Date) => Promise<void>;
}

/** Composes the demo from its stories: always the same, except ids, the token and the time of the deleted space. */
export async function composeDemo(): Promise<Demo> {
  const rows = new Rows();
  const world = new World(rows);
  world.add("world.yaml");
  const { token, hash } = newToken();
  const userId = world.id("mara");
  rows.add("ApiToken", { id: newId("ApiToken"), userId, name: "Demo", hash, createdAt: at(0, "8:30") });
  const [contents, diary] = [new Contents(), new Diary()];
  for (const [name, space] of world.of("Space"))
    await addStory(rows, { people: world.id, diary, contents, space }, name);
  world.add("published.yaml");
  const { harbour, opentide } = Object.fromEntries(world.of("Organization"));
  Object.assign(harbour ?? {}, { defaultSiteId: world.id("docs") });
  Object.assign(opentide ?? {}, { defaultSpaceId: world.id("manual") });
  async function write({ database, files }: Place, since = new Date(Date.now() - keptHours * 3_600_000)) {
    for (const bytes of world.blobs) await (await files.receive([bytes], bytes.length)).keep();
    const writeRows = async (transaction: Prisma.TransactionClient) => {
      await contents.store(transaction);
      await rows.insert((statement, values) => transaction.$executeRawUnsafe(statement, ...values));
      await diary.write(transaction, since);
    };
    await database.prisma.$transaction(writeRows, { timeout: 30_000 });
  }
  return { token, write };
}

/** Composes and writes the demo, with data derived from its texts; returns the token of its admin. */
export async function seedDemo(place: Place, since?: Date): Promise<{ token: string }> {
  const { token, write } = await composeDemo();
  await write(place, since);
  await indexMissing(place.database);
  return { token };
}

/** Adds the story of a space: its revisions and change requests, with reviews and comments. */
async function addStory(
  rows: Rows,
  of: { people: People; diary: Diary; contents: Contents; space: RowOf<"Space"> },
  name: string,
): Promise<void> {
  const story = await readStory(name);
  const play = new Play(rows, { ...of, story });
  await play.run();
  const known = { ...of, pages: play.pages };
  for (const change of play.changes) {
    const reviewIds = addReviews(rows, known, change);
    const commented = { changeRequestId: change.row.id, states: change.states, reviewIds };
    addComments(rows, known, commented, change.plan.comments);
  }
  const commented = { changeRequestId: null, states: play.main, reviewIds: new Map() };
  addComments(rows, known, commented, story.comments);
}
