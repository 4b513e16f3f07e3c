// Shapes: the REST form of the selection of a GraphQL document, for the projector and for the description.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isInterfaceType,
  Kind,
  type SelectionSetNode,
} from "graphql";
import type { SchemaLimits } from "#src/graph/schema/rest-forms.ts";
import { type FixedField, restFieldOf, type WrappedField } from "#src/rest/own-fields.ts";
import {
  keepsNull,
  restEntryOf,
  restLimitsOf,
  restLinks,
  restReference,
  type RestEntry,
  restTreeOf,
  type RestTree,
  restValuesOf,
} from "#src/rest/type-forms.ts";

export type Shape =
  | { readonly kind: "leaf"; readonly scalar: string }
  | { readonly kind: "enum"; readonly values: ReadonlyMap<string, string> }
  | ListShape
  | MapShape
  | ReferenceShape
  | ObjectShape
  | FixedShape
  | WrappedShape;

export interface ListShape {
  readonly kind: "list";
  readonly of: Shape;
  /** Set if GraphQL lists the items of a tree one after another, and REST nests them. */
  readonly tree?: RestTree;
}

/** A list of entries, which REST writes as one object. */
interface MapShape {
  readonly kind: "map";
  readonly entry: RestEntry;
  readonly of: Shape;
}

/** The reference of an object, or the object itself: a parameter of the request chooses. */
interface ReferenceShape {
  readonly kind: "reference";
  readonly to: Shape;
  readonly of: ObjectShape;
}

interface FixedShape {
  readonly kind: "fixed";
  readonly field: FixedField;
}

/** An object with one field, whose value is that of GraphQL. */
interface WrappedShape {
  readonly kind: "wrapped";
  readonly field: FieldShape;
}

export interface ObjectShape {
  readonly kind: "object";
  readonly description: string;
  /** The fragment that makes up the whole selection, if it is a single one: equal fragments have one form. */
  readonly fragment: string | undefined;
  readonly fields: readonly FieldShape[];
  /** Set if it is written even if it is empty. */
  readonly isKept?: true;
  /** The property with the items below, of the same form, if it is an item of a tree. */
  readonly below?: string;
}

export interface FieldShape {
  readonly name: string;
  readonly description: string;
  readonly shape: Shape;
  readonly limits: SchemaLimits;
  /** How REST writes null: omitted, kept, or `never` (not nullable). An object without properties counts as null */
  readonly onNull: "never" | "leave out" | "keep";
  /** Not in every response: it is selected with `@include` or `@skip`, or in a fragment on one of several types. */
  readonly mayBeAbsent: boolean;
}

/** The shape of the selection of an operation's document, which must be valid against the schema. */
export function shapeOfOperation(schema: GraphQLSchema, document: DocumentNode): ObjectShape {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) throw new Error("The document does not contain an operation of this schema.");
  return { ...new ShapeReader(schema, fragments).object(root, [operation.selectionSet]), description: "" };
}

/** The field of an object shape, or undefined if it is not selected. */
export const fieldOf = (shape: Shape, name: string): FieldShape | undefined =>
  shape.kind === "object" ? shape.fields.find((field) => field.name === name) : undefined;

interface Selected {
  readonly type: GraphQLNamedType;
  readonly nodes: FieldNode[];
  readonly isNarrowed: boolean;
}

class ShapeReader {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(schema: GraphQLSchema, fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#schema = schema;
    this.#fragments = fragments;
  }

  object(type: GraphQLNamedType, selections: readonly SelectionSetNode[]): ObjectShape {
    const selected = new Map<string, Selected>();
    for (const selection of selections) this.#collect(type, selection, selected);
    const fields = [...selected].flatMap(([name, one]) => {
      const field = this.#field(name, one);
      return field ? [field] : [];
    });
    return { kind: "object", description: type.description ?? "", fragment: onlyFragment(selections), fields };
  }

  /** Fields by response name, through all fragments: by GraphQL's validation those of one name have one form. */
  #collect(type: GraphQLNamedType, selection: SelectionSetNode, into: Map<string, Selected>, isNarrowed = false): void {
    for (const node of selection.selections) {
      if (node.kind === Kind.FIELD) {
        const name = node.alias?.value ?? node.name.value;
        const known = into.get(name);
        into.set(name, {
          type: known?.type ?? type,
          nodes: [...(known?.nodes ?? []), node],
          isNarrowed: isNarrowed && known?.isNarrowed !== false,
        });
        continue;
      }
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(node.name.value) : node;
      const condition = fragment?.typeCondition?.name.value;
      if (!fragment) continue;
      const below = (condition && this.#schema.getType(condition)) || type;
      this.#collect(below, fragment.selectionSet, into, isNarrowed || (isAbstractType(type) && isObjectType(below)));
    }
  }

  #field(name: string, { type: owner, nodes, isNarrowed }: Selected): FieldShape | null {
    const own = restFieldOf(owner.name, name);
    if (own && "schema" in own) return fixedField(name, own, isNarrowed);
    const fieldName = nodes[0]?.name.value ?? "";
    const field = isObjectType(owner) || isInterfaceType(owner) ? owner.getFields()[fieldName] : undefined;
    if (!field) return null; // __typename, which is not described
    const tree = restTreeOf(field);
    const plain = this.#shape(field.type, nodes);
    const shape = tree ? treeShape(plain, tree) : keptIfLinks(name, plain);
    const isConditional = nodes.every((node) => (node.directives?.length ?? 0) > 0); // @include, @skip
    const onNull = isConditional || !isNonNullType(field.type) ? onNullOf(field.type) : onEmpty(shape);
    const described = { name, description: field.description ?? "", limits: restLimitsOf(field, owner) };
    const shown: FieldShape = { ...described, shape, onNull, mayBeAbsent: isConditional || isNarrowed };
    return own ? wrappedField(shown, own) : shown;
  }

  #shape(type: GraphQLOutputType, nodes: readonly FieldNode[]): Shape {
    if (isNonNullType(type)) return this.#shape(type.ofType, nodes);
    if (isListType(type)) return listShape(this.#shape(type.ofType, nodes), restEntryOf(getNamedType(type)));
    if (isEnumType(type)) return { kind: "enum", values: restValuesOf(type) };
    if (!isCompositeType(type)) return { kind: "leaf", scalar: type.name };
    const selections = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    return referenceShape(this.object(type, selections));
  }
}

function onNullOf(type: GraphQLOutputType): FieldShape["onNull"] {
  const named = getNullableType(type);
  return !isListType(named) && keepsNull(named) ? "keep" : "leave out";
}

/** Of a field that is never null in GraphQL. */
const onEmpty = (shape: Shape): FieldShape["onNull"] => (canBeEmpty(shape) ? "leave out" : "never");

function listShape(of: Shape, entry: RestEntry | null): Shape {
  if (!entry) return { kind: "list", of };
  const value = fieldOf(of, entry.value);
  if (!value || !fieldOf(of, entry.key))
    throw new Error(`Entries require ${entry.key} and ${entry.value} to be selected.`);
  return { kind: "map", entry, of: value.shape };
}

function referenceShape(object: ObjectShape): ReferenceShape | ObjectShape {
  const to = fieldOf(object, restReference);
  if (!to) return object;
  return { kind: "reference", to: to.shape, of: { ...object, fields: object.fields.filter((field) => field !== to) } };
}

/** The shape of a tree. Its items have one form, so that those below an item can be described like the item. */
function treeShape(shape: Shape, tree: RestTree): Shape {
  const item = shape.kind === "list" && shape.of.kind === "object" ? shape.of : null;
  if (!item || item.fragment === undefined || !fieldOf(item, tree.level))
    throw new Error(`The items of a tree must be selected by one fragment, with ${tree.level}.`);
  const fields = item.fields.filter(({ name }) => name !== tree.level);
  return { kind: "list", of: { ...item, fields, below: tree.below }, tree };
}

const keptIfLinks = (name: string, shape: Shape): Shape =>
  name === restLinks && shape.kind === "object" ? { ...shape, isKept: true } : shape;

function fixedField(name: string, field: FixedField, mayBeAbsent: boolean): FieldShape {
  const isAlways = field.value !== undefined && !field.isHidden;
  const { description } = field;
  const shape = { kind: "fixed", field } as const;
  return { name, description, shape, limits: {}, onNull: isAlways ? "never" : "leave out", mayBeAbsent };
}

function wrappedField(inner: FieldShape, { description, property }: WrappedField): FieldShape {
  if (inner.onNull !== "never") throw new Error(`${inner.name} may be null, and would have an object around it.`);
  return { ...inner, description, limits: {}, shape: { kind: "wrapped", field: { ...inner, name: property } } };
}

/** Whether an object may lose all of its fields, and so is omitted itself. */
export const canBeEmpty = (shape: Shape): boolean =>
  shape.kind === "object" && !shape.isKept && shape.fields.every(({ onNull }) => onNull === "leave out");

function onlyFragment(selections: readonly SelectionSetNode[]): string | undefined {
  const nodes = selections.flatMap((selection) => selection.selections);
  const [only, ...others] = nodes.filter((node) => !(node.kind === Kind.FIELD && node.alias?.value === restReference));
  return only?.kind === Kind.FRAGMENT_SPREAD && others.length === 0 ? only.name.value : undefined;
}
