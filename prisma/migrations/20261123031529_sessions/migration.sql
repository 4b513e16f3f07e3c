-- CreateEnum
CREATE TYPE "SignInWay" AS ENUM ('saml', 'email');

-- CreateEnum
CREATE TYPE "TokenScope" AS ENUM ('read', 'write', 'admin');

-- AlterTable
ALTER TABLE "ApiToken" ADD COLUMN     "isService" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "organizationId" TEXT COLLATE "C",
ADD COLUMN     "role" "Role",
ADD COLUMN     "scope" "TokenScope" NOT NULL DEFAULT 'admin';

-- AlterTable
ALTER TABLE "User" ADD COLUMN     "isService" BOOLEAN NOT NULL DEFAULT false;

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
    "returnTo" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "SignInLink_pkey" PRIMARY KEY ("id")
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
CREATE INDEX "ApiToken_organizationId_createdAt_id_idx" ON "ApiToken"("organizationId", "createdAt", "id");

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SessionToken" ADD CONSTRAINT "SessionToken_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "Session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiToken" ADD CONSTRAINT "ApiToken_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A token that an organization owns says which, and its role there.
ALTER TABLE "ApiToken" ADD CONSTRAINT "ApiToken_service_check"
    CHECK (NOT "isService" OR ("organizationId" IS NOT NULL AND "role" IS NOT NULL));

-- The audit log is only added to. What is older than a year may go.
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
