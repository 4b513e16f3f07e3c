-- Texts are found where few rows have them. The extension is trusted: whoever may create in the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
