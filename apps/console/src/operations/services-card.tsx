import { useQuery } from '@tanstack/react-query';
import type { Schema } from '../api/client';
import { Columns } from '../shell/columns';
import { Answered } from '../shell/states';
import { Moment } from '../times/moment';
import { servicesQuestion } from './questions';

type Service = Schema<'HeardService'>;
type Instance = Service['instances'][number];

export function ServicesCard() {
  const answer = useQuery(servicesQuestion);
  return (
    <section className="card" aria-labelledby="services">
      <h2 id="services">Services</h2>
      <Answered to={answer} what="services">
        {(data) => (
          <>
            <table className="list labelled">
              <Columns names={['Service', 'Instance', 'State', 'Started', 'Heard']} />
              <tbody>{data.services.map(rowsOf)}</tbody>
            </table>
            <p className="quiet">
              Each instance says every five seconds that it is there. This page hears them since{' '}
              <Moment at={data.listening_since} />; the chain service and the signer run only where a network has a
              node.
            </p>
          </>
        )}
      </Answered>
    </section>
  );
}

function rowsOf({ service, instances }: Service) {
  if (instances.length === 0) {
    return (
      <tr key={service}>
        <td>
          <strong>{service}</strong>
        </td>
        <td colSpan={4}>
          <span className="badge neutral">None heard</span>
        </td>
      </tr>
    );
  }
  return instances.map((instance) => (
    <tr key={`${service} ${instance.instance}`}>
      <td>
        <strong>{service}</strong>
      </td>
      <td data-label="Instance">
        <code>{instance.instance}</code>
      </td>
      <td data-label="State">
        <State instance={instance} />
      </td>
      <td data-label="Started">
        <Moment at={instance.started_at} />
      </td>
      <td data-label="Heard">
        <Moment at={instance.heard_at} style="second" />
      </td>
    </tr>
  ));
}

function State({ instance: { phase, ready, is_silent: isSilent, broken } }: { instance: Instance }) {
  if (phase === 'draining') return <span className="badge neutral">Ended</span>;
  if (isSilent) return <span className="badge bad">Silent</span>;
  if (ready) return <span className="badge good">Ready</span>;
  return (
    <>
      <span className="badge bad">Not ready</span> {broken.join('; ')}
    </>
  );
}
