// Running integrations in this process: their events are delivered, and requests to their endpoints answered.
import type { Tracer } from "#src/runtime/spans.ts";
import type { Allowance } from "#src/db/connection/budget.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { installationsOfOrganization } from "#src/base/limits.ts";
import type { Context, Environment } from "#src/domain/context.ts";
import type { CostQuotas } from "#src/domain/quota.ts";
import { Rate } from "#src/domain/rate.ts";
import { features } from "#src/features/index.ts";
import { DeliveryCounts, type DeliveryHost } from "#src/features/integrations/commands/runs/host.ts";
import type { Executor } from "#src/graph/run/execute.ts";
import { createRest } from "#src/rest/rest.ts";
import { Sandbox } from "#src/sandbox/sandbox.ts";
import { Delivering } from "#src/server/delivering.ts";
import type { Handler } from "#src/http/exchange.ts";
import { createInstallationApi } from "#src/server/installation-api.ts";
import type { RequestOrigins } from "#src/http/client-address.ts";
import { createIntegrationRequests, endpointAddress } from "#src/server/integration-requests.ts";

interface Options extends Pick<Environment, "database" | "files" | "fetch" | "secrets" | "clock" | "log"> {
  readonly costQuotas: CostQuotas;
  readonly executor: Executor;
  readonly contextFor: (viewer: Viewer, requestId: string, allowance?: Allowance) => Context;
  readonly requestOrigins: RequestOrigins;
  readonly publicUrl: () => string;
  readonly integrationsUrl?: string | undefined;
  readonly deliveryMs?: number | null | undefined;
  readonly tracing?: Tracer | undefined;
}

/** Makes what runs integrations, which does nothing before it is started. */
export function createIntegrationRuns(options: Options) {
  const { database, files, fetch, secrets, clock, log, costQuotas, tracing, deliveryMs } = options;
  const rest = createRest(
    options.executor,
    features.flatMap((feature) => feature.routes),
  );
  const answerApi = createInstallationApi({ ...options, rest });
  const deliveries = new DeliveryCounts();
  const own = { sandbox: new Sandbox(), answerApi, fetches: fetchesOf(costQuotas), deliveries, tracing };
  const host: DeliveryHost = { database, files, fetch, secrets, clock, log, costQuotas, ...own };
  const endpoints = createIntegrationRequests(host, costQuotas, options);
  return {
    /** Contexts of requests, which have scripts run; those of scripts themselves have not. */
    contextFor: (viewer: Viewer, requestId: string): Context => ({
      ...options.contextFor(viewer, requestId),
      scripts: host,
    }),
    delivering: new Delivering(host, log, deliveryMs),
    deliveries,
    /** The handler of endpoints of installations, and the given one for all other paths. */
    beside:
      (others: Handler): Handler =>
      (exchange) =>
        endpointAddress.test(exchange.path) ? endpoints(exchange) : others(exchange),
  };
}

/** The rates of requests to other servers. */
function fetchesOf(costQuotas: CostQuotas) {
  const { fetches } = costQuotas.limits.installations;
  const most = fetches * installationsOfOrganization;
  const what = "The installations of one organization may ask other servers";
  return {
    ofInstallation: new Rate(costQuotas, {
      name: "fetches",
      most: fetches,
      what: "An installation may ask other servers",
    }),
    ofOrganization: new Rate(costQuotas, { name: "fetches", most, what }),
  };
}
