// A service of docker-compose.yml as a process: the command, environment and secrets that the file and the image give it,
// run from the image's folder with the image's Node. What a container would have of its own is mapped to this machine: the
// names of other services and their ports to loopback, /run/secrets to a folder with exactly the service's secrets, its own
// ports to free ones; and as root, the process gets the user id that `node` has in the image, so that it can change no file
// of the image.

import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { freePort } from '@stablecoin/local-stack/ports';
import { lastLines } from '@stablecoin/local-stack/postgres';
import { environmentOf, milliseconds, type ComposeService, type HealthCheck } from '../compose/compose-file';
import type { Image } from '../dockerfile/image-folders';

const NODE_USER_ID = 1000;
const POLL_MS = 50;
const HEALTH_POLL_MS = 250;
const COMMAND_TIMEOUT_MS = 120_000;
const SECRETS_FOLDER = '/run/secrets/';
const OWN_PORTS = ['PORT', 'OPERATIONS_PORT'];
/** What compose takes for what a health check or a service leaves out. */
const DEFAULTS = { interval: '30s', timeout: '30s', retries: 3, startPeriod: '0s', grace: '10s' };
