-- When the master key changes, each data key is wrapped anew with the next one: it is the same key of the same owner.
GRANT UPDATE (wrapped_key) ON data_keys TO customer_app;
