import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { renderPart } from '#web/kit/test-part.tsx'
import { ComplianceFilters } from './compliance-filters.tsx'

const operators = [{ slug: 'glide', name: 'Glide' }]

async function open(part: Partial<Parameters<typeof ComplianceFilters>[0]> = {}) {
  const [onText, onChange] = [vi.fn(), vi.fn()]
  await renderPart(
    <ComplianceFilters
      search={{}}
      operators={operators}
      isSmall={false}
      onText={onText}
      onChange={onChange}
      {...part}
    />,
  )
  return { onText, onChange }
}

describe('the filters of the summary', () => {
  it('tell what is typed once it rests', async () => {
    const { onText } = await open()
    await userEvent.type(screen.getByLabelText('Search by policy name'), 'wha')
    await waitFor(() => expect(onText).toHaveBeenCalledWith('wha'))
    expect(onText).toHaveBeenCalledOnce()
  })

  it('switch the comparison on and off', async () => {
    const { onChange } = await open({ search: { compare: true } })
    await userEvent.click(screen.getByRole('switch', { name: 'Compare with the previous period' }))
    expect(onChange).toHaveBeenCalledWith({ compare: undefined })
  })

  it('keep an operator that is chosen though nobody knows it', async () => {
    await open({ search: { operators: ['gone'], statuses: ['not_applicable'] } })
    expect(screen.getAllByText('gone').length).toBeGreaterThan(0)
    expect(screen.getAllByText('Not applicable').length).toBeGreaterThan(0)
  })

  it('are behind a button on a phone, which says how many are set', async () => {
    await open({ isSmall: true, search: { types: ['no_parking'], operators: ['glide'] } })
    expect(screen.queryAllByText('Glide')).toEqual([])
    await userEvent.click(screen.getByRole('button', { expanded: false }))
    expect(screen.getAllByText('Glide').length).toBeGreaterThan(0)
    expect(screen.getByRole('button', { expanded: true })).toHaveTextContent('2')
  })
})
