import { Button, Text } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#web/kit/dialog.tsx'
import styles from './editor.module.css'

/** Navigation state after saving a policy with variable prices. */
export const feesProcessing = { feesProcessing: true }

/** Announces once, after variable prices were saved, that fees are being calculated. */
export function FeeNoticeDialog() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isShown = useLocation({
    select: ({ state }) => (state as { feesProcessing?: boolean }).feesProcessing === true,
  })
  if (!isShown) return null
  // Clears the state so that a reload does not show the notice again.
  const close = (): void =>
    void navigate({ to: '.', search: true, replace: true, state: { feesProcessing: false } } as never)
  return (
    <Dialog title={t('policies:fees.title')} onClose={close}>
      <Text>{t('policies:fees.text')}</Text>
      <div className={styles['dialogFoot']}>
        <Button data-autofocus onClick={close}>
          {t('policies:ok')}
        </Button>
      </div>
    </Dialog>
  )
}
