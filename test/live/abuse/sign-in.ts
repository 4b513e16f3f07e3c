// Abuse of access: tokens that create more powerful ones, links and emails requested by strangers, and limits
// that one client uses up for others. The SMTP_URL of the gateway has no server.
import { sessionCookie } from "#src/access/sessions.ts";
import { hashToken, newSecret } from "#src/access/tokens.ts";
import { newId } from "#src/base/ids.ts";
import { addInviteLink } from "#test/features/invite-links/factory.ts";
import { addMember, addPerson, addPersonIn } from "#test/features/members/factory.ts";
import { addOrganization } from "#test/features/organizations/factory.ts";
import { addSamlProvider } from "#test/features/saml/factory.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { addUser } from "#test/features/users/factory.ts";
import { type Answer, ask, asks, type Check, held, post, type Target } from "#test/live/abuse/target.ts";
import { times } from "#test/support/world.ts";

/** The error code of a response, or `done`. */
const codeOf = ({ text }: Answer): string => /"code":"(\w+)"/.exec(text)?.[1] ?? "done";

const counted = (codes: readonly string[]): string =>
  [...new Set(codes)].map((code) => `${codes.filter((one) => one === code).length} x ${code}`).join(", ");

const rotation = "mutation ($id: ID!) { rotateApiToken(input: { apiTokenId: $id }) { token apiToken { expiresAt } } }";

const rotate = (target: Target, token: string, id: string) => post(target, rotation, { token, variables: { id } });

const makers: readonly Check[] = [
  asks("fail", "an e-mail session rotates a token with access to a single sign-on organization", async (target) => {
    const secret = newSecret("dgs_");
    const old = await target.world.insert((rows) => {
      const { id: userId } = addPerson(rows);
      const organizationId = addOrganization(rows).id;
      addMember(rows, { organizationId, userId, role: "edit", sso: true });
      addSamlProvider(rows, { organizationId, status: "active" });
      const expiresAt = new Date(Date.now() + 3_600_000);
      rows.add("Session", { id: newId("Session"), userId, way: "email", hash: hashToken(secret), expiresAt });
      return addToken(rows, { userId });
    });
    const headers = { cookie: sessionCookie(secret, target.url).split(";", 1)[0] ?? "", "x-docgraph-csrf": "1" };
    const mine = await post(target, "{ apiTokens { nodes { id } } }", { token: null, headers });
    const answer = await post(target, rotation, { token: null, headers, variables: { id: old.id } });
    const isThere = mine.text.includes(old.id);
    return { holds: isThere && codeOf(answer) === "FORBIDDEN", evidence: `listed: ${isThere}, ${codeOf(answer)}` };
  }),
  asks("fail", "an expiring token rotates a permanent token and itself", async (target) => {
    const expiresAt = new Date(Date.now() + 600_000);
    const { short, endless } = await target.world.insert((rows) => {
      const { id: userId } = addPerson(rows);
      return { short: addToken(rows, { userId, expiresAt }), endless: addToken(rows, { userId }) };
    });
    const other = codeOf(await rotate(target, short.token, endless.id));
    const itself = await rotate(target, short.token, short.id);
    const holds = other === "FORBIDDEN" && itself.text.includes(`"expiresAt":"${expiresAt.toISOString()}"`);
    return { holds, evidence: `the other ${other}, itself ${/"expiresAt":[^}]*/.exec(itself.text)?.[0] ?? ""}` };
  }),
  asks(
    "weak",
    "an expiring token creates an organization token, and a service token a sign-in link",
    async (target) => {
      const expiresAt = new Date(Date.now() + 600_000);
      const made = await target.world.insert((rows) => {
        const { id: organizationId } = addOrganization(rows);
        const { id: userId } = addPersonIn(rows, { organizationId, role: "admin" });
        const acting = { organizationId, isService: true, role: "admin" } as const;
        const service = addToken(rows, { userId: addUser(rows, { isService: true }).id, ...acting });
        return { organizationId, short: addToken(rows, { userId, expiresAt }), service };
      });
      const { organizationId } = made;
      const create = `mutation { createServiceToken(input: { organizationId: "${organizationId}", name: "CI", role: ADMIN }) { apiToken { expiresAt } } }`;
      const link = `mutation { createInviteLink(input: { organizationId: "${organizationId}", role: ADMIN }) { inviteLink { id } } }`;
      const service = await post(target, create, { token: made.short.token });
      const invited = codeOf(await post(target, link, { token: made.service.token }));
      const holds = service.text.includes(expiresAt.toISOString()) && invited === "INVALID_INPUT";
      return { holds, evidence: `${service.text.slice(0, 90)}; link ${invited}` };
    },
  ),
  asks("weak", "a token with the scope write renames its user, and joins and leaves organizations", async (target) => {
    const made = await target.world.insert((rows) => {
      const { id: organizationId } = addOrganization(rows);
      const { id: userId } = addPersonIn(rows, { organizationId, role: "edit" });
      const { key } = addInviteLink(rows, { organizationId: addOrganization(rows).id });
      return { organizationId, userId, key, token: addToken(rows, { userId, scope: "write" }).token };
    });
    const { organizationId, userId, key, token } = made;
    const fields = [
      `updateViewer(input: { displayName: "Another" }) { viewer { id } }`,
      `createOrganization(input: { title: "Mine" }) { organization { id } }`,
      `useInviteLink(input: { key: "${key}" }) { organization { id } }`,
      `removeMember(input: { organizationId: "${organizationId}", userId: "${userId}" }) { deletedId }`,
    ];
    const codes = [];
    for (const field of fields) codes.push(codeOf(await post(target, `mutation { ${field} }`, { token })));
    return { holds: codes.every((code) => code === "FORBIDDEN"), evidence: counted(codes) };
  }),
];

const newcomer = (target: Target) => target.world.insert((rows) => addPerson(rows));

const strangers: readonly Check[] = [
  asks("fail", "30 organizations created by one user, also concurrently", async (target) => {
    const { token } = await newcomer(target);
    const create = `mutation { createOrganization(input: { title: "Mine" }) { organization { id } } }`;
    const codes = (await Promise.all(times(target.size(30, 22), () => post(target, create, { token })))).map(codeOf);
    const holds = codes.filter((code) => code === "done").length === 20 && codes.includes("CONFLICT");
    return { holds, evidence: counted(codes) };
  }),
  asks("fail", "spam text as the title of an organization", async (target) => {
    const { token } = await newcomer(target);
    const title = "Your bank\n\nYour account is locked: go to https://evil.example/login now";
    const create = `mutation ($title: String!) { createOrganization(input: { title: $title }) { organization { id } } }`;
    const code = codeOf(await post(target, create, { token, variables: { title } }));
    return { holds: code === "INVALID_INPUT", evidence: code };
  }),
  held(
    asks("fail", "60 emails to strangers by one user", async (target) => {
      const { organizationId, token } = await target.world.insert((rows) => {
        const { id } = addOrganization(rows);
        return { organizationId: id, token: addPersonIn(rows, { organizationId: id, role: "admin" }).token };
      });
      const invite = `mutation ($email: String!) { createInvitation(input: { organizationId: "${organizationId}", email: $email, role: READ }) { invitation { id } } }`;
      const send = (index: number) =>
        post(target, invite, { token, variables: { email: `stranger-${index}@example.com` } });
      const codes = [];
      // Five at a time, the limit of a user: more would wait and could be refused.
      for (let at = 0; at < 60; at += 5)
        codes.push(...(await Promise.all(times(5, (index) => send(at + index)))).map(codeOf));
      const holds = codes.filter((code) => code === "done").length === 50 && codes.includes("RATE_LIMITED");
      return { holds, evidence: counted(codes) };
    }),
    ["features/invitations/page.test.ts", "e-mails of an inviter and of an organization are limited per day"],
  ),
];

const askForLink = ({ url }: Target, email: string, headers: Record<string, string> = {}) =>
  ask(`${url}/sign-in`, { method: "POST", body: new URLSearchParams({ email }), headers });

const links: readonly Check[] = [
  asks("fail", "many sign-in links requested for another user, who can still sign in", async (target) => {
    const { email } = await newcomer(target);
    const answers = [];
    for (let request = 0; request < 6; request += 1) answers.push(await askForLink(target, email));
    const unlike = new Set(answers.map(({ text }) => text)).size;
    const holds = answers.every(({ status }) => status === 200) && unlike === 1;
    return { holds, evidence: `${counted(answers.map(({ status }) => String(status)))}, ${unlike} kind of answer` };
  }),
  asks("weak", "30 clients forged by X-Forwarded-For", async (target) => {
    const send = (index: number) =>
      askForLink(target, `made-up-${index}@example.com`, { "x-forwarded-for": `198.51.100.${index}` });
    const statuses = (await Promise.all(times(30, send))).map(({ status }) => String(status));
    const isWarned = target.output().includes("TRUSTED_PROXIES does not name");
    const holds = statuses.filter((status) => status === "200").length <= 20 && statuses.includes("429") && isWarned;
    return { holds, evidence: `${counted(statuses)}; warned of in the log: ${isWarned}` };
  }),
  asks("weak", "tokens and secrets of sessions and links in the output of the gateway", async ({ output }) => {
    const found = output().match(/dg[a-z]?_\w{40}/g)?.length ?? 0;
    return { holds: found === 0 && output().length > 0, evidence: `${found} in ${output().length} characters` };
  }),
];

export const signInChecks: readonly Check[] = [...makers, ...strangers, ...links];
