import { useQuery } from '@tanstack/react-query';
import { AsOf } from '../shell/as-of';
import { servicesQuestion } from './questions';
import { ParkedFactsCard } from './parked-facts-card';
import { ServicesCard } from './services-card';
import { ShardsCard } from './shards-card';

/** How the services fare: which instances are there, who writes which part of the log, what could not be handled. */
export function OperationsPage() {
  const { dataUpdatedAt } = useQuery(servicesQuestion);
  return (
    <>
      <header className="page-header">
        <h1>Operations</h1>
        <AsOf at={dataUpdatedAt} keys={[['operations']]} />
      </header>
      <div className="stack">
        <ServicesCard />
        <ShardsCard />
        <ParkedFactsCard />
      </div>
    </>
  );
}
