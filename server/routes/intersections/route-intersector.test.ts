import { beforeEach, expect, vi, test } from 'vitest'
import type { Geometry, Position } from '#contract/place.ts'
import { startWorker } from '#server/jobs/start-worker.ts'
import type { RouteRow } from '../queries/route-shapes.ts'
import { buildShapeList } from './shape-list.ts'
import { createRouteIntersector } from './route-intersector.ts'
import { positions } from '../../../test/positions.ts'

const circle = (x: number, corners: number): Geometry => {
  const ring = Array.from({ length: corners }, (_, index): Position => [
    x + Math.cos((index / corners) * 2 * Math.PI) / 2,
    Math.sin((index / corners) * 2 * Math.PI) / 2,
  ])
  return { type: 'Polygon', coordinates: [[...ring, ring[0] as Position]] }
}
const makeShapeList = (corners: number) =>
  buildShapeList(
    'l',
    0,
    [0, 1, 2].map((x) => ({ shapeId: `s${x}`, geometry: circle(x, corners) })),
  )
const makeRoute = (id: string, places: Position[]): RouteRow => ({
  day: '2026-03-01',
  operator: 'lark',
  trip_id: id,
  vehicle_type: 'bicycle',
  local_hour: 8,
  version: '7',
  lons: places.map(([x]) => Math.round(x * 1e6)).join(' '),
  lats: places.map(([, y]) => Math.round(y * 1e6)).join(' '),
})
const routes = [
  makeRoute('a', positions('0 0, 1 0')),
  makeRoute('b', positions('2 0.1, 2 0.2')),
  makeRoute('c', positions('9 9, 8 8')),
  makeRoute('d', []),
]
/** Returns the numbers of the intersected shapes in each line. */
const readShapes = (lines: Uint8Array): string[] =>
  Buffer.from(lines)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[7] ?? '')

const start = vi.fn(startWorker)
beforeEach(() => void start.mockReset().mockImplementation(startWorker))

test('The route intersector intersects routes with few and simple shapes on the calling thread', async () => {
  expect(
    readShapes(await createRouteIntersector(await makeShapeList(16), start).makeRouteShapeLines(routes, 'r')),
  ).toEqual(['[1,2]', '[3]', '[]', '[]'])
  expect(start).not.toHaveBeenCalled()
})

test('The route intersector intersects routes with many shapes on one thread, one portion after the other, with the same result', async () => {
  const intersector = createRouteIntersector(await makeShapeList(500), start)
  const [first, second] = await Promise.all([
    intersector.makeRouteShapeLines(routes, 'r'),
    intersector.makeRouteShapeLines(routes.toReversed(), 'q'),
  ])
  expect(readShapes(first)).toEqual(['[1,2]', '[3]', '[]', '[]'])
  expect(readShapes(second)).toEqual(['[]', '[]', '[3]', '[1,2]'])
  expect(Buffer.from(second).toString()).toMatch(/^q\t/)
  expect(start).toHaveBeenCalledTimes(1)
})

test('The route intersector rejects the current request if its thread ends, and starts a new thread', async () => {
  const intersector = createRouteIntersector(await makeShapeList(500), start)
  const interrupted = intersector.makeRouteShapeLines(routes, 'r')
  await vi.waitFor(() => expect(start).toHaveBeenCalledTimes(1))
  const endThread = (): Promise<number> | undefined => start.mock.results.at(-1)?.value.terminate()
  await Promise.all([endThread(), expect(interrupted).rejects.toThrow('ended')])
  expect(readShapes(await intersector.makeRouteShapeLines(routes, 'r'))).toEqual(['[1,2]', '[3]', '[]', '[]'])
  // While it is idle.
  await endThread()
  expect(readShapes(await intersector.makeRouteShapeLines(routes, 'r'))).toEqual(['[1,2]', '[3]', '[]', '[]'])
  expect(start).toHaveBeenCalledTimes(3)
})
