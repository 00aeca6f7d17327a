import { Button, Checkbox, Group, Popover, Stack, Text } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { DownloadButton, type DownloadFormat } from '../download-button.tsx'
import { formatInteger } from '../format.ts'
import type { RowChecks } from './row-checks.tsx'
import type { TableColumn } from './table-column.ts'

interface Props<T> {
  countText: string
  checks: RowChecks<T> | undefined
  columns: readonly TableColumn<T>[]
  visibleColumns: readonly TableColumn<T>[]
  onToggle: (key: string) => void
  downloadLabel: string
  /** Download formats; without any, there is no download button. */
  formats: readonly DownloadFormat[]
}

/** Toolbar of a table: number of rows or actions on the checked ones, column selection, download. */
export function TableTools<T>({
  countText,
  checks,
  columns,
  visibleColumns,
  onToggle,
  downloadLabel,
  formats,
}: Props<T>) {
  const { t } = useTranslation()
  const isVisible = (key: string): boolean => visibleColumns.some((column) => column.key === key)
  const isSingleColumn = visibleColumns.filter(({ isActions }) => !isActions).length === 1
  const checkedCount = checks?.checked.size ?? 0
  return (
    <Group justify="space-between" px="sm" py="xs" gap="xs">
      <Group gap="xs">
        <Text size="sm" c="dimmed" className="figures" role={checks ? 'status' : undefined}>
          {checkedCount > 0
            ? t('kit:checks.count', { count: checkedCount, shown: formatInteger(checkedCount) })
            : countText}
        </Text>
        {checkedCount > 0 ? (
          <>
            {checks?.actions}
            <Button variant="subtle" size="compact-sm" onClick={() => checks?.onCheck(new Map())}>
              {t('kit:checks.clear')}
            </Button>
          </>
        ) : null}
      </Group>
      <Group gap="xs" className="only-screen">
        <Popover position="bottom-end" trapFocus returnFocus>
          <Popover.Target>
            <Button variant="subtle" size="compact-sm" leftSection={<IconColumns3 size={16} />}>
              {t('kit:columns')}
            </Button>
          </Popover.Target>
          <Popover.Dropdown>
            <Stack gap="xs">
              {columns
                .filter(({ isActions }) => !isActions)
                .map(({ key, title }) => (
                  <Checkbox
                    key={key}
                    label={title}
                    checked={isVisible(key)}
                    disabled={isVisible(key) && isSingleColumn}
                    onChange={() => onToggle(key)}
                  />
                ))}
            </Stack>
          </Popover.Dropdown>
        </Popover>
        {formats.length > 0 ? (
          <DownloadButton variant="subtle" size="compact-sm" label={downloadLabel} formats={formats} />
        ) : null}
      </Group>
    </Group>
  )
}
