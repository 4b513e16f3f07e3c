// Abuse of rights: an admin of another organization and a user with fewer rights request objects of others.
import { isNonNullType, type GraphQLField } from "graphql";
import { ask, asks, type Check, tested, post, type Target } from "#test/live/abuse/target.ts";
import { features } from "#src/features/index.ts";
import { schema } from "#src/schema.ts";
import { permissionCasesOf } from "#test/support/access/permission-cases.ts";
import type { NamedTest } from "#test/support/named-tests.ts";

const permissionCases = await Promise.all(
  features.map(async ({ name }) => [name, await permissionCasesOf(name)] as const),
);

/** The permission or tenant tests that each feature with mutations has. */
const inEveryFeature = (group: "permissions" | "tenants"): NamedTest[] =>
  permissionCases.flatMap(([name, { length }]) => (length > 0 ? [[`features/${name}/access.test.ts`, group]] : []));

const byOutsider = (target: Target, query: string, variables: object = {}) =>
  post(target, query, { token: target.outsiderToken, variables });

/** Root query fields that require only one id. */
const rootsById = (): readonly GraphQLField<unknown, unknown>[] =>
  Object.values(schema.getQueryType()?.getFields() ?? {}).filter(({ args }) => {
    const required = args.filter(({ type }) => isNonNullType(type));
    return required.length === 1 && String(required[0]?.type) === "ID!";
  });

/** The /v1 responses to an outsider at every path below an organization or a space, with ids of existing objects. */
async function restOf(target: Target, methods: readonly string[]): Promise<readonly (readonly [string, number])[]> {
  const { paths } = JSON.parse((await ask(`${target.url}/v1/openapi.json`)).text) as { paths: Record<string, object> };
  const answers: (readonly [string, number])[] = [];
  for (const [path, operations] of Object.entries(paths)) {
    if (!/\{(?:organization|space)Id\}/.test(path)) continue;
    const filled = path
      .replace("{organizationId}", target.organizationId)
      .replace("{spaceId}", target.spaceId)
      .replaceAll(/\{[^}]*\}/g, () => target.ids[answers.length % target.ids.length] ?? "");
    for (const method of methods.filter((name) => name in operations)) {
      const headers = { authorization: `Bearer ${target.outsiderToken}`, "content-type": "application/json" };
      const body = method === "get" || method === "delete" ? {} : { body: "{}" };
      const { status } = await ask(`${target.url}/v1${filled}`, { method: method.toUpperCase(), headers, ...body });
      answers.push([`${method} ${path}`, status]);
    }
  }
  return answers;
}

const reading: readonly Check[] = [
  asks("pass", "objects of all kinds queried by id by an outsider", async (target) => {
    const { text } = await byOutsider(target, "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename } }", {
      ids: target.ids,
    });
    const { data } = JSON.parse(text) as { data: { nodes: unknown[] } | null };
    const seen = data?.nodes.filter((node) => node !== null).length ?? 0;
    return {
      holds: data?.nodes.length === target.ids.length && seen === 0,
      evidence: `${seen} of ${target.ids.length} seen`,
    };
  }),
  asks("pass", "each root query field with these ids", async (target) => {
    const fields = rootsById();
    let [answered, seen] = [0, 0];
    for (const { name, args } of fields) {
      const argument = args.find(({ type }) => isNonNullType(type))?.name ?? "";
      const asked = target.ids.map((id, index) => `found${index}: ${name}(${argument}: "${id}") { __typename }`);
      const { text } = await byOutsider(target, `{ ${asked.join(" ")} }`);
      const { data } = JSON.parse(text) as { data: Readonly<Record<string, unknown>> | null };
      answered += Object.keys(data ?? {}).length;
      seen += Object.values(data ?? {}).filter((found) => found !== null).length;
    }
    const areAll = fields.length > 3 && answered === fields.length * target.ids.length;
    return { holds: areAll && seen === 0, evidence: `${fields.length} fields, ${seen} of ${answered} seen` };
  }),
  tested("pass", "edges from public objects to private ones", [
    "access.test.ts",
    "excludes change requests and comments of a public space from counts for viewers without a role",
  ]),
  asks("pass", "all GET routes of /v1 with these ids", async (target) => {
    const answers = await restOf(target, ["get"]);
    const wrong = answers.filter(([, status]) => ![400, 403, 404].includes(status));
    return {
      holds: answers.length > 40 && wrong.length === 0,
      evidence: wrong.join("; ") || `${answers.length} operations`,
    };
  }),
  tested("pass", "earlier revisions of public content", [
    "features/content/nodes.test.ts",
    "outsiders see only the active revision",
  ]),
  tested("pass", "pages and files of others through one's own revision", [
    "tenants.test.ts",
    "fields with arguments treat ids of other tenants as missing",
  ]),
  tested("pass", "a share-link space without a key or with a wrong one", [
    "platform/visitor.test.ts",
    "share-link: anyone with the key",
  ]),
  tested(
    "pass",
    "what guests see of an organization",
    ["access.test.ts", "returns 401 without a token on every way to an object"],
    ["features/members/people.test.ts", "of others lists organizations that the viewer shares as a member"],
  ),
];

const writing: readonly Check[] = [
  asks("pass", "all writing routes of /v1 with these ids; the space still exists afterwards", async (target) => {
    const answers = await restOf(target, ["post", "put", "patch", "delete"]);
    const wrong = answers.filter(([, status]) => ![204, 400, 403, 404].includes(status));
    const { text } = await post(target, `{ space(id: "${target.spaceId}") { deletedAt } }`);
    const holds = answers.length > 40 && wrong.length === 0 && text.includes('"deletedAt":null');
    return { holds, evidence: wrong.join("; ") || `${answers.length} operations` };
  }),
  tested(
    "pass",
    "all mutations with ids of other tenants",
    ["permissions.test.ts", "every feature with mutations or routes runs its access tests"],
    ...inEveryFeature("tenants"),
  ),
  asks("pass", "a higher role for oneself", async (target) => {
    const { text: me } = await post(target, "{ viewer { id } }", { token: target.otherToken });
    const userId = /"id":"([^"]+)"/.exec(me)?.[1];
    const input = { organizationId: target.organizationId, userId, role: "ADMIN" };
    const { text } = await post(
      target,
      "mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { member { role } } }",
      {
        token: target.otherToken,
        variables: { input },
      },
    );
    return { holds: text.includes('"FORBIDDEN"'), evidence: text.slice(0, 120) };
  }),
  tested(
    "pass",
    "mutations beyond each role",
    ["flags.test.ts", "shows %s the objects and permission flags of the table"],
    ...inEveryFeature("permissions"),
  ),
  tested(
    "pass",
    "links of invitation that raise a role, or are deleted",
    ["features/invite-links/graph.test.ts", "an invite link does not change the role of a member"],
    ["features/invite-links/graph.test.ts", "unknown, expired, deleted and turned off links get the same answer"],
  ),
  asks("pass", "unknown fields of an input (mass assignment)", async (target) => {
    const query = "mutation ($input: UpdateSpaceInput!) { updateSpace(input: $input) { space { id } } }";
    const { text } = await post(target, query, {
      variables: { input: { spaceId: target.spaceId, title: "x", organizationId: "org_x" } },
    });
    const headers = { authorization: `Bearer ${target.token}`, "content-type": "application/json" };
    const body = JSON.stringify({ title: "x", organizationId: "org_x" });
    const rest = await ask(`${target.url}/v1/spaces/${target.spaceId}`, { method: "PATCH", headers, body });
    return {
      holds: text.includes("INVALID_INPUT") && rest.status === 400,
      evidence: `${text.slice(0, 80)}; ${rest.status}`,
    };
  }),
  tested("weak", "transfer of a space out of its organization by an admin through a grant", [
    "features/spaces/transfer.test.ts",
    "an admin of an item by a grant alone cannot transfer it out",
  ]),
  asks("weak", "an invitation reveals nothing about its recipient", async (target) => {
    const { text: mine } = await byOutsider(target, "{ organizations { nodes { id } } }");
    const { text: other } = await post(target, "{ viewer { id email displayName } }");
    const { data } = JSON.parse(other) as { data: { viewer: { id: string; email: string; displayName: string } } };
    const input = { organizationId: /"id":"([^"]+)"/.exec(mine)?.[1], email: data.viewer.email, role: "READ" };
    const { text } = await byOutsider(
      target,
      "mutation ($input: CreateInvitationInput!) { createInvitation(input: $input) { invitation { id email } } }",
      { input },
    );
    const { text: seen } = await post(target, "{ organizations { nodes { id } } }");
    const holds =
      !text.includes(data.viewer.displayName) &&
      !text.includes(data.viewer.id) &&
      !seen.includes(input.organizationId ?? "-");
    return { holds, evidence: text.slice(0, 140) };
  }),
];

const atOnce: readonly Check[] = [
  tested("pass", "the last admin demoted and removed concurrently", [
    "features/members/changes.test.ts",
    "can be neither lowered nor removed",
  ]),
  tested("pass", "a change request merged concurrently", [
    "features/change-requests/concurrency.test.ts",
    "of one change request merge it once, and the other gets an error",
  ]),
  tested("pass", "conflicts resolved concurrently", [
    "features/change-requests/concurrency.test.ts",
    "concurrent edits, pulls and merges lose no edit that was confirmed",
  ]),
  tested("pass", "an invite link used concurrently", [
    "features/invite-links/graph.test.ts",
    "one person using one link ten times at once joins once",
  ]),
  tested("pass", "streams about objects of others", ["live/rights.test.ts", "subscriptions are allowed"]),
  tested("pass", "rights revoked while a stream is open", [
    "live/rights.test.ts",
    "sends nothing more on any stream when %s",
  ]),
  tested("weak", "rights revoked while a mutation waits for a lock", [
    "platform/blocked-mutations.test.ts",
    "of somebody who",
  ]),
];

export const accessChecks: readonly Check[] = [...reading, ...writing, ...atOnce];
