// The cost of merging one line of one page, in contents of different sizes.
import { withContentFixture, proseOf, reworded, type ContentFixture, timeOf } from "#test/bench/content/fixture.ts";
import { median } from "#test/bench/figures.ts";
import { openChangeRequest } from "#test/features/change-requests/scene.ts";
import { editAs } from "#test/features/content/edits.ts";
import { giveLevels } from "#test/features/content/factory.ts";

/** Pages side by side on every level. */
export const siblings = 20;

const mergeDocument = `mutation ($input: MergeChangeRequestInput!) { mergeChangeRequest(input: $input) { revisionId } }`;

const cases = ["unchanged", "changed"] as const;

/** Whether another page of the main content has changed since the change request was opened. */
export type Main = (typeof cases)[number];

export interface MergeCost {
  readonly pages: number;
  readonly main: Main;
  /** Of the median merge. */
  readonly milliseconds: number;
  /** Of the merge with the fewest: background work of the gateway only adds. */
  readonly statements: number;
}

/** Merges `rounds` change requests of each kind into contents of each of these sizes, alternating between the kinds. */
export async function measureMerges(serverUrl: string, sizes: readonly number[], rounds: number): Promise<MergeCost[]> {
  const costs: MergeCost[] = [];
  for (const pages of sizes)
    costs.push(...(await withContentFixture(serverUrl, (fixture) => mergesInto(fixture, pages, rounds))));
  return costs;
}

const warmUp = 3;

async function mergesInto(fixture: ContentFixture, pages: number, rounds: number): Promise<MergeCost[]> {
  const { database, made } = fixture;
  const pageIds = await giveLevels(database, made.space.revisionId, { count: pages, siblings, textOf: proseOf });
  const results = { unchanged: [] as OneMerge[], changed: [] as OneMerge[] };
  for (let round = 0; round < warmUp + rounds; round++)
    for (const main of cases) {
      const result = await mergeOnce(fixture, pageIds, main, round);
      if (round >= warmUp) results[main].push(result);
    }
  return cases.map((main) => ({
    pages,
    main,
    milliseconds: median(results[main].map(({ milliseconds }) => milliseconds)),
    statements: Math.min(...results[main].map(({ statements }) => statements)),
  }));
}

interface OneMerge {
  readonly milliseconds: number;
  readonly statements: number;
}

async function mergeOnce(
  fixture: ContentFixture,
  pageIds: readonly string[],
  main: Main,
  round: number,
): Promise<OneMerge> {
  const { as, made } = fixture;
  const spaceId = made.space.id;
  const edit = (target: Record<string, string>, page: number) => {
    const markdown = reworded(proseOf(page), 5, `This line was written in round ${round}, main ${main}.`);
    return editAs(as, target, { updatePage: { pageId: pageIds[page], markdown } });
  };
  const page = (round * 37) % pageIds.length; // all over the tree, on each of its levels
  const changeRequestId = await openChangeRequest(as, spaceId);
  await edit({ changeRequestId }, page);
  if (main === "changed") await edit({ spaceId }, (page + pageIds.length / 2) % pageIds.length);
  let milliseconds = 0;
  const statements = await fixture.statementsOf(async () => {
    milliseconds = await timeOf(() => as.query(mergeDocument, { input: { changeRequestId } }));
  });
  return { milliseconds, statements };
}
