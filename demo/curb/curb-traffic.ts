import { dayNumber, localDay } from '#contract/period.ts'
import { localDays } from '../trips/local-days.ts'
import { eventsOfDay, type SentEvent } from './curb-events.ts'
import type { CurbPlace } from './curb-place.ts'

/** Stays begin at most two local days before their last event. */
const daysBefore = 2
/** Time for which events are cached at once, ms: those of a day take 15 MB. */
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

  dayOf(at: number): number {
    return dayNumber(localDay(new Date(at), this.#timezone))
  }

  /** Start of a local day, ms. */
  startOf(day: number): number {
    return this.#days(day).startMs
  }

  /** Events that are sent in a time range (ms, half-open), in order. */
  events(from: number, until: number): SentEvent[] {
    if (from < this.#cached.from || until > this.#cached.until)
      this.#cached = this.#generate(from, Math.max(until, from + cachedMs))
    return this.#cached.events.filter(({ at }) => at >= from && at < until)
  }

  #generate(from: number, until: number): { from: number; until: number; events: SentEvent[] } {
    const events: SentEvent[] = []
    const places = this.places.filter(({ hasSensor, use }) => hasSensor || use === 'smart')
    for (const place of places)
      for (const sent of this.eventsOfPlace(place, this.dayOf(from) - daysBefore, this.dayOf(until) + 1))
        if (sent.at >= from && sent.at < until) events.push(sent)
    events.sort((a, b) => a.at - b.at || (a.event.eventId < b.event.eventId ? -1 : 1))
    return { from, until, events }
  }

  /** Events of the stays that begin at a place in a range of local days (half-open), unordered. */
  eventsOfPlace(place: CurbPlace, from: number, until: number): SentEvent[] {
    const found: SentEvent[] = []
    for (let day = from; day < until; day++)
      for (const sent of eventsOfDay(place, this.#seed, day, this.#days)) found.push(sent)
    return found
  }
}
