-- What leads from other spaces to a page: by the page, whatever the place on it. An address may be longer than a row of
-- an index.
DROP INDEX "TextLink_other_space_idx";

CREATE INDEX "TextLink_other_space_idx" ON "TextLink" (split_part(left("address", 100), '#', 1)) WHERE "address" LIKE 'page:spc\_%';
