import { getLiveVehicles, type LiveVehicles, streamLiveVehicles } from '#contract/vehicles.ts'
import { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { now } from '#web/data/clock.ts'
import { followEvents, type StreamEvent } from '#web/data/event-stream.ts'
import { createSignal } from '#web/data/signals.ts'
import { FleetColumns } from './fleet-columns.ts'

export interface FeedState {
  kind: 'loading' | 'live' | 'interrupted' | 'failed'
  /** Time of the last change in ms since 1970; null before the first. */
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

  /** Starts the feed, with `prefetched` as its list if that was requested. Returns a function that stops it. */
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
      // The change is already in a list that was loaded meanwhile.
      if (update.at <= this.columns.at) return
      this.columns.apply(update)
      this.#changed()
    } else if (name === 'stations') this.stations.write(this.stations.read() + 1)
    else if (name === 'reset') {
      this.columns.load(JSON.parse(data) as LiveVehicles)
      this.#changed()
    }
  }

  /** Loads the list. Returns false if that failed or was stopped. */
  async #load(region_id: string, signal: AbortSignal, prefetched?: Promise<LiveVehicles>): Promise<boolean> {
    try {
      const list = await (prefetched ??
        call(getLiveVehicles, { params: { region_id }, query: {} }, { signal }))
      if (signal.aborted) return false
      this.columns.load(list)
      this.#changed()
      return true
    } catch (error) {
      if (signal.aborted) return false
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
