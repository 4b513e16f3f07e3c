// Random changes to an installation and to its spaces and sites, also concurrent ones: it is always on all spaces and
// sites that it should be, its status matches its configuration, and events report every change. At the small
// size one run of concurrent ones.
import fc from "fast-check";
import { expect, test } from "vitest";
import { configurations, type Installation, useInstallations } from "#test/features/integrations/installing.ts";
import { runs } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const { app, scene } = await useInstallations();
type Scene = Awaited<ReturnType<typeof scene>>;

const nat = fc.nat({ max: 9 });
const selection = fc.constantFrom("ALL", "SELECTED");
const aStep = fc.oneof(
  fc.record({ does: fc.constant("install"), spaceSelection: selection, siteSelection: selection }),
  fc.record({ does: fc.constant("configure"), apiUrl: fc.option(fc.constantFrom("a", "b")) }),
  fc.record({ does: fc.constant("select"), spaceSelection: selection, siteSelection: selection }),
  ...["newSpace", "newSite", "pause", "resume", "uninstall"].map((does) => fc.record({ does: fc.constant(does) })),
  ...["deleteSpace", "restoreSpace", "deleteSite", "putOn", "takeOff", "configureSpace"].map((does) =>
    fc.record({ does: fc.constant(does), which: nat }),
  ),
);
type Step = Partial<Record<string, unknown>> & { readonly does: string; readonly which?: number };

/** The state that the test expects. */
interface Ground {
  readonly spaceIds: string[];
  readonly siteIds: string[];
  installationId: string;
}

const pick = <One>(from: readonly One[], which = 0): One | undefined => from[which % Math.max(1, from.length)];

/** The mutation and input of a step; null for one without a target. */
function mutationOf(step: Step, { organizationId, installed }: Scene, ground: Ground, now: Installation | null) {
  const { does, which, ...input } = step;
  const { installationId, spaceIds, siteIds } = ground;
  const onSpace = pick(now?.spaces.nodes ?? [], which)?.id;
  const integrationSpaceId = onSpace ?? "isp_none";
  const { apiUrl } = input;
  const choices: Readonly<Record<string, readonly [mutation: string, input: object]>> = {
    install: ["installIntegration", { ...installed, ...input }],
    configure: ["updateInstallation", { installationId, configuration: apiUrl == null ? {} : { apiUrl } }],
    select: ["updateInstallation", { installationId, ...input }],
    newSpace: ["createSpace", { organizationId }],
    newSite: ["createSite", { organizationId }],
    pause: ["pauseInstallation", { installationId }],
    resume: ["resumeInstallation", { installationId }],
    uninstall: ["uninstallIntegration", { installationId }],
    deleteSpace: ["deleteSpace", { spaceId: pick(spaceIds, which) ?? "spc_none" }],
    restoreSpace: ["restoreSpace", { spaceId: pick(spaceIds, which) ?? "spc_none" }],
    deleteSite: ["deleteSite", { siteId: pick(siteIds, which) ?? "sit_none" }],
    putOn: ["installIntegrationOnSpace", { installationId, spaceId: pick(spaceIds, which) ?? "spc_none" }],
    takeOff: ["uninstallIntegrationFromSpace", { integrationSpaceId }],
    configureSpace: ["updateIntegrationSpace", { integrationSpaceId, configuration: { board: `${which}` } }],
  };
  return choices[does] ?? (["", {}] as const);
}

const made: Readonly<Record<string, string>> = {
  installIntegration: "installation { id }",
  createSpace: "space { id }",
  createSite: "site { id }",
};

/** Runs a step, and returns the code of its refusal, or `done`. */
async function take(step: Step, scene: Scene, ground: Ground, now: Installation | null): Promise<string> {
  const [mutation, input] = mutationOf(step, scene, ground, now);
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  const document = `mutation ($input: ${type}!) { done: ${mutation}(input: $input) { ${made[mutation] ?? "__typename"} } }`;
  const { data, errors } = await app
    .as(scene.admin.token)
    .graphql<{ done: Record<string, { id: string }> }>(document, { input });
  if (errors) return errors[0]?.extensions.code ?? "";
  const { installation, space, site } = data?.done ?? {};
  if (installation) ground.installationId = installation.id;
  if (space) ground.spaceIds.push(space.id);
  if (site) ground.siteIds.push(site.id);
  return "done";
}

interface Rows {
  readonly installations: { id: string; status: string; complete: boolean; on_spaces: boolean; on_sites: boolean }[];
  readonly places: { id: string; of: string; row: string | null; status: string; complete: boolean }[];
}

/** The installations in the organization, and all of its spaces and sites with their rows. */
async function rowsOf({ organizationId }: Scene): Promise<Rows> {
  const read = async (statement: string) => (await app.database.pool.query(statement, [organizationId])).rows as never;
  const places = (of: string, table: string, column: string, complete: string) => `
    select x.id, '${of}' as of, r.id as row, r.status, ${complete} as complete from "${of}" x
    left join "IntegrationInstallation" i on i."organizationId" = x."organizationId"
    left join "${table}" r on r."installationId" = i.id and r."${column}" = x.id where x."organizationId" = $1`;
  return {
    installations: await read(`select id, status, configuration::jsonb ? 'apiUrl' as complete,
      "spaceSelection" = 'all' as on_spaces, "siteSelection" = 'all' as on_sites
      from "IntegrationInstallation" where "organizationId" = $1`),
    places: await read(
      `${places("Space", "IntegrationSpace", "spaceId", "r.configuration::jsonb ? 'board'")} union all ${places("Site", "IntegrationSite", "siteId", "true")}`,
    ),
  };
}

/** The invariants of the rows and of the events about them. */
async function expectSound(scene: Scene): Promise<void> {
  const { installations, places } = await rowsOf(scene);
  expect(installations.length).toBeLessThanOrEqual(1);
  const [installation] = installations;
  if (!installation) return expect(places.filter(({ row }) => row !== null)).toEqual([]);
  const { status, complete } = installation;
  if (status !== "paused") expect(status).toBe(complete ? "active" : "pending");
  const isOnAll = { Space: installation.on_spaces, Site: installation.on_sites } as Record<string, boolean>;
  expect(places.filter(({ of, row }) => isOnAll[of] && row === null)).toEqual([]);
  for (const { id, row, status, complete } of places) {
    if (row === null) continue;
    expect([id, status]).toEqual([id, complete ? "active" : "pending"]);
    const setUps = (await app.eventsOf(row)).filter(({ type }) => type.endsWith(".setUp"));
    expect(setUps.at(-1)?.payload).toMatchObject({ status });
  }
  const setUps = (await app.eventsOf(installation.id)).filter(({ type }) => type.endsWith(".setUp"));
  const statuses = setUps.map(({ payload }) => payload as { status: string; previous: { status: string } | null });
  expect(statuses.at(-1)?.status).toBe(status);
  // Each begins where the one before ended.
  expect(statuses.map(({ previous }) => previous?.status ?? null)).toEqual([
    null,
    ...statuses.slice(0, -1).map((one) => one.status),
  ]);
}

const expectable = ["done", "CONFLICT", "NOT_FOUND"];

test("random changes of installations keep rows and events consistent one after another", async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 25, maxLength: 25 }), async (steps) => {
      const here = await scene({ configurations });
      const ground: Ground = { spaceIds: [], siteIds: [], installationId: "ins_none" };
      for (const step of steps as Step[]) {
        const outcome = await take(step, here, ground, await here.shown(ground.installationId));
        outcomes.add(`${step.does} ${outcome}`);
        expect(expectable).toContain(outcome);
        await expectSound(here);
      }
    }),
    { numRuns: 5, endOnFailure: true },
  );
  expect(outcomes.size).toBeGreaterThan(15);
}, 60_000);

test("random changes of installations keep rows and events consistent ten at a time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 80, maxLength: 80 }), async (steps) => {
      const here = await scene({ configurations });
      const ground: Ground = { spaceIds: [], siteIds: [], installationId: "ins_none" };
      const outcomes = new Set<string>();
      const writer = async (own: readonly Step[]) => {
        for (const step of own) outcomes.add(await take(step, here, ground, await here.shown(ground.installationId)));
      };
      await Promise.all(times(10, (number) => writer((steps as Step[]).slice(number * 8, number * 8 + 8))));
      expect([...outcomes].filter((outcome) => !expectable.includes(outcome))).toEqual([]);
      await expectSound(here);
    }),
    { numRuns: runs(2, 1), endOnFailure: true },
  );
}, 60_000);
