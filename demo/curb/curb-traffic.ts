import { LRUCache } from 'lru-cache'
import { dayNumber, localDay } from '#contract/period.ts'
import { localDays } from '../trips/local-days.ts'
import { eventsOfDay, type SentEvent } from './curb-events.ts'
import type { CurbPlace } from './curb-place.ts'

/** Stays begin at most two local days before their last event. */
const daysBefore = 2
const cachedDays = 5

/** Generates the curb events of all places for any time range. Deterministic for a seed. */
export class CurbTraffic {
  readonly places: readonly CurbPlace[]
  readonly #seed: number
  readonly #timezone: string
  readonly #days: ReturnType<typeof localDays>
  readonly #byDay = new LRUCache<number, SentEvent[]>({
    max: cachedDays,
    memoMethod: (day) =>
      this.places
        .filter(({ hasSensor, use }) => hasSensor || use === 'smart')
        .flatMap((place) => eventsOfDay(place, this.#seed, day, this.#days)),
  })
  /** Events of a day that are sent after its end, because all of a day take 15 MB. */
  readonly #lateByDay = new LRUCache<number, SentEvent[]>({
    max: cachedDays,
    memoMethod: (day) => {
      const end = this.startOf(day + 1)
      const events = this.#byDay.memo(day).filter(({ at }) => at >= end)
      this.#byDay.delete(day)
      return events
    },
  })

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
    const found: SentEvent[] = []
    const first = this.dayOf(from)
    for (let day = first - daysBefore; day <= this.dayOf(until); day++)
      for (const sent of (day < first ? this.#lateByDay : this.#byDay).memo(day))
        if (sent.at >= from && sent.at < until) found.push(sent)
    return found.sort((a, b) => a.at - b.at || (a.event.eventId < b.event.eventId ? -1 : 1))
  }

  /** Events of the stays that begin at a place in a range of local days (half-open), unordered. */
  eventsOfPlace(place: CurbPlace, from: number, until: number): SentEvent[] {
    const found: SentEvent[] = []
    for (let day = from; day < until; day++)
      for (const sent of eventsOfDay(place, this.#seed, day, this.#days)) found.push(sent)
    return found
  }
}
