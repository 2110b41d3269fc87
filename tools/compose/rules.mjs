// What the schema has no word for: how a service of ours has to be run. Each rule gives one line for what breaks it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../stack/paths.mjs';
import { bytes, environmentOf, milliseconds } from './compose-file.mjs';

/** Longer than service-host gives a service to end what it has begun, after the lead in which a gateway still accepts. */
const GRACE_MIN_MS = 15_000;
const SECRET_NAME = /(_KEY|_SEED|PASSWORD|DATABASE_URL|NATS_URL|TOKEN)$/;
const PUBLISHED = ['gateway', 'grafana'];
const WAYS_OUT = ['entry', 'dashboards', 'outbound'];

/** One line for each service that breaks a rule. */
export function brokenRules(model) {
  return Object.entries(model.services).flatMap(([name, service]) => [
    ...forAll(name, service, model),
    ...(service.image.startsWith('postgres:') || service.image.startsWith('nats:') ? forStores(name, service) : []),
    ...(service.build !== undefined && service.restart !== 'no' ? forServices(name, service) : []),
  ]);
}

const complaints = (name, table) =>
  Object.entries(table).flatMap(([what, holds]) => (holds ? [] : [`${name}: ${what}`]));

function forAll(name, service, model) {
  const limits = service.deploy?.resources?.limits ?? {};
  const environment = environmentOf(service);
  const inPlain = Object.keys(environment).filter(
    (variable) => SECRET_NAME.test(variable) && environment[variable] !== '',
  );
  const mounted = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'));
  const unnamed = mounted.filter((path) => !(service.secrets ?? []).includes(path.slice('/run/secrets/'.length)));
  return complaints(name, {
    'its file system is to be read only': service.read_only === true,
    'it is to have no capability': service.cap_drop?.includes('ALL') && service.cap_add === undefined,
    'it is to gain no privilege': service.security_opt?.includes('no-new-privileges:true'),
    'it needs limits of processor, memory and processes': limits.cpus && limits.memory && limits.pids,
    'it needs a restart policy': service.restart !== undefined,
    'with a container_name it could not be scaled': service.container_name === undefined,
    'its image needs an exact version':
      service.build !== undefined || /:[^:]*\d/.test(service.image) || /:local$/.test(service.image),
    [`${inPlain.join(', ')} belongs into a secret`]: inPlain.length === 0,
    [`${unnamed.join(', ')} is not among its secrets`]: unnamed.length === 0,
    'only the gateway and Grafana are to be reached from outside':
      service.ports === undefined || PUBLISHED.includes(name),
    'what it mounts is to be there': boundFolders(service).every((folder) => existsSync(join(ROOT, folder))),
    'its networks are to be named':
      Array.isArray(service.networks) && service.networks.every((network) => model.networks[network]),
  });
}

/** Folders of the checkout that it mounts and can't start without. */
const boundFolders = ({ volumes = [], profiles }) =>
  (profiles === undefined ? volumes : [])
    .map((volume) => volume.split(':')[0])
    .filter((source) => source.startsWith('./'));

const forStores = (name, service) =>
  complaints(name, {
    'databases and broker are to have no way in from outside, or out': !service.networks.some((network) =>
      WAYS_OUT.includes(network),
    ),
  });

function forServices(name, service) {
  const heap = /--max-old-space-size=(\d+)/.exec(environmentOf(service).NODE_OPTIONS ?? '')?.[1];
  const memory = bytes(service.deploy.resources.limits.memory);
  const graceMin = GRACE_MIN_MS + Number(environmentOf(service).DRAIN_LEAD_MS ?? 0);
  return complaints(name, {
    'it needs a health check': service.healthcheck?.test?.[0] === 'CMD',
    [`its stop grace is to be ${graceMin / 1000} s or more`]:
      milliseconds(service.stop_grace_period ?? '10s') >= graceMin,
    "Node's heap is to fit into its memory, with a third to spare": heap && Number(heap) * 2 ** 20 <= memory * 0.67,
    'the gateway is not to reach a database': name !== 'gateway' || !service.networks.includes('data'),
  });
}
