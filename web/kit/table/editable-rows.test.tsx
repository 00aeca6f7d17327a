import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderPart } from '../test-part.tsx'
import { EditableRows } from './editable-rows.tsx'

interface Row {
  price: string
}

async function renderRows(prices: string[], canMove = false) {
  const onChange = vi.fn<(rows: Row[]) => void>()
  await renderPart(
    <EditableRows<Row>
      rows={prices.map((price) => ({ price }))}
      renderFields={(row, change) => (
        <input
          aria-label="Price"
          value={row.price}
          onChange={(event) => change({ price: event.currentTarget.value })}
        />
      )}
      createRow={(rows) => ({ price: `after ${rows.at(-1)?.price}` })}
      rowLabel={(row) => `Row ${row}`}
      removeLabel={(row) => `Remove row ${row}`}
      addLabel="Add a row"
      canMove={canMove}
      onChange={onChange}
    />,
  )
  return () => onChange.mock.lastCall?.[0].map(({ price }) => price)
}

it('changes, adds and removes rows', async () => {
  const last = await renderRows(['1', '2'])
  await userEvent.type(screen.getAllByLabelText('Price')[0]!, '0')
  expect(last()).toEqual(['10', '2'])
  await userEvent.click(screen.getByRole('button', { name: 'Add a row' }))
  expect(last()).toEqual(['1', '2', 'after 2'])
  await userEvent.click(screen.getByRole('button', { name: 'Remove row 1' }))
  expect(last()).toEqual(['2'])
})

it('the only row cannot be removed', async () => {
  await renderRows(['1'])
  expect(screen.getByRole('button', { name: 'Remove row 1' })).toBeDisabled()
})

it('moves rows by buttons and by keyboard', async () => {
  const last = await renderRows(['1', '2'], true)
  await userEvent.click(screen.getByRole('button', { name: 'Move down: Row 1' }))
  expect(last()).toEqual(['2', '1'])
  screen.getAllByLabelText('Price')[1]!.focus()
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
  expect(last()).toEqual(['2', '1'])
  expect(screen.getByRole('button', { name: 'Move up: Row 1' })).toBeDisabled()
})
