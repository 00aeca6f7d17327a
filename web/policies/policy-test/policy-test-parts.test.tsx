import { screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderPart } from '#web/kit/test-part.tsx'
import { aBreach, aFact, aRecord } from '#web/compliance/test-compliance.ts'
import { testFields } from '../test-policy.ts'
import { tallyRecords } from '../results/tally-records.ts'
import { type MeasuredDays, measuredDays } from './measured-days.ts'
import { OperatorsTable } from './operators-table.tsx'
import { PolicyTestFigures } from './policy-test-figures.tsx'
import { PolicyTestStrips } from './policy-test-strips.tsx'

const nameOf = (slug: string): string => slug.toUpperCase()
const now = tallyRecords([
  aBreach(4, { vehicle_count: 3 }),
  aRecord({ date: '2026-11-21' }),
  aRecord({ operator: 'skip' }),
])
const before = tallyRecords([aBreach(9), aBreach(2, { date: '2026-11-21' }), aRecord({ operator: 'skip' })])

const coverage = measuredDays(now, ['glide', 'skip', 'sandpiper'], false)
const whole: MeasuredDays = { ...coverage, kind: 'weekend', isComplete: true, partial: [] }

describe('the totals of a draft', () => {
  it('the totals of a draft are shown beside those of the other revision, with the change', async () => {
    await renderPart(
      <PolicyTestFigures
        tallies={now}
        before={before}
        measure="parking_events"
        coverage={coverage}
        operatorName={nameOf}
        comparedLabel="Published"
      />,
    )
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual([
      'Violations4Published: 11 (-7)',
      'Days with violations1 of 3 operator days measuredPublished: 2 (-1)',
      'Operators with violations1 of 2 measuredPublished: 1',
      'Most vehicles on a day3Published: 9 (-6)',
    ])
    expect(
      screen.getByText(
        '3 of 4 measured (2 days × 2 operators). SKIP: no usable data on 1 day. SANDPIPER: no usable data.',
      ),
    ).toBeInTheDocument()
  })

  it('the totals of a draft are shown alone if there is nothing to compare with', async () => {
    await renderPart(
      <PolicyTestFigures
        tallies={now}
        before={null}
        measure="parking_events"
        coverage={whole}
        operatorName={nameOf}
        comparedLabel="Published"
      />,
    )
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual([
      'Violations4',
      'Days with violations1 of 2 weekend days × 2 operators',
      'Operators with violations1 of 2 measured',
      'Most vehicles on a day3',
    ])
    expect(screen.getByText('SANDPIPER: no usable data.')).toBeInTheDocument()
  })

  it('the totals of a draft are shown by operator, before and after, with increases and decreases marked differently', async () => {
    await renderPart(<OperatorsTable tallies={now} before={before} operatorName={nameOf} />)
    const [, glide, skip] = within(screen.getByRole('table', { name: 'By operator' })).getAllByRole('row')
    expect(glide).toHaveTextContent('GLIDENon-compliant2 → 1-111 → 4-73')
    expect(skip).toHaveTextContent('SKIPCompliant000')
    expect(within(glide!).getByText('-7')).not.toHaveAttribute('data-more')
  })

  it('the totals of a draft mark an increase', async () => {
    await renderPart(<OperatorsTable tallies={before} before={now} operatorName={nameOf} />)
    expect(screen.getByText('+7')).toHaveAttribute('data-more')
  })
})

describe('the measured values', () => {
  const policy = testFields({ policy_type: 'parking_time_limit', maximum: 2, unit: 'hours' })
  const renderStrips = (overrides: Partial<Parameters<typeof PolicyTestStrips>[0]>) =>
    renderPart(
      <PolicyTestStrips
        records={[aBreach(2, { measure: 'long_parking_events', maximum: 2, unit: 'hours' })]}
        measure="long_parking_events"
        policy={policy}
        compared={null}
        comparedLabel="Published"
        facts={null}
        isWaiting={false}
        isStale={false}
        onLimitChange={vi.fn()}
        operatorName={nameOf}
        {...overrides}
      />,
    )

  it("the measured values of parking are durations in the limit's unit", async () => {
    await renderStrips({ facts: { items: [aFact({ value: 180 }), aFact({ value: 600 })], total: 2 } })
    expect(screen.getByRole('figure', { name: 'Duration over the limit' })).toBeInTheDocument()
    expect(
      screen.getByRole('img', {
        name: 'GLIDE: 2 values measured, from 3 to 10, median 3; 2 outside the limits',
      }),
    ).toBeInTheDocument()
    expect(screen.getByRole('slider', { name: 'Maximum' })).toHaveAttribute('aria-valuetext', '2 Hours')
  })

  it('the measured values wait for facts, and are empty without them', async () => {
    const { container } = await renderStrips({ isWaiting: true })
    expect(container.querySelector('.mantine-Skeleton-root')).toBeInTheDocument()
    await renderStrips({})
    expect(screen.queryByRole('figure')).not.toBeInTheDocument()
  })

  it('the measured values are empty for rules that measure no single facts', async () => {
    await renderStrips({
      measure: 'trips',
      facts: { items: [aFact({ kind: 'trip', value: null })], total: 1 },
    })
    expect(screen.queryByRole('figure')).not.toBeInTheDocument()
  })

  it("the measured values of bounds are days, beside the other revision's limit", async () => {
    const cap = { measure: 'vehicles', shape_uuid: null } as const
    await renderStrips({
      measure: 'vehicles',
      policy: testFields({ policy_type: 'vehicle_cap', maximum: 10 }),
      records: [aRecord({ ...cap, measured: 7, maximum: 10 })],
      compared: [aBreach(1, { ...cap, measured: 7, maximum: 6 })],
    })
    expect(screen.getByText('Published 6')).toBeInTheDocument()
    expect(
      screen.getByText('Each mark is one day of one operator. Drag a limit, or use the arrow keys.'),
    ).toBeInTheDocument()
  })
})
