import { createRandom, drawNormal, hashNumbers, salts } from '../hash-numbers.ts'
import type { LocalDay } from '../trips/local-days.ts'
import { computeDeliveriesPerHour } from './curb-demand.ts'
import type { CurbPlace } from './curb-place.ts'
import { toLocalInstant } from './local-instant.ts'
import { toSecond } from './parked-cars.ts'

/** A delivery company that reports its own stops in smart zones. */
export interface DeliveryFleet {
  name: string
  vehicleType: 'van' | 'truck' | 'freight' | 'cargo_bicycle'
  propulsion: string
  /** Centimeters. */
  length: number
  /** Median duration of a stop, minutes. */
  median: number
  /** Share of all deliveries. */
  share: number
}

export const deliveryFleets: readonly DeliveryFleet[] = [
  { name: 'Gull Parcel', vehicleType: 'van', propulsion: 'electric', length: 690, median: 9, share: 0.34 },
  {
    name: 'Meridian Freight',
    vehicleType: 'truck',
    propulsion: 'combustion',
    length: 880,
    median: 21,
    share: 0.18,
  },
  {
    name: 'Harbor Foods',
    vehicleType: 'truck',
    propulsion: 'combustion',
    length: 820,
    median: 26,
    share: 0.14,
  },
  {
    name: 'Northbank Linen',
    vehicleType: 'van',
    propulsion: 'combustion',
    length: 640,
    median: 14,
    share: 0.14,
  },
  {
    name: 'Cobble Cargo',
    vehicleType: 'cargo_bicycle',
    propulsion: 'human',
    length: 260,
    median: 6,
    share: 0.2,
  },
]

/** Number of vehicles of each fleet that visit one zone. */
const vehiclesPerZone = 3

/** A stop of a delivery vehicle, or of a car that is not allowed to stop there. */
export interface Delivery {
  place: CurbPlace
  /** Null for a car, which no fleet reports. */
  fleet: DeliveryFleet | null
  /** Empty for a car. */
  plate: string
  fromMs: number
  untilMs: number
  /** Index of the space; null for a double-parked vehicle. */
  space: number | null
  key: number
}

export const makePlate = (fleet: DeliveryFleet, place: CurbPlace, vehicle: number): string =>
  `${fleet.name.slice(0, 2).toUpperCase()}${String(place.number * vehiclesPerZone + vehicle).padStart(5, '0')}`

/** Lists the plates of all vehicles that visit the places. */
export const listPlates = (places: readonly CurbPlace[]): string[] =>
  places.flatMap((place) =>
    deliveryFleets.flatMap((fleet) =>
      Array.from({ length: vehiclesPerZone }, (_, vehicle) => makePlate(fleet, place, vehicle)),
    ),
  )

/** Picks a fleet by its share of deliveries; `random` is in [0, 1). */
function pickFleet(random: number): DeliveryFleet {
  let remaining = random
  return (
    deliveryFleets.find((fleet) => (remaining -= fleet.share) < 0) ?? (deliveryFleets[0] as DeliveryFleet)
  )
}

/** Shares of all stops: by cars without permission, and by drivers who forget to check out. */
const shares = { unauthorized: 0.06, forgotten: 0.008 }

/** Stops at a smart zone on a local day, in the order of their start. */
export function makeDeliveries(place: CurbPlace, seed: number, day: number, local: LocalDay): Delivery[] {
  const random = createRandom(hashNumbers(seed + salts.deliveries, place.number, day))
  const perHour = computeDeliveriesPerHour(place, seed, day)
  const stops: Delivery[] = []
  // Arrivals are a Poisson process with a rate by hour; `wait` is exponential with mean 1.
  for (let minute = 0, wait = -Math.log(1 - random()); minute < 1440;) {
    const perMinute = (perHour[Math.floor(minute / 60)] ?? 0) / 60
    const hourEnd = (Math.floor(minute / 60) + 1) * 60
    if (wait > (hourEnd - minute) * perMinute) {
      wait -= (hourEnd - minute) * perMinute
      minute = hourEnd
      continue
    }
    minute += wait / perMinute
    wait = -Math.log(1 - random())
    const fleet = random() < shares.unauthorized ? null : pickFleet(random())
    // Some drivers forget to check out of the zone in their app.
    const minutes =
      random() < shares.forgotten
        ? 125 + 200 * random()
        : Math.min(118, Math.max(1.2, (fleet?.median ?? 12) * Math.exp(0.7 * drawNormal(random))))
    const fromMs = toSecond(toLocalInstant(local, minute))
    const untilMs = toSecond(toLocalInstant(local, minute + minutes))
    const present = stops.filter((delivery) => delivery.untilMs > fromMs)
    const isFull = present.filter(({ space }) => space !== null).length >= place.spaces
    // If the zone is full, the driver leaves or double-parks briefly.
    if (isFull && (!fleet || random() < 0.6)) continue
    const vehicle = Math.floor(random() * vehiclesPerZone)
    const plate = fleet ? makePlate(fleet, place, vehicle) : ''
    if (fleet && present.some((delivery) => delivery.plate === plate)) continue
    const occupied = new Set(present.map(({ space }) => space))
    const free = Array.from({ length: place.spaces }, (_, space) => space).find(
      (space) => !occupied.has(space),
    )
    stops.push({
      place,
      fleet,
      plate,
      fromMs,
      untilMs: free === undefined ? Math.min(untilMs, fromMs + 9 * 60_000) : untilMs,
      space: free ?? null,
      key: hashNumbers(place.number, day, Math.floor(minute * 60)),
    })
  }
  return stops
}
