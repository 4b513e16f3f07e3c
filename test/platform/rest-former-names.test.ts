// What the mutations of /v1 fill: the input fields of now, and former ones only where the contract needs them.
import { NoDeprecatedCustomRule, parse, validate } from "graphql";
import { expect, test } from "vitest";
import { features } from "#src/features/index.ts";
import { documentOf } from "#src/rest/document.ts";
import { schema } from "#src/schema.ts";

/** The deprecated input fields that a route fills. */
function formerOf(document: string): string[] {
  const errors = validate(schema, parse(document), [NoDeprecatedCustomRule]);
  const fields = errors.flatMap(({ message }) => /^The input field \w+\.(\w+) is deprecated/.exec(message)?.[1] ?? []);
  return fields.toSorted();
}

const places = "the path says where a comment or change request is: elsewhere it is NOT_FOUND";
const number = "the path takes the number of a change request, too, which only says which beside its space";
const empty = "the contract takes a body without a text, which leaves the text as it is";
const forms = "the contract has the form of the former field";

/** The former fields that mutations fill all the same, with the reason. */
const kept: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  moveCollection: { position: forms },
  moveSpace: { position: forms },
  updateOrganization: { defaultContent: forms },
  updateChangeRequest: { spaceId: number },
  mergeChangeRequest: { spaceId: number },
  pullChangeRequestUpdates: { spaceId: number },
  importChangeRequestContent: { changeRequestId: number, spaceId: number },
  createChangeRequestComment: { changeRequestId: number, spaceId: number },
  updateSpaceComment: { body: empty, spaceId: places },
  updateChangeRequestComment: { body: empty, changeRequestId: places, spaceId: places },
  deleteSpaceComment: { spaceId: places },
  deleteChangeRequestComment: { changeRequestId: places, spaceId: places },
  createSpaceCommentReply: { spaceId: places },
  createChangeRequestCommentReply: { changeRequestId: places, spaceId: places },
  updateSpaceCommentReply: { body: empty, commentId: places, spaceId: places },
  deleteSpaceCommentReply: { commentId: places, spaceId: places },
};

const routes = features.flatMap((feature) => feature.routes);

test.each(routes.map((route) => [route.operationId, route] as const))("%s", (name, route) => {
  expect(formerOf(documentOf(schema, route))).toEqual(Object.keys(kept[name] ?? {}));
});

test("what took the place of several fields is filled where the row names one of them", () => {
  const one = routes.find(({ operationId }) => operationId === "createSpaceComment");
  expect(one && documentOf(schema, one)).toMatch(/input: \{ contentOf: \{ spaceId: \$spaceId \}, .*text: \$body\b/);
});

test("whatever is kept is there", () => {
  const names = routes.map(({ operationId }) => operationId);
  expect(Object.keys(kept).filter((name) => !names.includes(name))).toEqual([]);
});
