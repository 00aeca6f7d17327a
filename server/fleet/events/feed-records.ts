import type { Finding } from './finding.ts'
import type { Stop } from './stop.ts'
import type { TelemetryPoint } from './telemetry-point.ts'
import type { TripReport } from './trip-report.ts'
import type { Vehicle } from './vehicle.ts'
import type { VehicleEvent } from './vehicle-event.ts'

/** The parsed records of a response, push or file, and the findings about its records. */
export interface FeedRecords {
  vehicles: Vehicle[]
  events: VehicleEvent[]
  trips: TripReport[]
  telemetry: TelemetryPoint[]
  stops: Stop[]
  findings: Finding[]
}

export const noRecords = (): FeedRecords => ({
  vehicles: [],
  events: [],
  trips: [],
  telemetry: [],
  stops: [],
  findings: [],
})
