import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import styles from './dialog.module.css'

interface Props {
  /** The verb of the button that acts. */
  action: string
  isPending: boolean
  /** Something will be lost. */
  isDanger?: boolean
  /** There is nothing yet to act on. */
  isIdle?: boolean
  onCancel: () => void
  /** Without it the button submits the form around it. */
  onAct?: () => void
}

/** The buttons of a dialog, in sight however long it is. */
export function DialogFoot({ action, isPending, isDanger = false, isIdle = false, onCancel, onAct }: Props) {
  const { t } = useTranslation()
  return (
    <div className={styles['foot']}>
      <Button variant="default" data-autofocus={isDanger || undefined} onClick={onCancel}>
        {t('kit:cancel')}
      </Button>
      <Button
        type={onAct ? 'button' : 'submit'}
        color={isDanger ? 'red.6' : 'teal'}
        loading={isPending}
        disabled={isIdle}
        onClick={onAct}
      >
        {action}
      </Button>
    </div>
  )
}
