// Permissions and tenant isolation of every session operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("sessions");
