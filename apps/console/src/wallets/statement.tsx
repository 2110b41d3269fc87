import { useState } from 'react';
import { refusalOf, unreachable } from '../api/refusal';
import { daysBefore, daysBetween, todayInUtc } from '../charts/days';
import { ActButton } from '../forms/act-button';
import { Icon } from '../shell/icon';
import { saveFile } from '../shell/save-file';

const DAYS_MAX = 366;

/** What was posted to the wallet on some days, to take along. */
export function Statement({ walletId }: { walletId: string }) {
  const today = todayInUtc();
  const [start, setStart] = useState(`${today.slice(0, 8)}01`);
  const [end, setEnd] = useState(today);
  const count = daysBetween(start, end).length;
  const address = (format: 'csv' | 'pdf') =>
    `/api/wallets/${walletId}/statement.${format}?${String(new URLSearchParams({ start_date: start, end_date: end }))}`;
  return (
    <section className="card">
      <h2>Statement</h2>
      <div className="statement-days">
        <label className="field">
          <span>First day</span>
          <input
            type="date"
            value={start}
            max={today}
            min={daysBefore(today, 3_660)}
            onChange={({ target }) => setStart(target.value)}
          />
        </label>
        <label className="field">
          <span>Last day</span>
          <input type="date" value={end} max={today} onChange={({ target }) => setEnd(target.value)} />
        </label>
      </div>
      {count >= 1 && count <= DAYS_MAX ? (
        <div className="actions">
          <a className="button" href={address('csv')} download={`statement-${start}-${end}.csv`}>
            <Icon name="download" />
            CSV
          </a>
          <PdfButton address={address('pdf')} file={`statement-${start}-${end}.pdf`} />
        </div>
      ) : (
        <p className="notice waiting" role="status">
          Choose a last day that is not before the first, and at most {DAYS_MAX} days.
        </p>
      )}
      <p className="quiet">Whole days in UTC. Each line has what the wallet held after it.</p>
    </section>
  );
}

/** A document is refused where it would be too long, and that has to be read. */
function PdfButton({ address, file }: { address: string; file: string }) {
  const [state, setState] = useState<'making' | { failed: string }>();
  const make = async () => {
    setState('making');
    try {
      saveFile(await fetched(address), file);
      setState(undefined);
    } catch (error) {
      setState({ failed: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <>
      <ActButton type="button" isBusy={state === 'making'} onClick={() => void make()}>
        <Icon name="download" />
        {state === 'making' ? 'Making the PDF…' : 'PDF'}
      </ActButton>
      {typeof state === 'object' ? (
        <span className="bad" role="alert">
          {state.failed}
        </span>
      ) : null}
    </>
  );
}

async function fetched(address: string): Promise<Blob> {
  const response = await fetch(address).catch(() => {
    throw unreachable();
  });
  if (!response.ok) throw refusalOf(response.status, await response.json().catch(() => undefined));
  return response.blob();
}
