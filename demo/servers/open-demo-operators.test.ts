import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { smallCity } from '../small-city.ts'
import { type DemoOperators, openDemoOperators } from './open-demo-operators.ts'

/** The operators' clock differs from this machine's. */
const nowMs = Date.parse('2026-06-10T16:30:00Z')
let operators: DemoOperators
beforeAll(async () => {
  const start = performance.now()
  operators = await openDemoOperators({
    city: smallCity(),
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
    const lists: string[] = []
    const agency = http.createServer((request, response) => {
      if (request.method === 'POST') lists.push(`${request.url} ${request.headers.authorization}`)
      request
        .resume()
        .on('end', () => response.writeHead(request.method === 'POST' ? 201 : 404).end('{"failures":[]}'))
    })
    await new Promise<void>((resolve) => agency.listen(0, '127.0.0.1', resolve))
    operators.push({
      url: `http://127.0.0.1:${(agency.address() as AddressInfo).port}/agency`,
      token: 'made',
      fromMs: nowMs - 600_000,
    })
    for (let tries = 0; tries < 300 && lists.length < 4; tries++)
      await new Promise((resolve) => setTimeout(resolve, 50))
    expect(lists.slice(0, 4)).toEqual(
      ['vehicles', 'events', 'telemetry', 'trips'].map((list) => `/agency/${list} Bearer made`),
    )
    agency.closeAllConnections()
    await new Promise((resolve) => agency.close(resolve))
  })

  it('stops on close', async () => {
    const others = await openDemoOperators({ city: smallCity(), seed: 5, now: () => nowMs })
    expect((await get(`${others.urls.sandpiper}/gbfs.json`)).status).toBe(200)
    await others.close()
    await expect(get(`${others.urls.sandpiper}/gbfs.json`)).rejects.toThrow('fetch failed')
  })

  it('rejects if a port is in use', async () => {
    const occupiedPort = Number(new URL(operators.urls.zephyr).port)
    await expect(
      openDemoOperators({
        city: smallCity(),
        seed: 5,
        now: () => nowMs,
        ports: { zephyr: occupiedPort, ternbikes: 0, sandpiper: 0 },
      }),
    ).rejects.toThrow(/EADDRINUSE/)
  })
})
