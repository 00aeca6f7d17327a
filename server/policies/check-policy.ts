import { citywide, type PolicyFields } from '#contract/policy.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import { faultTexts, type PolicyFault } from '#contract/policy-types/policy-type.ts'
import { validatePolicy } from '#contract/policy-types/validate-policy.ts'
import { policyTexts } from '#contract/policy-texts.ts'
import { Problem } from '#server/http/problem.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { findKnownOperators } from './known-operators.ts'

interface FieldProblem {
  path: string
  message: string
}

interface Stores {
  state: State
  facts: Facts
}

/** Finds a layer that is not of the region, or shapes that are not of the layer. */
async function findShapeProblems(
  state: State,
  scope: Scope,
  regionId: string,
  { shape_layer_uuid: layerId, shape_uuids: shapeIds }: PolicyFields,
): Promise<FieldProblem[]> {
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

/** Finds discounted shapes that are not of the layer from which they were chosen. */
async function findDiscountProblems(
  store: Store,
  regionId: string,
  { fee_properties: { options } }: PolicyFields,
): Promise<FieldProblem[]> {
  const { discount_layer_uuid: layerId, discount_shape_uuids: shapeIds } = options
  if (!shapeIds.length) return []
  const shapes = layerId
    ? await store
        .selectFrom('shape')
        .innerJoin('layer', 'layer.layer_id', 'shape.layer_id')
        .select('shape_uuid')
        .where('layer.region_id', '=', regionId)
        .where('shape.layer_id', '=', layerId)
        .where('shape_uuid', 'in', shapeIds)
        .execute()
    : []
  return shapes.length === new Set(shapeIds).size
    ? []
    : [
        {
          path: 'body.fee_properties.options.discount_shape_uuids',
          message: 'Not all of these shapes are of the layer.',
        },
      ]
}

/** Finds operators that the region does not have. */
async function findOperatorProblems(
  { state, facts }: Stores,
  scope: Scope,
  regionId: string,
  slugs: readonly string[],
): Promise<FieldProblem[]> {
  if (!slugs.length) return []
  const knownOperators = await findKnownOperators(state, facts, scope, regionId)
  const unknownSlugs = slugs.filter((slug) => !knownOperators.has(slug))
  return unknownSlugs.length
    ? [
        {
          path: 'body.operators',
          message: `There is no operator ${unknownSlugs.map((slug) => `'${slug}'`).join(', ')}.`,
        },
      ]
    : []
}

interface PolicyToCheck {
  region: { regionId: string; currencyCode: string }
  policy: PolicyFields
  /** A stored imported policy may be published even though the form could not create it. */
  isStored?: boolean
}

/**
 * Checks a policy.
 * @throws Problem `validation_error` with all problems by field: those that the form also finds, and those
 * that only the server can find.
 */
export async function checkPolicy(
  stores: Stores,
  scope: Scope,
  { region, policy, isStored = false }: PolicyToCheck,
): Promise<void> {
  const isImported = isStored && !findPolicyType(policy.policy_type) && policy.imported_mds !== null
  const formProblems = Object.entries(
    (isImported ? {} : validatePolicy(policy, { currency: region.currencyCode })) as Record<
      string,
      PolicyFault
    >,
  ).map(([field, fault]) => ({ path: `body.${field}`, message: faultTexts[fault] }))
  const problems = [
    ...formProblems,
    ...(await findShapeProblems(stores.state, scope, region.regionId, policy)),
    ...(await findDiscountProblems(stores.state.as(scope), region.regionId, policy)),
    ...(await findOperatorProblems(stores, scope, region.regionId, policy.operators)),
  ]
  if (problems.length) throw new Problem('validation_error', policyTexts.unresolved, problems)
}
