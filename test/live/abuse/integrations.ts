// Abuse by scripts of integrations, which any account can publish, and of their public endpoints.
import { get } from "node:http";
import { newId } from "#src/base/ids.ts";
import { ask, asks, type Check, held, measured, post, type Target } from "#test/live/abuse/target.ts";
import { nextNumber } from "#test/support/rows.ts";
import { times } from "#test/support/world.ts";

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | undefined;
}

/** Sends a request from another loopback address, which counts as another client. */
const askFrom = (localAddress: string, url: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = get(url, { localAddress, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text, retryAfter: response.headers["retry-after"] }),
      );
    });
    asked.on("error", reject);
  });

let clients = 0;
const nextClient = (): string => `127.0.${1 + Math.floor(++clients / 250)}.${1 + (clients % 250)}`;

/** The endpoint of a script of a new organization, installed on its space with a scope for reading. */
async function publish(target: Target, body: string) {
  const { admin, organization, space } = await target.world.space();
  const name = `abuse-${nextNumber()}`;
  const headers = { "content-type": "application/json", authorization: `Bearer ${admin.token}` };
  const send = async (path: string, sent: object): Promise<string> => {
    const answer = await ask(target.url + path, { method: "POST", headers, body: JSON.stringify(sent) });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status} ${answer.text}`);
    return answer.text;
  };
  const script = `export async function handle(event, { api }) { const spaceId = ${JSON.stringify(space.id)}; ${body} }`;
  const manifest = { organization: organization.id, title: "Abuse", script, scopes: ["space:content:read"] };
  await send(`/v1/integrations/${name}`, manifest);
  const installation = await send(`/v1/integrations/${name}/installations`, { organization: organization.id });
  const { id } = JSON.parse(installation) as { id: string };
  return { url: `${target.url}/integrations/${name}/${id}/`, name, token: admin.token, spaceId: space.id };
}

/** Adds `pages` pages of some 300 characters to a space. */
async function fill(
  target: Target,
  { token, spaceId }: { token: string; spaceId: string },
  pages = 1000,
): Promise<void> {
  const markdown = "Some words of a page. ".repeat(14);
  const edits = times(pages, (index) => ({ createPage: { pageId: newId("Page"), title: `Page ${index}`, markdown } }));
  const edit = "mutation ($input: EditContentInput!) { editContent(input: $input) { revision { id } } }";
  const made = await post({ ...target, token }, edit, { variables: { input: { contentOf: { spaceId }, edits } } });
  if (made.text.includes('"errors"')) throw new Error(made.text.slice(0, 300));
}

const counted = (statuses: readonly number[]): string =>
  [...new Set(statuses)].map((status) => `${statuses.filter((one) => one === status).length} x ${status}`).join(", ");

/** A script that selects a field of all pages `times` times in each of `calls` concurrent calls. */
const asking = (field: string, times: number, calls: number) => `
  const fields = Array.from({ length: ${times} }, (_, at) => "a" + at + ": ${field}").join(" ");
  const query = "query ($id: ID!) { space(id: $id) { content { allPages { " + fields + " } } } }";
  const call = () => api.graphql(query, { id: spaceId }).catch((error) => ({ errors: [error] }));
  const all = await Promise.all(Array.from({ length: ${calls} }, call));
  return { body: [all.length, all[0].errors?.[0].message] };`;

export const integrationChecks: readonly Check[] = [
  asks(
    "fail",
    "42 anonymous requests to an endpoint whose script reads 6 GB: memory and latency of others",
    async (target) => {
      const [first, flood] = [
        await publish(target, asking("markdown", 200, target.size(100, 5))),
        await publish(target, asking("markdown", 200, target.size(100, 5))),
      ];
      for (const one of [first, flood]) await fill(target, one);
      await askFrom(nextClient(), first.url); // the heap grows to what such a run takes
      const before = target.megabytes();
      let longest = 0;
      let isOver = false;
      const asked = Promise.all(times(target.size(42, 3), () => askFrom(nextClient(), flood.url))).finally(
        () => (isOver = true),
      );
      while (!isOver) {
        const begun = performance.now();
        await ask(`${target.url}/healthz`);
        longest = Math.max(longest, performance.now() - begun);
      }
      const statuses = (await asked).map(({ status }) => status);
      const grown = (target.megabytes() ?? 0) - (before ?? 0);
      const isRight = statuses.every((status) => [200, 429, 502].includes(status));
      const evidence = `${counted(statuses)}; ${grown} MB more; /healthz at most ${longest.toFixed(0)} ms`;
      return measured(isRight, grown <= 250 && longest < 2000, evidence);
    },
  ),
  asks("fail", "a script that reads more at once than an API response may have", async (target) => {
    const large = await publish(target, asking("markdown", 20, 1));
    await fill(target, large, target.size(1000, 250));
    const { status, text } = await askFrom(nextClient(), large.url);
    return { holds: text.includes("more than 1000000 characters"), evidence: `${status} ${text.slice(0, 120)}` };
  }),
  held(
    asks("fail", "a script that spends the points of its installation, and who else pays for that", async (target) => {
      const busy = await publish(target, asking("title", 40, 100));
      await fill(target, busy);
      const answers: Answer[] = [];
      for (let round = 0; round < 6 && answers.at(-1)?.status !== 429; round++)
        answers.push(await askFrom(nextClient(), busy.url));
      const { status, text, retryAfter } = answers.at(-1) ?? { status: 0, text: "" };
      const own = await post({ ...target, token: busy.token }, "{ viewer { id } }");
      const holds = status === 429 && text.includes("points a minute") && Number(retryAfter) > 1 && own.status === 200;
      const evidence = `${counted(answers.map((one) => one.status))}: ${text.slice(0, 160)}; its admin ${own.status}`;
      return { holds, evidence };
    }),
    ["features/integrations/budget.test.ts", "an endpoint whose installation has no quota left is answered with 429"],
  ),
  held(
    asks("fail", "61 requests of one client to an endpoint in a minute", async (target) => {
      const quick = await publish(target, `return { body: "done" };`);
      const client = nextClient();
      const answers: Answer[] = [];
      for (let round = 0; round < 61; round++) answers.push(await askFrom(client, quick.url));
      const last = answers.at(-1);
      const holds =
        answers.slice(0, 60).every(({ status }) => status === 200) &&
        last?.status === 429 &&
        Number(last.retryAfter) >= 1 &&
        (await askFrom(nextClient(), quick.url)).status === 200;
      return { holds, evidence: `${counted(answers.map(({ status }) => status))}; Retry-After ${last?.retryAfter}` };
    }),
    ["features/integrations/rates.test.ts", "a client calls endpoints a limited number of times a minute"],
  ),
  held(
    asks("fail", "an endpoint as a reflector: 20 requests to others for each request", async (target) => {
      const reflector = await publish(
        target,
        `const all = await Promise.all(Array.from({ length: 20 }, () => fetch("https://192.0.2.1/").catch((error) => error.message)));
      return { body: all };`,
      );
      const answers = [];
      for (let round = 0; round < 16; round++) answers.push(await askFrom(nextClient(), reflector.url));
      const texts = answers.flatMap(({ text }) => (text.startsWith("[") ? (JSON.parse(text) as string[]) : []));
      const isRefused = (text: string) => text.includes("at most 300 times a minute");
      const tried = texts.filter((text) => !isRefused(text)).length;
      // Events of its installation have run it before.
      return {
        holds: texts.length === 320 && tried >= 200 && tried <= 300,
        evidence: `${tried} of ${texts.length} were sent`,
      };
    }),
    ["features/integrations/rates.test.ts", "scripts of an installation send a limited number of requests a minute"],
  ),
  asks("fail", "a failing script called with a secret in the path: content of the log", async (target) => {
    const failing = await publish(target, `throw new Error("no");`);
    const before = target.output().length;
    const { status } = await askFrom(nextClient(), `${failing.url}secret-in-a-path?key=secret-in-a-query`);
    await ask(`${target.url}/healthz`); // its line comes after
    const written = target.output().slice(before);
    const isError = /"level":"error"/.test(written);
    return { holds: status === 502 && !isError && !written.includes("secret-in"), evidence: `${status}` };
  }),
  asks("fail", "300 random texts as a compressed request to render a block", async (target) => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-$";
    const random = () =>
      times(3 + Math.floor(Math.random() * 30), () => letters[Math.floor(Math.random() * 65)]).join("");
    const statuses: number[] = [];
    for (const text of ["zzz", ...times(target.size(300), random)]) {
      const url = `${target.url}/v1/integrations/tide-times/render?request=${encodeURIComponent(text)}`;
      statuses.push((await ask(url, { headers: { authorization: `Bearer ${target.token}` } })).status);
    }
    return { holds: statuses.every((status) => status === 400), evidence: counted(statuses) };
  }),
];
