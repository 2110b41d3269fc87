import { useQuery } from '@tanstack/react-query';
import { AsOf } from '../shell/as-of';
import { Answered, Empty } from '../shell/states';
import { NetworkCard } from './network-card';
import { treasuryQuestion } from './questions';
import { TransfersCard } from './transfers-card';
import { UnrecognisedCard } from './unrecognised-card';

/** What we hold on chains, what is under way there, and what waits for a person. */
export function TreasuryPage() {
  const answer = useQuery(treasuryQuestion);
  const { dataUpdatedAt } = answer;
  return (
    <>
      <header className="page-header">
        <h1>Treasury</h1>
        <AsOf at={dataUpdatedAt} keys={[treasuryQuestion.queryKey]} />
      </header>
      <Answered to={answer} what="the treasury">
        {(data) =>
          data.is_away ? (
            <Empty title="The chain service does not answer">
              <p>
                It runs where a network has a node: set <code>CHAIN_RPC_ERC20</code>, <code>CHAIN_RPC_BEP20</code> or{' '}
                <code>CHAIN_RPC_POLYGON</code>, and start it with the signer. If it should run, its log says what it
                lacks.
              </p>
            </Empty>
          ) : data.networks.length === 0 ? (
            <Empty title="No network has a node">
              <p>
                Set <code>CHAIN_RPC_ERC20</code>, <code>CHAIN_RPC_BEP20</code> or <code>CHAIN_RPC_POLYGON</code> for the
                chain service: what it holds there shows after its first walk.
              </p>
            </Empty>
          ) : (
            <div className="stack">
              {data.networks.map((network) => (
                <NetworkCard key={network.status.network} holdings={network} />
              ))}
              <TransfersCard networks={data.networks} />
              <UnrecognisedCard />
            </div>
          )
        }
      </Answered>
    </>
  );
}
