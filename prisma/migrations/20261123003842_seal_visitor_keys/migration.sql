-- What is there stays a plain key, and signs on, until the job secrets.reseal has sealed it, within an hour.
ALTER TABLE "Organization" ALTER COLUMN "visitorKey" SET DATA TYPE BYTEA USING convert_to("visitorKey", 'UTF8');
