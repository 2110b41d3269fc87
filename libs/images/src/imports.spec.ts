import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ImportGraph, importsOf, packageOf, programOf } from './imports';

const root = mkdtempSync(join(tmpdir(), 'imports-'));
const write = (file: string, text: string) => writeFileSync(join(root, file), text);

afterAll(() => rmSync(root, { recursive: true }));

it('sees every way to load a file, and refuses a name that is computed', () => {
  const text = `
    import a from './a.mjs'; export { b } from 'b/deep'; const c = require('@c/c/deep'); import('./d.mjs');
    require.resolve(\`e/\${name}\`); other.require('not'); // require('comment')`;
  expect(importsOf('x.mjs', text)).toEqual(['./a.mjs', 'b/deep', '@c/c/deep', './d.mjs', 'e/']);
  expect(['@c/c/deep', 'b/deep', 'e/'].map(packageOf)).toEqual(['@c/c', 'b', 'e']);
  expect(() => importsOf('x.mjs', 'require(name)')).toThrow('computes the name of an import');
});

it('follows imports to files and packages, around circles too, and leaves out what Node brings', () => {
  write('main.js', `require('./one'); require('node:fs'); require('path'); require('pack/deep');`);
  write('one.js', `require('./main'); require('./data.json'); require('@scope/other');`);
  write('data.json', '{}');
  expect(programOf(['main.js'], root)).toEqual({
    files: ['data.json', 'main.js', 'one.js'],
    packages: ['@scope/other', 'pack'],
  });
});

it('names the file that is missing, and who imports it', () => {
  write('broken.js', `require('./absent')`);
  expect(() => programOf(['broken.js'], root)).toThrow('broken.js imports ./absent, and there is no such file');
  expect(() => programOf(['absent.js'], root)).toThrow('absent.js is not there: npm run build makes it');
});

it('reads a file again only after it was said to have changed', () => {
  write('entry.js', `require('./before')`);
  write('before.js', '');
  write('after.js', '');
  const graph = new ImportGraph(root);
  expect(graph.programOf(['entry.js']).files).toEqual(['before.js', 'entry.js']);
  write('entry.js', `require('./after')`);
  expect(graph.programOf(['entry.js']).files).toEqual(['before.js', 'entry.js']);
  graph.forget('entry.js');
  expect(graph.programOf(['entry.js']).files).toEqual(['after.js', 'entry.js']);
});
