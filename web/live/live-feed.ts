import { getLiveVehicles, type LiveVehicles, streamLiveVehicles } from '#contract/vehicles.ts'
import { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { now } from '#web/data/clock.ts'
import { followEvents, type StreamEvent } from '#web/data/event-stream.ts'
import { createSignal } from '#web/data/signals.ts'
import { FleetColumns } from './fleet-columns.ts'

/** The state of the feed. `changed`: time of the last change in ms; null before the first. */
export interface FeedState {
  kind: 'loading' | 'live' | 'interrupted' | 'failed'
  changed: number | null
  error: ApiError | null
}

/** The current vehicles of a region: a list at first, then changes from a stream. */
export class LiveFeed {
  readonly columns = new FleetColumns()
  readonly state = createSignal<FeedState>({ kind: 'loading', changed: null, error: null })
  /** Incremented with every change of the columns. */
  readonly version = createSignal(0)
  /** Incremented with every change of the stations. */
  readonly stations = createSignal(0)
  #stop = new AbortController()

  /**
   * Starts the feed, and returns a function that stops it. `prefetched`: the list, if it was already
   * requested.
   */
  start(regionId: string, prefetched?: Promise<LiveVehicles>): () => void {
    this.#stop = new AbortController()
    void this.#follow(regionId, this.#stop, prefetched)
    return () => this.#stop.abort()
  }

  /** Reloads everything after a failure. */
  restart(regionId: string): void {
    this.#stop.abort()
    this.state.write({ ...this.state.read(), kind: 'loading', error: null })
    this.start(regionId)
  }

  async #follow(region_id: string, stop: AbortController, prefetched?: Promise<LiveVehicles>): Promise<void> {
    if (!(await this.#load(region_id, stop.signal, prefetched))) return
    await followEvents(
      streamLiveVehicles,
      { params: { region_id }, query: {} },
      {
        lastId: String(this.columns.at),
        signal: stop.signal,
        onOpen: () => this.#setKind('live'),
        onInterrupted: (retryTime) => this.#setKind(retryTime === null ? 'failed' : 'interrupted'),
        onEvent: (event) => this.#handleEvent(event),
      },
    )
  }

  #handleEvent({ name, data }: StreamEvent): void {
    if (name === 'vehicles') {
      const update = JSON.parse(data) as LiveVehicles
      // Already in a list that was loaded in the meantime.
      if (update.at <= this.columns.at) return
      this.columns.apply(update)
      this.#changed()
    } else if (name === 'stations') this.stations.write(this.stations.read() + 1)
    else if (name === 'reset') {
      this.columns.load(JSON.parse(data) as LiveVehicles)
      this.#changed()
    }
  }

  async #load(region_id: string, abort: AbortSignal, prefetched?: Promise<LiveVehicles>): Promise<boolean> {
    try {
      const list = await (prefetched ??
        call(getLiveVehicles, { params: { region_id }, query: {} }, { signal: abort }))
      if (abort.aborted) return false
      this.columns.load(list)
      this.#changed()
      return true
    } catch (error) {
      if (abort.aborted) return false
      this.state.write({
        ...this.state.read(),
        kind: 'failed',
        error: error instanceof ApiError ? error : null,
      })
      return false
    }
  }

  #changed(): void {
    this.state.write({ ...this.state.read(), changed: now() })
    this.version.write(this.version.read() + 1)
  }

  #setKind(kind: FeedState['kind']): void {
    this.state.write({ ...this.state.read(), kind, error: null })
  }
}
