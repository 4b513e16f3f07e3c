// Prepared statements of mutations: planned once a connection, except statements that write many rows.
import { expect, test } from "vitest";
import { openDatabase } from "#src/db/connection/database.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { newId } from "#src/base/ids.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp({ limits: { poolSize: 1 } });

/** The prepared statements of a pool's only connection, and the length of the longest. */
async function preparedOn({ pool }: Pick<ReturnType<typeof openDatabase>, "pool">) {
  const { rows } = await pool.query<{ statement: string }>("select statement from pg_prepared_statements");
  const statements = rows.map(({ statement }) => statement);
  const has = (start: string) => statements.filter((statement) => statement.startsWith(start)).length;
  return { has, longest: Math.max(0, ...statements.map(({ length }) => length)) };
}

test("statements of edits are prepared once each", async () => {
  const { space, editor } = await world.space();
  for (const title of ["One", "Two"])
    await editAs(
      app.as(editor.token),
      { spaceId: space.id },
      newPage(title, { markdown: `The text of ${title}` }).edit,
    );
  const { has } = await preparedOn(app.database);
  for (const start of ["with documents as", "with revision as", 'insert into "OutboxEvent"'])
    expect(has(start)).toBe(1);
});

const users = (count: number) =>
  times(count, () => {
    const id = newId("User");
    return { id, email: `${id}@example.com`, displayName: "Somebody" };
  });

test("statements that write many rows are not prepared", async () => {
  const { prisma } = app.database;
  await prisma.user.createMany({ data: users(2) });
  await prisma.user.createMany({ data: users(600) });
  const { has, longest } = await preparedOn(app.database);
  expect(has('INSERT INTO "public"."User"')).toBe(1);
  expect(longest).toBeLessThanOrEqual(10_000);
});

test("nothing is prepared if prepared statements are off", async () => {
  const database = openDatabase({ url: app.databaseUrl, poolSize: 1, isPrepared: false });
  await database.prisma.user.createMany({ data: users(2) });
  expect((await preparedOn(database)).longest).toBe(0);
  await database.close();
});
