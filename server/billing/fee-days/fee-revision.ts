import type { LocalDay } from '#contract/period.ts'
import type { UnchargedRate } from '#contract/fees.ts'
import type { Area } from '#contract/place.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { Region } from '#contract/regions.ts'
import { contentOf, shapesOf } from '#server/compliance/days/make-day-rule.ts'
import { withGeometries, withProviders } from '#server/compliance/days/policy-rules.ts'
import { findPolicyShapes } from '#server/policies/find-policy-shapes.ts'
import { publishedRevisions } from '#server/policies/published-revisions.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { rateFaultTexts, rateStatus } from '#contract/policy-types/mds-rates.ts'
import { type KeyedRule, readRateRules } from '../mds-rates/rate-part.ts'
import { tariffPartOf } from '../policy-tariff.ts'
import { discountOf, type DiscountPlace } from './discount-place.ts'
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
  /** Of an imported policy with rates: its rules, each with the numbers of its areas. */
  rates: readonly PlacedRule[] | null
  /** Where trips and parking have a discount; null: nowhere. */
  discount: (() => Promise<DiscountPlace>) | null
  /** When it is in effect, ms, half open. */
  from: number
  until: number
}

/** Id of a draft in place of its revision. */
export const draftId = '00000000-0000-0000-0000-000000000000'

type NamedShapes = Parameters<typeof shapesOf>[0]

function placeOf(policy: PolicyFields, named: NamedShapes): FeeRevision['place'] {
  if (policyTypeOf(policy.policy_type)?.place === 'region') return null
  const shapes = shapesOf(named)
  return { areas: shapes.flatMap(({ areas }) => areas), content: `areas ${contentOf(shapes)} union` }
}

export type PlacedRule = KeyedRule & { areas: ReadonlySet<number> }

const nowhere = () => ({ contains: () => false })

/** The rules of an imported policy with rates; null: it is no such policy. */
function placedRules({ imported_mds: mds }: PolicyFields, named: NamedShapes): PlacedRule[] | null {
  if (!mds) return null
  let count = 0
  const areasOfShape = new Map<string | null, number[]>()
  for (const { shapeId, areas } of shapesOf(named))
    areasOfShape.set(shapeId, [...(areasOfShape.get(shapeId) ?? []), ...areas.map(() => ++count)])
  const shapeIdsOf = new Map(mds.places.map(({ geography_id: id, shape_uuids: shapes }) => [id, shapes]))
  return readRateRules(mds.rules, nowhere).map((rule) => ({
    ...rule,
    areas: new Set(
      rule.geographies.flatMap((id) =>
        (shapeIdsOf.get(id) ?? []).flatMap((shape) => areasOfShape.get(shape) ?? []),
      ),
    ),
  }))
}

/** Whether a policy is charged in a currency. */
const isCharged = ({ policy_type: type, imported_mds: mds }: PolicyFields, currency: string): boolean =>
  policyTypeOf(type) !== null || (mds !== null && rateStatus(mds, currency)?.isCharged === true)

/** The revisions of fee policies of a region that were ever in effect, oldest first, then by name: the order of lines. */
export async function feeRevisions(
  state: State,
  scope: Scope,
  region: Pick<Region, 'regionId' | 'currencyCode'>,
  at: Date,
): Promise<FeeRevision[]> {
  const fees = (await publishedRevisions(state, scope, region.regionId, at)).flatMap((revision) => {
    const part = isCharged(revision.policy, region.currencyCode)
      ? tariffPartOf(revision.policy, revision.policy.policy_uuid)
      : null
    return part ? [{ ...revision, part }] : []
  })
  const policies = await withProviders(
    state,
    scope,
    fees.map(({ policy }) => policy),
  )
  const revisions = (await withGeometries(state, scope, fees)).flatMap(
    ({ revision, named }, index): FeeRevision[] => {
      const policy = policies[index]
      if (!policy) return []
      return [
        {
          policyId: policy.policy_uuid,
          constantPolicyId: policy.constant_policy_uuid,
          policy,
          part: revision.part,
          place: placeOf(policy, named),
          rates: placedRules(policy, named),
          discount: discountOf(state.as(scope), policy),
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

/** Rates of published policies of a region that are not charged, with the reason. */
export async function unchargedRates(
  state: State,
  scope: Scope,
  { regionId, currencyCode }: Pick<Region, 'regionId' | 'currencyCode'>,
  { from, until }: { from: number; until: number },
  at: Date,
): Promise<UnchargedRate[]> {
  const revisions = await publishedRevisions(state, scope, regionId, at)
  return revisions
    .filter((each) => each.from < until && (each.until ?? Infinity) > from)
    .flatMap(({ policy }) => {
      const mds = policyTypeOf(policy.policy_type) ? null : policy.imported_mds
      return ((mds && rateStatus(mds, currencyCode)?.faults) ?? []).map((rule): UnchargedRate => ({
        policy_uuid: policy.policy_uuid,
        policy_name: policy.policy_name,
        ...rule,
        reason: rateFaultTexts[rule.fault],
      }))
    })
}

/** A policy as it is on the form, on its shapes as they are now, as if it had always been in effect; null: it is no fee, or not complete. */
export async function draftRevision(
  state: State,
  scope: Scope,
  region: Region,
  fields: PolicyFields,
): Promise<FeeRevision | null> {
  const draft = { ...fields, start_date: null, end_date: null }
  const part = isCharged(draft, region.currencyCode) ? tariffPartOf(draft, draftId) : null
  const [policy] = await withProviders(state, scope, [draft])
  if (!part || !policy) return null
  const named = await findPolicyShapes(state, scope, region, policy)
  return {
    policyId: draftId,
    constantPolicyId: null,
    policy,
    part,
    place: placeOf(policy, named),
    rates: placedRules(policy, named),
    discount: discountOf(state.as(scope), policy),
    from: -Infinity,
    until: Infinity,
  }
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
/** Trips and parking, in `charge`, that are counted a second time because they are in discounted shapes. */
export const discountCharge = 'discount'
