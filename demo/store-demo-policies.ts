import { dayMs } from '#contract/period.ts'
import { citywide, emptyPolicy, type PolicyFields } from '#contract/policy.ts'
import type { App } from '#server/app.ts'
import { listLayers } from '#server/geography/layers/find-layer.ts'
import { findLayerGeometries } from '#server/geography/shapes/find-shapes.ts'
import { publishPolicy } from '#server/policies/publish-policy.ts'
import { savePolicy } from '#server/policies/save-policy.ts'
import type { Scope } from '#server/stores/scope.ts'
import { type DemoPolicy, demoPolicies } from './policies.ts'

/** Finds the IDs of a policy's layer and shapes; null if the city does not have them. */
async function findPlace(
  state: App['state'],
  scope: Scope,
  regionId: string,
  where: DemoPolicy['where'],
): Promise<Partial<PolicyFields> | null> {
  if (where === null) return {}
  if (where.layer === citywide) return { shape_layer_uuid: citywide }
  const layer = (await listLayers(state, scope, regionId)).find(
    ({ layer_name: name }) => name === where.layer,
  )
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
  const daysBefore = (days: number | null): Date => new Date(at.getTime() - (days ?? 0) * dayMs)
  let storedCount = 0
  for (const { fields, where, daysAgo, later } of demoPolicies) {
    const place = await findPlace(app.state, author.scope, regionId, where)
    if (!place) continue
    const first = await savePolicy(app, {
      viewer: author,
      body: { ...emptyPolicy(), ...fields, ...place, region_id: regionId },
      at: daysBefore(daysAgo),
    })
    if (daysAgo !== null)
      await publishPolicy(app, {
        viewer: author,
        body: { policy_uuid: first.policy_uuid },
        at: daysBefore(daysAgo),
      })
    if (later) {
      const next = await savePolicy(app, {
        viewer: author,
        body: { ...first, ...later.fields },
        at: daysBefore(later.daysAgo),
      })
      if (later.daysAgo !== null)
        await publishPolicy(app, {
          viewer: author,
          body: { policy_uuid: next.policy_uuid },
          at: daysBefore(later.daysAgo),
        })
    }
    storedCount++
  }
  return storedCount
}
