// The first thing every command does, before a module that an old Node can't even parse is loaded.

const REQUIRED = [20, 19];

export function isNewEnough(version) {
  const parts = version.split('.').map(Number);
  return parts[0] > REQUIRED[0] || (parts[0] === REQUIRED[0] && parts[1] >= REQUIRED[1]);
}

export function requireNode(version, platform) {
  if (!isNewEnough(version)) {
    return (
      'Node ' +
      REQUIRED.join('.') +
      ' or newer is needed, this is ' +
      version +
      ': install it from https://nodejs.org and try again.'
    );
  }
  if (platform === 'win32') return 'Native Windows is not supported: run this inside WSL 2.';
  return undefined;
}

const refusal = requireNode(process.versions.node, process.platform);
if (refusal !== undefined) {
  process.stderr.write(refusal + '\n');
  process.exit(1);
}
