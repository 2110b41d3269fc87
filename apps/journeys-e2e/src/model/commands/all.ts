/** Which commands a sequence is made of, and how often each comes. */
import fc from 'fast-check';
import { Model } from '../model';
import { Step } from '../step';
import { World } from '../world';
import { closures, customerLookUps, customerUpdates, registrations } from './customers';
import { depositOutcomes, deposits } from './deposits';
import { foreignIds } from './foreign-ids';
import { customerLists, methodLists, transactionLists, transactionLookUps, walletLists } from './lists';
import { methodAdditions, methodDeletions } from './payout-methods';
import { judgements, outcomes, payouts, payoutsAtOnce } from './payouts';
import { newTries, repetitions } from './repetitions';
import { restarts } from './restarts';
import { quotes, refreshes, swapLookUps, swaps } from './swaps';
import { walletLookUps, walletOpenings } from './wallets';

const WEIGHTS: [fc.Arbitrary<Step>, weight: number][] = [
  [registrations, 6],
  [customerUpdates, 4],
  [closures, 3],
  [customerLookUps, 1],
  [walletOpenings, 12],
  [walletLookUps, 2],
  [deposits, 16],
  [depositOutcomes, 7],
  [quotes, 9],
  [refreshes, 3],
  [swaps, 10],
  [swapLookUps, 1],
  [payouts, 14],
  [payoutsAtOnce, 3],
  [outcomes, 10],
  [judgements, 12],
  [methodAdditions, 3],
  [methodDeletions, 2],
  [repetitions, 7],
  [newTries, 4],
  [transactionLists, 7],
  [transactionLookUps, 2],
  [customerLists, 2],
  [walletLists, 2],
  [methodLists, 2],
  [foreignIds, 3],
];

type Command = fc.AsyncCommand<Model, World>;

/** Commands that are not possible when their turn comes are left out: of this many drawn ones ten to thirty remain. */
const MOST = 70;

export function sequences(withRestarts: boolean): fc.Arbitrary<Iterable<Command>> {
  const weights: typeof WEIGHTS = withRestarts ? [...WEIGHTS, [restarts, 6]] : WEIGHTS;
  const command = fc.oneof(...weights.map(([arbitrary, weight]) => ({ arbitrary: arbitrary, weight })));
  return fc.commands([command], { maxCommands: MOST, size: 'max' });
}
