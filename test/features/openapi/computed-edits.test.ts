// Edits of computed pages, and around them.
import { describe, expect, test } from "vitest";
import { editDocument, newPage, outline, readPages, restoreDocument } from "#test/features/content/edits.ts";
import { documentWith, fixtureMaker } from "#test/features/openapi/scene.ts";
import { compute, from } from "#test/features/openapi/specs.ts";
import { useApp } from "#test/support/app.ts";

// Has its own database: the job computes the oldest pages of the whole database.
const { app, world } = await useApp({ own: true });
const makeFixture = fixtureMaker({ app, world });

describe("edits of computed pages", () => {
  test("are refused for generated pages, also adding pages below them", async () => {
    const { edit, refuse, read } = await makeFixture();
    const api = newPage("API", from("harbour"));
    const other = newPage("Other");
    await edit(api.edit, other.edit);
    const { pageId } = await read("api/ships");
    expect(await refuse({ updatePage: { pageId, title: "Mine" } })).toBe("INVALID_INPUT");
    expect(await refuse({ deletePage: { pageId } })).toBe("INVALID_INPUT");
    expect(await refuse({ movePage: { pageId, parentId: null } })).toBe("INVALID_INPUT");
    expect(await refuse({ createPage: { title: "Mine", parentId: pageId } })).toBe("INVALID_INPUT");
    expect(await refuse({ createPage: { title: "Mine", parentId: api.pageId } })).toBe("INVALID_INPUT");
    expect(await refuse({ movePage: { pageId: other.pageId, parentId: api.pageId } })).toBe("INVALID_INPUT");
    expect(await refuse({ updatePage: { pageId: api.pageId, markdown: "Mine" } })).toBe(
      "INVALID_INPUT edits/0/updatePage/markdown",
    );
  });

  test("of the page itself keep the generated pages, unless its computation changes", async () => {
    const { edit, read, as, spec } = await makeFixture();
    const api = newPage("API", from("harbour"));
    await edit(api.edit, newPage("Part").edit);
    const before = await read();
    await edit({
      updatePage: {
        pageId: api.pageId,
        title: "Interface",
        slug: "interface",
        computed: from("harbour").computed,
      },
    });
    const after = await read("interface");
    expect(after.markdown).toBe(before.markdown);
    expect(after.children).toEqual(before.children);
    await edit({ updatePage: { pageId: api.pageId, computed: from(spec.id, "models").computed } });
    expect((await read("interface")).children).toEqual([{ slug: "ship" }]);
    const revisionId = await edit({ deletePage: { pageId: api.pageId } });
    expect(outline(await readPages(as, revisionId))).toEqual(["part"]);
  });

  test("that compute from an invisible specification are refused", async () => {
    const { organization, space, invitedGuest, refuse } = await makeFixture();
    const { space: elsewhere, ...other } = await makeFixture();
    expect(await refuse(newPage("API", from("nothing")).edit)).toBe("INVALID_INPUT edits/0/createPage/computed/spec");
    expect(await refuse(newPage("API", from(other.spec.id)).edit)).toBe(
      "INVALID_INPUT edits/0/createPage/computed/spec",
    );
    expect(elsewhere.id).not.toBe(space.id);
    await app.database.prisma.grant.updateMany({
      where: { organizationId: organization.id, userId: invitedGuest.id },
      data: { role: "edit" },
    });
    const guest = app.as(invitedGuest.token);
    const tryAs = async () => {
      const { errors } = await guest.graphql(editDocument, {
        input: { contentOf: { spaceId: space.id }, edits: [newPage("API", from("harbour")).edit] },
      });
      return errors?.[0]?.extensions.code ?? "none";
    };
    expect(await tryAs()).toBe("INVALID_INPUT");
    await app.database.prisma.openApiSpec.updateMany({
      where: { organizationId: organization.id },
      data: { visibility: "public" },
    });
    expect(await tryAs()).toBe("none");
  });

  test("that restore an old revision restore its generated pages, which are then recomputed", async () => {
    const { edit, read, spec, space, as } = await makeFixture(documentWith("Old."));
    const api = newPage("API", from("harbour"));
    const first = await edit(api.edit);
    await edit({ updatePage: { pageId: api.pageId, title: "Renamed" } });
    await spec.version(documentWith("New."));
    await compute(app);
    await as.query(restoreDocument, { input: { contentOf: { spaceId: space.id }, revisionId: first } });
    await compute(app, { spaceIds: [space.id] });
    expect((await read()).markdown).toContain("New.");
  });
});
