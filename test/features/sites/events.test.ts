// Every kind of event of sites, by its operation: facts, audience, and the end of a stream.
import { expect, test } from "vitest";
import { addMember } from "#test/features/members/factory.ts";
import { systemClock } from "#src/base/time.ts";
import { checkHostnames } from "#src/features/sites/commands/hostname.ts";
import { purgeDeletedSpaces } from "#src/features/spaces/jobs.ts";
import { addIntegration } from "#test/features/integrations/factory.ts";
import { addSection, addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { faultsOf, faultsOfDefaults, rowsOn, shownSite } from "#test/features/sites/standing.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { done, kindsOf, listen } from "#test/live/kinds.ts";
import { openKnown } from "#test/live/raw-socket.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

async function makeScene() {
  const scene = await world.organization();
  const organizationId = scene.organization.id;
  const [guide, reference] = await world.insert((rows) => [
    addSpace(rows, { organizationId, title: "Guide" }).id,
    addSpace(rows, { organizationId, title: "Reference" }).id,
  ]);
  const does = <Answer>(name: string, input: Record<string, unknown>, selection = "__typename") =>
    done<Answer>(app, scene.admin.token, name, { answer: selection, ...input });
  return { ...scene, organizationId, guide, reference, does };
}

type Row<Name extends string> = Record<Name, { readonly id: string }>;

test("every kind of site event is sent with its facts to a subscriber of the organization", async () => {
  const { admin, organizationId, guide, reference, does } = await makeScene();
  const stream = await listen(app, admin, `siteEvents(of: { organizationId: "${organizationId}" })`);
  const event = (__typename: string, facts: object) => ({ __typename, facts });
  const { site } = await stream.delivers(
    does<Row<"site">>("createSite", { organizationId, title: "Docs", spaces: { spaceIds: [guide] } }, "site { id }"),
    event("SiteCreated", { title: "Docs", spaceIds: [guide] }),
  );
  const siteId = site.id;
  await stream.delivers(
    does("updateSite", { siteId, title: "Manual", visibility: "SHARE_LINK", proxy: "example.com/docs" }, "site { id }"),
    event("SiteSettingsChanged", {
      siteId,
      changes: [
        { field: "title", before: "Docs", after: "Manual" },
        { field: "visibility", before: "PUBLIC", after: "SHARE_LINK" },
        { field: "proxy.origin", before: null, after: "example.com" },
        { field: "proxy.target", before: null, after: "/docs" },
      ],
    }),
  );
  await stream.delivers(
    does("updateSiteCustomization", { siteId, font: "SERIF" }),
    event("SiteCustomizationChanged", {
      siteId,
      changes: [{ field: "customization.font", before: null, after: "SERIF" }],
    }),
  );
  await stream.delivers(does("publishSite", { siteId }, "site { id }"), event("SitePublished", { siteId }));
  await does("publishSite", { siteId }, "site { id }");
  await stream.delivers(does("unpublishSite", { siteId }, "site { id }"), event("SiteUnpublished", { siteId }));
  await stream.delivers(does("rotateSiteShareKey", { siteId }), event("SiteShareKeyRotated", { siteId }));
  await stream.delivers(
    does("rotateSiteSigningKey", { siteId, overlapSeconds: 60 }),
    event("SiteSigningKeyRotated", { siteId, overlapSeconds: 60 }),
  );
  const { id: signingKeyId } = await app.database.prisma.siteSigningKey.findFirstOrThrow({ where: { siteId } });
  await stream.delivers(
    does("endSiteSigningKey", { siteId, signingKeyId }),
    event("SiteSigningKeyEnded", { siteId, signingKeyId }),
  );
  const { site: claiming } = await stream.delivers(
    does<{ site: { hostnameClaim: { record: { value: string } } } }>(
      "updateSite",
      { siteId, hostname: "manual.example.com" },
      "site { hostnameClaim { record { value } } }",
    ),
    event("SiteSettingsChanged", {
      changes: [{ field: "hostnameClaim.hostname", before: null, after: "manual.example.com" }],
    }),
  );
  const readTxtRecords = () => Promise.resolve([claiming.hostnameClaim.record.value]);
  await stream.delivers(checkHostnames({ database: app.database, clock: systemClock, readTxtRecords }), {
    ...event("SiteHostnameStateChanged", { siteId, hostname: "manual.example.com", state: "VERIFIED" }),
    actor: null,
  });
  const { siteSection } = await stream.delivers(
    does<Row<"siteSection">>("createSiteSection", { siteId, spaceId: reference }, "siteSection { id }"),
    event("SiteSectionCreated", { siteId, title: "Manual", path: "manual" }),
    event("SiteSectionCreated", { siteId, title: "Reference", path: "reference" }),
  );
  const siteSectionId = siteSection.id;
  const { siteSectionGroup } = await stream.delivers(
    does<Row<"siteSectionGroup">>("createSiteSectionGroup", { siteId, title: "More" }, "siteSectionGroup { id }"),
    event("SiteSectionGroupCreated", { siteId, title: "More" }),
  );
  const siteSectionGroupId = siteSectionGroup.id;
  await stream.delivers(
    does("addSectionToGroup", { siteSectionGroupId, siteSectionId }, "siteSectionGroup { id }"),
    event("SiteSectionMoved", {
      siteSectionId,
      fromSiteSectionGroupId: null,
      toSiteSectionGroupId: siteSectionGroupId,
    }),
  );
  await does("addSectionToGroup", { siteSectionGroupId, siteSectionId }, "siteSectionGroup { id }");
  await stream.delivers(
    does("updateSiteSectionGroup", { siteSectionGroupId, title: "Others" }, "siteSectionGroup { id }"),
    event("SiteSectionGroupSettingsChanged", { changes: [{ field: "title", before: "More", after: "Others" }] }),
  );
  await stream.delivers(
    does("updateSiteSection", { siteSectionId, path: "ref", condition: "true" }, "siteSection { id }"),
    event("SiteSectionSettingsChanged", {
      siteSectionId,
      changes: [
        { field: "path", before: "reference", after: "ref" },
        { field: "condition", before: null, after: "true" },
      ],
    }),
  );
  const { siteSpace } = await stream.delivers(
    does<Row<"siteSpace">>("createSiteSpace", { siteId, siteSectionId, spaceId: guide }, "siteSpace { id }"),
    event("SiteSpaceCreated", { title: "Guide", spaceId: guide, siteSectionId }),
  );
  const siteSpaceId = siteSpace.id;
  await stream.delivers(
    does("updateSiteSpace", { siteSpaceId, spaceId: reference }, "siteSpace { id }"),
    event("SiteSpaceSettingsChanged", {
      changes: [
        { field: "title", before: "Guide", after: "Reference" },
        { field: "spaceId", before: guide, after: reference },
      ],
    }),
  );
  const shown = await does<{
    site: { sections: { nodes: { id: string; siteSpaces: { nodes: { id: string }[] } }[] } };
  }>(
    "updateSite",
    { siteId, defaultSiteSectionId: siteSectionId },
    "site { sections { nodes { id siteSpaces { nodes { id } } } } }",
  );
  const [first, second] = shown.site.sections.nodes;
  await stream.delivers(
    Promise.resolve(),
    event("SiteSettingsChanged", {
      changes: [
        { field: "defaultSectionId", before: first?.id, after: siteSectionId },
        { field: "defaultSiteSpaceId", before: first?.siteSpaces.nodes[0]?.id, after: second?.siteSpaces.nodes[0]?.id },
      ],
    }),
  );
  await stream.delivers(
    does(
      "moveSiteSpace",
      { siteSpaceId, place: { afterSiteSpaceId: first?.siteSpaces.nodes[0]?.id } },
      "siteSpace { id }",
    ),
    event("SiteSpaceMoved", { siteSpaceId, fromSiteSectionId: siteSectionId, toSiteSectionId: first?.id }),
  );
  await stream.delivers(
    does(
      "moveSiteSectionGroup",
      { siteSectionGroupId, place: { beforeSiteSectionId: first?.id } },
      "siteSectionGroup { id }",
    ),
    event("SiteSectionGroupMoved", { siteSectionGroupId }),
  );
  const order = [
    { sectionGroup: { siteSectionGroupId, sections: [{ siteSectionId: first?.id, siteSpaceIds: [siteSpaceId] }] } },
    { section: { siteSectionId, siteSpaceIds: [first, second].flatMap((one) => one?.siteSpaces.nodes[0]?.id ?? []) } },
  ];
  const sort = () =>
    does<{ site: { structureVersion: number } }>(
      "sortSiteStructure",
      { siteId, structure: order },
      "site { structureVersion }",
    );
  const { site: sorted } = await sort();
  await stream.delivers(sort(), event("SiteStructureSorted", { version: sorted.structureVersion }));
  await stream.delivers(
    does("removeSectionFromGroup", { siteSectionGroupId, siteSectionId: first?.id }, "removedId"),
    event("SiteSectionMoved", { fromSiteSectionGroupId: siteSectionGroupId, toSiteSectionGroupId: null }),
  );
  await stream.delivers(
    does("deleteSiteSectionGroup", { siteSectionGroupId }, "deletedId"),
    event("SiteSectionGroupDeleted", { siteSectionGroupId, title: "Others" }),
  );
  await stream.delivers(
    does("deleteSiteSection", { siteSectionId }, "deletedId"),
    event("SiteSectionDeleted", { siteSectionId, title: "Reference", toSiteSectionId: first?.id }),
  );
  await stream.delivers(
    does("deleteSiteSpace", { siteSpaceId }, "deletedId"),
    event("SiteSpaceDeleted", { siteSpaceId, title: "Reference", spaceId: reference }),
  );
  const { name: integrationName } = await world.insert((rows) => addIntegration(rows, { organizationId }));
  const installing = { organizationId, integrationName, siteSelection: "SELECTED" };
  const { installation } = await does<Row<"installation">>("installIntegration", installing, "installation { id }");
  const installationId = installation.id;
  const { integrationSite } = await stream.delivers(
    does<Row<"integrationSite">>("installIntegrationOnSite", { installationId, siteId }, "integrationSite { id }"),
    event("IntegrationInstalledOnSite", { installationId, siteId }),
  );
  const integrationSiteId = integrationSite.id;
  await stream.delivers(
    does("updateIntegrationSite", { integrationSiteId, externalIds: ["docs"] }),
    event("IntegrationSiteSettingsChanged", {
      integrationSiteId,
      changes: [{ field: "externalIds", before: [], after: ["docs"] }],
    }),
  );
  await stream.delivers(
    does("uninstallIntegrationFromSite", { integrationSiteId }, "deletedId"),
    event("IntegrationUninstalledFromSite", { integrationSiteId, installationId, siteId }),
  );
  await stream.delivers(does("deleteSite", { siteId }, "deletedId"), event("SiteDeleted", { siteId, title: "Manual" }));
  expect(await stream.end(30)).toEqual(kindsOf("siteEvents"));
});

test("a subscriber of one site receives no events of other sites, and none after it is deleted", async () => {
  const { reader, guest, organizationId, does } = await makeScene();
  const [one, other] = await world.insert((rows) => [
    addSite(rows, { organizationId, published: false }).id,
    addSite(rows, { organizationId, published: false }).id,
  ]);
  const stream = await listen(app, reader, `siteEvents(of: { siteId: "${one}" })`);
  const actor = expect.anything() as object;
  await does("updateSite", { siteId: other, title: "Renamed" }, "site { id }");
  await stream.delivers(does("updateSite", { siteId: one, title: "Renamed" }, "site { id }"), {
    __typename: "SiteSettingsChanged",
    actor,
    facts: { siteId: one },
  });
  await does("publishSite", { siteId: other }, "site { id }");
  await stream.delivers(does("deleteSite", { siteId: one }, "deletedId"), { __typename: "SiteDeleted", actor });
  expect(await stream.raw.receive()).toMatchObject({ type: "error", payload: [{ extensions: { code: "NOT_FOUND" } }] });
  // The guest sees the site, which is public, and is not a member.
  const raw = await openKnown(app.url, guest.token);
  raw.send({
    id: "1",
    type: "subscribe",
    payload: { query: `subscription { siteEvents(of: { siteId: "${other}" }) { __typename } }` },
  });
  expect(await raw.receive()).toMatchObject({ payload: { errors: [{ extensions: { code: "FORBIDDEN" } }] } });
  raw.socket.close();
});

test("purged spaces leave their sites with an event, and another first space becomes the default", async () => {
  const { admin, organizationId, reference } = await makeScene();
  const deletedAt = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
  const { deleted, ...made } = await world.insert((rows) => {
    const [goneId, restorable] = [deletedAt, new Date()].map(
      (at) => addSpace(rows, { organizationId, deletedAt: at }).id,
    );
    const siteId = addSite(rows, { organizationId }).id;
    const [sectionId, emptied] = [addSection(rows, { siteId }).id, addSection(rows, { siteId }).id];
    const place = (spaceId = "", isDefault = false, section = sectionId) =>
      addSiteSpace(rows, { siteId, spaceId, sectionId: section, isDefault, title: "Gone" }).id;
    const kept = [place(restorable), place(reference)];
    place(goneId, true);
    place(goneId, true, emptied);
    return { siteId, kept, deleted: goneId };
  });
  const stream = await listen(app, admin, `siteEvents(of: { siteId: "${made.siteId}" })`);
  const facts = { siteId: made.siteId, title: "Gone", spaceId: deleted };
  const event = { __typename: "SiteSpaceDeleted", actor: null, facts };
  await stream.delivers(purgeDeletedSpaces(app.database, systemClock), event, event);
  expect(await stream.end(2)).toEqual(["SiteSpaceDeleted"]);
  const site = await shownSite(app, admin.token, made.siteId);
  expect([faultsOfDefaults(site), faultsOf(await rowsOn(app, made.siteId))]).toEqual([[], []]);
  expect(site).toMatchObject({ structureVersion: 1, siteSpaceCount: 2, defaultSiteSpace: { id: made.kept[0] } });
});

test("a space that leaves the organization leaves its sites with an event", async () => {
  const { admin, organizationId, guide, elsewhere, does } = await makeScene();
  const siteId = await world.insert((rows) => {
    addMember(rows, { organizationId: elsewhere.id, userId: admin.id, role: "admin" });
    const { id } = addSite(rows, { organizationId });
    for (const path of ["one", "two"]) addSiteSpace(rows, { siteId: id, spaceId: guide, path, title: "Guide" });
    return id;
  });
  const stream = await listen(app, admin, `siteEvents(of: { siteId: "${siteId}" })`);
  const deleted = { __typename: "SiteSpaceDeleted", actor: null, facts: { title: "Guide", spaceId: guide } };
  await stream.delivers(does("transferSpace", { spaceId: guide, organizationId: elsewhere.id }), deleted, deleted);
  await stream.end(2);
  expect(
    await app
      .as(admin.token)
      .query(`{ site(id: "${siteId}") { structureVersion siteSpaceCount defaultSiteSpace { id } } }`),
  ).toEqual({ site: { structureVersion: 1, siteSpaceCount: 0, defaultSiteSpace: null } });
});
