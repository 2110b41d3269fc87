import { KnownPaths } from './known-paths';

describe('KnownPaths', () => {
  const known = new KnownPaths();
  known.add(['GET', 'HEAD'], '/api/customers/:customerId');
  known.add('POST', '/api/customers/:customerId/close');
  known.add('GET', '/api/payout/methods');
  known.add('POST', '/api/payout/methods/banks');
  known.add('DELETE', '/api/payout/methods/:payout_method_id');

  it.each([
    ['/api/customers/1', ['GET', 'HEAD']],
    ['/api/customers/1/close', ['POST']],
    ['/api/customers', []],
    ['/api/customers/', []],
    ['/api/payout/methods/banks', ['DELETE', 'POST']],
    ['/api/payoutXmethods', []],
  ])('%s takes %j', (path, methods) => {
    expect(known.methodsOf(path)).toEqual(methods);
  });
});
