import { citywide, type PolicyFields } from '#contract/policy.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'
import { faultTexts, type PolicyFault } from '#contract/policy-types/policy-type.ts'
import { validatePolicy } from '#contract/policy-types/validate-policy.ts'
import { policyTexts } from '#contract/policy-texts.ts'
import { Problem } from '#server/http/problem.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { knownOperators } from './known-operators.ts'

interface Fault {
  path: string
  message: string
}

interface Stores {
  state: State
  facts: Facts
}

/** Checks that the shapes are of the layer, and the layer of the region. */
async function shapeFaults(
  state: State,
  scope: Scope,
  regionId: string,
  { shape_layer_uuid: layerId, shape_uuids: shapeIds }: PolicyFields,
): Promise<Fault[]> {
  if (layerId === null || layerId === citywide) return []
  const store = state.as(scope)
  const layer = await store
    .selectFrom('layer')
    .select('layer_id')
    .where('region_id', '=', regionId)
    .where('layer_id', '=', layerId)
    .executeTakeFirst()
  if (!layer) return [{ path: 'body.shape_layer_uuid', message: 'There is no such layer in this region.' }]
  if (!shapeIds.length) return []
  const { count } = await store
    .selectFrom('shape')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('layer_id', '=', layerId)
    .where('shape_uuid', 'in', shapeIds)
    .executeTakeFirstOrThrow()
  return Number(count) === new Set(shapeIds).size
    ? []
    : [{ path: 'body.shape_uuids', message: 'Not all of these shapes are of the layer.' }]
}

/** Shapes with a discount must be of the layer that the form chose them from. */
async function discountFaults(
  store: Store,
  regionId: string,
  { fee_properties: { options } }: PolicyFields,
): Promise<Fault[]> {
  const { discount_layer_uuid: layerId, discount_shape_uuids: shapeIds } = options
  if (!shapeIds.length) return []
  const found = layerId
    ? await store
        .selectFrom('shape')
        .innerJoin('layer', 'layer.layer_id', 'shape.layer_id')
        .select('shape_uuid')
        .where('layer.region_id', '=', regionId)
        .where('shape.layer_id', '=', layerId)
        .where('shape_uuid', 'in', shapeIds)
        .execute()
    : []
  return found.length === new Set(shapeIds).size
    ? []
    : [
        {
          path: 'body.fee_properties.options.discount_shape_uuids',
          message: 'Not all of these shapes are of the layer.',
        },
      ]
}

async function operatorFaults(
  { state, facts }: Stores,
  scope: Scope,
  regionId: string,
  slugs: readonly string[],
): Promise<Fault[]> {
  if (!slugs.length) return []
  const known = await knownOperators(state, facts, scope, regionId)
  const unknown = slugs.filter((slug) => !known.has(slug))
  return unknown.length
    ? [
        {
          path: 'body.operators',
          message: `There is no operator ${unknown.map((slug) => `'${slug}'`).join(', ')}.`,
        },
      ]
    : []
}

/** Refuses an invalid policy: checks the rules of the form, and what only the server knows, field by field. `isStored`: an imported policy may be published although the form could not create it. */
export async function checkPolicy(
  stores: Stores,
  scope: Scope,
  region: { regionId: string; currencyCode: string },
  policy: PolicyFields,
  isStored = false,
): Promise<void> {
  const isImported = isStored && !policyTypeOf(policy.policy_type) && policy.imported_mds !== null
  const faults = Object.entries(
    (isImported ? {} : validatePolicy(policy, { currency: region.currencyCode })) as Record<
      string,
      PolicyFault
    >,
  ).map(([field, fault]) => ({ path: `body.${field}`, message: faultTexts[fault] }))
  const found = [
    ...faults,
    ...(await shapeFaults(stores.state, scope, region.regionId, policy)),
    ...(await discountFaults(stores.state.as(scope), region.regionId, policy)),
    ...(await operatorFaults(stores, scope, region.regionId, policy.operators)),
  ]
  if (found.length) throw new Problem('validation_error', policyTexts.unresolved, found)
}
