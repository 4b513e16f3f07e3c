// The description of /v1 has ids of the demo as examples, which exist and belong together.
import { expect, test } from "vitest";
import { pathExamples } from "#src/rest/description/path-examples.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { testApp, useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

interface Described {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get?: { readonly parameters?: readonly { name: string; in: string; example?: string }[] } }
    >
  >;
}

test("an object is found below the one of the parameter before it, or left out", () => {
  const data = {
    spaces: [
      { spaceId: "s1" },
      { spaceId: "s2", changes: [{ changeRequestId: "c2", comments: [{ commentId: "x" }] }] },
    ],
  };
  expect(pathExamples("/v1/spaces/{spaceId}", data)).toEqual({ spaceId: "s1" });
  const comment = "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}";
  expect(pathExamples(comment, data)).toEqual({ spaceId: "s2", changeRequestId: "c2", commentId: "x" });
  expect(pathExamples("/v1/spaces/{spaceId}/comments/{commentId}", data)).toEqual({ spaceId: "s1" });
  expect(pathExamples("/v1/spaces/{spaceId}/links/{linkId}", data)).toEqual({ spaceId: "s1" });
  expect(pathExamples("/v1/spaces/{spaceId}", null)).toEqual({});
});

test("objects of the demo are found at the paths of their examples, and other gateways show none", async () => {
  const { space, changeRequest, admin } = await world.changeRequest();
  await world.insert((rows) =>
    addComment(rows, { spaceId: space.id, changeRequestId: changeRequest.id, postedById: admin.id }),
  );
  await using demo = await testApp({ beside: app, graphiql: true, demoToken: admin.token });
  const described = async (url: string) => {
    const { paths } = (await (await fetch(`${url}/v1/openapi.json`)).json()) as Described;
    return Object.entries(paths).flatMap(([path, { get }]) => {
      const ids = (get?.parameters ?? []).filter((parameter) => parameter.in === "path");
      if (ids.length === 0 || ids.some(({ example }) => example === undefined)) return [];
      return [ids.reduce((text, { name, example = "" }) => text.replace(`{${name}}`, example), path)];
    });
  };
  const paths = await described(demo.url);
  expect(paths).toContain(`/v1/spaces/${space.id}/change-requests/${changeRequest.id}`);
  expect(paths.filter((path) => /\/change-requests\/\w+\/comments\/cmt_\w+$/.test(path))).toHaveLength(1);
  const client = app.as(admin.token);
  for (const path of paths.filter((one) => /\/(?:org|spc|chr|cmt|usr|col)_\w+$/.test(one)))
    expect([path, (await client.rest("GET", path)).status]).toEqual([path, 200]);
  expect(await described(app.url)).toEqual([]);
});
