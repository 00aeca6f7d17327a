import { describe, expect, it, test } from 'vitest'
import { dayMs, hourMs } from '#contract/period.ts'
import { isLegalTransition } from '#server/fleet/events/state-machine.ts'
import { generateTrips } from '../trips/make-trips.ts'
import { operators } from '../operators.ts'
import { makeSmallCity } from '../small-city.ts'
import type { LiveEvent } from './live-event.ts'
import { FleetSimulation } from './fleet-simulation.ts'

const city = makeSmallCity()
/** Noon of a Wednesday in New York. */
const noon = Date.parse('2026-06-10T16:00:00Z')
const midnight = Date.parse('2026-06-10T04:00:00Z')
const simulation = new FleetSimulation(city, 5)
const slugs = operators.map(({ slug }) => slug)
const days = slugs.flatMap((slug) => simulation.events(slug, midnight, midnight + 4 * dayMs))
const getId = ({ kind, number }: LiveEvent): string => `${kind} ${number}`

const groupBy = <Item, Key>(items: readonly Item[], getKey: (item: Item) => Key): Map<Key, Item[]> => {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(getKey(item))
    if (group) group.push(item)
    else groups.set(getKey(item), [item])
  }
  return groups
}
/** Events by vehicle, in order. */
const byVehicle = groupBy(days, ({ vehicle }) => vehicle.id)

describe('events', () => {
  it('events are deterministic and do not depend on how the range is divided', () => {
    const sameSimulation = new FleetSimulation(city, 5)
    const late = sameSimulation.events('hopkite', midnight + 2 * dayMs, midnight + 2 * dayMs + hourMs)
    const parts = Array.from({ length: 4 * 24 }, (_, i) =>
      sameSimulation.events('hopkite', midnight + i * hourMs, midnight + (i + 1) * hourMs),
    )
    expect(parts.flat()).toEqual(simulation.events('hopkite', midnight, midnight + 4 * dayMs))
    expect(parts[2 * 24]).toEqual(late)
    expect(new FleetSimulation(city, 6).events('hopkite', midnight, midnight + hourMs)).not.toEqual(parts[0])
  })

  it('events are ordered and have unique IDs', () => {
    expect(days.length).toBeGreaterThan(10_000)
    expect(new Set(days.map(getId)).size).toBe(days.length)
    for (const slug of slugs) {
      const times = days.filter(({ vehicle }) => vehicle.operator.slug === slug).map(({ time }) => time)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    }
  })

  it('events are legal MDS state transitions at increasing times', () => {
    const wrong: unknown[] = []
    for (const events of byVehicle.values())
      for (let i = 1; i < events.length; i++) {
        const [before, event] = [events[i - 1]!, events[i]!]
        if (
          event.time <= before.time ||
          !isLegalTransition('micromobility', before.state, event.types[0]!, event.state)
        )
          wrong.push([before, event])
      }
    expect(wrong).toEqual([])
  })

  it('events include all types', () => {
    const types = new Set(days.flatMap((event) => event.types))
    expect(types).toEqual(
      new Set([
        'trip_start',
        'trip_end',
        'reservation_start',
        'battery_low',
        'battery_charged',
        'maintenance',
        'off_hours',
        'on_hours',
        'rebalance_pick_up',
        'provider_drop_off',
        'maintenance_pick_up',
        'comms_lost',
        'comms_restored',
      ]),
    )
    expect(
      new Set(
        days.filter(({ types: [type] }) => type === 'off_hours').map(({ vehicle }) => vehicle.operator.slug),
      ),
    ).toEqual(new Set(['hopkite']))
  })

  it('events refer to the trips of the history', () => {
    const expected = new Map<number, [number, number, number, number]>()
    generateTrips(city, {
      seed: 5,
      from: '2026-06-10',
      until: '2026-06-11',
      emit: ({ tripNumber, startMs, endMs, startLon, endLat }) =>
        expected.set(tripNumber, [startMs, endMs, startLon, endLat]),
    })
    const starts = days.filter(({ time, types: [type] }) => type === 'trip_start' && time < midnight + dayMs)
    expect(starts.length).toBe(expected.size)
    for (const { trip, time, lon } of starts)
      expect([time, lon]).toEqual([expected.get(trip!)![0], expected.get(trip!)![2]])
    const ends = days.filter(({ types: [type], trip }) => type === 'trip_end' && expected.has(trip!))
    expect(ends.length).toBe(expected.size)
    for (const { trip, time, lat } of ends)
      expect([time, lat]).toEqual([expected.get(trip!)![1], expected.get(trip!)![3]])
  })

  it('events include workshop visits of about a week', () => {
    const gone = days.filter(({ types: [type] }) => type === 'maintenance_pick_up')
    expect(gone.length).toBeGreaterThan(20)
    const [first] = gone
    const next = simulation
      .events(first!.vehicle.operator.slug, first!.time + 1, first!.time + 9 * dayMs)
      .find(({ vehicle }) => vehicle.id === first!.vehicle.id)
    expect(next?.types).toEqual(['provider_drop_off'])
    expect(next!.time - first!.time).toBeGreaterThan(5 * dayMs)
  })

  it('events begin when an operator launches', () => {
    const before = Date.parse('2026-05-17T04:00:00Z')
    expect(simulation.events('hopkite', before, before + dayMs)).toEqual([])
    expect(simulation.statuses('hopkite', before + dayMs - 1)).toEqual([])
    const first = groupBy(
      simulation.events('hopkite', before + dayMs, before + 3 * dayMs),
      ({ vehicle }) => vehicle.id,
    )
    expect(first.size).toBeGreaterThan(400)
    expect(new Set([...first.values()].map((events) => events[0]?.types[0]))).toEqual(
      new Set(['provider_drop_off']),
    )
  })
})

describe('statuses', () => {
  it('statuses match the latest events', () => {
    const last = new Map<string, LiveEvent>()
    for (const slug of slugs)
      for (const event of simulation.events(slug, noon - 3 * dayMs, noon + 1))
        last.set(event.vehicle.id, event)
    const statuses = slugs.flatMap((slug) => simulation.statuses(slug, noon))
    const known = statuses.filter(({ event }) => event.time >= noon - 3 * dayMs)
    expect(known.length).toBeGreaterThan(1500)
    for (const { vehicle, event } of known) expect(event).toEqual(last.get(vehicle.id))
    for (const { trip, event } of known.filter(({ event: { state } }) => state === 'on_trip'))
      expect(trip?.tripNumber).toBe(event.trip)
    expect(statuses.some(({ event }) => event.state === 'on_trip')).toBe(true)
  })

  it('statuses omit vehicles that were removed a while ago', () => {
    const gone = (goneMs: number) =>
      slugs
        .flatMap((slug) => simulation.statuses(slug, midnight + 3 * hourMs, goneMs))
        .filter(({ event }) => event.state === 'removed')
    expect(gone(0)).toEqual([])
    const recent = gone(5_400_000)
    expect(recent.length).toBeGreaterThan(5)
    expect(recent.every(({ event }) => midnight + 3 * hourMs - event.time < 5_400_000)).toBe(true)
  })
})

describe('telemetry', () => {
  const points = simulation.points('zephyr', noon - hourMs, noon)
  const toMeters = ({ lon, lat }: { lon: number; lat: number }): [number, number] => [
    (lon - city.lon) * 111_195 * Math.cos((city.lat * Math.PI) / 180),
    (lat - city.lat) * 111_195,
  ]
  const getMetersOffStreet = (place: { lon: number; lat: number }): number =>
    Math.min(...toMeters(place).map((value) => Math.abs(value / 300 - Math.round(value / 300)) * 300))

  it('telemetry is on the streets, every ten seconds, at constant speed', () => {
    expect(points.length).toBeGreaterThan(2000)
    expect(Math.max(...points.map(getMetersOffStreet))).toBeLessThan(0.5)
    for (const tripPoints of groupBy(points, ({ trip }) => trip).values()) {
      expect(new Set(tripPoints.map(({ speed }) => speed)).size).toBe(1)
      for (let i = 1; i < tripPoints.length; i++) {
        expect(tripPoints[i]!.time - tripPoints[i - 1]!.time).toBe(10_000)
        const [[x, y], [px, py]] = [toMeters(tripPoints[i]!), toMeters(tripPoints[i - 1]!)]
        expect(Math.hypot(x - px, y - py)).toBeLessThan(tripPoints[i]!.speed * 10 + 1)
      }
    }
  })

  it('begins and ends at the endpoints of the trip', () => {
    const ended = simulation.trips('zephyr', noon - hourMs, noon)
    expect(ended.length).toBeGreaterThan(20)
    const inCity = ended.filter(({ trip }) => Math.abs(trip.endLat) > 1 && trip.startLon > city.lon - 0.3)
    for (const endedTrip of inCity) {
      const { trip } = endedTrip
      const route = simulation.route(endedTrip)
      const [[x, y], [sx, sy]] = [toMeters(route[0]!), toMeters({ lon: trip.startLon, lat: trip.startLat })]
      const [[ex, ey], [tx, ty]] = [toMeters(route.at(-1)!), toMeters({ lon: trip.endLon, lat: trip.endLat })]
      // Positions are off by a few meters.
      expect(Math.hypot(x - sx, y - sy)).toBeLessThan(11)
      expect(Math.hypot(ex - tx, ey - ty)).toBeLessThan(11)
      expect([route[0]!.time, route.at(-1)!.time]).toEqual([trip.startMs, trip.endMs])
    }
  })

  it('telemetry does not depend on how the range is divided', () => {
    const halves = [
      simulation.points('zephyr', noon - hourMs, noon - hourMs / 2),
      simulation.points('zephyr', noon - hourMs / 2, noon),
    ].flat()
    expect(halves).toEqual(points)
  })

  it('the status of a vehicle has a recent point on the street', () => {
    for (const { trip, point } of simulation.statuses('zephyr', noon)) {
      if (!trip) continue
      expect(getMetersOffStreet(point)).toBeLessThan(0.5)
      expect(noon - point.time).toBeLessThan(10_000)
    }
  })
})

test('The simulation is fast once a day is cached', () => {
  const start = performance.now()
  for (const slug of slugs) {
    simulation.events(slug, noon, noon + hourMs)
    simulation.points(slug, noon, noon + hourMs)
    simulation.statuses(slug, noon)
  }
  // 300 ms each on an idle machine.
  expect(performance.now() - start).toBeLessThan(3000)
})
