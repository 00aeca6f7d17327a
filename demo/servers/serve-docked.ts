import type { City } from '../city.ts'
import { dockedOperator, DockedSystem } from '../stations/docked-system.ts'
import type { DemoServer } from './demo-server.ts'
import { serveGbfsFiles } from './gbfs-files.ts'

/** Path of the docked system on the demo's GBFS server. */
export const dockedPath = `/${dockedOperator.slug}`

const language = 'en'
const localize = (text: string): { text: string; language: string }[] => [{ text, language }]
const bicycle = 'pedal_bicycle'

/** Serves a public GBFS 3.0 system of docked bicycles. */
export function serveDocked(city: Pick<City, 'streets' | 'timezone'>, seed: number): DemoServer {
  const system = new DockedSystem(city, seed)
  return serveGbfsFiles(dockedPath, {
    system_information: () => ({
      system_id: `${dockedOperator.slug}_port_meridian`,
      languages: [language],
      name: localize(dockedOperator.name),
      opening_hours: '24/7',
      timezone: city.timezone,
      feed_contact_email: `feeds@${dockedOperator.slug}.example`,
    }),
    vehicle_types: () => ({
      vehicle_types: [{ vehicle_type_id: bicycle, form_factor: 'bicycle', propulsion_type: 'human' }],
    }),
    station_information: () => ({
      stations: system.stations.map(({ id, name, lon, lat, capacity }) => ({
        station_id: id,
        name: localize(name),
        lon,
        lat,
        capacity,
      })),
    }),
    station_status: (nowMs) => ({
      stations: system.statesAt(nowMs).map((state) => ({
        station_id: system.stations[state.station]?.id,
        num_vehicles_available: state.vehicles,
        num_vehicles_disabled: state.disabled,
        num_docks_available: state.docks,
        vehicle_types_available: [{ vehicle_type_id: bicycle, count: state.vehicles }],
        is_installed: true,
        is_renting: state.isRenting,
        is_returning: state.isReturning,
        last_reported: new Date(state.lastReported).toISOString(),
      })),
    }),
  })
}
