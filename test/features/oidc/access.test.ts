// Permissions and tenant isolation of every operation on OpenID providers.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("oidc");
