-- What a merchant's people call a key at the console, so that they know it again in the list: said when it is made, like all that a key is.
ALTER TABLE "api_keys" ADD COLUMN "name" TEXT;
