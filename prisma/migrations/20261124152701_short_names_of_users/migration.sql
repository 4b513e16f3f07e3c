-- without a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "User_pieces" ON "User" USING GIN ("text_pieces"(lower("displayName")), "text_pieces"(lower("email")));
