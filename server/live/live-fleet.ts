import { getErrorMessage } from '#contract/problem-text.ts'
import type { Region } from '#contract/regions.ts'
import { regionScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { FeedBatch } from '#server/fleet/events/fleet-ingest.ts'
import { findLastSnapshots } from './snapshots/last-snapshots.ts'
import { numbersPerMs } from './change-ring.ts'
import { LiveRegion } from './live-region.ts'
import { type LiveSnapshot, getSnapshotKey } from './live-snapshot.ts'
import { type LiveSince, loadRegion } from './load-region.ts'

/** How often vehicles are checked for lost contact. */
const sweepIntervalMs = 30_000
/** Records stored by other servers are read at most this often. */
const refreshDelayMs = 500

type LiveRegionSettings = Pick<Region, 'regionId' | 'organizationId' | 'lostAfterHours'>

interface RegionEntry {
  region: LiveRegion
  scope: Scope
  /** Pending until the region has been read from the store; then null. */
  loading: Promise<void> | null
  /** Batches that arrived during `loading`. */
  batches: FeedBatch[]
  /** The records of other servers that the next refresh must read; null if there are none. */
  since: LiveSince | null
  refreshTimer: NodeJS.Timeout | null
}

interface LiveFleetOptions {
  facts: Facts
  log: Log
  nowMs: () => number
}

/** The current state of all vehicles in the regions that somebody has viewed. One per process. */
export class LiveFleet {
  readonly #facts: Facts
  readonly #log: Log
  readonly #nowMs: () => number
  readonly #regions = new Map<string, RegionEntry>()
  /** The last snapshots by region, and by `getSnapshotKey` within it. */
  readonly #snapshots = new Map<string, Map<string, LiveSnapshot>>()
  readonly #timer: NodeJS.Timeout

  constructor({ facts, log, nowMs }: LiveFleetOptions) {
    this.#facts = facts
    this.#log = log
    this.#nowMs = nowMs
    this.#timer = setInterval(() => this.sweep(), sweepIntervalMs).unref()
  }

  /** Returns a region and reads it from the store on first use. */
  async open({ regionId, organizationId, lostAfterHours }: LiveRegionSettings): Promise<LiveRegion> {
    const entry = this.#regions.get(regionId) ?? this.#load(regionId, organizationId, lostAfterHours)
    await entry.loading
    entry.region.setLostAfterHours(lostAfterHours, this.#nowMs())
    return entry.region
  }

  /** Applies a stored batch. Regions that are not in memory are read from the store when viewed. */
  readonly applyBatch = (batch: FeedBatch): void => {
    const entry = this.#regions.get(batch.regionId)
    if (!entry) return
    if (entry.loading) entry.batches.push(batch)
    else entry.region.applyBatch(batch, this.#nowMs())
  }

  /** Schedules a read of what another server stored. One read covers all batches that arrive meanwhile. */
  refresh(regionId: string, since: LiveSince): void {
    const entry = this.#regions.get(regionId)
    if (!entry) return
    entry.since = {
      time: Math.min(entry.since?.time ?? since.time, since.time),
      received: Math.min(entry.since?.received ?? since.received, since.received),
    }
    entry.refreshTimer ??= setTimeout(() => void this.#read(regionId, entry), refreshDelayMs).unref()
  }

  /** Reads all regions again, because messages of other servers were missed. */
  refreshAll(): void {
    for (const regionId of this.#regions.keys()) this.refresh(regionId, { time: 0, received: 0 })
  }

  async #read(regionId: string, entry: RegionEntry): Promise<void> {
    await entry.loading?.catch(() => undefined)
    const { since } = entry
    entry.since = null
    entry.refreshTimer = null
    if (!since || this.#regions.get(regionId) !== entry) return
    try {
      const { scope, region } = entry
      const options = { at: this.#nowMs(), lostAfterHours: region.lostAfterHours, since }
      await loadRegion(this.#facts, scope, region, { regionId, ...options })
    } catch (error) {
      this.#log('live fleet', { regionId, error: getErrorMessage(error) })
      this.refresh(regionId, since)
    }
  }

  /** Replaces the snapshot with the same key, unless that is newer. */
  replaceSnapshot(snapshot: LiveSnapshot): void {
    const snapshots = this.#snapshots.get(snapshot.regionId) ?? new Map<string, LiveSnapshot>()
    this.#snapshots.set(snapshot.regionId, snapshots)
    const previous = snapshots.get(getSnapshotKey(snapshot))
    if (previous && previous.at > snapshot.at) return
    snapshots.set(getSnapshotKey(snapshot), snapshot)
    const entry = this.#regions.get(snapshot.regionId)
    if (entry && !entry.loading) entry.region.replaceSnapshot(snapshot, this.#nowMs())
  }

  /** The number of vehicles in memory. */
  get size(): number {
    return [...this.#regions.values()].reduce((sum, { region }) => sum + region.vehicles.size, 0)
  }

  /** Marks vehicles as lost that have been silent for too long. */
  sweep(): void {
    for (const { region, loading } of this.#regions.values()) if (!loading) region.sweep(this.#nowMs())
  }

  close(): void {
    clearInterval(this.#timer)
    for (const { region, refreshTimer } of this.#regions.values()) {
      if (refreshTimer) clearTimeout(refreshTimer)
      region.end()
    }
    this.#regions.clear()
  }

  #load(regionId: string, organizationId: string, lostAfterHours: number): RegionEntry {
    const at = this.#nowMs()
    const region = new LiveRegion({ first: at * numbersPerMs, lostAfterHours })
    const scope = regionScope(organizationId, regionId)
    const entry: RegionEntry = { region, scope, loading: null, batches: [], since: null, refreshTimer: null }
    this.#regions.set(regionId, entry)
    entry.loading = Promise.all([
      findLastSnapshots(this.#facts, scope, regionId),
      loadRegion(this.#facts, scope, region, { regionId, at, lostAfterHours }),
    ]).then(
      ([stored]) => {
        entry.loading = null
        for (const snapshot of stored) this.replaceSnapshot(snapshot)
        for (const batch of entry.batches.splice(0)) region.applyBatch(batch, this.#nowMs())
        for (const snapshot of this.#snapshots.get(regionId)?.values() ?? [])
          region.replaceSnapshot(snapshot, this.#nowMs())
      },
      (error: unknown) => {
        // The next request retries.
        this.#regions.delete(regionId)
        this.#log('live fleet', { regionId, error: getErrorMessage(error) })
        throw error
      },
    )
    return entry
  }
}
