// What the page of an installation selects.
import type { Configurations } from "#src/features/integrations/model/manifest/configurations.ts";
import type { Target } from "#src/features/integrations/views/selections.ts";
import type { Values } from "#src/features/integrations/views/setting-fields.ts";
import type { InstallationStatus } from "#src/features/integrations/views/status.ts";
import type { OrganizationFrame } from "#src/features/organizations/views/organization-frame.ts";
import type { AppFrame } from "#src/features/users/views/app-frame.ts";
import type { ListEnd } from "#src/features/users/views/app-lists.ts";

export interface Named {
  readonly id: string;
  readonly title: string;
}

/** An installation on a space or site. */
export interface OnPlace {
  readonly id: string;
  readonly status: InstallationStatus;
  /** Null for those who are not admins. */
  readonly configuration: Values | null;
  readonly place: Named;
}

export interface DeliveredEvent {
  readonly id: string;
  readonly type: string;
  readonly status: "FAILURE" | "PENDING" | "SUCCESS";
  readonly tries: number;
  readonly createdAt: string;
  readonly durationMs: number | null;
  readonly nextTryAt: string | null;
  readonly payload: unknown;
  readonly logs: readonly { readonly level: string; readonly message: string; readonly timestamp: string }[];
}

interface List<One> {
  readonly nodes: readonly One[];
  readonly pageInfo: ListEnd;
}

export interface Installation {
  readonly id: string;
  readonly integrationName: string;
  readonly status: InstallationStatus;
  readonly version: number | null;
  readonly agreedVersion: number;
  readonly pinnedVersion: number | null;
  readonly createdAt: string;
  readonly createdBy: { readonly displayName: string } | null;
  readonly scopes: readonly string[];
  readonly pendingScopes: readonly string[];
  readonly pendingBlocks: readonly string[];
  readonly pendingTarget: string | null;
  readonly pendingContentSecurityPolicy: string | null;
  readonly configuration: Values | null;
  readonly spaceSelection: "ALL" | "SELECTED";
  readonly siteSelection: "ALL" | "SELECTED";
  readonly externalIds: readonly string[];
  readonly urls: { readonly publicEndpoint: string };
  /** Null if it is private to its publisher by now. */
  readonly integration:
    | (Named & {
        readonly version: number;
        readonly target: Target;
        readonly configurations: Configurations;
      })
    | null;
  readonly organization: OrganizationFrame & {
    readonly spaces: { readonly nodes: readonly Named[] };
    readonly sites: { readonly nodes: readonly Named[] };
  };
  readonly spaces: List<OnPlace>;
  readonly sites: List<OnPlace>;
  readonly events: List<DeliveredEvent>;
}

/** `node` is empty for an id of something else. */
export interface Answer extends AppFrame {
  readonly node: Installation | Record<string, never>;
}
