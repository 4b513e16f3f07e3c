-- AlterEnum
ALTER TYPE "SignInWay" ADD VALUE 'oidc';

-- CreateTable
CREATE TABLE "OidcProvider" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "label" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "clientId" TEXT COLLATE "C" NOT NULL,
    "clientSecret" BYTEA,
    "defaultTeamId" TEXT COLLATE "C",
    "defaultRole" "Role",
    "activatedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "OidcProvider_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OidcIdentity" (
    "source" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "providerId" TEXT COLLATE "C",
    "userId" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSignInAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OidcIdentity_pkey" PRIMARY KEY ("source","subject")
);

-- CreateTable
CREATE TABLE "OidcUse" (
    "source" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OidcUse_pkey" PRIMARY KEY ("source","value")
);

-- CreateIndex
CREATE INDEX "OidcProvider_organizationId_createdAt_id_idx" ON "OidcProvider"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "OidcProvider_defaultTeamId_idx" ON "OidcProvider"("defaultTeamId");

-- CreateIndex
CREATE INDEX "OidcIdentity_providerId_idx" ON "OidcIdentity"("providerId");

-- CreateIndex
CREATE INDEX "OidcIdentity_userId_idx" ON "OidcIdentity"("userId");

-- CreateIndex
CREATE INDEX "OidcUse_expiresAt_idx" ON "OidcUse"("expiresAt");

-- AddForeignKey
ALTER TABLE "OidcProvider" ADD CONSTRAINT "OidcProvider_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OidcProvider" ADD CONSTRAINT "OidcProvider_defaultTeamId_fkey" FOREIGN KEY ("defaultTeamId") REFERENCES "Team"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OidcIdentity" ADD CONSTRAINT "OidcIdentity_providerId_fkey" FOREIGN KEY ("providerId") REFERENCES "OidcProvider"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OidcIdentity" ADD CONSTRAINT "OidcIdentity_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
