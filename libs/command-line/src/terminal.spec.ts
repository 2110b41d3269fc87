import { parseFlags, wholeNumber } from './terminal';

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
