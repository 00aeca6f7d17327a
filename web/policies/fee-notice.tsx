import { Button, Text } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#web/kit/dialog.tsx'
import styles from './editor.module.css'

/** What a page is told when it is gone to after a policy with variable prices was saved. */
export const feesProcessing = { feesProcessing: true }

/** Says once, after variable prices were saved, that fees are being calculated. */
export function FeeNotice() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isShown = useLocation({
    select: ({ state }) => (state as { feesProcessing?: boolean }).feesProcessing === true,
  })
  if (!isShown) return null
  // It is not said again when the page is loaded anew.
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
