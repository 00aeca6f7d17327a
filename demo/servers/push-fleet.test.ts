import { afterEach, describe, expect, it } from 'vitest'
import { liveModel } from '../live/live-model.ts'
import { smallCity } from '../small-city.ts'
import type { DemoAnswer } from './answer.ts'
import { listen } from './listen.ts'
import { pushFleet, waitAfter } from './push-fleet.ts'

const model = liveModel(smallCity(), 5)
const minute = 60_000
const at = Date.parse('2026-06-10T16:00:00Z')
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface Pushed {
  list: string
  items: Record<string, unknown>[]
  headers: Record<string, string | undefined>
}

/** An agency that takes pushes as `answer` says, and the pusher at work until `enough`. */
async function pushed(
  answer: (push: Pushed, count: number) => DemoAnswer | null,
  enough: (taken: readonly Pushed[]) => boolean,
  knows = false,
) {
  const [taken, tried, said]: [Pushed[], Pushed[], string[]] = [[], [], []]
  const stop = new AbortController()
  const agency = await listen(
    ({ method, path, body, headers }) => {
      if (method === 'GET') return { status: knows ? 200 : 404, body: {} }
      const list = path.slice('/mds/agency/'.length)
      const push = {
        list,
        items: (JSON.parse(body) as Record<string, Record<string, unknown>[]>)[list] ?? [],
        headers,
      }
      tried.push(push)
      const refusal = answer(push, tried.length)
      if (!refusal) taken.push(push)
      if (enough(taken)) setTimeout(() => stop.abort())
      return (
        refusal ?? {
          status: 201,
          body: { success: push.items.length, total: push.items.length, failures: [] },
        }
      )
    },
    0,
    () => at,
  )
  closing.push(agency.close)
  let now = at
  await pushFleet(
    {
      model,
      operator: 'hopkite',
      url: `${agency.origin}/mds/agency/`,
      token: 'secret',
      from: at - 10 * minute,
      now: () => (now += minute),
      say: (line) => said.push(line),
      everyMs: 2,
    },
    stop.signal,
  )
  const of = (list: string) => taken.filter((each) => each.list === list).flatMap(({ items }) => items)
  return { taken, tried, said, of }
}

const manyEvents = (count: number) => (taken: readonly Pushed[]) =>
  taken.filter(({ list }) => list === 'events').length >= count
const idsOf = (items: readonly Record<string, unknown>[], key: string) => items.map((item) => item[key])

describe('a fleet that is pushed', () => {
  it('is registered first; then its events, points and trips follow without a gap, each once', async () => {
    const { taken, tried, of } = await pushed(() => null, manyEvents(4))
    expect(taken[0]).toMatchObject({ list: 'vehicles' })
    expect(of('vehicles').length).toBe(550)
    expect(tried[0]!.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/vnd.mds+json;version=2.0',
    })
    const wanted = model.events('hopkite', at - 10 * minute, at + 30 * minute)
    const events = of('events')
    expect(events.map((event) => event['timestamp'])).toEqual(
      wanted.slice(0, events.length).map(({ time }) => time),
    )
    expect(events.length).toBeGreaterThan(30)
    for (const [list, key] of [
      ['events', 'event_id'],
      ['telemetry', 'telemetry_id'],
      ['trips', 'trip_id'],
    ] as const)
      expect(new Set(idsOf(of(list), key)).size).toBe(of(list).length)
    expect(of('telemetry').length).toBeGreaterThan(100)
  })

  it('is not registered again where it is known', async () => {
    const { of } = await pushed(() => null, manyEvents(2), true)
    expect(of('vehicles')).toEqual([])
  })

  it('goes on behind what was taken when the agency comes back, and says what went wrong', async () => {
    const { of, said } = await pushed(
      (_push, count) => (count > 2 && count < 7 ? { status: 503, body: {} } : null),
      manyEvents(5),
    )
    expect(new Set(idsOf(of('events'), 'event_id')).size).toBe(of('events').length)
    const times = of('events').map((event) => event['timestamp'] as number)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times.length).toBe(model.events('hopkite', at - 10 * minute, times.at(-1)! + 1).length)
    expect(said.length).toBeGreaterThan(0)
    expect(said[0]).toContain('503')
  })

  it('is registered anew where the agency forgot it', async () => {
    const refused: DemoAnswer = {
      status: 400,
      body: {
        success: 0,
        total: 1,
        failures: [
          { item: {}, error: 'unregistered', error_description: 'This device_id is not registered.' },
        ],
      },
    }
    let told = false
    const { of } = await pushed(
      (push) => {
        if (push.list !== 'events' || told) return null
        told = true
        return refused
      },
      manyEvents(2),
      true,
    )
    expect(of('vehicles').length).toBe(550)
    expect(new Set(idsOf(of('events'), 'event_id')).size).toBe(of('events').length)
  })

  it('is not held up by one record that is refused, nor by vehicles that were registered before', async () => {
    const some = (error: string): DemoAnswer => ({
      status: 201,
      body: { success: 1, total: 2, failures: [{ item: {}, error, error_description: `It is ${error}.` }] },
    })
    const { tried, said } = await pushed(
      (push) =>
        push.list === 'vehicles'
          ? { ...some('already_registered'), status: 409 }
          : push.list === 'events'
            ? some('bad_param')
            : null,
      (taken) => taken.filter(({ list }) => list === 'telemetry').length >= 2,
    )
    expect(tried.filter(({ list }) => list === 'vehicles').length).toBe(1)
    expect(said[0]).toContain('It is bad_param.')
  })
})

it('waits longer after each failure, five minutes at most', () => {
  const waits = Array.from({ length: 12 }, (_, failures) => waitAfter(failures, 5000))
  expect(waits.slice(0, 4)).toEqual([5000, 10_000, 20_000, 40_000])
  expect(Math.max(...waits)).toBe(300_000)
})
