// The adaptive schema of a site: the claims of visitors that its conditions may use, as a subset of JSON Schema.
import type { ErrorDetail } from "#src/base/errors.ts";
import { formCheck, pointerStep, refusedForm } from "#src/base/json.ts";
import { isStorable, mustBeStorable } from "#src/base/text/forms.ts";
import { type DeclaredClaims, problemOf } from "#src/features/sites/model/condition.ts";

interface ClaimProperty {
  readonly type: "boolean";
  readonly title?: string;
  readonly description?: string;
}

interface UnsignedProperty {
  readonly type: "object";
  readonly properties: Readonly<Record<string, ClaimProperty>>;
}

/** A validated schema. `unsigned` holds the claims that visitors make themselves. */
export interface AdaptiveSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, ClaimProperty | UnsignedProperty>>;
}

export type TemplateCondition = { readonly description: string; readonly condition: string };

/** How many claims a schema may declare, signed and unsigned together. */
const claimLimit = 200;

const [nameLimit, titleLimit, descriptionLimit] = [128, 256, 1024];

const texts = { title: { type: "string" }, description: { type: "string" } } as const;

const claimForm = {
  type: "object",
  required: ["type"],
  properties: { type: { type: "string", const: "boolean" }, ...texts },
  additionalProperties: false,
} as const;

const groupForm = (properties: object) => ({
  type: "object",
  required: ["type", "properties", "additionalProperties"],
  properties: {
    type: { type: "string", const: "object" },
    ...texts,
    properties: { type: "object", ...properties, additionalProperties: claimForm },
    additionalProperties: { type: "boolean", const: false },
  },
  additionalProperties: false,
});

const wholeForm = groupForm({ properties: { unsigned: groupForm({}) } });

/** The form of an adaptive schema: the allowed part of JSON Schema (draft 07). */
export const adaptiveSchemaForm = {
  ...wholeForm,
  properties: {
    $schema: {
      type: "string",
      enum: ["http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-07/schema"],
    },
    ...wholeForm.properties,
  },
};

const faultsOfForm = formCheck(adaptiveSchemaForm);

/**
 * Checks a schema. INVALID_INPUT with a detail for each error (its path is `at` and a JSON pointer), for too many
 * claims and for texts that are too long or cannot be stored.
 */
export async function checkAdaptiveSchema(at: string, given: unknown): Promise<AdaptiveSchema> {
  const faults = await faultsOfForm(given);
  if (faults.length > 0) throw refusedForm(at, notOne, faults);
  const schema = given as AdaptiveSchema; // by its form
  const refused = faultsOfTexts(schema);
  if (refused.length > 0) throw refusedForm(at, notOne, refused);
  return schema;
}

const notOne = "The value is not a valid adaptive schema";

function faultsOfTexts(schema: AdaptiveSchema): ErrorDetail[] {
  const claims = claimsIn(schema);
  const groups = [
    { at: "", property: schema },
    { at: "/properties/unsigned", property: schema.properties["unsigned"] },
  ];
  const faults = [...claims, ...groups].flatMap(({ at, property }) => [
    ...faultsOfText(`${at}/title`, property && "title" in property ? property.title : undefined, titleLimit),
    ...faultsOfText(
      `${at}/description`,
      property && "description" in property ? property.description : undefined,
      descriptionLimit,
    ),
  ]);
  for (const { at, name } of claims)
    // Some JSON serializers lose this name.
    if (name === "__proto__") faults.push({ path: at, message: "is not allowed as the name of a claim." });
    else faults.push(...faultsOfText(at, name, nameLimit));
  if (claims.length > claimLimit)
    faults.push({
      path: "/properties",
      message: `must declare at most ${claimLimit} claims, including those of \`unsigned\`.`,
    });
  return faults;
}

function faultsOfText(path: string, text: unknown, max: number): ErrorDetail[] {
  if (typeof text !== "string") return [];
  if (!isStorable(text)) return [{ path, message: mustBeStorable }];
  return Array.from(text).length > max ? [{ path, message: `must have at most ${max} characters.` }] : [];
}

/** A claim of a schema: its name, whether it is below `unsigned`, and its JSON pointer. */
interface DeclaredClaim {
  readonly name: string;
  readonly isUnsigned: boolean;
  readonly at: string;
  readonly property: ClaimProperty;
}

function claimsIn({ properties }: AdaptiveSchema): DeclaredClaim[] {
  return Object.entries(properties).flatMap(([name, property]): DeclaredClaim[] => {
    const at = `/properties/${pointerStep(name)}`;
    if (property.type === "boolean") return [{ name, isUnsigned: false, at, property }];
    return Object.entries(property.properties).map(([inside, claim]) => ({
      name: inside,
      isUnsigned: true,
      at: `${at}/properties/${pointerStep(inside)}`,
      property: claim,
    }));
  });
}

/** The claims that a schema declares; empty without a schema. */
export function declaredBy(schema: AdaptiveSchema | null): DeclaredClaims {
  const claims = schema ? claimsIn(schema) : [];
  const names = (isUnsigned: boolean) =>
    new Set(claims.filter((claim) => claim.isUnsigned === isUnsigned).map(({ name }) => name));
  return { signed: names(false), unsigned: names(true) };
}

/** The names of the claims of a schema, those below `unsigned` with that prefix. */
export function claimNames(schema: AdaptiveSchema | null): string[] | null {
  return schema && claimsIn(schema).map(({ name, isUnsigned }) => (isUnsigned ? `unsigned.${name}` : name));
}

/** Two conditions per claim: with it and without. Only claims with names that cannot follow a dot make them fail. */
export function templateConditions(schema: AdaptiveSchema | null): TemplateCondition[] {
  if (!schema) return [];
  const declared = declaredBy(schema);
  return claimsIn(schema).flatMap(({ name, isUnsigned, property: { title } }) => {
    const group = isUnsigned ? "visitor.claims.unsigned" : "visitor.claims";
    const called = `${title || name}${isUnsigned ? " (unsigned)" : ""}`;
    const plain = `${group}.${name}`;
    const isPlain = /^[A-Za-z_]\w*$/.test(name) && problemOf(`has(${plain})`, declared) === null;
    const quoted = `${group}[${JSON.stringify(name)}]`;
    return [
      { description: `Visitors with: ${called}`, condition: isPlain ? `has(${plain}) && ${plain}` : quoted },
      { description: `Visitors without: ${called}`, condition: isPlain ? `!has(${plain}) || !${plain}` : `!${quoted}` },
    ];
  });
}
