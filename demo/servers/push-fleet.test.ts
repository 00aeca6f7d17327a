import { afterEach, describe, expect, it, test } from 'vitest'
import { minuteMs } from '#contract/period.ts'
import { FleetSimulation } from '../live/fleet-simulation.ts'
import { makeSmallCity } from '../small-city.ts'
import type { DemoResponse } from './demo-server.ts'
import { listen } from './listen.ts'
import { pushFleet, waitAfter } from './push-fleet.ts'

const simulation = new FleetSimulation(makeSmallCity(), 5)
const nowMs = Date.parse('2026-06-10T16:00:00Z')
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface Pushed {
  list: string
  items: Record<string, unknown>[]
  headers: Record<string, string | undefined>
}

/** Pushes to an agency, until `isEnough`. The agency fails each push for which `refuse` returns a response. */
async function pushUntil(
  isEnough: (accepted: readonly Pushed[]) => boolean,
  refuse: (push: Pushed, count: number) => DemoResponse | null,
  isRegistered = false,
) {
  const [accepted, attempts, lines]: [Pushed[], Pushed[], string[]] = [[], [], []]
  const stop = new AbortController()
  const agency = await listen(
    ({ method, path, body, headers }) => {
      if (method === 'GET') return { status: isRegistered ? 200 : 404, body: {} }
      const list = path.slice('/mds/agency/'.length)
      const push = {
        list,
        items: (JSON.parse(body) as Record<string, Record<string, unknown>[]>)[list] ?? [],
        headers,
      }
      attempts.push(push)
      const refusal = refuse(push, attempts.length)
      if (!refusal) accepted.push(push)
      if (isEnough(accepted)) setTimeout(() => stop.abort())
      return (
        refusal ?? {
          status: 201,
          body: { success: push.items.length, total: push.items.length, failures: [] },
        }
      )
    },
    0,
    () => nowMs,
  )
  closing.push(agency.close)
  let now = nowMs
  await pushFleet(
    {
      simulation,
      operator: 'hopkite',
      url: `${agency.origin}/mds/agency/`,
      token: 'secret',
      fromMs: nowMs - 10 * minuteMs,
      now: () => (now += minuteMs),
      printLine: (line) => lines.push(line),
      intervalMs: 2,
    },
    stop.signal,
  )
  const listRecords = (list: string) =>
    accepted.filter((push) => push.list === list).flatMap(({ items }) => items)
  return { accepted, attempts, lines, listRecords }
}

const manyEvents = (count: number) => (accepted: readonly Pushed[]) =>
  accepted.filter(({ list }) => list === 'events').length >= count
const pickIds = (items: readonly Record<string, unknown>[], key: string) => items.map((item) => item[key])

describe('pushFleet', () => {
  it('registers vehicles first, then pushes events, points and trips once and without a gap', async () => {
    const { accepted, attempts, listRecords } = await pushUntil(manyEvents(4), () => null)
    expect(accepted[0]).toMatchObject({ list: 'vehicles' })
    expect(listRecords('vehicles').length).toBe(550)
    expect(attempts[0]!.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/vnd.mds+json;version=2.0',
    })
    const expected = simulation.events('hopkite', nowMs - 10 * minuteMs, nowMs + 30 * minuteMs)
    const events = listRecords('events')
    expect(events.map((event) => event['timestamp'])).toEqual(
      expected.slice(0, events.length).map(({ time }) => time),
    )
    expect(events.length).toBeGreaterThan(30)
    for (const [list, key] of [
      ['events', 'event_id'],
      ['telemetry', 'telemetry_id'],
      ['trips', 'trip_id'],
    ] as const)
      expect(new Set(pickIds(listRecords(list), key)).size).toBe(listRecords(list).length)
    expect(listRecords('telemetry').length).toBeGreaterThan(100)
  })

  it('does not register vehicles again that the agency knows', async () => {
    const { listRecords } = await pushUntil(manyEvents(2), () => null, true)
    expect(listRecords('vehicles')).toEqual([])
  })

  it('continues after the last accepted push when the agency recovers, and logs failures', async () => {
    const { listRecords, lines } = await pushUntil(manyEvents(5), (_push, count) =>
      count > 2 && count < 7 ? { status: 503, body: {} } : null,
    )
    expect(new Set(pickIds(listRecords('events'), 'event_id')).size).toBe(listRecords('events').length)
    const times = listRecords('events').map((event) => event['timestamp'] as number)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times.length).toBe(simulation.events('hopkite', nowMs - 10 * minuteMs, times.at(-1)! + 1).length)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines[0]).toContain('503')
  })

  it('registers vehicles again if the agency does not know them any more', async () => {
    const refused: DemoResponse = {
      status: 400,
      body: {
        success: 0,
        total: 1,
        failures: [
          { item: {}, error: 'unregistered', error_description: 'This device_id is not registered.' },
        ],
      },
    }
    let isForgotten = false
    const { listRecords } = await pushUntil(
      manyEvents(2),
      (push) => {
        if (push.list !== 'events' || isForgotten) return null
        isForgotten = true
        return refused
      },
      true,
    )
    expect(listRecords('vehicles').length).toBe(550)
    expect(new Set(pickIds(listRecords('events'), 'event_id')).size).toBe(listRecords('events').length)
  })

  it('continues after a rejected record, and after vehicles that are already registered', async () => {
    const some = (error: string): DemoResponse => ({
      status: 201,
      body: { success: 1, total: 2, failures: [{ item: {}, error, error_description: `It is ${error}.` }] },
    })
    const { attempts, lines } = await pushUntil(
      (accepted) => accepted.filter(({ list }) => list === 'telemetry').length >= 2,
      (push) =>
        push.list === 'vehicles'
          ? { ...some('already_registered'), status: 409 }
          : push.list === 'events'
            ? some('bad_param')
            : null,
    )
    expect(attempts.filter(({ list }) => list === 'vehicles').length).toBe(1)
    expect(lines[0]).toContain('It is bad_param.')
  })
})

test('waitAfter waits longer after each failure, up to five minutes', () => {
  const waits = Array.from({ length: 12 }, (_, failures) => waitAfter(failures, 5000))
  expect(waits.slice(0, 4)).toEqual([5000, 10_000, 20_000, 40_000])
  expect(Math.max(...waits)).toBe(300_000)
})
