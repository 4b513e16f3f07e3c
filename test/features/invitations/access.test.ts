// Permissions and tenant isolation of every invitation operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("invitations");
