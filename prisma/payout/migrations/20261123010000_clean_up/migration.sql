-- Old rows of the inbox go.
GRANT DELETE ON inbox TO payout_app;
