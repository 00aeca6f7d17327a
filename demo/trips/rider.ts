import { hourMs } from '#contract/period.ts'
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

const degreesPerMeter = 1 / 111_195
/** Ride requests per trip. Those of busy vehicles and in places with few departures are not served. */
const requestsPerTrip = 1.77
/** Meters at either end of a street without parked vehicles. */
const cornerMeters = 14
const zeroDistanceShare = 0.003
const longTripShare = 0.0002
const wrongPositionShare = 0.00025
/** Separates the draws of deployments from those of trips, which use the seed. */
const deploymentSalt = 0x5bd1e995
/** Speed while riding. */
const metersPerSecondByType: Record<string, number> = {
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

/** A local day of an operator. `factor` multiplies the number of trips. */
interface RiderDay {
  day: number
  local: LocalDay
  demand: DayDemand
  factor: number
}

interface RideOptions {
  /** Permits a trip of over 24 hours. */
  allowsLongTrip: boolean
  /** Receives the trips. The object is reused, so it must be copied to be stored. */
  emit: ((trip: DemoTrip) => void) | undefined
}

/** Simulates the trips of vehicles on a street network. A vehicle's day depends only on seed, vehicle and day. */
export class Rider {
  readonly #network: RideNetwork
  readonly #seed: number
  readonly #lonScale: number
  readonly #random = new ReseededRandom()
  /** The ride requests of the current vehicle and day, ms. */
  readonly #requests = new Float64Array(96)
  readonly #point = new Float64Array(2)
  readonly #trip: DemoTrip = {
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

  constructor(network: RideNetwork, seed: number) {
    this.#network = network
    this.#seed = seed
    this.#lonScale = degreesPerMeter / Math.cos((network.graph.lat0 * Math.PI) / 180)
  }

  /** Deploys the vehicle at a new place in the night before the day. */
  deploy(vehicle: Vehicle, day: number): void {
    const random = this.#random
    random.reseed(hashNumbers(this.#seed ^ deploymentSalt, vehicle.index, day))
    const { squares, deploy: table } = this.#network.areas[vehicle.operatorIndex]!
    const { edges, edgeTable } = squares[drawIndex(table, random.next())]!
    vehicle.edge = edges[drawIndex(edgeTable, random.next())]!
    vehicle.offset = this.#drawOffset(vehicle.edge)
  }

  /** Simulates the trips of the vehicle that start on the day, in order. */
  ride(
    vehicle: Vehicle,
    { day, local, demand, factor }: RiderDay,
    { allowsLongTrip, emit }: RideOptions,
  ): void {
    const random = this.#random
    const requests = this.#requests
    const trip = this.#trip
    random.reseed(hashNumbers(this.#seed, vehicle.index, day))
    const meanCount = factor * vehicle.operator.tripsPerVehicle * requestsPerTrip
    const count = drawRequests(requests, { meanCount, demand, local, random })
    const { departureShares, squareByEdge } = this.#network.areas[vehicle.operatorIndex]!
    const phaseOfHour = demand.isWeekend ? rhythm.weekendPhase : rhythm.weekdayPhase
    let sequence = 0
    for (let index = 0; index < count; index++) {
      const startMs = Math.max(
        requests[index]!,
        vehicle.busyUntil + 120_000 + Math.floor(random.next() * 240_000),
      )
      if (startMs >= local.endMs || startMs - requests[index]! > hourMs) continue
      const offset = startMs < local.changeMs ? local.offsetBefore : local.offsetAfter
      const hour = Math.floor((startMs + offset) / hourMs) % 24
      const phase = phaseOfHour[hour]!
      if (random.next() > departureShares[phase]![squareByEdge[vehicle.edge]!]!) continue
      this.#rideOnce(vehicle, phase, allowsLongTrip)
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
  }

  /** Moves the vehicle to a drawn destination, and sets places, distance and duration of the trip. */
  #rideOnce(vehicle: Vehicle, phase: number, allowsLongTrip: boolean): void {
    const random = this.#random
    const trip = this.#trip
    const { edges } = this.#network.graph
    placeOnEdge(edges[vehicle.edge]!, vehicle.offset, this.#point)
    trip.startLon = this.#lon(this.#point[0]!)
    trip.startLat = this.#lat(this.#point[1]!)
    trip.startEdge = trip.endEdge = vehicle.edge
    trip.startOffset = trip.endOffset = vehicle.offset
    const chance = random.next()
    if (chance < zeroDistanceShare) {
      trip.endLon = trip.startLon
      trip.endLat = trip.startLat
      trip.distanceM = 0
      trip.durationS = 5 + Math.floor(random.next() * 70)
      return
    }
    const { edge, offset, meters } = this.#drawDestination(vehicle, phase)
    // Detours: weekend rides are more often leisurely.
    const detour = phase > 3 && random.next() < 0.28 ? 0.15 + random.next() * 1.3 : random.next() ** 3 * 0.3
    trip.distanceM = Math.round(meters * (1 + detour))
    const metersPerSecond = metersPerSecondByType[vehicle.vehicleType]! * (0.72 + 0.5 * random.next())
    trip.durationS = Math.round(
      30 + random.next() * 110 + trip.distanceM / metersPerSecond + random.next() * detour * 600,
    )
    if (allowsLongTrip && chance > 1 - longTripShare)
      trip.durationS = Math.round(86_400 * (1.02 + random.next()))
    vehicle.edge = trip.endEdge = edge
    vehicle.offset = trip.endOffset = offset
    placeOnEdge(edges[edge]!, offset, this.#point)
    trip.endLon = this.#lon(this.#point[0]!)
    trip.endLat = this.#lat(this.#point[1]!)
    if (random.next() < wrongPositionShare) this.#corruptPosition()
  }

  /** Draws one or two destinations, up to four if they are too close, and returns the farthest. */
  #drawDestination(vehicle: Vehicle, phase: number): { edge: number; offset: number; meters: number } {
    const random = this.#random
    const area = this.#network.areas[vehicle.operatorIndex]!
    const from = area.squareByEdge[vehicle.edge]!
    const tries = random.next() < fartherShare[vehicle.vehicleType]! ? 2 : 1
    let destination = { edge: vehicle.edge, offset: vehicle.offset, meters: 0 }
    for (let attempt = 0; attempt < tries || (destination.meters < 180 && attempt < 4); attempt++) {
      const { edges, edgeTable } = area.squares[drawIndex(area.destinations[phase]![from]!, random.next())]!
      const edge = edges[drawIndex(edgeTable, random.next())]!
      const offset = this.#drawOffset(edge)
      const meters = this.#metersFrom(vehicle, edge, offset)
      if (meters > destination.meters) destination = { edge, offset, meters }
    }
    return destination
  }

  /** Returns the distance along streets from a vehicle to a place. */
  #metersFrom({ edge: edgeA, offset: offsetA }: Vehicle, edgeB: number, offsetB: number): number {
    if (edgeA === edgeB) return Math.abs(offsetA - offsetB)
    const { graph, distancesFrom } = this.#network
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

  #drawOffset(edge: number): number {
    return cornerMeters + this.#random.next() * (this.#network.graph.edges[edge]!.length - 2 * cornerMeters)
  }

  #lon(x: number): number {
    return Math.round((this.#network.graph.lon0 + this.#addNoise(x) * this.#lonScale) * 1e6) / 1e6
  }

  #lat(y: number): number {
    return Math.round((this.#network.graph.lat0 + this.#addNoise(y) * degreesPerMeter) * 1e6) / 1e6
  }

  /** Adds the error of a GPS receiver. */
  #addNoise(meters: number): number {
    return meters + (this.#random.next() + this.#random.next() - 1) * 7
  }

  /** Replaces the reported start or end by a wrong position, as in real data. */
  #corruptPosition(): void {
    const random = this.#random
    const trip = this.#trip
    if (random.next() < 0.5) {
      trip.endLon = trip.endLat = 0
    } else {
      trip.startLon = Math.round((trip.startLon - 0.4 - random.next()) * 1e6) / 1e6
      trip.startLat = Math.round((trip.startLat + random.next() - 0.5) * 1e6) / 1e6
    }
  }
}

/** The generator of `createRandom`, which is reseeded instead of allocated for each vehicle and day. */
class ReseededRandom {
  #state = 0

  reseed(seed: number): void {
    this.#state = seed
  }

  /** Returns a number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    const state = this.#state
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const hourTables = [buildAliasTable(rhythm.weekdayHours), buildAliasTable(rhythm.weekendHours)]

interface RequestSource {
  meanCount: number
  demand: DayDemand
  local: LocalDay
  random: ReseededRandom
}

/** Draws the ride requests of a day into `requests` (ms, in order) and returns their number. */
function drawRequests(requests: Float64Array, { meanCount, demand, local, random }: RequestSource): number {
  const count = drawPoisson(meanCount, requests.length - 1, random)
  const table = hourTables[demand.isWeekend ? 1 : 0]!
  for (let requestIndex = 0; requestIndex < count; requestIndex++) {
    const hour = drawIndex(table, random.next())
    const ms = local.startMs + (hour + random.next()) * hourMs
    // After a clock change, the distance of a local hour from midnight is different.
    const shift =
      ms + (local.offsetBefore - local.offsetAfter) >= local.changeMs
        ? local.offsetBefore - local.offsetAfter
        : 0
    const request = Math.min(ms + shift, local.endMs - 1)
    // Insertion sort, without allocation.
    let insertIndex = requestIndex
    for (; insertIndex > 0 && requests[insertIndex - 1]! > request; insertIndex--)
      requests[insertIndex] = requests[insertIndex - 1]!
    requests[insertIndex] = request
  }
  return count
}

/** Draws a number with a Poisson distribution, by inversion. */
function drawPoisson(mean: number, maxCount: number, random: ReseededRandom): number {
  let count = 0
  for (
    let remaining = random.next(), share = Math.exp(-mean);
    (remaining -= share) > 0 && count < maxCount;
    share *= mean / count
  )
    count++
  return count
}
