import { OPERATIONS } from '@stablecoin/sdk-typescript/operations';
import { SDK_METHODS } from './sdk-methods.table';

it('the samples call each operation by the name that it has in the SDKs', () => {
  const named = OPERATIONS.map(({ operationId, resource, method }) => [operationId, [resource, method]]);
  expect(SDK_METHODS).toEqual(Object.fromEntries(named));
});
