-- without a transaction
-- The numbers of spaces that were there before. Those of 500 spaces at a time are locked, so that nothing is counted
-- twice: the update sees what was committed before the lock, and the triggers count what comes after it.
DO $$
DECLARE
    batch TEXT[];
    after TEXT := '';
BEGIN
    LOOP
        SELECT array_agg(s."id" ORDER BY s."id") INTO batch
        FROM (SELECT "id" FROM "Space" WHERE "id" > after ORDER BY "id" LIMIT 500) s;
        EXIT WHEN batch IS NULL;
        INSERT INTO "SpaceCount" ("spaceId")
        SELECT s."id" FROM "Space" s WHERE s."id" = ANY(batch) ORDER BY s."id" FOR KEY SHARE
        ON CONFLICT DO NOTHING;
        PERFORM FROM "SpaceCount" WHERE "spaceId" = ANY(batch) ORDER BY "spaceId" FOR UPDATE;
        UPDATE "SpaceCount" c SET "changeRequests" = n."all", "openChangeRequests" = n."open", "draftChangeRequests" = n."draft",
            "openComments" = (SELECT count(*) FROM "Comment" m
                WHERE m."spaceId" = c."spaceId" AND m."changeRequestId" IS NULL AND m."status" = 'open')
        FROM unnest(batch) b("id") CROSS JOIN LATERAL (
            SELECT count(*) AS "all", count(*) FILTER (WHERE r."status" = 'open') AS "open",
                count(*) FILTER (WHERE r."status" = 'draft') AS "draft"
            FROM "ChangeRequest" r WHERE r."spaceId" = b."id"
        ) n
        WHERE c."spaceId" = b."id";
        COMMIT;
        after := batch[cardinality(batch)];
    END LOOP;
END $$;
