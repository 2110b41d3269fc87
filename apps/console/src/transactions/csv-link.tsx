import { useRef, useState } from 'react';
import { refusalOf, unreachable } from '../api/refusal';
import { useNamedMerchant } from '../merchants/named-merchant';
import { Icon } from '../shell/icon';
import { saveFile } from '../shell/save-file';
import { CsvRows } from './csv-rows';
import { csvAddress, type TransactionFilters } from './filters';

/** Up to here the page collects the file and shows how far it is; above, the browser writes it to the disk by itself. */
const COLLECTED_ROWS_MAX = 250_000;
const FILE_NAME = 'transactions.csv';

type Progress = { rows: number } | { failed: string };

export function CsvLink({ filters, total }: { filters: TransactionFilters; total: number }) {
  const [progress, setProgress] = useState<Progress>();
  const abort = useRef<AbortController>(undefined);
  const address = csvAddress(useNamedMerchant(), filters);
  const label = (
    <>
      <Icon name="download" />
      Export CSV
    </>
  );
  if (total > COLLECTED_ROWS_MAX) {
    return (
      <a className="button" href={address} download={FILE_NAME}>
        {label}
      </a>
    );
  }
  const download = async () => {
    abort.current = new AbortController();
    setProgress({ rows: 0 });
    try {
      saveFile(await collected(address, abort.current.signal, (rows) => setProgress({ rows })), FILE_NAME);
      setProgress(undefined);
    } catch (error) {
      const failed = error instanceof Error ? error.message : String(error);
      setProgress(abort.current.signal.aborted ? undefined : { failed });
    }
  };
  if (progress !== undefined && 'rows' in progress) {
    return (
      <span className="export" role="status">
        <progress max={Math.max(total, 1)} value={progress.rows} aria-label="Export" />
        <span>
          {progress.rows.toLocaleString('en')} of {total.toLocaleString('en')}
        </span>
        <button type="button" className="button small" onClick={() => abort.current?.abort()}>
          Cancel
        </button>
      </span>
    );
  }
  return (
    <span className="export">
      {progress === undefined ? null : (
        <span className="bad" role="alert">
          {progress.failed}
        </span>
      )}
      <button type="button" className="button" disabled={total === 0} onClick={() => void download()}>
        {label}
      </button>
    </span>
  );
}

async function collected(address: string, signal: AbortSignal, onRows: (rows: number) => void): Promise<Blob> {
  const response = await fetch(address, { signal }).catch(() => {
    throw unreachable();
  });
  if (!response.ok || response.body === null) {
    throw refusalOf(response.status, await response.json().catch(() => undefined));
  }
  const rows = new CsvRows();
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      rows.add(chunk);
      onRows(rows.count);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counted)).blob();
}
