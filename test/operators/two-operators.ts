// A town with two operators: what the first one sees must not change when the second one is added.
import { vi } from 'vitest'
import { uploadShapes } from '#contract/boundary-files.ts'
import { changeLayer, type Layer, listShapes, type Shape } from '#contract/geography.ts'
import { getMe } from '#contract/identity.ts'
import { publishPolicy, savePolicy } from '#contract/policies.ts'
import { FeeProperties } from '#contract/policy.ts'
import { changeRegion } from '#contract/regions.ts'
import { changeUser, listUsers } from '#contract/users.ts'
import { systemScope } from '#server/identity/scope.ts'
import { feeDays } from '#server/fleet/fact-changes.ts'
import { call, type SignedIn, signIn, type TestApp } from '../app.ts'
import { addLayer, makeRegions, password, type TestCity, addUser } from '../city.ts'
import { districts } from '../city/shapes.ts'
import { addOperator, type AddedOperator } from './add-operator.ts'
import { region_id, streetsFile } from './streets.ts'

/**
 * Fees and sums are derived up to the present: the clock shows a time soon after the last trip, until
 * `vi.useRealTimers`.
 */
export const setTownClock = (): unknown =>
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: new Date('2026-04-20T15:00:00Z') })

export interface Town extends TestCity {
  /** A user who sees only `lark`. */
  lark: SignedIn
  larkId: string
  layer: Layer
  shape: Shape
  /** A published policy. */
  policy: { policy_uuid: string; constant_policy_uuid: string }
  /** A published fee per trip. */
  feePolicy: string
  first: AddedOperator
}

/** A fee per trip, because fees per vehicle and day change with the time of the request. */
export const tripFee = {
  policy_type: 'trip_fees',
  policy_name: 'Trips',
  value: 1,
  fee_properties: FeeProperties.parse({}),
}

/** Creates a user who sees only some operators. */
export async function addOperatorUser(
  app: TestApp,
  city: TestCity,
  name: string,
  operators: string[],
): Promise<{ as: SignedIn; id: string }> {
  const email = `${name}@${name}.example`
  await addUser(app, city, email)
  const id = (await call(app, city.admin, listUsers, { query: { search: email } })).items[0]?.id ?? ''
  await call(app, city.admin, changeUser, { params: { user_id: id }, body: { operators } })
  return { as: await signIn(app, email, password), id }
}

/** Creates the town with its first operator. */
export async function makeTown(app: TestApp): Promise<Town> {
  const city = await makeRegions(app)
  await call(app, city.admin, changeRegion, { params: { region_id }, body: { hasMdsData: true } })
  const { shape_layer_uuid } = await addLayer(app, city.admin, {
    region_id,
    layer_name: 'Districts',
    shapes: districts,
  })
  const layer = await call(app, city.admin, changeLayer, {
    params: { region_id, shape_layer_uuid },
    body: { intersect_route: true },
  })
  await call(app, city.admin, uploadShapes, {
    params: { region_id },
    query: {
      file_name: 'streets.geojson',
      layer_name: 'Streets',
      name_property: 'name',
      level: 'basemap:street',
    },
    body: streetsFile,
  })
  const [shape] = (
    await call(app, city.admin, listShapes, {
      params: { region_id },
      query: { shape_layer_uuid: layer.shape_layer_uuid },
    })
  ).items
  const first = await addOperator(app, city, 'lark')
  const { plcy } = await call(app, city.admin, savePolicy, {
    body: {
      region_id,
      policy_type: 'no_parking',
      policy_name: 'Keep clear',
      shape_layer_uuid: layer.shape_layer_uuid,
    },
  })
  const { plcy: policy } = await call(app, city.admin, publishPolicy, {
    body: { policy_uuid: plcy.policy_uuid, published: true },
  })
  await backdatePolicy(app, policy.policy_uuid, Date.UTC(2026, 0, 1))
  const { plcy: fee } = await call(app, city.admin, savePolicy, { body: { region_id, ...tripFee } })
  await call(app, city.admin, publishPolicy, { body: { policy_uuid: fee.policy_uuid, published: true } })
  await backdatePolicy(app, fee.policy_uuid, Date.UTC(2026, 0, 1))
  await app.derivation.idle([feeDays])
  const { as: lark, id: larkId } = await addOperatorUser(app, city, 'lark', ['lark'])
  return { ...city, lark, larkId, layer, shape: shape as Shape, policy, feePolicy: fee.policy_uuid, first }
}

/** Backdates the publication of a policy. */
async function backdatePolicy(app: TestApp, policyId: string, since: number): Promise<void> {
  const store = app.state.as(systemScope)
  const { mds } = await store
    .selectFrom('policy')
    .select('mds')
    .where('policy_id', '=', policyId)
    .executeTakeFirstOrThrow()
  await store
    .updateTable('policy')
    .set({
      mds: JSON.stringify({ ...(mds as object), start_date: since }),
      published_time: new Date(since),
      effective_time: new Date(since),
    })
    .where('policy_id', '=', policyId)
    .execute()
}

/** Adds the second operator, a draft that names it, and a comment about an incident of the first one. */
export async function addSecondOperator(
  app: TestApp,
  town: Town,
): Promise<AddedOperator & { draft: string }> {
  const second = await addOperator(app, town, 'heron')
  const { plcy } = await call(app, town.admin, savePolicy, {
    body: {
      region_id,
      policy_type: 'no_ride',
      policy_name: 'Against Heron',
      shape_layer_uuid: town.layer.shape_layer_uuid,
      operators: ['heron'],
    },
  })
  const { email } = await call(app, town.admin, getMe)
  await app.state
    .as(systemScope)
    .insertInto('incident_step')
    .values({
      incident_id: town.first.incidentId,
      region_id,
      at: new Date(),
      step: 'commented',
      value: null,
      by_email: email,
      text: 'Heron has the same trouble.',
    })
    .execute()
  return { ...second, draft: plcy.policy_uuid }
}
