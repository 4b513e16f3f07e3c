-- Room beside each row for its next version, and no index of what changes in all rows when their collection is moved:
-- such rows are written where they are, and no index hears of it.
DROP INDEX "Collection_ancestors_idx";
ALTER TABLE "Collection" SET (fillfactor = 50);
