import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { renderPart } from '#web/kit/test-part.tsx'
import { tallyRecords } from '#web/policies/results/tally-records.ts'
import { aBreach, aRecord } from '../test-compliance.ts'
import { SelectedDayDetails } from './chosen-day.tsx'
import { DayMatrix } from './day-matrix.tsx'
import { MatrixLegend } from './detail-body.tsx'

const days = ['2026-11-20', '2026-11-21', '2026-12-01']
const tallies = tallyRecords([
  aBreach(1200),
  aRecord({ date: '2026-11-21', uncertain: 1 }),
  aRecord({
    date: '2026-12-01',
    status: 'not_applicable',
    reason_code: 'day_goes_on',
    measured: null,
    provisional: true,
  }),
  aRecord({ operator: 'skip' }),
])
const getName = (slug: string): string => slug.toUpperCase()

async function renderMatrix(selected: { operator: string; date: string } | null = null) {
  const onChoose = vi.fn()
  await renderPart(
    <DayMatrix
      tallies={tallies}
      days={days}
      operatorName={getName}
      selected={selected}
      onChoose={onChoose}
    />,
  )
  return { onChoose, cells: screen.getAllByRole('button') }
}

describe('days and operators', () => {
  it('days and operators have a sign, and marks for uncertain and provisional results', async () => {
    const { cells } = await renderMatrix()
    expect(
      cells.map((cell) => [
        cell.dataset['status'],
        cell.textContent,
        cell.dataset['uncertain'] ?? '',
        cell.dataset['provisional'] ?? '',
      ]),
    ).toEqual([
      ['non_compliant', '999+', '', ''],
      ['compliant', '', 'true', ''],
      ['not_applicable', '', '', 'true'],
      ['compliant', '', '', ''],
    ])
    expect(cells[0]).toHaveAccessibleName('GLIDE, Fri, Nov 20: Non-compliant. 1,200 vehicles parked here.')
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent.trim())).toEqual([
      'Operator',
      'Nov20',
      '21',
      'Dec1',
    ])
  })

  it('days and operators take one tab stop, with arrow keys inside', async () => {
    const { cells } = await renderMatrix()
    expect(cells.map((cell) => cell.tabIndex)).toEqual([-1, -1, 0, -1])
    act(() => cells[2]!.focus())
    await userEvent.keyboard('{Home}')
    expect(cells[0]).toHaveFocus()
    await userEvent.keyboard('{ArrowDown}')
    expect(cells[3]).toHaveFocus()
    await userEvent.keyboard('{ArrowUp}{ArrowRight}')
    expect(cells[1]).toHaveFocus()
  })

  it('days and operators are selected by a press and deselected by another one', async () => {
    const { onChoose, cells } = await renderMatrix({ operator: 'glide', date: '2026-11-20' })
    expect(cells[0]).toHaveAttribute('aria-pressed', 'true')
    await userEvent.click(cells[1]!)
    expect(onChoose).toHaveBeenLastCalledWith({ operator: 'glide', date: '2026-11-21' })
    await userEvent.click(cells[0]!)
    expect(onChoose).toHaveBeenLastCalledWith(null)
  })

  it('days and operators have a text legend', async () => {
    await renderPart(<MatrixLegend />)
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Compliant',
      '3Non-compliant, with the number of violations',
      'Not applicable',
      'With uncertain violations',
      'May still change',
    ])
  })
})

describe('the selected day', () => {
  it('shows a single reason without a list', async () => {
    const onClose = vi.fn()
    await renderPart(
      <SelectedDayDetails operatorName="Glide" day={tallies[0]!.days.get('2026-11-20')!} onClose={onClose} />,
    )
    expect(screen.getByRole('status')).toHaveTextContent('1,200 vehicles parked here.')
    expect(screen.queryByRole('list')).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Show all days' }))
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('lists some of very many shapes, and the number of others', async () => {
    const [many] = tallyRecords(
      Array.from({ length: 53 }, (_, index) =>
        aBreach(1, {
          shape_uuid: `00000000-0000-4000-8000-0000000000${10 + index}`,
          shape_name: `Shape ${index}`,
        }),
      ),
    )
    await renderPart(
      <SelectedDayDetails
        operatorName="Glide"
        day={[...many!.days.values()][0]!}
        onClose={() => undefined}
      />,
    )
    expect(screen.getAllByRole('listitem')).toHaveLength(51)
    expect(screen.getByText('3 more areas are in the table below')).toBeInTheDocument()
    expect(screen.getByRole('status')).toHaveTextContent('53 of 53 areas are non-compliant. Violations: 53.')
  })
})
