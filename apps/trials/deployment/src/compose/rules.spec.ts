import { readComposeFile, type ComposeModel, type ComposeService } from './compose-file';
import { brokenRules } from './rules';

const read = readComposeFile({ variables: { CHECKPOINT_ORIGIN: 'test' } });
const composeFile = () => structuredClone(read);

function serviceOf(model: ComposeModel, name: string): ComposeService {
  const service = model.services[name];
  if (service === undefined) throw new Error(`There is no service ${name}.`);
  return service;
}

/** Each rule with a change that breaks only it. */
const BREAKS: [rule: string, change: (service: ComposeService) => unknown][] = [
  ['its file system is to be read only', (service) => (service.read_only = false)],
  ['it is to have no capability', (service) => (service.cap_add = ['NET_ADMIN'])],
  ['it is to gain no privilege', (service) => (service.security_opt = [])],
  ['it needs limits of processor, memory and processes', (service) => delete service.deploy?.resources?.limits?.pids],
  ['it needs a restart policy', (service) => delete service.restart],
  ['with a container_name it could not be scaled', (service) => (service.container_name = 'payout')],
  ['BUS_KEY belongs into a secret', (service) => Object.assign(service.environment ?? {}, { BUS_KEY: 'in plain' })],
  ['/run/secrets/bus_key is not among its secrets', (service) => service.secrets?.shift()],
  [
    "it is to have no other service's key, and the ledger's of all alone",
    (service) => service.secrets?.push('gateway_command_key'),
  ],
  ["the tables' owner is to be no service", (service) => service.secrets?.push('payout_migration_database_url')],
  ['only the gateway, the console and Grafana are to be reached from outside', (service) => (service.ports = ['9400'])],
  ['what it mounts is to be there', (service) => (service.volumes = ['./deploy/elsewhere:/x:ro'])],
  ['its networks are to be named', (service) => service.networks?.push('elsewhere')],
  ['it needs a health check', (service) => delete service.healthcheck],
  ['its stop grace is to be 15 s or more', (service) => delete service.stop_grace_period],
  [
    "Node's heap is to fit into its memory, with a third to spare",
    (service) => Object.assign(service.environment ?? {}, { NODE_OPTIONS: '--max-old-space-size=384' }),
  ],
];

describe('rules of docker-compose.yml', () => {
  it('are kept by ours', () => expect(brokenRules(composeFile())).toEqual([]));

  it.each(BREAKS)('%s', (rule, change) => {
    const model = composeFile();
    change(serviceOf(model, 'payout'));
    expect(brokenRules(model)).toEqual([`payout: ${rule}`]);
  });

  it('keep the master key of personal data from the gateway', () => {
    const model = composeFile();
    serviceOf(model, 'gateway').secrets?.push('personal_data_previous_key');
    expect(brokenRules(model)).toEqual([
      'gateway: what is reached from outside is to have no key that opens personal data',
    ]);
  });

  it('keep stores and the gateway apart, and versions exact', () => {
    const model = composeFile();
    serviceOf(model, 'postgres').networks?.push('outbound');
    serviceOf(model, 'gateway').networks?.push('data');
    serviceOf(model, 'nats').image = 'nats:latest';
    expect(brokenRules(model)).toHaveLength(3);
  });
});
