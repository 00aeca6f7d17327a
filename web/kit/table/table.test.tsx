import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPart } from '../test-part.tsx'
import { Pager } from './pager.tsx'
import { Table } from './table.tsx'
import { column, type TableColumn } from './table-column.ts'
import type { TableState } from './table-state.ts'

interface Row {
  name: string
  trips: number
}

const columns: TableColumn<Row>[] = [
  column('name', 'Name', (row) => row.name),
  column('trips', 'Trips', (row) => row.trips, { isNumber: true }),
  column('twice', 'Twice', (row) => 2 * row.trips, { isHidden: true }),
]
const makeRows = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ name: `Ward ${index + 1}`, trips: count - index }))
const makeTable = (count: number) => (
  <Table label="Wards" rows={makeRows(count)} columns={columns} rowKey={(row) => row.name} fileName="wards" />
)
const getBodyRows = () => screen.getAllByRole('row').slice(1)

// jsdom has no layout, so the size of the scrolling element is mocked.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800)
})

describe('a table', () => {
  it('renders only the visible ones of 100,000 rows, and shows their number', async () => {
    await renderPart(makeTable(100_000))
    expect(screen.getByText('100,000 rows')).toBeInTheDocument()
    expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '100001')
    expect(getBodyRows().length).toBeLessThan(60)
    expect(within(getBodyRows()[0]!).getByText('Ward 1')).toBeInTheDocument()
  })

  it('shows the rows of a group below its title and totals', async () => {
    await renderPart(
      <Table
        label="Wards"
        rows={makeRows(3)}
        columns={columns}
        rowKey={(row) => row.name}
        getGroup={({ name }) =>
          name === 'Ward 1' ? null : { key: 'outer', title: 'Outer wards', totals: { trips: '3 in all' } }
        }
      />,
    )
    expect(getBodyRows().map(({ textContent }) => textContent)).toEqual([
      'Ward 13',
      'Outer wards3 in all',
      'Ward 22',
      'Ward 31',
    ])
    expect(screen.getByRole('rowheader', { name: 'Outer wards' })).toBeInTheDocument()
  })

  it('a table is printed with all of its rows', async () => {
    await renderPart(makeTable(300))
    act(() => void window.dispatchEvent(new Event('beforeprint')))
    expect(getBodyRows()).toHaveLength(300)
    act(() => void window.dispatchEvent(new Event('afterprint')))
    expect(getBodyRows().length).toBeLessThan(60)
  })

  it('sorts by a column of numbers descending, ascending and not at all', async () => {
    await renderPart(makeTable(20))
    const head = screen.getByRole('button', { name: 'Trips' })
    await userEvent.click(head)
    expect(screen.getByRole('columnheader', { name: 'Trips' })).toHaveAttribute('aria-sort', 'descending')
    await userEvent.click(head)
    expect(within(getBodyRows()[0]!).getByText('Ward 20')).toBeInTheDocument()
    await userEvent.click(head)
    expect(within(getBodyRows()[0]!).getByText('Ward 1')).toBeInTheDocument()
  })

  it('shows and hides columns, but not the last one', async () => {
    await renderPart(makeTable(3))
    expect(screen.queryByRole('columnheader', { name: 'Twice' })).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
    await userEvent.click(await screen.findByLabelText('Twice'))
    expect(screen.getByRole('columnheader', { name: 'Twice', hidden: true })).toBeInTheDocument()
    await userEvent.click(screen.getByLabelText('Twice'))
    await userEvent.click(screen.getByLabelText('Trips'))
    expect(screen.getByLabelText('Name')).toBeDisabled()
  })

  it('downloads the visible columns in the current order', async () => {
    const blobs: Blob[] = []
    vi.stubGlobal(
      'URL',
      Object.assign(URL, {
        createObjectURL: (blob: Blob) => `blob:${blobs.push(blob)}`,
        revokeObjectURL: () => undefined,
      }),
    )
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    await renderPart(makeTable(2))
    await userEvent.click(screen.getByRole('button', { name: 'Name' }))
    await userEvent.click(screen.getByRole('button', { name: 'Name' }))
    await userEvent.click(screen.getByRole('button', { name: 'Download' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'CSV' }))
    await waitFor(() => expect(blobs).toHaveLength(1))
    expect(await blobs[0]?.text()).toBe('Name,Trips\r\nWard 2,1\r\nWard 1,2\r\n')
  })

  it('shows that there are no rows', async () => {
    await renderPart(makeTable(0))
    expect(screen.getByText('No rows')).toBeInTheDocument()
  })
})

describe('a table that the server pages', () => {
  const renderTable = async (state: TableState, more: object = {}) => {
    const onStateChange = vi.fn<(changes: TableState) => void>()
    await renderPart(
      <Table
        label="Wards"
        rows={[...makeRows(5)].toReversed()}
        columns={columns}
        rowKey={(row) => row.name}
        state={state}
        onStateChange={onStateChange}
        server={{ total: 120, sortKeys: ['name'] }}
        {...more}
      />,
    )
    return onStateChange
  }

  it('shows the rows in the server’s order, and leaves sorting to the server', async () => {
    const onStateChange = await renderTable({ sort: '-name', page: 2 })
    expect(screen.getByText('51–100 of 120')).toBeInTheDocument()
    expect(screen.queryByText(/rows$/)).not.toBeInTheDocument()
    expect(getBodyRows().map((row) => within(row).getAllByRole('cell')[0]?.textContent)).toEqual([
      'Ward 5',
      'Ward 4',
      'Ward 3',
      'Ward 2',
      'Ward 1',
    ])
    expect(getBodyRows()[0]).toHaveAttribute('aria-rowindex', '52')
    expect(screen.getByRole('columnheader', { name: /Name/ })).toHaveAttribute('aria-sort', 'descending')
    await userEvent.click(screen.getByText('Next'))
    expect(onStateChange).toHaveBeenCalledWith({ page: 3 })
  })

  it('sorts by the columns that the server can sort by, from the first page on', async () => {
    const onStateChange = await renderTable({ page: 2 })
    expect(
      within(screen.getByRole('columnheader', { name: 'Trips' })).queryByRole('button'),
    ).not.toBeInTheDocument()
    await userEvent.click(within(screen.getByRole('columnheader', { name: /Name/ })).getByRole('button'))
    expect(onStateChange).toHaveBeenCalledWith({ sort: 'name', page: undefined })
  })

  it('offers page sizes', async () => {
    const onStateChange = await renderTable({ page: 2 })
    await userEvent.click(screen.getByRole('combobox', { name: 'Rows per page' }))
    await userEvent.click(await screen.findByText('10'))
    expect(onStateChange).toHaveBeenCalledWith({ size: 10, page: undefined })
  })

  it('downloads all rows, not the page', async () => {
    const loadAll = vi.fn<() => Promise<Row[]>>().mockResolvedValue([])
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    await renderTable({}, { server: { total: 120, sortKeys: [], loadAll }, fileName: 'wards' })
    await userEvent.click(screen.getByRole('button', { name: 'Download' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'CSV' }))
    expect(loadAll).toHaveBeenCalledOnce()
  })
})

describe('rows', () => {
  it('rows have placeholders while they load', async () => {
    await renderPart(
      <Table label="Wards" rows={undefined} columns={columns} rowKey={(row: Row) => row.name} />,
    )
    expect(screen.getByText('Loading')).toBeInTheDocument()
    expect(screen.queryByText('No rows')).not.toBeInTheDocument()
  })

  it('rows are selected by their first cell, have a menu, and totals', async () => {
    const [onSelect, onOpen] = [vi.fn<(key: string) => void>(), vi.fn<() => void>()]
    await renderPart(
      <Table
        label="Wards"
        rows={makeRows(2)}
        columns={columns}
        rowKey={(row) => row.name}
        selected="Ward 1"
        onSelect={onSelect}
        rowMenu={({ name }) => ({
          label: `Actions for ${name}`,
          actions: [{ key: 'open', label: 'Open', onSelect: onOpen }],
        })}
        totals={{ trips: 3 }}
      />,
    )
    expect(screen.getByRole('button', { name: 'Ward 1' })).toHaveAttribute('aria-pressed', 'true')
    await userEvent.click(screen.getByRole('button', { name: 'Ward 2' }))
    expect(onSelect).toHaveBeenCalledWith('Ward 2')
    await userEvent.click(screen.getByRole('button', { name: 'Actions for Ward 2' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Open' }))
    expect(onOpen).toHaveBeenCalledOnce()
    expect(
      within(getBodyRows().at(-1)!)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['Total', '3', ''])
  })
})

describe('several rows', () => {
  const renderTable = async () => {
    const onCheck = vi.fn<(checked: ReadonlyMap<string, Row>) => void>()
    function Checked() {
      const [checked, setChecked] = useState<ReadonlyMap<string, Row>>(new Map())
      return (
        <Table
          label="Wards"
          rows={makeRows(5)}
          columns={columns}
          rowKey={(row) => row.name}
          checks={{
            checked,
            onCheck: (next) => {
              onCheck(next)
              setChecked(next)
            },
            rowLabel: ({ name }) => `Select ${name}`,
            actions: <button>Close them</button>,
          }}
        />
      )
    }
    await renderPart(<Checked />)
    return () => [...(onCheck.mock.lastCall?.[0].keys() ?? [])]
  }
  const getBox = (name: string) => screen.getByRole('checkbox', { name })

  it('several rows are checked one by one, in a range with Shift, or all at once', async () => {
    const checked = await renderTable()
    expect(screen.queryByText('Close them')).not.toBeInTheDocument()
    await userEvent.click(getBox('Select Ward 2'))
    expect(screen.getByRole('status')).toHaveTextContent('1 selected')
    expect(screen.getByText('Close them')).toBeInTheDocument()
    fireEvent.click(getBox('Select Ward 4'), { shiftKey: true })
    expect(checked()).toEqual(['Ward 2', 'Ward 3', 'Ward 4'])
    expect(getBox('Select all rows on this page')).toBePartiallyChecked()
    await userEvent.click(getBox('Select all rows on this page'))
    expect(checked()).toHaveLength(5)
    await userEvent.click(screen.getByText('Clear selection'))
    expect(checked()).toEqual([])
    expect(screen.getByText('5 rows')).toBeInTheDocument()
  })

  it('several rows are reached by arrow keys', async () => {
    const checked = await renderTable()
    getBox('Select Ward 1').focus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowUp} ')
    expect(checked()).toEqual(['Ward 2'])
  })
})

describe('a table without tools', () => {
  it('a table without tools has no toolbar, and does not sort by columns without an order', async () => {
    await renderPart(
      <Table
        label="Wards"
        rows={makeRows(1)}
        columns={columns.map((column) => ({ ...column, canSort: column.key === 'name' }))}
        rowKey={(row) => row.name}
        isWrapped
        hasTools={false}
      />,
    )
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Name'])
    // Titles are shown if rows are displayed as lists.
    expect(screen.getAllByRole('cell').map((cell) => cell.dataset['title'])).toEqual(['Name', 'Trips'])
  })
})

it('gives page buttons accessible names, because phones show only icons', async () => {
  await renderPart(<Pager page={1} size={25} total={60} onPage={() => {}} />)
  for (const name of ['Previous', 'Next']) {
    expect(screen.getByRole('button', { name })).toBeInTheDocument()
    expect(screen.getByText(name)).toHaveClass('mantine-visible-from-sm')
  }
})
