import fastify from 'fastify'
import { expect, test } from 'vitest'
import { limitPublicCalls } from './limit-public-calls.ts'
import { ProblemBody } from '#contract/problem.ts'

test('The server limits public calls per address and minute, and no other calls', async () => {
  const clock = { at: 0 }
  const app = fastify()
  limitPublicCalls(app, () => new Date(clock.at), { perMinute: 2 })
  app.get('/v2/public/regions/here/routes', async () => 'public')
  app.get('/v2/regions', async () => 'own')
  const status = async (url: string, remoteAddress: string): Promise<number> =>
    (await app.inject({ method: 'GET', url, remoteAddress })).statusCode
  const path = '/v2/public/regions/here/routes'
  expect([
    await status(path, '10.0.0.1'),
    await status(path, '10.0.0.1'),
    await status(path, '10.0.0.1'),
    await status(path, '10.0.0.2'),
    await status('/v2/regions', '10.0.0.1'),
  ]).toEqual([200, 200, 429, 200, 200])
  const refused = await app.inject({ method: 'GET', url: path, remoteAddress: '10.0.0.1' })
  expect(ProblemBody.parse(refused.json()).status).toBe(429)
  expect(refused.headers['retry-after']).toBe('60')
  clock.at += 60_000
  expect(await status(path, '10.0.0.1')).toBe(200)
})

test('The server counts calls of the public policy feeds, and no pushes of operators', async () => {
  const app = fastify()
  limitPublicCalls(app, () => new Date(0), { perMinute: 1 })
  const paths = ['/mds/policy/here/policies', '/mds/geography/here/geographies', '/mds/agency/vehicles']
  for (const path of paths) app.get(path, async () => 'x')
  const status = async (url: string): Promise<number> =>
    (await app.inject({ method: 'GET', url, remoteAddress: '10.0.0.9' })).statusCode
  expect([await status(paths[0] ?? ''), await status(paths[1] ?? ''), await status(paths[2] ?? '')]).toEqual([
    200, 429, 200,
  ])
})
