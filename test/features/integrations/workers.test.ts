// Integrations as they are written elsewhere: workers, bundled with a runtime that reads a form of event and
// environment, run as they are. The runtime here has the form of the usual one.
import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { installed, settled } from "#test/features/integrations/runs.ts";
import { done } from "#test/live/kinds.ts";
import { useApp } from "#test/support/app.ts";
import { nextNumber } from "#test/support/rows.ts";

/** What scripts have sent to other servers. */
const sent: { readonly url: string; readonly body: string; readonly headers: unknown }[] = [];
const outside: SafeFetch = (url, options) => {
  sent.push({ url: String(url), body: Buffer.from(options?.body ?? "").toString(), headers: options?.headers });
  const body = Buffer.from(JSON.stringify({ access_token: "granted" }));
  return Promise.resolve({ url: String(url), status: 200, headers: new Headers(), body });
};
const integrationsUrl = "http://integrations.example.net";
const { app, world } = await useApp({ fetch: outside, integrationsUrl, deliveryMs: 50 });
const at = { app, world };

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** Asks the host of public endpoints, which `fetch` would not name, and follows no redirect. */
const ask = (path: string, { method = "GET", headers = {}, body }: Sent = {}) =>
  new Promise<{ status: number | undefined; location: string; bytes: Buffer; text: string }>((resolve, reject) => {
    const host = new URL(integrationsUrl).host;
    request(app.url + path, { method, headers: { ...headers, host } }, (response) => {
      buffer(response).then((bytes) => {
        const { location = "" } = response.headers;
        resolve({ status: response.statusCode, location, bytes, text: bytes.toString() });
      }, reject);
    })
      .on("error", reject)
      .end(body);
  });

/** A bundle: the runtime, and a definition of `{ fetch, events, components }`. */
const bundleOf = (definition: string) => `
  class ExposableError extends Error { constructor(message, code) { super(message); this.name = "ExposableError"; this.code = code; } }
  function clientOf(environment) {
    const call = async (method, path, body) => {
      const response = await fetch(environment.apiEndpoint + "/v1" + path, {
        method, body: body && JSON.stringify(body),
        headers: new Headers({ "Content-Type": "application/json", Authorization: "Bearer " + environment.apiTokens.installation }),
      });
      return { status: response.status, data: response.status === 204 ? null : await response.json() };
    };
    return { call };
  }
  function componentOf({ componentId, initialState, action, render }) {
    return { componentId, render: async (event, context) => {
      let instance = { props: event.props, context: event.context, state: event.state || initialState || {} };
      if (event.action && action) {
        const result = await action(instance, event.action, context);
        if (result?.type === "complete") return Response.json(result);
        instance = { ...instance, ...result };
      }
      const element = await render(instance, context);
      return Response.json({ type: "element", state: instance.state, props: instance.props, element });
    } };
  }
  function createIntegration({ fetch: onFetch, events = {}, components = [] }) {
    return { fetch: async (request, env, ctx) => {
      try {
        if (new URL(request.url).pathname.slice(1) !== "v1") return new Response("Unsupported", { status: 400 });
        const form = await request.formData();
        const event = JSON.parse(form.get("event"));
        const environment = JSON.parse(form.get("environment"));
        const context = { environment, api: clientOf(environment), waitUntil: (promise) => ctx.waitUntil(promise) };
        console.log("[integrations] [" + event.eventId + "] " + event.type);
        if (event.type === "fetch") {
          const { url, method, headers } = event.request;
          return await onFetch(new Request(url, { method, headers: new Headers(headers), body: form.get("fetch-body") }), context);
        }
        if (event.type === "ui_render") {
          const component = components.find((one) => one.componentId === event.componentId);
          if (!component) throw new ExposableError("Component " + event.componentId + " not found", 404);
          return await component.render(event, context);
        }
        const heard = events[event.type];
        if (!heard) throw new ExposableError("Integration does not handle " + event.type, 406);
        await heard(event, context);
        return new Response("OK", { status: 200 });
      } catch (error) {
        const isShown = error instanceof ExposableError;
        return Response.json({ error: isShown ? error.message : "Internal server error" }, { status: isShown ? error.code : 500 });
      }
    } };
  }
  const definition = ${definition};
  export default createIntegration(definition);`;

const reading = { scopes: ["space:content:read", "space:content:write"] };

test("an event is heard: the bundle calls the gateway by its own client and another server after its answer", async () => {
  const script = bundleOf(`{ events: { comment_created: async (event, { api, environment, waitUntil }) => {
    const space = await api.call("GET", "/spaces/" + event.spaceId);
    const made = await api.call("POST", "/spaces/" + event.spaceId + "/comments", { body: { markdown: "Heard" } });
    waitUntil(fetch("https://hooks.example.com/heard", { method: "POST", body: JSON.stringify([space.status, space.data.id, made.status, environment.installation.configuration]) }));
  } } }`);
  const scene = await installed(at, {
    script,
    integration: reading,
    installation: { ...reading, configuration: { channel: "general" } },
    events: [{}],
  });
  const { installation, space } = scene;
  await scene.enqueue({ type: "change_request_opened", payload: { spaceId: space.id } }); // it does not handle it
  const events = await settled(app, installation.id);
  expect(events.map(({ status }) => status)).toEqual(["success", "success"]);
  // The bundle sends this after its answer, so the event is settled first.
  const sentAfter = JSON.stringify([200, space.id, 200, { channel: "general" }]);
  await expect.poll(() => sent.map(({ body }) => body)).toContain(sentAfter);
});

test("what a bundle throws fails its event, and the trace has the answer", async () => {
  const script = bundleOf(`{ events: { comment_created: () => { throw new ExposableError("No channel", 422); } } }`);
  const { installation } = await installed(at, { script, events: [{}] });
  const [event] = await settled(app, installation.id);
  const lines = (event?.logs ?? []) as { message: string }[];
  expect(lines.map(({ message }) => message)).toContain('The worker answered 422: {"error":"No channel"}');
});

/** Draws a block of the bundle on the space, as an admin. */
async function drawing(script: string, given: Parameters<typeof installed>[1] = {}) {
  const { space, admin, integration, installation } = await installed(at, { script, ...given });
  const document = `query ($componentId: String!, $state: JSON, $action: JSON, $context: JSON!) {
    drawn: renderIntegrationBlock(integrationName: "${integration.name}", componentId: $componentId, props: { a: 1 },
      state: $state, action: $action, context: $context) { type element state returnValue } }`;
  const client = app.as(admin.token);
  const variables = (given: object) => ({ context: { spaceId: space.id }, ...given });
  return {
    space,
    installation,
    draw: async (given: object) =>
      (await client.query<{ drawn: Record<string, unknown> }>(document, variables(given))).drawn,
    refusal: (given: object) => client.refusal(document, variables(given)),
  };
}

test("a block begins with its own state, and an action changes it or ends the component", async () => {
  const { draw, refusal } = await drawing(
    bundleOf(`{ components: [componentOf({
      componentId: "counter", initialState: { count: 5 },
      action: async ({ state }, { action }) => action === "done" ? { type: "complete", returnValue: { count: state.count } } : { state: { count: state.count + 1 } },
      render: async ({ state, props }) => ({ type: "block", controls: [{ label: "More", onPress: { action: "more" } }], children: [
        { type: "markdown", content: { $state: "x" } }, { type: "codeblock", content: "x", lineNumbers: 5 },
        { type: "text", children: [String(state.count), String(props.a)] } ] }),
    })] }`),
  );
  const first = await draw({ componentId: "counter" });
  expect(first).toMatchObject({ type: "element", state: { count: 5 }, returnValue: null });
  expect(JSON.stringify(first["element"])).toContain('["5","1"]');
  const { state } = await draw({ componentId: "counter", state: first["state"], action: { action: "more" } });
  expect(state).toEqual({ count: 6 });
  expect(await draw({ componentId: "counter", state, action: { action: "done" } })).toMatchObject({
    type: "complete",
    element: { type: "block", children: [] },
    returnValue: { count: 6 },
  });
  expect(await refusal({ componentId: "another" })).toBe("INTEGRATION_FAILED");
});

test("a component draws the settings of an installation, and sees those of its space", async () => {
  const script = bundleOf(`{ components: [componentOf({
    componentId: "settings",
    render: async (_, { environment }) => ({ type: "configuration", children: [{ type: "text", children: [JSON.stringify(
      [environment.installation.configuration, environment.spaceInstallation.configuration, environment.spaceInstallation.space, environment.integration.version])] }] }),
  })] }`);
  const { draw, space, installation } = await drawing(script, { installation: { configuration: { key: "acc" } } });
  await app.database.pool.query(`update "IntegrationSpace" set configuration = $1 where "installationId" = $2`, [
    { channel: "c" },
    installation.id,
  ]);
  const { element } = await draw({ componentId: "settings" });
  const [{ children }] = (element as { children: [{ children: [string] }] }).children;
  expect(JSON.parse(children[0])).toEqual([{ key: "acc" }, { channel: "c" }, space.id, 2]);
});

test("a link is unfurled by the action of a bundle", async () => {
  const block = { id: "tide", urlUnfurl: ["https://tides.example.com/"] };
  const script = bundleOf(`{ components: [componentOf({
    componentId: "tide",
    action: async (_, action) => ({ props: { port: new URL(action.url).pathname.slice(1) } }),
    render: async ({ props, context }) => ({ type: "block", children: [{ type: "text", children: [props.port, context.type] }] }),
  })] }`);
  const { space, admin } = await installed(at, {
    script,
    integration: { blocks: [block], hasBlocks: true, blockDomains: ["tides.example.com"] },
  });
  const { space: read } = await app
    .as(admin.token)
    .query<{ space: { unfurledLink: { element: unknown } } }>(
      `{ space(id: "${space.id}") { unfurledLink(url: "https://tides.example.com/kiel") { element } } }`,
    );
  expect(JSON.stringify(read.unfurledLink.element)).toContain('["kiel","document"]');
});

test("a sign-in at another service runs over the public endpoint: a redirect, then a code for a token", async () => {
  const script = bundleOf(`{ fetch: async (request, { environment }) => {
    const url = new URL(request.url);
    const code = url.searchParams.get("code");
    const redirectUri = new URL(request.url); redirectUri.search = "";
    if (!code) {
      const to = new URL("https://accounts.example.com/authorize");
      to.searchParams.set("redirect_uri", redirectUri.toString());
      to.searchParams.set("state", JSON.stringify({ installationId: environment.installation.id }));
      return Response.redirect(to.toString());
    }
    const params = new URLSearchParams({ client_secret: environment.secrets.CLIENT_SECRET, code, redirect_uri: redirectUri.toString() });
    const answer = await fetch("https://accounts.example.com/token", { method: "POST", body: params, headers: { Accept: "application/json" } });
    const { access_token } = await answer.json();
    return new Response("<p>" + access_token + "</p>", { headers: { "Content-Type": "text/html" } });
  } }`);
  const { integration, installation } = await installed(at, { script });
  const path = `/integrations/${integration.name}/${installation.id}/oauth`;
  const first = await ask(path);
  const to = new URL(first.location);
  expect([first.status, to.origin, to.searchParams.get("redirect_uri")]).toEqual([
    302,
    "https://accounts.example.com",
    `${integrationsUrl}${path}`,
  ]);
  expect(JSON.parse(to.searchParams.get("state") ?? "")).toEqual({ installationId: installation.id });
  const second = await ask(`${path}?code=abc`);
  expect([second.status, second.text]).toEqual([200, "<p>granted</p>"]);
  expect(sent.at(-1)).toMatchObject({
    url: "https://accounts.example.com/token",
    body: expect.stringContaining("code=abc") as string,
  });
});

test("the body of a public request reaches the bundle, as a form or as bytes", async () => {
  const script = bundleOf(`{ fetch: async (request) => {
    if (request.headers.get("content-type")?.startsWith("application/octet-stream")) return new Response(await request.arrayBuffer());
    const form = await request.formData();
    return Response.json([request.method, [...form.entries()]], { status: 201 });
  } }`);
  const { integration, installation } = await installed(at, { script });
  const post = (type: string, body: Buffer | string) =>
    ask(`/integrations/${integration.name}/${installation.id}/in?a=b`, {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
  const form = await post("application/x-www-form-urlencoded", "text=a+b&text=c");
  expect([form.status, form.text]).toEqual([201, '["POST",[["text","a b"],["text","c"]]]']);
  const boundary = "x1";
  const parts = `--${boundary}\r\nContent-Disposition: form-data; name="text"\r\n\r\né\r\n--${boundary}--\r\n`;
  expect((await post(`multipart/form-data; boundary=${boundary}`, parts)).text).toBe('["POST",[["text","é"]]]');
  expect((await post("application/octet-stream", Buffer.from([0xff, 0x41]))).bytes).toEqual(Buffer.from([0xff, 0x41]));
});

const { organization, admin } = await world.organization();
const publish = (body: object) =>
  app.as(admin.token).rest<Record<string, unknown>>("POST", `/v1/integrations/real-${nextNumber()}`, {
    body: { organization: organization.id, title: "Real", script: bundleOf("{}"), ...body },
  });

test("manifests are taken as they are written: a policy of directives, settings of a component, buttons", async () => {
  const configurations = {
    account: {
      properties: { oauth: { type: "button", title: "Connect", button_text: "Connect", callback_url: "/oauth" } },
    },
    space: { componentId: "settings" },
  };
  const answer = await publish({
    contentSecurityPolicy: { "script-src": "https://a.example.com 'unsafe-inline'", "img-src": "*" },
    configurations,
  });
  expect(answer).toMatchObject({
    status: 200,
    body: { contentSecurityPolicy: "script-src https://a.example.com 'unsafe-inline'; img-src *", configurations },
  });
});

test("settings of a component are any values, and a button has none", async () => {
  const body = {
    configurations: {
      account: { componentId: "settings" },
      space: { properties: { go: { type: "button" }, name: { type: "string" } } },
    },
  };
  const { body: made } = await publish(body);
  const { name } = made as { name: string };
  const configuration = { token: { value: ["a", 1, null] } };
  const { installation } = await done<{ installation: { id: string } }>(app, admin.token, "installIntegration", {
    integrationName: name,
    organizationId: organization.id,
    configuration,
    answer: "installation { id status configuration }",
  });
  expect(installation).toMatchObject({ status: "ACTIVE", configuration });
});

test.each([
  ["directives that are a list", { contentSecurityPolicy: ["a"] }, "/contentSecurityPolicy"],
  ["a directive without a text", { contentSecurityPolicy: { "img-src": 1 } }, "/contentSecurityPolicy"],
  ["a directive with two headers", { contentSecurityPolicy: { "img-src": "a, b" } }, "/contentSecurityPolicy"],
  [
    "a button with a preset",
    { configurations: { account: { properties: { a: { type: "button", default: "x" } } } } },
    "/configurations/account/properties/a/default",
  ],
  ["a script that does not compile", { script: "export default {\n  fetch( {\n};" }, "/script"],
  ["a script that exports neither form", { script: "export const handler = 1;" }, "/script"],
  ["a script that exports nothing", { script: "(() => { addEventListener('fetch', () => {}) })();" }, "/script"],
])("%s is refused when it is published", async (_what, body, path) => {
  const { status, body: answer } = await publish(body);
  expect([status, (answer as unknown as Refused).error.details[0]?.path]).toEqual([400, path]);
});

interface Refused {
  readonly error: { readonly details: readonly { readonly path: string; readonly message: string }[] };
}

test("a script that does not compile is refused with its line and column", async () => {
  const { body } = await publish({ script: "export default {\n  fetch() { return 1 +; }\n};" });
  expect((body as unknown as Refused).error.details[0]?.message).toMatch(
    /^does not compile at line 2, column \d+: SyntaxError: /,
  );
});
