// Permissions and tenant isolation of every invite link operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("invite-links");
