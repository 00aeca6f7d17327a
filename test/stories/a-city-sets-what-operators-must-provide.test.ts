import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOperator } from '#contract/managed-operators.ts'
import { getPublicRegion, PublicRegion } from '#contract/regions.ts'
import { getRequirements, saveRequirements, makeDefaultPrograms } from '#contract/requirements.ts'
import { listAudit } from '#contract/users.ts'
import { call, openTestApp, readProblem, request, send, type TestApp } from '../app.ts'
import { makeRegions, type TestCity } from '../city.ts'
import { loadFeedSchema } from '../mds-feed-schemas.ts'

let app: TestApp
let city: TestCity
const params = { region_id: 'alder' }
const swift = 'aaaaaaaa-0000-4000-8000-00000000000a'
const lark = 'aaaaaaaa-0000-4000-8000-00000000000b'
const [defaultProgram] = makeDefaultPrograms()
const program = {
  ...defaultProgram,
  required: [
    {
      spec: 'MDS' as const,
      version: '2.0',
      endpoints: [{ endpoint: 'trips', required_fields: ['parking_category'], disallowed_fields: [] }],
    },
  ],
}
const readRequirements = (region = 'alder', headers: Record<string, string> = {}) =>
  request(app, { method: 'GET', url: `/mds/policy/${region}/requirements`, headers })

beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  for (const [slug, providerId] of [
    ['swift', swift],
    ['lark', lark],
  ] as const)
    await call(app, city.admin, createOperator, {
      body: { slug, name: slug, colorHex: '#123456', providerId },
    })
})
afterAll(() => app.close())

test('the requirements feed is empty before programs are set', async () => {
  expect(await call(app, city.admin, getRequirements, { params })).toEqual({
    programs: makeDefaultPrograms(),
    file_version: 1,
    modified_time: null,
    modified_by_email: null,
  })
  const { metadata, programs } = (await readRequirements()).json()
  expect(metadata.file_version).toBe(1)
  expect(programs[0].provider_ids).toEqual([swift, lark])
  expect(JSON.stringify(programs)).not.toContain('required_apis')
})

test('changed programs are in the feed at once, in the official form, as its next version; the other region has its own feed', async () => {
  const [before, other] = [await readRequirements(), await readRequirements('birch')]
  const saved = await call(app, city.admin, saveRequirements, {
    params,
    body: { programs: [program], if_file_version: 1 },
  })
  expect(saved).toMatchObject({ programs: [program], file_version: 2, modified_by_email: city.admin.email })
  const after = await readRequirements('alder', { 'if-none-match': String(before.headers.etag) })
  expect([
    after.statusCode,
    after.headers.etag === before.headers.etag,
    after.headers['cache-control'],
  ]).toEqual([200, false, 'public, max-age=60'])
  expect(after.json().metadata).toMatchObject({
    file_version: 2,
    last_updated: Date.parse(saved.modified_time ?? ''),
  })
  expect(after.json().metadata.last_updated).toBeGreaterThan(before.json().metadata.last_updated)
  expect(after.json().programs[0].required_data_specs[0].required_apis).toEqual([
    {
      api_name: 'provider',
      required_endpoints: [{ endpoint_name: 'trips', required_fields: ['parking_category'] }],
    },
  ])
  expect(loadFeedSchema('requirements-2.0')(after.json())).toBeNull()
  expect((await readRequirements('alder', { 'if-none-match': String(after.headers.etag) })).statusCode).toBe(
    304,
  )
  expect((await readRequirements('birch')).body).toBe(other.body)
  expect(
    (await call(app, city.admin, getRequirements, { params: { region_id: 'birch' } })).file_version,
  ).toBe(1)
})

test('programs refer to existing operators only', async () => {
  const programs = [
    { ...program, operators: ['lark'] },
    { ...program, description: 'Swift', operators: ['swift'], required: [] },
  ]
  expect(
    (await call(app, city.admin, saveRequirements, { params, body: { programs, if_file_version: 2 } }))
      .file_version,
  ).toBe(3)
  const requirements = (await readRequirements()).json()
  expect(
    requirements.programs.map((program: { description: string; provider_ids: string[] }) => [
      program.description,
      program.provider_ids,
    ]),
  ).toEqual([
    ['Shared mobility in Alder', [lark]],
    ['Swift', [swift]],
  ])
  expect(loadFeedSchema('requirements-2.0')(requirements)).toBeNull()
  const refused = readProblem(
    await send(app, city.admin, saveRequirements, {
      params,
      body: { programs: [{ ...program, operators: ['heron'] }], if_file_version: 3 },
    }),
  )
  expect(refused).toMatchObject({ status: 422, detail: expect.stringContaining('heron') })
})

test('concurrent changes of programs do not overwrite each other', async () => {
  const before = await call(app, city.admin, getRequirements, { params })
  for (const if_file_version of [1, 2]) {
    const refused = readProblem(
      await send(app, city.admin, saveRequirements, {
        params,
        body: { programs: [program], if_file_version },
      }),
    )
    expect([refused.status, refused.current]).toEqual([409, before])
  }
  const both = await Promise.all(
    [1, 2].map((n) =>
      send(app, city.admin, saveRequirements, {
        params: { region_id: 'birch' },
        body: { programs: [{ ...program, description: `At once ${n}` }], if_file_version: 1 },
      }),
    ),
  )
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
})

test('only administrators of the organization read and set programs, and each save is in the audit log', async () => {
  const before = await call(app, city.admin, getRequirements, { params })
  for (const [user, status] of [
    [city.viewer, 403],
    [city.planner, 403],
    [city.stranger, 404],
  ] as const) {
    expect(readProblem(await send(app, user, getRequirements, { params })).status).toBe(status)
    expect(
      readProblem(
        await send(app, user, saveRequirements, {
          params,
          body: { programs: [program], if_file_version: before.file_version },
        }),
      ).status,
    ).toBe(status)
  }
  expect(
    (
      await request(app, {
        method: 'POST',
        url: '/v2/regions/alder/requirements',
        body: { programs: [program], if_file_version: before.file_version },
      })
    ).statusCode,
  ).toBe(401)
  expect(await call(app, city.admin, getRequirements, { params })).toEqual(before)
  await expect
    .poll(async () =>
      (await call(app, city.admin, listAudit, { query: { search: 'saveRequirements', size: 50 } })).items
        .filter(({ status }) => status === 200)
        .map(({ user_email, path }) => [user_email, path]),
    )
    .toContainEqual([city.admin.email, '/v2/regions/alder/requirements'])
})

test('only name, time zone and public pages of a region are public', async () => {
  const response = await request(app, { method: 'GET', url: '/v2/public/regions/alder' })
  expect(response.json()).toEqual({
    regionId: 'alder',
    text: 'Alder',
    timezone: 'America/New_York',
    isMetric: false,
    lat: 41.49,
    lon: -72.5,
    mapZoom: 11,
    has_published_policies: false,
    has_public_routes: false,
    has_public_regulations: false,
    has_public_rates: false,
    basemap: [],
  })
  expect(Object.keys(PublicRegion.shape).toSorted()).toEqual(Object.keys(response.json()).toSorted())
  expect(getPublicRegion.permission).toBe('public')
  expect((await request(app, { method: 'GET', url: '/v2/public/regions/nowhere' })).statusCode).toBe(404)
})
