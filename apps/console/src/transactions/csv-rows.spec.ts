import { CsvRows } from './csv-rows';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('the rows of a CSV that arrives in pieces', () => {
  it('are counted without the headings, wherever the pieces are cut', () => {
    const whole = bytes('id,note\r\n1,"two\nlines, ""quoted"""\r\n2,x\r\n');
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const rows = new CsvRows();
      rows.add(whole.subarray(0, cut));
      rows.add(whole.subarray(cut));
      expect(rows.count).toBe(2);
    }
  });

  it('are none before anything came, and none with the headings alone', () => {
    const rows = new CsvRows();
    expect(rows.count).toBe(0);
    rows.add(bytes('id,note\r\n'));
    expect(rows.count).toBe(0);
  });
});
