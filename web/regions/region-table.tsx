import { ActionIcon, Anchor, Group, Tooltip } from '@mantine/core'
import { IconClipboardList, IconPencil, IconWorld } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Region } from '#contract/regions.ts'
import { publicAddress } from '#web/shell/public-address.ts'
import type { TableState, TableStateHandler } from '#web/kit/table/table-state.ts'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { useSmallScreen } from '#web/kit/use-small-screen.ts'

interface Props {
  regions: readonly Region[]
  onEdit: (regionId: string) => void
  state: TableState
  onStateChange: TableStateHandler
}

/** Regions with their settings and actions. */
export function RegionTable({ regions, onEdit, state, onStateChange }: Props) {
  const { t } = useTranslation()
  const isSmall = useSmallScreen()
  const columns = useMemo<TableColumn<Region>[]>(
    () => [
      column('text', t('regions:field.text'), (region) => region.text, {
        width: 220,
        renderCell: (region) => (
          <Anchor component={Link} to={`/${region.regionId}`}>
            {region.text}
          </Anchor>
        ),
      }),
      column('regionId', t('regions:field.regionId'), (region) => region.regionId, { width: 160 }),
      column('timezone', t('regions:field.timezone'), (region) => region.timezone),
      column(
        'units',
        t('regions:field.units'),
        (region) => t(region.isMetric ? 'regions:metric' : 'regions:imperial'),
        { width: 110 },
      ),
      column('currency', t('regions:field.currencyCode'), (region) => region.currencyCode, { width: 110 }),
      column('lat', t('regions:field.lat'), (region) => region.lat, {
        isNumber: true,
        isHidden: true,
        width: 110,
      }),
      column('lon', t('regions:field.lon'), (region) => region.lon, {
        isNumber: true,
        isHidden: true,
        width: 110,
      }),
      column('edit', t('regions:actions'), () => null, {
        isActions: true,
        width: 136,
        renderCell: ({ regionId, text }) => (
          <Group gap={4} wrap="nowrap">
            <Tooltip label={t('policies:requirements.page')}>
              <ActionIcon
                component={Link}
                to={`/admin/regions/${regionId}/requirements`}
                variant="subtle"
                aria-label={t('policies:requirements.open', { name: text })}
              >
                <IconClipboardList size={18} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label={t('regions:public.link')}>
              <ActionIcon
                component="a"
                href={publicAddress(regionId)}
                target="_blank"
                rel="noreferrer"
                variant="subtle"
                aria-label={t('regions:public.openOf', { name: text })}
              >
                <IconWorld size={18} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label={t('regions:edit', { name: text })}>
              <ActionIcon
                variant="subtle"
                aria-label={t('regions:edit', { name: text })}
                onClick={() => onEdit(regionId)}
              >
                <IconPencil size={18} />
              </ActionIcon>
            </Tooltip>
          </Group>
        ),
      }),
    ],
    [t, onEdit],
  )
  return (
    <Table
      label={t('shell:pages.regions')}
      isWrapped={isSmall}
      rows={regions}
      columns={columns}
      rowKey={(region) => region.regionId}
      state={state}
      onStateChange={onStateChange}
      fileName="regions"
    />
  )
}
