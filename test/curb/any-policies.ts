import fc from 'fast-check'
import { type CdsPolicy, cdsWeekdays, curbActivities } from '#contract/cds.ts'
import { dayMs } from '#contract/period.ts'

/** Local days by time zone, ordinary or with clock changes: at midnight, by half an hour, by a day. */
const days: Readonly<Record<string, readonly string[]>> = {
  'America/Los_Angeles': ['2026-03-08', '2026-11-01', '2024-02-29', '2026-07-04'],
  'Australia/Lord_Howe': ['2026-04-05', '2026-10-04', '2025-12-31'],
  'America/Sao_Paulo': ['2018-11-04', '2018-02-18', '2019-02-17'],
  'America/Havana': ['2026-03-08', '2026-11-01'],
  'Asia/Beirut': ['2026-03-29', '2026-10-25'],
  'America/St_Johns': ['2006-04-02', '2006-10-29'],
  'Pacific/Apia': ['2011-12-30', '2011-09-24'],
  UTC: ['2026-02-28', '2026-12-31'],
}

const anyList = <T>(values: readonly T[]) =>
  fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined })
const listNumbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const clock = fc.oneof(
  fc.constantFrom('00:00', '00:30', '01:00', '01:45', '02:00', '02:30', '03:00', '06:00', '22:00', '23:30'),
  fc
    .nat(1439)
    .map((at) => `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`),
)

const anySpan = (base: number) => {
  const date = fc.option(
    fc.integer({ min: -3000, max: 3000 }).map((minutes) => base + minutes * 60_000 + (minutes % 3)),
    { nil: undefined, freq: 2 },
  )
  const day = {
    start_date: date,
    end_date: date,
    days_of_week: anyList(cdsWeekdays),
    days_of_month: fc.oneof(
      fc.constantFrom(
        undefined,
        undefined,
        listNumbers(31).filter((at) => at % 2 === 1),
        listNumbers(31).filter((at) => at % 2 === 0),
      ),
      anyList(listNumbers(31)),
    ),
    weeks_of_month: fc.option(fc.subarray(listNumbers(5)), { nil: undefined, freq: 2 }),
    months: fc.option(fc.subarray(listNumbers(12), { minLength: 5 }), { nil: undefined, freq: 2 }),
    designated_period: fc.constantFrom(undefined, undefined, 'holidays', 'snow emergency', 'unknown'),
    designated_period_except: fc.constantFrom(undefined, false, true),
  }
  const time = {
    time_of_day_start: fc.option(clock, { nil: undefined }),
    time_of_day_end: fc.option(fc.oneof(clock, fc.constant('24:00')), { nil: undefined }),
  }
  return fc.oneof(
    fc.record(time),
    fc.record({ ...time, days_of_week: day.days_of_week }),
    fc.record({ ...day, ...time }),
  )
}

const classes = ['car', 'truck', 'electric', 'taxi']
const purposes = ['delivery', 'taxi', 'permit']
const operators = ['a', 'b']
const anySubset = (values: readonly string[]) =>
  fc.option(fc.subarray([...values], { maxLength: 2 }), { nil: undefined, freq: 2 })

const hour = 'hour' as const
const rule = fc.record({
  activity: fc.constantFrom(...curbActivities),
  max_stay: fc.option(fc.nat(300), { nil: undefined }),
  user_classes: anySubset(classes),
  user_classes_except: anySubset(classes),
  purposes: anySubset(purposes),
  rate: fc.option(
    fc
      .array(fc.constantFrom(0, 150), { maxLength: 2 })
      .map((all) => all.map((rate) => ({ rate, rate_unit: hour }))),
    { nil: undefined },
  ),
})

const anyPolicies = (base: number): fc.Arbitrary<CdsPolicy[]> =>
  fc
    .array(
      fc.record({
        published_date: fc.constant(0),
        priority: fc.nat(3),
        rules: fc.array(rule, { minLength: 1, maxLength: 2 }),
        time_spans: fc.option(fc.array(anySpan(base), { maxLength: 3 }), { nil: undefined, freq: 6 }),
        data_source_operator_id: fc.option(fc.subarray([...operators]), { nil: undefined, freq: 1 }),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .chain((contents) =>
      fc
        .shuffledSubarray(
          contents.map((_, index) => `p${index}`),
          { minLength: contents.length },
        )
        .map((ids) => contents.map((content, index) => ({ ...content, curb_policy_id: ids[index]! }))),
    )

/** Policies of a zone, a question and an instant near a day on which the clock changes. */
export const anyCase = fc
  .constantFrom(
    ...Object.entries(days).flatMap(([timezone, dates]) => dates.map((date) => ({ timezone, date }))),
  )
  .chain(({ timezone, date }) => {
    const base = Date.parse(date)
    const day = fc
      .integer({ min: -3, max: 3 })
      .map((at) => new Date(base + at * dayMs).toISOString().slice(0, 10))
    const inPeriod = fc.array(day, { maxLength: 3 }).map((found) => new Set(found))
    return fc.record({
      policies: anyPolicies(base),
      question: fc.record({
        timezone: fc.constant(timezone),
        // Minutes of a few days, so that the reference can cache its clock.
        at: fc.integer({ min: -1800, max: 3000 }).map((minutes) => base + minutes * 60_000),
        userClasses: fc.subarray(classes),
        purposes: fc.subarray(purposes, { maxLength: 2 }),
        operators: fc.subarray(operators),
        periods: fc.tuple(inPeriod, inPeriod).map(
          ([holidays, snow]) =>
            new Map([
              ['holidays', holidays],
              ['snow emergency', snow],
            ]),
        ),
      }),
    })
  })
