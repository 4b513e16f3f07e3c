-- without a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "Session_endedAt_idx" ON "Session"("endedAt");
CREATE INDEX CONCURRENTLY IF NOT EXISTS "SignInLink_expiresAt_idx" ON "SignInLink"("expiresAt");
CREATE INDEX CONCURRENTLY IF NOT EXISTS "Invitation_expiresAt_idx" ON "Invitation"("expiresAt");
CREATE INDEX CONCURRENTLY IF NOT EXISTS "ContentDocument_without_oid" ON "ContentDocument"("hash") WHERE "oid" IS NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS "ContentFile_without_oid" ON "ContentFile"("hash") WHERE "oid" IS NULL;
