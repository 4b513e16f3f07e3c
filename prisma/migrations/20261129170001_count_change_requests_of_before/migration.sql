-- without a transaction
-- The numbers of spaces that were there before. Those of 500 spaces at a time are locked, so that no change request is
-- counted twice: the update sees what was committed before the lock, and the triggers count what comes after it.
DO $$
DECLARE
    batch TEXT[];
    after TEXT := '';
BEGIN
    LOOP
        SELECT array_agg(s."id" ORDER BY s."id") INTO batch
        FROM (SELECT "id" FROM "Space" WHERE "id" > after ORDER BY "id" LIMIT 500) s;
        EXIT WHEN batch IS NULL;
        PERFORM FROM "Space" WHERE "id" = ANY(batch) ORDER BY "id" FOR NO KEY UPDATE;
        UPDATE "Space" s SET "changeRequestCount" = n."all", "openChangeRequestCount" = n."open", "draftChangeRequestCount" = n."draft"
        FROM (SELECT "spaceId", count(*) AS "all", count(*) FILTER (WHERE "status" = 'open') AS "open",
                count(*) FILTER (WHERE "status" = 'draft') AS "draft"
            FROM "ChangeRequest" WHERE "spaceId" = ANY(batch) GROUP BY "spaceId") n
        WHERE s."id" = n."spaceId";
        COMMIT;
        after := batch[cardinality(batch)];
    END LOOP;
END $$;
