import { OperatorError } from './operator-error';
import { parseFlags, runCommand, wholeNumber } from './terminal';

describe('a number given as a flag', () => {
  const bounds = { least: 1, most: 300 };

  it.each(['1', '300', '007'])('%s is taken', (text) => {
    expect(wholeNumber('kills', text, bounds)).toBe(Number(text));
  });

  it.each(['0', '301', '1.5', '-1', '1e2', 'ten', '', ' 1'])('"%s" is refused with what is taken', (text) => {
    const message = `--kills takes a whole number from 1 to 300, not "${text}".`;
    expect(() => wholeNumber('kills', text, bounds)).toThrow(message);
  });
});

it('refuses a flag that the command does not have, with the way to the help', () => {
  const parsing = () => parseFlags(['--jsn'], { json: { type: 'boolean' } }, 'help');
  expect(parsing).toThrow("Unknown option '--jsn'. Try --help.");
});

describe('the exit code of a command', () => {
  const before = process.exitCode;
  const exitCodeAfter = async (main: () => unknown) => {
    process.exitCode = undefined;
    try {
      await runCommand(main);
      return process.exitCode;
    } finally {
      process.exitCode = before;
    }
  };

  it('is what it resolves to', async () => {
    expect(await exitCodeAfter(() => 3)).toBe(3);
  });

  it('is 1 after an error', async () => {
    const printed = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const failing = () => {
      throw new OperatorError('No. Try --help.');
    };
    expect(await exitCodeAfter(failing)).toBe(1);
    expect(printed).toHaveBeenCalledWith('\nNo. Try --help.\n');
  });

  it('is that of a program that it has loaded', async () => {
    expect(await exitCodeAfter(() => void (process.exitCode = 1))).toBe(1);
  });
});
