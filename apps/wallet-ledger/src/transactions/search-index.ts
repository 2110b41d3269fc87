import { addToSearch } from '@stablecoin/ledger-store/transaction-search';
import { FollowingTable } from '../followers/log-follower';

/** `transaction_search`: makes transactions findable by any part of their ids. */
export const SEARCH_INDEX: FollowingTable = { name: 'transaction_search', add: addToSearch };
