import { kindOfSubject } from './traffic';

it.each([
  ['wallet.create-payout.3', 'wallet.create-payout'],
  ['ledger.2.payout-held', 'ledger.*.payout-held'],
  ['_INBOX.ABC.1', 'answers'],
  ['_INBOX_gateway.56BBG9H3UOFXND94LUJ94D.7', 'answers'],
  ['$JS.ACK.LEDGER.payout.1.2.3.4.5', 'acknowledgements'],
  ['$JS.API.CONSUMER.MSG.NEXT.LEDGER.payout', '$JS.API.CONSUMER'],
])('%s is counted as %s', (subject, kind) => expect(kindOfSubject(subject)).toBe(kind));
