// Forms of JSON values that come from outside: checked by a JSON schema of ours, with a detail for each place that is
// wrong.
import type { DefinedError, ValidateFunction } from "ajv";
import { DomainError, type ErrorDetail } from "#src/base/errors.ts";
import { pointerStep } from "#src/base/json.ts";

/** Answers what is wrong with a value, and where, as JSON pointers; nothing where it has the form. */
export type FormCheck = (value: unknown) => Promise<ErrorDetail[]>;

/** The check of a form, which is written in JSON Schema alone. */
export function formCheck(form: object): FormCheck {
  let validator: Promise<ValidateFunction> | undefined;
  return async (value) => {
    const hasForm = await (validator ??= compiled(form));
    return hasForm(value) ? [] : ((hasForm.errors ?? []) as DefinedError[]).map(faultOf);
  };
}

/** Loaded with the first value: ajv takes 50 ms of a start. */
async function compiled(form: object): Promise<ValidateFunction> {
  const { Ajv } = await import("ajv");
  return new Ajv({ allErrors: true, allowUnionTypes: true }).compile(form);
}

function faultOf(error: DefinedError): ErrorDetail {
  const { instancePath: path, message = "is not valid" } = error;
  switch (error.keyword) {
    case "additionalProperties":
      return { path: `${path}/${pointerStep(error.params.additionalProperty)}`, message: "must not be given here." };
    case "required":
      return { path: `${path}/${pointerStep(error.params.missingProperty)}`, message: "must be given." };
    case "const":
      return { path, message: `must be ${JSON.stringify(error.params.allowedValue)}.` };
    case "enum":
      return {
        path,
        message: `must be one of ${error.params.allowedValues.map((one) => JSON.stringify(one)).join(", ")}.`,
      };
    default:
      return { path, message: `${message}.` };
  }
}

/** The most details of one refusal. */
const detailLimit = 100;

/** INVALID_INPUT with what is wrong with the value at a place of the input, such as `jsonSchema`; `what` says so. */
export function refusedForm(at: string, what: string, faults: readonly ErrorDetail[]): DomainError {
  const details = faults.slice(0, detailLimit).map(({ path, message }) => ({ path: `${at}${path}`, message }));
  const first = details.map(({ path, message }) => `${path}: ${message}`).slice(0, 3);
  return new DomainError("INVALID_INPUT", `${what}: ${first.join(" ")}`, details);
}
