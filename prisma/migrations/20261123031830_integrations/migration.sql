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
    "sequence" BIGINT,
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

-- Checks.
ALTER TABLE "Integration" ADD CONSTRAINT "Integration_name_check" CHECK ("name" ~ '^[a-zA-Z0-9_.-]+$');
ALTER TABLE "IntegrationVersion" ADD CONSTRAINT "IntegrationVersion_runs_check" CHECK (("script" IS NULL) <> ("webhookUrl" IS NULL));
ALTER TABLE "IntegrationEvent" ADD CONSTRAINT "IntegrationEvent_finished_check" CHECK (("status" = 'pending') = ("finishedAt" IS NULL));
ALTER TABLE "IntegrationFeed" ADD CONSTRAINT "IntegrationFeed_one_check" CHECK ("id" = 1);

-- Events that wait to be delivered, in the order of each installation and by the time of the next try.
CREATE INDEX "IntegrationEvent_waiting_idx" ON "IntegrationEvent"("installationId", "sequence") WHERE "status" = 'pending';
CREATE INDEX "IntegrationEvent_due_idx" ON "IntegrationEvent"("nextTryAt") WHERE "status" = 'pending';

-- Nothing is installed yet, so nothing that has happened until now is told to anybody.
INSERT INTO "IntegrationFeed" ("transactionId", "eventId")
SELECT coalesce(max(e."transactionId"), 0), coalesce(max(e."id"), 0)
FROM (SELECT "transactionId", "id" FROM "OutboxEvent" ORDER BY "transactionId" DESC, "id" DESC LIMIT 1) e;
