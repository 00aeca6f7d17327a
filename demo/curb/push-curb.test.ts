import { afterEach, expect, test } from 'vitest'
import { hourMs, minuteMs } from '#contract/period.ts'
import { readCdsEvent } from '#server/curb/sessions/read-cds-event.ts'
import type { DemoResponse } from '../servers/demo-server.ts'
import { listen } from '../servers/listen.ts'
import { CurbTraffic } from './curb-traffic.ts'
import { toCdsItem, pushCurb } from './push-curb.ts'
import { smallCurb } from './small-curb.ts'

const nowMs = Date.parse('2026-06-10T16:00:00Z')
const traffic = new CurbTraffic(smallCurb(), { seed: 5, timezone: 'America/New_York' })
const feeds = [
  { name: 'Curb sensors', kind: 'sensor', token: 'one' },
  { name: 'Delivery fleets', kind: 'data_feed', token: 'two' },
] as const
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Pushes four hours of events to a server that fails each request for which `refuse` returns a response. */
async function pushFourHours(refuse: (count: number) => DemoResponse | null) {
  const accepted: { token: string; items: Record<string, unknown>[] }[] = []
  const lines: string[] = []
  const stop = new AbortController()
  let count = 0
  const server = await listen(
    ({ headers, body, path }) => {
      const refusal = refuse(++count)
      if (refusal) return refusal
      const { events } = JSON.parse(body) as { events: Record<string, unknown>[] }
      expect(path).toBe('/cds/events/port/events/event')
      accepted.push({ token: headers['authorization']?.slice('Bearer '.length) ?? '', items: events })
      return { status: 201, body: { success: events.length, total: events.length, failures: [] } }
    },
    0,
    () => nowMs,
  )
  closing.push(server.close)
  let now = nowMs
  await pushCurb(
    {
      traffic,
      url: `${server.origin}/cds/events/port`,
      feeds,
      fromMs: nowMs - 3 * hourMs,
      now: () => {
        now += 5 * minuteMs
        if (now > nowMs + hourMs) stop.abort()
        return Math.min(now, nowMs + hourMs)
      },
      printLine: (line) => lines.push(line),
      intervalMs: 2,
    },
    stop.signal,
  )
  return {
    lines,
    itemsOf: (token: string) => accepted.filter((push) => push.token === token).flatMap(({ items }) => items),
  }
}

const listEventIds = (kind: string): string[] =>
  traffic
    .events(nowMs - 3 * hourMs, nowMs + hourMs)
    .filter(({ event }) => event.sourceKind === kind)
    .map(({ event }) => event.eventId)

test('pushCurb pushes every event once with the token of its feed, also after the server was unavailable', async () => {
  const { itemsOf, lines } = await pushFourHours((count) =>
    count > 3 && count < 6 ? { status: 503, body: {} } : null,
  )
  for (const { token, kind } of feeds) {
    expect(itemsOf(token).map((item) => item['event_id'])).toEqual(listEventIds(kind))
    expect(itemsOf(token).length).toBeGreaterThan(10)
  }
  expect(lines[0]).toContain('503')
})

test('pushCurb sends events that the server reads unchanged', () => {
  const events = traffic.events(nowMs - 48 * hourMs, nowMs).map(({ event }) => event)
  expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThan(3)
  for (const event of events) {
    const { event: read, problems } = readCdsEvent(toCdsItem(event), { received: nowMs })
    expect(problems).toEqual([])
    expect(read).toEqual(event)
  }
})
