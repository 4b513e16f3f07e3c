-- without a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "AuditEntry_organizationId_subjectId_createdAt_id_idx" ON "AuditEntry"("organizationId", "subjectId", "createdAt", "id");
