// The GraphQL type RenderedIntegrationBlock.
import type { DrawnBlock } from "#src/features/integrations/commands/runs/draw-block.ts";
import { IntegrationLogLine } from "#src/features/integrations/type/event.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";

const text = { type: "string" };
const flag = { type: "boolean" };
const buttonFields = { style: text, icon: text, trailingIcon: text, label: text, tooltip: text, disabled: flag };
const confirm = { type: "object", additionalProperties: true };
const button = { type: { type: "string", const: "button" }, ...buttonFields, confirm };
const elements = {
  type: "array",
  items: {
    anyOf: [
      { type: "object", required: ["type"], properties: button },
      { type: "object", required: ["type"], properties: { type: text }, additionalProperties: true },
    ],
  },
};
/** The form of elements, for descriptions: of others than blocks and buttons the fields are free. */
const elementForm = {
  type: "object",
  required: ["type"],
  properties: { type: { type: "string", const: "block" }, children: elements, controls: elements },
};
const valuesForm = { type: "object", additionalProperties: true };

export const RenderedIntegrationBlock = builder.objectRef<DrawnBlock>("RenderedIntegrationBlock").implement({
  description: "A block of an integration as its script has drawn it.",
  fields: (t) => ({
    integrationName: t.exposeString("integrationName", { description: "Name of the integration." }),
    installationId: t.exposeID("installationId", { description: "Id of the installation that has drawn it." }),
    componentId: t.exposeString("componentId", { description: "Which of its components it is." }),
    type: t.string({
      extensions: limited({ const: "element" }),
      description: "What was drawn: `element`.",
      resolve: () => "element",
    }),
    element: t.expose("element", {
      type: "JSON",
      extensions: limited(elementForm),
      description: "The element of the content kit to show: a `block` with `children` and `controls`.",
    }),
    props: t.expose("props", {
      type: "JSON",
      extensions: limited(valuesForm),
      description: "Its properties, as they are to be sent with what its reader does.",
    }),
    state: t.expose("state", {
      type: "JSON",
      extensions: limited(valuesForm),
      description: "Its state, as it is to be sent with what its reader does.",
    }),
    logs: t.expose("logs", {
      type: [IntegrationLogLine],
      description: "The trace of the run; empty for all but admins of the organization.",
    }),
  }),
});
