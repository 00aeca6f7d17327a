import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderPart } from '#web/kit/test-part.tsx'
import type { FilterState } from './filter.ts'
import { RangeField } from './range-field.tsx'

it('applies typed decimals on blur, and clears an emptied field', async () => {
  const onChange = vi.fn<(changes: FilterState) => void>()
  await renderPart(
    <RangeField
      filter={{ kind: 'range', key: 'amount', label: 'Amount', decimals: 2 }}
      state={{ max_amount: 8 }}
      onChange={onChange}
    />,
  )
  const [from, to] = screen.getAllByRole('textbox')
  await userEvent.type(from!, '1.50')
  expect(onChange).not.toHaveBeenCalled()
  await userEvent.tab()
  expect(onChange).toHaveBeenLastCalledWith({ min_amount: 1.5 })
  await userEvent.clear(to!)
  await userEvent.keyboard('{Enter}')
  expect(onChange).toHaveBeenLastCalledWith({ max_amount: undefined })
})
