// Random writes to a site, sequential and twenty at a time: its order stays consistent, no space is lost
// unless it is removed, each section that is not empty has one default, and conditions use only declared claims.
import fc from "fast-check";
import { expect, test } from "vitest";
import { faultsOf, faultsOfConditions, faultsOfDefaults, rowsOn, shownSite } from "#test/features/sites/standing.ts";
import { addSite } from "#test/features/sites/factory.ts";
import { aStep, documentOf, mutationOf } from "#test/features/sites/steps.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { runs } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const made = await world.organization();
const organizationId = made.organization.id;
const { token } = made.admin;
const spaceIds = await world.insert((rows) =>
  times(4, (number) => addSpace(rows, { organizationId, title: `Space ${number % 3}` }).id),
);
const newSite = () => world.insert((rows) => addSite(rows, { organizationId }).id);

async function expectSound(siteId: string) {
  const site = await shownSite(app, token, siteId);
  const faults = [...faultsOf(await rowsOn(app, siteId)), ...faultsOfDefaults(site)];
  expect([...faults, ...(await faultsOfConditions(app, siteId))]).toEqual([]);
  return site;
}

/** The number of site spaces that a mutation adds. */
const added: Readonly<Record<string, number>> = { createSiteSpace: 1, createSiteSection: 1, deleteSiteSpace: -1 };

test("random writes keep a site consistent one after another", async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 30, maxLength: 30 }), async (steps) => {
      const siteId = await newSite();
      let site = await expectSound(siteId);
      for (const step of steps) {
        const { mutation, input } = mutationOf(step, { siteId, spaceIds, site });
        const { errors } = await app.as(token).graphql(documentOf(mutation), { input });
        const outcome = errors?.map(({ extensions, message }) => `${extensions.code} ${message}`).join() ?? "done";
        outcomes.add(`${mutation} ${outcome.split(" ")[0]}`);
        expect(outcome).toMatch(/^(done|NOT_FOUND|INVALID_INPUT|CONFLICT)/);
        const before = site;
        site = await expectSound(siteId);
        if (outcome !== "done") expect(site).toEqual(before);
        else
          expect(site.siteSpaceCount - before.siteSpaceCount - (added[mutation] ?? 0)).toBe(
            before.siteSpaceCount === 0 && mutation === "deleteSiteSpace" ? 1 : 0,
          );
      }
    }),
    { numRuns: runs(5), endOnFailure: true },
  );
  expect(outcomes.size).toBeGreaterThan(15);
}, 120_000);

test("random writes keep a site consistent twenty at a time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 120, maxLength: 120 }), async (steps) => {
      const siteId = await newSite();
      for (const spaceId of spaceIds)
        await app.as(token).query(documentOf("createSiteSection"), { input: { siteId, spaceId } });
      const codes = new Set<string>();
      const writer = async (own: typeof steps) => {
        for (const step of own) {
          const site = await shownSite(app, token, siteId);
          const { mutation, input } = mutationOf(step, { siteId, spaceIds, site });
          const { errors } = await app.as(token).graphql(documentOf(mutation), { input });
          codes.add(errors?.[0]?.extensions.code ?? "done");
        }
      };
      await Promise.all(times(20, (number) => writer(steps.slice(number * 6, number * 6 + 6))));
      expect([...codes].filter((code) => !["done", "NOT_FOUND", "INVALID_INPUT", "CONFLICT"].includes(code))).toEqual(
        [],
      );
      await expectSound(siteId);
    }),
    { numRuns: 1 },
  );
}, 120_000);
