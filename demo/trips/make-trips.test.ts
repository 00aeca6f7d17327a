import { describe, expect, it, test } from 'vitest'
import { hourMs } from '#contract/period.ts'
import type { Geometry } from '#contract/place.ts'
import { holds } from '../../test/city/plain-geometry.ts'
import { findLayer } from '../../test/demo/layer-named.ts'
import type { CityFeature } from '../city.ts'
import { makeDailyWeather } from '../daily-weather.ts'
import { dayNumber } from '../day-number.ts'
import { loadCity } from '../load-city.ts'
import { generateTrips } from './make-trips.ts'
import { operators } from '../operators.ts'
import type { DemoTrip } from './demo-trip.ts'
import { makeFleet } from './make-fleet.ts'

const city = loadCity()
const isInArea = ({ geometry }: CityFeature, lon: number, lat: number): boolean =>
  holds(geometry as Geometry, [lon, lat])

const listTrips = (from: string, until: string, seed = 1): DemoTrip[] => {
  const trips: DemoTrip[] = []
  generateTrips(city, { seed, from, until, emit: (trip) => trips.push({ ...trip }) })
  return trips
}
const weeks = listTrips('2026-06-08', '2026-06-22')
const validTrips = weeks.filter(({ distanceM, endLat }) => distanceM > 0 && endLat !== 0)
const meters = (lonA: number, latA: number, lonB: number, latB: number): number =>
  Math.hypot((lonA - lonB) * 88_750, (latA - latB) * 111_195)

describe('generateTrips', () => {
  it('trips are deterministic', () => {
    expect(listTrips('2026-06-08', '2026-06-10')).toEqual(
      weeks.filter(({ localDate }) => localDate < dayNumber('2026-06-10')),
    )
  })

  it('trips do not depend on how the range is divided', () => {
    const closedDays = ['2026-06-12', '2026-06-13', '2026-06-18', '2026-06-19']
    const parts = closedDays.slice(1).flatMap((until, i) => listTrips(closedDays[i]!, until))
    const [from, until] = [dayNumber('2026-06-12'), dayNumber('2026-06-19')]
    expect(parts).toEqual(weeks.filter(({ localDate }) => localDate >= from && localDate < until))
  })

  it('differs between seeds', () => {
    expect(listTrips('2026-06-01', '2026-06-02', 2)).not.toEqual(listTrips('2026-06-01', '2026-06-02'))
  })
})

describe('a range', () => {
  it('a range is half-open, in order of days, and may be empty', () => {
    const days = weeks.map(({ localDate }) => localDate)
    expect(Math.min(...new Set(days))).toBe(dayNumber('2026-06-08'))
    expect(Math.max(...new Set(days))).toBe(dayNumber('2026-06-21'))
    expect(days.every((day, i) => i === 0 || day >= days[i - 1]!)).toBe(true)
    expect(listTrips('2026-06-01', '2026-06-01')).toEqual([])
  })

  it('a range is rejected if it ends before it starts or is not a date', () => {
    expect(() => listTrips('2026-06-02', '2026-06-01')).toThrow(RangeError)
    expect(() => listTrips('June', '2026-06-01')).toThrow(RangeError)
  })

  it('reports progress up to 100%', () => {
    const shares: number[] = []
    generateTrips(city, {
      seed: 1,
      from: '2026-06-01',
      until: '2026-06-05',
      emit: () => undefined,
      onProgress: (share) => shares.push(share),
    })
    expect(shares).toEqual([0.25, 0.5, 0.75, 1])
  })
})

describe('a trip', () => {
  it('each trip has a unique number', () => {
    expect(new Set(weeks.map(({ tripNumber }) => tripNumber)).size).toBe(weeks.length)
    expect(weeks.every(({ tripNumber }) => Number.isSafeInteger(tripNumber))).toBe(true)
  })

  it('each trip has a consistent duration, and is not shorter than the straight line', () => {
    expect(weeks.filter((trip) => trip.endMs - trip.startMs !== trip.durationS * 1000)).toEqual([])
    const short = validTrips.filter(
      (trip) =>
        trip.startLon > -75.4 &&
        trip.distanceM < meters(trip.startLon, trip.startLat, trip.endLon, trip.endLat) - 30,
    )
    expect(short).toEqual([])
  })

  it('each trip has a plausible speed', () => {
    const speeds = validTrips
      .filter(({ durationS }) => durationS < 86_400)
      .map(({ distanceM, durationS }) => distanceM / durationS)
    expect(Math.max(...speeds.slice(0, 50_000))).toBeLessThan(6)
    const mean = validTrips.reduce((sum, { distanceM }) => sum + distanceM, 0) / validTrips.length
    expect(mean).toBeGreaterThan(1200)
    expect(mean).toBeLessThan(4000)
  })

  it('starts and ends on land', () => {
    const water = findLayer(city, 'Water')
    const wet = validTrips
      .filter((_, i) => i % 20 === 0)
      .filter(({ endLon, endLat }) => water.some((body) => isInArea(body, endLon, endLat)))
    expect(wet).toEqual([])
  })

  it('each trip has a vehicle type and a district of its operator', () => {
    const districts = findLayer(city, 'Districts')
    for (const operator of operators) {
      const operatorTrips = validTrips.filter((trip, i) => trip.operator === operator.slug && i % 12 === 0)
      const types = new Set(operatorTrips.map(({ vehicleType }) => vehicleType))
      expect(types).toEqual(new Set(operator.fleet.map(({ vehicleType }) => vehicleType)))
      const served = districts.filter(({ properties }) => operator.districts.includes(properties.name))
      const inside = operatorTrips.filter(({ endLon, endLat }) =>
        served.some((district) => isInArea(district, endLon, endLat)),
      )
      // Streets on the boundary of a district belong to both sides.
      expect(inside.length / operatorTrips.length).toBeGreaterThan(0.96)
    }
  })
})

describe('a vehicle', () => {
  const byVehicle = new Map<string, DemoTrip[]>()
  for (const trip of weeks) {
    const trips = byVehicle.get(trip.vehicleId)
    if (trips) trips.push(trip)
    else byVehicle.set(trip.vehicleId, [trip])
  }

  it('a vehicle has one trip at a time', () => {
    const overlaps = [...byVehicle.values()].flatMap((trips) =>
      trips.filter((trip, i) => i > 0 && trip.startMs <= trips[i - 1]!.endMs),
    )
    expect(overlaps).toEqual([])
  })

  it('starts where its last trip ended, unless it was moved overnight', () => {
    const jumps: DemoTrip[] = []
    for (const trips of byVehicle.values()) {
      for (let i = 1; i < trips.length; i++) {
        const [before, after] = [trips[i - 1]!, trips[i]!]
        const lost = before.endLat === 0 || after.startLon < -75.4
        const sameDay = before.localDate === after.localDate
        if (!lost && sameDay && meters(before.endLon, before.endLat, after.startLon, after.startLat) > 40)
          jumps.push(after)
      }
    }
    expect(jumps).toEqual([])
  })

  it('there are about 3,000 vehicles', () => {
    const fleet = makeFleet(1)
    expect(fleet.length).toBeGreaterThan(2800)
    expect(fleet.length).toBeLessThan(3200)
    expect(new Set(fleet.map(({ id }) => id)).size).toBe(fleet.length)
    expect(
      fleet.every(({ id }) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toBe(true)
    expect(byVehicle.size).toBeGreaterThan(fleet.length * 0.9)
  })
})

describe('demand', () => {
  const countByHour = (trips: readonly DemoTrip[]): number[] => {
    const hours = Array.from({ length: 24 }, () => 0)
    for (const { localHour } of trips) hours[localHour]!++
    return hours
  }
  const isWeekend = ({ localDate }: DemoTrip): boolean => (localDate + 3) % 7 > 4

  it('peaks at 8 and 17 on weekdays', () => {
    const hours = countByHour(weeks.filter((trip) => !isWeekend(trip)))
    expect(hours.indexOf(Math.max(...hours.slice(0, 12)))).toBe(8)
    expect(hours.indexOf(Math.max(...hours))).toSatisfy((hour: number) => hour === 17 || hour === 8)
    expect(hours[17]!).toBeGreaterThan(hours[12]! * 1.2)
  })

  it('peaks in the early afternoon on weekends', () => {
    const hours = countByHour(weeks.filter(isWeekend))
    expect(hours.indexOf(Math.max(...hours))).toBeGreaterThanOrEqual(12)
    expect(hours.indexOf(Math.max(...hours))).toBeLessThanOrEqual(15)
  })

  it('demand is lower on rainy days', () => {
    const perDay = new Map<number, number>()
    for (const { localDate } of weeks) perDay.set(localDate, (perDay.get(localDate) ?? 0) + 1)
    const mean = (days: [number, number][]): number =>
      days.reduce((sum, [, trips]) => sum + trips, 0) / days.length
    const wet = [...perDay].filter(([day]) => makeDailyWeather(1, day).precipitation > 3)
    const dry = [...perDay].filter(([day]) => makeDailyWeather(1, day).precipitation === 0)
    expect(wet.length).toBeGreaterThan(0)
    expect(mean(wet)).toBeLessThan(mean(dry) * 0.85)
  })

  it('demand is lower in winter, and zero before an operator launches', () => {
    const winter = listTrips('2026-01-12', '2026-01-19')
    expect(winter.length).toBeLessThan((weeks.length / 2) * 0.7)
    expect(winter.some(({ operator }) => operator === 'hopkite')).toBe(false)
    expect(new Set(weeks.map(({ operator }) => operator)).size).toBe(4)
  })

  it('amounts to about 2,000,000 trips a year', () => {
    expect(weeks.length / 14).toBeGreaterThan(5000)
    expect(weeks.length / 14).toBeLessThan(10_000)
  })
})

describe('local time', () => {
  const zone = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    hourCycle: 'h23',
    dateStyle: 'short',
    timeStyle: 'medium',
  })

  test.each(['2026-03-08', '2026-11-01', '2026-06-10'])(
    'the local time of a trip is that of New York on %s',
    (date) => {
      const trips = listTrips(date, new Date(Date.parse(date) + 24 * hourMs).toISOString().slice(0, 10))
      expect(trips.length).toBeGreaterThan(500)
      const [year, month, day] = date.split('-').map(Number)
      for (const { startMs, localHour, localDate } of trips) {
        const [shown, time] = zone.format(startMs).split(', ')
        expect(shown).toBe(`${month}/${day}/${year! % 100}`)
        expect(Number(time!.slice(0, 2))).toBe(localHour)
        expect(localDate).toBe(dayNumber(date))
      }
      expect(trips.some(({ localHour }) => localHour === 2)).toBe(date !== '2026-03-08')
    },
  )
})

describe('erroneous trips', () => {
  it('exist, but are rare', () => {
    const computeShare = (isCounted: (trip: DemoTrip) => boolean): number =>
      weeks.filter(isCounted).length / weeks.length
    const zero = computeShare(({ distanceM }) => distanceM === 0)
    expect(zero).toBeGreaterThan(0.002)
    expect(zero).toBeLessThan(0.0045)
    const long = computeShare(({ durationS }) => durationS > 86_400)
    expect(long).toBeGreaterThan(0)
    expect(long).toBeLessThan(0.001)
    const lost = computeShare(({ startLon, endLat }) => startLon < -75.35 || endLat === 0)
    expect(lost).toBeGreaterThan(0)
    expect(lost).toBeLessThan(0.001)
  })
})
