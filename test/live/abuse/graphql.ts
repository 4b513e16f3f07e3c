// Abuse of GraphQL: first the 13 checks of graphql-cop, then documents crafted to be expensive.
import { getIntrospectionQuery } from "graphql";
import { ask, byStatus, type Check, post, refused } from "#test/live/abuse/target.ts";
import { times } from "#test/support/world.ts";

const json = { "content-type": "application/json" };
const mutation = 'mutation { createApiToken(input: { name: "Made by abuse" }) { apiToken { id } } }';

const many = (count: number, text: (index: number) => string) => times(count, (index) => text(index)).join(" ");

export const graphqlChecks: readonly Check[] = [
  {
    what: "very many aliases",
    before: "weak",
    run: async (target) => refused(await post(target, `{ ${many(10_001, (index) => `a${index}: __typename`)} }`)),
  },
  {
    what: "a batch of 1,000 operations",
    before: "pass",
    run: async ({ url, token }) => {
      const body = JSON.stringify(times(1000, () => ({ query: "{ viewer { id } }" })));
      const headers = { ...json, authorization: `Bearer ${token}` };
      return byStatus(await ask(`${url}/graphql`, { method: "POST", headers, body }), 400, 413);
    },
  },
  {
    what: "a directive a thousand times",
    before: "pass",
    run: async (target) => refused(await post(target, `{ __typename ${many(1000, () => "@aa")} }`)),
  },
  {
    what: "circular introspection",
    before: "pass",
    run: async (target) => {
      const fields = "fields { name type { ".repeat(8) + "name" + " } }".repeat(8);
      return refused(await post(target, `{ __schema { types { ${fields} } } }`));
    },
  },
  {
    what: "a field 90,000 times",
    before: "pass",
    run: async (target) => refused(await post(target, `{ ${many(90_000, () => "__typename")} }`)),
  },
  {
    what: "field suggestions, with a token and in a page without one",
    before: "fail",
    run: async (target) => {
      const [known, page] = [
        await post(target, "{ viewr { id } }"),
        await ask(`${target.url}/graphql?query={viewr{id}}`, { headers: { accept: "text/html,application/json" } }),
      ];
      const holds = ![known, page].some(({ text }) => text.includes("Did you mean"));
      return { holds, evidence: `${known.text.slice(0, 70)}; page ${page.status}` };
    },
  },
  {
    what: "a mutation by GET",
    before: "pass",
    run: async ({ url, token }) =>
      byStatus(
        await ask(`${url}/graphql?query=${encodeURIComponent(mutation)}`, {
          headers: { authorization: `Bearer ${token}` },
        }),
        405,
      ),
  },
  {
    what: "a mutation as a form and as plain text",
    before: "weak",
    run: async ({ url, token }) => {
      const types = ["application/x-www-form-urlencoded", "application/graphql", "text/plain"];
      const answers = await Promise.all(
        types.map((type) =>
          ask(`${url}/graphql`, {
            method: "POST",
            headers: { "content-type": type, authorization: `Bearer ${token}` },
            body: `query=${encodeURIComponent(mutation)}`,
          }),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      return { holds: statuses.every((status) => status === 415), evidence: statuses.join(", ") };
    },
  },
  {
    what: "GraphiQL",
    before: "fail",
    run: async ({ url }) => {
      const answer = await ask(`${url}/graphql`, { headers: { accept: "text/html" } });
      const scripts = Array.from(answer.text.matchAll(/<script[^>]*src="([^"]*)"/g), ([, source]) => source);
      const holds = !scripts.some((source) => source?.includes("graphiql"));
      return { holds, evidence: `${answer.status} with the scripts ${scripts.join(", ")}` };
    },
  },
  {
    what: "introspection without a token",
    before: "pass",
    run: async (target) => byStatus(await post(target, getIntrospectionQuery(), { token: null }), 401),
  },
  {
    what: "tracing in responses",
    before: "pass",
    run: async (target) => {
      const { text } = await post(target, "{ viewer { id } }", { headers: { "x-apollo-tracing": "1" } });
      return { holds: !text.includes("extensions"), evidence: text.slice(0, 60) };
    },
  },
  {
    what: "stack overflow of the parser: lists and selections nested 4,900 deep",
    before: "weak",
    run: async (target) => {
      const [lists, levels] = [
        await post(target, `{ nodes(ids: ${"[".repeat(4900)}${"]".repeat(4900)}) { id } }`),
        await post(target, `{ ${"viewer { ".repeat(4900)} id ${" }".repeat(4900)} }`),
      ];
      const holds = refused(lists).holds && refused(levels).holds;
      return { holds, evidence: `${lists.text.slice(0, 60)}; ${levels.text.slice(0, 60)}` };
    },
  },
  {
    what: "a query by GET without a token",
    before: "pass",
    run: async ({ url }) => byStatus(await ask(`${url}/graphql?query={viewer{id}}`), 401),
  },
  {
    what: "more than 10,000 tokens",
    before: "fail",
    run: async (target) => refused(await post(target, `{ ${many(3_400, (index) => `a${index}: viewer { id }`)} }`)),
  },
  {
    what: "20 refused documents of 0.9 MB each",
    before: "fail",
    run: async (target) => {
      for (let index = 0; index < target.size(20); index++) await post(target, `{ y${index} ${"x ".repeat(440_000)} }`);
      const { status } = await ask(`${target.url}/healthz`);
      return { holds: status === 200, evidence: `/healthz answers ${status} afterwards` };
    },
  },
  {
    what: "cyclic fragments, and exponentially nested ones",
    before: "pass",
    run: async (target) => {
      const cycle = await post(target, "{ viewer { ...a } } fragment a on User { ...b } fragment b on User { ...a }");
      const doubling = many(30, (index) => `fragment f${index} on User { ...f${index + 1} ...f${index + 1} }`);
      const bomb = await post(target, `{ viewer { ...f0 } } ${doubling} fragment f30 on User { id }`);
      return { holds: refused(cycle).holds && refused(bomb).holds, evidence: bomb.text.slice(0, 90) };
    },
  },
  {
    what: "300 levels of existing fields",
    before: "weak",
    run: async (target) => {
      const levels = "organization { spaces(first: 1) { nodes { ".repeat(100);
      return refused(await post(target, `{ space(id: "${target.spaceId}") { ${levels} id ${" } } }".repeat(100)} } }`));
    },
  },
  {
    what: "NUL, lone surrogates and huge numbers",
    before: "pass",
    run: async (target) => {
      const query = "query ($id: ID!, $first: Int) { space(id: $id) { id comments(first: $first) { nodes { id } } } }";
      const answers = [];
      for (const id of ["\0", "\ud800", "9".repeat(100_000)])
        answers.push(await post(target, query, { variables: { id, first: 1 } }));
      answers.push(await post(target, query, { variables: { id: target.spaceId, first: 1e300 } }));
      const holds = answers.every(({ status, text }) => status === 200 && !text.includes("INTERNAL"));
      return { holds, evidence: answers.map(({ text }) => /"code":"(\w+)"/.exec(text)?.[1] ?? "answered").join(", ") };
    },
  },
  {
    what: "fields times rows: a response of 500 MB",
    before: "fail",
    run: async (target) => {
      const fields = many(900, (index) => `a${index}: title`);
      const query = `{ organizations { nodes { ${many(9, (index) => `s${index}: spaces(first: 1000) { nodes { ${fields} } }`)} } } }`;
      const answer = await post(target, query);
      const { status } = await ask(`${target.url}/healthz`);
      return {
        holds: status === 200 && answer.status < 500,
        evidence: `${answer.text.length} characters; /healthz ${status}`,
      };
    },
  },
];
