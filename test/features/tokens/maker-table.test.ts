// A table of every credential and the operations that it tries: each created token has access only to the
// organizations of its creator, and expires no later.
import { expect, test } from "vitest";
import type { Clock } from "#src/base/time.ts";
import { addMember, addPerson } from "#test/features/members/factory.ts";
import { addOrganization } from "#test/features/organizations/factory.ts";
import { addSamlProvider } from "#test/features/saml/factory.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { addUser } from "#test/features/users/factory.ts";
import { useApp } from "#test/support/app.ts";

const now = new Date("2026-06-01T12:00:00Z");
const days = (count: number) => new Date(now.getTime() + count * 24 * 3_600_000);
const clock: Clock = { now: () => now };
// Has its own database: sets the clock.
const { app, world } = await useApp({ own: true, clock, quotas: { tokensPerUser: 1000 } });

/** A user who is admin of one organization, and an editor in another that enforces single sign-on. */
const { person, plain, closed, service } = await world.insert((rows) => {
  const made = { person: addPerson(rows), plain: addOrganization(rows), closed: addOrganization(rows) };
  const userId = made.person.id;
  addMember(rows, { organizationId: made.plain.id, userId, role: "admin" });
  addMember(rows, { organizationId: made.closed.id, userId, role: "edit", sso: true });
  addSamlProvider(rows, { organizationId: made.closed.id, status: "active" });
  const acting = { isService: true, role: "admin", organizationId: made.plain.id } as const;
  return { ...made, service: addToken(rows, { ...acting, userId: addUser(rows, { isService: true }).id }) };
});

type Headers = Readonly<Record<string, string>>;

interface Maker {
  readonly headers: Headers;
  /** The id and expiry of a token. */
  readonly id?: string;
  readonly end?: Date | null;
}

async function byToken(given: Omit<Parameters<typeof addToken>[1], "userId">): Promise<Maker> {
  const { id, token } = await world.insert((rows) => addToken(rows, { userId: person.id, createdAt: now, ...given }));
  return { headers: { authorization: `Bearer ${token}` }, id, end: (given.expiresAt as Date | undefined) ?? null };
}

async function bySession(given: Partial<Parameters<typeof signIn>[1]>): Promise<Maker> {
  const { cookie } = await signIn(app, { userId: person.id, at: now, ...given });
  return { headers: { cookie, "x-docgraph-csrf": "1" } };
}

const exchange = ({ headers }: Maker) => fetch(`${app.url}/auth/token`, { method: "POST", headers });

async function byShortToken(): Promise<Maker> {
  const answer = (await (await exchange(await bySession({}))).json()) as { token: string };
  return { headers: { authorization: `Bearer ${answer.token}` } };
}

const makers: Readonly<Record<string, () => Promise<Maker>>> = {
  "session by e-mail": () => bySession({}),
  "session by single sign-on": () => bySession({ way: "saml", organizationId: closed.id }),
  "short token": byShortToken,
  "token without an end": () => byToken({}),
  "token with an end": () => byToken({ expiresAt: days(1) }),
  "token by e-mail": () => byToken({ madeByEmail: true }),
  "token for one organization": () => byToken({ organizationId: plain.id }),
  "token with the scope write": () => byToken({ scope: "write" }),
  "token with the scope read": () => byToken({ scope: "read" }),
  "service token": () => Promise.resolve({ headers: { authorization: `Bearer ${service.token}` }, id: service.id }),
};

interface Answer {
  readonly data?: Record<string, { token?: string; apiToken?: { id: string } }> | null;
  readonly errors?: { readonly extensions: { readonly code: string } }[];
}

async function ask({ headers }: Pick<Maker, "headers">, query: string, variables: object = {}): Promise<Answer> {
  const body = JSON.stringify({ query, variables });
  const sent = { "content-type": "application/json", ...headers };
  return (await (await fetch(`${app.url}/graphql`, { method: "POST", headers: sent, body })).json()) as Answer;
}

async function organizationsOf(maker: Pick<Maker, "headers">): Promise<string[]> {
  const answer = (await ask(maker, "{ organizations { nodes { id } } }")) as unknown as {
    data?: { organizations: { nodes: { id: string }[] } };
  };
  if (!answer.data) throw new Error(JSON.stringify(answer));
  return answer.data.organizations.nodes.map(({ id }) => id);
}

const create = `mutation ($input: CreateApiTokenInput!) { made: createApiToken(input: $input) { token apiToken { id } } }`;
const createService = `mutation ($input: CreateServiceTokenInput!) { made: createServiceToken(input: $input) { token apiToken { id } } }`;
const rotate = `mutation ($id: ID!) { made: rotateApiToken(input: { apiTokenId: $id }) { token apiToken { id } } }`;
const link = `mutation ($input: CreateInviteLinkInput!) { createInviteLink(input: $input) { inviteLink { id } } }`;
const rename = `mutation { updateViewer(input: { displayName: "Ann" }) { viewer { id } } }`;

const rotating = async (maker: Maker, given: Parameters<typeof byToken>[0]) =>
  ask(maker, rotate, { id: (await byToken(given)).id });

/** The operations that each credential tries, on separate rows. */
const attempts: Readonly<Record<string, (maker: Maker) => Promise<Answer>>> = {
  create: (maker) => ask(maker, create, { input: { name: "made" } }),
  "create for closed": (maker) => ask(maker, create, { input: { name: "made", organizationId: closed.id } }),
  "rotate itself": (maker) => ask(maker, rotate, { id: maker.id ?? "none" }),
  "rotate without an end": (maker) => rotating(maker, {}),
  "rotate with an end": (maker) => rotating(maker, { createdAt: now, expiresAt: days(30) }),
  "rotate for plain": (maker) => rotating(maker, { organizationId: plain.id }),
  "rotate for closed": (maker) => rotating(maker, { organizationId: closed.id }),
  "create a service token": (maker) =>
    ask(maker, createService, { input: { organizationId: plain.id, name: "made", role: "ADMIN" } }),
  "rotate a service token": async (maker) => {
    const acting = { isService: true, role: "admin", organizationId: plain.id } as const;
    const userId = service.userId;
    return ask(maker, rotate, { id: (await world.insert((rows) => addToken(rows, { ...acting, userId }))).id });
  },
  "invite admins": (maker) => ask(maker, link, { input: { organizationId: plain.id, role: "ADMIN" } }),
  "invite admins for a week": (maker) =>
    ask(maker, link, { input: { organizationId: plain.id, role: "ADMIN", expiresAt: days(7) } }),
  "change the account": (maker) => ask(maker, rename),
};

/** The outcome of one attempt; a created token is compared with its creator first. */
async function outcome(maker: Maker, attempt: (maker: Maker) => Promise<Answer>): Promise<string> {
  const { data, errors } = await attempt(maker);
  if (errors) return errors[0]?.extensions.code ?? "?";
  const made = data?.["made"];
  if (made?.token !== undefined) {
    const opened = await organizationsOf({ headers: { authorization: `Bearer ${made.token}` } });
    expect(await organizationsOf(maker)).toEqual(expect.arrayContaining(opened));
    const row = await app.database.prisma.apiToken.findUniqueOrThrow({ where: { id: made.apiToken?.id ?? "" } });
    if (maker.end) expect(row.expiresAt?.getTime()).toBeLessThanOrEqual(maker.end.getTime());
  }
  return "ok";
}

const [yes, no, bad, hidden] = ["ok", "FORBIDDEN", "INVALID_INPUT", "NOT_FOUND"];

test.each([
  ["session by e-mail", [yes, hidden, hidden, no, no, yes, no, yes, yes, bad, yes, yes]],
  ["session by single sign-on", [yes, yes, hidden, hidden, hidden, hidden, yes, hidden, hidden, hidden, hidden, no]],
  ["short token", [no, no, no, no, no, no, no, no, no, bad, yes, yes]],
  ["token without an end", [yes, yes, yes, yes, yes, yes, yes, yes, yes, bad, yes, yes]],
  ["token with an end", [yes, yes, yes, no, no, no, no, yes, no, bad, bad, yes]],
  ["token by e-mail", [yes, hidden, yes, no, no, yes, no, yes, yes, bad, yes, yes]],
  ["token for one organization", [yes, hidden, yes, hidden, hidden, yes, hidden, yes, yes, bad, yes, no]],
  ["token with the scope write", [no, no, no, no, no, no, no, no, no, no, no, no]],
  ["token with the scope read", [no, no, no, no, no, no, no, no, no, no, no, no]],
  ["service token", [no, hidden, no, hidden, hidden, hidden, hidden, no, no, bad, yes, no]],
])("a %s creates only tokens and links within its own rights", async (name, expected) => {
  const outcomes: [string, string][] = [];
  for (const [what, attempt] of Object.entries(attempts)) {
    const maker = await makers[name]?.(); // a new one, since one that rotates itself ends
    if (maker) outcomes.push([what, await outcome(maker, attempt)]);
  }
  expect(outcomes).toEqual(Object.keys(attempts).map((what, index) => [what, expected[index]]));
});
