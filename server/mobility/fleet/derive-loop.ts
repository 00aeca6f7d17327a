import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '#server/jobs/log.ts'

/** What waits to be derived of one region. */
export interface PendingRegion {
  organizationId: string
  runIds: readonly string[]
}

/** After the first batch of a pause, so long is waited for more to come along, ms. */
const batchDelayMs = 250
/** Many small pushes would keep the engine busy: it rests this many times as long as it worked, at most so many ms. */
const idleFactor = 9
const maxIdleMs = 15_000
/** What could not be derived is tried again after a minute, if nothing of its region came before. */
const retryMs = 60_000

/** Derives what is dirty, region by region, while batches go on coming in: all that waits of a region at once. */
export class DeriveLoop {
  private pending = new Map<string, PendingRegion>()
  /** What could not be derived: it goes along with the next batch of its region. */
  private readonly failed = new Map<string, PendingRegion>()
  private running: Promise<void> | null = null
  private isClosed = false
  private delayMs = batchDelayMs
  private delayAbort = new AbortController()
  /** How many wait for it to be done: meanwhile it does not rest. */
  private waiterCount = 0
  private readonly derive: (regionId: string, of: PendingRegion) => Promise<void>
  private readonly log: Log

  constructor(derive: (regionId: string, of: PendingRegion) => Promise<void>, log: Log) {
    this.derive = derive
    this.log = log
  }

  /** Derives a run, and what failed of the region before. */
  enqueue(regionId: string, organizationId: string, runId?: string): void {
    const runIds = [
      ...(this.failed.get(regionId)?.runIds ?? []),
      ...(this.pending.get(regionId)?.runIds ?? []),
      ...(runId ? [runId] : []),
    ]
    this.failed.delete(regionId)
    if (!runIds.length) return
    this.pending.set(regionId, { organizationId, runIds })
    if (this.isClosed) return
    this.running ??= this.run().finally(() => {
      this.running = null
    })
  }

  private async run(): Promise<void> {
    while (this.pending.size && !this.isClosed) {
      if (!this.waiterCount)
        await wait(this.delayMs, undefined, { signal: this.delayAbort.signal }).catch(() => undefined)
      const start = performance.now()
      const now = this.pending
      this.pending = new Map()
      for (const [regionId, of] of now)
        try {
          await this.derive(regionId, of)
        } catch (error) {
          this.log('derive', { regionId, error: error instanceof Error ? error.message : String(error) })
          this.failed.set(regionId, of)
          setTimeout(() => this.enqueue(regionId, of.organizationId), retryMs).unref()
        }
      this.delayMs = Math.min(maxIdleMs, Math.max(batchDelayMs, (performance.now() - start) * idleFactor))
    }
  }

  /** Once everything that waits is derived. */
  async whenDerived(): Promise<void> {
    this.waiterCount++
    this.delayAbort.abort()
    while (this.running) await this.running
    if (--this.waiterCount === 0) this.delayAbort = new AbortController()
  }

  /** Ends after what is under way; the rest stays written down for the next start. */
  close(): Promise<void> {
    this.isClosed = true
    return this.whenDerived()
  }
}
