import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { renderPart } from '#web/kit/test-part.tsx'
import { tokens } from '#web/kit/theme.ts'
import { testTextContext, testPolicy } from '#web/policies/test-policy.ts'
import { testRegion } from '#web/shell/test-responses.ts'
import { tallyRecords } from '#web/policies/results/tally-records.ts'
import { aBreach, aRecord } from '../test-compliance.ts'
import { ComplianceReport } from './compliance-report.tsx'

const south = '33333333-ceea-467f-a0e6-7a1d2b3c4d5e'
const days = ['2026-11-20', '2026-11-21']
const records = [
  aBreach(7),
  aRecord({ shape_uuid: south, shape_name: 'South' }),
  aRecord({ date: '2026-11-21' }),
  aRecord({ date: '2026-11-21', shape_uuid: south, shape_name: 'South' }),
  aRecord({
    operator: 'skip',
    status: 'not_applicable',
    reason_code: 'data_gap',
    gap_hours: 2,
    measured: null,
  }),
  aRecord({ operator: 'skip', date: '2026-11-21', uncertain: 3 }),
]

async function renderReport(overrides: Partial<Parameters<typeof ComplianceReport>[0]> = {}) {
  const [onClose, onOperators] = [vi.fn(), vi.fn()]
  await renderPart(
    <ComplianceReport
      policy={testPolicy({ policy_type: 'no_parking' })}
      region={testRegion('port-meridian', 'Port Meridian')}
      context={testTextContext()}
      period={{ start_date: days[0]!, end_date: days[1]! }}
      operators={[]}
      records={records}
      tallies={tallyRecords(records)}
      days={days}
      at={Date.parse('2026-11-22T17:00:00Z')}
      options={[
        { value: 'glide', text: 'Glide' },
        { value: 'skip', text: 'Skip' },
      ]}
      onOperators={onOperators}
      onClose={onClose}
      {...overrides}
    />,
  )
  return {
    onClose,
    onOperators,
    paper: within(screen.getByRole('article', { name: 'Compliance report: Wharf' })),
  }
}
const listTexts = (rows: HTMLElement[]): (string | null)[] => rows.map((row) => row.textContent)

describe('the print report', () => {
  it('names the policy, its rule, and when the report was created', async () => {
    const { paper } = await renderReport()
    expect(paper.getByRole('heading', { level: 1 })).toHaveTextContent('Wharf')
    expect(paper.getByText('No parking in all areas of Wards.')).toBeInTheDocument()
    expect(paper.getByText('Created').parentElement).toHaveTextContent(
      'CreatedNov 22, 2026, 12:00 PM (America/New_York)',
    )
    expect(paper.getByText('Operators').parentElement).toHaveTextContent('OperatorsAll operators')
  })

  it('covers one operator or all, as selected', async () => {
    const { onOperators } = await renderReport({ operators: ['glide'] })
    const choose = async (name: string) => {
      await userEvent.click(screen.getByRole('combobox', { name: 'Operators in this report' }))
      await userEvent.click(await screen.findByRole('option', { name }))
    }
    await choose('Skip')
    await choose('All operators')
    expect(onOperators.mock.calls).toEqual([[['skip']], [[]]])
  })

  it('the print report has the figures of each operator and their total', async () => {
    const { paper } = await renderReport()
    const [sums] = paper.getAllByRole('table')
    expect(listTexts(within(sums!).getAllByRole('row').slice(1))).toEqual([
      'GLIDENon-compliant11070',
      'SKIPCompliant01103',
      'All operatorsNon-compliant12173',
    ])
  })

  it('the print report has each day with its reason, in order', async () => {
    const { paper } = await renderReport()
    const table = paper.getAllByRole('table')[1]!
    expect(listTexts(within(table).getAllByRole('row').slice(1))).toEqual([
      'Fri, Nov 20GLIDENon-compliant1 of 2 areas are non-compliant. Violations: 7.',
      "Fri, Nov 20SKIPNot applicable2 hours are missing from the operator's feed, so the day has no result.",
      'Sat, Nov 21GLIDECompliantAll 2 areas are compliant.',
      'Sat, Nov 21SKIPCompliantNo vehicles parked here. 3 more are too close to the boundary to be certain and do not count.',
    ])
  })

  it('the print report has the shapes with violations, and the number of others', async () => {
    const { paper } = await renderReport()
    const table = paper.getAllByRole('table')[2]!
    expect(listTexts(within(table).getAllByRole('row').slice(1))).toEqual(['North712'])
    expect(paper.getByText('1 area without violations is not listed.')).toBeInTheDocument()
  })

  it('the print report has no shapes for a policy that is measured as one area', async () => {
    const whole = records.map((record) => ({ ...record, shape_uuid: null }))
    const { paper } = await renderReport({ records: whole, tallies: tallyRecords(whole) })
    expect(paper.queryByRole('heading', { name: 'Violations by area' })).not.toBeInTheDocument()
  })

  it('explains its figures', async () => {
    const { paper } = await renderReport()
    expect(paper.getByRole('heading', { name: 'What the figures mean' })).toBeInTheDocument()
    expect(
      paper.getByText(/^Measured: Vehicles parked\. Method: compliance by local day, version 1\./),
    ).toBeInTheDocument()
  })

  it('names the selected operators, and has no total line for a single one', async () => {
    const own = records.filter(({ operator }) => operator === 'glide')
    const { paper } = await renderReport({ operators: ['glide'], records: own, tallies: tallyRecords(own) })
    expect(paper.getByText('Operators').parentElement).toHaveTextContent('OperatorsGLIDE')
    expect(paper.queryByText('All operators')).not.toBeInTheDocument()
  })

  it('the print report is white in both color schemes, and names what is printed', async () => {
    const before = document.title
    const { paper, onClose } = await renderReport()
    expect(
      paper.getByRole('heading', { level: 1 }).closest('article')!.style.getPropertyValue('--panel'),
    ).toBe(tokens.light.panel)
    expect(document.title).toBe('Compliance report: Wharf, 2026-11-20 – 2026-11-21')
    await userEvent.click(screen.getByRole('button', { name: 'Back to the page' }))
    expect(onClose).toHaveBeenCalledOnce()
    document.title = before
  })
})
