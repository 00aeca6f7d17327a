import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeSmallCity } from '../small-city.ts'
import { type DemoOperators, openDemoOperators } from './open-demo-operators.ts'

/** Start of the operators' clock: a fixed time, so that the trips of the demo are the same in each run. */
const nowMs = Date.parse('2026-06-10T16:30:00Z')
let operators: DemoOperators
beforeAll(async () => {
  const start = performance.now()
  operators = await openDemoOperators({
    city: makeSmallCity(),
    seed: 5,
    now: () => nowMs + performance.now() - start,
  })
})
afterAll(() => operators.close())

const get = (url: string, token?: string) =>
  fetch(url, token ? { headers: { authorization: `Bearer ${token}` } } : {})

describe('openDemoOperators', () => {
  it('serves authorized requests on loopback', async () => {
    const { urls, credentials, origins } = operators
    expect(origins.every((origin) => /^http:\/\/127\.0\.0\.1:\d+$/.test(origin))).toBe(true)
    expect(new Set(origins).size).toBe(3)
    expect((await get(`${urls.zephyr}/vehicles`)).status).toBe(401)
    const trips = await get(`${urls.zephyr}/trips?end_time=2026-06-10T15`, credentials.zephyr)
    expect(trips.headers.get('content-type')).toBe('application/vnd.mds+json;version=2.0')
    expect(((await trips.json()) as { trips: unknown[] }).trips.length).toBeGreaterThan(50)
    const response = await fetch(`${urls.ternbikes}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: credentials.ternbikes.id,
        client_secret: credentials.ternbikes.secret,
      }),
    })
    const { access_token: token } = (await response.json()) as { access_token: string }
    expect((await get(`${urls.ternbikes}/stops`, token)).status).toBe(200)
    expect(await (await get(`${urls.sandpiper}/gbfs.json`)).json()).toMatchObject({ version: '3.0' })
  })

  it('starts to push on request', async () => {
    const requests: string[] = []
    const agency = http.createServer((request, response) => {
      if (request.method === 'POST') requests.push(`${request.url} ${request.headers.authorization}`)
      request
        .resume()
        .on('end', () => response.writeHead(request.method === 'POST' ? 201 : 404).end('{"failures":[]}'))
    })
    await new Promise<void>((resolve) => agency.listen(0, '127.0.0.1', resolve))
    operators.push({
      url: `http://127.0.0.1:${(agency.address() as AddressInfo).port}/agency`,
      token: 'agency-token',
      fromMs: nowMs - 600_000,
    })
    await vi.waitFor(() => expect(requests.length).toBeGreaterThanOrEqual(4), {
      timeout: 15_000,
      interval: 50,
    })
    expect(requests.slice(0, 4)).toEqual(
      ['vehicles', 'events', 'telemetry', 'trips'].map((list) => `/agency/${list} Bearer agency-token`),
    )
    agency.closeAllConnections()
    await new Promise((resolve) => agency.close(resolve))
  })

  it('stops on close', async () => {
    const closedOperators = await openDemoOperators({ city: makeSmallCity(), seed: 5, now: () => nowMs })
    expect((await get(`${closedOperators.urls.sandpiper}/gbfs.json`)).status).toBe(200)
    await closedOperators.close()
    await expect(get(`${closedOperators.urls.sandpiper}/gbfs.json`)).rejects.toThrow('fetch failed')
  })

  it('rejects if a port is in use', async () => {
    const occupiedPort = Number(new URL(operators.urls.zephyr).port)
    await expect(
      openDemoOperators({
        city: makeSmallCity(),
        seed: 5,
        now: () => nowMs,
        ports: { zephyr: occupiedPort, ternbikes: 0, sandpiper: 0 },
      }),
    ).rejects.toThrow(/EADDRINUSE/)
  })
})
