// Each declared event is in the audit log, or has a reason not to be; and what an admin reads there about each change
// that opens content to others or closes it.
import { expect, test } from "vitest";
import { auditedEvents } from "#src/events/declared.ts";
import { features } from "#src/features/index.ts";
import { addSection } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

/** The events that are not in the audit log, by reason, as verbs by noun. */
const unaudited: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Content: revisions record the author of each change permanently.": {
    space: "contentUpdated",
    changeRequest:
      "created opened updated statusChanged updatesPulled conflictsResolved merged contentUpdated contentImported",
    content: "imported",
    review: "requested submitted withdrawn dismissed",
    openApiSpec: "versionAdded failed",
    translation: "completed failed updated",
    glossary: "created updated deleted",
  },
  "Discussion: it gives access to nothing.": {
    comment: "created updated deleted resolved reopened reactionAdded reactionRemoved",
    commentReply: "created updated deleted reactionAdded reactionRemoved",
    mention: "created onPage",
  },
  "Progress: the start of the same work is audited, or it has no actor.": {
    import: "progressed ended",
    openApiSpec: "processed progressed",
    translation: "progressed",
    integrationInstallation: "setUp",
    integrationSpace: "setUp",
    integrationSite: "setUp",
    integrationEvent: "retried",
    organization: "pinged",
  },
  "Order and titles: they change no one's access.": {
    site: "sorted",
    siteSection: "moved",
    siteSectionGroup: "created updated moved deleted",
    user: "updated",
  },
  "Privacy: admins do not see who declined.": { invitation: "declined" },
  "Without an actor: the operation that causes it is audited.": { space: "purged", site: "hostnameChecked" },
  "The installation is audited with its selection, and these configurations may contain secrets.": {
    integrationSpace: "created updated deleted",
    integrationSite: "created updated deleted",
  },
};

test("every declared event is audited or has a reason not to be", () => {
  const declared = features.flatMap(({ events = [] }) => events).flatMap((of) => Object.values<string>(of));
  const excused = Object.values(unaudited).flatMap((nouns) =>
    Object.entries(nouns).flatMap(([noun, verbs]) => verbs.split(" ").map((verb) => `${noun}.${verb}`)),
  );
  expect(declared.filter((type) => !auditedEvents.has(type)).toSorted()).toEqual(excused.toSorted());
});

interface Log {
  readonly organization: { readonly auditLog: { readonly nodes: { type: string; facts: Record<string, unknown> }[] } };
}

test("changes that open or close content are audited with their facts and without secrets", async () => {
  const { admin, organization, space, site } = await world.site({ space: { visibility: "private" } });
  const other = await world.insert((rows) => {
    addSection(rows, { siteId: site.id });
    return addSpace(rows, { organizationId: organization.id });
  });
  const as = app.as(admin.token);
  const [on, onSite] = [`spaceId: "${space.id}"`, `siteId: "${site.id}"`];
  const signingKey = "sik_0";
  await app.database.prisma.siteSigningKey.create({
    data: { id: signingKey, siteId: site.id, secret: Buffer.from("x"), expiresAt: new Date("2999-01-01") },
  });
  const secret = "https://docs.example.com/a.md?token=very-secret#part";
  const deeds: readonly (readonly [type: string, mutation: string, input: string, facts?: object])[] = [
    ["space.updated", "updateSpace", `${on}, visibility: PUBLIC`, changeOf("visibility", "PRIVATE", "PUBLIC")],
    ["space.updated", "updateSpace", `${on}, visibility: SHARE_LINK`, changeOf("visibility", "PUBLIC", "SHARE_LINK")],
    ["space.shareKeyRotated", "rotateShareKey", on],
    ["site.updated", "updateSite", `${onSite}, visibility: SHARE_LINK`],
    ["site.shareKeyRotated", "rotateSiteShareKey", onSite],
    ["site.signingKeyRotated", "rotateSiteSigningKey", onSite],
    ["site.signingKeyEnded", "endSiteSigningKey", `${onSite}, signingKeyId: "${signingKey}"`],
    [
      "site.updated",
      "setSiteJwksUrl",
      `${onSite}, url: "https://id.example.com/jwks?key=very-secret"`,
      changeOf("visitorAuth.jwksUrl", null, "https://id.example.com/jwks?..."),
    ],
    [
      "site.customizationUpdated",
      "updateSiteCustomization",
      `${onSite}, footer: "Made by hand"`,
      changeOf("customization.footer", null, "Made by hand"),
    ],
    ["site.unpublished", "unpublishSite", onSite],
    ["site.published", "publishSite", onSite],
    ["siteSpace.created", "createSiteSpace", `${onSite}, spaceId: "${other.id}"`],
    [
      "import.started",
      "startImport",
      `contentOf: { ${on} }, url: "${secret}", source: MARKDOWN`,
      {
        url: "https://docs.example.com/a.md?...",
      },
    ],
    ["space.deleted", "deleteSpace", on],
    ["space.restored", "restoreSpace", on],
  ];
  for (const [, mutation, input] of deeds)
    await as.query(`mutation { ${mutation}(input: { ${input} }) { __typename } }`);
  const { organization: found } = await as.query<Log>(
    `{ organization(id: "${organization.id}") { auditLog(first: 100) { nodes { type facts } } } }`,
  );
  const entries = found.auditLog.nodes.toReversed();
  expect(entries.map(({ type }) => type)).toEqual(deeds.map(([type]) => type));
  for (const [index, [, , , facts]] of deeds.entries()) if (facts) expect(entries[index]?.facts).toMatchObject(facts);
  const { shareKey } = await app.database.prisma.space.findUniqueOrThrow({ where: { id: space.id } });
  const { shareKey: keyOfSite } = await app.database.prisma.site.findUniqueOrThrow({ where: { id: site.id } });
  const all = JSON.stringify(entries);
  for (const one of [shareKey, keyOfSite, "very-secret"]) {
    expect(one).toBeTruthy();
    expect(all).not.toContain(one);
  }
});

function changeOf(field: string, before: unknown, after: unknown) {
  return { changes: [{ field, before, after }] };
}
