import { beforeAll, describe, expect, it } from 'vitest'
import i18next from 'i18next'
import { healthFigures } from '#contract/health-figures.ts'
import { incidentRules } from '#contract/incident-rules.ts'
import { loadRoomTexts, startI18n } from '#web/i18n/start-i18n.ts'
import { computeCalendarLevels } from './hours-calendar.tsx'
import { findSelectedOperator } from './data-health-screen.tsx'
import { getCompositionTexts, formatFigureValue } from './figure-text.ts'
import texts from './health.en.json' with { type: 'json' }
import { healthSearch, toPeriodQuery } from './health-search.ts'
import { formatIncidentValue } from './incident-card.tsx'
import { formatRecord } from './row-list.tsx'
import { aDay, aFigure, anOperator } from './test-health.ts'

beforeAll(async () => {
  await startI18n()
  await loadRoomTexts()
})
const { t } = i18next

describe('texts', () => {
  it('texts exist for all figures of the contract', () => {
    for (const [name, { definition, unit, method, name: called }] of Object.entries(healthFigures))
      expect(texts.figures[name as keyof typeof texts.figures]).toEqual({
        name: called,
        definition,
        unit,
        method,
      })
  })
  it('texts exist for all rules of the contract', () => {
    for (const [name, { name: called, opens, closes }] of Object.entries(incidentRules))
      expect(texts.rules[name as keyof typeof texts.rules]).toEqual({ name: called, opens, closes })
  })
})

describe('the URL', () => {
  it('the URL has a page only if rows are open', () => {
    expect([healthSearch({ figure: 'gaps', page: 2 }), healthSearch({ page: 2 })]).toEqual([
      { figure: 'gaps', page: 2 },
      {},
    ])
    expect(toPeriodQuery({ start_date: '2026-03-01', end_date: '2026-03-07', figure: 'gaps' })).toEqual({
      start_date: '2026-03-01',
      end_date: '2026-03-07',
    })
  })
  it('selects the named operator, by default the first with open incidents', () => {
    const [quiet, withIncidents] = [anOperator('swift'), anOperator('ember', { open_incidents: 2 })]
    expect([
      findSelectedOperator([quiet, withIncidents], undefined),
      findSelectedOperator([quiet], undefined),
      findSelectedOperator([quiet, withIncidents], 'swift'),
      findSelectedOperator([quiet], 'nobody'),
      findSelectedOperator([], undefined),
    ]).toEqual([withIncidents, quiet, quiet, undefined, undefined])
  })
})

describe('figures in words', () => {
  it.each([
    [aFigure('freshness', { value: 195 }), '3 hrs 15 mins'],
    [aFigure('gaps', { value: 1 }), '1 hour'],
    [aFigure('gaps', { value: 4 }), '4 hours'],
    [aFigure('late_arrival', { value: 5400 }), '1.5 hrs'],
    [aFigure('silent_vehicles', { value: 1234 }), '1,234'],
    [aFigure('volume', { value: 98.6 }), '99%'],
    [aFigure('illegal_transitions', { value: 5.24 }), '5.2%'],
    [aFigure('clock_skew', { value: 0.004 }), '0.1%'],
    [aFigure('agreement'), 'n/a'],
  ] as const)('%j reads %s', (figure, text) => expect(formatFigureValue(t, figure)).toBe(text))

  it.each([
    [aFigure('illegal_transitions', { count: 52, of: 1000 }), ['52 of 1,000']],
    [aFigure('illegal_transitions', { count: 0, of: 0 }), ['Not available for this feed']],
    [aFigure('freshness', { value: 3, parts: { promised: 120 } }), ['limit 2 hrs']],
    [aFigure('volume', { count: 90, of: 100 }), ['90 records, typically 100']],
    [aFigure('volume'), ['Not available for this feed']],
    [
      aFigure('orphan_trips', {
        count: 3,
        of: 10,
        parts: { without_events: null, without_report: 2, ends_without_start: 0, without_end: 1 },
      }),
      ['3 of 10', '2 without report', '1 without end'],
    ],
    [
      aFigure('silent_vehicles', { value: 2, count: 2, of: 9, parts: { lost: 1 } }),
      ['2 of 9 deployed', '1 lost'],
    ],
    [
      aFigure('gaps', { value: 1, count: 1, of: 20, parts: { quiet: 3 } }),
      ['1 of 20 hours', '3 typically without data'],
    ],
    [
      aFigure('late_arrival', { value: 10, of: 500, parts: { p95: 300 } }),
      ['median; 95% within 5 mins', '500 events'],
    ],
    [
      aFigure('agreement', { count: 9, of: 10, parts: { differs: 2, time_differs: 2, place_differs: 0 } }),
      ['9 of 10', '2 differ', '2 by more than 5 minutes'],
    ],
  ] as const)('%j is made of %j', (figure, made) => expect(getCompositionTexts(t, figure)).toEqual(made))

  it('figures in words are in the unit of the rule for incidents', () => {
    expect([
      formatIncidentValue(t, 'feed_failing', 45.4),
      formatIncidentValue(t, 'feed_late', 2.44),
      formatIncidentValue(t, 'gap', 1),
      formatIncidentValue(t, 'schema_violations', 3.21),
    ]).toEqual([
      '45 minutes since the first failure',
      '2.4 times the limit',
      '1 hour since the last record',
      '3.2%',
    ])
  })
})

describe('drawings', () => {
  it('drawings have four levels of hours, and none for zero', () => {
    expect(computeCalendarLevels([aDay('2026-03-17', { hours: [0, 1, 25, 26, 75, 100] })])).toEqual([
      [0, 1, 1, 2, 3, 4],
    ])
    expect(computeCalendarLevels([aDay('2026-03-17', { hours: [0, 0] })])).toEqual([[0, 0]])
  })
})

it('indent records if they are JSON', () => {
  expect(formatRecord('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect(formatRecord('{"a":')).toBe('{"a":')
})
