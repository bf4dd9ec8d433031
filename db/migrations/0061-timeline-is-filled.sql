-- Outside a transaction.
-- Reads all attempts once: minutes for each ten million. Nobody is kept from reading or writing.
call fill_timeline();
