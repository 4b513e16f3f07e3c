-- AlterTable
ALTER TABLE "Site" ADD COLUMN     "claimedHostname" TEXT,
ADD COLUMN     "hostnameCheckedAt" TIMESTAMPTZ(3),
ADD COLUMN     "hostnameClaimedAt" TIMESTAMPTZ(3),
ADD COLUMN     "hostnameDueAt" TIMESTAMPTZ(3),
ADD COLUMN     "hostnameMissingSince" TIMESTAMPTZ(3),
ADD COLUMN     "hostnameProof" TEXT,
ADD COLUMN     "hostnameVerifiedAt" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "Site_hostnameDueAt_idx" ON "Site"("hostnameDueAt");

-- Nobody has shown yet that they own the hostnames that are there.
UPDATE "Site" SET "claimedHostname" = "hostname", "hostname" = NULL, "hostnameClaimedAt" = now(), "hostnameDueAt" = now(),
  "hostnameProof" = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '') WHERE "hostname" IS NOT NULL;

-- A site has no hostname but the one that it has asked for.
ALTER TABLE "Site" ADD CONSTRAINT "Site_hostname_claimed" CHECK ("hostname" = "claimedHostname");
ALTER TABLE "Site" ADD CONSTRAINT "Site_hostname_proof" CHECK
  ("claimedHostname" IS NULL OR ("hostnameProof" IS NOT NULL AND "hostnameClaimedAt" IS NOT NULL));
