// Seeds a new database with the demo: two organizations with their documentation, reviews and sites, so that there is something to look at.
import type { Database } from "#src/db/database.ts";
import { addCollections } from "#src/demo/collections.ts";
import { addComments } from "#src/demo/discussions.ts";
import { Contents } from "#src/demo/contents.ts";
import { addHistories } from "#src/demo/histories.ts";
import { addMembers, addTeams } from "#src/demo/members.ts";
import { addOrganizations } from "#src/demo/organizations.ts";
import { addPeople } from "#src/demo/people.ts";
import { addReviews } from "#src/demo/reviews.ts";
import { noRows, writeRows } from "#src/demo/rows.ts";
import { addSites } from "#src/demo/sites.ts";
import { addGrants, addSpaces } from "#src/demo/spaces.ts";

/**
 * Writes the demo in one transaction, whole or not at all, and returns a token of its admin: the only time that it is told.
 * Content and dates are the same every time, but for ids, the token and the day on which the deleted space was deleted.
 * Refused by the database (and nothing written) when the demo is there already.
 */
export async function seedDemo(database: Database): Promise<{ token: string }> {
  const rows = noRows();
  const { people, token } = addPeople(rows);
  const organizations = addOrganizations(rows);
  addMembers(rows, people, organizations);
  const teams = addTeams(rows, people, organizations);
  const tree = addCollections(rows, organizations);
  const spaces = addSpaces(rows, tree);
  addGrants(rows, { organizations, people, teams, tree, spaces });
  const contents = new Contents();
  const pages = await addHistories(rows, { people, spaces, contents });
  addReviews(rows, people, spaces);
  addComments(rows, { people, spaces, contents, pages });
  const sites = addSites(rows, { organizations, people, spaces });
  await database.prisma.$transaction(
    async (transaction) => {
      await contents.store(transaction);
      await writeRows(transaction, rows);
      const { organization } = transaction;
      await organization.update({ where: { id: organizations.harbour }, data: { defaultSiteId: sites.docs } });
      await organization.update({ where: { id: organizations.opentide }, data: { defaultSpaceId: spaces.manual.id } });
    },
    { timeout: 30_000 },
  );
  return { token };
}
