/** The parts of the interface, by the name of their controller without `Controller`, spelt as pages show them. */
export const TAGS: Readonly<Record<string, readonly [name: string, says: string]>> = {
  Customers: ['Customers', 'Persons and businesses for whom you hold accounts, with the documents of their review.'],
  Documents: ['Documents', 'Files sent by themselves, for a customer that refers to them within a day.'],
  Wallets: ['Wallets', 'One for each owner and currency: your own, and those of your customers.'],
  Assets: ['Assets', 'The currencies that wallets can hold, and their networks.'],
  Sandbox: ['Sandbox', 'With a test key, what banks and chains do: deposits that arrive, payouts that end.'],
  Quotes: ['Quotes', 'Prices for a swap, good until they expire.'],
  Swaps: ['Swaps', 'Exchanges of one currency for another, at a quoted price.'],
  Payouts: ['Payouts', 'Withdrawals to a bank account or a crypto address.'],
  Policy: ['Policy', 'What you may pay out, and which payouts need an approval.'],
  PayoutMethods: ['Payout methods', 'Bank accounts and crypto addresses, saved for later.'],
  Transactions: ['Transactions', 'What happened to the money: deposits, payouts and both sides of swaps.'],
  Webhooks: ['Webhooks', 'Where your events are sent, signed as Standard Webhooks says.'],
  Events: ['Events', 'What happened, and how each webhook took it.'],
  Audit: ['Audit', 'Evidence from the log itself, which you can check without trusting this service.'],
};
