-- AlterTable
ALTER TABLE "IntegrationInstallation" ADD COLUMN     "agreedVersion" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "allowsDevMode" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "contentSecurityPolicy" TEXT,
ADD COLUMN     "pinnedVersion" INTEGER,
ADD COLUMN     "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- Installations keep what they have now: what was published last.
UPDATE "IntegrationInstallation" i SET scopes = n.scopes, "contentSecurityPolicy" = n."contentSecurityPolicy", "agreedVersion" = n.version
FROM "Integration" n WHERE n.id = i."integrationId";
