import { hashNumbers } from '../hash-numbers.ts'
import { buildAliasTable, type AliasTable } from './alias-table.ts'
import type { DayDemand } from './day-demand.ts'
import type { DemoTrip } from './demo-trip.ts'
import type { LocalDay } from './local-days.ts'
import { placeOnEdge } from './place-on-edge.ts'
import { rhythm } from './rhythm.ts'
import type { RideNetwork } from './ride-network.ts'
import type { Vehicle } from './vehicle.ts'

/** Draws an index of the table with a random number in [0, 1). */
export function drawIndex({ probability, alias }: AliasTable, random: number): number {
  const scaled = random * probability.length
  const index = scaled | 0
  return scaled - index < probability[index]! ? index : alias[index]!
}

const msPerHour = 3_600_000
/** Ride requests per trip. Those of busy vehicles and in places with few departures are not served. */
const requestsPerTrip = 1.77
/** Meters at either end of a street without parked vehicles. */
const corner = 14
const zeroDistanceShare = 0.003
const longTripShare = 0.0002
const wrongPositionShare = 0.00025
/** Meters per second while riding. */
const speed: Record<string, number> = {
  scooter_standing: 3.5,
  scooter_seated: 4.1,
  bicycle: 4.5,
  pedal_bicycle: 3.6,
}
/** Share of trips that go to the farther of two drawn destinations. */
const fartherShare: Record<string, number> = {
  scooter_standing: 0,
  scooter_seated: 0.05,
  bicycle: 0.3,
  pedal_bicycle: 0.15,
}

/** Simulates the trips of vehicles. */
export interface Rider {
  /** Deploys the vehicle at a new place in the night before the day. */
  deploy(vehicle: Vehicle, day: number): void
  /**
   * Simulates the trips of the vehicle that start on the day, in order. `factor` multiplies the number of trips;
   * `allowsLongTrip` permits a trip of over 24 hours.
   */
  ride(
    vehicle: Vehicle,
    day: number,
    local: LocalDay,
    demand: DayDemand,
    factor: number,
    allowsLongTrip: boolean,
    emit: ((trip: DemoTrip) => void) | undefined,
  ): void
}

/** Creates a rider on a street network. A vehicle's day depends only on seed, vehicle and day. */
export function createRider({ graph, distancesFrom, areas }: RideNetwork, seed: number): Rider {
  const hourTables = [buildAliasTable(rhythm.weekdayHours), buildAliasTable(rhythm.weekendHours)]
  const degreesPerMeter = 1 / 111_195
  const lonScale = degreesPerMeter / Math.cos((graph.lat0 * Math.PI) / 180)
  const requests = new Float64Array(96)
  const place = new Float64Array(2)
  const trip: DemoTrip = {
    operator: '',
    vehicleType: '',
    vehicleId: '',
    tripNumber: 0,
    startMs: 0,
    endMs: 0,
    localDate: 0,
    localHour: 0,
    startLon: 0,
    startLat: 0,
    endLon: 0,
    endLat: 0,
    startEdge: 0,
    startOffset: 0,
    endEdge: 0,
    endOffset: 0,
    distanceM: 0,
    durationS: 0,
  }
  // Same generator as `createRandom`, but without allocating a function per vehicle and day.
  let state = 0
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  const drawOffset = (edge: number): number => corner + random() * (graph.edges[edge]!.length - 2 * corner)

  const metersBetween = (edgeA: number, offsetA: number, edgeB: number, offsetB: number): number => {
    if (edgeA === edgeB) return Math.abs(offsetA - offsetB)
    const [a, b] = [graph.edges[edgeA]!, graph.edges[edgeB]!]
    const viaFrom = distancesFrom(a.from)
    const viaTo = distancesFrom(a.to)
    const toEndA = a.length - offsetA
    const toEndB = b.length - offsetB
    return Math.min(
      offsetA + viaFrom[b.from]! + offsetB,
      offsetA + viaFrom[b.to]! + toEndB,
      toEndA + viaTo[b.from]! + offsetB,
      toEndA + viaTo[b.to]! + toEndB,
    )
  }

  const deploy = (vehicle: Vehicle): void => {
    const { squares, deploy: table } = areas[vehicle.operatorIndex]!
    const { edges, edgeTable } = squares[drawIndex(table, random())]!
    vehicle.edge = edges[drawIndex(edgeTable, random())]!
    vehicle.offset = drawOffset(vehicle.edge)
  }

  /** Draws the ride requests of the day into `requests` (ms, in order) and returns their number. */
  const drawRequests = (mean: number, demand: DayDemand, local: LocalDay): number => {
    // The number of requests has a Poisson distribution, drawn by inversion.
    let count = 0
    for (
      let remaining = random(), share = Math.exp(-mean), k = 0;
      (remaining -= share) > 0 && k < requests.length - 1;
      share *= mean / ++k
    )
      count++
    const table = hourTables[demand.isWeekend ? 1 : 0]!
    for (let i = 0; i < count; i++) {
      const hour = drawIndex(table, random())
      const ms = local.startMs + (hour + random()) * msPerHour
      // After a clock change, the distance of a local hour from midnight is different.
      const shift =
        ms + (local.offsetBefore - local.offsetAfter) >= local.changeMs
          ? local.offsetBefore - local.offsetAfter
          : 0
      const request = Math.min(ms + shift, local.endMs - 1)
      // Insertion sort, without allocation.
      let j = i
      for (; j > 0 && requests[j - 1]! > request; j--) requests[j] = requests[j - 1]!
      requests[j] = request
    }
    return count
  }

  /** Adds the error of a GPS receiver. */
  const addNoise = (meters: number): number => meters + (random() + random() - 1) * 7
  const lon = (x: number): number => Math.round((graph.lon0 + addNoise(x) * lonScale) * 1e6) / 1e6
  const lat = (y: number): number => Math.round((graph.lat0 + addNoise(y) * degreesPerMeter) * 1e6) / 1e6

  const rideOnce = (vehicle: Vehicle, phase: number, allowsLongTrip: boolean): void => {
    const area = areas[vehicle.operatorIndex]!
    placeOnEdge(graph.edges[vehicle.edge]!, vehicle.offset, place)
    trip.startLon = lon(place[0]!)
    trip.startLat = lat(place[1]!)
    trip.startEdge = trip.endEdge = vehicle.edge
    trip.startOffset = trip.endOffset = vehicle.offset
    const chance = random()
    if (chance < zeroDistanceShare) {
      trip.endLon = trip.startLon
      trip.endLat = trip.startLat
      trip.distanceM = 0
      trip.durationS = 5 + Math.floor(random() * 70)
      return
    }
    const from = area.squareByEdge[vehicle.edge]!
    const tries = random() < fartherShare[vehicle.vehicleType]! ? 2 : 1
    let [edge, offset, meters] = [vehicle.edge, vehicle.offset, 0]
    for (let k = 0; k < tries || (meters < 180 && k < 4); k++) {
      const { edges, edgeTable } = area.squares[drawIndex(area.destinations[phase]![from]!, random())]!
      const nextEdge = edges[drawIndex(edgeTable, random())]!
      const nextOffset = drawOffset(nextEdge)
      const next = metersBetween(vehicle.edge, vehicle.offset, nextEdge, nextOffset)
      if (next > meters) [edge, offset, meters] = [nextEdge, nextOffset, next]
    }
    // Detours: weekend rides are more often leisurely.
    const detour = phase > 3 && random() < 0.28 ? 0.15 + random() * 1.3 : random() ** 3 * 0.3
    trip.distanceM = Math.round(meters * (1 + detour))
    const pace = speed[vehicle.vehicleType]! * (0.72 + 0.5 * random())
    trip.durationS = Math.round(30 + random() * 110 + trip.distanceM / pace + random() * detour * 600)
    if (allowsLongTrip && chance > 1 - longTripShare) trip.durationS = Math.round(86_400 * (1.02 + random()))
    vehicle.edge = trip.endEdge = edge
    vehicle.offset = trip.endOffset = offset
    placeOnEdge(graph.edges[edge]!, offset, place)
    trip.endLon = lon(place[0]!)
    trip.endLat = lat(place[1]!)
    if (random() < wrongPositionShare) corruptPosition()
  }

  /** Replaces the reported start or end by a wrong position, as in real data. */
  const corruptPosition = (): void => {
    if (random() < 0.5) {
      trip.endLon = trip.endLat = 0
    } else {
      trip.startLon = Math.round((trip.startLon - 0.4 - random()) * 1e6) / 1e6
      trip.startLat = Math.round((trip.startLat + random() - 0.5) * 1e6) / 1e6
    }
  }

  return {
    deploy(vehicle, day) {
      state = hashNumbers(seed ^ 0x5bd1e995, vehicle.index, day)
      deploy(vehicle)
    },
    ride(vehicle, day, local, demand, factor, allowsLongTrip, emit) {
      state = hashNumbers(seed, vehicle.index, day)
      const count = drawRequests(factor * vehicle.operator.tripsPerVehicle * requestsPerTrip, demand, local)
      const { departureShares, squareByEdge } = areas[vehicle.operatorIndex]!
      const phaseOfHour = demand.isWeekend ? rhythm.weekendPhase : rhythm.weekdayPhase
      let sequence = 0
      for (let i = 0; i < count; i++) {
        const startMs = Math.max(requests[i]!, vehicle.busyUntil + 120_000 + Math.floor(random() * 240_000))
        if (startMs >= local.endMs || startMs - requests[i]! > msPerHour) continue
        const offset = startMs < local.changeMs ? local.offsetBefore : local.offsetAfter
        const hour = Math.floor((startMs + offset) / msPerHour) % 24
        const phase = phaseOfHour[hour]!
        if (random() > departureShares[phase]![squareByEdge[vehicle.edge]!]!) continue
        rideOnce(vehicle, phase, allowsLongTrip)
        trip.startMs = Math.floor(startMs / 1000) * 1000
        trip.endMs = trip.startMs + trip.durationS * 1000
        vehicle.busyUntil = trip.endMs
        const number = (day * 8192 + vehicle.index) * 128 + sequence++
        if (emit === undefined) continue
        trip.operator = vehicle.operator.slug
        trip.vehicleType = vehicle.vehicleType
        trip.vehicleId = vehicle.id
        trip.tripNumber = number
        trip.localDate = day
        trip.localHour = hour
        emit(trip)
      }
    },
  }
}
