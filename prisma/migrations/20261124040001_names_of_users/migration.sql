-- without a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "User_names" ON "User" USING GIN (lower("displayName") gin_trgm_ops, lower("email") gin_trgm_ops);
