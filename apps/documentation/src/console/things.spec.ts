/** The tables of the console, against the interface document. */
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { readInterfaceDocument } from '../interface/interface-document';
import { operationsOf } from '../interface/operations';
import { SDK_METHODS } from '../samples/sdk-methods.table';
import { NAMED_BY, REMEDIES, THINGS } from './things.table';

const operations = operationsOf(readInterfaceDocument(join(ROOT, 'docs/openapi.json')));
const ids = new Set(operations.map(({ operationId }) => operationId));

it('every parameter that an operation requires names a thing that the console can fill in', () => {
  const required = operations.flatMap(({ operationId, parameters }) =>
    parameters.filter((parameter) => parameter.required).map(({ name }) => `${operationId} ${name}`),
  );
  const named = Object.entries(NAMED_BY).flatMap(([operation, things]) =>
    Object.keys(things).map((name) => `${operation} ${name}`),
  );
  expect(named.sort()).toEqual(required.sort());
});

it('the tables name no operation that is not there, and no code that no operation gives', () => {
  const steps = [...Object.values(THINGS).map(({ steps: of }) => of), ...Object.values(REMEDIES)].flat();
  const found = Object.values(THINGS).flatMap(({ foundBy, madeBy, usedUpBy = [] }) => [
    ...(foundBy ? [foundBy.operation] : []),
    ...Object.keys(madeBy),
    ...usedUpBy,
  ]);
  const named = [...steps.map(({ operation }) => operation), ...found];
  expect(named.filter((operation) => !ids.has(operation))).toEqual([]);
  const codes = new Set(operations.flatMap(({ refusals }) => refusals.map(({ code }) => code)));
  const expected = [...Object.keys(REMEDIES), ...steps.flatMap(({ unless }) => unless ?? [])];
  expect(expected.filter((code) => !codes.has(code))).toEqual([]);
});

it('what an operation ends is never found in a list: only what this tab made', () => {
  const ending = operations.filter(({ method, path }) => method === 'DELETE' || path.endsWith('/close'));
  expect(ending.length).toBeGreaterThan(2);
  const things = ending.flatMap(({ operationId }) => Object.values(NAMED_BY[operationId] ?? {}));
  expect(things.filter((thing) => THINGS[thing].foundBy !== undefined)).toEqual([]);
});

it('every operation has its method in the SDKs', () => {
  expect(Object.keys(SDK_METHODS).sort()).toEqual([...ids].sort());
});
