// The public client of the platform drives a whole review with its own methods alone: from an empty gateway to a
// published site.
import { type PublicClient, publicClient } from "#test/public-client/client.ts";
import { expect, test } from "vitest";
import { addPerson } from "#test/features/members/factory.ts";
import { useApp } from "#test/support/app.ts";
import { createWorld } from "#test/support/world.ts";

const { app } = await useApp();
const world = createWorld(app.database);

/** A client with the token of a new user, who is in no organization. */
async function newClient() {
  const { id, token } = await world.insert((rows) => addPerson(rows));
  return { id, api: publicClient(app.url, token) };
}

type Client = Awaited<ReturnType<typeof newClient>>;

/** An organization with a space and a change request of an author, and a reviewer who joins by an invite link. */
async function startReview(author: Client, reviewer: Client) {
  const { data: organization } = await author.api.orgs.createOrganization({ title: "Tide Gauges" });
  const { data: space } = await author.api.orgs.createSpace(organization.id, { title: "Manual" });
  const { data: changeRequest } = await author.api.spaces.createChangeRequest(space.id, { subject: "First pages" });
  const { data: link } = await author.api.orgs.createOrganizationInvite(organization.id, { role: "review" });
  const { url } = link;
  await reviewer.api.orgs.joinOrganizationWithInvite(organization.id, url.slice(url.lastIndexOf("/") + 1));
  return { organizationId: organization.id, spaceId: space.id, changeRequestId: changeRequest.id };
}

/** Creates two pages and a file, then renames one page, moves the other one below it, and deletes nothing else. */
async function write({ spaces }: PublicClient, spaceId: string, changeRequestId: string) {
  const of = [spaceId, changeRequestId] as const;
  await spaces.updateChangeRequestContent(...of, {
    changes: [
      { operation: "insert_page", title: "Mooring", document: { markdown: "# Anchors\n\nTwo of them.\n" } },
      { operation: "insert_page", title: "Cables", document: { markdown: "Thick ones.\n" } },
      { operation: "insert_page", title: "Mistake", document: {} },
      {
        operation: "insert_files",
        files: [{ name: "ports.txt", contentType: "text/plain", base64: Buffer.from("Brest").toString("base64") }],
      },
    ],
  });
  const { data: cables } = await spaces.getPageInChangeRequestByPath(...of, "cables");
  const { data: mistake } = await spaces.getPageInChangeRequestByPath(...of, "mistake");
  const { data: mooring } = await spaces.getPageInChangeRequestByPath(...of, "mooring");
  await spaces.updateChangeRequestContent(...of, {
    changes: [
      { operation: "update_page", page: mooring.id, title: "Mooring in tides", description: "Before you sail" },
      { operation: "update_page", page: cables.id, into: mooring.id, at: 0 },
      { operation: "delete_page", page: mistake.id },
    ],
  });
  const { data: files } = await spaces.listFilesInChangeRequestById(...of);
  expect(files.items.map(({ name }) => name)).toEqual(["ports.txt"]);
}

/** Comments, review and merge, by two people. */
async function review(author: Client, reviewer: Client, [spaceId, changeRequestId]: readonly [string, string]) {
  const of = [spaceId, changeRequestId] as const;
  await author.api.spaces.updateChangeRequestById(...of, { status: "open" });
  await author.api.spaces.requestReviewersForChangeRequest(...of, { users: [reviewer.id] });
  const { data: requested } = await author.api.spaces.getRequestedReviewersByChangeRequestId(...of);
  expect(requested.items).toMatchObject([{ kind: "user", user: { id: reviewer.id } }]);
  const { data: comment } = await reviewer.api.spaces.postCommentInChangeRequest(...of, {
    body: { markdown: "Which anchors?" },
  });
  await author.api.spaces.postCommentReplyInChangeRequest(...of, comment.id, { body: { markdown: "Iron ones." } });
  const { data: given } = await reviewer.api.spaces.submitChangeRequestReview(...of, {
    status: "approved",
    comment: { markdown: "Fine." },
  });
  const { data: found } = await author.api.spaces.getChangeRequestReviewById(...of, given.id);
  expect(found).toMatchObject({ status: "approved", reviewer: { id: reviewer.id } });
  const { data: merged } = await author.api.spaces.mergeChangeRequest(...of);
  return merged.revision;
}

test("writes, reviews, merges and publishes with methods of the public client alone", async () => {
  const [author, reviewer] = [await newClient(), await newClient()];
  expect((await author.api.user.getAuthenticatedUser()).data.id).toBe(author.id);
  const { organizationId, spaceId, changeRequestId } = await startReview(author, reviewer);
  await write(author.api, spaceId, changeRequestId);
  const revisionId = await review(author, reviewer, [spaceId, changeRequestId]);
  const { data: page } = await author.api.spaces.getPageInRevisionByPath(spaceId, revisionId, "mooring/cables", {
    format: "markdown",
  });
  expect(page).toMatchObject({ title: "Cables", markdown: "Thick ones.\n" });
  const { data: spaces } = await reviewer.api.orgs.listSpacesInOrganizationById(organizationId);
  expect(spaces.items.map(({ id }) => id)).toEqual([spaceId]);
  const { data: site } = await author.api.orgs.createSite(organizationId, { title: "Tides", spaces: [spaceId] });
  const { data: published } = await author.api.orgs.publishSite(organizationId, site.id);
  expect(published).toMatchObject({ published: true, urls: { published: expect.stringContaining("http") as string } });
});
