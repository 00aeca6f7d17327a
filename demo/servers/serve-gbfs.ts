import type { City } from '../city.ts'
import { hashNumbers } from '../hash-numbers.ts'
import { eventKinds } from '../live/event-kinds.ts'
import type { LiveModel, LiveStatus } from '../live/live-model.ts'
import type { DemoOperator, DemoVehicleType } from '../operators.ts'
import { operators } from '../operators.ts'
import type { DemoServer } from './answer.ts'
import { gbfsZones } from './gbfs-zones.ts'
import { type Station, stationNear, stationsOf } from './stations.ts'

const version = '3.0'
const language = 'en'
const ttl = 60
const stationCount = 36
/** Metres from a station within which a vehicle stands at it. */
const atStation = 110

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
const text = (of: string): { text: string; language: string }[] => [{ text: of, language }]

/** Kinds that are told of the trip that comes: before it a vehicle has another id than after it. */
const beforeTrip: readonly number[] = [eventKinds.pickUp, eventKinds.dropOff, eventKinds.reservation]

/** A vehicle's id in GBFS: another after every trip, so that nobody can follow it. */
export function rotatingId(seed: number, { vehicle, event }: LiveStatus): string {
  const [day, rest] = [Math.floor(event.number / 1_048_576), event.number % 1_048_576]
  const side = beforeTrip.includes(event.kind) ? 910 : 900
  return [1, 2, 3, 4]
    .map((part) =>
      hashNumbers(seed + side + part, day, rest ^ (vehicle.index << 8))
        .toString(16)
        .padStart(8, '0'),
    )
    .join('')
}

/** Vehicles that nobody rides, each with the station that it stands at. */
function standing(
  model: LiveModel,
  slug: string,
  stations: readonly Station[],
  at: number,
): { status: LiveStatus; station: number }[] {
  return model
    .statuses(slug, at, 0)
    .flatMap((status) =>
      status.trip || Math.abs(status.point.lat) < 1
        ? []
        : [{ status, station: stationNear(stations, status.point, atStation) }],
    )
}

/** A public GBFS 3.0 system of an operator. */
export function serveGbfs(
  model: LiveModel,
  city: Pick<City, 'streets' | 'timezone'>,
  { slug, name, fleet }: DemoOperator,
  seed: number,
): DemoServer {
  let stations: Station[] | null = null
  const all = (): Station[] =>
    (stations ??= stationsOf(
      city.streets,
      operators.findIndex((each) => each.slug === slug),
      stationCount,
    ))
  const files: Record<string, (at: number) => Record<string, unknown>> = {
    system_information: () => ({
      system_id: `${slug}_port_meridian`,
      languages: [language],
      name: text(name),
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
    station_information: () => ({
      stations: all().map(({ id, name: title, lon, lat, capacity }) => ({
        station_id: id,
        name: text(title),
        lon,
        lat,
        capacity,
        is_virtual_station: true,
      })),
    }),
    station_status: (at) => {
      const there = standing(model, slug, all(), at)
      return {
        stations: all().map(({ id, capacity }, i) => {
          const here = there.filter(({ station }) => station === i)
          const ready = here.filter(({ status }) => status.event.state === 'available')
          return {
            station_id: id,
            num_vehicles_available: ready.length,
            num_vehicles_disabled: here.length - ready.length,
            num_docks_available: Math.max(0, capacity - here.length),
            vehicle_types_available: fleet.map(({ vehicleType }) => ({
              vehicle_type_id: vehicleType,
              count: ready.filter(({ status }) => status.vehicle.vehicleType === vehicleType).length,
            })),
            is_installed: true,
            is_renting: true,
            is_returning: true,
            last_reported: new Date(at).toISOString(),
          }
        }),
      }
    },
    vehicle_status: (at) => ({
      vehicles: standing(model, slug, all(), at).map(({ status, station }) => {
        const {
          vehicle: { vehicleType },
          event,
          point: { lon, lat, battery },
        } = status
        const range = types[vehicleType].max_range_meters
        return {
          vehicle_id: rotatingId(seed, status),
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
          ...(station < 0 ? {} : { station_id: all()[station]?.id }),
        }
      }),
    }),
    geofencing_zones: () => gbfsZones(city.streets, language),
  }
  return ({ path, method, origin }, at) => {
    if (method !== 'GET') return { status: 405 }
    const told = (data: Record<string, unknown>) => ({
      status: 200,
      body: { last_updated: new Date(at).toISOString(), ttl, version, data },
    })
    const file = path.replace(/^\//, '').replace(/\.json$/, '')
    if (file === 'gbfs')
      return told({
        feeds: ['gbfs', ...Object.keys(files)].map((each) => ({ name: each, url: `${origin}/${each}.json` })),
      })
    const data = Object.hasOwn(files, file) ? files[file] : undefined
    return data ? told(data(at)) : { status: 404 }
  }
}
