import { dayNumber, localDay } from '#contract/period.ts'
import { localDays } from '../trips/local-days.ts'
import { makeDayEvents, type SentEvent } from './curb-events.ts'
import type { CurbPlace } from './curb-place.ts'

/** Maximum number of local days from the start of a stay to its last event. */
const daysBefore = 2
/** Span of events to cache, ms. Those of an entire day would take 15 MB. */
const cachedMs = 3_600_000

/** Generates the curb events of all places for any time range. Deterministic for a seed. */
export class CurbTraffic {
  readonly places: readonly CurbPlace[]
  readonly #seed: number
  readonly #timezone: string
  readonly #days: ReturnType<typeof localDays>
  #cached: { from: number; until: number; events: SentEvent[] } = { from: 0, until: 0, events: [] }

  constructor(places: readonly CurbPlace[], { seed, timezone }: { seed: number; timezone: string }) {
    this.places = places
    this.#seed = seed
    this.#timezone = timezone
    this.#days = localDays(timezone)
  }

  getDay(timeMs: number): number {
    return dayNumber(localDay(new Date(timeMs), this.#timezone))
  }

  /** Returns the start of a local day, ms. */
  getDayStart(day: number): number {
    return this.#days(day).startMs
  }

  /** Returns the events that are sent in a time range (ms, half-open), in order. */
  events(from: number, until: number): SentEvent[] {
    if (from < this.#cached.from || until > this.#cached.until)
      this.#cached = this.#generate(from, Math.max(until, from + cachedMs))
    return this.#cached.events.filter(({ sentMs }) => sentMs >= from && sentMs < until)
  }

  #generate(from: number, until: number): { from: number; until: number; events: SentEvent[] } {
    const events: SentEvent[] = []
    const places = this.places.filter(({ hasSensor, use }) => hasSensor || use === 'smart')
    for (const place of places)
      for (const sent of this.makePlaceEvents(place, this.getDay(from) - daysBefore, this.getDay(until) + 1))
        if (sent.sentMs >= from && sent.sentMs < until) events.push(sent)
    events.sort((a, b) => a.sentMs - b.sentMs || (a.event.eventId < b.event.eventId ? -1 : 1))
    return { from, until, events }
  }

  /** Makes the events of the stays that begin at a place in half-open local days, unordered. */
  makePlaceEvents(place: CurbPlace, from: number, until: number): SentEvent[] {
    const events: SentEvent[] = []
    for (let day = from; day < until; day++)
      for (const sent of makeDayEvents(place, this.#seed, day, this.#days)) events.push(sent)
    return events
  }
}
