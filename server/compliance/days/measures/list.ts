import type { DayMeasure } from '../day-rule.ts'
import { dropOffs } from './drop-offs.ts'
import { fleetInShape } from './fleet-in-shape.ts'
import { fleet } from './fleet.ts'
import type { MeasureKind, MeasureType } from './measure-type.ts'
import { parked, parkedLonger, parkedShare } from './parking.ts'
import { ridden } from './ridden.ts'
import { importedRules } from './rules.ts'
import { speeding } from './speeding.ts'
import { tripsPerVehicle } from './trips-per-vehicle.ts'

/** Implementations by the `kind` of measure that a policy type declares (contract/policy-types/). */
const measureTypes: { readonly [Kind in MeasureKind]: MeasureType<Kind> } = {
  fleet,
  fleet_in_shape: fleetInShape,
  drop_offs: dropOffs,
  trips_per_vehicle: tripsPerVehicle,
  parked,
  parked_longer: parkedLonger,
  parked_share: parkedShare,
  ridden,
  speeding,
  rules: importedRules,
}

/** Finds the implementation of a measure. Fees have none: they are not measured (make-day-rule.ts). */
export function findMeasureType({ kind }: DayMeasure): MeasureType<MeasureKind> {
  if (kind === 'fee') throw new Error('A fee is not measured')
  return measureTypes[kind] as unknown as MeasureType<MeasureKind>
}
