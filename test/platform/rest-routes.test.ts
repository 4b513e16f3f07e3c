// Rows of the route table: the routes that they become, and the parents that rows of the same form are made for.
import { expect, test } from "vitest";
import { parentAt } from "#src/rest/parent.ts";
import { defineRoutes, type RouteRow } from "#src/rest/route.ts";

test("a row becomes a route of its method and path, with the usual status of the method unless it says another", () => {
  const row = { summary: "", answer: [], document: "" };
  const rows: Record<string, RouteRow> = {
    getThing: { ...row, request: "GET /v1/things/{thingId}" },
    createThing: { ...row, request: "POST /v1/things", success: 201 },
    deleteThing: { ...row, request: "DELETE /v1/things/{thingId}" },
    forgetThing: { ...row, request: "DELETE /v1/things/{thingId}/memory", success: 204 },
  };
  expect(defineRoutes(rows)).toEqual([
    { ...row, operationId: "getThing", method: "GET", path: "/v1/things/{thingId}", success: 200 },
    { ...row, operationId: "createThing", method: "POST", path: "/v1/things", success: 201 },
    { ...row, operationId: "deleteThing", method: "DELETE", path: "/v1/things/{thingId}", success: "deleted" },
    { ...row, operationId: "forgetThing", method: "DELETE", path: "/v1/things/{thingId}/memory", success: 204 },
  ]);
});

test("a parent says the parts of a document that lead to it, by the ids in its path", () => {
  expect(parentAt("change request", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}")).toEqual({
    noun: "change request",
    path: "/v1/spaces/{spaceId}/change-requests/{changeRequestId}",
    answer: ["space", "changeRequest"],
    variables: "$spaceId: ID!, $changeRequestId: ID!",
    open: "space(id: $spaceId) { changeRequest(id: $changeRequestId) {",
    close: "} }",
    input: "spaceId: $spaceId, changeRequestId: $changeRequestId",
  });
});
