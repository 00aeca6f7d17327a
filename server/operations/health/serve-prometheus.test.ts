import net from 'node:net'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { servePrometheus } from './serve-prometheus.ts'

const token = 'a token of the metrics'
const findFreePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })
const requestAll = async (base: string): Promise<number[]> => {
  const call = async (path: string, authorization?: string): Promise<number> =>
    (await fetch(base + path, authorization === undefined ? {} : { headers: { authorization } })).status
  return [
    await call('/metrics'),
    await call('/metrics', `Bearer ${token}`),
    await call('/metrics', `Bearer ${token}s`),
    await call('/metrics?x=1', `bearer ${token}`),
    await call('/'),
  ]
}

test.each([
  ['without a token', null, [200, 200, 200, 200, 404]],
  ['with a token', token, [401, 200, 401, 200, 404]],
])('The metrics server has a port of its own, %s', async (_name, metricsToken, expected) => {
  const app = fastify()
  const metricsPort = await findFreePort()
  let collected = 0
  const metrics = servePrometheus(app, { host: '127.0.0.1', metricsPort, metricsToken }, () => {
    collected++
    return Promise.resolve()
  })
  await metrics.listen()
  expect(await requestAll(`http://127.0.0.1:${metricsPort}`)).toEqual(expected)
  expect(collected).toBe(expected.filter((status) => status === 200).length)
  expect((await app.inject('/metrics')).statusCode).toBe(404)
  await metrics.close()
})

test('The metrics server does not open a port that is not set', async () => {
  const metrics = servePrometheus(
    fastify(),
    { host: '127.0.0.1', metricsPort: null, metricsToken: null },
    () => Promise.resolve(),
  )
  await metrics.listen()
  await expect(metrics.close()).resolves.toBeUndefined()
})
