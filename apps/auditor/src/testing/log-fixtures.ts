/**
 * Logs as released versions wrote them, committed under apps/auditor/fixtures: `<version>.log.jsonl` as `audit export`
 * prints it, and `<version>.projections.jsonl`, a line {"table","row"} per row that must follow from it. They are never
 * edited. A version that writes other events adds its own: `NEW_LOG_FIXTURE=<version>` lets the specs write them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { recordedEvent } from '@stablecoin/ledger-store/event-rows';
import { EventRow, lookUpColumns } from '@stablecoin/ledger-store/event-rows';
import { exportLine } from '../export/export';
import { eventfulLog, judgedLog, overdrawnLog, returnedLog } from '@stablecoin/ledger-log/testing/driven-log';

const FOLDER = resolve(__dirname, '../../fixtures');

export const newFixture = process.env['NEW_LOG_FIXTURE'];

/** The names of all fixtures, oldest first. */
export const fixtureNames = (): string[] =>
  readdirSync(FOLDER)
    .flatMap((file) => /^(.+)\.log\.jsonl$/.exec(file)?.[1] ?? [])
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));

export const fixtureLog = (name: string): EventRow[] => linesOf(`${name}.log.jsonl`).map(rowOfExportLine);
export const fixtureProjections = (name: string): string[] => linesOf(`${name}.projections.jsonl`);

export const writeFixtureLog = (name: string, rows: readonly EventRow[]) =>
  writeFileSync(join(FOLDER, `${name}.log.jsonl`), rows.map(exportLine).join(''));
export const writeFixtureProjections = (name: string, lines: readonly string[]) =>
  writeFileSync(join(FOLDER, `${name}.projections.jsonl`), lines.map((line) => `${line}\n`).join(''));

/** What this version writes: every event type and movement, on five shards. */
export const writtenToday = (): EventRow[] =>
  [eventfulLog(0), eventfulLog(1), returnedLog(2), overdrawnLog(3), judgedLog(4)].flatMap(({ rows }) => rows);

const linesOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8').split('\n').filter(Boolean);

function rowOfExportLine(line: string): EventRow {
  const { shard, position, hash, body } = JSON.parse(line) as Record<'hash' | 'body', string> & EventRow;
  const { recorded_at, event } = recordedEvent(body);
  return { shard, position, recorded_at, ...lookUpColumns(event), body, hash: Buffer.from(String(hash), 'hex') };
}
