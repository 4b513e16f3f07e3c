// The collections of the demo, three levels deep, and the tree in which they and the spaces find their place.
import { generateKeyBetween } from "fractional-indexing";
import { newId } from "#src/base/ids.ts";
import { at } from "#src/demo/calendar.ts";
import type { OrganizationName, Organizations } from "#src/demo/organizations.ts";
import type { DemoRows } from "#src/demo/rows.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";

interface CollectionPlan extends Omit<Partial<Prisma.CollectionCreateManyInput>, "id"> {
  readonly of: OrganizationName;
  readonly in?: string;
  readonly title: string;
}

/** Parents stand before their children; the order is the order among siblings. */
const collections = {
  product: {
    of: "harbour",
    title: "Product documentation",
    description: "All that customers read",
    defaultLevel: "comment",
  },
  company: { of: "harbour", title: "Company", description: "Written by us, for us" },
  guides: { of: "harbour", in: "product", title: "Guides", description: "Step by step, for people new to our devices" },
  reference: { of: "harbour", in: "product", title: "Reference", defaultLevel: "read" },
  engineering: { of: "harbour", in: "company", title: "Engineering", defaultLevel: "review" },
  devices: {
    of: "harbour",
    in: "guides",
    title: "Device manuals",
    description: "One space a device",
    defaultLevel: "edit",
  },
  project: { of: "opentide", title: "The project" },
} satisfies Record<string, CollectionPlan>;

export type CollectionName = keyof typeof collections;

/** Where collections and spaces stand: the collections around them, and their position after the sibling before. */
export class Tree {
  readonly #organizations: Organizations;
  readonly #collections = new Map<string, { id: string; ancestors: string[] }>();
  readonly #lastPosition = new Map<string, string>();

  constructor(organizations: Organizations) {
    this.#organizations = organizations;
  }

  /** Makes a collection known under its name. */
  enter(name: string, id: string, ancestors: string[]): void {
    this.#collections.set(name, { id, ancestors });
  }

  /** Id of a collection that has been entered. */
  id(name: CollectionName): string {
    return this.#known(name).id;
  }

  /** The columns that say where the next item of a collection, or of the top of an organization, stands. */
  place(of: OrganizationName, parentName: string | undefined) {
    const organizationId = this.#organizations[of];
    const parent = parentName === undefined ? null : this.#known(parentName);
    const siblings = parent?.id ?? organizationId;
    const position = generateKeyBetween(this.#lastPosition.get(siblings) ?? null, null);
    this.#lastPosition.set(siblings, position);
    const ancestors = parent ? [...parent.ancestors, parent.id] : [];
    return { organizationId, parentId: parent?.id ?? null, ancestors, position };
  }

  #known(name: string) {
    const collection = this.#collections.get(name);
    if (!collection) throw new Error(`The demo's collection ${name} must stand before what is in it`);
    return collection;
  }
}

export function addCollections(rows: DemoRows, organizations: Organizations): Tree {
  const tree = new Tree(organizations);
  for (const [name, { of, in: parent, ...fields }] of Object.entries<CollectionPlan>(collections)) {
    const id = newId("Collection");
    const place = tree.place(of, parent);
    tree.enter(name, id, place.ancestors);
    rows.collections.push({ createdAt: at(4), updatedAt: at(64, "11:30"), ...fields, id, ...place });
  }
  return tree;
}
