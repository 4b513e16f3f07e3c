// The pages of change requests over HTTP: what each role sees, what their forms do, and what refused ones show.
import { expect, test } from "vitest";
import { changeRequestPage } from "#src/features/change-requests/pages/change-request.ts";
import { listPage } from "#src/features/change-requests/pages/list.ts";
import { guideWith, move, newPageAt, remove, setScene, update } from "#test/features/change-requests/scene.ts";
import { elementsIn, textOf, visitAs } from "#test/features/change-requests/visits.ts";
import { addComment, addReply } from "#test/features/comments/factory.ts";
import { useApp } from "#test/support/app.ts";
import { type Person, times } from "#test/support/world.ts";

const { app, world } = await useApp();

async function setPages(given: Parameters<typeof setScene>[2] = {}) {
  const scene = await setScene(app, world, given);
  const list = `/app/spaces/${scene.space.id}/change-requests`;
  return { ...scene, list, path: `${list}/${scene.changeRequestId}`, as: (person: Person) => visitAs(app, person) };
}

/** The names of the forms of a page, each once. */
const formsIn = (body: string): string[] => [
  ...new Set([...body.matchAll(/name="form" value="(\w+)"/g)].map(([, name = ""]) => name)),
];

const changesIn = (body: string): string[] => elementsIn(body, "article").map((one) => textOf(one));

/** The part of an address after `#`. */
const anchorOf = (to: string | null): string => to?.split("#")[1] ?? "";

test("a change request shows its changes page by page, with the changed words", async () => {
  const { ids, mine, path, as, reviewer } = await setPages();
  await mine(
    update(ids.guide, { title: "The guide", markdown: guideWith({ 3: "three & <small>" }) }),
    newPageAt(null, { title: "Phone", markdown: "Open the store." }),
    remove(ids.faq),
    move(ids.setup, null),
  );
  const { status, body } = await (await as(reviewer)).read(path);
  expect(status).toBe(200);
  expect(body).toMatch(new RegExp(`href="${path}/pages/${ids.guide}">As it will look`));
  expect(body).toContain("three<ins> &#38; &#60;small&#62;</ins>");
  const changes = changesIn(body).map((text) => text.replace(/ As it will look.*/, ""));
  expect(changes).toHaveLength(4);
  expect(changes).toEqual(
    expect.arrayContaining([
      "The guide Edited /guide Lines added: +1 Lines removed: −1 title Guide The guide one two three & <small> four five",
      "Phone New /phone Lines added: +1 Lines removed: −0 Open the store.",
      "FAQ Deleted /faq",
      "Setup Moved /setup Moved from Guide to the top level.",
    ]),
  );
});

test("an empty change request says how to begin", async () => {
  const { path, as, editor } = await setPages();
  const { body } = await (await as(editor)).read(path);
  expect(textOf(body)).toContain("Nothing is changed yet. Choose a page to edit , or write another one.");
  expect(body).toContain(`href="${path}/pages"`);
  expect(textOf(body)).toContain("Nobody has said anything yet.");
});

test("each role gets the forms of what it may do", async () => {
  const { path, list, as, ...people } = await setPages();
  const { reader, commenter, editor, reviewer, admin } = people;
  const forms = async (person: Person, at = path) => formsIn((await (await as(person)).read(at)).body);
  expect(await forms(reader)).toEqual([]);
  expect(await forms(commenter)).toEqual(["comment"]);
  expect(await forms(editor)).toEqual(["comment", "request", "status", "subject"]); // its author does not review it
  expect(await forms(reviewer)).toEqual(["comment", "merge", "review", "request", "status", "subject"]);
  expect(await forms(admin)).toEqual(await forms(reviewer));
  expect([await forms(reader, list), await forms(editor, list)]).toEqual([[], ["create"]]);
});

test("change requests that the reader does not see are not found, and nobody sees one without a sign-in", async () => {
  const { path, list, space, changeRequestId, as, guest, outsider, editor } = await setPages();
  for (const person of [guest, outsider])
    for (const at of [path, list]) expect((await (await as(person)).read(at)).status).toBe(404);
  const elsewhere = await setPages();
  const visit = await as(editor);
  expect((await visit.read(path.replace(changeRequestId, elsewhere.changeRequestId))).status).toBe(404);
  expect((await visit.read(path.replace(space.id, elsewhere.space.id))).status).toBe(404);
  const anyone = await fetch(app.url + path, { headers: { accept: "text/html" } });
  expect([anyone.status, await anyone.text()]).toEqual([401, expect.stringContaining("/sign-in")]);
});

test("readers of a public space without a role on it see no change request", async () => {
  const { path, list, as, outsider } = await setPages({ space: { visibility: "public" } });
  const visit = await as(outsider);
  expect((await visit.read(path)).status).toBe(404);
  expect(textOf((await visit.read(list)).body)).toContain("No change request is open.");
  for (const at of [path, list])
    expect((await fetch(app.url + at, { headers: { accept: "text/html" } })).status).toBe(401);
});

test("the list starts change requests and filters them", async () => {
  const { list, path, changeRequestId, as, editor, reviewer } = await setPages();
  const [author, visit] = [await as(editor), await as(reviewer)];
  const { status, location: to } = await visit.send(list, "create", { subject: " Explain the phone " });
  expect([status, to]).toEqual([303, expect.stringMatching(new RegExp(`^${list}/chr_\\w+$`))]);
  await author.send(path, "subject", { subject: "Rename the guide" });
  await author.send(path, "request", { reviewer: reviewer.id });
  const listed = async (search: string) =>
    elementsIn((await visit.read(list + search)).body, "li", "#").map((item) => textOf(elementsIn(item, "a")[0] ?? ""));
  expect(await listed("")).toEqual(["Explain the phone", "Rename the guide"]);
  expect(await listed("?show=mine")).toEqual(["Explain the phone"]);
  expect(await listed("?show=waiting")).toEqual(["Rename the guide"]);
  expect(await listed("?show=merged")).toEqual([]);
  expect(await listed("?show=all&subject=PHONE")).toEqual(["Explain the phone"]);
  await author.send(path, "status", { status: "ARCHIVED" });
  expect(await listed("?show=archived")).toEqual(["Rename the guide"]);
  expect(await listed("?show=unknown")).toEqual(["Explain the phone"]);
  const { body } = await visit.read(`${list}?show=archived`);
  expect(elementsIn(body, "a", "aria-current").map(textOf)).toEqual(["Archived"]);
  expect(body).toContain(`href="${list}/${changeRequestId}"`);
});

test("the list leads on to older change requests", async () => {
  const { list, as, editor, changeRequestId } = await setPages();
  const visit = await as(editor);
  for (const index of times(25, (number) => number)) await visit.send(list, "create", { subject: `Number ${index}` });
  const first = await visit.read(`${list}?show=all`);
  expect(first.body).not.toContain(changeRequestId);
  const [, next = ""] = /href="([^"]*)">Older change requests/.exec(first.body) ?? [];
  expect((await visit.read(next.replaceAll("&#38;", "&"))).body).toContain(changeRequestId);
});

test("people discuss a change request: comments, replies, reactions, and resolving", async () => {
  const { ids, mine, path, as, commenter, editor, reader } = await setPages();
  await mine(update(ids.guide, { markdown: guideWith({ 3: "THREE" }) }));
  const [asking, answering] = [await as(commenter), await as(editor)];
  const said = await asking.send(path, "comment", { text: "Why\r\n**this** <b onclick=x>?</b>", page: ids.guide });
  expect([said.status, said.location]).toEqual([303, `${path}#${anchorOf(said.location)}`]);
  const id = anchorOf(said.location);
  const reply = await answering.send(path, "reply", { comment: id, text: "Because." });
  expect([reply.status, anchorOf(reply.location)]).toEqual([303, expect.stringMatching(/^\w+_\w+$/)]);
  await answering.send(path, "react", { id, add: "👍" });
  await asking.send(path, "reactToReply", { id: anchorOf(reply.location), add: "🎉" });
  const conversation = async () =>
    elementsIn((await (await as(reader)).read(path)).body, "section", 'id="conversation"')
      .map(textOf)
      .join(" ");
  expect(await conversation()).toMatch(
    /^Conversation On Guide · in the text Commenter [\d-]+ [\d:]+ UTC Why this \? 👍 1 Editor [\d-]+ [\d:]+ UTC Because\. 🎉 1$/,
  );
  await answering.send(path, "react", { id, remove: "👍" });
  await asking.send(path, "reactToReply", { id: anchorOf(reply.location), remove: "🎉" });
  expect(await conversation()).not.toContain("👍 1");
  expect((await asking.send(path, "resolve", { id, resolved: "true" })).location).toBe(`${path}#${id}`);
  expect(await conversation()).toContain("Resolved by Commenter");
  await asking.send(path, "resolve", { id, resolved: "" });
  expect(await conversation()).not.toContain("Resolved");
  await asking.send(path, "edit", { id, text: "How?" });
  await answering.send(path, "editReply", { id: anchorOf(reply.location), text: "So." });
  expect(await conversation()).toMatch(/UTC edited How\? Editor [\d-]+ [\d:]+ UTC edited So\.$/);
  await answering.send(path, "deleteReply", { id: anchorOf(reply.location) });
  await asking.send(path, "delete", { id });
  expect(await conversation()).toBe("Conversation Nobody has said anything yet.");
});

test("a comment mentions the person that its author has chosen", async () => {
  const { path, as, commenter, editor } = await setPages();
  const said = await (
    await as(commenter)
  ).send(path, "comment", { text: "Look", mention: `Ed [it] or (${editor.id})` });
  expect(said.status).toBe(303);
  const { body } = await (await as(editor)).read(path);
  expect(body).toMatch(new RegExp(`<a href="${app.url}/app/users/${editor.id}"[^>]*>@Ed  ?it  ?or</a>`));
  const { viewer } = await app.as(editor.token).query<{ viewer: object }>("{ viewer { mentions { totalCount } } }");
  expect(viewer).toEqual({ mentions: { totalCount: 1 } });
});

test("reviews are requested, withdrawn, given and dismissed", async () => {
  const { path, as, editor, reviewer, commenter, mine, ids } = await setPages();
  const [author, reviewing] = [await as(editor), await as(reviewer)];
  for (const { id } of [reviewer, commenter]) await author.send(path, "request", { reviewer: id });
  const reviewers = async () =>
    elementsIn((await author.read(path)).body, "section", 'id="reviewers"')
      .flatMap((section) => elementsIn(elementsIn(section, "ul")[0] ?? "", "li"))
      .map(textOf);
  expect(await reviewers()).toEqual(["Reviewer Requested Withdraw", "Commenter Requested Withdraw"]);
  await author.send(path, "withdraw", { reviewer: commenter.id });
  const given = await reviewing.send(path, "review", { verdict: "CHANGES_REQUESTED", message: "**Too** long." });
  expect((await author.read(path)).body).toContain("<strong>Too</strong> long.");
  expect([given.status, given.location]).toEqual([303, path]);
  expect(await reviewers()).toEqual(["Reviewer Changes requested"]);
  expect(textOf((await author.read(path)).body)).toMatch(/Reviewer Changes requested [\d-]+ [\d:]+ UTC Too long\./);
  await mine(update(ids.guide, { title: "Short" }));
  expect(await reviewers()).toEqual(["Reviewer Changes requested before the latest changes"]);
  const [, id = ""] = /name="form" value="dismiss"[^]*?value="(\w+)"/.exec((await reviewing.read(path)).body) ?? [];
  await reviewing.send(path, "dismiss", { id });
  expect(await reviewers()).toEqual(["Reviewer Dismissed before the latest changes"]);
  await reviewing.send(path, "review", { verdict: "APPROVED" });
  expect(await reviewers()).toEqual(["Reviewer Approved"]);
});

test("a merge needs the revision that its reader has seen, and shows before which links it breaks", async () => {
  const { path, as, reviewer, mine, main, ids, current, began } = await setPages();
  await main(update(ids.start, { markdown: "See [the questions](../faq.md)." }));
  await mine(remove(ids.faq));
  const visit = await as(reviewer);
  await (await as(reviewer)).send(path, "pull", {});
  const { body } = await visit.read(path);
  expect(textOf(elementsIn(body, "section", 'id="merge"')[0] ?? "")).toContain(
    "A merge breaks 1 link: ../faq.md on Start Merge anyway",
  );
  const [, seen = ""] = /name="revision" value="(\w+)"/.exec(body) ?? [];
  await mine(update(ids.guide, { title: "Later" }));
  const refused = await visit.send(path, "merge", { revision: seen });
  expect([refused.status, elementsIn(refused.body, "p", 'role="alert"').length]).toEqual([409, 1]);
  const [, now = ""] = /name="revision" value="(\w+)"/.exec(refused.body) ?? [];
  expect(await visit.send(path, "merge", { revision: now })).toMatchObject({ status: 303, location: path });
  expect(await current()).not.toBe(began);
  const merged = await visit.read(path);
  expect(textOf(elementsIn(merged.body, "aside")[0] ?? "")).toMatch(/^Merged by Reviewer/);
  expect(formsIn(merged.body)).toEqual(["comment"]);
});

test("conflicts are shown with both sides, and resolved by a choice for each or by a text", async () => {
  const { path, as, editor, reviewer, mine, main, ids, mineNow } = await setPages();
  await mine(update(ids.guide, { title: "Mine", markdown: guideWith({ 7: "my seven" }) }));
  await main(update(ids.guide, { title: "Theirs", markdown: guideWith({ 7: "their seven" }) }));
  const visit = await as(editor);
  expect((await visit.send(path, "pull", {})).location).toBe(`${path}#conflicts`);
  const { body } = await visit.read(path);
  const [title = "", text = ""] = elementsIn(body, "fieldset");
  expect(textOf(title)).toBe(
    "Both changed the title of the page guide. This change request Mine Main content Theirs Something else Mine",
  );
  expect(textOf(text)).toContain("my seven Main content their seven");
  expect(formsIn((await (await as(reviewer)).read(path)).body)).not.toContain("merge");
  const revision = /name="revision" value="(\w+)"/.exec(body)?.[1] ?? "";
  const [first = "", second = ""] = [title, text].map((one) => /name="choice:([^"]+)"/.exec(one)?.[1]);
  const refused = await visit.send(path, "resolveConflicts", { revision, [`choice:${first}`]: "THEIRS" });
  expect([refused.status, elementsIn(refused.body, "p", 'role="alert"').length]).toEqual([409, 1]);
  expect(elementsIn(refused.body, "fieldset")[0]).toMatch(/value="THEIRS"\s+required\s+checked/);
  const choices = {
    [`choice:${first}`]: "THEIRS",
    [`choice:${second}`]: "TEXT",
    [`text:${second}`]: "our\r\nseven\r\n",
  };
  const resolved = await visit.send(path, "resolveConflicts", { revision, ...choices });
  expect([resolved.status, resolved.location]).toEqual([303, path]);
  expect(await mineNow()).toContain(`guide Theirs ${JSON.stringify(guideWith({ 7: "our\nseven" }))}`);
  expect(formsIn((await (await as(reviewer)).read(path)).body)).toContain("merge");
});

test("a form that is refused says why and keeps what was written", async () => {
  const { path, list, as, commenter, reader, editor } = await setPages();
  const visit = await as(commenter);
  const long = "long ".repeat(14_000);
  const refused = await visit.send(path, "comment", { text: long });
  expect(refused.status).toBe(400);
  expect(elementsIn(refused.body, "p", 'role="alert"').map(textOf)).toEqual([expect.stringContaining("65536")]);
  expect(refused.body).toContain(`>\n${long}</textarea>`);
  const other = await (await as(reader)).send(path, "comment", { text: "May I?" });
  expect([other.status, elementsIn(other.body, "p", 'role="alert"').length, formsIn(other.body)]).toEqual([403, 1, []]);
  const subject = await (await as(editor)).send(list, "create", { subject: "x".repeat(101) });
  expect([subject.status, subject.body.includes(`value="${"x".repeat(101)}"`)]).toEqual([400, true]);
  expect(elementsIn(subject.body, "details", 'role="alert"')[0]).toMatch(/^<details class="start" open/);
});

test("a large change request is shown in parts", async () => {
  const { space, changeRequestId, path, as, editor, commenter, mine } = await setPages();
  await mine(...times(25, (index) => newPageAt(null, { title: `Page ${index}`, markdown: "Text" })));
  await world.insert((rows) =>
    times(55, (index) =>
      addComment(rows, { spaceId: space.id, changeRequestId, postedById: commenter.id, markdown: `Number ${index}.` }),
    ),
  );
  const visit = await as(editor);
  const { body } = await visit.read(path);
  expect(changesIn(body)).toHaveLength(20);
  expect(textOf(body)).toContain("20 of 25 changed pages. The next ones");
  expect(textOf(body)).toContain("50 of 55 comments. Older ones");
  const linkTo = (text: string) =>
    (new RegExp(`href="([^"#]*)[^"]*"\\s*>${text}`).exec(body)?.[1] ?? "").replaceAll("&#38;", "&");
  const next = await visit.read(linkTo("The next ones"));
  expect(changesIn(next.body)).toHaveLength(5);
  const older = await visit.read(linkTo("Older ones"));
  expect(textOf(older.body)).toContain("Number 4.");
  expect(textOf(older.body)).not.toContain("Number 5.");
});

test("forms from elsewhere are refused", async () => {
  const { path, as, editor, stored } = await setPages();
  const visit = await as(editor);
  for (const origin of [null, "https://example.com"])
    expect((await visit.send(path, "status", { status: "ARCHIVED" }, origin)).status).toBe(403);
  expect((await stored()).status).toBe("draft");
});

test("a page takes as many statements for 50 comments with replies and changed pages as for 2", async () => {
  const counts: number[][] = [];
  for (const size of [2, 50]) {
    const { space, changeRequestId, editor, commenter, mine } = await setPages();
    await world.insert((rows) =>
      times(size, () => {
        const { id } = addComment(rows, { spaceId: space.id, changeRequestId, postedById: commenter.id });
        addReply(rows, { commentId: id, postedById: editor.id });
      }),
    );
    await mine(...times(size, (index) => newPageAt(null, { title: `Page ${index}`, markdown: "Text" })));
    const as = app.as(editor.token);
    // The lowest of four: on a busy machine, questions of one level may reach the database in two statements.
    const lowest = async (query: string, variables: object) => {
      const each: number[] = [];
      for (let time = 0; time < 4; time++) each.push(await as.statements(query, { ...variables }));
      return Math.min(...each);
    };
    counts.push([
      await lowest(changeRequestPage.query, { spaceId: space.id, id: changeRequestId }),
      await lowest(listPage.query, { spaceId: space.id, isWaiting: false }),
      await lowest(listPage.query, { spaceId: space.id, isWaiting: true }),
    ]);
  }
  expect(counts[0]).toEqual(counts[1]);
  expect(counts[0]).toEqual([17, 4, 3]);
});

test("an open page hears of changes of the change request and of its conversation", async () => {
  const { path, as, editor, space } = await setPages();
  const visit = await as(editor);
  expect((await visit.read(path)).body).toMatch(/live\.[\w-]+\.js"/);
  const headers = { accept: "text/event-stream", authorization: `Bearer ${editor.token}` };
  for (const [address, type] of [
    [`${path}?changes`, "Ready"],
    [`/app/spaces/${space.id}/change-requests?changes`, "Ready"],
  ] as const) {
    const abort = new AbortController();
    const answer = await fetch(app.url + address, { headers, signal: abort.signal });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (reader && !text.includes(type)) text += (await reader.read()).value ?? "";
    expect([address, answer.status]).toEqual([address, 200]);
    abort.abort();
  }
});
