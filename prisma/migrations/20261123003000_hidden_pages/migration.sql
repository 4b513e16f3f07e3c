-- Searches of sites leave out hidden pages, which are few, and what is below them.
CREATE INDEX "PresentPage_hidden" ON "PresentPage" ("spaceId") WHERE ("fields"->>'hidden')::boolean;
