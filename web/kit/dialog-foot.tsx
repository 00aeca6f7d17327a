import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import styles from './dialog.module.css'

interface Props {
  /** Verb of the primary button. */
  action: string
  isPending: boolean
  /** Whether the action destroys data. */
  isDanger?: boolean
  /** Disables the primary button. */
  isDisabled?: boolean
  onCancel: () => void
  /** Without it, the button submits the surrounding form. */
  onAction?: () => void
}

/** The buttons of a dialog, always visible. */
export function DialogFoot({
  action,
  isPending,
  isDanger = false,
  isDisabled = false,
  onCancel,
  onAction,
}: Props) {
  const { t } = useTranslation()
  return (
    <div className={styles['foot']}>
      <Button variant="default" data-autofocus={isDanger || undefined} onClick={onCancel}>
        {t('kit:cancel')}
      </Button>
      <Button
        type={onAction ? 'button' : 'submit'}
        color={isDanger ? 'red.6' : 'teal'}
        loading={isPending}
        disabled={isDisabled}
        onClick={onAction}
      >
        {action}
      </Button>
    </div>
  )
}
