// Collects the fields of a selection, and the groups of its deferred fields.
import {
  type FieldNode,
  type FragmentDefinitionNode,
  getDirectiveValues,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  type InlineFragmentNode,
  isAbstractType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  typeFromAST,
} from "graphql";
import { DeferDirective } from "#src/graph/run/incremental/directives.ts";

export interface Fields {
  readonly now: ReadonlyMap<string, readonly FieldNode[]>;
  readonly later: readonly Deferred[];
}

interface Deferred {
  readonly label: string | undefined;
  readonly fields: Fields;
}

interface Ground {
  readonly schema: GraphQLSchema;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly variables: Readonly<Record<string, unknown>>;
}

interface Gathered {
  readonly seen: Set<string>;
  readonly defers: boolean;
  readonly now: Map<string, FieldNode[]>;
  readonly later: Deferred[];
}

const gathered = (defers: boolean, seen = new Set<string>()): Gathered => ({ defers, seen, now: new Map(), later: [] });

/** The selection of an operation: collected once for each type and position. */
export class Collector {
  readonly #ground: Ground;
  readonly #known = new WeakMap<readonly FieldNode[], Map<string, Fields>>();

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** The root fields. */
  of(type: GraphQLObjectType, set: SelectionSetNode): Fields {
    const into = gathered(true);
    this.#gather(type, set.selections, into);
    return into;
  }

  /** Below fields of one response name. Without `defers` nothing is deferred: everything is sent at once. */
  below(type: GraphQLObjectType, nodes: readonly FieldNode[], defers: boolean): Fields {
    let byType = this.#known.get(nodes);
    if (!byType) this.#known.set(nodes, (byType = new Map()));
    const key = `${type.name} ${defers}`;
    let fields = byType.get(key);
    if (!fields) {
      const into = gathered(defers);
      for (const { selectionSet } of nodes) this.#gather(type, selectionSet?.selections ?? [], into);
      byType.set(key, (fields = into));
    }
    return fields;
  }

  #gather(type: GraphQLObjectType, selections: readonly SelectionNode[], into: Gathered): void {
    for (const node of selections) {
      if (!this.#isIncluded(node)) continue;
      if (node.kind === Kind.FIELD) {
        const name = node.alias?.value ?? node.name.value;
        const others = into.now.get(name);
        if (others) others.push(node);
        else into.now.set(name, [node]);
        continue;
      }
      const name = node.kind === Kind.FRAGMENT_SPREAD ? node.name.value : undefined;
      if (name !== undefined && into.seen.has(name)) continue;
      const fragment = name === undefined ? (node as InlineFragmentNode) : this.#ground.fragments[name];
      if (!fragment || !this.#fits(type, fragment)) continue;
      const deferred = into.defers ? this.#deferredBy(node) : null;
      if (deferred) {
        // Its fields may be selected elsewhere without @defer.
        const group = gathered(true, new Set(into.seen));
        this.#gather(type, fragment.selectionSet.selections, group);
        into.later.push({ label: deferred.label, fields: group });
        continue;
      }
      if (name !== undefined) into.seen.add(name);
      this.#gather(type, fragment.selectionSet.selections, into);
    }
  }

  #isIncluded(node: SelectionNode): boolean {
    const { variables } = this.#ground;
    if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.["if"] === true) return false;
    return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.["if"] !== false;
  }

  #deferredBy(node: SelectionNode): { readonly label: string | undefined } | null {
    const given = getDirectiveValues(DeferDirective, node, this.#ground.variables);
    if (!given || given["if"] === false) return null;
    return { label: typeof given["label"] === "string" ? given["label"] : undefined };
  }

  #fits(type: GraphQLObjectType, { typeCondition }: FragmentDefinitionNode | InlineFragmentNode): boolean {
    if (!typeCondition) return true;
    const { schema } = this.#ground;
    const wanted = typeFromAST(schema, typeCondition);
    return wanted === type || (isAbstractType(wanted) && schema.isSubType(wanted, type));
  }
}
