// The estimate of an operation: its maximum cost, with every list as long as the requested page. It is computed once
// per document, as a formula of the variables that lists depend on.
import {
  type ArgumentNode,
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";
import type { FragmentDefinitionNode } from "graphql";
import { operationAllowance, weights } from "#src/db/connection/budget.ts";
import { pageSize } from "#src/db/reading/page.ts";

type Variables = Readonly<Record<string, unknown>>;

export type Estimate = (variables: Variables) => number;

/** A number that may depend on variables. */
type Size = number | ((variables: Variables) => number);

/** Points of a selection on one row: the constant ones, and lists below it. */
interface Formula {
  points: number;
  readonly lists: { readonly size: Size; readonly each: Formula }[];
}

/** The estimate of an operation in points; `@skip` and `@include` are ignored, and lists have a default length. */
export function estimateOf(
  schema: GraphQLSchema,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
  operation: OperationDefinitionNode,
): Estimate {
  const estimator = new Estimator(schema, fragments, defaultsOf(operation));
  const root = schema.getRootType(operation.operation);
  const formula = root ? estimator.formulaOf(operation.selectionSet, root) : { points: 0, lists: [] };
  formula.points += weights.statement;
  if (operation.operation === "mutation") formula.points += weights.change * operation.selectionSet.selections.length;
  if (isConstant(formula)) {
    const points = pointsOf(formula, {});
    return () => points;
  }
  return (variables) => pointsOf(formula, variables);
}

class Estimator {
  readonly #schema: GraphQLSchema;
  readonly #fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly #defaults: Variables;
  readonly #known = new Map<string, Formula>();

  constructor(schema: GraphQLSchema, fragments: Readonly<Record<string, FragmentDefinitionNode>>, defaults: Variables) {
    this.#schema = schema;
    this.#fragments = fragments;
    this.#defaults = defaults;
  }

  formulaOf(set: SelectionSetNode | undefined, type: GraphQLNamedType, page: Size | null = null): Formula {
    const formula: Formula = { points: 0, lists: [] };
    for (const node of set?.selections ?? []) {
      if (node.kind === Kind.FIELD) this.#add(formula, node, type, page);
      else if (node.kind === Kind.INLINE_FRAGMENT) {
        const of = node.typeCondition && this.#schema.getType(node.typeCondition.name.value);
        join(formula, this.formulaOf(node.selectionSet, of ?? type, page));
      } else join(formula, this.#ofFragment(node.name.value, page));
    }
    return formula;
  }

  /** The formula of a fragment, computed once: nested fragments double with every level. */
  #ofFragment(name: string, page: Size | null): Formula {
    const fragment = this.#fragments[name];
    const type = fragment && this.#schema.getType(fragment.typeCondition.name.value);
    if (!type) return { points: 0, lists: [] };
    if (page !== null) return this.formulaOf(fragment.selectionSet, type, page); // a connection: depends on its size
    let formula = this.#known.get(name);
    if (!formula) this.#known.set(name, (formula = this.formulaOf(fragment.selectionSet, type)));
    return formula;
  }

  /** Adds a field; `page` is the size of the connection that it is a field of. */
  #add(formula: Formula, node: FieldNode, type: GraphQLNamedType, page: Size | null): void {
    formula.points += weights.value;
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
    if (!field) return;
    if (field.extensions["longText"]) formula.points += weights.text;
    const below = getNamedType(field.type);
    if (!isCompositeType(below)) return;
    if (below.name.endsWith("Connection"))
      return join(formula, this.formulaOf(node.selectionSet, below, this.#sizeOf(node)));
    const each = this.formulaOf(node.selectionSet, below);
    if (!isListType(getNullableType(field.type))) return join(formula, each);
    each.points += weights.row;
    formula.lists.push({ size: page ?? this.#sizeOf(node), each });
  }

  #sizeOf({ arguments: given = [] }: FieldNode): Size {
    const find = (name: string) => given.find((argument) => argument.name.value === name);
    for (const name of ["first", "last", "ids", "representations"]) {
      const size = this.#read(find(name));
      if (size !== null) return size;
    }
    return pageSize.default;
  }

  /** The number in an argument, or the number of its values; null if not given. */
  #read(argument: ArgumentNode | undefined): Size | null {
    if (!argument || argument.value.kind === Kind.NULL) return null;
    if (argument.value.kind !== Kind.VARIABLE) return numberIn(constantOf(argument.value)) ?? pageSize.default;
    const name = argument.value.name.value;
    const otherwise = numberIn(this.#defaults[name]) ?? pageSize.default;
    return (variables) => numberIn(variables[name]) ?? otherwise;
  }
}

/** Lists have at most the maximum page size: longer ones are rejected. */
function numberIn(value: unknown): number | null {
  if (Array.isArray(value)) return value.length;
  return typeof value === "number" && value >= 0 ? Math.min(value, pageSize.max) : null;
}

function constantOf(node: ValueNode): unknown {
  if (node.kind === Kind.LIST) return node.values;
  return node.kind === Kind.INT ? Number(node.value) : undefined;
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Variables {
  return Object.fromEntries(
    variableDefinitions.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue && constantOf(defaultValue),
    ]),
  );
}

function join(formula: Formula, other: Formula): void {
  formula.points += other.points;
  formula.lists.push(...other.lists);
}

const isConstant = ({ lists }: Formula): boolean =>
  lists.every(({ size, each }) => typeof size === "number" && isConstant(each));

/** Rows of four nested lists of the maximum page size: no caller needs more. */
const mostRows = pageSize.max ** 5;

/** Points of more deeply nested lists: more than an operation may ever cost. */
const beyondAnyLimit = 1e12;

/** Points for a number of rows, at most {@link mostRows}: operations with more are rejected. */
function pointsOf({ points, lists }: Formula, variables: Variables, rows = 1): number {
  let sum = Math.min(rows, operationAllowance.rows) * points;
  for (const { size, each } of lists) {
    const below = rows * (typeof size === "number" ? size : size(variables));
    sum += below > mostRows ? beyondAnyLimit : pointsOf(each, variables, below);
  }
  return sum;
}
