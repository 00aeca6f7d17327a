import { expect, test } from 'vitest'
import type { Geometry } from '#contract/place.ts'
import { runInWorker } from '#server/jobs/run-in-worker.ts'
import { type IndexWork, type MadeIndexes, makeIndexLines } from './make-index-lines.ts'
import { packGeometries } from './packed-geometries.ts'

const box = (west: number, size = 0.01): Geometry => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, 40],
      [west + size, 40],
      [west + size, 40 + size],
      [west, 40 + size],
      [west, 40],
    ],
  ],
})
const work = (...geometries: Geometry[]): IndexWork => ({ content: 'c', geometries, buffer: 0 })

test('makeIndexLines detects overlaps by cells within two shapes, not by shared borders', () => {
  expect(makeIndexLines(work(box(-83), box(-82.99))).overlaps).toBe(false)
  expect(makeIndexLines(work(box(-83), box(-82.995))).overlaps).toBe(true)
})

test('makeIndexLines numbers shapes by their position in the layer; lines and points are in no index', () => {
  const { lines } = makeIndexLines(work({ type: 'Point', coordinates: [-83, 40] }, box(-83)))
  expect(lines).toHaveLength(1)
  // For each face: the name of the index (28 bytes), its number (8), the count and the numbers of its shapes.
  const rows = Buffer.from(lines[0]?.faces.rows ?? []).toString('hex')
  expect(rows.slice(36 * 2)).toBe(`00${rows.slice(0, 28 * 2)}01${'00'.repeat(7)}0102000000`)
  expect(makeIndexLines(work({ type: 'Point', coordinates: [-83, 40] })).lines).toEqual([])
})

test('makeIndexLines grows shapes by the buffer first', () => {
  const measureWidth = (buffer: number): number => {
    const { west = 0, east = 0 } = makeIndexLines({ ...work(box(-83)), buffer }).lines[0]?.grid ?? {}
    return east - west
  }
  expect(measureWidth(100)).toBeGreaterThan(measureWidth(0) + 0.002)
})

test('makeIndexLines returns the same result on a worker thread', async () => {
  const input = work(box(-83), box(-82.995), box(-82.95))
  const toComparable = ({ lines, overlaps }: MadeIndexes) => [
    overlaps,
    lines.map(({ codes, edges, faces, ...rest }) => [
      rest,
      ...[codes, edges, faces].map((part) => [part.size, Buffer.from(part.rows).toString('hex')]),
    ]),
  ]
  // Repeated, because the thread is reused.
  for (let turn = 0; turn < 3; turn++)
    expect(
      toComparable(
        await runInWorker<MadeIndexes>(new URL('./make-index-worker.ts', import.meta.url), {
          ...input,
          geometries: packGeometries(input.geometries),
        }),
      ),
    ).toEqual(toComparable(makeIndexLines(input)))
})
