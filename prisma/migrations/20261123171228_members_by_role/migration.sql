-- without a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "OrganizationMember_organizationId_role_joinedAt_id_idx" ON "OrganizationMember"("organizationId", "role", "joinedAt", "id");
