import type { ExportTableName } from '#contract/export-tables.ts'
import type { ExportSource } from './export-source.ts'
import { bikeshareStations } from './bikeshare-stations.ts'
import { fees } from './fees.ts'
import { events, parkingEvents, vehicleStates } from './fleet.ts'
import { complianceDays, issues, policies, shapes } from './state-tables.ts'
import { trips } from './trips.ts'

/** The source of each table's rows. */
export const exportSources: Readonly<Record<ExportTableName, ExportSource>> = {
  trips,
  vehicle_states: vehicleStates,
  events,
  parking_events: parkingEvents,
  compliance_days: complianceDays,
  policies,
  shapes,
  issues,
  fees,
  bikeshare_stations: bikeshareStations,
}
