import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { VehicleTypeList } from './mobility.ts'
import { LocalDay } from './period.ts'
import { listParkingEvents } from './parking.ts'

/** Same as `listParkingEvents`, under the address that curb pages use. */
export const listCurbParkingEvents = endpoint({
  route: 'GET /regions/{region_id}/curb_parking/parking_events',
  cost: 'heavy',
  permission: 'signed_in',
  personal: true,
  summary: listParkingEvents.summary,
  request: listParkingEvents.request,
  response: listParkingEvents.response,
})

const row = {
  operator: z.string(),
  vehicle_type: z.string(),
  parking_sessions: z.number().int(),
  /** Minutes until the vehicle left or, for ongoing sessions, until now. */
  total_parked_duration: z.number(),
  average_parked_duration: z.number(),
}
export const getParkingSessionsByMakeModel = endpoint({
  route: 'GET /regions/{region_id}/reports/parking_sessions_by_make_model',
  cost: 'heavy',
  permission: 'signed_in',
  medias: ['text/csv', 'application/json'],
  summary:
    'Parking events that begin in local days by make and model of the vehicle: CSV unless `format` or Accept asks for JSON. Those of vehicles without either are listed separately',
  request: {
    params: z.object({ region_id: z.string() }),
    query: z.object({
      start_date: LocalDay,
      end_date: LocalDay,
      /** Separated by commas. */
      operators: z.string().optional(),
      vehicle_types: VehicleTypeList.default(''),
      format: z.enum(['csv', 'json']).optional(),
    }),
  },
  response: z.object({
    start_date: LocalDay,
    end_date: LocalDay,
    items: z.array(z.object({ make: z.string(), model: z.string(), ...row })),
    /** Sessions of vehicles with unknown make and model. */
    without_make_model: z.array(z.object(row)),
  }),
})
