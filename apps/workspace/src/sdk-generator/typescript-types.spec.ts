import { docComment } from './typescript-comments';
import { SdkModel } from './sdk-model';
import { namesIn, typesFile, typeText } from './typescript-types';

const CHOICES = { kind: 'literals', values: ['A', 'B'] } as const;
const MODEL: SdkModel = {
  version: '1.0.0',
  resources: [],
  errors: [],
  events: [{ type: 'payout.failed', summary: 'A payout failed', typeName: 'PayoutFailedEvent' }],
  types: [
    {
      name: 'Wallet',
      type: {
        kind: 'object',
        fields: [
          { name: 'id', type: { kind: 'text' }, required: true, description: 'Names it.', example: 'w-1' },
          { name: 'due-on', type: { kind: 'union', of: [{ kind: 'text' }, { kind: 'null' }] }, required: false },
        ],
      },
    },
  ],
};

describe('Types in TypeScript', () => {
  it('put a list of choices in brackets', () => {
    expect(typeText({ kind: 'list', items: CHOICES })).toBe(`('A' | 'B')[]`);
    expect(typeText({ kind: 'list', items: { kind: 'named', name: 'Wallet' } })).toBe('Wallet[]');
  });

  it('are interfaces with what each field means, and events by their type', () => {
    const text = typesFile(MODEL);
    expect(text).toContain('export interface Wallet {\n/**\n * Names it.\n * @example "w-1"\n */\nid: string;');
    expect(text).toContain(`'due-on'?: string | null;`);
    expect(text).toContain(`/** A payout failed. */\n'payout.failed': PayoutFailedEvent;`);
  });

  it('know the named types that they stand on', () => {
    const named = { kind: 'named', name: 'Wallet' } as const;
    expect(namesIn({ kind: 'union', of: [{ kind: 'list', items: named }, { kind: 'null' }] })).toEqual(['Wallet']);
  });

  it('have comments that a text of the document can’t end', () => {
    expect(docComment(['any */ text'])).toBe('/** any *\\/ text */\n');
    expect(docComment([])).toBe('');
  });
});
