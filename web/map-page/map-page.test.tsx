import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { column } from '#web/kit/table/table-column.ts'
import { Table } from '#web/kit/table/table.tsx'
import { renderPart } from '#web/kit/test-part.tsx'
import { MapPage } from './map-page.tsx'

afterEach(() => vi.restoreAllMocks())

async function renderMapPage(isSmall: boolean) {
  const [showResults, onSelect] = [vi.fn<(isOpen: boolean) => void>(), vi.fn<(id: string | null) => void>()]
  await renderPart(
    <MapPage
      page={{
        isSmall,
        isPanelOpen: false,
        setIsPanelOpen: () => {},
        areResultsOpen: true,
        showResults,
        legendChoice: null,
        setIsLegendOpen: () => {},
      }}
      selected="SW-1"
      onSelect={onSelect}
      title="Live map"
      map={null}
      notice={null}
      corner={null}
      results={() => (
        <Table
          label="Vehicles"
          rows={['SW-1', 'SW-2']}
          columns={[column('vehicle', 'Vehicle', (row: string) => row)]}
          rowKey={(row) => row}
          selected="SW-1"
          onSelect={onSelect}
        />
      )}
    />,
  )
  return { showResults, onSelect }
}

it('closes the results on a phone when a row is selected, so that its card is visible', async () => {
  const { showResults, onSelect } = await renderMapPage(true)
  for (const vehicle of ['SW-2', 'SW-1']) {
    await userEvent.click(screen.getByRole('button', { name: vehicle }))
    expect(onSelect).toHaveBeenLastCalledWith(vehicle)
    expect(showResults).toHaveBeenLastCalledWith(false)
    expect(screen.getByRole('button', { name: 'Hide results' })).toHaveFocus()
  }
  expect(showResults).toHaveBeenCalledTimes(2)
})
it('leaves the results open on a larger screen', async () => {
  const { showResults, onSelect } = await renderMapPage(false)
  await userEvent.click(screen.getByRole('button', { name: 'SW-2' }))
  expect(onSelect).toHaveBeenLastCalledWith('SW-2')
  expect(showResults).not.toHaveBeenCalled()
})
