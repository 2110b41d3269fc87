import { csvLine } from './csv';

it.each([
  [['a', null, ''], 'a,,'],
  [['Ada "the first", Obi', 'two\nlines'], '"Ada ""the first"", Obi","two\nlines"'],
  [
    ['=HYPERLINK("https://evil.example")', '+1', '-1', '-1.50000000', '@x', '\tx'],
    `"'=HYPERLINK(""https://evil.example"")",'+1,-1,-1.50000000,'@x,'\tx`,
  ],
  [['-1+2', '\r=1'], `'-1+2,"'\r=1"`],
  [['Ọlá 🏦'], 'Ọlá 🏦'],
])('%j is the line %j', (cells, line) => {
  expect(csvLine(cells)).toBe(`${line}\r\n`);
});
