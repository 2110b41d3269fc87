-- Old rows of the inbox go.
GRANT DELETE ON inbox TO customer_app;
