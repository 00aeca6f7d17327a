import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#web/kit/dialog.tsx'
import type { DisplayableError } from '#web/kit/failed-state.tsx'
import type { Notice } from './policy-actions.ts'
import styles from './editor.module.css'

interface Props {
  notice: Notice
  /** The server's message, and the error id to quote. */
  error?: DisplayableError | null
  onClose: () => void
}

/** A dialog that explains why something is not possible. */
export function PolicyNoticeDialog({ notice, error, onClose }: Props) {
  const { t } = useTranslation()
  const text = t(`policies:notice.${notice}.text`)
  return (
    <Dialog title={t(`policies:notice.${notice}.title`)} onClose={onClose}>
      <Text>{text}</Text>
      {error && error.message !== text ? (
        <Text size="sm" mt="sm" className={styles['said'] ?? ''}>
          {error.message}
        </Text>
      ) : null}
      {error?.id ? (
        <Text size="sm" c="dimmed">
          {t('kit:quote', { id: error.id })}
        </Text>
      ) : null}
      <div className={styles['dialogFoot']}>
        <Button data-autofocus onClick={onClose}>
          {t('policies:ok')}
        </Button>
      </div>
    </Dialog>
  )
}
