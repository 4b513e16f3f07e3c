-- DropForeignKey
ALTER TABLE "SamlRequest" DROP CONSTRAINT "SamlRequest_providerId_fkey";

-- DropTable
DROP TABLE "SamlRequest";

-- CreateTable
CREATE TABLE "SamlAnswer" (
    "providerId" TEXT COLLATE "C" NOT NULL,
    "assertionId" TEXT COLLATE "C" NOT NULL,
    "requestId" TEXT COLLATE "C" NOT NULL,
    "acceptedAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SamlAnswer_pkey" PRIMARY KEY ("providerId","assertionId")
);

-- CreateIndex
CREATE INDEX "SamlAnswer_expiresAt_idx" ON "SamlAnswer"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "SamlAnswer_providerId_requestId_key" ON "SamlAnswer"("providerId", "requestId");

-- AddForeignKey
ALTER TABLE "SamlAnswer" ADD CONSTRAINT "SamlAnswer_providerId_fkey" FOREIGN KEY ("providerId") REFERENCES "SamlProvider"("id") ON DELETE CASCADE ON UPDATE CASCADE;
