import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CdsPolicy, CdsRule, CdsTimeSpan } from '#contract/cds.ts'
import { curbUses } from '#contract/curb-rules.ts'
import { dayMs, minuteMs } from '#contract/period.ts'
import { anyCase } from '../../../test/curb/any-policies.ts'
import { plainVerdict } from '../../../test/curb/plain-decision.ts'
import { findPrecedences, mergeMinutes, createDraftComparison, toWeekTimes } from './find-precedences.ts'

const policy = (
  id: string,
  priority: number,
  rules: CdsRule | CdsRule[],
  time_spans?: CdsTimeSpan[],
): CdsPolicy => ({ curb_policy_id: id, published_date: 0, priority, rules: [rules].flat(), time_spans })
const monday = Date.parse('2026-05-04')
const weekMinutes = 7 * 24 * 60
const holidays = new Map([['holidays', new Set(['2026-07-03'])]])

/** For each other policy, which one decides, when and for whom: `b first 12345 08:00-10:00 truck`. */
const listPrecedences = (draft: CdsPolicy, ...others: CdsPolicy[]): string[] =>
  findPrecedences(createDraftComparison(draft, holidays, monday), others).map(
    ({ otherId, isOtherFirst, minutes, users }) => {
      const { times, is_every_week: isEveryWeek } = toWeekTimes(minutes)
      return [
        isOtherFirst ? `${otherId} first` : `before ${otherId}`,
        ...times.map(({ days, from, until }) => `${days.join('')} ${from}-${until}`),
        ...(isEveryWeek ? [] : ['some']),
        ...users.flat(),
      ].join(' ')
    },
  )

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const
const hours = (start: string, end: string, fields: CdsTimeSpan = {}): CdsTimeSpan[] => [
  { time_of_day_start: start, time_of_day_end: end, ...fields },
]
const parking = { activity: 'parking' } as const
const ban = { activity: 'no stopping' } as const

test.each<[string, CdsPolicy, CdsPolicy[], string[]]>([
  ['nothing else applies', policy('draft', 90, parking), [], []],
  [
    'a ban precedes the draft at certain times',
    policy('draft', 90, parking),
    [policy('sweeping', 35, ban, hours('08:00', '10:00', { days_of_week: [...weekdays] }))],
    ['sweeping first 12345 08:00-10:00'],
  ],
  [
    'the draft precedes another policy at its times',
    policy('draft', 35, ban, hours('22:00', '06:00', { days_of_week: ['sun'] })),
    [policy('free', 90, parking)],
    ['before free 7 22:00-06:00'],
  ],
  [
    'a longer time is split by day',
    policy('draft', 20, ban),
    [policy('paid', 80, { ...parking, max_stay: 60 })],
    ['before paid 1234567 00:00-24:00'],
  ],
  [
    'both directions',
    policy('draft', 50, { activity: 'no parking' }, hours('06:00', '09:00')),
    [policy('free', 90, parking), policy('valet', 40, { activity: 'parking' }, hours('08:00', '12:00'))],
    ['before free 1234567 06:00-08:00', 'valet first 1234567 08:00-09:00'],
  ],
  [
    'some vehicles only',
    policy('draft', 90, parking),
    [policy('trucks', 60, { activity: 'loading', user_classes: ['truck'], purposes: ['delivery'] })],
    ['trucks first 1234567 00:00-24:00 truck delivery'],
  ],
  [
    'vehicles that the draft excepts',
    policy('draft', 50, { ...ban, user_classes_except: ['bus'] }),
    [policy('buses', 90, { activity: 'stopping', user_classes: ['bus'] })],
    [],
  ],
  ['the same said twice', policy('draft', 50, ban), [policy('other', 20, ban)], []],
  ['two bans of one use', policy('draft', 50, { activity: 'no parking' }), [policy('other', 20, ban)], []],
  ['the same priority', policy('draft', 50, parking), [policy('other', 50, { ...parking, max_stay: 5 })], []],
  [
    'some dates only',
    policy('draft', 90, parking),
    [policy('holiday', 30, ban, [{ designated_period: 'holidays' }])],
    ['holiday first 5 00:00-24:00 some'],
  ],
  [
    'never at the same time',
    policy('draft', 90, parking, hours('08:00', '12:00')),
    [policy('other', 30, ban, hours('12:00', '08:00'))],
    [],
  ],
])('findPrecedences: %s', (_, draft, others, expected) =>
  expect(listPrecedences(draft, ...others)).toEqual(expected),
)

test('findPrecedences finds each policy that decides instead of the draft according to the reference', () => {
  fc.assert(
    fc.property(anyCase, fc.constantFrom(...curbUses), ({ policies: anyPolicies, question }, use) => {
      // Without exceptions, because a third policy might except a class of the vehicle of the question only.
      const policies = anyPolicies.map((policy) => ({
        ...policy,
        rules: policy.rules.map((rule) => ({ ...rule, user_classes_except: undefined })),
      }))
      const [draft, ...others] = policies
      // In UTC, because comparisons ignore clock changes, and with one type, because a vehicle has only one.
      const userClasses = question.userClasses.filter(
        (name, _, all) => name !== 'truck' || !all.includes('car'),
      )
      const comparable = { ...question, timezone: 'UTC', userClasses }
      const verdict = (list: CdsPolicy[]) => plainVerdict(list, comparable, use)
      const together = verdict(policies)
      const draftAlone = verdict([draft!])
      const decidingId = together.by?.[0]
      const other = others.find(({ curb_policy_id: id }) => id === decidingId)
      const hasEqualPriority = other?.priority === draft!.priority
      // 1970-01-01 was a Thursday; the first Monday was four days later.
      const minutesSinceMonday = Math.floor(question.at / minuteMs) - 4 * 1440
      const minuteOfWeek = ((minutesSinceMonday % weekMinutes) + weekMinutes) % weekMinutes
      const midnight = Math.floor(question.at / dayMs) * dayMs
      const precedences = findPrecedences(
        createDraftComparison(draft!, question.periods, midnight),
        others,
      ).filter(({ otherId, isOtherFirst }) => otherId === decidingId && isOtherFirst)
      const isNamed = precedences.some(({ minutes: week }) => week[minuteOfWeek]! > 0)
      const isOverruled =
        other !== undefined && draftAlone.by !== null && draftAlone.answer !== together.answer
      expect(isNamed || !isOverruled || hasEqualPriority).toBe(true)
    }),
    { numRuns: Number(process.env['CURB_RULES_RUNS'] ?? 30) },
  )
})

test('mergeMinutes merges the minutes of several zones', () => {
  const minutes = new Uint8Array(weekMinutes).fill(1, 0, 60)
  const otherMinutes = new Uint8Array(weekMinutes).fill(2, 60, 120)
  mergeMinutes(minutes, otherMinutes)
  expect(toWeekTimes(minutes)).toEqual({
    times: [{ days: [1], from: '00:00', until: '02:00' }],
    is_every_week: false,
  })
})
