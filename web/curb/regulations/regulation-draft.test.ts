import { describe, expect, it } from 'vitest'
import {
  findConflicts,
  isChanged,
  mergeDrafts,
  getMidnight,
  newDraft,
  nextRate,
  type RegulationDraft,
  getSpanDays,
  withField,
} from './regulation-draft.ts'

const base: RegulationDraft = {
  policy: { name: 'Loading', priority: 60, rules: [{ activity: 'loading' }] },
  zoneIds: ['a', 'b'],
}

it('removes fields that become empty', () => {
  expect(withField({ activity: 'parking', max_stay: 2 }, 'max_stay', null)).toEqual({ activity: 'parking' })
  expect(withField({ activity: 'parking' }, 'purposes', ['taxi'])).toEqual({
    activity: 'parking',
    purposes: ['taxi'],
  })
  expect(withField({ priority: 1 }, 'priority', 0)).toEqual({ priority: 0 })
})

it('starts a rate where the previous one ends', () => {
  expect(nextRate([])).toEqual({ rate: 0, rate_unit: 'hour' })
  expect(nextRate([{ rate: 100, rate_unit: 'minute', end_duration: 30 }])).toEqual({
    rate: 0,
    rate_unit: 'minute',
    start_duration: 30,
  })
})

it('reads and writes the days of spans with an exclusive end, across a clock change', () => {
  const [start, end] = [
    getMidnight('2026-11-01', 'America/New_York'),
    getMidnight('2026-11-01', 'America/New_York', 1),
  ]
  expect((end ?? 0) - (start ?? 0)).toBe(25 * 3_600_000)
  expect(getSpanDays({ start_date: start, end_date: end }, 'America/New_York')).toEqual({
    from: '2026-11-01',
    to: '2026-11-01',
  })
})

describe('two editors', () => {
  const mine = { ...base, policy: { ...base.policy, name: 'Mine', priority: 61 } }
  const theirs = { policy: { ...base.policy, name: 'Theirs' }, zoneIds: ['b', 'c'] }

  it('conflict in parts that the other changed, but not in the order of zones', () => {
    expect(findConflicts(base, mine, theirs)).toEqual([
      { field: 'name', isBoth: true },
      { field: 'zones', isBoth: false },
    ])
    expect(isChanged(base, { ...base, zoneIds: ['b', 'a'] })).toBe(false)
    expect(isChanged(newDraft(), base)).toBe(true)
  })

  it('are merged part by part', () => {
    expect(mergeDrafts(mine, theirs, ['zones'])).toEqual({ policy: mine.policy, zoneIds: ['b', 'c'] })
    expect(mergeDrafts(mine, theirs, ['name']).policy).toMatchObject({ name: 'Theirs', priority: 61 })
  })
})
