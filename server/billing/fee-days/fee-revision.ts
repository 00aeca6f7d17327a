import type { LocalDay } from '#contract/period.ts'
import type { Area } from '#contract/place.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { Region } from '#contract/regions.ts'
import { contentOf, groundsOf } from '#server/compliance/days/make-day-rule.ts'
import { withGrounds } from '#server/compliance/days/policy-rules.ts'
import { findGround } from '#server/policies/find-ground.ts'
import { publishedRevisions } from '#server/policies/published-revisions.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { tariffPartOf } from '../policy-tariff.ts'
import type { TariffPart } from '../tariff.ts'

/** A revision of a fee policy, as it is charged. */
export interface FeeRevision {
  policyId: string
  /** Null: a draft. */
  constantPolicyId: string | null
  policy: PolicyFields
  part: TariffPart
  /** Where it applies, and the key of its index; null: everywhere. */
  place: { areas: readonly Area[]; content: string } | null
  /** When it is in effect, ms, half open. */
  from: number
  until: number
}

/** Id of a draft in place of its revision. */
export const draftId = '00000000-0000-0000-0000-000000000000'

type NamedGrounds = Parameters<typeof groundsOf>[0]

function placeOf(policy: PolicyFields, named: NamedGrounds): FeeRevision['place'] {
  if (policyTypeOf(policy.policy_type)?.place === 'region') return null
  const grounds = groundsOf(named)
  return { areas: grounds.flatMap(({ areas }) => areas), content: `areas ${contentOf(grounds)} union` }
}

/** The revisions of fee policies of a region that were ever in effect, oldest first. */
export async function feeRevisions(
  state: State,
  scope: Scope,
  regionId: string,
  at: Date,
): Promise<FeeRevision[]> {
  const fees = (await publishedRevisions(state, scope, regionId, at)).flatMap((revision) => {
    const part = tariffPartOf(revision.policy, revision.policy.policy_uuid)
    return part ? [{ ...revision, part }] : []
  })
  return (await withGrounds(state, scope, fees)).map(({ revision, named }): FeeRevision => ({
    policyId: revision.policy.policy_uuid,
    constantPolicyId: revision.policy.constant_policy_uuid,
    policy: revision.policy,
    part: revision.part,
    place: placeOf(revision.policy, named),
    from: revision.from,
    until: revision.until ?? Infinity,
  }))
}

/** A policy as it is on the form, on its shapes as they are now, as if it had always been in effect; null: it is no fee, or not complete. */
export async function draftRevision(
  state: State,
  scope: Scope,
  region: Region,
  fields: PolicyFields,
): Promise<FeeRevision | null> {
  const policy = { ...fields, start_date: null, end_date: null }
  const part = tariffPartOf(policy, draftId)
  if (!part) return null
  const place = placeOf(policy, await findGround(state, scope, region, policy))
  return { policyId: draftId, constantPolicyId: null, policy, part, place, from: -Infinity, until: Infinity }
}

/** Sums of a revision and local day by price, exact: the quantity is numerator / denominator in the unit. */
export interface FeeSum {
  operator: string
  vehicleType: string
  /** Empty, or what it is beside a price. */
  charge: string
  unit: string
  /** Empty: priced with the other trips of the invoice. */
  price: string
  numerator: bigint
  denominator: bigint
  /** Trips, parking events or vehicle-days behind it. */
  facts: number
  /** Parking events that go on. */
  open: number
}
export interface FeeDaySum extends FeeSum {
  day: LocalDay
}

/** What the maximum per vehicle and day reduces, in `charge`. */
export const excessCharge = 'excess'
