// The GraphQL types of what runs for installations: events, and drawn blocks.
import { integrationEvents } from "#src/features/integrations/reads.ts";
import type { TraceLine } from "#src/features/integrations/model/runs/outcome.ts";
import {
  InstallationStatus as InstallationStatusValues,
  IntegrationEventType as IntegrationEventTypeValues,
} from "#src/generated/prisma/enums.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import type { DrawnBlock } from "#src/features/integrations/commands/runs/draw-block.ts";

export const IntegrationEventStatus = defineEnum("IntegrationEventStatus", "What came of an event.", {
  success: "It was handled.",
  failure: "It could not be handled for a day, and was given up.",
  pending: "It waits to be handled, or to be tried again.",
});

export const IntegrationEventType = defineEnum("IntegrationEventType", "What an installation is told.", {
  installation_setup: "Its status or configuration has changed, or it is new.",
  space_installation_setup: "The same, of it on a space.",
  site_installation_setup: "The same, of it on a site.",
  space_content_updated: "The main content of a space has changed, by a merge too.",
  change_request_opened: "A change request was opened.",
  change_request_updated: "The subject, status or content of a change request has changed.",
  change_request_merged: "A change request was merged.",
  comment_created: "Somebody has commented.",
  comment_updated: "A comment was changed, resolved, reopened or replied to.",
});

const IntegrationLogLevel = defineEnum("IntegrationLogLevel", "How much a line of a trace matters.", {
  debug: "Only to find faults.",
  info: "To know of.",
  warn: "To look at.",
  error: "Something has failed.",
});

const IntegrationLogLine = builder.objectRef<TraceLine>("IntegrationLogLine").implement({
  description: "A line of the trace of an event.",
  fields: (t) => ({
    message: t.exposeString("message", { description: "What was logged." }),
    timestamp: t.expose("timestamp", { type: "DateTime", description: "When." }),
    level: t.expose("level", { type: IntegrationLogLevel, description: "How much it matters." }),
  }),
});

const text = { type: "string" };
const status = { ...text, enum: Object.values(InstallationStatusValues) };
/** The form of payloads, for descriptions: which further ids there are depends on the type. */
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
  description: "Something that an installation of an integration is told, and what came of it; kept for 30 days.",
  fields: (t) => ({
    integrationId: t.value("ID", "Id of the integration.", ["integrationId"], (row) => row.integrationId),
    installationId: t.exposeID("installationId", { description: "Id of the installation." }),
    type: t.expose("type", { type: IntegrationEventType, description: "What has happened." }),
    payload: t.field({
      type: "JSON",
      description: "What the installation is told: the ids of what it happened to, and never what people wrote.",
      extensions: limited(payloadForm),
      select: { installationId: true, type: true, payload: true },
      resolve: ({ id, installationId, type, payload }) => ({
        ...(payload as object),
        eventId: id,
        type,
        installationId,
      }),
    }),
    status: t.expose("status", { type: IntegrationEventStatus, description: "What came of it." }),
    tries: t.exposeInt("tries", { description: "How often it was tried." }),
    nextTryAt: t.valueOrNull(
      "DateTime",
      "When it is tried next, at the earliest; null once it is handled or given up.",
      ["status", "nextTryAt"],
      ({ status, nextTryAt }) => (status === "pending" ? nextTryAt : null),
    ),
    durationMs: t.exposeInt("durationMs", {
      nullable: true,
      description: "How long the last try took, in milliseconds; null before the first.",
    }),
    logs: t.value(
      [IntegrationLogLine],
      "The trace of the last try, at most 200 lines.",
      ["logs"],
      ({ logs }) => logs as unknown as TraceLine[], // as they are written
    ),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the installation was told." }),
    finishedAt: t.expose("finishedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was handled or given up; null before.",
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
