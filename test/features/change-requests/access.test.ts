// Permissions and tenant isolation of every change request operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("change-requests");
