// URLs in content that frontends may use never have a scheme that runs a script or contains its own data.
import { getNamedType } from "graphql";
import { describe, expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { schema } from "#src/schema.ts";
import { createComment, createReply, done, refused } from "#test/features/comments/discussion.ts";
import { editAs, editDocument, newPage } from "#test/features/content/edits.ts";
import { makePublished } from "#test/features/published-sites/scene.ts";
import { useApp } from "#test/support/app.ts";
import { allFields, coordinateOf } from "#test/support/schema-paths.ts";

const { app, world } = await useApp();

/** URLs as Markdown writes them in `<...>`, which a browser or a careless frontend would run or show. */
const awkward = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " javascript:alert(1)",
  "\u0001javascript:alert(1)",
  "java\tscript:alert(1)",
  "java script:alert(1)",
  "java\u200bscript:alert(1)",
  "javascript&colon;alert(1)",
  "&#106;avascript:alert(1)",
  "&#x6A;avascript&#58;alert(1)",
  "java&Tab;script:alert(1)",
  "javascript\\:alert(1)",
  "&amp;#106;avascript:alert(1)",
  "vbscript:msgbox(1)",
  "VBScript:msgbox(1)",
  "data:text/html,%3Cscript%3Ealert(1)%3C/script%3E",
  "data:image/svg+xml;base64,PHN2Zy8+",
  "file:///etc/passwd",
  "blob:https://example.com/1",
  "view-source:javascript:alert(1)",
  "ftp://example.com/a",
  "vscode://file/a",
];
const plain = [
  "https://example.com/a?b=c:d",
  "HTTP://example.com",
  "mailto:ada@example.com",
  "tel:+15550100",
  "/a/b:c",
  "./other.md",
  "../a.md#javascript:x",
  "#part",
  "?q=javascript:1",
  "//example.com/x",
  "",
];

const formsOf = (address: string, index: number): string =>
  [
    `[text ${index}](<${address}>) and ![picture ${index}](<${address}>) and [**by** ${index}][d${index}]`,
    `${/^[a-z]/i.test(address) ? `<${address}>` : ""} ![p][d${index}]`,
    `[d${index}]: <${address}>`,
  ].join("\n\n");
const markdown = [...awkward, ...plain].map(formsOf).join("\n\n");

/** Every text of a document that a frontend may use as a URL. */
function addressesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]: [string, unknown]) =>
    typeof inside === "string" && /^(?:url|href|src)$/i.test(name) ? [inside] : addressesIn(inside),
  );
}

/** The browsers' reading of a URL, with and without decoding entities as a frontend may do. */
const schemesOf = (address: string): string[] =>
  [address, address.replaceAll(/[\s\p{C}\\]/gu, "")].map((one) => new URL(one, "https://base.example").protocol);

function expectHarmless(document: unknown): void {
  const addresses = addressesIn(document);
  for (const address of addresses) {
    expect(["http:", "https:", "mailto:", "tel:"]).toEqual(expect.arrayContaining(schemesOf(address)));
    expect(address).not.toMatch(/&(?:#\w+|\w+);/);
  }
  expect(new Set(addresses.filter((one) => one !== ""))).toEqual(new Set(plainOfDocument));
  for (const [index] of awkward.entries()) {
    expect(JSON.stringify(document)).toContain(`text ${index} and picture ${index} and `);
  }
}
/** An anchor is a separate kind of reference, without a URL. */
const plainOfDocument = plain.filter((address) => address !== "" && !address.startsWith("#"));

/** The fields that return URLs, by the rule that keeps them harmless. */
const knownFields: Readonly<Record<string, readonly string[]>> = {
  "documents contain only allowed URLs": [
    "CommentBody.document",
    "Page.document",
    "PublishedPage.document",
    "Translation.instructions",
  ],
  "links have no URL that is not allowed": ["ContentReference.url", "ResolvedReference.url"],
  "the literal text of a link, for display": ["ContentLink.address"],
};

describe("URLs in returned content", () => {
  test("every field that is a document is listed here, and so is every URL from a text", () => {
    const fields = allFields(schema).filter(({ type, field }) => {
      const { name } = getNamedType(field.type);
      if (name === "RichDocument") return true;
      return (
        name === "String" &&
        /url$|href$|^address$/i.test(field.name) &&
        /Content(?:Link|Reference)|ResolvedReference/.test(type.name)
      );
    });
    expect(fields.map(coordinateOf).toSorted()).toEqual(Object.values(knownFields).flat().toSorted());
  });

  test("documents of pages, comments, replies, translations and published pages keep unsafe links as text", async () => {
    const made = await makePublished(app, world);
    const as = app.as(made.admin.token);
    const spaceId = made.spaces.guide.id;
    const reusableContentId = newId("ReusableContent");
    await editAs(
      as,
      { spaceId },
      newPage("Links", { markdown }).edit,
      { createReusableContent: { reusableContentId, title: "Note", markdown } },
      newPage("Includes", { markdown: `{{ reusable:${reusableContentId} }}\n` }).edit,
      newPage("Variables", { markdown: "[x]({{ v }}:alert(1))", variables: [{ name: "v", value: "javascript" }] }).edit,
    );
    const { comment } = await done(app, made.admin, createComment, { contentOf: { spaceId }, text: { markdown } });
    await done(app, made.admin, createReply, { commentId: comment.id, text: { markdown } });
    const read = `query ($space: ID!, $comment: ID!, $site: ID!) {
      space(id: $space) { content {
        links: page(by: { path: "links" }) { markdown document }
        includes: page(by: { path: "includes" }) { document(evaluated: true) }
        variables: page(by: { path: "variables" }) { document(evaluated: true) }
      } }
      comment(id: $comment) { body { document } replies { nodes { body { document } } } }
      publishedSite(by: { id: $site }) { page(path: "docs/guide/links") { document } }
    }`;
    interface Page {
      readonly document: unknown;
      readonly markdown: string;
    }
    const answer = await app.as(made.admin.token).query<{
      space: { content: Record<"links" | "includes" | "variables", Page> };
      comment: { body: Page; replies: { nodes: { body: Page }[] } };
      publishedSite: { page: Page };
    }>(read, { space: spaceId, comment: comment.id, site: made.siteId });
    const { links, includes, variables } = answer.space.content;
    expect(links.markdown).toBe(markdown);
    const { body, replies } = answer.comment;
    for (const { document } of [links, includes, body, replies.nodes[0]?.body, answer.publishedSite.page].flatMap(
      (one) => one ?? [],
    ))
      expectHarmless(document);
    expect(addressesIn(variables.document)).toEqual([]);
  });

  test("instructions of a translation keep unsafe links as text", async () => {
    const { organization, space, admin } = await world.space();
    const input = { organizationId: organization.id, language: "ES", source: { spaceId: space.id } };
    const create = `mutation ($input: CreateTranslationInput!) { createTranslation(input: $input) { translation { instructions } } }`;
    const answer = await app
      .as(admin.token)
      .query<{ createTranslation: { translation: { instructions: unknown } } }>(create, {
        input: { ...input, instructionsMarkdown: markdown },
      });
    expectHarmless(answer.createTranslation.translation.instructions);
  });

  test("links of a text have the URL as written, and no target if its scheme is not allowed", async () => {
    const { space, editor } = await world.space();
    const as = app.as(editor.token);
    const texts = ["javascript:alert(1)", "data:text/html,x", "https://example.com/"];
    await editAs(
      as,
      { spaceId: space.id },
      newPage("Links", { markdown: texts.map((one) => `[x](${one})`).join(" ") }).edit,
    );
    const read = `{ space(id: "${space.id}") { links { nodes { address targetReference { url } } } } }`;
    const { space: answer } = await as.query<{
      space: { links: { nodes: { address: string; targetReference: { url: string | null } }[] } };
    }>(read);
    const links = answer.links.nodes.map(({ address, targetReference }) => [address, targetReference.url]);
    expect(links.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))).toEqual([
      ["data:text/html,x", null],
      ["https://example.com/", "https://example.com/"],
      ["javascript:alert(1)", null],
    ]);
  });
});

describe("an input document with an unsafe URL", () => {
  const linkTo = (url: string, type = "link") => ({
    object: "document",
    nodes: [
      { object: "block", type: "paragraph", nodes: [{ object: "inline", type, data: { ref: { kind: "url", url } } }] },
    ],
  });
  const embed = (data: object) => ({ object: "document", nodes: [{ object: "block", type: "embed", data }] });
  const marked = {
    object: "document",
    nodes: [
      {
        object: "block",
        type: "paragraph",
        nodes: [{ object: "text", leaves: [{ text: "x", marks: [{ type: "link", data: { href: "javascript:x" } }] }] }],
      },
    ],
  };

  test("is refused with the path of the URL", async () => {
    const { space, editor } = await world.space();
    const edit = async (document: object): Promise<unknown> => {
      const input = { contentOf: { spaceId: space.id }, edits: [{ createPage: { title: "Page", document } }] };
      const { errors } = await app.as(editor.token).graphql(editDocument, { input });
      const [error] = errors ?? [];
      const { code, details } = (error?.extensions ?? {}) as { code?: string; details?: { path: string }[] };
      return error && [code, details?.[0]?.path];
    };
    const at = "edits/0/createPage/document/nodes/0";
    for (const address of awkward.filter((one) => !one.includes("\\")))
      expect([address, await edit(linkTo(address))]).toEqual([
        address,
        ["INVALID_INPUT", `${at}/nodes/0/data/ref/url`],
      ]);
    for (const address of plain) expect([address, await edit(linkTo(address, "image"))]).toEqual([address, undefined]);
    expect(await edit(embed({ url: "javascript:alert(1)" }))).toEqual(["INVALID_INPUT", `${at}/data/url`]);
    expect(await edit(embed({ of: [{ src: "data:text/html,x" }] }))).toEqual(["INVALID_INPUT", `${at}/data/of/0/src`]);
    expect(await edit(marked)).toEqual(["INVALID_INPUT", `${at}/nodes/0/leaves/0/marks/0/data/href`]);
  });

  test("is also refused in comments, replies and translation instructions", async () => {
    const made = await world.comment();
    const spaceId = made.space.id;
    const document = linkTo("javascript:alert(1)");
    const place = "nodes/0/nodes/0/data/ref/url";
    const { commenter, admin } = made;
    expect(await refused(app, commenter, createComment, { contentOf: { spaceId }, text: { document } })).toContain(
      place,
    );
    const commentId = made.spaceComment.id;
    expect(await refused(app, commenter, createReply, { commentId, text: { document } })).toContain(place);
    const create = `mutation ($input: CreateTranslationInput!) { createTranslation(input: $input) { translation { id } } }`;
    const input = {
      organizationId: made.organization.id,
      language: "ES",
      source: { spaceId },
      instructions: document,
    };
    expect(await refused(app, admin, create, input)).toContain(place);
  });
});
