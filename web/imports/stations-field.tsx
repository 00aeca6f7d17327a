import { Loader, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ImportPreview, previewImport, sendStations } from '#contract/imports.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { FileDrop } from '#web/kit/file-drop.tsx'
import { formatInteger } from '#web/kit/format.ts'
import styles from './imports.module.css'

interface Props {
  params: { region_id: string; import_uuid: string }
  /** The stations file that was already sent; null if none. */
  sent: ImportPreview['stations']
}

/** Uploads the stations file for trips that have stations instead of coordinates. */
export function StationsField({ params, sent }: Props) {
  const { t } = useTranslation()
  const upload = useEndpointMutation(sendStations, [previewImport])
  const uploadFile = ([file]: File[]) =>
    file && upload.mutate({ params, query: { file_name: file.name }, body: file })
  const skippedCount = upload.data?.skipped ?? 0
  return (
    <div className={styles['stations']}>
      <FileDrop
        title={t('imports:stations.title')}
        button={t(sent ? 'imports:stations.replace' : 'imports:stations.button')}
        accept=".csv,.gz,.zip,.txt,.json,.geojson,text/csv,application/json"
        isDisabled={upload.isPending}
        onFiles={uploadFile}
      >
        {t('imports:stations.text')}
      </FileDrop>
      {upload.isPending ? <Loader size="sm" aria-label={t('imports:stations.reading')} /> : null}
      {sent && !upload.isPending ? (
        <Text size="sm" role="status">
          {t('imports:stations.sent', {
            name: sent.file_name,
            count: sent.stations,
            shown: formatInteger(sent.stations),
          })}
          {skippedCount > 0
            ? ` ${t('imports:stations.skipped', { count: skippedCount, shown: formatInteger(skippedCount) })}`
            : ''}
        </Text>
      ) : null}
      {upload.error ? <FailedState error={upload.error} title={t('imports:stations.failed')} /> : null}
    </div>
  )
}
