-- The first tables. Written by Prisma from the models, then changed by hand in three ways:
-- 1. ids, their arrays and fractional positions are COLLATE "C": cursors compare them byte by byte, in every database.
--    Never leave it out on one side of a key: PostgreSQL refuses to compare columns of two collations.
-- 2. "Space_revisionId_fkey" is checked on commit: a space and its first revision name each other.
-- 3. All that stands below the line "Beyond the models".

-- CreateEnum
CREATE TYPE "SpaceVisibility" AS ENUM ('public', 'unlisted', 'share_link', 'visitor_auth', 'in_collection', 'private');

-- CreateEnum
CREATE TYPE "SpaceEditMode" AS ENUM ('live', 'locked');

-- CreateEnum
CREATE TYPE "VisitorAuthBackend" AS ENUM ('custom', 'azure', 'auth0', 'okta', 'cognito', 'oidc');

-- CreateEnum
CREATE TYPE "RevisionType" AS ENUM ('initial', 'edits', 'merge', 'update', 'import');

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
CREATE TYPE "TeamRole" AS ENUM ('member', 'owner');

-- CreateEnum
CREATE TYPE "ChangeRequestStatus" AS ENUM ('draft', 'open', 'archived', 'merged');

-- CreateEnum
CREATE TYPE "CommentStatus" AS ENUM ('open', 'resolved');

-- CreateEnum
CREATE TYPE "SiteType" AS ENUM ('basic', 'premium', 'ultimate', 'sponsored', 'legacy_basic', 'legacy_premium');

-- CreateEnum
CREATE TYPE "SiteVisibility" AS ENUM ('public', 'unlisted', 'share_link', 'visitor_auth');

-- CreateEnum
CREATE TYPE "AgentsContext" AS ENUM ('excluded', 'included');

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
CREATE TABLE "Space" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "parentId" TEXT COLLATE "C",
    "ancestors" TEXT[] COLLATE "C" NOT NULL DEFAULT ARRAY[]::TEXT[],
    "title" TEXT NOT NULL,
    "emoji" TEXT NOT NULL,
    "visibility" "SpaceVisibility" NOT NULL DEFAULT 'in_collection',
    "editMode" "SpaceEditMode" NOT NULL DEFAULT 'live',
    "defaultLevel" "Role",
    "position" TEXT COLLATE "C" NOT NULL,
    "shareKey" TEXT,
    "revisionId" TEXT COLLATE "C" NOT NULL,
    "lastChangeRequestNumber" INTEGER NOT NULL DEFAULT 0,
    "gitSync" JSONB,
    "visitorAuthBackend" "VisitorAuthBackend",
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Space_pkey" PRIMARY KEY ("id")
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

    CONSTRAINT "Revision_pkey" PRIMARY KEY ("id")
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

    CONSTRAINT "OutboxEvent_pkey" PRIMARY KEY ("id")
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

    CONSTRAINT "Organization_pkey" PRIMARY KEY ("id")
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

    CONSTRAINT "OrganizationMember_pkey" PRIMARY KEY ("id")
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

    CONSTRAINT "TeamMember_pkey" PRIMARY KEY ("id")
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
CREATE TABLE "ChangeRequest" (
    "id" TEXT COLLATE "C" NOT NULL,
    "spaceId" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "status" "ChangeRequestStatus" NOT NULL DEFAULT 'draft',
    "subject" TEXT NOT NULL,
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
CREATE TABLE "Comment" (
    "id" TEXT COLLATE "C" NOT NULL,
    "spaceId" TEXT COLLATE "C" NOT NULL,
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
CREATE TABLE "Site" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "type" "SiteType" NOT NULL DEFAULT 'basic',
    "title" TEXT NOT NULL,
    "icon" JSONB,
    "hostname" TEXT,
    "basename" TEXT,
    "proxyOrigin" TEXT,
    "proxyTarget" TEXT,
    "visibility" "SiteVisibility" NOT NULL DEFAULT 'public',
    "published" BOOLEAN NOT NULL DEFAULT false,
    "shareKey" TEXT,
    "adaptiveContentEnabled" BOOLEAN NOT NULL DEFAULT false,
    "ads" JSONB,
    "agentsContext" "AgentsContext" NOT NULL DEFAULT 'excluded',
    "features" JSONB NOT NULL DEFAULT '[]',
    "createdById" TEXT COLLATE "C",
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Site_pkey" PRIMARY KEY ("id")
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
    "hasAdvancedCustomizationFeature" BOOLEAN NOT NULL DEFAULT false,
    "position" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "SiteSpace_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "User" (
    "id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT NOT NULL,
    "displayName" TEXT NOT NULL,
    "photoURL" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiToken" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ApiToken_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Collection_organizationId_id_idx" ON "Collection"("organizationId", "id");

-- CreateIndex
CREATE INDEX "Collection_organizationId_parentId_position_id_idx" ON "Collection"("organizationId", "parentId", "position", "id");

-- CreateIndex
CREATE INDEX "Collection_parentId_position_id_idx" ON "Collection"("parentId", "position", "id");

-- CreateIndex
CREATE INDEX "Collection_ancestors_idx" ON "Collection" USING GIN ("ancestors");

-- CreateIndex
CREATE UNIQUE INDEX "Collection_id_organizationId_key" ON "Collection"("id", "organizationId");

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
CREATE INDEX "Revision_spaceId_createdAt_id_idx" ON "Revision"("spaceId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Revision_authorId_idx" ON "Revision"("authorId");

-- CreateIndex
CREATE INDEX "OutboxEvent_transactionId_id_idx" ON "OutboxEvent"("transactionId", "id");

-- CreateIndex
CREATE INDEX "OutboxEvent_createdAt_idx" ON "OutboxEvent"("createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Organization_hostname_key" ON "Organization"("hostname");

-- CreateIndex
CREATE UNIQUE INDEX "Organization_customHostname_key" ON "Organization"("customHostname");

-- CreateIndex
CREATE INDEX "Organization_emailDomains_idx" ON "Organization" USING GIN ("emailDomains");

-- CreateIndex
CREATE INDEX "OrganizationMember_userId_organizationId_idx" ON "OrganizationMember"("userId", "organizationId");

-- CreateIndex
CREATE INDEX "OrganizationMember_organizationId_joinedAt_id_idx" ON "OrganizationMember"("organizationId", "joinedAt", "id");

-- CreateIndex
CREATE INDEX "OrganizationMember_organizationId_lastSeenAt_id_idx" ON "OrganizationMember"("organizationId", "lastSeenAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "OrganizationMember_organizationId_userId_key" ON "OrganizationMember"("organizationId", "userId");

-- CreateIndex
CREATE INDEX "Team_organizationId_title_id_idx" ON "Team"("organizationId", "title", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Team_organizationId_title_key" ON "Team"("organizationId", "title");

-- CreateIndex
CREATE UNIQUE INDEX "Team_id_organizationId_key" ON "Team"("id", "organizationId");

-- CreateIndex
CREATE INDEX "TeamMember_teamId_createdAt_id_idx" ON "TeamMember"("teamId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "TeamMember_organizationId_userId_teamId_idx" ON "TeamMember"("organizationId", "userId", "teamId");

-- CreateIndex
CREATE INDEX "TeamMember_userId_teamId_idx" ON "TeamMember"("userId", "teamId");

-- CreateIndex
CREATE UNIQUE INDEX "TeamMember_teamId_userId_key" ON "TeamMember"("teamId", "userId");

-- CreateIndex
CREATE INDEX "Grant_organizationId_userId_idx" ON "Grant"("organizationId", "userId");

-- CreateIndex
CREATE INDEX "Grant_teamId_idx" ON "Grant"("teamId");

-- CreateIndex
CREATE UNIQUE INDEX "Grant_spaceId_userId_key" ON "Grant"("spaceId", "userId");

-- CreateIndex
CREATE UNIQUE INDEX "Grant_spaceId_teamId_key" ON "Grant"("spaceId", "teamId");

-- CreateIndex
CREATE UNIQUE INDEX "Grant_collectionId_userId_key" ON "Grant"("collectionId", "userId");

-- CreateIndex
CREATE UNIQUE INDEX "Grant_collectionId_teamId_key" ON "Grant"("collectionId", "teamId");

-- CreateIndex
CREATE INDEX "ChangeRequest_spaceId_status_number_idx" ON "ChangeRequest"("spaceId", "status", "number");

-- CreateIndex
CREATE INDEX "ChangeRequest_spaceId_createdById_number_idx" ON "ChangeRequest"("spaceId", "createdById", "number");

-- CreateIndex
CREATE INDEX "ChangeRequest_createdById_idx" ON "ChangeRequest"("createdById");

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
CREATE INDEX "Comment_spaceId_postedAt_id_idx" ON "Comment"("spaceId", "postedAt", "id");

-- CreateIndex
CREATE INDEX "Comment_changeRequestId_postedAt_id_idx" ON "Comment"("changeRequestId", "postedAt", "id");

-- CreateIndex
CREATE INDEX "Comment_changeRequestId_status_postedAt_id_idx" ON "Comment"("changeRequestId", "status", "postedAt", "id");

-- CreateIndex
CREATE INDEX "Comment_postedById_idx" ON "Comment"("postedById");

-- CreateIndex
CREATE INDEX "Comment_resolvedById_idx" ON "Comment"("resolvedById");

-- CreateIndex
CREATE INDEX "Comment_revisionId_idx" ON "Comment"("revisionId");

-- CreateIndex
CREATE INDEX "Comment_spaceId_pageId_idx" ON "Comment"("spaceId", "pageId");

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
CREATE UNIQUE INDEX "Site_hostname_key" ON "Site"("hostname");

-- CreateIndex
CREATE UNIQUE INDEX "Site_shareKey_key" ON "Site"("shareKey");

-- CreateIndex
CREATE INDEX "Site_organizationId_createdAt_id_idx" ON "Site"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Site_createdById_idx" ON "Site"("createdById");

-- CreateIndex
CREATE UNIQUE INDEX "Site_id_organizationId_key" ON "Site"("id", "organizationId");

-- CreateIndex
CREATE UNIQUE INDEX "Site_organizationId_basename_key" ON "Site"("organizationId", "basename");

-- CreateIndex
CREATE UNIQUE INDEX "Site_proxyOrigin_proxyTarget_key" ON "Site"("proxyOrigin", "proxyTarget");

-- CreateIndex
CREATE INDEX "SiteSectionGroup_siteId_position_id_idx" ON "SiteSectionGroup"("siteId", "position", "id");

-- CreateIndex
CREATE UNIQUE INDEX "SiteSectionGroup_id_siteId_key" ON "SiteSectionGroup"("id", "siteId");

-- CreateIndex
CREATE INDEX "SiteSection_siteId_position_id_idx" ON "SiteSection"("siteId", "position", "id");

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
CREATE INDEX "SiteSpace_spaceId_idx" ON "SiteSpace"("spaceId");

-- CreateIndex
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

-- CreateIndex
CREATE INDEX "User_displayName_id_idx" ON "User"("displayName", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ApiToken_hash_key" ON "ApiToken"("hash");

-- CreateIndex
CREATE INDEX "ApiToken_userId_createdAt_id_idx" ON "ApiToken"("userId", "createdAt", "id");

-- AddForeignKey
ALTER TABLE "Collection" ADD CONSTRAINT "Collection_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Collection" ADD CONSTRAINT "Collection_parent_fkey" FOREIGN KEY ("parentId", "organizationId") REFERENCES "Collection"("id", "organizationId") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Space" ADD CONSTRAINT "Space_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Space" ADD CONSTRAINT "Space_parent_fkey" FOREIGN KEY ("parentId", "organizationId") REFERENCES "Collection"("id", "organizationId") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Space" ADD CONSTRAINT "Space_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE NO ACTION ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED;

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Organization" ADD CONSTRAINT "Organization_defaultSite_fkey" FOREIGN KEY ("defaultSiteId", "id") REFERENCES "Site"("id", "organizationId") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Organization" ADD CONSTRAINT "Organization_defaultSpace_fkey" FOREIGN KEY ("defaultSpaceId", "id") REFERENCES "Space"("id", "organizationId") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "OrganizationMember" ADD CONSTRAINT "OrganizationMember_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OrganizationMember" ADD CONSTRAINT "OrganizationMember_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Team" ADD CONSTRAINT "Team_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TeamMember" ADD CONSTRAINT "TeamMember_teamId_organizationId_fkey" FOREIGN KEY ("teamId", "organizationId") REFERENCES "Team"("id", "organizationId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TeamMember" ADD CONSTRAINT "TeamMember_organizationId_userId_fkey" FOREIGN KEY ("organizationId", "userId") REFERENCES "OrganizationMember"("organizationId", "userId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Grant" ADD CONSTRAINT "Grant_organizationId_userId_fkey" FOREIGN KEY ("organizationId", "userId") REFERENCES "OrganizationMember"("organizationId", "userId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Grant" ADD CONSTRAINT "Grant_team_fkey" FOREIGN KEY ("teamId", "organizationId") REFERENCES "Team"("id", "organizationId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Grant" ADD CONSTRAINT "Grant_collection_fkey" FOREIGN KEY ("collectionId", "organizationId") REFERENCES "Collection"("id", "organizationId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Grant" ADD CONSTRAINT "Grant_space_fkey" FOREIGN KEY ("spaceId", "organizationId") REFERENCES "Space"("id", "organizationId") ON DELETE CASCADE ON UPDATE CASCADE;

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
ALTER TABLE "Site" ADD CONSTRAINT "Site_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Site" ADD CONSTRAINT "Site_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

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
ALTER TABLE "ApiToken" ADD CONSTRAINT "ApiToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Beyond the models ---------------------------------------------------------------------------------------------------
-- What must never be stored, whoever writes it, and indexes of a kind that Prisma cannot declare.

-- Grants: one role, for one user or one team, on one collection or one space.
ALTER TABLE "Grant"
  ADD CONSTRAINT "Grant_one_holder" CHECK (num_nonnulls("userId", "teamId") = 1),
  ADD CONSTRAINT "Grant_one_subject" CHECK (num_nonnulls("collectionId", "spaceId") = 1);

-- People and organizations.
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

-- The content tree: "ancestors" repeats the way from the outermost collection down to the parent.
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

-- Reviews.
ALTER TABLE "ChangeRequest"
  ADD CONSTRAINT "ChangeRequest_number_positive" CHECK ("number" >= 1),
  ADD CONSTRAINT "ChangeRequest_subject_length" CHECK (char_length("subject") <= 100),
  ADD CONSTRAINT "ChangeRequest_merged_has_revision" CHECK (("status" = 'merged') = ("revisionMergedId" IS NOT NULL));
ALTER TABLE "Comment"
  ADD CONSTRAINT "Comment_resolved_has_time" CHECK (("status" = 'resolved') = ("resolvedAt" IS NOT NULL)),
  ADD CONSTRAINT "Comment_resolver_only_when_resolved" CHECK ("status" = 'resolved' OR "resolvedById" IS NULL),
  ADD CONSTRAINT "Comment_table_cell_whole" CHECK (num_nonnulls("tableCellRecord", "tableCellDefinition") <> 1);
ALTER TABLE "Reaction"
  ADD CONSTRAINT "Reaction_one_subject" CHECK (num_nonnulls("commentId", "replyId") = 1);

-- Sites.
ALTER TABLE "Site"
  ADD CONSTRAINT "Site_title_length" CHECK (char_length("title") BETWEEN 2 AND 128 AND "title" ~ '\S'),
  ADD CONSTRAINT "Site_hostname_normal" CHECK ("hostname" = lower("hostname") AND char_length("hostname") BETWEEN 1 AND 512),
  ADD CONSTRAINT "Site_basename_length" CHECK (char_length("basename") BETWEEN 1 AND 100),
  ADD CONSTRAINT "Site_proxy_whole" CHECK (num_nonnulls("proxyOrigin", "proxyTarget") <> 1),
  ADD CONSTRAINT "Site_proxy_length" CHECK (char_length("proxyOrigin") + char_length("proxyTarget") <= 512);
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

-- One default section of a site; one default space of a section, or of the root of a site.
CREATE UNIQUE INDEX "SiteSection_one_default" ON "SiteSection" ("siteId") WHERE "isDefault";
CREATE UNIQUE INDEX "SiteSpace_one_default" ON "SiteSpace" ("siteId", "sectionId") NULLS NOT DISTINCT WHERE "isDefault";
-- Paths are unique in their section, or at the root. (An expression, since Prisma would drop a plain index that the models do not name.)
CREATE UNIQUE INDEX "SiteSpace_path_of_section" ON "SiteSpace" ("siteId", coalesce("sectionId", ''), "path");

-- The comments of a space itself, without those of its change requests.
CREATE INDEX "Comment_of_space" ON "Comment" ("spaceId", "postedAt", "id") WHERE "changeRequestId" IS NULL;
CREATE INDEX "Comment_of_space_by_status" ON "Comment" ("spaceId", "status", "postedAt", "id") WHERE "changeRequestId" IS NULL;
