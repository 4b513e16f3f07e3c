// The feature "audit".
import { auditJobs } from "#src/features/audit/jobs.ts";
import "#src/features/audit/type.ts";
import { auditPages } from "#src/features/audit/pages.ts";
import type { Feature } from "#src/features/feature.ts";

export const audit: Feature = { name: "audit", routes: [], jobs: auditJobs, appPages: auditPages };
