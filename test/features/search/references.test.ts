// Search reads texts as readers see them: character references are characters, and tags are not text.
import { expect, test } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

test("finds words by their characters, however they are written, and not by the names of characters", async () => {
  const { space, editor } = await world.space();
  const as = app.as(editor.token);
  // syntax-tree/mdast-util-to-markdown#62, rehypejs/rehype-remark#17, Milkdown/milkdown#2052
  const markdown = [
    "# Caf&#xE9; &mdash; one",
    "**bold&#x20;**&#x61;fterwards and &eacute;clair, na&#239;ve &hearts; fi&shy;",
    '{% hint style="info" %}\nInside\n\n- listed\n{% endhint %}',
    "<p>In &Uuml;bung <b>raw</b></p>",
  ].join("\n\n");
  await editAs(as, { spaceId: space.id }, newPage("Page", { markdown }).edit);
  const find = async (text: string) => {
    const { space: found } = await as.query<{
      space: { search: { nodes: { sections: { anchor: string | null; title: string; body: string }[] }[] } };
    }>(
      `query ($id: ID!, $text: String!) { space(id: $id) { search(text: $text) { nodes { sections(first: 1) { anchor title } } } } }`,
      { id: space.id, text },
    );
    return found.search.nodes.map(({ sections }) => sections);
  };
  const section = { anchor: "cafe-one", title: "Café — one" };
  for (const word of ["café", "afterwards", "éclair", "naïve", "listed", "Übung", "raw"])
    expect(await find(word), word).toMatchObject([[section]]);
  for (const word of ["x61", "eacute", "mdash", "endhint", "Uuml"]) expect(await find(word), word).toEqual([]);
});
