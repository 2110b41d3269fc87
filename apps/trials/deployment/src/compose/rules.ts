// Rules for our services that the schema can't express. Each rule gives one line for every service that breaks it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { bytes, environmentOf, milliseconds, type ComposeModel, type ComposeService } from './compose-file';

/** Longer than service-host lets a service finish its work, after the lead in which a gateway still takes requests. */
const GRACE_MIN_MS = 15_000;
const DEFAULT_GRACE = '10s';
/** The share of a service's memory for Node's heap; the rest is for everything else. */
const HEAP_SHARE_MAX = 0.67;
const SECRET_NAME = /(_KEYS?|_SEED|PASSWORD|DATABASE_URL|NATS_URL|TOKEN)$/;
const SECRETS_FOLDER = '/run/secrets/';
/** By which the ledger knows a service; and what it knows of all of them. */
const COMMAND_KEY = /_command_key$/;
const CALLER_KEYS = 'command_caller_keys';
/** Of the tables' owner, who may change what no service may. */
const OWNERS_LOGIN = /_migration_database/;
const OWNERS = ['migrate', 'shards'];
const MASTER_KEY = /^personal_data_/;
const PUBLISHED = ['gateway', 'backoffice', 'grafana'];
const WAYS_OUT = ['entry', 'dashboards', 'outbound'];

/** One line for each service that breaks a rule. */
export function brokenRules(model: ComposeModel): string[] {
  return Object.entries(model.services).flatMap(([name, service]) => [
    ...forAll(name, service, model),
    ...(/^(postgres|nats):/.test(service.image) ? forStores(name, service) : []),
    ...(service.build !== undefined && service.restart !== 'no' ? forServices(name, service) : []),
  ]);
}

/** @param table each rule in words, and whether it holds */
const complaints = (name: string, table: Record<string, boolean>) =>
  Object.entries(table).flatMap(([rule, holds]) => (holds ? [] : [`${name}: ${rule}`]));

function forAll(name: string, service: ComposeService, model: ComposeModel): string[] {
  const limits = service.deploy?.resources?.limits ?? {};
  const environment = Object.entries(environmentOf(service));
  const inPlain = environment.filter(([variable, value]) => SECRET_NAME.test(variable) && value !== '');
  const mounted = environment.map(([, value]) => value).filter((value) => value.startsWith(SECRETS_FOLDER));
  const unnamed = mounted.filter((path) => !service.secrets?.includes(path.slice(SECRETS_FOLDER.length)));
  const { networks } = service;
  return complaints(name, {
    'its file system is to be read only': service.read_only === true,
    'it is to have no capability': service.cap_drop?.includes('ALL') === true && service.cap_add === undefined,
    'it is to gain no privilege': service.security_opt?.includes('no-new-privileges:true') === true,
    'it needs limits of processor, memory and processes': [limits.cpus, limits.memory, limits.pids].every(Boolean),
    'it needs a restart policy': service.restart !== undefined,
    'with a container_name it could not be scaled': service.container_name === undefined,
    'its image needs an exact version': service.build !== undefined || hasExactVersion(service.image),
    [`${inPlain.map(([variable]) => variable).join(', ')} belongs into a secret`]: inPlain.length === 0,
    [`${unnamed.join(', ')} is not among its secrets`]: unnamed.length === 0,
    "it is to have no other service's key, and the ledger's of all alone": (service.secrets ?? []).every((secret) =>
      isOwnKey(name, secret),
    ),
    "the tables' owner is to be no service":
      OWNERS.includes(name) || !service.secrets?.some((secret) => OWNERS_LOGIN.test(secret)),
    'what is reached from outside is to have no key that opens personal data':
      !PUBLISHED.includes(name) || !service.secrets?.some((secret) => MASTER_KEY.test(secret)),
    'only the gateway, the console and Grafana are to be reached from outside':
      service.ports === undefined || PUBLISHED.includes(name),
    'what it mounts is to be there': boundFolders(service).every((folder) => existsSync(join(ROOT, folder))),
    'its networks are to be named':
      Array.isArray(networks) && networks.every((network) => Boolean(model.networks[network])),
  });
}

function isOwnKey(name: string, secret: string): boolean {
  if (secret === CALLER_KEYS) return name === 'wallet-ledger';
  return !COMMAND_KEY.test(secret) || secret === `${name.replaceAll('-', '_')}_command_key`;
}

const hasExactVersion = (image: string) => /:[^:]*\d/.test(image) || image.endsWith(':local');

/** Folders of the checkout that it mounts and can't start without. */
const boundFolders = ({ volumes = [], profiles }: ComposeService) =>
  (profiles === undefined ? volumes : [])
    .map((volume) => volume.split(':')[0] ?? '')
    .filter((source) => source.startsWith('./'));

const forStores = (name: string, { networks = [] }: ComposeService) =>
  complaints(name, {
    'databases and broker are to have no way in from outside, or out': !networks.some((network) =>
      WAYS_OUT.includes(network),
    ),
  });

function forServices(name: string, service: ComposeService): string[] {
  const environment = environmentOf(service);
  const heapMegabytes = Number(/--max-old-space-size=(\d+)/.exec(environment['NODE_OPTIONS'] ?? '')?.[1]);
  const memory = bytes(service.deploy?.resources?.limits?.memory ?? 0);
  const graceMin = GRACE_MIN_MS + Number(environment['DRAIN_LEAD_MS'] ?? 0);
  return complaints(name, {
    'it needs a health check': service.healthcheck?.test[0] === 'CMD',
    [`its stop grace is to be ${graceMin / 1000} s or more`]:
      milliseconds(service.stop_grace_period ?? DEFAULT_GRACE) >= graceMin,
    "Node's heap is to fit into its memory, with a third to spare": heapMegabytes * 2 ** 20 <= memory * HEAP_SHARE_MAX,
    'the gateway is not to reach a database': name !== 'gateway' || service.networks?.includes('data') !== true,
  });
}
