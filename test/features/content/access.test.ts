// Who sees pages, files and reusable contents, by every way: those who see the revision that they are in.
import { expect, test } from "vitest";
import { idInRevision, newId } from "#src/base/ids.ts";
import { giveContent, giveFiles } from "#test/features/content/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

/** Gives a revision a page, a file and a shared text; answers the ids that these have in it. */
async function fill(revisionId: string): Promise<string[]> {
  const [page = ""] = await giveContent(app.database, revisionId, ["Page"]);
  const [file = ""] = await giveFiles(app.database, revisionId, ["notes.txt"]);
  const text = newId("ReusableContent");
  const data = { reusableContents: { [text]: { title: "Shared", documentHash: null } } };
  await app.database.prisma.revision.update({ where: { id: revisionId }, data });
  return [page, file, text].map((id) => idInRevision(revisionId, id));
}

const document = `query ($ids: [ID!]!, $page: ID!, $space: ID!, $changeRequest: ID!) {
  nodes(ids: $ids) { id }
  node(id: $page) { id ... on Page { revision { id } history { nodes { id } } } }
  space(id: $space) { content { allPages { id } allFiles { id } reusableContents { id } } }
  changeRequest(id: $changeRequest) { content { allPages { id } } changes { pages { nodes { after { id } } } } }
}`;

/** The roles and grants that open a space, and those that do not. */
const inside = [
  "admin",
  "creator",
  "reviewer",
  "editor",
  "commenter",
  "reader",
  "teamOwner",
  "invitedGuest",
  "teamGuest",
] as const;
const outside = ["guest", "disabled", "outsider"] as const;

test.each(["in_collection", "public"] as const)("of a space that is %s", async (visibility) => {
  const { space, changeRequest, people } = await world.everything({ space: { visibility } });
  const active = await fill(space.revisionId);
  const proposed = await fill(changeRequest.revisionId);
  const [page = ""] = proposed;
  const variables = { ids: [...active, ...proposed], page, space: space.id, changeRequest: changeRequest.id };
  for (const name of [...inside, ...outside]) {
    const { data } = await app.as(people[name].token).graphql(document, variables);
    const answer = JSON.stringify(data ?? null);
    const seesProposed = outside.every((one) => one !== name);
    const seesActive = visibility === "public" || seesProposed;
    for (const id of active) expect(answer.includes(id), `${name} and ${id}`).toBe(seesActive);
    for (const id of proposed) expect(answer.includes(id), `${name} and ${id}`).toBe(seesProposed);
  }
});

test("who may only view a space is not told which change requests it has", async () => {
  const { outsider, space, changeRequest } = await world.changeRequest({ space: { visibility: "public" } });
  const post = async (name: string | number) => {
    const path = `/v1/spaces/${space.id}/change-requests/${name}/content/import`;
    const { status } = await app
      .as(outsider.token)
      .rest("POST", path, { body: { url: "https://example.com", source: "markdown" } });
    return status;
  };
  expect([await post(changeRequest.number), await post(changeRequest.id), await post(99)]).toEqual([404, 404, 404]);
});
