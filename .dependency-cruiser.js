// No circle of imports, neither between files nor between folders: what a part stands on can be read before the part.
// Which part may import which is in eslint.config.js.
module.exports = {
  forbidden: [
    { name: 'no-circle-of-files', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-circle-of-folders', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
  ],
  options: {
    includeOnly: '^(apps|libs)/',
    // A spec stands beside what it tests and may use the fixtures of another folder.
    exclude: { path: '(\\.spec\\.ts$|/testing/|/generated/)' },
    tsConfig: { fileName: 'tsconfig.json' },
    // An import of types binds two files as well.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx'] },
  },
};
