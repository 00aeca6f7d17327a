import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import styles from './failed-state.module.css'

/** An error that can be displayed: message, and the id to quote. */
export interface DisplayableError {
  message: string
  id?: string | null
}

interface Props {
  error: DisplayableError
  onRetry?: (() => void) | undefined
  title?: string
}

/** An error, with the id to report and a button to retry. */
export function FailedState({ error, onRetry, title }: Props) {
  const { t } = useTranslation()
  return (
    <div role="alert" className={styles['box']}>
      <Text fw={600}>{title ?? t('kit:failed')}</Text>
      <Text>{error.message}</Text>
      {error.id ? (
        <Text size="sm" c="dimmed">
          {t('kit:quote', { id: error.id })}
        </Text>
      ) : null}
      {onRetry ? (
        <Group mt="sm">
          <Button variant="default" size="xs" onClick={onRetry}>
            {t('kit:retry')}
          </Button>
        </Group>
      ) : null}
    </div>
  )
}
