import { expect, test } from 'vitest'
import { hourMs } from '#contract/period.ts'
import { emptyPolicy, type PolicyFields } from '#contract/policy.ts'
import { makeDayWindows } from './day-windows.ts'

const held = { from: -Infinity, until: Infinity }
const makePolicy = (overrides: Partial<PolicyFields>): PolicyFields => ({ ...emptyPolicy(), ...overrides })
const parseUtc = (text: string): number => Date.parse(text)
const zone = 'America/New_York'

test('A window without times runs from midnight to midnight, 23 hours when the clock is put forward', () => {
  const [day] = makeDayWindows({ policy: makePolicy({}), ...held }, '2026-03-08', '2026-03-08', zone)
  expect(day).toEqual({
    day: '2026-03-08',
    from: parseUtc('2026-03-08T05:00Z'),
    until: parseUtc('2026-03-09T04:00Z'),
    emptyReason: null,
  })
})

test('A window over midnight belongs to the day on which it starts', () => {
  const windows = makeDayWindows(
    { policy: makePolicy({ start_time: '22:00:00', end_time: '02:00:00', days: [6] }), ...held },
    '2026-10-30',
    '2026-11-01',
    zone,
  )
  expect(
    windows.map(({ day, from, until, emptyReason }) => [day, emptyReason ?? (until - from) / hourMs]),
  ).toEqual([
    ['2026-10-30', 'not_on_this_day'],
    ['2026-10-31', 5],
    ['2026-11-01', 'not_on_this_day'],
  ])
})

test.each([
  ['only a start runs to midnight', { start_time: '18:00:00' }, 6],
  ['only an end runs from midnight', { end_time: '06:00:00' }, 6],
  ['23:59:59 is midnight', { start_time: '12:00:00', end_time: '23:59:59' }, 12],
])('A window: %s', (_, overrides, hours) => {
  const [day] = makeDayWindows({ policy: makePolicy(overrides), ...held }, '2026-06-01', '2026-06-01', zone)
  expect(((day?.until ?? 0) - (day?.from ?? 0)) / hourMs).toBe(hours)
})

test('A window is cut to the time in force; before it, the day is not in force', () => {
  const from = parseUtc('2026-06-02T16:00Z')
  const windows = makeDayWindows(
    {
      policy: makePolicy({ start_time: '08:00:00', end_time: '18:00:00' }),
      from,
      until: parseUtc('2026-06-03T12:00Z'),
    },
    '2026-06-01',
    '2026-06-04',
    zone,
  )
  expect(
    windows.map(
      ({ emptyReason, from: begins, until }) =>
        emptyReason ?? [new Date(begins).toISOString(), new Date(until).toISOString()],
    ),
  ).toEqual([
    'not_in_force',
    ['2026-06-02T16:00:00.000Z', '2026-06-02T22:00:00.000Z'],
    'not_in_force',
    'not_in_force',
  ])
})

test('A window is empty if the clock skips it', () => {
  const [day] = makeDayWindows(
    { policy: makePolicy({ start_time: '02:00:00', end_time: '03:00:00' }), ...held },
    '2026-03-08',
    '2026-03-08',
    zone,
  )
  expect(day?.emptyReason).toBe('not_on_this_day')
})
