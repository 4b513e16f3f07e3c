// Who sees an invitation: admins of its organization, and who it is for. Nobody is taken at their word for an address
// that single sign-on alone has named.
import { expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { addInvitation } from "#test/features/invitations/factory.ts";
import { addPerson } from "#test/features/members/factory.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const list = (id: string) => `{ organization(id: "${id}") { invitations { totalCount } } }`;
const node = (id: string) => `{ node(id: "${id}") { id } invitations { nodes { id } } }`;
const accept = `mutation ($id: ID!) { acceptInvitation(input: { invitationId: $id }) { organization { id } } }`;
const decline = `mutation ($id: ID!) { declineInvitation(input: { invitationId: $id }) { deletedId } }`;

test("only admins list them; the node is seen by them and by who it is for", async () => {
  const { organization, people } = await world.organization();
  const newcomer = await world.insert((rows) => addPerson(rows));
  const { id } = await world.insert((rows) =>
    addInvitation(rows, { organizationId: organization.id, email: newcomer.email }),
  );
  for (const [name, { token }] of Object.entries(people)) {
    const client = app.as(token);
    const { errors } = await client.graphql(list(organization.id));
    const outside = name === "disabled" || name === "outsider" ? "NOT_FOUND" : "FORBIDDEN";
    expect(errors?.[0]?.extensions.code, name).toBe(name === "admin" ? undefined : outside);
    const seen = { node: name === "admin" ? { id } : null, invitations: { nodes: [] } };
    expect(await client.query(node(id)), name).toEqual(seen);
    expect(await client.refusal(accept, { id }), name).toBe("NOT_FOUND");
    expect(await client.query(decline, { id }), name).toEqual({ declineInvitation: { deletedId: null } });
  }
  expect(await app.as(newcomer.token).query(node(id))).toEqual({ node: { id }, invitations: { nodes: [{ id }] } });
});

test("sessions by single sign-on, and tokens of one organization or for reading, answer no invitation", async () => {
  const { organization, elsewhere, reader } = await world.organization();
  const { invitation, onlyIn, reading } = await world.insert((rows) => ({
    invitation: addInvitation(rows, { organizationId: elsewhere.id, email: reader.email, role: "read" }),
    onlyIn: addToken(rows, { userId: reader.id, organizationId: organization.id }),
    reading: addToken(rows, { userId: reader.id, scope: "read" }),
  }));
  const { id } = invitation;
  const nothing = { node: null, invitations: { nodes: [] } };
  expect(await app.as(onlyIn.token).query(node(id))).toEqual(nothing);
  expect(await app.as(onlyIn.token).refusal(accept, { id })).toBe("FORBIDDEN");
  expect(await app.as(reading.token).refusal(decline, { id })).toBe("FORBIDDEN");
  const { cookie } = await signIn(app, { userId: reader.id, way: "saml", organizationId: organization.id });
  const bySession = await fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-docgraph-csrf": "1", cookie },
    body: JSON.stringify({ query: node(id) }),
  });
  expect(await bySession.json()).toMatchObject({ data: nothing });
  await app.as(reader.token).query(accept, { id });
});

test("an invitation that is not there answers as one of somebody else", async () => {
  const { organization, outsider } = await world.organization();
  const { id } = await world.insert((rows) => addInvitation(rows, { organizationId: organization.id }));
  const refusalOf = async (one: string) => (await app.as(outsider.token).graphql(accept, { id: one })).errors;
  expect(await refusalOf(id)).toEqual(await refusalOf(newId("Invitation")));
});
