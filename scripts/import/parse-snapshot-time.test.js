import { expect, it } from 'vitest'
import { parseSnapshotTime } from './send-files.ts'

it('accepts a time with and without seconds, in any zone', () => {
  for (const text of [
    '2026-08-08T08:51:00Z',
    '2026-08-08T08:51Z',
    '2026-08-08 04:51-04:00',
    '2026-08-08T10:51+0200',
  ])
    expect(parseSnapshotTime(text)).toBe('2026-08-08T08:51:00.000Z')
  expect(parseSnapshotTime('2026-08-08T08:51:25Z')).toBe('2026-08-08T08:51:25.000Z')
})
it('rejects a text without a date, a time or a zone', () => {
  for (const text of ['2026-08-08T08:51', '2026-08-08', 'noon', '2026-13-08T08:51Z'])
    expect(() => parseSnapshotTime(text)).toThrow(/a date, a time and a zone/)
})
