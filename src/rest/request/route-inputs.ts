// Inputs of a route: what it reads from path, query and body, matched with the variables of its document, and the
// limits that the arguments and input fields behind those variables declare.
import {
  type DocumentNode,
  getNamedType,
  getOperationAST,
  GraphQLBoolean,
  GraphQLID,
  GraphQLNonNull,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  TypeInfo,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { inWords } from "#src/base/text/forms.ts";
import { type Property, propertyOf } from "#src/rest/request/body.ts";
import {
  choiceOf,
  type Declared,
  isRequired,
  pagingParameters,
  type Parameter,
  parameterOf,
  type Variable,
} from "#src/rest/request/parameters.ts";
import type { Route } from "#src/rest/route.ts";
import type { SchemaLimits } from "#src/graph/schema/rest-forms.ts";
import { restLimitsOf } from "#src/rest/type-forms.ts";

/** All that fills the variables of a route. */
export interface Inputs {
  readonly parameters: readonly Parameter[];
  /** Null for a route that takes no body. */
  readonly properties: readonly Property[] | null;
  /** A POST or PUT may leave the body out when it may leave out all properties; a PATCH may not. */
  readonly isBodyRequired: boolean;
}

/** What a path parameter fills that the document does not use. */
const pathVariable: Variable = { type: new GraphQLNonNull(GraphQLID), default: undefined, limits: {} };

/** What an ignored parameter fills: no document has it, and executions pass over it. */
const ignoredVariable: Variable = { type: GraphQLBoolean, default: true, limits: {} };

/** The inputs of a route. Throws when a variable of the document is not filled, or an input fills none. */
export function inputsOf(schema: GraphQLSchema, document: DocumentNode, route: Route): Inputs {
  const operation = getOperationAST(document);
  const kind = operation?.operation;
  const variables = variablesOf(schema, document, operation);
  const take = (name: string, variable = name): Variable => {
    const known = variables.get(variable);
    if (!known) throw new Error(`The document has no variable $${variable} for ${name}.`);
    variables.delete(variable);
    return known;
  };
  // Only the context of a mutation has it: `Context.path`.
  const around = (name: string) => (kind === "mutation" && !variables.has(name) ? pathVariable : undefined);
  const { path, query = {}, choices = {}, ignored = {}, body, method } = route;
  const parameters = [
    ...pathParameters(path).map((declared) => parameterOf(around(declared.name) ?? take(declared.name), declared)),
    ...(route.list ? pagingParameters(take) : []),
    ...queryParameters(query).map((declared) => parameterOf(take(declared.name), declared)),
    ...Object.entries(choices).map(([name, choice]) => choiceOf(name, choice, take(name, choice.variable))),
    ...queryParameters(ignored).map((declared) => parameterOf(ignoredVariable, declared)),
  ];
  const properties = Object.entries(body ?? {}).map(([name, described]) => {
    const variable = take(name);
    return propertyOf(name, described, { ...variable, required: isRequired(variable) });
  });
  if (variables.size > 0) throw new Error(`Nothing fills the variables ${[...variables.keys()].join(", ")}.`);
  const isBodyRequired = properties.some(({ required }) => required) || (!!body && method === "PATCH");
  return { parameters, properties: body ? properties : null, isBodyRequired };
}

function variablesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode | null | undefined,
): Map<string, Variable> {
  const variables = new Map<string, Variable>();
  const limits = limitsOfVariables(schema, document);
  for (const { variable, type: typeNode, defaultValue } of operation?.variableDefinitions ?? []) {
    const type = typeFromAST(schema, typeNode);
    if (!isInputType(type)) throw new Error(`The type of $${variable.name.value} is not an input type.`);
    const preset = defaultValue && valueFromASTUntyped(defaultValue);
    const name = variable.name.value;
    variables.set(name, { type, default: preset, limits: limits.get(name) ?? {} });
  }
  return variables;
}

/** `{changeRequestId}` is the "Id of the change request". */
function pathParameters(path: string): Declared[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
    const words = inWords(name);
    const description = words.endsWith(" id") ? `Id of the ${words.slice(0, -3)}.` : `The ${words}.`;
    return { name, place: "path", description };
  });
}

function queryParameters(descriptions: Readonly<Record<string, string>>): Declared[] {
  return Object.entries(descriptions).map(([name, description]) => ({ name, place: "query", description }));
}

/** The limits by the names of the variables; of a variable that fills several, those of the last. */
function limitsOfVariables(schema: GraphQLSchema, document: DocumentNode): ReadonlyMap<string, SchemaLimits> {
  const found = new Map<string, SchemaLimits>();
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Argument({ value }) {
        const argument = types.getArgument();
        if (value.kind === Kind.VARIABLE && argument) found.set(value.name.value, restLimitsOf(argument));
      },
      ObjectField({ name, value }) {
        const input = types.getParentInputType();
        const parent = input && getNamedType(input);
        const field = isInputObjectType(parent) ? parent.getFields()[name.value] : undefined;
        if (value.kind === Kind.VARIABLE && field) found.set(value.name.value, restLimitsOf(field));
      },
    }),
  );
  return found;
}
