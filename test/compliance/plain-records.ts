// Reference implementation of data coverage: whether there are records, and which hours lack the usual ones.
import { hourMs, minuteMs } from '#contract/period.ts'
import type { PlainCity } from './plain-city.ts'
import type { PlainClock } from './plain-clock.ts'

const quarterMs = 15 * minuteMs
/** Time after the end of an hour in which its records may still arrive. */
const maxDelayMs = hourMs

/** Returns the times of all records of an operator: events, and starts of reported trips. */
const listRecordTimes = ({ events, trips }: PlainCity, operator: string): number[] => [
  ...events.filter((event) => event.operator === operator).map(({ time }) => time),
  ...trips
    .filter((trip) => trip.operator === operator && (trip.source === 'report' || trip.source === 'both'))
    .map(({ start }) => start),
]

/** Whether there is a record of a local day: of a feed or, with `withTrips`, any trip. */
export function hasRecord(
  city: PlainCity,
  operator: string,
  { day, clock, withTrips }: { day: number; clock: PlainClock; withTrips: boolean },
): boolean {
  const trips = withTrips
    ? city.trips.filter((trip) => trip.operator === operator).map(({ start }) => start)
    : []
  return [...listRecordTimes(city, operator), ...trips].some((time) => clock.shows(time).day === day)
}

/**
 * Past local hours of a window without records that usually have some: at least two and at least half of the
 * same hours of the eight weeks before, as far as there are data.
 */
export function listGapHours(
  city: PlainCity,
  operator: string,
  [from, until]: readonly [number, number],
  clock: PlainClock,
): number {
  const withRecords = new Set(listRecordTimes(city, operator).map((time) => getHourKey(clock, time)))
  if (!withRecords.size) return 0
  const first = Math.min(...[...withRecords].map((key) => Number(key.split(' ')[0])))
  // A repeated hour counts as one, which is over at the end of the second.
  const hours = new Map<string, { day: number; hour: number; ends: number }>()
  for (let at = Math.floor(from / quarterMs) * quarterMs; at < until; at += quarterMs) {
    const { day, seconds } = clock.shows(at)
    hours.set(getHourKey(clock, at), { day, hour: Math.floor(seconds / 3600), ends: getHourEnd(clock, at) })
  }
  let gaps = 0
  for (const [key, { day, hour, ends }] of hours) {
    const weekdaysBefore = [1, 2, 3, 4, 5, 6, 7, 8]
      .map((week) => day - 7 * week)
      .filter((earlier) => earlier >= first)
    const usual = weekdaysBefore.filter((earlier) => withRecords.has(`${earlier} ${hour}`)).length
    if (
      !withRecords.has(key) &&
      ends + maxDelayMs <= city.now &&
      weekdaysBefore.length >= 2 &&
      usual * 2 >= weekdaysBefore.length
    )
      gaps++
  }
  return gaps
}

const getHourKey = (clock: PlainClock, time: number): string => {
  const { day, seconds } = clock.shows(time)
  return `${day} ${Math.floor(seconds / 3600)}`
}

/** Returns the end of the local hour of a moment; of a repeated hour, the end of the second. */
function getHourEnd(clock: PlainClock, at: number): number {
  const key = getHourKey(clock, at)
  let end = at
  for (let later = at; later < at + 12 * quarterMs; later += quarterMs)
    if (getHourKey(clock, later) === key) end = later + quarterMs
  return end
}
