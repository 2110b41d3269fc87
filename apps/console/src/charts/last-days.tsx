interface Props {
  ranges: readonly number[];
  days: number;
  change: (days: number) => void;
}

/** Of how many days a chart is, today included. */
export function LastDays({ ranges, days, change }: Props) {
  return (
    <label className="switch">
      <span>Last</span>
      <select value={days} onChange={({ target }) => change(Number(target.value))}>
        {ranges.map((range) => (
          <option key={range} value={range}>
            {range} days
          </option>
        ))}
      </select>
    </label>
  );
}
