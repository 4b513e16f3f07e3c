// Random strings in place of texts that the gateway encodes or clients compress: each is refused as an error of the
// client, never as an internal error.
import fc from "fast-check";
import lzString from "lz-string";
import { expect, test } from "vitest";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
const { admin, space, organization } = await world.space();
const client = app.as(admin.token);

/** Random base64url and LZ-string texts, and valid texts with one letter changed or removed. */
const valid = [
  lzString.compressToEncodedURIComponent(JSON.stringify({ componentId: "a", props: {}, context: {} })),
  Buffer.from('["created","asc","2026-01-01T00:00:00.000Z","usr_00000000000000000000000000"]').toString("base64url"),
  Buffer.from("e0.1.2.3").toString("base64url"),
];
const letters = fc.string({
  unit: fc.constantFrom(..."abcdefgzABCDEFGZ0189-_+$".split("")),
  minLength: 1,
  maxLength: 60,
});
const changed = fc
  .tuple(fc.constantFrom(...valid), fc.nat(), fc.string({ maxLength: 1 }))
  .map(([text, at, letter]) => text.slice(0, at % text.length) + letter + text.slice((at % text.length) + 1));
const texts = [...new Set(["zzz", ...fc.sample(fc.oneof(letters, changed), 100)])].filter((one) => one.trim() !== "");

test("returns 400 with the path for an invalid LZ-string request, by REST and GraphQL", async () => {
  const rendered = async (text: string) => {
    const path = `/v1/integrations/tides/render?request=${encodeURIComponent(text)}`;
    const { status, body } = await client.rest<{ error: { details?: { path: string }[] } }>("GET", path);
    return { text, status, at: body.error.details?.[0]?.path.split("/")[0] };
  };
  const answers = await Promise.all(texts.map(rendered));
  expect(answers.filter(({ status, at }) => status !== 400 || at !== "request")).toEqual([]);

  const fields = texts.map(
    (text, index) =>
      `r${index}: renderIntegration(integrationName: "tides", request: ${JSON.stringify(text)}) { type }`,
  );
  const { errors = [] } = await client.graphql(`{ ${fields.join(" ")} }`);
  expect(new Set(errors.map(({ extensions: { code } }) => code))).toEqual(new Set(["INVALID_INPUT"]));
  expect(errors).toHaveLength(texts.length);
});

/** Requests with such texts in other places. */
const places: Readonly<Record<string, (text: string) => readonly [path: string, headers?: Record<string, string>]>> = {
  "a page of /v1": (text) => [`/v1/orgs?page=${text}`],
  "variables in an address": (text) => [`/graphql?query={__typename}&variables=${text}`],
  "extensions in an address": (text) => [`/graphql?query={__typename}&extensions=${text}`],
  "a cursor of events": (text) => [
    `/graphql?query=subscription{commentEvents(of:{spaceId:"${space.id}"},after:"${text}"){__typename}}`,
    { accept: "text/event-stream" },
  ],
  "a cursor of consistency": (text) => [`/v1/orgs`, { "x-docgraph-consistency": text }],
  "a visitor's token": (text) => [`/v1/spaces/${space.id}`, { "x-visitor-token": `${text}.${text}.${text}` }],
  "an address of a file": (text) => [`/files/${text}/${text}/a.png`],
  "an address of a specification": (text) => [`/openapi/${text}/openapi.json?expires=1&signature=${text}`],
  "a part of a path": (text) => [`/v1/spaces/%${text}`],
  "an endpoint": (text) => [`/integrations/%${text}/ins_${text}/`],
};

async function statusOf(path: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(app.url + path, { headers: { authorization: `Bearer ${admin.token}`, ...headers } });
  await answer.body?.cancel();
  return answer.status;
}

test.each(Object.keys(places))("does not return 500 for a random string as %s", async (place) => {
  const found: string[] = [];
  for (let at = 0; at < texts.length; at += 10) {
    const some = texts.slice(at, at + 10);
    const statuses = await Promise.all(
      some.map((text) => statusOf(...(places[place]?.(encodeURIComponent(text)) ?? [""]))),
    );
    found.push(...some.filter((_, index) => statuses[index] === 500));
  }
  expect(found).toEqual([]);
});

test("returns INVALID_INPUT for a random string as a list cursor", async () => {
  const fields = texts.map(
    (text, index) => `l${index}: spaces(first: 1, after: ${JSON.stringify(text)}) { nodes { id } }`,
  );
  const { errors = [] } = await client.graphql(`{ organization(id: "${organization.id}") { ${fields.join(" ")} } }`);
  expect(new Set(errors.map(({ extensions: { code } }) => code))).toEqual(new Set(["INVALID_INPUT"]));
});
