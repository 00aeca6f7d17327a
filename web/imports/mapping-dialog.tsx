import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ImportRequirement, previewImport } from '#contract/imports.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { MappingForm } from './mapping-form.tsx'
import { getRequirementKey } from './use-imports.ts'

interface Props {
  importUuid: string
  /** What must be answered before the import can start. */
  asks: readonly ImportRequirement[]
  onClose: () => void
}

/** Asks about a waiting trip file: meanings of columns, places of stations, order of dates. */
export function MappingDialog({ importUuid, asks, onClose }: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const params = { region_id: regionId, import_uuid: importUuid }
  const preview = useEndpointQuery(previewImport, { params, body: { mapping: null } }, { staleTime: 0 })
  return (
    <Dialog size={1100} title={t(getRequirementKey(asks))} onClose={onClose}>
      <Text size="sm" c="dimmed" mb="md">
        {asks.includes('mapping')
          ? t('imports:mapping.text')
          : asks.map((requirement) => t(`imports:asks.${requirement}`)).join(' ')}
      </Text>
      <Loaded query={{ ...preview, isFetching: false }}>
        {(data) => <MappingForm params={params} firstPreview={data} onDone={onClose} />}
      </Loaded>
    </Dialog>
  )
}
