-- Old rows of the inbox go.
GRANT DELETE ON inbox TO swap_app;

-- A quote that nobody used can go some time after it expired; those that were claimed or used stay for ever.
GRANT DELETE ON quotes TO swap_app;
