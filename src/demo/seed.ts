// The demo for a new database: two organizations with their documentation, reviews and sites.
import type { Database } from "#src/db/database.ts";
import { addCollections } from "#src/demo/collections.ts";
import { addComments } from "#src/demo/discussions.ts";
import { addMembers, addTeams } from "#src/demo/members.ts";
import { addOrganizations } from "#src/demo/organizations.ts";
import { addPeople, type People } from "#src/demo/people.ts";
import { Play } from "#src/demo/play.ts";
import { addReviews } from "#src/demo/reviews.ts";
import { type RowOf, Rows } from "#src/demo/rows.ts";
import { addSites } from "#src/demo/sites.ts";
import { addGrants, addSpaces } from "#src/demo/spaces.ts";
import { readStory } from "#src/demo/story.ts";
import { Contents } from "#src/history/contents.ts";

/** The demo, ready to be written. */
export interface Demo {
  /** A token of the demo's admin. Only its hash is written, so it is not shown again. */
  readonly token: string;
  /** Writes the demo in one transaction. Throws, with nothing written, if it is there already. */
  readonly write: (database: Database) => Promise<void>;
}

/**
 * Composes the demo from its stories; needs no database. Content and dates are the same every time, but for ids, the
 * token and the day on which the deleted space was deleted.
 */
export async function composeDemo(): Promise<Demo> {
  const rows = new Rows();
  const { people, token } = addPeople(rows);
  const organizations = addOrganizations(rows);
  addMembers(rows, people, organizations);
  const teams = addTeams(rows, people, organizations);
  const tree = addCollections(rows, organizations);
  const spaces = addSpaces(rows, tree);
  addGrants(rows, { organizations, people, teams, tree, spaces });
  const contents = new Contents();
  for (const [name, space] of Object.entries(spaces)) await addStory(rows, { people, contents, name, space });
  const sites = addSites(rows, { organizations, people, spaces });
  organizations.harbour.defaultSiteId = sites.docs;
  organizations.opentide.defaultSpaceId = spaces.manual.id;
  return { token, write: (database) => write(database, rows, contents) };
}

async function write({ prisma }: Database, rows: Rows, contents: Contents): Promise<void> {
  await prisma.$transaction(
    async (transaction) => {
      await contents.store(transaction);
      await rows.insert((statement, values) => transaction.$executeRawUnsafe(statement, ...values));
    },
    { timeout: 30_000 },
  );
}

/** Composes and writes the demo; returns the token of its admin. */
export async function seedDemo(database: Database): Promise<{ token: string }> {
  const { token, write: writeTo } = await composeDemo();
  await writeTo(database);
  return { token };
}

/** Adds what happened in a space: its revisions and change requests, with reviews and comments. */
async function addStory(
  rows: Rows,
  known: { people: People; contents: Contents; name: string; space: RowOf<"Space"> },
): Promise<void> {
  const { people, contents, name, space } = known;
  const story = await readStory(name);
  const play = new Play(rows, { people, contents, space, story });
  await play.run();
  const { pages } = play;
  for (const change of play.changes) {
    const reviewIds = addReviews(rows, people, change);
    const commented = { spaceId: space.id, changeRequestId: change.row.id, states: change.states, reviewIds };
    addComments(rows, { people, contents, pages }, commented, change.plan.comments);
  }
  const commented = { spaceId: space.id, changeRequestId: null, states: play.main, reviewIds: new Map() };
  addComments(rows, { people, contents, pages }, commented, story.comments);
}
