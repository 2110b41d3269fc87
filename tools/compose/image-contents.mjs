// What an image folder may hold: its own program and its production dependencies. No development dependency, no other
// service, no test, no source, no secret.

import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { IMAGES } from '../image/contents.mjs';
import { programOf } from '../image/imports.mjs';
import { ROOT } from '../stack/paths.mjs';

const SECRET_FILE = /(^|\/)(\.env($|\.)|secrets?(\/|$)|[^/]*\.(pem|key|p12)$)/;
const TEST = /\.(spec|test)\.[cm]?[jt]s|(^|\/)(testing|benchmarks|fixtures|test)\//;

/** Every file below a folder, as {path, size}. */
export function filesIn(folder, from = folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path, from);
    return [{ path: relative(from, path), size: lstatSync(path).size }];
  });
}

/** {megabytes, files, packages, problems} of an image. */
export function inspectImage({ name, root, workdir }, secrets) {
  const app = join(root, workdir);
  const all = filesIn(app);
  const own = all.filter(({ path }) => !path.startsWith('node_modules/'));
  const installed = JSON.parse(readFileSync(join(app, 'node_modules', '.package-lock.json'), 'utf8')).packages;
  return {
    megabytes: Math.round(all.reduce((sum, { size }) => sum + size, 0) / 2 ** 20),
    own_kilobytes: Math.round(own.reduce((sum, { size }) => sum + size, 0) / 2 ** 10),
    files: all.length,
    packages: Object.keys(installed).length,
    problems: [
      ...packageProblems(app, installed),
      ...fileProblems(
        name,
        own.map(({ path }) => path),
        app,
      ),
      ...secretProblems(
        app,
        own.map(({ path }) => path),
        secrets,
      ),
    ].map((problem) => `${name}: ${problem}`),
  };
}

function packageProblems(app, installed) {
  const wanted = JSON.parse(readFileSync(join(app, 'package-lock.json'), 'utf8')).packages;
  const project = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  const paths = Object.keys(installed);
  return [
    ...paths.filter((path) => project[path]?.dev).map((path) => `holds the development dependency ${path}`),
    ...paths
      .filter((path) => wanted[path]?.version !== installed[path].version)
      .map((path) => `holds ${path}, which its manifest doesn't name`),
  ];
}

function fileProblems(name, files, app) {
  const { entries, files: besides = [] } = IMAGES[name];
  const program = new Set(programOf(entries).files.map((file) => file.replace(/^dist\//, '')));
  const expected = (path) =>
    program.has(path.replace(/\.map$/, '')) ||
    besides.some((folder) => path.startsWith(`${folder}/`)) ||
    ['package.json', 'package-lock.json'].includes(path);
  return [
    ...files.filter((path) => !expected(path)).map((path) => `holds ${path}, which its program doesn't load`),
    ...files.filter((path) => /\.ts$/.test(path)).map((path) => `holds the source ${path}`),
    ...files.filter((path) => TEST.test(path)).map((path) => `holds the test ${path}`),
    ...files.filter((path) => SECRET_FILE.test(path)).map((path) => `holds ${path}, which looks like a secret`),
    ...[...program]
      .filter((path) => !existsSync(join(app, path)))
      .map((path) => `lacks ${path}, which its program loads`),
  ];
}

function secretProblems(app, files, secrets) {
  return files.flatMap((path) => {
    const text = readFileSync(join(app, path), 'latin1');
    return Object.entries(secrets).flatMap(([name, value]) =>
      text.includes(value) ? [`${path} holds the secret ${name}`] : [],
    );
  });
}
