import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { test } from "vitest";
import { writeFileSync } from "node:fs";
import { useApp } from "#test/support/app.ts";
const { app, world } = await useApp({ own: true });
test("x", async () => {
  const { editor, space, organization } = await world.comment();
  const gql = (query: string) => ({ method: "POST", path: "/graphql", body: { query } });
  const requests = {
    viewer: gql("{ viewer { id } }"),
    d: gql(`{ space(id: "${space.id}") { id title visibility organization { title } } }`),
    f: { method: "GET", path: `/v1/spaces/${space.id}` },
    b: gql(`{ organization(id: "${organization.id}") { spaces(first: 10) { nodes { id title changeRequests(first: 10) { nodes { id subject createdBy { id displayName } comments(first: 10) { nodes { id postedBy { displayName } } } } } } } } }`),
  };
  const child = spawn(process.execPath, ["--max-semi-space-size=256", "--disable-warning=ExperimentalWarning", "test/speed/count.ts", app.databaseUrl, editor.token], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(requests));
  const out = JSON.parse(await text(child.stdout)) as Record<string, Record<string, unknown>>;
  writeFileSync(process.env["OUT"] ?? "/tmp/count.json", JSON.stringify(out));
  for (const [name, { byFunction, ...rest }] of Object.entries(out)) console.log(name, JSON.stringify(rest));
});
