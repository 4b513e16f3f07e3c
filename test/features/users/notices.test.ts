// E-mails about invitations, mentions and review requests: what they say, and that their receivers can end each kind.
import { expect, test } from "vitest";
import type { Email, Mail } from "#src/net/mail.ts";
import { createComment, createReply, done } from "#test/features/comments/discussion.ts";
import { useApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";
import type { Person } from "#test/support/world.ts";

const received: Email[] = [];
const readers: ((email: Email) => void)[] = [];
const mail: Mail = {
  send: async (email) => {
    const reader = readers.shift();
    if (reader) reader(email);
    else received.push(email);
  },
};
const { app, world } = await useApp({ mail });

/** The next e-mail; waits for it. */
const next = (): Promise<Email> => {
  const email = received.shift();
  return email ? Promise.resolve(email) : new Promise((resolve) => readers.push(resolve));
};

const requestReviews = `mutation ($input: RequestReviewsInput!) { requestReviews(input: $input) { changeRequest { id } } }`;
const invite = `mutation ($input: CreateInvitationInput!) { createInvitation(input: $input) { invitation { id } } }`;

async function makeDesk() {
  const made = await world.changeRequest();
  const { space, changeRequest, organization, admin, commenter, reviewer, outsider } = made;
  const mention = ({ id }: Person) => ({ markdown: `[@somebody](user:${id}) look` });
  return {
    ...made,
    address: `${app.url}/app/spaces/${space.id}/change-requests/${changeRequest.id}`,
    /** Each kind of e-mail, once. */
    send: {
      mention: async () => {
        const place = { contentOf: { changeRequestId: changeRequest.id } };
        const { comment } = await done(app, commenter, createComment, { ...place, text: mention(reviewer) });
        return comment.id;
      },
      review_request: () =>
        app.as(admin.token).query(requestReviews, {
          input: { changeRequestId: changeRequest.id, reviewerIds: [reviewer.id] },
        }),
      invitation: () =>
        app.as(admin.token).query(invite, { input: { organizationId: organization.id, email: outsider.email } }),
    },
    mention,
  };
}

const pathOf = ({ unsubscribe = "" }: Email) => unsubscribe.replace(app.url, "");

test("a mention, a review request and an invitation are sent with an address that ends their kind", async () => {
  const { send, address, reviewer, outsider, commenter, admin, mention } = await makeDesk();
  const commentId = await send.mention();
  const mentioned = await next();
  expect([mentioned.to, mentioned.text.includes(address)]).toEqual([reviewer.email, true]);
  expect(mentioned.text).toContain(`"${commenter.displayName}" mentions you in a comment`);
  await done(app, commenter, createReply, { commentId, text: mention(admin) });
  expect((await next()).to).toBe(admin.email);
  await send.review_request();
  const asked = await next();
  expect([asked.to, asked.text.includes(address)]).toEqual([reviewer.email, true]);
  expect(asked.text).toContain(`"${admin.displayName}" asks you to review change request`);
  await send.invitation();
  const invited = await next();
  expect([invited.to, invited.unsubscribe?.startsWith(`${app.url}/emails/${outsider.id}/invitation/`)]).toEqual([
    outsider.email,
    true,
  ]);
  for (const { unsubscribe = "", text } of [mentioned, asked, invited]) expect(text).toContain(unsubscribe);
});

test("one click without a session ends one kind, and the page of e-mails begins it again", async () => {
  const { send, reviewer, admin, outsider } = await makeDesk();
  await send.review_request();
  const path = pathOf(await next());
  const shown = await fetch(app.url + path, { headers: { accept: "text/html" } });
  expect([shown.status, textOf(await shown.text()).includes("Send me no more of them")]).toEqual([200, true]);
  expect((await fetch(`${app.url}${path.slice(0, -1)}x`, { method: "POST" })).status).toBe(404);
  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  const ended = await fetch(app.url + path, { method: "POST", body, headers: { accept: "text/html" } });
  expect([ended.status, textOf(await ended.text()).includes("You get no more such e-mails")]).toEqual([200, true]);
  const own = await readerOf(app, reviewer);
  const { body: page } = await own.read("/app/me/emails");
  expect([/name="review_request"\s*\/>/.test(page), /name="mention" checked/.test(page)]).toEqual([true, true]);
  const saved = await own.send("/app/me/emails", "emails", { review_request: "on", invitation: "on" });
  expect([saved.status, saved.to]).toEqual([303, "/app/me/emails"]);
  expect(await app.as(reviewer.token).query("{ mutedEmails }")).toEqual({ mutedEmails: ["MENTION"] });
  expect(await app.as(admin.token).query("{ mutedEmails }")).toEqual({ mutedEmails: [] });
  await send.mention(); // is not sent: the next e-mail is the invitation
  await send.invitation();
  expect((await next()).to).toBe(outsider.email);
});

test("unknown addresses that end e-mails are not found", async () => {
  const { reviewer } = await world.organization();
  const paths = [
    "",
    "/",
    `/${reviewer.id}/mention/`,
    `/${reviewer.id}/mention/none`,
    `/${reviewer.id}/other/none`,
    "/a/b/c",
  ];
  for (const path of paths) {
    const { status } = await fetch(`${app.url}/emails${path}`, { method: "POST", headers: { accept: "text/html" } });
    expect([path, status]).toEqual([path, 404]);
  }
});
