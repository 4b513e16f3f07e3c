// @defer and @stream: the directives by which an operation takes parts of its answer later, and the rules of where they
// may stand (the proposal of incremental delivery, as the clients of today speak it).
import {
  type ASTVisitor,
  DirectiveLocation,
  type DirectiveNode,
  getNullableType,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLError,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLString,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type ValidationContext,
  visit,
} from "graphql";

const isMeant = { type: new GraphQLNonNull(GraphQLBoolean), defaultValue: true };
const label = { type: GraphQLString, description: "A name of the part, which comes with it; unique in the document." };

export const DeferDirective = new GraphQLDirective({
  name: "defer",
  description: "Sends what the fragment selects later, in a part of its own, to clients that accept parts.",
  locations: [DirectiveLocation.FRAGMENT_SPREAD, DirectiveLocation.INLINE_FRAGMENT],
  args: { if: { ...isMeant, description: "Whether it is deferred." }, label },
});

export const StreamDirective = new GraphQLDirective({
  name: "stream",
  description: "Sends the list without its end, which comes later in a part of its own, to clients that accept parts.",
  locations: [DirectiveLocation.FIELD],
  args: {
    if: { ...isMeant, description: "Whether the end comes later." },
    label,
    initialCount: { type: GraphQLInt, defaultValue: 0, description: "How many items come at once." },
  },
});

const names: ReadonlySet<string> = new Set([DeferDirective.name, StreamDirective.name]);

/** Whether an operation, or a fragment that its document has, takes parts later. */
export const isIncremental = (text: string | undefined): boolean => /@(defer|stream)\b/.test(text ?? "");

/** Validates where the directives stand: their labels, @stream on lists alone, and neither in subscriptions. */
export function IncrementalDirectivesRule(context: ValidationContext): ASTVisitor {
  const labels = new Map<string, DirectiveNode>();
  const report = (message: string, ...nodes: DirectiveNode[]) =>
    context.reportError(new GraphQLError(message, { nodes }));
  return {
    OperationDefinition(operation) {
      if (operation.operation !== "subscription") return;
      for (const node of directivesOf(context, operation))
        report(`@${node.name.value} may not stand in a subscription: its messages are parts already.`, node);
    },
    Directive(node) {
      if (!names.has(node.name.value)) return;
      const given = node.arguments?.find(({ name }) => name.value === "label")?.value;
      if (given && given.kind !== Kind.NULL) {
        if (given.kind !== Kind.STRING)
          return report(`The label of @${node.name.value} must be a text, no variable.`, node);
        const other = labels.get(given.value);
        if (other) return report(`The label "${given.value}" is given twice.`, other, node);
        labels.set(given.value, node);
      }
      const field = node.name.value === StreamDirective.name ? context.getFieldDef() : null;
      if (field && !isListType(getNullableType(field.type)))
        report(`@stream may stand on lists alone, which ${field.name} is not: its nodes or edges may be one.`, node);
    },
  };
}

function directivesOf(context: ValidationContext, operation: OperationDefinitionNode): DirectiveNode[] {
  const found: DirectiveNode[] = [];
  for (const part of [operation, ...context.getRecursivelyReferencedFragments(operation)])
    visit(part, { Directive: (node) => void (names.has(node.name.value) && found.push(node)) });
  return found;
}
