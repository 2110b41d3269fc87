import { type SubmitEvent, useEffect, useState } from 'react';
import { Icon } from '../shell/icon';
import {
  activeFilters,
  CHOICES,
  type ChoiceFilter,
  type FilterName,
  filtersOf,
  type TransactionFilters,
  withFilter,
} from './filters';
import { FILTER_WORDS, wordFor } from './words';

interface Props {
  filters: TransactionFilters;
  change: (filters: TransactionFilters) => void;
}

/** The state is what people ask for first, so it stands above the list, always in sight. */
export function StatusTabs({ filters, change }: Props) {
  const choices = [undefined, ...CHOICES.status];
  return (
    <div className="tabs" role="group" aria-label="Status">
      {choices.map((status) => (
        <button
          key={status ?? 'all'}
          type="button"
          aria-pressed={filters.status === status}
          onClick={() => change(withFilter(filters, 'status', status))}
        >
          {status === undefined ? 'All' : wordFor(status)}
        </button>
      ))}
    </div>
  );
}

export function FilterBar({ filters, change }: Props) {
  const more = (['waiting_for', 'customer_id', 'transaction_id'] as const).some((name) => filters[name] !== undefined);
  const set = (name: FilterName) => (value: string) => change(withFilter(filters, name, value));
  return (
    <search>
      <SearchField value={filters.search ?? ''} submit={set('search')} />
      <details className="filter-set" open={isWide() || activeFilters(filters).length > 0}>
        <summary>Filters</summary>
        <div className="filters">
          <Choice name="transaction_type" filters={filters} change={change} />
          <Choice name="transaction_mode" filters={filters} change={change} />
          <Choice name="currency" filters={filters} change={change} />
          <label className="field">
            <span>{FILTER_WORDS.start_date} (UTC)</span>
            <input
              type="date"
              value={filters.start_date ?? ''}
              onChange={({ target }) => set('start_date')(target.value)}
            />
          </label>
          <label className="field">
            <span>{FILTER_WORDS.end_date} (UTC)</span>
            <input
              type="date"
              value={filters.end_date ?? ''}
              min={filters.start_date}
              onChange={({ target }) => set('end_date')(target.value)}
            />
          </label>
        </div>
        <details className="more-filters" open={more}>
          <summary>More filters</summary>
          <div className="filters">
            <Choice name="waiting_for" filters={filters} change={change} />
            <TextFilter name="transaction_id" filters={filters} change={change} hint="10 letters and digits" />
            <TextFilter name="customer_id" filters={filters} change={change} hint="Its id" />
          </div>
        </details>
      </details>
      <ActiveFilters filters={filters} change={change} />
    </search>
  );
}

/** On a phone they would push the list out of sight. */
const isWide = () => matchMedia('(min-width: 52.001rem)').matches;

function Choice({ name, filters, change }: Props & { name: ChoiceFilter }) {
  return (
    <label className="field">
      <span>{FILTER_WORDS[name]}</span>
      <select
        value={filters[name] ?? ''}
        onChange={({ target }) => change(withFilter(filters, name, target.value))}
        data-chosen={filters[name] !== undefined}
      >
        <option value="">Any</option>
        {CHOICES[name].map((choice) => (
          <option key={choice} value={choice}>
            {wordFor(choice)}
          </option>
        ))}
      </select>
    </label>
  );
}

function SearchField({ value, submit }: { value: string; submit: (text: string) => void }) {
  const [text, setText] = useTyped(value);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    submit(text);
  };
  return (
    <form className="field search-field" onSubmit={onSubmit}>
      <label htmlFor="search">{FILTER_WORDS.search}</label>
      <span className="with-icon">
        <Icon name="search" />
        <input
          id="search"
          type="search"
          maxLength={64}
          placeholder="Transaction’s id"
          value={text}
          onChange={({ target }) => setText(target.value)}
          onBlur={() => text !== value && submit(text)}
        />
      </span>
    </form>
  );
}

function TextFilter({ name, filters, change, hint }: Props & { name: 'customer_id' | 'transaction_id'; hint: string }) {
  const value = filters[name] ?? '';
  const [text, setText] = useTyped(value);
  const refused = text.trim() !== '' && filtersOf({ [name]: text })[name] === undefined;
  const submit = () => text !== value && !refused && change(withFilter(filters, name, text));
  return (
    <form
      className="field"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label htmlFor={name}>{FILTER_WORDS[name]}</label>
      <input
        id={name}
        type="text"
        spellCheck={false}
        placeholder={hint}
        value={text}
        aria-invalid={refused}
        onChange={({ target }) => setText(target.value)}
        onBlur={submit}
      />
    </form>
  );
}

/** What is typed, until the address says something else. */
function useTyped(value: string) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return [text, setText] as const;
}

function ActiveFilters({ filters, change }: Props) {
  const active = activeFilters(filters);
  if (active.length === 0) return null;
  return (
    <ul className="chips" aria-label="Filters in use">
      {active.map((name) => (
        <li key={name}>
          <button type="button" className="chip" onClick={() => change(withFilter(filters, name, undefined))}>
            {FILTER_WORDS[name]}: <strong>{wordFor(filters[name] ?? '')}</strong>
            <Icon name="close" />
            <span className="visually-hidden">, remove</span>
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          className="button plain small"
          onClick={() => change(filtersOf({ limit: filters.limit }))}
        >
          Clear all
        </button>
      </li>
    </ul>
  );
}
