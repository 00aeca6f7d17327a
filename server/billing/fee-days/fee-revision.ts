import type { LocalDay } from '#contract/period.ts'
import type { UnchargedRate } from '#contract/fees.ts'
import type { Area } from '#contract/place.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { Region } from '#contract/regions.ts'
import { hashShapes, toDayShapes } from '#server/compliance/days/make-day-rule.ts'
import { addGeometries, resolveProviders } from '#server/compliance/days/policy-rules.ts'
import { findPolicyShapes } from '#server/policies/find-policy-shapes.ts'
import { findPublishedRevisions } from '#server/policies/published-revisions.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { rateFaultTexts, rateStatus } from '#contract/policy-types/mds-rates.ts'
import { type KeyedRule, readRateRules } from '../mds-rates/rate-part.ts'
import { toTariffPart } from '../policy-tariff.ts'
import { createLazyDiscountPlace, type DiscountPlace } from './discount-place.ts'
import type { TariffPart } from '../tariff.ts'

/** A revision of a fee policy, prepared for charging. */
export interface FeeRevision {
  policyId: string
  /** Null for a draft. */
  constantPolicyId: string | null
  policy: PolicyFields
  part: TariffPart
  /** The areas where it applies, and the cache key of their spatial index; null for the whole region. */
  place: { areas: readonly Area[]; content: string } | null
  /** The rules of an imported policy with rates; otherwise null. */
  rates: readonly PlacedRule[] | null
  /** Reads where trips and parking are discounted; null if nowhere. */
  discount: (() => Promise<DiscountPlace>) | null
  /** When it is in effect, ms, half open. */
  from: number
  until: number
}

/** Stands in for the policy id of a draft. */
export const draftId = '00000000-0000-0000-0000-000000000000'

type NamedShapes = Parameters<typeof toDayShapes>[0]

function readPlace(policy: PolicyFields, namedShapes: NamedShapes): FeeRevision['place'] {
  if (findPolicyType(policy.policy_type)?.place === 'region') return null
  const shapes = toDayShapes(namedShapes)
  return { areas: shapes.flatMap(({ areas }) => areas), content: `areas ${hashShapes(shapes)} union` }
}

/** A rule with rates, and the numbers of its areas in the spatial index of the policy, from 1. */
export type PlacedRule = KeyedRule & { areas: ReadonlySet<number> }

/** Replaces the areas of geographies, because places are tested in SQL by `PlacedRule.areas`. */
const createEmptyArea = () => ({ contains: () => false })

/** Reads the rules of an imported policy with rates; null for other policies. */
function readPlacedRules({ imported_mds: mds }: PolicyFields, namedShapes: NamedShapes): PlacedRule[] | null {
  if (!mds) return null
  let areaCount = 0
  const areasByShape = new Map<string | null, number[]>()
  for (const { shapeId, areas } of toDayShapes(namedShapes))
    areasByShape.set(shapeId, [...(areasByShape.get(shapeId) ?? []), ...areas.map(() => ++areaCount)])
  const shapesByGeography = new Map(
    mds.places.map(({ geography_id: id, shape_uuids: shapes }) => [id, shapes]),
  )
  return readRateRules(mds.rules, createEmptyArea).map((rule) => ({
    ...rule,
    areas: new Set(
      rule.geographies.flatMap((id) =>
        (shapesByGeography.get(id) ?? []).flatMap((shape) => areasByShape.get(shape) ?? []),
      ),
    ),
  }))
}

const isCharged = ({ policy_type: type, imported_mds: mds }: PolicyFields, currency: string): boolean =>
  findPolicyType(type) !== null || (mds !== null && rateStatus(mds, currency)?.isCharged === true)

/** Returns a region's fee revisions that were ever in effect, ordered as on invoices: by time and name. */
export async function listFeeRevisions(
  state: State,
  scope: Scope,
  region: Pick<Region, 'regionId' | 'currencyCode'>,
  at: Date,
): Promise<FeeRevision[]> {
  const fees = (await findPublishedRevisions(state, scope, region.regionId, at)).flatMap((revision) => {
    const part = isCharged(revision.policy, region.currencyCode)
      ? toTariffPart(revision.policy, revision.policy.policy_uuid)
      : null
    return part ? [{ ...revision, part }] : []
  })
  const policies = await resolveProviders(
    state,
    scope,
    fees.map(({ policy }) => policy),
  )
  const revisions = (await addGeometries(state, scope, fees)).flatMap(
    ({ revision, namedShapes }, index): FeeRevision[] => {
      const policy = policies[index]
      if (!policy) return []
      return [
        {
          policyId: policy.policy_uuid,
          constantPolicyId: policy.constant_policy_uuid,
          policy,
          part: revision.part,
          place: readPlace(policy, namedShapes),
          rates: readPlacedRules(policy, namedShapes),
          discount: createLazyDiscountPlace(state.as(scope), policy),
          from: revision.from,
          until: revision.until ?? Infinity,
        },
      ]
    },
  )
  return revisions.toSorted(
    (a, b) =>
      a.from - b.from ||
      a.policy.policy_name.localeCompare(b.policy.policy_name) ||
      (a.policyId < b.policyId ? -1 : 1),
  )
}

/** Returns the rates of a region's published policies that cannot be charged, with the reason. */
export async function listUnchargedRates(
  state: State,
  scope: Scope,
  { regionId, currencyCode }: Pick<Region, 'regionId' | 'currencyCode'>,
  { from, until, at }: { from: number; until: number; at: Date },
): Promise<UnchargedRate[]> {
  const revisions = await findPublishedRevisions(state, scope, regionId, at)
  return revisions
    .filter((revision) => revision.from < until && (revision.until ?? Infinity) > from)
    .flatMap(({ policy }) => {
      const mds = findPolicyType(policy.policy_type) ? null : policy.imported_mds
      return ((mds && rateStatus(mds, currencyCode)?.faults) ?? []).map((rule): UnchargedRate => ({
        policy_uuid: policy.policy_uuid,
        policy_name: policy.policy_name,
        ...rule,
        reason: rateFaultTexts[rule.fault],
      }))
    })
}

/** Returns a complete fee policy of the form as if it had always been in effect; null for other policies. */
export async function makeDraftRevision(
  state: State,
  scope: Scope,
  region: Region,
  fields: PolicyFields,
): Promise<FeeRevision | null> {
  const draft = { ...fields, start_date: null, end_date: null }
  const part = isCharged(draft, region.currencyCode) ? toTariffPart(draft, draftId) : null
  const [policy] = await resolveProviders(state, scope, [draft])
  if (!part || !policy) return null
  const namedShapes = await findPolicyShapes(state, scope, region, policy)
  return {
    policyId: draftId,
    constantPolicyId: null,
    policy,
    part,
    place: readPlace(policy, namedShapes),
    rates: readPlacedRules(policy, namedShapes),
    discount: createLazyDiscountPlace(state.as(scope), policy),
    from: -Infinity,
    until: Infinity,
  }
}

/** A sum of a revision's fees at one price. The exact quantity, in `unit`, is numerator / denominator. */
export interface FeeSum {
  operator: string
  vehicleType: string
  /** `excessCharge`, `discountCharge`, or the key of an MDS rule. Empty for any other fee. */
  charge: string
  unit: string
  /** Empty if the price depends on all trips of the invoice. */
  price: string
  numerator: bigint
  denominator: bigint
  /** Number of trips, parking events or vehicle-days in the sum. */
  facts: number
  /** Number of parking events that have not ended. */
  open: number
}

export interface FeeDaySum extends FeeSum {
  day: LocalDay
}

/** `charge` of the reduction to the maximum per vehicle and day. */
export const excessCharge = 'excess'
/** `charge` of the second sum of trips and parking, which repeats those in discounted shapes. */
export const discountCharge = 'discount'
