import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { permissionKeys } from '#contract/permission.ts'
import { systemScope } from '#server/identity/scope.ts'
import { openTestApp, request, type SignedIn, type TestApp, makeUrl } from '../app.ts'
import { type Call, listOperatorCalls, listCallsWithoutOperators, streams } from '../operators/calls.ts'
import { simplifyResponse } from '../operators/plain-response.ts'
import { addSecondOperator, makeTown, setTownClock, type Town } from '../operators/two-operators.ts'

type Reported = ReturnType<typeof simplifyResponse>

let app: TestApp
let town: Town
/** Every call that the operator and the city may make. */
let testCalls: { key: string; name: string; endpoint: Endpoint; call: Call; isOfOperators: boolean }[]
/** Responses to each call before the second operator is added, afterward, and after a restart. */
const responses: Record<'before' | 'after' | 'restarted', Map<string, { own: Reported; city: Reported }>> = {
  before: new Map(),
  after: new Map(),
  restarted: new Map(),
}

const callAs = async (as: SignedIn, endpoint: Endpoint, { params, query, body }: Call): Promise<Reported> =>
  simplifyResponse(
    await request(app, {
      method: endpoint.method,
      url: makeUrl(endpoint, { params, query }),
      headers: { authorization: `Bearer ${as.token}` },
      ...(body ? { body } : {}),
    }),
  )

const getCityUser = ({ isOfSingleTrips }: Call): SignedIn => (isOfSingleTrips ? town.admin : town.viewer)

/** Makes all calls, first as the city: its cached responses must not be returned to the operator. */
async function callAll(
  into: Map<string, { own: Reported; city: Reported }>,
  calls = testCalls,
): Promise<void> {
  for (const { key, endpoint, call } of calls) {
    const city = await callAs(getCityUser(call), endpoint, call)
    into.set(key, { own: await callAs(town.lark, endpoint, call), city })
  }
}

beforeAll(async () => {
  setTownClock()
  app = await openTestApp()
  town = await makeTown(app)
  const named = [
    ...Object.entries(listOperatorCalls(town)).map(([name, calls]) => ({ name, calls, isOfOperators: true })),
    ...Object.entries(listCallsWithoutOperators(town)).map(([name, [, ...calls]]) => ({
      name,
      calls,
      isOfOperators: false,
    })),
  ]
  testCalls = named.flatMap(({ name, calls, isOfOperators }) => {
    const endpoint = endpoints.get(name)
    if (!endpoint) throw new Error(`There is no endpoint ${name}`)
    const fitting = calls.filter(
      ({ params }) => !endpoint.request.params || endpoint.request.params.safeParse(params).success,
    )
    if (!fitting.length) throw new Error(`${name} is asked with nothing that it takes`)
    return fitting.map((call, index) => ({ key: `${name} ${index}`, name, endpoint, call, isOfOperators }))
  })
  const reopen = async (): Promise<void> => {
    await app.stop()
    app = await openTestApp(app.dataDir)
  }
  await reopen()
  await callAll(responses.before)
  await addSecondOperator(app, town)
  await callAll(
    responses.after,
    testCalls.filter(({ key, isOfOperators }) => isOfOperators && key.endsWith(' 0')),
  )
  await reopen()
  // Counts of data health are refreshed after a minute at the earliest; deleting them refreshes them at once.
  await app.state.as(systemScope).deleteFrom('health_day').execute()
  await callAll(responses.restarted)
}, 600_000)
afterAll(async () => {
  await app.close()
  vi.useRealTimers()
})

const names = [...endpoints]
  .filter(([, { permission }]) => permission === 'signed_in' || permission === 'session')
  // Endpoints for API keys only are tested in a-program-calls-with-its-key.
  .filter(([, { prefixes }]) => prefixes[0] !== '/external')
  .map(([name]) => name)

test('every authenticated call is listed as one with facts of operators, without them, or as a change', () => {
  const known = new Set([...testCalls.map(({ name }) => name), ...streams])
  const isRefused = (name: string): boolean =>
    ((endpoint) =>
      endpoint !== undefined &&
      endpoint.method !== 'GET' &&
      !endpoint.reads &&
      !endpoint.changesOwnData &&
      endpoint.permission === 'signed_in')(endpoints.get(name))
  expect(names.filter((name) => !known.has(name) && !isRefused(name))).toEqual([])
})

/** Formats a response as one text, without handles of the live map, which are valid for one viewer. */
const formatResponse = ({ status, body }: Reported): string =>
  `${status} ${JSON.stringify(body, (key, value: unknown) => (key === 'handle' ? undefined : value))}`
/** Returns the parts of two texts around their first difference. */
const findDifference = (a: string, b: string): string[] =>
  ((at) => [a, b].map((text) => text.slice(Math.max(0, at - 60), at + 60)))(
    [...a].findIndex((character, index) => character !== b[index]),
  )

test('the responses to an operator are unchanged when another one is added, including ids, cached responses and a restart', () => {
  const changed = testCalls.flatMap(({ key }) => {
    const [before, after, restarted] = [
      responses.before.get(key),
      responses.after.get(key) ?? responses.before.get(key),
      responses.restarted.get(key),
    ].map((response) => JSON.stringify([response?.own.status, response?.own.body])) as [
      string,
      string,
      string,
    ]
    return before === after && before === restarted
      ? []
      : [[key, ...findDifference(before, before === after ? restarted : after)]]
  })
  expect(changed).toEqual([])
  expect(
    testCalls
      .filter(({ key }) =>
        ((own) => own?.status === 200 && /heron/i.test(own.text))(responses.restarted.get(key)?.own),
      )
      .map(({ key }) => key),
  ).toEqual([])
})

test('each of these responses changes for the city, which sees both operators', () => {
  const silent = testCalls.filter(
    ({ isOfOperators, name }) =>
      isOfOperators &&
      !testCalls.some(
        (other) =>
          other.name === name &&
          JSON.stringify(responses.before.get(other.key)?.city.body) !==
            JSON.stringify(responses.restarted.get(other.key)?.city.body),
      ),
  )
  expect(silent.map(({ key }) => key)).toEqual([])
  // For GBFS the city must choose an operator.
  const failed = testCalls.filter(
    ({ key, name, isOfOperators }) =>
      isOfOperators && name !== 'getGbfs' && responses.restarted.get(key)?.city.status !== 200,
  )
  expect(failed.map(({ key }) => `${key}: ${responses.restarted.get(key)?.city.text.slice(0, 200)}`)).toEqual(
    [],
  )
})

test('an operator’s figures equal those of the city filtered by the operator; other operators have none', async () => {
  const unlike: string[][] = []
  const hold = (key: string, left: string, right: string): void =>
    void (left === right || unlike.push([key, ...findDifference(left, right)]))
  for (const { key, endpoint, call } of testCalls) {
    const { narrow } = call
    if (!narrow) continue
    const city = await callAs(getCityUser(call), endpoint, narrow(call, 'lark'))
    const own = responses.restarted.get(key)?.own as Reported
    const filtered = await callAs(town.lark, endpoint, narrow(call, 'lark'))
    hold(`${key} as the city`, formatResponse(filtered), formatResponse(city))
    // A file may repeat the requested operator.
    if (endpoint.path !== '/regions/{region_id}/routes/download')
      hold(`${key} without the filter`, formatResponse(own), formatResponse(filtered))
    const [others, nobodys] = [
      await callAs(town.lark, endpoint, narrow(call, 'heron')),
      await callAs(town.lark, endpoint, narrow(call, 'no-one')),
    ]
    hold(
      `${key} of another`,
      formatResponse(others).replaceAll('heron', ''),
      formatResponse(nobodys).replaceAll('no-one', ''),
    )
  }
  expect(unlike).toEqual([])
}, 400_000)

test('calls that need a permission key or change data of others are rejected', async () => {
  for (const [name, endpoint] of endpoints) {
    const changes =
      endpoint.method !== 'GET' &&
      !endpoint.reads &&
      !endpoint.changesOwnData &&
      endpoint.permission === 'signed_in'
    if (!changes && !(permissionKeys as readonly string[]).includes(endpoint.permission)) continue
    const params = {
      region_id: 'alder',
      incident_id: town.first.incidentId,
      feed_id: town.first.feedId,
      shape_layer_uuid: town.layer.shape_layer_uuid,
      shape_uuid: town.shape.shape_uuid,
      slug: 'heron',
      obj_type: 'user',
      obj_id: town.larkId,
      user_id: town.larkId,
    }
    expect([
      name,
      (
        await callAs(town.lark, endpoint, {
          params,
          ...(endpoint.request.body && !('media' in endpoint.request.body) ? { body: { text: 'x' } } : {}),
        })
      ).status,
    ]).toEqual([name, 403])
  }
})
