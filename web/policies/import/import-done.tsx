import { Button, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '#contract/endpoint.ts'
import type { importPolicies } from '#contract/policy-import.ts'
import styles from '../editor.module.css'

interface Props {
  answer: Answer<typeof importPolicies>
  /** What the layer was asked to be called. */
  layer: string
  onClose: () => void
}

/** What an import did. */
export function ImportDone({
  answer: { imported, updated, skipped, shape_layer_uuid: id },
  layer,
  onClose,
}: Props) {
  const { t } = useTranslation()
  const ok = useRef<HTMLButtonElement>(null)
  // The dialog was open before: it gives the focus only as it opens.
  useEffect(() => ok.current?.focus(), [])
  return (
    <div role="status">
      {imported || !updated ? <Text fw={600}>{t('policies:import.done', { count: imported })}</Text> : null}
      {updated ? <Text fw={600}>{t('policies:import.updated', { count: updated })}</Text> : null}
      {id === null ? null : <Text>{t('policies:import.layer', { name: layer })}</Text>}
      {skipped ? <Text>{t('policies:import.skipped', { count: skipped })}</Text> : null}
      <div className={styles['dialogFoot']}>
        <Button ref={ok} onClick={onClose}>
          {t('policies:ok')}
        </Button>
      </div>
    </div>
  )
}
