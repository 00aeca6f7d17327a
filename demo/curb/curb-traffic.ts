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
  readonly #cached = new Map<number, SentEvent[]>()
  /** Of days before, only what is sent later: all events of a day take 15 MB. */
  readonly #cachedLate = new Map<number, SentEvent[]>()

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
      for (const sent of day < first ? this.#lateEventsOf(day) : this.#eventsOf(day))
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

  #eventsOf(day: number): readonly SentEvent[] {
    return cached(this.#cached, day, () =>
      this.places
        .filter(({ hasSensor, use }) => hasSensor || use === 'smart')
        .flatMap((place) => eventsOfDay(place, this.#seed, day, this.#days)),
    )
  }

  /** Events of a day that are sent after its end. */
  #lateEventsOf(day: number): readonly SentEvent[] {
    return cached(this.#cachedLate, day, () => {
      const end = this.startOf(day + 1)
      const events = this.#eventsOf(day).filter(({ at }) => at >= end)
      this.#cached.delete(day)
      return events
    })
  }
}

function cached(days: Map<number, SentEvent[]>, day: number, make: () => SentEvent[]): SentEvent[] {
  const known = days.get(day)
  if (known) return known
  const events = make()
  days.set(day, events)
  for (const old of days.keys()) if (days.size > cachedDays) days.delete(old)
  return events
}
