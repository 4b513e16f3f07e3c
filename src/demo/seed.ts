// The demo for a new database: two organizations with their documentation, reviews and sites.
import { newToken } from "#src/access/tokens.ts";
import { newId } from "#src/base/ids.ts";
import type { Database } from "#src/db/connection/database.ts";
import { at } from "#src/demo/calendar.ts";
import { Diary } from "#src/demo/diary.ts";
import { addComments } from "#src/demo/discussions.ts";
import { Play } from "#src/demo/play.ts";
import { addReviews } from "#src/demo/reviews.ts";
import { type RowOf, Rows } from "#src/demo/rows.ts";
import { type People, readStory } from "#src/demo/story.ts";
import { World } from "#src/demo/world.ts";
import { keptHours } from "#src/events/segments.ts";
import { indexMissing } from "#src/features/content/commands/index-texts.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { Contents } from "#src/history/contents.ts";

/** Where the demo is written. */
interface Place {
  readonly database: Database;
  readonly files: FileStore;
}

/** The demo, ready to be written. */
export interface Demo {
  /** A token of the demo's admin. Only its hash is written, so it is not shown again. */
  readonly token: string;
  /**
   * Writes the demo in one transaction, with the events since then: those that are kept, unless it says otherwise.
   * Throws, with nothing written, if it is there already.
   */
  readonly write: (place: Place, since?: Date) => Promise<void>;
}

/**
 * Composes the demo from its stories; needs no database. Content and dates are the same every time, but for ids, the
 * token and the day on which the deleted space was deleted. Of its events only those are written that would still be
 * kept.
 */
export async function composeDemo(): Promise<Demo> {
  const rows = new Rows();
  const world = new World(rows);
  world.add("world.yaml");
  const { token, hash } = newToken();
  const userId = world.id("mara");
  rows.add("ApiToken", { id: newId("ApiToken"), userId, name: "Demo", hash, createdAt: at(0, "8:30") });
  const [contents, diary] = [new Contents(), new Diary()];
  for (const [name, space] of world.of("Space"))
    await addStory(rows, { people: world.id, diary, contents, name, space });
  world.add("published.yaml");
  const { harbour, opentide } = Object.fromEntries(world.of("Organization"));
  Object.assign(harbour ?? {}, { defaultSiteId: world.id("docs") });
  Object.assign(opentide ?? {}, { defaultSpaceId: world.id("manual") });
  const write: Demo["write"] = (place, since = new Date(Date.now() - keptHours * 3_600_000)) =>
    writeAll(place, { rows, blobs: world.blobs, contents, diary, since });
  return { token, write };
}
interface Parts {
  readonly rows: Rows;
  readonly blobs: readonly Buffer[];
  readonly contents: Contents;
  readonly diary: Diary;
  readonly since: Date;
}

async function writeAll({ database, files }: Place, { rows, blobs, contents, diary, since }: Parts): Promise<void> {
  for (const bytes of blobs) await (await files.receive([bytes], bytes.length)).keep();
  await database.prisma.$transaction(
    async (transaction) => {
      await contents.store(transaction);
      await rows.insert((statement, values) => transaction.$executeRawUnsafe(statement, ...values));
      await diary.write(transaction, since);
    },
    { timeout: 30_000 },
  );
}

/** Composes and writes the demo, with what is derived from its texts; returns the token of its admin. */
export async function seedDemo(place: Place, since?: Date): Promise<{ token: string }> {
  const { token, write } = await composeDemo();
  await write(place, since);
  await indexMissing(place.database);
  return { token };
}

/** Adds what happened in a space: its revisions and change requests, with reviews and comments. */
async function addStory(
  rows: Rows,
  known: { people: People; diary: Diary; contents: Contents; name: string; space: RowOf<"Space"> },
): Promise<void> {
  const { people, diary, contents, name, space } = known;
  const story = await readStory(name);
  const play = new Play(rows, { people, diary, contents, space, story });
  await play.run();
  const { pages } = play;
  for (const change of play.changes) {
    const reviewIds = addReviews(rows, { people, diary, space }, change);
    const commented = { space, changeRequestId: change.row.id, states: change.states, reviewIds };
    addComments(rows, { people, diary, contents, pages }, commented, change.plan.comments);
  }
  const commented = { space, changeRequestId: null, states: play.main, reviewIds: new Map() };
  addComments(rows, { people, diary, contents, pages }, commented, story.comments);
}
