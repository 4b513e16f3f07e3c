// Fifty concurrent moves of siblings: no item is lost or duplicated, and all readers see one order. At the small size
// two rounds of them.
import fc from "fast-check";
import { expect, test } from "vitest";
import { addCollection } from "#test/features/collections/factory.ts";
import { childrenOf, faultsOf, readTree } from "#test/features/collections/tree.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { runs } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const siblings = 12;

const move = /* GraphQL */ `
  mutation ($space: MoveSpaceInput!, $collection: MoveCollectionInput!, $isSpace: Boolean!) {
    moveSpace(input: $space) @include(if: $isSpace) {
      space {
        id
      }
    }
    moveCollection(input: $collection) @skip(if: $isSpace) {
      collection {
        id
      }
    }
  }
`;

interface Move {
  readonly item: number;
  readonly anchor: number | null;
  readonly side: "before" | "after";
  readonly to: "one" | "other" | "top";
}

const aMove: fc.Arbitrary<Move> = fc.record({
  item: fc.nat(siblings - 1),
  anchor: fc.option(fc.nat(siblings - 1)),
  side: fc.constantFrom("before", "after"),
  to: fc.constantFrom("one", "one", "one", "other", "top"),
});

async function makeTree() {
  const { organization, admin, reader } = await world.organization();
  const organizationId = organization.id;
  const made = await world.insert((rows) => {
    const one = addCollection(rows, { organizationId });
    const other = addCollection(rows, { organizationId });
    const items = times(siblings, (index) =>
      index % 2 === 0
        ? addSpace(rows, { organizationId, parent: one, visibility: "unlisted" })
        : addCollection(rows, { organizationId, parent: one }),
    );
    const inside = items.map((item) =>
      "revisionId" in item ? null : addSpace(rows, { organizationId, parent: item }),
    );
    return { one, other, items, inside };
  });
  return { organizationId, admin, reader, ...made };
}

/** An anchor may have moved elsewhere by then; on a busy machine some wait for a slot or a lock for over 5 seconds. */
const expected = new Set(["ok", "INVALID_INPUT", "RATE_LIMITED", "UNAVAILABLE"]);

test("fifty concurrent moves keep every item once, in one order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aMove, { minLength: 50, maxLength: 50 }), async (moves) => {
      const { organizationId, admin, reader, one, other, items } = await makeTree();
      const before = await readTree(app, organizationId);
      const parents = { one: one.id, other: other.id, top: null };
      const codes = await Promise.all(
        moves.map(async ({ item, anchor, side, to }) => {
          const id = items[item]?.id ?? "";
          const beside = anchor === null ? undefined : items[anchor]?.id;
          const name = `${side}${beside?.startsWith("spc") ? "Space" : "Collection"}Id`;
          const where = { parentId: parents[to], ...(beside && { place: { [name]: beside } }) };
          const isSpace = id.startsWith("spc");
          const variables = { isSpace, space: { spaceId: id, ...where }, collection: { collectionId: id, ...where } };
          const { errors } = await app.as(admin.token).graphql(move, variables);
          return errors?.[0]?.extensions.code ?? "ok";
        }),
      );
      const [moved, failed] = [codes.filter((code) => code === "ok"), codes.filter((code) => !expected.has(code))];
      expect([moved.length > 0, failed]).toEqual([true, []]);
      const after = await readTree(app, organizationId);
      expect(after.map(({ id }) => id).toSorted(compare)).toEqual(before.map(({ id }) => id).toSorted(compare));
      expect(faultsOf(after)).toEqual([]);
      for (const { token } of [admin, reader]) expect(await seenBy(token, one.id)).toEqual(childrenOf(after, one.id));
    }),
    { numRuns: runs(4), endOnFailure: true },
  );
}, 60_000);

const compare = (one: string, other: string) => (one < other ? -1 : 1);

/** Ids of a collection's children, both kinds sorted by position, as GraphQL returns them. */
async function seenBy(token: string, id: string): Promise<string[]> {
  const { collection } = await app.as(token).query<{
    collection: Record<"spaces" | "collections", { nodes: { id: string; position: string }[] }>;
  }>(`{ collection(id: "${id}") { spaces { nodes { id position } } collections { nodes { id position } } } }`);
  const nodes = [...collection.spaces.nodes, ...collection.collections.nodes];
  return nodes.toSorted((one, other) => compare(one.position, other.position)).map((node) => node.id);
}
