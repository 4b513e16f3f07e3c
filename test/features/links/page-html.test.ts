// The HTML of pages in a revision: links lead to the application, or below an address of the caller; files have their
// download URLs and sizes.
import { expect, it } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { pngFile, uploadAs } from "#test/features/content/uploads.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const document = `query ($id: ID!, $path: String!, $linkBase: String, $markdown: String) {
  space(id: $id) { content { page(by: { path: $path }) { html(linkBase: $linkBase, markdown: $markdown) outline { anchor } } } }
}`;

interface Read {
  readonly space: {
    readonly content: { readonly page: { readonly html: string | null; readonly outline: readonly object[] } };
  };
}

async function makePages() {
  const { admin, space } = await world.space();
  const as = app.as(admin.token);
  const { file } = await uploadAs(as, { spaceId: space.id, file: pngFile("a.png", { width: 40, height: 30 }) });
  const target = newPage("Target page", { markdown: "# Part" });
  const markdown = [
    `[id](page:${target.pageId}#part), [path](target-page.md), [space](space:${space.id}), [me](user:${admin.id})`,
    `![A](file:${file.id}) [a.png](file:${file.id}) {{ word }}`,
    '[lost](lost.md) [web](https://example.com) [target-page.md](target-page.md "mention")',
    '{% content-ref url="target-page.md" %}\n[target-page.md](target-page.md)\n{% endcontent-ref %}',
    '{% content-ref url="lost.md" %}\n[lost.md](lost.md)\n{% endcontent-ref %}',
  ].join("\n\n");
  const page = newPage("Links", { markdown });
  const variables = { setVariables: { variables: [{ name: "word", value: "*value*" }] } };
  const group = newPage("Group", { type: "GROUP" });
  await editAs(as, { spaceId: space.id }, target.edit, page.edit, group.edit, variables);
  const read = async (variables: object) => {
    const { space: found } = await as.query<Read>(document, { id: space.id, path: "links", ...variables });
    return found.content.page;
  };
  return { space, target, read };
}

it("links in the HTML of a page lead to the application, and files have URLs and sizes", async () => {
  const { space, target, read } = await makePages();
  const { html } = await read({});
  const base = `${app.url}/app/spaces/${space.id}`;
  const [first, second, third, ...others] = (html ?? "").split("\n");
  expect(first).toBe(
    `<p><a href="${base}/pages/${target.pageId}#part">id</a>, <a href="${base}/pages/${target.pageId}">path</a>, <a href="${base}">space</a>, <a>me</a></p>`,
  );
  const [, url = ""] = /src="([^"]+)"/.exec(second ?? "") ?? [];
  expect((await fetch(url)).headers.get("content-type")).toBe("image/png");
  expect(second).toBe(
    `<p><img src="${url}" width="40" height="30" alt="A" loading="lazy"> <a href="${url}">a.png</a> <em>value</em></p>`,
  );
  const link = `<a href="${base}/pages/${target.pageId}">Target page</a>`;
  expect(third).toBe(`<p><a>lost</a> <a href="https://example.com">web</a> ${link}</p>`);
  expect(others).toEqual([`<p class="reference">${link}</p>`, '<p class="reference"><a>lost.md</a></p>']);
});

it("with a base, links lead to the paths of pages below it, and not to the application", async () => {
  const { read } = await makePages();
  const { html } = await read({ linkBase: "/published/x/" });
  expect(html?.split("\n")[0]).toBe(
    '<p><a href="/published/x/target-page#part">id</a>, <a href="/published/x/target-page">path</a>, <a>space</a>, <a>me</a></p>',
  );
});

it("a page without a text has no HTML and an empty outline", async () => {
  const { read } = await makePages();
  expect(await read({ path: "group" })).toEqual({ html: null, outline: [] });
});

it.each(["javascript:alert(1)", "//example.com", "/a?b", "x", "https:///"])(
  "returns INVALID_INPUT for the base %s",
  async (linkBase) => {
    const { read } = await makePages();
    await expect(read({ linkBase })).rejects.toThrow(/linkBase|must be a path/);
  },
);

it("shows another text as the page would, with its variables and links", async () => {
  const { read, target, space } = await makePages();
  const { html } = await read({ markdown: "{{ word }} [path](target-page.md) <script>x</script>" });
  expect(html).toContain("<em>value</em>");
  expect(html).toContain(`/app/spaces/${space.id}/pages/${target.pageId}`);
  expect(html).not.toContain("<script>");
  const { html: own } = await read({});
  expect(own).toContain("lost");
  await expect(read({ markdown: "x".repeat(500_001) })).rejects.toThrow("must have at most 500000 characters");
});
