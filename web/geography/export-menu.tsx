import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import { exportFormats, exportLayer, type ExportFormat } from '#contract/geography-use.ts'
import { addressOf } from '#web/data/address-of.ts'
import { ActMenu } from '#web/kit/act-menu.tsx'

const endings: Record<ExportFormat, string> = { geojson: 'geojson', kml: 'kml', shapefile: 'zip', csv: 'csv' }

/** The layer as a file, in any of the formats. */
export function ExportMenu({ layer }: { layer: Layer }) {
  const { t } = useTranslation()
  const params = { region_id: layer.region_id, shape_layer_uuid: layer.shape_layer_uuid }
  return (
    <ActMenu
      position="bottom-start"
      width={220}
      target={
        <Button size="xs" variant="default" leftSection={<IconDownload size={16} />}>
          {t('geography:export.button')}
        </Button>
      }
      acts={exportFormats.map((format) => ({
        key: format,
        label: t(`geography:export.${format}`),
        href: addressOf(exportLayer, { params, query: { format } }),
        download: `${layer.layer_slug}.${endings[format]}`,
      }))}
    />
  )
}
