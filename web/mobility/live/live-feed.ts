import { getLiveVehicles, type LiveVehicles, streamLiveVehicles } from '#contract/vehicles.ts'
import { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { now } from '#web/data/clock.ts'
import { followEvents, type StreamEvent } from '#web/data/event-stream.ts'
import { createSignal } from '#web/data/signals.ts'
import { FleetColumns } from './fleet-columns.ts'

/** How the feed stands. `changed`: when something changed last, ms; null before the first time. */
export interface FeedState {
  kind: 'loading' | 'live' | 'interrupted' | 'failed'
  changed: number | null
  error: ApiError | null
}

/** The vehicles of a region, kept as they are now: the list once, then what changes. */
export class LiveFeed {
  readonly columns = new FleetColumns()
  readonly state = createSignal<FeedState>({ kind: 'loading', changed: null, error: null })
  /** Counts up with every change of the columns. */
  readonly version = createSignal(0)
  /** Counts up with every change of the stations. */
  readonly stations = createSignal(0)
  #stop = new AbortController()

  /** Answers how to stop. `asked`: the list, where it was asked for already. */
  start(regionId: string, asked?: Promise<LiveVehicles>): () => void {
    this.#stop = new AbortController()
    void this.#follow(regionId, this.#stop, asked)
    return () => this.#stop.abort()
  }

  /** Asks for everything anew, after it failed. */
  restart(regionId: string): void {
    this.#stop.abort()
    this.state.write({ ...this.state.read(), kind: 'loading', error: null })
    this.start(regionId)
  }

  async #follow(region_id: string, stop: AbortController, asked?: Promise<LiveVehicles>): Promise<void> {
    if (!(await this.#load(region_id, stop.signal, asked))) return
    await followEvents(
      streamLiveVehicles,
      { params: { region_id }, query: {} },
      {
        lastId: String(this.columns.at),
        signal: stop.signal,
        onOpen: () => this.#stands('live'),
        onInterrupted: (again) => this.#stands(again === null ? 'failed' : 'interrupted'),
        onEvent: (event) => this.#take(event, region_id, stop),
      },
    )
  }

  #take({ name, data }: StreamEvent, regionId: string, stop: AbortController): void {
    if (name === 'vehicles') {
      const told = JSON.parse(data) as LiveVehicles
      // What a list that was asked for meanwhile knows already.
      if (told.at <= this.columns.at) return
      this.columns.take(told)
      this.#changed()
    } else if (name === 'stations') this.stations.write(this.stations.read() + 1)
    else if (name === 'reset') void this.#load(regionId, stop.signal)
  }

  async #load(region_id: string, abort: AbortSignal, asked?: Promise<LiveVehicles>): Promise<boolean> {
    try {
      const told = await (asked ??
        call(getLiveVehicles, { params: { region_id }, query: {} }, { signal: abort }))
      if (abort.aborted) return false
      this.columns.load(told)
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

  #stands(kind: FeedState['kind']): void {
    this.state.write({ ...this.state.read(), kind, error: null })
  }
}
