import type { City } from '../city.ts'
import { hashNumbers } from '../hash-numbers.ts'
import { createEventKinds } from '../live/event-kinds.ts'
import type { FleetSimulation, LiveStatus } from '../live/fleet-simulation.ts'
import type { DemoOperator, DemoVehicleType } from '../operators.ts'
import type { DemoServer } from './demo-server.ts'
import { serveGbfsFiles } from './gbfs-files.ts'
import { toDegrees } from '../point.ts'
import type { StreetGraph } from '../street-graph.ts'
import { placeOnEdge } from '../trips/place-on-edge.ts'
import { makeServiceArea } from '../trips/service-area.ts'
import { attractors } from '../trips/attractors.ts'

/** Number of corners of a circular geofencing zone. */
const corners = 24

/** Riding rules of geofencing zones, by attractor. */
const rules: Readonly<Record<string, { name: string; rule: Record<string, unknown> }>> = {
  Waterfront: {
    name: 'Slow zone',
    rule: {
      ride_start_allowed: true,
      ride_end_allowed: true,
      ride_through_allowed: true,
      maximum_speed_kph: 12,
    },
  },
  'Old Port market': {
    name: 'No parking',
    rule: { ride_start_allowed: true, ride_end_allowed: false, ride_through_allowed: true },
  },
  'Ocean beach': {
    name: 'Slow zone',
    rule: {
      ride_start_allowed: true,
      ride_end_allowed: true,
      ride_through_allowed: true,
      maximum_speed_kph: 15,
    },
  },
  'Seabright pier': {
    name: 'No riding',
    rule: { ride_start_allowed: false, ride_end_allowed: false, ride_through_allowed: false },
  },
}

/** Makes the geofencing zones of GBFS 3.0 around attractors. */
const makeGbfsZones = (
  { lon0, lat0 }: { lon0: number; lat0: number },
  language: string,
): Record<string, unknown> => ({
  geofencing_zones: {
    type: 'FeatureCollection',
    features: attractors.flatMap(({ name, center: [x, y], radius }) => {
      const zone = rules[name]
      if (!zone) return []
      const ring = Array.from({ length: corners + 1 }, (_, i) => {
        const angle = (2 * Math.PI * (i % corners)) / corners
        return toDegrees(lon0, lat0, [x + Math.cos(angle) * radius * 0.4, y + Math.sin(angle) * radius * 0.4])
      })
      return [
        {
          type: 'Feature',
          geometry: { type: 'MultiPolygon', coordinates: [[ring]] },
          properties: { name: [{ text: `${zone.name}: ${name}`, language }], rules: [zone.rule] },
        },
      ]
    }),
  },
  global_rules: [{ ride_start_allowed: true, ride_end_allowed: true, ride_through_allowed: true }],
})

/** A station of a GBFS system. */
interface Station {
  id: string
  name: string
  lon: number
  lat: number
  capacity: number
}

/** Makes the stations of an operator, distributed over the squares of its service area. */
function makeStations(graph: StreetGraph, operator: DemoOperator, maxCount: number): Station[] {
  const { squares } = makeServiceArea(graph, operator)
  const count = Math.min(maxCount, squares.length)
  const place = new Float64Array(2)
  return Array.from({ length: count }, (_, i) => {
    const edges = squares[Math.floor((i * squares.length) / count)]?.edges ?? new Int32Array(1)
    const edge = graph.edges[edges[edges.length >> 1] ?? 0]!
    placeOnEdge(edge, edge.length / 2, place)
    const [lon, lat] = toDegrees(graph.lon0, graph.lat0, [place[0]!, place[1]!])
    return {
      id: `st-${String(i + 1).padStart(3, '0')}`,
      name: `${edge.district ?? 'Station'} ${i + 1}`,
      lon,
      lat,
      capacity: 8 + (i % 4) * 4,
    }
  })
}

/** Finds the index of the nearest station within `maxMeters`; -1 if there is none. */
function findStationIndex(
  stations: readonly Station[],
  { lon, lat }: { lon: number; lat: number },
  maxMeters: number,
): number {
  const scale = Math.cos((lat * Math.PI) / 180)
  let [bestSquare, nearest] = [(maxMeters / 111_195) ** 2, -1]
  stations.forEach((station, i) => {
    const square = ((station.lon - lon) * scale) ** 2 + (station.lat - lat) ** 2
    if (square < bestSquare) [bestSquare, nearest] = [square, i]
  })
  return nearest
}

const language = 'en'
const stationCount = 36
/** Distance within which a vehicle counts as parked at a station. */
const stationRadiusMeters = 110

const types: Record<
  DemoVehicleType,
  { form_factor: string; propulsion_type: string; max_range_meters?: number }
> = {
  scooter_standing: {
    form_factor: 'scooter_standing',
    propulsion_type: 'electric',
    max_range_meters: 32_000,
  },
  scooter_seated: { form_factor: 'scooter_seated', propulsion_type: 'electric', max_range_meters: 45_000 },
  bicycle: { form_factor: 'bicycle', propulsion_type: 'electric_assist', max_range_meters: 55_000 },
  pedal_bicycle: { form_factor: 'bicycle', propulsion_type: 'human' },
}
const localize = (text: string): { text: string; language: string }[] => [{ text, language }]

/** Kinds of events with the number of the next trip, after which the vehicle has a new ID. */
const beforeTrip: readonly number[] = [
  createEventKinds.pickUp,
  createEventKinds.dropOff,
  createEventKinds.reservation,
]

/** Makes a vehicle ID for GBFS, which changes after every trip so that vehicles cannot be tracked. */
export function makeRotatingId(seed: number, { vehicle, event }: LiveStatus): string {
  const [day, numberInDay] = [Math.floor(event.number / 1_048_576), event.number % 1_048_576]
  const side = beforeTrip.includes(event.kind) ? 910 : 900
  return [1, 2, 3, 4]
    .map((part) =>
      hashNumbers(seed + side + part, day, numberInDay ^ (vehicle.index << 8))
        .toString(16)
        .padStart(8, '0'),
    )
    .join('')
}

interface ParkedVehicle {
  status: LiveStatus
  /** Index of its station, or -1. */
  station: number
}

/** Lists parked vehicles. Omits those with a wrong position near 0. */
function listParkedVehicles(
  simulation: FleetSimulation,
  slug: string,
  stations: readonly Station[],
  nowMs: number,
): ParkedVehicle[] {
  return simulation
    .statuses(slug, nowMs, 0)
    .filter(({ trip, point }) => !trip && Math.abs(point.lat) >= 1)
    .map((status) => ({ status, station: findStationIndex(stations, status.point, stationRadiusMeters) }))
}

/** Serves a public GBFS 3.0 system of an operator. */
export function serveGbfs(
  simulation: FleetSimulation,
  city: Pick<City, 'streets' | 'timezone'>,
  operator: DemoOperator,
  seed: number,
): DemoServer {
  const { slug, name, fleet } = operator
  let stations: Station[] | null = null
  const getStations = (): Station[] => (stations ??= makeStations(city.streets, operator, stationCount))
  const park = (nowMs: number): ParkedVehicle[] => listParkedVehicles(simulation, slug, getStations(), nowMs)
  const files: Record<string, (nowMs: number) => Record<string, unknown>> = {
    system_information: () => ({
      system_id: `${slug}_port_meridian`,
      languages: [language],
      name: localize(name),
      opening_hours: '24/7',
      timezone: city.timezone,
      feed_contact_email: `feeds@${slug}.example`,
    }),
    vehicle_types: () => ({
      vehicle_types: fleet.map(({ vehicleType }) => ({
        vehicle_type_id: vehicleType,
        ...types[vehicleType],
        return_constraint: 'hybrid',
      })),
    }),
    station_information: () => ({ stations: getStations().map(makeStationInformation) }),
    station_status: (nowMs) => {
      const parked = park(nowMs)
      return {
        stations: getStations().map((station, index) =>
          makeStationStatus(
            { station, fleet, nowMs },
            parked.filter((vehicle) => vehicle.station === index),
          ),
        ),
      }
    },
    vehicle_status: (nowMs) => ({
      vehicles: park(nowMs).map(({ status, station }) => ({
        vehicle_id: makeRotatingId(seed, status),
        ...makeVehicleStatus(status),
        ...(station < 0 ? {} : { station_id: getStations()[station]?.id }),
      })),
    }),
    geofencing_zones: () => makeGbfsZones(city.streets, language),
  }
  return serveGbfsFiles('', files)
}

const makeStationInformation = ({ id, name, lon, lat, capacity }: Station) => ({
  station_id: id,
  name: localize(name),
  lon,
  lat,
  capacity,
  is_virtual_station: true,
})

function makeStationStatus(
  {
    station: { id, capacity },
    fleet,
    nowMs,
  }: { station: Station; fleet: DemoOperator['fleet']; nowMs: number },
  parkedHere: readonly ParkedVehicle[],
) {
  const available = parkedHere.filter(({ status }) => status.event.state === 'available')
  return {
    station_id: id,
    num_vehicles_available: available.length,
    num_vehicles_disabled: parkedHere.length - available.length,
    num_docks_available: Math.max(0, capacity - parkedHere.length),
    vehicle_types_available: fleet.map(({ vehicleType }) => ({
      vehicle_type_id: vehicleType,
      count: available.filter(({ status }) => status.vehicle.vehicleType === vehicleType).length,
    })),
    is_installed: true,
    is_renting: true,
    is_returning: true,
    last_reported: new Date(nowMs).toISOString(),
  }
}

function makeVehicleStatus({ vehicle: { vehicleType }, event, point: { lon, lat, battery } }: LiveStatus) {
  const range = types[vehicleType].max_range_meters
  return {
    lat,
    lon,
    is_reserved: event.state === 'reserved',
    is_disabled: event.state !== 'available' && event.state !== 'reserved',
    vehicle_type_id: vehicleType,
    last_reported: new Date(event.time).toISOString(),
    ...(range === undefined || Number.isNaN(battery)
      ? {}
      : {
          current_range_meters: Math.round((range * battery) / 100),
          current_fuel_percent: battery / 100,
        }),
  }
}
