import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { python } from '@stablecoin/testing/python';

const SDK = join(__dirname, '..');
const REFUSED = 'refused_by_the_type_checker.py';
const ENVIRONMENT = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };

const folder = mkdtempSync(join(tmpdir(), 'sdk-python-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PYTHON = python();
const textOf = (file: string): string => readFileSync(join(SDK, file), 'utf8');
const [, VERSION] = /VERSION = "(.+)"/.exec(textOf('src/stablecoin_sdk/_version.py')) ?? [];

describe('The Python SDK', () => {
  const modules = readdirSync(join(SDK, 'tests')).filter((file) => /^test_\w+\.py$/.test(file));

  it.each(modules)('does what %s asks of it', async (file) => {
    const env = { ...ENVIRONMENT, PYTHONPATH: `${join(SDK, 'src')}:${join(SDK, 'tests')}` };
    const asked = promisify(execFile)(PYTHON, ['-W', 'error', '-m', 'unittest', basename(file, '.py')], { env });
    const { stderr } = await asked.catch((error: { stderr?: string }) => ({ stderr: error.stderr ?? String(error) }));
    expect(stderr).toMatch(/^Ran [1-9]\d* tests? in .*\n\nOK\n$/m);
  });

  it('imports nothing but the standard library', () => {
    const sources = readdirSync(join(SDK, 'src/stablecoin_sdk')).filter((file) => file.endsWith('.py'));
    const imported = sources.flatMap((file) =>
      [...textOf(`src/stablecoin_sdk/${file}`).matchAll(/^(?:from|import) (\w+)/gm)].map(([, name]) => name),
    );
    const script = 'import json, sys; print(json.dumps(sorted(sys.stdlib_module_names)))';
    const standard = JSON.parse(execFileSync(PYTHON, ['-c', script], { encoding: 'utf8' })) as string[];
    expect([...new Set(imported)].filter((name) => !standard.includes(name ?? ''))).toEqual([]);
  });

  it.each([
    ['README.md', 'first_payout.py'],
    ['../../apps/documentation/guides/clients.md', 'payout_with_open_wallet.py'],
  ])('shows in %s the first payout of samples/%s', (page, sample) => {
    const [, shown] = /^```python\n(.*?)^```$/ms.exec(textOf(page)) ?? [];
    expect(shown).toBe(textOf(`samples/${sample}`));
  });

  it('has a README that names the wheel of its version', () => {
    expect(textOf('README.md')).toContain(`pip install stablecoin_sdk-${VERSION}-py3-none-any.whl`);
  });
});

describe('The types of the Python SDK', () => {
  interface Diagnostic {
    file: string;
    message: string;
    range: { start: { line: number } };
  }

  it('are whole by the strictest rules, and find mistakes before anything is sent', async () => {
    const checker = [require.resolve('pyright/index.js'), '--project', SDK, '--outputjson'];
    const asked = promisify(execFile)(process.execPath, [...checker, '--pythonpath', PYTHON]);
    // It ends with 1, since it finds the mistakes.
    const { stdout } = await asked.catch((error: { stdout: string }) => error);
    const { generalDiagnostics: found } = JSON.parse(stdout) as { generalDiagnostics: Diagnostic[] };
    const isMeant = ({ file }: Diagnostic) => basename(file) === REFUSED;
    const others = found.filter((one) => !isMeant(one));
    expect(others.map(({ file, message, range }) => `${file}:${range.start.line + 1} ${message}`)).toEqual([]);

    const lines = textOf(`samples/${REFUSED}`).split('\n');
    const meant = lines.flatMap((line, index) => (line.includes('# refused: ') ? [index] : []));
    const refused = found.filter(isMeant).map(({ range }) => range.start.line);
    expect([...new Set(refused)].sort((one, other) => one - other)).toEqual(meant);
  });
});

describe('The packed Python SDK', () => {
  const packed = (name: string): string => {
    const into = join(folder, name);
    mkdirSync(into);
    const args = [join(SDK, 'packaging/wheel_backend.py'), into];
    return execFileSync(PYTHON, args, { encoding: 'utf8', env: ENVIRONMENT }).trim();
  };

  it('is the same from the same sources', () => {
    const [one, other] = [packed('one'), packed('other')].map((wheel) =>
      createHash('sha256').update(readFileSync(wheel)).digest('hex'),
    );
    expect(one).toBe(other);
  });

  it('is a wheel that an installer takes: every file with its digest, and what it is', () => {
    const script = `
import base64, csv, hashlib, importlib.metadata, io, json, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
record = next(name for name in wheel.namelist() if name.endswith(".dist-info/RECORD"))
rows = {name: (digest, size) for name, digest, size in csv.reader(io.StringIO(wheel.read(record).decode()))}
of = lambda data: "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
right = [name for name in wheel.namelist() if name == record or rows[name] == (of(wheel.read(name)), str(len(wheel.read(name))))]
sys.path.insert(0, sys.argv[1])
import stablecoin_sdk
about = importlib.metadata.metadata("stablecoin-sdk")
print(json.dumps({
    "listed": sorted(rows) == sorted(wheel.namelist()) == sorted(right),
    "typed": "stablecoin_sdk/py.typed" in rows,
    "version": [about["Version"], stablecoin_sdk.__version__],
    "imported": stablecoin_sdk.__file__,
    "readme": "\`\`\`python" in about.get_payload(),
}))`;
    const wheel = packed('installed');
    const found = JSON.parse(
      execFileSync(PYTHON, ['-I', '-c', script, wheel], { encoding: 'utf8', cwd: folder }),
    ) as Record<string, unknown>;
    expect(found).toEqual({
      listed: true,
      typed: true,
      version: [VERSION, VERSION],
      imported: join(wheel, 'stablecoin_sdk/__init__.py'),
      readme: true,
    });
  });
});
