import { expect, it } from 'vitest'
import { edgeMeeting } from './edge-meeting.ts'

const meet = (...edges: number[]): number[][] =>
  edgeMeeting(Float64Array.from(edges), 0, 1).map(({ x, y }) => [x, y])

it.each([
  ['cross', [0, 0, 2, 2, 0, 2, 2, 0], [[1, 1]]],
  ['end on another', [0, 0, 2, 0, 1, 0, 1, 1], [[1, 0]]],
  ['share an end at an angle', [0, 0, 1, 0, 1, 0, 1, 1], [[1, 0]]],
  ['share a start at an angle', [0, 0, 1, 0, 0, 0, 1, 1], [[0, 0]]],
  ['follow each other straight on', [0, 0, 1, 0, 1, 0, 2, 0], [[1, 0]]],
  [
    'run back',
    [0, 0, 2, 0, 2, 0, 1, 0],
    [
      [1, 0],
      [2, 0],
    ],
  ],
  [
    'are the same',
    [0, 0, 2, 0, 2, 0, 0, 0],
    [
      [0, 0],
      [2, 0],
    ],
  ],
  ['lie on one line apart', [0, 0, 1, 0, 2, 0, 3, 0], []],
  ['are parallel', [0, 0, 1, 1, 0, 0.1, 1, 1.1], []],
  ['have boxes that overlap', [0, 0, 4, 4, 2, 0, 3, 1], []],
  // Apart by the last bit: only an exact test can tell.
  ['miss by a hair', [0, 0, 1, 1, 0.5, 0.5000000000000001, 0, 1], []],
])('edges that %s', (_, edges, expected) => {
  expect(meet(...edges).sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))).toEqual(expected)
})
