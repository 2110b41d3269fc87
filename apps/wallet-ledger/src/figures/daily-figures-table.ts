import { addFigures } from '@stablecoin/ledger-store/daily-figures';
import { FollowingTable } from '../followers/log-follower';

/** `daily_figures`: what charts are drawn from. */
export const DAILY_FIGURES: FollowingTable = { name: 'daily_figures', add: addFigures };
