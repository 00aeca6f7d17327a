import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EventStreamParser, type StreamEvent } from './event-stream-parser.ts'

const stream =
  ': beat\n\nretry: 2000\nid: 7\nevent: hello\ndata: {"at":7}\n\ndata: one\ndata: two\n\nid: 9\r\nevent: vehicles\r\ndata:x\r\n\r\nid: 10\revent: late\rdata\r\rdata: not complete'
const events: StreamEvent[] = [
  { id: '7', name: 'hello', data: '{"at":7}' },
  { id: '7', name: 'message', data: 'one\ntwo' },
  { id: '9', name: 'vehicles', data: 'x' },
  { id: '10', name: 'late', data: '' },
]

it('parses events from text split anywhere', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: stream.length - 1 })), (cuts) => {
      const parser = new EventStreamParser()
      const ends = [0, ...cuts.toSorted((a, b) => a - b), stream.length]
      expect(ends.slice(1).flatMap((end, index) => parser.read(stream.slice(ends[index], end)))).toEqual(
        events,
      )
    }),
  )
})
