// Fields of /v1 responses that the graph does not have: written equally by compiled operations and from data.
import { expect, test } from "vitest";
import { defineRestFields, restFieldOf } from "#src/rest/own-fields.ts";
import { features } from "#src/features/index.ts";
import { documentOf } from "#src/rest/endpoint.ts";
import { schema } from "#src/schema.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

/** The response of one organization, of a list, and of a mutation, which is made from data. */
async function shown(token: string, id: string): Promise<string[]> {
  const as = app.as(token);
  const one = await as.rest<Record<string, unknown>>("GET", `/v1/orgs/${id}`);
  const { items } = (await as.rest<{ items: Record<string, unknown>[] }>("GET", "/v1/orgs")).body;
  const changed = await as.rest<Record<string, unknown>>("PATCH", `/v1/orgs/${id}`, { body: {} });
  return [one.body, items.find((item) => item["id"] === id), changed.status === 200 ? changed.body : one.body].map(
    (organization) => JSON.stringify(organization),
  );
}

test("the constant plan, billing and trial of an organization are returned to admins", async () => {
  const { organization, admin } = await world.organization();
  const end =
    '"plan":"free_2024","billing":{"interval":"monthly","hasPaymentFailed":false,"isScheduledToCancel":false},"trial":{"status":"notapplicable","count":0},"mergeRules":{"type":"none"}}';
  for (const text of await shown(admin.token, organization.id)) expect(text.endsWith(end), text).toBe(true);
});

test("the billing of an organization is hidden from viewers without the right", async () => {
  const { organization, reader } = await world.organization();
  const end = '"plan":"free_2024","trial":{"status":"notapplicable","count":0},"mergeRules":{"type":"none"}}';
  for (const text of await shown(reader.token, organization.id)) expect(text.endsWith(end), text).toBe(true);
});

test("a team member has its role also in an object", async () => {
  const { organization, team, reader } = await world.organization();
  const { body } = await app
    .as(reader.token)
    .rest<{ items: object[] }>("GET", `/v1/orgs/${organization.id}/teams/${team.id}/members`);
  expect(body.items.length).toBeGreaterThan(0);
  for (const item of body.items) {
    expect(Object.keys(item)).toEqual(["organization", "team", "permissions"]);
    expect(item).toMatchObject({ team: { role: expect.stringMatching(/^(owner|member)$/) as string } });
  }
});

test("every alias of __typename in a /v1 document is a constant field", () => {
  const documents = features.flatMap(({ routes }) => routes.map((route) => documentOf(schema, route)));
  const names = new Set(documents.flatMap((text) => [...text.matchAll(/(\w+): __typename/g)].map(([, name]) => name)));
  const types = [
    "Organization",
    "Space",
    "SpaceUrls",
    "RevisionGit",
    "MergeChangeRequestPayload",
    "Review",
    "InviteLink",
    "Site",
    "SiteSpace",
    "CreateInvitationsPayload",
    "SearchedSpace",
  ];
  expect([...names].filter((name) => !types.some((type) => restFieldOf(type, name ?? "")))).toEqual([]);
  expect(names.size).toBeGreaterThan(5);
});

test("a type has each constant field once", () => {
  expect(() => defineRestFields("Organization", {})).toThrow("Organization");
});
