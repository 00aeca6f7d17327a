import { screen } from '@testing-library/react'
import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadRoomTexts, startI18n } from '#web/i18n/start-i18n.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { aFact } from '#web/compliance/test-compliance.ts'
import { FactCard } from './fact-card.tsx'
import { getFactKind, formatFactTimes, formatFactValue } from './fact-text.ts'

const timezone = 'America/New_York'

beforeAll(async () => {
  await startI18n()
  await loadRoomTexts()
})

describe('a fact', () => {
  it('a fact has its measured duration or speed', () => {
    expect(formatFactValue(i18next.t, aFact({ value: 90 }), 'hours')).toBe('1 hr 30 mins')
    expect(formatFactValue(i18next.t, aFact({ kind: 'segment', value: 17.26 }), 'mph')).toBe('17.3 mph')
    expect(formatFactValue(i18next.t, aFact({ kind: 'trip', value: null }), null)).toBe('')
  })

  it('a fact has start and end, or only a start if it is open or has no duration', () => {
    expect(formatFactTimes(i18next.t, aFact(), timezone)).toBe(
      'Nov 20, 2026, 10:00 AM to Nov 20, 2026, 11:30 AM',
    )
    expect(formatFactTimes(i18next.t, aFact({ until_time: null }), timezone)).toBe('Nov 20, 2026, 10:00 AM')
  })

  it('counts as a violation, as uncertain, as both, or as no violation', () => {
    expect(
      [
        aFact(),
        aFact({ is_violation: false, is_uncertain: true }),
        aFact({ is_uncertain: true }),
        aFact({ is_violation: false }),
        aFact({ kind: 'drop_off', is_violation: false }),
      ].map(getFactKind),
    ).toEqual(['violation', 'uncertain', 'uncertain_violation', 'compliant', 'counted'])
  })

  it('a fact has a card with type, time and duration', async () => {
    await renderPart(
      <FactCard
        fact={aFact()}
        operatorName={(slug) => slug.toUpperCase()}
        timezone={timezone}
        speedUnit={null}
      />,
    )
    expect(screen.getByText('GLIDE V-1').parentElement).toHaveTextContent(
      'GLIDE V-1Scooter · parked hereNov 20, 2026, 10:00 AM to Nov 20, 2026, 11:30 AM1 hr 30 mins · Violation',
    )
  })
})
