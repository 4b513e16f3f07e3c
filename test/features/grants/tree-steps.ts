// The steps of the model-based test: a viewer's operation, its outcome by the model, and its effect on the model.
import fc from "fast-check";
import { isAtLeast } from "#src/access/roles.ts";
import type { Role } from "#src/generated/prisma/enums.ts";
import type { ModelItem, ModelViewer, TreeModel } from "#test/features/grants/tree-model.ts";

/** A generated step: numbers that select among the items present when it is applied. */
export interface Step {
  readonly kind: keyof typeof steps;
  readonly actor: number;
  readonly item: number;
  readonly other: number;
  readonly choice: number;
}

/** The request, its expected outcome, and the change of the model on success. */
interface Attempt {
  readonly field: string;
  readonly input: object;
  /** The error code, or `ok`; `absent` for a deletion of something that does not exist. */
  readonly expected: string;
  readonly apply: (newId: string) => void;
}

const levels: (Role | null)[] = [null, "read", "edit", "create", "admin"];

/** `values[index]`, with the index modulo the length. The list is not empty. */
function pick<Value>(values: readonly Value[], index: number): Value {
  return values[index % values.length] as Value;
}

interface Scene {
  readonly model: TreeModel;
  readonly organizations: readonly [string, string];
  readonly viewer: ModelViewer;
  readonly item: ModelItem;
  readonly other: ModelItem;
  readonly choice: number;
}

type Make = (scene: Scene) => Attempt;

const nothing = () => {};
const enumName = (value: string | null) => value?.toUpperCase() ?? null;
const idOf = (item: ModelItem) => (item.kind === "space" ? { spaceId: item.id } : { collectionId: item.id });
const verb = (name: string, item: ModelItem) => `${name}${item.kind === "space" ? "Space" : "Collection"}`;

/** The outcome of an operation that needs admin on an item: other checks run only for its admins. */
function forAdmin({ model, viewer, item }: Scene, rest: () => string = () => "ok", unseen = "NOT_FOUND"): string {
  if (!model.sees(viewer, item)) return unseen;
  return model.isAdmin(viewer, item) ? rest() : "FORBIDDEN";
}

/** The outcome of moving to a parent: a collection of the organization that the viewer sees and may create in. */
function forPlace({ model, viewer }: Scene, organization: string, parent: string | null): string {
  if (!viewer.roles.has(organization)) return "NOT_FOUND";
  if (parent !== null) {
    const place = model.get(parent);
    if (place.kind !== "collection" || place.organization !== organization || !model.sees(viewer, place))
      return "NOT_FOUND";
  }
  return model.canCreate(viewer, organization, parent) ? "ok" : "FORBIDDEN";
}

const create =
  (kind: "collection" | "space"): Make =>
  (scene) => {
    const { model, item, other, choice } = scene;
    const parent = choice % 4 === 0 ? null : (item.kind === "collection" ? item : other).id;
    const organization = item.organization;
    const level = kind === "space" ? pick(levels, choice) : null;
    const isOpen = kind === "space" && choice % 5 === 0;
    const place = forPlace(scene, organization, parent);
    const isHigher =
      level !== null &&
      !isAtLeast(place === "NOT_FOUND" ? null : model.roleAt(scene.viewer, organization, parent), level);
    const settings = { defaultLevel: enumName(level), ...(isOpen && { visibility: "PUBLIC" }) };
    const inner = parent === null ? "private" : "in_collection";
    const visibility = kind === "collection" ? null : isOpen ? "public" : inner;
    return {
      field: kind === "space" ? "createSpace" : "createCollection",
      input: { organizationId: organization, ...(parent && { parentId: parent }), ...(kind === "space" && settings) },
      expected: place === "ok" && isHigher ? "FORBIDDEN" : place,
      apply: (id) => model.add({ id, kind, organization, parent, level, visibility, isDeleted: false }),
    };
  };

const move: Make = (scene) => {
  const { model, viewer, item, other, choice } = scene;
  const collections = [...model.items.values()].filter(({ kind }) => kind === "collection");
  const wanted = [undefined, null, other.kind === "collection" ? other.id : other.parent, pick(collections, choice).id];
  const parent = pick(wanted, choice);
  const to = parent === undefined ? item.parent : parent;
  const side = choice % 2 === 0 ? "before" : "after";
  const siblings = model.children(item.organization, to).filter((id) => id !== item.id);
  const anchor =
    choice % 3 === 0
      ? undefined
      : choice % 7 === 0 || siblings.length === 0
        ? other
        : model.get(pick(siblings, choice));
  const rest = () => {
    const place = to === item.parent ? "ok" : forPlace(scene, item.organization, to);
    if (place !== "ok") return place;
    if (to !== null && model.subtree(item).some(({ id }) => id === to)) return "INVALID_INPUT";
    const isBeside = !anchor || (siblings.includes(anchor.id) && model.sees(viewer, anchor));
    return isBeside ? "ok" : "INVALID_INPUT";
  };
  const beside = anchor && { [`${side}${anchor.kind === "space" ? "Space" : "Collection"}Id`]: anchor.id };
  return {
    field: verb("move", item),
    input: { ...idOf(item), ...(parent !== undefined && { parentId: parent }), ...(beside && { place: beside }) },
    expected: forAdmin(scene, rest),
    apply: () => model.move(item, to, anchor && { side, id: anchor.id }),
  };
};

const transfer: Make = (scene) => {
  const { model, viewer, item, organizations, choice } = scene;
  const target =
    choice % 5 === 0 ? item.organization : pick(organizations, organizations.indexOf(item.organization) + 1);
  const rest = () => (target === item.organization ? "ok" : forPlace(scene, target, null));
  return {
    field: verb("transfer", item),
    input: { ...idOf(item), organizationId: target },
    expected: forAdmin({ ...scene, viewer }, rest),
    apply: target === item.organization ? nothing : () => model.transfer(item, target),
  };
};

const remove: Make = (scene) => {
  const { model, item } = scene;
  const apply = item.kind === "collection" ? () => model.deleteCollection(item) : () => void (item.isDeleted = true);
  return { field: verb("delete", item), input: idOf(item), expected: forAdmin(scene, undefined, "absent"), apply };
};

/** The present space or a deleted one. */
const restore: Make = (scene) => {
  const { model, viewer, choice } = scene;
  const deleted = [...model.items.values()].filter(({ isDeleted }) => isDeleted);
  const space = deleted.length > 0 ? pick(deleted, choice) : scene.item;
  const isAdmin = model.isAdmin(viewer, space);
  const present = forAdmin({ ...scene, item: space }, () => "CONFLICT");
  return {
    field: "restoreSpace",
    input: { spaceId: space.id },
    expected: space.kind === "collection" ? "NOT_FOUND" : space.isDeleted ? (isAdmin ? "ok" : "NOT_FOUND") : present,
    apply: () => void (space.isDeleted = false),
  };
};

const duplicate: Make = (scene) => {
  const { model, viewer, item } = scene;
  const isSpace = item.kind === "space";
  const may = model.role(viewer, item) !== null && model.canCreate(viewer, item.organization, item.parent);
  const seen = may ? "ok" : "FORBIDDEN";
  return {
    field: "duplicateSpace",
    input: { spaceId: item.id },
    expected: isSpace && model.sees(viewer, item) ? seen : "NOT_FOUND",
    apply: (id) => model.add({ ...item, id }, item.id),
  };
};

const level: Make = (scene) => {
  const defaultLevel = pick(levels, scene.choice);
  return {
    field: verb("update", scene.item),
    input: { ...idOf(scene.item), defaultLevel: enumName(defaultLevel) },
    expected: forAdmin(scene),
    apply: () => void (scene.item.level = defaultLevel),
  };
};

const setGrant: Make = (scene) => {
  const { model, viewer, item, choice } = scene;
  const holders = [...model.viewers.map(({ id }) => id), ...model.teams.keys()];
  const holder = pick(holders, choice);
  const role = pick(["read", "comment", "review", "create", "admin"] as const, scene.other.id.length + choice);
  const team = model.teams.get(holder);
  const isMember = (viewer.roles.get(item.organization) ?? null) !== null;
  const isThere =
    team === undefined
      ? model.viewers.some(({ id, roles }) => id === holder && roles.has(item.organization))
      : team === item.organization && isMember;
  return {
    field: "setGrant",
    input: {
      target: idOf(item),
      holder: { [team === undefined ? "userId" : "teamId"]: holder },
      role: enumName(role),
    },
    expected: forAdmin(scene, () => (isThere ? "ok" : "NOT_FOUND")),
    apply: () => model.grant({ holder, item: item.id, role }),
  };
};

/** The grants on the item, or any grants. */
const removeGrant: Make = (scene) => {
  const { model, choice } = scene;
  const granted =
    model.grants.length > 0 ? pick(model.grants, choice) : { holder: scene.viewer.id, item: scene.item.id };
  const item = model.get(granted.item);
  const isThere = model.grants.some(({ holder, item: on }) => holder === granted.holder && on === item.id);
  return {
    field: "removeGrant",
    input: {
      target: idOf(item),
      holder: { [model.teams.has(granted.holder) ? "teamId" : "userId"]: granted.holder },
    },
    expected: forAdmin({ ...scene, item }, () => (isThere ? "ok" : "absent")),
    apply: () => model.revoke(granted.holder, item.id),
  };
};

const steps = {
  createCollection: create("collection"),
  createSpace: create("space"),
  move,
  transfer,
  remove,
  restore,
  duplicate,
  level,
  setGrant,
  removeGrant,
} satisfies Record<string, Make>;

/** Moves, grants and the admin of both organizations are frequent, so that trees grow and change. */
export const aStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    ...(Object.keys(steps) as Step["kind"][]), // the keys of the object above
    ...(["move", "move", "move", "createSpace", "setGrant", "setGrant", "remove", "restore"] as const),
  ),
  actor: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(1000) }),
  item: fc.nat(1000),
  other: fc.nat(1000),
  choice: fc.nat(1000),
});

/** The attempt of a step in the present state of the model. */
export function attemptOf(
  model: TreeModel,
  organizations: readonly [string, string],
  { kind, actor, item, other, choice }: Step,
): Attempt & { viewer: ModelViewer } {
  const viewer = pick(model.viewers, actor);
  const items = [...model.items.values()];
  const spaces = items.filter((one) => one.kind === "space");
  // Deep chains of collections would rarely reach spaces: every other step is on a space if there are any.
  const isOnSpace = spaces.length > 0 && (kind === "duplicate" || item % 2 === 0);
  const scene = {
    model,
    organizations,
    viewer,
    item: pick(isOnSpace ? spaces : items, item >> 1),
    other: pick(items, other),
    choice,
  };
  return { ...steps[kind](scene), viewer };
}
