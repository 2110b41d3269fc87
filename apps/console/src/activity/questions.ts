import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answered, backOffice, type Schema } from '../api/client';
import { choiceIn, numberIn, uuidIn } from '../shell/search';

export type ActKind = Schema<'ActKind'>;

const PAGE = 50;
export const KINDS: readonly ActKind[] = [
  ...(['money', 'people', 'sign-in', 'integration', 'customers', 'reading', 'audit'] as const),
];

export interface ActivitySearch {
  kind?: ActKind;
  member?: string;
  /** Only what was done before the act of this number. */
  before?: number;
}

/** What an address holds that is no filter is left out. */
export function activitySearchOf({ kind, member, before }: Record<string, unknown>): ActivitySearch {
  const [ofKind, byMember, earlier] = [choiceIn(KINDS, kind), uuidIn(member), numberIn(before)];
  return {
    ...(ofKind !== undefined && { kind: ofKind }),
    ...(byMember !== undefined && { member: byMember }),
    ...(earlier !== undefined && earlier > 0 && { before: earlier }),
  };
}

export const actsQuestion = ({ kind, member, before }: ActivitySearch) =>
  queryOptions({
    queryKey: ['acts', kind ?? null, member ?? null, before ?? null],
    queryFn: async () => {
      const query = {
        ...{ limit: String(PAGE), ...(kind !== undefined && { kind }) },
        ...(member !== undefined && { member_id: member }),
        ...(before !== undefined && { before: String(before) }),
      };
      return (await answered(backOffice.GET('/api/acts', { params: { query } }))).data;
    },
    placeholderData: keepPreviousData,
  });
