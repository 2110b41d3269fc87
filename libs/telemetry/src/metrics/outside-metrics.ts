/** What alert rules and dashboards may name that no service tells: whose it is, and what. */
export const OUTSIDE_METRICS = {
  up: 'Prometheus: 1 when it could read an instance at its last try.',
  ALERTS: 'Prometheus: an alert that is pending or firing.',
  node_filesystem_avail_bytes: 'node-exporter: free space of a file system, as far as services may use it.',
  node_filesystem_size_bytes: 'node-exporter: the size of a file system.',
} as const;
