// Replays the history of a real book through the API: it has the recorded result, with conflicts where people had
// conflicts.
import { beforeAll, describe, expect, test } from "vitest";
import { type History, readHistory } from "#src/history/history-file.ts";
import { partOf, Replay } from "#test/features/change-requests/replay.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { isFullSize, someOf } from "#test/support/runs.ts";
import { bookHistory } from "#test/support/samples.ts";

const { app, world } = await useApp();

/** The small size replays the history of five pages up to their second conflict. */
const [stepsToSecondConflict, mergesBySecondConflict] = [9, 5];
const isInSmallSize = (path: string) => /^(?:ch17-03|ch20)/.test(path);

describe.skipIf(!bookHistory)("the sample book's history", () => {
  let as: Client;
  let history: History;
  let spaceId: string;

  beforeAll(async () => {
    const whole = await readHistory(bookHistory ?? "");
    history = isFullSize ? whole : partOf(whole, isInSmallSize, stepsToSecondConflict);
    const { admin, space } = await world.space();
    as = app.as(admin.token);
    spaceId = space.id;
  });

  async function mainContent(): Promise<Record<string, string>> {
    const { space } = await as.query<{ space: { content: { pages: { slug: string; markdown: string }[] } } }>(
      `{ space(id: "${spaceId}") { content { pages { slug markdown } } } }`,
    );
    return Object.fromEntries(space.content.pages.map(({ slug, markdown }) => [slug, markdown]));
  }

  test("replays to the recorded result: 61 change requests merge cleanly, 5 conflict where people had conflicts", async () => {
    const replay = new Replay(as, history, spaceId);
    const looks = new Set(someOf([...history.steps.keys()]));
    await replay.run(async (step) => {
      if (looks.has(step)) expect({ step, content: await mainContent() }).toEqual({ step, content: replay.texts });
      const outcomeOf = ({ change, outcome }: (typeof replay.merges)[number]) => ({
        change: change.subject,
        outcome,
      });
      const last = replay.merges.at(-1);
      if (last) {
        const outcome = last.change.merges === "cleanly" ? "merged" : "CONFLICT";
        expect(outcomeOf(last)).toEqual({ change: last.change.subject, outcome });
      }
      for (const settled of replay.mergesAfterwards)
        expect(outcomeOf(settled)).toEqual({ change: settled.change.subject, outcome: "merged" });
    });
    expect(await mainContent()).toEqual(replay.texts);
    if (isFullSize) expect(replay.due).toEqual(history.end);
    expect(replay.merges).toHaveLength(isFullSize ? 66 : mergesBySecondConflict);
    const clashes = [
      "PageTextConflict in ch20-02-multithreaded.md",
      "PageTextConflict in ch17-03-oo-design-patterns.md",
      "PageTextConflict in ch13-02-iterators.md",
      "PageTextConflict in ch19-06-macros.md",
      "PageTextConflict in ch12-04-testing-the-librarys-functionality.md",
    ];
    expect(replay.clashes).toEqual(isFullSize ? clashes : clashes.slice(0, 2));
  }, 120_000);
});
