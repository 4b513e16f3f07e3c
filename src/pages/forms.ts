// Forms of pages as the adapter runs them: a POST to the address of the page, with the name of the form in a field.
import { DomainError, type ErrorCode, errorCodes } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { findFailure } from "#src/graph/run/errors.ts";
import type { Executor, Operation } from "#src/graph/run/execute.ts";
import { resultWithinLimits } from "#src/graph/run/within-limits.ts";
import { html, type Html } from "#src/http/html.ts";
import { type Asked, type Form, type FormProblem, type Page, shownAgain } from "#src/pages/page.ts";
import { prepareQuery } from "#src/pages/prepare-query.ts";

/** The largest body of a form in bytes: the text of a page, encoded. */
export const maxForm = 4_000_000;

/** The path that the browser goes to, a secret to show, or what was wrong, with the status of the page that says so. */
type Submitted =
  | { readonly to: string }
  | { readonly secret: string }
  | { readonly problem: FormProblem; readonly status: number };

export type SubmitForm = (context: Context, asked: Asked, fields: URLSearchParams) => Promise<Submitted>;

/** Makes the runner of the forms of one page. Throws INVALID_INPUT for the name of another form. */
export function submitterOf(executor: Executor, forms: NonNullable<Page["forms"]>): SubmitForm {
  const operations = new Map<string, Operation>();
  return async (context, asked, fields) => {
    const name = fields.get("form") ?? "";
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (!form) throw new DomainError("INVALID_INPUT", "This page does not have the form that was sent.");
    if (form === shownAgain) return { problem: { form: name, message: null, fields }, status: 200 };
    const operation = operations.get(name) ?? prepareQuery(executor, form.mutation);
    operations.set(name, operation);
    const { data, errors = [] } = await resultWithinLimits(context, operation, form.variables(fields, asked));
    const failure = findFailure(errors);
    if (failure) throw failure.originalError ?? new Error(failure.message);
    const [first] = errors;
    if (!first) return outcomeOf(form.then(data as never, asked)); // by the selection of the document
    return { problem: { form: name, message: first.message, fields }, status: statusOf(first.extensions["code"]) };
  };
}

const outcomeOf = (then: ReturnType<Form<never>["then"]>): Submitted =>
  typeof then === "string" ? { to: then } : then;

const statusOf = (code: unknown): number =>
  typeof code === "string" && Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCode].status : 400;

/** A form of the page that shows it. `inside` has its fields and its button. */
export const formOf = (name: string, inside: Html, { style = "" }: { readonly style?: string } = {}): Html =>
  html`<form method="post" class="${style}">
    <input type="hidden" name="form" value="${name}" />
    ${inside}
  </form>`;

/** What was wrong with a form, above it; nothing if it was not sent. */
export const problemOf = ({ problem }: Pick<Asked, "problem">, form: string): Html =>
  problem?.form === form && problem.message !== null
    ? html`<p class="problem" role="alert">${problem.message}</p>`
    : html``;

/** What a field contained when its form was refused, or else its value. */
export const filled = ({ problem }: Pick<Asked, "problem">, form: string, name: string, value = ""): string =>
  problem?.form === form ? (problem.fields.get(name) ?? "") : value;
