const PATHS = {
  transactions: 'M4 7h13m0 0-3-3m3 3-3 3M20 17H7m0 0 3-3m-3 3 3 3',
  overview: 'M5 20V11m7 9V4m7 16v-6',
  deposits: 'M12 4v10m0 0 4-4m-4 4-4-4M4 15v4h16v-4',
  approvals: 'm5 12.5 4.5 4.5L19 7.5',
  pay: 'M4 12 20 4l-5.500 16-3-6.500L4 12Zm7.500 1.500L20 4',
  swap: 'M7 20V5m0 0L3.500 8.500M7 5l3.500 3.500M17 4v15m0 0 3.500-3.500M17 19l-3.500-3.500',
  wallets: 'M4 7.5h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-10Zm0 0 11-3v3m1.500 6h.01',
  customers:
    'M5 4h14v16H5zM12 12a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Zm-4 5c0-2 1.800-3.500 4-3.500s4 1.500 4 3.500',
  cases: 'M9 4h6v3H9zM15 5.500h4V20H5V5.500h4m-1 8 2.500 2.500 5-5',
  webhooks: 'M13 3 5 14h6l-1 7 8-11h-6l1-7Z',
  keys: 'M14 10a4 4 0 1 0-3.500-2L4 14.500V18h3v-2h2v-2h2l1.500-1.500',
  members:
    'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-6 8c0-3 2.700-5 6-5s6 2 6 5m1-13.800a3 3 0 0 1 0 5.600m2 3.800c1.900.700 3 2.300 3 4.400',
  activity: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  merchants: 'M4 10h16M5 10v10h14V10M4 10l2-6h12l2 6M10 20v-5h4v5',
  treasury: 'M4 6h16v13H4zM4 9h16M15.500 14a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
  operations: 'M3 12h4l3-8 4 16 3-8h4',
  reconciliation: 'M12 4v16M5 7h14M5 7l-3 7h6L5 7Zm14 0-3 7h6l-3-7Z',
  checkpoints: 'M12 3 5 6v5c0 4.500 3 8 7 10 4-2 7-5.500 7-10V6l-7-3Zm-3 9 2.200 2.200L15.500 10',
  verification: 'M20 12a8 8 0 1 1-4-6.900M8.500 11.500l3 3L21 5',
  balances: 'M12 4v16M7 20h10M5 8h14M5 8l-2 5h4L5 8Zm14 0-2 5h4l-2-5Z',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7 8c0-3.300 3.100-6 7-6s7 2.700 7 6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'm6 6 12 12M18 6 6 18',
  search: 'm20 20-4.500-4.500M17 10.500a6.500 6.500 0 1 1-13 0 6.500 6.500 0 0 1 13 0Z',
  download: 'M12 4v11m0 0 4-4m-4 4-4-4M5 20h14',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  back: 'm14 6-6 6 6 6',
} as const;

export type IconName = keyof typeof PATHS;

/** Beside a text that says the same: screen readers pass over it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
