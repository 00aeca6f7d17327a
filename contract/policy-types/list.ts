import { distribution } from './distribution.ts'
import { noParking } from './no-parking.ts'
import { noRide } from './no-ride.ts'
import { operatorDropOffs } from './operator-drop-offs.ts'
import { parkingFees } from './parking-fees.ts'
import { parkingTimeLimit } from './parking-time-limit.ts'
import type { PolicyType } from './policy-type.ts'
import { preferredParking } from './preferred-parking.ts'
import { slowRide } from './slow-ride.ts'
import { tripFees } from './trip-fees.ts'
import { utilization } from './utilization.ts'
import { vehicleCap } from './vehicle-cap.ts'
import { vehicleFees } from './vehicle-fees.ts'

/** Every type of policy in the order of the form. */
export const policyTypes: readonly PolicyType[] = [
  noRide,
  noParking,
  parkingTimeLimit,
  vehicleCap,
  distribution,
  operatorDropOffs,
  slowRide,
  utilization,
  parkingFees,
  tripFees,
  vehicleFees,
  preferredParking,
]

const byName = new Map(policyTypes.map((type) => [type.name, type]))

/** Finds a type by name; null if unknown, as for an imported policy. */
export const findPolicyType = (name: string): PolicyType | null => byName.get(name) ?? null

/** Returns a policy's form fields, including the geography unless its type is always citywide. */
export function offeredFields(policy: Parameters<PolicyType['offeredFields']>[0]): ReadonlySet<string> {
  const type = findPolicyType(policy.policy_type)
  if (!type) return new Set()
  return new Set([
    ...(type.place === 'region' ? [] : ['shape_layer_uuid', 'shape_uuids']),
    ...type.offeredFields(policy),
  ])
}
