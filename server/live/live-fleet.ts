import type { Region } from '#contract/regions.ts'
import { regionScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { FeedBatch } from '#server/fleet/events/fleet-ingest.ts'
import { findLastSnapshots } from './snapshots/last-snapshots.ts'
import { numbersPerMs } from './change-ring.ts'
import { LiveRegion } from './live-region.ts'
import { type LiveSnapshot, snapshotKey } from './live-snapshot.ts'
import { type LiveSince, loadRegion } from './load-region.ts'

/** How often silent vehicles are checked, ms. */
const sweepIntervalMs = 30_000

/** What other servers store is read at most this often, ms. */
const refreshMs = 500

type LiveRegionSettings = Pick<Region, 'regionId' | 'organizationId' | 'lostAfterHours'>

interface RegionEntry {
  region: LiveRegion
  scope: Scope
  /** Until the store has been read. */
  loading: Promise<void> | null
  /** What came while it was read. */
  batches: FeedBatch[]
  /** What another server has stored since the store was read. */
  since: LiveSince | null
  refreshTimer: NodeJS.Timeout | null
}

interface LiveFleetOptions {
  facts: Facts
  log: Log
  /** Ms since 1970. */
  now: () => number
}

/** Every vehicle of every viewed region as it is now. One per process. */
export class LiveFleet {
  readonly #facts: Facts
  readonly #log: Log
  readonly #now: () => number
  readonly #regions = new Map<string, RegionEntry>()
  /** The last snapshots, by region and snapshotKey. */
  readonly #snapshots = new Map<string, Map<string, LiveSnapshot>>()
  readonly #timer: NodeJS.Timeout

  constructor({ facts, log, now }: LiveFleetOptions) {
    this.#facts = facts
    this.#log = log
    this.#now = now
    this.#timer = setInterval(() => this.sweep(), sweepIntervalMs).unref()
  }

  /** A region, read from the store on first use. */
  async open({ regionId, organizationId, lostAfterHours }: LiveRegionSettings): Promise<LiveRegion> {
    const held = this.#regions.get(regionId) ?? this.#load(regionId, organizationId, lostAfterHours)
    await held.loading
    held.region.setLostAfterHours(lostAfterHours, this.#now())
    return held.region
  }

  /** Applies a batch after it was stored. Regions that nobody has viewed yet are read from the store later. */
  readonly applyBatch = (batch: FeedBatch): void => {
    const held = this.#regions.get(batch.regionId)
    if (!held) return
    if (held.loading) held.batches.push(batch)
    else held.region.applyBatch(batch, this.#now())
  }

  /** Reads what another server has stored, soon: many batches are read at once. */
  refresh(regionId: string, since: LiveSince): void {
    const held = this.#regions.get(regionId)
    if (!held) return
    held.since = {
      time: Math.min(held.since?.time ?? since.time, since.time),
      received: Math.min(held.since?.received ?? since.received, since.received),
    }
    held.refreshTimer ??= setTimeout(() => void this.#read(regionId, held), refreshMs).unref()
  }

  /** Reads all regions again, because messages of other servers were missed. */
  refreshAll(): void {
    for (const regionId of this.#regions.keys()) this.refresh(regionId, { time: 0, received: 0 })
  }

  async #read(regionId: string, held: RegionEntry): Promise<void> {
    await held.loading?.catch(() => undefined)
    const { since } = held
    ;[held.since, held.refreshTimer] = [null, null]
    if (!since || this.#regions.get(regionId) !== held) return
    try {
      const { scope, region } = held
      const options = { at: this.#now(), lostAfterHours: region.lostAfterHours, since }
      await loadRegion(this.#facts, scope, regionId, region, options)
    } catch (error) {
      this.#log('live fleet', { regionId, error: error instanceof Error ? error.message : String(error) })
      this.refresh(regionId, since)
    }
  }

  /** Takes a snapshot in place of the one before. */
  replaceSnapshot(snapshot: LiveSnapshot): void {
    const known = this.#snapshots.get(snapshot.regionId) ?? new Map<string, LiveSnapshot>()
    this.#snapshots.set(snapshot.regionId, known)
    const before = known.get(snapshotKey(snapshot))
    if (before && before.at > snapshot.at) return
    known.set(snapshotKey(snapshot), snapshot)
    const held = this.#regions.get(snapshot.regionId)
    if (held && !held.loading) held.region.replaceSnapshot(snapshot, this.#now())
  }

  /** Vehicles in memory, of all viewed regions. */
  get size(): number {
    return [...this.#regions.values()].reduce((sum, { region }) => sum + region.vehicles.size, 0)
  }

  /** Marks vehicles as lost that have been silent for too long. */
  sweep(): void {
    for (const { region, loading } of this.#regions.values()) if (!loading) region.sweep(this.#now())
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
    const at = this.#now()
    const region = new LiveRegion({ first: at * numbersPerMs, lostAfterHours })
    const scope = regionScope(organizationId, regionId)
    const held: RegionEntry = { region, scope, loading: null, batches: [], since: null, refreshTimer: null }
    this.#regions.set(regionId, held)
    held.loading = Promise.all([
      findLastSnapshots(this.#facts, scope, regionId),
      loadRegion(this.#facts, scope, regionId, region, { at, lostAfterHours }),
    ]).then(
      ([stored]) => {
        held.loading = null
        for (const snapshot of stored) this.replaceSnapshot(snapshot)
        for (const batch of held.batches.splice(0)) region.applyBatch(batch, this.#now())
        for (const snapshot of this.#snapshots.get(regionId)?.values() ?? [])
          region.replaceSnapshot(snapshot, this.#now())
      },
      (error: unknown) => {
        // The next request reads again.
        this.#regions.delete(regionId)
        this.#log('live fleet', { regionId, error: error instanceof Error ? error.message : String(error) })
        throw error
      },
    )
    return held
  }
}
