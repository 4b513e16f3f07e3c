// Signing out at one gateway signs out at all: streams end there within a second, whichever way the session or token
// ends.
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { makeSessionToken } from "#src/access/sessions.ts";
import { PostgresWakeups } from "#src/events/wakeups.ts";
import { TestIdp } from "#test/features/saml/idp.ts";
import { setProvider } from "#test/features/saml/sign-in.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { openEventStream } from "#test/live/event-stream.ts";
import { openRaw } from "#test/live/raw-socket.ts";
import { testApp } from "#test/support/app.ts";
import { createWorld } from "#test/support/world.ts";

const log = pino({ level: "silent" });
/** Too long for polling: the gateways notify each other. */
const given = { pollMs: 3_600_000, wakeups: (url: string) => new PostgresWakeups({ url, log }) };
const here = await testApp(given);
const there = await testApp({ ...given, beside: here });
afterAll(async () => {
  await there.close();
  await here.close();
});
const world = createWorld(here.database);
const idp = new TestIdp();
const { provider, organization, editor } = await setProvider(world, idp);

const query = `subscription { organizationEvents(of: { organizationId: "${organization.id}" }) { __typename } }`;

/** The credentials of a caller: a cookie or a token. */
type Caller = { readonly cookie: string } | { readonly token: string };

/** An open stream, and its end. */
interface Open {
  readonly ending: Promise<string>;
}

/** A stream at a gateway over a WebSocket. */
async function overSocket(url: string, caller: Caller): Promise<Open> {
  const isByCookie = "cookie" in caller;
  const raw = await openRaw(url, { headers: isByCookie ? { cookie: caller.cookie, origin: url } : {} });
  raw.send({ type: "connection_init", ...(!isByCookie && { payload: { authorization: `Bearer ${caller.token}` } }) });
  await raw.receive();
  raw.send({ id: "1", type: "subscribe", payload: { query } });
  expect(JSON.stringify(await raw.receive())).toContain("Ready");
  return { ending: raw.receive().then((message) => JSON.stringify(message), String) };
}

/** The same over server-sent events. */
async function overEvents(url: string, caller: Caller): Promise<Open> {
  const proof =
    "cookie" in caller
      ? { cookie: caller.cookie, "x-docgraph-csrf": "1" }
      : { authorization: `Bearer ${caller.token}` };
  const headers = { "content-type": "application/json", ...proof };
  const stream = await openEventStream(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
  expect((await stream.next())?.data).toContain("Ready");
  return { ending: stream.next().then((event) => event?.data ?? "") };
}

/** The credentials of a user: a session by the provider with a short-lived token, and an API token. */
async function arrive() {
  const person = { userId: editor.id, way: "saml", organizationId: organization.id, providerId: provider.id } as const;
  const session = await signIn(here, { ...person, nameId: "ann", sessionIndex: "one" });
  const short = await makeSessionToken(here.database.prisma, session.id, new Date());
  const token = await world.insert((rows) => addToken(rows, { userId: editor.id }));
  return { session, short: short.token, api: token };
}
type Arrived = Awaited<ReturnType<typeof arrive>>;

const byForm = (path: string, body: URLSearchParams, headers: Record<string, string> = {}) =>
  fetch(`${here.url}${path}`, { method: "POST", body, headers, redirect: "manual" });

async function revoke({ session }: Arrived): Promise<void> {
  const mutation = `mutation { revokeSession(input: { sessionId: "${session.id}" }) { session { endedAt } } }`;
  const headers = { "content-type": "application/json", cookie: session.cookie, "x-docgraph-csrf": "1" };
  const body = JSON.stringify({ query: mutation });
  const answer = await fetch(`${here.url}/graphql`, { method: "POST", headers, body });
  expect(await answer.text()).toContain('"endedAt":"');
}

const logoutPath = `/saml/${provider.id}/logout`;

function logoutMessage(): URLSearchParams {
  const xml = `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_out" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${here.url}${logoutPath}"><saml:Issuer>${idp.entityID}</saml:Issuer><saml:NameID>ann</saml:NameID></samlp:LogoutRequest>`;
  return new URLSearchParams({ SAMLRequest: Buffer.from(idp.sign(xml, "LogoutRequest")).toString("base64") });
}

const nothing = new URLSearchParams();

/** Each way to end a session, or the token. */
const ways: Readonly<Record<string, (arrived: Arrived) => Promise<unknown>>> = {
  "revoking the session": revoke,
  "signing out": ({ session }) => byForm("/auth/sign-out", nothing, { cookie: session.cookie, "x-docgraph-csrf": "1" }),
  "single logout from here": ({ session }) => byForm(logoutPath, nothing, { cookie: session.cookie }),
  "single logout by the provider": () => byForm(logoutPath, logoutMessage()),
};

test.for(Object.entries(ways))(
  "%s ends all streams of the session at both gateways but not those of an API token",
  async ([, end]) => {
    const arrived = await arrive();
    const { session, short } = arrived;
    const streams = await Promise.all([
      overSocket(here.url, session),
      overSocket(there.url, session),
      overSocket(there.url, { token: short }),
      overEvents(there.url, session),
    ]);
    const other = await overSocket(there.url, { token: arrived.api.token });
    await end(arrived);
    for (const { ending } of streams) expect(await ending).toContain("UNAUTHENTICATED");
    expect(await Promise.race([other.ending, Promise.resolve("open")])).toBe("open");
  },
);

test("revoking a token ends its streams at both gateways but not streams of a session", async () => {
  const { session, api } = await arrive();
  const caller = { token: api.token };
  const streams = await Promise.all([
    overSocket(here.url, caller),
    overSocket(there.url, caller),
    overEvents(there.url, caller),
  ]);
  const other = await overSocket(there.url, session);
  await here.as(editor.token).query(`mutation { revokeApiToken(input: { apiTokenId: "${api.id}" }) { __typename } }`);
  for (const { ending } of streams) expect(await ending).toContain("UNAUTHENTICATED");
  expect(await Promise.race([other.ending, Promise.resolve("open")])).toBe("open");
});
