// Incremental responses for comparisons: random directives in a document, and merging the parts of a response.
import {
  type DirectiveNode,
  type FieldNode,
  getNullableType,
  type GraphQLSchema,
  isListType,
  Kind,
  parse,
  parseValue,
  print,
  type SelectionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { Context } from "#src/domain/context.ts";
import type { Operation, Variables } from "#src/graph/run/execute.ts";
import type { Delivery } from "#src/graph/run/incremental/deliver.ts";

/** A number from 0 on, below 1. */
type Random = () => number;

function directive(name: string, values: Readonly<Record<string, string>> = {}): DirectiveNode {
  return {
    kind: Kind.DIRECTIVE,
    name: { kind: Kind.NAME, value: name },
    arguments: Object.entries(values).map(([key, text]) => ({
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: key },
      value: parseValue(text),
    })),
  };
}

/** The document with @defer on fragments, on fields in their own fragments, and @stream on lists. */
export function takenApart(schema: GraphQLSchema, text: string, random: Random): string {
  let labels = 0;
  const label = (): Record<string, string> => (random() < 0.3 ? { label: `"part ${labels++}"` } : {});
  const defers = () => directive("defer", random() < 0.1 ? { if: "false" } : label());
  const info = new TypeInfo(schema);
  const deferred = <Node extends SelectionNode>(node: Node): Node =>
    random() < 0.6 ? { ...node, directives: [...(node.directives ?? []), defers()] } : node;
  const own = (field: FieldNode): SelectionNode => ({
    kind: Kind.INLINE_FRAGMENT,
    directives: [defers()],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [field] },
  });
  return print(
    visit(
      parse(text),
      visitWithTypeInfo(info, {
        InlineFragment: { leave: (node) => deferred(node) },
        FragmentSpread: { leave: (node) => deferred(node) },
        Field: {
          leave(node) {
            const type = info.getType();
            const cut = { ...label(), initialCount: String(Math.floor(3 * random())) };
            const isCut = type && isListType(getNullableType(type)) && random() < 0.5;
            const field = isCut
              ? { ...node, directives: [...(node.directives ?? []), directive("stream", cut)] }
              : node;
            return random() < 0.15 ? own(field) : field;
          },
        },
      }),
    ),
  );
}

/** The parts of a response. */
export async function piecesOf(operation: Operation, context: Context, variables: Variables): Promise<Delivery[]> {
  const pieces: Delivery[] = [];
  const send = async (piece: Delivery) => void pieces.push(JSON.parse(JSON.stringify(piece)) as Delivery);
  await operation.runInParts(context, variables, { send, isOver: () => false });
  return pieces;
}

interface Whole {
  readonly data: unknown;
  readonly errors: readonly unknown[];
}

/**
 * Merges the parts. Throws if one has no target or the end is missing. `onRepeat` is called for each
 * value that is sent twice, since several parts may select its field.
 */
export function merged(pieces: readonly Delivery[], onRepeat: () => void = () => {}): Whole {
  const [first, ...others] = pieces;
  const whole = { data: first?.data as unknown, errors: [...(first?.errors ?? [])] as unknown[] };
  const saysMore = pieces.slice(0, -1).every(({ hasNext }) => hasNext === true);
  if (!saysMore || pieces.at(-1)?.hasNext) throw new Error("It is not said that the last piece is the last one.");
  for (const { data, items, path, errors = [] } of others.flatMap(({ incremental = [] }) => incremental)) {
    whole.errors.push(...errors);
    if (Array.isArray(items)) {
      const list = at(whole.data, path.slice(0, -1)) as unknown[];
      const start = Number(path.at(-1));
      // If a list is also selected elsewhere, its items may already exist.
      if (list.length < start) throw new Error(`Items at ${path.join(".")} of a list of ${list.length}.`);
      mergeInto(list, Object.fromEntries((items as unknown[]).map((item, index) => [start + index, item])), onRepeat);
    } else if (data !== null && data !== undefined) mergeInto(at(whole.data, path), data, onRepeat);
  }
  return whole;
}

function at(value: unknown, path: readonly (string | number)[]): object {
  const found = path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value);
  if (typeof found !== "object" || found === null) throw new Error(`There is nothing at ${path.join(".")}.`);
  return found;
}

function mergeInto(target: object, source: object, onRepeat: () => void): void {
  for (const [key, value] of Object.entries(source)) {
    if (Object.hasOwn(target, key)) onRepeat();
    const known = (target as Record<string, unknown>)[key];
    if (typeof known === "object" && known !== null && typeof value === "object" && value !== null)
      mergeInto(known, value as object, onRepeat);
    else Object.assign(target, { [key]: value as unknown });
  }
}
