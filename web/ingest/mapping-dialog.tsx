import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { previewImport } from '#contract/ingest.ts'
import { useAnswer } from '#web/data/query.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { MappingForm } from './mapping-form.tsx'

interface Props {
  importUuid: string
  onClose: () => void
}

/** For a file whose columns are not known: says which column means what. */
export function MappingDialog({ importUuid, onClose }: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const params = { region_id: regionId, import_uuid: importUuid }
  const first = useAnswer(previewImport, { params, body: { mapping: null } }, { staleTime: 0 })
  return (
    <Dialog size={1100} title={t('ingest:mapping.title')} onClose={onClose}>
      <Text size="sm" c="dimmed" mb="md">{t('ingest:mapping.text')}</Text>
      <Loaded of={{ ...first, isFetching: false }}>{(preview) => <MappingForm params={params} first={preview} onDone={onClose} />}</Loaded>
    </Dialog>
  )
}
