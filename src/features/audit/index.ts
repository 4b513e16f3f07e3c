// The feature "audit".
import { auditRoutes } from "#src/features/audit/routes.ts";
import { auditJobs } from "#src/features/audit/jobs.ts";
import "#src/features/audit/type.ts";
import { auditPages } from "#src/features/audit/pages.ts";
import type { Feature } from "#src/features/feature.ts";

export const audit: Feature = { name: "audit", routes: auditRoutes, jobs: auditJobs, appPages: auditPages };
