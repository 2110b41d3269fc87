import { add, compare, fromMinorUnits, subtract, toMinorUnits } from './amounts';

describe('Amounts', () => {
  it('are added and subtracted exactly, whatever their size', () => {
    expect(add('0.1', '0.2')).toBe('0.3');
    expect(add('1.10', '2')).toBe('3.10');
    expect(add('999999999999999999.99999999', '0.00000001')).toBe('1000000000000000000.00000000');
    expect(subtract('1', '2.5')).toBe('-1.5');
    expect(subtract('2.5', '2.50000000')).toBe('0.00000000');
  });

  it('are compared as amounts, not as texts', () => {
    expect(compare('9.99', '10.1')).toBe(-1);
    expect(compare('1.5', '1.50000000')).toBe(0);
    expect(compare('0.00000002', '0.00000001')).toBe(1);
    expect(['10', '9.5', '-1'].sort(compare)).toEqual(['-1', '9.5', '10']);
  });

  it('become whole numbers of the smallest unit, and come back', () => {
    expect(toMinorUnits('10.50000000', 'USD')).toBe(1050n);
    expect(toMinorUnits('0.000001', 'USDT')).toBe(1n);
    expect(toMinorUnits('-3', 8)).toBe(-300000000n);
    expect(fromMinorUnits(1050n, 'USD')).toBe('10.50');
    expect(fromMinorUnits(-5n, 'USD')).toBe('-0.05');
    expect(fromMinorUnits(7n, 0)).toBe('7');
  });

  it('are never rounded: what is finer than the unit is refused', () => {
    expect(() => toMinorUnits('10.505', 'USD')).toThrow(new RangeError('10.505 has more than 2 decimals.'));
  });

  it.each(['', '1e3', '1.', '.5', '+1', '1,000', ' 1', 'NaN', '0x10'])('"%s" is none', (text) => {
    expect(() => add(text, '1')).toThrow(RangeError);
  });

  it('are in a currency of the service', () => {
    expect(() => toMinorUnits('1', 'DOGE' as 'USD')).toThrow('DOGE is no currency of the service.');
  });
});
