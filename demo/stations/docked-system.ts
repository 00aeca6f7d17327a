import { createRandom, hashNumbers } from '../hash-numbers.ts'
import { toDegrees } from '../point.ts'
import type { StreetGraph } from '../street-graph.ts'
import { localDays } from '../trips/local-days.ts'
import { placeOnEdge } from '../trips/place-on-edge.ts'

/** The operator of the demo's docked bicycles. It has only stations and GBFS, so it has no trips in the history. */
export const dockedOperator = {
  slug: 'portcycle',
  name: 'Port Cycle',
  colorHex: '#0891B2',
}

export interface Dock {
  id: string
  name: string
  lon: number
  lat: number
  capacity: number
  /** A destination in the morning and an origin in the evening. */
  isCentral: boolean
}

/** The state of a station from a time (ms) on. */
export interface DockState {
  at: number
  /** Index of the station. */
  station: number
  vehicles: number
  disabled: number
  docks: number
  isRenting: boolean
  isReturning: boolean
  lastReported: number
}

const stationCount = 20
const districts = ['Old Port', 'Midtown', 'Harborside', 'Northbank']
const central = ['Old Port', 'Midtown']
const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Stations report at least this often. */
const reportMs = 30 * minuteMs
/** Mean number of ride requests per day. */
const ridesPerDay = 520
/** Relative demand by local hour. */
const demand = [2, 1, 1, 0, 1, 3, 10, 28, 42, 26, 18, 20, 24, 22, 20, 24, 34, 46, 38, 24, 16, 11, 7, 4]
/** Share of rides that go into the center in the morning and out of it in the evening. */
const commuterShare = 0.4
/** Local hours at which a truck rebalances stations. */
const truckHours = [5, 11, 15]

/** Stations on the streets of the inner districts, spread far apart. */
export function dockedStations(graph: StreetGraph): Dock[] {
  const candidates = graph.edges.filter(
    ({ district, isPark, class: kind }) =>
      district !== undefined && districts.includes(district) && !isPark && kind !== 'arterial',
  )
  const place = new Float64Array(2)
  const places = candidates.map((edge): [number, number] => {
    placeOnEdge(edge, edge.length / 2, place)
    return [place[0]!, place[1]!]
  })
  const distances = places.map(() => Infinity)
  const chosen: number[] = []
  for (let next = 0; chosen.length < stationCount && next >= 0 && places[next];) {
    chosen.push(next)
    const [x, y] = places[next]!
    let farthest = -1
    for (let at = 0; at < places.length; at++) {
      const [px, py] = places[at]!
      distances[at] = Math.min(distances[at]!, (px - x) ** 2 + (py - y) ** 2)
      if (distances[at]! > (farthest < 0 ? 0 : distances[farthest]!)) farthest = at
    }
    next = farthest
  }
  const counts = new Map<string, number>()
  return chosen.map((at, index): Dock => {
    const district = candidates[at]?.district ?? ''
    const count = (counts.get(district) ?? 0) + 1
    counts.set(district, count)
    const [lon, lat] = toDegrees(graph.lon0, graph.lat0, places[at]!)
    return {
      id: `dock-${String(index + 1).padStart(2, '0')}`,
      name: `${district} ${count}`,
      lon,
      lat,
      capacity: 11 + 4 * (index % 4),
      isCentral: central.includes(district),
    }
  })
}

/** A change at a station: a ride begins (-1) or ends (1), or a truck arrives (0). */
interface Move {
  at: number
  station: number
  kind: -1 | 0 | 1
}

/** Simulates the system day by day, each from its local midnight on. Deterministic. */
export class DockedSystem {
  readonly stations: readonly Dock[]
  readonly #seed: number
  readonly #days: ReturnType<typeof localDays>
  #cache: { day: number; states: DockState[] }[] = []

  constructor(city: { streets: StreetGraph; timezone: string }, seed: number) {
    this.stations = dockedStations(city.streets)
    this.#seed = seed
    this.#days = localDays(city.timezone)
  }

  /** Start and end (ms) of a local day (days since 1970-01-01). */
  boundsOf(day: number): { from: number; until: number } {
    const { startMs, endMs } = this.#days(day)
    return { from: startMs, until: endMs }
  }

  /** The local day of a moment. */
  dayOf(at: number): number {
    let day = Math.floor(at / (24 * hourMs))
    while (this.#days(day).startMs > at) day--
    while (this.#days(day).endMs <= at) day++
    return day
  }

  /** All states of a local day in order, beginning with one per station. */
  statesOfDay(day: number): readonly DockState[] {
    const known = this.#cache.find((each) => each.day === day)
    if (known) return known.states
    const states = this.#makeDay(day)
    // Two days are cached for requests around midnight.
    this.#cache = [{ day, states }, ...this.#cache.slice(0, 1)]
    return states
  }

  /** The state of each station at a moment. */
  statesAt(at: number): DockState[] {
    const found: DockState[] = []
    for (const state of this.statesOfDay(this.dayOf(at))) {
      if (state.at > at) break
      found[state.station] = state
    }
    return found.map((state) => ({ ...state, lastReported: this.#reportedAt(state, at) }))
  }

  /** The last report of a station up to a time. One station loses its connection for days. */
  #reportedAt({ station, at: changed }: DockState, at: number): number {
    return station === stationCount - 1 && this.dayOf(at) % 5 === 0
      ? changed
      : Math.max(changed, Math.floor(at / reportMs) * reportMs)
  }

  #makeDay(day: number): DockState[] {
    const { stations } = this
    const random = createRandom(hashNumbers(this.#seed, 7001, day))
    const { startMs, endMs } = this.#days(day)
    const weekday = (((day + 3) % 7) + 7) % 7
    const isWeekend = weekday > 4
    // Bicycles at midnight, broken bicycles, and temporarily closed stations.
    const disabled = stations.map(() => (random() < 0.3 ? 1 + Math.floor(random() * 2) : 0))
    const target = stations.map(({ capacity, isCentral }, at) =>
      Math.max(
        1,
        Math.min(
          capacity - disabled[at]! - 1,
          Math.round(capacity * ((isCentral ? 0.32 : 0.6) + (random() - 0.5) * 0.3)),
        ),
      ),
    )
    const closed = Math.floor(random() * stations.length)
    const isAnyClosed = day % 6 === 0
    const [closedFrom, closedUntil] = [startMs + 10 * hourMs, startMs + 14.5 * hourMs]
    const vehicles = [...target]
    const states: DockState[] = []
    const add = (station: number, at: number): void => {
      const isOpen = !(isAnyClosed && station === closed && at >= closedFrom && at < closedUntil)
      states.push({
        at,
        station,
        vehicles: vehicles[station]!,
        disabled: disabled[station]!,
        docks: Math.max(0, stations[station]!.capacity - vehicles[station]! - disabled[station]!),
        isRenting: isOpen,
        isReturning: isOpen,
        lastReported: at,
      })
    }
    for (const at of stations.keys()) add(at, startMs)
    const moves = this.#ridesOfDay(random, startMs, endMs, isWeekend)
    for (const hour of truckHours)
      for (const station of stations.keys())
        moves.push({ at: startMs + hour * hourMs + station * 2 * minuteMs, station, kind: 0 })
    if (isAnyClosed) for (const at of [closedFrom, closedUntil]) moves.push({ at, station: closed, kind: 0 })
    moves.sort((a, b) => a.at - b.at || a.station - b.station)
    // Without a bicycle there is no ride; without a free dock the ride continues to the next station.
    let missing = 0
    for (const { at, station, kind } of moves) {
      if (kind === 0) {
        // The truck visits only stations that are nearly empty or full, and not always.
        const { capacity } = stations[station]!
        const needs = vehicles[station]! <= 1 || vehicles[station]! + disabled[station]! >= capacity - 1
        const comes = random() < 0.55
        if (needs && comes) vehicles[station] = target[station]!
        if ((needs && comes) || at === closedFrom || at === closedUntil) add(station, at)
      } else if (kind < 0) {
        if (vehicles[station]! > 0) {
          vehicles[station]!--
          add(station, at)
        } else missing++
      } else if (missing > 0) missing--
      else {
        const free = (each: number): number => stations[each]!.capacity - vehicles[each]! - disabled[each]!
        let goal = station
        for (let step = 0; step < stations.length && free(goal) <= 0; step++)
          goal = (goal + 1) % stations.length
        if (free(goal) <= 0) continue
        vehicles[goal]!++
        add(goal, at)
      }
    }
    return states
  }

  /** Requested rides of a day: where and when bicycles are taken and returned. */
  #ridesOfDay(random: () => number, startMs: number, endMs: number, isWeekend: boolean): Move[] {
    const { stations } = this
    const total = demand.reduce((sum, each) => sum + each, 0)
    const [inner, outer] = [true, false].map((wanted) =>
      [...stations.keys()].filter((at) => stations[at]!.isCentral === wanted),
    )
    const any = [...stations.keys()]
    const pick = (list: readonly number[] | undefined): number => {
      const from = list?.length ? list : any
      return from[Math.floor(random() * from.length)] ?? 0
    }
    const rides = Math.round(ridesPerDay * (isWeekend ? 0.75 : 1) * (0.85 + random() * 0.3))
    return Array.from({ length: rides }, (): Move[] => {
      let hour = 0
      for (let left = random() * total; hour < 23 && left >= demand[hour]!; hour++) left -= demand[hour]!
      const start = startMs + Math.floor((hour + random()) * 60) * minuteMs
      const isCommuter = !isWeekend && random() < commuterShare
      const from = isCommuter && hour < 12 ? outer : isCommuter && hour >= 15 ? inner : any
      const to = isCommuter && hour < 12 ? inner : isCommuter && hour >= 15 ? outer : any
      const end = start + Math.round(5 + random() * 20) * minuteMs
      return [
        { at: start, station: pick(from), kind: -1 as const },
        { at: end, station: pick(to), kind: 1 as const },
      ].filter(({ at }) => at > startMs && at < endMs)
    }).flat()
  }
}
