import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { complianceStatuses } from '#contract/compliance.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { aFact } from '#web/compliance/test-compliance.ts'
import { DaysSpark } from './days-spark.tsx'
import { JudgementMark } from './judgement-mark.tsx'
import { MapLegend } from './map-legend.tsx'
import { PointLegend } from './point-legend.tsx'
import { ExplainedFigure } from './explained-figure.tsx'

describe('parts of compliance', () => {
  it('show a status as an icon and a word', async () => {
    await renderPart(
      <>
        {complianceStatuses.map((status) => (
          <JudgementMark key={status} status={status} />
        ))}
      </>,
    )
    for (const word of ['Compliant', 'Non-compliant', 'Not applicable'])
      expect(screen.getByText(word).querySelector('svg')).toBeInTheDocument()
  })

  it('draw days as bars as high as their violations, compliant days as a line and others as a dot', async () => {
    await renderPart(
      <DaysSpark
        days={[
          { date: '2026-11-20', status: 'non_compliant', violations: 8 },
          { date: '2026-11-21', status: 'non_compliant', violations: 4 },
          { date: '2026-11-22', status: 'compliant', violations: 0 },
          { date: '2026-11-23', status: 'not_applicable', violations: 0 },
        ]}
      />,
    )
    const drawing = screen.getByRole('img', {
      name: /^Nov 20\s–\s23, 2026: 2 days non-compliant, 1 compliant, 1 not applicable$/,
    })
    expect([...drawing.querySelectorAll('rect')].map((bar) => Number(bar.getAttribute('height')))).toEqual([
      24, 12, 2,
    ])
    expect(drawing.querySelectorAll('circle')).toHaveLength(1)
  })

  it('draw nothing without days', async () => {
    await renderPart(<DaysSpark days={[]} />)
    expect(screen.getByRole('img').querySelectorAll('rect, circle')).toHaveLength(0)
  })

  it('explain a figure when it is pressed', async () => {
    await renderPart(
      <ExplainedFigure
        label="Violations"
        value="7"
        definition="Facts that break the rule."
        method="Measured: parking."
      />,
    )
    await userEvent.click(screen.getByRole('button', { name: /Violations/ }))
    expect(await screen.findByText('Facts that break the rule.')).toBeInTheDocument()
    expect(screen.getByText('Measured: parking.')).toBeInTheDocument()
  })

  it('list in the legend of points the kinds that occur, with the drawn and total numbers', async () => {
    await renderPart(
      <PointLegend facts={[aFact(), aFact({ is_violation: false, is_uncertain: true })]} total={2000} />,
    )
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Violation',
      'Uncertain',
      'The newest 2 of 2,000 records',
    ])
  })

  it('collapse the legend of a map to its colors, and explain shapes without a color', async () => {
    const rows = [{ key: '0', label: '1 – 5', members: '2 shapes', swatch: 'zero' as const }]
    const { rerender } = await renderPart(
      <MapLegend title="Violations by area" unit="violations" rows={rows} points={<p>points</p>} />,
    )
    expect(screen.getByText('1 – 5')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { expanded: true }))
    expect(screen.queryByText('1 – 5')).not.toBeInTheDocument()
    expect(screen.queryByText('points')).not.toBeInTheDocument()
    rerender(<></>)
    await renderPart(
      <MapLegend
        title="Violations by area"
        unit="violations"
        rows={[]}
        points={null}
        instead="Measured as a whole"
      />,
    )
    expect(screen.getByText('Measured as a whole')).toBeInTheDocument()
  })
})
