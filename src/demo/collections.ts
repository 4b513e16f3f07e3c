// The collections of the demo, three levels deep, and the tree that places them and the spaces.
import { newId } from "#src/base/ids.ts";
import { at } from "#src/demo/calendar.ts";
import { Positions } from "#src/demo/positions.ts";
import type { OrganizationName, Organizations } from "#src/demo/organizations.ts";
import type { RowOf, Rows } from "#src/demo/rows.ts";

interface CollectionPlan extends Omit<Partial<RowOf<"Collection">>, "id"> {
  readonly of: OrganizationName;
  readonly in?: string;
  readonly title: string;
}

/** Parents come before their children. The order is that of siblings. */
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

/** The places of collections and spaces: the collections around them, and their position among siblings. */
export class Tree {
  readonly #organizations: Organizations;
  readonly #collections = new Map<string, { id: string; ancestors: string[] }>();
  readonly #positions = new Positions();

  constructor(organizations: Organizations) {
    this.#organizations = organizations;
  }

  /** Adds a collection under its name. */
  enter(name: string, id: string, ancestors: string[]): void {
    this.#collections.set(name, { id, ancestors });
  }

  /** Id of a collection that has been entered. */
  id(name: CollectionName): string {
    return this.#known(name).id;
  }

  /** The columns that place the next item in a collection, or at the top of an organization. */
  place(of: OrganizationName, parentName: string | undefined) {
    const organizationId = this.#organizations[of].id;
    const parent = parentName === undefined ? null : this.#known(parentName);
    const position = this.#positions.next(parent?.id ?? organizationId);
    const ancestors = parent ? [...parent.ancestors, parent.id] : [];
    return { organizationId, parentId: parent?.id ?? null, ancestors, position };
  }

  #known(name: string) {
    const collection = this.#collections.get(name);
    if (!collection) throw new Error(`The demo's collection ${name} must come before what is in it`);
    return collection;
  }
}

export function addCollections(rows: Rows, organizations: Organizations): Tree {
  const tree = new Tree(organizations);
  for (const [name, { of, in: parent, ...fields }] of Object.entries<CollectionPlan>(collections)) {
    const id = newId("Collection");
    const place = tree.place(of, parent);
    tree.enter(name, id, place.ancestors);
    rows.add("Collection", { createdAt: at(4), updatedAt: at(64, "11:30"), ...fields, id, ...place });
  }
  return tree;
}
