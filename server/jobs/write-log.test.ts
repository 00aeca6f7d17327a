import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLog, redact, runWithRequestId } from './write-log.ts'

const at = new Date('2026-05-01T12:00:00Z')
function openLog() {
  const lines: unknown[] = []
  return {
    lines,
    log: createLog(
      (text) => lines.push(JSON.parse(text)),
      () => at,
    ),
  }
}

test('The log writes JSON lines with the id of the request, even after an await', async () => {
  const { lines, log } = openLog()
  log('start')
  await Promise.all(
    ['one', 'two'].map((id) =>
      runWithRequestId(id, async () => {
        await wait(id === 'one' ? 5 : 1)
        log('call', { status: 200 })
      }),
    ),
  )
  expect(lines).toEqual([
    { at: at.toISOString(), line: 'start' },
    { at: at.toISOString(), line: 'call', request_id: 'two', status: 200 },
    { at: at.toISOString(), line: 'call', request_id: 'one', status: 200 },
  ])
})

test('The log removes tokens, plates and coordinates from fields and texts', () => {
  expect(
    redact({
      accessToken: 'abc',
      license_plate: 'ABC 123',
      lat: 41.5,
      nested: [{ coordinates: [1, 2], feedId: 'f1' }],
      error: 'GET https://user:word@host/x?token=abc&lat=41.5&page=2 with Bearer abcdefghijk failed',
      platform: 'linux',
      latency: 12,
    }),
  ).toEqual({
    accessToken: '…',
    license_plate: '…',
    lat: '…',
    nested: [{ coordinates: '…', feedId: 'f1' }],
    error: 'GET https://…@host/x?token=…&lat=…&page=2 with Bearer … failed',
    platform: 'linux',
    latency: 12,
  })
})

test('The log does not redact a mail that is logged because no mail server is configured', () => {
  const { lines, log } = openLog()
  log('mail', { to: 'a@b.example', text: 'https://x.example/login/new-password?token=abc' })
  expect(lines).toMatchObject([{ text: 'https://x.example/login/new-password?token=abc' }])
})
