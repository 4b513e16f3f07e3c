// The monthly quota of words: bookings when the engine answers, fails, or is used by two runs concurrently.
import { expect, test } from "vitest";
import { type Engine, EngineError } from "#src/base/translator.ts";
import { newPage } from "#test/features/content/edits.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { testEngine } from "#test/features/translations/engine.ts";
import { openDesk, runTranslations } from "#test/features/translations/running.ts";
import { useApp } from "#test/support/app.ts";

// Has its own database: the job runs everything that is due in the whole database.
const { app, world } = await useApp({ own: true });
const { prisma } = app.database;

async function bookedIn(organizationId: string): Promise<number> {
  const { _sum } = await prisma.translationWords.aggregate({ where: { organizationId }, _sum: { words: true } });
  return _sum.words ?? 0;
}

const makeDue = () => prisma.translation.updateMany({ data: { dueAt: new Date(0) } });

test("an unreachable engine books no words of the quota, and its first answer books them once", async () => {
  const { organization, space, admin } = await world.space();
  const desk = await openDesk(app, { organizationId: organization.id, spaceId: space.id, person: admin });
  await desk.edit(newPage("One two").edit);
  let isAway = true;
  const { translator } = testEngine((text) => {
    if (isAway) throw new EngineError("away");
    return text.toUpperCase();
  }, 5);
  for (const run of [1, 2, 3]) {
    await makeDue();
    await runTranslations(app, translator);
    const { status, error } = await desk.see();
    expect({ run, status, error, booked: await bookedIn(organization.id) }).toEqual({
      run,
      status: "FAILED",
      error: expect.stringMatching(/^away The next run is at \S+ \S+ UTC\.$/) as unknown,
      booked: 0,
    });
  }
  isAway = false;
  await makeDue();
  await runTranslations(app, translator);
  expect(await desk.see()).toMatchObject({ status: "COMPLETED", stats: { totalWords: 2 } });
  expect(await bookedIn(organization.id)).toBe(2);
});

test("words that one run reserves are refused to another, until the lease of that run ends", async () => {
  const { organization, space, admin } = await world.space();
  const organizationId = organization.id;
  const second = await world.insert((rows) => addSpace(rows, { organizationId }));
  const desks = [];
  for (const spaceId of [space.id, second.id]) {
    const desk = await openDesk(app, { organizationId, spaceId, person: admin });
    await desk.edit(newPage(`Two words of ${spaceId}`).edit);
    desks.push(desk);
  }
  const [slow, quick] = desks;
  if (!slow || !quick) throw new Error("There are two desks.");
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const engine: Engine = {
    name: "slow",
    async translate(texts) {
      if (texts.some((text) => text.includes(space.id))) {
        asked.resolve();
        await answer.promise;
      }
      return texts.map((text) => text.toUpperCase());
    },
  };
  const translator = { engine, wordsPerMonth: 6 };
  const due = (id: string) =>
    prisma.translation.update({ where: { id }, data: { dueAt: new Date(0), lease: null, leaseUntil: null } });
  // Its edit may become due at any time: until it is asked for, it belongs to another process.
  const elsewhere = { lease: "elsewhere", leaseUntil: new Date("2100-01-01") };
  await prisma.translation.update({ where: { id: quick.id }, data: elsewhere });
  const slowRun = runTranslations(app, translator);
  const unasked = slowRun.then(async () =>
    Promise.reject(new Error(`It ended unasked: ${JSON.stringify(await slow.see())}`)),
  );
  unasked.catch(() => {}); // where it was asked, it ends at the end of the test
  await Promise.race([asked.promise, unasked]);

  await due(quick.id);
  await runTranslations(app, translator);
  expect(await quick.see()).toMatchObject({
    status: "FAILED",
    error: expect.stringContaining("TRANSLATION_WORDS") as string,
  });
  expect(await bookedIn(organizationId)).toBe(0);

  // As if its process had been killed a minute ago; and nothing makes it due, or the two would race for the words.
  const ended = { leaseUntil: new Date(0), dueAt: null, autoUpdate: false };
  await prisma.translation.update({ where: { id: slow.id }, data: ended });
  await due(quick.id);
  await runTranslations(app, translator);
  expect(await quick.see()).toMatchObject({ status: "COMPLETED", stats: { totalWords: 4 } });
  expect(await bookedIn(organizationId)).toBe(4);
  answer.resolve();
  await slowRun;
});
