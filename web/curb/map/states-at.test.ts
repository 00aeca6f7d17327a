import { expect, test } from 'vitest'
import type { CurbMapWeek } from '#contract/curb-map.ts'
import { curbStates } from '#contract/curb-rules.ts'
import { getBins, sumLengths, matches, getSituations } from './states-at.ts'

const week: CurbMapWeek = {
  version: 1,
  zone: 'America/New_York',
  currency: 'USD',
  from: 0,
  to: 604_800_000,
  valid_from: 0,
  valid_to: 604_800_000,
  epoch: 0,
  zone_count: 3,
  length_m: 60,
  bbox: null,
  user_classes: [],
  purposes: [],
  situations: [
    { state: 'free_parking', max_stay: null, first_hour: null },
    { state: 'paid_parking', max_stay: 120, first_hour: 150 },
    { state: 'no_stopping', max_stay: null, first_hour: null },
  ],
  sets: [
    {
      rule_set: 'a',
      steps: [
        [0, 0],
        [540, 1],
        [1080, 0],
      ],
      zones: 2,
      length_m: 40,
    },
    { rule_set: 'b', steps: [[0, 2]], zones: 1, length_m: 20 },
  ],
}
const situationsAtHour = (hour: number) => getSituations(week, hour * 3_600_000)

test('a rule set has the situation of its latest step', () => {
  expect([8.99, 9, 17.99, 18].map((hour) => situationsAtHour(hour).get('a')?.state)).toEqual([
    'free_parking',
    'paid_parking',
    'paid_parking',
    'free_parking',
  ])
})

test('classes are indexes of states; zones outside the filter have none', () => {
  const paid = curbStates.indexOf('paid_parking')
  expect(getBins(situationsAtHour(10), {})).toEqual(
    new Map([
      ['a', paid],
      ['b', curbStates.indexOf('no_stopping')],
    ]),
  )
  expect(getBins(situationsAtHour(10), { states: ['paid_parking'] })).toEqual(
    new Map<string, number | 'none'>([
      ['a', paid],
      ['b', 'none'],
    ]),
  )
})

test('filters by stay and price apply only to states that allow a stay', () => {
  const [free, paid, none] = week.situations
  expect([free, paid, none].map((curb) => matches(curb!, { stay: 180 }))).toEqual([true, false, false])
  expect([free, paid, none].map((curb) => matches(curb!, { price: 100 }))).toEqual([true, false, false])
  expect([free, paid, none].map((curb) => matches(curb!, { stay: 120, price: 150 }))).toEqual([
    true,
    true,
    false,
  ])
})

test('lengths add up to those of all zones', () => {
  expect(sumLengths(week, situationsAtHour(10))).toEqual([
    { state: 'no_stopping', zones: 1, lengthM: 20 },
    { state: 'paid_parking', zones: 2, lengthM: 40 },
  ])
})
