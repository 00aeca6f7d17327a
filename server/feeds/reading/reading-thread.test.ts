import { describe, expect, it } from 'vitest'
import { joinRecords } from '#server/fleet/events/feed-records.ts'
import type { AdapterFeed, ReadResult } from '../adapters/adapter.ts'
import { mdsProvider } from '../adapters/mds-provider.ts'
import * as samples from '../../../test/mds-samples.ts'
import { recordsPerPart } from './read-response-worker.ts'
import { readResponse } from './read-response.ts'
import { ReadingThread } from './reading-thread.ts'

const feed: AdapterFeed = {
  feedId: 'f',
  regionId: 'r',
  operator: 'lark',
  providerId: samples.providerId,
  version: '2.0',
  url: 'https://lark.example/mds',
  settings: {},
  timezone: 'UTC',
  lat: 40,
  lon: -83,
}
const received = samples.sampleTime + 60_000
const makeTask = (text: string, stream = 'vehicles') => ({
  kind: 'mds_provider',
  feed,
  stream,
  body: new Uint8Array(Buffer.from(text)),
  received,
})
const makeBody = (count: number): string =>
  JSON.stringify({
    version: '2.0.0',
    vehicles: Array.from({ length: count }, (_, n) => (n % 10 ? samples.vehicle(n) : {})),
    links: { next: '?page=2' },
  })
async function collectParts(parts: AsyncIterable<ReadResult>): Promise<ReadResult[]> {
  const read: ReadResult[] = []
  for await (const result of parts) read.push(result)
  return read
}
const catchProblem = async (parts: AsyncIterable<ReadResult>): Promise<string> => {
  try {
    return `${(await collectParts(parts)).length} parts`
  } catch (error) {
    return (error as Error).message
  }
}

describe('a large response', () => {
  it('returns a large response in parts while this thread does other work', async () => {
    const text = makeBody(3 * recordsPerPart)
    const expected = mdsProvider.read(feed, 'vehicles', Buffer.from(text), received)
    let turns = 0
    const timer = setInterval(() => turns++, 5)
    const parts = await collectParts(readResponse(mdsProvider, feed, makeTask(text), () => undefined))
    clearInterval(timer)
    // Three parts of vehicles, one of findings, and the last one without records.
    expect(parts.length).toBe(3 + 1 + 1)
    expect(Math.max(...parts.map(({ records }) => records.vehicles.length))).toBe(recordsPerPart)
    expect(joinRecords(parts.map(({ records }) => records))).toEqual(expected.records)
    expect(parts.map(({ next }) => next).filter(Boolean)).toEqual([expected.next])
    expect(parts.at(-1)?.next).toBe('https://lark.example/mds?page=2')
    expect(turns).toBeGreaterThan(10)
  })

  it('a large response causes the same errors as a short one, even if it contains too many records', async () => {
    const read = (text: string) =>
      catchProblem(readResponse(mdsProvider, feed, makeTask(text), () => undefined))
    expect(await read(`<html>${' '.repeat(600_000)}`)).toBe(await read('<html>'))
    expect(await read(`{"version":"2.0.0","vehicles":[${'0,'.repeat(1_000_000)}0]}`)).toBe(
      'The response contains 1000001 records; the maximum is 1000000.',
    )
  })

  it('aborts a large response if it takes too long or if the rest is not needed', async () => {
    const thread = new ReadingThread({ partTimeoutMs: 1 })
    expect(await catchProblem(thread.read(makeTask(makeBody(5))))).toBe(
      'The response took longer than 0.001 seconds to read.',
    )
    const patient = new ReadingThread()
    for await (const { records } of patient.read(makeTask(makeBody(2 * recordsPerPart)))) {
      expect(records.vehicles).toHaveLength(recordsPerPart)
      break
    }
    expect(await catchProblem(patient.read(makeTask(makeBody(20))))).toBe('3 parts')
  })
})
