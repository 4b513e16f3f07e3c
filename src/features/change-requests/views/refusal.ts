// The message of a form that was refused and is not on the page, such as that of a person who has lost their role
// meanwhile.
import { html, type Html } from "#src/http/html.ts";
import { problemOf } from "#src/pages/forms.ts";
import type { Asked } from "#src/pages/page.ts";

/** The message, unless a shown part has it beside its form. */
export function refusalBeside(asked: Asked, shown: readonly Html[]): Html {
  const { problem } = asked;
  if (!problem || shown.some(({ text }) => text.includes('role="alert"'))) return html``;
  return problemOf(asked, problem.form);
}
