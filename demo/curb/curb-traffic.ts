import { dayNumber, localDay } from '#contract/period.ts'
import { createLocalDays } from '../trips/local-days.ts'
import { makeDayEvents, type SentEvent } from './curb-events.ts'
import type { CurbPlace } from './curb-place.ts'

/** Maximum number of local days from the start of a stay to its last event. */
const daysBefore = 2
/** Span of events to cache, ms. Those of an entire day would take 15 MB. */
const cachedMs = 3_600_000

interface CachedEvents {
  fromMs: number
  untilMs: number
  events: SentEvent[]
}

/** Generates the curb events of all places for any time range. Deterministic for a seed. */
export class CurbTraffic {
  readonly places: readonly CurbPlace[]
  readonly #seed: number
  readonly #timezone: string
  readonly #days: ReturnType<typeof createLocalDays>
  #cached: CachedEvents = { fromMs: 0, untilMs: 0, events: [] }

  constructor(places: readonly CurbPlace[], { seed, timezone }: { seed: number; timezone: string }) {
    this.places = places
    this.#seed = seed
    this.#timezone = timezone
    this.#days = createLocalDays(timezone)
  }

  /** Returns the local day of a time, in days since 1970-01-01. */
  getDay(timeMs: number): number {
    return dayNumber(localDay(new Date(timeMs), this.#timezone))
  }

  /** Returns the start of a local day, ms. */
  getDayStart(day: number): number {
    return this.#days(day).startMs
  }

  /** Returns the events that are sent in a half-open time range, in order. */
  events(fromMs: number, untilMs: number): SentEvent[] {
    if (fromMs < this.#cached.fromMs || untilMs > this.#cached.untilMs)
      this.#cached = this.#generate(fromMs, Math.max(untilMs, fromMs + cachedMs))
    return this.#cached.events.filter(({ sentMs }) => sentMs >= fromMs && sentMs < untilMs)
  }

  #generate(fromMs: number, untilMs: number): CachedEvents {
    const events: SentEvent[] = []
    const places = this.places.filter(({ hasSensor, use }) => hasSensor || use === 'smart')
    const [fromDay, untilDay] = [this.getDay(fromMs) - daysBefore, this.getDay(untilMs) + 1]
    for (const place of places)
      for (const sent of this.makePlaceEvents(place, fromDay, untilDay))
        if (sent.sentMs >= fromMs && sent.sentMs < untilMs) events.push(sent)
    events.sort((a, b) => a.sentMs - b.sentMs || (a.event.eventId < b.event.eventId ? -1 : 1))
    return { fromMs, untilMs, events }
  }

  /** Makes the events of the stays that begin at a place in half-open local days, unordered. */
  makePlaceEvents(place: CurbPlace, fromDay: number, untilDay: number): SentEvent[] {
    const events: SentEvent[] = []
    for (let day = fromDay; day < untilDay; day++)
      for (const sent of makeDayEvents(place, this.#seed, day, this.#days)) events.push(sent)
    return events
  }
}
