/** Every service of a local stack has an operations server, on a free port unless OPERATIONS_PORT says otherwise. */
export const withOperationsPorts = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...env,
  OPERATIONS_PORT: env['OPERATIONS_PORT'] || '0',
});
