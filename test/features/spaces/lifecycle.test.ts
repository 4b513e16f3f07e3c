// The lifecycle of a space: deleted, restored within seven days, purged after them. At the small size fewer are purged
// at the same time.
import { beforeEach, describe, expect, test } from "vitest";
import { addOrganization } from "#test/features/organizations/factory.ts";
import { addGrant } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { sized } from "#test/support/runs.ts";
import { type Person, times } from "#test/support/world.ts";
import type { Clock } from "#src/base/time.ts";
import { purgeDeletedSpaces } from "#src/features/spaces/jobs.ts";

const start = new Date("2026-06-01T12:00:00Z");
const day = 24 * 60 * 60 * 1000;
let now = start;
const clock: Clock = { now: () => now };

// Has its own database: the clock decides which spaces of the whole database are removed.
const { app, world } = await useApp({ own: true, clock });
beforeEach(() => {
  now = start;
});

const remove = `mutation ($id: ID!) { deleteSpace(input: { spaceId: $id }) { deletedId } }`;
const restore = `mutation ($id: ID!) { restoreSpace(input: { spaceId: $id }) { space { id deletedAt parentId } } }`;

/** The result of an operation: its error code, or the value of the payload. */
async function outcome({ token }: Person, document: string, id: string): Promise<unknown> {
  const { data, errors } = await app
    .as(token)
    .graphql<Record<string, { deletedId?: string | null; space?: object }>>(document, { id });
  const done = data?.["deleteSpace"] ?? data?.["restoreSpace"];
  return errors?.[0]?.extensions.code ?? (done && "deletedId" in done ? done.deletedId !== null : "restored");
}

async function eventsOf(subjectId: string) {
  const events = await app.eventsOf(subjectId);
  return events.map(({ type }) => type);
}

describe("deleteSpace", () => {
  test("removes a space from every list at once; repeating it reports that it did not exist", async () => {
    const { organization, collection, space, admin } = await world.space();
    expect(await outcome(admin, remove, space.id)).toBe(true);
    expect(await outcome(admin, remove, space.id)).toBe(false);
    const as = app.as(admin.token);
    expect(await as.refusal(`{ space(id: "${space.id}") { id } }`)).toBe("NOT_FOUND");
    expect(
      await as.query(
        `{ organization(id: "${organization.id}") { spaces { totalCount } } collection(id: "${collection.id}") { spaces { totalCount } } }`,
      ),
    ).toEqual({ organization: { spaces: { totalCount: 0 } }, collection: { spaces: { totalCount: 0 } } });
    expect(await eventsOf(space.id)).toEqual(["space.deleted"]);
  });

  test("of concurrent calls reports success once", async () => {
    const { space, admin } = await world.space();
    const answers = await Promise.all(times(8, () => outcome(admin, remove, space.id)));
    expect(answers.filter((answer) => answer === true)).toHaveLength(1);
    expect(answers.filter((answer) => answer === false)).toHaveLength(7);
    expect(await eventsOf(space.id)).toEqual(["space.deleted"]);
  });
});

describe("restoreSpace", () => {
  test("returns a space to its position within seven days", async () => {
    const { organization, collection, space, admin } = await world.space();
    const next = await world.insert((rows) => addSpace(rows, { organizationId: organization.id, parent: collection }));
    await outcome(admin, remove, space.id);
    now = new Date(start.getTime() + 7 * day);
    expect(await app.as(admin.token).query(restore, { id: space.id })).toEqual({
      restoreSpace: { space: { id: space.id, deletedAt: null, parentId: collection.id } },
    });
    expect(
      await app.as(admin.token).query(`{ collection(id: "${collection.id}") { spaces { nodes { id } } } }`),
    ).toEqual({ collection: { spaces: { nodes: [{ id: space.id }, { id: next.id }] } } });
    expect(await eventsOf(space.id)).toEqual(["space.deleted", "space.restored"]);
  });

  test("is NOT_FOUND after seven days", async () => {
    const { space, admin } = await world.space();
    await outcome(admin, remove, space.id);
    now = new Date(start.getTime() + 7 * day + 1);
    expect(await outcome(admin, restore, space.id)).toBe("NOT_FOUND");
  });

  test("is CONFLICT for a space that is not deleted, for users with the right to", async () => {
    const { space, admin, reader, guest } = await world.space();
    expect(await outcome(admin, restore, space.id)).toBe("CONFLICT");
    expect(await outcome(reader, restore, space.id)).toBe("FORBIDDEN");
    expect(await outcome(guest, restore, space.id)).toBe("NOT_FOUND");
    expect(await eventsOf(space.id)).toEqual([]);
  });

  test("is allowed for admins by role, default level and grant, and NOT_FOUND for all others", async () => {
    const { organization, space, people } = await world.space({ space: { visibility: "public", deletedAt: start } });
    for (const [name, person] of Object.entries(people).filter(([who]) => who !== "admin")) {
      expect([name, await outcome(person, restore, space.id)]).toEqual([name, "NOT_FOUND"]);
    }
    await world.insert((rows) =>
      addGrant(rows, { organizationId: organization.id, spaceId: space.id, userId: people.guest.id, role: "admin" }),
    );
    expect(await outcome(people.guest, restore, space.id)).toBe("restored");
  });
});

describe("purgeDeletedSpaces", () => {
  test("purges spaces deleted more than seven days ago with their contents, and nothing else", async () => {
    const gone = await world.everything();
    const kept = await world.everything();
    const ago = (milliseconds: number) => new Date(start.getTime() - milliseconds);
    const setDeleted = (id: string, deletedAt: Date) =>
      app.database.prisma.space.update({ where: { id }, data: { deletedAt } });
    await setDeleted(gone.space.id, ago(7 * day + 1));
    await setDeleted(kept.space.id, ago(7 * day));
    await app.database.prisma.organization.update({
      where: { id: gone.organization.id },
      data: { defaultSpaceId: gone.space.id },
    });
    const said: object[] = [];
    const log = { info: (fields: object) => said.push(fields), error: (fields: object) => said.push(fields) };
    expect(await purgeDeletedSpaces(app.database, clock, { log })).toBe(1);
    expect(said).toEqual([{ spaces: 1, failed: 0 }]);
    const left = await app.database.pool.query(
      `select (select array_agg(id) from "Space" where id = any($1)) as spaces,
        (select count(*)::int from "Comment" where "spaceId" = $2) as comments,
        (select count(*)::int from "Revision" where "spaceId" = $2) as revisions,
        (select "defaultSpaceId" from "Organization" where id = $3) as content`,
      [[gone.space.id, kept.space.id], gone.space.id, gone.organization.id],
    );
    expect(left.rows).toEqual([{ spaces: [kept.space.id], comments: 0, revisions: 0, content: null }]);
    expect(await eventsOf(gone.space.id)).toEqual(["space.purged"]);
    expect(await purgeDeletedSpaces(app.database, clock)).toBe(0);
  });

  test("purges more than one batch, each space once, also concurrently", async () => {
    const organization = await world.insert((rows) => addOrganization(rows));
    const count = sized(12, 120);
    const spaces = await world.insert((rows) =>
      times(count, () =>
        addSpace(rows, { organizationId: organization.id, deletedAt: new Date(start.getTime() - 8 * day) }),
      ),
    );
    const counts = await Promise.all(times(3, () => purgeDeletedSpaces(app.database, clock)));
    const rest = await purgeDeletedSpaces(app.database, clock);
    expect(counts.reduce((sum, some) => sum + some, rest)).toBe(count);
    expect(await app.database.prisma.space.count({ where: { organizationId: organization.id } })).toBe(0);
    const events = await app.eventsIn(organization.id);
    expect(events.filter(({ type }) => type === "space.purged")).toHaveLength(spaces.length);
  });
});
