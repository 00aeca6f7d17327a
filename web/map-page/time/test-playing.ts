import type { SpatialByTime, TimeBucket } from '#contract/spatial.ts'
import { testEvaluation } from '../by-shape/test-evaluation.ts'
import { PlayHead } from './play-head.ts'
import { Playback } from './playback.ts'
import type { Playing } from './use-playback.ts'

/** For tests: a playback of two shapes by hour of the day, or by these days. */
export function testPlaying(
  by: TimeBucket = 'hour_of_day',
  buckets = Array.from({ length: 24 }, (_, hour) => String(hour)),
  savePosition: () => void = () => {},
): Playing {
  const values = buckets.map((_, index) => [index, index * 2])
  const response: SpatialByTime = {
    buckets,
    shape_uuids: ['a', 'b'],
    values,
    not_in_shape: buckets.map(() => 1),
    total: buckets.map((_, index) => index * 3 + 1),
    unit: 'trips',
    method: { name: 'origins', version: 1, buffer: 0 },
    milliseconds: 1,
    from: 'cubes',
  }
  const playback = new Playback({
    response,
    by,
    overall: testEvaluation({ a: 1, b: 2 }),
    shapes: [
      { shape_uuid: 'a', shape_name: 'Harbour' },
      { shape_uuid: 'b', shape_name: 'Mill' },
    ],
    isMetric: true,
  })
  const head = new PlayHead(buckets.length, 0)
  return {
    playback,
    head,
    savePosition,
    restorePosition: () => {},
    states: { states: () => playback.states(head.read()), subscribe: head.subscribe },
  }
}
