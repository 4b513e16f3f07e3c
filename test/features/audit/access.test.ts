// Tenant isolation of the fields and routes of the audit log.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("audit");
