import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CdsPolicy, CdsRule, CdsTimeSpan } from '#contract/cds.ts'
import { curbUses, policyFindings } from '#contract/curb-rules.ts'
import { dayMs, hourMs } from '#contract/period.ts'
import { anyCase } from '../../../test/curb/any-policies.ts'
import { activeRules, forbids, isForUser, permits, plainVerdict } from '../../../test/curb/plain-decision.ts'
import { checkPolicies } from './check-policies.ts'

const now = Date.parse('2026-05-04T12:00:00Z')
const context = {
  timezone: 'America/New_York',
  periods: new Map([['holidays', new Set(['2026-07-03'])]]),
  now,
}

const policy = (
  id: string,
  priority: number,
  rules: CdsRule | CdsRule[],
  time_spans?: CdsTimeSpan[],
): CdsPolicy => ({ curb_policy_id: id, published_date: 0, priority, rules: [rules].flat(), time_spans })
const listFindings = (policies: CdsPolicy[]): string[] =>
  checkPolicies(policies, context).map(({ code, curb_policy_id: id, rule, field, other }) =>
    [code, id, rule, field, other && `${other.curb_policy_id}.${other.rule}`]
      .filter((value) => value !== null)
      .join(' '),
  )
const createRatedPolicies = (rate: CdsRule['rate'], rule: Partial<CdsRule> = {}): CdsPolicy[] => [
  policy('a', 1, { activity: 'parking', rate, ...rule }),
]
const hours = (start: string, end: string, fields: CdsTimeSpan = {}): CdsTimeSpan[] => [
  { time_of_day_start: start, time_of_day_end: end, ...fields },
]

test.each<[string, CdsPolicy[], string[]]>([
  [
    'a contradiction at equal priority',
    [
      policy('a', 1, { activity: 'parking' }, hours('08:00', '18:00')),
      policy('b', 1, { activity: 'no stopping' }, hours('17:00', '19:00')),
    ],
    ['contradiction b 0 priority a.0'],
  ],
  [
    'the same activity twice, overnight',
    [
      policy('a', 1, { activity: 'parking' }, hours('22:00', '06:00', { days_of_week: ['sun'] })),
      policy(
        'b',
        1,
        { activity: 'parking', max_stay: 60 },
        hours('05:00', '08:00', { days_of_week: ['mon'] }),
      ),
    ],
    ['equal_priority b 0 priority a.0'],
  ],
  [
    'no overlap in time',
    [
      policy('a', 1, { activity: 'parking' }, hours('08:00', '18:00')),
      policy('b', 1, { activity: 'no stopping' }, hours('18:00', '08:00')),
    ],
    [],
  ],
  [
    'other vehicles',
    [
      policy('a', 1, { activity: 'parking', user_classes: ['bus'] }),
      policy('b', 1, { activity: 'no stopping', user_classes: ['truck'] }),
    ],
    [],
  ],
  [
    'vehicles that the other rule excepts',
    [
      policy('a', 1, { activity: 'parking', user_classes: ['electric'] }),
      policy('b', 1, { activity: 'no parking', user_classes_except: ['electric'] }),
    ],
    [],
  ],
  [
    'a period, and except in the same period',
    [
      policy('a', 1, { activity: 'parking' }, [{ designated_period: 'holidays' }]),
      policy('b', 1, { activity: 'no parking' }, [
        { designated_period: 'holidays', designated_period_except: true },
      ]),
    ],
    [],
  ],
  [
    'loading and unloading',
    [policy('a', 1, { activity: 'loading' }), policy('b', 1, { activity: 'unloading' })],
    [],
  ],
  [
    'rules of a policy that are not disjoint',
    [
      policy('a', 1, [
        { activity: 'parking', max_stay: 60 },
        { activity: 'parking', user_classes: ['electric'] },
      ]),
    ],
    ['rules_not_disjoint a 1 user_classes a.0'],
  ],
  [
    'a rule that two others cover',
    [
      policy('a', 1, { activity: 'no stopping' }, hours('00:00', '12:00')),
      policy('b', 2, { activity: 'no stopping' }, hours('12:00', '24:00')),
      policy('c', 3, { activity: 'loading', user_classes: ['truck'] }, hours('08:00', '18:00')),
    ],
    ['never_applies c 0 priority a.0'],
  ],
  [
    'a loading rule before parking, which it ends for its time',
    [
      policy('a', 1, { activity: 'loading' }, hours('08:00', '11:00')),
      policy('b', 2, { activity: 'parking' }),
    ],
    [],
  ],
  [
    'a rule that others cover for some uses only',
    [policy('a', 1, { activity: 'no parking' }), policy('b', 2, { activity: 'parking' })],
    [],
  ],
  [
    'a rule that others cover for some users only',
    [
      policy('a', 1, { activity: 'no stopping', user_classes: ['bus'] }),
      policy('b', 2, { activity: 'no stopping' }),
    ],
    [],
  ],
  [
    'a rule that is covered on holidays only',
    [
      policy('a', 1, { activity: 'no stopping' }, [{ designated_period: 'holidays' }]),
      policy('b', 2, { activity: 'parking' }),
    ],
    [],
  ],
  [
    'rates without gaps',
    createRatedPolicies(
      [
        { rate: 1, rate_unit: 'hour', end_duration: 1 },
        { rate: 2, rate_unit: 'minute', start_duration: 60, end_duration: 120 },
      ],
      { max_stay: 2, max_stay_unit: 'hour' },
    ),
    [],
  ],
  [
    'a gap of rates',
    createRatedPolicies([{ rate: 1, rate_unit: 'hour', start_duration: 1 }]),
    ['rate_gap a 0 rate[0].start_duration'],
  ],
  [
    'rates that overlap',
    createRatedPolicies([
      { rate: 1, rate_unit: 'hour', end_duration: 2 },
      { rate: 1, rate_unit: 'hour', start_duration: 1 },
    ]),
    ['rate_overlap a 0 rate[1].start_duration'],
  ],
  [
    'rates that end before the maximum stay',
    createRatedPolicies([{ rate: 1, rate_unit: 'minute', end_duration: 90 }], { max_stay: 120 }),
    ['rate_too_short a 0 max_stay'],
  ],
  [
    'rates that end without a maximum stay',
    createRatedPolicies([{ rate: 1, rate_unit: 'minute', end_duration: 90 }]),
    ['rate_too_short a 0 rate'],
  ],
  [
    'a rate without a duration',
    createRatedPolicies([{ rate: 1, rate_unit: 'minute', start_duration: 5, end_duration: 5 }]),
    ['rate_empty a 0 rate[0].end_duration'],
  ],
  [
    'an increment that does not divide its rate',
    createRatedPolicies([
      { rate: 1, rate_unit: 'minute', increment_duration: 10, end_duration: 15 },
      { rate: 1, rate_unit: 'minute', start_duration: 15 },
    ]),
    ['rate_increment a 0 rate[0].increment_duration'],
  ],
  [
    'rates of a prohibition',
    createRatedPolicies([{ rate: 1, rate_unit: 'hour' }], { activity: 'no parking' }),
    ['rate_of_prohibition a 0 rate'],
  ],
  [
    'a policy of the past',
    [policy('a', 1, { activity: 'parking' }, [{ end_date: now }])],
    ['policy_past a time_spans'],
  ],
  [
    'a span of the past',
    [policy('a', 1, { activity: 'parking' }, [{ end_date: now }, { months: [1] }])],
    ['span_past a time_spans[0].end_date'],
  ],
  [
    'dates in the wrong order',
    [policy('a', 1, { activity: 'parking' }, [{ start_date: now + 5, end_date: now + 5 }])],
    ['span_empty a time_spans[0].end_date'],
  ],
  [
    'a day that does not exist',
    [policy('a', 1, { activity: 'parking' }, [{ days_of_month: [31], months: [4] }])],
    ['span_no_day a time_spans[0]'],
  ],
  ['29 February', [policy('a', 1, { activity: 'parking' }, [{ days_of_month: [29], months: [2] }])], []],
  [
    'the last minute of the day',
    [policy('a', 1, { activity: 'parking' }, hours('18:00', '23:59'))],
    ['span_ends_2359 a time_spans[0].time_of_day_end'],
  ],
  [
    'a period without days',
    [policy('a', 1, { activity: 'parking' }, [{ designated_period: 'snow emergency' }])],
    ['unknown_period a time_spans[0].designated_period'],
  ],
  [
    'names that CDS does not recommend',
    [
      policy('a', 1, {
        activity: 'parking',
        user_classes: ['bus', 'taxi', 'hovercraft'],
        user_classes_except: ['handicap'],
        purposes: ['delivery', 'fun'],
      }),
    ],
    [
      'unknown_user_class a 0 user_classes',
      'unknown_user_class a 0 user_classes_except',
      'unknown_purpose a 0 purposes',
    ],
  ],
])('checkPolicies reports %s', (_, policies, expected) => {
  expect(listFindings(policies)).toEqual(expected)
})

test('A finding has a message that says what is wrong and what to do', () => {
  const [gap] = checkPolicies(
    createRatedPolicies([{ rate: 1, rate_unit: 'minute', start_duration: 15 }]),
    context,
  )
  expect(gap).toEqual({
    code: 'rate_gap',
    severity: 'error',
    curb_policy_id: 'a',
    rule: 0,
    field: 'rate[0].start_duration',
    message: 'No rate applies from 0 min to 15 min. Add a rate; it may be 0.',
    other: null,
  })
  expect(policyFindings[gap!.code]).toBe('error')
})

/** Set CURB_RULES_RUNS=10000 for a longer search. */
const settings = { numRuns: Number(process.env['CURB_RULES_RUNS'] ?? 40) }

test('checkPolicies reports every contradiction that occurs, and never reports a rule that decides as one that never applies', () => {
  fc.assert(
    fc.property(anyCase, ({ policies, question }) => {
      // No vehicle is of two types.
      fc.pre(!(question.userClasses.includes('car') && question.userClasses.includes('truck')))
      const findings = checkPolicies(policies, { ...question, now: question.at })
      const isReported = (codes: string[], ids: string[]): boolean =>
        findings.some(
          ({ code, curb_policy_id: id, rule, other }) =>
            codes.includes(code) &&
            [`${id}.${rule}`, `${other?.curb_policy_id}.${other?.rule}`].toSorted().join() ===
              ids.toSorted().join(),
        )
      const missingPairs: string[][] = []
      const wrongFindings: string[] = []
      for (let at = question.at; at < question.at + 4 * dayMs; at += hourMs / 2) {
        const active = activeRules(policies, { ...question, at }).filter((entry) =>
          isForUser(entry.policy, entry.rule, question),
        )
        for (const use of curbUses) {
          const forbidding = active.filter(({ rule }) => forbids[use].includes(rule.activity))
          const permitting = active.filter(({ rule }) => permits[use].includes(rule.activity))
          for (const a of forbidding)
            for (const b of permitting) {
              const ids = [a, b].map((entry) => `${entry.policy.curb_policy_id}.${entry.index}`)
              if (
                a.policy.priority === b.policy.priority &&
                !isReported(['contradiction', 'rules_not_disjoint'], ids)
              )
                missingPairs.push(ids)
            }
          const by = plainVerdict(policies, { ...question, at }, use).by
          if (
            findings.some(
              (finding) =>
                finding.code === 'never_applies' &&
                by?.[0] === finding.curb_policy_id &&
                by[1] === finding.rule,
            )
          )
            wrongFindings.push(String(by))
        }
      }
      expect({ missingPairs, wrongFindings }).toEqual({ missingPairs: [], wrongFindings: [] })
    }),
    settings,
  )
}, 3_600_000)
