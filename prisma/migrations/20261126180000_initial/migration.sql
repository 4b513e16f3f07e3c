-- The tables of docgraph 1.0. The first part is the SQL that Prisma writes for the models, with three changes by hand:
-- 1. Ids, hashes, arrays of them and fractional positions are COLLATE "C": cursors compare them byte by byte, in every
--    database. PostgreSQL refuses to compare columns of two collations, so both sides of a key have it.
-- 2. Foreign keys between rows that name each other are checked at the commit.
-- 3. The outbox is partitioned by its segments.
-- The second part, below "Beyond the models", is what Prisma cannot express.

-- These extensions are trusted: a role that may create in the database may create them.
CREATE EXTENSION IF NOT EXISTS unaccent;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- CreateEnum
CREATE TYPE "ChangeRequestStatus" AS ENUM ('draft', 'open', 'archived', 'merged');

-- CreateEnum
CREATE TYPE "CommentStatus" AS ENUM ('open', 'resolved');

-- CreateEnum
CREATE TYPE "RevisionType" AS ENUM ('initial', 'edits', 'merge', 'update', 'import');

-- CreateEnum
CREATE TYPE "PageType" AS ENUM ('document', 'group', 'link', 'computed');

-- CreateEnum
CREATE TYPE "ImportSource" AS ENUM ('website', 'markdown', 'openapi');

-- CreateEnum
CREATE TYPE "ImportState" AS ENUM ('pending', 'running', 'done', 'failed', 'cancelled');

-- CreateEnum
CREATE TYPE "IntegrationTarget" AS ENUM ('all', 'site', 'space', 'organization');

-- CreateEnum
CREATE TYPE "IntegrationVisibility" AS ENUM ('public', 'private', 'unlisted');

-- CreateEnum
CREATE TYPE "IntegrationRuntime" AS ENUM ('v1', 'v2');

-- CreateEnum
CREATE TYPE "InstallationStatus" AS ENUM ('active', 'pending', 'paused');

-- CreateEnum
CREATE TYPE "InstallationSelection" AS ENUM ('all', 'selected');

-- CreateEnum
CREATE TYPE "IntegrationEventType" AS ENUM ('installation_setup', 'space_installation_setup', 'site_installation_setup', 'space_content_updated', 'change_request_opened', 'change_request_updated', 'change_request_merged', 'comment_created', 'comment_updated');

-- CreateEnum
CREATE TYPE "IntegrationEventStatus" AS ENUM ('success', 'failure', 'pending');

-- CreateEnum
CREATE TYPE "LinkRelation" AS ENUM ('reference', 'embed', 'image');

-- CreateEnum
CREATE TYPE "OutsideLinkStatus" AS ENUM ('unchecked', 'ok', 'broken');

-- CreateEnum
CREATE TYPE "OpenApiSpecVisibility" AS ENUM ('private', 'public');

-- CreateEnum
CREATE TYPE "OpenApiProcessingState" AS ENUM ('pending', 'progress', 'complete');

-- CreateEnum
CREATE TYPE "OpenApiProcessErrorCode" AS ENUM ('FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR');

-- CreateEnum
CREATE TYPE "Role" AS ENUM ('read', 'comment', 'edit', 'review', 'create', 'admin');

-- CreateEnum
CREATE TYPE "OrganizationType" AS ENUM ('business', 'community');

-- CreateEnum
CREATE TYPE "OrganizationUseCase" AS ENUM ('internalDocs', 'docsSite', 'audienceControlledSite', 'productDocs', 'teamKnowledgeBase', 'designSystem', 'openSourceDocs', 'notes', 'other');

-- CreateEnum
CREATE TYPE "CommunityType" AS ENUM ('nonProfit', 'openSource', 'education');

-- CreateEnum
CREATE TYPE "OrganizationPlan" AS ENUM ('free_2024', 'plus_2024', 'pro_2024', 'enterprise_2024', 'community_2024', 'free', 'plus', 'pro', 'internal');

-- CreateEnum
CREATE TYPE "BillingInterval" AS ENUM ('monthly', 'yearly');

-- CreateEnum
CREATE TYPE "TrialStatus" AS ENUM ('notapplicable', 'none', 'active', 'ended', 'expired');

-- CreateEnum
CREATE TYPE "TrialDecision" AS ENUM ('downgrade', 'upgrade');

-- CreateEnum
CREATE TYPE "BlockedReason" AS ENUM ('security', 'billing', 'abuse');

-- CreateEnum
CREATE TYPE "ReviewStatus" AS ENUM ('requested', 'approved', 'changes_requested', 'dismissed');

-- CreateEnum
CREATE TYPE "SamlProviderStatus" AS ENUM ('pending', 'active');

-- CreateEnum
CREATE TYPE "SearchLanguage" AS ENUM ('arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish', 'french', 'german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali', 'norwegian', 'portuguese', 'romanian', 'russian', 'serbian', 'spanish', 'swedish', 'tamil', 'turkish', 'yiddish');

-- CreateEnum
CREATE TYPE "SignInWay" AS ENUM ('saml', 'email');

-- CreateEnum
CREATE TYPE "SiteType" AS ENUM ('basic', 'premium', 'ultimate', 'sponsored', 'legacy_basic', 'legacy_premium');

-- CreateEnum
CREATE TYPE "SiteVisibility" AS ENUM ('public', 'unlisted', 'share_link', 'visitor_auth');

-- CreateEnum
CREATE TYPE "AgentsContext" AS ENUM ('excluded', 'included');

-- CreateEnum
CREATE TYPE "SpaceVisibility" AS ENUM ('public', 'unlisted', 'share_link', 'visitor_auth', 'in_collection', 'private');

-- CreateEnum
CREATE TYPE "SpaceEditMode" AS ENUM ('live', 'locked');

-- CreateEnum
CREATE TYPE "VisitorAuthBackend" AS ENUM ('custom', 'azure', 'auth0', 'okta', 'cognito', 'oidc');

-- CreateEnum
CREATE TYPE "TeamRole" AS ENUM ('member', 'owner');

-- CreateEnum
CREATE TYPE "TokenScope" AS ENUM ('read', 'write', 'admin');

-- CreateEnum
CREATE TYPE "Language" AS ENUM ('en', 'fr', 'de', 'es', 'it', 'pt', 'pt_br', 'ru', 'ja', 'zh', 'zh_tw', 'yue', 'ko', 'ar', 'hi', 'nl', 'pl', 'tr', 'sv', 'no', 'da', 'fi', 'el', 'cs', 'hu', 'ro', 'th', 'vi', 'id', 'ms', 'he', 'uk', 'sk', 'bg', 'hr', 'lt', 'lv', 'et', 'sl');

-- CreateEnum
CREATE TYPE "TranslationStatus" AS ENUM ('pending', 'running', 'completed', 'failed');

-- CreateTable
CREATE TABLE "AuditEntry" (
    "id" TEXT COLLATE "C" NOT NULL,
    "type" TEXT NOT NULL,
    "organizationId" TEXT COLLATE "C",
    "actorId" TEXT COLLATE "C",
    "subjectId" TEXT COLLATE "C",
    "address" TEXT,
    "agent" TEXT,
    "payload" JSONB NOT NULL DEFAULT '{}',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ChangeRequest" (
    "id" TEXT COLLATE "C" NOT NULL,
    "spaceId" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C",
    "number" INTEGER NOT NULL,
    "status" "ChangeRequestStatus" NOT NULL DEFAULT 'draft',
    "subject" TEXT NOT NULL,
    "agentTaskId" TEXT COLLATE "C",
    "createdById" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revisionId" TEXT COLLATE "C" NOT NULL,
    "revisionInitialId" TEXT COLLATE "C" NOT NULL,
    "revisionMergedAncestorId" TEXT COLLATE "C",
    "revisionMergedId" TEXT COLLATE "C",

    CONSTRAINT "ChangeRequest_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ChangeRequestContributor" (
    "changeRequestId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "spaceId" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "status" "ChangeRequestStatus" NOT NULL,

    CONSTRAINT "ChangeRequestContributor_pkey" PRIMARY KEY ("changeRequestId","userId")
);

-- CreateTable
CREATE TABLE "Collection" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "parentId" TEXT COLLATE "C",
    "ancestors" TEXT[] COLLATE "C" NOT NULL DEFAULT ARRAY[]::TEXT[],
    "title" TEXT NOT NULL,
    "description" TEXT,
    "defaultLevel" "Role",
    "position" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Collection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Comment" (
    "id" TEXT COLLATE "C" NOT NULL,
    "spaceId" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C",
    "changeRequestId" TEXT COLLATE "C",
    "postedById" TEXT COLLATE "C" NOT NULL,
    "postedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "editedAt" TIMESTAMPTZ(3),
    "markdown" TEXT NOT NULL,
    "status" "CommentStatus" NOT NULL DEFAULT 'open',
    "resolvedAt" TIMESTAMPTZ(3),
    "resolvedById" TEXT COLLATE "C",
    "pageId" TEXT COLLATE "C",
    "nodeId" TEXT COLLATE "C",
    "nodePreview" TEXT,
    "tableCellRecord" TEXT,
    "tableCellDefinition" TEXT,
    "revisionId" TEXT COLLATE "C",
    "documentHash" TEXT COLLATE "C",
    "reviewId" TEXT COLLATE "C",
    "lastReplyAt" TIMESTAMPTZ(3),

    CONSTRAINT "Comment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CommentReply" (
    "id" TEXT COLLATE "C" NOT NULL,
    "commentId" TEXT COLLATE "C" NOT NULL,
    "postedById" TEXT COLLATE "C" NOT NULL,
    "postedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "editedAt" TIMESTAMPTZ(3),
    "markdown" TEXT NOT NULL,

    CONSTRAINT "CommentReply_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Reaction" (
    "id" TEXT COLLATE "C" NOT NULL,
    "commentId" TEXT COLLATE "C",
    "replyId" TEXT COLLATE "C",
    "userId" TEXT COLLATE "C" NOT NULL,
    "emoji" TEXT NOT NULL,
    "reactedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Reaction_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Mention" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "spaceId" TEXT COLLATE "C" NOT NULL,
    "commentId" TEXT COLLATE "C",
    "replyId" TEXT COLLATE "C",
    "pageId" TEXT COLLATE "C",
    "mentionedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Mention_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Revision" (
    "id" TEXT COLLATE "C" NOT NULL,
    "spaceId" TEXT COLLATE "C" NOT NULL,
    "type" "RevisionType" NOT NULL,
    "parents" TEXT[] COLLATE "C" NOT NULL DEFAULT ARRAY[]::TEXT[],
    "authorId" TEXT COLLATE "C",
    "message" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "changeRequestId" TEXT COLLATE "C",
    "treeHash" TEXT COLLATE "C",
    "filesHash" TEXT COLLATE "C",
    "variables" JSONB NOT NULL DEFAULT '{}',
    "reusableContents" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "Revision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ChangedPage" (
    "revisionId" TEXT COLLATE "C" NOT NULL,
    "pageId" TEXT COLLATE "C" NOT NULL,
    "contentId" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ChangedPage_pkey" PRIMARY KEY ("revisionId","pageId")
);

-- CreateTable
CREATE TABLE "ContentDocument" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "markdown" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "oid" TEXT COLLATE "C",
    "storedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ContentDocument_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "ContentPage" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "pageId" TEXT COLLATE "C" NOT NULL,
    "type" "PageType" NOT NULL,
    "title" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "fields" JSONB NOT NULL DEFAULT '{}',
    "documentHash" TEXT COLLATE "C",
    "childrenHash" TEXT COLLATE "C",
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "storedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ContentPage_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "ContentTree" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "pages" TEXT[] COLLATE "C",
    "stepFrom" TEXT COLLATE "C",
    "stepWas" TEXT[] COLLATE "C",
    "stepIs" TEXT[] COLLATE "C",
    "storedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ContentTree_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "ContentFile" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "fileId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "contentType" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "blob" TEXT COLLATE "C" NOT NULL,
    "oid" TEXT COLLATE "C",
    "key" TEXT COLLATE "C" NOT NULL,
    "width" INTEGER,
    "height" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "storedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ContentFile_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "ContentFileList" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "files" TEXT[] COLLATE "C",
    "storedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ContentFileList_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "PresentPage" (
    "spaceId" TEXT COLLATE "C" NOT NULL,
    "pageId" TEXT COLLATE "C" NOT NULL,
    "parentId" TEXT COLLATE "C",
    "path" TEXT NOT NULL,
    "type" "PageType" NOT NULL,
    "title" TEXT NOT NULL,
    "fields" JSONB NOT NULL DEFAULT '{}',
    "hash" TEXT COLLATE "C",
    "words" tsvector,
    "allWords" tsvector,
    "hasText" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "PresentPage_pkey" PRIMARY KEY ("spaceId","pageId")
);

-- CreateTable
CREATE TABLE "DerivedText" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT NOT NULL,
    "variant" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL,

    CONSTRAINT "DerivedText_pkey" PRIMARY KEY ("hash","kind","variant")
);

-- CreateTable
CREATE TABLE "OutboxEvent" (
    "id" BIGSERIAL NOT NULL,
    "transactionId" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
    "type" TEXT NOT NULL,
    "subjectId" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C",
    "spaceId" TEXT COLLATE "C",
    "actorId" TEXT COLLATE "C",
    "payload" JSONB NOT NULL DEFAULT '{}',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "segment" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "OutboxEvent_pkey" PRIMARY KEY ("id","segment")
) PARTITION BY LIST ("segment");

-- CreateTable
CREATE TABLE "OutboxSegment" (
    "id" INTEGER NOT NULL,
    "firstTransaction" BIGINT NOT NULL,
    "begunAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "OutboxSegment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OutboxTrim" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "transactionId" BIGINT NOT NULL,
    "eventId" BIGINT NOT NULL,
    "eventAt" TIMESTAMPTZ(3) NOT NULL DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone,
    "epoch" TEXT NOT NULL DEFAULT '0',
    "transactionOffset" BIGINT NOT NULL DEFAULT 0,
    "systemIdentifier" TEXT,
    "timeline" INTEGER,
    "resetAt" TIMESTAMPTZ(3),
    "resetReason" TEXT,

    CONSTRAINT "OutboxTrim_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Grant" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C",
    "teamId" TEXT COLLATE "C",
    "collectionId" TEXT COLLATE "C",
    "spaceId" TEXT COLLATE "C",
    "role" "Role" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Grant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IdempotencyKey" (
    "id" TEXT COLLATE "C" NOT NULL,
    "requestHash" TEXT COLLATE "C" NOT NULL,
    "lease" TEXT NOT NULL,
    "leaseUntil" TIMESTAMPTZ(3) NOT NULL,
    "hasEffect" BOOLEAN NOT NULL DEFAULT false,
    "done" BYTEA,
    "answer" BYTEA,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "IdempotencyKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ContentImport" (
    "id" TEXT COLLATE "C" NOT NULL,
    "spaceId" TEXT COLLATE "C" NOT NULL,
    "changeRequestId" TEXT COLLATE "C",
    "createdById" TEXT COLLATE "C" NOT NULL,
    "tokenId" TEXT COLLATE "C" NOT NULL,
    "url" TEXT NOT NULL,
    "source" "ImportSource" NOT NULL,
    "settings" JSONB NOT NULL,
    "state" "ImportState" NOT NULL DEFAULT 'pending',
    "found" INTEGER NOT NULL DEFAULT 0,
    "read" INTEGER NOT NULL DEFAULT 0,
    "written" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "result" JSONB,
    "revisionId" TEXT COLLATE "C",
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),
    "lease" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "ContentImport_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Integration" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "summary" TEXT,
    "visibility" "IntegrationVisibility" NOT NULL DEFAULT 'private',
    "target" "IntegrationTarget" NOT NULL DEFAULT 'all',
    "verified" BOOLEAN NOT NULL DEFAULT false,
    "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "categories" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "blocks" JSON NOT NULL DEFAULT '[]',
    "blockDomains" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "hasBlocks" BOOLEAN NOT NULL DEFAULT false,
    "contentSources" JSON NOT NULL DEFAULT '[]',
    "hasContentSources" BOOLEAN NOT NULL DEFAULT false,
    "externalLinks" JSON NOT NULL DEFAULT '[]',
    "configurations" JSON NOT NULL DEFAULT '{}',
    "contentSecurityPolicy" TEXT,
    "icon" TEXT,
    "previewImages" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "blobs" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "version" INTEGER NOT NULL DEFAULT 1,
    "runtime" "IntegrationRuntime" NOT NULL DEFAULT 'v1',
    "secrets" BYTEA,
    "signingKey" BYTEA,
    "tunnelUrl" TEXT,
    "tunnelAll" BOOLEAN NOT NULL DEFAULT false,
    "createdById" TEXT COLLATE "C",
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Integration_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IntegrationVersion" (
    "id" TEXT COLLATE "C" NOT NULL,
    "integrationId" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "runtime" "IntegrationRuntime" NOT NULL,
    "script" TEXT,
    "scriptSize" INTEGER NOT NULL DEFAULT 0,
    "webhookUrl" TEXT,
    "manifest" JSON NOT NULL,
    "createdById" TEXT COLLATE "C",
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "IntegrationVersion_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IntegrationInstallation" (
    "id" TEXT COLLATE "C" NOT NULL,
    "integrationId" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "runtime" "IntegrationRuntime" NOT NULL,
    "status" "InstallationStatus" NOT NULL DEFAULT 'pending',
    "configuration" JSON NOT NULL DEFAULT '{}',
    "spaceSelection" "InstallationSelection" NOT NULL DEFAULT 'all',
    "siteSelection" "InstallationSelection" NOT NULL DEFAULT 'all',
    "externalIds" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[],
    "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "contentSecurityPolicy" TEXT,
    "agreedVersion" INTEGER NOT NULL DEFAULT 1,
    "pinnedVersion" INTEGER,
    "allowsDevMode" BOOLEAN NOT NULL DEFAULT false,
    "createdById" TEXT COLLATE "C",
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "IntegrationInstallation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IntegrationSpace" (
    "id" TEXT COLLATE "C" NOT NULL,
    "installationId" TEXT COLLATE "C" NOT NULL,
    "spaceId" TEXT COLLATE "C" NOT NULL,
    "status" "InstallationStatus" NOT NULL DEFAULT 'pending',
    "configuration" JSON NOT NULL DEFAULT '{}',
    "externalIds" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "IntegrationSpace_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IntegrationSite" (
    "id" TEXT COLLATE "C" NOT NULL,
    "installationId" TEXT COLLATE "C" NOT NULL,
    "siteId" TEXT COLLATE "C" NOT NULL,
    "status" "InstallationStatus" NOT NULL DEFAULT 'pending',
    "configuration" JSON NOT NULL DEFAULT '{}',
    "externalIds" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "IntegrationSite_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IntegrationEvent" (
    "id" TEXT COLLATE "C" NOT NULL,
    "installationId" TEXT COLLATE "C" NOT NULL,
    "type" "IntegrationEventType" NOT NULL,
    "payload" JSON NOT NULL DEFAULT '{}',
    "status" "IntegrationEventStatus" NOT NULL DEFAULT 'pending',
    "sequence" BIGINT NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "nextTryAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "durationMs" INTEGER,
    "logs" JSON NOT NULL DEFAULT '[]',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "IntegrationEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IntegrationFeed" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "transactionId" BIGINT NOT NULL,
    "eventId" BIGINT NOT NULL,
    "sequence" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "IntegrationFeed_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Invitation" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "email" TEXT NOT NULL,
    "role" "Role",
    "createdById" TEXT COLLATE "C",
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "acceptedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Invitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "InvitationEmail" (
    "id" BIGSERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "senderId" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "sentAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "InvitationEmail_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "InviteLink" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "role" "Role",
    "key" TEXT NOT NULL,
    "createdById" TEXT COLLATE "C",
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3),

    CONSTRAINT "InviteLink_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TextLink" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "place" INTEGER NOT NULL,
    "relation" "LinkRelation" NOT NULL,
    "address" TEXT NOT NULL,

    CONSTRAINT "TextLink_pkey" PRIMARY KEY ("hash","place")
);

-- CreateTable
CREATE TABLE "TextAnchors" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "anchors" TEXT[],

    CONSTRAINT "TextAnchors_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "OutsideAddress" (
    "url" TEXT NOT NULL,
    "status" "OutsideLinkStatus" NOT NULL,
    "reason" TEXT,
    "checkedAt" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OutsideAddress_pkey" PRIMARY KEY ("url")
);

-- CreateTable
CREATE TABLE "OpenApiSpec" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "slug" TEXT NOT NULL,
    "title" TEXT,
    "visibility" "OpenApiSpecVisibility" NOT NULL DEFAULT 'private',
    "createdById" TEXT COLLATE "C",
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sourceUrl" TEXT,
    "sourceBlob" TEXT,
    "lastVersionId" TEXT COLLATE "C",
    "state" "OpenApiProcessingState" NOT NULL DEFAULT 'pending',
    "processedAt" TIMESTAMPTZ(3),
    "errorCode" "OpenApiProcessErrorCode",
    "error" TEXT,
    "etag" TEXT,
    "lastModified" TEXT,
    "dueAt" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "lease" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),
    "addressKey" BYTEA NOT NULL,

    CONSTRAINT "OpenApiSpec_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OpenApiSpecVersion" (
    "id" TEXT COLLATE "C" NOT NULL,
    "specId" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "hash" TEXT COLLATE "C" NOT NULL,
    "files" JSONB NOT NULL,
    "filesystem" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "documentSize" INTEGER NOT NULL,
    "blobs" TEXT[],
    "openapi" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "apiVersion" TEXT NOT NULL,
    "pathCount" INTEGER NOT NULL,
    "operationCount" INTEGER NOT NULL,
    "modelCount" INTEGER NOT NULL,

    CONSTRAINT "OpenApiSpecVersion_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Organization" (
    "id" TEXT COLLATE "C" NOT NULL,
    "title" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "emailDomains" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "hostname" TEXT NOT NULL,
    "customHostname" TEXT,
    "type" "OrganizationType" NOT NULL DEFAULT 'business',
    "useCase" "OrganizationUseCase",
    "communityType" "CommunityType",
    "defaultRole" "Role",
    "defaultSiteId" TEXT COLLATE "C",
    "defaultSpaceId" TEXT COLLATE "C",
    "logoURL" TEXT,
    "sso" BOOLEAN NOT NULL DEFAULT false,
    "ai" BOOLEAN NOT NULL DEFAULT true,
    "inviteLinks" BOOLEAN NOT NULL DEFAULT true,
    "checksOutsideLinks" BOOLEAN NOT NULL DEFAULT false,
    "plan" "OrganizationPlan" NOT NULL DEFAULT 'free_2024',
    "billingInterval" "BillingInterval" NOT NULL DEFAULT 'monthly',
    "billingEndDate" TIMESTAMPTZ(3),
    "billingHasPaymentFailed" BOOLEAN NOT NULL DEFAULT false,
    "billingIsScheduledToCancel" BOOLEAN NOT NULL DEFAULT false,
    "billingPricing" JSONB,
    "trialStatus" "TrialStatus" NOT NULL DEFAULT 'notapplicable',
    "trialEndDate" TIMESTAMPTZ(3),
    "trialDecision" "TrialDecision",
    "blockedReason" "BlockedReason",
    "migrationDeadline" TIMESTAMPTZ(3),
    "migrationDiscountPercent" DOUBLE PRECISION,
    "migrationDiscountEndDate" TIMESTAMPTZ(3),
    "visitorKey" BYTEA,
    "createdById" TEXT COLLATE "C",

    CONSTRAINT "Organization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "EmailDomain" (
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "domain" TEXT NOT NULL,
    "verifiedDomain" TEXT,
    "claimedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "checkedAt" TIMESTAMPTZ(3),
    "verifiedAt" TIMESTAMPTZ(3),
    "missingSince" TIMESTAMPTZ(3),
    "dueAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "EmailDomain_pkey" PRIMARY KEY ("organizationId","domain")
);

-- CreateTable
CREATE TABLE "OrganizationMember" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "role" "Role",
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "sso" BOOLEAN NOT NULL DEFAULT false,
    "joinedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeenAt" TIMESTAMPTZ(3),
    "sortName" TEXT COLLATE "C" NOT NULL DEFAULT '',

    CONSTRAINT "OrganizationMember_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "MemberCount" (
    "id" BIGSERIAL NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "role" "Role",
    "disabled" BOOLEAN NOT NULL,
    "seen" BOOLEAN NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "MemberCount_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ContentPdf" (
    "id" TEXT COLLATE "C" NOT NULL,
    "revisionId" TEXT COLLATE "C" NOT NULL,
    "variant" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "blob" TEXT,
    "size" INTEGER,
    "lease" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ContentPdf_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Review" (
    "id" TEXT COLLATE "C" NOT NULL,
    "changeRequestId" TEXT COLLATE "C" NOT NULL,
    "reviewerId" TEXT COLLATE "C" NOT NULL,
    "status" "ReviewStatus" NOT NULL,
    "message" TEXT,
    "requestedById" TEXT COLLATE "C",
    "requestedAt" TIMESTAMPTZ(3),
    "reviewedAt" TIMESTAMPTZ(3),
    "revisionId" TEXT COLLATE "C",
    "dismissedById" TEXT COLLATE "C",
    "dismissedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Review_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SamlProvider" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "label" TEXT NOT NULL,
    "entityID" TEXT,
    "ssoURL" TEXT,
    "logoutURL" TEXT,
    "certificate" TEXT,
    "defaultTeamId" TEXT COLLATE "C",
    "defaultRole" "Role",
    "status" "SamlProviderStatus" NOT NULL DEFAULT 'pending',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SamlProvider_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SamlIdentity" (
    "providerId" TEXT COLLATE "C" NOT NULL,
    "nameId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSignInAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SamlIdentity_pkey" PRIMARY KEY ("providerId","nameId")
);

-- CreateTable
CREATE TABLE "SamlAnswer" (
    "providerId" TEXT COLLATE "C" NOT NULL,
    "assertionId" TEXT COLLATE "C" NOT NULL,
    "requestId" TEXT COLLATE "C" NOT NULL,
    "acceptedAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SamlAnswer_pkey" PRIMARY KEY ("providerId","assertionId")
);

-- CreateTable
CREATE TABLE "SearchText" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "variant" TEXT NOT NULL,
    "vector" tsvector NOT NULL,

    CONSTRAINT "SearchText_pkey" PRIMARY KEY ("hash","variant")
);

-- CreateTable
CREATE TABLE "SearchSection" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "variant" TEXT NOT NULL,
    "place" INTEGER NOT NULL,
    "anchor" TEXT,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "vector" tsvector NOT NULL,

    CONSTRAINT "SearchSection_pkey" PRIMARY KEY ("hash","variant","place")
);

-- CreateTable
CREATE TABLE "SearchWord" (
    "word" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "SearchWord_pkey" PRIMARY KEY ("word")
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "way" "SignInWay" NOT NULL,
    "organizationId" TEXT COLLATE "C",
    "providerId" TEXT COLLATE "C",
    "nameId" TEXT COLLATE "C",
    "sessionIndex" TEXT,
    "hash" BYTEA NOT NULL,
    "address" TEXT,
    "agent" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SessionToken" (
    "hash" BYTEA NOT NULL,
    "sessionId" TEXT COLLATE "C" NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SessionToken_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "SignInLink" (
    "id" TEXT COLLATE "C" NOT NULL,
    "hash" BYTEA NOT NULL,
    "email" TEXT NOT NULL,
    "address" TEXT,
    "isSent" BOOLEAN NOT NULL DEFAULT true,
    "returnTo" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "SignInLink_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Site" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "type" "SiteType" NOT NULL DEFAULT 'basic',
    "title" TEXT NOT NULL,
    "icon" JSONB,
    "hostname" TEXT,
    "claimedHostname" TEXT,
    "hostnameProof" TEXT,
    "hostnameClaimedAt" TIMESTAMPTZ(3),
    "hostnameCheckedAt" TIMESTAMPTZ(3),
    "hostnameVerifiedAt" TIMESTAMPTZ(3),
    "hostnameMissingSince" TIMESTAMPTZ(3),
    "hostnameDueAt" TIMESTAMPTZ(3),
    "basename" TEXT,
    "proxyOrigin" TEXT,
    "proxyTarget" TEXT,
    "visibility" "SiteVisibility" NOT NULL DEFAULT 'public',
    "published" BOOLEAN NOT NULL DEFAULT false,
    "publishedAt" TIMESTAMPTZ(3),
    "publishedById" TEXT COLLATE "C",
    "shareKey" TEXT,
    "adaptiveContentEnabled" BOOLEAN NOT NULL DEFAULT false,
    "adaptiveSchema" JSON,
    "adaptiveSchemaUpdatedAt" TIMESTAMPTZ(3),
    "agentsContext" "AgentsContext" NOT NULL DEFAULT 'excluded',
    "createdById" TEXT COLLATE "C",
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "structureVersion" INTEGER NOT NULL DEFAULT 0,
    "jwksUrl" TEXT,

    CONSTRAINT "Site_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SiteSigningKey" (
    "id" TEXT COLLATE "C" NOT NULL,
    "siteId" TEXT COLLATE "C" NOT NULL,
    "secret" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3),

    CONSTRAINT "SiteSigningKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SiteSectionGroup" (
    "id" TEXT COLLATE "C" NOT NULL,
    "siteId" TEXT COLLATE "C" NOT NULL,
    "title" TEXT NOT NULL,
    "icon" TEXT,
    "position" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "SiteSectionGroup_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SiteSection" (
    "id" TEXT COLLATE "C" NOT NULL,
    "siteId" TEXT COLLATE "C" NOT NULL,
    "sectionGroupId" TEXT COLLATE "C",
    "title" TEXT NOT NULL,
    "description" TEXT,
    "path" TEXT NOT NULL,
    "condition" TEXT,
    "icon" TEXT,
    "isDefault" BOOLEAN NOT NULL DEFAULT false,
    "position" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "SiteSection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SiteSpace" (
    "id" TEXT COLLATE "C" NOT NULL,
    "siteId" TEXT COLLATE "C" NOT NULL,
    "sectionId" TEXT COLLATE "C",
    "spaceId" TEXT COLLATE "C" NOT NULL,
    "title" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "condition" TEXT,
    "isDefault" BOOLEAN NOT NULL DEFAULT false,
    "position" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "SiteSpace_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Space" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "parentId" TEXT COLLATE "C",
    "ancestors" TEXT[] COLLATE "C" NOT NULL DEFAULT ARRAY[]::TEXT[],
    "title" TEXT NOT NULL,
    "emoji" TEXT NOT NULL,
    "visibility" "SpaceVisibility" NOT NULL DEFAULT 'in_collection',
    "openToMembers" BOOLEAN NOT NULL DEFAULT false,
    "editMode" "SpaceEditMode" NOT NULL DEFAULT 'live',
    "defaultLevel" "Role",
    "position" TEXT COLLATE "C" NOT NULL,
    "shareKey" TEXT,
    "revisionId" TEXT COLLATE "C" NOT NULL,
    "lastChangeRequestNumber" INTEGER NOT NULL DEFAULT 0,
    "gitSync" JSONB,
    "visitorAuthBackend" "VisitorAuthBackend",
    "searchLanguage" "SearchLanguage",
    "freezesComputed" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Space_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Team" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "title" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Team_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TeamMember" (
    "id" TEXT COLLATE "C" NOT NULL,
    "teamId" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "role" "TeamRole" NOT NULL DEFAULT 'member',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sortName" TEXT COLLATE "C" NOT NULL DEFAULT '',

    CONSTRAINT "TeamMember_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiToken" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "scope" "TokenScope" NOT NULL DEFAULT 'admin',
    "organizationId" TEXT COLLATE "C",
    "isService" BOOLEAN NOT NULL DEFAULT false,
    "role" "Role",
    "madeByEmail" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ApiToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Translation" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "sourceSpaceId" TEXT COLLATE "C" NOT NULL,
    "sourceLanguage" "Language" NOT NULL,
    "language" "Language" NOT NULL,
    "instructions" TEXT NOT NULL DEFAULT '',
    "autoUpdate" BOOLEAN NOT NULL DEFAULT true,
    "createdById" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status" "TranslationStatus" NOT NULL DEFAULT 'pending',
    "error" TEXT,
    "warnings" JSONB NOT NULL DEFAULT '[]',
    "resultSpaceId" TEXT COLLATE "C",
    "resultRevisionId" TEXT COLLATE "C",
    "engineRevisionId" TEXT COLLATE "C",
    "engineTreeHash" TEXT COLLATE "C",
    "sourceRevisionId" TEXT COLLATE "C",
    "dueAt" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "startedAt" TIMESTAMPTZ(3),
    "allPages" INTEGER NOT NULL DEFAULT 0,
    "donePages" INTEGER NOT NULL DEFAULT 0,
    "lease" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),
    "reservedWords" INTEGER NOT NULL DEFAULT 0,
    "runs" INTEGER NOT NULL DEFAULT 0,
    "totalWords" INTEGER NOT NULL DEFAULT 0,
    "totalPages" INTEGER NOT NULL DEFAULT 0,
    "totalSeconds" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "latestWords" INTEGER NOT NULL DEFAULT 0,
    "latestPages" INTEGER NOT NULL DEFAULT 0,
    "latestSeconds" DOUBLE PRECISION NOT NULL DEFAULT 0,

    CONSTRAINT "Translation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TranslatedPage" (
    "translationId" TEXT COLLATE "C" NOT NULL,
    "sourcePageId" TEXT COLLATE "C" NOT NULL,
    "pageId" TEXT COLLATE "C" NOT NULL,
    "sourceHash" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "TranslatedPage_pkey" PRIMARY KEY ("translationId","sourcePageId")
);

-- CreateTable
CREATE TABLE "TranslationSegment" (
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "text" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "usedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "TranslationSegment_pkey" PRIMARY KEY ("organizationId","hash")
);

-- CreateTable
CREATE TABLE "TranslationWords" (
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "month" DATE NOT NULL,
    "words" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "TranslationWords_pkey" PRIMARY KEY ("organizationId","month")
);

-- CreateTable
CREATE TABLE "GlossaryTerm" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "term" TEXT NOT NULL,
    "translations" JSONB NOT NULL DEFAULT '{}',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "GlossaryTerm_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "User" (
    "id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT NOT NULL,
    "displayName" TEXT NOT NULL,
    "photoURL" TEXT,
    "isService" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "AuditEntry_organizationId_createdAt_id_idx" ON "AuditEntry"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "AuditEntry_organizationId_type_createdAt_id_idx" ON "AuditEntry"("organizationId", "type", "createdAt", "id");

-- CreateIndex
CREATE INDEX "AuditEntry_organizationId_actorId_createdAt_id_idx" ON "AuditEntry"("organizationId", "actorId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "AuditEntry_createdAt_idx" ON "AuditEntry"("createdAt");

-- CreateIndex
CREATE INDEX "ChangeRequest_spaceId_status_number_idx" ON "ChangeRequest"("spaceId", "status", "number");

-- CreateIndex
CREATE INDEX "ChangeRequest_spaceId_createdAt_id_idx" ON "ChangeRequest"("spaceId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "ChangeRequest_spaceId_updatedAt_id_idx" ON "ChangeRequest"("spaceId", "updatedAt", "id");

-- CreateIndex
CREATE INDEX "ChangeRequest_organizationId_createdAt_id_idx" ON "ChangeRequest"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "ChangeRequest_organizationId_status_createdAt_id_idx" ON "ChangeRequest"("organizationId", "status", "createdAt", "id");

-- CreateIndex
CREATE INDEX "ChangeRequest_organizationId_createdById_createdAt_id_idx" ON "ChangeRequest"("organizationId", "createdById", "createdAt", "id");

-- CreateIndex
CREATE INDEX "ChangeRequest_createdById_createdAt_id_idx" ON "ChangeRequest"("createdById", "createdAt", "id");

-- CreateIndex
CREATE INDEX "ChangeRequest_organizationId_updatedAt_id_idx" ON "ChangeRequest"("organizationId", "updatedAt", "id");

-- CreateIndex
CREATE INDEX "ChangeRequest_createdById_updatedAt_id_idx" ON "ChangeRequest"("createdById", "updatedAt", "id");

-- CreateIndex
CREATE INDEX "ChangeRequest_revisionId_idx" ON "ChangeRequest"("revisionId");

-- CreateIndex
CREATE INDEX "ChangeRequest_revisionInitialId_idx" ON "ChangeRequest"("revisionInitialId");

-- CreateIndex
CREATE INDEX "ChangeRequest_revisionMergedAncestorId_idx" ON "ChangeRequest"("revisionMergedAncestorId");

-- CreateIndex
CREATE INDEX "ChangeRequest_revisionMergedId_idx" ON "ChangeRequest"("revisionMergedId");

-- CreateIndex
CREATE UNIQUE INDEX "ChangeRequest_spaceId_number_key" ON "ChangeRequest"("spaceId", "number");

-- CreateIndex
CREATE UNIQUE INDEX "ChangeRequest_id_spaceId_key" ON "ChangeRequest"("id", "spaceId");

-- CreateIndex
CREATE UNIQUE INDEX "ChangeRequest_id_spaceId_number_status_key" ON "ChangeRequest"("id", "spaceId", "number", "status");

-- CreateIndex
CREATE INDEX "ChangeRequestContributor_spaceId_userId_number_idx" ON "ChangeRequestContributor"("spaceId", "userId", "number");

-- CreateIndex
CREATE INDEX "ChangeRequestContributor_spaceId_userId_status_number_idx" ON "ChangeRequestContributor"("spaceId", "userId", "status", "number");

-- CreateIndex
CREATE INDEX "ChangeRequestContributor_userId_idx" ON "ChangeRequestContributor"("userId");

-- CreateIndex
CREATE INDEX "Collection_organizationId_id_idx" ON "Collection"("organizationId", "id");

-- CreateIndex
CREATE INDEX "Collection_organizationId_parentId_position_id_idx" ON "Collection"("organizationId", "parentId", "position", "id");

-- CreateIndex
CREATE INDEX "Collection_organizationId_position_id_idx" ON "Collection"("organizationId", "position", "id");

-- CreateIndex
CREATE INDEX "Collection_organizationId_createdAt_id_idx" ON "Collection"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Collection_organizationId_updatedAt_id_idx" ON "Collection"("organizationId", "updatedAt", "id");

-- CreateIndex
CREATE INDEX "Collection_parentId_position_id_idx" ON "Collection"("parentId", "position", "id");

-- CreateIndex
CREATE INDEX "Collection_parentId_createdAt_id_idx" ON "Collection"("parentId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Collection_parentId_updatedAt_id_idx" ON "Collection"("parentId", "updatedAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Collection_id_organizationId_key" ON "Collection"("id", "organizationId");

-- CreateIndex
CREATE INDEX "Comment_spaceId_postedAt_id_idx" ON "Comment"("spaceId", "postedAt", "id");

-- CreateIndex
CREATE INDEX "Comment_changeRequestId_postedAt_id_idx" ON "Comment"("changeRequestId", "postedAt", "id");

-- CreateIndex
CREATE INDEX "Comment_changeRequestId_status_postedAt_id_idx" ON "Comment"("changeRequestId", "status", "postedAt", "id");

-- CreateIndex
CREATE INDEX "Comment_organizationId_postedAt_id_idx" ON "Comment"("organizationId", "postedAt", "id");

-- CreateIndex
CREATE INDEX "Comment_organizationId_status_postedAt_id_idx" ON "Comment"("organizationId", "status", "postedAt", "id");

-- CreateIndex
CREATE INDEX "Comment_postedById_postedAt_id_idx" ON "Comment"("postedById", "postedAt", "id");

-- CreateIndex
CREATE INDEX "Comment_resolvedById_idx" ON "Comment"("resolvedById");

-- CreateIndex
CREATE INDEX "Comment_revisionId_idx" ON "Comment"("revisionId");

-- CreateIndex
CREATE INDEX "Comment_reviewId_postedAt_id_idx" ON "Comment"("reviewId", "postedAt", "id");

-- CreateIndex
CREATE INDEX "CommentReply_commentId_postedAt_id_idx" ON "CommentReply"("commentId", "postedAt", "id");

-- CreateIndex
CREATE INDEX "CommentReply_postedById_idx" ON "CommentReply"("postedById");

-- CreateIndex
CREATE INDEX "Reaction_userId_idx" ON "Reaction"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "Reaction_commentId_emoji_userId_key" ON "Reaction"("commentId", "emoji", "userId");

-- CreateIndex
CREATE UNIQUE INDEX "Reaction_replyId_emoji_userId_key" ON "Reaction"("replyId", "emoji", "userId");

-- CreateIndex
CREATE INDEX "Mention_userId_mentionedAt_id_idx" ON "Mention"("userId", "mentionedAt", "id");

-- CreateIndex
CREATE INDEX "Mention_commentId_idx" ON "Mention"("commentId");

-- CreateIndex
CREATE UNIQUE INDEX "Mention_replyId_userId_key" ON "Mention"("replyId", "userId");

-- CreateIndex
CREATE UNIQUE INDEX "Mention_spaceId_pageId_userId_key" ON "Mention"("spaceId", "pageId", "userId");

-- CreateIndex
CREATE INDEX "Revision_spaceId_changeRequestId_createdAt_id_idx" ON "Revision"("spaceId", "changeRequestId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Revision_authorId_idx" ON "Revision"("authorId");

-- CreateIndex
CREATE INDEX "Revision_treeHash_idx" ON "Revision"("treeHash");

-- CreateIndex
CREATE INDEX "Revision_filesHash_idx" ON "Revision"("filesHash");

-- CreateIndex
CREATE INDEX "ChangedPage_contentId_pageId_createdAt_revisionId_idx" ON "ChangedPage"("contentId", "pageId", "createdAt", "revisionId");

-- CreateIndex
CREATE INDEX "ContentPage_documentHash_idx" ON "ContentPage"("documentHash");

-- CreateIndex
CREATE INDEX "ContentPage_childrenHash_idx" ON "ContentPage"("childrenHash");

-- CreateIndex
CREATE INDEX "ContentFile_fileId_idx" ON "ContentFile"("fileId");

-- CreateIndex
CREATE INDEX "ContentFile_blob_idx" ON "ContentFile"("blob");

-- CreateIndex
CREATE INDEX "PresentPage_hash_idx" ON "PresentPage"("hash");

-- CreateIndex
CREATE INDEX "OutboxEvent_transactionId_id_idx" ON "OutboxEvent"("transactionId", "id");

-- CreateIndex
CREATE INDEX "OutboxEvent_spaceId_transactionId_id_idx" ON "OutboxEvent"("spaceId", "transactionId", "id");

-- CreateIndex
CREATE INDEX "OutboxEvent_organizationId_transactionId_id_idx" ON "OutboxEvent"("organizationId", "transactionId", "id");

-- CreateIndex
CREATE INDEX "OutboxEvent_organizationId_createdAt_idx" ON "OutboxEvent"("organizationId", "createdAt");

-- CreateIndex
CREATE INDEX "OutboxEvent_spaceId_createdAt_idx" ON "OutboxEvent"("spaceId", "createdAt");

-- CreateIndex
CREATE INDEX "Grant_organizationId_userId_idx" ON "Grant"("organizationId", "userId");

-- CreateIndex
CREATE INDEX "Grant_organizationId_id_idx" ON "Grant"("organizationId", "id");

-- CreateIndex
CREATE INDEX "Grant_teamId_id_idx" ON "Grant"("teamId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Grant_spaceId_userId_key" ON "Grant"("spaceId", "userId");

-- CreateIndex
CREATE UNIQUE INDEX "Grant_spaceId_teamId_key" ON "Grant"("spaceId", "teamId");

-- CreateIndex
CREATE UNIQUE INDEX "Grant_collectionId_userId_key" ON "Grant"("collectionId", "userId");

-- CreateIndex
CREATE UNIQUE INDEX "Grant_collectionId_teamId_key" ON "Grant"("collectionId", "teamId");

-- CreateIndex
CREATE INDEX "IdempotencyKey_createdAt_idx" ON "IdempotencyKey"("createdAt");

-- CreateIndex
CREATE INDEX "ContentImport_spaceId_createdAt_id_idx" ON "ContentImport"("spaceId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "ContentImport_changeRequestId_idx" ON "ContentImport"("changeRequestId");

-- CreateIndex
CREATE INDEX "ContentImport_createdById_idx" ON "ContentImport"("createdById");

-- CreateIndex
CREATE INDEX "ContentImport_revisionId_idx" ON "ContentImport"("revisionId");

-- CreateIndex
CREATE INDEX "ContentImport_state_leaseUntil_idx" ON "ContentImport"("state", "leaseUntil");

-- CreateIndex
CREATE UNIQUE INDEX "Integration_name_key" ON "Integration"("name");

-- CreateIndex
CREATE INDEX "Integration_organizationId_name_id_idx" ON "Integration"("organizationId", "name", "id");

-- CreateIndex
CREATE INDEX "Integration_name_id_idx" ON "Integration"("name", "id");

-- CreateIndex
CREATE INDEX "Integration_visibility_name_id_idx" ON "Integration"("visibility", "name", "id");

-- CreateIndex
CREATE INDEX "Integration_createdById_idx" ON "Integration"("createdById");

-- CreateIndex
CREATE INDEX "Integration_scopes_idx" ON "Integration" USING GIN ("scopes");

-- CreateIndex
CREATE INDEX "Integration_categories_idx" ON "Integration" USING GIN ("categories");

-- CreateIndex
CREATE INDEX "Integration_blockDomains_idx" ON "Integration" USING GIN ("blockDomains");

-- CreateIndex
CREATE INDEX "Integration_blobs_idx" ON "Integration" USING GIN ("blobs");

-- CreateIndex
CREATE INDEX "IntegrationVersion_integrationId_runtime_number_idx" ON "IntegrationVersion"("integrationId", "runtime", "number");

-- CreateIndex
CREATE INDEX "IntegrationVersion_script_idx" ON "IntegrationVersion"("script");

-- CreateIndex
CREATE INDEX "IntegrationVersion_createdById_idx" ON "IntegrationVersion"("createdById");

-- CreateIndex
CREATE UNIQUE INDEX "IntegrationVersion_integrationId_number_key" ON "IntegrationVersion"("integrationId", "number");

-- CreateIndex
CREATE INDEX "IntegrationInstallation_integrationId_createdAt_id_idx" ON "IntegrationInstallation"("integrationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "IntegrationInstallation_organizationId_createdAt_id_idx" ON "IntegrationInstallation"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "IntegrationInstallation_createdById_idx" ON "IntegrationInstallation"("createdById");

-- CreateIndex
CREATE INDEX "IntegrationInstallation_externalIds_idx" ON "IntegrationInstallation" USING GIN ("externalIds");

-- CreateIndex
CREATE UNIQUE INDEX "IntegrationInstallation_integrationId_organizationId_key" ON "IntegrationInstallation"("integrationId", "organizationId");

-- CreateIndex
CREATE INDEX "IntegrationSpace_installationId_createdAt_id_idx" ON "IntegrationSpace"("installationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "IntegrationSpace_spaceId_createdAt_id_idx" ON "IntegrationSpace"("spaceId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "IntegrationSpace_externalIds_idx" ON "IntegrationSpace" USING GIN ("externalIds");

-- CreateIndex
CREATE UNIQUE INDEX "IntegrationSpace_installationId_spaceId_key" ON "IntegrationSpace"("installationId", "spaceId");

-- CreateIndex
CREATE INDEX "IntegrationSite_installationId_createdAt_id_idx" ON "IntegrationSite"("installationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "IntegrationSite_siteId_createdAt_id_idx" ON "IntegrationSite"("siteId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "IntegrationSite_externalIds_idx" ON "IntegrationSite" USING GIN ("externalIds");

-- CreateIndex
CREATE UNIQUE INDEX "IntegrationSite_installationId_siteId_key" ON "IntegrationSite"("installationId", "siteId");

-- CreateIndex
CREATE INDEX "IntegrationEvent_installationId_createdAt_id_idx" ON "IntegrationEvent"("installationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "IntegrationEvent_createdAt_idx" ON "IntegrationEvent"("createdAt");

-- CreateIndex
CREATE INDEX "Invitation_organizationId_createdAt_id_idx" ON "Invitation"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Invitation_email_createdAt_id_idx" ON "Invitation"("email", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Invitation_createdById_idx" ON "Invitation"("createdById");

-- CreateIndex
CREATE UNIQUE INDEX "Invitation_organizationId_email_key" ON "Invitation"("organizationId", "email");

-- CreateIndex
CREATE INDEX "InvitationEmail_email_sentAt_idx" ON "InvitationEmail"("email", "sentAt");

-- CreateIndex
CREATE INDEX "InvitationEmail_senderId_sentAt_idx" ON "InvitationEmail"("senderId", "sentAt");

-- CreateIndex
CREATE INDEX "InvitationEmail_organizationId_sentAt_idx" ON "InvitationEmail"("organizationId", "sentAt");

-- CreateIndex
CREATE INDEX "InvitationEmail_sentAt_idx" ON "InvitationEmail"("sentAt");

-- CreateIndex
CREATE UNIQUE INDEX "InviteLink_key_key" ON "InviteLink"("key");

-- CreateIndex
CREATE INDEX "InviteLink_organizationId_createdAt_id_idx" ON "InviteLink"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "InviteLink_createdById_idx" ON "InviteLink"("createdById");

-- CreateIndex
CREATE INDEX "OutsideAddress_dueAt_idx" ON "OutsideAddress"("dueAt");

-- CreateIndex
CREATE UNIQUE INDEX "OpenApiSpec_lastVersionId_key" ON "OpenApiSpec"("lastVersionId");

-- CreateIndex
CREATE INDEX "OpenApiSpec_organizationId_createdAt_id_idx" ON "OpenApiSpec"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "OpenApiSpec_createdById_idx" ON "OpenApiSpec"("createdById");

-- CreateIndex
CREATE INDEX "OpenApiSpec_sourceBlob_idx" ON "OpenApiSpec"("sourceBlob");

-- CreateIndex
CREATE INDEX "OpenApiSpec_dueAt_idx" ON "OpenApiSpec"("dueAt");

-- CreateIndex
CREATE UNIQUE INDEX "OpenApiSpec_organizationId_slug_key" ON "OpenApiSpec"("organizationId", "slug");

-- CreateIndex
CREATE INDEX "OpenApiSpecVersion_blobs_idx" ON "OpenApiSpecVersion" USING GIN ("blobs");

-- CreateIndex
CREATE UNIQUE INDEX "OpenApiSpecVersion_specId_number_key" ON "OpenApiSpecVersion"("specId", "number");

-- CreateIndex
CREATE UNIQUE INDEX "Organization_hostname_key" ON "Organization"("hostname");

-- CreateIndex
CREATE UNIQUE INDEX "Organization_customHostname_key" ON "Organization"("customHostname");

-- CreateIndex
CREATE INDEX "Organization_emailDomains_idx" ON "Organization" USING GIN ("emailDomains");

-- CreateIndex
CREATE INDEX "Organization_createdById_idx" ON "Organization"("createdById");

-- CreateIndex
CREATE UNIQUE INDEX "EmailDomain_verifiedDomain_key" ON "EmailDomain"("verifiedDomain");

-- CreateIndex
CREATE INDEX "EmailDomain_dueAt_idx" ON "EmailDomain"("dueAt");

-- CreateIndex
CREATE INDEX "OrganizationMember_userId_organizationId_idx" ON "OrganizationMember"("userId", "organizationId");

-- CreateIndex
CREATE INDEX "OrganizationMember_organizationId_joinedAt_id_idx" ON "OrganizationMember"("organizationId", "joinedAt", "id");

-- CreateIndex
CREATE INDEX "OrganizationMember_organizationId_role_joinedAt_id_idx" ON "OrganizationMember"("organizationId", "role", "joinedAt", "id");

-- CreateIndex
CREATE INDEX "OrganizationMember_organizationId_lastSeenAt_id_idx" ON "OrganizationMember"("organizationId", "lastSeenAt", "id");

-- CreateIndex
CREATE INDEX "OrganizationMember_organizationId_sortName_id_idx" ON "OrganizationMember"("organizationId", "sortName", "id");

-- CreateIndex
CREATE UNIQUE INDEX "OrganizationMember_organizationId_userId_key" ON "OrganizationMember"("organizationId", "userId");

-- CreateIndex
CREATE INDEX "MemberCount_organizationId_idx" ON "MemberCount"("organizationId");

-- CreateIndex
CREATE INDEX "ContentPdf_blob_idx" ON "ContentPdf"("blob");

-- CreateIndex
CREATE UNIQUE INDEX "ContentPdf_revisionId_variant_key" ON "ContentPdf"("revisionId", "variant");

-- CreateIndex
CREATE INDEX "Review_changeRequestId_id_idx" ON "Review"("changeRequestId", "id");

-- CreateIndex
CREATE INDEX "Review_reviewerId_status_requestedAt_id_idx" ON "Review"("reviewerId", "status", "requestedAt", "id");

-- CreateIndex
CREATE INDEX "Review_requestedById_idx" ON "Review"("requestedById");

-- CreateIndex
CREATE INDEX "Review_dismissedById_idx" ON "Review"("dismissedById");

-- CreateIndex
CREATE INDEX "Review_revisionId_idx" ON "Review"("revisionId");

-- CreateIndex
CREATE UNIQUE INDEX "Review_changeRequestId_reviewerId_key" ON "Review"("changeRequestId", "reviewerId");

-- CreateIndex
CREATE INDEX "SamlProvider_organizationId_createdAt_id_idx" ON "SamlProvider"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "SamlProvider_defaultTeamId_idx" ON "SamlProvider"("defaultTeamId");

-- CreateIndex
CREATE INDEX "SamlIdentity_userId_idx" ON "SamlIdentity"("userId");

-- CreateIndex
CREATE INDEX "SamlAnswer_expiresAt_idx" ON "SamlAnswer"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "SamlAnswer_providerId_requestId_key" ON "SamlAnswer"("providerId", "requestId");

-- CreateIndex
CREATE INDEX "SearchWord_word_idx" ON "SearchWord" USING GIN ("word" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "Session_hash_key" ON "Session"("hash");

-- CreateIndex
CREATE INDEX "Session_userId_createdAt_id_idx" ON "Session"("userId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Session_providerId_nameId_idx" ON "Session"("providerId", "nameId");

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

-- CreateIndex
CREATE INDEX "SessionToken_sessionId_idx" ON "SessionToken"("sessionId");

-- CreateIndex
CREATE INDEX "SessionToken_expiresAt_idx" ON "SessionToken"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "SignInLink_hash_key" ON "SignInLink"("hash");

-- CreateIndex
CREATE INDEX "SignInLink_email_createdAt_idx" ON "SignInLink"("email", "createdAt");

-- CreateIndex
CREATE INDEX "SignInLink_address_createdAt_idx" ON "SignInLink"("address", "createdAt");

-- CreateIndex
CREATE INDEX "SignInLink_createdAt_idx" ON "SignInLink"("createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Site_hostname_key" ON "Site"("hostname");

-- CreateIndex
CREATE UNIQUE INDEX "Site_shareKey_key" ON "Site"("shareKey");

-- CreateIndex
CREATE INDEX "Site_organizationId_createdAt_id_idx" ON "Site"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Site_createdById_idx" ON "Site"("createdById");

-- CreateIndex
CREATE INDEX "Site_publishedById_idx" ON "Site"("publishedById");

-- CreateIndex
CREATE INDEX "Site_hostnameDueAt_idx" ON "Site"("hostnameDueAt");

-- CreateIndex
CREATE UNIQUE INDEX "Site_id_organizationId_key" ON "Site"("id", "organizationId");

-- CreateIndex
CREATE UNIQUE INDEX "Site_organizationId_basename_key" ON "Site"("organizationId", "basename");

-- CreateIndex
CREATE UNIQUE INDEX "Site_proxyOrigin_proxyTarget_key" ON "Site"("proxyOrigin", "proxyTarget");

-- CreateIndex
CREATE INDEX "SiteSigningKey_siteId_createdAt_id_idx" ON "SiteSigningKey"("siteId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "SiteSectionGroup_siteId_position_id_idx" ON "SiteSectionGroup"("siteId", "position", "id");

-- CreateIndex
CREATE UNIQUE INDEX "SiteSectionGroup_id_siteId_key" ON "SiteSectionGroup"("id", "siteId");

-- CreateIndex
CREATE INDEX "SiteSection_siteId_position_id_idx" ON "SiteSection"("siteId", "position", "id");

-- CreateIndex
CREATE INDEX "SiteSection_siteId_isDefault_position_id_idx" ON "SiteSection"("siteId", "isDefault" DESC, "position", "id");

-- CreateIndex
CREATE INDEX "SiteSection_sectionGroupId_position_id_idx" ON "SiteSection"("sectionGroupId", "position", "id");

-- CreateIndex
CREATE UNIQUE INDEX "SiteSection_id_siteId_key" ON "SiteSection"("id", "siteId");

-- CreateIndex
CREATE UNIQUE INDEX "SiteSection_siteId_path_key" ON "SiteSection"("siteId", "path");

-- CreateIndex
CREATE INDEX "SiteSpace_siteId_position_id_idx" ON "SiteSpace"("siteId", "position", "id");

-- CreateIndex
CREATE INDEX "SiteSpace_sectionId_position_id_idx" ON "SiteSpace"("sectionId", "position", "id");

-- CreateIndex
CREATE INDEX "SiteSpace_siteId_sectionId_isDefault_position_id_idx" ON "SiteSpace"("siteId", "sectionId", "isDefault" DESC, "position", "id");

-- CreateIndex
CREATE INDEX "SiteSpace_spaceId_idx" ON "SiteSpace"("spaceId");

-- CreateIndex
CREATE UNIQUE INDEX "Space_shareKey_key" ON "Space"("shareKey");

-- CreateIndex
CREATE INDEX "Space_organizationId_id_idx" ON "Space"("organizationId", "id");

-- CreateIndex
CREATE INDEX "Space_organizationId_parentId_position_id_idx" ON "Space"("organizationId", "parentId", "position", "id");

-- CreateIndex
CREATE INDEX "Space_parentId_position_id_idx" ON "Space"("parentId", "position", "id");

-- CreateIndex
CREATE INDEX "Space_revisionId_idx" ON "Space"("revisionId");

-- CreateIndex
CREATE INDEX "Space_deletedAt_idx" ON "Space"("deletedAt");

-- CreateIndex
CREATE INDEX "Space_ancestors_idx" ON "Space" USING GIN ("ancestors");

-- CreateIndex
CREATE UNIQUE INDEX "Space_id_organizationId_key" ON "Space"("id", "organizationId");

-- CreateIndex
CREATE INDEX "Team_organizationId_title_id_idx" ON "Team"("organizationId", "title", "id");

-- CreateIndex
CREATE INDEX "Team_organizationId_createdAt_id_idx" ON "Team"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Team_organizationId_title_key" ON "Team"("organizationId", "title");

-- CreateIndex
CREATE UNIQUE INDEX "Team_id_organizationId_key" ON "Team"("id", "organizationId");

-- CreateIndex
CREATE INDEX "TeamMember_teamId_createdAt_id_idx" ON "TeamMember"("teamId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "TeamMember_teamId_sortName_id_idx" ON "TeamMember"("teamId", "sortName", "id");

-- CreateIndex
CREATE INDEX "TeamMember_organizationId_userId_teamId_idx" ON "TeamMember"("organizationId", "userId", "teamId");

-- CreateIndex
CREATE INDEX "TeamMember_userId_teamId_idx" ON "TeamMember"("userId", "teamId");

-- CreateIndex
CREATE UNIQUE INDEX "TeamMember_teamId_userId_key" ON "TeamMember"("teamId", "userId");

-- CreateIndex
CREATE UNIQUE INDEX "ApiToken_hash_key" ON "ApiToken"("hash");

-- CreateIndex
CREATE INDEX "ApiToken_userId_createdAt_id_idx" ON "ApiToken"("userId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "ApiToken_organizationId_createdAt_id_idx" ON "ApiToken"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Translation_resultSpaceId_key" ON "Translation"("resultSpaceId");

-- CreateIndex
CREATE INDEX "Translation_organizationId_createdAt_id_idx" ON "Translation"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Translation_createdById_idx" ON "Translation"("createdById");

-- CreateIndex
CREATE INDEX "Translation_resultRevisionId_idx" ON "Translation"("resultRevisionId");

-- CreateIndex
CREATE INDEX "Translation_engineRevisionId_idx" ON "Translation"("engineRevisionId");

-- CreateIndex
CREATE INDEX "Translation_dueAt_idx" ON "Translation"("dueAt");

-- CreateIndex
CREATE UNIQUE INDEX "Translation_sourceSpaceId_language_key" ON "Translation"("sourceSpaceId", "language");

-- CreateIndex
CREATE INDEX "TranslatedPage_pageId_idx" ON "TranslatedPage"("pageId");

-- CreateIndex
CREATE INDEX "TranslationSegment_usedAt_idx" ON "TranslationSegment"("usedAt");

-- CreateIndex
CREATE INDEX "GlossaryTerm_organizationId_createdAt_id_idx" ON "GlossaryTerm"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "GlossaryTerm_organizationId_term_key" ON "GlossaryTerm"("organizationId", "term");

-- CreateIndex
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

-- CreateIndex
CREATE INDEX "User_displayName_id_idx" ON "User"("displayName", "id");

-- AddForeignKey
ALTER TABLE "ChangeRequest" ADD CONSTRAINT "ChangeRequest_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ChangeRequest" ADD CONSTRAINT "ChangeRequest_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ChangeRequest" ADD CONSTRAINT "ChangeRequest_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ChangeRequest" ADD CONSTRAINT "ChangeRequest_revisionInitialId_fkey" FOREIGN KEY ("revisionInitialId") REFERENCES "Revision"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ChangeRequest" ADD CONSTRAINT "ChangeRequest_revisionMergedAncestorId_fkey" FOREIGN KEY ("revisionMergedAncestorId") REFERENCES "Revision"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ChangeRequest" ADD CONSTRAINT "ChangeRequest_revisionMergedId_fkey" FOREIGN KEY ("revisionMergedId") REFERENCES "Revision"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ChangeRequestContributor" ADD CONSTRAINT "ChangeRequestContributor_changeRequest_fkey" FOREIGN KEY ("changeRequestId", "spaceId", "number", "status") REFERENCES "ChangeRequest"("id", "spaceId", "number", "status") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ChangeRequestContributor" ADD CONSTRAINT "ChangeRequestContributor_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Collection" ADD CONSTRAINT "Collection_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Collection" ADD CONSTRAINT "Collection_parent_fkey" FOREIGN KEY ("parentId", "organizationId") REFERENCES "Collection"("id", "organizationId") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Comment" ADD CONSTRAINT "Comment_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Comment" ADD CONSTRAINT "Comment_changeRequest_fkey" FOREIGN KEY ("changeRequestId", "spaceId") REFERENCES "ChangeRequest"("id", "spaceId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Comment" ADD CONSTRAINT "Comment_postedById_fkey" FOREIGN KEY ("postedById") REFERENCES "User"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Comment" ADD CONSTRAINT "Comment_resolvedById_fkey" FOREIGN KEY ("resolvedById") REFERENCES "User"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Comment" ADD CONSTRAINT "Comment_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Comment" ADD CONSTRAINT "Comment_reviewId_fkey" FOREIGN KEY ("reviewId") REFERENCES "Review"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CommentReply" ADD CONSTRAINT "CommentReply_commentId_fkey" FOREIGN KEY ("commentId") REFERENCES "Comment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CommentReply" ADD CONSTRAINT "CommentReply_postedById_fkey" FOREIGN KEY ("postedById") REFERENCES "User"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Reaction" ADD CONSTRAINT "Reaction_commentId_fkey" FOREIGN KEY ("commentId") REFERENCES "Comment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Reaction" ADD CONSTRAINT "Reaction_replyId_fkey" FOREIGN KEY ("replyId") REFERENCES "CommentReply"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Reaction" ADD CONSTRAINT "Reaction_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Mention" ADD CONSTRAINT "Mention_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Mention" ADD CONSTRAINT "Mention_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Mention" ADD CONSTRAINT "Mention_commentId_fkey" FOREIGN KEY ("commentId") REFERENCES "Comment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Mention" ADD CONSTRAINT "Mention_replyId_fkey" FOREIGN KEY ("replyId") REFERENCES "CommentReply"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_changeRequest_fkey" FOREIGN KEY ("changeRequestId", "spaceId") REFERENCES "ChangeRequest"("id", "spaceId") ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED;

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_treeHash_fkey" FOREIGN KEY ("treeHash") REFERENCES "ContentTree"("hash") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_filesHash_fkey" FOREIGN KEY ("filesHash") REFERENCES "ContentFileList"("hash") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ChangedPage" ADD CONSTRAINT "ChangedPage_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ContentPage" ADD CONSTRAINT "ContentPage_documentHash_fkey" FOREIGN KEY ("documentHash") REFERENCES "ContentDocument"("hash") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ContentPage" ADD CONSTRAINT "ContentPage_childrenHash_fkey" FOREIGN KEY ("childrenHash") REFERENCES "ContentTree"("hash") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PresentPage" ADD CONSTRAINT "PresentPage_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PresentPage" ADD CONSTRAINT "PresentPage_hash_fkey" FOREIGN KEY ("hash") REFERENCES "ContentDocument"("hash") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "DerivedText" ADD CONSTRAINT "DerivedText_hash_fkey" FOREIGN KEY ("hash") REFERENCES "ContentDocument"("hash") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Grant" ADD CONSTRAINT "Grant_organizationId_userId_fkey" FOREIGN KEY ("organizationId", "userId") REFERENCES "OrganizationMember"("organizationId", "userId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Grant" ADD CONSTRAINT "Grant_team_fkey" FOREIGN KEY ("teamId", "organizationId") REFERENCES "Team"("id", "organizationId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Grant" ADD CONSTRAINT "Grant_collection_fkey" FOREIGN KEY ("collectionId", "organizationId") REFERENCES "Collection"("id", "organizationId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Grant" ADD CONSTRAINT "Grant_space_fkey" FOREIGN KEY ("spaceId", "organizationId") REFERENCES "Space"("id", "organizationId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ContentImport" ADD CONSTRAINT "ContentImport_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ContentImport" ADD CONSTRAINT "ContentImport_changeRequestId_fkey" FOREIGN KEY ("changeRequestId") REFERENCES "ChangeRequest"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ContentImport" ADD CONSTRAINT "ContentImport_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ContentImport" ADD CONSTRAINT "ContentImport_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Integration" ADD CONSTRAINT "Integration_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Integration" ADD CONSTRAINT "Integration_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IntegrationVersion" ADD CONSTRAINT "IntegrationVersion_integrationId_fkey" FOREIGN KEY ("integrationId") REFERENCES "Integration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IntegrationVersion" ADD CONSTRAINT "IntegrationVersion_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IntegrationInstallation" ADD CONSTRAINT "IntegrationInstallation_integrationId_fkey" FOREIGN KEY ("integrationId") REFERENCES "Integration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IntegrationInstallation" ADD CONSTRAINT "IntegrationInstallation_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IntegrationInstallation" ADD CONSTRAINT "IntegrationInstallation_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IntegrationSpace" ADD CONSTRAINT "IntegrationSpace_installationId_fkey" FOREIGN KEY ("installationId") REFERENCES "IntegrationInstallation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IntegrationSpace" ADD CONSTRAINT "IntegrationSpace_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IntegrationSite" ADD CONSTRAINT "IntegrationSite_installationId_fkey" FOREIGN KEY ("installationId") REFERENCES "IntegrationInstallation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IntegrationSite" ADD CONSTRAINT "IntegrationSite_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IntegrationEvent" ADD CONSTRAINT "IntegrationEvent_installationId_fkey" FOREIGN KEY ("installationId") REFERENCES "IntegrationInstallation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Invitation" ADD CONSTRAINT "Invitation_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Invitation" ADD CONSTRAINT "Invitation_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InviteLink" ADD CONSTRAINT "InviteLink_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InviteLink" ADD CONSTRAINT "InviteLink_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TextLink" ADD CONSTRAINT "TextLink_hash_fkey" FOREIGN KEY ("hash") REFERENCES "ContentDocument"("hash") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TextAnchors" ADD CONSTRAINT "TextAnchors_hash_fkey" FOREIGN KEY ("hash") REFERENCES "ContentDocument"("hash") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OpenApiSpec" ADD CONSTRAINT "OpenApiSpec_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OpenApiSpec" ADD CONSTRAINT "OpenApiSpec_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OpenApiSpec" ADD CONSTRAINT "OpenApiSpec_lastVersionId_fkey" FOREIGN KEY ("lastVersionId") REFERENCES "OpenApiSpecVersion"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OpenApiSpecVersion" ADD CONSTRAINT "OpenApiSpecVersion_specId_fkey" FOREIGN KEY ("specId") REFERENCES "OpenApiSpec"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Organization" ADD CONSTRAINT "Organization_defaultSite_fkey" FOREIGN KEY ("defaultSiteId", "id") REFERENCES "Site"("id", "organizationId") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Organization" ADD CONSTRAINT "Organization_defaultSpace_fkey" FOREIGN KEY ("defaultSpaceId", "id") REFERENCES "Space"("id", "organizationId") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "EmailDomain" ADD CONSTRAINT "EmailDomain_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OrganizationMember" ADD CONSTRAINT "OrganizationMember_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OrganizationMember" ADD CONSTRAINT "OrganizationMember_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MemberCount" ADD CONSTRAINT "MemberCount_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ContentPdf" ADD CONSTRAINT "ContentPdf_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Review" ADD CONSTRAINT "Review_changeRequestId_fkey" FOREIGN KEY ("changeRequestId") REFERENCES "ChangeRequest"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Review" ADD CONSTRAINT "Review_reviewerId_fkey" FOREIGN KEY ("reviewerId") REFERENCES "User"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Review" ADD CONSTRAINT "Review_requestedById_fkey" FOREIGN KEY ("requestedById") REFERENCES "User"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Review" ADD CONSTRAINT "Review_dismissedById_fkey" FOREIGN KEY ("dismissedById") REFERENCES "User"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Review" ADD CONSTRAINT "Review_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SamlProvider" ADD CONSTRAINT "SamlProvider_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SamlProvider" ADD CONSTRAINT "SamlProvider_defaultTeamId_fkey" FOREIGN KEY ("defaultTeamId") REFERENCES "Team"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SamlIdentity" ADD CONSTRAINT "SamlIdentity_providerId_fkey" FOREIGN KEY ("providerId") REFERENCES "SamlProvider"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SamlIdentity" ADD CONSTRAINT "SamlIdentity_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SamlAnswer" ADD CONSTRAINT "SamlAnswer_providerId_fkey" FOREIGN KEY ("providerId") REFERENCES "SamlProvider"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SearchText" ADD CONSTRAINT "SearchText_hash_fkey" FOREIGN KEY ("hash") REFERENCES "ContentDocument"("hash") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SearchSection" ADD CONSTRAINT "SearchSection_hash_variant_fkey" FOREIGN KEY ("hash", "variant") REFERENCES "SearchText"("hash", "variant") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SessionToken" ADD CONSTRAINT "SessionToken_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "Session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Site" ADD CONSTRAINT "Site_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Site" ADD CONSTRAINT "Site_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Site" ADD CONSTRAINT "Site_publishedById_fkey" FOREIGN KEY ("publishedById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SiteSigningKey" ADD CONSTRAINT "SiteSigningKey_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SiteSectionGroup" ADD CONSTRAINT "SiteSectionGroup_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SiteSection" ADD CONSTRAINT "SiteSection_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SiteSection" ADD CONSTRAINT "SiteSection_sectionGroup_fkey" FOREIGN KEY ("sectionGroupId", "siteId") REFERENCES "SiteSectionGroup"("id", "siteId") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SiteSpace" ADD CONSTRAINT "SiteSpace_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SiteSpace" ADD CONSTRAINT "SiteSpace_section_fkey" FOREIGN KEY ("sectionId", "siteId") REFERENCES "SiteSection"("id", "siteId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SiteSpace" ADD CONSTRAINT "SiteSpace_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Space" ADD CONSTRAINT "Space_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Space" ADD CONSTRAINT "Space_parent_fkey" FOREIGN KEY ("parentId", "organizationId") REFERENCES "Collection"("id", "organizationId") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Space" ADD CONSTRAINT "Space_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE NO ACTION ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED;

-- AddForeignKey
ALTER TABLE "Team" ADD CONSTRAINT "Team_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TeamMember" ADD CONSTRAINT "TeamMember_teamId_organizationId_fkey" FOREIGN KEY ("teamId", "organizationId") REFERENCES "Team"("id", "organizationId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TeamMember" ADD CONSTRAINT "TeamMember_organizationId_userId_fkey" FOREIGN KEY ("organizationId", "userId") REFERENCES "OrganizationMember"("organizationId", "userId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiToken" ADD CONSTRAINT "ApiToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiToken" ADD CONSTRAINT "ApiToken_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Translation" ADD CONSTRAINT "Translation_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Translation" ADD CONSTRAINT "Translation_sourceSpaceId_fkey" FOREIGN KEY ("sourceSpaceId") REFERENCES "Space"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Translation" ADD CONSTRAINT "Translation_resultSpaceId_fkey" FOREIGN KEY ("resultSpaceId") REFERENCES "Space"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Translation" ADD CONSTRAINT "Translation_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Translation" ADD CONSTRAINT "Translation_resultRevisionId_fkey" FOREIGN KEY ("resultRevisionId") REFERENCES "Revision"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Translation" ADD CONSTRAINT "Translation_engineRevisionId_fkey" FOREIGN KEY ("engineRevisionId") REFERENCES "Revision"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TranslatedPage" ADD CONSTRAINT "TranslatedPage_translationId_fkey" FOREIGN KEY ("translationId") REFERENCES "Translation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TranslationSegment" ADD CONSTRAINT "TranslationSegment_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TranslationWords" ADD CONSTRAINT "TranslationWords_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GlossaryTerm" ADD CONSTRAINT "GlossaryTerm_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Beyond the models ---------------------------------------------------------------------------------------------------
-- Checks, the indexes and storage settings that Prisma cannot declare, functions, triggers and first rows, by subject.

-- Grants: one role, for one user or one team, on one collection or one space.
ALTER TABLE "Grant"
  ADD CONSTRAINT "Grant_one_holder" CHECK (num_nonnulls("userId", "teamId") = 1),
  ADD CONSTRAINT "Grant_one_subject" CHECK (num_nonnulls("collectionId", "spaceId") = 1);

-- Users and organizations ---------------------------------------------------------------------------------------------
ALTER TABLE "User"
  ADD CONSTRAINT "User_email_normal" CHECK ("email" = lower("email") AND "email" LIKE '_%@_%' AND char_length("email") <= 320);
ALTER TABLE "Organization"
  ADD CONSTRAINT "Organization_title_given" CHECK ("title" ~ '\S'),
  ADD CONSTRAINT "Organization_hostname_normal" CHECK ("hostname" = lower("hostname") AND char_length("hostname") BETWEEN 1 AND 512),
  ADD CONSTRAINT "Organization_customHostname_normal"
    CHECK ("customHostname" = lower("customHostname") AND char_length("customHostname") BETWEEN 1 AND 512),
  ADD CONSTRAINT "Organization_one_default" CHECK (num_nonnulls("defaultSiteId", "defaultSpaceId") <= 1);
ALTER TABLE "Team"
  ADD CONSTRAINT "Team_title_length" CHECK (char_length("title") BETWEEN 1 AND 64 AND "title" ~ '\S');
ALTER TABLE "EmailDomain" ADD CONSTRAINT "EmailDomain_verifiedDomain_claimed" CHECK ("verifiedDomain" = "domain");
CREATE INDEX "Team_title" ON "Team" ("organizationId", (lower("title")) COLLATE "C", "id");

-- Every character of a text and every pair of neighbours, as the keys of an index: a search may be shorter than the
-- three letters of a trigram, or have no letters at all.
CREATE FUNCTION "text_pieces"(value text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN string_to_array(value, NULL)
    || string_to_array(rtrim(regexp_replace(value, '(..)', E'\\1\x01', 'g'), E'\x01'), E'\x01')
    || string_to_array(rtrim(regexp_replace(substr(value, 2), '(..)', E'\\1\x01', 'g'), E'\x01'), E'\x01');

CREATE INDEX "User_names" ON "User" USING GIN (lower("displayName") gin_trgm_ops, lower("email") gin_trgm_ops);
CREATE INDEX "User_pieces" ON "User" USING GIN ("text_pieces"(lower("displayName")), "text_pieces"(lower("email")));

-- Lists of members are sorted by the users' names in lower case. A transaction that writes a membership waits for one
-- that renames the user, and the other way round, so that no name is missed.
CREATE FUNCTION "membership_name"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."sortName" := coalesce((SELECT lower(u."displayName") FROM "User" u WHERE u."id" = NEW."userId" FOR SHARE), '');
    RETURN NEW;
END $$;

CREATE TRIGGER "OrganizationMember_name" BEFORE INSERT ON "OrganizationMember"
    FOR EACH ROW EXECUTE FUNCTION "membership_name"();
CREATE TRIGGER "TeamMember_name" BEFORE INSERT ON "TeamMember"
    FOR EACH ROW EXECUTE FUNCTION "membership_name"();

-- On INSERT too: one statement may write rows of both tables, in any order.
CREATE FUNCTION "User_name"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "OrganizationMember" SET "sortName" = lower(NEW."displayName")
    WHERE "userId" = NEW."id" AND "sortName" <> lower(NEW."displayName");
    UPDATE "TeamMember" SET "sortName" = lower(NEW."displayName")
    WHERE "userId" = NEW."id" AND "sortName" <> lower(NEW."displayName");
    RETURN NULL;
END $$;

CREATE TRIGGER "User_name" AFTER INSERT OR UPDATE OF "displayName" ON "User"
    FOR EACH ROW EXECUTE FUNCTION "User_name"();

-- By how much a statement changes the counts of members. The members of a deleted organization leave no row.
CREATE FUNCTION "count_members"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "MemberCount" ("organizationId", "role", "disabled", "seen", "count")
    SELECT "organizationId", "role", "disabled", "lastSeenAt" IS NOT NULL, count(*) FROM came GROUP BY 1, 2, 3, 4;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "MemberCount" ("organizationId", "role", "disabled", "seen", "count")
    SELECT "organizationId", "role", "disabled", "lastSeenAt" IS NOT NULL, -count(*) FROM went
    WHERE EXISTS (SELECT FROM "Organization" o WHERE o."id" = went."organizationId") GROUP BY 1, 2, 3, 4;
  ELSE
    INSERT INTO "MemberCount" ("organizationId", "role", "disabled", "seen", "count")
    SELECT "organizationId", "role", "disabled", "lastSeenAt" IS NOT NULL, sum(n) FROM
      (SELECT came.*, 1 AS n FROM came UNION ALL SELECT went.*, -1 FROM went) changed
    GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "OrganizationMember_came" AFTER INSERT ON "OrganizationMember"
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION "count_members"();
CREATE TRIGGER "OrganizationMember_changed" AFTER UPDATE ON "OrganizationMember"
  REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION "count_members"();
CREATE TRIGGER "OrganizationMember_went" AFTER DELETE ON "OrganizationMember"
  REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION "count_members"();

-- A token that an organization owns names it, and its role there.
ALTER TABLE "ApiToken" ADD CONSTRAINT "ApiToken_service_check"
    CHECK (NOT "isService" OR ("organizationId" IS NOT NULL AND "role" IS NOT NULL));

-- Rows of the audit log are only added. Those older than a year may be deleted.
CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF tg_op = 'DELETE' THEN
        IF old."createdAt" < now() - interval '364 days' THEN RETURN old; END IF;
    END IF;
    RAISE EXCEPTION 'the audit log is only added to' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER "AuditEntry_append_only" BEFORE UPDATE OR DELETE ON "AuditEntry"
    FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();

CREATE TRIGGER "AuditEntry_no_truncate" BEFORE TRUNCATE ON "AuditEntry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();

-- Collections and spaces ----------------------------------------------------------------------------------------------
-- `ancestors` are the collections from the outermost one down to the parent.
ALTER TABLE "Collection"
  ADD CONSTRAINT "Collection_title_length" CHECK (char_length("title") <= 50),
  ADD CONSTRAINT "Collection_description_length" CHECK (char_length("description") <= 100),
  ADD CONSTRAINT "Collection_not_inside_itself" CHECK ("parentId" IS DISTINCT FROM "id" AND NOT "id" = ANY ("ancestors")),
  ADD CONSTRAINT "Collection_ancestors_end_in_parent" CHECK (
    ("parentId" IS NULL) = (cardinality("ancestors") = 0)
    AND "ancestors"[cardinality("ancestors")] IS NOT DISTINCT FROM "parentId"
  );
ALTER TABLE "Space"
  ADD CONSTRAINT "Space_title_length" CHECK (char_length("title") <= 50),
  ADD CONSTRAINT "Space_emoji_length" CHECK (char_length("emoji") <= 50),
  ADD CONSTRAINT "Space_in_collection_has_parent" CHECK ("visibility" <> 'in_collection' OR "parentId" IS NOT NULL),
  ADD CONSTRAINT "Space_ancestors_end_in_parent" CHECK (
    ("parentId" IS NULL) = (cardinality("ancestors") = 0)
    AND "ancestors"[cardinality("ancestors")] IS NOT DISTINCT FROM "parentId"
  );

-- Moving a collection changes `ancestors` in all rows below it. Free room beside each row, and no index of `ancestors`,
-- let PostgreSQL write the new versions in place (HOT updates).
ALTER TABLE "Collection" SET (fillfactor = 50);

-- Titles are sorted in any letter case, byte by byte in every database. Rows at the top have indexes of their own, since
-- a null in the middle of an index orders nothing.
CREATE INDEX "Collection_at_top" ON "Collection" ("organizationId", "position", "id") WHERE "parentId" IS NULL;
CREATE INDEX "Collection_title" ON "Collection" ("organizationId", (lower("title")) COLLATE "C", "id");
CREATE INDEX "Collection_title_in_parent" ON "Collection" ("parentId", (lower("title")) COLLATE "C", "id");
CREATE INDEX "Space_at_top" ON "Space" ("organizationId", "position", "id") WHERE "parentId" IS NULL AND "deletedAt" IS NULL;
CREATE INDEX "Space_position" ON "Space" ("organizationId", "position", "id") WHERE "deletedAt" IS NULL;
CREATE INDEX "Space_title" ON "Space" ("organizationId", (lower("title")) COLLATE "C", "id") WHERE "deletedAt" IS NULL;
CREATE INDEX "Space_created" ON "Space" ("organizationId", "createdAt", "id") WHERE "deletedAt" IS NULL;
CREATE INDEX "Space_updated" ON "Space" ("organizationId", "updatedAt", "id") WHERE "deletedAt" IS NULL;
CREATE INDEX "Space_title_in_parent" ON "Space" ("parentId", (lower("title")) COLLATE "C", "id") WHERE "deletedAt" IS NULL;
CREATE INDEX "Space_created_in_parent" ON "Space" ("parentId", "createdAt", "id") WHERE "deletedAt" IS NULL;
CREATE INDEX "Space_updated_in_parent" ON "Space" ("parentId", "updatedAt", "id") WHERE "deletedAt" IS NULL;
CREATE INDEX "Space_deleted" ON "Space" ("organizationId", "deletedAt", "id") WHERE "deletedAt" IS NOT NULL;

-- Content -------------------------------------------------------------------------------------------------------------
ALTER TABLE "ContentDocument" ADD CONSTRAINT "ContentDocument_size_check" CHECK ("size" = octet_length("markdown"));
ALTER TABLE "ContentTree" ADD CONSTRAINT "ContentTree_pages_check" CHECK ("pages" IS NOT NULL AND cardinality("pages") > 0);
ALTER TABLE "ContentFile" ADD CONSTRAINT "ContentFile_size_check" CHECK ("size" >= 0);
ALTER TABLE "ContentFileList" ADD CONSTRAINT "ContentFileList_files_check" CHECK ("files" IS NOT NULL AND cardinality("files") > 0);

-- Hashes cannot be compressed, which PostgreSQL would try each time.
ALTER TABLE "ContentTree" ALTER COLUMN "pages" SET STORAGE EXTERNAL;

-- The revisions of the main content, in the order of their list.
CREATE INDEX "Revision_of_space" ON "Revision" ("spaceId", "createdAt", "id") WHERE "changeRequestId" IS NULL;

-- The pages side by side in one tree that are not so in another, each given by its hash. Where one was made of the other,
-- `stepIs` and `stepWas` say what differs. Otherwise mostly the same page is in each place of both: only the places that
-- differ are compared as sets.
CREATE FUNCTION "pages_only_in"(tree TEXT, other TEXT) RETURNS TABLE("pageId" TEXT, "childrenHash" TEXT, "state" JSONB)
LANGUAGE sql STABLE AS $$
    SELECT p."pageId", p."childrenHash", jsonb_build_array(p."type", p."title", p."slug", p."fields", p."documentHash")
    FROM (
        WITH step AS MATERIALIZED (
            SELECT t."stepIs" AS "own", t."stepWas" AS "others" FROM "ContentTree" t WHERE t."hash" = tree AND t."stepFrom" = other
            UNION ALL
            SELECT t."stepWas", t."stepIs" FROM "ContentTree" t WHERE t."hash" = other AND t."stepFrom" = tree
            LIMIT 1
        ), apart AS MATERIALIZED (
            SELECT u."own", u."others" FROM unnest(
                CASE WHEN EXISTS (SELECT FROM step) THEN (SELECT s."own" FROM step s) ELSE (SELECT t."pages" FROM "ContentTree" t WHERE t."hash" = tree) END,
                CASE WHEN EXISTS (SELECT FROM step) THEN (SELECT s."others" FROM step s) ELSE (SELECT t."pages" FROM "ContentTree" t WHERE t."hash" = other) END
            ) u("own", "others") WHERE u."own" IS DISTINCT FROM u."others"
        )
        SELECT a."own" FROM apart a WHERE a."own" IS NOT NULL EXCEPT SELECT a."others" FROM apart a
    ) u("hash") CROSS JOIN LATERAL (SELECT * FROM "ContentPage" c WHERE c."hash" = u."hash" OFFSET 0) p
$$;

-- The pages that were created, edited, moved to another parent or deleted between two trees, each given by the hash of
-- its top level, or null for none. Walks down both trees side by side, only where their hashes differ: it costs as much
-- as has changed. A page that is the same, but below another parent, is met on both sides with all that is below it: a
-- page that is met twice below the same parent has not changed.
CREATE FUNCTION "pages_changed"(old_tree TEXT, new_tree TEXT) RETURNS SETOF TEXT LANGUAGE sql STABLE AS $$
    WITH RECURSIVE walk("pageId", "parentId", "was", "is", "old", "new") AS (
        SELECT NULL::TEXT, NULL::TEXT, NULL::JSONB, NULL::JSONB, old_tree, new_tree
        UNION ALL
        SELECT x.* FROM walk w CROSS JOIN LATERAL (
            SELECT coalesce(o."pageId", n."pageId"), w."pageId", o."state", n."state", o."childrenHash", n."childrenHash"
            FROM "pages_only_in"(w."old", w."new") o FULL JOIN "pages_only_in"(w."new", w."old") n ON n."pageId" = o."pageId"
        ) x WHERE w."old" IS DISTINCT FROM w."new"
    )
    SELECT DISTINCT met."pageId" FROM (
        SELECT met."pageId" FROM (
            SELECT w."pageId", w."parentId", w."was" FROM walk w WHERE w."was" IS NOT NULL UNION ALL
            SELECT w."pageId", w."parentId", w."is" FROM walk w WHERE w."is" IS NOT NULL
        ) met("pageId", "parentId", "state") GROUP BY met."pageId", met."parentId", met."state" HAVING count(*) = 1
    ) met
$$;

-- What changed in a revision since its first parent. Revisions never change.
CREATE FUNCTION "Revision_changed_pages"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "ChangedPage" ("revisionId", "pageId", "contentId", "createdAt")
    SELECT NEW."id", c."pageId", coalesce(NEW."changeRequestId", NEW."spaceId"), NEW."createdAt"
    FROM "pages_changed"((SELECT r."treeHash" FROM "Revision" r WHERE r."id" = NEW."parents"[1]), NEW."treeHash") c("pageId");
    RETURN NULL;
END $$;

CREATE TRIGGER "Revision_changed_pages" AFTER INSERT ON "Revision"
    FOR EACH ROW EXECUTE FUNCTION "Revision_changed_pages"();

-- Locks the main content of a space until the transaction ends, and returns its active revision. A statement that waited
-- for the lock would see the revision of the moment when it began. No row for a space that is deleted.
CREATE FUNCTION "locked_main_content"(space TEXT, organization TEXT) RETURNS TABLE(
    "editMode" "SpaceEditMode", "revisionId" TEXT, "treeHash" TEXT, "filesHash" TEXT, "variables" JSONB, "reusableContents" JSONB,
    "createdAt" TIMESTAMPTZ
) LANGUAGE sql VOLATILE AS $$
    SELECT FROM "Space" s WHERE s."id" = space AND s."organizationId" = organization AND s."deletedAt" IS NULL FOR NO KEY UPDATE;
    SELECT s."editMode", r."id", r."treeHash", r."filesHash", r."variables", r."reusableContents", r."createdAt"
    FROM "Space" s JOIN "Revision" r ON r."id" = s."revisionId"
    WHERE s."id" = space AND s."organizationId" = organization AND s."deletedAt" IS NULL;
$$;

-- A PDF exists, or a gateway is making it.
ALTER TABLE "ContentPdf" ADD CONSTRAINT "ContentPdf_made_check"
  CHECK (("blob" IS NULL) = ("size" IS NULL) AND ("blob" IS NULL) = ("lease" IS NOT NULL) AND ("blob" IS NULL) = ("leaseUntil" IS NOT NULL));

-- A specification comes from an address, or was uploaded.
ALTER TABLE "OpenApiSpec" ADD CONSTRAINT "OpenApiSpec_source_check" CHECK (("sourceUrl" IS NULL) <> ("sourceBlob" IS NULL));

-- A translation is into another language, and into another space.
ALTER TABLE "Translation"
  ADD CONSTRAINT "Translation_language_check" CHECK ("language" <> "sourceLanguage"),
  ADD CONSTRAINT "Translation_result_check" CHECK ("resultSpaceId" <> "sourceSpaceId");

-- Present pages: those in the active revision of a space --------------------------------------------------------------
-- The pages that are not the same in two trees, each given by the hash of its top level, or null for none: as they are
-- in the new one, and those that it no longer has. Walks down both trees side by side, where their hashes differ, and
-- below a page whose path has changed: it costs as much as has changed.
CREATE FUNCTION "pages_between"(old_tree TEXT, new_tree TEXT) RETURNS TABLE(
    "pageId" TEXT, "parentId" TEXT, "path" TEXT, "type" "PageType", "title" TEXT, "fields" JSONB, "hash" TEXT, "isThere" BOOLEAN
) LANGUAGE sql STABLE AS $$
    WITH RECURSIVE walk AS (
        SELECT NULL::TEXT AS "pageId", NULL::TEXT AS "parentId", NULL::TEXT AS "oldPath", NULL::TEXT AS "path",
            NULL::JSONB AS "old", NULL::JSONB AS "new", old_tree AS "below", new_tree AS "belowNew"
        UNION ALL
        SELECT x.* FROM walk w
        CROSS JOIN LATERAL (SELECT w."oldPath" IS DISTINCT FROM w."path") m("isMoved")
        CROSS JOIN LATERAL (
            SELECT coalesce(n."pageId", o."pageId"), w."pageId",
                CASE WHEN o."pageId" IS NOT NULL THEN concat_ws('/', w."oldPath", o."state" ->> 2) END,
                CASE WHEN n."pageId" IS NOT NULL THEN concat_ws('/', w."path", n."state" ->> 2) END,
                o."state", n."state", o."childrenHash", n."childrenHash"
            FROM "pages_only_in"(w."below", CASE WHEN NOT m."isMoved" THEN w."belowNew" END) o
            FULL JOIN "pages_only_in"(w."belowNew", CASE WHEN NOT m."isMoved" THEN w."below" END) n ON n."pageId" = o."pageId"
        ) x
        WHERE m."isMoved" OR w."below" IS DISTINCT FROM w."belowNew"
    )
    SELECT w."pageId", w."parentId", w."path", (w."new" ->> 0)::"PageType", w."new" ->> 1, w."new" -> 3, w."new" ->> 4, w."new" IS NOT NULL
    FROM walk w WHERE w."pageId" IS NOT NULL AND (w."old", w."oldPath") IS DISTINCT FROM (w."new", w."path")
$$;

-- Brings the present pages of a space from one tree to another. PostgreSQL cannot know how few have changed: as an array
-- their ids are looked up in the index.
CREATE FUNCTION "move_present_pages"(space TEXT, old_tree TEXT, new_tree TEXT) RETURNS VOID LANGUAGE sql AS $$
    WITH changed AS MATERIALIZED (SELECT * FROM "pages_between"(old_tree, new_tree)),
    gone AS (
        DELETE FROM "PresentPage" p WHERE p."spaceId" = space AND p."pageId" = ANY (ARRAY(
            SELECT c."pageId" FROM changed c GROUP BY c."pageId" HAVING NOT bool_or(c."isThere")
        ))
    )
    INSERT INTO "PresentPage" ("spaceId", "pageId", "parentId", "path", "type", "title", "fields", "hash")
    SELECT space, c."pageId", c."parentId", c."path", c."type", c."title", c."fields", c."hash" FROM changed c WHERE c."isThere"
    ON CONFLICT ("spaceId", "pageId") DO UPDATE SET ("parentId", "path", "type", "title", "fields", "hash")
        = (excluded."parentId", excluded."path", excluded."type", excluded."title", excluded."fields", excluded."hash")
$$;

CREATE FUNCTION "Space_present_pages"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "move_present_pages"(
        NEW."id",
        (SELECT r."treeHash" FROM "Revision" r WHERE r."id" = OLD."revisionId"),
        (SELECT r."treeHash" FROM "Revision" r WHERE r."id" = NEW."revisionId")
    );
    RETURN NULL;
END $$;

CREATE TRIGGER "Space_present_pages" AFTER UPDATE OF "revisionId" ON "Space"
    FOR EACH ROW WHEN (OLD."revisionId" <> NEW."revisionId") EXECUTE FUNCTION "Space_present_pages"();

-- The first revision of a space is written after the space, in the same transaction: hence deferred to its end.
CREATE FUNCTION "Space_first_present_pages"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "move_present_pages"(s."id", NULL, r."treeHash")
    FROM "Space" s JOIN "Revision" r ON r."id" = s."revisionId" WHERE s."id" = NEW."id" AND r."treeHash" IS NOT NULL;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "Space_first_present_pages" AFTER INSERT ON "Space" DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION "Space_first_present_pages"();

-- Computed pages are looked for after each change of what they are made from.
CREATE INDEX "PresentPage_computed" ON "PresentPage" ("spaceId") WHERE "type" = 'computed';

-- Search --------------------------------------------------------------------------------------------------------------
-- A text search configuration for each language, and one for none: words without accents, by their stems.
DO $$ DECLARE language TEXT; BEGIN
    FOREACH language IN ARRAY array_prepend('simple', enum_range(NULL::"SearchLanguage")::TEXT[]) LOOP
        EXECUTE format('CREATE TEXT SEARCH CONFIGURATION %I (COPY = %I)', 'docgraph_' || language, language);
        EXECUTE format('ALTER TEXT SEARCH CONFIGURATION %I ALTER MAPPING FOR hword, hword_part, word WITH unaccent, %I',
            'docgraph_' || language, CASE language WHEN 'simple' THEN 'simple' ELSE language || '_stem' END);
    END LOOP;
END $$;

-- The configuration of a language, or of `simple`.
CREATE FUNCTION "search_configuration"(language TEXT) RETURNS regconfig LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT ('docgraph_' || language)::regconfig
$$;

-- A text with blanks for all that is not part of a word, and each character of Chinese and Japanese as a word: as
-- `searchable` does (src/features/search/model/words.ts).
CREATE FUNCTION "search_blanks"(text TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT regexp_replace(regexp_replace(normalize(text), '[[:punct:][:cntrl:]$+<=>^`|~\u00a0-\u00bf\u2000-\u2bff\u3000-\u303f\ufe10-\ufe6f\uff01-\uff0f]+', ' ', 'g'),
        '([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])', ' \1 ', 'g')
$$;

-- The words of a page beside its text, in the language of its space.
CREATE FUNCTION "present_page_words"(space TEXT, title TEXT, fields JSONB) RETURNS tsvector LANGUAGE sql STABLE AS $$
    SELECT setweight(to_tsvector(c.configuration, "search_blanks"(title)), 'A')
        || setweight(to_tsvector(c.configuration, "search_blanks"(left(coalesce(fields ->> 'description', ''), 10000))), 'B')
    FROM (SELECT "search_configuration"(coalesce(s."searchLanguage"::TEXT, 'simple')) FROM "Space" s WHERE s."id" = space OFFSET 0) c(configuration)
$$;

-- All words of a page are in one row, with those of its text where they were derived: a search reads one index and joins
-- nothing.
CREATE FUNCTION "PresentPage_words"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE of_text tsvector;
BEGIN
    SELECT x."vector" INTO of_text FROM "SearchText" x JOIN "Space" s ON s."id" = NEW."spaceId"
    WHERE x."hash" = NEW."hash" AND x."variant" = coalesce(s."searchLanguage"::TEXT, 'simple');
    NEW."words" := "present_page_words"(NEW."spaceId", NEW."title", NEW."fields");
    NEW."allWords" := NEW."words";
    NEW."hasText" := NEW."hash" IS NULL OR of_text IS NOT NULL;
    IF of_text IS NOT NULL THEN
        NEW."allWords" := NEW."words" || of_text;
        NEW."words" := NEW."words" || ts_filter(of_text, '{b}');
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER "PresentPage_words" BEFORE INSERT OR UPDATE OF "title", "fields", "hash" ON "PresentPage"
    FOR EACH ROW EXECUTE FUNCTION "PresentPage_words"();

-- `allWords` only ranks hits: it is stored outside the rows, so that counting many of them reads little. All other
-- columns stay in the rows, ids and hashes too: sorting by a column outside them would read the other table for each
-- comparison.
ALTER TABLE "PresentPage" SET (toast_tuple_target = 128);
ALTER TABLE "PresentPage"
  ALTER COLUMN "allWords" SET STORAGE EXTERNAL,
  ALTER COLUMN "spaceId" SET STORAGE MAIN,
  ALTER COLUMN "pageId" SET STORAGE MAIN,
  ALTER COLUMN "parentId" SET STORAGE MAIN,
  ALTER COLUMN "hash" SET STORAGE MAIN,
  ALTER COLUMN "words" SET STORAGE MAIN,
  ALTER COLUMN "fields" SET STORAGE MAIN,
  ALTER COLUMN "title" SET STORAGE MAIN,
  ALTER COLUMN "path" SET STORAGE MAIN;

-- By space, all words, and those of title, description and headings. Partial, since Prisma cannot declare its operators.
CREATE INDEX "PresentPage_allWords" ON "PresentPage" USING GIN ("spaceId", "allWords", "words") WHERE "allWords" IS NOT NULL;
-- Pages that lack the words of their text.
CREATE INDEX "PresentPage_without_text" ON "PresentPage" ("spaceId", "pageId") WHERE NOT "hasText";
-- Searches of sites leave out hidden pages, which are few, and the pages below them.
CREATE INDEX "PresentPage_hidden" ON "PresentPage" ("spaceId") WHERE ("fields"->>'hidden')::boolean;

-- A space in another language has other words.
CREATE FUNCTION "Space_search_language"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "PresentPage" SET "title" = "title" WHERE "spaceId" = NEW."id";
    RETURN NULL;
END $$;

CREATE TRIGGER "Space_search_language" AFTER UPDATE OF "searchLanguage" ON "Space"
    FOR EACH ROW WHEN (OLD."searchLanguage" IS DISTINCT FROM NEW."searchLanguage") EXECUTE FUNCTION "Space_search_language"();

-- Where the words of a text are derived again, those of its pages are, too; until then they keep the old ones. Rows that
-- another transaction writes at this moment are skipped.
CREATE FUNCTION "SearchText_gone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "PresentPage" p SET "hasText" = false FROM (
        SELECT o."spaceId", o."pageId" FROM gone g JOIN "PresentPage" o ON o."hash" = g."hash" WHERE o."hasText"
        FOR NO KEY UPDATE OF o SKIP LOCKED
    ) k WHERE p."spaceId" = k."spaceId" AND p."pageId" = k."pageId";
    RETURN NULL;
END $$;

CREATE TRIGGER "SearchText_gone" AFTER DELETE ON "SearchText" REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION "SearchText_gone"();

-- The words of several parts of a text, one after the other.
CREATE AGGREGATE "words_of_all"(tsvector) (SFUNC = tsvector_concat, STYPE = tsvector, INITCOND = '');

-- Links ---------------------------------------------------------------------------------------------------------------
-- Links from other spaces to a page, wherever on the page they lead. An address may be longer than an index entry.
CREATE INDEX "TextLink_other_space_idx" ON "TextLink" (split_part(left("address", 100), '#', 1)) WHERE "address" LIKE 'page:spc\_%';

-- An index entry has at most some 2,700 bytes: longer addresses are not checked.
ALTER TABLE "OutsideAddress" ADD CONSTRAINT "OutsideAddress_url_length" CHECK (octet_length("url") <= 2000);

-- Change requests, reviews and comments -------------------------------------------------------------------------------
ALTER TABLE "ChangeRequest"
  ADD CONSTRAINT "ChangeRequest_number_positive" CHECK ("number" >= 1),
  ADD CONSTRAINT "ChangeRequest_subject_length" CHECK (char_length("subject") <= 100),
  ADD CONSTRAINT "ChangeRequest_merged_has_revision" CHECK (("status" = 'merged') = ("revisionMergedId" IS NOT NULL));

-- A user who was asked for a review gave none yet; a new request clears the message of the last round.
ALTER TABLE "Review"
  ADD CONSTRAINT "Review_given_check" CHECK (("status" = 'requested') = ("reviewedAt" IS NULL)),
  ADD CONSTRAINT "Review_on_check" CHECK (("reviewedAt" IS NULL) = ("revisionId" IS NULL)),
  ADD CONSTRAINT "Review_asked_check" CHECK ("status" <> 'requested' OR "requestedAt" IS NOT NULL),
  ADD CONSTRAINT "Review_asked_by_check" CHECK (("requestedById" IS NULL) = ("requestedAt" IS NULL)),
  ADD CONSTRAINT "Review_message_check" CHECK ("status" <> 'requested' OR "message" IS NULL),
  ADD CONSTRAINT "Review_dismissed_check" CHECK (("status"::text = 'dismissed') = ("dismissedAt" IS NOT NULL)),
  ADD CONSTRAINT "Review_dismissed_by_check" CHECK (("dismissedById" IS NULL) = ("dismissedAt" IS NULL));
ALTER TABLE "Comment"
  ADD CONSTRAINT "Comment_resolved_has_time" CHECK (("status" = 'resolved') = ("resolvedAt" IS NOT NULL)),
  ADD CONSTRAINT "Comment_resolver_only_when_resolved" CHECK ("status" = 'resolved' OR "resolvedById" IS NULL),
  ADD CONSTRAINT "Comment_table_cell_whole" CHECK (num_nonnulls("tableCellRecord", "tableCellDefinition") <> 1);
ALTER TABLE "Reaction"
  ADD CONSTRAINT "Reaction_one_subject" CHECK (num_nonnulls("commentId", "replyId") = 1);

-- A mention is in a comment (or a reply to it), or on a page.
ALTER TABLE "Mention" ADD CONSTRAINT "Mention_place_check" CHECK (("commentId" IS NULL) <> ("pageId" IS NULL) AND ("replyId" IS NULL OR "commentId" IS NOT NULL));

-- The comments of a space itself, without those of its change requests; those on one page; and by their last activity.
CREATE INDEX "Comment_of_space" ON "Comment" ("spaceId", "postedAt", "id") WHERE "changeRequestId" IS NULL;
CREATE INDEX "Comment_of_space_by_status" ON "Comment" ("spaceId", "status", "postedAt", "id") WHERE "changeRequestId" IS NULL;
CREATE INDEX "Comment_of_page" ON "Comment" ("spaceId", "pageId", "postedAt", "id") WHERE "changeRequestId" IS NULL AND "pageId" IS NOT NULL;
CREATE INDEX "Comment_of_page_in_change_request" ON "Comment" ("changeRequestId", "pageId", "postedAt", "id") WHERE "pageId" IS NOT NULL;
CREATE INDEX "Comment_activity_in_space" ON "Comment" ("spaceId", (coalesce("lastReplyAt", "postedAt")), "id") WHERE "changeRequestId" IS NULL;
CREATE INDEX "Comment_activity_in_change_request" ON "Comment" ("changeRequestId", (coalesce("lastReplyAt", "postedAt")), "id") WHERE "changeRequestId" IS NOT NULL;
CREATE INDEX "Comment_activity_in_organization" ON "Comment" ("organizationId", (coalesce("lastReplyAt", "postedAt")), "id");
CREATE INDEX "Comment_activity_of_author" ON "Comment" ("postedById", (coalesce("lastReplyAt", "postedAt")), "id");
CREATE INDEX "Reaction_in_order" ON "Reaction" ((coalesce("commentId", "replyId")), "emoji", "reactedAt", "id");

-- The organization of a row is that of its space. The space is locked, so that it is not transferred meanwhile. The same
-- statement may write the space after the row: then the row gets its organization at the end of the statement.
CREATE FUNCTION "organization_of_space"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT s."organizationId" INTO NEW."organizationId" FROM "Space" s WHERE s."id" = NEW."spaceId" FOR KEY SHARE;
    RETURN NEW;
END $$;

CREATE TRIGGER "ChangeRequest_organization" BEFORE INSERT ON "ChangeRequest"
    FOR EACH ROW EXECUTE FUNCTION "organization_of_space"();

CREATE TRIGGER "Comment_organization" BEFORE INSERT ON "Comment"
    FOR EACH ROW EXECUTE FUNCTION "organization_of_space"();

CREATE FUNCTION "organization_of_new_space"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('UPDATE %I r SET "organizationId" = s."organizationId" FROM "Space" s WHERE r."id" = $1 AND s."id" = r."spaceId"',
        TG_TABLE_NAME) USING NEW."id";
    RETURN NULL;
END $$;

CREATE TRIGGER "ChangeRequest_organization_late" AFTER INSERT ON "ChangeRequest"
    FOR EACH ROW WHEN (NEW."organizationId" IS NULL) EXECUTE FUNCTION "organization_of_new_space"();

CREATE TRIGGER "Comment_organization_late" AFTER INSERT ON "Comment"
    FOR EACH ROW WHEN (NEW."organizationId" IS NULL) EXECUTE FUNCTION "organization_of_new_space"();

CREATE FUNCTION "Space_transferred"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "ChangeRequest" SET "organizationId" = NEW."organizationId" WHERE "spaceId" = NEW."id";
    UPDATE "Comment" SET "organizationId" = NEW."organizationId" WHERE "spaceId" = NEW."id";
    RETURN NULL;
END $$;

CREATE TRIGGER "Space_transferred" AFTER UPDATE OF "organizationId" ON "Space"
    FOR EACH ROW WHEN (OLD."organizationId" IS DISTINCT FROM NEW."organizationId") EXECUTE FUNCTION "Space_transferred"();

-- Contributors of a change request: its author, and the authors of its revisions. Rows of the two tables may be written
-- in any order: each finds the rows of the other one.
CREATE FUNCTION "ChangeRequest_contributors"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "ChangeRequestContributor" ("changeRequestId", "userId", "spaceId", "number", "status")
    SELECT NEW."id", p."userId", NEW."spaceId", NEW."number", NEW."status" FROM (
        SELECT NEW."createdById" UNION
        SELECT r."authorId" FROM "Revision" r
        WHERE r."changeRequestId" = NEW."id" AND r."spaceId" = NEW."spaceId" AND r."authorId" IS NOT NULL
    ) p("userId") ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE TRIGGER "ChangeRequest_contributors" AFTER INSERT ON "ChangeRequest"
    FOR EACH ROW EXECUTE FUNCTION "ChangeRequest_contributors"();

CREATE FUNCTION "Revision_contributor"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "ChangeRequestContributor" ("changeRequestId", "userId", "spaceId", "number", "status")
    SELECT cr."id", NEW."authorId", cr."spaceId", cr."number", cr."status" FROM "ChangeRequest" cr
    WHERE cr."id" = NEW."changeRequestId" FOR KEY SHARE
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE TRIGGER "Revision_contributor" AFTER INSERT ON "Revision"
    FOR EACH ROW WHEN (NEW."changeRequestId" IS NOT NULL AND NEW."authorId" IS NOT NULL)
    EXECUTE FUNCTION "Revision_contributor"();

-- The newest reply of a comment. A deleted comment takes its replies along: then nothing is updated.
CREATE FUNCTION "CommentReply_posted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "Comment" c SET "lastReplyAt" = greatest(c."lastReplyAt", n."postedAt")
    FROM (SELECT "commentId", max("postedAt") AS "postedAt" FROM "new" GROUP BY "commentId") n
    WHERE c."id" = n."commentId";
    RETURN NULL;
END $$;

CREATE TRIGGER "CommentReply_posted" AFTER INSERT ON "CommentReply" REFERENCING NEW TABLE AS "new"
    FOR EACH STATEMENT EXECUTE FUNCTION "CommentReply_posted"();

CREATE FUNCTION "CommentReply_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "Comment" c SET "lastReplyAt" = (SELECT max(r."postedAt") FROM "CommentReply" r WHERE r."commentId" = c."id")
    WHERE c."id" IN (SELECT "commentId" FROM "old");
    RETURN NULL;
END $$;

CREATE TRIGGER "CommentReply_deleted" AFTER DELETE ON "CommentReply" REFERENCING OLD TABLE AS "old"
    FOR EACH STATEMENT EXECUTE FUNCTION "CommentReply_deleted"();

-- Sites ---------------------------------------------------------------------------------------------------------------
ALTER TABLE "Site"
  ADD CONSTRAINT "Site_title_length" CHECK (char_length("title") BETWEEN 2 AND 128 AND "title" ~ '\S'),
  ADD CONSTRAINT "Site_hostname_normal" CHECK ("hostname" = lower("hostname") AND char_length("hostname") BETWEEN 1 AND 512),
  ADD CONSTRAINT "Site_basename_length" CHECK (char_length("basename") BETWEEN 1 AND 100),
  ADD CONSTRAINT "Site_proxy_whole" CHECK (num_nonnulls("proxyOrigin", "proxyTarget") <> 1),
  ADD CONSTRAINT "Site_proxy_length" CHECK (char_length("proxyOrigin") + char_length("proxyTarget") <= 512),
  -- A site has no hostname but the one that it has claimed.
  ADD CONSTRAINT "Site_hostname_claimed" CHECK ("hostname" = "claimedHostname"),
  ADD CONSTRAINT "Site_hostname_proof" CHECK
    ("claimedHostname" IS NULL OR ("hostnameProof" IS NOT NULL AND "hostnameClaimedAt" IS NOT NULL));
ALTER TABLE "SiteSectionGroup"
  ADD CONSTRAINT "SiteSectionGroup_title_length" CHECK (char_length("title") BETWEEN 1 AND 100 AND "title" ~ '\S'),
  ADD CONSTRAINT "SiteSectionGroup_icon_length" CHECK (char_length("icon") <= 50);
ALTER TABLE "SiteSection"
  ADD CONSTRAINT "SiteSection_title_length" CHECK (char_length("title") BETWEEN 2 AND 128 AND "title" ~ '\S'),
  ADD CONSTRAINT "SiteSection_description_length" CHECK (char_length("description") <= 256),
  ADD CONSTRAINT "SiteSection_path_length" CHECK (char_length("path") BETWEEN 1 AND 100),
  ADD CONSTRAINT "SiteSection_condition_length" CHECK (char_length("condition") BETWEEN 1 AND 1024),
  ADD CONSTRAINT "SiteSection_icon_length" CHECK (char_length("icon") <= 50);
ALTER TABLE "SiteSpace"
  ADD CONSTRAINT "SiteSpace_path_length" CHECK (char_length("path") BETWEEN 1 AND 100),
  ADD CONSTRAINT "SiteSpace_condition_length" CHECK (char_length("condition") BETWEEN 1 AND 1024);
CREATE INDEX "Site_title" ON "Site" ("organizationId", (lower("title")) COLLATE "C", "id");

-- One default section of a site; one default space of a section, or of the root of a site.
CREATE UNIQUE INDEX "SiteSection_one_default" ON "SiteSection" ("siteId") WHERE "isDefault";
CREATE UNIQUE INDEX "SiteSpace_one_default" ON "SiteSpace" ("siteId", "sectionId") NULLS NOT DISTINCT WHERE "isDefault";
-- Paths are unique in their section, or at the root. An expression, since Prisma would drop a plain index that the models
-- do not name.
CREATE UNIQUE INDEX "SiteSpace_path_of_section" ON "SiteSpace" ("siteId", coalesce("sectionId", ''), "path");

-- Integrations --------------------------------------------------------------------------------------------------------
ALTER TABLE "Integration" ADD CONSTRAINT "Integration_name_check" CHECK ("name" ~ '^[a-zA-Z0-9_.-]+$');
ALTER TABLE "IntegrationVersion" ADD CONSTRAINT "IntegrationVersion_runs_check" CHECK (("script" IS NULL) <> ("webhookUrl" IS NULL));
ALTER TABLE "IntegrationEvent" ADD CONSTRAINT "IntegrationEvent_finished_check" CHECK (("status" = 'pending') = ("finishedAt" IS NULL));

-- Events that wait to be delivered, in the order of each installation and by the time of the next try.
CREATE INDEX "IntegrationEvent_waiting_idx" ON "IntegrationEvent"("installationId", "sequence") WHERE "status" = 'pending';
CREATE INDEX "IntegrationEvent_due_idx" ON "IntegrationEvent"("nextTryAt") WHERE "status" = 'pending';

ALTER TABLE "IntegrationFeed" ADD CONSTRAINT "IntegrationFeed_one_check" CHECK ("id" = 1);
INSERT INTO "IntegrationFeed" ("transactionId", "eventId") VALUES (0, 0);

-- The outbox ----------------------------------------------------------------------------------------------------------
-- Its first segment. Gateways add the others (src/events/segments.ts).
CREATE TABLE "OutboxEvent_1" PARTITION OF "OutboxEvent" FOR VALUES IN (1);
INSERT INTO "OutboxSegment" ("id", "firstTransaction") VALUES (1, 0);

ALTER TABLE "OutboxTrim" ADD CONSTRAINT "OutboxTrim_one_check" CHECK ("id" = 1);
INSERT INTO "OutboxTrim" ("transactionId", "eventId") VALUES (0, 0);

-- The events of a change request, its content, its reviews and the comments on it.
CREATE INDEX "OutboxEvent_changeRequest_createdAt" ON "OutboxEvent" (coalesce("payload" ->> 'changeRequestId', "subjectId"), "createdAt");
-- Deletions, for the guests who had the deleted object: few events.
CREATE INDEX "OutboxEvent_gone" ON "OutboxEvent" ("organizationId", "createdAt") WHERE "payload" ? 'guestIds';
-- The events of accounts.
CREATE INDEX "OutboxEvent_account" ON "OutboxEvent" ("actorId", "transactionId", "id", (coalesce("organizationId", ''))) WHERE "organizationId" IS NULL;
-- PostgreSQL would name these by their columns.
ALTER INDEX "OutboxEvent_1_coalesce_createdAt_idx" RENAME TO "OutboxEvent_1_changeRequest_createdAt";
ALTER INDEX "OutboxEvent_1_organizationId_createdAt_idx1" RENAME TO "OutboxEvent_1_gone";
ALTER INDEX "OutboxEvent_1_actorId_transactionId_id_coalesce_idx" RENAME TO "OutboxEvent_1_account";
