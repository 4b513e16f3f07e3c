// Quotas of tokens, spaces, imports and bytes of files. They also apply to concurrent requests, and errors name the
// limit.
import { describe, expect, test } from "vitest";
import { inContent } from "#test/features/content/edits.ts";
import { uploadAs, uploadDocument } from "#test/features/content/uploads.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp({
  quotas: { tokensPerUser: 4, spaces: 3, organizations: 2, invitations: 2, fileBytes: 1_000, importsPerDay: 2 },
});

/** Sends `count` mutations at once; returns the number of successes, and the errors. */
async function race(as: Client, count: number, document: string, variables?: (index: number) => object) {
  const answers = await Promise.all(
    times(count, (index) => as.graphql(document, variables?.(index) as Record<string, unknown>)),
  );
  const refusals = answers.flatMap(({ errors = [] }) => errors);
  return { done: count - refusals.length, refusals };
}

describe("API token quotas", () => {
  test("limit the valid tokens of a user; a rotated one counts until it expires", async () => {
    const { reader } = await world.organization();
    const as = app.as(reader.token); // which is the first
    const create = `mutation { createApiToken(input: { name: "One" }) { apiToken { id } } }`;
    const { done, refusals } = await race(as, 5, create);
    expect(done).toBe(3);
    expect(refusals[0]).toMatchObject({
      message: "You may have at most 4 valid tokens, and already have 4: revoke one first.",
      extensions: { code: "CONFLICT" },
    });
    const { apiTokens } = await as.query<{ apiTokens: { nodes: { id: string; name: string }[] } }>(
      `{ apiTokens { nodes { id name } } }`,
    );
    const id = apiTokens.nodes.find(({ name }) => name === "One")?.id;
    const rotate = `mutation ($id: ID!) { rotateApiToken(input: { apiTokenId: $id }) { token } }`;
    expect(await as.refusal(rotate, { id })).toBe("CONFLICT");
    await as.query(`mutation ($id: ID!) { revokeApiToken(input: { apiTokenId: $id }) { apiToken { id } } }`, { id });
    await as.query(create);
  });

  test("limit the tokens of an organization", async () => {
    const { organization, admin } = await world.organization();
    const create = `mutation { createServiceToken(input: { organizationId: "${organization.id}", name: "CI", role: READ }) { token } }`;
    const { done, refusals } = await race(app.as(admin.token), 6, create);
    expect(done).toBe(4);
    expect(refusals[0]?.message).toMatch(/^An organization may have at most 4 valid tokens/);
  });
});

test("limits the organizations created by a user, regardless of their members", async () => {
  const { reader } = await world.organization(); // somebody else's
  const as = app.as(reader.token);
  const create = `mutation { createOrganization(input: { title: "Mine" }) { organization { id } } }`;
  const { done, refusals } = await race(as, 4, create);
  expect(done).toBe(2);
  expect(refusals[0]).toMatchObject({
    message: "You may create at most 2 organizations, and have already created 2: use one of them.",
    extensions: { code: "CONFLICT" },
  });
  await app.database.prisma.organizationMember.deleteMany({ where: { userId: reader.id, role: "admin" } });
  expect(await as.refusal(create)).toBe("CONFLICT");
});

test("limits the open invitations of an organization; revoking one frees its slot", async () => {
  const { organization, admin } = await world.organization();
  const as = app.as(admin.token);
  const organizationId = organization.id;
  const create = `mutation ($email: String!) { createInvitation(input: { organizationId: "${organizationId}", email: $email }) { invitation { id } } }`;
  const { done, refusals } = await race(as, 4, create, (index) => ({ email: `q${index}@example.com` }));
  expect(done).toBe(2);
  expect(refusals[0]).toMatchObject({
    message: "An organization may have at most 2 open invitations, and has 2. Withdraw one first.",
    extensions: { code: "CONFLICT" },
  });
  const { id } = await app.database.prisma.invitation.findFirstOrThrow({ where: { organizationId } });
  const input = { organizationId, invitationId: id };
  await as.query(`mutation ($input: WithdrawInvitationInput!) { withdrawInvitation(input: $input) { deletedId } }`, {
    input,
  });
  await as.query(create, { email: "more@example.com" });
});

test("limits the spaces of an organization, also for many aliases in one request", async () => {
  const { organization, admin } = await world.organization();
  const create = `createSpace(input: { organizationId: "${organization.id}" }) { space { id } }`;
  const as = app.as(admin.token);
  const { errors } = await as.graphql(`mutation { ${times(5, (index) => `a${index}: ${create}`).join(" ")} }`);
  expect(errors?.[0]).toMatchObject({
    message: "An organization may have at most 3 spaces, and this one has 3: delete one first.",
    extensions: { code: "CONFLICT" },
  });
  expect((await race(as, 3, `mutation { ${create} }`)).done).toBe(0);
  expect(await app.database.prisma.space.count({ where: { organizationId: organization.id } })).toBe(3);
});

test("limits the total bytes of files of a space", async () => {
  const { space, editor } = await world.space();
  const as = app.as(editor.token);
  const file = (size: number, name: string) => ({
    spaceId: space.id,
    file: new File([name.padEnd(size, ".")], `${name}.txt`),
  });
  await uploadAs(as, file(600, "one"));
  const { errors } = await as.graphql(uploadDocument, { input: inContent(file(401, "two")) });
  expect(errors?.[0]).toMatchObject({
    message:
      "The files of a space may have 1,000 bytes in total. They have 600, and this upload would add 401. Delete files first.",
    extensions: { code: "STORAGE_FULL" },
  });
  await uploadAs(as, file(400, "three"));
});

test("limits the imports that a user starts in a day, regardless of their results", async () => {
  const { space, editor } = await world.space();
  const as = app.as(editor.token);
  const start = `mutation ($url: String!) { startImport(input: { contentOf: { spaceId: "${space.id}" }, url: $url, source: WEBSITE }) { import { id } } }`;
  const { done, refusals } = await race(as, 4, start, (index) => ({ url: `https://nowhere.example.com/${index}` }));
  expect(done).toBe(2);
  expect(refusals[0]).toMatchObject({
    message: "You may start 2 imports in 24 hours, and have started 2. Try again later.",
    extensions: { code: "RATE_LIMITED" },
  });
});
