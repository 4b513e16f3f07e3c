// Abuse of content: robots.txt of foreign websites, pages that are hard to compare, links that run scripts, and texts
// that are slow to parse.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { hardText } from "#test/features/content/hard-texts.ts";
import { ask, asks, type Check, held, type Outcome, post, type Target } from "#test/live/abuse/target.ts";
import { times } from "#test/support/world.ts";

/** The data of a response without errors. */
async function dataOf<Data>(target: Target, query: string, variables: object, token: string): Promise<Data> {
  const { text } = await post(target, query, { token, variables });
  const { data, errors } = JSON.parse(text) as { data?: Data; errors?: object };
  if (!data || errors) throw new Error(text.slice(0, 500));
  return data;
}

const editContent = `mutation ($input: EditContentInput!) { editContent(input: $input) { revision { id } } }`;

const edit = (target: Target, token: string, input: object) => dataOf<object>(target, editContent, { input }, token);

/** The longest response time of /healthz during `work`, in milliseconds. */
async function longestLook<Result>({ url }: Target, work: Promise<Result>): Promise<{ result: Result; ms: number }> {
  let [ms, isOver] = [0, false];
  void work.finally(() => (isOver = true)).catch(() => {});
  while (!isOver) {
    const begun = performance.now();
    await ask(`${url}/healthz`);
    ms = Math.max(ms, performance.now() - begun);
    await sleep(10);
  }
  return { result: await work, ms: Math.round(ms) };
}

/** A website with 20,000 hard `robots.txt` rules and a sitemap of `count` long URLs. */
async function openHardSite(count: number) {
  const server = createServer(({ url }, response) => {
    const { port } = server.address() as AddressInfo; // it listens
    const addresses = times(count, (index) => `<loc>http://127.0.0.1:${port}/${"a".repeat(1900)}${index}</loc>`);
    const texts: Readonly<Record<string, string>> = {
      "/robots.txt": `User-agent: *\n${times(20_000, (index) => `Disallow: /*a*a*a*b${index}`).join("\n")}\n`,
      "/sitemap.xml": `<urlset>${addresses.join("")}</urlset>`,
      "/": "<title>Start</title><main><h1>Start</h1><p>Text of the start.</p></main>",
    };
    const text = texts[url ?? ""];
    response.writeHead(text === undefined ? 404 : 200, { "content-type": "text/html" }).end(text);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: async () => void server.close() };
}

/** A change request of 40 pages whose lines are in a different order on each side. */
async function makeHardChangeRequest(target: Target) {
  const { space, admin } = await target.world.space();
  const pages = times(40, (index) => ({
    pageId: "",
    markdown: hardText(index + 1, 6_000),
    title: `Page ${index}`,
  }));
  const inParts = async (place: object, edits: readonly object[]): Promise<void> => {
    for (let at = 0; at < edits.length; at += 10)
      await edit(target, admin.token, { contentOf: place, edits: edits.slice(at, at + 10) });
  };
  await inParts(
    { spaceId: space.id },
    pages.map(({ title, markdown }) => ({ createPage: { title, markdown } })),
  );
  const list = `query ($id: ID!) { space(id: $id) { content { pages { pageId } } } }`;
  const made = await dataOf<{ space: { content: { pages: { pageId: string }[] } } }>(
    target,
    list,
    { id: space.id },
    admin.token,
  );
  const create = `mutation ($input: CreateChangeRequestInput!) { createChangeRequest(input: $input) { changeRequest { id } } }`;
  const input = { spaceId: space.id, subject: "Hard" };
  const { createChangeRequest } = await dataOf<{ createChangeRequest: { changeRequest: { id: string } } }>(
    target,
    create,
    { input },
    admin.token,
  );
  const changeRequestId = createChangeRequest.changeRequest.id;
  const shuffled = (by: number) =>
    made.space.content.pages.map(({ pageId }, index) => ({
      updatePage: { pageId, markdown: hardText(index + by, 6_000) },
    }));
  await inParts({ changeRequestId }, shuffled(1_000));
  await inParts({ spaceId: space.id }, shuffled(2_000));
  return { changeRequestId, token: admin.token };
}

const hard = new WeakMap<Target, ReturnType<typeof makeHardChangeRequest>>();

/** The change request of this run. */
function hardChangeRequest(target: Target) {
  const made = hard.get(target) ?? makeHardChangeRequest(target);
  hard.set(target, made);
  return made;
}

/** Passes if the request is refused in time with a reason while others are served. */
async function endsInTime(target: Target, field: string): Promise<Outcome> {
  const { changeRequestId, token } = await hardChangeRequest(target);
  const begun = performance.now();
  const query = `query ($id: ID!) { changeRequest(id: $id) { ${field} } }`;
  const { result, ms } = await longestLook(target, post(target, query, { token, variables: { id: changeRequestId } }));
  const seconds = (performance.now() - begun) / 1000;
  const isRefused = result.text.includes("takes more than 5 seconds");
  return {
    holds: result.status === 200 && isRefused && ms < 2_000,
    evidence: `${result.status} after ${seconds.toFixed(1)} s, /healthz at most ${ms} ms: ${result.text.slice(0, 90)}`,
  };
}

const addresses = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\tscript:alert(1)",
  "javascript&colon;alert(1)",
  "&#106;avascript:alert(1)",
  "vbscript:msgbox(1)",
  "data:text/html,<b>x</b>",
  "file:///etc/passwd",
];

export const contentChecks: readonly Check[] = [
  held(
    asks("fail", "a website whose robots.txt has 20,000 rules with many wildcards", async (target) => {
      await using site = await openHardSite(30);
      const { space, editor } = await target.world.space();
      const document = `mutation ($input: ImportContentInput!) { importContent(input: $input) { warnings { message } } }`;
      const variables = {
        input: { contentOf: { spaceId: space.id }, from: { address: { source: "WEBSITE", url: site.url } } },
      };
      const { result, ms } = await longestLook(target, post(target, document, { token: editor.token, variables }));
      return {
        holds: result.status === 200 && result.text.includes("19000 rules") && ms < 2_000,
        evidence: `${result.status}, /healthz at most ${ms} ms: ${result.text.slice(0, 90)}`,
      };
    }),
    ["features/imports/robots.test.ts", "a site with 20,000 hard rules and long addresses is imported"],
  ),
  held(
    asks("fail", "conflicts of a change request of 40 pages that are hard to compare", (target) =>
      endsInTime(target, "conflicts { conflictId }"),
    ),
    ["features/change-requests/hard-texts.test.ts", "TIMEOUT where the operation has less time"],
  ),
  held(
    asks("fail", "change statistics of such a change request", (target) =>
      endsInTime(target, "changes { stats { linesAdded } }"),
    ),
    ["features/change-requests/hard-texts.test.ts", "TIMEOUT where the operation has less time"],
  ),
  asks("fail", "links and images with script URLs in pages and comments", async (target) => {
    const { space, admin } = await target.world.space();
    const markdown = addresses
      .map(
        (address, index) => `[text ${index}](<${address}>) ![picture ${index}][${index}]\n\n[${index}]: <${address}>`,
      )
      .join("\n\n");
    await edit(target, admin.token, {
      contentOf: { spaceId: space.id },
      edits: [{ createPage: { title: "Links", markdown } }],
    });
    const comment = `mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { body { document } } } }`;
    const page = `query ($id: ID!) { space(id: $id) { content { pages { document } } } }`;
    const answers = [
      await post(target, page, { token: admin.token, variables: { id: space.id } }),
      await post(target, comment, {
        token: admin.token,
        variables: { input: { contentOf: { spaceId: space.id }, text: { markdown } } },
      }),
    ];
    const holds = answers.every(({ text }) => text.includes("picture 7") && !/"url":"(?!https?:)/.test(text));
    return { holds, evidence: answers.map(({ status, text }) => `${status} ${text.slice(0, 60)}`).join("; ") };
  }),
  asks("fail", "a rich document with such a link", async (target) => {
    const { space, admin } = await target.world.space();
    const answers = [];
    for (const url of addresses) {
      const link = { object: "inline", type: "link", data: { ref: { kind: "url", url } } };
      const document = { object: "document", nodes: [{ object: "block", type: "paragraph", nodes: [link] }] };
      const input = { contentOf: { spaceId: space.id }, edits: [{ createPage: { title: "Link", document } }] };
      answers.push(await post(target, editContent, { token: admin.token, variables: { input } }));
    }
    const holds = answers.every(({ text }) => text.includes("INVALID_INPUT") && text.includes("data/ref/url"));
    return { holds, evidence: answers.map(({ status, text }) => `${status} ${text.slice(0, 60)}`).join("; ") };
  }),
];
