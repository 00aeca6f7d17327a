import { dayMs } from '#contract/period.ts'
import { citywide, emptyPolicy, type PolicyFields } from '#contract/policy.ts'
import type { App } from '#server/app.ts'
import { listLayers } from '#server/geography/layers/find-layer.ts'
import { findLayerGeometries } from '#server/geography/shapes/find-shapes.ts'
import { publishPolicy } from '#server/policies/publish-policy.ts'
import { savePolicy } from '#server/policies/save-policy.ts'
import type { Scope } from '#server/stores/scope.ts'
import { type DemoPolicy, demoPolicies } from './policies.ts'

/** Finds the layer and shapes of a policy as its fields; null if the city does not have them. */
async function findScopeFields(
  state: App['state'],
  scope: Scope,
  regionId: string,
  where: DemoPolicy['where'],
): Promise<Partial<PolicyFields> | null> {
  if (where === null) return {}
  if (where.layer === citywide) return { shape_layer_uuid: citywide }
  const layers = await listLayers(state, scope, regionId)
  const layer = layers.find((candidate) => candidate.layer_name === where.layer)
  if (!layer) return null
  const shapes = (await findLayerGeometries(state, scope, layer.shape_layer_uuid)).filter(({ name }) =>
    where.shapes.includes(name),
  )
  return shapes.length === where.shapes.length
    ? { shape_layer_uuid: layer.shape_layer_uuid, shape_uuids: shapes.map(({ shapeId }) => shapeId) }
    : null
}

/** Stores policies, published in the past so that compliance has a history. Returns their number. */
export async function storeDemoPolicies(
  app: Pick<App, 'state' | 'facts'>,
  author: { scope: Scope; email: string },
  { regionId, at }: { regionId: string; at: Date },
): Promise<number> {
  /** Saves a revision and publishes it `daysAgo` days before `at`; null: saves a draft at `at`. */
  const saveAndPublish = async (fields: Parameters<typeof savePolicy>[1]['body'], daysAgo: number | null) => {
    const savedAt = new Date(at.getTime() - (daysAgo ?? 0) * dayMs)
    const revision = await savePolicy(app, { viewer: author, body: fields, at: savedAt })
    if (daysAgo !== null)
      await publishPolicy(app, { viewer: author, body: { policy_uuid: revision.policy_uuid }, at: savedAt })
    return revision
  }
  let storedCount = 0
  for (const { fields, where, daysAgo, nextRevision } of demoPolicies) {
    const scopeFields = await findScopeFields(app.state, author.scope, regionId, where)
    if (!scopeFields) continue
    const newPolicy = { ...emptyPolicy(), ...fields, ...scopeFields, region_id: regionId }
    const revision = await saveAndPublish(newPolicy, daysAgo)
    if (nextRevision) await saveAndPublish({ ...revision, ...nextRevision.fields }, nextRevision.daysAgo)
    storedCount++
  }
  return storedCount
}
