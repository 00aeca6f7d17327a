import { describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#contract/period.ts'
import { dayNumber } from '../day-number.ts'
import { createLocalDays } from '../trips/local-days.ts'
import { computeOccupancy } from './curb-demand.ts'
import type { CurbPlace } from './curb-place.ts'
import { CurbTraffic } from './curb-traffic.ts'
import { makeParkedCars } from './parked-cars.ts'
import { getChangeDay, withResponses } from './price-response.ts'
import { hasFastClock, listOutages } from './sensor-faults.ts'
import { smallCurb } from './small-curb.ts'

const timezone = 'America/New_York'
const places = smallCurb()
const traffic = new CurbTraffic(places, { seed: 5, timezone })
const days = createLocalDays(timezone)
/** A Wednesday. */
const wednesday = dayNumber('2026-06-10')
const noon = days(wednesday).startMs + 12 * hourMs
const getParkedCars = (day: number) =>
  places
    .filter(({ use }) => use === 'meter')
    .flatMap((place) => makeParkedCars(place, { seed: 5, day, local: days(day), next: days(day + 1) }))

/** Returns the share of occupied spaces at an hour of some days. */
function computeMeanOccupancy(first: number, count: number, hourOfDay: number, step = 1): number {
  let taken = 0
  const spaces = places.filter(({ use }) => use === 'meter').reduce((sum, place) => sum + place.spaces, 0)
  for (let number = 0; number < count; number++) {
    const day = first + number * step
    const moment = days(day).startMs + hourOfDay * hourMs
    taken += [...getParkedCars(day - 1), ...getParkedCars(day)].filter(
      ({ fromMs, untilMs }) => fromMs <= moment && moment < untilMs,
    ).length
  }
  return taken / spaces / count
}

describe('CurbTraffic', () => {
  it('returns the same events for each instance and however the range is divided', () => {
    const again = new CurbTraffic(smallCurb(), { seed: 5, timezone })
    const events = traffic.events(noon - 5 * hourMs, noon + 5 * hourMs)
    expect(events.length).toBeGreaterThan(200)
    const parts = Array.from({ length: 20 }, (_, part) => noon - 5 * hourMs + part * 30 * minuteMs).flatMap(
      (from) => again.events(from, from + 30 * minuteMs),
    )
    expect(parts).toEqual(events)
    expect(new Set(events.map(({ event }) => event.eventId)).size).toBe(events.length)
    const times = events.map(({ sentMs }) => sentMs)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  it('never puts two cars into one space at the same time', () => {
    const lastEnds = new Map<string, number>()
    const cars = [0, 1, 2, 3].flatMap((day) => getParkedCars(wednesday + day))
    for (const { place, space, fromMs, untilMs } of cars.toSorted((a, b) => a.fromMs - b.fromMs)) {
      const key = `${place.number} ${space}`
      expect(fromMs).toBeGreaterThanOrEqual(lastEnds.get(key) ?? 0)
      expect(untilMs).toBeGreaterThan(fromMs)
      lastEnds.set(key, untilMs)
    }
    expect(cars.length).toBeGreaterThan(1000)
  })

  it('occupancy varies by hour and weekday', () => {
    const [dawn, midday, sunday] = [
      computeMeanOccupancy(wednesday, 8, 6, 7),
      computeMeanOccupancy(wednesday, 8, 12, 7),
      computeMeanOccupancy(wednesday + 4, 8, 12, 7),
    ]
    expect(dawn).toBeLessThan(0.3)
    expect(midday).toBeGreaterThan(0.75)
    expect(midday).toBeLessThan(0.97)
    expect(sunday).toBeLessThan(midday - 0.08)
  })

  it('about 5% of stays overstay while meters are in operation', () => {
    const limited = [0, 1, 5, 6, 7].flatMap((day) =>
      getParkedCars(wednesday + day).filter(({ fromMs }) => {
        const begin = (fromMs - days(wednesday + day).startMs) / hourMs
        return begin >= 8 && begin < 20 && (wednesday + day) % 7 !== 3
      }),
    )
    const over = limited.filter(({ fromMs, untilMs }) => untilMs - fromMs > 120 * minuteMs)
    expect(over.length / limited.length).toBeGreaterThan(0.03)
    expect(over.length / limited.length).toBeLessThan(0.07)
  })

  it('keeps the street empty during street cleaning', () => {
    // The first Tuesday of the month.
    const tuesday = dayNumber('2026-06-02')
    const [place] = places
    const cleaned = { ...place!, isCleaned: true }
    const [opens, closes] = [days(tuesday).startMs + 8 * hourMs, days(tuesday).startMs + 10 * hourMs]
    const cars = [tuesday - 1, tuesday].flatMap((day) =>
      makeParkedCars(cleaned, { seed: 5, day, local: days(day), next: days(day + 1) }),
    )
    expect(cars.filter(({ fromMs, untilMs }) => fromMs < closes && untilMs > opens)).toEqual([])
    expect(cars.every(({ fromMs, untilMs }) => fromMs < untilMs)).toBe(true)
    expect(cars.filter(({ fromMs }) => fromMs >= closes).length).toBeGreaterThan(10)
  })

  it('every third block and every second smart zone has sensors', () => {
    expect(places.filter(({ hasSensor }) => hasSensor).map(({ block }) => block)).toEqual([0, 3, 6, 9, 12])
  })

  it('a sensor has no events while it is offline', () => {
    const begin = noon - 60 * dayMs
    const outages = places
      .filter(({ hasSensor }) => hasSensor)
      .flatMap((place) => listOutages(5, place.number, begin, noon).map((outage) => ({ ...outage, place })))
    expect(outages.length).toBeGreaterThan(5)
    for (const { place, fromMs, untilMs } of outages) {
      const sensorEvents = traffic
        .makePlaceEvents(place, traffic.getDay(fromMs) - 2, traffic.getDay(untilMs) + 2)
        .filter(({ event }) => event.sourceKind === 'sensor')
      expect(sensorEvents.filter(({ sentMs }) => sentMs > fromMs && sentMs < untilMs)).toEqual([])
      expect(sensorEvents.filter(({ sentMs }) => sentMs === fromMs).map(({ event }) => event.type)).toEqual([
        'comms_lost',
      ])
    }
  })

  it('about one sensor in ninety has a fast clock', () => {
    const fast = Array.from({ length: 9000 }, (_, device) => hasFastClock(5, device)).filter(Boolean).length
    expect(fast).toBeGreaterThan(60)
    expect(fast).toBeLessThan(140)
  })

  it('reports deliveries with a start and an end, except for a few missed events', () => {
    const events = traffic
      .events(noon - 20 * dayMs, noon)
      .filter(({ event }) => event.sourceKind === 'data_feed')
    const sessions = new Map<string, string[]>()
    for (const { event } of events)
      sessions.set(event.sessionKey, [...(sessions.get(event.sessionKey) ?? []), event.type])
    const complete = [...sessions.values()].filter((types) => types.length === 2).length
    expect(sessions.size).toBeGreaterThan(150)
    expect(complete / sessions.size).toBeGreaterThan(0.97)
    expect(complete).toBeLessThan(sessions.size)
  })
})

describe('withResponses', () => {
  it('reduces demand where the price was raised, from the day of the change on', () => {
    const firstRun = 20_000
    const from = getChangeDay(firstRun)
    expect(new Date(from * dayMs).getUTCDay()).toBe(1)
    const first = smallCurb().find(({ hasSensor, use }) => hasSensor && use === 'meter')
    if (!first) throw new Error('No place has a sensor')
    const [busy, quiet] = withResponses(
      [
        { ...first, attraction: 1.1 },
        { ...first, attraction: 0.5 },
      ],
      5,
      firstRun,
    )
    // 10:00 on a Wednesday: 0.25 more or less than 2.50.
    expect(busy?.response?.weekday[20]).toBeCloseTo(1.1 ** -0.4)
    expect(quiet?.response?.weekday[20]).toBeCloseTo(0.9 ** -0.4)
    expect(busy?.response?.weekday[4]).toBe(1)
    const computeTakenSpaces = (day: number): number => computeOccupancy(busy as CurbPlace, 5, day)[20] ?? 0
    const plain = (day: number): number =>
      computeOccupancy({ ...(busy as CurbPlace), response: null }, 5, day)[20] ?? 0
    expect(computeTakenSpaces(from - 5)).toBe(plain(from - 5))
    expect(computeTakenSpaces(from + 2)).toBeLessThan(plain(from + 2))
  })
})
