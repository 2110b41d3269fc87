// What a migration may do while services of the version before it work on the same database: add, and nothing else. An
// upgrade expands first, and takes away only when nothing of the old version runs any more, in a migration that says since
// which version nothing needs what it takes: a first line `-- contract: 1.4`.

import { concurrentIndexOf } from './migrations';

const CONTRACT = /^-- contract: \S+/;
const NAME = '(?:IF\\s+(?:NOT\\s+)?EXISTS\\s+)?(?:ONLY\\s+)?((?:"?\\w+"?\\.)?"?\\w+"?)';

interface Rule {
  pattern: RegExp;
  /** What the old version would notice. */
  why: string;
  /** Holds only for tables that the migration doesn't make itself. */
  existing?: boolean;
}

export interface ContractingStatement {
  statement: string;
  why: string;
}

const RULES: readonly Rule[] = [
  { pattern: /\bDROP\s+(?!TRIGGER\b|CONSTRAINT\b|NOT\s+NULL\b|DEFAULT\b)(\w+)/i, why: 'takes something away' },
  { pattern: /\bRENAME\b/i, why: 'renames what the old version knows' },
  { pattern: /^(?:DO\b[^]*)?\b(?:TRUNCATE|DELETE\s+FROM)\b/i, why: 'deletes rows' },
  { pattern: /\bREVOKE\b/i, why: 'takes a right away' },
  {
    pattern: /\bALTER\s+(?:COLUMN\s+)?"?\w+"?\s+(?:SET\s+DATA\s+)?TYPE\b/i,
    why: 'changes a type, and rewrites the table',
  },
  { pattern: /\bSET\s+NOT\s+NULL\b/i, why: 'refuses rows that the old version writes' },
  {
    pattern: /\bADD\s+(?:COLUMN\s+)?(?=[^,;]*\bNOT\s+NULL\b)(?![^,;]*\bDEFAULT\b)(?!CONSTRAINT|CHECK)/i,
    why: 'adds a column that the old version leaves empty: give it a default',
  },
  {
    pattern: new RegExp(
      `\\bALTER\\s+TABLE\\s+${NAME}[^;]*\\bADD\\s+(?:CONSTRAINT|CHECK|UNIQUE|FOREIGN|PRIMARY)\\b`,
      'i',
    ),
    existing: true,
    why: 'refuses rows that the old version writes',
  },
  {
    pattern: new RegExp(`\\bCREATE\\s+UNIQUE\\s+INDEX\\b[^;]*?\\bON\\s+${NAME}`, 'i'),
    existing: true,
    why: 'refuses rows that the old version writes',
  },
  {
    pattern: new RegExp(`\\bCREATE\\s+INDEX\\s+(?!CONCURRENTLY)[^;]*?\\bON\\s+${NAME}`, 'i'),
    existing: true,
    why: 'keeps writers out while it is made: CREATE INDEX CONCURRENTLY IF NOT EXISTS, alone in its migration',
  },
];

/** What is wrong with a migration; nothing when it only adds, or says that it contracts. */
export function contractingStatements(sql: string): ContractingStatement[] {
  if (CONTRACT.test(sql)) return [];
  const statements = statementsOf(sql);
  const made = new Set(
    statements.flatMap((statement) =>
      nameIn(new RegExp(`^CREATE\\s+(?:UNLOGGED\\s+)?TABLE\\s+${NAME}`, 'i'), statement),
    ),
  );
  const findings = statements.flatMap((statement) =>
    RULES.filter(({ pattern, existing }) => {
      const found = pattern.exec(statement);
      return found !== null && !(existing && made.has(unquoted(found[1] ?? '')));
    }).map(({ why }) => ({ statement: statement.replace(/\s+/g, ' ').slice(0, 100), why })),
  );
  const concurrent = /\bCONCURRENTLY\b/i.test(statements.join(';')) && concurrentIndexOf(sql) === undefined;
  const alone =
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS stands alone in its migration, which runs without a transaction';
  return concurrent ? [...findings, { statement: 'CONCURRENTLY', why: alone }] : findings;
}

const unquoted = (name: string) => (name.replaceAll('"', '').split('.').at(-1) ?? '').toLowerCase();
const nameIn = (pattern: RegExp, statement: string) => {
  const name = pattern.exec(statement)?.[1];
  return name === undefined ? [] : [unquoted(name)];
};

/** Without comments, texts and the bodies of functions, which run later; what a DO block does, it does now. */
function statementsOf(sql: string): string[] {
  return sql
    .replace(/--.*$/gm, '')
    .replace(/(CREATE\s+(?:OR\s+REPLACE\s+)?(?:FUNCTION|PROCEDURE)\b[^;]*?)(\$\w*\$)[^]*?\2/gi, '$1')
    .replace(/\$\w*\$/g, '')
    .replace(/'(?:[^']|'')*'/g, (text) =>
      /^'\s*(ALTER|DROP|REVOKE|TRUNCATE|DELETE|RENAME)\b/i.test(text) ? text : "''",
    )
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean);
}
