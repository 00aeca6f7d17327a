import type { LiveStation } from '#contract/vehicles.ts'
import type { LiveSnapshot } from './live-snapshot.ts'

/** The stations of snapshots of the given operators (null: all). */
export const liveStations = (
  snapshots: readonly LiveSnapshot[],
  operators: readonly string[] | null,
): LiveStation[] =>
  snapshots
    .filter(({ operator }) => !operators || operators.includes(operator))
    .flatMap(({ operator, at, stations }) =>
      stations.map(
        ({ stationId, name, lon, lat, capacity, vehiclesAvailable, docksAvailable, isRenting }) => ({
          operator,
          station_id: stationId,
          name,
          lon,
          lat,
          capacity,
          vehicles_available: vehiclesAvailable,
          docks_available: docksAvailable,
          is_renting: isRenting,
          seen: at,
        }),
      ),
    )
