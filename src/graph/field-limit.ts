// The field limit: how many fields an operation selects once its fragments are written out, told before it is compiled or run. Fragments that
// use each other twice a level double with every level, so that a short document could keep a process busy for ever.
import { type DocumentNode, GraphQLError, Kind, type OperationDefinitionNode, type SelectionSetNode } from "graphql";

/** The most fields that one operation may select, fragments written out. */
export const fieldLimit = 10_000;

/** The refusal of an operation that selects more than {@link fieldLimit} fields, or null. Takes time by the length of the document only. */
export function findFieldExcess(document: DocumentNode, operation: OperationDefinitionNode): GraphQLError | null {
  const counts = new Map<string, number>();

  function countFragment(name: string): number {
    const known = counts.get(name);
    if (known !== undefined) return known;
    counts.set(name, 0); // a fragment inside itself, which validation refuses, counts once
    const fragment = document.definitions.find(
      (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
    );
    const count = fragment?.kind === Kind.FRAGMENT_DEFINITION ? countFields(fragment.selectionSet) : 0;
    counts.set(name, count);
    return count;
  }

  function countFields({ selections }: SelectionSetNode): number {
    let sum = 0;
    for (const node of selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD) sum += countFragment(node.name.value);
      else if (node.kind === Kind.INLINE_FRAGMENT) sum += countFields(node.selectionSet);
      else sum += 1 + (node.selectionSet ? countFields(node.selectionSet) : 0);
    }
    return sum;
  }

  if (countFields(operation.selectionSet) <= fieldLimit) return null;
  const message = `This selects more than ${fieldLimit} fields, fragments written out; ask for less at once.`;
  return new GraphQLError(message, { nodes: [operation], extensions: { code: "INVALID_INPUT" } });
}
