import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemScope } from '#server/identity/scope.ts'
import { appVersion } from '#server/config.ts'
import type { Derivation } from '#server/derived/derivation.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import * as metrics from '#server/metrics/server-metrics.ts'
import type { LiveFleet } from '#server/live/live-fleet.ts'
import { totalSessions } from '#server/stores/workloads.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { readVolume } from './volumes.ts'

/** Sources of the gauges that are read for each scrape. */
export interface MetricSources {
  state: State
  facts: Facts
  jobs: Jobs
  derivation: Derivation
  live: LiveFleet
  folders: { data: string; backups: string }
  /** Times of the newest backup and the newest successful check, in seconds since 1970; 0 if none. */
  backups: () => Promise<{ success: number; verified: number }>
  /** Milliseconds since 1970. */
  nowMs: () => number
}

/** Gauges that need queries are read at most once in this time, whatever the number of scrapes. */
const cacheMs = 5000

const toSeconds = (nanoseconds: number): number => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0)

/** Collects the gauges that other code does not update. `collect` is to be called before each scrape. */
export function createMetricCollector(sources: MetricSources): {
  collect: () => Promise<void>
  close: () => void
} {
  const loopDelay = monitorEventLoopDelay({ resolution: 20 })
  loopDelay.enable()
  metrics.buildInfo.set({ version: appVersion, node: process.version }, 1)
  metrics.processStart.set({}, (sources.nowMs() - process.uptime() * 1000) / 1000)
  let lastRead: { startedMs: number; done: Promise<void> } | null = null
  return {
    async collect() {
      collectProcess(loopDelay)
      const startedMs = sources.nowMs()
      if (!lastRead || startedMs - lastRead.startedMs >= cacheMs)
        lastRead = { startedMs, done: collectStores(sources) }
      await lastRead.done
    },
    close: () => void loopDelay.disable(),
  }
}

function collectProcess(loopDelay: ReturnType<typeof monitorEventLoopDelay>): void {
  metrics.eventLoopLag.set({ quantile: '0.5' }, toSeconds(loopDelay.percentile(50)))
  metrics.eventLoopLag.set({ quantile: '0.99' }, toSeconds(loopDelay.percentile(99)))
  metrics.eventLoopLag.set({ quantile: '1' }, toSeconds(loopDelay.max))
  loopDelay.reset()
  const { user, system } = process.cpuUsage()
  metrics.processCpu.set({}, (user + system) / 1e6)
  const { rss, heapUsed } = process.memoryUsage()
  metrics.processMemory.set({}, rss)
  metrics.processHeap.set({}, heapUsed)
}

/** Reads gauges from all sources. If one fails, its gauges remain unchanged; the others are still read. */
async function collectStores(sources: MetricSources): Promise<void> {
  const { state, facts, live } = sources
  metrics.livePositions.set({}, live.size)
  metrics.poolSize.set({ store: 'state' }, state.maintenance.connections)
  metrics.poolSize.set({ store: 'facts' }, totalSessions)
  await Promise.allSettled([
    collectVolumes(sources.folders),
    collectFeeds(sources),
    collectJobs(sources),
    collectDerived(sources),
    ...(['state', 'facts'] as const).map(async (store) => {
      const { maintenance } = store === 'state' ? state : facts
      metrics.migrationsPending.set({ store }, (await maintenance.pendingMigrations()).length)
    }),
    sources.backups().then(({ success, verified }) => {
      metrics.backupLastSuccess.set({}, success)
      metrics.backupLastVerified.set({}, verified)
    }),
  ])
}

async function collectVolumes(folders: MetricSources['folders']): Promise<void> {
  for (const [volume, folder] of Object.entries(folders)) {
    const { free, total } = await readVolume(folder)
    if (free !== null) metrics.diskFree.set({ volume }, free)
    if (total !== null) metrics.diskSize.set({ volume }, total)
  }
}

async function collectFeeds({ state, nowMs }: MetricSources): Promise<void> {
  const feeds = await state
    .as(systemScope)
    .selectFrom('feed')
    .select(['operator', 'name', 'kind', 'interval_seconds', 'last_success_time', 'last_record_time'])
    .where('enabled', '=', true)
    .orderBy('feed_id')
    .execute()
  // Removes feeds that were deleted or disabled.
  for (const metric of [metrics.ingestLag, metrics.feedLastSuccess, metrics.feedInterval]) metric.reset()
  for (const feed of feeds) {
    const labels = { operator: feed.operator ?? '', feed: feed.name || feed.kind }
    metrics.feedInterval.set(labels, feed.interval_seconds)
    if (feed.last_success_time) metrics.feedLastSuccess.set(labels, feed.last_success_time.getTime() / 1000)
    if (feed.last_record_time)
      metrics.ingestLag.set(labels, Math.max(0, (nowMs() - feed.last_record_time.getTime()) / 1000))
  }
}

async function collectJobs({ state, jobs }: MetricSources): Promise<void> {
  const queued = new Map(
    (await state.maintenance.queuedJobs()).map(({ name, queued: count }) => [name, count]),
  )
  for (const name of jobs.names) {
    metrics.jobsQueued.set({ queue: name }, queued.get(name) ?? 0)
    metrics.jobsRunning.inc({ queue: name }, 0)
    metrics.jobsFailed.inc({ queue: name }, 0)
  }
}

async function collectDerived({ derivation, nowMs }: MetricSources): Promise<void> {
  for (const { product, regions } of await derivation.readProgress(systemScope)) {
    const since = regions.flatMap((region) => (region.since === null ? [] : [region.since]))
    metrics.rollupWatermark.set(
      { product },
      since.length ? Math.max(0, (nowMs() - Math.min(...since)) / 1000) : 0,
    )
  }
}
