import type { FeedStatus, HealthDay, HealthFigure, OperatorHealth } from '#contract/health.ts'
import { healthFigureNames } from '#contract/health-figures.ts'
import type { Incident } from '#contract/incidents.ts'
import { dataColors } from '#web/kit/theme.ts'

/** For tests: a feed that is on time. */
export const aFeed = (some: Partial<FeedStatus> = {}): FeedStatus => ({
  operator: 'swift',
  feed_id: 'aaaaaaaa-0000-4000-8000-000000000001',
  name: 'Swift feed',
  kind: 'mds_provider',
  version: '2.0',
  state: 'ok',
  reason: '',
  last_success: '2026-03-18T11:59:00Z',
  newest_record: '2026-03-18T11:30:00Z',
  freshness_minutes: 30,
  promised_minutes: 120,
  problem: null,
  problem_since: null,
  open_incidents: 0,
  ...some,
})

/** For tests: a day with ten records an hour until noon, but none at ten, when there usually are some. */
export const aDay = (day: string, some: Partial<HealthDay> = {}): HealthDay => ({
  day,
  hours: Array.from({ length: 24 }, (_, hour) => (hour === 10 || hour >= 12 ? 0 : 10)),
  states: Array.from({ length: 24 }, (_, hour) =>
    hour === 10 ? 'gap' : hour < 12 ? 'data' : hour < 18 ? 'quiet' : 'ahead',
  ),
  count: 110,
  usual: 120,
  ...some,
})

export const aFigure = (figure: HealthFigure['figure'], some: Partial<HealthFigure> = {}): HealthFigure => ({
  figure,
  value: null,
  count: null,
  of: null,
  parts: {},
  ...some,
})

export const anOperator = (operator: string, some: Partial<OperatorHealth> = {}): OperatorHealth => ({
  operator,
  name: operator === 'swift' ? 'Swift' : 'Ember',
  color_hex: dataColors.light.categorical[0] ?? '',
  days: [aDay('2026-03-17'), aDay('2026-03-18', { count: 60 })],
  transitions: [],
  open_incidents: 0,
  figures: healthFigureNames.map((name) =>
    aFigure(
      name,
      name === 'illegal_transitions'
        ? { value: 5.2, count: 52, of: 1000 }
        : name === 'freshness'
          ? { value: 30, parts: { promised: 120 } }
          : {},
    ),
  ),
  ...some,
})

export const anIncident = (some: Partial<Incident> = {}): Incident => ({
  incident_id: 'bbbbbbbb-0000-4000-8000-000000000001',
  region_id: 'port-meridian',
  rule: 'feed_failing',
  severity: 'critical',
  operator: 'swift',
  feed_id: aFeed().feed_id,
  feed_name: 'Swift feed',
  opened_time: '2026-03-18T10:00:00Z',
  closed_time: null,
  value: 45,
  worst: 60,
  acknowledged_by: null,
  acknowledged_time: null,
  steps: [{ at: '2026-03-18T10:00:00Z', step: 'opened', value: 31, by: null, text: null }],
  ...some,
})
