import type { CdsPolicyContent } from '#contract/cds.ts'

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const
const workdays = [...weekdays, 'sat'] as const
const makeDailySpan = (from: string, to: string, days: readonly (typeof workdays)[number][] = workdays) => [
  { days_of_week: [...days], time_of_day_start: from, time_of_day_end: to },
]

/** Fees of a smart zone by duration: 15 minutes are free, and the rate doubles after half an hour. */
const smartRates = [
  { rate: 0, rate_unit: 'minute' as const, start_duration: 0, end_duration: 15 },
  { rate: 7, rate_unit: 'minute' as const, start_duration: 15, end_duration: 30 },
  { rate: 14, rate_unit: 'minute' as const, start_duration: 30, end_duration: 120 },
]
/** The policies of the downtown curb, in force at all times unless they have time spans. */
export const policies = {
  busStop: {
    name: 'Bus stop',
    priority: 1,
    rules: [{ activity: 'no stopping', user_classes_except: ['bus'] }],
  },
  hydrant: { name: 'Fire hydrant', priority: 2, rules: [{ activity: 'no parking' }] },
  cleaning: {
    name: 'Street cleaning',
    priority: 33,
    rules: [{ activity: 'no stopping' }],
    time_spans: [
      { weeks_of_month: [1, 3], days_of_week: ['tue'], time_of_day_start: '08:00', time_of_day_end: '10:00' },
    ],
  },
  rush: {
    name: 'Evening rush hour',
    priority: 37,
    rules: [{ activity: 'no stopping' }],
    time_spans: makeDailySpan('16:00', '18:00', weekdays),
  },
  loading: {
    name: 'Commercial loading',
    priority: 40,
    rules: [
      { activity: 'loading', max_stay: 30, max_stay_unit: 'minute', user_classes: ['truck'] },
      { activity: 'loading', max_stay: 30, max_stay_unit: 'minute', user_classes: ['van'] },
    ],
    time_spans: makeDailySpan('07:00', '18:00'),
  },
  loadingOnly: {
    name: 'No parking or loading by others',
    priority: 50,
    rules: [{ activity: 'no loading', user_classes_except: ['truck', 'van'] }],
    time_spans: makeDailySpan('07:00', '18:00'),
  },
  smart: {
    name: 'Smart loading zone',
    priority: 40,
    rules: [
      {
        activity: 'loading',
        max_stay: 120,
        max_stay_unit: 'minute',
        purposes: ['delivery'],
        rate: smartRates,
      },
    ],
    time_spans: makeDailySpan('08:00', '18:00'),
  },
  smartOnly: {
    name: 'Smart loading zone, deliveries only',
    priority: 50,
    rules: [{ activity: 'no loading' }],
    time_spans: makeDailySpan('08:00', '18:00'),
  },
  passenger: {
    name: 'Passenger loading',
    priority: 60,
    rules: [{ activity: 'stopping', max_stay: 5, max_stay_unit: 'minute' }],
  },
  passengerOnly: { name: 'No parking in passenger zone', priority: 70, rules: [{ activity: 'no parking' }] },
  accessible: {
    name: 'Disabled parking',
    priority: 60,
    rules: [{ activity: 'parking', user_classes: ['accessible'] }],
  },
  accessibleOnly: {
    name: 'Disabled parking only',
    priority: 70,
    rules: [{ activity: 'no parking', user_classes_except: ['accessible'] }],
  },
  paidCore: {
    name: 'Paid parking, core',
    priority: 80,
    rules: [
      {
        activity: 'parking',
        max_stay: 2,
        max_stay_unit: 'hour',
        no_return: 1,
        no_return_unit: 'hour',
        rate: [{ rate: 250, rate_unit: 'hour', increment_duration: 1 }],
      },
    ],
    time_spans: [
      {
        days_of_week: [...workdays],
        time_of_day_start: '08:00',
        time_of_day_end: '20:00',
        designated_period: 'holidays',
        designated_period_except: true,
      },
    ],
  },
  paid: {
    name: 'Paid parking',
    priority: 80,
    rules: [
      { activity: 'parking', max_stay: 4, max_stay_unit: 'hour', rate: [{ rate: 150, rate_unit: 'hour' }] },
    ],
    time_spans: [
      {
        days_of_week: [...workdays],
        time_of_day_start: '08:00',
        time_of_day_end: '18:00',
        designated_period: 'holidays',
        designated_period_except: true,
      },
    ],
  },
  residents: {
    name: 'Residents, others 2 hours',
    priority: 80,
    rules: [
      { activity: 'parking', user_classes: ['permit'] },
      { activity: 'parking', max_stay: 2, max_stay_unit: 'hour', user_classes_except: ['permit'] },
    ],
    time_spans: makeDailySpan('08:00', '18:00', weekdays),
  },
  free: { name: 'Parking at all times', priority: 99, rules: [{ activity: 'parking' }] },
  clearway: { name: 'No stopping at any time', priority: 3, rules: [{ activity: 'no stopping' }] },
} satisfies Record<string, CdsPolicyContent>
export type PolicyKey = keyof typeof policies
