import { createContext, type ReactNode, use, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type MenuAction, RowMenu } from '../action-menu.tsx'
import { formatInteger } from '../format.ts'
import type { DownloadFormat } from '../download-button.tsx'
import { toTableFile, getTableFormats } from '../table-file.ts'
import { Pager } from './pager.tsx'
import { type RowChecks, useChecksColumn } from './row-checks.tsx'
import { ScrollableTable } from './scrollable-table.tsx'
import { column, type TableColumn } from './table-column.ts'
import type { TableGroup } from './table-rows.tsx'
import {
  nextSort,
  type PageSize,
  parseSort,
  sortRows,
  type TableState,
  type TableStateHandler,
  toggleColumn,
  getVisibleColumns,
} from './table-state.ts'
import { TableTools } from './table-tools.tsx'
import styles from './table.module.css'

/** A list that the server sorts and pages; `rows` has one page. */
interface ServerList<T> {
  total: number
  /** Columns that the server can sort by. */
  sortKeys: readonly string[]
  /** Loads all rows for a download. */
  loadAll?: (onProgress: (share: number) => void) => Promise<readonly T[]>
}

interface Props<T> {
  /** Accessible name of the table. */
  label: string
  /** Undefined while the first rows load. */
  rows: readonly T[] | undefined
  columns: readonly TableColumn<T>[]
  rowKey: (row: T) => string
  /** Sort, columns, page and page size in the URL; without it they are local state. */
  state?: TableState | undefined
  onStateChange?: TableStateHandler | undefined
  defaultSort?: string
  server?: ServerList<T>
  /** Default page size; without it, only a list of the server has pages. */
  pageSize?: PageSize
  /** Name of downloaded files without extension; without it there is no download. */
  fileName?: string
  /** Further formats of the download menu. */
  moreFormats?: readonly DownloadFormat[] | undefined
  /** Maximum height of the rows. */
  maxHeight?: number | string
  /** Maximum height of the table with toolbar and pager in pixels; overrides `maxHeight`. */
  height?: number
  /** Key of the selected row. Rows are selected by their first cell. */
  selected?: string | null | undefined
  onSelect?: (key: string) => void
  /** False for summary rows: they cannot be selected, and are always last. */
  canSelect?: (row: T) => boolean
  /** Checkboxes in front of the rows, for actions on several of them. */
  checks?: RowChecks<T> | undefined
  /** Actions of a row, in a menu in its last cell. */
  rowMenu?: (row: T) => { label: string; actions: readonly MenuAction[] }
  /** The group of a row. Rows of a group must be adjacent, below its title and totals. Not for long lists. */
  getGroup?: ((row: T) => TableGroup | null) | undefined
  /** Totals of all rows by column key. */
  totals?: Readonly<Record<string, ReactNode>> | undefined
  /** Whether text wraps and rows grow; lists replace rows when columns do not fit. Not for long lists. */
  isWrapped?: boolean
  /** Whether the table has a toolbar. */
  hasTools?: boolean
  /** Replaces the number of rows in the toolbar. */
  countText?: string
  /** Text of an empty table. */
  empty?: string
}

/** Called after a row was selected, by the part of the page that shows the selection beside the table. */
export const AfterSelection = createContext<() => void>(() => {})

const noFormats: readonly DownloadFormat[] = []
const defaultPageSize = 50
/** Maximum number of rows in a downloaded file; a longer list is cut off. */
export const maxFileRows = 100_000

/**
 * A table of rows that are sorted in the browser, or sorted and paged by the server. Only visible rows are
 * rendered, so that 100,000 rows scroll as smoothly as 100.
 */
export function Table<T>(props: Props<T>) {
  const { server, pageSize = server ? defaultPageSize : undefined, defaultSort, height, checks } = props
  const { t } = useTranslation()
  const select = useSelect(props.onSelect)
  const { state, change } = useTableState(props)
  const columns = useColumnsWithMenu(props)
  const visibleColumns = getVisibleColumns(columns, state.columns)
  const { sort, selectedSort, sortedRows, shownRows, total, size, page, offset } = useShownRows({
    ...props,
    columns,
    state,
    pageSize,
  })
  const checksColumn = useChecksColumn(checks, shownRows, props.rowKey)
  const formats = useTableFormats({ ...props, sortedRows, visibleColumns })
  // With several pages, the pager shows the number of rows.
  const hasPages = pageSize !== undefined && total > size
  const rowCountText =
    props.rows === undefined || hasPages ? '' : t('kit:rows', { count: total, shown: formatInteger(total) })
  const isCutOff = server !== undefined && total > maxFileRows
  return (
    <div
      className={styles['frame']}
      data-wrapped={props.isWrapped || undefined}
      style={height === undefined ? {} : { maxHeight: height }}
    >
      {(props.hasTools ?? true) ? (
        <TableTools
          countText={props.countText ?? rowCountText}
          checks={checks}
          columns={columns}
          visibleColumns={visibleColumns}
          onToggle={(key) => change({ columns: toggleColumn(columns, state.columns, key) })}
          downloadLabel={
            isCutOff ? t('kit:downloadFirst', { rows: formatInteger(maxFileRows) }) : t('kit:download')
          }
          formats={formats}
        />
      ) : null}
      <ScrollableTable
        {...props}
        rows={props.rows && shownRows}
        columns={[...checksColumn, ...visibleColumns]}
        firstIndex={offset}
        total={total}
        sorting={parseSort(sort)}
        canSort={(key) => server?.sortKeys.includes(key) ?? true}
        onSort={(key) => {
          const isNumber = columns.find((column) => column.key === key)?.isNumber
          change({ sort: nextSort(selectedSort, key, defaultSort, isNumber), page: undefined })
        }}
        onSelect={select}
      />
      {pageSize === undefined ? null : (
        <div className={`${styles['foot']} only-screen`}>
          <Pager
            page={page}
            size={size}
            total={total}
            onPage={(next) => change({ page: next === 1 ? undefined : next })}
            onSize={(next) => change({ size: next === pageSize ? undefined : next, page: undefined })}
          />
        </div>
      )}
    </div>
  )
}

/** Returns a function that selects a row, then lets the page show the selection. */
function useSelect(onSelect: ((key: string) => void) | undefined) {
  const afterSelection = use(AfterSelection)
  return (
    onSelect &&
    ((key: string): void => {
      onSelect(key)
      afterSelection()
    })
  )
}

/** Returns the state in the URL, else local state, and how to change a part of it. */
function useTableState({ state, onStateChange }: { state?: TableState; onStateChange?: TableStateHandler }) {
  const [localState, setLocalState] = useState<TableState>({})
  return {
    state: state ?? localState,
    change: onStateChange ?? ((changes: TableState) => setLocalState({ ...localState, ...changes })),
  }
}

/** Returns the columns, with one for the menu of each row at the end. */
function useColumnsWithMenu<T>({ columns, rowMenu }: Pick<Props<T>, 'columns' | 'rowMenu'>) {
  const { t } = useTranslation()
  return useMemo(
    () => (rowMenu ? [...columns, createMenuColumn(t('kit:actions'), rowMenu)] : columns),
    [columns, rowMenu, t],
  )
}

interface TableFormatsInput<T> extends Pick<Props<T>, 'fileName' | 'moreFormats' | 'server'> {
  sortedRows: readonly T[]
  visibleColumns: readonly TableColumn<T>[]
}

/** Returns the formats of the download menu: files of the visible columns, if there is a file name, then others. */
function useTableFormats<T>({
  fileName,
  moreFormats = noFormats,
  server,
  sortedRows,
  visibleColumns,
}: TableFormatsInput<T>) {
  const { t } = useTranslation()
  if (fileName === undefined || (server && !server.loadAll)) return moreFormats
  return [
    ...getTableFormats(t, {
      fileName,
      ...(moreFormats.length > 0 ? { name: t('kit:file.summary') } : {}),
      load: async (onProgress) =>
        toTableFile(server?.loadAll ? await server.loadAll(onProgress) : sortedRows, visibleColumns),
    }),
    ...moreFormats,
  ]
}

const createMenuColumn = <T,>(
  title: string,
  rowMenu: (row: T) => { label: string; actions: readonly MenuAction[] },
): TableColumn<T> =>
  column('actions', title, () => null, {
    isActions: true,
    width: 56,
    renderCell: (row) => <RowMenu {...rowMenu(row)} />,
  })

type ShownRowsInput<T> = Pick<Props<T>, 'rows' | 'defaultSort' | 'server' | 'pageSize' | 'canSelect'> & {
  columns: readonly TableColumn<T>[]
  state: TableState
}

/** Returns the sort order, the sorted rows, and those of the current page. */
function useShownRows<T>({
  rows,
  columns,
  state,
  defaultSort,
  server,
  pageSize,
  canSelect,
}: ShownRowsInput<T>) {
  const isKnownColumn = columns.some(({ key }) => key === parseSort(state.sort)?.key)
  const selectedSort = isKnownColumn ? state.sort : undefined
  const sort = selectedSort ?? defaultSort
  const isServer = server !== undefined
  const sortedRows = useMemo(
    () => (isServer || !rows ? (rows ?? []) : sortRows(rows, columns, sort, canSelect)),
    [rows, columns, sort, isServer, canSelect],
  )
  const total = server?.total ?? sortedRows.length
  const size = state.size ?? pageSize ?? Math.max(1, total)
  const page = state.page ?? 1
  const offset = pageSize === undefined ? 0 : (page - 1) * size
  const shownRows = useMemo(
    () => (isServer || pageSize === undefined ? sortedRows : sortedRows.slice(offset, offset + size)),
    [isServer, pageSize, sortedRows, offset, size],
  )
  return { sort, selectedSort, sortedRows, shownRows, total, size, page, offset }
}
