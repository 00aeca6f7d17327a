import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import { exportFormats, exportLayer, type ExportFormat } from '#contract/geography-use.ts'
import { addressOf } from '#web/data/address-of.ts'

const endings: Record<ExportFormat, string> = { geojson: 'geojson', kml: 'kml', shapefile: 'zip', csv: 'csv' }

/** The layer as a file, in any of the formats. */
export function ExportMenu({ layer }: { layer: Layer }) {
  const { t } = useTranslation()
  const params = { region_id: layer.region_id, shape_layer_uuid: layer.shape_layer_uuid }
  return (
    <Menu position="bottom-start" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target><Button size="xs" variant="default" leftSection={<IconDownload size={16} />}>{t('geography:export.button')}</Button></Menu.Target>
      <Menu.Dropdown>
        {exportFormats.map((format) => (
          <Menu.Item key={format} component="a" href={addressOf(exportLayer, { params, query: { format } })} download={`${layer.layer_slug}.${endings[format]}`}>{t(`geography:export.${format}`)}</Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
