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
  /** The stations file that was already sent. */
  sent: ImportPreview['stations']
}

/** Uploads the stations file for trips that have stations instead of coordinates. */
export function StationsField({ params, sent }: Props) {
  const { t } = useTranslation()
  const send = useEndpointMutation(sendStations, [previewImport])
  const take = ([file]: File[]) =>
    file && send.mutate({ params, query: { file_name: file.name }, body: file })
  const skipped = send.data?.skipped ?? 0

  return (
    <div className={styles['stations']}>
      <FileDrop
        title={t('imports:stations.title')}
        button={t(sent ? 'imports:stations.replace' : 'imports:stations.button')}
        accept=".csv,.gz,.zip,.txt,.json,.geojson,text/csv,application/json"
        isDisabled={send.isPending}
        onFiles={take}
      >
        {t('imports:stations.text')}
      </FileDrop>
      {send.isPending ? <Loader size="sm" aria-label={t('imports:stations.reading')} /> : null}
      {sent && !send.isPending ? (
        <Text size="sm" role="status">
          {t('imports:stations.sent', {
            name: sent.file_name,
            count: sent.stations,
            shown: formatInteger(sent.stations),
          })}
          {skipped > 0
            ? ` ${t('imports:stations.skipped', { count: skipped, shown: formatInteger(skipped) })}`
            : ''}
        </Text>
      ) : null}
      {send.error ? <FailedState error={send.error} title={t('imports:stations.failed')} /> : null}
    </div>
  )
}
