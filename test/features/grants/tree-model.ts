// A simple in-memory model of the content trees of some organizations: visibility, roles and order by viewer.
import { higherRole, isAtLeast } from "#src/access/roles.ts";
import type { Role, SpaceVisibility } from "#src/generated/prisma/enums.ts";

export interface ModelItem {
  readonly id: string;
  readonly kind: "collection" | "space";
  organization: string;
  parent: string | null;
  level: Role | null;
  /** Null for a collection. */
  visibility: SpaceVisibility | null;
  isDeleted: boolean;
}

export interface ModelViewer {
  readonly name: string;
  readonly id: string;
  readonly token: string;
  /** Roles by organization; null is a guest. */
  readonly roles: ReadonlyMap<string, Role | null>;
  readonly teams: readonly string[];
}

export interface ModelGrant {
  /** Id of a user or team. */
  readonly holder: string;
  readonly item: string;
  role: Role;
}

export class TreeModel {
  readonly items = new Map<string, ModelItem>();
  grants: ModelGrant[] = [];
  readonly viewers: readonly ModelViewer[];
  /** Organizations of the teams. */
  readonly teams: ReadonlyMap<string, string>;
  readonly #children = new Map<string, string[]>();

  constructor(viewers: readonly ModelViewer[], teams: ReadonlyMap<string, string>) {
    this.viewers = viewers;
    this.teams = teams;
  }

  /** Ids of the children of a collection or of an organization's top, in order; including deleted spaces. */
  children(organization: string, parent: string | null): string[] {
    const key = parent ?? organization;
    const known = this.#children.get(key) ?? [];
    this.#children.set(key, known);
    return known;
  }

  siblings(item: ModelItem): string[] {
    return this.children(item.organization, item.parent);
  }

  get(id: string): ModelItem {
    const item = this.items.get(id);
    if (!item) throw new Error(`The model has no ${id}`);
    return item;
  }

  /** The ancestors of an item, innermost first. */
  around(item: ModelItem): ModelItem[] {
    const parent = item.parent === null ? null : this.get(item.parent);
    return parent ? [parent, ...this.around(parent)] : [];
  }

  /** An item and its descendants. */
  subtree(item: ModelItem): ModelItem[] {
    if (item.kind === "space") return [item];
    return [item, ...this.children(item.organization, item.id).flatMap((id) => this.subtree(this.get(id)))];
  }

  role(viewer: ModelViewer, item: ModelItem): Role | null {
    const member = viewer.roles.get(item.organization);
    if (member === undefined) return null;
    if (member === "admin") return "admin";
    // Private spaces become private here without a setting of their own, and so are open to members; ancestors do not
    // count.
    const way = item.visibility === "private" ? [item] : [item, ...this.around(item)];
    const level = way.find((step) => step.level !== null)?.level ?? member;
    const granted = this.grants.filter(
      ({ holder, item: on }) =>
        (holder === viewer.id || viewer.teams.includes(holder)) && way.some(({ id }) => id === on),
    );
    return granted.reduce<Role | null>(
      (highest, { role }) => higherRole(highest, role),
      member === null ? null : level,
    );
  }

  sees(viewer: ModelViewer, item: ModelItem): boolean {
    const isOpen = item.visibility === "public" || item.visibility === "unlisted";
    return !item.isDeleted && (isOpen || this.role(viewer, item) !== null);
  }

  /** Whether a viewer finds an item by its id; includes deleted spaces that they may restore. */
  finds(viewer: ModelViewer, item: ModelItem): boolean {
    return this.sees(viewer, item) || (item.isDeleted && this.isAdmin(viewer, item));
  }

  isAdmin(viewer: ModelViewer, item: ModelItem): boolean {
    return this.role(viewer, item) === "admin";
  }

  /** The role on a parent: on the collection, or at the top of the organization. */
  roleAt(viewer: ModelViewer, organization: string, parent: string | null): Role | null {
    return parent === null ? (viewer.roles.get(organization) ?? null) : this.role(viewer, this.get(parent));
  }

  canCreate(viewer: ModelViewer, organization: string, parent: string | null): boolean {
    return isAtLeast(this.roleAt(viewer, organization, parent), "create");
  }

  add(item: ModelItem, after?: string): void {
    this.items.set(item.id, item);
    const siblings = this.siblings(item);
    siblings.splice(after === undefined ? siblings.length : siblings.indexOf(after) + 1, 0, item.id);
  }

  move(item: ModelItem, parent: string | null, anchor?: { side: "before" | "after"; id: string }): void {
    this.#takeOut(item);
    item.parent = parent;
    this.#settle(item);
    const siblings = this.siblings(item);
    const index = anchor ? siblings.indexOf(anchor.id) + (anchor.side === "after" ? 1 : 0) : siblings.length;
    siblings.splice(index, 0, item.id);
  }

  transfer(item: ModelItem, organization: string): void {
    this.#takeOut(item);
    const going = this.subtree(item).map((inside) => this.get(inside.id));
    const ids = new Set(going.map(({ id }) => id));
    const isThere = (holder: string) =>
      this.viewers.some((viewer) => viewer.id === holder && viewer.roles.has(organization));
    this.grants = this.grants.filter((grant) => !ids.has(grant.item) || isThere(grant.holder));
    for (const inside of going) inside.organization = organization;
    item.parent = null;
    this.#settle(item);
    this.siblings(item).push(item.id);
  }

  deleteCollection(item: ModelItem): void {
    const siblings = this.siblings(item);
    const inside = this.children(item.organization, item.id);
    siblings.splice(siblings.indexOf(item.id), 1, ...inside);
    for (const child of inside.map((id) => this.get(id))) {
      child.parent = item.parent;
      if (child.visibility === "private") continue; // grants on ancestors do not count
      child.level ??= item.level;
      this.#settle(child);
      for (const { holder, role } of this.grants.filter((grant) => grant.item === item.id)) {
        const own = this.grants.find((grant) => grant.item === child.id && grant.holder === holder);
        this.grant({ holder, item: child.id, role: higherRole(role, own?.role ?? null) ?? role });
      }
    }
    this.grants = this.grants.filter((grant) => grant.item !== item.id);
    this.#children.delete(item.id);
    this.items.delete(item.id);
  }

  grant(grant: ModelGrant): void {
    this.revoke(grant.holder, grant.item);
    this.grants.push(grant);
  }

  revoke(holder: string, item: string): void {
    this.grants = this.grants.filter((grant) => grant.holder !== holder || grant.item !== item);
  }

  #takeOut(item: ModelItem): void {
    const siblings = this.siblings(item);
    siblings.splice(siblings.indexOf(item.id), 1);
  }

  #settle(item: ModelItem): void {
    if (item.parent === null && item.visibility === "in_collection") item.visibility = "private";
  }
}
