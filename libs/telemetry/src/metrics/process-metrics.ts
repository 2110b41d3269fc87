import { collectDefaultMetrics } from 'prom-client';
import { registry } from './instruments';

/** What prom-client itself tells of a process that operators look at; it tells more. Held against it by a test. */
export const PROCESS_METRICS = {
  process_start_time_seconds: 'When the process began; it changes with each restart.',
  process_cpu_seconds_total: 'Processor time used.',
  process_resident_memory_bytes: 'Memory that the process holds.',
  process_open_fds: 'Open files and sockets.',
  process_max_fds: 'How many it may have.',
  nodejs_eventloop_lag_p99_seconds: 'How late the event loop is, 99th percentile since the last scrape.',
  nodejs_heap_size_used_bytes: "JavaScript's heap in use.",
  nodejs_heap_size_total_bytes: 'And as large as it has grown.',
  nodejs_gc_duration_seconds: 'Pauses for garbage collection, by `kind`.',
} as const;

/** Registers the metrics of the process itself; once per process. */
export function measureProcess(): void {
  if (registry.getSingleMetric('process_start_time_seconds')) return;
  collectDefaultMetrics({ register: registry });
}
