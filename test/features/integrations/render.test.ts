// Blocks of integrations, drawn in REST, in GraphQL, in pages and for links; and errors.
import lzString from "lz-string";
import { beforeAll, expect, test } from "vitest";
import { Webhook } from "standardwebhooks";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { addPerson } from "#test/features/members/factory.ts";
import { publicClient } from "#test/public-client/client.ts";
import { done } from "#test/live/kinds.ts";
import { useApp } from "#test/support/app.ts";

const webhookUrl = "https://hooks.example.com/draw";
const asked: { body: string; headers: Record<string, string> }[] = [];
const answers: Record<string, string> = {
  tides: '{"high":"12:25"}',
  draw: '{"type":"element","element":{"type":"block"}}',
};
const outside: SafeFetch = (url, { body, headers } = {}) => {
  if (String(url) === webhookUrl) asked.push({ body: String(body), headers: { ...headers } });
  const answer = answers[String(url) === webhookUrl ? "draw" : "tides"] ?? "";
  return Promise.resolve({ url: String(url), status: 200, headers: new Headers(), body: Buffer.from(answer) });
};

const script = `export async function handle(event, { api }) {
  if (event.type !== "ui_render") return;
  const { componentId, props, context, action } = event;
  const state = { count: (event.state?.count ?? 0) + (action?.action === "more" ? action.by : 0) };
  const drawn = (element) => ({ type: "element", props, state, element });
  const text = (...children) => drawn({ type: "block", children: [{ type: "text", children }] });
  if (componentId === "tide") {
    const { high } = await (await fetch("https://tides.example.com/today.json")).json();
    return text(\`\${props.port ?? props.text} \${high} \${state.count}\`);
  }
  if (componentId === "link") return { ...text(action.url), props: { port: action.url } };
  if (componentId === "where") return text(JSON.stringify(context));
  if (componentId === "fail") { console.info("before"); throw new Error("no tide"); }
  if (componentId === "hang") for (;;);
  if (componentId === "wrong") return drawn({ type: "block", children: [{ type: "button", label: 1 }] });
  if (componentId === "long") return text("x".repeat(300_000));
  if (componentId === "again") return text(JSON.stringify(await api.graphql(
    '{ renderIntegrationBlock(integrationName: "tides", componentId: "tide", context: {spaceId: "' + context.spaceId + '"}) { element } }')));
}`;

const blocks = [
  { id: "tide", markdown: { codeblock: "tide", body: "text" } },
  { id: "link", urlUnfurl: ["https://tides.example.com/ports/*/now", "https://*.sea.example.com"] },
];
const fields = "element props state installationId logs { message }";

// Has its own database: gives an integration a globally unique name.
const { app, world } = await useApp({ own: true, fetch: outside, deliveryMs: null });
const made = await world.space();
const { space, organization, admin, reader } = made;
const stranger = (await world.organization()).admin;
const client = app.as(admin.token);
let installation = "";

const publish = (name: string, given: object) =>
  client.rest("POST", `/v1/integrations/${name}`, {
    body: { organization: organization.id, title: name, script, blocks, scopes: ["space:content:read"], ...given },
  });
const install = async (name: string): Promise<string> => {
  const body = { organization: organization.id };
  return ((await client.rest("POST", `/v1/integrations/${name}/installations`, { body })).body as { id: string }).id;
};
const compressed = (request: unknown) =>
  lzString.compressToEncodedURIComponent(typeof request === "string" ? request : JSON.stringify(request));
const context = { spaceId: space.id };
const rest = (request: string, { token = admin.token, name = "tides" } = {}) =>
  app.as(token).rest("GET", `/v1/integrations/${name}/render?request=${request}`);
const restOf = (request: object, as = {}) => rest(compressed({ props: {}, context, ...request }), as);
interface Rendered {
  readonly element: object;
  readonly state: object;
  readonly logs: { message: string }[];
}
const query = `query ($componentId: String!, $props: JSON, $state: JSON, $context: JSON!, $action: JSON) {
  renderIntegrationBlock(integrationName: "tides", componentId: $componentId, props: $props, state: $state,
    context: $context, action: $action) { ${fields} } }`;
const draw = (variables: object, token = admin.token) => app.as(token).graphql(query, { context, ...variables });
const drawn = async (variables: object, token = admin.token): Promise<Rendered> =>
  (await app.as(token).query<{ renderIntegrationBlock: Rendered }>(query, { context, ...variables }))
    .renderIntegrationBlock;
const showing = (text: string) => ({ type: "block", children: [{ type: "text", children: [text] }] });

beforeAll(async () => {
  await publish("tides", {});
  installation = await install("tides");
});

test("POST draws the same as the compressed request, for the same callers", async () => {
  const post = (body: object, token = admin.token, name = "tides") =>
    publicClient(app.url, token).integrations.renderIntegrationUiWithPost(name, { context, props: {}, ...body });
  const request = { componentId: "tide", props: { port: "Kiel" } };
  const { data } = await post(request);
  expect(data).toEqual((await restOf(request)).body);
  const { token: stranger } = await world.insert((rows) => addPerson(rows));
  await expect(post(request, stranger)).rejects.toMatchObject({ code: 404 });
  await expect(post(request, admin.token, "none")).rejects.toMatchObject({ code: 404 });
  for (const bad of [
    { componentId: 1 },
    { ...request, props: "x" },
    { ...request, context: {} },
    { ...request, more: 1 },
  ])
    await expect(post(bad), JSON.stringify(bad)).rejects.toMatchObject({ code: 400 });
});

test("a block is drawn in REST and GraphQL, and redrawn with its state and an action", async () => {
  const first = await restOf({ componentId: "tide", props: { port: "Kiel" } });
  const element = showing("Kiel 12:25 0");
  expect([first.status, first.body]).toEqual([
    200,
    { type: "element", element, props: { port: "Kiel" }, state: { count: 0 } },
  ]);
  const { state, ...one } = await drawn({ componentId: "tide", props: { port: "Kiel" } });
  expect({ state, ...one }).toEqual({
    ...(first.body as object),
    type: undefined,
    installationId: installation,
    logs: [],
  });
  const action = { action: "more", by: 2 };
  const more = await drawn({ componentId: "tide", props: { port: "Kiel" }, state, action });
  expect([more.state, more.element]).toEqual([{ count: 2 }, showing("Kiel 12:25 2")]);
  const again = await restOf({ componentId: "tide", props: { port: "Kiel" }, state: more.state, action });
  expect(again.body).toMatchObject({ state: { count: 4 }, element: showing("Kiel 12:25 4") });
});

test("a block is drawn for users who see its space or site: its script receives that, whatever the request contains", async () => {
  const drawnContext = async (given: object, token?: string) =>
    JSON.parse(
      ((await drawn({ componentId: "where", context: given }, token)).element as ReturnType<typeof showing>).children[0]
        ?.children[0] ?? "",
    ) as object;
  const ofSpace = { spaceId: space.id, organizationId: organization.id };
  expect(await drawnContext({ ...context, organizationId: "org_other", theme: "dark" }, reader.token)).toEqual({
    ...ofSpace,
    theme: "dark",
  });
  expect(await drawnContext({ organizationId: organization.id })).toEqual({ organizationId: organization.id });
  expect((await restOf({ componentId: "tide" }, { token: stranger.token })).status).toBe(404);
  expect((await restOf({ componentId: "tide" }, { token: "nobody" })).status).toBe(401);
  expect((await restOf({ componentId: "tide", context: { organizationId: organization.id } }, stranger)).status).toBe(
    404,
  );
  const guest = made.invitedGuest;
  expect(await drawnContext(context, guest.token)).toEqual(ofSpace);
  const inOrganization = await restOf({ componentId: "where", context: { organizationId: organization.id } }, guest);
  expect(inOrganization.status).toBe(403);
});

test.each([
  ["an empty request", "", ""],
  ["a request that is not compressed", encodeURIComponent('{"componentId":"tide"}'), "request"],
  ["invalid JSON", compressed("tide"), "request"],
  ["too much compressed", "A".repeat(8_001), "request"],
  ["a decompression bomb", compressed(JSON.stringify({ props: { a: "a".repeat(400_000) } })), "request"],
  ["deep nesting", compressed(`{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`), "request"],
  ["no component", compressed({ props: {}, context }), "request"],
  ["props that are a list", compressed({ componentId: "tide", props: [], context }), "request"],
  ["an action without a name", compressed({ componentId: "tide", props: {}, context, action: {} }), "request"],
  ["no context id", compressed({ componentId: "tide", props: {}, context: {} }), "request"],
  [
    "a context id that is not a string",
    compressed({ componentId: "tide", props: {}, context: { spaceId: 1 } }),
    "request",
  ],
  ["an unknown property", compressed({ componentId: "tide", props: {}, context, auth: 1 }), "request"],
])("drawing a block returns 400 for %s", async (_what, request, path) => {
  const { status, body } = await rest(request);
  expect(status).toBe(400);
  const { error } = body as { error: { details?: { path: string }[]; message: string } };
  expect(error.details?.[0]?.path ?? "").toContain(path);
});

test("an invalid request to draw a block has the path of the error in GraphQL too", async () => {
  const { errors } = await draw({ componentId: "", props: [] });
  expect(errors?.[0]?.extensions).toMatchObject({
    code: "INVALID_INPUT",
    details: expect.arrayContaining([expect.objectContaining({ path: "props" })]) as unknown,
  });
});

test("drawing returns 404 for integrations, components and spaces that are missing or inactive", async () => {
  const statuses = [
    await restOf({ componentId: "unknown" }),
    await restOf({ componentId: "tide" }, { name: "nobody" }),
    await restOf({ componentId: "tide", context: { spaceId: "spc_none" } }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([404, 404, 404]);
  const input = { installationId: installation };
  await done(app, admin.token, "pauseInstallation", { ...input, answer: "__typename" });
  expect((await restOf({ componentId: "tide" })).status).toBe(404);
  await done(app, admin.token, "resumeInstallation", { ...input, answer: "__typename" });
  expect((await restOf({ componentId: "tide" })).status).toBe(200);
});

test.each([
  ["fail", "no tide"],
  ["hang", "1000"],
  ["wrong", "/element/children/0/label"],
  ["long", "200000"],
])("the error of the component %s is shown to admins only", async (componentId, said) => {
  const toAdmin = await restOf({ componentId });
  expect(toAdmin.status).toBe(502);
  expect(JSON.stringify(toAdmin.body).replaceAll(/[,.](?=\d{3})/g, "")).toContain(said);
  if (componentId === "fail") expect(JSON.stringify(toAdmin.body)).toContain("info: before");
  if (componentId === "hang") return; // it would take a second again
  const toReader = await restOf({ componentId }, reader);
  expect(toReader.status).toBe(502);
  expect(JSON.stringify(toReader.body)).not.toContain(said);
  const { errors } = await draw({ componentId });
  expect(errors?.[0]?.extensions.code).toBe("INTEGRATION_FAILED");
});

test("a script receives no drawn blocks when it draws", async () => {
  expect(JSON.stringify((await drawn({ componentId: "again" })).element)).toContain("FORBIDDEN");
});

interface Read {
  readonly page: { readonly document: { readonly nodes: { type: string; data: { rendered?: object } }[] } };
}
const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

async function pageOf(markdown: string) {
  const pageId = (
    await done<{ revision: { pages: { pageId: string }[] } }>(app, admin.token, "editContent", {
      contentOf: { spaceId: space.id },
      edits: [{ createPage: { title: "Page", markdown } }],
      answer: "revision { pages { pageId } }",
    })
  ).revision.pages.at(-1)?.pageId;
  const text = `query ($drawn: Boolean!) { space(id: "${space.id}") { content { page(by: { id: "${pageId}" }) { document(renderBlocks: $drawn) } } } }`;
  return async (isDrawn: boolean, token = admin.token) => {
    const answer = await app.as(token).query<{ space: { content: Read } }>(text, { drawn: isDrawn });
    return answer.space.content.page.document.nodes.map(({ data }) => data.rendered ?? null) as unknown[];
  };
}

test("a page contains its blocks, each beside its code; a failing one does not affect the others", async () => {
  const code = [
    fenced("integration:tides/tide", '{"port":"Kiel"}'),
    fenced("tide", "Riga"),
    fenced("integration:tides/fail", ""),
    fenced("integration:tides/tide", "no JSON"),
    fenced("integration:nobody/tide", ""),
    fenced("js", "1"),
    '<!-- docgraph:node {"type":"integration","data":{"integration":"tides","block":"tide","props":{"port":"Hull"}}} -->',
  ];
  const read = await pageOf(code.join("\n\n"));
  const is = (text: string) =>
    expect.objectContaining({ componentId: "tide", element: showing(`${text} 12:25 0`) }) as unknown;
  const failed = (reason: string) =>
    expect.objectContaining({ error: expect.objectContaining({ code: reason }) as unknown }) as unknown;
  const nodes = await read(true, reader.token);
  expect(nodes).toEqual([
    is("Kiel"),
    is("Riga"),
    failed("INTEGRATION_FAILED"),
    failed("INVALID_INPUT"),
    failed("NOT_FOUND"),
    null,
    is("Hull"),
  ]);
  expect(await read(false)).toEqual(code.map(() => null));
});

test("an operation draws at most 20 blocks, and each further one has an error", async () => {
  const read = await pageOf(
    Array.from({ length: 22 }, (_, index) => fenced("integration:tides/where", `{"n":${index}}`)).join("\n\n"),
  );
  const nodes = (await read(true)) as { error?: { message: string } }[];
  expect(nodes.map(({ error }) => error !== undefined)).toEqual([...Array(20).fill(false), true, true]);
  expect(nodes[20]?.error?.message).toContain("20 blocks");
});

test("a link becomes the block of the integration that unfurls it", async () => {
  const unfurled = async (url: string, token = admin.token) =>
    (
      await app
        .as(token)
        .query<{ space: { unfurledLink: object | null } }>(
          `query ($url: String!) { space(id: "${space.id}") { unfurledLink(url: $url) { componentId element props } } }`,
          { url },
        )
    ).space.unfurledLink;
  const url = "https://tides.example.com/ports/kiel/now";
  expect(await unfurled(url, reader.token)).toEqual({
    componentId: "link",
    element: showing(url),
    props: { port: url },
  });
  expect(await unfurled("https://north.sea.example.com/")).not.toBeNull();
  const others = [
    "http://tides.example.com/ports/kiel/now",
    "https://tides.example.com/ports/kiel/old/now",
    "https://tides.example.com.evil.example.com/ports/kiel/now",
    "https://tides.example.com:444/ports/kiel/now",
    "https://sea.example.com/",
    "https://nosea.example.com/",
  ];
  expect(await Promise.all(others.map((other) => unfurled(other)))).toEqual(others.map(() => null));
});

test("a URL draws instead of a script: it receives a signed request", async () => {
  const input = { name: "hooked", organizationId: organization.id, title: "Hooked", code: { webhookUrl } };
  const { signingKey } = await done<{ signingKey: string }>(app, admin.token, "publishIntegration", {
    ...input,
    answer: "signingKey",
  });
  await install("hooked");
  const answer = await restOf({ componentId: "any", props: { a: 1 } }, { name: "hooked" });
  expect(answer.body).toMatchObject({ type: "element", element: { type: "block" } });
  const { body, headers } = asked.at(-1) ?? { body: "", headers: {} };
  expect(new Webhook(signingKey).verify(body, headers)).toMatchObject({
    type: "ui_render",
    data: { componentId: "any", props: { a: 1 }, context: { spaceId: space.id } },
  });
  answers["draw"] = "no JSON";
  const before = asked.length;
  expect((await restOf({ componentId: "any" }, { name: "hooked" })).status).toBe(404);
  expect(asked.length - before).toBe(1); // though an operation that fails is run again
});
