import { Counter, Gauge, Histogram, register } from 'prom-client'

// All metrics of the server. Labels must have few values: operators, but no regions, vehicles or ids of keys.

const latencyBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 10]
const longBuckets = [0.01, 0.1, 0.5, 1, 5, 30, 60, 300, 1800]

export const httpDuration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Duration of requests, by route template',
  labelNames: ['route', 'method', 'status'],
  buckets: latencyBuckets,
})
export const httpInFlight = new Gauge({ name: 'http_in_flight', help: 'Requests in progress' })
export const eventLoopLag = new Gauge({
  name: 'event_loop_lag_seconds',
  help: 'Delay of the event loop since the last scrape',
  labelNames: ['quantile'],
})
export const processCpu = new Gauge({
  name: 'process_cpu_seconds_total',
  help: 'CPU time of the process, seconds',
})
export const processMemory = new Gauge({
  name: 'process_resident_memory_bytes',
  help: 'Memory of the process, embedded stores included',
})
export const processStart = new Gauge({
  name: 'process_start_time_seconds',
  help: 'When the process started, seconds since 1970',
})
export const processHeap = new Gauge({
  name: 'process_heap_used_bytes',
  help: 'Used part of the JavaScript heap',
})
export const poolSize = new Gauge({
  name: 'db_pool_size',
  help: 'Connections or sessions of a store',
  labelNames: ['store'],
})
export const poolWait = new Histogram({
  name: 'db_pool_wait_seconds',
  help: 'Time that a query waited for a connection or session',
  labelNames: ['store'],
  buckets: latencyBuckets,
})
export const factQueryDuration = new Histogram({
  name: 'ch_query_duration_seconds',
  help: 'Time of queries to the fact store, by kind: read, export, change, insert',
  labelNames: ['kind'],
  buckets: longBuckets,
})
export const factSessionsBusy = new Gauge({
  name: 'ch_session_pool_busy',
  help: 'Queries that the fact store is running',
})
export const ingestRows = new Counter({
  name: 'ingest_rows_total',
  help: 'Records that were received, by source (pull, push, file) and result (accepted, set_aside, repeated)',
  labelNames: ['source', 'result'],
})
export const ingestLag = new Gauge({
  name: 'ingest_lag_seconds',
  help: 'Age of the newest record of a feed',
  labelNames: ['operator', 'feed'],
})
export const feedLastSuccess = new Gauge({
  name: 'feed_last_success_timestamp',
  help: 'When a feed last succeeded, seconds since 1970',
  labelNames: ['operator', 'feed'],
})
export const feedInterval = new Gauge({
  name: 'feed_interval_seconds',
  help: 'Expected interval between new data of a feed',
  labelNames: ['operator', 'feed'],
})
export const jobsQueued = new Gauge({
  name: 'jobs_queued',
  help: 'Runs of a job that wait in the queue',
  labelNames: ['queue'],
})
export const jobsRunning = new Gauge({
  name: 'jobs_running',
  help: 'Runs of a job in this process',
  labelNames: ['queue'],
})
export const jobsFailed = new Counter({
  name: 'jobs_failed',
  help: 'Runs of a job that failed since the process started',
  labelNames: ['queue'],
})
export const jobDuration = new Histogram({
  name: 'job_duration_seconds',
  help: 'Time of a job’s runs',
  labelNames: ['queue'],
  buckets: longBuckets,
})
export const rollupWatermark = new Gauge({
  name: 'rollup_watermark_seconds',
  help: 'Age of the oldest data that waits to be derived, by product',
  labelNames: ['product'],
})
export const livePositions = new Gauge({ name: 'live_positions', help: 'Vehicles in the live map’s memory' })
export const sseClients = new Gauge({ name: 'sse_clients', help: 'Open streams of server-sent events' })
export const mailSent = new Counter({ name: 'mail_sent_total', help: 'Mails that the mail server accepted' })
export const mailFailed = new Counter({ name: 'mail_failed_total', help: 'Failed attempts to send mails' })
export const webhookDelivered = new Counter({
  name: 'webhook_delivered_total',
  help: 'Webhook messages that were accepted',
})
export const webhookFailed = new Counter({
  name: 'webhook_failed_total',
  help: 'Failed attempts to deliver webhook messages',
})
export const keyRequests = new Counter({
  name: 'api_key_requests_total',
  help: 'Requests with a key or token, by interface and result (ok, refused, failed)',
  labelNames: ['class', 'result'],
})
export const authFailures = new Counter({
  name: 'auth_failures_total',
  help: 'Refused sign-ins and tokens',
  labelNames: ['reason'],
})
export const backupLastSuccess = new Gauge({
  name: 'backup_last_success_timestamp',
  help: 'When the newest backup was made, seconds since 1970; 0: none',
})
export const backupLastVerified = new Gauge({
  name: 'backup_last_verified_timestamp',
  help: 'When a backup was last verified by restoring it, seconds since 1970; 0: never',
})
export const diskFree = new Gauge({
  name: 'disk_free_bytes',
  help: 'Free space of a volume',
  labelNames: ['volume'],
})
export const diskSize = new Gauge({
  name: 'disk_size_bytes',
  help: 'Size of a volume',
  labelNames: ['volume'],
})
export const migrationsPending = new Gauge({
  name: 'migrations_pending',
  help: 'Migrations that a store has not applied',
  labelNames: ['store'],
})
export const serverReady = new Gauge({ name: 'server_ready', help: '1: ready for requests; 0: not ready' })
export const buildInfo = new Gauge({
  name: 'build_info',
  help: 'Always 1; labels have the versions of the server and of Node.js',
  labelNames: ['version', 'node'],
})

/** Formats all metrics in the text format of Prometheus. */
export const formatMetrics = (): Promise<string> => register.metrics()
/** The media type of that text. */
export const metricsMediaType = register.contentType
