import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderPart } from '../test-part.tsx'
import { CellGrid, findNextCell } from './cell-grid.tsx'

it.each([
  [{ row: 0, column: 0 }, 'ArrowLeft', { row: 0, column: 0 }],
  [{ row: 0, column: 0 }, 'ArrowRight', { row: 0, column: 1 }],
  [{ row: 0, column: 6 }, 'ArrowRight', { row: 0, column: 6 }],
  [{ row: 1, column: 5 }, 'ArrowDown', { row: 1, column: 5 }],
  [{ row: 1, column: 5 }, 'ArrowUp', { row: 0, column: 5 }],
  [{ row: 1, column: 5 }, 'Home', { row: 1, column: 0 }],
  [{ row: 1, column: 5 }, 'End', { row: 1, column: 6 }],
  [{ row: 1, column: 5 }, 'Enter', null],
  [{ row: 1, column: 5 }, 'constructor', null],
] as const)('leads from %j by %s to %j', (from, key, to) => expect(findNextCell(from, key, 2, 7)).toEqual(to))

async function renderGrid(onPress?: (row: number, column: number) => void) {
  const heads = ['a', 'b'].map((key) => ({ key, content: key }))
  await renderPart(
    <CellGrid
      label="Hours"
      corner="Day"
      columns={heads}
      rows={heads}
      cellAt={(row, column) => (row + column === 2 ? null : { text: `${row} of ${column}`, content: '' })}
      noCell="Unknown"
      cellClassName=""
      start={{ row: 9, column: 0 }}
      {...(onPress ? { onPress } : {})}
    />,
  )
  return screen.getAllByRole('button')
}

it('the grid is a single tab stop, and names cells without data', async () => {
  const cells = await renderGrid()
  expect(cells.map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, 0])
  act(() => cells[2]!.focus())
  await userEvent.keyboard('{ArrowUp}{ArrowRight}')
  expect(cells[1]).toHaveFocus()
  expect(screen.getByText('Unknown')).toBeInTheDocument()
})

it('reports a click, or shows the text of the cell', async () => {
  const onPress = vi.fn<(row: number, column: number) => void>()
  await userEvent.click((await renderGrid(onPress))[1]!)
  expect(onPress).toHaveBeenCalledWith(0, 1)
  document.body.replaceChildren()
  await userEvent.click((await renderGrid())[1]!)
  expect(screen.getByRole('status')).toHaveTextContent('0 of 1')
})
