// The time of an operation: who listens for its end hears once, and what would be committed after it is undone.
import { expect, test } from "vitest";
import { TimeLimit } from "#src/db/time-limit.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

test("the end is heard once, though a caller leaves after the time is over, and by those who come later", async () => {
  const limit = new TimeLimit(1);
  const heard: string[] = [];
  await limit.run(
    () =>
      new Promise<void>((resolve) => {
        limit.onEnd(({ message }) => {
          heard.push(message);
          resolve();
        });
        limit.onEnd(() => heard.push("who listens no more"))();
      }),
  );
  limit.abandon();
  expect(heard).toEqual(["There was no answer in time"]);
  const late = new Promise<Error>((resolve) => void limit.onEnd(resolve));
  limit.onEnd(() => heard.push("who listens no more"))();
  expect((await late).message).toContain("The caller is gone");
  expect(heard).toHaveLength(1);
});

test("a change is undone when its caller leaves before the commit, and the connection goes on", async () => {
  const { organization } = await world.organization();
  const { prisma } = app.database;
  const limit = new TimeLimit(60_000);
  const changing = limit.run(() =>
    prisma.$transaction(async (transaction) => {
      await transaction.organization.update({ where: { id: organization.id }, data: { title: "Undone" } });
      limit.abandon();
    }),
  );
  await expect(changing).rejects.toThrow("The time was over before the commit");
  const { title } = await prisma.organization.findUniqueOrThrow({ where: { id: organization.id } });
  expect(title).toBe(organization.title);
});
