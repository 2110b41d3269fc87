import { withConsolePort } from './console';

it.each([
  [{}, '3001'],
  [{ PORT: '8080' }, '8081'],
  [{ PORT: '0' }, '0'],
  [{ PORT: '65535' }, '0'],
  [{ PORT: 'http' }, '0'],
  [{ PORT: '0', BACKOFFICE_PORT: '3005' }, '3005'],
  [{ BACKOFFICE_PORT: '0' }, '0'],
])('with %j the console listens on %s', (env, port) => {
  expect(withConsolePort(env)).toEqual({ ...env, BACKOFFICE_PORT: port });
});
