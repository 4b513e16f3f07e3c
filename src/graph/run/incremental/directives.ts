// @defer and @stream: the directives by which an operation receives parts of its response later, and the rules of their
// locations (the proposal of incremental delivery, as current clients implement it).
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
const label = { type: GraphQLString, description: "A name of the part, sent with it. Must be unique in the document." };

export const DeferDirective = new GraphQLDirective({
  name: "defer",
  description: "Sends the fields of the fragment later, as a part of the response, to clients that accept parts.",
  locations: [DirectiveLocation.FRAGMENT_SPREAD, DirectiveLocation.INLINE_FRAGMENT],
  args: { if: { ...isMeant, description: "Whether the fragment is deferred. Default: true." }, label },
});

export const StreamDirective = new GraphQLDirective({
  name: "stream",
  description: "Sends the rest of the list later, as a part of the response, to clients that accept parts.",
  locations: [DirectiveLocation.FIELD],
  args: {
    if: { ...isMeant, description: "Whether the rest is sent later. Default: true." },
    label,
    initialCount: { type: GraphQLInt, defaultValue: 0, description: "How many items are sent at once. Default: 0." },
  },
});

const names: ReadonlySet<string> = new Set([DeferDirective.name, StreamDirective.name]);

/** Whether an operation, or a fragment of its document, uses one of the directives. */
export const isIncremental = (text: string | undefined): boolean => /@(defer|stream)\b/.test(text ?? "");

/** Validates the use of the directives: labels, @stream on lists alone, and neither in subscriptions. */
export function IncrementalDirectivesRule(context: ValidationContext): ASTVisitor {
  const labels = new Map<string, DirectiveNode>();
  const report = (message: string, ...nodes: DirectiveNode[]) =>
    context.reportError(new GraphQLError(message, { nodes }));
  return {
    OperationDefinition(operation) {
      if (operation.operation !== "subscription") return;
      for (const node of directivesOf(context, operation))
        report(`@${node.name.value} must not be used in a subscription: its messages are parts already.`, node);
    },
    Directive(node) {
      if (!names.has(node.name.value)) return;
      const given = node.arguments?.find(({ name }) => name.value === "label")?.value;
      if (given && given.kind !== Kind.NULL) {
        if (given.kind !== Kind.STRING)
          return report(`The label of @${node.name.value} must be a string, not a variable.`, node);
        const other = labels.get(given.value);
        if (other) return report(`The label "${given.value}" must be unique, but is used twice.`, other, node);
        labels.set(given.value, node);
      }
      const field = node.name.value === StreamDirective.name ? context.getFieldDef() : null;
      if (field && !isListType(getNullableType(field.type)))
        report(
          `@stream may only be used on lists, and ${field.name} is not a list: use it on its nodes or edges.`,
          node,
        );
    },
  };
}

function directivesOf(context: ValidationContext, operation: OperationDefinitionNode): DirectiveNode[] {
  const found: DirectiveNode[] = [];
  for (const part of [operation, ...context.getRecursivelyReferencedFragments(operation)])
    visit(part, { Directive: (node) => void (names.has(node.name.value) && found.push(node)) });
  return found;
}
