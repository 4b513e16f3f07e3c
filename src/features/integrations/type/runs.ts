// The GraphQL types of events of installations, and of drawn blocks.
import { integrationEvents } from "#src/features/integrations/reads.ts";
import { type TraceLine, traceWithWait } from "#src/features/integrations/model/runs/outcome.ts";
import {
  InstallationStatus as InstallationStatusValues,
  IntegrationEventType as IntegrationEventTypeValues,
} from "#src/generated/prisma/enums.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import type { DrawnBlock } from "#src/features/integrations/commands/runs/draw-block.ts";

export const IntegrationEventStatus = defineEnum("IntegrationEventStatus", "The status of an event.", {
  success: "It was handled.",
  failure: "Given up after a day of failed attempts.",
  pending: "It waits for its first or next attempt.",
});

export const IntegrationEventType = defineEnum("IntegrationEventType", "The type of an event for an installation.", {
  installation_setup: "The status or configuration of the installation has changed, or it is new.",
  space_installation_setup: "The status or configuration of the installation on a space has changed, or it is new.",
  site_installation_setup: "The status or configuration of the installation on a site has changed, or it is new.",
  space_content_updated: "The main content of a space has changed, also by a merge.",
  change_request_opened: "A change request was opened.",
  change_request_updated: "The subject, status or content of a change request has changed.",
  change_request_merged: "A change request was merged.",
  comment_created: "A comment was created.",
  comment_updated: "A comment was changed, resolved, reopened or replied to.",
});

const IntegrationLogLevel = defineEnum("IntegrationLogLevel", "The level of a line of a trace.", {
  debug: "For debugging.",
  info: "Information.",
  warn: "Warning.",
  error: "Error.",
});

const IntegrationLogLine = builder.objectRef<TraceLine>("IntegrationLogLine").implement({
  description: "A line of the trace of an event.",
  fields: (t) => ({
    message: t.exposeString("message", { description: "The message." }),
    timestamp: t.expose("timestamp", { type: "DateTime", description: "When." }),
    level: t.expose("level", { type: IntegrationLogLevel, description: "Level." }),
  }),
});

const text = { type: "string" };
const status = { ...text, enum: Object.values(InstallationStatusValues) };
/** The form of payloads, for descriptions: further ids depend on the type. */
const payloadForm = {
  type: "object",
  required: ["eventId", "type", "installationId"],
  properties: {
    eventId: text,
    type: { ...text, enum: Object.values(IntegrationEventTypeValues) },
    installationId: text,
    status,
    previous: { type: "object", properties: { status, configuration: { type: "object", additionalProperties: true } } },
  },
  additionalProperties: true,
};

export const IntegrationEvent = defineNode("IntegrationEvent", integrationEvents, {
  description: "An event for an installation of an integration, and its outcome; kept for 30 days.",
  fields: (t) => ({
    integrationId: t.value("ID", "Id of the integration.", ["integrationId"], (row) => row.integrationId),
    installationId: t.exposeID("installationId", { description: "Id of the installation." }),
    type: t.expose("type", { type: IntegrationEventType, description: "Type of the event." }),
    payload: t.field({
      type: "JSON",
      description: "The payload for the installation: ids of the affected objects, never content.",
      extensions: limited(payloadForm),
      select: { installationId: true, type: true, payload: true },
      resolve: ({ id, installationId, type, payload }) => ({
        ...(payload as object),
        eventId: id,
        type,
        installationId,
      }),
    }),
    status: t.expose("status", { type: IntegrationEventStatus, description: "Status." }),
    tries: t.exposeInt("tries", { description: "Number of attempts." }),
    nextTryAt: t.valueOrNull(
      "DateTime",
      "Earliest time of the next attempt; null once it is handled or given up.",
      ["status", "nextTryAt"],
      ({ status, nextTryAt }) => (status === "pending" ? nextTryAt : null),
    ),
    durationMs: t.exposeInt("durationMs", {
      nullable: true,
      description: "Duration of the last attempt in milliseconds; null before the first one.",
    }),
    logs: t.value(
      [IntegrationLogLine],
      "The trace of the last attempt, at most 200 lines. That of a pending event ends with what it waits for.",
      ["id", "tries", "createdAt", "logs", "next"],
      (row) => traceWithWait(row, row.logs as unknown as TraceLine[]), // written in this form
    ),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    finishedAt: t.expose("finishedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was handled or given up; null while it is pending.",
    }),
  }),
});

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
/** The form of elements, for descriptions: other elements than blocks and buttons may have any fields. */
const elementForm = {
  type: "object",
  required: ["type"],
  properties: { type: { type: "string", const: "block" }, children: elements, controls: elements },
};
const valuesForm = { type: "object", additionalProperties: true };

export const RenderedIntegrationBlock = builder.objectRef<DrawnBlock>("RenderedIntegrationBlock").implement({
  description: "A block drawn by the script of an integration.",
  fields: (t) => ({
    integrationName: t.exposeString("integrationName", { description: "Name of the integration." }),
    installationId: t.exposeID("installationId", { description: "Id of the installation that drew it." }),
    componentId: t.exposeString("componentId", { description: "Id of its component." }),
    type: t.string({
      extensions: limited({ const: "element" }), // in the contract
      description: "The kind of the result: `element`, or `complete` if an action has ended the component.",
      resolve: ({ type }) => type,
    }),
    element: t.expose("element", {
      type: "JSON",
      extensions: limited(elementForm),
      description:
        "The element of the content kit to show: a `block` with `children` and `controls`; without children if the component has ended.",
    }),
    returnValue: t.expose("returnValue", {
      type: "JSON",
      nullable: true,
      description: "What a component that has ended gives back to its place; null otherwise.",
    }),
    props: t.expose("props", {
      type: "JSON",
      extensions: limited(valuesForm),
      description: "Its properties, to be sent with the next action of its reader.",
    }),
    state: t.expose("state", {
      type: "JSON",
      extensions: limited(valuesForm),
      description: "Its state, to be sent with the next action of its reader.",
    }),
    logs: t.expose("logs", {
      type: [IntegrationLogLine],
      description: "The trace of the run; empty unless you administer the organization.",
    }),
  }),
});
