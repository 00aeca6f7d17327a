import { Button, Checkbox, Group, Popover, Stack, Text } from '@mantine/core'
import { IconColumns3, IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { downloadFile } from './download-file.ts'
import { toCsv } from './to-csv.ts'
import { formatInteger } from './format.ts'
import type { TableColumn } from './table-column.ts'

interface Props<T> {
  rows: readonly T[]
  /** Number of rows; null if the pager shows it. */
  total: number | null
  columns: readonly TableColumn<T>[]
  visibleColumns: readonly TableColumn<T>[]
  hidden: ReadonlySet<string>
  onHide: (hidden: ReadonlySet<string>) => void
  fileName: string | undefined
}

/** Toolbar of a table: number of rows, column selection, download. */
export function DataTableTools<T>({
  rows,
  total,
  columns,
  visibleColumns,
  hidden,
  onHide,
  fileName,
}: Props<T>) {
  const { t } = useTranslation()
  const toggle = (key: string) =>
    onHide(new Set(hidden.has(key) ? [...hidden].filter((each) => each !== key) : [...hidden, key]))
  return (
    <Group justify="space-between" px="sm" py="xs" gap="xs">
      {total === null ? (
        <span />
      ) : (
        <Text size="sm" c="dimmed" className="figures">
          {t('kit:rows', { count: total, shown: formatInteger(total) })}
        </Text>
      )}
      <Group gap="xs">
        <Popover position="bottom-end" trapFocus returnFocus>
          <Popover.Target>
            <Button variant="subtle" size="compact-sm" leftSection={<IconColumns3 size={16} />}>
              {t('kit:columns')}
            </Button>
          </Popover.Target>
          <Popover.Dropdown>
            <Stack gap="xs">
              {columns
                .filter((column) => !column.isActions)
                .map((column) => (
                  <Checkbox
                    key={column.key}
                    label={column.title}
                    checked={!hidden.has(column.key)}
                    disabled={
                      !hidden.has(column.key) && visibleColumns.filter((each) => !each.isActions).length === 1
                    }
                    onChange={() => toggle(column.key)}
                  />
                ))}
            </Stack>
          </Popover.Dropdown>
        </Popover>
        {fileName ? (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconDownload size={16} />}
            onClick={() => downloadFile(fileName, toCsv(rows, visibleColumns), 'text/csv')}
          >
            {t('kit:downloadCsv')}
          </Button>
        ) : null}
      </Group>
    </Group>
  )
}
