import { UnstyledButton } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import { DataTable } from '#web/kit/data-table.tsx'
import { formatMoment } from '#web/kit/format.ts'
import type { TableColumn } from '#web/kit/table-column.ts'
import { useRegion } from '#web/shell/region.tsx'
import styles from './geography.module.css'

interface Props {
  layers: readonly Layer[]
  onOpen: (shapeLayerUuid: string) => void
}

export function LayerTable({ layers, onOpen }: Props) {
  const { t } = useTranslation()
  const { timezone, regionId } = useRegion()
  const columns = useMemo<TableColumn<Layer>[]>(
    () => [
      {
        key: 'name', title: t('geography:layer.name'), width: 240, value: (layer) => layer.layer_name,
        renderCell: (layer) => <UnstyledButton className={styles['link'] ?? ''} onClick={() => onOpen(layer.shape_layer_uuid)}>{layer.layer_name}</UnstyledButton>,
      },
      { key: 'level', title: t('geography:layer.level'), value: (layer) => layer.level ?? '', renderCell: (layer) => (layer.level === null ? '–' : t(`geography:level.${layer.level.replace(':', '_')}`, { defaultValue: layer.level })) },
      { key: 'shapes', title: t('geography:layer.shapes'), isNumber: true, width: 110, value: (layer) => layer.shape_count },
      { key: 'type', title: t('geography:layer.type'), width: 120, value: (layer) => t(`geography:type.${layer.geometry_type}`) },
      { key: 'overlaps', title: t('geography:layer.overlaps'), width: 120, value: (layer) => t(layer.overlaps ? 'geography:layer.yes' : 'geography:layer.no') },
      { key: 'changed', title: t('geography:layer.changed'), width: 190, value: (layer) => layer.modified_time, renderCell: (layer) => formatMoment(layer.modified_time, timezone) },
    ],
    [t, timezone, onOpen],
  )
  return <DataTable label={t('geography:layers')} rows={layers} columns={columns} rowKey={(layer) => layer.shape_layer_uuid} fileName={`layers-${regionId}.csv`} />
}
