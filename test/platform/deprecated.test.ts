// What was renamed goes on working under its former name: every deprecated argument and input field of the schema is
// in one of the tables here, or has a test that is named.
import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputField,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from "graphql";
import { describe, expect, test } from "vitest";
import { DomainError } from "#src/base/errors.ts";
import { namingOf, underNewNames } from "#src/plan/new-names.ts";
import { schema } from "#src/schema.ts";
import { newPage } from "#test/features/content/edits.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

type Field = GraphQLArgument | GraphQLInputField;
type Deprecable = Pick<Field, "name" | "deprecationReason">;

/** The arguments of a field, or the fields of an input type, under the name of that. */
interface Group {
  readonly name: string;
  readonly fields: readonly Field[];
}

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith("__"));
const groups = types.flatMap((type): Group[] => {
  if (isInputObjectType(type)) return [{ name: type.name, fields: Object.values(type.getFields()) }];
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).map(({ name, args }) => ({ name: `${type.name}.${name}`, fields: args }));
});
const deprecated = groups.flatMap((group) =>
  group.fields.filter((field) => field.deprecationReason != null).map((field) => ({ group, field })),
);
const renamings = deprecated.flatMap(({ group, field }) => {
  const { renamedTo } = namingOf(field);
  return renamedTo === undefined ? [] : [{ at: `${group.name}.${field.name}`, group, field, renamedTo }];
});

/** The error of a function. */
function refusalOf(run: () => unknown): DomainError {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) return error;
  }
  throw new Error("Nothing was refused.");
}

describe.each(renamings)("$at", ({ group, field, renamedTo }) => {
  const [target = "", key] = renamedTo.split("/");
  const value = isInputObjectType(getNamedType(field.type)) ? {} : "something";
  const needed = group.fields.filter((one) => namingOf(one).mustBeGiven && one.name !== target);
  const others = Object.fromEntries(needed.map(({ name }) => [name, {}]));

  test("is read as what it is called now", () => {
    const read = underNewNames(group.fields, { ...others, [field.name]: value });
    expect(read).toEqual({ ...others, [target]: key === undefined ? value : { [key]: value } });
    expect(underNewNames(group.fields, { ...others, [target]: value })).toEqual({ ...others, [target]: value });
  });

  test("is optional, as is the name of now; of a required one neither is too little", () => {
    expect(String(field.type)).not.toMatch(/!$/);
    const now = group.fields.find(({ name }) => name === target);
    expect(String(now?.type)).not.toMatch(/!$/);
    if (!now || !namingOf(now).mustBeGiven) return;
    expect(refusalOf(() => underNewNames(group.fields, others)).details).toEqual([
      { path: target, message: "must be given." },
    ]);
  });

  test("is refused beside what it is called now, unless it is null", () => {
    const both = { ...others, [field.name]: value, [target]: value };
    const { code, details } = refusalOf(() => underNewNames(group.fields, both));
    expect(code).toBe("INVALID_INPUT");
    expect(details).toEqual([
      { path: field.name, message: `must not be given beside \`${target}\`, which says the same.` },
    ]);
    expect(underNewNames(group.fields, { ...both, [field.name]: null })).toEqual({ ...others, [target]: value });
  });
});

/** Deprecated without a new name: where that is tested. */
const elsewhere: Readonly<Record<string, string>> = {
  position: "features/spaces/writes, features/collections/move, features/content/writes",
  defaultContent: "features/organizations/update",
  order: "lists by orderBy, in the tests of each feature",
  sort: "features/members/graph",
  spaceId: "features/comments/writes, features/change-requests/writes, features/reviews",
  changeRequestId: "features/comments/writes",
  commentId: "features/comments/replies",
};

test("everything else that is deprecated has its tests", () => {
  const others = deprecated.filter(({ field }) => namingOf(field).renamedTo === undefined);
  expect([...new Set(others.map(({ field }) => field.name))].filter((name) => !(name in elsewhere))).toEqual([]);
  expect(renamings.length).toBeGreaterThan(40);
});

test("every deprecation says what to use, and what is named there is there", () => {
  const fields = types.flatMap((type) => {
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [];
    const all = Object.values<Deprecable>(type.getFields());
    return all.map((value) => ({ of: all, value }));
  });
  const all: { of: readonly Deprecable[]; value: Deprecable }[] = [...fields];
  all.push(...deprecated.map(({ group, field }) => ({ of: group.fields, value: field })));
  const reasons = all.filter(({ value }) => value.deprecationReason != null);
  expect(reasons.length).toBeGreaterThan(80);
  for (const { of, value } of reasons) {
    const [, used] = /^Use `(\w+)`/.exec(value.deprecationReason ?? "") ?? [];
    if (used === undefined) expect(value.deprecationReason).toMatch(/^(Leave it out|Always|Nothing sets it)/);
    else expect(of.map(({ name }) => name)).toContain(used);
  }
});

const made = await world.comment();
const [spaceId, changeRequestId] = [made.space.id, made.changeRequest.id];
const admin = app.as(made.admin.token);

describe("through the front door", () => {
  const onSpace = (field: string) => `space(id: "${spaceId}") { ${field} }`;
  const onOrganization = (field: string) => `organization(id: "${made.organization.id}") { ${field} }`;
  const asked: readonly (readonly [now: string, former: string, value: string, ask: (field: string) => string])[] = [
    [
      "contributorId",
      "contributor",
      `"${made.editor.id}"`,
      (arg) => onSpace(`changeRequests(${arg}) { nodes { id } }`),
    ],
    ["pageId", "targetPage", `"${made.editor.id}"`, (arg) => onSpace(`comments(${arg}) { nodes { id } totalCount }`)],
    ["authorIds", "authors", `["${made.commenter.id}"]`, (arg) => onSpace(`comments(${arg}) { nodes { id } }`)],
    ["ownerId", "owner", `"${made.teamOwner.id}"`, (arg) => onOrganization(`teams(${arg}) { nodes { id } }`)],
    ["spaceId", "space", `"${spaceId}"`, (arg) => onOrganization(`sites(${arg}) { nodes { id } totalCount }`)],
    [
      "sinceRevisionId",
      "since",
      `"${made.space.revisionId}"`,
      (arg) => onSpace(`content { changes(${arg}) { stats { created } } }`),
    ],
  ];
  test.each(asked)("%s, which was %s", async (now, former, value, ask) => {
    const answer = await admin.query(`{ ${ask(`${now}: ${value}`)} }`);
    expect(await admin.query(`{ ${ask(`${former}: ${value}`)} }`)).toEqual(answer);
    const both = `{ ${ask(`${now}: ${value}, ${former}: ${value}`)} }`;
    expect(await admin.refusal(both)).toBe("INVALID_INPUT");
  });

  const page = newPage("Tides", { markdown: "High" });
  const run = async (mutation: string, input: object, selection: string) => {
    const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
    const document = `mutation ($input: ${type}!) { ${mutation}(input: $input) { ${selection} } }`;
    const { data, errors } = await admin.graphql<Record<string, unknown>>(document, { input });
    return errors?.map(({ extensions: { code, details } }) => `${code} ${details?.[0]?.path}`) ?? data?.[mutation];
  };

  test("of mutations", async () => {
    expect(await run("editContent", { spaceId, edits: [page.edit] }, "revision { pageCount }")).toEqual({
      revision: { pageCount: 1 },
    });
    const { revisionId } = await app.database.prisma.space.findUniqueOrThrow({ where: { id: spaceId } });
    const stale = { spaceId, expectedRevision: made.space.revisionId, edits: [newPage("Late").edit] };
    expect(await run("editContent", stale, "revision { id }")).toEqual(["CONFLICT expectedRevisionId"]);
    const fresh = { contentOf: { spaceId }, expectedRevision: revisionId, edits: [newPage("Late").edit] };
    expect(await run("editContent", fresh, "revision { pageCount }")).toEqual({ revision: { pageCount: 2 } });
    const said = { spaceId, body: { markdown: "So" }, page: page.pageId };
    expect(await run("createComment", said, "comment { body { markdown } target { page { id } } }")).toEqual({
      comment: { body: { markdown: "So" }, target: { page: { id: page.pageId } } },
    });
    const grant = { userId: made.reader.id, spaceId, role: "EDIT" };
    expect(await run("setGrant", grant, "grant { role user { id } }")).toEqual({
      grant: { role: "EDIT", user: { id: made.reader.id } },
    });
  });

  test("names of now beside former ones are refused, naming the former one", async () => {
    const both = { contentOf: { spaceId }, spaceId, text: { markdown: "So" } };
    expect(await run("createComment", both, "comment { id }")).toEqual(["INVALID_INPUT spaceId"]);
    const covers = { pageId: page.pageId, cover: { file: "fil_1", fileId: "fil_1" } };
    const edits = [page.edit, { updatePage: covers }];
    expect(await run("editContent", { contentOf: { spaceId }, edits }, "revision { id }")).toEqual([
      "INVALID_INPUT edits/1/updatePage/cover/file",
    ]);
    expect(await run("createComment", { contentOf: { spaceId } }, "comment { id }")).toEqual(["INVALID_INPUT text"]);
  });

  test("a change request, comment or reply is named by its id alone, and where more is given it agrees", async () => {
    const other = await world.space();
    const subject = { changeRequestId, subject: "Alone" };
    const answer = { changeRequest: { subject: "Alone" } };
    expect(await run("updateChangeRequest", subject, "changeRequest { subject }")).toEqual(answer);
    expect(await run("updateChangeRequest", { ...subject, spaceId }, "changeRequest { subject }")).toEqual(answer);
    const elsewhereNow = { ...subject, spaceId: other.space.id };
    expect(await run("updateChangeRequest", elsewhereNow, "changeRequest { subject }")).toEqual([
      "NOT_FOUND undefined",
    ]);
    expect(await run("updateChangeRequest", { changeRequestId: "1" }, "changeRequest { subject }")).toEqual([
      "INVALID_INPUT changeRequestId",
    ]);
    for (const [commentId, place] of [
      [made.comment.id, { spaceId, changeRequestId }],
      [made.spaceComment.id, { spaceId }],
    ] as const) {
      const resolved = { commentId, resolved: true };
      for (const where of [{}, place])
        expect(await run("updateComment", { ...resolved, ...where }, "comment { status }")).toEqual({
          comment: { status: "RESOLVED" },
        });
      const wrong = "changeRequestId" in place ? { spaceId } : { spaceId, changeRequestId };
      expect(await run("updateComment", { ...resolved, ...wrong }, "comment { id }")).toEqual(["NOT_FOUND undefined"]);
    }
    const reply = { replyId: made.reply.id, addedReactions: ["👀"] };
    for (const where of [{}, { commentId: made.comment.id, spaceId, changeRequestId }, { changeRequestId }])
      expect(await run("updateCommentReply", { ...reply, ...where }, "reply { id }")).toEqual({
        reply: { id: made.reply.id },
      });
    const astray = { ...reply, commentId: made.spaceComment.id, spaceId };
    expect(await run("updateCommentReply", astray, "reply { id }")).toEqual(["NOT_FOUND undefined"]);
    expect(await run("deleteCommentReply", { replyId: made.reply.id }, "deletedId deleted comment { id }")).toEqual({
      deletedId: made.reply.id,
      deleted: true,
      comment: { id: made.comment.id },
    });
    expect(
      await run("deleteComment", { commentId: made.comment.id }, "deletedId space { id } changeRequest { id }"),
    ).toEqual({ deletedId: made.comment.id, space: { id: spaceId }, changeRequest: { id: changeRequestId } });
    expect(await run("deleteComment", { commentId: made.comment.id }, "deletedId deleted space { id }")).toEqual({
      deletedId: null,
      deleted: false,
      space: null,
    });
  });
});
