import { execFileSync } from 'node:child_process';
import { python } from './python';

describe('The Python of the specs', () => {
  it('is 3.11 or newer', () => {
    const output = execFileSync(python(), ['-c', 'import sys; print(sys.version_info >= (3, 11))'], {
      encoding: 'utf8',
    });
    expect(output.trim()).toBe('True');
  });

  it('is the one that PYTHON names, or none: with the way out', () => {
    expect(() => python(process.execPath)).toThrow(
      /^PYTHON names .* Python 3\.11 or newer.*apt-get install python3.*set PYTHON/,
    );
  });
});
