import { hourMs, minuteMs } from '#contract/period.ts'
import { createRandom, hashNumbers } from '../hash-numbers.ts'
import { toDegrees } from '../point.ts'
import type { StreetGraph } from '../street-graph.ts'
import { createLocalDays } from '../trips/local-days.ts'
import { placeOnEdge } from '../trips/place-on-edge.ts'

/** The operator of the docked bicycles. It has only GBFS with stations, so there are no trips of it. */
export const dockedOperator = { slug: 'portcycle', name: 'Port Cycle', colorHex: '#0891B2' }

export interface Dock {
  id: string
  name: string
  lon: number
  lat: number
  capacity: number
  /** Whether commuters arrive here in the morning and leave in the evening. */
  isCentral: boolean
}

/** The state of a station from a time (ms) on. */
export interface DockState {
  timeMs: number
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
const centralDistricts = ['Old Port', 'Midtown']
/** Stations report at least this often. */
const reportMs = 30 * minuteMs
/** Mean number of ride requests per day. */
const ridesPerDay = 520
/** Relative demand by local hour. */
const demandByHour = [2, 1, 1, 0, 1, 3, 10, 28, 42, 26, 18, 20, 24, 22, 20, 24, 34, 46, 38, 24, 16, 11, 7, 4]
/** Share of weekday rides that go to the center in the morning and from it in the evening. */
const commuterShare = 0.4
/** Local hours at which a truck rebalances stations. */
const truckHours = [5, 11, 15]

/** Makes stations on the streets of the inner districts, spread far apart. */
export function makeDockedStations(graph: StreetGraph): Dock[] {
  const candidates = graph.edges.filter(
    ({ district, isPark, class: kind }) =>
      district !== undefined && districts.includes(district) && !isPark && kind !== 'arterial',
  )
  const place = new Float64Array(2)
  const places = candidates.map((edge): [number, number] => {
    placeOnEdge(edge, edge.length / 2, place)
    return [place[0]!, place[1]!]
  })
  // Each station is the place that is farthest from the stations chosen before.
  const distances = places.map(() => Infinity)
  const chosen: number[] = []
  for (let next = 0; chosen.length < stationCount && next >= 0 && places[next];) {
    chosen.push(next)
    const [x, y] = places[next]!
    let farthest = -1
    for (let index = 0; index < places.length; index++) {
      const [px, py] = places[index]!
      distances[index] = Math.min(distances[index]!, (px - x) ** 2 + (py - y) ** 2)
      if (distances[index]! > (farthest < 0 ? 0 : distances[farthest]!)) farthest = index
    }
    next = farthest
  }
  const counts = new Map<string, number>()
  return chosen.map((candidate, index): Dock => {
    const district = candidates[candidate]?.district ?? ''
    const count = (counts.get(district) ?? 0) + 1
    counts.set(district, count)
    const [lon, lat] = toDegrees(graph.lon0, graph.lat0, places[candidate]!)
    return {
      id: `dock-${String(index + 1).padStart(2, '0')}`,
      name: `${district} ${count}`,
      lon,
      lat,
      capacity: 11 + 4 * (index % 4),
      isCentral: centralDistricts.includes(district),
    }
  })
}

/** A change at a station: a ride begins (-1) or ends (1), or a truck arrives (0). */
interface Move {
  timeMs: number
  station: number
  kind: -1 | 0 | 1
}

/** Simulates the system day by day, each from its local midnight on. Deterministic. */
export class DockedSystem {
  readonly stations: readonly Dock[]
  readonly #seed: number
  readonly #days: ReturnType<typeof createLocalDays>
  #cache: { day: number; states: DockState[] }[] = []

  constructor(city: { streets: StreetGraph; timezone: string }, seed: number) {
    this.stations = makeDockedStations(city.streets)
    this.#seed = seed
    this.#days = createLocalDays(city.timezone)
  }

  /** Returns the start and end (ms) of a local day. */
  getBounds(day: number): { from: number; until: number } {
    const { startMs, endMs } = this.#days(day)
    return { from: startMs, until: endMs }
  }

  /** Returns the local day (days since 1970-01-01) of a time (ms). */
  getDay(timeMs: number): number {
    let day = Math.floor(timeMs / (24 * hourMs))
    while (this.#days(day).startMs > timeMs) day--
    while (this.#days(day).endMs <= timeMs) day++
    return day
  }

  /** Returns all states of a local day in order, beginning with one per station. */
  getDayStates(day: number): readonly DockState[] {
    const cached = this.#cache.find((entry) => entry.day === day)
    if (cached) return cached.states
    const states = this.#makeDay(day)
    // Two days are cached for requests around midnight.
    this.#cache = [{ day, states }, ...this.#cache.slice(0, 1)]
    return states
  }

  /** Returns the state of each station at a time (ms). */
  statesAt(timeMs: number): DockState[] {
    const current: DockState[] = []
    for (const state of this.getDayStates(this.getDay(timeMs))) {
      if (state.timeMs > timeMs) break
      current[state.station] = state
    }
    return current.map((state) => ({ ...state, lastReported: this.#lastReportMs(state, timeMs) }))
  }

  /** Returns the time of a station's last report. One station has no connection every fifth day. */
  #lastReportMs({ station, timeMs: changed }: DockState, timeMs: number): number {
    return station === stationCount - 1 && this.getDay(timeMs) % 5 === 0
      ? changed
      : Math.max(changed, Math.floor(timeMs / reportMs) * reportMs)
  }

  #makeDay(day: number): DockState[] {
    const { stations } = this
    const random = createRandom(hashNumbers(this.#seed, 7001, day))
    const { startMs, endMs } = this.#days(day)
    const weekday = (((day + 3) % 7) + 7) % 7
    const isWeekend = weekday > 4
    const disabled = stations.map(() => (random() < 0.3 ? 1 + Math.floor(random() * 2) : 0))
    // Bicycles at midnight, to which trucks rebalance a station.
    const target = stations.map(({ capacity, isCentral }, index) =>
      Math.max(
        1,
        Math.min(
          capacity - disabled[index]! - 1,
          Math.round(capacity * ((isCentral ? 0.32 : 0.6) + (random() - 0.5) * 0.3)),
        ),
      ),
    )
    const closedStation = Math.floor(random() * stations.length)
    const isAnyClosed = day % 6 === 0
    const [closedFromMs, closedUntilMs] = [startMs + 10 * hourMs, startMs + 14.5 * hourMs]
    const vehicles = [...target]
    const states: DockState[] = []
    const add = (station: number, timeMs: number): void => {
      const isOpen = !(
        isAnyClosed &&
        station === closedStation &&
        timeMs >= closedFromMs &&
        timeMs < closedUntilMs
      )
      states.push({
        timeMs,
        station,
        vehicles: vehicles[station]!,
        disabled: disabled[station]!,
        docks: Math.max(0, stations[station]!.capacity - vehicles[station]! - disabled[station]!),
        isRenting: isOpen,
        isReturning: isOpen,
        lastReported: timeMs,
      })
    }
    for (const station of stations.keys()) add(station, startMs)
    const moves = this.#drawRides(random, startMs, endMs, isWeekend)
    for (const hour of truckHours)
      for (const station of stations.keys())
        moves.push({ timeMs: startMs + hour * hourMs + station * 2 * minuteMs, station, kind: 0 })
    if (isAnyClosed)
      for (const timeMs of [closedFromMs, closedUntilMs])
        moves.push({ timeMs, station: closedStation, kind: 0 })
    moves.sort((a, b) => a.timeMs - b.timeMs || a.station - b.station)
    // A ride does not start without a bicycle, and continues to the next station without a free dock.
    let ridesNotStarted = 0
    for (const { timeMs, station, kind } of moves) {
      if (kind === 0) {
        // The truck rebalances about half of the stations that are nearly empty or full.
        const { capacity } = stations[station]!
        const needsTruck = vehicles[station]! <= 1 || vehicles[station]! + disabled[station]! >= capacity - 1
        const isVisited = random() < 0.55
        if (needsTruck && isVisited) vehicles[station] = target[station]!
        if ((needsTruck && isVisited) || timeMs === closedFromMs || timeMs === closedUntilMs)
          add(station, timeMs)
      } else if (kind < 0) {
        if (vehicles[station]! > 0) {
          vehicles[station]!--
          add(station, timeMs)
        } else ridesNotStarted++
      } else if (ridesNotStarted > 0) ridesNotStarted--
      else {
        const countFreeDocks = (index: number): number =>
          stations[index]!.capacity - vehicles[index]! - disabled[index]!
        let destination = station
        for (let step = 0; step < stations.length && countFreeDocks(destination) <= 0; step++)
          destination = (destination + 1) % stations.length
        if (countFreeDocks(destination) <= 0) continue
        vehicles[destination]!++
        add(destination, timeMs)
      }
    }
    return states
  }

  /** Draws the moves of all requested rides of a day: bicycles taken and returned. */
  #drawRides(random: () => number, startMs: number, endMs: number, isWeekend: boolean): Move[] {
    const { stations } = this
    const totalDemand = demandByHour.reduce((sum, hourly) => sum + hourly, 0)
    const [inner, outer] = [true, false].map((isCentral) =>
      [...stations.keys()].filter((station) => stations[station]!.isCentral === isCentral),
    )
    const allStations = [...stations.keys()]
    /** Returns the stations where a ride may start, and where it may end. */
    const getCommute = (isCommuter: boolean, hour: number) => {
      if (isCommuter && hour < 12) return [outer, inner] as const
      return isCommuter && hour >= 15 ? ([inner, outer] as const) : ([allStations, allStations] as const)
    }
    const pick = (list: readonly number[] | undefined): number => {
      const candidates = list?.length ? list : allStations
      return candidates[Math.floor(random() * candidates.length)] ?? 0
    }
    const rides = Math.round(ridesPerDay * (isWeekend ? 0.75 : 1) * (0.85 + random() * 0.3))
    return Array.from({ length: rides }, (): Move[] => {
      let hour = 0
      for (let remaining = random() * totalDemand; hour < 23 && remaining >= demandByHour[hour]!; hour++)
        remaining -= demandByHour[hour]!
      const rideStartMs = startMs + Math.floor((hour + random()) * 60) * minuteMs
      const isCommuter = !isWeekend && random() < commuterShare
      const [origins, destinations] = getCommute(isCommuter, hour)
      const rideEndMs = rideStartMs + Math.round(5 + random() * 20) * minuteMs
      return [
        { timeMs: rideStartMs, station: pick(origins), kind: -1 as const },
        { timeMs: rideEndMs, station: pick(destinations), kind: 1 as const },
      ].filter(({ timeMs }) => timeMs > startMs && timeMs < endMs)
    }).flat()
  }
}
