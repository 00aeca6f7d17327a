import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { type MakeModelQuery, parkingByMakeModel } from './queries/parking-by-make-model.ts'

/** Parking events of one make and model; '' if unknown. */
export interface MakeModelSums {
  operator: string
  vehicle_type: string
  make: string
  model: string
  sessions: string
  minutes: number
}

/** Parking events by make and model of their vehicles. */
export const readParkingByMakeModel = (
  facts: Facts,
  scope: Scope,
  query: MakeModelQuery,
  signal: AbortSignal,
): Promise<MakeModelSums[]> =>
  facts.rows<MakeModelSums>(scope, parkingByMakeModel(query), { signal, limits: { seconds: 60 } })
