// Installing integrations in organizations: visibility, accepted configurations, and the pending status.
import { describe, expect, test } from "vitest";
import { configurations, useInstallations } from "#test/features/integrations/installing.ts";
import { addMember } from "#test/features/members/factory.ts";
import { times } from "#test/support/world.ts";

const { app, world, scene } = await useInstallations();

interface RestInstallation {
  readonly id: string;
  readonly urls: object;
  readonly [name: string]: unknown;
}

describe("installing an integration in /v1", async () => {
  const { integration, organizationId, admin, creator, outsider } = await scene();
  const path = `/v1/integrations/${integration.name}/installations`;
  const install = (token: string) =>
    app.as(token).rest<RestInstallation>("POST", path, { body: { organization: organizationId } });

  test("returns 201 with the installation, which is then listed, and 409 the second time", async () => {
    const { status, body } = await install(admin.token);
    expect([status, body]).toEqual([
      201,
      {
        id: body.id,
        status: "active",
        space_selection: "all",
        site_selection: "all",
        spaces: 0,
        configuration: {},
        createdAt: expect.any(String),
        updatedAt: body["createdAt"],
        urls: {
          location: app.url + path,
          app: `${app.url}/app/integrations/${integration.name}/installations/${body.id}`,
          publicEndpoint: `${app.url}/integrations/${integration.name}/${body.id}`,
          publicContentEndpoint: `${app.url}/integrations/${integration.name}/${body.id}`,
        },
        externalIds: [],
        target: { organization: organizationId },
      },
    ]);
    expect((await app.as(admin.token).rest("GET", path)).body).toEqual({ items: [body], count: 1 });
    const { configuration: _none, ...shown } = body;
    expect((await app.as(creator.token).rest("GET", path)).body).toEqual({ items: [shown], count: 1 });
    expect((await app.as(outsider.token).rest("GET", path)).body).toEqual({ items: [], count: 0 });
    expect((await install(admin.token)).status).toBe(409);
  });

  test("returns 400 for an invalid body", async () => {
    const client = app.as(admin.token);
    expect((await client.rest("POST", path, { body: {} })).status).toBe(400);
    expect((await client.rest("POST", path, { body: { organization: organizationId, status: "active" } })).status).toBe(
      400,
    );
  });
});

test("is possible for a private integration only in its own organization, also for an admin of both", async () => {
  const { install, installed, refusal, admin } = await scene({ visibility: "private" });
  const elsewhere = await world.organization();
  await world.insert((rows) =>
    addMember(rows, { organizationId: elsewhere.organization.id, userId: admin.id, role: "admin" }),
  );
  const there = { ...installed, organizationId: elsewhere.organization.id };
  expect(await refusal("installIntegration", there)).toBe("FORBIDDEN");
  expect(await install()).toMatchObject({ status: "ACTIVE" });
});

test("succeeds once of twenty concurrent requests; nineteen get CONFLICT", async () => {
  const { installed, admin } = await scene();
  const document = "mutation ($input: InstallIntegrationInput!) { installIntegration(input: $input) { __typename } }";
  const codes = await Promise.all(
    times(20, async () => {
      const { errors } = await app.as(admin.token).graphql(document, { input: installed });
      return errors?.[0]?.extensions.code ?? "done";
    }),
  );
  expect(codes.toSorted()).toEqual([...times(19, () => "CONFLICT"), "done"]);
});

describe("configuration of an installation", async () => {
  const { install, does, shown, refusal, admin, reader } = await scene({ configurations });
  const { id: installationId, ...first } = await install();
  const set = (configuration: unknown) => does("updateInstallation", { installationId, configuration });

  test("is pending until required properties are set, and has defaults", async () => {
    expect(first).toMatchObject({ status: "PENDING", configuration: { tries: 3 } });
    await set({ apiKey: "secret" });
    expect(await shown(installationId)).toMatchObject({
      status: "PENDING",
      configuration: { apiKey: "secret", tries: 3 },
    });
    await set({ apiUrl: "https://example.com", tries: 1, region: "eu", quiet: false });
    const configuration = { apiUrl: "https://example.com", tries: 1, region: "eu", quiet: false };
    expect(await shown(installationId)).toMatchObject({ status: "ACTIVE", configuration });
    await set({ quiet: true });
    expect(await shown(installationId)).toMatchObject({ status: "PENDING", configuration: { quiet: true, tries: 3 } });
  });

  test.each<[unknown, [path: string, message: string][]]>([
    [{ apiUrl: 5 }, [["configuration/apiUrl", "must be a text."]]],
    [{ tries: "5" }, [["configuration/tries", "must be a number."]]],
    [{ quiet: 1 }, [["configuration/quiet", "must be true or false."]]],
    [{ region: "secret" }, [["configuration/region", 'must be one of "eu", "us".']]],
    [{ apiUrl: null }, [["configuration/apiUrl", "must be a text."]]],
    [{ apiKey: "a\0" }, [["configuration/apiKey", "must be well-formed Unicode without NUL characters."]]],
    [{ apiKey: "s".repeat(10_001) }, [["configuration/apiKey", "must have at most 10000 characters."]]],
    [
      { "a/b": 1, constructor: "secret" },
      [
        ["configuration/a~1b", "is not declared by the integration."],
        ["configuration/constructor", "is not declared by the integration."],
      ],
    ],
    [[], [["configuration", "must be an object."]]],
    ["secret", [["configuration", "must be an object."]]],
  ])("is INVALID_INPUT for %j", async (configuration, faults) => {
    const { errors } = await app
      .as(admin.token)
      .graphql("mutation ($input: UpdateInstallationInput!) { updateInstallation(input: $input) { __typename } }", {
        input: { installationId, configuration },
      });
    const { code, details } = errors?.[0]?.extensions ?? {};
    expect([code, details]).toEqual(["INVALID_INPUT", faults.map(([path, message]) => ({ path, message }))]);
    expect(JSON.stringify(errors)).not.toContain("secret");
  });

  test("is shown only to admins", async () => {
    await set({ apiUrl: "https://example.com", apiKey: "secret" });
    const document = `{ node(id: "${installationId}") { ... on IntegrationInstallation { status configuration } } }`;
    const of = async (token: string) => (await app.as(token).query(document))["node"];
    expect(await of(reader.token)).toEqual({ status: "ACTIVE", configuration: null });
    expect(await of(admin.token)).toMatchObject({ configuration: { apiKey: "secret" } });
  });

  test("refuses null for each setting", async () => {
    for (const field of ["configuration", "externalIds", "spaceSelection", "siteSelection"])
      expect([field, await refusal("updateInstallation", { installationId, [field]: null })]).toEqual([
        field,
        "INVALID_INPUT",
      ]);
  });
});

test("the configuration of an installation decides its status after a pause; pausing twice is the same as once", async () => {
  const { install, does, shown } = await scene({ configurations });
  const { id: installationId } = await install();
  const status = async () => (await shown(installationId)).status;
  const seen = [];
  for (const [name, input] of [
    ["pauseInstallation", {}],
    ["pauseInstallation", {}],
    ["updateInstallation", { configuration: { apiUrl: "https://example.com" } }],
    ["resumeInstallation", {}],
    ["resumeInstallation", {}],
    ["pauseInstallation", {}],
    ["updateInstallation", { configuration: {} }],
    ["resumeInstallation", {}],
  ] as const) {
    await does(name, { installationId, ...input });
    seen.push(await status());
  }
  expect(seen).toEqual(["PAUSED", "PAUSED", "PAUSED", "ACTIVE", "ACTIVE", "PAUSED", "PAUSED", "PENDING"]);
});

test("an installation has unique external ids that /v1 can look up; too many or too long ones are refused", async () => {
  const { install, refusal, does, integration, admin } = await scene();
  const { id: installationId, externalIds } = await install({ externalIds: ["team-1", "team-2", "team-1"] });
  expect(externalIds).toEqual(["team-1", "team-2"]);
  const path = `/v1/integrations/${integration.name}/installations`;
  const count = async (id: string) =>
    (await app.as(admin.token).rest<{ count: number }>("GET", `${path}?externalId=${id}`)).body.count;
  expect([await count("team-2"), await count("team")]).toEqual([1, 0]);
  for (const wrong of [[""], ["x".repeat(257)], times(101, String)])
    expect(await refusal("updateInstallation", { installationId, externalIds: wrong })).toBe("INVALID_INPUT");
  await does("updateInstallation", { installationId, externalIds: [] });
  expect(await count("team-2")).toBe(0);
});

test("an uninstalled integration can be installed again, with a new id", async () => {
  const { install, does, shown, newSpace, organizationId } = await scene();
  await newSpace();
  const { id: installationId, spaces } = await install();
  const [placed] = spaces.nodes;
  const uninstall = () => does("uninstallIntegration", { installationId }, "deletedId organization { id }");
  expect(await uninstall()).toEqual({ deletedId: installationId, organization: { id: organizationId } });
  expect(await uninstall()).toEqual({ deletedId: null, organization: null });
  expect(await shown(installationId)).toBeNull();
  expect(await shown(placed?.id ?? "")).toBeNull();
  expect((await install()).id).not.toBe(installationId);
});
